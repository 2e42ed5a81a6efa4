"""Which pair is asked for next: by a slow and obvious version, and by what people would expect."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.labelling.candidates import MOST_WORDS, drawn
from pralign.labelling.ranking import LEAST_DOUBT, Candidate, SeenDoubts, ranked

WORDS = "abcdefgh"


def candidate(number, source, target, grid, threshold=0.5):
    return Candidate.of(number, (source.split(), target.split()), np.array(grid, np.float32), threshold)


@st.composite
def candidates(draw):
    found = []
    for number in range(draw(st.integers(1, 6))):
        source, target = (draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5)) for _ in range(2))
        values = draw(st.lists(st.floats(0, 1, width=32), min_size=25, max_size=25))
        grid = np.array(values, np.float32)[: len(source) * len(target)].reshape(len(source), len(target))
        found.append(Candidate.of(number, (source, target), grid, draw(st.sampled_from([0.3, 0.5]))))
    return found


def naive_gain(candidate, chosen):
    """All doubts of all chosen pairs, gone through one by one."""
    total = 0.0
    for row, column, doubt in zip(candidate.rows, candidate.columns, candidate.doubt, strict=True):
        weight = 1.0
        for other in chosen:
            for i, j, before in zip(other.rows, other.columns, other.doubt, strict=True):
                weight += before * (other.words[0][i] == candidate.words[0][row])
                weight += before * (other.words[1][j] == candidate.words[1][column])
        total += doubt / weight
    return total / candidate.length**0.5


def usual(candidates):
    """Those in which at most 22 errors are to be expected in 100 words."""
    return [each for each in candidates if each.doubt.sum() <= 0.22 * sum(map(len, each.words))]


@settings(max_examples=60, deadline=None)
@given(candidates(), st.integers(1, 6))
def test_ranks_like_the_obvious_version(found, most):
    choices = ranked(found, SeenDoubts(), most, {each.number for each in found if each.is_free})
    chosen, remaining = [], [each for each in found if each.doubt.size]
    for choice in choices:
        gains = {each.number: naive_gain(each, chosen) for each in usual(remaining) or remaining}
        assert choice.gain == pytest.approx(gains[choice.number], abs=1e-6)
        assert choice.gain >= max(gains.values()) - 1e-6
        best = next(each for each in remaining if each.number == choice.number)
        chosen.append(best)
        remaining.remove(best)
    assert len(choices) == min(most, len(chosen) + len(remaining))


def test_doubt_is_the_chance_of_an_error():
    found = candidate(0, "a b", "x y", [[0.9, 0.1], [0.4, 0.6]])
    assert found.expected_errors == pytest.approx(0.1 + 0.1 + 0.4 + 0.4)
    lower = candidate(0, "a b", "x y", [[0.9, 0.1], [0.4, 0.6]], threshold=0.3)
    assert lower.expected_errors == pytest.approx(0.1 + 0.1 + 0.6 + 0.4)


def test_what_is_certain_is_not_asked_for():
    assert ranked([candidate(0, "a", "x", [[1.0]])], SeenDoubts(), 5) == []
    assert ranked([candidate(0, "a", "x", [[LEAST_DOUBT / 2]])], SeenDoubts(), 5) == []


def test_doubtful_pairs_come_first_and_repeats_last():
    same = [[0.7, 0.1], [0.1, 0.7]]
    found = [
        candidate(0, "a b", "x y", [[0.95, 0.05], [0.05, 0.95]]),
        candidate(1, "c d", "u v", same),
        candidate(2, "c d", "u v", same),
        candidate(3, "e f", "w z", [[0.8, 0.1], [0.1, 0.7]]),
    ]
    assert [choice.number for choice in ranked(found, SeenDoubts(), 4)] == [1, 3, 2, 0]


def test_free_translations_come_last():
    free = [[0.5, 0.5], [0.5, 0.5]]
    found = [candidate(0, "a b", "x y", free), candidate(1, "c d", "u v", [[0.9, 0.1], [0.1, 0.9]])]
    assert [each.is_free for each in found] == [True, False]
    assert [choice.number for choice in ranked(found, SeenDoubts(), 4)] == [0, 1]
    assert [choice.number for choice in ranked(found, SeenDoubts(), 4, {0})] == [1, 0]
    assert [choice.number for choice in ranked(found[:1], SeenDoubts(), 4, {0})] == [0]


def test_reasons_are_phrases():
    [choice] = ranked([candidate(7, "a b", "x y", [[0.5, 0.5], [0.0, 1.0]])], SeenDoubts(), 1)
    assert choice.reason == "about 1.0 errors expected, 2 links in doubt, 4 words not labelled yet"
    seen = SeenDoubts()
    seen.add(candidate(1, "a b", "x", [[1.0], [0.0]]))
    [choice] = ranked([candidate(7, "a b", "x y", [[0.5, 0.0], [0.0, 1.0]])], seen, 1)
    assert choice.reason == "about 0.5 errors expected, one link in doubt, one word not labelled yet"


def test_candidates_are_neither_tiny_nor_endless_nor_repeated():
    text = [
        ("a b c", "x y z"),
        ("A b c", "x Y z"),
        ("a b", "x y z"),
        (" ".join("a" * (MOST_WORDS + 1)), "x y z"),
        ("d e f", "x y z"),
    ]
    words = [(source.split(), target.split()) for source, target in text]
    found = drawn(words.__getitem__, len(words), 3, 10)
    assert sorted(found) in ([0, 4], [1, 4])
    assert found == drawn(words.__getitem__, len(words), 3, 10)
    assert len(drawn(words.__getitem__, len(words), 3, 1)) == 1
