"""Taking samples of a text while somebody else reads it, so that nothing is read twice or held up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice

from pralign.text.bitext import Bitext
from pralign.text.looks.sample import KnownWords, TextSample
from pralign.text.tokenizers import BY_SPACES

#: A sample has at most so many lines, and so many characters of each file; a line is cut to so many.
SAMPLE_LINES = 2000
SAMPLE_CHARACTERS = 2_000_000
LINE_CHARACTERS = 10_000


def watched(
    bitext: Bitext,
    see: Callable[[TextSample], None],
    known: KnownWords | None = None,
    *,
    whole: bool = False,
    ahead: bool = False,
) -> Bitext:
    """The same text, of which samples are shown to ``see`` when it is read.

    Args:
        bitext: The text.
        see: Called with each sample.
        known: The words of the model that the text is for.
        whole: Whether all of the text is to be seen, sample by sample; else it is only its beginning, and only when the
            text is read for the first time.
        ahead: Whether the beginning is to be seen before its first pair goes on, rather than while they pass.
    """
    sampler = _Sampler(bitext, see, known, whole)
    return bitext.watched(sampler.read_ahead if ahead else sampler.watch)


class _Sampler:
    """Collects lines of one or two files as they pass, and shows them when there are enough."""

    def __init__(
        self,
        bitext: Bitext,
        see: Callable[[TextSample], None],
        known: KnownWords | None,
        whole: bool,
    ) -> None:
        self._text = bitext
        self._see = see
        self._known = known
        self._whole = whole
        self._done = False

    def watch(self, sides: Sequence[Iterator[str]]) -> list[Iterator[str]]:
        """The same lines, watched, if that is still wanted."""
        if self._done:
            return list(sides)
        taken = _Taken(len(sides), self._show, self._whole)
        return [taken.passing(number, lines) for number, lines in enumerate(sides)]

    def read_ahead(self, sides: Sequence[Iterator[str]]) -> list[Iterator[str]]:
        """The same lines, of which the beginning has been seen when the first is handed on."""
        watched = self.watch(sides)
        read: list[list[str]] = [[] for _ in watched]
        while not self._done:
            found = [list(islice(lines, 1)) for lines in watched]
            for lines, line in zip(read, found, strict=True):
                lines.extend(line)
            if not all(found):
                break
        return [chain(lines, rest) for lines, rest in zip(read, watched, strict=True)]

    def _show(self, lines: tuple[list[str], ...], first: int, is_end: bool) -> None:
        self._done = self._done or is_end or not self._whole
        if lines[0]:
            text = self._text
            cut = text.tokenization or BY_SPACES
            self._see(TextSample(text.files, lines, first, text.layout, self._known, cut))


class _Taken:
    """What one walk through the files has collected."""

    def __init__(self, sides: int, show: Callable[[tuple[list[str], ...], int, bool], None], whole: bool) -> None:
        self._show = show
        self._whole = whole
        self._first = 1
        self._lines: tuple[list[str], ...] = tuple([] for _ in range(sides))
        self._characters = [0] * sides
        self._ended = [False] * sides
        self._active = True

    def passing(self, number: int, lines: Iterator[str]) -> Iterator[str]:
        """The lines of one file, which are collected as they pass."""
        for line in lines:
            if len(self._lines[number]) > SAMPLE_LINES:  # the other file has ended, and somebody else will complain
                self._active = False
            if not self._active:
                yield line
                yield from lines
                return
            self._lines[number].append(line[:LINE_CHARACTERS])
            self._characters[number] += min(len(line), LINE_CHARACTERS)
            if number == len(self._lines) - 1:
                self._show_if_full()
            yield line
        self._end(number)

    def _show_if_full(self) -> None:
        counts = [len(lines) for lines in self._lines]
        if counts[-1] < SAMPLE_LINES and max(self._characters) < SAMPLE_CHARACTERS:
            return
        if min(counts) == max(counts):
            self._flush(is_end=False)

    def _end(self, number: int) -> None:
        """Show what is left, unless one file has more lines than the other."""
        self._ended[number] = True
        if self._active and all(self._ended) and len({len(lines) for lines in self._lines}) == 1:
            self._flush(is_end=True)

    def _flush(self, is_end: bool) -> None:
        lines, first = self._lines, self._first
        self._first += len(lines[0])
        self._lines = tuple([] for _ in lines)
        self._characters = [0] * len(lines)
        self._active = self._whole and not is_end
        self._show(lines, first, is_end)
