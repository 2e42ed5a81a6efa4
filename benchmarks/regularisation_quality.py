"""What alignments are worth: shares of links, curves, precision at the recall of others, rare words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pralign import Alignment
from pralign.evaluation import Curve, CurvePoint, Scores, evaluate, precision_recall_curve, tune_threshold
from pralign.links.alignment import Link
from regularisation_runs import VIEWS, Answers, Text, View

DIRECTIONS = VIEWS[:2]
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


def one_to_one(alignments: Iterable[Collection[Link]]) -> float:
    """The share of links whose source word and whose target word have no other link."""
    single = total = 0
    for links in alignments:
        sources, targets = Counter(i for i, _ in links), Counter(j for _, j in links)
        single += sum(sources[i] == 1 == targets[j] for i, j in links)
        total += len(links)
    return single / total if total else 0.0


def single_words(alignments: Iterable[Collection[Link]], side: int) -> float:
    """The share of linked words of one side (0 is the source) that have one link only."""
    single = total = 0
    for links in alignments:
        words = Counter(link[side] for link in links)
        single += sum(number == 1 for number in words.values())
        total += len(words)
    return single / total if total else 0.0


def symmetry(forward: Iterable[Alignment], reverse: Iterable[Alignment]) -> float:
    """The links of both directions as a share of the links of either."""
    both = either = 0
    for one, other in zip(forward, reverse, strict=True):
        both += len(frozenset(one.links) & frozenset(other.links))
        either += len(frozenset(one.links) | frozenset(other.links))
    return both / either if either else 0.0


class Judge:
    """Compares answers with the labels of a text."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def golds(self) -> dict[str, dict[str, Any]]:
        """The shares of the labels: of all links, and of the sure ones as if there were no others."""
        found: dict[str, dict[str, Any]] = {}
        for part, (_, golds) in self._text.parts.items():
            kinds: dict[str, list[Collection[Link]]] = {
                "all": [gold.links for gold in golds],
                "sure": [gold.sure for gold in golds],
            }
            found[part] = {
                kind: {
                    "one_to_one": one_to_one(links),
                    "single_source_words": single_words(links, 0),
                    "single_target_words": single_words(links, 1),
                }
                for kind, links in kinds.items()
            }
        return found

    def __call__(self, answers: Answers, reference: Reference) -> dict[str, dict[str, Any]]:
        """The shares by decoding, of each labelled set and of all of the text, and the quality on each labelled set."""
        curves = {
            (part, view): precision_recall_curve(self._cut(answers.posteriors[view], part), golds)
            for part, (_, golds) in self._text.parts.items()
            for view in VIEWS
        }
        tuned = {view: tune_threshold(curves["dev", view]) for view in VIEWS}
        quality: dict[str, dict[str, Any]] = {part: {} for part in self._text.parts}
        for (part, view), curve in curves.items():
            decoded = self._decoded(answers, part, view, tuned[view])
            quality[part][view] = decoded | self._on_curve(_bends(curve), answers, part, view, reference)
        return {"shares": self._all_shares(answers, tuned), "quality": quality}

    def of_reference(self, reference: Reference) -> dict[str, dict[str, Any]]:
        """What the reference itself is worth."""
        found: dict[str, dict[str, Any]] = {}
        for part, (_, golds) in self._text.parts.items():
            cuts = {view: self._cut(reference.links[view], part) for view in VIEWS}
            found[part] = {
                view: _scores(evaluate(links, golds)) | {"words": self._by_frequency(links, part)}
                for view, links in cuts.items()
            }
        return found

    def _decoded(self, answers: Answers, part: str, view: str, tuned: float) -> dict[str, Any]:
        """The scores at the threshold tuned on the development set, at the default one, and of Viterbi alignments."""
        golds, found = self._text.parts[part][1], self._cut(answers.posteriors[view], part)
        return {
            "tuned": {"threshold": tuned} | _scores(evaluate(_above(found, tuned), golds)),
            "default": {"threshold": DEFAULT} | _scores(evaluate(_above(found, DEFAULT), golds)),
            "viterbi": _scores(evaluate(self._cut(answers.paths[view], part), golds)),
        }

    def _on_curve(self, curve: Curve, answers: Answers, part: str, view: str, reference: Reference) -> dict[str, Any]:
        """The area, the precision at some recalls and at that of the reference, and the links that one gets there."""
        recall = evaluate(self._cut(reference.links[view], part), self._text.parts[part][1]).recall
        near = min(curve.points, key=lambda point: abs(point.scores.recall - recall))
        found = _above(self._cut(answers.posteriors[view], part), near.threshold)
        return {
            "area": curve.area(),
            "max_recall": curve.max_recall,
            "precision_at": [curve.precision_at(level) for level in RECALLS],
            "reference_recall": recall,
            "precision_at_reference_recall": curve.precision_at(recall),
            "nearest": {"threshold": near.threshold} | _scores(near.scores),
            "words": self._by_frequency(found, part),
            "curve": _sketch(curve),
        }

    def _all_shares(self, answers: Answers, tuned: dict[str, float]) -> dict[str, dict[str, dict[str, float]]]:
        decodings = {
            "viterbi": [answers.paths[view] for view in DIRECTIONS],
            f"posterior {DEFAULT}": [_above(answers.posteriors[view], DEFAULT) for view in DIRECTIONS],
            "posterior tuned": [_above(answers.posteriors[view], tuned[view]) for view in DIRECTIONS],
        }
        return {
            name: {part: self._shares(forward, reverse, part) for part in (*self._text.parts, "all text")}
            for name, (forward, reverse) in decodings.items()
        }

    def _by_frequency(self, links: Sequence[Alignment], part: str) -> dict[str, dict[str, dict[str, float]]]:
        """The scores of the links at rare and at common words of each side."""
        start, golds = self._text.parts[part]
        found: dict[str, dict[str, dict[str, float]]] = {}
        for k, side in enumerate(SIDES):
            words = [pair[k].split() for pair in self._text.shown[start : start + len(golds)]]
            rare = [{i for i, word in enumerate(line) if self._text.frequencies[k][word] < RARE} for line in words]
            common = [set(range(len(line))) - few for line, few in zip(words, rare, strict=True)]
            kinds = {"rare": _Places(k, rare), "common": _Places(k, common)}
            found[side] = {
                kind: _scores(evaluate(places.only(links), places.only(golds))) for kind, places in kinds.items()
            }
        return found

    def _shares(self, forward: list[Alignment], reverse: list[Alignment], part: str) -> dict[str, float]:
        first, second = self._cut(forward, part), self._cut(reverse, part)
        ahead, back = [alignment.links for alignment in first], [alignment.links for alignment in second]
        return {
            "one_to_one_forward": one_to_one(ahead),
            "one_to_one_reverse": one_to_one(back),
            "single_words_forward": single_words(ahead, 0),
            "single_words_reverse": single_words(back, 1),
            "symmetry": symmetry(first, second),
        }

    def _cut(self, alignments: list[Alignment], part: str) -> list[Alignment]:
        if part not in self._text.parts:
            return alignments
        start, golds = self._text.parts[part]
        return alignments[start : start + len(golds)]


