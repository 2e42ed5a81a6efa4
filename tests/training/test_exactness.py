"""The same bits, however the text is cut, whoever does the work, and wherever it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from pralign.constraints import ITG, Bijective, Symmetric
from pralign.kernels.own_counts import OwnCounts
from pralign.models import MODELS
from pralign.models.estimators import ESTIMATORS, make_estimator
from pralign.store import DirectoryStore, MemoryStore
from pralign.text.shard import Shard
from pralign.text.sharding import load_shard
from pralign.training import trainer
from pralign.training.e_step import Spec
from training.corpora import build, cut_into, random_sentences, train, word_pairs

pytestmark = pytest.mark.slow

PAIRS = random_sentences(41, 45, words=14, most=14)
SCHEDULES = {
    "ibm1": (("ibm1", 3),),
    "ibm2": (("ibm1", 2), ("ibm2", 3)),
    "hmm": (("ibm1", 2), ("hmm", 3)),
    "fhmm": (("ibm1", 1), ("hmm", 1), ("fhmm", 3)),
    "ibm3": (("ibm1", 1), ("hmm", 2), ("ibm3", 2)),
    "ibm4": (("hmm", 2), ("ibm4", 2)),
}
ALL_IN_ONE = 10**9


@dataclass(frozen=True)
class Cut:
    """How the text is cut, and who works on it where."""

    shards: int = 1
    piece: int = ALL_IN_ONE
    threads: int = 1
    on_disk: bool = False
    block_cells: int = 131_072
    cells_at_once: int = 2_000_000


CUTS = {
    "three shards": Cut(3),
    "three shards, pieces, threads": Cut(3, piece=60, threads=2, block_cells=500),
    "one shard, one pair a block": Cut(1, piece=150, on_disk=True, block_cells=16),
    "seven shards, small pieces, threads, on disk": Cut(7, 25, 3, on_disk=True, block_cells=150, cells_at_once=400),
    "seven shards": Cut(7, threads=2, cells_at_once=40),
}


def result(cut, schedule, estimator, monkeypatch, path, **options):
    """All there is to a state, with word pairs and sentence pairs named so that cuts can be compared."""
    with monkeypatch.context() as patched:
        patched.setattr(trainer, "Spec", partial(Spec, block_cells=cut.block_cells))
        patched.setattr(Shard, "blocks", partial_blocks(cut))
        store = DirectoryStore(path) if cut.on_disk else MemoryStore()
        corpus = build(PAIRS, 10, cut_into(cut.shards, cut.piece), cut.threads, store)
        assert corpus.shards == cut.shards
        assert (corpus.pieces > 1) == (cut.piece != ALL_IN_ONE)
        state = train(corpus, schedule, estimator, cut.threads, aligned=corpus.untrained, **options).state
    found = {f"state {name}": array for name, array in state.to_arrays().items()}
    found |= dict(parameters(corpus, state))
    if state.own is not None:
        found |= dict(own_counts(corpus, state, corpus.shard_names))
    return {name: (array.dtype, array.shape, array.tobytes()) for name, array in found.items()}


def partial_blocks(cut):
    original = Shard.blocks

    def blocks(self, pairs=None, most_cells=cut.block_cells):
        return original(self, pairs, most_cells, cut.cells_at_once)

    return blocks


def parameters(corpus, state):
    """The probabilities of each word pair of the text; shards that have it must agree."""
    for kind, chosen in (("trained", corpus.shard_names), ("aligned", corpus.untrained)):
        rows, values = [], []
        for name in chosen:
            shard = load_shard(corpus.store, name)
            rows.append(word_pairs(shard))
            model = state.model_of(corpus.store, shard, name, corpus.pieces)
            values.append(model.lexicon.translations.probability)
        table = np.column_stack([np.concatenate(rows), np.concatenate(values).view(np.int32)])
        distinct = np.unique(table, axis=0)
        assert np.unique(distinct[:, :2], axis=0).shape[0] == distinct.shape[0]
        yield f"{kind} word pairs", distinct


def own_counts(corpus, state, names):
    for name in names:
        own = OwnCounts(*(corpus.store.load(f"own/{state.own}/{name}")[field] for field in OwnCounts._fields))
        shard = load_shard(corpus.store, name)
        for k, number in enumerate(shard.numbers[shard.pairs]):
            for field, start in (
                ("cell", own.start),
                ("forward", own.start),
                ("reverse", own.start),
                ("null_target", own.target_start),
                ("null_source", own.source_start),
            ):
                yield f"{field} of {number}", getattr(own, field)[start[k] : start[k + 1]]
            yield f"forward rows of {number}", own.forward_rows[k]
            yield f"reverse rows of {number}", own.reverse_rows[k]


def assert_exact(schedule, estimator, monkeypatch, path, **options):
    whole = result(Cut(), schedule, estimator, monkeypatch, path, **options)
    assert any(name.startswith("forward of") for name in whole) == estimator.leaves_out
    for number, (description, cut) in enumerate(CUTS.items()):
        directory = path / str(number)
        directory.mkdir()
        other = result(cut, schedule, estimator, monkeypatch, directory, **options)
        assert other.keys() == whole.keys()
        different = [name for name in whole if other[name] != whole[name]]
        assert not different, (description, different)


@pytest.mark.parametrize("name", list(MODELS))
@pytest.mark.parametrize("estimator", list(ESTIMATORS))
def test_no_bit_depends_on_how_the_text_is_cut(name, estimator, monkeypatch, tmp_path):
    assert_exact(SCHEDULES[name], make_estimator(estimator), monkeypatch, tmp_path)


@pytest.mark.parametrize("estimator", list(ESTIMATORS))
@pytest.mark.parametrize("constraint", [Bijective(), Symmetric(), ITG()], ids=lambda constraint: constraint.name)
def test_with_a_constraint_no_bit_depends_on_how_the_text_is_cut(constraint, estimator, monkeypatch, tmp_path):
    schedule = (("ibm1", 2), ("hmm", 2))
    assert_exact(schedule, make_estimator(estimator), monkeypatch, tmp_path, constraint=constraint)


def test_no_bit_depends_on_pegging_in_one_shard_or_many(monkeypatch, tmp_path):
    assert_exact((("hmm", 1), ("ibm3", 1)), make_estimator("em"), monkeypatch, tmp_path, pegging=True)
