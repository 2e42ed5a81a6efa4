"""What the relatives of words have become: counts of classes of forms, and what they add to those of word pairs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Int, Long
from pralign.kernels.compile import kernel
from pralign.kernels.growing import longer, sort
from pralign.kernels.stopping import stop_if_asked
from pralign.kernels.units import UNIT, UNITS

# How many counts a class is drawn towards what wider classes say.
WIDER = 32.0
_WIDER_UNITS = WIDER * UNITS
# Fewer counts of two classes are not kept for words that are yet to come: an eighth of the prior of a single pair.
LEAST_KEPT = np.int64(UNITS / 8192)

# Counts that differ by less, in units, are the same.
_CLOSE = 0.01


class ClassCounts(NamedTuple):
    """How often words of two classes were linked; pairs of classes that never were are left out.

    The entries of target class ``first + r`` are ``row_start[r]`` to ``row_start[r + 1]``; each has a source class, in
    ascending order, and counts in units, forward and reverse.
    """

    row_start: Long
    source: Int
    units: Long
    first: int


class ClassTotals(NamedTuple):
    """The counts of each source class, forward, and of each target class, in reverse; in units."""

    source: Long
    target: Long


class Groups(NamedTuple):
    """Target words by their classes: ``word[start[g]:start[g + 1]]`` are those of class ``target[g]``."""

    target: Int
    start: Long
    word: Int


def group_words(classes: Int) -> Groups:
    """Words by their classes, classes in ascending order."""
    word = np.argsort(classes, kind="stable").astype(np.int32)
    target, start = np.unique(classes[word], return_index=True)
    return Groups(target.astype(np.int32), np.append(start, classes.size).astype(np.int64), word)


def rows_of(counts: ClassCounts, first: int, last: int) -> ClassCounts:
    """The counts of a range of target classes."""
    begin, end = counts.row_start[[first - counts.first, last - counts.first]]
    row_start = counts.row_start[first - counts.first : last - counts.first + 1] - begin
    return ClassCounts(row_start, counts.source[begin:end], counts.units[begin:end], first)


def renumbered_classes(counts: ClassCounts, source: Long, target: Long, source_classes: int) -> ClassCounts:
    """The counts of other classes: ``source`` and ``target`` say which of those that were counted they are, or -1."""
    rows = np.flatnonzero(target >= 0)
    begin, end = counts.row_start[target[rows]], counts.row_start[target[rows] + 1]
    sizes = end - begin
    entries = np.arange(sizes.sum()) + np.repeat(begin - np.cumsum(sizes) + sizes, sizes)
    new_source = np.full(source_classes, -1, np.int32)
    new_source[source[source >= 0]] = np.flatnonzero(source >= 0)
    sources, targets = new_source[counts.source[entries]], np.repeat(rows, sizes)
    kept = np.flatnonzero(sources >= 0)
    kept = kept[np.lexsort((sources[kept], targets[kept]))]
    row_start = np.zeros(target.size + 1, np.int64)
    np.cumsum(np.bincount(targets[kept], minlength=target.size), out=row_start[1:])
    units = np.rint(counts.units[entries[kept]]).astype(np.int64)
    return ClassCounts(row_start, sources[kept], units, 0)


def totals_by_class(classes: Int, units: Long, size: int) -> Long:
    """The sums of what is counted of words, by their classes."""
    totals = np.zeros(size, np.int64)
    np.add.at(totals, classes, units)
    return totals


def class_mass(classes: Int, totals: Long, wider: Double) -> Double:
    """What the shares of all classes of the other side add up to, for words of these classes; -1 is no class.

    ``wider`` is that of wider classes. It is almost one if a class was often seen, and nothing if none ever was.
    """
    counts = np.append(totals * UNIT, 0.0)[classes]
    return np.asarray((counts + WIDER * wider) / (counts + WIDER))


@kernel
def relatives_share(together, total, own, wider):
    """The share of one class in what another has become, without what the pair itself has added. Counts are in units.

    It is drawn towards the share ``wider``, that of the classes around the two, which is all there is to go by where
    the classes themselves were seldom seen.
    """
    return (max(together - own, 0) + _WIDER_UNITS * wider) / (max(total - own, 0) + _WIDER_UNITS)


@kernel
def sum_group(table, counts, of_source, words, sums):
    """Add the counts of the pairs of some target words to those of the classes of their source words."""
    for t in words:
        for slot in range(table.row_start[t], table.row_start[t + 1]):
            if counts[slot, 0] | counts[slot, 1]:
                c = of_source[table.source[slot]]
                sums[c, 0] += counts[slot, 0]
                sums[c, 1] += counts[slot, 1]


@kernel
def clear_group(table, counts, of_source, words, sums):
    """Set the sums that :func:`sum_group` has touched to zero again."""
    for t in words:
        for slot in range(table.row_start[t], table.row_start[t + 1]):
            if counts[slot, 0] | counts[slot, 1]:
                c = of_source[table.source[slot]]
                sums[c, 0] = 0
                sums[c, 1] = 0


@kernel
def refine_group(table, counts, of_source, words, known, share):
    """Refine the shares of the pairs of some target words; ``known`` are the sums and totals of their classes."""
    sums, of_sources, of_target = known
    for t in words:
        for slot in range(table.row_start[t], table.row_start[t + 1]):
            c = of_source[table.source[slot]]
            if sums[c, 0] | sums[c, 1] or share[slot, 0] > 0 or share[slot, 1] > 0:
                share[slot, 0] = relatives_share(sums[c, 0], of_sources[c], counts[slot, 0], share[slot, 0])
                share[slot, 1] = relatives_share(sums[c, 1], of_target, counts[slot, 1], share[slot, 1])


@kernel
def refine_shares(table, counts, of_source, groups, totals, share):
    """Refine shares, a row a slot, from those of wider classes, if all words of the target classes are in the table."""
    sums = np.zeros((totals.source.size, 2), np.int64)
    for g in range(groups.target.size):
        stop_if_asked()
        words = groups.word[groups.start[g] : groups.start[g + 1]]
        sum_group(table, counts, of_source, words, sums)
        known = (sums, totals.source, totals.target[groups.target[g]])
        refine_group(table, counts, of_source, words, known, share)
        clear_group(table, counts, of_source, words, sums)


@kernel
def refine_counted_shares(table, counts, of_source, groups, class_counts, totals, share):
    """The same for those of the target classes that ``class_counts`` has, which were counted elsewhere."""
    sums = np.zeros((totals.source.size, 2), np.int64)
    for g in range(groups.target.size):
        stop_if_asked()
        row = groups.target[g] - class_counts.first
        if row < 0 or row >= class_counts.row_start.size - 1:
            continue
        entries = range(class_counts.row_start[row], class_counts.row_start[row + 1])
        for e in entries:
            sums[class_counts.source[e], :] = class_counts.units[e]
        words = groups.word[groups.start[g] : groups.start[g + 1]]
        known = (sums, totals.source, totals.target[groups.target[g]])
        refine_group(table, counts, of_source, words, known, share)
        for e in entries:
            sums[class_counts.source[e], :] = 0


@kernel
def count_classes(table, counts, of_source, groups, sizes, least):
    """Sum the counts of word pairs by classes, where there are at least ``least`` units in a direction.

    ``sizes`` are how many source classes there are, the first target class, and how many follow.
    """
    sources, first, rows = sizes
    sums = np.zeros((sources, 2), np.int64)
    found = np.empty(sources, np.int32)
    row_start = np.zeros(rows + 1, np.int64)
    source = np.empty(1024, np.int32)
    units = np.empty(2048, np.int64)
    size = 0
    for g in range(groups.target.size):
        stop_if_asked()
        words = groups.word[groups.start[g] : groups.start[g + 1]]
        classes = 0
        for t in words:
            for slot in range(table.row_start[t], table.row_start[t + 1]):
                if counts[slot, 0] | counts[slot, 1]:
                    c = of_source[table.source[slot]]
                    if not sums[c, 0] | sums[c, 1]:
                        found[classes] = c
                        classes += 1
                    sums[c, 0] += counts[slot, 0]
                    sums[c, 1] += counts[slot, 1]
        source, units = longer(source, size + classes), longer(units, 2 * (size + classes))
        sort(found[:classes])
        for k in range(classes):
            c = found[k]
            if max(sums[c, 0], sums[c, 1]) >= least:
                source[size] = c
                units[2 * size] = sums[c, 0]
                units[2 * size + 1] = sums[c, 1]
                size += 1
            sums[c, :] = 0
        row_start[groups.target[g] - first + 1] = size
    for row in range(rows):  # classes without words here are empty rows
        row_start[row + 1] = max(row_start[row + 1], row_start[row])
    return ClassCounts(row_start, source[:size].copy(), units[: 2 * size].copy().reshape(size, 2), first)


@kernel
def find_class(class_counts, target, source):
    """Where the counts of two classes are, or -1."""
    row = target - class_counts.first
    low, high = class_counts.row_start[row], class_counts.row_start[row + 1]
    while low < high:
        middle = (low + high) >> 1
        if class_counts.source[middle] < source:
            low = middle + 1
        else:
            high = middle
    found = low < class_counts.row_start[row + 1] and class_counts.source[low] == source
    return low if found else np.int64(-1)


@kernel
def refine_pairs(pairs, classes, class_counts, totals, share):
    """The same for any pairs of words that were never seen together: two lists of words, and their classes.

    The class of words that have none here is -1.
    """
    sources, targets = pairs
    for n in range(sources.size):
        s, t = classes[0][sources[n]], classes[1][targets[n]]
        entry = find_class(class_counts, t, s) if s >= 0 and t >= 0 else np.int64(-1)
        of_classes = (totals.source[s] if s >= 0 else 0), (totals.target[t] if t >= 0 else 0)
        for direction in range(2):
            together = class_counts.units[entry, direction] if entry >= 0 else 0.0
            share[n, direction] = relatives_share(together, of_classes[direction], 0.0, share[n, direction])


@kernel
def find_entries(pairs, classes, class_counts, totals, together, of_classes):
    """For pairs as :func:`refine_pairs` takes them, the counts of their classes together, and of each in all."""
    sources, targets = pairs
    for n in range(sources.size):
        s, t = classes[0][sources[n]], classes[1][targets[n]]
        entry = find_class(class_counts, t, s) if s >= 0 and t >= 0 else np.int64(-1)
        of_classes[n, 0] = totals.source[s] if s >= 0 else 0
        of_classes[n, 1] = totals.target[t] if t >= 0 else 0
        for direction in range(2):
            together[n, direction] = class_counts.units[entry, direction] if entry >= 0 else 0.0


@kernel
def nested_share(together, of_classes, n, direction, count):
    """The share that the widest to the narrowest classes of a pair say, if so much of it is the pair's own count."""
    share = 0.0
    for level in range(together.shape[0]):
        share = relatives_share(together[level, n, direction], of_classes[level, n, direction], count, share)
    return share


