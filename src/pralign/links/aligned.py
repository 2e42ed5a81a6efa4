"""Sentence pairs together with their alignments, as arrays, some at a time: what lexicons and phrases are made from."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, repeat
from typing import NamedTuple, Protocol

import numpy as np

from pralign.errors import InputError
from pralign.kernels.arrays import Double, Long, Texts
from pralign.kernels.links import LinkArrays, first_outside, no_links, parse_links
from pralign.links.alignment import Alignment
from pralign.links.bounds import check_bounds
from pralign.links.files import AlignmentFile
from pralign.links.formats import ReadContext
from pralign.links.formats.base import sure_links
from pralign.text.bitext import Pair
from pralign.text.corpus import texts_of
from pralign.text.tokens import words_of
from pralign.text.vocabulary import VocabularyBuilder

Weighted = tuple[float, Alignment]
# Formats whose lines are read by a kernel, as long as they hold nothing but links, or links that all have scores.
_QUICK = {"pharaoh": False, "gold": False, "scored": True}
# So many words of both sides are read at a time, about four thousand sentence pairs.
_WORDS = 200_000


class WeightedLinks(NamedTuple):
    """The alignments of some pairs: usually one each, with a weight of one.

    Attributes:
        pair: The pair that each alignment belongs to, in order.
        weight: What each alignment counts.
        links: Their links.
    """

    pair: Long
    weight: Double
    links: LinkArrays


class AlignedChunk(NamedTuple):
    """Some sentence pairs with their alignments.

    Attributes:
        texts: The words of both sides, by their numbers.
        alignments: The alignments of these pairs.
    """

    texts: Texts
    alignments: WeightedLinks

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return self.texts.source_start.size - 1


class AlignmentSource(Protocol):
    """Where alignments come from, some at a time.

    Attributes:
        name: What messages call it.
    """

    name: str

    def take(self, pairs: int) -> tuple[int, WeightedLinks]:
        """The alignments of the next pairs, and of how many pairs there were some."""

    def where(self, number: int) -> str:
        """Where the alignment of a pair is, counted from 1, for messages."""

    @property
    def base(self) -> int:
        """The number of the first word, for messages."""


class GivenAlignments:
    """Alignments that a program gives, or a file of a kind that takes patience: one a pair."""

    def __init__(
        self, alignments: Iterable[Alignment], name: str = "the alignments", base: int = 0, unit: str = "pair"
    ) -> None:
        """Take alignments; messages speak of the pair or line, ``unit``, with a number."""
        self.name = name
        self.base = base
        self._unit = unit
        self._alignments = iter(alignments)

    def take(self, pairs: int) -> tuple[int, WeightedLinks]:
        """The next alignments."""
        taken = list(islice(self._alignments, pairs))
        return len(taken), one_each(link_arrays(taken))

    def where(self, number: int) -> str:
        """The number of the alignment."""
        return f"{self.name}, {self._unit} {number}"


class ListedAlignments:
    """Several alignments for each pair, each with a weight, as n-best lists have them."""

    base = 0

    def __init__(self, lists: Iterable[Sequence[Weighted]], name: str = "the alignments") -> None:
        self.name = name
        self._lists = iter(lists)

    def take(self, pairs: int) -> tuple[int, WeightedLinks]:
        """All alignments of the next pairs."""
        taken = list(islice(self._lists, pairs))
        owners = np.repeat(np.arange(len(taken)), [len(each) for each in taken])
        weights = np.array([weight for each in taken for weight, _ in each], np.float64)
        links = link_arrays([alignment for each in taken for _, alignment in each])
        return len(taken), WeightedLinks(owners, weights, links)

    def where(self, number: int) -> str:
        """The line of the file."""
        return f"{self.name}, line {number}"


class FileAlignments:
    """Alignments of a file that has a line for each pair, read quickly where its lines allow it."""

    def __init__(self, file: AlignmentFile) -> None:
        self.name = file.name
        self.base = file.base
        self._file = file
        self._lines = file.lines()
        self._done = self._told = 0
        self._waiting: deque[str] = deque()
        self._reader = file.format.read(self._popped(), ReadContext(self.name, self.base))

    def take(self, pairs: int) -> tuple[int, WeightedLinks]:
        """The alignments of the next lines."""
        lines = list(islice(self._lines, pairs))
        links = self._quickly(lines)
        if links is None:
            links = self._patiently(lines)
        self._done += len(lines)
        return len(lines), one_each(links)

    def where(self, number: int) -> str:
        """The line of the file."""
        return f"{self.name}, line {number}"

    def _quickly(self, lines: list[str]) -> LinkArrays | None:
        scored = _QUICK[self._file.format.name]
        text = np.frombuffer("".join(f"{line}\n" for line in lines).encode(), np.uint8)
        links = no_links(len(lines), text.size // 4 + 1, scored)
        count = parse_links(text, self.base, scored, links)
        if count < 0:
            return None
        start, count = links.start, links.start[-1]
        return LinkArrays(start, links.source[:count], links.target[:count], links.score[:count])

    def _patiently(self, lines: list[str]) -> LinkArrays:
        """The same by the reader of the format, which also knows what to say of a line that is wrong.

        One reader serves the whole file, so that it counts lines as they are; those read quickly are blank to it.
        """
        passed = self._done - self._told
        self._waiting.extend(repeat("", passed))
        self._waiting.extend(lines)
        self._told = self._done + len(lines)
        read = islice(self._reader, passed + len(lines))
        return link_arrays(list(islice(read, passed, None)))

    def _popped(self) -> Iterator[str]:
        while self._waiting:
            yield self._waiting.popleft()


def alignments_of(file: AlignmentFile, pairs: int | None = None) -> AlignmentSource:
    """The alignments of a file in any format; ``pairs`` is how many there are, for formats that leave out some."""
    if file.format.name in _QUICK:
        return FileAlignments(file)
    unit = "line" if file.one_line_a_pair else "pair"
    return GivenAlignments(file.read(pairs), file.name, file.base, unit)


def link_arrays(alignments: Sequence[Alignment]) -> LinkArrays:
    """The sure links of alignments; scores only if all links have one."""
    kept = [sure_links(alignment) for alignment in alignments]
    start = np.cumsum([0, *map(len, kept)])
    pairs = np.array([link for links in kept for link in links], np.int32).reshape(-1, 2)
    scores: list[float] = []
    if all(alignment.scores is not None or not alignment.links for alignment in alignments):
        for alignment in alignments:
            scored = zip(alignment.links, alignment.scores or (), strict=True)
            scores += [score for link, score in scored if link not in alignment.possible]
    source, target = (np.ascontiguousarray(pairs[:, side]) for side in (0, 1))
    return LinkArrays(start, source, target, np.array(scores, np.float64))


def one_each(links: LinkArrays) -> WeightedLinks:
    """Alignments of one pair each, in order, that count once."""
    count = links.start.size - 1
    return WeightedLinks(np.arange(count), np.ones(count), links)


def read_aligned(
    pairs: Iterable[Pair],
    alignments: AlignmentSource,
    vocabularies: tuple[VocabularyBuilder, VocabularyBuilder],
    words: int = _WORDS,
) -> Iterator[AlignedChunk]:
    """Read sentence pairs and their alignments, about ``words`` words at a time, and number the words.

    Args:
        pairs: The pairs; sentences are strings of words separated by spaces, or lists of words.
        alignments: Their alignments, in the same order.
        vocabularies: Where new words of both sides get their numbers, in the order in which they come.
        words: How many words of both sides are read at a time.

    Raises:
        InputError: There are not as many alignments as pairs, or a link joins a word that is not there.
    """
    remaining, done = iter(pairs), 0
    while True:
        texts = _encode(remaining, vocabularies, words)
        count = texts.source_start.size - 1
        found, links = alignments.take(count or 1)
        if found != count:
            raise _unequal(alignments, done + count, done + found, remaining, count)
        if count == 0:
            return
        _check_links(links, texts, alignments, done)
        yield AlignedChunk(texts, links)
        done += count


def _encode(pairs: Iterator[Pair], vocabularies: tuple[VocabularyBuilder, VocabularyBuilder], words: int) -> Texts:
    """The next pairs as numbers of words."""
    left, right = (vocabulary.__getitem__ for vocabulary in vocabularies)
    sides = array("i"), array("q", [0]), array("i"), array("q", [0])
    for source, target in pairs:
        sides[0].extend(map(left, words_of(source)))
        sides[1].append(len(sides[0]))
        sides[2].extend(map(right, words_of(target)))
        sides[3].append(len(sides[2]))
        if len(sides[0]) + len(sides[2]) >= words:
            break
    return texts_of(*sides)


def _unequal(source: AlignmentSource, pairs: int, found: int, rest: Iterator[Pair], asked: int) -> InputError:
    """What to say where pairs and alignments do not end together; both are read to their ends."""
    pairs += sum(1 for _ in rest)
    while asked == 0 and (more := source.take(1000)[0]):
        found += more
    return InputError(f"{source.name} has {found:,} alignments, but there are {pairs:,} pairs; give those of this text")


def _check_links(alignments: WeightedLinks, texts: Texts, source: AlignmentSource, done: int) -> None:
    link = first_outside(alignments.links, alignments.pair, texts.source_start, texts.target_start)
    if link < 0:
        return
    owner = int(np.searchsorted(alignments.links.start, link, side="right")) - 1
    pair = int(alignments.pair[owner])
    wrong = Alignment.of([(int(alignments.links.source[link]), int(alignments.links.target[link]))])
    lengths = tuple(int(start[pair + 1] - start[pair]) for start in (texts.source_start, texts.target_start))
    check_bounds(wrong, (lengths[0], lengths[1]), source.where(done + pair + 1), source.base)
