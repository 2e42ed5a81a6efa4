"""Small systems of linear equations."""

import numpy as np

from pralign.kernels.compile import kernel
from pralign.kernels.stopping import stop_if_asked


@kernel
def solve(matrices, k, right):
    """Solve the system of one of many small, positive semidefinite matrices in place, by Cholesky's method."""
    size = right.size
    ridge = 1e-20
    for x in range(size):
        ridge += 1e-10 * matrices[k, x, x]
    lower = np.zeros((size, size))
    for x in range(size):
        stop_if_asked()
        for y in range(x + 1):
            rest = matrices[k, x, y]
            for z in range(y):
                rest -= lower[x, z] * lower[y, z]
            lower[x, y] = np.sqrt(max(rest, 0.0) + ridge) if x == y else rest / lower[y, y]
    for x in range(size):
        known = 0.0
        for z in range(x):
            known += lower[x, z] * right[z]
        right[x] = (right[x] - known) / lower[x, x]
    for x in range(size - 1, -1, -1):
        known = 0.0
        for z in range(x + 1, size):
            known += lower[z, x] * right[z]
        right[x] = (right[x] - known) / lower[x, x]
