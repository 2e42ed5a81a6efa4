"""Each pair sees the counts of all others: its own are kept, sparsely, and taken off before it is looked at again.

Probabilities are stored as ``count / mass``. So the count of a slot is the probability times the mass, and what is left
of it without a pair is that less what the pair has added. Counts are rounded before they are added, and exactly what
was added is kept.
"""

import numpy as np

from pralign.kernels.arrays import Contributions, Expected
from pralign.kernels.compile import kernel

# Expected counts are whole multiples of this. The largest that is kept is 4; posteriors times weights stay below 2.
UNIT = np.float32(2.0**-14)
# Posteriors below this are not worth keeping. Where there are more than so many a word above it, it is doubled, up to
# three times: posteriors of the first iterations are flat, and to keep all of them would take gigabytes.
LEAST = np.float32(0.01)
MOST_A_WORD = np.int64(2)
HIGHEST_LEAST = np.float32(0.05)
# What is left of a count, at least; rounding must not make it negative.
_FLOOR = 1e-12


@kernel
def first_places(words, first):
    """Fill ``first[a]`` with the first place of a sentence at which the word ``words[a]`` stands."""
    for a in range(words.size):
        first[a] = a
        for b in range(a):
            if words[b] == words[a]:
                first[a] = b
                break


@kernel
def leave_out(texts, pairs, masses, own, lattices):
    """Change the emissions of a block to what they would be if its pairs had added nothing to the counts.

    A pair that is unknown to ``own``, which has no null words of it, is left as it is.
    """
    forward, reverse = lattices
    for k in range(pairs.size):
        if own.target_start[k] == own.target_start[k + 1]:
            continue
        n = pairs[k]
        source = texts.source[texts.source_start[n] : texts.source_start[n + 1]]
        target = texts.target[texts.target_start[n] : texts.target_start[n + 1]]
        places = np.empty(source.size, np.int64), np.empty(target.size, np.int64)
        first_places(source, places[0])
        first_places(target, places[1])
        begin, end = forward.cell_start[k], forward.cell_start[k + 1]
        to_target = forward.emission[begin:end].reshape(target.size, source.size)
        to_source = reverse.emission[begin:end].reshape(source.size, target.size)
        counts = own_links(own, k, places)
        emissions_without((to_target, to_source), counts, places, (masses.source[source], masses.target[target]))
        first, last = forward.observed_start[k], forward.observed_start[k + 1]
        null = own.null_target[own.target_start[k] : own.target_start[k + 1]]
        null_without(forward.null_emission[first:last], places[1], null, masses.null[0])
        first, last = reverse.observed_start[k], reverse.observed_start[k + 1]
        null = own.null_source[own.source_start[k] : own.source_start[k + 1]]
        null_without(reverse.null_emission[first:last], places[0], null, masses.null[1])


