"""Features on the same scale."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from matching.cases import ASKED, TEXT, all_cells, extractor
from pralign.matching.scaling import Scaling

PAIRS = [*TEXT, *ASKED]


def matrix(features, pairs):
    return np.stack(list(features.values(all_cells(features, pairs))), axis=1).astype(np.float32)


def scaled(features, pairs):
    scaling = Scaling.of(features, [all_cells(features, pairs)])
    numbers = matrix(features, pairs)
    scaling.apply(numbers)
    return scaling, numbers


def test_with_a_bias_numbers_get_mean_0_and_deviation_1():
    features = extractor("dice", "distance", "shape")
    scaling, numbers = scaled(features, PAIRS)
    others = np.arange(features.number_count) != features.bias
    assert scaling.varying[others].all()
    np.testing.assert_allclose(numbers.mean(axis=0)[others], 0, atol=1e-5)
    np.testing.assert_allclose(numbers.std(axis=0)[others], 1, rtol=1e-4)
    assert np.all(numbers[:, features.bias] == 1)
    assert not scaling.varying[features.bias]


def test_without_a_bias_nothing_is_subtracted():
    features = extractor("dice", "shape", "frequency")
    scaling, numbers = scaled(features, PAIRS)
    assert not scaling.mean.any()
    np.testing.assert_allclose(numbers.std(axis=0), 1, rtol=1e-4)
    plain = matrix(features, PAIRS)
    assert plain.any(axis=0).all()
    np.testing.assert_allclose(numbers, plain / plain.std(axis=0), rtol=1e-4)


def test_blocks_make_no_difference():
    features = extractor("dice", "distance")
    whole = Scaling.of(features, [all_cells(features, PAIRS)])
    parts = Scaling.of(features, (all_cells(features, [pair]) for pair in PAIRS))
    np.testing.assert_allclose(parts.mean, whole.mean, rtol=1e-12)
    np.testing.assert_allclose(parts.deviation, whole.deviation, rtol=1e-12)


@pytest.mark.parametrize("names", [("dice", "shape"), ("dice", "shape", "distance")])
def test_what_is_always_the_same_is_not_divided(names):
    features = extractor(*names)
    pairs = [(["zorro", "the"], ["la", "un"]), (["the"], ["la"])]
    scaling, numbers = scaled(features, pairs)
    columns = [name for _, name in features.columns]
    same = [columns.index(name) for name in ("equal", "equal without accents", "equal without vowels")]
    assert not scaling.varying[same].any()
    assert scaling.varying[columns.index("dice")]
    assert scaling.deviation[same].tolist() == [1, 1, 1]
    assert not numbers[:, same].any()


def test_a_constant_that_rounding_touches_is_constant():
    rounded = 0
    for value in np.random.default_rng(0).random(200).astype(np.float32):
        constant = np.full(1000, value)
        features = SimpleNamespace(number_count=1, bias=None, values=lambda cells, column=constant: [column])
        scaling = Scaling.of(features, [SimpleNamespace(size=1000)])
        assert scaling.varying.tolist() == [False]
        assert scaling.deviation.tolist() == [1]
        exact = constant.astype(np.float64)
        rounded += exact @ exact / 1000 - (exact.sum() / 1000) ** 2 > 0
    assert rounded > 0


@pytest.mark.parametrize("names", [("dice", "shape", "common"), ("dice", "distance", "shape", "common")])
def test_weights_for_numbers_as_they_are_give_the_same_scores(names):
    features = extractor(*names)
    scaling, numbers = scaled(features, PAIRS)
    weights = np.random.default_rng(0).normal(size=len(features.columns))
    plain, offset = scaling.undo(weights)
    cells = all_cells(features, PAIRS)
    expected = numbers @ weights[: features.number_count]
    kinds = features.kinds[0].kinds(cells)
    start, scale = features.kind_starts[0], features.kinds[0].scale
    expected += np.where(kinds >= 0, scale * weights[start + np.maximum(kinds, 0)], 0)
    np.testing.assert_allclose(features.scores(cells, plain, offset), expected, rtol=1e-4, atol=1e-4)
    assert np.array_equal(plain[features.number_count :], weights[features.number_count :])
    assert (offset != 0) == ("distance" in names)
