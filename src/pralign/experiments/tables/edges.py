"""What links are worth to somebody who carries trees and names to a translation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, NamedTuple

from pralign.experiments.answers import UNION
from pralign.experiments.tables.base import Percent, Results, ResultTable, Row, Slice, curve_series, register_table
from pralign.experiments.tables.choosing import has_scores
from pralign.links.alignment import Alignment
from pralign.links.units import placed
from pralign.report.charts import Chart
from pralign.report.tables import Column
from pralign.schema.values import Bounds
from pralign.text.conllu import UPOS, ConlluSentence
from pralign.transfer import AnnotatedSpan, SpanTransfer, TreeTransfer

_THRESHOLDS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)
_NAME = "PROPN"
_SURE_ENOUGH = 0.5
Trees = tuple[Sequence[ConlluSentence], Sequence[ConlluSentence]]


class EdgePoint(NamedTuple):
    """What is carried by links of some threshold: edges a sentence, and the share of them that is right."""

    carried: float
    right: float


@register_table("edges")
@dataclass(frozen=True, kw_only=True)
class EdgeTable(ResultTable):
    """Edges of trees and names that are carried to the translation, and how many of them are right.

    Attributes:
        edges: Where curves are read off: so many edges a sentence.
        compatible_tags: Whether only words with compatible tags are counterparts.
        names: Whether names, runs of proper nouns, are carried too, by links that are more probable than not.
    """

    by_part = False

    edges: Annotated[float, Bounds(0)] = 8.0
    compatible_tags: bool = False
    names: bool = True

    @property
    def columns(self) -> tuple[Column, ...]:
        """Shares of edges and scores of names."""
        found = [
            Percent("right", f"right, of {self.edges:g} edges a sentence"),
            Column("most", "most edges a sentence", "mean"),
            Percent("right_of_most", "right of these"),
        ]
        scores = ("names_f", "names: F"), ("names_precision", "precision"), ("names_recall", "recall")
        return (*found, *(Percent(key, title) for key, title in scores if self.names))

    def rows(self, found: Slice) -> Iterator[Row]:
        """One row a system."""
        part = found.text.parts.get("trees")
        for system in found.systems if part and part.trees else ():
            assert part is not None and part.trees is not None
            points = self._points(found, system.name)
            most = max(points)
            row: Row = {"system": system.name, "right": share_at(points, self.edges), "most": most.carried}
            row |= {"right_of_most": most.right}
            if self.names:
                row |= name_scores(part.trees, self._links(found, system.name))
            yield row

    def charts(self, results: Results, key: str) -> Iterator[Chart]:
        """The share of right edges by how many are carried."""
        for found in self.slices(results):
            if "trees" in found.text.parts:
                series = [
                    curve_series(each.shown, self._points(found, each.name), number)
                    for number, each in enumerate(found.systems)
                ]
                title = f"Edges carried: {found.text.title}"
                axes = "edges carried a sentence", "right"
                yield Chart(f"{key}-{found.text.name}", title, "", *axes, series, percent=True)

    @staticmethod
    def _links(found: Slice, system: str) -> list[Alignment]:
        part = found.text.parts["trees"]
        return list(found.of(system).view(UNION)[part.start : part.start + len(part.pairs)])

    def _points(self, found: Slice, system: str) -> list[EdgePoint]:
        trees = found.text.parts["trees"].trees
        assert trees is not None
        scored = has_scores(found.of(system), UNION)
        return edge_points(trees, self._links(found, system), self.compatible_tags, scored)


def edge_points(
    trees: Trees, links: Sequence[Alignment], compatible_tags: bool = False, scored: bool = True
) -> list[EdgePoint]:
    """A point for each threshold, the highest first; a single one for links without scores."""
    if not scored:
        return [_edges(TreeTransfer(compatible_tags=compatible_tags, carry=()), trees, links)]
    found = []
    for threshold in sorted(_THRESHOLDS, reverse=True):
        transfer = TreeTransfer(compatible_tags=compatible_tags, carry=(), threshold=threshold)
        kept = [alignment.at_least(threshold) if alignment.links else alignment for alignment in links]
        found.append(_edges(transfer, trees, kept))
    return [point for point in found if point.carried] or [EdgePoint(0.0, 0.0)]


def _edges(transfer: TreeTransfer, trees: Trees, links: Sequence[Alignment]) -> EdgePoint:
    carried = right = 0
    for source, truth, alignment in zip(*trees, links, strict=True):
        for head, gold in zip(transfer(source, truth, alignment).heads, truth.heads, strict=True):
            if head > 0:  # edges join two words
                carried += 1
                right += head == gold
    return EdgePoint(carried / max(len(links), 1), right / max(carried, 1))


def share_at(points: Sequence[EdgePoint], carried: float) -> float | None:
    """The share of right edges where so many are carried, between the two points around that, if there are two.

    Example:
        >>> share_at([EdgePoint(2.0, 0.9), EdgePoint(4.0, 0.7)], 3.0), share_at([EdgePoint(2.0, 0.9)], 3.0)
        (0.8, None)
    """
    for before, after in pairwise(sorted(points)):
        if before.carried <= carried <= after.carried:
            part = (carried - before.carried) / max(after.carried - before.carried, 1e-12)
            return before.right + part * (after.right - before.right)
    return None


def name_scores(trees: Trees, links: Sequence[Alignment]) -> dict[str, float]:
    """Precision, recall and F of names that are carried, exact matches."""
    transfer = SpanTransfer()
    found = right = there = 0
    for source, truth, alignment in zip(*trees, links, strict=True):
        kept = alignment.at_least(_SURE_ENOUGH) if alignment.scores and alignment.links else alignment
        given = [AnnotatedSpan(*span, "NAME") for span in names_of(source)]
        answer = transfer(placed(source.forms), given, placed(truth.forms), kept)
        carried = {(span.start, span.end) for span in answer.carried}
        gold = set(names_of(truth))
        found, there, right = found + len(carried), there + len(gold), right + len(carried & gold)
    shares = right / max(found, 1), right / max(there, 1), 2 * right / max(found + there, 1)
    return dict(zip(("names_precision", "names_recall", "names_f"), shares, strict=True))


def names_of(sentence: ConlluSentence) -> list[tuple[int, int]]:
    """Where runs of proper nouns are, in a sentence with single spaces between its words."""
    spans = placed(sentence.forms).spans
    runs: list[tuple[int, int]] = []
    for number, tag in enumerate(sentence.column(UPOS)):
        if tag != _NAME:
            continue
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return [(spans[first][0], spans[last][1]) for first, last in runs]
