"""Collapsed estimation: each pair is learned from without its own counts, whatever the model."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.special import digamma

from oracles.naive_collapsed import UNIT, Collapsed
from oracles.naive_em import uniform
from pralign.engine import ThreadEngine
from pralign.kernels import units
from pralign.kernels.own_counts import add_own_counts, joined
from pralign.models import estimators
from pralign.models.bidirectional import BidirectionalModel
from pralign.models.estimators import EM, NULL_PRIOR, POSITION_PRIOR, POSSIBLE_WORDS, VariationalBayes, make_estimator
from pralign.models.ibm1 import IBM1
from pralign.models.training_pairs import TrainingPairs
from pralign.text.sharding import select_texts
from pralign.training.trainer import Trainer, TrainingPlan
from training.corpora import (
    build,
    cut_into,
    encoded,
    lengths,
    maximised,
    random_sentences,
    sentences,
    train,
    trained_numbers,
    transposed,
    whole_table,
)
from training.test_trainer import ibm1_posteriors, same_bits, table_of

ALPHA = 0.01
COLLAPSED = estimators.Collapsed(alpha=ALPHA)
MODELS = ["ibm1", "ibm2", "hmm", "fhmm", "ibm4"]

quick = partial(settings, deadline=None)


def schedule(name, iterations=3):
    return (("ibm1", iterations),) if name == "ibm1" else (("ibm1", 2), (name, iterations))


def learned(pairs, name, how=COLLAPSED, threads=1, shards=1):
    return train(build(pairs, sizes=cut_into(shards), threads=threads), schedule(name), how, threads)


def run(pairs, name, iterations):
    """The model after some iterations from the beginning, and what each pair has added to its counts."""
    model = train(build(pairs), ((name, iterations),), COLLAPSED)
    return model, model.state.own_counts(model.corpus.store, "0")


def whole_block(shard):
    (block,) = shard.blocks()
    return block


# Against the oracle


@quick(max_examples=30)
@given(pairs=sentences(least=1, most=4))  # so short that everything above one in a hundred is kept
def test_ibm1_from_beginning_to_end_agrees_with_counting_over_all_other_pairs(pairs):
    iterations = 3
    model, _ = run(pairs, "ibm1", iterations)
    for side, text in (("source", pairs), ("target", transposed(pairs))):
        oracle, first = Collapsed(text, ALPHA, NULL_PRIOR, POSSIBLE_WORDS), uniform(text)
        emissions = [
            ([[first.word[state, word] for state in states] for word in observed], [first.null[w] for w in observed])
            for states, observed in text
        ]
        for _ in range(iterations):
            oracle.iterate(ibm1_posteriors, emissions)
            emissions = [oracle.emissions(n) for n in range(len(text))]
        found = table_of(model.lexicon, model.corpus, side)
        # A count that is off by a unit in one iteration moves posteriors of the next by as much, relative to the prior.
        for (state, word), value in found.word.items():
            assert value == pytest.approx(oracle.probability(state, word), abs=0.02)
        for word, value in found.null.items():
            assert value == pytest.approx(oracle.null_probability(word), abs=0.02)
    assert model.corpus.trained == len(pairs)


@pytest.mark.parametrize("name", MODELS)
def test_emissions_are_those_of_a_lexicon_that_never_saw_the_pair(name):
    pairs = random_sentences(3, 25, words=8, most=7)
    model, _ = run(pairs, name if name != "fhmm" else "hmm", 2)
    corpus, parameters, shard = model.corpus, model.shard_model(), model.corpus.shard(0)
    blocks = {int(pair): whole_block_of(shard, pair) for pair in shard.pairs}
    own = {
        pair: parameters.count(block, parameters.lattices(block), parameters.zero_statistics(shard), leaving_out=True)
        for pair, block in blocks.items()
    }

    def lexicon_without(left_out=None):
        counts = parameters.zero_statistics(shard).lexical
        for pair, block in blocks.items():
            if pair != left_out:
                add_own_counts(block.texts, block.pairs, block.slots, own[pair], tuple(counts))
        lexicon = maximised(corpus, [part * units.UNIT for part in counts], COLLAPSED)
        return BidirectionalModel(lexicon.for_shard(shard), IBM1(), IBM1())

    whole = lexicon_without()
    for pair in list(blocks)[::4]:
        found = whole.lattices(blocks[pair], own[pair])
        expected = lexicon_without(pair).lattices(blocks[pair])
        for one, other in zip(found[:2], expected[:2], strict=True):
            # Probabilities are kept in single precision: a count of a hundred is right up to 6e-6, a prior is 1e-2.
            assert one.emission == pytest.approx(other.emission, rel=2e-3)
            assert one.null_emission == pytest.approx(other.null_emission, rel=2e-3, abs=2e-9)


def whole_block_of(shard, pair):
    (block,) = shard.blocks(np.array([pair]))
    return block


def test_what_is_kept_is_what_is_counted():
    model, own = run(random_sentences(5, 40), "hmm", 2)
    parameters, shard = model.shard_model(), model.corpus.shard(0)
    statistics = parameters.zero_statistics(shard)
    kept = [
        parameters.count(block, parameters.lattices(block), statistics, leaving_out=True)
        for block in shard.blocks(most_cells=200)
    ]
    again = parameters.zero_statistics(shard).lexical
    block = whole_block(shard)
    add_own_counts(block.texts, block.pairs, block.slots, joined(kept), tuple(again))
    for values, expected in zip(statistics.lexical, again, strict=True):
        assert values.tobytes() == expected.tobytes()
        # Every count is a whole number of units of own counts.
        assert not np.any(values % int(UNIT * units.UNITS))
    assert own.start.size == shard.pairs.size + 1
    words = lengths(model.corpus)[1]
    counted = (statistics.lexical.pair[:, 0].sum() + statistics.lexical.null_to_target.sum()) * units.UNIT
    # Posteriors below one in a hundred are dropped; here there are at most 12 of them a word.
    assert 0.88 * words < counted <= words * (1 + 13 * UNIT)


@pytest.mark.parametrize("name", ["hmm", "fhmm"])
def test_jumps_of_the_pair_itself_are_left_out(name):
    model, own = run(random_sentences(7, 30), name, 3)
    parameters = model.shard_model()
    lattices = parameters.lattices(whole_block(model.corpus.shard(0)), own)
    for direction, lattice, rows in (
        (parameters.forward, lattices.forward, own.forward_rows),
        (parameters.reverse, lattices.reverse, own.reverse_rows),
    ):
        weights = lattice.context.rows
        jumps, null = direction.jumps.totals, direction.null.totals
        k = int(np.argmax(rows[:, 6]))
        ratio = weights.jump[k] / direction.weights.jump
        assert ratio == pytest.approx((jumps - rows[k, :12]) / jumps)
        left = (null[0] - rows[k, 19]) / (null[1] - rows[k, 20])
        assert weights.null[k, 0] == pytest.approx(direction.null.probability[0] if name == "fhmm" else left)
        assert jumps.min() >= POSITION_PRIOR
    assert model.corpus.pairs == 30


@pytest.mark.parametrize("estimator", [COLLAPSED, EM()])
def test_null_is_by_how_much_the_directions_agree(estimator):
    corpus = build(random_sentences(7, 30))
    trainer = Trainer(TrainingPlan(corpus, (("ibm1", 2), ("fhmm", 2)), estimator), ThreadEngine(1))
    state = trainer.initial()
    for _ in range(3):
        state = trainer.advance(state)
    shard = corpus.shard(0)
    model = state.model_of(corpus.store, shard, "0", corpus.pieces)
    lattices = model.lattices(whole_block(shard), state.own_counts(corpus.store, "0"))
    forward, reverse = (each.posterior.link for each in model.infer(lattices))
    both = links = 0.0
    for k in range(shard.pairs.size):
        cells = slice(*lattices.forward.cell_start[k : k + 2])
        states = lattices.forward.states[k]
        one, other = forward[cells].reshape(-1, states), reverse[cells].reshape(states, -1).T
        both += 2 * float((one * other).sum())
        links += float(one.sum() + other.sum())
    after = trainer.advance(state)
    for learned in after.models:
        # Posteriors of less than a hundredth, in flat pairs of less than eight, are not counted.
        assert learned.null.probability[0] == pytest.approx(0.22 * (both / links) ** 0.5, rel=0.05)


def test_positions_of_the_pair_itself_are_left_out():
    model, own = run(random_sentences(9, 30, most=6), "ibm2", 3)
    parameters, block = model.shard_model(), whole_block(model.corpus.shard(0))
    plain = BidirectionalModel(parameters.lexicon, IBM1(), IBM1()).lattices(block, own).forward
    found = parameters.lattices(block, own).forward
    start_of, counts = model.forward.start, model.forward.counts
    changed = 0
    for k in range(block.pairs.size):
        states = int(plain.states[k])
        for e in range(own.start[k], own.start[k + 1]):
            j, i = divmod(int(own.cell[e]), states)
            count = counts[start_of[states] + j * (states + 1) + 1 + i]
            cell = plain.cell_start[k] + own.cell[e]
            share = max(count - own.forward[e] * UNIT, 1e-9) / count
            assert found.emission[cell] == pytest.approx(plain.emission[cell] * share, rel=1e-5)
            changed += share < 1
    assert changed > 50


# What it is for


def test_a_rare_word_no_longer_explains_its_whole_sentence():
    """The garbage collector: under EM, a word that occurs once takes whatever stands in its sentence."""
    pairs = [pair for pair in random_sentences(2, 150, words=60, most=10) if all(pair)]
    pairs[0] = ([*pairs[0][0], "rare"], pairs[0][1])
    explained = {}
    for name in ("em", "collapsed"):
        model = learned(pairs, "ibm1", make_estimator(name))
        block, own = whole_block(model.corpus.shard(0)), model.state.own_counts(model.corpus.store, "0")
        states, words = len(pairs[0][0]), len(pairs[0][1])
        parameters = model.shard_model()
        posterior = parameters.infer(parameters.lattices(block, own))[0].posterior
        explained[name] = posterior.link[: states * words].reshape(words, states)[:, -1].sum() / words
    assert explained["em"] > 0.6
    assert explained["collapsed"] < 0.3


# What must hold for all


@pytest.mark.parametrize("name", [*MODELS, "ibm3"])
@pytest.mark.parametrize("estimator", ["vb", "collapsed"])
def test_any_number_of_threads_gives_the_same_bits(name, estimator):
    pairs = random_sentences(11, 60)
    models = [learned(pairs, name, make_estimator(estimator), threads, shards=9) for threads in (1, 2, 3)]
    assert all(same_bits(models[0], model) for model in models[1:])
    assert (models[0].state.own is not None) == (estimator == "collapsed")


@pytest.mark.parametrize("name", ["ibm1", "ibm2", "hmm", "fhmm"])
def test_exchanging_the_sides_exchanges_the_directions(name):
    pairs = [pair for pair in random_sentences(13, 40) if all(pair)]
    model, turned = learned(pairs, name), learned(transposed(pairs), name)
    for one, other in zip(model.forward.tensors().values(), turned.reverse.tensors().values(), strict=True):
        assert one == pytest.approx(other, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", ["hmm", "fhmm"])
def test_a_pair_that_was_trained_on_is_recognised(name):
    pairs = random_sentences(17, 40)
    model = learned(pairs, name)
    corpus, shard, parameters = model.corpus, model.corpus.shard(0), model.shard_model()
    own, block = model.state.own_counts(corpus.store, "0"), whole_block(shard)
    without = parameters.infer(parameters.lattices(block, own))[0].posterior.link
    assert not np.allclose(without, parameters.infer(parameters.lattices(block))[0].posterior.link, atol=0.01)
    remembered = TrainingPairs.of(select_texts(shard.global_texts(), shard.pairs), own)
    text = encoded(corpus, [pairs[number] for number in trained_numbers(corpus)])
    there = model.model_for(text)
    again = there.infer(there.lattices(whole_block(text), remembered.find(text)))[0].posterior.link
    assert again.tobytes() == without.tobytes()


def states_of(pairs, stages, how=COLLAPSED):
    """The state after each iteration."""
    trainer = Trainer(TrainingPlan(build(pairs), stages, how), ThreadEngine(1))
    state = trainer.initial()
    while not state.finished:
        state = trainer.advance(state)
        yield state


def test_as_a_start_ibm1_leaves_nothing_out():
    found = [(state.step, state.own) for state in states_of(random_sentences(19, 10), (("ibm1", 2), ("hmm", 3)))]
    assert found == [(1, None), (2, None), (3, 3), (4, 4), (5, 5)]


def test_what_was_counted_before_another_model_is_not_left_out_after_it():
    """After IBM 1, which keeps nothing, what an earlier HMM has added is in no count any more."""
    pairs = random_sentences(19, 30)
    states = list(states_of(pairs, (("hmm", 2), ("ibm1", 2), ("hmm", 2))))
    assert [state.own for state in states] == [1, 2, None, None, 5, 6]
    assert [state.history[-1].model for state in states] == ["hmm", "hmm", "ibm1", "ibm1", "hmm", "hmm"]
    assert states[3].own_counts(build(pairs).store, "0") is None


# Variational Bayes


def test_variational_bayes_takes_the_exponential_of_the_expected_logarithm():
    corpus = build(random_sentences(23, 20))
    table = whole_table(corpus)
    rng = np.random.default_rng(0)
    counts = [
        np.rint(part * units.UNITS) * units.UNIT
        for part in (
            rng.gamma(0.3, size=(table.source.size, 2)),
            rng.gamma(1, size=len(corpus.target)),
            rng.gamma(1, size=len(corpus.source)),
        )
    ]
    lexicon = maximised(corpus, counts, VariationalBayes(alpha=ALPHA))
    pair, null = counts[:2]
    totals = np.bincount(table.source, weights=pair[:, 0]) + ALPHA * POSSIBLE_WORDS
    expected = np.exp(digamma(pair[:, 0] + ALPHA) - digamma(totals[table.source]))
    # The series of the digamma function is cut after five terms, and no probability is below 1e-12.
    assert lexicon.probability[:, 0] == pytest.approx(np.maximum(expected, 1e-12), rel=1e-6)
    used = corpus.target_partners > 0
    mass = (null + NULL_PRIOR * used).sum() + NULL_PRIOR * (POSSIBLE_WORDS - len(corpus.target))
    assert lexicon.words.null_to_target[used] == pytest.approx(
        np.exp(digamma(null[used] + NULL_PRIOR) - digamma(mass)), rel=1e-6
    )
