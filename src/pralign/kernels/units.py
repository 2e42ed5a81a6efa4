"""Counts as whole numbers, so that their sum does not depend on any order.

An expected count is rounded to a multiple of 2⁻²⁴ and kept as how many of these there are. A word pair, a jump or a
fertility is counted at most once a word: a billion sentence pairs of 200 words give at most 2³⁸ of them, which are 2⁶²
units and fit 64 bits. Posteriors are single precision, with 24 digits themselves, so rounding loses at most half of the
last digit of a certain link. A log-likelihood is at most 70 a word, hence 2⁴⁴ for a billion pairs: its unit is 2⁻¹⁸.
"""

import numpy as np

from pralign.kernels.arrays import Double, Long
from pralign.kernels.compile import kernel

#: How many units a count of one is, and what one unit counts.
UNITS = 2.0**24
UNIT = 2.0**-24
#: The same for logarithms of likelihoods.
LOG_UNITS = 2.0**18
LOG_UNIT = 2.0**-18


def as_counts(units: Long) -> Double:
    """Whole numbers of units as counts."""
    return np.asarray(units * UNIT)


@kernel
def to_units(count):
    """An expected count, of either sign, as a whole number of units."""
    return np.int64(np.rint(count * UNITS))