@kernel
def without_shares(raised, together, of_classes, strength):
    """Take what relatives have added out of counts in units, in place; the others have a row for each level.

    What they have added depends on the count itself: the higher it is, the less. But the sum of both rises with the
    count, unless relatives are worth too much, so the count is found by halving the range that it lies in.
    """
    added = strength * UNITS
    for n in range(raised.shape[0]):
        stop_if_asked()
        for direction in range(2):
            goal = raised[n, direction]
            low, high = 0.0, max(goal - added * nested_share(together, of_classes, n, direction, 0.0), 0.0)
            if high > _CLOSE:  # relatives add less to a count than to none, so it may be higher
                high = goal
            while high - low > _CLOSE:
                middle = (low + high) / 2
                if not low < middle < high:  # numbers so large have none between
                    break
                if middle + added * nested_share(together, of_classes, n, direction, middle) < goal:
                    low = middle
                else:
                    high = middle
            raised[n, direction] = (low + high) / 2 if high > _CLOSE else 0.0


def joined_classes(parts: list[ClassCounts]) -> ClassCounts:
    """The counts of neighbouring target classes, in their order, as one."""
    sizes = np.concatenate([np.diff(part.row_start) for part in parts])
    return ClassCounts(
        np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]),
        np.concatenate([part.source for part in parts]),
        np.concatenate([part.units for part in parts]),
        parts[0].first,
    )


