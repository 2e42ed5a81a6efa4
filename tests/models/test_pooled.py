"""Models of several texts, added up from those of each."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from growing.texts import FIRST, SECOND, learned
from pralign.models import MODELS, get_model
from pralign.models.base import CorpusSummary
from pralign.models.estimators import POSITION_PRIOR
from pralign.models.fertilities import FERTILITY_PRIOR

ADDITIVE = ["ibm1", "ibm2", "hmm", "fhmm"]


@cache
def models(name):
    """The forward models of two texts, with the words of each."""
    aligners = [learned(pairs, model=name, estimator="collapsed").model_ for pairs in (FIRST, SECOND)]
    return [(model.forward, model.source.words) for model in aligners]


def pooled(name, number=2):
    chosen = models(name)[:number]
    words = sorted(set().union(*(words for _, words in chosen)))
    numbers = [np.array([words.index(word) for word in own]) for _, own in chosen]
    summary = CorpusSummary(np.zeros(1, np.int64), len(words))
    return get_model(name).pooled(summary, [model for model, _ in chosen], numbers, POSITION_PRIOR), words


def test_models_that_search_keep_no_counts():
    assert {name for name in MODELS if MODELS[name].additive} >= set(ADDITIVE)
    assert not MODELS["ibm3"].additive
    assert not MODELS["ibm4"].additive


@pytest.mark.parametrize("name", ADDITIVE)
def test_one_model_is_itself(name):
    model, words = models(name)[0]
    alone, order = pooled(name, 1)
    for field, array in model.tensors().items():
        found = alone.tensors()[field]
        if field == "fertilities.table":
            array = np.vstack([array[[words.index(word) for word in order]], array[-1:]])
        np.testing.assert_allclose(found, array, rtol=1e-6, atol=1e-7, err_msg=field)


@pytest.mark.parametrize("name", ADDITIVE)
def test_the_order_does_not_matter(name):
    one, _ = pooled(name)
    chosen = models(name)
    chosen.reverse()
    try:
        other, _ = pooled(name)
    finally:
        chosen.reverse()
    for field, array in one.tensors().items():
        np.testing.assert_allclose(other.tensors()[field], array, rtol=1e-12, err_msg=field)


@pytest.mark.parametrize("name", ["hmm", "fhmm"])
@pytest.mark.parametrize("part", ["jumps", "first"])
def test_weights_count_as_often_as_they_were_used(name, part):
    parts = [model.parts[part] for model, _ in models(name)]
    together = pooled(name)[0].parts[part]
    sizes = [each.totals.sum() - POSITION_PRIOR * each.totals.size for each in parts]
    expected = sum(size * each.weights / each.weights.sum() for size, each in zip(sizes, parts, strict=True))
    np.testing.assert_allclose(together.weights, expected / sum(sizes), rtol=1e-9)
    np.testing.assert_allclose(together.totals, parts[0].totals + parts[1].totals - POSITION_PRIOR, rtol=1e-9)
    assert not np.allclose(parts[0].weights, parts[1].weights, rtol=1e-3)


def test_null_is_the_share_of_all_words():
    (one, _), (other, _) = models("hmm")
    unlinked, words = one.null.totals + other.null.totals - 2 * POSITION_PRIOR * np.array([1, 2])
    assert pooled("hmm")[0].null.probability == pytest.approx(unlinked / words, rel=1e-6)


def test_null_by_agreement_is_by_that_of_all_links():
    (one, _), (other, _) = models("fhmm")
    links = [each.null.totals[1] - each.null.totals[0] - POSITION_PRIOR for each in (one, other)]
    squares = [each.null.probability[0] ** 2 for each in (one, other)]
    expected = np.sqrt(np.average(squares, weights=links))
    assert pooled("fhmm")[0].null.probability == pytest.approx(expected, rel=1e-9)


def test_fertilities_are_counted_by_word():
    (one, words), (other, others) = models("fhmm")
    together, union = pooled("fhmm")
    table = together.fertilities.table
    for number, word in enumerate(union):
        expected = np.zeros(table.shape[1])
        for model, known in ((one, words), (other, others)):
            if word in known:
                expected += model.fertilities.table[known.index(word)]
        np.testing.assert_allclose(table[number], expected, atol=1e-6)
    assert table[-1].sum() == pytest.approx(FERTILITY_PRIOR)
    assert set(words) - set(others)
    assert set(others) - set(words)


def test_positions_are_counted_by_lengths():
    (one, _), (other, _) = models("ibm2")
    together, _ = pooled("ibm2")
    assert one.longest_observed.size != other.longest_observed.size
    for states in range(1, together.start.size - 1):
        rows = together.counts[together.start[states] : together.start[states + 1]].reshape(-1, states + 1)
        expected = np.zeros(rows.shape)
        for model in (one, other):
            if states < model.start.size - 1:
                own = model.counts[model.start[states] : model.start[states + 1]].reshape(-1, states + 1)
                expected[: own.shape[0]] += own - POSITION_PRIOR
        np.testing.assert_allclose(rows, expected + POSITION_PRIOR, rtol=1e-6)
    np.testing.assert_array_equal(
        together.longest_observed[: one.longest_observed.size] >= one.longest_observed, np.True_
    )


@pytest.mark.parametrize("name", ["ibm2", "hmm", "fhmm"])
def test_there_is_room_for_more_text(name):
    model, words = models(name)[0]
    summary = CorpusSummary(np.array([0] * 40 + [7]), len(words))
    larger = get_model(name).pooled(summary, [model], [np.arange(len(words))], POSITION_PRIOR)
    if name == "ibm2":
        assert larger.longest_observed[40] == 7
    else:
        assert larger.most_states == 40
