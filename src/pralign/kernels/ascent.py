"""How multipliers move uphill: all pairs of a block climb their dual objectives together.

The plain step asks each feature for the change that would satisfy it if nothing else changed (iterative scaling).
Anderson acceleration combines the last few steps. A step that lowers the dual is taken back and a plain one is tried,
shorter each time; since the plain step is an ascent direction, this cannot fail for ever. :func:`advance` does all that
and drops the pairs that have arrived. :func:`follow_gradient` is for those that cannot arrive.

With the sides of the text exchanged, multipliers of features on which directions are to agree change their signs, and
that is all: features keep their order, and steps are as large up as they may be down.
"""

from __future__ import annotations

import numpy as np

from pralign.kernels.cholesky import solve
from pralign.kernels.compile import exact_kernel, kernel
from pralign.kernels.projection import expect, expected, judge, log_partition
from pralign.kernels.stopping import stop_if_asked

MEMORY = 8
LARGEST_STEP = np.float32(3.0)
MOST_LENGTHENING = np.float32(6.0)
# The ratio of two expectations says nothing if both are less than this.
NEGLIGIBLE = np.float32(1e-10)
LEAST = np.float32(1e-30)
TWO = np.float32(2.0)
# The dual is a sum of logarithms of single-precision sums.
NOISE = 1e-7
# What moves weight from one half of a mixture to the other is added up in whole units: where the halves mirror each
# other, it has to be zero. The terms of 65,000 features fit 64 bits.
SHIFT_UNITS = 2.0**32
LARGEST_SHIFT = 2.0**14


@kernel
def advance(features, settings, state, batch):
    """Judge the multipliers that were tried, set the next ones, and return which of the pairs are to go on."""
    going = np.empty(batch.pairs.size, np.int64)
    left = 0
    share = np.ones(2)
    for a in range(batch.pairs.size):
        k = batch.pairs[a]
        now = assess(features, settings, state, batch, a, share)
        # Written so that a result that is not a number counts as worse.
        better = state.calls[k] == 1 or now.dual >= state.dual[k] - NOISE * (1.0 + abs(now.dual))
        if state.converged[k] or better:
            keep(state, k, now, share)
        if state.converged[k]:
            continue
        going[left] = a
        left += 1
        if better:
            step_on(features, state, k, settings, now, share)
        else:
            step_back(features, state, k)
    return going[:left]


@exact_kernel
def follow_gradient(features, settings, state, batch, moving):
    """Judge the multipliers that were tried, and move them by the gradient of the dual."""
    share = np.ones(2)
    for a in range(batch.pairs.size):
        k = batch.pairs[a]
        now = assess(features, settings, state, batch, a, share)
        keep(state, k, now, share)
        if moving:
            for f in range(features.first[k], features.first[k + 1]):
                gradient = expected(state, f) - features.bound[f]
                moved = state.multiplier[f] + gradient - now.pull * state.multiplier[f]
                state.multiplier[f] = moved if features.equal[f] else max(moved, 0.0)


@kernel
def assess(features, settings, state, batch, a, share):
    """Judge the multipliers of a pair, and whether it has arrived; ``share`` becomes the shares of the directions."""
    stop_if_asked()
    k = batch.pairs[a]
    log_z = log_partition(batch, a, k, settings.mixture, share)
    expect(features, state, batch, a, k, share)
    now = judge(features, state, k, log_z, settings.slack)
    size = features.first[k + 1] - features.first[k]
    state.calls[k] += 1
    state.converged[k] = now.residual <= settings.tolerance * (max(size, 1) if settings.normalised else 1)
    return now


@kernel
def keep(state, k, now, share):
    """Keep what the multipliers of a pair are worth."""
    state.dual[k] = now.dual
    state.divergence[k] = now.divergence
    state.residual[k] = now.residual
    state.share[k, 0] = share[0]
    state.share[k, 1] = share[1]