def merged_classes(parts: list[ClassCounts], sources: int) -> ClassCounts:
    """The sums of counts of the same target classes."""
    rows = parts[0].row_start.size - 1
    key = np.concatenate(
        [np.repeat(np.arange(rows), np.diff(part.row_start)) * sources + part.source for part in parts]
    )
    distinct, where = np.unique(key, return_inverse=True)
    units = np.zeros((distinct.size, 2), np.int64)
    np.add.at(units, where, np.concatenate([part.units for part in parts]))
    row_start = np.searchsorted(distinct, np.arange(rows + 1) * sources).astype(np.int64)
    return ClassCounts(row_start, (distinct % max(sources, 1)).astype(np.int32), units, parts[0].first)


def only_classes(counts: ClassCounts, sources: NDArray[np.bool_], targets: NDArray[np.bool_]) -> ClassCounts:
    """The counts of some classes, numbered as before; nothing is left of the others."""
    rows = counts.row_start.size - 1
    wanted = np.repeat(targets[counts.first : counts.first + rows], np.diff(counts.row_start))
    kept = wanted & sources[counts.source]
    row_start = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])[counts.row_start]
    return ClassCounts(row_start, counts.source[kept], counts.units[kept], counts.first)


def with_at_least(counts: ClassCounts, least: int) -> ClassCounts:
    """Without the pairs of classes that count less in both directions."""
    kept = counts.units.max(axis=1, initial=0) >= least
    row_start = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])[counts.row_start]
    return ClassCounts(row_start, counts.source[kept], counts.units[kept], counts.first)
