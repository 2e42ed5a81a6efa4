"""Where learning stops."""

from __future__ import annotations

import numpy as np
import pytest

from matching.cases import every, random_problem
from pralign.evaluation.counts import LinkCounts
from pralign.kernels.margin import decode
from pralign.matching import stopping
from pralign.matching.stopping import FOLDS, SHIFTS, Trial, learn, shifted


class Recorder:
    """Learns nothing: plays back weights, and remembers what it was to learn from."""

    def __init__(self, size, played):
        self.size, self.played = size, played
        self.learned, self.taken = [], []

    def rounds(self, problem, pairs):
        self.learned.append(pairs.tolist())
        self.taken.append(0)
        run = len(self.taken) - 1
        while True:
            self.taken[run] += 1
            yield self.played(self.taken[run])


@pytest.fixture
def problem():
    """The second number is what matters, and the bias, the first, sets the threshold."""
    problem = random_problem(0, pairs=13, noise=0.0, possible=0.0)
    problem.examples.numbers[:, 1] = np.where(problem.sure, 1.0, -1.0)
    problem.examples.kinds[:] = -1
    return problem


def weights_of(problem, bias, slope):
    weights = np.zeros(problem.size)
    weights[:2] = bias, slope
    return weights


def held_back(problem, monkeypatch):
    """The pairs that are aligned to see how well it works, call by call."""
    asked = []

    def spy(examples, pairs, *rest):
        asked.append(tuple(pairs.tolist()))
        return decode(examples, pairs, *rest)

    monkeypatch.setattr(stopping, "decode", spy)
    return asked


def test_no_pair_is_judged_by_what_was_learned_from_it(problem, monkeypatch):
    asked = held_back(problem, monkeypatch)
    recorder = Recorder(problem.size, lambda number: weights_of(problem, 0, 1))
    labelled = np.array([0, 1, 3, 4, 5, 6, 8, 9, 11, 12])
    best = learn(recorder, problem, labelled, None, 20)
    judged = [list(fold) for fold in dict.fromkeys(asked)]
    assert len(judged) == FOLDS
    assert sorted(pair for fold in judged for pair in fold) == labelled.tolist()
    assert recorder.learned[-1] == labelled.tolist()
    for learned, fold in zip(recorder.learned[:-1], judged, strict=True):
        assert not set(learned) & set(fold)
        assert sorted([*learned, *fold]) == labelled.tolist()
    assert best.scores.counts.pairs == labelled.size


@pytest.mark.parametrize("size", [2, 3, 4])
def test_few_pairs_are_held_back_one_by_one(problem, monkeypatch, size):
    asked = held_back(problem, monkeypatch)
    recorder = Recorder(problem.size, lambda number: weights_of(problem, 0, 1))
    learn(recorder, problem, np.arange(size), None, 10)
    assert sorted(set(asked)) == [(pair,) for pair in range(size)]
    assert recorder.learned == [
        *([other for other in range(size) if other != pair] for pair in range(size)),
        list(range(size)),
    ]


def test_a_single_pair_is_compared_with_itself(problem):
    [pair] = np.flatnonzero(np.add.reduceat(problem.sure, problem.examples.shapes.cell_start[:-1]))[:1]
    recorder = Recorder(problem.size, lambda number: weights_of(problem, 0, 1))
    best = learn(recorder, problem, np.array([pair]), None, 10)
    assert best.scores.aer == 0
    assert recorder.learned == [[pair], [pair]]


@pytest.mark.parametrize("validated", [True, False])
def test_the_best_round_is_chosen(problem, validated):
    """Only in the fifteenth round do weights point in the right direction."""
    recorder = Recorder(problem.size, lambda number: weights_of(problem, 0, 1 if number == 15 else -1))
    validation = np.arange(8, 13) if validated else None
    best = learn(recorder, problem, np.arange(8), validation, 30)
    assert best.rounds == 15
    assert best.weights.tolist() == weights_of(problem, 0, 1).tolist()
    assert best.shift == 0
    assert best.scores.aer == 0
    assert best.scores.counts == problem.count(problem.sure, np.arange(8, 13) if validated else np.arange(8))
    # With validation pairs nothing is learned twice.
    assert recorder.taken == ([30] if validated else [30] * 5 + [15])


