"""Decoding whole corpora: one answer a pair, in order."""

from __future__ import annotations

import logging
import math

import numpy as np
import pytest

from pralign.constraints import Symmetric
from pralign.decoding.decoder import SOFT_UNION, Decoder, Links, Thresholds
from pralign.decoding.stream import BlockDecoder, Decoded, DecodedBlock, Outline, in_order, in_place
from pralign.engine import ThreadEngine
from pralign.kernels.arrays import Texts
from pralign.links.alignment import Alignment
from pralign.text import corpus as corpus_module
from pralign.text.corpus import decodable
from pralign.text.shard import Shard
from shards import add_pairs, learn, random_sentences, sharded, small_blocks

DECODER = Decoder("posterior", SOFT_UNION, Thresholds.all(0.3))
PAIRS = [*random_sentences(11, pairs=90), ([], []), (["s1"], []), ([], ["t1"]), (["s1"] * 20, ["t1"] * 13)]
LONGEST = 9  # so that what is trained on has at most 81 cells
MOST_CELLS = 150  # and what is aligned at most these


@pytest.fixture(autouse=True, scope="module")
def limited():
    """At most so many cells a pair, and small blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus_module, "MOST_CELLS", MOST_CELLS)
        patch.setattr(Shard, "blocks", small_blocks)
        yield


@pytest.fixture(scope="module")
def learned(limited):
    corpus = sharded(PAIRS, LONGEST)
    assert corpus.shards > 2
    add_pairs(corpus, "again", PAIRS)
    return learn(corpus, (("ibm1", 3), ("hmm", 2)), aligned=("again",))


def decoding(learned, **options):
    """What aligns all included pairs of a shard, found by its name."""

    def decode(name):
        opened = learned.open(name)
        return Outline.of(opened.shard), BlockDecoder(DECODER, **options).decode_all(opened)

    return decode


def answered(learned, names, threads=1, first_number=1, **options):
    """The answers for all pairs of some shards."""
    decode = decoding(learned, **options)
    directions = options.get("directions", False)
    untrained = [decode(name)[1] for name in learned.corpus.untrained]
    elsewhere = (answer for blocks in untrained for block in blocks for answer in block.answers())
    decoded = ThreadEngine(threads).map(decode, names)
    answers = list(in_order(decoded, elsewhere, first_number, directions))
    assert (next(elsewhere, None) is None) == (names == learned.names)
    return answers


def alone(learned, number):
    """What is said of one pair without all others, as of new text."""
    opened = learned.open("again")
    (evidence,) = opened.evidence(pairs=np.array([number]))
    (alignment,) = DECODER(evidence)
    return alignment, float(evidence.scores[0]), evidence.viterbi


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("again", [False, True], ids=["trained", "again"])
def test_each_pair_is_answered_in_its_place(learned, caplog, threads, again):
    names = ["again"] if again else learned.names
    blocks = [len(decoding(learned)(name)[1]) for name in names]
    assert sum(blocks) > 2 * 3 + 1
    with caplog.at_level(logging.WARNING, "pralign"):
        answers = answered(learned, names, threads, first_number=1001)
    assert len(answers) == len(PAIRS)
    large, empty, untrained = [], 0, 0
    for number, ((source, target), answer) in enumerate(zip(PAIRS, answers, strict=True)):
        size = len(source) * len(target)
        if 0 < size <= MOST_CELLS:
            alignment, score, _ = alone(learned, number)
            assert answer.alignment == alignment
            assert answer.alignment.scores is not None
            assert answer.score == pytest.approx(score, rel=0, abs=1e-12)
            assert answer.forward is answer.reverse is None
            untrained += max(len(source), len(target)) > LONGEST
            continue
        assert answer.alignment == Alignment()
        assert math.isnan(answer.score)
        empty += size == 0
        if size:
            large.append((1001 + number, len(source), len(target)))
    assert min(len(large), empty, untrained) > 3
    assert [record.getMessage() for record in caplog.records] == [
        f"pair {number} is too large to align ({rows} by {columns} words); it gets no links. Split it into sentences."
        for number, rows, columns in large
    ]
    assert sum(len(answer.alignment) for answer in answers) > 50


@pytest.mark.parametrize("again", [False, True], ids=["trained", "again"])
def test_directions_are_the_best_paths(learned, again):
    answers = answered(learned, ["again"] if again else learned.names, threads=2, directions=True)
    assert len(answers) == len(PAIRS)
    for number, ((source, target), answer) in enumerate(zip(PAIRS, answers, strict=True)):
        if not 0 < len(source) * len(target) <= MOST_CELLS:
            assert answer.forward == answer.reverse == Alignment()
            continue
        alignment, _, marks = alone(learned, number)
        assert answer.alignment == alignment
        for found, grid in zip((answer.forward, answer.reverse), marks, strict=True):
            rows, columns = np.nonzero(grid.reshape(len(source), len(target)))
            assert found.links == tuple(zip(rows.tolist(), columns.tolist(), strict=True))


def test_what_is_projected_gets_other_links_and_the_same_scores(learned):
    plain = answered(learned, learned.names)
    projected = answered(learned, learned.names, constraint=Symmetric())
    for one, other in zip(plain, projected, strict=True):
        assert one.score == pytest.approx(other.score, abs=1e-5, nan_ok=True)
    assert [one.alignment for one in plain] != [other.alignment for other in projected]


@pytest.mark.parametrize("pairs", [[], [([], ["t1"])], [([], []), (["s1"], [])]])
def test_nothing_to_decode(learned, caplog, pairs):
    name = f"nothing {len(pairs)}"
    shard = add_pairs(learned.corpus, name, pairs)
    assert not shard.included.any()
    # Parameters are made while training. Without any pairs of words, there are none.
    step = learned.state.parameters
    store = learned.corpus.store
    for piece in range(learned.corpus.pieces):
        others = store.load(f"parameters/{step}/{piece}")
        store.save(f"parameters/{step}/{piece}", {**others, name: np.empty((0, 2), np.float32)})
    decoded = decoding(learned)(name)
    assert decoded[1] == []
    answers = list(in_order([decoded], iter(())))
    assert [answer.alignment for answer in answers] == [Alignment()] * len(pairs)
    assert not caplog.records


def test_no_shards_have_no_answers():
    assert list(in_order([], iter(()))) == []


def test_the_limit_itself_is_still_decoded(learned, monkeypatch):
    shard = learned.open("again").shard
    cells = shard.source_lengths * shard.target_lengths
    size = int(np.median(cells[cells > 0]))
    monkeypatch.setattr(corpus_module, "MOST_CELLS", size)
    assert decodable(shard.texts).tolist() == [0 < value <= size for value in cells.tolist()]


# In place


def shard_of(sizes, included, first=0):
    """A shard of pairs of these sizes, all of one word."""
    starts = [np.cumsum([0, *(size[side] for size in sizes)]) for side in (0, 1)]
    source, target = (np.zeros(start[-1], np.int32) for start in starts)
    texts = Texts(source, starts[0], target, starts[1])
    return Shard.of(texts, np.array(included, np.bool_), np.arange(first, first + len(sizes)))


SIZES = [(1, 2), (0, 2), (20, 20), (10, 12), (3, 0), (2, 2), (0, 0), (30, 10)]
INCLUDED = [True, False, False, False, False, True, False, False]


def test_every_pair_has_its_answer_from_where_it_belongs(caplog):
    shard = shard_of(SIZES, INCLUDED, first=40)
    with caplog.at_level(logging.WARNING, "pralign"):
        found = list(in_place(iter("ab"), "-", shard.texts, shard.included, 1041, iter("Z")))
    assert found == ["a", "-", "-", "Z", "-", "b", "-", "-"]
    assert [record.getMessage().split(";")[0] for record in caplog.records] == [
        "pair 1043 is too large to align (20 by 20 words)",
        "pair 1048 is too large to align (30 by 10 words)",
    ]


def test_shards_share_what_is_elsewhere():
    elsewhere = iter("XYZ")
    shards = [shard_of([(1, 1), (10, 12)], [True, False]), shard_of([(10, 12), (10, 11)], [False, False])]
    found = [list(in_place(iter("a"), "-", shard.texts, shard.included, elsewhere=elsewhere)) for shard in shards]
    assert found == [["a", "X"], ["Y", "Z"]]


def test_answers_come_as_soon_as_they_are_there():
    """A shard is asked for only when its turn has come, and warnings come with their pairs."""
    asked = []

    def decoded():
        for number in range(3):
            asked.append(number)
            links = Links(np.array([0, 1]), np.zeros(1, np.int32), np.zeros(1, np.int32), np.ones(1, np.float32))
            yield shard_of([(1, 1)], [True], number), [DecodedBlock(links, np.array([-1.5 - number]), None)]

    answers = in_order(decoded(), iter(()))
    assert asked == []
    assert next(answers) == Decoded(Alignment(((0, 0),), (1.0,)), -1.5)
    assert asked == [0]
    assert [answer.score for answer in answers] == [-2.5, -3.5]


def test_a_block_of_answers_pairs_links_with_scores_and_directions():
    links = Links(np.array([0, 2, 2]), np.array([0, 1]), np.array([1, 0]), np.array([0.5, 0.75], np.float32))
    forward = Links(np.array([0, 1, 1]), np.array([0]), np.array([1]), None)
    reverse = Links(np.array([0, 0, 1]), np.array([2]), np.array([0]), None)
    scores = np.array([-1.0, -2.0])
    first, second = Alignment(((0, 1), (1, 0)), (0.5, 0.75)), Alignment((), ())
    assert list(DecodedBlock(links, scores, None).answers()) == [Decoded(first, -1.0), Decoded(second, -2.0)]
    assert list(DecodedBlock(links, scores, (forward, reverse)).answers()) == [
        Decoded(first, -1.0, Alignment(((0, 1),)), Alignment()),
        Decoded(second, -2.0, Alignment(), Alignment(((2, 0),))),
    ]
