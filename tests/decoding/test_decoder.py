"""Decoding made-up evidence link by link."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decoding.evidence import VALUES, made_up
from oracles.naive_decoding import decode
from oracles.naive_symmetrization import NAIVE
from pralign.decoding.decoder import METHODS, SOFT_UNION, Decoder, Links, Thresholds, marked_links
from pralign.decoding.matching import best_matching
from pralign.decoding.methods import DecodingMethod
from pralign.errors import UsageError
from pralign.links.alignment import Alignment

threshold = st.sampled_from([*VALUES.tolist(), 0.1, 0.4, 0.999, 0.3])
thresholds = st.builds(Thresholds, threshold, threshold, threshold)
UNTIMED = settings(deadline=None)  # the first example may have to wait for the compiler
HALF = Thresholds.all(0.5)


def expected(pair, decoder):
    scored = decode(pair, decoder.method, decoder.symmetrize, decoder.thresholds)
    return Alignment.of(scored, scores=scored.values())


@pytest.mark.parametrize("symmetrize", [SOFT_UNION, *NAIVE])
@UNTIMED
@given(evidence=made_up(VALUES), thresholds=thresholds)
def test_posterior_decoding_agrees_with_comparing_one_by_one(symmetrize, evidence, thresholds):
    decoder = Decoder("posterior", symmetrize, thresholds)
    assert list(decoder(evidence)) == [expected(pair, decoder) for pair in evidence.pairs()]


@pytest.mark.parametrize("symmetrize", NAIVE)
@UNTIMED
@given(evidence=made_up(VALUES), thresholds=thresholds)
def test_viterbi_decoding_combines_best_paths_and_scores_them_with_posteriors(symmetrize, evidence, thresholds):
    decoder = Decoder("viterbi", symmetrize, thresholds)
    assert list(decoder(evidence)) == [expected(pair, decoder) for pair in evidence.pairs()]


def scored(grid, mean):
    """The links of a grid, with their posteriors."""
    links = list(zip(*(axis.tolist() for axis in np.nonzero(grid)), strict=True))
    return Alignment.of(links, scores=[float(mean[link]) for link in links])


def means(evidence):
    return [(forward + reverse) * np.float32(0.5) for forward, reverse, *_ in evidence.grids]


@UNTIMED
@given(evidence=made_up(VALUES), threshold=threshold.filter(bool))
def test_matchings_are_found_pair_by_pair(evidence, threshold):
    decoder = Decoder("matching", SOFT_UNION, Thresholds(1.0, 1.0, threshold))
    grids = [best_matching(mean, threshold) for mean in means(evidence)]
    assert list(decoder(evidence)) == [scored(grid, mean) for grid, mean in zip(grids, means(evidence), strict=True)]


@UNTIMED
@given(evidence=made_up(VALUES), threshold=threshold, seed=st.integers(0, 2**32 - 1))
def test_of_a_tree_what_is_probable_enough_is_linked(evidence, threshold, seed):
    tree = np.random.default_rng(seed).random(evidence.mean.size) < 0.5
    object.__setattr__(evidence, "tree", tree)
    decoder = Decoder("itg", SOFT_UNION, Thresholds(1.0, 1.0, threshold))
    edges = evidence.cell_start
    for k, (alignment, mean) in enumerate(zip(decoder(evidence), means(evidence), strict=True)):
        grid = tree[edges[k] : edges[k + 1]].reshape(mean.shape) & (mean >= np.float64(threshold))
        assert alignment == scored(grid, mean)


# Methods by name


def test_methods_are_known_by_name_with_what_they_do_unless_told():
    usual = {
        name: (method.default_threshold, method.default_symmetrizer, method.has_threshold, method.grows)
        for name, method in METHODS.items()
    }
    assert usual == {
        "posterior": (0.5, SOFT_UNION, True, True),
        "viterbi": (0.5, "grow-diag-final-and", False, True),
        "itg": (0.0, SOFT_UNION, True, True),
        "matching": (0.5, SOFT_UNION, True, False),
    }
    for name, method in METHODS.items():
        assert method.name == name
        Decoder(name, method.default_symmetrizer, Thresholds.all(method.default_threshold))


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("symmetrize", [SOFT_UNION, *NAIVE])
def test_which_ways_to_symmetrize_go_with_which_methods(name, symmetrize):
    fits = {"posterior": True, "viterbi": symmetrize != SOFT_UNION}.get(name, symmetrize == SOFT_UNION)
    if fits:
        decoder = Decoder(name, symmetrize, HALF)
        assert decoder.grows == (name != "matching" and symmetrize == SOFT_UNION)
        assert decoder.with_thresholds(Thresholds(1.0, 0.5, 0.0)) == Decoder(name, symmetrize, (1.0, 0.5, 0.0))
        return
    with pytest.raises(UsageError, match="needs posteriors" if name == "viterbi" else "is all it can do"):
        Decoder(name, symmetrize, HALF)


def test_settings_that_make_no_sense_are_refused():
    assert HALF == (0.5, 0.5, 0.5)
    with pytest.raises(
        UsageError, match="no way to decode called 'guess'; there are posterior, viterbi, itg, matching"
    ):
        Decoder("guess", SOFT_UNION, HALF)
    for method in METHODS:
        with pytest.raises(
            UsageError, match="no way to symmetrize called 'shrink'; there are soft-union, intersection"
        ):
            Decoder(method, "shrink", HALF)


@UNTIMED
@given(evidence=made_up(VALUES))
def test_a_method_of_ones_own(evidence):
    class Corners(DecodingMethod):
        name = "corners"

        def marks(self, evidence, symmetrize, thresholds):
            marks = np.zeros(evidence.mean.size, np.bool_)
            marks[evidence.cell_start[:-1]] = True
            return marks

    with METHODS.restored():
        METHODS.register(Corners.name, Corners())
        found = list(Decoder("corners", SOFT_UNION, HALF)(evidence))
    assert [alignment.links for alignment in found] == [((0, 0),)] * len(evidence.grids)
    assert [alignment.scores for alignment in found] == [(float(mean[0, 0]),) for mean in means(evidence)]
    assert "corners" not in METHODS


# Links as arrays


class Layout:
    def __init__(self, *shapes):
        self.source_lengths, self.target_lengths = np.array(shapes, np.int32).reshape(-1, 2).T
        self.cell_start = np.cumsum([0, *(rows * columns for rows, columns in shapes)])


def test_the_links_of_each_pair_are_those_between_its_edges():
    layout = Layout((1, 2), (2, 2), (2, 3), (1, 1))
    marks = np.array([0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0], np.bool_)
    found = marked_links(marks, layout, np.arange(13, dtype=np.float32) / 16)
    assert found.edges.tolist() == [0, 1, 1, 4, 4]
    assert (found.source.tolist(), found.target.tolist()) == ([0, 0, 1, 1], [1, 0, 1, 2])
    assert (found.source.dtype, found.target.dtype) == (np.int32, np.int32)
    assert found.scores.tolist() == [1 / 16, 6 / 16, 10 / 16, 11 / 16]
    assert list(found.alignments()) == [
        Alignment(((0, 1),), (1 / 16,)),
        Alignment((), ()),
        Alignment(((0, 0), (1, 1), (1, 2)), (6 / 16, 10 / 16, 11 / 16)),
        Alignment((), ()),
    ]


def test_links_without_scores_and_without_pairs():
    found = marked_links(np.array([True, False]), Layout((2, 1)))
    assert found.scores is None
    assert list(found.alignments()) == [Alignment(((0, 0),))]
    nothing = marked_links(np.empty(0, np.bool_), Layout(), np.empty(0, np.float32))
    assert nothing.edges.tolist() == [0]
    assert list(nothing.alignments()) == []


@UNTIMED
@given(evidence=made_up(VALUES), thresholds=thresholds)
def test_a_decoder_gives_the_same_links_as_arrays_and_as_alignments(evidence, thresholds):
    decoder = Decoder("posterior", SOFT_UNION, thresholds)
    links = decoder.links(evidence)
    assert isinstance(links, Links)
    assert links.edges.size == len(evidence.grids) + 1
    assert list(links.alignments()) == list(decoder(evidence))
