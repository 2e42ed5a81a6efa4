"""How much two words look alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Int, Long
from pralign.kernels.compile import kernel
from pralign.kernels.growing import longer
from pralign.kernels.stopping import stop_if_asked

WORD = np.int8(0)
NUMBER = np.int8(1)
PUNCTUATION = np.int8(2)

# Shorter words look alike too often by chance.
_SHORTEST = 4
# Words with a smaller share of letters in common are not taken for relatives.
_LEAST_SHARE = 0.6
# What two different marks of punctuation are worth.
_BOTH_PUNCTUATION = np.float32(0.1)


class Spelling(NamedTuple):
    """The words of a vocabulary, letter by letter.

    ``letters`` of word ``w`` are those from ``start[w]`` to ``start[w + 1]``; ``mask`` has a bit for each letter of the
    word, some letters sharing one; ``kind`` says whether it is a word, a number or punctuation; ``same`` is the number
    of the same word in the other vocabulary, or -1.
    """

    letters: Int
    start: Long
    mask: NDArray[np.uint64]
    kind: NDArray[np.int8]
    same: Int


@kernel
def count_bits(mask):
    """How many bits are set."""
    count = 0
    while mask:
        mask &= mask - np.uint64(1)
        count += 1
    return count


@kernel
def common_letters(a, b, row):
    """The length of the longest common subsequence; ``row`` is working space for ``b.size + 1`` numbers."""
    row[: b.size + 1] = 0
    for i in range(a.size):
        diagonal = 0
        for j in range(b.size):
            above = row[j + 1]
            row[j + 1] = diagonal + 1 if a[i] == b[j] else max(above, row[j])
            diagonal = above
    return row[b.size]


@kernel
def share_of_letters(source, target, out):
    """For each pair of words, the length of their longest common subsequence as a share of the longer one.

    ``source`` and ``target`` hold the letters of all words, where those of each word begin, and the words to compare.
    """
    letters, start, words = source
    other_letters, other_start, other_words = target
    longest = 0
    for k in range(other_start.size - 1):
        longest = max(longest, other_start[k + 1] - other_start[k])
    row = np.empty(longest + 1, np.int64)
    for c in range(words.size):
        a = letters[start[words[c]] : start[words[c] + 1]]
        b = other_letters[other_start[other_words[c]] : other_start[other_words[c] + 1]]
        out[c] = common_letters(a, b, row) / max(a.size, b.size, 1)


@kernel
def likeness(source, target, s, t, row):
    """How much two words look alike, between 0 and 1; numbers have to be equal, punctuation only punctuation."""
    if source.same[s] == t:
        return np.float32(1.0)
    if source.kind[s] != target.kind[t] or source.kind[s] == NUMBER:
        return np.float32(0.0)
    if source.kind[s] == PUNCTUATION:
        return _BOTH_PUNCTUATION
    m, n = source.start[s + 1] - source.start[s], target.start[t + 1] - target.start[t]
    if min(m, n) < _SHORTEST or max(m, n) >= row.size:
        return np.float32(0.0)
    needed = _LEAST_SHARE * (m + n) / 2
    if min(m, n) < needed:
        return np.float32(0.0)
    only_source = count_bits(source.mask[s] & ~target.mask[t])
    only_target = count_bits(target.mask[t] & ~source.mask[s])
    if min(m - only_source, n - only_target) < needed:
        return np.float32(0.0)
    a = source.letters[source.start[s] : source.start[s + 1]]
    b = target.letters[target.start[t] : target.start[t + 1]]
    share = 2.0 * common_letters(a, b, row) / (m + n)
    return np.float32(max((share - _LEAST_SHARE) / (1.0 - _LEAST_SHARE), 0.0) ** 2)


@kernel
def alike(table, source, target, first_word):
    """The slots of all pairs of a table that look alike, and how much they do; its first target word is given."""
    row = np.empty(256, np.int64)
    slots = np.empty(1024, np.int64)
    values = np.empty(1024, np.float32)
    size = 0
    for t in range(table.row_start.size - 1):
        stop_if_asked()
        for slot in range(table.row_start[t], table.row_start[t + 1]):
            value = likeness(source, target, np.int64(table.source[slot]), first_word + t, row)
            if value > 0:
                slots, values = longer(slots, size + 1), longer(values, size + 1)
                slots[size] = slot
                values[size] = value
                size += 1
    return slots[:size], values[:size]


@kernel
def alike_pairs(pairs, source, target):
    """How much the words of each of some pairs look alike; ``pairs`` are two lists of words."""
    row = np.empty(256, np.int64)
    values = np.empty(pairs[0].size, np.float32)
    for n in range(values.size):
        stop_if_asked()
        values[n] = likeness(source, target, pairs[0][n], pairs[1][n], row)
    return values
