"""``align --moses``: what Moses needs to go on from links."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pralign.cli.console import note
from pralign.cli.folders import check_folder
from pralign.errors import UsageError
from pralign.outputs import Output, open_outputs
from pralign.text.tokens import words_of

if TYPE_CHECKING:
    from pralign.decoding.stream import Decoded
    from pralign.text.bitext import Bitext, Pair

logger = logging.getLogger("pralign")

#: What heuristics are called by Moses, and here.
HEURISTICS = {
    "intersect": "intersection",
    "union": "union",
    "grow-diag": "grow-diag",
    "grow-diag-final": "grow-diag-final",
    "grow-diag-final-and": "grow-diag-final-and",
}
ALL = "all"
DEFAULT = "grow-diag-final-and"

_CORPUS = "corpus"
_SIDES = ("src", "tgt")
_BAR = "|"  # what Moses puts between factors of a word, and three of them between columns


def chosen_heuristics(name: str | None, symmetrizer: str | None) -> tuple[str, ...]:
    """The heuristics to write, by the names that Moses has for them.

    Args:
        name: What the user asks for, if anything.
        symmetrizer: How the aligner itself combines directions; taken if it is a heuristic and nothing is asked for.

    Raises:
        UsageError: There is no such heuristic.

    Example:
        >>> chosen_heuristics(None, "intersection"), chosen_heuristics(None, "soft-union")
        (('intersect',), ('grow-diag-final-and',))
    """
    if name == ALL:
        return tuple(HEURISTICS)
    known = {ours: theirs for theirs, ours in HEURISTICS.items()}
    if name is None:
        return (known.get(symmetrizer or "", DEFAULT),)
    if name not in HEURISTICS and name not in known:
        raise UsageError(f"--moses-heuristic {name}: Moses has {', '.join(HEURISTICS)}; {ALL} writes all of them")
    return (known.get(name, name),)


@dataclass(frozen=True)
class MosesFolder:
    """A directory from which ``train-model.perl --first-step 4`` can go on.

    It holds a file of links for each heuristic, ``aligned.NAME``, and both sides of the text, ``corpus.src`` and
    ``corpus.tgt``, with one space between words, so that positions are those of the links.

    Attributes:
        directory: Where it is.
        heuristics: The heuristics, by the names that Moses has for them.
    """

    directory: Path
    heuristics: tuple[str, ...] = tuple(HEURISTICS)

    @property
    def places(self) -> list[Path]:
        """The files that are written: both sides, then the links by each heuristic."""
        names = [f"{_CORPUS}.{side}" for side in _SIDES] + [f"aligned.{name}" for name in self.heuristics]
        return [self.directory / name for name in names]

    def check(self) -> None:
        """Complain now of what would fail after hours of training."""
        check_folder(self.directory)
        for path in self.places:
            if path.is_dir():
                raise UsageError(f"{path}: is a directory, where a file for Moses should go; choose another place")

    @contextmanager
    def opened(self, answers: Iterable[Decoded], bitext: Bitext) -> Iterator[Iterable[Decoded]]:
        """Write what passes: the answers, which are handed on, and the text that they belong to."""
        with open_outputs(*self.places) as streams:
            yield self._watched(answers, bitext, streams)

    def describe(self) -> None:
        """Say how Moses goes on."""
        place = self.directory.resolve()
        command = [
            *("train-model.perl", "--first-step", "4", "--last-step", "8", "--model-dir", str(place)),
            *("--corpus", str(place / _CORPUS), "--f", _SIDES[0], "--e", _SIDES[1]),
            *("--alignment", self.heuristics[-1]),
        ]
        note(f"Moses goes on from here: {shlex.join(command)} (with --lm instead of --last-step 8, to its end)")

    def _watched(self, answers: Iterable[Decoded], bitext: Bitext, streams: tuple[Output, ...]) -> Iterator[Decoded]:
        from pralign.links.alignment import Alignment
        from pralign.links.formats import write_alignments
        from pralign.links.symmetrization import symmetrize

        corpus, links, warned = streams[:2], streams[2:], False
        for number, (answer, pair) in enumerate(zip(answers, bitext, strict=True), start=1):
            for stream, sentence in zip(corpus, pair, strict=True):
                stream.write(" ".join(words_of(sentence)) + "\n")
            warned = warned or _warn_of_bars(pair, number)
            forward, reverse = answer.forward or Alignment(), answer.reverse or Alignment()
            for stream, name in zip(links, self.heuristics, strict=True):
                write_alignments(stream, [symmetrize(forward, reverse, HEURISTICS[name])])
            yield answer


def _warn_of_bars(pair: Pair, number: int) -> bool:
    """Say it once if a text has what Moses takes for marks of its own; returns whether it has."""
    if not any(_BAR in str(sentence) for sentence in pair):
        return False
    logger.warning(
        "pralign: pair %d: holds the character %s, which Moses takes for a mark of its own; escape it as Moses' "
        "escape-special-chars.perl does, which changes no positions of words",
        number,
        _BAR,
    )
    return True
