"""Many alignments of a pair, from trained models of every kind."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from oracles.naive_lists import best_products
from pralign import Aligner
from pralign.decoding.lists import ListRequest
from pralign.errors import UsageError
from pralign.links.alignment import Alignment
from pralign.links.symmetrization import symmetrize
from pralign.models import MODELS, register_model
from pralign.models.ibm1 import IBM1

STAGES = {
    "ibm1": "ibm1=3",
    "ibm2": "ibm1=2,ibm2=2",
    "hmm": "ibm1=2,hmm=2",
    "fhmm": "ibm1=2,fhmm=2",
    "ibm3": "ibm1=2,hmm=1,ibm3=2",
    "ibm4": "ibm1=2,hmm=1,ibm4=2",
}
PAIRS = [
    ("one house", "ein haus"),
    ("one tree one tree", "ein baum ein baum"),
    ("the red house", "das rote haus"),
    ("", "nichts"),
    ("a tree", "baum"),
    ("red tree", "roter baum"),
    ("one more house", "noch ein haus"),
]
NEW = ("one red cat", "eine rote katze")
CERTAIN = ("ibm3", "ibm4")  # of so small a text these are sure of one alignment, so that all samples are that one
KINDS = [ListRequest("nbest", 7), ListRequest("samples", 7, 5)]
# Posteriors of links are in single precision, and pass over a few words.
LINKS = 1e-6


def aligner_of(model, **settings):
    return Aligner(model=model, iterations=STAGES[model], threads=1, **settings)


def marginals(entries, shape):
    """The probability of each link, from those of whole alignments."""
    grid = np.zeros(shape)
    for each in entries:
        for link in each.alignment:
            grid[link] += each.probability
    return grid


@pytest.fixture(scope="module", params=STAGES)
def aligner(request):
    return aligner_of(request.param).fit(PAIRS)


@pytest.mark.parametrize("pair", [PAIRS[0], PAIRS[2], NEW])
def test_all_alignments_together_say_what_posteriors_say(aligner, pair):
    found, posteriors = aligner.nbest(*pair, n=1000), aligner.posteriors(*pair)
    for entries, expected in ((found.forward, posteriors.forward), (found.reverse, posteriors.reverse)):
        assert len({each.alignment for each in entries}) == len(entries)
        assert math.fsum(each.probability for each in entries) == pytest.approx(1, abs=1e-9)
        np.testing.assert_allclose(marginals(entries, expected.shape), expected, rtol=0, atol=LINKS)


@pytest.mark.parametrize("estimator", ["em", "collapsed"])
@pytest.mark.parametrize("constraint", ["bijective", "symmetric", "agreement"])
@pytest.mark.parametrize("model", ["ibm2", "fhmm", "ibm4"])
def test_constraints_hold_of_lists_too(model, constraint, estimator):
    aligner = aligner_of(model, constraint=constraint, estimator=estimator).fit(PAIRS)
    found, posteriors = aligner.nbest(*PAIRS[2], n=1000), aligner.posteriors(*PAIRS[2])
    for entries, expected in ((found.forward, posteriors.forward), (found.reverse, posteriors.reverse)):
        np.testing.assert_allclose(marginals(entries, expected.shape), expected, rtol=0, atol=LINKS)


def test_the_best_hmm_alignments_begin_with_the_best_path():
    aligner = aligner_of("hmm", decode="viterbi").fit(PAIRS)
    for answer, (source, target) in zip(aligner.decode_pairs(PAIRS, directions=True), PAIRS, strict=True):
        found = aligner.nbest(source, target, n=1)
        if source:
            assert [answer.forward] == [each.alignment for each in found.forward]
            assert [answer.reverse] == [each.alignment for each in found.reverse]
            assert found.first.links == answer.alignment.links


@pytest.mark.parametrize(
    ("given", "heuristic"),
    [(None, "grow-diag-final-and"), ("intersection", "intersection"), ("union", "union"), ("reverse", "reverse")],
)
def test_both_directions_are_combined_by_product(given, heuristic):
    found = aligner_of("hmm", symmetrize=given).fit(PAIRS).nbest(*NEW, n=12)
    assert len(found.combined) == len(found.forward) == len(found.reverse) == 12
    products = {}
    for one in found.forward:
        for other in found.reverse:
            links = symmetrize(one.alignment, other.alignment, heuristic).links
            products.setdefault(round(one.probability * other.probability, 12), set()).add(links)
    for each in found.combined:
        assert each.alignment.links in products[round(each.probability, 12)]
    sides = ([each.probability for each in side] for side in (found.forward, found.reverse))
    np.testing.assert_allclose([each.probability for each in found.combined], best_products(*sides, 12), rtol=1e-9)


def test_samples_are_combined_one_by_one():
    found = aligner_of("hmm").fit(PAIRS).sample(*NEW, n=20, seed=3)
    assert found.kind == "samples"
    for one, other, both in zip(found.forward, found.reverse, found.combined, strict=True):
        assert both.alignment == symmetrize(one.alignment, other.alignment, "grow-diag-final-and")
        assert both.probability == pytest.approx(one.probability * other.probability, rel=1e-12)


def test_samples_come_as_often_as_links_are_probable(aligner):
    found, posteriors = aligner.sample(*NEW, n=4000, seed=1), aligner.posteriors(*NEW)
    for entries, expected in ((found.forward, posteriors.forward), (found.reverse, posteriors.reverse)):
        shares = marginals([replace(each, probability=1 / 4000) for each in entries], expected.shape)
        # Five standard deviations of a share of four thousand.
        np.testing.assert_allclose(shares, expected, rtol=0, atol=0.04)


def test_samples_depend_on_the_seed_and_the_first_ones_on_nothing_else(aligner):
    some = aligner.sample(*PAIRS[1], n=30, seed=4)
    assert some == aligner.sample(*PAIRS[1], n=30, seed=4)
    if aligner.settings.model not in CERTAIN:
        assert some.forward != aligner.sample(*PAIRS[1], n=30, seed=5).forward
    assert aligner.sample(*PAIRS[1], n=12, seed=4).combined == some.combined[:12]


@pytest.mark.parametrize("lists", KINDS, ids=lambda each: each.kind)
def test_all_ways_give_the_same_lists(aligner, lists, tmp_path):
    text = PAIRS * 9
    answers = [answer.lists for answer in aligner.decode_pairs(text, lists=lists)]
    model = aligner.settings.model
    assert [answer.lists for answer in aligner_of(model).fit_decode(PAIRS, lists=lists)] == answers[: len(PAIRS)]
    aligner.save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model", threads=3)
    assert [answer.lists for answer in loaded.decode_pairs(text, lists=lists)] == answers
    if lists.kind == "samples" and model not in CERTAIN:
        assert answers[1].forward != answers[1 + len(PAIRS)].forward  # as it is another pair, with other numbers
    if lists.kind == "nbest":
        assert answers[: len(PAIRS)] == answers[-len(PAIRS) :]


@pytest.mark.parametrize("lists", KINDS, ids=lambda each: each.kind)
def test_pairs_that_were_trained_on_are_listed_as_they_were_when_a_model_adapts(lists):
    aligner = Aligner(threads=1).fit(PAIRS)
    cat = ("a cat", "eine katze")
    text = [PAIRS[2], NEW, cat, PAIRS[0]]
    plain = [answer.lists for answer in aligner.decode_pairs(text, lists=lists)]
    adapted = [answer.lists for answer in aligner.adapt_decode(text, lists=lists)]
    assert [adapted[k] for k in (0, 3)] == [plain[k] for k in (0, 3)]
    if lists.kind == "samples":  # by the number in the whole text, not among those that are new
        assert next(aligner.adapt_decode([NEW, cat], lists=lists)).lists != adapted[1]
        assert [answer.lists for answer in aligner.adapt_decode([PAIRS[0], NEW, cat], lists=lists)][1] == adapted[1]


def test_answers_with_lists_have_the_first_alignment_and_a_score(aligner):
    answers = list(aligner.decode_pairs(PAIRS, lists=KINDS[0]))
    scores = [answer.score for answer in aligner.decode_pairs(PAIRS)]
    np.testing.assert_equal([answer.score for answer in answers], scores)
    assert all(answer.alignment == answer.lists.first for answer in answers)


def test_a_pair_with_an_empty_side_has_empty_lists(aligner):
    for found in (aligner.nbest("", "nichts da"), aligner.sample("", "nichts da")):
        assert found.combined == found.forward == found.reverse == ()
        assert found.first == Alignment()
        assert (found.source, found.target) == ((), ("nichts", "da"))


def test_the_words_are_as_they_were_given(aligner):
    assert aligner.nbest("The RED House", ["das", "rote", "Haus"]).source == ("The", "RED", "House")
    assert aligner.nbest("The RED House", ["das", "rote", "Haus"], n=1).target == ("das", "rote", "Haus")


@pytest.mark.parametrize("n", [0, -1, 10_001, "3", 2.5, True, None])
def test_wrong_numbers_are_refused(n):
    aligner = aligner_of("ibm1").fit(PAIRS)
    for ask in (aligner.nbest, aligner.sample, aligner.model_.nbest):
        with pytest.raises(UsageError, match="n has to be a whole number from 1 to 10000, not"):
            ask(*NEW, n=n)


@pytest.mark.parametrize("seed", [-1, 2**63, "x", 0.5])
def test_wrong_seeds_are_refused(seed):
    with pytest.raises(UsageError, match="seed has to be a whole number from 0 to"):
        aligner_of("ibm1").fit(PAIRS).sample(*NEW, seed=seed)


def test_a_number_of_numpy_will_do():
    aligner = aligner_of("ibm1").fit(PAIRS)
    assert aligner.sample(*NEW, n=np.int64(3), seed=np.int32(2)) == aligner.sample(*NEW, n=3, seed=2)


class TestAModelOfOnesOwn:
    @pytest.fixture
    def own(self):
        class Own(IBM1):
            name = "own"

            def infer(self, lattice, statistics=None):
                return super().infer(lattice, statistics)

        with MODELS.restored():
            yield register_model(Own)

    @pytest.mark.parametrize("lists", KINDS, ids=lambda each: each.kind)
    def test_it_is_refused_before_it_is_trained(self, own, lists):
        def pairs():
            yield PAIRS[0]
            raise AssertionError("it is trained")

        with pytest.raises(UsageError, match="the model own infers in a way of its own, but has no method"):
            Aligner(model="own", threads=1).fit_decode(pairs(), lists=lists)

    def test_it_is_refused_when_it_is_asked(self, own):
        aligner = Aligner(model="own", threads=1).fit(PAIRS)
        with pytest.raises(UsageError, match="no method nbest"):
            aligner.nbest(*NEW)
        with pytest.raises(UsageError, match="no method sample"):
            aligner.sample(*NEW)

    def test_it_may_say_what_it_lists(self, own):
        own.nbest = IBM1.nbest
        assert Aligner(model="own", threads=1).fit(PAIRS).nbest(*NEW).combined