class _Places(NamedTuple):
    """Some words of one side (0 is the source) of each sentence pair."""

    side: int
    words: list[set[int]]

    def only(self, alignments: Sequence[Alignment]) -> list[Alignment]:
        """The links at these words."""
        return [
            Alignment.of(
                [link for link in alignment.links if link[self.side] in kept],
                possible=[link for link in alignment.possible if link[self.side] in kept],
            )
            for alignment, kept in zip(alignments, self.words, strict=True)
        ]


def _above(alignments: Iterable[Alignment], threshold: float) -> list[Alignment]:
    return [alignment.at_least(threshold) for alignment in alignments]


def _scores(scores: Scores) -> dict[str, float]:
    chosen = {"precision": scores.precision, "recall": scores.recall, "aer": scores.aer}
    return chosen | {"links": scores.counts.links, "sure": scores.counts.sure}


def _bends(curve: Curve) -> Curve:
    """The same line by fewer points: of neighbours with the same recall, the first and the last."""
    kept: list[CurvePoint] = []
    for point in curve.points:
        if len(kept) > 1 and kept[-2].counts.links_sure == kept[-1].counts.links_sure == point.counts.links_sure:
            kept[-1] = point
        else:
            kept.append(point)
    return Curve(tuple(kept))


def _sketch(curve: Curve) -> list[tuple[float, float, float]]:
    """The curve as points that are not too close: threshold, precision, recall."""
    points: list[tuple[float, float, float]] = []
    for point in curve.points:
        scores = point.scores
        if not points or scores.recall - points[-1][2] >= _STEP or point is curve.points[-1]:
            points.append((round(point.threshold, 5), round(scores.precision, 5), round(scores.recall, 5)))
    return points
