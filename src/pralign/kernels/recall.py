"""Finding pairs that were trained on, and what they have added to the counts."""

import numpy as np

from pralign.kernels.arrays import Contributions
from pralign.kernels.compile import kernel

_SEED = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_SHIFT = np.uint64(31)
_BOUNDARY = np.uint64(0xFFFFFFFF)


@kernel
def mixed(state, word):
    """A number in which every bit depends on every bit of ``state`` and ``word``."""
    value = (state ^ word) + _SEED
    value = (value ^ (value >> _SHIFT)) * _FIRST
    value = (value ^ (value >> _SHIFT)) * _SECOND
    return value ^ (value >> _SHIFT)


@kernel
def fingerprints(texts, pairs):
    """A number for each pair that depends on all of its words; other pairs have other numbers, as good as surely."""
    prints = np.empty(pairs.size, np.uint64)
    for k in range(pairs.size):
        n = pairs[k]
        value = _SEED
        for o in range(texts.source_start[n], texts.source_start[n + 1]):
            value = mixed(value, np.uint64(texts.source[o]))
        value = mixed(value, _BOUNDARY)
        for o in range(texts.target_start[n], texts.target_start[n + 1]):
            value = mixed(value, np.uint64(texts.target[o]))
        prints[k] = value
    return prints


@kernel
def gather(kept, rows):
    """The contributions of some pairs; a row of -1 is a pair that has none."""
    starts = np.zeros((3, rows.size + 1), np.int64)
    for k in range(rows.size):
        row = rows[k]
        starts[:, k + 1] = starts[:, k]
        if row >= 0:
            starts[0, k + 1] += kept.start[row + 1] - kept.start[row]
            starts[1, k + 1] += kept.target_start[row + 1] - kept.target_start[row]
            starts[2, k + 1] += kept.source_start[row + 1] - kept.source_start[row]
    found = Contributions(
        starts[0].copy(),
        np.empty(starts[0, -1], np.int32),
        np.empty(starts[0, -1], np.uint16),
        np.empty(starts[0, -1], np.uint16),
        starts[1].copy(),
        np.empty(starts[1, -1], np.uint16),
        starts[2].copy(),
        np.empty(starts[2, -1], np.uint16),
        np.zeros((rows.size, kept.forward_own.shape[1]), np.float32),
        np.zeros((rows.size, kept.reverse_own.shape[1]), np.float32),
    )
    for k in range(rows.size):
        row = rows[k]
        if row >= 0:
            a, b = kept.start[row], kept.start[row + 1]
            found.cell[found.start[k] : found.start[k + 1]] = kept.cell[a:b]
            found.forward[found.start[k] : found.start[k + 1]] = kept.forward[a:b]
            found.reverse[found.start[k] : found.start[k + 1]] = kept.reverse[a:b]
            a, b = kept.target_start[row], kept.target_start[row + 1]
            found.null_target[found.target_start[k] : found.target_start[k + 1]] = kept.null_target[a:b]
            a, b = kept.source_start[row], kept.source_start[row + 1]
            found.null_source[found.source_start[k] : found.source_start[k + 1]] = kept.null_source[a:b]
            found.forward_own[k] = kept.forward_own[row]
            found.reverse_own[k] = kept.reverse_own[row]
    return found
