"""Word classes by exchange: each word in turn goes to the class where the text is likeliest.

With a bigram model over classes, the logarithm of the likelihood of a text is, up to a constant,

    sum N(c, d) log N(c, d) - sum N(c) log N(c) - sum N(d) log N(d)

where ``N(c, d)`` counts how often a word of class ``c`` is followed by one of class ``d``. A boundary stands before
and after each sentence that has words. It is one more word, with the last number, and has the last class to itself.
Hence every word is as often the first of a pair as the second, and the two sums over single classes are the same.

A word is taken out of its class, and each class is asked what would be gained if it took the word in. That depends on
the word only through how often each class follows and precedes it, and most words have few classes around them.
"""

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Int, Long
from pralign.kernels.compile import kernel
from pralign.kernels.stopping import stop_if_asked


class Neighbours(NamedTuple):
    """The distinct words on one side of each word: those of word ``w`` are ``start[w]`` to ``start[w + 1]``."""

    start: Long
    word: Int
    times: Long


class ClassCounts(NamedTuple):
    """How often class ``d`` follows class ``c``, and how often each class occurs.

    Pairs are counted twice, as ``after[c, d]`` and ``before[d, c]``, so that a row of either lists all classes.
    """

    after: Long
    before: Long
    total: Long


class Surroundings(NamedTuple):
    """How often other words of each class follow and precede the word in hand, and how often it follows itself."""

    after: Long
    before: Long
    itself: int


@kernel
def n_log_n_table(size):
    """List ``n log n`` for all ``n`` below ``size``; it is zero for zero."""
    table = np.zeros(size)
    for n in range(2, size):
        table[n] = n * np.log(n)
    return table


@kernel
def n_log_n(table, n):
    """Look ``n log n`` up, or compute it where the table has ended."""
    return table[n] if n < table.size else n * np.log(n)


@kernel
def rise(table, present, more):
    """By how much ``n log n`` rises if ``more`` are added to those present."""
    return n_log_n(table, present + more) - n_log_n(table, present)


@kernel
def list_neighbours(tokens, start, words, step):
    """List the distinct words that follow each word (``step`` 1) or precede it (``step`` -1), with counts."""
    first = np.zeros(words + 1, np.int64)
    for token in tokens:
        first[token + 1] += 1
    for word in range(words):
        first[word + 1] += first[word]
    fill = first[:-1].copy()
    neighbour = np.empty(tokens.size, np.int32)
    for n in range(start.size - 1):
        for p in range(start[n], start[n + 1]):
            inside = start[n] <= p + step < start[n + 1]
            neighbour[fill[tokens[p]]] = tokens[p + step] if inside else words
            fill[tokens[p]] += 1
    return merge_equal(first, neighbour)


@kernel
def merge_equal(first, neighbour):
    """Count equal neighbours of a word, ``first[w]`` to ``first[w + 1]``, in place of listing each of them."""
    words = first.size - 1
    start = np.zeros(words + 1, np.int64)
    times = np.empty(neighbour.size, np.int64)
    place = np.full(words + 1, -1, np.int64)
    end = 0
    for word in range(words):
        start[word] = end
        for k in range(first[word], first[word + 1]):
            other = neighbour[k]
            if place[other] < start[word]:  # not met next to this word
                place[other] = end
                neighbour[end] = other
                times[end] = 0
                end += 1
            times[place[other]] += 1
    start[words] = end
    return Neighbours(start, neighbour[:end].copy(), times[:end].copy())


@kernel
def count_classes(neighbours, class_of, classes):
    """Count the pairs of classes that follow each other."""
    followers, leaders = neighbours
    boundary = class_of.size - 1
    after = np.zeros((classes + 1, classes + 1), np.int64)
    before = np.zeros((classes + 1, classes + 1), np.int64)
    total = np.zeros(classes + 1, np.int64)
    for word in range(boundary):
        for k in range(followers.start[word], followers.start[word + 1]):
            after[class_of[word], class_of[followers.word[k]]] += followers.times[k]
        for k in range(leaders.start[word], leaders.start[word + 1]):
            if leaders.word[k] == boundary:  # which has no list of followers of its own
                after[classes, class_of[word]] += leaders.times[k]
    for c in range(classes + 1):
        for d in range(classes + 1):
            before[d, c] = after[c, d]
            total[c] += after[c, d]
    return ClassCounts(after, before, total)


@kernel
def objective(counts, table):
    """The logarithm of the likelihood, up to a constant."""
    value = 0.0
    for c in range(counts.total.size):
        value -= 2.0 * n_log_n(table, counts.total[c])
        for d in range(counts.total.size):
            value += n_log_n(table, counts.after[c, d])
    return value


@kernel
def sweep(neighbours, class_of, counts, words, table, least):
    """Move each of the first ``words`` words, one after the other, to its best class; return what is gained.

    A class must be better by more than ``least``, lest rounding decide; of equals, the first is taken.
    """
    followers, leaders = neighbours
    classes = counts.total.size - 1
    after, before = np.zeros(classes + 1, np.int64), np.zeros(classes + 1, np.int64)
    gain = np.empty(classes)
    gained = 0.0
    for word in range(words):
        stop_if_asked()
        if followers.start[word] == followers.start[word + 1]:
            continue
        itself = count_around(followers, word, class_of, after)
        count_around(leaders, word, class_of, before)
        around = Surroundings(after, before, itself)
        old = class_of[word]
        add_word(counts, old, around, -1)
        insertion_gains(counts, around, table, gain)
        best = old
        for new in range(classes):
            if gain[new] > gain[best] + least:
                best = new
        add_word(counts, best, around, 1)
        class_of[word] = best
        gained += gain[best] - gain[old]
    return gained


@kernel
def count_around(neighbours, word, class_of, count):
    """Fill in how often other words of each class are next to ``word``; return how often the word itself is."""
    count[:] = 0
    itself = 0
    for k in range(neighbours.start[word], neighbours.start[word + 1]):
        other = neighbours.word[k]
        if other == word:
            itself = neighbours.times[k]
        else:
            count[class_of[other]] += neighbours.times[k]
    return itself


@kernel
def add_word(counts, c, around, sign):
    """Put the word in hand into class ``c``, or take it out if ``sign`` is -1."""
    for d in range(counts.total.size):
        counts.after[c, d] += sign * around.after[d]
        counts.before[d, c] += sign * around.after[d]
        counts.after[d, c] += sign * around.before[d]
        counts.before[c, d] += sign * around.before[d]
        counts.total[c] += sign * around.after[d]
    counts.after[c, c] += sign * around.itself
    counts.before[c, c] += sign * around.itself
    counts.total[c] += sign * around.itself


@kernel
def insertion_gains(counts, around, table, gain):
    """Fill in by how much the objective rises if the word in hand, which is in no class, enters each of them."""
    gain[:] = 0.0
    occurrences = around.itself
    for d in range(counts.total.size):
        occurrences += around.after[d]
        add_rises(counts.before[d], around.after[d], table, gain)
        add_rises(counts.after[d], around.before[d], table, gain)
    for c in range(gain.size):
        gain[c] -= 2.0 * rise(table, counts.total[c], occurrences)
        # Pairs within the class are a single count, which rises by all of these at once.
        present, after, before = counts.after[c, c], around.after[c], around.before[c]
        gain[c] -= rise(table, present, after) + rise(table, present, before)
        gain[c] += rise(table, present, after + before + around.itself)


@kernel
def add_rises(present, more, table, gain):
    """Add to each class's gain what it is worth that its count, one of those present, rises by ``more``."""
    if more > 0:
        for c in range(gain.size):
            gain[c] += rise(table, present[c], more)
