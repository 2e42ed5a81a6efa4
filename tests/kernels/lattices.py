"""Small random blocks of pairs and parameters, each as the arrays of the kernels and as what the oracles read."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from oracles.naive_alignments import Choice, Jumps
from pralign.kernels.arrays import Lattice, Posterior
from pralign.kernels.hmm import JumpWeights
from pralign.models.base import CorpusSummary
from pralign.models.hmm import HMM
from pralign.models.jumps import FirstPositions
from pralign.models.jumps import Jumps as JumpPart
from pralign.models.null import Null

# Interpreted kernels are slower by orders of magnitude. Compiled ones may have to be compiled first, hence no deadline.
INTERPRETED = bool(numba.config.DISABLE_JIT)
# The same tests are run a second time, without the compiler or with every index checked; fewer examples do then.
HINDERED = INTERPRETED or bool(numba.config.BOUNDSCHECK)


def quick(examples: int) -> settings:
    return settings(deadline=None, max_examples=max(examples // 5, 5) if HINDERED else examples)


class Pair(NamedTuple):
    """``emission[j, i]`` and ``null[j]``, in the single precision in which the kernels read them."""

    emission: NDArray[np.float32]
    null: NDArray[np.float32]


Block = list[Pair]


def random_pair(rng: np.random.Generator, states: int, observed: int, orders: int) -> Pair:
    """Probabilities that span so many orders of magnitude; with 0, powers of two, so that scores tie exactly."""

    def draw(*shape: int) -> NDArray[np.float32]:
        values = 10.0 ** -(orders * rng.random(shape)) if orders else 2.0 ** -rng.integers(0, 2, shape)
        return values.astype(np.float32)

    return Pair(draw(observed, states), draw(observed))


def blocks(
    states: st.SearchStrategy[int], observed: st.SearchStrategy[int], pairs: int = 3
) -> st.SearchStrategy[Block]:
    """Blocks of pairs of different sizes."""

    def build(seed: int, sizes: list[tuple[int, int]], orders: int) -> Block:
        rng = np.random.default_rng(seed)
        return [random_pair(rng, *size, orders) for size in sizes]

    sizes = st.lists(st.tuples(states, observed), min_size=1, max_size=pairs)
    return st.builds(build, st.integers(0, 2**32 - 1), sizes, st.sampled_from([0, 1, 6, 30]))


def as_lattice(block: Block) -> Lattice:
    return Lattice(
        np.concatenate([pair.emission.ravel() for pair in block]),
        np.concatenate([pair.null for pair in block]),
        np.array([pair.emission.shape[1] for pair in block], np.int32),
        np.cumsum([0, *(pair.null.size for pair in block)]),
        np.cumsum([0, *(pair.emission.size for pair in block)]),
        np.ones(len(block)),
    )


class Answer(NamedTuple):
    """What a kernel says of one pair of a block."""

    link: NDArray[np.float32]
    null: NDArray[np.float32]
    log_likelihood: float
    choices: list[Choice]


def answers(lattice: Lattice, posterior: Posterior, states: NDArray[np.int32]) -> list[Answer]:
    """Cut the flat arrays of a block apart again, pair by pair."""
    found = []
    for k, width in enumerate(lattice.states):
        words = slice(lattice.observed_start[k], lattice.observed_start[k + 1])
        cells = slice(lattice.cell_start[k], lattice.cell_start[k + 1])
        choices = [None if i == -1 else int(i) for i in states[words]]
        link = posterior.link[cells].reshape(-1, width)
        found.append(Answer(link, posterior.null[words], float(posterior.log_likelihood[k]), choices))
    return found


def jump_weights(orders: float) -> st.SearchStrategy[Jumps]:
    """Weights that span so many orders of magnitude; far jumps are lightest (as in most texts), heaviest or neither."""

    def build(seed: int, null: float, far: str) -> Jumps:
        weights = 10.0 ** -(orders * np.random.default_rng(seed).random(19))
        if far != "any":
            place = int(weights[:12].argmin() if far == "lightest" else weights[:12].argmax())
            weights[[place, 11]] = weights[[11, place]]
        near = {distance: float(weights[distance + 5]) for distance in range(-5, 6)}
        return Jumps(near, float(weights[11]), weights[12:].tolist(), null)

    return st.builds(
        build,
        st.integers(0, 2**32 - 1),
        st.sampled_from([1e-6, 0.01, 0.2, 0.5, 0.9, 1 - 1e-6]),
        st.sampled_from(["any", "lightest", "heaviest"]),
    )


def as_weights(jumps: Jumps) -> JumpWeights:
    near = [jumps.near[distance] for distance in range(-5, 6)]
    return JumpWeights(np.array([*near, jumps.far]), np.array(jumps.first), np.array([jumps.null]))


def hmm_of(weights: JumpWeights, most_states: int) -> HMM:
    """The HMM with these weights."""
    return HMM(JumpPart(weights.jump), FirstPositions(weights.initial), Null(weights.null), most_states)


def summary_of(states: NDArray[np.int64], observed: NDArray[np.int64]) -> CorpusSummary:
    """What models are told of a text whose pairs have so many states and so many observed words."""
    longest = np.zeros(int(states.max(initial=0)) + 1, np.int64)
    np.maximum.at(longest, states, observed)
    return CorpusSummary(longest)