@exact_kernel
def scaling(positive, negative, bound, pull):
    """The change of a multiplier that would satisfy its feature if nothing else changed.

    It solves ``positive e^-d - negative e^d = bound`` for ``d``, whose exponential is a ratio of two numbers. Half its
    logarithm is an inverse hyperbolic tangent, for which a rational approximation is enough (and, unlike the
    logarithm itself, is done for several features at a time). Slack, which moves the bound by ``pull`` times the
    multiplier, shortens the change. With the two parts exchanged and the opposite bound, the change is the opposite.
    """
    root = np.sqrt(bound * bound + np.float32(4.0) * positive * negative)
    high = bound > 0.0 or (bound == 0.0 and positive > negative)
    above = TWO * positive if high else root - bound
    below = bound + root if high else TWO * negative
    x = (above - below) / (above + below + NEGLIGIBLE)
    square = x * x
    change = (
        TWO
        * x
        * (np.float32(105.0) - np.float32(55.0) * square)
        / (np.float32(105.0) - square * (np.float32(90.0) - np.float32(9.0) * square))
    )
    gap = positive - negative - bound
    shorter = change * abs(gap) / (abs(gap) + pull * abs(change) + LEAST)
    return min(max(shorter, -LARGEST_STEP), LARGEST_STEP)


@exact_kernel
def plain_step(features, state, k, pull, mixture, step):
    """Fill the plain step of each feature of a pair, from the multipliers being tried.

    The scaling step takes the expectation of a feature for its variance. For cells that are nearly certain this is
    too much and the step too short; in a mixture it is about right, as each feature changes its sign between halves.
    """
    first, last = features.first[k], features.first[k + 1]
    pulling = np.float32(pull)
    for f in range(first, last):
        scale = np.float32(features.scale[f])
        bound = np.float32(features.bound[f]) + pulling * np.float32(state.multiplier[f])
        positive, negative = state.positive[f], state.negative[f]
        change = scaling(positive, negative, bound, pulling / scale) / scale
        if not mixture:
            spread = positive + negative
            change *= min(spread / (max(spread - state.certain[f], np.float32(0.0)) + NEGLIGIBLE), MOST_LENGTHENING)
        lowest = -LARGEST_STEP if features.equal[f] else np.float32(-state.multiplier[f])
        step[f - first] = min(max(change, lowest), LARGEST_STEP)


@kernel
def pull_at_origin(features, state, k, settings, residual, share):
    """What slack will pull with once the multipliers have left the origin, where it makes a kink.

    Along the gradient the dual is a parabola, nearly, whose top says how far they will go.
    """
    square = 0.0
    bend = 0.0
    across = 0.0
    for f in range(features.first[k], features.first[k + 1]):
        gradient = expected(state, f) - features.bound[f]
        if features.equal[f] or gradient > 0.0:
            square += gradient * gradient
            bend += gradient * gradient * (state.positive[f] + state.negative[f])
            across += gradient * state.between[f]
    if settings.mixture:
        bend += share[0] * share[1] * across * across
    return settings.slack * bend / (square * residual)


@kernel
def step_on(features, state, k, settings, now, share):
    """Accept the multipliers of a pair and set the next: a plain step, or its combination with the last few."""
    first, last = features.first[k], features.first[k + 1]
    if state.plain[k]:
        state.stride[k] = max(min(1.0, 2.0 * state.stride[k]), state.stride[k])
    else:
        state.stride[k] = min(1.0, state.stride[k])
    step = np.empty(last - first, np.float32)
    pull = now.pull
    if settings.slack > 0.0 and pull == 0.0:
        pull = pull_at_origin(features, state, k, settings, now.residual, share)
    plain_step(features, state, k, pull, settings.mixture, step)
    if settings.mixture:
        rebalance(features, state, k, pull, share, step)
    weighted = np.empty(last - first, np.float32)
    remember(state, k, first, step, weighted)
    depth = min(state.remembered[k], MEMORY)
    state.plain[k] = depth == 0
    if depth == 0:
        follow(features, state, k)
    else:
        combine(features, state, k, depth, weighted)


@exact_kernel
def rebalance(features, state, k, pull, share, step):
    """Allow for the weight that a step would move from one half of a mixture to the other.

    Besides the spread of each feature, which the plain step knows, the curvature of a mixture's dual has one more
    part, of rank one: the halves differ in all features at once. Its effect on a Newton step has a closed form.
    Inequalities that are kept with room to spare take no part.
    """
    first = features.first[k]
    ratio = np.empty(step.size, np.float32)
    held = np.float32(pull) + NEGLIGIBLE
    for x in range(step.size):
        f = first + x
        idle = not features.equal[f] and state.multiplier[f] <= 0.0 and step[x] <= 0.0
        wide = state.positive[f] + state.negative[f] + held
        ratio[x] = np.float32(0.0) if idle else state.between[f] / wide
    along, width = shift(state.between[first : first + step.size], step, ratio)
    spread = share[0] * share[1]
    excess = np.float32(spread * along / (1.0 + spread * width))
    for x in range(step.size):
        f = first + x
        lowest = -LARGEST_STEP if features.equal[f] else np.float32(-state.multiplier[f])
        step[x] = min(max(step[x] - excess * ratio[x], lowest), LARGEST_STEP)


