"""What the words of a pair may gain by being linked, and how much a tree can gain in all.

Gains are logarithms, compared with leaving the words alone. An *auction* bounds their sum. Target words have prices,
and a source word's profit is what its best rule gains beyond the prices of the target words in it; whatever the prices,
no tree gains more than all prices and profits together. Source words that compete for a target word raise its price
until all of them have one of their own or give up, and then the bound is close to the best alignment in any order.

Gains are multiples of 2^-30. Sums of such numbers are exact in double precision whatever their order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Double
from pralign.kernels.compile import kernel
from pralign.kernels.stopping import stop_if_asked

NONE = -np.inf
UNIT = 2.0**-30
# What a bid adds to a price so that bidding ends, and how many bids there may be for each source word.
RAISE = 0.125
MOST_BIDS = 50


class Gains(NamedTuple):
    """What the words of a pair may gain.

    A rule for source word ``i`` gains ``link[i, j]`` by each target word ``j`` that it links, ``inner`` by any other in
    its span, and ``-alone`` by not leaving word ``i`` alone. That is at most ``profit[i]`` more than what its target
    words are worth to ``i``. ``before[i, j]`` is what target word ``j`` is worth to the keenest source word before
    ``i``, and ``after[i, j]`` to the keenest from ``i`` on.
    """

    link: Double
    inner: float
    alone: float
    profit: Double
    before: Double
    after: Double


@kernel
def possible_gains(p, words, null, phrasal):
    """What some source words and some target words of a pair may gain."""
    rows, columns = words
    alone = rounded(np.log(null))
    inner = -rounded(np.log(phrasal))
    link = np.full((rows.size, columns.size), NONE)
    for i in range(rows.size):
        for j in range(columns.size):
            if p[rows[i], columns[j]] > 0.0:
                link[i, j] = rounded(np.log(np.float64(p[rows[i], columns[j]]))) - alone + inner
    profit = auction(link, inner, alone)
    before = np.full((rows.size + 1, columns.size), NONE)
    after = np.full((rows.size + 1, columns.size), NONE)
    for i in range(rows.size):
        k = rows.size - 1 - i
        for j in range(columns.size):
            before[i + 1, j] = max(before[i, j], link[i, j] - alone - profit[i])
            after[k, j] = max(after[k + 1, j], link[k, j] - alone - profit[k])
    return Gains(link, inner, alone, profit, before, after)


@kernel
def rounded(value):
    """A number as a multiple of the unit of gains."""
    return np.rint(value / UNIT) * UNIT


@kernel
def auction(link, inner, alone):
    """The profit of each source word once prices have risen so far that no two want the same target word.

    Prices begin where a rule pays no less for any target word than it gains by it. So a rule with several words
    profits no more than with the best one of them alone, which is what source words bid for.
    """
    sources, targets = link.shape
    price = np.full(targets, inner)
    for i in range(sources):
        for j in range(targets):
            price[j] = max(price[j], link[i, j])
    owner = np.full(targets, -1)
    waiting = np.arange(sources)
    size = sources
    bids = 0
    while size > 0 and bids < MOST_BIDS * sources:
        stop_if_asked()
        bids += 1
        size -= 1
        i = waiting[size]
        profit, second, j = best_offer(link[i], price, alone)
        if profit > 0.0:
            if owner[j] >= 0:
                price[j] += profit - second + RAISE
                waiting[size] = owner[j]
                size += 1
            owner[j] = i
    profits = np.zeros(sources)
    for i in range(sources):
        profits[i] = max(0.0, best_offer(link[i], price, alone)[0])
    return profits


@kernel
def best_offer(link, price, alone):
    """The highest profit of a source word, the second highest (or that of staying alone), and the target word."""
    highest = NONE
    second = 0.0
    chosen = 0
    for j in range(price.size):
        profit = link[j] - alone - price[j]
        second = max(second, min(profit, highest))
        if profit > highest:
            highest = profit
            chosen = j
    return highest, second, chosen
