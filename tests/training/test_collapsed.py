"""Collapsed estimation: each pair is learned from without its own counts, whatever the model."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.special import digamma

from oracles.naive_collapsed import UNIT, Collapsed
from oracles.naive_em import uniform
from pralign.engine import Engine
from pralign.kernels.arrays import Lattice
from pralign.kernels.leaving_out import add_kept, keep
from pralign.models.bidirectional import Block
from pralign.models.estimation import NULL_PRIOR, POSITION_PRIOR, POSSIBLE_WORDS, Estimation
from pralign.models.ibm1 import IBM1
from pralign.models.lexicon import LexicalCounts
from pralign.training import em
from pralign.training.em import Task, _Run, train, training_blocks
from training.corpora import build, random_sentences, sentences, small_blocks, transposed
from training.test_em import ibm1_posteriors, same_bits, start, table_of

ALPHA = 0.01
COLLAPSED = Estimation("collapsed", alpha=ALPHA)
MODELS = ["ibm1", "ibm2", "hmm", "fhmm", "ibm4"]
# Counts are rounded to units when they are kept; a posterior on the border may fall on either side of it.
ROUNDED = 2 * UNIT

quick = partial(settings, deadline=None)


def schedule(name, iterations=3):
    return (("ibm1", iterations),) if name == "ibm1" else (("ibm1", 2), (name, iterations))


def learned(pairs, name, how=COLLAPSED, threads=1, **options):
    corpus, index = build(pairs)
    return corpus, index, train(Task(corpus, index, schedule(name), Engine(threads), how, **options)).model


def run(pairs, name, iterations):
    """The blocks, the model after some iterations, and what each block has added to its counts."""
    corpus, index, model = start(pairs, name)
    task, work = Task(corpus, index, (), Engine(1), COLLAPSED), training_blocks(corpus, index)
    own = [None] * len(work)
    model, _ = _Run(task, work, None, None, own)(model, iterations, lambda progress: None)
    return corpus, work, replace(model, memory=None), own


# Against the oracle


@quick(max_examples=30)
@given(pairs=sentences(least=1, most=4))  # so short that everything above one in a hundred is kept
def test_ibm1_from_beginning_to_end_agrees_with_counting_over_all_other_pairs(pairs):
    corpus, index, model = start(pairs, "ibm1")
    iterations = 3
    _, _, model, _ = run(pairs, "ibm1", iterations)
    for side, text in (("source", pairs), ("target", transposed(pairs))):
        oracle, first = Collapsed(text, ALPHA, NULL_PRIOR, POSSIBLE_WORDS), uniform(text)
        emissions = [
            ([[first.word[state, word] for state in states] for word in observed], [first.null[w] for w in observed])
            for states, observed in text
        ]
        for _ in range(iterations):
            oracle.iterate(ibm1_posteriors, emissions)
            emissions = [oracle.emissions(n) for n in range(len(text))]
        found = table_of(model.lexicon, corpus, side)
        # A count that is off by a unit in one iteration moves posteriors of the next by as much, relative to the prior.
        for (state, word), value in found.word.items():
            assert value == pytest.approx(oracle.probability(state, word), abs=0.02)
        for word, value in found.null.items():
            assert value == pytest.approx(oracle.null_probability(word), abs=0.02)
    assert len(corpus) == len(pairs)
    assert index.pairs.size


@pytest.mark.parametrize("name", MODELS)
def test_emissions_are_those_of_a_lexicon_that_never_saw_the_pair(name):
    pairs = random_sentences(3, 25, words=8, most=7)
    corpus, work, model, _ = run(pairs, name if name != "fhmm" else "hmm", 2)
    index_pairs = np.concatenate([block.pairs for block in work])
    for pair in index_pairs[::4]:
        block = Block(corpus.texts, work[0].cells, np.array([pair]))
        parts = {int(n): expectations(model, work[0], n) for n in index_pairs}
        counts = model.lexicon.no_counts()
        for n, part in parts.items():
            if n != pair:
                add_kept(part.block.texts, part.block.pairs, part.block.cells, part.kept, tuple(counts))
        without = model.lexicon.maximise(counts, COLLAPSED)
        everything = model.lexicon.no_counts()
        for part in parts.values():
            add_kept(part.block.texts, part.block.pairs, part.block.cells, part.kept, tuple(everything))
        whole = model.lexicon.maximise(everything, COLLAPSED)
        found = whole.lattices(block.texts, block.cells, block.pairs, parts[int(pair)].kept)
        expected = without.lattices(block.texts, block.cells, block.pairs)
        for one, other in zip(found[:2], expected[:2], strict=True):
            # Probabilities are kept in single precision: a count of a hundred is right up to 6e-6, a prior is 1e-2.
            assert one.emission == pytest.approx(other.emission, rel=2e-3)
            assert one.null_emission == pytest.approx(other.null_emission, rel=2e-3, abs=2e-9)


def expectations(model, like, pair):
    block = Block(like.texts, like.cells, np.array([pair]))
    return model.e_step(block, model.lattices(block), keeping=True)


def test_what_is_kept_is_what_is_counted():
    pairs = random_sentences(5, 40)
    corpus, work, model, own = run(pairs, "hmm", 2)
    total = model.no_statistics()
    for block in work:
        model.add(total, model.e_step(block, model.lattices(block), keeping=True))
    for values in total.lexical:
        # Every count is a whole number of units.
        assert np.array_equal(np.round(values / UNIT), values / UNIT)
    assert all(part is not None for part in own)
    words = sum(corpus.target_lengths[block.pairs].sum() for block in work)
    counted = total.lexical.pair[:, 0].sum() + total.lexical.null_to_target.sum()
    # Posteriors below one in a hundred are dropped; here there are at most 12 of them a word.
    assert 0.88 * words < counted <= words * (1 + 13 * UNIT)


@pytest.mark.parametrize("name", ["hmm", "fhmm"])
def test_jumps_of_the_pair_itself_are_left_out(name):
    pairs = random_sentences(7, 30)
    corpus, work, model, own = run(pairs, name, 3)
    lattices = model.lattices(work[0], own[0])
    for direction, rows in ((model.forward, own[0].forward_own), (model.reverse, own[0].reverse_own)):
        lattice = lattices.forward if direction is model.forward else lattices.reverse
        weights, totals = lattice.context.rows, direction.totals
        k = int(np.argmax(rows[:, 6]))
        ratio = weights.jump[k] / direction.weights.jump
        assert ratio == pytest.approx((totals[:12] - rows[k, :12]) / totals[:12])
        assert weights.null[k, 0] == pytest.approx(
            0.2 if name == "fhmm" else (totals[19] - rows[k, 19]) / (totals[20] - rows[k, 20])
        )
    assert totals[:12].min() >= POSITION_PRIOR
    assert len(corpus) == 30


def test_positions_of_the_pair_itself_are_left_out():
    pairs = random_sentences(9, 30, most=6)
    corpus, work, model, own = run(pairs, "ibm2", 3)
    block = work[0]
    plain = model.lexicon.lattices(block.texts, block.cells, block.pairs, own[0]).forward
    found = model.lattices(block, own[0]).forward
    start_of, counts = model.forward.start, model.forward.counts
    changed = 0
    for k in range(block.pairs.size):
        states = int(plain.states[k])
        for e in range(own[0].start[k], own[0].start[k + 1]):
            j, i = divmod(int(own[0].cell[e]), states)
            count = counts[start_of[states] + j * (states + 1) + 1 + i]
            cell = plain.cell_start[k] + own[0].cell[e]
            share = max(count - own[0].forward[e] * UNIT, 1e-9) / count
            assert found.emission[cell] == pytest.approx(plain.emission[cell] * share, rel=1e-5)
            changed += share < 1
    assert changed > 50
    assert len(corpus) == 30


# What it is for


def test_a_rare_word_no_longer_explains_its_whole_sentence():
    """The garbage collector: under EM, a word that occurs once takes whatever stands in its sentence."""
    pairs = [pair for pair in random_sentences(2, 150, words=60, most=10) if all(pair)]
    pairs[0] = ([*pairs[0][0], "rare"], pairs[0][1])
    explained = {}
    for name in ("em", "collapsed"):
        corpus, index, model = learned(pairs, "ibm1", Estimation(name))
        block = training_blocks(corpus, index)[0]
        states, words = len(pairs[0][0]), len(pairs[0][1])
        posterior = model.infer(model.lattices(block))[0].posterior
        explained[name] = posterior.link[: states * words].reshape(words, states)[:, -1].sum() / words
    assert explained["em"] > 0.6
    assert explained["collapsed"] < 0.3


# What must hold for all


@pytest.mark.parametrize("name", [*MODELS, "ibm3"])
@pytest.mark.parametrize("estimator", ["vb", "collapsed"])
def test_any_number_of_threads_gives_the_same_bits(name, estimator, monkeypatch):
    monkeypatch.setattr(em, "blocks", small_blocks)
    pairs = random_sentences(11, 60)
    models = [learned(pairs, name, Estimation(estimator), threads)[2] for threads in (1, 2, 3)]
    assert all(same_bits(models[0], model) for model in models[1:])
    assert (models[0].memory is not None) == (estimator == "collapsed")


@pytest.mark.parametrize("name", ["ibm1", "ibm2", "hmm", "fhmm"])
def test_exchanging_the_sides_exchanges_the_directions(name):
    pairs = [pair for pair in random_sentences(13, 40) if all(pair)]
    _, _, model = learned(pairs, name)
    _, _, turned = learned(transposed(pairs), name)
    for one, other in zip(model.forward.tensors().values(), turned.reverse.tensors().values(), strict=True):
        assert one == pytest.approx(other, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", ["hmm", "fhmm"])
def test_a_pair_that_was_trained_on_is_recognised(name):
    pairs = random_sentences(17, 40)
    corpus, index, model = learned(pairs, name)
    forgetful = replace(model, memory=None)
    block = training_blocks(corpus, index)[0]
    remembered = model.infer(model.lattices(block))[0].posterior.link
    assert not np.allclose(remembered, forgetful.infer(forgetful.lattices(block))[0].posterior.link, atol=0.01)
    unindexed = Block(corpus.texts, block.cells._replace(start=np.zeros_like(block.cells.start)), block.pairs)
    again = model.infer(model.lattices(unindexed))[0].posterior.link
    assert again.tobytes() == remembered.tobytes()


def test_as_a_start_ibm1_leaves_nothing_out(monkeypatch):
    kept = []
    monkeypatch.setattr(
        em.BidirectionalModel,
        "e_step",
        lambda self, block, lattices, keeping=False: (
            kept.append((type(self.forward), keeping)) or original(self, block, lattices, keeping)
        ),
    )
    learned(random_sentences(19, 10), "hmm")
    assert {keeping for kind, keeping in kept if kind is IBM1} == {False}
    assert {keeping for kind, keeping in kept if kind is not IBM1} == {True}


original = em.BidirectionalModel.e_step


# Variational Bayes


def test_variational_bayes_takes_the_exponential_of_the_expected_logarithm():
    corpus, index, model = start(random_sentences(23, 20), "ibm1")
    rng = np.random.default_rng(0)
    slots = index.table.target.size
    counts = LexicalCounts(
        rng.gamma(0.3, size=(slots, 2)), rng.gamma(1, size=len(corpus.target)), rng.gamma(1, size=len(corpus.source))
    )
    pair, null = counts.pair.copy(), counts.null_to_target.copy()
    lexicon = model.lexicon.maximise(counts, Estimation("vb", alpha=ALPHA))
    sources = np.repeat(np.arange(len(corpus.source)), np.diff(index.table.row_start))
    totals = np.bincount(sources, weights=pair[:, 0]) + ALPHA * POSSIBLE_WORDS
    expected = np.exp(digamma(pair[:, 0] + ALPHA) - digamma(totals[sources]))
    # The series of the digamma function is cut after five terms.
    assert lexicon.translations.probability[:, 0] == pytest.approx(expected, rel=1e-6, abs=1e-29)
    used = model.lexicon.translations.null_to_target > 0
    mass = (null + NULL_PRIOR * used).sum() + NULL_PRIOR * (POSSIBLE_WORDS - len(corpus.target))
    assert lexicon.translations.null_to_target[used] == pytest.approx(
        np.exp(digamma(null[used] + NULL_PRIOR) - digamma(mass)), rel=1e-6
    )


# What is kept


def bare(states, observed):
    """A lattice of one pair that has nothing but its size."""
    starts = np.array([0, observed]), np.array([0, states * observed])
    return Lattice(
        np.empty(0, np.float32), np.empty(observed, np.float32), np.array([states], np.int32), *starts, np.ones(1)
    )


def test_of_flat_posteriors_only_the_likelier_are_kept_and_never_is_a_likely_one_dropped():
    rng = np.random.default_rng(3)
    for states, observed in ((40, 40), (12, 30), (3, 3)):
        shapes = (states, observed), (observed, states)
        lattices = tuple(bare(*shape) for shape in shapes)
        links = tuple(rng.dirichlet(np.full(s, 0.3), o).astype(np.float32).ravel() for s, o in shapes)
        nulls = np.zeros(observed, np.float32), np.zeros(states, np.float32)
        none = np.empty((1, 0), np.float32)
        kept = keep(lattices, links, nulls, (none, none))
        forward, reverse = links[0].reshape(observed, states), links[1].reshape(states, observed).T
        likeliest = np.maximum(forward, reverse)
        limits = [limit for limit in (0.01, 0.02, 0.04, 0.08) if (likeliest >= limit).sum() <= 2 * (states + observed)]
        limit = limits[0] if limits else 0.08
        assert kept.cell.tolist() == np.flatnonzero(likeliest >= np.float32(limit)).tolist()
        j, i = np.divmod(kept.cell, states)
        assert kept.forward * UNIT == pytest.approx(np.where(forward[j, i] >= limit, forward[j, i], 0), abs=UNIT)
        assert kept.reverse * UNIT == pytest.approx(np.where(reverse[j, i] >= limit, reverse[j, i], 0), abs=UNIT)
