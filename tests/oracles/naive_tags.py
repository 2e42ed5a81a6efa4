"""What tagged text has to be like, said as plainly as possible; and the best run of words, by trying all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pralign.links.alignment import Alignment
from pralign.text.tokens import Tokens
from pralign.transfer.tagged_text import NO_PARENT, TaggedText, TagKind


def faults(source: TaggedText, words: tuple[Tokens, Tokens], target: TaggedText) -> list[str]:
    """All that is wrong with the tags of a source text in the target text."""
    return [*_of_copies(source, words[1].text, target), *_of_edges(target), *_of_places(source, words, target)]


def _of_copies(source: TaggedText, text: str, target: TaggedText) -> Iterator[str]:
    if target.text != text:
        yield "the text has changed"
    kept = [[(tag.kind, tag.parent, tag.floats, tag.payload) for tag in side.tags] for side in (source, target)]
    if kept[0] != kept[1]:
        yield "tags were lost, doubled or changed"
    if any(not 0 <= tag.confidence <= 1 for tag in target.tags):
        yield "a confidence that is none"


def _of_edges(target: TaggedText) -> Iterator[str]:
    """The text is written out edge by edge."""
    last = 0
    begun: list[int] = []
    ended: list[int] = []
    around: list[int] = []  # what nests and is open
    for at, number, closes in target.places():
        tag = target.tags[number]
        if not last <= at <= len(target.text):
            yield f"tag {number} stands before what comes before it"
        last = at
        if closes and not tag.floats:
            if around[-1:] != [number]:
                yield f"tag {number} ends inside another"
            around = [other for other in around if other != number]
        innermost = around[-1] if around else NO_PARENT
        if tag.floats and tag.parent not in (NO_PARENT, *around):
            yield f"tag {number} has left what is around both its marks"
        if not tag.floats and innermost != tag.parent:
            yield f"tag {number} is inside {innermost}, not {tag.parent}"
        if not closes:
            begun.append(number)
            if tag.nests:
                around.append(number)
        elif number in begun:
            ended.append(number)
        else:
            yield f"tag {number} ends before it begins"
    if sorted(begun) != list(range(len(target.tags))):
        yield "not every tag begins once"
    if sorted(ended) != [number for number, tag in enumerate(target.tags) if tag.kind is not TagKind.POINT]:
        yield "not every pair ends once"


def _of_places(source: TaggedText, words: tuple[Tokens, Tokens], target: TaggedText) -> Iterator[str]:
    spans = words[1].spans
    for number, (tag, before) in enumerate(zip(target.tags, source.tags, strict=True)):
        for at in (tag.start, tag.end):
            if any(start < at < end for start, end in spans):
                yield f"tag {number} cuts a word"
            if spans and not any(at in span for span in spans):
                yield f"tag {number} stands at no word"
        inside = source.text[before.start : before.end].strip()
        if not inside and tag.start != tag.end:
            yield f"tag {number} was empty"
        if inside and inside == source.text.strip() and spans and (tag.start, tag.end) != (spans[0][0], spans[-1][1]):
            yield f"tag {number} is not around all of the text"


def best_runs(
    covered: Sequence[tuple[int, float]], alignment: Alignment, allowed: Sequence[bool]
) -> tuple[float, list[tuple[int, int]]]:
    """The highest gain above zero that any run of target words has, and all runs that have it."""
    shares = dict(covered)
    gains = [0.0] * len(allowed)
    for (i, j), score in zip(alignment.links, alignment.scores or [1.0] * len(alignment.links), strict=True):
        gains[j] += score * (2 * shares.get(i, 0.0) - 1)
    runs = {
        (first, last): sum(gains[first:last])
        for first in range(len(allowed))
        for last in range(first + 1, len(allowed) + 1)
        if all(allowed[first:last])
    }
    best = max([0.0, *runs.values()])
    return best, [run for run, gain in runs.items() if abs(gain - best) < 1e-9 and best > 1e-9]
