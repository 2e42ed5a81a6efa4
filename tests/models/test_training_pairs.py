"""What a collapsed model remembers of the pairs it was trained on."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.test_own_counts import parts
from pralign.kernels.own_counts import joined
from pralign.models.estimators import Collapsed
from pralign.models.training_pairs import TrainingPairs
from pralign.text.sharding import joined_texts, select_texts
from training.corpora import build, cut_into, encoded, random_sentences, sentence_texts, train


@pytest.fixture(scope="module")
def remembered():
    """A corpus of three shards in which some pairs occur twice, and what is remembered of it."""
    pairs = random_sentences(31, 50)
    corpus = build([*pairs, *pairs[:10]], sizes=cut_into(3))
    state = train(corpus, (("ibm1", 1), ("hmm", 2)), Collapsed()).state
    shards = [corpus.shard(number) for number in range(3)]
    texts = joined_texts([select_texts(shard.global_texts(), shard.pairs) for shard in shards])
    own = joined([state.own_counts(corpus.store, str(number)) for number in range(3)])
    return corpus, shards, TrainingPairs.of(texts, own)


def spelled(corpus, pair):
    source, target = pair
    return [corpus.source.words[k] for k in source], [corpus.target.words[k] for k in target]


def all_pairs(corpus, memory):
    return [spelled(corpus, sentence_texts(memory.texts, n)) for n in range(memory.places.size)]


def test_pairs_with_the_same_words_have_added_the_same(remembered):
    corpus, _, memory = remembered
    by_words = {}
    for n, (source, target) in enumerate(all_pairs(corpus, memory)):
        by_words.setdefault((*source, None, *target), []).append(parts(memory.own, n))
    assert len(by_words) < memory.places.size
    assert all(added == [added[0]] * len(added) for added in by_words.values())


def test_prints_are_in_order(remembered):
    memory = remembered[2]
    assert np.all(memory.prints[1:] >= memory.prints[:-1])
    assert sorted(memory.places.tolist()) == list(range(memory.places.size))


def test_pairs_are_found_in_any_order_and_company(remembered):
    corpus, _, memory = remembered
    pairs = all_pairs(corpus, memory)
    chosen = list(range(len(pairs)))[::-2]
    together = memory.find(encoded(corpus, [pairs[n] for n in chosen]))
    for k, n in enumerate(chosen):
        alone = memory.find(encoded(corpus, [pairs[n]]))
        assert parts(alone, 0) == parts(together, k) == parts(memory.own, n)
        assert len(parts(together, k)[-1]) == len(pairs[n][0])
        assert len(parts(together, k)[-2]) == len(pairs[n][1])


def test_only_included_pairs_of_a_shard_are_looked_for(remembered):
    corpus, _, memory = remembered
    pairs = all_pairs(corpus, memory)
    found = memory.find(encoded(corpus, [pairs[0], ([], ["t0"]), pairs[1]]))
    assert found.start.size == 3
    assert [parts(found, k) for k in range(2)] == [parts(memory.own, n) for n in range(2)]


def test_what_is_not_known_is_not_found(remembered):
    corpus, _, memory = remembered
    source, target = all_pairs(corpus, memory)[0]
    others = [(source, target), ([*source[::-1], "s0"], target), (target, source), (["unheard"], ["of"])]
    found = memory.find(encoded(corpus, others))
    assert np.diff(found.target_start).tolist() == [len(target), 0, 0, 0]
    assert np.diff(found.start)[1:].tolist() == [0, 0, 0]
    assert memory.find(encoded(corpus, others[1:])) is None


def test_saved_and_restored_it_is_the_same(remembered):
    memory = remembered[2]
    again = TrainingPairs.from_tensors(memory.tensors())
    for one, other in zip((*again.texts, *again.own), (*memory.texts, *memory.own), strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    assert np.array_equal(again.prints, memory.prints)
    assert np.array_equal(again.places, memory.places)


@pytest.mark.parametrize("name", ["ibm1", "ibm2", "hmm", "fhmm", "ibm4"])
def test_what_a_model_says_of_a_new_pair_does_not_depend_on_its_company(name):
    pairs = random_sentences(33, 30, words=12, most=9)
    corpus = build(pairs)
    model = train(corpus, ((name, 2),), Collapsed())
    shard = corpus.shard(0)
    texts = select_texts(shard.global_texts(), shard.pairs)
    memory = TrainingPairs.of(texts, model.state.own_counts(corpus.store, "0"))
    new = (["s1", "s4", "new", "s2"], ["t3", "t1", "t1", "new"])
    said = []
    for company in ([], all_pairs(corpus, memory)[:3]):
        text = encoded(corpus, [new, *company])
        there = model.model_for(text)
        own = memory.find(text)
        assert (own is None) == (not company)
        (block,) = text.blocks()
        posteriors = [inference.posterior for inference in there.infer(there.lattices(block, own))]
        said.append([(part.link[:16].tolist(), part.log_likelihood[0]) for part in posteriors])
    assert said[0] == said[1]