@kernel
def shift(between, step, ratio):
    """By how much a step would move weight between the halves, and by how much the ratio of each feature would."""
    along = np.int64(0)
    width = np.float32(0.0)
    for x in range(step.size):
        moved = np.float64(between[x]) * step[x]
        along += np.int64(np.rint(min(max(moved, -LARGEST_SHIFT), LARGEST_SHIFT) * SHIFT_UNITS))
    for x in range(step.size):
        width += between[x] * ratio[x]
    return along / SHIFT_UNITS, width


@exact_kernel
def remember(state, k, first, step, weighted):
    """Keep the plain step and how it and the multipliers have changed; weigh the step in the metric of combining.

    In that metric a feature counts by how much is expected of it.
    """
    slot = state.remembered[k] % MEMORY
    if state.calls[k] > 1:
        for x in range(step.size):
            f = first + x
            weight = np.sqrt(state.positive[f] + state.negative[f])
            change = step[x] - state.step[f]
            state.moved[slot, f] = np.float32(state.multiplier[f] - state.accepted[f]) + change
            state.step_change[slot, f] = weight * change
            weighted[x] = weight * step[x]
        state.remembered[k] += 1
    for x in range(step.size):
        state.accepted[first + x] = state.multiplier[first + x]
        state.step[first + x] = step[x]


@exact_kernel
def combine(features, state, k, depth, weighted):
    """Anderson acceleration: the combination of the last steps that would have left the least to do."""
    first, last = features.first[k], features.first[k + 1]
    newest = (state.remembered[k] - 1) % MEMORY
    right = np.empty(depth)
    for x in range(depth):
        changed = state.step_change[x, first:last]
        product = dot(changed, state.step_change[newest, first:last])
        state.gram[k, x, newest] = product
        state.gram[k, newest, x] = product
        right[x] = dot(changed, weighted)
    solve(state.gram, k, right)
    for f in range(first, last):
        weighted[f - first] = state.step[f]
    for x in range(depth):
        factor = np.float32(right[x])
        for f in range(first, last):
            weighted[f - first] -= factor * state.moved[x, f]
    for f in range(first, last):
        change = min(max(weighted[f - first], -LARGEST_STEP), LARGEST_STEP)
        state.multiplier[f] = state.accepted[f] + change
        if not features.equal[f]:
            state.multiplier[f] = max(state.multiplier[f], 0.0)


@kernel
def dot(one, other):
    """The inner product of two vectors, in double precision."""
    total = 0.0
    for x in range(one.size):
        total += np.float64(one[x]) * other[x]
    return total


@kernel
def step_back(features, state, k):
    """Forget the steps so far and go on from the last accepted multipliers by a plain step.

    It is a shorter one if a plain step has failed. If already the first combination after one has failed, the plain
    steps hardly change and have far to go in the same direction, and it is a longer one.
    """
    if state.plain[k]:
        state.stride[k] *= 0.5
    elif state.remembered[k] == 1:
        state.stride[k] *= 2.0
    state.plain[k] = True
    state.remembered[k] = 0
    follow(features, state, k)


@exact_kernel
def follow(features, state, k):
    """Set the next multipliers of a pair by its plain step, shortened or lengthened."""
    for f in range(features.first[k], features.first[k + 1]):
        state.multiplier[f] = state.accepted[f] + state.stride[k] * state.step[f]
        if not features.equal[f]:
            state.multiplier[f] = max(state.multiplier[f], 0.0)


@kernel
def give_up(features, state, pairs):
    """Return the pairs that have not arrived to the last multipliers they had accepted."""
    for k in pairs:
        for f in range(features.first[k], features.first[k + 1]):
            state.multiplier[f] = state.accepted[f]
