"""Classes of words that are used alike, learned from text alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pralign.errors import UsageError
from pralign.kernels.classes import count_classes, list_neighbours, n_log_n_table, objective, sweep

DEFAULT_CLASSES = 50

# Measured on 5,000 to 50,000 lines of English, French, Czech and Japanese: settling the most frequent words first ends
# in better classes, in no more time, than sweeping over all words from the start.
FREQUENT = 2000
ENOUGH = 1e-5  # a sweep that gains less, relative to the objective, is the last
MOST_SWEEPS = 30

_TABLE = 1 << 18
_ROUNDING = 1e-12


def word_classes(
    tokens: NDArray[np.int32], starts: NDArray[np.int64], words: int, classes: int = DEFAULT_CLASSES
) -> NDArray[np.int32]:
    """Put words that have similar neighbours into the same class, by the exchange algorithm of Kneser and Ney.

    Words move between classes as long as that makes the text likelier under a bigram model over classes. Nothing is
    random: the same text has the same classes.

    Args:
        tokens: The words of all sentences as numbers, most frequent words first.
        starts: Where each sentence starts in ``tokens``, and where the last one ends.
        words: The size of the vocabulary. Words that do not occur are put somewhere.
        classes: How many classes there may be. As many as there are words, or more, give each word its own.

    Returns:
        The class of each word, counted from zero.

    Raises:
        UsageError: There would not be a single class.

    Example:
        >>> text = np.array([0, 2, 1, 0, 3, 1, 0, 2, 0, 3], np.int32)  # 2 and 3 are used alike
        >>> word_classes(text, np.array([0, 3, 6, 8, 10]), words=4, classes=3).tolist()
        [0, 1, 2, 2]
    """
    if classes < 1:
        raise UsageError(f"there must be at least 1 word class, not {classes}")
    if classes >= words:
        return np.arange(words, dtype=np.int32)
    class_of = first_classes(tokens, words, classes)
    if tokens.size:
        _exchange(tokens, starts, class_of, classes)
    return class_of[:-1]


def first_classes(tokens: NDArray[np.int32], words: int, classes: int) -> NDArray[np.int32]:
    """Cut the words, in the order of their numbers, into classes with about as many tokens each.

    The last element is the class of the sentence boundary, which is not one of those that words can have.
    """
    frequency = np.bincount(tokens, minlength=words)
    earlier = np.cumsum(frequency) - frequency
    share = np.minimum(earlier * classes // max(tokens.size, 1), classes - 1)
    return np.append(share, classes).astype(np.int32)


def _exchange(tokens: NDArray[np.int32], starts: NDArray[np.int64], class_of: NDArray[np.int32], classes: int) -> None:
    """Move words between classes, in place, until that gains hardly anything."""
    words = class_of.size - 1
    neighbours = list_neighbours(tokens, starts, words, 1), list_neighbours(tokens, starts, words, -1)
    counts = count_classes(neighbours, class_of, classes)
    table = n_log_n_table(min(tokens.size + 1, _TABLE))
    least = _ROUNDING * tokens.size * np.log(tokens.size + 1)
    for moving in sorted({min(FREQUENT, words), words}):
        for _ in range(MOST_SWEEPS):
            gain = sweep(neighbours, class_of, counts, moving, table, least)
            if gain <= ENOUGH * abs(objective(counts, table)):
                break
