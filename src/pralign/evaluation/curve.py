"""Precision against recall as a threshold on the scores of links falls, and the threshold to choose."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from pralign.errors import InputError
from pralign.evaluation.counts import LinkCounts, count_links
from pralign.evaluation.names import Names
from pralign.evaluation.scores import Scores
from pralign.links.alignment import Alignment
from pralign.text.pairing import paired

Criterion = Literal["aer", "f1"]

_GOODNESS: dict[str, Callable[[Scores], float]] = {
    "aer": lambda scores: -scores.aer,
    "f1": lambda scores: scores.f1,
}


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The counts of links when only those with a score of at least ``threshold`` are kept.

    Example:
        >>> point = CurvePoint(0.5, LinkCounts(links=4, sure=2, possible=4, links_sure=2, links_possible=3, pairs=1))
        >>> point.threshold, point.counts.links
        (0.5, 4)
    """

    threshold: float
    counts: LinkCounts

    @property
    def scores(self) -> Scores:
        """Precision, recall, AER and F at this threshold."""
        return Scores(self.counts)

    def as_dict(self) -> dict[str, float]:
        """The threshold, the scores and the number of links, ready for JSON."""
        scores = self.scores
        return {
            "threshold": self.threshold,
            "precision": scores.precision,
            "recall": scores.recall,
            "aer": scores.aer,
            "f1": scores.f1,
            "links": self.counts.links,
        }


@dataclass(frozen=True, slots=True)
class Curve:
    """How precision pays for recall: one point a threshold, from the highest threshold to the lowest.

    A lower threshold keeps more links, so recall never falls from one point to the next, while precision
    may go either way. The curve is the broken line through the points in this order. It starts at recall 0,
    level with the first point. Points that keep no link have no precision and take no part in :meth:`area`
    and :meth:`precision_at`.

    Attributes:
        points: The points in order of falling threshold.
        at_every_score: Whether there is a point at every distinct score, rather than at thresholds of one's
            choice.

    Example:
        >>> links = Alignment(((0, 0), (1, 1)), (0.9, 0.4))
        >>> curve = precision_recall_curve([links], [Alignment.of("0-0")], thresholds=[0.3, 0.5])
        >>> isinstance(curve, Curve), len(curve.points)
        (True, 2)
        >>> for point in curve.points:
        ...     print(point.threshold, point.counts.links_possible)
        0.5 1
        0.3 1
    """

    points: tuple[CurvePoint, ...]
    at_every_score: bool = True

    @property
    def max_recall(self) -> float:
        """The highest recall that any threshold reaches, 0 without links."""
        return self.points[-1].scores.recall if self.points else 0.0

    def area(self) -> float:
        """The area under the curve from recall 0 to the highest recall reached, at most that recall.

        With points (r₁, p₁), …, (rₙ, pₙ) and (r₀, p₀) = (0, p₁), the area is the sum of the trapezoids
        (rₖ - rₖ₋₁) · (pₖ + pₖ₋₁) / 2. Where several points share a recall the line runs straight up or down
        and adds nothing; the next trapezoid starts from the last of them. Nothing is added for recalls that
        are not reached.
        """
        return math.fsum((r - s) * (p + q) / 2 for (s, q), (r, p) in pairwise(self._line()))

    def precision_at(self, recall: float) -> float | None:
        """The precision on the curve at a given recall, ``None`` where no threshold reaches that recall.

        Between two neighbouring points the precision is interpolated linearly in recall, as in :meth:`area`.
        Where points share exactly this recall, the answer is the highest precision among them.

        Raises:
            ValueError: ``recall`` is not between 0 and 1.
        """
        if not 0 <= recall <= 1:
            raise ValueError(f"a recall lies between 0 and 1, not at {recall}")
        line = self._line()
        first = bisect_left(line, recall, key=lambda point: point[0])
        last = bisect_right(line, recall, key=lambda point: point[0])
        if first < last:
            return max(precision for _, precision in line[first:last])
        if first == len(line):
            return None
        (s, q), (r, p) = line[first - 1], line[first]
        return q + (p - q) * (recall - s) / (r - s)

    def best(self, by: Criterion = "aer") -> CurvePoint:
        """The point with the lowest AER or the highest F1; of equally good ones, the highest threshold.

        The highest threshold keeps the fewest links, and those of which the aligner was surest.

        Raises:
            ValueError: ``by`` is neither ``"aer"`` nor ``"f1"``.
            InputError: The curve has no points.
        """
        if by not in _GOODNESS:
            raise ValueError(f"a threshold is chosen by one of {', '.join(_GOODNESS)}, not by {by!r}")
        if not self.points:
            raise InputError("there is no threshold to choose, because no line of the hypothesis has a link")
        goodness = _GOODNESS[by]
        return max(self.points, key=lambda point: goodness(point.scores))

    def as_dict(self) -> dict[str, Any]:
        """The area, the best thresholds with their scores, and all points, ready for JSON."""
        best = {by: self.best(by).as_dict() | {"threshold": tune_threshold(self, by)} for by in _CRITERIA}
        return {
            "area": self.area(),
            "max_recall": self.max_recall,
            "best": best,
            "points": [point.as_dict() for point in self.points],
        }

    def __str__(self) -> str:
        reach = f"recall 0 to {100 * self.max_recall:.2f} %, {len(self.points)} points"
        lines = [f"area under the precision-recall curve: {self.area():.4f} ({reach})"]
        for by in _CRITERIA:
            best = self.best(by)
            # Where every link is kept, nobody knows what lies below the lowest score: links may have been cut there.
            where = "with all links" if best == self.points[-1] else f"at threshold {tune_threshold(self, by):.7g}"
            lines.append(f"best {by.upper():<4}{100 * getattr(best.scores, by):6.2f} %   {where}")
        return "\n".join(lines)

    def _line(self) -> list[tuple[float, float]]:
        kept = [point.scores for point in self.points if point.counts.links]
        line = [(scores.recall, scores.precision) for scores in kept]
        return [(0.0, line[0][1]), *line] if line else []


