"""Aligning a text with its sides exchanged gives the same links with their sides exchanged, and the same bits."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from pralign import Aligner
from pralign.constraints import CONSTRAINTS
from pralign.runs.trained import TrainedModel

pytestmark = pytest.mark.slow

STAGES = {
    "ibm1": "ibm1=3",
    "ibm2": "ibm1=2,ibm2=2",
    "hmm": "ibm1=2,hmm=2",
    "fhmm": "ibm1=2,fhmm=2",
    "ibm3": "ibm1=2,hmm=1,ibm3=2",
    "ibm4": "ibm1=2,hmm=1,ibm4=2",
}
# Words that occur twice, sides of the same length, sides that are the same, and words that nothing tells apart: where
# much is equally good, an order shows. And pairs that are long enough for loops that take several steps at a time.
LONG = "one house and one more house and one tree and one more tree"
TEXT = [
    ("one house", "ein haus"),
    ("one tree one tree", "ein baum ein baum"),
    ("tree tree tree", "baum baum baum"),
    ("p q p", "u v u"),
    ("q q", "v v"),
    ("same words here", "same words here"),
    ("here same here same", "here here same same"),
    ("house and tree", "baum und haus und baum"),
    ("one more", "noch ein"),
    ("", "nichts"),
    ("alone", "allein"),
    (LONG, "ein haus und noch ein haus und ein baum und noch ein baum"),
    (LONG, LONG),
    ("more more more house", "noch haus"),
]
# A heuristic that grows by an order of cells, as Moses does, cannot be here.
WAYS = [
    {"decode": "posterior"},
    {"decode": "posterior", "threshold": 0.2},
    {"decode": "posterior", "threshold": "auto"},
    {"decode": "posterior", "threshold": "balanced"},
    {"decode": "posterior", "symmetrize": "intersection"},
    {"decode": "viterbi", "symmetrize": "union"},
    {"decode": "itg"},
    {"decode": "matching"},
    {"decode": "matching", "threshold": 0.01},
]


class Answer(NamedTuple):
    links: list[tuple[int, int, float]]
    score: str
    forward: list[tuple[int, int]]
    reverse: list[tuple[int, int]]


def exchanged(pairs):
    return [(target, source) for source, target in pairs]


def answers(model: TrainedModel, pairs, way, back: bool) -> list[Answer]:
    """What a model says of each pair; with ``back``, as if the sides were not exchanged."""
    chosen = model.with_settings(**{"threshold": None, "symmetrize": None, **way})
    if chosen.recipe.threshold_rule is not None:
        chosen = chosen.adapted(pairs)
    found = []
    for alignment, score, forward, reverse, _ in chosen.decode_pairs(pairs, directions=True):
        links = [(*link, value) for link, value in zip(alignment.links, alignment.scores or (), strict=True)]
        if back:
            links = [(i, j, value) for j, i, value in links]
            forward, reverse = reverse.transposed(), forward.transposed()
        found.append(Answer(sorted(links), repr(score), sorted(forward.links), sorted(reverse.links)))
    return found


def assert_exchanged(pairs, **settings):
    there, back = (Aligner(threads=1, **settings).fit(text) for text in (pairs, exchanged(pairs)))
    for source, target in pairs:
        ours, theirs = there.posteriors(source, target), back.posteriors(target, source)
        assert ours.forward.tobytes() == theirs.reverse.T.tobytes()
        assert ours.reverse.tobytes() == theirs.forward.T.tobytes()
    for way in WAYS:
        assert answers(there.model_, pairs, way, False) == answers(back.model_, exchanged(pairs), way, True), way


@pytest.mark.parametrize("estimator", ["em", "collapsed", pytest.param("vb", marks=pytest.mark.slow)])
@pytest.mark.parametrize("constraint", ["none", *CONSTRAINTS])
@pytest.mark.parametrize("model", STAGES)
def test_exchanging_the_sides_exchanges_the_links(model, constraint, estimator):
    settings = {"model": model, "constraint": constraint, "estimator": estimator}
    assert_exchanged(TEXT, iterations=STAGES[model], classes=3, **settings)


@pytest.mark.parametrize("preset", ["fast", "default", "best"])
def test_presets_do_not_know_which_side_is_the_source(preset):
    assert_exchanged(TEXT, preset=preset)


@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_a_text_that_is_its_own_translation(constraint):
    pairs = [(source, source) for source, _ in TEXT]
    aligner = Aligner(model="hmm", iterations="ibm1=2,hmm=2", constraint=constraint, threads=1).fit(pairs)
    for source, target in pairs:
        found = aligner.posteriors(source, target)
        assert found.forward.tobytes() == found.reverse.T.tobytes()
    for way in WAYS:
        for answer in answers(aligner.model_, pairs, way, False):
            assert sorted((j, i) for i, j, _ in answer.links) == [(i, j) for i, j, _ in answer.links]
