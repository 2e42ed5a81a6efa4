"""Learned weights as a table that people read."""

from __future__ import annotations

import numpy as np

from pralign.characters import escaped
from pralign.evaluation.scores import Scores
from pralign.matching.aligner import MatchingAligner
from pralign.matching.boosting import Boosted
from pralign.matching.extraction import Extractor

_HEADER = ("group", "feature", "weight", "per unit")


def describe_weights(aligner: MatchingAligner, most_kinds: int = 20) -> str:
    """The weights by group, the weightiest first: per standard deviation, and per unit of the feature as it is.

    Of groups with a weight for each of many kinds, such as pairs of words, only ``most_kinds`` are shown.
    """
    extractor, learned = aligner.trained()
    if isinstance(learned, Boosted):
        return _describe_boosted(aligner, extractor, learned)
    plain, offset = learned.plain
    rows = []
    shown: dict[str, int] = {}
    order = sorted(range(len(extractor.columns)), key=lambda place: -abs(learned.weights[place]))
    groups = [group.name for group in (*extractor.numbers, *extractor.kinds)]
    for place in sorted(order, key=lambda place: groups.index(extractor.columns[place][0])):
        group, name = extractor.columns[place]
        shown[group] = shown.get(group, 0) + 1
        if place < extractor.number_count or (shown[group] <= most_kinds and learned.weights[place]):
            rows.append((group, name, f"{learned.weights[place]:+.4f}", f"{plain[place]:+.4f}"))
    if learned.capacity > 1:
        rows.append(("", "each further link of a source word", f"{-learned.terms.source_cost:+.4f}", ""))
        rows.append(("", "each further link of a target word", f"{-learned.terms.target_cost:+.4f}", ""))
    rows.append(("", "offset of all links", "", f"{offset:+.4f}"))
    widths = [max(len(row[part]) for row in (_HEADER, *rows)) for part in range(4)]
    lines = [_line(row, widths) for row in (_HEADER, *rows)]
    for kinds in extractor.kinds:
        hidden = shown.get(kinds.name, 0) - sum(row[0] == kinds.name for row in rows)
        lines += [f"({hidden} more of {kinds.name})"] if hidden else []
    lines += [
        "",
        "weight: per standard deviation of a feature; per unit: of the feature as it is; links add the offset",
    ]
    judged = Scores(learned.counts)
    lines += [f"learned from {learned.pairs} pairs; AER of the pairs it was stopped by: {100 * judged.aer:.2f} %"]
    if learned.gap is not None:
        first, last = learned.gap
        share = 100 * last / first if first else 0.0
        lines.append(f"duality gap: {last:.4g}, {share:.2f} % of {first:.4g} at the start")
    return "\n".join(map(escaped, [*lines, str(aligner.signature)]))


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    group, name, weight, unit = row
    return f"{group:<{widths[0]}}  {name:<{widths[1]}}  {weight:>{widths[2]}}  {unit:>{widths[3]}}".rstrip()


def _describe_boosted(aligner: MatchingAligner, extractor: Extractor, learned: Boosted) -> str:
    """What the regression weighs each number, and how much the trees have gained by asking for it."""
    weights, gains = learned.classifier.weights, learned.classifier.gains
    header = ("group", "feature", "weight", "gain")
    rows = [
        (*extractor.columns[place], f"{weights[place]:+.4f}", f"{100 * gains[place] / max(gains.sum(), 1e-30):.1f} %")
        for place in np.argsort(-gains, kind="stable").tolist()
    ]
    widths = [max(len(row[part]) for row in (header, *rows)) for part in range(4)]
    judged = f"AER of pairs that had no part in it: {100 * Scores(learned.counts).aer:.2f} %"
    if learned.alone is not None:
        judged += f", by the model alone {100 * Scores(learned.alone).aer:.2f} %"
    lines = [
        *(_line(row, widths) for row in (header, *rows)),
        "",
        "weight: per standard deviation, in the regression; gain: the share of what trees have gained by it",
        f"learned from {learned.pairs} pairs; {judged}",
    ]
    return "\n".join(map(escaped, [*lines, str(aligner.signature)]))
