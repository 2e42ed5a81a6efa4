"""Large-margin learning of link scores: what learners do for each labelled pair.

A score is a sum of weighted numbers and of the weights of kinds that a cell is of. The weights of numbers come first,
then those of kinds, and last the costs of further links of source and of target words, in which no cell has a part.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Double, Float, Int, LinkTerms, Point, Shapes
from pralign.kernels.assignment import assign
from pralign.kernels.compile import kernel
from pralign.kernels.polytope import project
from pralign.kernels.stopping import stop_if_asked

# What no reward outweighs.
FORBIDDEN = -1e9


class Examples(NamedTuple):
    """Labelled pairs: features a cell, what a link there would lose, and the links that are right.

    ``numbers`` and ``kinds`` have a row a cell; ``kinds`` holds the places of weights, or -1 for none, and ``scales``
    how much the weights of each of its columns count. ``loss`` is what a wrong link costs, below zero what a right one
    is worth, and :data:`FORBIDDEN` for links that may be made or left and so have no part in learning.
    """

    numbers: Float
    kinds: Int
    scales: Double
    loss: Double
    shapes: Shapes
    gold: Point


@kernel
def _grid(values, shapes, k):
    """The cells of a pair as a grid of source words × target words."""
    begin, end = shapes.cell_start[k], shapes.cell_start[k + 1]
    rows = shapes.source_start[k + 1] - shapes.source_start[k]
    columns = shapes.target_start[k + 1] - shapes.target_start[k]
    return values[begin:end].reshape((rows, columns))


@kernel
def _score(examples, weights, k, scores):
    """Write what the weights say of each cell of a pair."""
    cell = examples.shapes.cell_start[k]
    numbers, kinds, scales = examples.numbers, examples.kinds, examples.scales
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            total = 0.0
            for f in range(numbers.shape[1]):
                total += numbers[cell, f] * weights[f]
            for f in range(scales.size):
                if kinds[cell, f] >= 0:
                    total += scales[f] * weights[kinds[cell, f]]
            scores[i, j] = total
            cell += 1


@kernel
def _add_features(examples, cell, change, total):
    """Add the features of a cell, ``change`` times, to what weights are multiplied with."""
    for f in range(examples.numbers.shape[1]):
        total[f] += change * examples.numbers[cell, f]
    for f in range(examples.scales.size):
        if examples.kinds[cell, f] >= 0:
            total[examples.kinds[cell, f]] += change * examples.scales[f]


@kernel
def climb(examples, pairs, weights, step, most_extra, begin, end):
    """Move the links of some pairs, in ``begin``, a step up what they score and lose; write to ``end``.

    The result is the largest error of a projection back onto the matchings.
    """
    worst = 0.0
    count = weights.size - 2
    shapes = examples.shapes
    for k in pairs:
        stop_if_asked()
        loss = _grid(examples.loss, shapes, k)
        now = _grid(begin.cell, shapes, k)
        wanted = np.empty(now.shape)
        _score(examples, weights, k, wanted)
        for i in range(now.shape[0]):
            for j in range(now.shape[1]):
                wanted[i, j] = now[i, j] + step * (wanted[i, j] + loss[i, j])
        i, i_end = shapes.source_start[k], shapes.source_start[k + 1]
        j, j_end = shapes.target_start[k], shapes.target_start[k + 1]
        source = begin.source[i:i_end] - step * weights[count]
        target = begin.target[j:j_end] - step * weights[count + 1]
        after = _grid(end.cell, shapes, k)
        error = project(wanted, source, target, most_extra, after, end.source[i:i_end], end.target[j:j_end])
        worst = max(worst, error)
    return worst


@kernel
def difference(examples, pairs, weights, a, b):
    """What the features of some pairs add up to with the links ``a``, less that with the links ``b``; and its size.

    The size is the squared distance between the two.
    """
    shapes = examples.shapes
    count = weights - 2
    total = np.zeros(weights)
    distance = 0.0
    # Summed apart from the array: loops that also write are compiled twice, for arrays that are apart in memory and for
    # neighbours, and the two add up in different orders.
    source = target = 0.0
    for k in pairs:
        for cell in range(shapes.cell_start[k], shapes.cell_start[k + 1]):
            change = a.cell[cell] - b.cell[cell]
            if change != 0:
                distance += change * change
                _add_features(examples, cell, change, total)
        for i in range(shapes.source_start[k], shapes.source_start[k + 1]):
            change = a.source[i] - b.source[i]
            distance += change * change
            source += change
        for j in range(shapes.target_start[k], shapes.target_start[k + 1]):
            change = a.target[j] - b.target[j]
            distance += change * change
            target += change
    total[count] = -source
    total[count + 1] = -target
    return total, distance


@kernel
def worst_case(examples, pairs, weights, capacity):
    """The most that any links of some pairs score and lose together."""
    count = weights.size - 2
    terms = LinkTerms(capacity, weights[count], weights[count + 1])
    total = 0.0
    for k in pairs:
        stop_if_asked()
        loss = _grid(examples.loss, examples.shapes, k)
        scores = np.empty(loss.shape)
        _score(examples, weights, k, scores)
        for i in range(loss.shape[0]):
            for j in range(loss.shape[1]):
                scores[i, j] += loss[i, j]
        chosen = np.zeros(loss.shape, np.bool_)
        assign(scores, terms, chosen)
        total += value_of(scores, terms, chosen)
    return total


@kernel
def value_of(scores, terms, chosen):
    """What chosen links score, less what further links of a word cost."""
    rows, columns = scores.shape
    total = 0.0
    column_links = np.zeros(columns, np.int64)
    for i in range(rows):
        row_links = 0
        for j in range(columns):
            if chosen[i, j]:
                total += scores[i, j]
                total -= (terms.source_cost if row_links else 0.0) + (terms.target_cost if column_links[j] else 0.0)
                row_links += 1
                column_links[j] += 1
    return total


@kernel
def lost(examples, pairs, links):
    """What links lose, summed over some pairs."""
    total = 0.0
    for k in pairs:
        for cell in range(examples.shapes.cell_start[k], examples.shapes.cell_start[k + 1]):
            if links.cell[cell] > 0:
                total += examples.loss[cell] * links.cell[cell]
    return total


@kernel
def count_further_links(kept, shapes, source, target):
    """Write how many links each word has beyond its first."""
    for k in range(shapes.cell_start.size - 1):
        grid = _grid(kept, shapes, k)
        for i in range(grid.shape[0]):
            source[shapes.source_start[k] + i] = max(grid[i].sum() - 1, 0)
        for j in range(grid.shape[1]):
            target[shapes.target_start[k] + j] = max(grid[:, j].sum() - 1, 0)


@kernel
def decode(examples, pairs, weights, capacity, chosen):
    """Mark the best links of some pairs."""
    count = weights.size - 2
    terms = LinkTerms(capacity, weights[count], weights[count + 1])
    for k in pairs:
        stop_if_asked()
        marks = _grid(chosen, examples.shapes, k)
        scores = np.empty(marks.shape)
        _score(examples, weights, k, scores)
        assign(scores, terms, marks)


@kernel
def perceive(examples, pairs, weights, total, capacity):
    """Pass through some pairs as a perceptron does: the result is how many links were wrong.

    Where the best links are wrong, the weights move towards those that are right. ``total`` adds up the weights after
    each pair.
    """
    shapes = examples.shapes
    count = weights.size - 2
    mistakes = 0
    for k in pairs:
        stop_if_asked()
        loss = _grid(examples.loss, shapes, k)
        scores = np.empty(loss.shape)
        chosen = np.zeros(loss.shape, np.bool_)
        _score(examples, weights, k, scores)
        assign(scores, LinkTerms(capacity, weights[count], weights[count + 1]), chosen)
        gold = _grid(examples.gold.cell, shapes, k)
        row_links = np.zeros(loss.shape[0])
        column_links = np.zeros(loss.shape[1])
        for i in range(loss.shape[0]):
            for j in range(loss.shape[1]):
                if loss[i, j] == FORBIDDEN:
                    continue
                row_links[i] += chosen[i, j]
                column_links[j] += chosen[i, j]
                change = gold[i, j] - (1.0 if chosen[i, j] else 0.0)
                if change != 0:
                    mistakes += 1
                    cell = shapes.cell_start[k] + i * loss.shape[1] + j
                    _add_features(examples, cell, change, weights)
        for i in range(loss.shape[0]):
            weights[count] += max(row_links[i] - 1, 0.0) - examples.gold.source[shapes.source_start[k] + i]
        for j in range(loss.shape[1]):
            weights[count + 1] += max(column_links[j] - 1, 0.0) - examples.gold.target[shapes.target_start[k] + j]
        weights[count] = max(weights[count], 0.0)
        weights[count + 1] = max(weights[count + 1], 0.0)
        total += weights
    return mistakes
