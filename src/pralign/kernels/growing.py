"""Lists of numbers inside kernels: arrays that grow, are copied in part, and are sorted.

What NumPy has for this is compiled anew for each kind of array, with all its checks and their messages, which takes
half a second each time.
"""

import numpy as np

from pralign.kernels.compile import kernel


@kernel
def longer(values, size):
    """The same array, or one with room for ``size`` values and as many again."""
    if size <= values.size:
        return values
    found = np.empty(2 * size, values.dtype)
    for i in range(values.size):
        found[i] = values[i]
    return found


@kernel
def gathered(values, places):
    """The values at some places."""
    found = np.empty(places.size, values.dtype)
    for i in range(places.size):
        found[i] = values[places[i]]
    return found


@kernel
def largest(values):
    """The largest of some numbers, or zero."""
    most = values.dtype.type(0)
    for i in range(values.size):
        most = max(most, values[i])
    return most


@kernel
def sort(values):
    """Sort in place, by heap."""
    for end in range(1, values.size):  # the children of i are 2 i + 1 and 2 i + 2, and none is larger
        child, value = end, values[end]
        while child and values[(child - 1) >> 1] < value:
            values[child] = values[(child - 1) >> 1]
            child = (child - 1) >> 1
        values[child] = value
    for end in range(values.size - 1, 0, -1):
        value = values[end]
        values[end] = values[0]
        place = 0
        while 2 * place + 1 < end:
            child = 2 * place + 1
            if child + 1 < end and values[child + 1] > values[child]:
                child += 1
            if values[child] <= value:
                break
            values[place] = values[child]
            place = child
        values[place] = value
