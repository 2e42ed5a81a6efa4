"""A classifier of links: a logistic regression and boosted decision trees, whose probabilities are averaged.

The regression says what holds everywhere and does well with few labels; trees find what features mean together, such as
that a frequent word beside one that is linked belongs to the same link.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double
from pralign.kernels.boosting import Tree, TreeTerms, add_values, grow_tree
from pralign.matching.scaling import standardising
from pralign.schema.arrays import Array, Facts, Schema, ascending, between, indices

TREES = 150
RATE = 0.06
TERMS = TreeTerms(leaves=12, least=20, ridge=5.0)
# Of the weights of standardised features in the regression.
_RIDGE = 10.0
_NEWTON_STEPS = 25
# Half of the edges are quantiles of all cells, half of linked ones, which are few.
_QUANTILES = 24
_NEVER = 1e-9
# Bins are numbered in a byte.
_MOST_EDGES = 255
# No weight, no log-odds and no gain is larger; sums of them are finite.
_MOST = 1e30


@dataclass(frozen=True)
class LinkClassifier:
    """Says how likely a link is, given the numbers of its cell.

    Attributes:
        mean: What is subtracted from the numbers for the regression.
        deviation: What they are then divided by.
        weights: The weights of the regression, and its offset.
        start: The log-odds that trees start from.
        edges: The upper ends of the bins of each number, padded with infinity, a row a number.
        trees: The nodes of all trees, one after the other.
        roots: Where each tree begins.
        gains: How much the trees have gained by asking for each number.
    """

    mean: Double
    deviation: Double
    weights: Double
    start: Double
    edges: Double
    trees: Tree
    roots: NDArray[np.int64]
    gains: Double

    @classmethod
    def fit(cls, numbers: Double, linked: NDArray[np.bool_], counted: NDArray[np.bool_]) -> LinkClassifier:
        """Learn from cells with their numbers, whether they are linked, and which count at all."""
        numbers, goal = numbers[counted], linked[counted].astype(np.float64)
        mean, deviation = numbers.mean(axis=0), numbers.std(axis=0)
        deviation = np.where(deviation > 0, deviation, 1.0)
        weights = _regression((numbers - mean) / deviation, goal)
        edges = _edges(numbers, goal > 0)
        binned = _binned(numbers, edges)
        share = np.clip(goal.mean(), _NEVER, 1 - _NEVER)
        start = np.array([np.log(share / (1 - share))])
        odds, gains = np.full(goal.size, start[0]), np.zeros(numbers.shape[1])
        trees = []
        for _ in range(TREES):
            probability = _probability(odds)
            slopes = np.column_stack([probability - goal, probability * (1 - probability)])
            trees.append(grow_tree(binned, slopes, edges.shape[1] + 1, TERMS, gains))
            add_values(trees[-1], binned, RATE, 0, odds)
        roots = np.cumsum([0, *(tree.value.size for tree in trees[:-1])])
        joined = Tree(*(np.concatenate(parts) for parts in zip(*trees, strict=True)))
        return cls(mean, deviation, weights, start, edges, joined, roots, gains)

    def probabilities(self, numbers: Double) -> Double:
        """How likely each cell is a link."""
        odds = np.full(numbers.shape[0], self.start[0])
        binned = _binned(numbers, self.edges)
        for root in self.roots.tolist():
            add_values(self.trees, binned, RATE, root, odds)
        linear = (numbers - self.mean) / self.deviation @ self.weights[:-1] + self.weights[-1]
        return np.asarray((_probability(odds) + _probability(linear)) / 2)

    def tensors(self) -> dict[str, NDArray[Any]]:
        """All of it, to be saved."""
        plain = {name: getattr(self, name) for name in _PLAIN}
        return {**plain, **{f"trees.{name}": array for name, array in self.trees._asdict().items()}}

    @classmethod
    def schema(cls) -> Schema:
        """What all of it must be like; there is a number for each feature."""
        finite, child = (between(-_MOST, _MOST),), (indices("nodes"), _is_child)
        return {
            **standardising(),
            "weights": Array("float64", ("numbers + 1",), finite),
            "start": Array("float64", (1,), finite),
            "edges": Array("float64", ("numbers", "edges"), (_has_bins,), infinite=True),
            "roots": Array("int64", ("trees",), (indices("nodes"), ascending(), _begins_with_a_root)),
            "gains": Array("float64", ("numbers",), (between(0.0, _MOST),)),
            "trees.feature": Array("int32", ("nodes",), (indices("numbers", least=-1),)),
            "trees.bin": Array("int32", ("nodes",), (indices(_MOST_EDGES + 1),)),
            "trees.left": Array("int32", ("nodes",), child),
            "trees.right": Array("int32", ("nodes",), child),
            "trees.value": Array("float64", ("nodes",), finite),
        }

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> LinkClassifier:
        """What was saved."""
        trees = Tree(*(tensors[f"trees.{name}"] for name in Tree._fields))
        return cls(trees=trees, **{name: tensors[name] for name in _PLAIN})


def _has_bins(edges: Double, facts: Facts) -> str | None:
    """The ends of bins never fall, and there are no more bins than a byte can number."""
    if edges.shape[1] > _MOST_EDGES or np.any(edges[:, 1:] < edges[:, :-1]):
        return "does not say where bins end, one after the other"
    return None


def _begins_with_a_root(roots: NDArray[np.int64], facts: Facts) -> str | None:
    if facts.sizes["nodes"] and (roots.size == 0 or roots[0] != 0):
        return "leaves out the first tree"
    return None


def _is_child(children: NDArray[np.int32], facts: Facts) -> str | None:
    """Nodes that ask something have children after them in the same tree, so that there is a way down from each."""
    roots, nodes = facts.arrays["roots"], np.arange(children.size)
    tree = np.searchsorted(roots, nodes, side="right") - 1
    place, size = nodes - roots[tree], np.append(roots[1:], children.size)[tree] - roots[tree]
    asks = facts.arrays["trees.feature"] >= 0
    if np.any(asks & ((children <= place) | (children >= size))):
        return "has children that do not come after their parents in the same tree"
    return None


_PLAIN = ("mean", "deviation", "weights", "start", "edges", "roots", "gains")


def _probability(odds: Double) -> Double:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(odds, -500, 500))))


def _regression(numbers: Double, goal: Double) -> Double:
    """The weights of a logistic regression with a quadratic penalty, and its offset, by Newton's method."""
    design = np.column_stack([numbers, np.ones(goal.size)])
    penalty = np.append(np.full(numbers.shape[1], _RIDGE), _NEVER)
    weights = np.zeros(design.shape[1])
    for _ in range(_NEWTON_STEPS):
        probability = _probability(design @ weights)
        gradient = design.T @ (probability - goal) + penalty * weights
        curvature = (design * (probability * (1 - probability))[:, None]).T @ design + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def _edges(numbers: Double, linked: NDArray[np.bool_]) -> Double:
    shares = np.linspace(0, 1, _QUANTILES + 1)[1:-1]
    columns = [
        np.unique(np.concatenate([np.quantile(column, shares), np.quantile(column[linked], shares)]))
        for column in numbers.T
    ]
    widest = max(column.size for column in columns)
    return np.array([np.append(column, np.full(widest - column.size, np.inf)) for column in columns])


def _binned(numbers: Double, edges: Double) -> NDArray[np.uint8]:
    columns = [np.searchsorted(ends, column) for ends, column in zip(edges, numbers.T, strict=True)]
    return np.ascontiguousarray(np.array(columns, np.uint8).T)
