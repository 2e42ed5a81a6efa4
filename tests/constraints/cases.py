"""Small random blocks of pairs with a model, and what the oracle says of their projections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from kernels.hmms import as_model
from kernels.lattices import Pair, as_lattice, quick, random_pair
from oracles.naive_alignments import Alignment, Jumps, hmm_paths, independent_alignments
from oracles.naive_projection import Array, Projected, direction
from oracles.naive_projection import Direction as Listed
from oracles.naive_projection import Projection as Oracle
from pralign.constraints import Constraint, Feature
from pralign.constraints.base import Coupling
from pralign.constraints.projection import ShardWords, project
from pralign.constraints.solver import ProjectionOutcome
from pralign.kernels.arrays import Lattice, Texts
from pralign.models.base import DirectionalModel
from pralign.models.bidirectional import BidirectionalModel, Lattices
from pralign.models.ibm1 import IBM1
from pralign.models.ibm2 import IBM2
from pralign.text.shard import Block

MODELS = ["ibm1", "ibm2", "hmm"]
MOST = 3


def few(examples: int) -> settings:
    """The same examples every time: what single precision leaves of a projection is no matter of luck then."""
    return settings(quick(examples), derandomize=True)


class Explained(NamedTuple):
    """A directional model, with what the oracles need to know of its parameters."""

    model: DirectionalModel
    prior: Sequence[NDArray[np.float64]] | None = None
    jumps: Jumps | None = None

    def alignments(self, pair: Pair) -> Iterator[Alignment]:
        emission, null = pair.emission.astype(float).tolist(), pair.null.astype(float).tolist()
        states = len(emission[0])
        if self.jumps is not None:
            return hmm_paths(emission, null, self.jumps)
        if self.prior is not None:
            return independent_alignments(emission, null, self.prior[states].tolist())
        return independent_alignments(emission, null, [[1 / (states + 1)] * (states + 1)] * len(null))


def random_model(rng: np.random.Generator, name: str) -> Explained:
    if name == "ibm1":
        return Explained(IBM1())
    if name == "ibm2":
        prior = [rng.dirichlet(np.full(states + 1, 2.0), MOST if states else 0) for states in range(MOST + 1)]
        values = np.concatenate([rows.ravel() for rows in prior])
        return Explained(IBM2(np.cumsum([0, *(rows.size for rows in prior)]), values), prior=prior)
    weights = 10.0 ** -rng.random(19)
    near = {distance: float(weights[distance + 5]) for distance in range(-5, 6)}
    jumps = Jumps(near, float(weights[11]), weights[12:].tolist(), float(rng.choice([0.05, 0.2, 0.6])))
    return Explained(as_model(jumps, MOST), jumps=jumps)


class Case(NamedTuple):
    """A block: emissions of each pair, forward and in reverse, and a model for each direction."""

    pairs: list[tuple[Pair, Pair]]
    models: tuple[Explained, Explained]

    @property
    def model(self) -> BidirectionalModel:
        # Projections see nothing of the lexicon but the lattices.
        return BidirectionalModel(None, self.models[0].model, self.models[1].model)  # type: ignore[arg-type]

    @property
    def lattices(self) -> Lattices:
        return Lattices(as_lattice([one for one, _ in self.pairs]), as_lattice([other for _, other in self.pairs]))

    @property
    def block(self) -> Block:
        """The pairs as text in which no word occurs twice; lattices need no slots any more."""
        sides = []
        for side in (0, 1):
            start = np.cumsum([0, *(len(self.words(k)[side]) for k in range(len(self.pairs)))])
            sides += [np.arange(start[-1], dtype=np.int32), start]
        return Block(Texts(*sides), np.arange(len(self.pairs)), np.empty(0, np.int32))

    @property
    def shard_words(self) -> ShardWords:
        """The words of that text."""
        spelled = [self.words(k) for k in range(len(self.pairs))]
        return [word for source, _ in spelled for word in source], [word for _, target in spelled for word in target]

    def words(self, pair: int) -> tuple[list[str], list[str]]:
        """Words for a pair; the first source word says which it is."""
        target, source = self.pairs[pair][0].emission.shape
        return [f"{pair}", *(f"s{i}" for i in range(1, source))], [f"t{j}" for j in range(target)]

    def alone(self, pair: int) -> Case:
        return Case([self.pairs[pair]], self.models)

    def listed(self, pair: int) -> tuple[Listed, Listed]:
        """All alignments of a pair, forward and in reverse."""
        (one, other), (forward, reverse) = self.pairs[pair], self.models
        return (
            direction(forward.alignments(one), one.emission.shape[1], transposed=False),
            direction(reverse.alignments(other), other.emission.shape[1], transposed=True),
        )

    def project(self, constraint: Constraint) -> tuple[Lattices, ProjectionOutcome]:
        return project(constraint, self.model, self.block, self.lattices, self.shard_words)

    def oracles(self, constraint: Constraint, pair: int) -> list[Oracle]:
        """The projections of a pair: one, or one each way where they are apart."""
        forward, reverse = self.listed(pair)
        features = [stored(feature) for feature in constraint.features(*self.words(pair))]
        if constraint.coupling != "apart":
            return [Oracle(forward, reverse, features, constraint.slack, constraint.coupling == "mixture")]
        return [
            Oracle(forward, None, [feature for feature in features if feature.forward], constraint.slack),
            Oracle(None, reverse, [feature for feature in features if feature.reverse], constraint.slack),
        ]


def stored(feature: Feature) -> Feature:
    """With the values that the kernels see, in single precision."""

    def rounded(cells: Mapping[tuple[int, int], float]) -> dict[tuple[int, int], float]:
        return {cell: float(np.float32(value)) for cell, value in cells.items()}

    return replace(feature, forward=rounded(feature.forward), reverse=rounded(feature.reverse))


class Expected(NamedTuple):
    """What the oracle says of a pair; ``effort`` is how far from the model's own the projected posteriors are."""

    dual: float
    divergence: float
    links: list[Array]
    weights: list[float]
    effort: float


