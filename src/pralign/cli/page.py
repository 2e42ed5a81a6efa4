"""The page of a report, from whichever command."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pralign.cli.console import note
from pralign.cli.languages import Languages, languages_of
from pralign.outputs import open_output
from pralign.text.files import STANDARD_STREAM, display_name

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.decoding.stream import Decoded
    from pralign.report.report import Report
    from pralign.text.bitext import Bitext


def side_names(source: Path, target: Path | None, columns: str | None = None) -> tuple[str, str]:
    """What a report calls the two sides of a text, which may be named ``columns`` of one file.

    Example:
        >>> side_names(Path("memory.tmx"), None, "en,fr")
        ('memory.tmx (en)', 'memory.tmx (fr)')
    """
    name = display_name(source.name)
    if target is not None:
        return name, display_name(target.name)
    sides = [column.strip() for column in (columns or "").split(",")]
    return (f"{name} ({sides[0]})", f"{name} ({sides[1]})") if len(sides) == 2 else (name, "its second column")


def page_of(report: Report, title: str | None = None, languages: Languages | None = None) -> str:
    """The page, by default with the names of the files as its title, and in the languages that they say they are in."""
    from pralign.report.html import render

    names = report.inputs.text.names
    return render(report, title or f"Word alignment of {names[0]} and {names[1]}", languages or languages_of(names))


class AnswerPage:
    """The page that ``align --report`` writes of the answers that it gives."""

    def __init__(self, place: Path, bitext: Bitext, names: tuple[str, str]) -> None:
        """Prepare a page at ``place`` about a text whose sides have ``names``; answers have yet to come.

        Raises:
            InputError: The text is empty.
        """
        from pralign.report.answers import AnswerSample

        self._place = place
        self._sample = AnswerSample(bitext, names)
        self._written: tuple[Report, str] | None = None

    def watching(self, answers: Iterable[Decoded]) -> Iterator[Decoded]:
        """Hand on the answers, and remember those that the page shows."""
        return self._sample.watching(answers)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Open the file, so that it is known to be one of the results before answers come."""
        with open_output(self._place) as self._stream:
            yield

    def write(self, aligner: Aligner, name: str, links: Path) -> None:
        """Write the page.

        Args:
            aligner: What has given the answers, and can still be asked.
            name: What the page calls it.
            links: Where the answers are.
        """
        from pralign.report.report import Report

        report = Report(self._sample.report_input(aligner, name, _origin(links)))
        page = page_of(report)
        self._stream.write(page)
        self._written = report, page

    def describe(self) -> None:
        """Say where it is."""
        if self._written is not None:
            describe_page(*self._written, self._place)


def _origin(links: Path) -> str:
    return "standard output" if str(links) == STANDARD_STREAM else display_name(links)


def describe_page(report: Report, page: str, place: Path) -> None:
    """Say what was looked at, and where the page is."""
    inputs = report.inputs
    if inputs.is_sampled:
        all_pairs = inputs.gold_pairs or inputs.text.pairs
        note(f"looked at {len(inputs.pairs):,} of {all_pairs:,} pairs, seed {inputs.seed}")
    if str(place) != STANDARD_STREAM:
        note(f"{place}: {len(page.encode()) / 1e6:.1f} MB; open it in a browser")
    note(str(report.signature))