def test_validation_pairs_are_not_learned_from(problem):
    recorder = Recorder(problem.size, lambda number: weights_of(problem, 0, 1))
    learn(recorder, problem, np.arange(8), np.arange(8, 13), 20)
    assert recorder.learned == [list(range(8))]


@pytest.mark.parametrize("rounds", [1, 7, 12, 23])
def test_learning_goes_no_further_than_allowed(problem, rounds):
    recorder = Recorder(problem.size, lambda number: weights_of(problem, 0, 1))
    best = learn(recorder, problem, every(problem), None, rounds)
    assert best.rounds == rounds  # all are equally good: the last one
    assert max(recorder.taken) == rounds


def test_a_threshold_that_is_wrong_is_moved(problem):
    # Right links score -0.3, wrong ones -1.3; a shift between the two rewards makes it right, and 0.8 is the middle.
    recorder = Recorder(problem.size, lambda number: weights_of(problem, -0.8, 0.5))
    best = learn(recorder, problem, every(problem), None, 10)
    assert best.shift == 0.75
    assert best.scores.aer == 0
    assert best.weights.tolist() == weights_of(problem, -0.8 + 0.75, 0.5).tolist()


def test_without_a_bias_nothing_is_shifted(problem, monkeypatch):
    without = type(problem)(**{**vars(problem), "bias": None})
    asked = held_back(without, monkeypatch)
    recorder = Recorder(problem.size, lambda number: weights_of(problem, -0.8, 0.5))
    best = learn(recorder, without, every(problem), every(problem), 10)
    assert best.shift == 0
    assert best.weights.tolist() == weights_of(problem, -0.8, 0.5).tolist()
    assert best.scores.aer == 1
    assert len(asked) == 1
    assert shifted(without, best.weights, 1.0).tolist() == best.weights.tolist()


def test_shifting_leaves_the_weights_themselves_alone(problem):
    weights = weights_of(problem, 1, 2)
    assert shifted(problem, weights, 0.5).tolist() == weights_of(problem, 1.5, 2).tolist()
    assert weights.tolist() == weights_of(problem, 1, 2).tolist()


def trial(errors, shifts):
    """Outcomes with so many wrong links besides as many right ones."""
    counts = [
        [LinkCounts(links=100 + wrong, sure=100, possible=100, links_sure=100, links_possible=100) for wrong in row]
        for row in errors
    ]
    return Trial(list(range(len(errors))), shifts, [], counts)


def test_a_shift_counts_with_its_neighbours():
    # The lowest number stands alone; between equally good neighbours there is another.
    assert trial([[9, 9, 0, 30, 30, 5, 4, 5, 9]], list(range(-4, 5))).best() == (0, 6)


def test_of_equally_good_ones_the_smallest_shift_and_the_latest_round_are_taken():
    shifts = [-1.0, -0.5, 0.0, 0.5, 1.0]
    assert trial([[3] * 5, [3] * 5, [4] * 5], shifts).best() == (1, 2)
    assert trial([[5, 3, 5, 9, 9], [9, 9, 9, 5, 3]], [-4.0, -3.0, -2.0, 1.0, 2.0]).best()[0] == 1


def test_trials_are_pooled_by_round_and_shift():
    a, b = trial([[1, 2], [3, 4]], [0.0, 1.0]), trial([[10, 20], [30, 40]], [0.0, 1.0])
    pooled = a.pooled(b)
    assert [[counts.links for counts in row] for row in pooled.counts] == [[211, 222], [233, 244]]
    assert pooled.rounds == a.rounds


def test_shifts_go_both_ways_and_include_none():
    assert 0.0 in SHIFTS
    assert sorted(-shift for shift in SHIFTS) == SHIFTS
