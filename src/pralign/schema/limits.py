"""How large things can get, so that what is read is not taken for larger."""

from __future__ import annotations

#: Pairs with a longer side could not be counted in the numbers that a pair's own counts are kept in.
LONGEST = 30_000
#: More words or links than any text has: a billion pairs of 200 words. In units, they still fit 64 bits.
MOST_COUNTS = 2.0**38
#: What priors add to a count. More would drown any text, and far more would not fit the numbers that counts are in.
MOST_PRIOR = 1e9
MOST_RELATIVES = 1e6
