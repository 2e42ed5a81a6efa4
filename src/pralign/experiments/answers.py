"""What a system says of a text: its links and, if it is a model, its posteriors and best paths."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from pralign.errors import InputError
from pralign.links.alignment import Alignment
from pralign.links.formats import read_alignments, write_alignments
from pralign.outputs import open_output, together

UNION = "soft-union"
#: The two directions and what they say together.
VIEWS = ("forward", "reverse", UNION)
#: Less probable links of the pairs that are looked at are not kept. Among them are hardly any sure ones.
FLOOR = 0.001
#: The same of all pairs of a text.
TEXT_FLOOR = 0.1

View = Mapping[str, Sequence[Alignment]]

_RECORD = "record.json"
_LINKS = "links.txt"
_TEXT_LINKS = "text-links.txt.gz"
_TEXT_SCORED = "text-scored.txt.gz"


@dataclass(frozen=True)
class Answers:
    """What a system says of the pairs of a text that are looked at.

    Attributes:
        links: Its alignments, chosen as it does by itself.
        scored: For each view the links with their posteriors, if it has posteriors.
        paths: For each direction the best alignments, if there are directions, and grow-diag-final-and of both.
        record: What is known of its training, ready for JSON.
        folder: Where all of it is kept.
    """

    links: Sequence[Alignment]
    scored: View = field(default_factory=dict)
    paths: View = field(default_factory=dict)
    record: Mapping[str, Any] = field(default_factory=dict)
    folder: Path = Path()

    @property
    def text_links(self) -> Path | None:
        """The file of its links of all pairs, if they were asked for."""
        return _there(self.folder / _TEXT_LINKS)

    @property
    def text_scored(self) -> Path | None:
        """The file of links of all pairs with their posteriors, if they were asked for and there are any."""
        return _there(self.folder / _TEXT_SCORED)

    def view(self, name: str) -> Sequence[Alignment]:
        """The links with their posteriors, in one view; of a system without, the links that it chooses.

        Raises:
            InputError: It has no directions.
        """
        if name in self.scored:
            return self.scored[name]
        if name == UNION:
            return self.links
        if name in self.paths:
            return self.paths[name]
        raise InputError(f"{self.record.get('title', 'a system')} has no {name} direction; choose the view {UNION}")


def at_least(alignments: Sequence[Alignment], threshold: float) -> list[Alignment]:
    """The links with a score of at least a threshold; links without scores are all kept."""
    return [each.at_least(threshold) if each.links and each.scores is not None else each for each in alignments]


def is_done(folder: Path, key: str, text: bool) -> bool:
    """Whether the answers with this key are in a folder, and those of the whole text if they are needed."""
    try:
        record = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(record.get("key") == key and (not text or (folder / _TEXT_LINKS).exists()))


def save_answers(answers: Answers, folder: Path, key: str) -> None:
    """Keep answers in a folder, all of them or none."""
    folder.mkdir(parents=True, exist_ok=True)
    form = "scored" if _have_scores(answers.links) else "pharaoh"
    with together():
        _write(folder / _LINKS, answers.links, form)
        for name, alignments in answers.scored.items():
            _write(folder / f"scored-{name}.txt", alignments, "scored")
        for name, alignments in answers.paths.items():
            _write(folder / f"paths-{name}.txt", alignments, "pharaoh")
        with open_output(folder / _RECORD) as stream:
            kept = {"links": form, "scored": list(answers.scored), "paths": list(answers.paths)}
            stream.write(json.dumps({"key": key, **kept, **answers.record}, indent=1, ensure_ascii=False) + "\n")


def load_answers(folder: Path) -> Answers:
    """The answers that a folder keeps."""
    record = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
    return Answers(
        links=list(read_alignments(folder / _LINKS, record["links"])),
        scored={name: list(read_alignments(folder / f"scored-{name}.txt", "scored")) for name in record["scored"]},
        paths={name: list(read_alignments(folder / f"paths-{name}.txt", "pharaoh")) for name in record["paths"]},
        record=record,
        folder=folder,
    )


def text_files(folder: Path) -> tuple[Path, Path]:
    """Where links of all pairs are to be written: as they are chosen, and with posteriors."""
    return folder / _TEXT_LINKS, folder / _TEXT_SCORED


def first_alignments(path: Path, count: int, format: str | None = None) -> list[Alignment]:
    """The first alignments of a file.

    Raises:
        InputError: There are fewer.
    """
    found = list(islice(read_alignments(path, format), count))
    if len(found) < count:
        raise InputError(f"{path}: has {len(found)} alignments, but the pairs that are looked at are {count}")
    return found


def _have_scores(alignments: Sequence[Alignment]) -> bool:
    linked = [alignment for alignment in alignments if alignment.links]
    return bool(linked) and all(alignment.scores is not None for alignment in linked)


def _write(path: Path, alignments: Sequence[Alignment], format: str) -> None:
    with open_output(path) as stream:
        write_alignments(stream, alignments, format)


def _there(path: Path) -> Path | None:
    return path if path.is_file() else None
