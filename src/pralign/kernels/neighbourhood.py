"""Expectations of fertility models, taken over the neighbourhoods of the peaks that climbing finds.

A neighbourhood keeps of each alignment what does not depend on the lexicon, so that it can be weighed again when
emissions change.
"""

from __future__ import annotations

from math import lgamma
from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Double, Int, Long, Texts
from pralign.kernels.cepts import (
    FARTHEST,
    FERTILITY,
    NOBODY,
    OF_OBSERVED,
    OF_STATES,
    STATE,
    Sentence,
    attach,
    bounded,
    exchange,
    new_cepts,
    score,
)
from pralign.kernels.climbing import Changes, climb, new_changes, survey
from pralign.kernels.compile import kernel
from pralign.kernels.growing import longer
from pralign.kernels.pegging import pegged_peaks, seen
from pralign.kernels.stopping import stop_if_asked

LEAST_EMISSION = 1e-37


class Neighbourhood(NamedTuple):
    """The alignments of a block of pairs over which expectations are taken.

    Pair ``k`` of a lattice is pair ``pair[k]`` of the block. A pair has the centres ``centre_start[pair]`` to
    ``centre_start[pair + 1]``, whose alignments lie in ``path`` (the number of states stands for null); a centre has
    the neighbours ``change_start[centre]`` to ``change_start[centre + 1]``, each told by what is different (see
    :class:`~pralign.kernels.climbing.Changes`), and is one of them, unless it is a neighbour of an earlier centre.
    ``centre_score`` and ``score`` are logarithms of probabilities without the lexicon, those of neighbours relative to
    the centre.
    """

    pair: Long
    centre_start: Long
    path_start: Long
    path: Int
    centre_score: Double
    change_start: Long
    word: Int
    state: Int
    other: Int
    score: Double


class Classes(NamedTuple):
    """The classes of the words of the states and of the observed words; the last number is that of unknown words."""

    states: Int
    observed: Int


class Surroundings(NamedTuple):
    """What a fertility model needs of a block besides the lattice: its words, and their classes."""

    texts: Texts
    pairs: Long
    classes: Classes


@kernel
def describe(lattice, k, around, tables):
    """The :class:`Sentence` of a pair."""
    texts, n = around.texts, around.pairs[k]
    words = known(texts.source[texts.source_start[n] : texts.source_start[n + 1]], around.classes.states)
    classes = describe_words(around, k)
    link = log_emissions(lattice, k)
    if not tables.ordered:
        add_diagonal_distortion(tables.diagonal_distortion, link)
    return Sentence(link, words, classes, null_scores(link.shape[0], tables.null))


@kernel
def describe_words(around, k):
    """The classes of the states and of the observed words of a pair, a row each."""
    texts, n = around.texts, around.pairs[k]
    words = known(texts.source[texts.source_start[n] : texts.source_start[n + 1]], around.classes.states)
    observed = known(texts.target[texts.target_start[n] : texts.target_start[n + 1]], around.classes.observed)
    classes = np.zeros((2, max(words.size, observed.size)), np.int32)
    classes[OF_STATES, : words.size] = around.classes.states[words]
    classes[OF_OBSERVED, : observed.size] = around.classes.observed[observed]
    return classes


@kernel
def known(words, classes):
    """Word numbers with one number for all unknown words."""
    numbers = np.empty(words.size, np.int32)
    for k in range(words.size):
        numbers[k] = min(words[k], classes.size - 1)
    return numbers


@kernel
def diagonal(i, states, observed):
    """The observed position that stands where state ``i`` stands in its own sentence."""
    return ((2 * i + 1) * observed) // (2 * states)


@kernel
def add_diagonal_distortion(distortion, link):
    """Add the logarithm of the probability that a word of state ``i`` stands at position ``j`` (Model 3)."""
    observed, states = link.shape[0], link.shape[1] - 1
    for i in range(states):
        stop_if_asked()
        middle = diagonal(i, states, observed)
        total = 0.0
        for j in range(observed):
            total += distortion[bounded(j - middle) + FARTHEST]
        for j in range(observed):
            link[j, i] += np.log(distortion[bounded(j - middle) + FARTHEST] / total)


