"""Decoding whole corpora: one answer a pair, in order."""

from __future__ import annotations

import logging
import math

import numpy as np
import pytest

from pralign.decoding import stream
from pralign.decoding.decoder import SOFT_UNION, Decoder, Thresholds
from pralign.decoding.evidence import Evidence
from pralign.decoding.stream import decodable, decode_corpus, evidence_blocks
from pralign.engine import Engine
from pralign.links.alignment import Alignment
from pralign.models.bidirectional import Block
from training.corpora import build, random_sentences, small_blocks, trained, unindexed

DECODER = Decoder("posterior", SOFT_UNION, Thresholds.all(0.3))
PAIRS = [*random_sentences(11, pairs=60), ([], []), (["s1"], []), ([], ["t1"]), (["s1"] * 20, ["t1"] * 13)]


@pytest.fixture(scope="module")
def learned():
    return (*build(PAIRS), trained(PAIRS, (("ibm1", 3), ("hmm", 2))))


@pytest.fixture
def limited(monkeypatch):
    """At most 100 cells a pair, and small blocks."""
    monkeypatch.setattr(stream, "MOST_CELLS", 100)
    monkeypatch.setattr(stream, "blocks", small_blocks)


def alone(model, corpus, number):
    """The answer for one pair without all others."""
    evidence = Evidence.of(model, Block(corpus.texts, unindexed(corpus), np.array([number])))
    (alignment,) = DECODER(evidence)
    return alignment, float(evidence.scores[0]), evidence.viterbi


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("indexed", [True, False])
def test_each_pair_is_answered_in_its_place(learned, limited, caplog, threads, indexed):
    corpus, index, model = learned
    cells = index.cells if indexed else unindexed(corpus)
    assert len(list(evidence_blocks(corpus, cells, decodable(corpus)))) > 2 * 3 + 1
    with caplog.at_level(logging.WARNING, "pralign"):
        answers = list(decode_corpus(model, corpus, cells, DECODER, Engine(threads), first_number=1001))
    assert len(answers) == len(PAIRS)
    large, empty = [], 0
    for number, ((source, target), answer) in enumerate(zip(PAIRS, answers, strict=True)):
        size = len(source) * len(target)
        if 0 < size <= 100:
            alignment, score, _ = alone(model, corpus, number)
            assert answer.alignment == alignment
            assert answer.alignment.scores is not None
            assert answer.score == pytest.approx(score, rel=0, abs=1e-12)
            assert answer.forward is answer.reverse is None
            continue
        assert answer.alignment == Alignment()
        assert math.isnan(answer.score)
        empty += size == 0
        if size:
            large.append((1001 + number, len(source), len(target)))
    assert len(large) > 5
    assert empty > 5
    assert [record.getMessage() for record in caplog.records] == [
        f"pair {number} is too large to align ({rows} by {columns} words); it gets no links. Split it into sentences."
        for number, rows, columns in large
    ]
    assert sum(len(answer.alignment) for answer in answers) > 50


def test_directions_are_the_best_paths(learned, limited):
    corpus, index, model = learned
    answers = list(decode_corpus(model, corpus, index.cells, DECODER, Engine(2), directions=True))
    assert len(answers) == len(PAIRS)
    for number, ((source, target), answer) in enumerate(zip(PAIRS, answers, strict=True)):
        if not 0 < len(source) * len(target) <= 100:
            assert answer.forward == answer.reverse == Alignment()
            continue
        alignment, _, marks = alone(model, corpus, number)
        assert answer.alignment == alignment
        for found, grid in zip((answer.forward, answer.reverse), marks, strict=True):
            rows, columns = np.nonzero(grid.reshape(len(source), len(target)))
            assert found.links == tuple(zip(rows.tolist(), columns.tolist(), strict=True))


def test_nothing_to_decode(learned):
    _, _, model = learned
    for pairs in ([], [([], ["t1"])]):
        corpus, _ = build(pairs)
        answers = list(decode_corpus(model, corpus, unindexed(corpus), DECODER, Engine(2)))
        assert [answer.alignment for answer in answers] == [Alignment()] * len(pairs)


def test_the_limit_itself_is_still_decoded(learned, monkeypatch):
    corpus, _, _ = learned
    cells = corpus.source_lengths * corpus.target_lengths
    size = int(np.median(cells[cells > 0]))
    monkeypatch.setattr(stream, "MOST_CELLS", size)
    assert decodable(corpus).tolist() == [n for n, value in enumerate(cells.tolist()) if 0 < value <= size]
