"""Where each tag of a source text stands in the target text.

The rules are those of :class:`~pralign.transfer.tags.TagTransfer`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from pralign.text.graphemes import borders
from pralign.text.tokens import Tokens
from pralign.transfer.link_mass import Covered, LinkMass, Run
from pralign.transfer.tagged_text import NO_PARENT, TaggedText


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tag stands in the target text, and what may stand inside it.

    Attributes:
        start: Where it begins, in characters.
        end: Where it ends.
        confidence: How sure that is.
        sources: The first of the source words inside it, and the one after the last.
        targets: Likewise, of the target words.
    """

    start: int
    end: int
    confidence: float = 0.0
    sources: tuple[int, int] = (0, 0)
    targets: tuple[int, int] = (0, 0)


class TagPlaces:
    """Finds the places of tags, from the outermost to the innermost, and those that float at last."""

    def __init__(self, source: TaggedText, target: Tokens, mass: LinkMass) -> None:
        """Take a source text, the words of the target text, and the links between them."""
        self._source, self._target, self._mass = source, target, mass
        everything = Place(0, len(target.text), 0.0, (0, len(mass.starts)), (0, len(target)))
        self._places: dict[int, Place] = {NO_PARENT: everything}
        self._linked: dict[int, list[int]] = {}
        self._children: dict[int, list[int]] = {}
        for number, tag in enumerate(source.tags):
            if not tag.floats:
                self._children.setdefault(tag.parent, []).append(number)
        text = target.text
        self._borders = range(len(text) + 1) if text.isascii() else borders(text)

    def found(self) -> list[Place]:
        """The places of all tags, in their order."""
        tags = self._source.tags
        for parent in chain([NO_PARENT], range(len(tags))):
            if parent in self._children:
                self._place_children(parent, self._children[parent])
        for number, tag in enumerate(tags):
            if tag.floats:
                run = self._run(number, self._covered(number))
                self._places[number] = self._around(number, run) if run else self._alone(number)
        return [self._whole(self._places[number]) for number in range(len(tags))]

    def _place_children(self, parent: int, children: Sequence[int]) -> None:
        """Place all that is directly inside a tag: first what covers words, then what goes between that."""
        covered = {number: words for number in children if (words := self._covered(number))}
        runs = self._apart(covered, self._places[parent].targets)
        for number, run in runs.items():
            self._places[number] = self._around(number, run)
        beside = sorted(runs, key=lambda number: runs[number].first)
        firsts = [runs[number].first for number in beside]
        for number in children:
            if number not in runs:
                at, word, confidence = self._point(number)
                if before := bisect_right(firsts, word):
                    at = self._pushed_out(at, word, number, beside[before - 1])
                self._places[number] = Place(at, at, 0.0 if number in covered else confidence)

    def _covered(self, number: int) -> list[Covered]:
        """The source words inside a tag."""
        tag = self._source.tags[number]
        return self._mass.covered(tag.start, tag.end) if tag.end > tag.start else []

    def _apart(self, covered: dict[int, list[Covered]], targets: tuple[int, int]) -> dict[int, Run]:
        """The runs of tags beside each other: what has the highest gain goes first, and others take what is left."""
        wanted = {number: run for number, words in covered.items() if (run := self._run(number, words))}
        if len(wanted) < 2:
            return wanted
        taken, runs = bytearray(targets[1]), {}
        for number in sorted(wanted, key=lambda number: (-wanted[number].gain, number)):
            free: Run | None = wanted[number]
            if any(taken[wanted[number].first : wanted[number].last]):
                free = self._mass.best_run(covered[number], *targets, taken)
            if free is not None:
                taken[free.first : free.last] = b"\1" * (free.last - free.first)
                runs[number] = free
        return runs

    def _run(self, number: int, covered: Sequence[Covered]) -> Run | None:
        """The run of a tag that may overlap with others."""
        parent = self._source.tags[number].parent
        first, last = self._places[parent].targets
        if not covered or first == last:
            return None
        if self._is_all_of(number, parent):
            return Run(first, last, float("inf"), 1.0)
        return self._mass.best_run(covered, first, last)

    def _is_all_of(self, number: int, parent: int) -> bool:
        """Whether a tag has all inside that another has, but for space."""
        text, tag = self._source.text, self._source.tags[number]
        start, end = 0, len(text)
        if parent != NO_PARENT:
            start, end = self._source.tags[parent].start, self._source.tags[parent].end
        return not text[start : tag.start].strip() and not text[tag.end : end].strip()

    def _around(self, number: int, run: Run) -> Place:
        """The place of a tag around some words."""
        tag, spans = self._source.tags[number], self._target.spans
        words = self._mass.words_in(tag.start, tag.end)
        return Place(spans[run.first][0], spans[run.last - 1][1], run.confidence, words, (run.first, run.last))

    def _alone(self, number: int) -> Place:
        """The place of marks around nothing."""
        at, _, confidence = self._point(number)
        return Place(at, at, 0.0 if self._covered(number) else confidence)

    def _pushed_out(self, at: int, word: int, number: int, other: int) -> int:
        """The place at a word, or that edge of another tag that has the word where the source had it."""
        place = self._places[other]
        if word < place.targets[1]:
            return place.start if number < other else place.end
        return at

    def _point(self, number: int) -> tuple[int, int, float]:
        """Where a tag stands that covers no words, at which target word that is, and how sure that is."""
        tag = self._source.tags[number]
        around = self._places[tag.parent]
        if around.targets[0] == around.targets[1]:
            return around.start, -1, around.confidence
        after = self._word_after(tag.start)
        first, last = around.sources
        follows = first < after <= last and self._mass.ends[after - 1] >= tag.start
        leads = first <= after < last and self._mass.starts[after] <= tag.start
        backwards = follows and not leads
        word = _nearest(self._linked_in(tag.parent), after, backwards)
        run = None if word is None else self._mass.counterpart(word, *around.targets)
        if word is None or run is None:
            return *self._by_share(after, around, backwards), 0.0
        if word >= after:
            return self._target.spans[run.first][0], run.first, run.confidence / (1 + word - after)
        return self._target.spans[run.last - 1][1], run.last - 1, run.confidence / (after - word)

    def _linked_in(self, number: int) -> list[int]:
        """The source words inside a tag that have a counterpart inside it."""
        if number not in self._linked:
            place = self._places[number]
            first, last = place.targets
            linked = self._mass.linked
            self._linked[number] = [
                word for word in range(*place.sources) if any(first <= j < last for j, _ in linked[word])
            ]
        return self._linked[number]

    def _word_after(self, at: int) -> int:
        """The first word after a place; if that is inside a word, the nearer end of the word counts."""
        inside = bisect_right(self._mass.ends, at)
        if inside < len(self._mass.starts) and self._mass.starts[inside] < at:
            return inside + (at - self._mass.starts[inside] > self._mass.ends[inside] - at)
        return bisect_left(self._mass.starts, at)

    def _by_share(self, after: int, around: Place, follows: bool) -> tuple[int, int]:
        """A place with the same share of words before it, where there are no links to go by, and the word there."""
        (first, last), (begin, end) = around.sources, around.targets
        words = last - first
        before = min(max(after - first, 0), words)
        word = begin + ((2 * before * (end - begin) + words) // (2 * words) if words else 0)
        if word == end or (follows and word > begin):
            return self._target.spans[word - 1][1], word - 1
        return self._target.spans[word][0], word

    def _whole(self, place: Place) -> Place:
        """The place, with no character cut."""
        start, end = (self._borders[bisect_left(self._borders, at)] for at in (place.start, place.end))
        return place if (start, end) == (place.start, place.end) else Place(start, end, place.confidence)


def _nearest(words: Sequence[int], after: int, backwards: bool) -> int | None:
    """The nearest of some words to the place before ``after``; of two that are as near, the one that is preferred."""
    k = bisect_left(words, after)
    if k == len(words):
        return words[-1] if words else None
    if k == 0:
        return words[0]
    ahead, back = words[k] - after, after - 1 - words[k - 1]
    return words[k - 1] if back < ahead or (back == ahead and backwards) else words[k]
