"""When to stop learning: at the round whose weights align other labelled pairs best."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import islice
from typing import NamedTuple, Protocol

import numpy as np

from pralign.evaluation.counts import LinkCounts
from pralign.evaluation.scores import Scores
from pralign.kernels.margin import decode
from pralign.matching.problem import LearningProblem, Pairs, Weights

FOLDS = 5
# The first rounds are noise, and between two rounds little changes.
FIRST_ROUND = 10
EVERY = 5
# By how much the threshold may be moved, in the unit of the loss of a wrong link.
SHIFTS = [quarters / 4 for quarters in range(-8, 9)]


class Learner(Protocol):
    """A way to learn weights, round by round."""

    def rounds(self, problem: LearningProblem, pairs: Pairs) -> Iterator[Weights]:
        """Yield the weights after each round, without end."""


class BestRound(NamedTuple):
    """The round to stop at, and what was learned until then.

    Attributes:
        weights: The weights of the features, and the costs of further links.
        rounds: After how many rounds learning was stopped.
        shift: What was then added to the bias.
        scores: How well pairs that were not learned from are aligned.
    """

    weights: Weights
    rounds: int
    shift: float
    scores: Scores


class Trial(NamedTuple):
    """How well other pairs are aligned, by round and by shift of the threshold."""

    rounds: list[int]
    shifts: list[float]
    weights: list[Weights]
    counts: list[list[LinkCounts]]

    def pooled(self, other: Trial) -> Trial:
        """The same for the pairs of both."""
        rows = zip(self.counts, other.counts, strict=True)
        return self._replace(counts=[[a + b for a, b in zip(*row, strict=True)] for row in rows])

    def best(self) -> tuple[int, int]:
        """The places of the round and of the shift with the lowest AER, that of neighbouring shifts counting too."""
        errors = np.array([[Scores(counts).aer for counts in row] for row in self.counts])
        padded = np.pad(errors, ((0, 0), (1, 1)), mode="edge")
        smooth = (padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]) / 4
        lowest = np.argwhere(smooth <= smooth.min() + 1e-12).tolist()
        # Of equally good ones, the one that moves the threshold least, and then the latest.
        row, column = min(lowest, key=lambda place: (abs(self.shifts[place[1]]), -place[0]))
        return row, column


def learn(
    learner: Learner, problem: LearningProblem, labelled: Pairs, validation: Pairs | None, rounds: int
) -> BestRound:
    """Learn from labelled pairs for at most so many rounds, and stop where others are aligned best.

    The others are the validation pairs or, without any, each fifth of the labelled pairs in turn.
    """
    if validation is not None:
        trial = _try(learner, problem, labelled, validation, rounds)
        row, column = trial.best()
        weights = trial.weights[row]
    else:
        trial = _cross_validate(learner, problem, labelled, rounds)
        row, column = trial.best()
        weights = next(islice(learner.rounds(problem, labelled), trial.rounds[row] - 1, None))
    shift = trial.shifts[column]
    return BestRound(shifted(problem, weights, shift), trial.rounds[row], shift, Scores(trial.counts[row][column]))


def shifted(problem: LearningProblem, weights: Weights, shift: float) -> Weights:
    """Weights whose bias is higher by ``shift``."""
    moved = weights.copy()
    if problem.bias is not None:
        moved[problem.bias] += shift
    return moved


def _cross_validate(learner: Learner, problem: LearningProblem, labelled: Pairs, rounds: int) -> Trial:
    folds = [labelled[fold::FOLDS] for fold in range(min(FOLDS, labelled.size))]
    if len(folds) == 1:  # a single pair has none to compare with but itself
        return _try(learner, problem, labelled, labelled, rounds)
    tries = (_try(learner, problem, np.setdiff1d(labelled, fold), fold, rounds) for fold in folds)
    return reduce(Trial.pooled, tries)


def _try(learner: Learner, problem: LearningProblem, learned: Pairs, others: Pairs, rounds: int) -> Trial:
    trial = Trial([], [0.0] if problem.bias is None else SHIFTS, [], [])
    marks = np.zeros(problem.sure.size, np.bool_)
    for number, weights in enumerate(islice(learner.rounds(problem, learned), rounds), start=1):
        if (number >= FIRST_ROUND and number % EVERY == 0) or number == rounds:
            trial.rounds.append(number)
            trial.weights.append(weights.copy())
            trial.counts.append([])
            for shift in trial.shifts:
                decode(problem.examples, others, shifted(problem, weights, shift), problem.capacity, marks)
                trial.counts[-1].append(problem.count(marks, others))
    return trial
