"""How often phrase pairs are expected, against a list of all alignments."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import as_lattice, as_weights, blocks, hmm_of, jump_weights, quick
from oracles import naive_phrases
from oracles.naive_alignments import hmm_paths, independent_alignments
from pralign import phrases
from pralign.aligner import Aligner
from pralign.kernels.expected_spans import expected_spans
from pralign.kernels.links import LinkArrays
from pralign.links.aligned import GivenAlignments, read_aligned
from pralign.links.alignment import Alignment
from pralign.models.ibm1 import IBM1
from pralign.phrases.expected import ByModel, box_probabilities
from pralign.text.vocabulary import VocabularyBuilder

SIDE = st.integers(1, 4)
# Likelihoods are double precision; posteriors, by which boxes are ruled out, are not asked here.
CLOSE = 1e-6


@quick(60)
@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 10**6), st.integers(1, 4))
def test_independent_links_are_listed(rows, columns, seed, most):
    rng = np.random.default_rng(seed)
    cells = [(i, j) for i in range(rows) for j in range(columns)]
    chosen = sorted(cells[k] for k in rng.choice(len(cells), min(len(cells), 9), replace=False))
    scores = {link: float(rng.choice([0.0, 0.01, 0.3, 0.5, 0.99, 1.0])) for link in chosen}
    columns_of = np.array(chosen, np.int32).reshape(-1, 2)
    links = LinkArrays(np.array([0, len(chosen)]), *columns_of.T.copy(), np.array(list(scores.values())))
    spans, expected = expected_spans(np.array([rows]), np.array([columns]), links, most, 0.0)
    found = dict(zip(zip(*(part.tolist() for part in spans[1:]), strict=True), expected.tolist(), strict=True))
    for box in naive_phrases.boxes(rows, columns, most):
        assert found.get(box, 0.0) == pytest.approx(naive_phrases.expected_by_links(scores, box), abs=CLOSE)


def listed(alignments, box):
    """The share of all alignments in which a box of states and words is consistent."""
    total = sum(each.probability for each in alignments)
    kept = 0.0
    for each in alignments:
        links = [(state, word) for word, state in enumerate(each.choices) if state is not None]
        kept += each.probability * naive_phrases.is_consistent(box, links)
    return kept / total


def check_boxes(model, block, list_alignments):
    lattice = as_lattice(block)
    for number, pair in enumerate(block):
        alignments = list(list_alignments(pair))
        boxes = naive_phrases.boxes(pair.emission.shape[1], pair.emission.shape[0], 4)
        sides = tuple(np.array(side, np.int32) for side in zip(*boxes, strict=True))
        found = box_probabilities(model, lattice, np.full(len(boxes), number), sides)
        expected = [listed(alignments, box) for box in boxes]
        assert found.tolist() == pytest.approx(expected, abs=CLOSE)


@quick(40)
@given(blocks(SIDE, SIDE), jump_weights(3))
def test_all_paths_of_the_hmm_are_listed(block, jumps):
    check_boxes(
        hmm_of(as_weights(jumps), 4), block, lambda pair: hmm_paths(pair.emission.tolist(), pair.null.tolist(), jumps)
    )


@quick(40)
@given(blocks(SIDE, SIDE))
def test_all_alignments_of_ibm1_are_listed(block):
    def alignments(pair):
        flat = np.ones((pair.null.size, pair.emission.shape[1] + 1)).tolist()
        return independent_alignments(pair.emission.tolist(), pair.null.tolist(), flat)

    check_boxes(IBM1(), block, alignments)


PAIRS = [
    ("the house", "la maison"),
    ("the cat", "le chat"),
    ("a house", "une maison"),
    ("the red house", "la maison rouge"),
]


@pytest.fixture(scope="module", params=["ibm1", "ibm2", "hmm", "fhmm", "ibm4"])
def trained(request):
    return Aligner(model=request.param, threads=1).fit(PAIRS)


def chunk_of(pairs):
    vocabularies = VocabularyBuilder(), VocabularyBuilder()
    [chunk] = read_aligned(pairs, GivenAlignments([Alignment()] * len(pairs)), vocabularies)
    return chunk, (list(vocabularies[0]), list(vocabularies[1]))


def test_no_box_that_counts_is_ruled_out(trained):
    chunk, words = chunk_of(PAIRS)
    spans, expected = ByModel(trained.model_, words, least=0.0)(chunk, 7)
    least = 0.05
    fewer, kept = ByModel(trained.model_, words, least=least)(chunk, 7)
    assert kept.tolist() == expected[expected >= least].tolist()
    assert fewer.owner.tolist() == spans.owner[expected >= least].tolist()


def test_what_a_model_expects_is_the_mean_of_both_directions(trained):
    chunk, words = chunk_of(PAIRS[:1])
    spans, expected = ByModel(trained.model_, words, least=0.0)(chunk, 1)
    posteriors = trained.posteriors(*PAIRS[0])
    found = {
        (int(i), int(j)): value for i, j, value in zip(spans.source_begin, spans.target_begin, expected, strict=True)
    }
    for link, value in found.items():
        assert value <= float(posteriors.mean[link]) + 1e-5  # a phrase of two words has their link
    assert max(found, key=found.get) == np.unravel_index(posteriors.mean.argmax(), posteriors.mean.shape)


def test_phrases_are_counted_by_a_model(trained):
    entries = list(phrases.phrase_table(PAIRS, ["0-0 1-1"] * 3 + ["0-0 1-2 2-1"], count="posteriors", model=trained))
    counts = {(entry.source, entry.target): entry.count for entry in entries}
    assert 0 < counts[("house",), ("maison",)] <= 3
    assert all(0 < count <= len(PAIRS) for count in counts.values())


def test_certain_scores_count_like_links():
    links = ["0-0:1.0 1-1:1.0", "0-0:1 1-1:1", "0-0:1 1-1:1", "0-0:1 1-2:1 2-1:1"]
    by_scores = list(phrases.phrase_table(PAIRS, links, count="posteriors"))
    by_links = list(phrases.phrase_table(PAIRS, [Alignment.of(each).links for each in links]))
    assert by_scores == by_links
