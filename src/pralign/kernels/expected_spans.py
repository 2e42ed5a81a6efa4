"""How probable it is that a phrase pair is consistent, if each link is there with a probability of its own.

No link may lead out of the phrase pair, and one at least has to be inside. Links are independent of each other, so the
first is a product over links that would lead out, and the second over those inside.
"""

import numpy as np

from pralign.kernels.compile import exact_kernel
from pralign.kernels.spans import first_spans, room, room_for
from pralign.kernels.stopping import stop_if_asked

_CERTAIN = 1.0 - 1e-12


@exact_kernel
def expected_spans(source_lengths, target_lengths, links, most_words, least):
    """The phrase pairs of some alignments that are expected at least ``least`` times, and how often."""
    spans = room()
    expected, count = np.empty(1024), 0
    for k in range(source_lengths.size):
        stop_if_asked()
        rows, columns = source_lengths[k], target_lengths[k]
        absent, certain, present = _sums(links, k, rows, columns)
        for begin in range(columns):
            for end in range(begin + 1, min(columns, begin + most_words) + 1):
                for low in range(rows):
                    for high in range(low + 1, min(rows, low + most_words) + 1):
                        value = _probability(absent, certain, present, low, high, begin, end)
                        if value >= least and value > 0.0:
                            spans, expected = room_for(spans, expected, count + 1)
                            spans.owner[count], expected[count] = k, value
                            spans.source_begin[count], spans.source_end[count] = low, high
                            spans.target_begin[count], spans.target_end[count] = begin, end
                            count += 1
    return first_spans(spans, count), expected[:count]


@exact_kernel
def _sums(links, number, rows, columns):
    """Sums over all cells before a place: of the logarithms of links not being there, and of links that surely are.

    The third are sums of links that may be there at all: the first, which are rounded, cannot tell.
    """
    absent, certain = np.zeros((rows + 1, columns + 1)), np.zeros((rows + 1, columns + 1), np.int32)
    present = np.zeros((rows + 1, columns + 1), np.int32)
    for link in range(links.start[number], links.start[number + 1]):
        i, j, score = links.source[link] + 1, links.target[link] + 1, links.score[link]
        present[i, j] += score > 0.0
        if score >= _CERTAIN:
            certain[i, j] += 1
        else:
            absent[i, j] += np.log1p(-score)
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            absent[i, j] += absent[i - 1, j] + absent[i, j - 1] - absent[i - 1, j - 1]
            certain[i, j] += certain[i - 1, j] + certain[i, j - 1] - certain[i - 1, j - 1]
            present[i, j] += present[i - 1, j] + present[i, j - 1] - present[i - 1, j - 1]
    return absent, certain, present


@exact_kernel
def _probability(absent, certain, present, low, high, begin, end):
    """The probability that what lies between two source and two target places is a phrase pair."""
    if _box(present, low, high, begin, end) == 0:
        return 0.0
    sure = _box(certain, low, high, begin, end)
    if _band(certain, low, high, begin, end) > 2 * sure:
        return 0.0
    inside = min(_box(absent, low, high, begin, end), 0.0)
    out = min(_band(absent, low, high, begin, end) - 2 * inside, 0.0)
    return np.exp(out) * (1.0 if sure else -np.expm1(inside))


@exact_kernel
def _box(sums, low, high, begin, end):
    return sums[high, end] - sums[low, end] - sums[high, begin] + sums[low, begin]


@exact_kernel
def _band(sums, low, high, begin, end):
    """The sum over the rows of a phrase pair and that over its columns."""
    rows, columns = sums.shape[0] - 1, sums.shape[1] - 1
    return _box(sums, low, high, 0, columns) + _box(sums, 0, rows, begin, end)
