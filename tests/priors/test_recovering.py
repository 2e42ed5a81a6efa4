"""What a text has counted is found again from its model, whatever was added to it."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from growing.texts import FIRST, SETTINGS, counts_of, learned, recovered
from oracles.naive_counts import kept_counts, kept_nulls, products
from pralign.kernels.units import UNITS


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_counts_are_exactly_what_the_pairs_have_added(settings):
    model = learned(**settings).model_
    expected = kept_counts(model)
    assert len(expected) > 500
    assert counts_of(model) == expected


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_so_are_those_of_single_words_and_of_null(settings):
    model = learned(**settings).model_
    found, pairs = recovered(model), kept_counts(model)
    totals = defaultdict(float), defaultdict(float)
    for pair, both in pairs.items():
        for total, word, count in zip(totals, pair, both, strict=True):
            total[word] += count
    nulls = kept_nulls(model)
    words = (model.source.words, model.target.words, model.target.words, model.source.words)
    for units, of, expected in zip(found[1:], words, (*totals, *nulls), strict=True):
        assert set(expected) <= set(of)
        assert (units / UNITS).tolist() == pytest.approx([expected.get(word, 0.0) for word in of], abs=1e-6)


@pytest.mark.parametrize("smoothing", [0.0, 0.25])
def test_smoothing_is_taken_off(smoothing):
    model = learned(model="hmm", smoothing=smoothing).model_
    expected = {pair: [count - smoothing for count in both] for pair, both in products(model).items()}
    found = counts_of(model)
    assert len(found) > 1000
    for pair, both in expected.items():
        assert found.get(pair, [0.0, 0.0]) == pytest.approx(both, abs=1e-5)
    # Every word is linked, or left to null.
    units = recovered(model)
    words = sum(len(target.split()) for _, target in FIRST)
    assert (units.source.sum() + units.null_to_target.sum()) / UNITS == pytest.approx(words, rel=1e-5)


def test_variational_bayes_hides_nothing_but_small_counts():
    model = learned(model="hmm", estimator="vb").model_
    found = recovered(model)
    sums = np.bincount(model.lexicon.table.source, weights=found.pairs[:, 0], minlength=len(model.source))
    assert sums.sum() == pytest.approx(found.source.sum(), rel=0.02)
    assert np.all(sums <= found.source + 0.01 * UNITS)


def test_relatives_are_taken_off_where_nothing_is_left_out():
    settings = {"model": "hmm", "alpha": 0.001, "estimator": "vb"}
    plain = recovered(learned(**settings).model_)
    leaning = recovered(learned(**settings, relatives=5.0).model_)
    words = sum(len(target.split()) for _, target in FIRST)
    for found in (plain, leaning):
        assert (found.source.sum() + found.null_to_target.sum()) / UNITS == pytest.approx(words, rel=1e-3)


def test_what_a_dictionary_knows_of_words_elsewhere_stays(tmp_path):
    (tmp_path / "dictionary").write_text("the\tunheard\t50\nthe\tle\t7\n", encoding="utf-8")
    model = learned(prior=[str(tmp_path / "dictionary")]).model_
    the, found = model.source.number("the"), recovered(model)
    elsewhere = found.source[the] - found.pairs[model.lexicon.table.source == the, 0].sum()
    assert elsewhere == pytest.approx(50 * UNITS, abs=UNITS / 100)
    together = counts_of(model)["the", "le"][0] - kept_counts(model)["the", "le"][0]
    assert together == pytest.approx(7, abs=1e-4)
