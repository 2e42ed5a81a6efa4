"""Parallel text: pairs of sentences that translate each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from pralign.errors import InputError, UsageError
from pralign.schema.arguments import check_argument, check_path
from pralign.text.files import STANDARD_STREAM, display_name, is_regular_file, line_limit, read_lines
from pralign.text.pairing import UnequalLinesError, paired

Sentence = str | Sequence[str]
Pair = tuple[Sentence, Sentence]
Layout = Literal["tsv", "bars"]
Opener = Callable[[], Iterator[str]]
#: Gets the lines of each file while they are read, and hands them on.
Watch = Callable[[Sequence[Iterator[str]]], Sequence[Iterator[str]]]

BARS = " ||| "


class Bitext:
    """Sentence pairs that can be read again and again, in order.

    A sentence is a string of tokens separated by spaces, or a sequence of tokens. Text from files is read as it is
    needed and not kept; text from standard input or a pipe is kept, since it comes only once.

    Attributes:
        name: What messages call the text.
        files: The files that it is read from: none, one with both sides, or two.
        layout: How one file holds both sides, if that was said.

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
        self.files: tuple[str | Path, ...] = ()
        self.layout: Layout | None = None
        self._sides = (name, name)
        self._openers: tuple[Opener, ...] = ()
        self._join: Callable[..., Iterator[Pair]] = _nothing

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
        files = (source,) if target is None else (source, target)
        if [str(path) for path in files].count(STANDARD_STREAM) > 1:
            raise UsageError("standard input cannot be both sides; give one of them as a file")
        names = [display_name(path) for path in files]
        bitext = cls([], name=" and ".join(names))
        bitext.files, bitext.layout = files, layout
        openers = bitext._openers = tuple(map(_repeatable, files))
        if target is None:
            bitext._join = lambda lines: _split_lines(lines, source, layout)
        else:
            bitext._sides = (names[0], names[1])
            bitext._join = lambda left, right: _paired_lines((left, right), bitext._sides, (openers[0], openers[1]))
        bitext._open = lambda: bitext._join(*(opener() for opener in openers))
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

    def watched(self, watch: Watch) -> Bitext:
        """These pairs, the lines of whose files pass ``watch`` as they are read; pairs that have no files are not."""
        if not self._openers:
            return self
        return self._opened_by(lambda: self._join(*watch([opener() for opener in self._openers])))

    def _opened_by(self, pairs: Callable[[], Iterator[Pair]]) -> Bitext:
        """Other pairs under the same name."""
        other = Bitext([], name=self.name)
        other._open, other._sides, other.files, other.layout = pairs, self._sides, self.files, self.layout
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


def _nothing() -> Iterator[Pair]:
    return iter(())


def _paired_lines(
    sides: tuple[Iterator[str], Iterator[str]], names: tuple[str, str], openers: tuple[Opener, Opener]
) -> Iterator[Pair]:
    """Lines of two files in pairs; where one has more lines, they are looked at again to say why."""
    try:
        yield from paired(*sides, names)
    except UnequalLinesError as error:
        from pralign.text.unequal import why_unequal

        left, right = (names[0], error.left), (names[1], error.right)
        raise UnequalLinesError(left, right, why_unequal(names, openers)) from None


def _repeatable(path: str | Path) -> Opener:
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
    for number, line in enumerate(lines, start=1):
        if not line.strip(" \t"):
            yield "", ""
            continue
        if layout is None:
            layout = layout_of(line, path)
        sides = split_line(line, layout)
        if len(sides) < 2 or (layout == "bars" and len(sides) > 2):
            raise InputError(
                f"{display_name(path)}, line {number}: {_WRONG_SIDES[layout].format(found=len(sides) - 1)}"
            )
        yield sides[0], sides[1]


def split_line(line: str, layout: Layout) -> list[str]:
    """The columns of a line of a file that holds both sides."""
    return line.split("\t") if layout == "tsv" else f" {line} ".split(BARS)


def layout_of(line: str, path: str | Path) -> Layout:
    """How a file holds both sides, by its first line that is not blank.

    Raises:
        UsageError: It holds one side only.
        InputError: It holds both in another way.
    """
    if ".tsv" in Path(str(path)).suffixes or "\t" in line:
        return "tsv"
    if BARS.strip() in line:
        return "bars"
    name = display_name(path)
    if ".csv" in Path(str(path)).suffixes or _CSV.match(line):
        raise InputError(
            f"{name}: columns are separated by commas or semicolons; save it as tab-separated text, without quotes"
        )
    raise UsageError(
        f"TGT is missing: {name} holds one side only, without a tab or ' ||| ' between two; name the file with the "
        "translations after it"
    )


_CSV = re.compile(r'"[^"]*"[,;]"')
_WRONG_SIDES = {
    "tsv": "no tab between the source and the target sentence",
    "bars": "found {found} times ' ||| ' where one is needed between the source and the target sentence; "
    "use a tab or two files if the text itself holds bars",
}
