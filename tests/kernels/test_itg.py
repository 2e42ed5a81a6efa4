"""ITG parsing against trees over whole spans, and against plain pruning of all pairs of items."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import INTERPRETED, quick
from oracles.naive_itg import Grammar, all_links, nests
from pralign.kernels.itg import ItgLimits, allocate, item_limit, likeliest, parse_block
from pralign.kernels.itg_chart import cell, fill
from pralign.kernels.itg_gains import possible_gains

UNLIMITED = 10**6
LIMITS = ItgLimits()
GRAMMAR = Grammar()
KINDS = ["dense", "sparse", "ties", "tiny", "zeros", "near null", "posterior"]


def random_matrix(rng, sources, targets, kind):
    p = rng.random((sources, targets))
    if kind == "sparse":
        p = np.where(rng.random(p.shape) < 0.3, p, 1e-9 * p)
    elif kind == "ties":
        p = 2.0 ** -rng.integers(0, 3, p.shape)
    elif kind == "tiny":
        p = 10.0 ** -(40 * p)
    elif kind == "zeros":
        p *= rng.random(p.shape) < 0.4
    elif kind == "near null":
        p = 10.0 ** (-5 + rng.normal(0, 0.5, p.shape))
    elif kind == "posterior":
        p = p**8 / np.maximum((p**8).sum(0), 1e-30)
    return p.astype(np.float32)


def parse(pairs, limits=LIMITS):
    """The links and the score of each pair of a block."""
    lengths = np.array([pair.shape for pair in pairs], np.int32).reshape(-1, 2)
    start = np.cumsum([0, *(pair.size for pair in pairs)])
    marks = np.ones(start[-1], np.bool_)
    scores = np.full(len(pairs), np.nan)
    cells = np.concatenate([np.zeros(0, np.float32), *(pair.ravel() for pair in pairs)])
    parse_block(cells, lengths[:, 0].copy(), lengths[:, 1].copy(), start, limits, marks, scores)
    grids = [marks[start[k] : start[k + 1]].reshape(pair.shape) for k, pair in enumerate(pairs)]
    return [(links(grid), float(score)) for grid, score in zip(grids, scores, strict=True)]


def links(grid):
    return frozenset((int(i), int(j)) for i, j in np.argwhere(grid))


def check_score(p, answer, grammar=GRAMMAR):
    """The links must be those of a tree, and the score that of the tree."""
    found, score = answer
    expected = grammar.of_alignment(p.astype(float).tolist(), *p.shape, found)
    assert score == pytest.approx(expected, rel=1e-12, abs=1e-12)


def matrices(sources, targets, kinds=KINDS):
    def build(seed, rows, columns, kind):
        return random_matrix(np.random.default_rng(seed), rows, columns, kind)

    return st.builds(build, st.integers(0, 2**32 - 1), sources, targets, st.sampled_from(kinds))


grammars = st.builds(Grammar, st.sampled_from([1e-5, 1e-5, 1e-2, 0.3]), st.sampled_from([0.5, 0.5, 0.1, 1.0]))


@quick(250)
@given(matrices(st.integers(0, 5), st.integers(0, 5)), grammars)
def test_without_a_beam_the_tree_is_the_best(p, grammar):
    [answer] = parse([p], ItgLimits(UNLIMITED, *grammar))
    check_score(p, answer, grammar)
    assert answer[1] == pytest.approx(grammar.best_tree(p.astype(float).tolist(), *p.shape), rel=1e-9, abs=1e-9)


@quick(25)
@given(matrices(st.integers(0, 3), st.integers(0, 3)), grammars)
def test_the_best_tree_is_the_best_of_all_alignments(p, grammar):
    values = p.astype(float).tolist()
    best = max(grammar.of_alignment(values, *p.shape, found) for found in all_links(*p.shape))
    assert best == pytest.approx(grammar.best_tree(values, *p.shape), rel=1e-12, abs=1e-12)


@quick(50)
@given(matrices(st.integers(1, 12), st.integers(1, 12)), st.integers(1, 30), grammars)
def test_a_beam_gives_a_tree_that_is_no_better(p, beam, grammar):
    [answer] = parse([p], ItgLimits(beam, *grammar))
    check_score(p, answer, grammar)
    [(_, unlimited)] = parse([p], ItgLimits(UNLIMITED, *grammar))
    assert answer[1] <= unlimited + 1e-9


def test_only_permutations_that_nest_are_marked_whole():
    for order in permutations(range(4)):
        p = np.full((4, 4), 1e-9, np.float32)
        p[range(4), order] = 0.99
        [(found, _)] = parse([p])
        whole = frozenset(enumerate(order))
        assert (found == whole) == (order not in {(1, 3, 0, 2), (2, 0, 3, 1)})
        assert nests([range(j, j + 1) for j in order]) == (found == whole)
        assert found <= whole


def test_a_source_word_takes_target_words_with_a_gap():
    p = np.array([[0.4, 0.0, 0.4, 1e-9], [1e-9, 1e-9, 1e-9, 0.9]], np.float32)
    [(found, score)] = parse([p])
    assert found == {(0, 0), (0, 2), (1, 3)}
    assert score == pytest.approx(math.log(0.4 * 1e-5 * 0.4 * 0.9 * 0.5), rel=1e-6)


def test_a_link_less_likely_than_null_is_better_than_two_nulls():
    [(found, score)] = parse([np.array([[1e-7]], np.float32)])
    assert found == {(0, 0)}
    assert score == pytest.approx(math.log(1e-7), rel=1e-6)
    [(found, score)] = parse([np.array([[1e-11]], np.float32)])
    assert found == frozenset()
    assert score == pytest.approx(math.log(0.5 * 1e-5 * 1e-5), rel=1e-12)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (1, 1), (1, 7), (7, 1), (2, 9), (9, 2)])
def test_sides_may_be_empty_or_impossible(shape):
    for p in (np.zeros(shape, np.float32), np.full(shape, np.nan, np.float32)):
        [(found, score)] = parse([p])
        words = sum(shape)
        assert found == frozenset()
        assert score == pytest.approx(words * math.log(1e-5) + max(words - 1, 0) * math.log(0.5), rel=1e-12)


@quick(20)
@given(st.lists(matrices(st.integers(0, 9), st.integers(0, 9)), max_size=5), st.integers(1, 10))
def test_pairs_do_not_touch_each_other(pairs, beam):
    assert parse(pairs, ItgLimits(beam)) == [parse([pair], ItgLimits(beam))[0] for pair in pairs]


# The chart


def filled(p, beam, floor):
    """What words may gain, and the items (span and gain) of every cell."""
    gains = possible_gains(p, likeliest(p), LIMITS.null, LIMITS.phrasal)
    chart, candidates, halves = allocate(*(np.array([length], np.int32) for length in p.shape), beam)
    fill(gains, item_limit(*p.shape, beam), floor, chart, candidates, halves)
    cells = {}
    for end in range(1, p.shape[0] + 1):
        for begin in range(end):
            c = cell(begin, end)
            items = slice(int(chart.first[c]), int(chart.first[c + 1]))
            spans = zip(chart.begin[items].tolist(), chart.end[items].tolist(), strict=True)
            cells[begin, end] = dict(zip(spans, chart.gain[items].tolist(), strict=True))
    return gains, cells


def rules(gains, i):
    """The gain of each rule of a source word."""
    link = gains.link[i].tolist()
    found = {}
    for u in range(len(link)):
        for v in range(u, len(link)):
            if u == v:
                found[u, v + 1] = link[u] - gains.alone
            elif min(link[u], link[v]) >= gains.inner:
                found[u, v + 1] = sum(max(x, gains.inner) for x in link[u : v + 1]) - gains.alone
    return {span: gain for span, gain in found.items() if gain > -math.inf}


def joined(cells, begin, end):
    """The gain of each span that items of shorter source spans make."""
    found = dict(cells[begin, end - 1])
    pairs = [(span, gain) for span, gain in cells[begin + 1, end].items()]
    for middle in range(begin + 1, end):
        for (u, v), left in cells[begin, middle].items():
            for (x, y), right in cells[middle, end].items():
                if v <= x or y <= u:
                    pairs.append(((min(u, x), max(v, y)), left + right))
    for span, gain in pairs:
        found[span] = max(gain, found.get(span, -math.inf))
    return found


def promises(gains, begin, end, found):
    """The most that a tree with each of these items can gain."""
    outside = [i for i in range(len(gains.profit)) if not begin <= i < end]
    worth = []
    for j in range(gains.link.shape[1]):
        keenest = [float(gains.link[i, j] - gains.alone - gains.profit[i]) for i in outside]
        worth.append(max([gains.inner, *keenest]))
    profit = sum(float(gains.profit[i]) for i in outside)
    return {(u, v): gain + profit + sum(worth[:u] + worth[v:]) for (u, v), gain in found.items()}


@quick(60)
@given(matrices(st.integers(1, 7), st.integers(1, 7)), st.integers(1, 12), st.floats(-100, 60))
def test_a_cell_keeps_the_most_promising_of_all_items(p, beam, floor):
    gains, cells = filled(p, beam, floor)
    for (begin, end), items in cells.items():
        possible = rules(gains, begin) if end - begin == 1 else joined(cells, begin, end)
        promised = promises(gains, begin, end, possible)
        order = sorted(possible, key=lambda span: (-promised[span], span))
        best = [span for span in order if promised[span] >= floor][:beam]
        assert items == {span: possible[span] for span in best}


@quick(40)
@given(matrices(st.integers(1, 6), st.integers(1, 6)), st.integers(1, 12))
def test_promises_are_kept_and_a_floor_takes_away_only_what_is_below_it(p, beam):
    gains, everything = filled(p, beam, -1e6)
    best = max([0.0, *everything[0, p.shape[0]].values()])
    for floor in (best, best - 1.0, best - 20.0):
        _, cells = filled(p, beam, floor)
        for (begin, end), items in everything.items():
            promised = promises(gains, begin, end, items)
            kept = {span: gain for span, gain in items.items() if promised[span] >= floor}
            assert cells[begin, end] == kept
    unlimited = max([0.0, *filled(p, UNLIMITED, -1e6)[1][0, p.shape[0]].values()])
    assert unlimited <= max(promises(gains, 0, 0, {(0, 0): 0.0}).values())


# Long pairs


def near_diagonal(rng, sources, targets):
    distance = np.arange(sources)[:, None] - np.arange(targets) * sources / targets
    p = np.exp(-3 * np.abs(distance)) * rng.random((sources, targets)) ** 2
    return (p / p.sum(0)).astype(np.float32)


@pytest.mark.skipif(INTERPRETED, reason="the interpreter is too slow for long pairs")
@pytest.mark.parametrize("shape", [(300, 300), (1, 5000), (5000, 2), (40, 2500)])
def test_long_pairs_are_parsed(shape):
    p = near_diagonal(np.random.default_rng(7), *shape)
    [answer] = parse([p])
    check_score(p, answer)
    assert len({j for _, j in answer[0]}) > 0.7 * min(shape)


@pytest.mark.parametrize("shape", [(300, 300), (2000, 2000), (4_000_000, 1), (1, 4_000_000), (40, 100_000)])
@pytest.mark.parametrize("beam", [1, 30, 1000, UNLIMITED])
def test_memory_is_bounded(shape, beam):
    chart, candidates, halves = allocate(*(np.array([length], np.int32) for length in shape), beam)
    arrays = [*chart[:-1], *candidates, *halves[0], *halves[1]]
    assert sum(array.nbytes for array in arrays) < 160e6


def test_the_beam_falls_as_sentences_grow():
    assert [item_limit(n, 50, 30) for n in (1, 40, 500, 600, 1000, 2000)] == [30, 30, 30, 22, 7, 1]
    assert item_limit(5, 1, 30) == 1
    assert item_limit(5, 4, 30) == 10
