"""Scores in the unit of eflomal are those that the naive version finds."""

from __future__ import annotations

import random
import tracemalloc

import numpy as np
import pytest

from oracles.naive_eflomal_scores import naive_scores
from pralign.dropins import eflomal_run, eflomal_scores
from pralign.dropins.directional import Directed, Request, align
from pralign.dropins.eflomal_run import Job
from pralign.dropins.eflomal_scores import LinkedPlaces, ScoredText, pair_scores
from pralign.priors.files import sorted_lines

PRIORS = [
    *("LEX\ta\tx\t3", "LEX\tB\tq\t5", "LEX\ta\t<NULL>\t2", "LEX\tc\ty\t0.5"),
    *("HMMF\t1\t4", "HMMF\t-2\t1", "HMMR\t1\t7", "FERF\ta\t1\t3", "FERF\tb\t9\t2", "FERR\tx\t2\t6", "FERR\tq\t1\t1"),
]


@pytest.fixture(scope="module")
def drawn():
    """Pairs of words and links in both directions, with empty sides, unlinked sentences and crowded words."""
    generator = random.Random(7)
    pairs, links = [], []
    for number in range(40):
        source = generator.choices("abc", k=number % 6)
        target = generator.choices("xyz", k=(number * 5) % 12)
        both = source and target and number % 7
        forward = [
            (generator.randrange(len(source)), j) for j in range(len(target)) if both and generator.random() < 0.8
        ]
        reverse = [
            (i, generator.randrange(len(target))) for i in range(len(source)) if both and generator.random() < 0.8
        ]
        pairs.append((source, target))
        links.append((forward, reverse))
    return pairs, links


@pytest.mark.parametrize("model", [1, 2, 3])
@pytest.mark.parametrize("lines", [None, PRIORS], ids=["alone", "with priors"])
@pytest.mark.parametrize("reverse", [False, True])
def test_scores_are_those_of_the_naive_version(drawn, monkeypatch, model, lines, reverse):
    monkeypatch.setattr(eflomal_scores, "_CELLS", 50)
    pairs, links = drawn
    text, places = ScoredText(), LinkedPlaces()
    for (source, target), both in zip(pairs, links, strict=True):
        text.add(source, target)
        places.add(both[reverse], len(source if reverse else target), 0 if reverse else 1)
    priors = None if lines is None else sorted_lines(lines, "priors", True)
    found = pair_scores(text, places, reverse, model, priors)
    known, jumps, fertilities = {}, {}, {}
    if lines is not None:
        side = 1 if reverse else 0
        # Of words that the text has; null is the word None that is given, and no word that is made.
        known = (
            {("a", "x"): 3.0, ("c", "y"): 0.5} if not reverse else {("x", "a"): 3.0, ("y", "c"): 0.5, (None, "a"): 2.0}
        )
        if not reverse:
            known["a", "<null>"] = 2.0
        jumps = ({1: 4.0, -2: 1.0}, {1: 7.0})[side]
        fertilities = ({("a", 1): 3.0, ("b", 9): 2.0}, {("x", 2): 6.0})[side]
    turned = [(target, source) if reverse else (source, target) for source, target in pairs]
    ordered = [[(j, i) for i, j in both[1]] if reverse else both[0] for both in links]
    wanted = naive_scores(turned, ordered, model, known, jumps, fertilities)
    np.testing.assert_allclose(found, wanted, atol=1e-9)
    assert all(np.signbit(found[k]) and not found[k] for k, pair in enumerate(pairs) if not all(pair))


def test_scores_follow_from_the_path_of_each_direction(monkeypatch, tmp_path):
    """A word that is written without a link, since the directions do not agree, has the place of its direction."""
    pairs = [(["a", "b"], ["x", "y"]), (["a"], ["x", "y"])] * 3
    paths = [(((0, 0), (1, 1)), ((1, 0),)), (((0, 1),), ((0, 0),))] * 3
    found = [Directed([(0, 0)], [], -1.0, each) for each in paths]

    def answered(aligner, given, paths):
        assert paths and list(given) == pairs
        return iter(found)

    monkeypatch.setattr(eflomal_run, "align", answered)
    files = tmp_path / "f", tmp_path / "F", tmp_path / "R"
    Job(Request(), 2, links=(files[0], None), scores=(files[1], files[2])).run(pairs)
    assert files[0].read_text() == "0-0\n" * 6
    for reverse in (False, True):
        turned = [(target, source) if reverse else (source, target) for source, target in pairs]
        links = [[(j, i) if reverse else (i, j) for i, j in each[reverse]] for each in paths]
        wanted = naive_scores(turned, links, 2, {}, {}, {})
        scores = [float(line) for line in files[1 + reverse].read_text().splitlines()]
        np.testing.assert_allclose(scores, wanted, rtol=1e-5)


def test_paths_come_with_answers_if_they_are_wanted():
    texts = [(["a", "b"], ["x", "y"]), (["b"], ["y"]), ([], ["x"])]
    for wanted in (False, True):
        aligner = Request().aligner()
        answers = list(align(aligner, texts, paths=wanted))
        assert [list(map(list, each.paths)) for each in answers] == [
            [[(0, 0), (1, 1)]] * 2 if wanted else [[], []],
            [[(0, 0)]] * 2 if wanted else [[], []],
            [[], []],
        ]
        aligner.close()


def test_a_text_of_empty_lines_has_scores():
    text, places = ScoredText(), LinkedPlaces()
    assert pair_scores(text, places, False, 3, None).tolist() == []
    text.add([], ["x"])
    places.add([], 1, 1)
    assert pair_scores(text, places, False, 3, None).tolist() == [0.0]


def test_scores_are_the_same_bits_however_much_is_looked_at_together(drawn, monkeypatch):
    text, places = ScoredText(), LinkedPlaces()
    for (source, target), (forward, _) in zip(*drawn, strict=True):
        text.add(source, target)
        places.add(forward, len(target), 1)
    found = set()
    for cells in (1, 7, 50, 10**6):
        monkeypatch.setattr(eflomal_scores, "_CELLS", cells)
        found.add(pair_scores(text, places, False, 3, None).tobytes())
    assert len(found) == 1


@pytest.mark.parametrize("reverse", [False, True])
def test_a_long_pair_takes_no_more_memory_than_many_short_ones(monkeypatch, reverse):
    """Its combinations of words alone, one byte each, would take twice what is allowed."""
    monkeypatch.setattr(eflomal_scores, "_CELLS", 10_000)
    words, places = [f"word{k % 50}" for k in range(2000)], LinkedPlaces()
    text = ScoredText()
    text.add(words, words)
    places.add([(k, k) for k in range(2000)], 2000, 0 if reverse else 1)
    _ = pair_scores(ScoredText(), LinkedPlaces(), reverse, 3, None)  # what is imported is not counted
    tracemalloc.start()
    try:
        scores = pair_scores(text, places, reverse, 3, None)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert np.isfinite(scores).all()
    assert most < 4_000_000
