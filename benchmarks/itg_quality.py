"""What alignments are worth: their scores, whether they differ by more than chance, and scores by sentence length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from itg_runs import Answers
from pralign import Alignment
from pralign.evaluation import Measure, Scores, evaluate, evaluate_by_length, paired_bootstrap
from pralign.text.tokens import tokens
from regularisation_runs import Text

MEASURES: tuple[Measure, ...] = ("precision", "recall", "f1", "aer")
SIDES = ("source", "target")


@dataclass(frozen=True)
class Judge:
    """Compares answers with the labels of a text.

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

    def __call__(self, answers: Answers, rival: Answers | None = None) -> dict[str, Any]:
        """All about each labelled set; with a rival, also how the answers compare with its."""
        found: dict[str, Any] = {}
        for part in self.text.parts:
            found[part] = {
                "shared": self._at(part, answers, answers.shared, rival, rival and rival.shared),
                "own": self._at(part, answers, answers.own, rival, rival and rival.own),
                "lengths": self._by_length(part, answers),
            }
        return found

    def _at(
        self, part: str, answers: Answers, threshold: float, rival: Answers | None, its_threshold: float | None
    ) -> dict[str, Any]:
        """The scores at a threshold, and how they compare with those of the rival at its own."""
        links, golds = self._cut(part, answers, threshold), self.text.parts[part][1]
        at = {"threshold": threshold} | _scores(evaluate(links, only_sure(golds)), evaluate(links, golds))
        if rival is None or its_threshold is None:
            return at
        others = self._cut(part, rival, its_threshold)
        return at | {"compared": {measure: self._compare(links, others, golds, measure) for measure in MEASURES}}

    def _compare(
        self, links: list[Alignment], others: list[Alignment], golds: list[Alignment], measure: Measure
    ) -> dict[str, Any]:
        judges = golds if measure == "aer" else only_sure(golds)
        return paired_bootstrap(links, others, judges, measure, self.samples, self.seed).as_dict()

    def _by_length(self, part: str, answers: Answers) -> list[dict[str, Any]]:
        start, golds = self.text.parts[part]
        links, side = self._cut(part, answers, answers.shared), SIDES.index(self.side)
        lengths = [len(tokens(pair[side])) for pair in self.text.shown[start : start + len(golds)]]
        sure, full = (evaluate_by_length(links, judges, lengths) for judges in (only_sure(golds), golds))
        return [
            {"length": label, "pairs": ours.counts.pairs} | _scores(ours, scores)
            for (label, ours), (_, scores) in zip(sure, full, strict=True)
        ]

    def _cut(self, part: str, answers: Answers, threshold: float) -> list[Alignment]:
        start, golds = self.text.parts[part]
        return [alignment.at_least(threshold) for alignment in answers.links[start : start + len(golds)]]


def only_sure(golds: Sequence[Alignment]) -> list[Alignment]:
    """The labels without the links that are merely possible."""
    return [Alignment.of(gold.sure) for gold in golds]


def _scores(sure: Scores, full: Scores) -> dict[str, float]:
    chosen = {"precision": sure.precision, "recall": sure.recall, "f1": sure.f1, "aer": full.aer}
    return chosen | {"links": sure.counts.links, "sure": sure.counts.sure}
