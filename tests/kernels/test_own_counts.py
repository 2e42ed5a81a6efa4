"""What pairs keep of what they add to the counts, and finding pairs again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import quick
from pralign.kernels.arrays import Lattice, Texts
from pralign.kernels.own_counts import (
    OWN_UNIT,
    OwnCounts,
    cells_within,
    choose,
    collect,
    find_pairs,
    fingerprints,
    joined,
    no_own_counts,
    transposed,
)

UNIT = float(OWN_UNIT)


def starts(sizes):
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def bare(states, observed):
    """A lattice of pairs that have nothing but their sizes."""
    states, observed = np.atleast_1d(states), np.atleast_1d(observed)
    return Lattice(
        np.empty(0, np.float32),
        np.empty(int(observed.sum()), np.float32),
        states.astype(np.int32),
        starts(observed),
        starts(states * observed),
        np.ones(states.size),
    )


class Posteriors:
    """Random posteriors of pairs of so many source and target words; the higher ``flat``, the more alike."""

    def __init__(self, sizes, seed, flat=0.3):
        rng = np.random.default_rng(seed)
        self.sizes = sizes
        self.links, self.nulls, self.rows = [], [], []
        for states, observed in sizes:
            both = [rng.dirichlet(np.full(s + 1, flat), o) for s, o in ((states, observed), (observed, states))]
            self.links.append([part[:, 1:].astype(np.float32).ravel() for part in both])
            self.nulls.append([part[:, 0].astype(np.float32) for part in both])
            self.rows.append([rng.random(3, np.float32), rng.random(2, np.float32)])

    def collected(self, pairs):
        """The own counts of some pairs as one block."""
        states, observed = np.array([self.sizes[k] for k in pairs]).T

        def both(parts):
            return tuple(np.concatenate([parts[k][side] for k in pairs]) for side in (0, 1))

        rows = tuple(np.array([self.rows[k][side] for k in pairs]) for side in (0, 1))
        lattices = bare(states, observed), bare(observed, states)
        return collect(lattices, both(self.links), both(self.nulls), rows)


def same(one, other):
    return all(a.dtype == b.dtype and a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))


def parts(own, k):
    """What pair ``k`` has added."""
    found = [own.forward_rows[k], own.reverse_rows[k]]
    for start, names in (
        (own.start, ("cell", "forward", "reverse")),
        (own.target_start, ("null_target",)),
        (own.source_start, ("null_source",)),
    ):
        found += [getattr(own, name)[start[k] : start[k + 1]] for name in names]
    return [array.tolist() for array in found]


many_sizes = st.lists(st.tuples(st.integers(1, 25), st.integers(1, 25)), min_size=1, max_size=6)


@quick(60)
@given(many_sizes, st.integers(0, 2**32 - 1), st.sampled_from([0.02, 0.3, 5.0]), st.integers(1, 5))
def test_what_is_kept_of_a_pair_does_not_depend_on_its_company(sizes, seed, flat, at):
    posteriors = Posteriors(sizes, seed, flat)
    everything = list(range(len(sizes)))
    together = posteriors.collected(everything)
    alone = [posteriors.collected([k]) for k in everything]
    assert same(together, joined(alone))
    if everything[at:]:
        assert same(together, joined([posteriors.collected(everything[:at]), posteriors.collected(everything[at:])]))
    for k in everything:
        assert parts(together, k) == parts(alone[k], 0)


def test_of_flat_posteriors_only_the_likelier_are_kept_and_never_is_a_likely_one_dropped():
    rng = np.random.default_rng(3)
    for states, observed in ((40, 40), (12, 30), (3, 3)):
        shapes = (states, observed), (observed, states)
        lattices = tuple(bare(*shape) for shape in shapes)
        links = tuple(rng.dirichlet(np.full(s, 0.3), o).astype(np.float32).ravel() for s, o in shapes)
        nulls = np.zeros(observed, np.float32), np.zeros(states, np.float32)
        none = np.empty((1, 0), np.float32)
        kept = collect(lattices, links, nulls, (none, none))
        forward, reverse = links[0].reshape(observed, states), links[1].reshape(states, observed).T
        likeliest = np.maximum(forward, reverse)
        limits = [limit for limit in (0.01, 0.02, 0.04, 0.08) if (likeliest >= limit).sum() <= 2 * (states + observed)]
        limit = limits[0] if limits else 0.08
        assert kept.cell.tolist() == np.flatnonzero(likeliest >= np.float32(limit)).tolist()
        j, i = np.divmod(kept.cell, states)
        assert kept.forward * UNIT == pytest.approx(np.where(forward[j, i] >= limit, forward[j, i], 0), abs=UNIT)
        assert kept.reverse * UNIT == pytest.approx(np.where(reverse[j, i] >= limit, reverse[j, i], 0), abs=UNIT)


@quick(40)
@given(many_sizes, st.integers(0, 2**32 - 1))
def test_null_counts_and_rows_are_kept_as_they_are(sizes, seed):
    posteriors = Posteriors(sizes, seed)
    own = posteriors.collected(range(len(sizes)))
    for k in range(len(sizes)):
        forward_rows, reverse_rows, *_, null_target, null_source = parts(own, k)
        assert (forward_rows, reverse_rows) == tuple(row.tolist() for row in posteriors.rows[k])
        assert null_target == [int(value / UNIT + 0.5) for value in posteriors.nulls[k][0].astype(float)]
        assert null_source == [int(value / UNIT + 0.5) for value in posteriors.nulls[k][1].astype(float)]


@quick(40)
@given(many_sizes, st.integers(0, 2**32 - 1), st.data())
def test_pairs_are_chosen_in_any_order(sizes, seed, data):
    own = Posteriors(sizes, seed).collected(range(len(sizes)))
    rows = data.draw(st.lists(st.integers(-1, len(sizes) - 1), max_size=8))
    chosen = choose(own, np.array(rows, np.int64))
    nothing = [[0.0] * 3, [0.0] * 2, *([[]] * 5)]
    assert [parts(chosen, k) for k in range(len(rows))] == [parts(own, row) if row >= 0 else nothing for row in rows]
    assert chosen.start[-1] == chosen.cell.size
    assert same(choose(own, np.arange(len(sizes))), own)


@quick(40)
@given(many_sizes, st.integers(0, 2**32 - 1))
def test_the_other_direction_sees_the_same_links(sizes, seed):
    own = Posteriors(sizes, seed).collected(range(len(sizes)))
    states, observed = (np.array(side, np.int32) for side in zip(*sizes, strict=True))
    turned = transposed(own, states, observed)
    assert same(transposed(turned, observed, states), own)
    for k in range(len(sizes)):
        chosen = slice(own.start[k], own.start[k + 1])
        cells, turned_cells = own.cell[chosen], turned.cell[chosen]
        assert np.divmod(cells, states[k])[0].tolist() == (turned_cells % observed[k]).tolist()
        assert (cells % states[k]).tolist() == (turned_cells // observed[k]).tolist()
    assert turned.forward is own.reverse or turned.forward.tolist() == own.reverse.tolist()
    assert turned.null_target.tolist() == own.null_source.tolist()


def test_nothing_is_known_of_pairs_without_own_counts():
    nothing = no_own_counts(3)
    assert isinstance(nothing, OwnCounts)
    assert nothing.start.tolist() == nothing.target_start.tolist() == [0, 0, 0, 0]
    assert nothing.forward_rows.shape == (3, 0)


# Finding pairs again


def texts_of(pairs):
    source, target = ([side for pair in pairs for side in pair[place]] for place in (0, 1))
    return Texts(
        np.array(source, np.int32),
        starts([len(one) for one, _ in pairs]),
        np.array(target, np.int32),
        starts([len(other) for _, other in pairs]),
    )


def found_in(wanted, others, prints=None, places=None):
    texts = texts_of(others)
    if prints is None:
        prints = fingerprints(texts, np.arange(len(others)))
        places = np.argsort(prints, kind="stable")
        prints = prints[places]
    return find_pairs(texts_of(wanted), np.arange(len(wanted)), prints, places, texts).tolist()


OTHERS = [([1, 2], [3]), ([1], [2, 3]), ([2, 1], [3]), ([1, 2], [3, 3]), ([], [1, 2, 3])]


def test_pairs_are_found_by_their_words():
    assert found_in(OTHERS[::-1], OTHERS) == [4, 3, 2, 1, 0]
    assert found_in([([1, 2], [4]), ([1, 2, 3], []), ([3], [1, 2])], OTHERS) == [-1, -1, -1]
    assert found_in(OTHERS, [([1], [1])]) == [-1] * 5


def test_a_fingerprint_that_other_pairs_share_deceives_nobody():
    wanted = [OTHERS[3], ([7], [7])]
    print_of_first, print_of_second = fingerprints(texts_of(wanted), np.arange(2)).tolist()
    prints = np.full(len(OTHERS), print_of_first, np.uint64)  # as if all pairs had the same
    assert found_in(wanted, OTHERS, prints, np.arange(len(OTHERS))) == [3, -1]
    assert found_in(wanted, OTHERS, prints, np.arange(len(OTHERS))[::-1].copy()) == [3, -1]
    prints[:] = print_of_second
    assert found_in(wanted, OTHERS, prints, np.arange(len(OTHERS))) == [-1, -1]
    both = np.sort(np.array([print_of_first, print_of_first, print_of_second], np.uint64))
    for places in ([0, 1, 3], [3, 1, 0], [1, 3, 2]):
        at = places.index(3)
        expected = 3 if both[at] == print_of_first else -1
        assert found_in(wanted, OTHERS, both, np.array(places)) == [expected, -1]


def test_fingerprints_tell_sides_and_orders_apart():
    pairs = [*OTHERS, OTHERS[0]]
    prints = fingerprints(texts_of(pairs), np.arange(len(pairs)))
    assert len(set(prints.tolist())) == 5
    assert prints[0] == prints[5]


def test_cells_lie_in_their_pairs():
    start, source, target = np.array([0, 2, 2, 3]), np.array([0, 2, 3, 4]), np.array([0, 3, 4, 5])
    assert cells_within(np.array([0, 5, 0], np.int32), start, source, target)
    assert cells_within(np.empty(0, np.int32), np.zeros(4, np.int64), source, target)
    for cells in ([0, 6, 0], [-1, 0, 0], [0, 0, 1]):
        assert not cells_within(np.array(cells, np.int32), start, source, target)
