"""The word pairs of a text, in shards and in pieces, against a dictionary of pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kernels.lattices import quick
from oracles.naive_index import naive_index
from pralign.kernels.arrays import PairTable
from pralign.kernels.indexing import find_slot, find_slots, union_rows
from pralign.text.corpus import blocks
from pralign.text.sharding import slots_in_piece
from training.corpora import (
    build,
    cut_into,
    random_sentences,
    sentence_texts,
    sentences,
    trained_numbers,
    whole_table,
    word_pairs,
)


def listed(table):
    """The word pairs of a table, target and source word, in order."""
    rows = np.repeat(np.arange(table.row_start.size - 1), np.diff(table.row_start)).tolist()
    return list(zip(rows, table.source.tolist(), strict=True))


def check(pairs, longest, sizes, threads):
    corpus = build(pairs, longest, sizes, threads)
    texts = corpus.texts()
    text = [sentence_texts(texts, number) for number in range(len(pairs))]
    assert [
        ([corpus.source.words[k] for k in source], [corpus.target.words[k] for k in target]) for source, target in text
    ] == pairs
    expected = naive_index(text, longest)
    assert trained_numbers(corpus).tolist() == expected.included
    table = whole_table(corpus)
    assert listed(table) == expected.pairs  # sorted by target and source
    assert table.row_start.size == len(corpus.target) + 1
    assert corpus.target_partners.tolist() == np.diff(table.row_start).tolist()
    assert corpus.source_partners.tolist() == np.bincount(table.source, minlength=len(corpus.source)).tolist()
    begins = np.cumsum([0, *(corpus.piece(piece).source.size for piece in range(corpus.pieces))])
    for number in range(corpus.shards):
        check_shard(corpus, number, expected, begins)


def check_shard(corpus, number, expected, begins):
    """Each cell has a slot in the shard, and each slot of the shard one in the whole table."""
    shard = corpus.shard(number)
    slots = [slots_in_piece(corpus.store, str(number), piece) for piece in range(corpus.pieces)]
    of_shard = np.concatenate([part + begin for part, begin in zip(slots, begins, strict=False)])
    assert [list(expected.pairs[slot]) for slot in of_shard] == word_pairs(shard)[:, ::-1].tolist()
    for block in shard.blocks(most_cells=100, cells_at_once=200):
        begin = 0
        for pair in block.pairs:
            size = int(shard.source_lengths[pair] * shard.target_lengths[pair])
            cells = of_shard[block.slots[begin : begin + size]].reshape(shard.target_lengths[pair], -1)
            assert cells.tolist() == expected.slots[int(shard.numbers[pair])]
            begin += size
        assert begin == block.slots.size


@quick(100)
@given(sentences(most=7, pairs=6), st.integers(1, 8), st.integers(1, 4), st.sampled_from([1, 5, 1000]))
@example([(["s0"], []), ([], ["t0"]), ([], [])], 3, 2, 1)
@example([], 3, 2, 1)
def test_slots_agree_with_a_dictionary_of_pairs(pairs, longest, shards, piece):
    check(pairs, longest, cut_into(shards, piece), 1)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_a_larger_corpus_has_the_same_pieces_for_any_number_of_shards_and_threads(threads):
    pairs = random_sentences(1, pairs=60)
    check(pairs, 12, cut_into(threads, piece=100), threads)
    alone, together = build(pairs, 12), build(pairs, 12, cut_into(threads, piece=100), threads)
    assert together.shards == threads
    assert together.pieces > 3
    for one, other in zip(whole_table(alone), whole_table(together), strict=True):
        assert one.dtype == other.dtype
        assert one.tobytes() == other.tobytes()


def test_words_of_excluded_pairs_have_numbers_but_no_slots():
    corpus = build([(["s0"], ["t0"]), (["s1", "s1"], ["t1", "t1"]), (["s2"], [])], longest=1)
    assert (corpus.source.words, corpus.target.words) == (["s1", "s0", "s2"], ["t1", "t0"])
    table = whole_table(corpus)
    assert table.row_start.tolist() == [0, 0, 1]
    assert table.source.tolist() == [1]


@quick(100)
@given(
    st.lists(st.integers(0, 400), max_size=40).map(np.array),
    st.integers(16, 900),
    st.integers(1, 3),
)
def test_blocks_hold_all_pairs_in_order_and_about_so_many_cells(cells, most_cells, step):
    pairs = np.arange(0, cells.size, step)
    cut = list(blocks(pairs, cells.astype(np.int64), most_cells))
    assert [pair for block in cut for pair in block] == pairs.tolist()
    for block in cut:
        assert block.size > 0
        assert (cells[block[1:]] + 16).sum() < most_cells  # the first pair of a block may begin in the one before


tables = st.lists(st.sets(st.integers(0, 9)), max_size=5)


def table_of(rows):
    partners = [sorted(row) for row in rows]
    return PairTable(
        np.cumsum([0, *(len(row) for row in partners)]),
        np.array([s for row in partners for s in row], np.int32),
    )


@quick(60)
@given(tables, st.integers(0, 10))
def test_binary_search_finds_what_a_scan_finds(rows, source):
    table = table_of(rows)
    slots = listed(table)
    for target in range(len(rows)):
        expected = slots.index((target, source)) if (target, source) in slots else -1
        assert find_slot(table, source, target) == expected
    targets = np.arange(len(rows) + 2)  # the last are past the table
    found = find_slots(table, np.full(targets.size, source), targets)
    assert found.tolist() == [slots.index((t, source)) if (t, source) in slots else -1 for t in targets]


@quick(60)
@given(st.lists(tables, max_size=4))
def test_tables_that_are_put_together_have_all_pairs_once(parts):
    words = 6
    given_pairs = [pair for rows in parts for pair in listed(table_of(rows))]
    targets, sources = (
        np.array(side, np.int32) for side in (zip(*given_pairs, strict=True) if given_pairs else ([], []))
    )
    table, slots = union_rows(targets, sources, words, 10)
    assert table.row_start.size == words + 1
    assert listed(table) == sorted(set(given_pairs))
    assert [listed(table)[slot] for slot in slots] == given_pairs
