"""Synthetic test sets of which the truth is known: they are drawn from a population that is scored as a whole."""

from __future__ import annotations

import numpy as np

from pralign.evaluation import LinkCounts, Scores

PAIRS = 150
TEST_SETS = 500
SAMPLES = 300

# If an interval covers the truth with probability 0.95, the number of test sets, of 500, where it does is binomial with
# a standard deviation of sqrt(500 * 0.95 * 0.05) = 4.9 around 475; it exceeds 475 + 18 with a probability below 0.0001.
# Two known effects make percentile intervals a little too narrow: their ends are estimated from 300 samples, which
# costs 0.95 * 2 / 301 = 0.006, and 150 pairs are not infinitely many, which costs at most as much. With probability
# 0.938 the middle is 469 and the standard deviation 5.4; less than 469 - 18 has a probability below 0.001. Intervals of
# 90 % would cover about 445 times, and those of samples that are not paired nearly always.
COVERED = range(469 - 18, 475 + 18 + 1)


def population(seed: int, systems: int) -> list[list[LinkCounts]]:
    """The counts of some systems on 2,000 pairs; pairs that are hard are hard for all systems."""
    generator = np.random.default_rng(seed)
    counts: list[list[LinkCounts]] = [[] for _ in range(systems)]
    for _ in range(2000):
        sure = int(generator.integers(3, 30))
        optional = int(generator.integers(0, 8))
        ease = generator.beta(6, 2)
        for number in range(systems):
            skill = ease ** (1 - 0.15 * number)
            links_sure = int(generator.binomial(sure, skill))
            links_optional = int(generator.binomial(optional, 0.6 * skill))
            wrong = int(generator.binomial(sure, 0.4 * (1 - skill)))
            found = links_sure + links_optional
            counts[number].append(LinkCounts(found + wrong, sure, sure + optional, links_sure, found, 1))
    return counts


def whole(counts: list[LinkCounts]) -> Scores:
    return Scores(sum(counts, LinkCounts()))


def sets_of_pairs(seed: int) -> list[list[int]]:
    """The pairs of each test set."""
    return np.random.default_rng(seed).integers(2000, size=(TEST_SETS, PAIRS)).tolist()
