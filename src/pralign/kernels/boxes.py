"""Phrase pairs under a model: which may be probable at all, and what the model sees if one has to be consistent.

A phrase pair is a box of cells. It is consistent if the words of its columns are explained by its rows or by null, all
other words by other rows or by null, and not all of its own by null. A model says how probable that is if the cells
that must not be used explain nothing: it is the share of the likelihood that is left.
"""

import numpy as np

from pralign.kernels.compile import kernel
from pralign.kernels.spans import first_spans, room, room_for
from pralign.kernels.stopping import stop_if_asked


@kernel
def likely_boxes(cell_start, source_lengths, target_lengths, forward, reverse, most_words, least):
    """The phrase pairs that both directions together may expect at least ``least`` times, and a little more of them.

    Cells lie source word by source word. What a direction expects is at most what it expects of any single word: that
    it is explained from where it must be.
    """
    spans = room()
    count = 0
    for k in range(source_lengths.size):
        stop_if_asked()
        rows, columns = np.int64(source_lengths[k]), np.int64(target_lengths[k])
        cells = forward[cell_start[k] : cell_start[k + 1]].reshape(rows, columns)
        others = reverse[cell_start[k] : cell_start[k + 1]].reshape(rows, columns)
        by_rows, by_columns = _within(cells, most_words), _within(others.T, most_words)
        for low in range(rows):
            for high in range(low + 1, min(rows, low + most_words) + 1):
                shares = by_rows[high - low - 1, low]
                for begin in range(columns):
                    for end in range(begin + 1, min(columns, begin + most_words) + 1):
                        bound = _bound(shares, begin, end)
                        if bound + 1.0 >= 2.0 * least:
                            bound += _bound(by_columns[end - begin - 1, begin], low, high)
                        if bound >= 2.0 * least - 1e-6 and bound > 0.0:
                            spans, _ = room_for(spans, spans.owner, count + 1)
                            spans.owner[count] = k
                            spans.source_begin[count], spans.source_end[count] = low, high
                            spans.target_begin[count], spans.target_end[count] = begin, end
                            count += 1
    return first_spans(spans, count)


@kernel
def _within(cells, most_words):
    """For each range of states, by its size and its first state: three rows of numbers, one for each observed word.

    The first has how probable it is that the range explains the word, the second that another state does. The third
    and the fourth have how probable it is at most that the range explains none of the words before this one, and none
    from this one on.
    """
    states, observed = cells.shape
    found = np.ones((min(most_words, states), states, 4, observed + 1))
    total = np.zeros(observed)
    for i in range(states):
        for j in range(observed):
            total[j] += cells[i, j]
    for first in range(states):
        for size in range(min(most_words, states - first)):
            rows = found[size, first]
            for j in range(observed):
                rows[0, j] = cells[first + size, j] + (found[size - 1, first, 0, j] if size else 0.0)
                rows[1, j] = max(total[j] - rows[0, j], 0.0)
                rows[2, j + 1] = min(rows[2, j], 1.0 - rows[0, j])
            for j in range(observed - 1, -1, -1):
                rows[3, j] = min(rows[3, j + 1], 1.0 - rows[0, j])
    return found


@kernel
def _bound(shares, begin, end):
    """What a direction can expect of a box at most, from what :func:`_within` says of its states."""
    most, inside = min(shares[2, begin], shares[3, end]), 0.0
    for j in range(begin, end):
        inside += shares[0, j]
        most = min(most, 1.0 - shares[1, j])
    return max(min(most, inside), 0.0)


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
