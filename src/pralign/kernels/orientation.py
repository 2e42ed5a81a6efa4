"""Telling the two sides of a pair apart by what they hold."""

from pralign.kernels.compile import exact_kernel


@exact_kernel
def compare(ours, theirs, our_start, their_start, order):
    """Set the order of each pair that has none yet: 1 if the first of its numbers that differ is larger in ``ours``.

    It is -1 if that is larger in ``theirs``, and stays 0 if all are alike. Pairs without an order have as many numbers
    here as there.
    """
    for k in range(order.size):
        if order[k] == 0:
            offset = their_start[k] - our_start[k]
            for c in range(our_start[k], our_start[k + 1]):
                if ours[c] != theirs[c + offset]:
                    order[k] = 1 if ours[c] > theirs[c + offset] else -1
                    break
