"""What alignments are worth: shares of links, curves, rare words; differences by more than chance, sentence lengths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from constraint_runs import DECODINGS, GRID, UNION, VIEWS, Answers, Run, Text, View
from pralign import Alignment
from pralign.evaluation import (
    Curve,
    LinkCounts,
    Overlap,
    Scores,
    compare_all,
    count_links,
    evaluate,
    evaluate_by_frequency,
    evaluate_by_length,
    overlap,
    precision_recall_curve,
    tune_threshold,
)
from pralign.links.alignment import Link

DEFAULT = 0.5
SIDES = ("source", "target")
RARE = 5
# Where curves are printed.
RECALLS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
# Points of a curve that lie closer than this, in recall, are not written down.
_STEP = 0.005


@dataclass(frozen=True)
class Reference:
    """The alignments whose recall others are brought to, one for each view, over the labelled text."""

    name: str
    links: View


def shares(alignments: Iterable[Collection[Link]]) -> dict[str, float]:
    """The share of links whose source and target word have no other, and of linked words of a side with one only."""
    single, total = Counter[str](), Counter[str]()
    for links in alignments:
        numbers = [Counter(link[side] for link in links) for side in range(2)]
        kinds = {"one_to_one": [numbers[0][i] == 1 == numbers[1][j] for i, j in links]}
        kinds |= {side: [number == 1 for number in words.values()] for side, words in zip(SIDES, numbers, strict=True)}
        for kind, marks in kinds.items():
            single[kind] += sum(marks)
            total[kind] += len(marks)
    return {kind: single[kind] / number if number else 0.0 for kind, number in total.items()}


@dataclass(frozen=True)
class Judge:
    """Compares answers with the labels of a text and with a reference."""

    text: Text
    reference: Reference

    def golds(self) -> dict[str, dict[str, dict[str, float]]]:
        """The shares of the labels: of all links, and of the sure ones as if there were no others."""
        parts = {part: golds for part, (_, golds) in self.text.parts.items()}
        return {
            part: {"all": shares(gold.links for gold in golds), "sure": shares(gold.sure for gold in golds)}
            for part, golds in parts.items()
        }

    def of_reference(self) -> dict[str, dict[str, Any]]:
        """What the reference itself is worth."""
        found: dict[str, dict[str, Any]] = {part: {} for part in self.text.parts}
        for part, (_, golds) in self.text.parts.items():
            for view, alignments in self.reference.links.items():
                links = self.text.cut(alignments, part)
                found[part][view] = _scores(evaluate(links, golds)) | {"words": self._by_frequency(links, part)}
        return found

    def __call__(self, answers: Answers) -> dict[str, dict[str, Any]]:
        """The shares by decoding, of each labelled set and of all of the text, and the quality on each labelled set."""
        decodings = {
            "viterbi": answers.paths,
            f"posterior {DEFAULT}": {view: _above(answers.posteriors[view], DEFAULT) for view in VIEWS},
            "posterior tuned": {view: _above(answers.posteriors[view], answers.tuned[view]) for view in VIEWS},
        }
        return {
            "shares": {
                decoding: {part: self._shares(found, part) for part in (*self.text.parts, "all text")}
                for decoding, found in decodings.items()
            },
            "quality": {part: {view: self._quality(answers, part, view) for view in VIEWS} for part in self.text.parts},
        }

    def _shares(self, found: View, part: str) -> dict[str, float]:
        forward, reverse = (self.text.cut(found[view], part) for view in VIEWS[:2])
        ahead, back = shares(found.links for found in forward), shares(found.links for found in reverse)
        return {
            "one_to_one_forward": ahead["one_to_one"],
            "one_to_one_reverse": back["one_to_one"],
            "single_words_forward": ahead["source"],
            "single_words_reverse": back["target"],
            "symmetry": sum(map(overlap, forward, reverse), Overlap()).share,
        }

    def _quality(self, answers: Answers, part: str, view: str) -> dict[str, Any]:
        """The scores of each way to decode, the curve, and what there is at the recall of the reference."""
        golds, found = self.text.parts[part][1], self.text.cut(answers.posteriors[view], part)
        curve, tuned = precision_recall_curve(found, golds), answers.tuned[view]
        recall = evaluate(self.text.cut(self.reference.links[view], part), golds).recall
        near = min(curve.points, key=lambda point: abs(point.scores.recall - recall))
        return {
            "tuned": {"threshold": tuned} | _scores(evaluate(_above(found, tuned), golds)),
            "default": {"threshold": DEFAULT} | _scores(evaluate(_above(found, DEFAULT), golds)),
            "viterbi": _scores(evaluate(self.text.cut(answers.paths[view], part), golds)),
            "area": curve.area(),
            "max_recall": curve.max_recall,
            "precision_at": [curve.precision_at(level) for level in RECALLS],
            "reference_recall": recall,
            "precision_at_reference_recall": curve.precision_at(recall),
            "nearest": {"threshold": near.threshold} | _scores(near.scores),
            "words": self._by_frequency(_above(found, near.threshold), part),
            "curve": _sketch(curve),
        }

    def _by_frequency(self, links: Sequence[Alignment], part: str) -> dict[str, dict[str, dict[str, float]]]:
        """The scores of the links at rare and at common words of each side."""
        words, golds, found = self.text.cut(self.text.shown, part), self.text.parts[part][1], {}
        for side, frequencies in zip(SIDES, self.text.frequencies, strict=True):
            classes = evaluate_by_frequency(words, links, golds, frequencies, side, (RARE - 1,))
            found[side] = {kind: _scores(of) for kind, (_, of) in zip(("rare", "common"), classes, strict=True)}
        return found


@dataclass(frozen=True)
class Contest:
    """Compares constraints of a model with one of them, their rival.

    Precision, recall and F are those of the sure links alone, as in the article; the error rate knows all links.

    Attributes:
        text: The text and its labels.
        samples: How many samples a comparison draws.
        seed: What it draws them with.
        side: The side whose sentence length matters, ``"source"`` or ``"target"``.
    """

    text: Text
    samples: int
    seed: int
    side: str

    def __call__(self, runs: Sequence[Run], baseline: str, rival: str, once: Run) -> dict[str, Any]:
        """The scores at the threshold that suits a baseline, and at each one's own; and those after one iteration."""
        decodings = {}
        for way in DECODINGS:
            answers = {run.setting.name: run.answers[way] for run in runs}
            dev = self.text.cut(answers[baseline].posteriors[UNION], "dev")
            shared = tune_threshold(precision_recall_curve(dev, self.text.parts["dev"][1], GRID))
            decodings[way] = {
                "shared": shared,
                "own": {name: found.tuned[UNION] for name, found in answers.items()},
                "gaps": {name: found.gaps for name, found in answers.items()},
                "parts": {
                    part: {
                        "shared": self._scored(answers, dict.fromkeys(answers, shared), rival, part),
                        "own": self._scored(answers, {n: a.tuned[UNION] for n, a in answers.items()}, rival, part),
                        "lengths": {name: self._by_length(found, shared, part) for name, found in answers.items()},
                        "once": self._scored({rival: once.answers[way]}, {rival: shared}, rival, part)[rival],
                    }
                    for part in self.text.parts
                },
            }
        return {"model": once.setting.model, "baseline": baseline, "rival": rival, "decodings": decodings}

    def _scored(
        self, answers: dict[str, Answers], thresholds: dict[str, float], rival: str, part: str
    ) -> dict[str, dict[str, Any]]:
        """The scores of each, and how they compare with those of the rival."""
        golds = self.text.parts[part][1]
        links = {name: self._links(answers[name], threshold, part) for name, threshold in thresholds.items()}
        links[rival] = links.pop(rival)  # the last, so that all others are compared with it
        sure, full = (
            {name: list(map(count_links, found, judges)) for name, found in links.items()}
            for judges in (_only_sure(golds), golds)
        )
        compared = compare_all(sure, ("precision", "recall", "f1"), self.samples, self.seed)
        by_error = compare_all(full, ("aer",), self.samples, self.seed)
        found = {}
        for name, threshold in thresholds.items():
            scores = (Scores(sum(counts[name], LinkCounts())) for counts in (sure, full))
            found[name] = {"threshold": threshold} | _of_sure(*scores)
            if name != rival:
                both = compared[name, rival] | by_error[name, rival]
                found[name]["compared"] = {measure: comparison.as_dict() for measure, comparison in both.items()}
        return found

    def _by_length(self, answers: Answers, threshold: float, part: str) -> list[dict[str, Any]]:
        links, golds = self._links(answers, threshold, part), self.text.parts[part][1]
        lengths = [len(pair[SIDES.index(self.side)]) for pair in self.text.cut(self.text.shown, part)]
        sure, full = (evaluate_by_length(links, judges, lengths) for judges in (_only_sure(golds), golds))
        return [
            {"length": label, "pairs": ours.counts.pairs} | _of_sure(ours, scores)
            for (label, ours), (_, scores) in zip(sure, full, strict=True)
        ]

    def _links(self, answers: Answers, threshold: float, part: str) -> list[Alignment]:
        return _above(self.text.cut(answers.posteriors[UNION], part), threshold)


def _above(alignments: Iterable[Alignment], threshold: float) -> list[Alignment]:
    return [alignment.at_least(threshold) if alignment.links else alignment for alignment in alignments]


def _only_sure(golds: Iterable[Alignment]) -> list[Alignment]:
    """The labels without the links that are merely possible."""
    return [Alignment.of(gold.sure) for gold in golds]


def _scores(scores: Scores) -> dict[str, float]:
    chosen = {"precision": scores.precision, "recall": scores.recall, "f1": scores.f1, "aer": scores.aer}
    return chosen | {"links": scores.counts.links, "sure": scores.counts.sure}


def _of_sure(sure: Scores, full: Scores) -> dict[str, float]:
    return _scores(sure) | {"aer": full.aer}


def _sketch(curve: Curve) -> list[tuple[float, float, float]]:
    """The curve as points that are not too close: threshold, precision, recall."""
    points: list[tuple[float, float, float]] = []
    for point in curve.points:
        scores = point.scores
        if not points or scores.recall - points[-1][2] >= _STEP or point is curve.points[-1]:
            points.append((round(point.threshold, 5), round(scores.precision, 5), round(scores.recall, 5)))
    return points