_CRITERIA: tuple[Criterion, ...] = ("aer", "f1")


def precision_recall_curve(
    hypotheses: Iterable[Alignment],
    golds: Iterable[Alignment],
    thresholds: Iterable[float] | None = None,
    *,
    names: Names | None = None,
) -> Curve:
    """Follow precision and recall while a threshold on the scores of links falls.

    A link is kept if its score is at least the threshold, so links with equal scores come and go together.
    All links are read once and gathered by score, and the counts at a threshold are running sums over the
    scores above it: with n links and d distinct scores the whole curve takes O(n + d log d) steps.

    Args:
        hypotheses: Alignments with a score for every link; an empty alignment needs none.
        golds: The alignments to judge by, in the same order. Those that are not labelled are passed over.
        thresholds: Where to look, in any order. By default at every distinct score, which misses nothing.
        names: What messages call the inputs.

    Raises:
        InputError: A hypothesis has no scores, a score or threshold is not a finite number, or the inputs
            have different numbers of lines.

    Example:
        >>> hypothesis = Alignment.of([(0, 0), (1, 0), (1, 1)], scores=[0.9, 0.2, 0.6])
        >>> curve = precision_recall_curve([hypothesis], [Alignment.of([(0, 0), (1, 1)])])
        >>> [(point.threshold, point.counts.links_sure) for point in curve.points]
        [(0.9, 1), (0.6, 2), (0.2, 2)]
    """
    names = names or Names()
    totals, by_score = LinkCounts(), dict[float, list[int]]()
    for number, (hypothesis, gold) in enumerate(paired(hypotheses, golds, names[:2]), start=1):
        if not gold.is_labelled:
            continue
        _gather(hypothesis, gold, by_score, f"{names.hypothesis}, line {number}")
        totals += count_links(Alignment(), gold)
    points = _cumulate(by_score, totals)
    if thresholds is None:
        return Curve(points)
    return Curve(_at_thresholds(points, thresholds, totals), at_every_score=False)


def tune_threshold(curve: Curve, by: Criterion = "aer") -> float:
    """The threshold to use: that of :meth:`Curve.best`, moved half-way towards the next lower score.

    Every threshold above the next lower score and up to the best one keeps the same links. Half-way between
    the two, the choice survives the last digits of a score that another machine or a rounded file may
    change. Below the lowest score there is no next one: 0 stands in for it if the lowest score is positive,
    as for probabilities, and the lowest score less 1 otherwise, as for logarithms.

    A curve at thresholds of one's choice says nothing about the scores between them; there the best
    threshold is returned as it is.

    Raises:
        InputError: The curve has no points.
    """
    best = curve.best(by).threshold
    if not curve.at_every_score:
        return best
    lower = next((point.threshold for point in curve.points if point.threshold < best), None)
    if lower is None:
        lower = 0.0 if best > 0 else best - 1
    middle = lower + (best - lower) / 2
    return middle if middle > lower else best  # two neighbouring floating-point numbers have no middle


def _gather(hypothesis: Alignment, gold: Alignment, by_score: dict[float, list[int]], where: str) -> None:
    if hypothesis.links and hypothesis.scores is None:
        raise InputError(f"{where}: links without scores; a curve needs a score for every link, such as 0-0:0.93")
    sure, possible = gold.sure, frozenset(gold.links)
    for link, score in zip(hypothesis.links, hypothesis.scores or (), strict=True):
        if not math.isfinite(score):
            raise InputError(f"{where}: the score of link {link[0]}-{link[1]} is {score}, not a finite number")
        tally = by_score.setdefault(score, [0, 0, 0])
        tally[0] += 1
        tally[1] += link in sure
        tally[2] += link in possible


def _cumulate(by_score: dict[float, list[int]], totals: LinkCounts) -> tuple[CurvePoint, ...]:
    points: list[CurvePoint] = []
    counts = totals
    for score in sorted(by_score, reverse=True):
        links, links_sure, links_possible = by_score[score]
        counts += LinkCounts(links=links, links_sure=links_sure, links_possible=links_possible)
        points.append(CurvePoint(score, counts))
    return tuple(points)


def _at_thresholds(
    points: tuple[CurvePoint, ...], thresholds: Iterable[float], totals: LinkCounts
) -> tuple[CurvePoint, ...]:
    chosen: list[CurvePoint] = []
    for threshold in sorted(set(thresholds), reverse=True):
        if not math.isfinite(threshold):
            raise InputError(f"a threshold must be a finite number, not {threshold}")
        above = bisect_right(points, -threshold, key=lambda point: -point.threshold)
        chosen.append(CurvePoint(threshold, points[above - 1].counts if above else totals))
    return tuple(chosen)
