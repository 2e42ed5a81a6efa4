"""Where two sides part."""

from __future__ import annotations

import random

import numpy as np
import pytest

from cli.support import sample_lines
from oracles.naive_parting import naive_place
from pralign.text.parting import Parting, Sides, deepest_fall, find_parting, fit, lengths_of, unrelated

SOURCE, TARGET = (lengths_of(lines) for lines in sample_lines(460))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("offset", [-9, -3, -1, 1, 2, 30])
def test_the_best_place_is_what_trying_all_finds(seed, offset):
    numbers = random.Random(seed)
    source = [numbers.uniform(0, 4) for _ in range(numbers.randrange(1, 25))]
    target = [length + numbers.gauss(0, 0.2) for length in source]
    del target[numbers.randrange(len(target)) : numbers.randrange(len(target) + 1)]
    gain, place = naive_place(source, target, offset) if target else (0.0, 0)
    sides = Sides(np.array(source, np.float32), np.array(target, np.float32))
    found_gain, found_place, _ = deepest_fall(sides.rise(offset))
    # Sums of single-precision costs, each at most 4 and off by 1e-6 of that.
    assert found_gain == pytest.approx(gain, abs=1e-3)
    assert found_place == place or gain < 1e-3


@pytest.mark.parametrize("count", [1, 2, 5, 30])
@pytest.mark.parametrize("at", [1, 50, 200, 333, 400])
def test_lines_that_were_lost_are_found(at, count):
    for source, target, offset in (
        (SOURCE, np.delete(TARGET, slice(at, at + count)), -count),
        (np.delete(SOURCE, slice(at, at + count)), TARGET, count),
    ):
        place = find_parting(source, target)
        assert place.offset == offset
        assert abs(place.line - at) <= 3 or place.first <= at <= place.last


def test_the_first_of_several_places_is_meant():
    place = find_parting(SOURCE, np.delete(TARGET, [100, 300]))
    assert place.offset == -1
    assert place.first <= 100 <= place.last


def test_sides_of_the_same_length_may_part_too():
    assert find_parting(SOURCE, TARGET) is None
    assert find_parting(SOURCE, np.roll(TARGET, 2)).offset == 2
    moved = np.insert(np.delete(TARGET, 400), 150, TARGET[0])
    place = find_parting(SOURCE, moved)
    assert place.offset == 1
    assert abs(place.line - 150) <= 3


def test_a_side_that_ends_early_parts_nowhere_and_fits():
    assert find_parting(SOURCE, TARGET[:300]) is None
    assert fit(SOURCE, TARGET[:300])
    assert not fit(SOURCE, np.roll(TARGET, 100))


def test_nothing_is_said_where_lengths_tell_nothing():
    alike = np.full(500, 3.0, np.float32)
    assert find_parting(alike, alike[:490]) is None
    assert not fit(alike, alike[:490])
    ordered = np.sort(SOURCE), np.sort(TARGET)
    assert find_parting(ordered[0], ordered[1][:455]) is None
    numbers = np.random.default_rng(1)
    assert find_parting(SOURCE, numbers.permutation(TARGET)[:400]) is None


@pytest.mark.parametrize("sizes", [(0, 0), (0, 5), (5, 0), (1, 1), (3, 20), (20, 3)])
def test_little_text_tells_nothing(sizes):
    assert find_parting(SOURCE[: sizes[0]], TARGET[: sizes[1]]) is None


def test_lines_in_another_order_are_unrelated():
    assert not unrelated(SOURCE, TARGET)
    assert not unrelated(SOURCE, SOURCE)
    assert unrelated(SOURCE, np.random.default_rng(1).permutation(TARGET))
    assert not unrelated(np.full(500, 3.0, np.float32), np.full(500, 3.5, np.float32))  # who knows


def test_the_lengths_are_those_of_characters():
    assert lengths_of(["", "ab"]).tolist() == pytest.approx([0, np.log(3)])
    assert Parting(3, 2, 5, -1).offset == -1
