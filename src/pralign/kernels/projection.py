"""Projecting posteriors onto constraints: emissions tilted by multipliers, and what the multipliers are worth.

The projection of ``p`` is ``q = p exp(-multipliers . features) / Z``, so it is the model itself with tilted emissions:
:func:`tilt` makes them, the model infers from them, and :func:`judge` says how the dual objective fares. How
multipliers move is the business of :mod:`pralign.kernels.ascent`.

Exchanging the two directions exchanges the positive and the negative parts of features on which they are to agree, and
the signs of their multipliers. Whatever combines such parts is exact, so that it does the same, but for the sign.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Float, Lattice, Long
from pralign.kernels.compile import exact_kernel, kernel
from pralign.kernels.stopping import stop_if_asked

Flags = NDArray[np.bool_]

LARGEST_EMISSION = np.float32(1e30)
SMALLEST_EMISSION = np.float32(1e-37)


class SolverSettings(NamedTuple):
    """What is wanted of a projection.

    ``mixture`` says how two directions go together: as halves of a mixture, or side by side. ``slack`` is the radius
    within which the constraints hold together, ``tolerance`` that of the residual, which is divided by the number of
    features if it is ``normalised``. With ``steps`` other than 0, multipliers take so many steps along the gradient,
    each as long as the gradient is, and that is all.
    """

    mixture: bool
    slack: float
    tolerance: float
    normalised: bool
    steps: int


class SolverState(NamedTuple):
    """Where each feature and each pair of a block is on its way.

    Of features: the multiplier being tried, the last accepted one and the plain step from there, and the expectations
    of the positive part, the negative part and the squares of its cells, and how far apart the two directions expect
    it. Of the last steps: how far the fixed point moved, and by how much the (weighted) step changed. Of pairs:
    everything else; ``share`` has a column for each direction.
    """

    multiplier: Double
    accepted: Double
    step: Float
    positive: Float
    negative: Float
    certain: Float
    between: Float
    moved: Float
    step_change: Float
    gram: Double
    dual: Double
    divergence: Double
    residual: Double
    share: Double
    stride: Double
    calls: Long
    remembered: Long
    plain: Flags
    converged: Flags


class Batch(NamedTuple):
    """What the model says of the pairs that are still under way, in one direction or in both.

    Their cells lie in ``link`` from ``cell_start`` on, those of the other direction in ``other_link``. ``origin`` says
    where the cells of each pair of the block lie in the whole block, and ``log_p`` what the model said of it before
    any tilt.
    """

    pairs: Long
    cell_start: Long
    link: Float
    other_link: Float
    origin: Long
    log_z: Double
    log_p: Double


class Judgement(NamedTuple):
    """What the multipliers being tried are worth."""

    dual: float
    divergence: float
    residual: float
    pull: float


@kernel
def select(lattice, pairs):
    """The lattice of some pairs of a block."""
    states = np.empty(pairs.size, np.int32)
    observed_start = np.zeros(pairs.size + 1, np.int64)
    cell_start = np.zeros(pairs.size + 1, np.int64)
    weight = np.empty(pairs.size)
    for a in range(pairs.size):
        k = pairs[a]
        states[a] = lattice.states[k]
        weight[a] = lattice.weight[k]
        observed_start[a + 1] = observed_start[a] + lattice.observed_start[k + 1] - lattice.observed_start[k]
        cell_start[a + 1] = cell_start[a] + lattice.cell_start[k + 1] - lattice.cell_start[k]
    emission = np.empty(cell_start[-1], np.float32)
    null = np.empty(observed_start[-1], np.float32)
    for a in range(pairs.size):
        k = pairs[a]
        emission[cell_start[a] : cell_start[a + 1]] = lattice.emission[
            lattice.cell_start[k] : lattice.cell_start[k + 1]
        ]
        offset = lattice.observed_start[k] - observed_start[a]
        for o in range(observed_start[a], observed_start[a + 1]):
            null[o] = lattice.null_emission[o + offset]
    return Lattice(emission, null, states, observed_start, cell_start, weight, ())


@exact_kernel
def tilt(features, multiplier, pairs, origin, emissions, cell_start):
    """Multiply the emissions of some pairs, each by ``exp(-multiplier . value)`` of the features it has.

    ``emissions`` holds arrays for one direction and the other; ``cell_start`` says where the cells of each pair begin
    in them, ``origin`` where those of each pair of the block began.
    """
    first, second = emissions
    for a in range(pairs.size):
        stop_if_asked()
        k = pairs[a]
        offset = cell_start[a] - origin[k]
        for f in range(features.first[k], features.first[k + 1]):
            if multiplier[f] == 0.0:
                continue
            # Not above one, whatever the sign, so that opposite multipliers of opposite values do the same.
            factor = np.exp(np.float32(-abs(multiplier[f])))
            for e in range(features.start[f], features.start[f + 1]):
                cell = np.int64(features.cell[e])
                value = features.value[e] if multiplier[f] > 0.0 else -features.value[e]
                if cell < features.cells:
                    raise_by(first, cell + offset, factor, value)
                else:
                    raise_by(second, cell - features.cells + offset, factor, value)


@exact_kernel
def raise_by(emission, cell, factor, value):
    """Multiply one emission by a power of a factor, staying within single precision."""
    if value == 1.0:
        power = factor
    elif value == -1.0:
        power = np.float32(1.0) / factor
    else:
        power = factor**value
    emission[cell] = min(max(emission[cell] * power, SMALLEST_EMISSION), LARGEST_EMISSION)


@exact_kernel
def log_partition(batch, a, k, mixture, share):
    """``log Z`` of a pair; for a mixture also the shares of the two directions, which are otherwise one each."""
    directions = batch.log_z.shape[0]
    if not mixture:
        total = 0.0
        for d in range(directions):
            total += batch.log_z[d, a] - batch.log_p[d, k]
        return total
    first = batch.log_z[0, a] - batch.log_p[0, k]
    second = batch.log_z[1, a] - batch.log_p[1, k]
    top = max(first, second)
    total = np.exp(first - top) + np.exp(second - top)
    share[0] = np.exp(first - top) / total
    share[1] = np.exp(second - top) / total
    return top + np.log(0.5 * total)


@exact_kernel
def expect(features, state, batch, a, k, share):
    """The expectations of the positive and of the negative part of each feature of a pair.

    The cells of the first direction come first. Each direction is summed by itself, so that it does not matter which.
    """
    offset = batch.cell_start[a] - batch.origin[k]
    nothing = np.float32(0.0)
    weight, other_weight = np.float32(share[0]), np.float32(share[1])
    for f in range(features.first[k], features.first[k + 1]):
        positive = negative = certain = total = nothing
        e, end = features.start[f], features.start[f + 1]
        while e < end and features.cell[e] < features.cells:
            value = features.value[e] * batch.link[np.int64(features.cell[e]) + offset]
            total += value
            value *= weight
            positive += max(value, nothing)
            negative -= min(value, nothing)
            certain += value * value
            e += 1
        other_positive = other_negative = other_certain = other_total = nothing
        while e < end:
            value = features.value[e] * batch.other_link[np.int64(features.cell[e]) - features.cells + offset]
            other_total += value
            value *= other_weight
            other_positive += max(value, nothing)
            other_negative -= min(value, nothing)
            other_certain += value * value
            e += 1
        state.positive[f] = positive + other_positive
        state.negative[f] = negative + other_negative
        state.certain[f] = certain + other_certain
        state.between[f] = total - other_total


@exact_kernel
def expected(state, f):
    """What is expected of a feature in all."""
    return np.float64(state.positive[f]) - state.negative[f]


@kernel
def judge(features, state, k, log_z, slack):
    """The dual value, the divergence, and the norm of the dual's gradient.

    At the origin, where slack makes a kink in the dual, it is the norm of the shortest subgradient.
    """
    square = 0.0
    for f in range(features.first[k], features.first[k + 1]):
        square += state.multiplier[f] * state.multiplier[f]
    length = np.sqrt(square)
    pull = slack / length if length > 0.0 else 0.0
    paid = 0.0
    bought = 0.0
    square = 0.0
    for f in range(features.first[k], features.first[k + 1]):
        multiplier = state.multiplier[f]
        total = expected(state, f)
        paid += multiplier * features.bound[f]
        bought += multiplier * total
        gradient = total - features.bound[f] - pull * multiplier
        if features.equal[f] or not (gradient <= 0.0 and multiplier <= 0.0):
            square += gradient * gradient
    residual = np.sqrt(square)
    if length == 0.0:
        residual = max(residual - slack, 0.0)
    return Judgement(-log_z - paid - slack * length, max(-log_z - bought, 0.0), residual, pull)
