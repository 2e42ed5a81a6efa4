"""The files that ``pralign align`` writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pralign.cli.console import note
from pralign.errors import UsageError
from pralign.links.formats import AlignmentFormat, Record, get_format, write_alignments
from pralign.links.nbest import AlignmentList, write_alignment_lists
from pralign.links.parquet import PARQUET, write_parquet
from pralign.links.units import BY_TOKENS, Units
from pralign.outputs import Output, check_writable, open_output, open_outputs, together
from pralign.text.bitext import Bitext, Pair, Sentence
from pralign.text.files import STANDARD_STREAM
from pralign.text.tokens import words_of

if TYPE_CHECKING:
    from pralign.decoding.stream import Decoded
    from pralign.links.alignment import Alignment


_DEFAULT_FORMAT = "pharaoh"
# As which many alignments of each pair can be read by whoever wants only the first.
_LISTS_FORMAT = "jsonl"


def default_format(place: Path | None, lists: bool) -> str:
    """The format of alignments if none is named: by the file, and whether there are many of each pair."""
    if lists:
        return _LISTS_FORMAT
    return PARQUET if place is not None and place.suffix == f".{PARQUET}" else _DEFAULT_FORMAT


@dataclass(frozen=True)
class Outputs:
    """Where answers go.

    Attributes:
        links: The file of alignments; ``None`` is standard output.
        format: The name of its format.
        forward: The file of forward Viterbi alignments, if wanted.
        reverse: The file of reverse Viterbi alignments, if wanted.
        scores: The file of scores, if wanted.
        report: The page to look at the answers, if wanted.
        lists: Whether answers have many alignments, all of which are written.
        units: What links join in files.
    """

    links: Path | None
    format: str
    forward: Path | None
    reverse: Path | None
    scores: Path | None
    report: Path | None = None
    lists: bool = False
    units: Units = BY_TOKENS

    @property
    def places(self) -> tuple[Path, *tuple[Path | None, ...]]:
        """Where each result goes, links first; ``None`` for those that are not wanted."""
        return self.links or Path(STANDARD_STREAM), self.forward, self.reverse, self.scores, self.report

    def check(self) -> None:
        """Complain now about what would fail after hours of training, and state the base where it is ambiguous."""
        for path in self.places:
            check_writable(path)
        if self.lists and self.units != BY_TOKENS:
            raise UsageError("--nbest and --sample list alignments of tokens; leave out --units")
        if self.format == PARQUET:
            if self.links is None or str(self.links) == STANDARD_STREAM:
                raise UsageError("Parquet cannot go to standard output; say -o OUT.parquet")
            return
        if self.units != BY_TOKENS and self._format.unwritable([" "]) is not None:
            raise UsageError(f"the {self.format} format holds words, and no other units; leave out --units")
        if self._format.base_is_ambiguous:
            note(f"{self.format} is written with words counted from {self._format.default_base}")

    def write(self, answers: Iterable[Decoded], bitext: Bitext) -> None:
        """Write one answer a pair; files appear under their names when all is written."""
        sides = {"scores": self.scores, "forward": self.forward, "reverse": self.reverse}
        wanted = {name: path for name, path in sides.items() if path is not None}
        with together(), open_outputs(*wanted.values()) as others:
            copied = _copied(self._in_units(answers, bitext), **dict(zip(wanted, others, strict=True)))
            if self.format == PARQUET:
                write_parquet(cast(Path, self.links), self._records(copied, bitext), bitext)
                return
            with open_output(self.links) as links:
                if self.lists:
                    write_alignment_lists(links, _lists(copied, bitext))
                else:
                    write_alignments(links, self._records(copied, bitext), self.format)

    @property
    def is_prompt(self) -> bool:
        """Whether all that is wanted is alignments on standard output, which can be written as they come."""
        others = (self.forward, self.reverse, self.scores, self.report)
        is_plain = not self.lists and self.units == BY_TOKENS and not any(others)
        return is_plain and str(self.places[0]) == STANDARD_STREAM

    def write_promptly(self, answers: Callable[[Callable[[], None]], Iterable[tuple[Pair, Decoded]]]) -> None:
        """Write one answer a pair to standard output.

        Args:
            answers: Called with what hands on all that was written; yields pairs and their answers.
        """
        with open_output(self.links) as links:
            records = (
                Record(answer.alignment, words_of(source), words_of(target), answer.score)
                for (source, target), answer in answers(links.flush)
            )
            write_alignments(links, records, self.format)

    def _in_units(self, answers: Iterable[Decoded], bitext: Bitext) -> Iterable[Decoded]:
        """The answers, with links over the units that are wanted."""
        if self.units == BY_TOKENS:
            return answers
        return (
            answer.over(partial(self.units.converted, source=source, target=target))
            for answer, (source, target) in zip(answers, bitext, strict=True)
        )

    @property
    def _format(self) -> AlignmentFormat:
        return get_format(self.format)

    def _records(self, answers: Iterator[Decoded], bitext: Bitext) -> Iterator[Record]:
        if self.format != PARQUET and not self._format.carries_text:
            yield from (Record(answer.alignment) for answer in answers)
            return
        for answer, row in zip(answers, bitext.rows(), strict=True):
            source, target = self._names(row.source, 0), self._names(row.target, 1)
            yield Record(answer.alignment, source, target, answer.score, row.extras)

    def _names(self, sentence: Sentence, side: int) -> Sequence[str]:
        """What links join in a sentence."""
        return words_of(sentence) if self.units == BY_TOKENS else self.units.of(sentence, side).names


def _copied(
    answers: Iterable[Decoded],
    scores: Output | None = None,
    forward: Output | None = None,
    reverse: Output | None = None,
) -> Iterator[Decoded]:
    """Yield the answers, writing their other parts on the way."""
    for answer in answers:
        if scores is not None:
            scores.write(f"{answer.score:.6f}\n")
        _write_links(forward, answer.forward)
        _write_links(reverse, answer.reverse)
        yield answer


def _lists(answers: Iterator[Decoded], bitext: Bitext) -> Iterator[AlignmentList]:
    """The alignments of each pair, with its words."""
    for answer, (source, target) in zip(answers, bitext, strict=True):
        assert answer.lists is not None
        yield answer.lists.with_words(words_of(source), words_of(target))


def _write_links(stream: Output | None, alignment: Alignment | None) -> None:
    if stream is not None and alignment is not None:
        write_alignments(stream, [alignment])
