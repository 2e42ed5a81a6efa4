"""The fertility factor, against all ways in which a state may explain words."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.kernels.arrays import Lattice
from pralign.kernels.fertility_factor import MOST_WORDS, LikelyLinks, count_words, likely_links, weigh_links
from pralign.kernels.own_counts import OWN_UNIT, OwnCounts, no_own_counts
from pralign.kernels.units import as_counts

WORDS = 3
BEYOND = math.log(0.5)

# Chances below one in a hundred are taken for zero.
chances = st.one_of(st.just(0.0), st.floats(0.03125, 1.0, width=32), st.just(1.0))


@st.composite
def cases(draw):
    """A pair with its words, its expected links, and how often words explained how many."""
    states, observed = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    link = draw(st.lists(chances, min_size=states * observed, max_size=states * observed))
    words = draw(st.lists(st.integers(0, WORDS - 1), min_size=states, max_size=states))
    rows = st.lists(st.floats(0.1, 50), min_size=MOST_WORDS + 1, max_size=MOST_WORDS + 1)
    tables = np.array(draw(st.lists(rows, min_size=WORDS + 1, max_size=WORDS + 1)))
    return np.array(link, np.float32).reshape(observed, states), np.array(words, np.int32), tables


def lattice_of(link):
    observed, states = link.shape
    starts = np.array([0, observed]), np.array([0, observed * states])
    ones = np.ones(link.size, np.float32), np.ones(observed, np.float32)
    return Lattice(*ones, np.array([states], np.int32), *starts, np.ones(1))


def links_of(link):
    cells = np.flatnonzero(link)
    return LikelyLinks(np.array([0, cells.size]), cells.astype(np.int32), link.ravel()[cells])


def own_of(link, known):
    """A pair of which everything is known, or nothing."""
    if not known:
        return no_own_counts(1)
    observed, states = link.shape
    cells = np.flatnonzero(link)
    counts = np.rint(link.ravel()[cells] / OWN_UNIT).astype(np.uint16)
    rows = np.empty((1, 0), np.float32)
    return OwnCounts(
        np.array([0, cells.size]),
        cells.astype(np.int32),
        counts,
        np.zeros_like(counts),
        np.array([0, observed]),
        np.zeros(observed, np.uint16),
        np.array([0, states]),
        np.zeros(states, np.uint16),
        rows,
        rows,
    )


def distribution(chances):
    """The probability of each number of successes, by enumeration; the last is for all larger numbers."""
    result = np.zeros(MOST_WORDS + 1)
    for outcome in product((0, 1), repeat=len(chances)):
        probability = math.prod(c if hit else 1 - c for c, hit in zip(chances, outcome, strict=True))
        result[min(sum(outcome), MOST_WORDS)] += probability
    return result


@settings(deadline=None, max_examples=60)
@given(cases())
def test_the_numbers_of_words_that_states_explain(case):
    link, words, _ = case
    found = np.zeros((WORDS, MOST_WORDS + 1), np.int64)
    count_words(lattice_of(link), link.ravel(), words, found)
    expected = np.zeros(found.shape)
    for i, word in enumerate(words):
        expected[word] += distribution(link[:, i].tolist())
    assert as_counts(found) == pytest.approx(expected, abs=1e-6)


def test_a_state_may_explain_more_words_than_are_told_apart():
    link = np.full((MOST_WORDS + 3, 1), 0.75, np.float32)
    found = np.zeros((1, MOST_WORDS + 1), np.int64)
    count_words(lattice_of(link), link.ravel(), np.zeros(1, np.int32), found)
    assert as_counts(found[0]) == pytest.approx(distribution(link[:, 0].tolist()), abs=1e-6)


@settings(deadline=None, max_examples=60)
@given(cases(), st.booleans())
def test_factors_are_geometric_means_over_how_many_other_words_are_explained(case, known):
    link, words, tables = case
    observed, states = link.shape
    emission, nothing = np.ones(link.size, np.float32), np.empty(1)
    weigh_links(lattice_of(link), words, links_of(link), own_of(link, known), tables, (emission, nothing))
    of_none = 0.0
    for i in range(states):
        table = tables[words[i]].copy()
        if known:  # what the pair itself has counted is left out, for every place of the word
            for other in np.flatnonzero(words == words[i]):
                table -= distribution(link[:, other].tolist())
        share = np.maximum(table, 0) + tables[-1]
        of_none += math.log(share[0] / share.sum())
        gain = [math.log(share[n + 1] / share[n]) for n in range(MOST_WORDS)]
        gain.append(gain[-1] + BEYOND)
        for j in range(observed):
            others = distribution([float(link[k, i]) for k in range(observed) if k != j])
            expected = math.exp(float(np.dot(others, gain)))
            assert emission[j * states + i] == pytest.approx(expected, rel=1e-4)
    assert nothing[0] == pytest.approx(of_none, abs=1e-6)


def test_pairs_that_are_known_keep_their_links_and_others_get_those_of_the_posteriors():
    lattice = Lattice(
        np.ones(8, np.float32),
        np.ones(4, np.float32),
        np.array([2, 2], np.int32),
        np.array([0, 2, 4]),
        np.array([0, 4, 8]),
        np.array([1.0, 0.5]),
    )
    posterior = np.array([0.9, 0.1, 0.004, 0.9, 0.8, 0.2, 0.005, 0.6], np.float32)
    fresh = likely_links(lattice, posterior, no_own_counts(2))
    assert fresh.start.tolist() == [0, 3, 6]
    assert fresh.cell.tolist() == [0, 1, 3, 0, 1, 3]
    # The second pair counts half.
    assert fresh.link == pytest.approx([0.9, 0.1, 0.9, 0.4, 0.1, 0.3])
    counts = np.rint(fresh.link[:3] / 2 / OWN_UNIT).astype(np.uint16)
    own = no_own_counts(2)._replace(
        start=np.array([0, 3, 3]),
        cell=fresh.cell[:3],
        forward=counts,
        reverse=counts,
        target_start=np.array([0, 2, 2]),
        null_target=np.zeros(2, np.uint16),
    )
    again = likely_links(lattice, posterior, own)
    assert again.start.tolist() == fresh.start.tolist()
    assert again.cell.tolist() == fresh.cell.tolist()
    assert again.link == pytest.approx([0.45, 0.05, 0.45, 0.4, 0.1, 0.3], abs=float(OWN_UNIT))
