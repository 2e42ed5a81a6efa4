"""More peaks than one: with one link held fast (pegged), climbing may end somewhere else."""

import numpy as np

from pralign.kernels.cepts import NOBODY, SIZES, STATE, exchange
from pralign.kernels.climbing import climb
from pralign.kernels.compile import kernel
from pralign.kernels.stopping import stop_if_asked

# Links are pegged that the neighbourhood of the peak gives at least exp(-7) of the peak's probability.
PEGGED = -7.0


@kernel
def pegged_peaks(cepts, sentence, tables, changes, found):
    """The alignment of ``cepts``, a peak, and those of the other peaks that its neighbours lead to, a row each."""
    observed = cepts[SIZES, 1]
    peaks = np.empty((8, observed), np.int32)
    peaks[0] = cepts[STATE, :observed]
    size = 1
    for c in range(found):
        if changes.word[c] < 0 or changes.other[c] >= 0 or changes.score[c] < PEGGED:
            continue
        other = cepts.copy()
        exchange(other, np.int64(changes.word[c]), np.int64(changes.state[c]), NOBODY)
        climb(other, sentence, tables, np.int64(changes.word[c]))
        peak = other[STATE, :observed]
        if not among(peak, peaks, size):
            if size == peaks.shape[0]:
                peaks = np.concatenate((peaks, np.empty_like(peaks)))
            peaks[size] = peak
            size += 1
    return peaks[:size]


@kernel
def among(peak, peaks, size):
    """Whether an alignment is one of the first ``size`` rows."""
    for row in range(size):
        same = True
        for j in range(peak.size):
            same = same and peak[j] == peaks[row, j]
        if same:
            return True
    return False


@kernel
def seen(path, word, state, other, earlier):
    """Whether a neighbour of an alignment (see :class:`~pralign.kernels.climbing.Changes`) is one of earlier ones too.

    ``word`` is -1 for the alignment itself. A neighbour of an earlier alignment differs from it in one word, or in two
    whose states are swapped.
    """
    old = path[word] if word >= 0 else -1
    for row in range(earlier.shape[0]):
        stop_if_asked()
        apart = 0
        first = second = -1
        for j in range(path.size):
            now = state if j == word else old if other >= 0 and j == other else path[j]
            if now != earlier[row, j]:
                apart += 1
                first, second = second, j
        if apart <= 1:
            return True
        if apart == 2:
            now_first = state if first == word else old if other >= 0 and first == other else path[first]
            now_second = state if second == word else old if other >= 0 and second == other else path[second]
            if now_first == earlier[row, second] and now_second == earlier[row, first]:
                return True
    return False