@kernel
def null_scores(observed, null):
    """The logarithm of the probability of 0, 1, ... null words: at most one is brought along by each other word."""
    scores = np.empty(observed // 2 + 1)
    for n in range(scores.size):
        choices = lgamma(observed - n + 1.0) - lgamma(n + 1.0) - lgamma(observed - 2 * n + 1.0)
        scores[n] = choices + (observed - 2 * n) * null[0] + n * null[1]
    return scores


@kernel
def begin(path, sentence):
    """The cepts of an alignment (-1 for null). Where too many words are null, those that lose least are linked."""
    observed, states = sentence.link.shape[0], sentence.link.shape[1] - 1
    cepts = new_cepts(observed, states)
    for j in range(observed):
        attach(cepts, j, path[j] if path[j] >= 0 else states)
    while cepts[FERTILITY, states] >= sentence.null.size:
        stop_if_asked()
        word, state, least = NOBODY, NOBODY, np.inf
        for j in range(observed):
            if cepts[STATE, j] == states:
                i = np.argmax(sentence.link[j, :states])
                loss = sentence.link[j, states] - sentence.link[j, i]
                if word < 0 or loss < least:
                    word, state, least = j, i, loss
        exchange(cepts, word, state, NOBODY)
    return cepts


@kernel
def log_emissions(lattice, k):
    """The logarithms of the emissions of a pair, a row an observed word, null last."""
    states = np.int64(lattice.states[k])
    first, last = lattice.observed_start[k], lattice.observed_start[k + 1]
    cells = lattice.emission[lattice.cell_start[k] : lattice.cell_start[k + 1]]
    null = lattice.null_emission[first:last]
    values = np.empty((null.size, states + 1))
    for j in range(null.size):
        stop_if_asked()
        for i in range(states):
            values[j, i] = np.log(max(np.float64(cells[j * states + i]), LEAST_EMISSION))
        values[j, states] = np.log(max(np.float64(null[j]), LEAST_EMISSION))
    return values


@kernel
def along(lexical, path):
    """The lexicon's part of an alignment."""
    total = 0.0
    for j in range(path.size):
        total += lexical[j, path[j]]
    return total


@kernel
def lexical_change(lexical, path, j, i, other):
    """By how much a change makes the lexicon's part of an alignment likelier."""
    value = 0.0
    if j >= 0:
        value = lexical[j, i] - lexical[j, path[j]]
    if other >= 0:
        value += lexical[other, path[j]] - lexical[other, i]
    return value


@kernel
def explore(lattice, around, tables, path, pegging):
    """Climb from the alignment of each pair of a block, and keep the neighbourhoods of the peaks.

    With ``pegging``, also those of the peaks that are found when one link is held fast.
    """
    pairs = lattice.states.size
    sizes = neighbours(lattice)
    room, kept = new_changes(sizes.max() if pairs else 0), new_changes(sizes.sum())
    peaks = np.empty(lattice.null_emission.size, np.int32)
    path_start, change_start = np.zeros(pairs + 1, np.int64), np.zeros(pairs + 1, np.int64)
    centre_start, scores = np.zeros(pairs + 1, np.int64), np.empty(pairs)
    centre = 0
    for k in range(pairs):
        sentence = describe(lattice, k, around, tables)
        lexical = log_emissions(lattice, k)
        start = path[lattice.observed_start[k] : lattice.observed_start[k + 1]]
        found = find_peaks(start, sentence, tables, pegging, room)
        for row in range(found.shape[0]):
            cepts = begin(found[row], sentence)
            size = survey(cepts, sentence, tables, room)
            scores, peaks = longer(scores, centre + 1), longer(peaks, path_start[centre] + start.size)
            path_start, change_start = longer(path_start, centre + 2), longer(change_start, centre + 2)
            kept = more_room(kept, change_start[centre] + size)
            scores[centre] = score(cepts, sentence, tables) - along(lexical, found[row])
            path_start[centre + 1] = path_start[centre] + start.size
            peaks[path_start[centre] : path_start[centre + 1]] = found[row]
            change_start[centre + 1] = keep(lexical, found[: row + 1], room, size, kept, change_start[centre])
            centre += 1
        centre_start[k + 1] = centre
    used = change_start[centre]
    changes = kept.word[:used].copy(), kept.state[:used].copy(), kept.other[:used].copy(), kept.score[:used].copy()
    starts = centre_start, path_start[: centre + 1]
    return Neighbourhood(np.arange(pairs), *starts, peaks, scores[:centre], change_start[: centre + 1], *changes)


@kernel
def find_peaks(start, sentence, tables, pegging, room):
    """The alignments, a row each, that climbing from one leads to; null is the number of states."""
    cepts = begin(start, sentence)
    climb(cepts, sentence, tables, NOBODY)
    if pegging:
        return pegged_peaks(cepts, sentence, tables, room, survey(cepts, sentence, tables, room))
    return cepts[STATE : STATE + 1, : start.size].astype(np.int32)


@kernel
def more_room(changes, size):
    """The changes, with room for so many."""
    return Changes(
        longer(changes.word, size),
        longer(changes.state, size),
        longer(changes.other, size),
        longer(changes.score, size),
    )


@kernel
def keep(lexical, peaks, room, found, kept, used):
    """Add the neighbours of the last of some peaks to those of the block, without the lexicon's part.

    Neighbours of earlier peaks are left out; they are there already.
    """
    word, state, other, value = room
    peak, earlier = peaks[-1], peaks[:-1]
    for c in range(found):
        if not seen(peak, word[c], state[c], other[c], earlier):
            kept.word[used], kept.state[used], kept.other[used] = word[c], state[c], other[c]
            kept.score[used] = value[c] - lexical_change(lexical, peak, word[c], state[c], other[c])
            used += 1
    return used


@kernel
def single(lattice, path):
    """The given alignments (-1 for null) as neighbourhoods of nothing but themselves."""
    pairs = lattice.states.size
    peaks = path.copy()
    for k in range(pairs):
        for o in range(lattice.observed_start[k], lattice.observed_start[k + 1]):
            if peaks[o] < 0:
                peaks[o] = lattice.states[k]
    numbers, nobody = np.arange(pairs + 1), np.full(pairs, -1, np.int32)
    scores = np.zeros(pairs)
    return Neighbourhood(
        numbers[:-1], numbers, lattice.observed_start, peaks, scores, numbers, nobody, nobody, nobody, scores
    )


@kernel
def neighbours(lattice):
    """How many alignments there are, at most, in the neighbourhood of one of each pair."""
    sizes = np.empty(lattice.states.size, np.int64)
    for k in range(sizes.size):
        observed = lattice.observed_start[k + 1] - lattice.observed_start[k]
        sizes[k] = 1 + observed * np.int64(lattice.states[k]) + observed * (observed - 1) // 2
    return sizes


@kernel
def weigh(lattice, around, posterior, weight):
    """Posteriors of every pair of a block over its neighbourhood; ``weight`` becomes those of the alignments."""
    for k in range(lattice.states.size):
        first, last = around.centre_start[around.pair[k]], around.centre_start[around.pair[k] + 1]
        lexical = log_emissions(lattice, k)
        highest = -np.inf
        for centre in range(first, last):
            highest = max(highest, weigh_centre(lexical, around, centre, weight))
        total = 0.0
        own = weight[around.change_start[first] : around.change_start[last]]
        for n in range(own.size):
            own[n] = np.exp(own[n] - highest)
            total += own[n]
        for n in range(own.size):
            own[n] /= total
        posterior.log_likelihood[k] = highest + np.log(total)
        links = np.zeros(lexical.shape)
        for centre in range(first, last):
            add_links(around, centre, weight, links)
        write_links(lattice, k, links, posterior)


@kernel
def weigh_centre(lexical, around, centre, weight):
    """Write the logarithms of the probabilities of a centre's neighbours; the highest of them is returned."""
    path = around.path[around.path_start[centre] : around.path_start[centre + 1]]
    word, state, other, value = around.word, around.state, around.other, around.score
    base = around.centre_score[centre] + along(lexical, path)
    highest = -np.inf
    for n in range(around.change_start[centre], around.change_start[centre + 1]):
        weight[n] = base + value[n] + lexical_change(lexical, path, word[n], state[n], other[n])
        highest = max(highest, weight[n])
    return highest


@kernel
def add_links(around, centre, weight, links):
    """Add the probabilities of a centre's neighbours to those of their links."""
    path = around.path[around.path_start[centre] : around.path_start[centre + 1]]
    word, state, swapped = around.word, around.state, around.other
    total = 0.0
    for n in range(around.change_start[centre], around.change_start[centre + 1]):
        total += weight[n]
        j, i, other = word[n], state[n], swapped[n]
        if j >= 0:
            links[j, path[j]] -= weight[n]
            links[j, i] += weight[n]
        if other >= 0:
            links[other, i] -= weight[n]
            links[other, path[j]] += weight[n]
    for j in range(path.size):
        links[j, path[j]] += total


@kernel
def write_links(lattice, k, links, posterior):
    """Write the probabilities of a pair's links, null last, to where they belong."""
    observed, states = links.shape[0], links.shape[1] - 1
    begin, first = lattice.cell_start[k], lattice.observed_start[k]
    for j in range(observed):
        for i in range(states):
            posterior.link[begin + j * states + i] = max(links[j, i], 0.0)
        posterior.null[first + j] = max(links[j, states], 0.0)


@kernel
def likeliest(lattice, around, state):
    """The likeliest alignment of each neighbourhood, -1 for null."""
    weight = np.empty(around.score.size)
    for k in range(lattice.states.size):
        own = state[lattice.observed_start[k] : lattice.observed_start[k + 1]]
        lexical = log_emissions(lattice, k)
        best = -np.inf
        for centre in range(around.centre_start[around.pair[k]], around.centre_start[around.pair[k] + 1]):
            weigh_centre(lexical, around, centre, weight)
            path = around.path[around.path_start[centre] : around.path_start[centre + 1]]
            for n in range(around.change_start[centre], around.change_start[centre + 1]):
                if weight[n] > best:
                    best = weight[n]
                    own[:] = path
                    if around.word[n] >= 0:
                        own[around.word[n]] = around.state[n]
                    if around.other[n] >= 0:
                        own[around.other[n]] = path[around.word[n]]
        for j in range(own.size):
            if own[j] == lattice.states[k]:
                own[j] = -1
