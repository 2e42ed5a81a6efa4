"""Lists of alignments, however a text is cut."""

from __future__ import annotations

import numpy as np
import pytest

from pralign.constraints import Symmetric
from pralign.decoding.decoder import SOFT_UNION, Decoder, Thresholds
from pralign.decoding.draws import uniform_draws
from pralign.decoding.lists import BlockLists, ListRequest, joined_lists
from pralign.decoding.stream import BlockDecoder, Outline, in_order
from pralign.text.shard import Shard
from shards import add_pairs, learn, random_sentences, sharded

DECODER = Decoder("posterior", SOFT_UNION, Thresholds.all(0.3))
PAIRS = [*random_sentences(11, pairs=130, most=9), ([], ["t1"])]
KINDS = [ListRequest("nbest", 4), ListRequest("samples", 4, 9)]


@pytest.fixture(scope="module")
def learned():
    corpus = sharded(PAIRS)
    assert corpus.shards > 1
    add_pairs(corpus, "again", PAIRS)
    return learn(corpus, (("ibm1", 3), ("hmm", 2)), aligned=("again",))


def answered(learned, names, work, most_cells=None):
    decoded = []
    for name in names:
        opened = learned.open(name)
        blocks = work.blocks(opened.shard) if most_cells is None else opened.shard.blocks(most_cells=most_cells)
        decoded.append((Outline.of(opened.shard), [work.decode(opened, block) for block in blocks]))
    return [answer.lists for answer in in_order(decoded, iter(()), lists=work.lists)]


@pytest.mark.parametrize("constraint", [None, Symmetric()], ids=["plain", "symmetric"])
@pytest.mark.parametrize("lists", KINDS, ids=lambda each: each.kind)
def test_cuts_make_no_difference(learned, lists, constraint):
    work = BlockDecoder(DECODER, constraint, lists=lists)
    expected = answered(learned, ["again"], work)
    assert len(expected) == len(PAIRS)
    assert expected[-1].combined == ()
    assert answered(learned, learned.names, work) == expected
    assert answered(learned, ["again"], work, most_cells=20) == expected


def test_samples_go_by_the_numbers_of_pairs_in_the_whole_text(learned):
    lists = KINDS[1]
    elsewhere = np.arange(len(PAIRS)) + 1000
    plain = answered(learned, ["again"], BlockDecoder(DECODER, lists=lists))
    moved = answered(learned, ["again"], BlockDecoder(DECODER, lists=lists, numbers=elsewhere))
    assert moved != plain
    opened = learned.open("again")
    there = Shard(*(elsewhere if name == "numbers" else value for name, value in vars(opened.shard).items()))
    work = BlockDecoder(DECODER, lists=lists)
    blocks = [work.decode(type(opened)(there, opened.model, opened.own), block) for block in there.blocks()]
    listed = [each for block in blocks for each in block.lists.lists("samples")]
    assert listed == [each for each in moved if each.combined]


@pytest.mark.parametrize("lists", KINDS, ids=lambda each: each.kind)
def test_arrays_are_put_together_and_stored(learned, lists):
    work, opened = BlockDecoder(DECODER, lists=lists), learned.open("again")
    blocks = [work.decode(opened, block) for block in opened.shard.blocks(most_cells=100)]
    assert len(blocks) > 3
    expected = [each for block in blocks for each in block.lists.lists(lists.kind)]
    joined = BlockLists.from_arrays(joined_lists([block.lists for block in blocks]).arrays())
    assert list(joined.lists(lists.kind)) == expected


def test_long_lists_have_small_blocks():
    assert ListRequest("nbest", 1).most_cells == ListRequest("nbest", 10).most_cells > 100_000
    assert ListRequest("nbest", 10_000).most_cells * 10_000 <= 2_000_000


def test_draws_are_even_and_depend_on_all_they_should():
    numbers, words = np.arange(500), np.full(500, 7)
    draws = uniform_draws(0, numbers, 0, words, 10)
    assert draws.size == 35_000
    assert draws.min() >= 0
    assert draws.max() < 1
    # Five standard deviations: of a mean, of a share of a tenth, and of a correlation.
    assert draws.mean() == pytest.approx(0.5, abs=5 * 0.289 / 187)
    np.testing.assert_allclose(np.bincount((draws * 10).astype(int)) / draws.size, 0.1, atol=5 * 0.3 / 187)
    others = [uniform_draws(1, numbers, 0, words, 10), uniform_draws(0, numbers, 1, words, 10)]
    others += [uniform_draws(0, numbers + 1, 0, words, 10), np.roll(draws, 1), np.roll(draws, 70)]
    for other in others:
        assert abs(np.corrcoef(draws, other)[0, 1]) < 5 / 187
    assert np.unique(np.concatenate([draws, *others[:2]])).size > 3 * draws.size - 3


def test_draws_of_a_pair_are_its_own():
    numbers, words = np.array([3, 8, 5]), np.array([2, 0, 4])
    together = uniform_draws(7, numbers, 1, words, 3)
    apart = [uniform_draws(7, numbers[k : k + 1], 1, words[k : k + 1], 3) for k in range(3)]
    np.testing.assert_array_equal(together, np.concatenate(apart))
    assert uniform_draws(2**63 - 1, numbers, 0, words, 1).size == 6
