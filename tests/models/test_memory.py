"""What a collapsed model remembers of the pairs it was trained on."""

from __future__ import annotations

import numpy as np
import pytest

from pralign.engine import Engine
from pralign.kernels.recall import fingerprints
from pralign.models.estimation import Estimation
from pralign.models.memory import Memory
from pralign.text.corpus import Corpus
from pralign.text.normalisation import Normalisation
from pralign.training.em import Task, train
from training.corpora import build, random_sentences


@pytest.fixture(scope="module")
def trained():
    pairs = random_sentences(31, 50)
    corpus, index = build([*pairs, *pairs[:10]])
    model = train(Task(corpus, index, (("ibm1", 1), ("hmm", 2)), Engine(1), Estimation("collapsed"))).model
    return corpus, index, model.memory


def parts(contributions, k):
    """What pair ``k`` has added."""
    found = [contributions.forward_own[k], contributions.reverse_own[k]]
    for start, names in (
        (contributions.start, ("cell", "forward", "reverse")),
        (contributions.target_start, ("null_target",)),
        (contributions.source_start, ("null_source",)),
    ):
        found += [getattr(contributions, name)[start[k] : start[k + 1]] for name in names]
    return [array.tolist() for array in found]


def test_pairs_with_the_same_words_are_found_as_one(trained):
    corpus, index, memory = trained
    different = {tuple(map(tuple, corpus.words(pair))) for pair in index.pairs}
    assert memory.prints.size == len(different) < index.pairs.size
    assert np.all(memory.prints[1:] > memory.prints[:-1])


def test_pairs_are_found_in_any_order_and_company(trained):
    corpus, index, memory = trained
    pairs = index.pairs[::-2]
    together = memory.recall(corpus.texts, pairs)
    for k, pair in enumerate(pairs):
        alone = memory.recall(corpus.texts, np.array([pair]))
        assert parts(alone, 0) == parts(together, k)
        assert len(parts(together, k)[-1]) == corpus.source_lengths[pair]
        assert len(parts(together, k)[-2]) == corpus.target_lengths[pair]


def test_what_is_not_known_is_not_found(trained):
    corpus, index, memory = trained
    source, target = corpus.words(int(index.pairs[0]))
    others = [
        (source, target),
        ([*source[::-1], "s0"], target),
        (target, source),
        (["unheard"], ["of"]),
        ([*source, *target], []),
    ]
    text = Corpus.encode(others, Normalisation(), corpus.source, corpus.target)
    found = memory.recall(text.texts, np.arange(len(others)))
    assert np.diff(found.target_start).tolist() == [len(target), 0, 0, 0, 0]
    assert np.diff(found.start)[1:].tolist() == [0, 0, 0, 0]
    assert memory.recall(text.texts, np.arange(1, len(others))) is None


def test_saved_and_restored_it_is_the_same(trained):
    memory = trained[2]
    again = Memory.from_tensors(memory.tensors())
    assert all(np.array_equal(a, b) for a, b in zip(again.contributions, memory.contributions, strict=True))
    assert np.array_equal(again.prints, memory.prints)
    assert np.array_equal(again.places, memory.places)


def test_fingerprints_tell_sides_and_orders_apart():
    pairs = [
        (["a", "b"], ["c"]),
        (["a"], ["b", "c"]),
        (["b", "a"], ["c"]),
        (["a", "b"], ["c", "c"]),
        (["a", "b"], ["c"]),
    ]
    corpus = Corpus.build(pairs, Normalisation())
    prints = fingerprints(corpus.texts, np.arange(len(pairs)))
    assert len(set(prints.tolist())) == 4
    assert prints[0] == prints[4]
