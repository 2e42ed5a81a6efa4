"""Random numbers that depend on nothing but what they are for.

A sample must not depend on how a text is cut or who works on it. So there is no generator that goes on from number to
number: each number is computed from the seed, the number of the pair, the direction and its place, by scrambling bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Long

Bits = NDArray[np.uint64]

# An odd number whose multiples are spread evenly over all 64-bit numbers: 2 to the 64th, divided by the golden ratio.
_STEP = np.uint64(0x9E3779B97F4A7C15)


def uniform_draws(seed: int, numbers: Long, direction: int, words: Long, n: int) -> Double:
    """Evenly distributed numbers from 0 up to 1, for each pair ``n`` times as many as it has words.

    Args:
        seed: A whole number from 0 up.
        numbers: The number of each pair in its text.
        direction: 0 or 1.
        words: How many words each pair has.
        n: How many numbers a word gets; the first of a pair do not depend on how many there are.

    Example:
        >>> numbers, words = np.array([7]), np.array([2])
        >>> uniform_draws(1, numbers, 0, words, 9)[:2] == uniform_draws(1, numbers, 0, words, 1)
        array([ True,  True])
    """
    keys = _scrambled(_scrambled(np.array([seed], np.uint64)) ^ (2 * numbers + direction).astype(np.uint64))
    sizes = n * words
    starts = np.cumsum(sizes) - sizes
    places = np.arange(int(sizes.sum())) - np.repeat(starts, sizes) + 1
    bits = _scrambled(np.repeat(keys, sizes) + places.astype(np.uint64) * _STEP)
    return np.asarray((bits >> np.uint64(11)) * 2.0**-53)


def _scrambled(bits: Bits) -> Bits:
    """Each number as another one, every bit of which depends on all of its bits (the finaliser of SplitMix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
