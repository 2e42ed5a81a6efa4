"""Shards: the text cut by sentence pairs, and its word pairs cut by target words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.store import DirectoryStore, MemoryStore
from pralign.text import corpus as corpus_module
from pralign.text.corpus import Corpus
from pralign.text.cutting import ShardSizes
from pralign.text.normalisation import Normalisation
from pralign.text.shard import Shard
from pralign.text.sharding import add_corpus, joined_texts, load_shard, piece_rows, select_texts, slots_in_piece
from training.corpora import build, cut_into, encoded, random_sentences, sentence_texts, whole_table, word_pairs

SENTENCE = st.lists(st.sampled_from("abc"), max_size=5)
PAIRS = st.lists(st.tuples(SENTENCE, SENTENCE), max_size=8)
SIZES = st.builds(ShardSizes, st.integers(1, 200), st.integers(1, 100), st.integers(1, 20), st.integers(1, 9))
TEXT = random_sentences(81, 40, words=12, most=14)

quick = settings(deadline=None, max_examples=60)


def spelled(corpus, texts, pair):
    source, target = sentence_texts(texts, pair)
    return [corpus.source.words[k] for k in source], [corpus.target.words[k] for k in target]


# The text


@quick
@given(PAIRS, SIZES, st.integers(1, 5))
def test_the_shards_hold_the_text_in_order(pairs, sizes, longest):
    corpus = build(pairs, longest, sizes)
    shards = [corpus.shard(number) for number in range(corpus.shards)]
    assert np.concatenate([shard.numbers for shard in shards]).tolist() == list(range(len(pairs)))
    assert corpus.pairs == len(pairs) == sum(map(len, shards))
    texts = corpus.texts()
    assert [spelled(corpus, texts, n) for n in range(len(pairs))] == pairs
    for shard in shards:
        assert np.all(np.diff(shard.source_words) > 0)
        assert np.all(np.diff(shard.target_words) > 0)
        assert [spelled(corpus, shard.global_texts(), k) for k in range(len(shard))] == [
            pairs[number] for number in shard.numbers
        ]
        assert shard.source_lengths.tolist() == [len(pairs[number][0]) for number in shard.numbers]
        assert shard.target_lengths.tolist() == [len(pairs[number][1]) for number in shard.numbers]


@quick
@given(PAIRS, SIZES)
def test_words_have_the_same_numbers_however_the_text_is_cut(pairs, sizes):
    corpus, whole = build(pairs, sizes=sizes), build(pairs)
    assert corpus.source.words == whole.source.words
    assert corpus.target.words == whole.target.words
    for one, other in zip(corpus.texts(), whole.texts(), strict=True):
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()


def test_families_stand_together_frequent_ones_first_and_no_piece_cuts_one():
    target = [*["talks"] * 3, *["talk"] * 3, "talked", "walks", "walk", "walked", "walk", "tea", "teas"]
    corpus = build([(["a"] * len(target), target)], longest=99, sizes=ShardSizes(piece=1))
    assert corpus.target.words == ["talk", "talked", "talks", "walk", "walked", "walks", "tea", "teas"]
    assert corpus.piece_words == (0, 3, 6, 8)


@quick
@given(PAIRS, SIZES, st.integers(1, 5))
def test_empty_and_long_pairs_are_counted_and_not_trained_on(pairs, sizes, longest):
    corpus = build(pairs, longest, sizes)
    used = [all(1 <= len(side) <= longest for side in pair) for pair in pairs]
    empty = [not all(pair) for pair in pairs]
    shards = [corpus.shard(number) for number in range(corpus.shards)]
    assert [bool(flag) for shard in shards for flag in shard.included] == used
    assert (corpus.trained, corpus.empty) == (sum(used), sum(empty))
    long = [number for number, pair in enumerate(pairs) if not used[number] and not empty[number]]
    untrained = [load_shard(corpus.store, name) for name in corpus.untrained]
    assert [number for shard in untrained for number in shard.numbers.tolist()] == long
    assert all(shard.included.all() for shard in untrained)
    texts = [(shard.global_texts(), k) for shard in untrained for k in range(len(shard))]
    assert [spelled(corpus, *place) for place in texts] == [pairs[number] for number in long]
    assert not corpus.store.names("long/")


@quick
@given(PAIRS, SIZES, st.integers(1, 5))
def test_the_longest_partners_of_sentences_of_each_length(pairs, sizes, longest):
    corpus = build(pairs, longest, sizes)
    lengths = [(len(source), len(target)) for source, target in pairs]
    used = [size for size in lengths if min(size) >= 1 and max(size) <= longest]
    for found, chosen in ((corpus.longest_target, used), (corpus.longest_source, [size[::-1] for size in used])):
        most = max((states for states, _ in chosen), default=0)
        expected = [max((o for s, o in chosen if s == states), default=0) for states in range(most + 1)]
        assert found.tolist() == expected


def test_pairs_too_large_to_align_are_in_no_shard_of_untrained_ones(monkeypatch):
    monkeypatch.setattr(corpus_module, "MOST_CELLS", 30)
    corpus = build([(["a"], ["x"]), (["a"] * 5, ["x"] * 6), (["a"] * 6, ["x"] * 6)], longest=4)
    assert corpus.untrained == ("untrained0",)
    assert load_shard(corpus.store, "untrained0").numbers.tolist() == [1]


def test_long_pairs_are_cut_into_shards_too():
    pairs = [(["a"] * 5, ["x"] * 6), (["a"], ["x"])] * 20
    corpus = build(pairs, longest=4, sizes=ShardSizes(chunk=1, shard=80))
    assert corpus.long_shards > 3
    numbers = [load_shard(corpus.store, name).numbers.tolist() for name in corpus.untrained]
    assert [number for part in numbers for number in part] == list(range(0, 40, 2))
    assert max(map(len, numbers)) <= 3


# How it is cut


@pytest.mark.parametrize("shards", [1, 2, 3, 7])
def test_as_many_shards_as_were_asked_for(shards):
    corpus = build(TEXT, sizes=cut_into(shards))
    assert corpus.shards == shards
    assert corpus.store.names("read/") == corpus.store.names("pairs/") == []


def test_shards_and_pieces_are_about_as_large_as_they_may_be():
    cells = [len(source) * len(target) for source, target in TEXT]
    corpus = build(TEXT, sizes=ShardSizes(chunk=1, shard=sum(cells) // 6, piece=30))
    assert corpus.shards == 7
    for number in range(corpus.shards):
        shard = corpus.shard(number)
        assert (shard.source_lengths * shard.target_lengths).sum() < sum(cells) / 7 + 2 * max(cells)
    assert corpus.pieces > 3
    assert corpus.piece_words[0] == 0
    assert corpus.piece_words[-1] == len(corpus.target)
    assert all(a < b for a, b in zip(corpus.piece_words, corpus.piece_words[1:], strict=False))


def test_fewer_chunks_make_fewer_shards():
    full = [pair for pair in TEXT if all(pair)]
    assert build(full[:1], sizes=cut_into(7)).shards == 1
    assert build(full[:3], sizes=cut_into(7)).shards <= 3
    assert build([], sizes=cut_into(7)).shards == 1


def everything(store):
    return {
        name: {key: (array.dtype, array.shape, array.tobytes()) for key, array in store.load(name).items()}
        for name in sorted(store.names())
    }


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_any_number_of_threads_and_any_store_hold_the_same(threads, tmp_path):
    sizes = cut_into(5, piece=40)
    expected = everything(build(TEXT, sizes=sizes).store)
    assert everything(build(TEXT, sizes=sizes, threads=threads).store) == expected
    assert everything(build(TEXT, sizes=sizes, threads=threads, store=DirectoryStore(tmp_path)).store) == expected


# Shards


@quick
@given(PAIRS, st.integers(1, 5))
def test_a_shard_lists_each_pair_of_words_that_meet_once(pairs, longest):
    corpus = build(pairs, longest)
    shard = corpus.shard(0)
    used = [k for k, pair in enumerate(pairs) if all(1 <= len(side) <= longest for side in pair)]
    meetings = {(s, t) for k in used for s in pairs[k][0] for t in pairs[k][1]}
    listed = [(corpus.source.words[s], corpus.target.words[t]) for s, t in word_pairs(shard).tolist()]
    assert sorted(listed) == sorted(meetings)
    assert len(listed) == len(meetings)
    for block in shard.blocks():
        expected = [(s, t) for k in block.pairs for t in pairs[k][1] for s in pairs[k][0]]
        assert [listed[slot] for slot in block.slots] == expected
        assert block.transposed_texts.source is block.texts.target


@quick
@given(PAIRS, st.integers(1, 300), st.integers(1, 300), st.integers(1, 3))
def test_cells_have_the_same_slots_however_they_are_cut(pairs, most_cells, cells_at_once, step):
    shard = build(pairs).shard(0)
    chosen = shard.pairs[::step]
    whole = list(shard.blocks(chosen))
    cut = list(shard.blocks(chosen, most_cells, cells_at_once))
    for name in ("pairs", "slots"):
        parts = [[number for block in some for number in getattr(block, name)] for some in (whole, cut)]
        assert parts[0] == parts[1]
    assert [pair for block in cut for pair in block.pairs] == chosen.tolist()


def test_a_shard_survives_being_stored(tmp_path):
    shard = build(TEXT).shard(0)
    for store in (MemoryStore(), DirectoryStore(tmp_path)):
        store.save("shard/x", shard.to_arrays())
        again = load_shard(store, "x")
        assert isinstance(again, Shard)
        for name, array in shard.to_arrays().items():
            assert again.to_arrays()[name].dtype == array.dtype
            assert again.to_arrays()[name].tolist() == array.tolist()


def test_texts_are_joined_and_chosen():
    corpus = build(TEXT, sizes=cut_into(4))
    texts = corpus.texts()
    chosen = np.array([3, 0, 17, 3])
    part = select_texts(texts, chosen)
    assert [sentence_texts(part, k) for k in range(4)] == [sentence_texts(texts, n) for n in chosen]
    both = joined_texts([part, texts])
    assert [sentence_texts(both, k) for k in range(4)] == [sentence_texts(texts, n) for n in chosen]
    assert sentence_texts(both, 4 + 17) == sentence_texts(texts, 17)
    assert select_texts(texts, np.empty(0, np.int64)).source_start.tolist() == [0]


# Text that is not trained on


def test_other_text_knows_where_its_word_pairs_are():
    corpus = build(TEXT, sizes=cut_into(3, piece=30))
    other = [(["s0", "new", "s3"], ["t1", "t5", "new"]), ([], ["t1"]), (["other"], ["else"])]
    text = Corpus.encode(other, Normalisation(), corpus.source, corpus.target)
    shard = add_corpus(corpus, "more", text)
    assert shard.included.tolist() == [True, False, True]
    assert load_shard(corpus.store, "more").to_arrays().keys() == shard.to_arrays().keys()
    known = set(map(tuple, np.column_stack([whole_table(corpus).source, rows_of(whole_table(corpus))]).tolist()))
    found = {}
    for piece in range(corpus.pieces):
        rows = piece_rows(shard, corpus.piece_words, piece)
        sources, targets = rows.word_pairs(shard, corpus.piece_words[piece])
        slots = slots_in_piece(corpus.store, "more", piece)
        assert slots.size == sources.size == rows.last - rows.first
        table = corpus.piece(piece)
        for s, t, slot in zip(sources.tolist(), targets.tolist(), slots.tolist(), strict=True):
            found[s, t + corpus.piece_words[piece]] = slot >= 0
            assert slot < 0 or (table.source[slot], rows_of(table)[slot]) == (s, t)
    all_pairs = list(map(tuple, word_pairs(shard).tolist()))
    assert found == {pair: pair in known for pair in all_pairs if pair[1] < len(corpus.target)}
    assert any(found.values())
    assert len(found) < len(all_pairs)  # those of unknown target words are in no piece


def rows_of(table):
    return np.repeat(np.arange(table.row_start.size - 1), np.diff(table.row_start))


def test_words_of_other_text_are_numbered_within_the_shard():
    corpus = build(TEXT)
    shard = encoded(corpus, [(["new", "s0"], ["t2", "other", "t2"])])
    assert shard.source_words.tolist() == [corpus.source.number("s0"), len(corpus.source)]
    assert shard.target_words.tolist() == [corpus.target.number("t2"), len(corpus.target) + 1]
    assert sentence_texts(shard.texts, 0) == ([1, 0], [0, 1, 0])
