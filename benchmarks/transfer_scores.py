"""How right annotation is that was carried: edges of trees by threshold, and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pralign.links.alignment import Alignment
from pralign.links.units import placed
from pralign.text.conllu import UPOS, ConlluSentence
from pralign.transfer import AnnotatedSpan, SpanTransfer, TreeTransfer

THRESHOLDS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995)
NAME = "PROPN"


@dataclass(frozen=True)
class Point:
    """What is carried with links of some threshold: edges a sentence, and the share of them that is right."""

    threshold: float | None
    carried: float
    right: float


def curve_of(
    source: Sequence[ConlluSentence],
    target: Sequence[ConlluSentence],
    links: Sequence[Alignment],
    compatible_tags: bool,
) -> list[Point]:
    """A point a threshold, the highest first; one only for links without scores."""
    if all(alignment.scores is None for alignment in links if alignment.links):
        return [_point(TreeTransfer(compatible_tags=compatible_tags, carry=()), source, target, links, None)]
    found = []
    for threshold in sorted(THRESHOLDS, reverse=True):
        transfer = TreeTransfer(compatible_tags=compatible_tags, carry=(), threshold=threshold)
        kept = [alignment.at_least(threshold) if alignment.links else alignment for alignment in links]
        found.append(_point(transfer, source, target, kept, threshold))
    return [point for point in found if point.carried]


def _point(
    transfer: TreeTransfer,
    source: Sequence[ConlluSentence],
    target: Sequence[ConlluSentence],
    links: Sequence[Alignment],
    threshold: float | None,
) -> Point:
    carried = right = 0
    for left, truth, alignment in zip(source, target, links, strict=True):
        for head, gold in zip(transfer(left, truth, alignment).heads, truth.heads, strict=True):
            if head > 0:  # edges join two words
                carried += 1
                right += head == gold
    return Point(threshold, carried / len(source), right / max(carried, 1))


def share_at(points: Sequence[Point], carried: float) -> float | None:
    """The share of right edges where so many are carried, between the two points around that, if there are two."""
    ordered = sorted(points, key=lambda point: point.carried)
    for before, after in pairwise(ordered):
        if before.carried <= carried <= after.carried:
            part = (carried - before.carried) / max(after.carried - before.carried, 1e-12)
            return before.right + part * (after.right - before.right)
    return None


def best_names(
    source: Sequence[ConlluSentence], target: Sequence[ConlluSentence], links: Sequence[Alignment]
) -> dict[str, float]:
    """Precision, recall and F of names, exact matches; of links that have scores, those from one half on."""
    transfer = SpanTransfer()
    found = right = there = 0
    for left, truth, alignment in zip(source, target, links, strict=True):
        kept = alignment.at_least(0.5) if alignment.scores and alignment.links else alignment
        words, others = placed(left.forms), placed(truth.forms)
        given = [AnnotatedSpan(*span, "NAME") for span in names_of(left)]
        carried = {(span.start, span.end) for span in transfer(words, given, others, kept).carried}
        gold = set(names_of(truth))
        found, there, right = found + len(carried), there + len(gold), right + len(carried & gold)
    precision, recall = right / max(found, 1), right / max(there, 1)
    return {"precision": precision, "recall": recall, "f": 2 * right / max(found + there, 1)}


def names_of(sentence: ConlluSentence) -> list[tuple[int, int]]:
    """Where runs of proper nouns are in a sentence with single spaces between its words."""
    spans = placed(sentence.forms).spans
    runs: list[tuple[int, int]] = []
    before = -2
    for number, tag in enumerate(sentence.column(UPOS)):
        if tag == NAME:
            runs = [*runs[:-1], (runs[-1][0], number)] if before == number - 1 and runs else [*runs, (number, number)]
            before = number
    return [(spans[first][0], spans[last][1]) for first, last in runs]
