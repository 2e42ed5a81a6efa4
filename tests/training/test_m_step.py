"""Counts are summed exactly, whoever brings them in which order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.engine import ThreadEngine
from pralign.models import MODELS
from pralign.models.estimators import EM
from pralign.training.e_step import Spec
from pralign.training.m_step import (
    PieceCounts,
    PieceMStep,
    save_pair_counts,
    word_tables,
)
from pralign.training.tasks import ShardEStep
from pralign.training.totals import ShardTotals, Totals, add_statistics, load_totals
from pralign.training.trainer import Trainer, TrainingPlan
from training.corpora import build, cut_into, random_sentences, whole_table, word_pairs

PAIRS = random_sentences(61, 30, words=10, most=9)
SHARDS = 5


def expectations(name, shards=SHARDS):
    """What the E-steps of all shards find, and where they leave the counts of word pairs."""
    corpus = build(PAIRS, sizes=cut_into(shards, piece=40))
    trainer = Trainer(TrainingPlan(corpus, ((name, 2),)), ThreadEngine(1))
    state = trainer.advance(trainer.initial())
    task = ShardEStep(state.saved(corpus.store), 2, Spec(), corpus.piece_words)
    names = [task(str(number)) for number in range(shards)]
    return corpus, state, [load_totals(corpus.store, task.totals_of(name))[0] for name in names]


def flat(totals):
    parts = {**totals._asdict(), **totals.forward}
    parts |= {f"reverse {name}": part for name, part in totals.reverse.items()}
    return {name: part.tobytes() for name, part in parts.items() if isinstance(part, np.ndarray)}


@pytest.mark.parametrize("name", list(MODELS))
def test_totals_do_not_depend_on_the_order_or_number_of_shards(name):
    found = []
    for shards, order in ((SHARDS, [0, 1, 2, 3, 4]), (SHARDS, [3, 0, 4, 2, 1]), (1, [0]), (3, [2, 1, 0])):
        corpus, state, parts = expectations(name, shards)
        totals = Totals.zero(len(corpus.source), len(corpus.target), state.models)
        assert not any(np.frombuffer(part, np.int64).any() for part in flat(totals).values())
        for place in order:
            totals.add(parts[place], state.models)
        found.append(flat(totals))
    assert found[0] == found[1] == found[2] == found[3]
    assert len(found[0]) > 5 or name == "ibm1"


def test_the_parts_are_left_as_they_are():
    corpus, state, parts = expectations("hmm")
    before = [flat(part.totals) for part in parts]
    for _ in range(2):
        totals = Totals.zero(len(corpus.source), len(corpus.target), state.models)
        for part in parts:
            totals.add(part, state.models)
    assert [flat(part.totals) for part in parts] == before


def test_statistics_by_word_are_added_to_the_words_and_others_as_a_whole():
    class Model:
        counted_by_word = frozenset({"fertility"})

    total = {"fertility": np.ones((5, 2), np.int64), "null": np.ones(2, np.int64)}
    part = {"fertility": np.array([[1, 2], [3, 4]]), "null": np.array([10, 20])}
    add_statistics(total, part, np.array([4, 1]), Model())
    assert total["fertility"].tolist() == [[1, 1], [4, 5], [1, 1], [1, 1], [2, 3]]
    assert total["null"].tolist() == [11, 21]


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1), st.permutations(range(SHARDS)), st.sampled_from([2**20, 2**33, 2**50]))
def test_pieces_of_shards_add_up_to_the_whole_even_beyond_32_bits(seed, order, largest):
    corpus = build(PAIRS, sizes=cut_into(SHARDS, piece=40))
    rng = np.random.default_rng(seed)
    table = whole_table(corpus)
    rows = np.repeat(np.arange(len(corpus.target)), np.diff(table.row_start))
    places = {pair: slot for slot, pair in enumerate(zip(table.source.tolist(), rows.tolist(), strict=True))}
    expected = np.zeros((table.source.size, 2), np.int64)
    for number in range(SHARDS):
        shard = corpus.shard(number)
        counts = rng.integers(0, largest, (shard.table.source.size, 2)) * (
            rng.random((shard.table.source.size, 1)) < 0.7
        )
        save_pair_counts(corpus.store, f"made up/{number}", shard, counts, corpus.piece_words)
        expected[[places[s, t] for s, t in word_pairs(shard).tolist()]] += counts
    found = []

    class Watching(EM):
        """Writes down the counts that it is to make probabilities of."""

        def estimate_pairs(self, table, total, added, normalizers, floor, probability):
            found.append(total.copy())
            probability[:] = 0.5

    models = Trainer(TrainingPlan(corpus, (("ibm1", 1),)), ThreadEngine(1)).initial().models
    words = word_tables(
        Totals.zero(len(corpus.source), len(corpus.target), models),
        EM(),
        (corpus.source_partners, corpus.target_partners),
        None,
    )
    names = [str(number) for number in order]
    summed = PieceCounts(corpus.store, names, "made up", has_prior=False)
    corpus.store.save("words/1", words.to_arrays())
    task = PieceMStep(summed, (), 1, corpus.piece_words, Watching())
    for piece in range(corpus.pieces):
        task(piece)
    assert np.concatenate(found).tolist() == expected.tolist()


def test_words_are_summed_over_the_pairs_they_are_in():
    _, _, parts = expectations("ibm1", 1)
    totals = parts[0].totals
    assert isinstance(parts[0], ShardTotals)
    corpus = build(PAIRS)
    words = int(sum(np.diff(corpus.texts().target_start)[corpus.shard(0).included]))
    counted = (int(totals.source.sum()) + int(totals.null_to_target.sum())) / 2**24
    assert counted == pytest.approx(words, abs=1e-4)
