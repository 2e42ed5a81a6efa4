"""Numbers as text, written into an array of bytes: six digits, as C and C++ print them by default."""

import numpy as np

from pralign.kernels.compile import kernel
from pralign.kernels.units import UNIT

_ZERO, _DOT, _MINUS, _PLUS, _E = 48, 46, 45, 43, 101
_DIGITS = 6
#: No number takes more bytes than this.
LONGEST_NUMBER = 24


@kernel
def write_whole(text, at, value):
    """Write a whole number from zero up; returns where it ends."""
    size, rest = 1, value // 10
    while rest:
        size += 1
        rest //= 10
    for k in range(size - 1, -1, -1):
        text[at + k] = _ZERO + value % 10
        value //= 10
    return at + size


@kernel
def write_units(text, at, units):
    """Write a count in units: exactly if it is whole, otherwise by six digits; returns where it ends."""
    whole = units >> 24
    if whole << 24 == units:
        return write_whole(text, at, whole)
    return write_number(text, at, units * UNIT)


@kernel
def write_number(text, at, value):
    """Write a number from zero up by six digits; returns where it ends."""
    if value == 0.0:
        text[at] = _ZERO
        return at + 1
    exponent = np.int64(np.floor(np.log10(value)))
    digits = np.int64(np.rint(_shifted(value, _DIGITS - 1 - exponent)))
    if digits < 100_000:  # the logarithm was rounded up
        exponent -= 1
        digits = np.int64(np.rint(_shifted(value, _DIGITS - 1 - exponent)))
    if digits >= 1_000_000:
        exponent += 1
        digits = np.int64(np.rint(_shifted(value, _DIGITS - 1 - exponent)))
    size = _DIGITS
    while size > 1 and digits % 10 == 0:
        digits //= 10
        size -= 1
    if -5 < exponent < _DIGITS:
        return _write_plain(text, at, digits, size, exponent)
    return _write_scientific(text, at, digits, size, exponent)


@kernel
def _shifted(value, places):
    """A number times a power of ten, both of which may be beyond what one factor can be."""
    if places > 300:
        return value * 1e300 * 10.0 ** (places - 300)
    return value * 10.0**places if places >= 0 else value / 10.0**-places


@kernel
def _write_plain(text, at, digits, size, exponent):
    before = max(exponent + 1, 1)  # digits before the point
    leading = max(-exponent, 0)  # zeros before the first digit
    total = max(leading + size, before)
    for k in range(total):
        place = k - leading
        digit = (digits // 10 ** (size - 1 - place)) % 10 if 0 <= place < size else 0
        if k == before:
            text[at] = _DOT
            at += 1
        text[at] = _ZERO + digit
        at += 1
    return at


@kernel
def _write_scientific(text, at, digits, size, exponent):
    at = _write_plain(text, at, digits, size, 0)
    text[at] = _E
    text[at + 1] = _PLUS if exponent >= 0 else _MINUS
    at += 2
    if abs(exponent) < 10:
        text[at] = _ZERO
        at += 1
    return write_whole(text, at, abs(exponent))
