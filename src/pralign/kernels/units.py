"""Counts as whole numbers, so that their sum does not depend on any order.

An expected count is rounded to a multiple of 2⁻²⁴ and kept as how many of these there are. A word pair, a jump or a
fertility is counted at most once a word: a billion sentence pairs of 200 words give at most 2³⁸ of them, which are 2⁶²
units and fit 64 bits. Posteriors are single precision, with 24 digits themselves, so rounding loses at most half of the
last digit of a certain link. A log-likelihood is at most 70 a word, hence 2⁴⁴ for a billion pairs: its unit is 2⁻¹⁸.
"""

import numpy as np

from pralign.errors import InputError
from pralign.kernels.arrays import Double, Long
from pralign.kernels.compile import kernel
from pralign.schema.limits import MOST_COUNTS

#: How many units a count of one is, and what one unit counts.
UNITS = 2.0**24
UNIT = 2.0**-24
#: The same for logarithms of likelihoods.
LOG_UNITS = 2.0**18
LOG_UNIT = 2.0**-18
# Leaves room for the counts of a text itself.
_MOST_ADDED = MOST_COUNTS / 2


def as_counts(units: Long) -> Double:
    """Whole numbers of units as counts."""
    return np.asarray(units * UNIT)


def as_units(counts: Double) -> Long:
    """Counts that came from elsewhere as whole numbers of units.

    Raises:
        InputError: They add up to more than leaves room for the counts of a text.
    """
    if counts.size and not np.abs(counts).sum() <= _MOST_ADDED:
        raise InputError(
            "the counts of a prior or of an earlier model add up to more than can be counted; give smaller ones, or "
            "train the model again, if it was changed"
        )
    return np.rint(counts * UNITS).astype(np.int64)


@kernel
def to_units(count):
    """An expected count, of either sign, as a whole number of units."""
    return np.int64(np.rint(count * UNITS))
