"""Curves of growth: exact where they were measured, slower and slower beyond."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign.engine import ThreadEngine
from pralign.runs.planning.growth import Growth, TextGrowth
from pralign.runs.planning.sampling import NumberedSample, draw
from pralign.store import MemoryStore
from pralign.text.cutting import ShardSizes, shard_corpus
from pralign.text.normalisation import Normalisation


def zipfian(pairs: int, seed: int = 0) -> list[tuple[str, str]]:
    """Pairs of words whose frequencies fall as those of natural text do."""
    draws = np.random.default_rng(seed)
    return [
        tuple(" ".join(f"{side}{word}" for word in draws.zipf(1.3, 8) % 100_000) for side in "st") for _ in range(pairs)
    ]


class TestGrowth:
    @given(st.floats(0.3, 1.0), st.integers(2, 7), st.floats(1, 1e4))
    def test_a_power_law_is_found_again(self, exponent, points, factor):
        sizes = tuple(100.0 * 2**n for n in range(points))
        growth = Growth(sizes, tuple(factor * size**exponent for size in sizes), 0.2)
        for size in (*sizes, 1e5, 1e7):
            assert growth(size) == pytest.approx(factor * size**exponent, rel=1e-6, abs=0.5)

    def test_growth_that_slows_down_goes_on_slowing_down_but_not_below_the_slowest(self):
        sizes = tuple(1000.0 * 2**n for n in range(6))
        logs = np.log(sizes)
        values = tuple(np.exp(0.9 * (logs - logs[0]) - 0.015 * (logs - logs[0]) ** 2 + 5).tolist())
        growth = Growth(sizes, values, 0.5)
        exponent, slowing = growth.tendency
        assert slowing == pytest.approx(0.03)
        assert exponent == pytest.approx(0.9 - 0.03 * (logs[-1] - logs[0]))
        far = [growth(10.0**power) for power in range(5, 13)]
        exponents = np.diff(np.log10(far))
        assert (np.diff(exponents) <= 1e-6).all()
        assert exponents[-1] == pytest.approx(0.5, abs=1e-6)

    @given(st.lists(st.floats(1, 1e6), min_size=1, max_size=6), st.floats(0.2, 0.6))
    def test_more_pairs_never_have_less(self, values, slowest):
        sizes = tuple(10.0 * 2**n for n in range(len(values)))
        growth = Growth(sizes, tuple(sorted(values)), slowest)
        found = [growth(size) for size in np.geomspace(1, 1e9, 50)]
        assert found == sorted(found)

    def test_nothing_stays_nothing(self):
        assert Growth((1.0, 2.0), (0.0, 0.0), 0.5)(1e9) == 0
        assert Growth((1.0,), (3.0,), 0.5)(0) == 0


class TestTextGrowth:
    @pytest.mark.parametrize("count", [1, 2, 3, 10, 63, 64, 65, 1000])
    def test_all_of_a_text_is_counted_exactly(self, count):
        pairs = zipfian(count)
        growth = TextGrowth.of(NumberedSample.of(draw(pairs), Normalisation(), 200))
        words = [{word for pair in pairs for word in pair[side].split()} for side in (0, 1)]
        together = {(s, t) for source, target in pairs for s in source.split() for t in target.split()}
        assert growth.source_words(count) == len(words[0])
        assert growth.target_words(count) == len(words[1])
        assert growth.word_pairs(count) == len(together)
        assert growth.listed(count, 1) == len(together)

    def test_a_sample_tells_how_a_text_goes_on(self):
        pairs = zipfian(8000)
        part = draw(pairs, most_cells=64 * 1500, stretch=50)
        assert len(part.drawn) < 1600
        growth = TextGrowth.of(NumberedSample.of(part, Normalisation(), 200))
        whole = TextGrowth.of(NumberedSample.of(draw(pairs), Normalisation(), 200))
        for name in ("source_words", "target_words", "word_pairs"):
            assert getattr(growth, name)(8000) == pytest.approx(getattr(whole, name)(8000), rel=0.15)

    @pytest.mark.parametrize("near", [False, True], ids=["alike", "by subject"])
    def test_what_shards_list_is_foreseen(self, near):
        pairs = zipfian(4000)
        if near:  # every stretch of the text has words of its own
            pairs = [
                (
                    " ".join(
                        f"{word}.{n // 500}" if random.Random(word).random() < 0.5 else word for word in s.split()
                    ),
                    t,
                )
                for n, (s, t) in enumerate(pairs)
            ]
        sizes = ShardSizes(chunk=1000, shard=64 * 4000 // 16)
        corpus = shard_corpus(pairs, Normalisation(), 200, MemoryStore(), ThreadEngine(2), sizes)
        growth = TextGrowth.of(NumberedSample.of(draw(pairs, stretch=100), Normalisation(), 200))
        assert growth.listed(4000, corpus.shards) == pytest.approx(corpus.listed, rel=0.1)

    def test_pairs_that_are_not_trained_on_have_no_word_pairs(self):
        pairs = [("a b", "c d"), ("e f g h", "i")]
        growth = TextGrowth.of(NumberedSample.of(draw(pairs), Normalisation(), 2))
        assert growth.word_pairs(2) == 4
        assert growth.source_words(2) == 6
