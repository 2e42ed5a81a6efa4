"""How probable phrase pairs are under the hidden Markov model, all those of a pair of sentences together.

For a range of states, two passes are made over the words as if the range did not exist: one from the first word on, one
from the last. A phrase pair is what lies between: words that only the range explains, or null. So boxes with the same
states share all but a few steps.
"""

import numpy as np

from pralign.kernels.compile import kernel
from pralign.kernels.hmm import FAR, REACH, leaving, starting, weights_of
from pralign.kernels.stopping import stop_if_asked


@kernel
def hmm_boxes(lattice, rows, log_likelihood, owners, boxes, found):
    """Fill ``found`` with how probable boxes are, which come sorted by pair, by states and by observed words.

    Args:
        lattice: A block of pairs.
        rows: The weights of each pair, or one row for all.
        log_likelihood: That of each pair.
        owners: The pair that each box belongs to.
        boxes: The first state of each box and the one after its last, and the same for its observed words.
        found: One number a box.
    """
    first = 0
    while first < owners.size:
        stop_if_asked()
        last = first + 1
        while last < owners.size and owners[last] == owners[first] and _same_states(boxes, first, last):
            last += 1
        k = owners[first]
        states = np.int64(lattice.states[k])
        emission = lattice.emission[lattice.cell_start[k] : lattice.cell_start[k + 1]].reshape(-1, states)
        null = lattice.null_emission[lattice.observed_start[k] : lattice.observed_start[k + 1]]
        _boxes_of_states(emission, null, weights_of(rows, k), log_likelihood[k], boxes[first:last], found[first:last])
        first = last


@kernel
def _same_states(boxes, one, other):
    return boxes[one, 0] == boxes[other, 0] and boxes[one, 1] == boxes[other, 1]


@kernel
def _boxes_of_states(emission, null, weights, log_likelihood, boxes, found):
    """Fill in how probable boxes with the same states are."""
    observed, states = emission.shape
    low, high = boxes[0, 0], boxes[0, 1]
    p0 = weights.null[0]
    leave = np.empty(states)
    leaving(weights, leave)
    latest, earliest = 0, observed
    for k in range(boxes.shape[0]):
        latest, earliest = max(latest, boxes[k, 2]), min(earliest, boxes[k, 3])
    before, before_log = _before(emission, null, weights, leave, low, high, latest)
    after, after_log = _after(emission, null, weights, leave, low, high, earliest)
    here, unlinked = np.empty(states), np.empty(states)
    k = 0
    while k < boxes.shape[0]:
        begin = boxes[k, 2]
        here[:] = before[begin]
        unlinked[:] = before[begin]
        scale, j = before_log[begin], begin
        while k < boxes.shape[0] and boxes[k, 2] == begin:
            while j < boxes[k, 3]:
                _step(here, emission[j], p0 * null[j], weights, leave, low, high, True, j == 0)
                total = 0.0
                for i in range(states):
                    unlinked[i] *= p0 * null[j]
                    total += here[i]
                if total > 0.0:
                    for i in range(states):
                        here[i] /= total
                        unlinked[i] /= total
                    scale += np.log(total)
                j += 1
            value = 0.0
            for i in range(states):
                value += max(here[i] - unlinked[i], 0.0) * after[j, i]
            found[k] = value * np.exp(scale + after_log[j] - log_likelihood)
            k += 1


@kernel
def _before(emission, null, weights, leave, low, high, latest):
    """Where the position may be before each word up to a latest one, if the range has explained nothing so far."""
    states = leave.size
    before, logs = np.empty((latest + 1, states)), np.zeros(latest + 1)
    starting(weights, before[0])
    for j in range(latest):
        before[j + 1] = before[j]
        _step(before[j + 1], emission[j], weights.null[0] * null[j], weights, leave, low, high, False, j == 0)
        logs[j + 1] = logs[j] + _scaled(before[j + 1])
    return before, logs


@kernel
def _after(emission, null, weights, leave, low, high, earliest):
    """How probable the words from each place on are, by the position before, if the range explains none of them."""
    observed, states = emission.shape
    after, logs = np.ones((observed + 1, states)), np.zeros(observed + 1)
    explained = np.empty(states)
    for j in range(observed - 1, earliest - 1, -1):
        for i in range(states):
            explained[i] = 0.0 if low <= i < high else emission[j, i] * after[j + 1, i]
        left, right = _beyond(explained)
        for k in range(states):
            total = weights.jump[FAR] * (left[k] + right[k])
            for i in range(max(0, k - REACH), min(states, k + REACH + 1)):
                total += explained[i] * weights.jump[i - k + REACH]
            after[j, k] = leave[k] * total + weights.null[0] * null[j] * after[j + 1, k]
        logs[j] = logs[j + 1] + _scaled(after[j])
    return after, logs


@kernel
def _step(here, emission, null, weights, leave, low, high, inside, is_first):
    """Explain one more word, by the range (``inside``) or by all other states, or by null at the present position."""
    states = here.size
    outgoing = here * leave
    left, right = _beyond(outgoing)
    for i in range(states):
        value = 0.0
        if (low <= i < high) == inside:
            if is_first:
                value = here[i] * (1.0 - weights.null[0])
            else:
                value = weights.jump[FAR] * (left[i] + right[i])
                for other in range(max(0, i - REACH), min(states, i + REACH + 1)):
                    value += outgoing[other] * weights.jump[i - other + REACH]
        here[i] = value * emission[i] + here[i] * null


@kernel
def _beyond(values):
    """For each place, the sums of what lies out of reach before it and after it."""
    size = values.size
    left, right = np.zeros(size), np.zeros(size)
    for i in range(REACH + 1, size):
        left[i] = left[i - 1] + values[i - REACH - 1]
    for i in range(size - REACH - 2, -1, -1):
        right[i] = right[i + 1] + values[i + REACH + 1]
    return left, right


@kernel
def _scaled(values):
    """Make numbers sum to one; returns the logarithm of what they were divided by."""
    total = 0.0
    for value in values:
        total += value
    if total <= 0.0:
        return 0.0
    for i in range(values.size):
        values[i] /= total
    return np.log(total)