def expected(case: Case, constraint: Constraint, pair: int) -> Expected:
    found: list[Projected] = [oracle.solve() for oracle in case.oracles(constraint, pair)]
    mixture = constraint.coupling == "mixture"
    return Expected(
        sum(part.dual for part in found),
        sum(part.divergence for part in found),
        [links for part in found for links in part.links],
        [2 * share if mixture else 1.0 for part in found for share in part.shares],
        sum(float(np.abs(part.multiplier).sum()) for part in found),
    )


def cut(lattice: Lattice, pair: int) -> Pair:
    """The emissions of one pair of a block."""
    cells = slice(lattice.cell_start[pair], lattice.cell_start[pair + 1])
    words = slice(lattice.observed_start[pair], lattice.observed_start[pair + 1])
    return Pair(lattice.emission[cells].reshape(-1, lattice.states[pair]), lattice.null_emission[words])


def links(case: Case, lattices: Lattices) -> list[tuple[Array, Array]]:
    """The link posteriors that the models infer, for each pair by source and target position."""
    forward, reverse = (inference.posterior.link for inference in case.model.infer(lattices))
    start = lattices.forward.cell_start
    found = []
    for k, (one, _) in enumerate(case.pairs):
        target, source = one.emission.shape
        cells = slice(start[k], start[k + 1])
        found.append((forward[cells].reshape(target, source).T, reverse[cells].reshape(source, target)))
    return found


def tilted(case: Case, lattices: Lattices) -> Case:
    """The case that projected lattices make."""
    return Case([(cut(lattices.forward, k), cut(lattices.reverse, k)) for k in range(len(case.pairs))], case.models)


def distributions(case: Case, lattices: Lattices, constraint: Constraint, pair: int) -> list[list[Array]]:
    """The distributions over alignments that projected lattices stand for, for each of the projections of a pair."""
    forward, reverse = (np.exp(listed.log_p) for listed in tilted(case, lattices).listed(pair))
    if constraint.coupling == "apart":
        return [[forward], [reverse]]
    if constraint.coupling == "product":
        return [[forward, reverse]]
    weights = [float(lattices.forward.weight[pair]) / 2, float(lattices.reverse.weight[pair]) / 2]
    return [[np.concatenate([weights[0] * forward, weights[1] * reverse])]]


def random_case(seed: int, name: str, sizes: Sequence[tuple[int, int]], orders: int) -> Case:
    """Pairs of so many source and target words, whose emissions span so many orders of magnitude."""
    rng = np.random.default_rng(seed)
    models = random_model(rng, name), random_model(rng, name)
    return Case(
        [(random_pair(rng, *size, orders), random_pair(rng, *reversed(size), orders)) for size in sizes],
        models,
    )


def cases(name: str, pairs: int = 3) -> st.SearchStrategy[Case]:
    """Blocks of up to three pairs of up to three words.

    Emissions span up to two orders of magnitude. The tilted emissions are stored in single precision, which moves the
    dual by about 1e-7 for each unit of a multiplier. The more multipliers it takes, the likelier it is that the dual of
    a step that was taken came out too high by more than that of any later one can gain; a climb then stalls before it
    gets as close as is asked of it here, though closer than anyone needs.
    """
    size = st.tuples(st.integers(1, MOST), st.integers(1, MOST))
    return st.builds(
        random_case,
        st.integers(0, 2**32 - 1),
        st.just(name),
        st.lists(size, min_size=1, max_size=pairs),
        st.sampled_from([0, 1, 2]),
    )


@dataclass(frozen=True, kw_only=True)
class Custom(Constraint):
    """Any features, listed for each pair (its first source word is its number)."""

    name = "custom"

    given: tuple[tuple[Feature, ...], ...]

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        return self.given[int(source[0])]


@dataclass(frozen=True, kw_only=True)
class CustomMixture(Custom):
    coupling: ClassVar[Coupling] = "mixture"


@dataclass(frozen=True, kw_only=True)
class CustomProduct(Custom):
    coupling: ClassVar[Coupling] = "product"
