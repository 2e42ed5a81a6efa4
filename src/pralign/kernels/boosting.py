"""Decision trees that are grown leaf by leaf, each on what those before it have left unexplained."""

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Double, Int
from pralign.kernels.compile import kernel
from pralign.kernels.stopping import stop_if_asked

# Splits that gain less are not worth a leaf.
_LEAST_GAIN = 1e-6


class Tree(NamedTuple):
    """A node asks whether feature ``feature[u]`` lies in bin ``bin[u]`` or below: left if so; -1 is a leaf."""

    feature: Int
    bin: Int
    left: Int
    right: Int
    value: Double


class TreeTerms(NamedTuple):
    """How many leaves a tree has, how many rows a leaf at least, and what is added to what its value is divided by."""

    leaves: int
    least: int
    ridge: float


@kernel
def summed(binned, slopes, rows, bins):
    """For each feature and bin, the sums of gradients and curvatures of some rows, and how many rows there are."""
    features = binned.shape[1]
    sums = np.zeros((features, bins, 3))
    for k in rows:
        stop_if_asked()
        gradient, curvature = slopes[k, 0], slopes[k, 1]
        for f in range(features):
            b = binned[k, f]
            sums[f, b, 0] += gradient
            sums[f, b, 1] += curvature
            sums[f, b, 2] += 1.0
    return sums


@kernel
def best_split(sums, terms):
    """The gain, feature and bin of the best split of rows, given their sums."""
    features, bins = sums.shape[0], sums.shape[1]
    gradient = curvature = rows = 0.0
    for b in range(bins):
        gradient += sums[0, b, 0]
        curvature += sums[0, b, 1]
        rows += sums[0, b, 2]
    whole = gradient * gradient / (curvature + terms.ridge)
    best, best_feature, best_bin = _LEAST_GAIN, np.int64(-1), np.int64(0)
    for f in range(features):
        g = h = size = 0.0
        for b in range(bins - 1):
            g += sums[f, b, 0]
            h += sums[f, b, 1]
            size += sums[f, b, 2]
            if size >= terms.least and rows - size >= terms.least:
                gain = g * g / (h + terms.ridge) + (gradient - g) ** 2 / (curvature - h + terms.ridge) - whole
                if gain > best:
                    best, best_feature, best_bin = gain, f, b
    return np.array([best, best_feature, best_bin])


@kernel
def divide(binned, rows, feature, last_bin):
    """Put the rows that go left before the others, in place; returns how many do."""
    left, right = 0, rows.size - 1
    while left <= right:
        if binned[rows[left], feature] <= last_bin:
            left += 1
        else:
            rows[left], rows[right] = rows[right], rows[left]
            right -= 1
    return left


@kernel
def grow_tree(binned, slopes, bins, terms, gains):
    """A tree that lowers the loss; the leaf that gains most is split next. What features gain is added to ``gains``.

    Of the two parts of a leaf, only the smaller one is summed; the sums of the other are what is left of the leaf's.
    """
    size = 2 * terms.leaves - 1
    feature, last_bin = np.full(size, -1, np.int32), np.zeros(size, np.int32)
    left, right, value = np.zeros(size, np.int32), np.zeros(size, np.int32), np.zeros(size)
    rows = np.arange(binned.shape[0])
    begin, end = np.zeros(size, np.int64), np.zeros(size, np.int64)
    end[0] = rows.size
    sums = np.empty((size, binned.shape[1], bins, 3))
    sums[0] = summed(binned, slopes, rows, bins)
    split = np.zeros((size, 3))
    split[0] = best_split(sums[0], terms)
    nodes = 1
    while nodes < size:
        u = -1
        for other in range(nodes):
            if feature[other] < 0 and split[other, 1] >= 0 and (u < 0 or split[other, 0] > split[u, 0]):
                u = other
        if u < 0:
            break
        feature[u], last_bin[u] = np.int32(split[u, 1]), np.int32(split[u, 2])
        gains[feature[u]] += split[u, 0]
        middle = begin[u] + divide(binned, rows[begin[u] : end[u]], feature[u], last_bin[u])
        left[u], right[u] = nodes, nodes + 1
        begin[nodes], end[nodes], begin[nodes + 1], end[nodes + 1] = begin[u], middle, middle, end[u]
        smaller = nodes if middle - begin[u] <= end[u] - middle else nodes + 1
        larger = 2 * nodes + 1 - smaller
        sums[smaller] = summed(binned, slopes, rows[begin[smaller] : end[smaller]], bins)
        sums[larger] = sums[u] - sums[smaller]
        for child in (nodes, nodes + 1):
            split[child] = best_split(sums[child], terms)
        nodes += 2
    for u in range(nodes):
        if feature[u] < 0:
            gradient = curvature = 0.0
            for k in rows[begin[u] : end[u]]:
                gradient += slopes[k, 0]
                curvature += slopes[k, 1]
            value[u] = -gradient / (curvature + terms.ridge)
    return Tree(feature[:nodes], last_bin[:nodes], left[:nodes], right[:nodes], value[:nodes])


@kernel
def add_values(tree, binned, rate, first, out):
    """Add ``rate`` times what a tree says of each row to ``out``; its root is node ``first``."""
    for k in range(binned.shape[0]):
        u = first
        while tree.feature[u] >= 0:
            u = first + (tree.left[u] if binned[k, tree.feature[u]] <= tree.bin[u] else tree.right[u])
        out[k] += rate * tree.value[u]
