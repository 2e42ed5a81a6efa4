"""The best split of rows, by trying all of them; and what a tree says of a row, by walking it."""

from __future__ import annotations


def best_gain(binned, slopes, rows, least, ridge):
    """The highest gain of any split of some rows that leaves enough of them on both sides."""

    def worth(chosen):
        gradient, curvature = (sum(float(slopes[k][part]) for k in chosen) for part in (0, 1))
        return gradient**2 / (curvature + ridge)

    best = 0.0
    for feature in range(len(binned[0])):
        for last in sorted({int(binned[k][feature]) for k in rows}):
            left = [k for k in rows if binned[k][feature] <= last]
            right = [k for k in rows if binned[k][feature] > last]
            if len(left) >= least and len(right) >= least:
                best = max(best, worth(left) + worth(right) - worth(rows))
    return best


def leaf_of(tree, row):
    node = 0
    while tree.feature[node] >= 0:
        node = int(tree.left[node] if row[tree.feature[node]] <= tree.bin[node] else tree.right[node])
    return node
