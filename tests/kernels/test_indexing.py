"""The pair index against a dictionary of pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kernels.lattices import quick
from oracles.naive_index import naive_index
from pralign.errors import InputError
from pralign.text import index as index_module
from pralign.text.corpus import blocks
from pralign.text.index import PairIndex
from training.corpora import build, random_sentences, sentences


def numbered(corpus):
    """The word numbers of each sentence pair."""
    texts = corpus.texts
    return [
        (
            texts.source[texts.source_start[n] : texts.source_start[n + 1]].tolist(),
            texts.target[texts.target_start[n] : texts.target_start[n + 1]].tolist(),
        )
        for n in range(len(corpus))
    ]


def check(pairs, longest, threads):
    corpus, index = build(pairs, longest, threads)
    text = numbered(corpus)
    assert [
        ([corpus.source.words[k] for k in source], [corpus.target.words[k] for k in target]) for source, target in text
    ] == pairs
    expected = naive_index(text, longest)
    assert index.pairs.tolist() == expected.included
    rows = np.repeat(np.arange(len(corpus.source)), np.diff(index.table.row_start)).tolist()
    assert list(zip(rows, index.table.target.tolist(), strict=True)) == expected.pairs  # sorted by source and target
    assert index.table.row_start.size == len(corpus.source) + 1
    for number, (source, target) in enumerate(text):
        cells = index.cells.slot[index.cells.start[number] : index.cells.start[number + 1]]
        if number in expected.slots:
            assert cells.reshape(len(target), len(source)).tolist() == expected.slots[number]
        else:
            assert cells.size == 0
    assert index.cells.start[-1] == index.cells.slot.size


@quick(100)
@given(sentences(most=7, pairs=6), st.integers(1, 8), st.integers(1, 4))
@example([(["s0"], []), ([], ["t0"]), ([], [])], 3, 2)
@example([], 3, 2)
def test_slots_agree_with_a_dictionary_of_pairs(pairs, longest, threads):
    check(pairs, longest, threads)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_a_larger_corpus_has_the_same_index_for_any_number_of_threads(threads):
    pairs = random_sentences(1, pairs=60)
    check(pairs, 12, threads)
    (_, alone), (_, together) = build(pairs, 12, 1), build(pairs, 12, threads)
    for one, other in zip(
        (*alone.table, *alone.cells, alone.pairs), (*together.table, *together.cells, together.pairs), strict=True
    ):
        assert one.dtype == other.dtype
        assert one.tobytes() == other.tobytes()


def test_words_of_excluded_pairs_have_numbers_but_no_slots():
    corpus, index = build([(["s0"], ["t0"]), (["s1", "s1"], ["t1", "t1"]), (["s2"], [])], longest=1)
    assert (corpus.source.words, corpus.target.words) == (["s1", "s0", "s2"], ["t1", "t0"])
    assert index.table.row_start.tolist() == [0, 0, 1, 1]
    assert index.table.target.tolist() == [1]


def test_too_many_distinct_pairs_are_refused(monkeypatch):
    corpus, _ = build([(["s0", "s1"], ["t0", "t1"])])
    monkeypatch.setattr(index_module, "MOST_SLOTS", 4)
    assert PairIndex.build(corpus, 10).table.target.size == 4
    monkeypatch.setattr(index_module, "MOST_SLOTS", 3)
    with pytest.raises(InputError, match="4 distinct word pairs; at most 3"):
        PairIndex.build(corpus, 10)


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
