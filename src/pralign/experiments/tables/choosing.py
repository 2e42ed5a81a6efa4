"""Which links of a system a table looks at: as it chooses them, by a threshold, or those of its best paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pralign.errors import InputError
from pralign.evaluation import Curve, precision_recall_curve, tune_threshold
from pralign.experiments.answers import UNION, Answers, at_least
from pralign.experiments.tables.base import ResultTable, Slice
from pralign.experiments.texts import Part
from pralign.links.alignment import Alignment
from pralign.schema.values import Bounds

ViewName = Literal["forward", "reverse", "soft-union"]

_TENTHS = tuple(k / 10 for k in range(1, 11))


@dataclass(frozen=True, kw_only=True)
class ChosenLinks(ResultTable):
    """A table of links that are chosen in one way from all systems.

    Attributes:
        view: One direction, or both together.
        threshold: ``"own"``, the links that each system chooses by itself; ``"tuned"``, those above the threshold with
            the least AER on the development pairs; ``"viterbi"``, those of the best paths, for both directions
            together by grow-diag-final-and; or a number from 0 to 1.
        like: A system on which the threshold of all systems is tuned, in steps of one tenth, instead.
    """

    view: ViewName = "soft-union"
    threshold: Annotated[float, Bounds(0, 1)] | Literal["own", "tuned", "viterbi"] = "own"
    like: str | None = None

    def __post_init__(self) -> None:
        if self.like is not None and self.threshold != "own":
            raise InputError("a table has like or threshold; leave one of them out")
        if self.view != UNION and self.like is None and self.threshold == "own":
            raise InputError(f"a table of the {self.view} direction needs a threshold: a number, tuned or viterbi")

    @property
    def mentioned(self) -> list[str]:
        """The system on which thresholds are tuned."""
        return [*super().mentioned, *([self.like] if self.like else [])]

    @property
    def needs_dev(self) -> bool:
        """Whether thresholds are tuned."""
        return self.like is not None or self.threshold == "tuned"

    def threshold_for(self, found: Slice, system: str) -> float | None:
        """The threshold of a system, if links are chosen by one and have scores."""
        answers = found.of(system)
        if self.like is not None:
            common = tuned_threshold(found, found.of(self.like), self.view, _TENTHS)
            if common is None:
                raise InputError(f"{self.like} does not say how sure it is of links, so it has no threshold for others")
            return common if has_scores(answers, self.view) else None
        if self.threshold == "tuned":
            return tuned_threshold(found, answers, self.view)
        return self.threshold if isinstance(self.threshold, float | int) and has_scores(answers, self.view) else None

    def links(self, found: Slice, system: str) -> list[Alignment]:
        """The links of a system in the part of a slice, as they are chosen."""
        answers, part = found.of(system), found.judged
        if self.threshold == "viterbi":
            return part.cut(answers.paths.get(self.view, answers.links))
        if self.threshold == "own" and self.like is None:
            return part.cut(answers.links)
        threshold = self.threshold_for(found, system)
        chosen = part.cut(answers.view(self.view))
        return chosen if threshold is None else at_least(chosen, threshold)


def has_scores(answers: Answers, view: str) -> bool:
    """Whether a system says how sure it is of links."""
    if view in answers.scored:
        return True
    linked = [each for each in answers.links if each.links]
    return view == UNION and bool(linked) and all(each.scores is not None for each in linked)


def curve_of(answers: Answers, view: str, part: Part) -> Curve | None:
    """Precision and recall of a system by threshold, if it says how sure it is."""
    if not has_scores(answers, view):
        return None
    return precision_recall_curve(part.cut(answers.view(view)), part.golds)


def tuned_threshold(
    found: Slice, answers: Answers, view: str, thresholds: Sequence[float] | None = None
) -> float | None:
    """The threshold with the least AER on the development pairs, of all or of some."""
    dev = found.dev.judged
    if not has_scores(answers, view):
        return None
    return tune_threshold(precision_recall_curve(dev.cut(answers.view(view)), dev.golds, thresholds))