@kernel
def own_links(own, k, places):
    """What a pair has added to its word pairs, and to its words: words that occur again share their first place."""
    of_source, of_target = places
    states = of_source.size
    forward = np.zeros((of_target.size, states))
    reverse = np.zeros((of_target.size, states))
    by_source = np.zeros(states)
    by_target = np.zeros(of_target.size)
    for e in range(own.start[k], own.start[k + 1]):
        i = of_source[own.cell[e] % states]
        j = of_target[own.cell[e] // states]
        forward[j, i] += own.forward[e] * UNIT
        reverse[j, i] += own.reverse[e] * UNIT
        by_source[i] += own.forward[e] * UNIT
        by_target[j] += own.reverse[e] * UNIT
    return forward, reverse, by_source, by_target


@kernel
def emissions_without(emissions, counts, places, masses):
    """Leave a pair's own counts out of its emissions."""
    to_target, to_source = emissions
    forward, reverse, by_source, by_target = counts
    of_source, of_target = places
    source_mass, target_mass = masses
    left = np.empty(source_mass.size)
    for i in range(source_mass.size):
        left[i] = 1.0 / max(source_mass[i] - by_source[of_source[i]], _FLOOR)
    for j in range(target_mass.size):
        mass = target_mass[j]
        row = of_target[j]
        left_target = 1.0 / max(mass - by_target[row], _FLOOR)
        for i in range(source_mass.size):
            column = of_source[i]
            to_target[j, i] = max(to_target[j, i] * source_mass[i] - forward[row, column], _FLOOR) * left[i]
            to_source[i, j] = max(to_source[i, j] * mass - reverse[row, column], _FLOOR) * left_target


@kernel
def null_without(emission, places, own, mass):
    """Leave what null has explained of one side of a pair out of its emissions."""
    counts = np.zeros(emission.size)
    total = 0.0
    for a in range(own.size):
        counts[places[a]] += own[a] * UNIT
        total += own[a] * UNIT
    left = 1.0 / max(mass - total, _FLOOR)
    for a in range(emission.size):
        emission[a] = max(emission[a] * mass - counts[places[a]], _FLOOR) * left


@kernel
def keep(lattices, links, nulls, own):
    """The expected counts of a block, as they are added to the totals.

    ``links`` and ``nulls`` are the posteriors of both directions, times the weights of their pairs; ``own`` the rows
    of the two models.
    """
    forward, reverse = lattices
    words = forward.null_emission.size + reverse.null_emission.size
    least, size = LEAST, count_entries(forward, links, LEAST)
    while size > MOST_A_WORD * words and least < HIGHEST_LEAST:
        least *= np.float32(2)
        size = count_entries(forward, links, least)
    start = np.zeros(forward.states.size + 1, np.int64)
    cell = np.empty(size, np.int32)
    values = np.empty(size, np.uint16), np.empty(size, np.uint16)
    size = 0
    for k in range(forward.states.size):
        states = np.int64(forward.states[k])
        begin = forward.cell_start[k]
        observed = forward.observed_start[k + 1] - forward.observed_start[k]
        for j in range(observed):
            for i in range(states):
                to_target = links[0][begin + j * states + i]
                to_source = links[1][begin + i * observed + j]
                if to_target >= least or to_source >= least:
                    cell[size] = j * states + i
                    values[0][size] = rounded(to_target) if to_target >= least else 0
                    values[1][size] = rounded(to_source) if to_source >= least else 0
                    size += 1
        start[k + 1] = size
    null_target = np.empty(nulls[0].size, np.uint16)
    null_source = np.empty(nulls[1].size, np.uint16)
    for a in range(nulls[0].size):
        null_target[a] = rounded(nulls[0][a])
    for a in range(nulls[1].size):
        null_source[a] = rounded(nulls[1][a])
    return Contributions(
        start,
        cell,
        values[0],
        values[1],
        forward.observed_start,
        null_target,
        reverse.observed_start,
        null_source,
        own[0],
        own[1],
    )


@kernel
def rounded(count):
    """A count in units."""
    return np.uint16(min(count / UNIT + np.float32(0.5), np.float32(65535.0)))


@kernel
def count_entries(forward, links, least):
    """How many cells of a block have a posterior of at least ``least`` in either direction."""
    size = 0
    for k in range(forward.states.size):
        states = np.int64(forward.states[k])
        begin = forward.cell_start[k]
        observed = forward.observed_start[k + 1] - forward.observed_start[k]
        for j in range(observed):
            for i in range(states):
                if links[0][begin + j * states + i] >= least or links[1][begin + i * observed + j] >= least:
                    size += 1
    return size


@kernel
def add_kept(texts, pairs, cells, kept, counts):
    """Add the counts of a block to the totals ``(pair, target, source)``."""
    pair_count, target_count, source_count = counts
    for k in range(pairs.size):
        n = pairs[k]
        begin = cells.start[n]
        for e in range(kept.start[k], kept.start[k + 1]):
            s = np.uint32(cells.slot[begin + kept.cell[e]])
            pair_count[s, 0] += kept.forward[e] * UNIT
            pair_count[s, 1] += kept.reverse[e] * UNIT
        first = kept.target_start[k]
        for j in range(kept.target_start[k + 1] - first):
            target_count[texts.target[texts.target_start[n] + j]] += kept.null_target[first + j] * UNIT
        first = kept.source_start[k]
        for i in range(kept.source_start[k + 1] - first):
            source_count[texts.source[texts.source_start[n] + i]] += kept.null_source[first + i] * UNIT


@kernel
def seen_forward(kept):
    """The contributions of a block as the forward direction sees them."""
    return Expected(
        kept.start,
        kept.cell,
        kept.forward * UNIT,
        kept.target_start,
        kept.null_target * UNIT,
        kept.target_start[1:] > kept.target_start[:-1],
        kept.forward_own,
    )


@kernel
def seen_reverse(kept, states, observed):
    """The same as the reverse direction sees it; ``states`` and ``observed`` are those of the forward direction."""
    cell = np.empty_like(kept.cell)
    for k in range(states.size):
        for e in range(kept.start[k], kept.start[k + 1]):
            cell[e] = (kept.cell[e] % states[k]) * observed[k] + kept.cell[e] // states[k]
    return Expected(
        kept.start,
        cell,
        kept.reverse * UNIT,
        kept.source_start,
        kept.null_source * UNIT,
        kept.target_start[1:] > kept.target_start[:-1],
        kept.reverse_own,
    )
