"""What is learned does not depend on where in memory numbers happen to be."""

from __future__ import annotations

import numpy as np
import pytest

from pralign import Bitext, sample
from pralign.links.formats import read_alignments
from pralign.matching import MatchingAligner
from pralign.matching.extragradient import Search

pytestmark = pytest.mark.slow


def test_learning_again_takes_the_same_steps(monkeypatch):
    pairs = list(Bitext.read(sample.SOURCE, sample.TARGET))
    labelled = [(*pair, gold) for pair, gold in zip(pairs, read_alignments(sample.GOLD, "gold"), strict=False)]
    steps: list[bytes] = []
    difference = Search._difference

    def recorded(search, a, b):
        change, way = difference(search, a, b)
        steps.append(change.tobytes() + np.float64(way).tobytes())
        return change, way

    monkeypatch.setattr(Search, "_difference", recorded)
    kept, chance = [], np.random.default_rng(1)
    runs = set()
    for _ in range(12):
        kept.append(np.empty(int(chance.integers(1, 5000)), np.uint8))  # so that other numbers are elsewhere
        steps.clear()
        MatchingAligner(features=["dice", "distance", "shape"], capacity=2, rounds=5, threads=1).fit(
            pairs, labelled=labelled
        )
        runs.add(tuple(steps))
    assert len(runs) == 1
