"""Exchanging the sides exchanges the directions of a projection, to the last bit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from constraints.cases import MODELS, MOST, Case, few, random_case
from kernels.lattices import Pair, quick
from pralign.constraints import ITG, Agreement, Bijective, Constraint, Feature, Symmetric, at_most, exactly
from pralign.constraints.base import Coupling
from pralign.constraints.itg import best_trees
from pralign.constraints.orientation import by_source
from pralign.kernels.arrays import Lattice
from pralign.models.bidirectional import Lattices


@dataclass(frozen=True, kw_only=True)
class Listed(Constraint):
    """Agreement and more, listed by source words: an order that depends on which side is called the source."""

    name = "listed"
    coupling: ClassVar[Coupling] = "product"

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
        yield from (exactly(0, forward={cell: 1}, reverse={cell: -1}) for cell in cells)
        yield at_most(1.5, forward=cells, reverse=cells)
        # Where a cell is in several features, products depend on their order.
        yield from (at_most(0.7, forward=[cell]) for cell in cells)
        yield from (at_most(0.7, reverse=[cell]) for cell in cells)


@dataclass(frozen=True, kw_only=True)
class Halves(Listed):
    coupling: ClassVar[Coupling] = "mixture"


@dataclass(frozen=True, kw_only=True)
class Apart(Constraint):
    """As Bijective, but words are listed from the last to the first."""

    name = "apart"

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        return reversed(list(Bijective().features(source, target)))


SHARING = [Listed, Halves]  # several of their features share a cell
ALONE = [Bijective, Symmetric, Agreement, ITG, Apart]
every_constraint = pytest.mark.parametrize("kind", [*ALONE, *SHARING])
every_model = pytest.mark.parametrize("name", MODELS)
SIZES = st.lists(st.tuples(st.integers(1, MOST), st.integers(1, MOST)), min_size=1, max_size=4)


def exchanged(case: Case) -> Case:
    return Case([(other, one) for one, other in case.pairs], (case.models[1], case.models[0]))


def mirrored(case: Case) -> Case:
    """Pairs that look the same from either side, as far as they have as many words on both; models stay different."""
    return case._replace(
        pairs=[(one, one if one.emission.shape == other.emission.shape else other) for one, other in case.pairs]
    )


def few_values(case: Case) -> Case:
    """Emissions of a few different values only, so that many are equal."""

    def rounded(pair: Pair) -> Pair:
        return Pair(*(np.exp2(np.rint(np.log2(part))).astype(np.float32) for part in pair))

    return case._replace(pairs=[(rounded(one), rounded(other)) for one, other in case.pairs])


def bits(lattice: Lattice) -> tuple[bytes, ...]:
    return lattice.emission.tobytes(), lattice.null_emission.tobytes(), lattice.weight.tobytes()


def assert_exchanged(case: Case, kind: type[Constraint]) -> None:
    """The projection of a block, of the exchanged block, and that they are the same but for the sides."""
    there, outcome = case.project(kind())
    back, other = exchanged(case).project(kind())
    assert bits(there.forward) == bits(back.reverse)
    assert bits(there.reverse) == bits(back.forward)
    for ours, theirs in zip(vars(outcome).values(), vars(other).values(), strict=True):
        assert ours.tobytes() == theirs.tobytes()


@every_constraint
@every_model
@few(8)
@given(seed=st.integers(0, 2**32 - 1), sizes=SIZES, orders=st.integers(0, 4))
def test_projections_exchange_their_directions(name, kind, seed, sizes, orders):
    case = random_case(seed, name, sizes, orders)
    forms = [case, few_values(case)]
    if kind in ALONE:
        forms += [mirrored(form) for form in forms]
    for form in forms:
        assert_exchanged(form, kind)


@every_constraint
@pytest.mark.parametrize("sizes", [[(9, 9), (17, 17)], [(21, 13), (13, 21), (40, 40)]])
def test_long_pairs_do_too(kind, sizes):
    # Long enough for loops that take several steps at a time, with some left over.
    assert_exchanged(random_case(1, "ibm1", sizes, 3), kind)
    if kind in ALONE:
        assert_exchanged(mirrored(random_case(2, "ibm1", sizes, 3)), kind)


@pytest.mark.parametrize("kind", ALONE)
@every_model
def test_a_pair_that_is_its_own_mirror_image_stays_so(name, kind):
    sizes = [(2, 2), (3, 3), (3, 3)] if name != "ibm1" else [(3, 3), (13, 13), (20, 20)]
    case = mirrored(random_case(5, name, sizes, 3))
    case = case._replace(models=(case.models[0], case.models[0]))
    projected, _ = case.project(kind())
    assert bits(projected.forward) == bits(projected.reverse)


# From which side to look


def test_the_shorter_side_leads():
    case = random_case(0, "ibm1", [(1, 3), (3, 1), (2, 3)], 1)
    assert by_source(case.lattices, case.model).tolist() == [True, False, True]


@every_model
@quick(20)
@given(seed=st.integers(0, 2**32 - 1), same=st.booleans())
def test_exchanged_sides_lead_the_other_way_round(name, seed, same):
    case = random_case(seed, name, [(2, 2), (3, 2), (3, 3), (1, 3)], 1)
    case = mirrored(case) if same else case
    there, back = (by_source(form.lattices, form.model) for form in (case, exchanged(case)))
    # With the same words and IBM 1, nothing tells one side from the other.
    told = [False, True, False, True] if same and name == "ibm1" else [True] * 4
    assert (there != back).tolist() == told


# Trees


def as_lattices(grids: Sequence[np.ndarray]) -> Lattices:
    """Lattices of which only the sizes matter."""
    sources, targets = (np.array(sizes, np.int32) for sizes in zip(*(grid.shape for grid in grids), strict=True))
    start = np.cumsum([0, *(grid.size for grid in grids)])
    none = np.empty(0, np.float32)
    return Lattices(*(Lattice(none, none, sizes, start, start, np.ones(len(grids))) for sizes in (sources, targets)))


def trees(grids: Sequence[np.ndarray]) -> list[np.ndarray]:
    marks = best_trees(np.concatenate([grid.ravel() for grid in grids]), as_lattices(grids))
    start = np.cumsum([grid.size for grid in grids])[:-1]
    return [part.reshape(grid.shape) for part, grid in zip(np.split(marks, start), grids, strict=True)]


def tied(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    return np.exp2(-rng.integers(0, 3, (height, width))).astype(np.float32)


@quick(60)
@given(st.integers(0, 2**32 - 1), st.lists(st.tuples(st.integers(1, 7), st.integers(1, 7)), min_size=1, max_size=4))
def test_trees_of_exchanged_sides_are_transposed(seed, sizes):
    rng = np.random.default_rng(seed)
    grids = [tied(rng, *size) for size in sizes]
    grids += [np.minimum(grid, grid.T) for grid in grids if grid.shape[0] == grid.shape[1]]
    transposed = trees([np.ascontiguousarray(grid.T) for grid in grids])
    for ours, theirs in zip(trees(grids), transposed, strict=True):
        np.testing.assert_array_equal(ours, theirs.T)


def test_of_equally_likely_trees_one_is_taken():
    # Two source words with the same two target words: crossed or not, it is as likely.
    grid = np.full((3, 3), 1e-9, np.float32)
    grid[:2, :2] = 0.5
    grid[2, 2] = 0.9
    grid[0, 2] = 1e-8
    [found] = trees([grid])
    assert found.sum() == 3
