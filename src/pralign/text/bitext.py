"""Parallel text: pairs of sentences that translate each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from pralign.errors import InputError, UsageError
from pralign.schema.arguments import check_argument, check_path
from pralign.text.files import STANDARD_STREAM, display_name, is_regular_file, line_limit, read_lines
from pralign.text.pairing import paired

Sentence = str | Sequence[str]
Pair = tuple[Sentence, Sentence]
Layout = Literal["tsv", "bars"]

BARS = " ||| "


class Bitext:
    """Sentence pairs that can be read again and again, in order.

    A sentence is a string of tokens separated by spaces, or a sequence of tokens. Text from files is read as it is
    needed and not kept; text from standard input or a pipe is kept, since it comes only once.

    Example:
        >>> bitext = Bitext([("the house", "la maison"), (["a", "cat"], ["un", "chat"])])
        >>> [source for source, target in bitext]
        ['the house', ['a', 'cat']]
        >>> list(Bitext(["the house"], ["la maison"]))
        [('the house', 'la maison')]
    """

    def __init__(
        self,
        pairs: Iterable[Any],
        target: Iterable[Any] | None = None,
        *,
        columns: Sequence[str] | None = None,
        name: str = "the pairs given",
    ) -> None:
        """Hold pairs, given in any way that :func:`~pralign.text.pairs.as_pairs` knows.

        Args:
            pairs: The pairs, a table, or the source sentences alone.
            target: The target sentences, if ``pairs`` are the source sentences.
            columns: Which columns of a table, or fields of rows, hold the source and the target sentences.
            name: What messages call them.
        """
        from pralign.text.pairs import as_pairs  # which knows bitexts

        kept = list(as_pairs(pairs, target, columns))
        self._open: Callable[[], Iterator[Pair]] = lambda: iter(kept)
        self.name = name
        self._sides = (name, name)

    @classmethod
    def read(cls, source: str | Path, target: str | Path | None = None, layout: Layout | None = None) -> Bitext:
        r"""Read two files of parallel sentences, or one file that holds both sides.

        Args:
            source: The file of source sentences, or the only file; ``-`` is standard input.
            target: The file of target sentences, line by line the translations of ``source``.
            layout: How one file holds both sides: ``"tsv"`` (the first two of its tab-separated columns) or
                ``"bars"`` (``source ||| target``). Without it, a name that ends in ``.tsv`` (compressed or not) or a
                tab in the first line that is not blank means ``"tsv"``, three bars mean ``"bars"``.

        Raises:
            InputError: Now or while iterating: a file cannot be read, the two files differ in length, or a line
                does not have two sides. The message names the file and line.
        """
        check_path(source, "the source file")
        check_path(source if target is None else target, "the target file")
        check_argument(layout, Layout | None, "layout")
        bitext = cls(
            [],
            name=display_name(source) if target is None else f"{display_name(source)} and {display_name(target)}",
        )
        if target is None:
            opener = _repeatable(source)
            bitext._open = lambda: _split_lines(opener(), source, layout)
        else:
            if str(source) == str(target) == STANDARD_STREAM:
                raise UsageError("standard input cannot be both sides; give one of them as a file")
            open_source, open_target = _repeatable(source), _repeatable(target)
            names = bitext._sides = (display_name(source), display_name(target))
            bitext._open = lambda: paired(open_source(), open_target(), names)
        return bitext

    def __iter__(self) -> Iterator[Pair]:
        return self._open()

    def checked(self, check: Callable[[Sentence, str], None]) -> Bitext:
        """These pairs, each of whose sentences is checked while it is read.

        Args:
            check: Called with a sentence and with where it is, such as ``"source.txt, line 3"``; raises what it finds.
        """

        def pairs() -> Iterator[Pair]:
            for number, pair in enumerate(self, start=1):
                for sentence, name in zip(pair, self._sides, strict=True):
                    check(sentence, f"{name}, line {number}")
                yield pair

        return self._opened_by(pairs)

    def _opened_by(self, pairs: Callable[[], Iterator[Pair]]) -> Bitext:
        """Other pairs under the same name."""
        other = Bitext([], name=self.name)
        other._open, other._sides = pairs, self._sides
        return other

    def along_with(self, others: Iterable[Pair], words: Callable[[Sentence], Sequence[str]]) -> Bitext:
        """These pairs, and after them those of ``others`` that are not among them; ``words`` says what is the same.

        Example:
            >>> bitext = Bitext([("The house", "la maison")])
            >>> list(bitext.along_with([("the house", "La maison"), ("a cat", "un chat")], lambda s: s.lower().split()))
            [('The house', 'la maison'), ('a cat', 'un chat')]
        """
        further = {(tuple(words(source)), tuple(words(target))): (source, target) for source, target in others}

        def pairs() -> Iterator[Pair]:
            missing = dict(further)
            for source, target in self:
                if missing:
                    missing.pop((tuple(words(source)), tuple(words(target))), None)
                yield source, target
            yield from missing.values()

        return self._opened_by(pairs)


def _repeatable(path: str | Path) -> Callable[[], Iterator[str]]:
    limit = line_limit()  # now, not when somebody reads
    if is_regular_file(path) or (str(path) != STANDARD_STREAM and not Path(path).exists()):
        return lambda: read_lines(path, limit)
    kept: list[str] | None = None

    def lines() -> Iterator[str]:
        nonlocal kept
        if kept is None:
            kept = list(read_lines(path, limit))
        return iter(kept)

    return lines


def _split_lines(lines: Iterator[str], path: str | Path, layout: Layout | None) -> Iterator[Pair]:
    names_tsv = ".tsv" in Path(str(path)).suffixes
    for number, line in enumerate(lines, start=1):
        if not line.strip(" \t"):
            yield "", ""
            continue
        if layout is None:
            layout = "tsv" if names_tsv or "\t" in line else "bars"
        sides = line.split("\t") if layout == "tsv" else f" {line} ".split(BARS)
        if len(sides) < 2 or (layout == "bars" and len(sides) > 2):
            raise InputError(
                f"{display_name(path)}, line {number}: {_WRONG_SIDES[layout].format(found=len(sides) - 1)}"
            )
        yield sides[0], sides[1]


_WRONG_SIDES = {
    "tsv": "no tab between the source and the target sentence",
    "bars": "found {found} times ' ||| ' where one is needed between the source and the target sentence; "
    "use a tab or two files if the text itself holds bars",
}
