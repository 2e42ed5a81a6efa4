"""A table whose figures another program works out, from the links of all systems."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from pralign.errors import InputError
from pralign.experiments.others import run
from pralign.experiments.tables.base import ResultTable, Row, Slice, register_table
from pralign.outputs import open_output
from pralign.outputs.partials import PartialDirectory, remove_abandoned
from pralign.report.tables import Column, Kind
from pralign.schema.values import shown


@register_table("program")
@dataclass(frozen=True, kw_only=True)
class ProgramTable(ResultTable):
    """What another program makes of the links.

    The program is run once for each text, and what it found is kept. It reads a file of JSON, ``{input}``: the text
    with its files, ``parameters``, and the systems, each with ``links`` (of all pairs, as it chooses them), ``scored``
    (links with posteriors, or null) and a ``key`` that tells other links from these. It writes another, ``{output}``:
    a list of rows, objects with ``system`` and the keys of ``figures``. What it wants to keep for itself, to go on
    when it was ended or when there are other systems, is kept in ``{work}``, one folder for each text, program and
    parameters.

    Attributes:
        program: The words of the command, with ``{input}`` and ``{output}``. ``{python}`` is the Python that runs this,
            ``{here}`` the folder of the experiment's file, and ``{data}`` that of the data.
        figures: The columns: tables with ``key``, ``title`` and ``kind``.
        parameters: Whatever the program should know.
    """

    by_part = False
    needs_text = True

    program: Sequence[str]
    figures: Sequence[Any]
    parameters: Any = field(default_factory=dict)

    def __post_init__(self) -> None:
        for figure in self.figures:
            if (
                not isinstance(figure, dict)
                or not {"key"} <= figure.keys() <= {"key", "title", "kind"}
                or not all(isinstance(value, str) for value in figure.values())
            ):
                raise InputError("figures is a list of tables such as {key = 'bleu', title = 'BLEU', kind = 'number'}")
            if figure["key"] in ResultTable.identities:
                raise InputError(f"a figure has a key of its own; {figure['key']} says which row it is")
            if figure.get("kind", "number") not in get_args(Kind):
                raise InputError(f"a figure has one of the kinds {', '.join(get_args(Kind))}, not {figure['kind']!r}")
        if not any("{output}" in word for word in self.program):
            raise InputError("the program of a table has to write {output}")

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that the file declares."""
        return tuple(
            Column(each["key"], each.get("title", each["key"]), each.get("kind", "number")) for each in self.figures
        )

    def rows(self, found: Slice) -> Iterator[Row]:
        """The rows that the program has written."""
        given = self._given(found)
        shared = [found.text.digest, list(self.program), self.parameters]
        folder = found.places["work"] / _short_digest(shared)
        output = folder / f"output-{_short_digest(given)}.json"
        if not output.is_file():
            self._run(given, found, folder, output)
        for row in self._written(output):
            yield {key: value for key, value in row.items() if key in self._known}

    @property
    def _known(self) -> set[str]:
        return {"system", *(column.key for column in self.columns)}

    def _given(self, found: Slice) -> dict[str, Any]:
        text = found.text
        files = {"source": str(text.source), "target": str(text.target), "train": list(text.description.train)}
        about = {"name": text.name, "corpus": text.corpus, "title": text.title, "digest": text.digest}
        systems = [_described(each.name, each.shown, found) for each in found.systems]
        languages = list(text.description.languages)
        return {
            "text": {**about, **files, "languages": languages, "pairs": text.pairs},
            "data": str(found.places["data"]),
            "parameters": self.parameters,
            "systems": systems,
        }

    def _run(self, given: Mapping[str, Any], found: Slice, folder: Path, output: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        remove_abandoned(folder)
        with PartialDirectory(folder) as place:
            files = {name: place.path / f"{name}.json" for name in ("input", "output")}
            with open_output(files["input"]) as stream:
                stream.write(json.dumps(given, indent=1, ensure_ascii=False) + "\n")
            run(self.program, {**found.places, **files, "work": folder}, "a table's program")
            self._written(files["output"])
            files["output"].replace(output)

    def _written(self, path: Path) -> list[Row]:
        """The rows of an output.

        Raises:
            InputError: It is not as it should be.
        """
        try:
            rows = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: the program of a table has not written a list of rows there") from error
        if not isinstance(rows, list) or not all(isinstance(row, dict) and "system" in row for row in rows):
            raise InputError(f"{path}: is no list of rows, each with its system")
        numbers = [column.key for column in self.columns if column.is_numeric]
        for row in rows:
            for key in numbers:
                if row.get(key) is not None and not isinstance(row[key], int | float):
                    raise InputError(f"{path}: {key} of {row['system']} is {shown(row[key])}, which is not a number")
        return rows


def _described(name: str, title: str, found: Slice) -> dict[str, Any]:
    """What the program is told of a system."""
    answers = found.of(name)
    files = {"links": answers.text_links, "scored": answers.text_scored}
    return {
        "name": name,
        "title": title,
        "key": answers.record.get("key"),
        **{kind: None if path is None else str(path) for kind, path in files.items()},
    }


def _short_digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
