"""Balanced thresholds against the best F that posteriors let one expect."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from decoding.evidence import VALUES, MadeUp, made_up
from pralign.decoding.decoder import Thresholds
from pralign.decoding.threshold import THRESHOLD_RULES

UNTIMED = settings(deadline=None)  # the first example may have to wait for the compiler
LOWEST = np.float32(0.01)  # posteriors below are no candidates for links
KINDS = ("forward", "reverse", "mean")


def expected_f(values):
    """The best F that any threshold is expected to give, if posteriors are right."""
    candidates = [float(value) for value in values if value > LOWEST]
    best = 0.0
    for threshold in candidates:
        links = [value for value in candidates if value >= threshold]
        precision, recall = sum(links) / len(links), sum(links) / sum(candidates)
        best = max(best, 2 * precision * recall / (precision + recall))
    return best if candidates else None


def naive_threshold(values):
    best = expected_f(values)
    return 0.5 if best is None else min(max(0.5 - 1.5 * (0.8 - best), 0.25), 0.5)


def balanced(blocks):
    rule = THRESHOLD_RULES["balanced"]
    return rule.thresholds([rule.look(block) for block in blocks])


def of(forward, reverse=None):
    """Evidence of one pair with these posteriors."""
    grids = [np.array([values], np.float32) for values in (forward, forward if reverse is None else reverse)]
    return MadeUp([(*grids, *(grid > 2 for grid in grids))])


@UNTIMED
@given(st.lists(made_up(), min_size=1, max_size=3) | st.lists(made_up(VALUES), min_size=1, max_size=3))
@example([of([0.7] * 4 + [0.02] * 9)])
@example([of([1.0, 0.3, 0.3, 0.3])])
def test_the_best_expected_f_sets_the_threshold(blocks):
    thresholds = balanced(iter(blocks))
    for kind, threshold in zip(KINDS, thresholds, strict=True):
        values = np.concatenate([getattr(block, kind) for block in blocks])
        assert threshold == pytest.approx(naive_threshold(values), abs=1e-6)


@UNTIMED
@given(st.lists(made_up(), min_size=1, max_size=3))
def test_thresholds_are_between_a_quarter_and_a_half(blocks):
    assert all(0.25 <= threshold <= 0.5 for threshold in balanced(blocks))


@UNTIMED
@given(made_up(), made_up())
def test_how_the_text_is_cut_does_not_matter(first, second):
    apart, whole = balanced([first, second]), balanced([MadeUp(first.grids + second.grids)])
    assert apart == whole == balanced([second, first])


@pytest.mark.parametrize("values", [[1.0], [0.99, 0.95, 0.005, 0.002], [0.9, 0.85, 0.8, 0.02, 0.015], [0.8] * 5])
def test_a_model_that_is_sure_needs_a_half(values):
    assert balanced([of(values)]) == pytest.approx(tuple(Thresholds.all(0.5)), abs=1e-6)


@pytest.mark.parametrize(
    ("values", "threshold"),
    [
        # To link all of them is best: recall is 1, and precision is what they say.
        ([0.65] * 8, 0.5 - 1.5 * (0.8 - 2 * 0.65 / 1.65)),
        ([0.6] * 8, 0.5 - 1.5 * (0.8 - 2 * 0.6 / 1.6)),
        ([0.5] * 8, 0.5 - 1.5 * (0.8 - 2 * 0.5 / 1.5)),
        ([0.4] * 8, 0.25),
        ([0.1] * 8, 0.25),
        ([0.011], 0.25),
    ],
)
def test_the_less_sure_a_model_is_the_lower_is_its_threshold(values, threshold):
    assert balanced([of(values)]) == pytest.approx(tuple(Thresholds.all(threshold)), abs=1e-6)


def test_each_direction_and_the_mean_have_their_own_threshold():
    found = balanced([of([0.9, 0.9, 0.02], [0.5, 0.5, 0.5])])
    assert found.forward == 0.5
    assert found.reverse == pytest.approx(naive_threshold([0.5] * 3), abs=1e-6)
    assert found.mean == pytest.approx(naive_threshold([0.7, 0.7, 0.26]), abs=1e-6)
    assert found.reverse < found.mean < found.forward


def test_improbable_cells_do_not_matter():
    assert balanced([of([0.6, 0.5] + [0.0099] * 500)]) == balanced([of([0.6, 0.5])])
    assert balanced([of([0.6, 0.5] + [0.0101] * 500)]) != balanced([of([0.6, 0.5])])


@pytest.mark.parametrize("values", [[], [0.0], [0.0, 0.0099, 0.001]])
def test_without_candidates_the_threshold_is_a_half(values):
    assert balanced([of(values)]) == Thresholds.all(0.5)
    assert balanced([of(values), of([0.5, 0.5])]) == balanced([of([0.5, 0.5])])
