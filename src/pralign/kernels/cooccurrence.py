"""How often words occur together, and the Dice coefficients of those that do so often enough.

Target words are visited one by one. A counter per source word takes in the sentences of the current target word, so
the work is linear in the number of cells, and memory in what is kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Float, Int, Long
from pralign.kernels.compile import kernel
from pralign.kernels.stopping import stop_if_asked


class DiceTable(NamedTuple):
    """Dice coefficients, sorted by target and then by source word.

    Those of target word ``t`` are ``row_start[t]`` to ``row_start[t + 1]``; pairs that are not there have none.
    """

    row_start: Long
    source: Int
    value: Float


@kernel
def dice_rows(texts, occurrences, source_counts, least, low, high):
    """The coefficients of at least ``least`` of the target words ``low`` to ``high``: ``(sizes, sources, values)``.

    Two words occur together as often in a pair of sentences as the rarer of them does there.
    """
    first, _, sentence = occurrences
    words = source_counts.size
    together = np.zeros(words, np.int64)
    here = np.zeros(words, np.int64)
    touched = np.empty(words, np.int64)
    sizes = np.zeros(high - low, np.int64)
    sources = np.empty(1024, np.int32)
    values = np.empty(1024, np.float32)
    size = 0
    for t in range(low, high):
        stop_if_asked()
        seen = 0
        k = first[t]
        while k < first[t + 1]:
            n = sentence[k]
            times = 0
            while k < first[t + 1] and sentence[k] == n:
                times += 1
                k += 1
            tokens = texts.source[texts.source_start[n] : texts.source_start[n + 1]]
            for s in tokens:
                if here[s] < times:
                    here[s] += 1
                    if together[s] == 0:
                        touched[seen] = s
                        seen += 1
                    together[s] += 1
            for s in tokens:
                here[s] = 0
        partners = np.sort(touched[:seen])
        while size + seen > sources.size:
            sources = np.concatenate((sources, np.empty_like(sources)))
            values = np.concatenate((values, np.empty_like(values)))
        before = size
        for s in partners:
            dice = 2.0 * together[s] / (source_counts[s] + first[t + 1] - first[t])
            together[s] = 0
            if dice >= least:
                sources[size] = s
                values[size] = dice
                size += 1
        sizes[t - low] = size - before
    return sizes, sources[:size].copy(), values[:size].copy()


@kernel
def look_up_dice(table, source, target, out):
    """Write the coefficient of each pair of words; words that are not in the table have none."""
    known = table.row_start.size - 1
    for c in range(source.size):
        out[c] = 0.0
        if target[c] >= known:
            continue
        low, high = table.row_start[target[c]], table.row_start[target[c] + 1]
        end = high
        while low < high:
            middle = (low + high) // 2
            if table.source[middle] < source[c]:
                low = middle + 1
            else:
                high = middle
        if low < end and table.source[low] == source[c]:
            out[c] = table.value[low]
