"""Phrase pairs under a model: which may be probable at all, and what the model sees if one has to be consistent.

A phrase pair is a box of cells. It is consistent if the words of its columns are explained by its rows or by null, all
other words by other rows or by null, and not all of its own by null. A model says how probable that is if the cells
that must not be used explain nothing: it is the share of the likelihood that is left.
"""

import numpy as np

from pralign.kernels.compile import kernel
from pralign.kernels.spans import Spans, room_for
from pralign.kernels.stopping import stop_if_asked


@kernel
def likely_boxes(cell_start, source_lengths, target_lengths, forward, reverse, most_words, least):
    """The phrase pairs that both directions together may expect at least ``least`` times, and a little more of them.

    Cells lie source word by source word. What a direction expects is at most what it expects of any single word: that
    it is explained from where it must be.
    """
    spans = Spans(
        np.empty(1024, np.int64),
        np.empty(1024, np.int32),
        np.empty(1024, np.int32),
        np.empty(1024, np.int32),
        np.empty(1024, np.int32),
    )
    count = 0
    for k in range(source_lengths.size):
        stop_if_asked()
        rows, columns = np.int64(source_lengths[k]), np.int64(target_lengths[k])
        cells = forward[cell_start[k] : cell_start[k + 1]].reshape(rows, columns)
        others = reverse[cell_start[k] : cell_start[k + 1]].reshape(rows, columns).T
        for low in range(rows):
            for high in range(low + 1, min(rows, low + most_words) + 1):
                for begin in range(columns):
                    for end in range(begin + 1, min(columns, begin + most_words) + 1):
                        bound = _bound(cells, low, high, begin, end) + _bound(others, begin, end, low, high)
                        if bound >= 2.0 * least - 1e-6 and bound > 0.0:
                            spans, _ = room_for(spans, spans.owner, count + 1)
                            spans.owner[count] = k
                            spans.source_begin[count], spans.source_end[count] = low, high
                            spans.target_begin[count], spans.target_end[count] = begin, end
                            count += 1
    return Spans(
        spans.owner[:count],
        spans.source_begin[:count],
        spans.source_end[:count],
        spans.target_begin[:count],
        spans.target_end[:count],
    )


@kernel
def _bound(cells, low, high, begin, end):
    """What a direction can expect of a box at most, from its posteriors: states are rows, observed words columns."""
    most, inside = 1.0, 0.0
    for j in range(cells.shape[1]):
        within, outside = 0.0, 0.0
        for i in range(low, high):
            within += cells[i, j]
        if begin <= j < end:
            for i in range(low):
                outside += cells[i, j]
            for i in range(high, cells.shape[0]):
                outside += cells[i, j]
            inside += within
            most = min(most, 1.0 - outside)
        else:
            most = min(most, 1.0 - within)
        if most <= 0.0:
            return 0.0
    return min(most, inside)


@kernel
def keep_boxes(lattice, boxes, nothing):
    """Let only those cells explain words that make a box consistent; with ``nothing``, no cell of the box itself.

    Pair ``k`` of the lattice has the box ``boxes[k]``: its first state and the one after its last, and the same for
    its observed words.
    """
    for k in range(lattice.states.size):
        states = np.int64(lattice.states[k])
        first = lattice.observed_start[k]
        for j in range(lattice.observed_start[k + 1] - first):
            inside = boxes[k, 2] <= j < boxes[k, 3]
            at = lattice.cell_start[k] + j * states
            for i in range(states):
                in_rows = boxes[k, 0] <= i < boxes[k, 1]
                if in_rows != inside or (inside and nothing):
                    lattice.emission[at + i] = 0.0


@kernel
def most_null(lattice, null, owners, boxes):
    """How probable it can be at most that no word of each box is explained by a state."""
    found = np.empty(owners.size)
    for k in range(owners.size):
        first = lattice.observed_start[owners[k]]
        least = 1.0
        for j in range(first + boxes[k, 2], first + boxes[k, 3]):
            least = min(least, null[j])
        found[k] = least
    return found
