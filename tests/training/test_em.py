"""The training of whole models: against oracles, and what must hold at every iteration."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.dense_hmm import DenseHMM
from oracles.naive_alignments import Jumps
from oracles.naive_em import LEAST_NULL, Posteriors, Table, iterate, uniform
from pralign.engine import Engine
from pralign.models import get_model
from pralign.models.base import Shape
from pralign.models.bidirectional import BidirectionalModel, Block
from pralign.models.estimation import Estimation
from pralign.models.lexicon import Lexicon
from pralign.training import em
from pralign.training.em import Progress, Task, train, training_blocks
from training.corpora import build, random_sentences, sentences, small_blocks, trained, transposed

MODELS = ["ibm1", "ibm2", "hmm"]
# Tables and posteriors are kept in single precision, which rounds a number by 2^-24 of its size or less.
STORED = 2.0**-24

quick = partial(settings, deadline=None)


def schedule(name, iterations):
    """A little IBM 1 first, except before IBM 1."""
    return (("ibm1", iterations),) if name == "ibm1" else (("ibm1", 2), (name, iterations))


def start(pairs, name):
    """An untrained model, and the work it has to do."""
    corpus, index = build(pairs)
    source, target = corpus.source_lengths[index.pairs], corpus.target_lengths[index.pairs]
    kind, words = get_model(name), (len(corpus.source), len(corpus.target))
    model = BidirectionalModel(
        Lexicon.uniform(index.table, len(corpus.target)),
        kind.initial(Shape(source, target, *words), None),
        kind.initial(Shape(target, source, *words[::-1]), None),
    )
    return corpus, index, model


def statistics_of(model, blocks):
    total = model.no_statistics()
    for block in blocks:
        model.add(total, model.e_step(block, model.lattices(block)))
    return total


def arrays_of(model):
    """All parameters of a model."""
    return [*model.lexicon.translations, *model.forward.tensors().values(), *model.reverse.tensors().values()]


def same_bits(one, other):
    return all(
        a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
        for a, b in zip(arrays_of(one), arrays_of(other), strict=True)
    )


# Against the oracle


def ibm1_posteriors(emission, null):
    link, nulls, log_likelihood = [], [], 0.0
    for row, other in zip(emission, null, strict=True):
        total = math.fsum([*row, other])
        link.append([value / total for value in row])
        nulls.append(other / total)
        log_likelihood += math.log(total / (len(row) + 1))
    return Posteriors(link, nulls, log_likelihood)


def ibm2_posteriors(values, emission, null):
    states = len(emission[0])
    link, nulls, log_likelihood = [], [], 0.0
    for j, (row, other) in enumerate(zip(emission, null, strict=True)):
        prior = values[states, j]
        joint = [prior[0] * other, *(p * value for p, value in zip(prior[1:], row, strict=True))]
        total = math.fsum(joint)
        nulls.append(joint[0] / total)
        link.append([value / total for value in joint[1:]])
        log_likelihood += math.log(total)
    return Posteriors(link, nulls, log_likelihood)


def hmm_posteriors(jumps, emission, null):
    return Posteriors(*DenseHMM(emission, null, jumps).marginals()[:3])


def oracle_of(model):
    """How the oracle infers what a directional model does."""
    tensors = model.tensors()
    if model.name == "ibm1":
        return ibm1_posteriors
    if model.name == "ibm2":
        values = {}
        for states in range(1, tensors["start"].size - 1):
            rows = tensors["values"][tensors["start"][states] : tensors["start"][states + 1]].reshape(-1, states + 1)
            values |= {(states, j): row.tolist() for j, row in enumerate(rows)}
        return partial(ibm2_posteriors, values)
    return partial(hmm_posteriors, jumps_of(model))


def jumps_of(model):
    jump, initial, null = model.weights
    near = {distance: float(jump[distance + 5]) for distance in range(-5, 6)}
    return Jumps(near, float(jump[11]), initial.tolist(), float(null[0]))


def table_of(lexicon, corpus, side):
    """What a lexicon says of the other side's words given the words of ``side``."""
    states, observed = (corpus.source, corpus.target) if side == "source" else (corpus.target, corpus.source)
    null = lexicon.translations.null_to_target if side == "source" else lexicon.translations.null_to_source
    word = {}
    for number, state in enumerate(states.words):
        partners, values = lexicon.partners(number, side)
        word |= {(state, observed.words[k]): float(value) for k, value in zip(partners, values, strict=True)}
    return Table(word, dict(zip(observed.words, null.tolist(), strict=True)))


def assert_tables_agree(found, expected, tolerance):
    for one, other in zip(found, expected, strict=True):
        assert one.keys() >= other.keys()
        for key, value in one.items():  # words of pairs that are not trained on are there too, with probability zero
            assert value == pytest.approx(other.get(key, 0.0), rel=0, abs=tolerance), key


@pytest.mark.parametrize("name", MODELS)
@quick(max_examples=25)
@given(pairs=sentences(most=8), smoothing=st.sampled_from([0.0, 0.0, 0.1, 1.0]))
def test_each_iteration_agrees_with_dictionaries_of_words(name, pairs, smoothing):
    corpus, index, model = start(pairs, name)
    included = [pairs[n] for n in index.pairs]
    work = training_blocks(corpus, index)
    for _ in range(4):
        statistics = statistics_of(model, work)
        after = model.m_step(statistics, Estimation(smoothing=smoothing))
        for side, directional, text, likelihood in (
            ("source", model.forward, included, statistics.log_likelihood[0]),
            ("target", model.reverse, transposed(included), statistics.log_likelihood[1]),
        ):
            table = table_of(model.lexicon, corpus, side)
            expected, expected_likelihood = iterate(table, text, oracle_of(directional), smoothing)
            # Posteriors are rounded before they are counted, and what is made of the counts is rounded again.
            assert_tables_agree(table_of(after.lexicon, corpus, side), expected, 4 * STORED)
            assert likelihood == pytest.approx(expected_likelihood, rel=0, abs=1e-10)
        model = after


@quick(max_examples=40)
@given(sentences(most=6), st.integers(1, 6), st.sampled_from([0.0, 0.5]))
def test_ibm1_from_beginning_to_end_agrees_with_dictionaries_of_words(pairs, iterations, smoothing):
    corpus, index = build(pairs)
    included = [pairs[n] for n in index.pairs]
    model = train(Task(corpus, index, (("ibm1", iterations),), Engine(1), Estimation(smoothing=smoothing))).model
    for side, text in (("source", included), ("target", transposed(included))):
        table = uniform(text)
        for _ in range(iterations):
            table, _ = iterate(table, text, ibm1_posteriors, smoothing)
        # Single precision in every iteration, and each passes on the errors of those before, larger or smaller.
        assert_tables_agree(table_of(model.lexicon, corpus, side), table, 64 * STORED)


# Every iteration


@pytest.mark.parametrize("name", MODELS)
@quick(max_examples=40)
@given(pairs=sentences(most=12), iterations=st.integers(1, 15))
def test_the_log_likelihood_never_falls(name, pairs, iterations):
    corpus, index = build(pairs)
    history = []

    def listen(progress):
        if progress.model == name and progress.log_likelihood is not None:
            history.append(progress.log_likelihood)

    model = train(Task(corpus, index, schedule(name, iterations), Engine(1)), listen).model
    history.append(statistics_of(model, training_blocks(corpus, index)).log_likelihood)
    assert len(history) == iterations + 1
    for direction, texts, words in (
        (0, corpus.target_lengths, corpus.target),
        (1, corpus.source_lengths, corpus.source),
    ):
        # A rounded probability changes the logarithm of an emission by 2^-24 or less, before and after. Null gives
        # each word 1e-9 even where it has learned less, so that its table may sum to a little more than one.
        tolerance = int(texts[index.pairs].sum()) * (2 * STORED + len(words) * LEAST_NULL)
        values = [float(pair[direction]) for pair in history]
        assert all(after >= before - tolerance for before, after in pairwise(values))


def log_prior(model, smoothing):
    """What add-n smoothing says of the parameters: a Dirichlet prior on every distribution. Also their number."""
    parameters = [*model.lexicon.translations]
    for directional in (model.forward, model.reverse):
        if model.name == "ibm2":
            parameters.append(directional.values)
        if model.name == "hmm":
            parameters += [part / part.sum() for part in directional.weights[:2]]
    value = smoothing * sum(np.log(part[part > 0].astype(float)).sum() for part in parameters)
    return value, sum(part.size for part in parameters)


@pytest.mark.parametrize(
    "name",
    [
        "ibm1",
        "ibm2",
        "hmm",
    ],
)
def test_with_smoothing_the_log_likelihood_of_text_and_parameters_never_falls(name):
    for seed in range(30):
        pairs = random_sentences(seed, pairs=5, words=6, most=8)
        corpus, index, model = start(pairs, name)
        work = training_blocks(corpus, index)
        smoothing = (0.01, 0.5, 3.0)[seed % 3]
        values = []
        for _ in range(8):
            statistics = statistics_of(model, work)
            prior, size = log_prior(model, smoothing)
            values.append(statistics.log_likelihood.sum() + prior)
            model = model.m_step(statistics, Estimation(smoothing=smoothing))
        # Rounded probabilities, as above, of the text and of the parameters themselves.
        tolerance = 2 * STORED * (corpus.texts.source.size + corpus.texts.target.size + smoothing * size)
        assert all(after >= before - tolerance for before, after in pairwise(values))


@pytest.mark.parametrize("name", MODELS)
@quick(max_examples=25)
@given(pairs=sentences(most=8), smoothing=st.sampled_from([0.0, 0.2]))
def test_probabilities_sum_to_one(name, pairs, smoothing):
    corpus, index = build(pairs)
    model = train(Task(corpus, index, schedule(name, 3), Engine(1), Estimation(smoothing=smoothing))).model
    for side in ("source", "target"):
        table = table_of(model.lexicon, corpus, side)
        totals = {}
        for (state, _), value in table.word.items():
            totals.setdefault(state, []).append(value)
        for values in totals.values():
            assert math.fsum(values) == pytest.approx(1, rel=0, abs=len(values) * STORED)
        assert math.fsum(table.null.values()) == pytest.approx(1, rel=0, abs=len(table.null) * STORED)
    if name == "ibm2":
        for directional in (model.forward, model.reverse):
            start, values = directional.tensors()["start"], directional.tensors()["values"]
            for states in range(1, start.size - 1):
                rows = values[start[states] : start[states + 1]].reshape(-1, states + 1)
                np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=0, atol=1e-12)


# Symmetry, threads, sums


@pytest.mark.parametrize("name", MODELS)
@quick(max_examples=25)
@given(pairs=sentences(most=8))
def test_transposing_the_corpus_swaps_the_directions(name, pairs):
    corpus, index = build(pairs)
    other_corpus, _ = build(transposed(pairs))
    model, other = trained(pairs, schedule(name, 3)), trained(transposed(pairs), schedule(name, 3))
    assert (corpus.source.words, corpus.target.words) == (other_corpus.target.words, other_corpus.source.words)
    # Counts of a word that is repeated within a sentence are added in another order, which may tip the rounding to
    # single precision, and later iterations pass that on.
    tolerance = 16 * STORED
    for side, opposite in (("source", "target"), ("target", "source")):
        assert_tables_agree(
            table_of(model.lexicon, corpus, side), table_of(other.lexicon, other_corpus, opposite), tolerance
        )
    for one, two in ((model.forward, other.reverse), (model.reverse, other.forward)):
        assert one.tensors().keys() == two.tensors().keys()
        for key, tensor in one.tensors().items():
            np.testing.assert_allclose(tensor, two.tensors()[key], rtol=0, atol=tolerance * index.pairs.size)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("name", MODELS)
def test_any_number_of_threads_gives_the_same_bits(name, smoothing, monkeypatch):
    monkeypatch.setattr(em, "blocks", small_blocks)
    pairs = random_sentences(2, pairs=80)
    corpus, index = build(pairs)
    assert len(training_blocks(corpus, index)) > 12
    models = [
        train(Task(*build(pairs, threads=n), schedule(name, 4), Engine(n), Estimation(smoothing=smoothing))).model
        for n in (1, 2, 3)
    ]
    assert same_bits(models[0], models[1])
    assert same_bits(models[0], models[2])


def test_blocks_of_their_real_size_also_give_the_same_bits():
    pairs = random_sentences(3, pairs=250, words=200, most=40)
    corpus, index = build(pairs, longest=40)
    assert len(training_blocks(corpus, index)) > 1
    models = [train(Task(corpus, index, (("ibm1", 1), ("hmm", 2)), Engine(n))).model for n in (1, 2, 3)]
    assert same_bits(models[0], models[1])
    assert same_bits(models[0], models[2])


@pytest.mark.parametrize("name", MODELS)
def test_statistics_of_parts_add_up_to_those_of_the_whole(name):
    pairs = random_sentences(5, pairs=40)
    corpus, index, model = start(pairs, name)
    whole = statistics_of(model, [Block(corpus.texts, index.cells, index.pairs)])
    parts = [statistics_of(model, [Block(corpus.texts, index.cells, part)]) for part in np.array_split(index.pairs, 4)]
    added = parts[0] + parts[1] + parts[2] + parts[3]

    def flat(statistics):
        return [*statistics.lexical, *statistics.forward, *statistics.reverse, statistics.log_likelihood]

    for one, other in zip(flat(whole), flat(added), strict=True):
        # Some thousand numbers below 10, added in double precision in another order.
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-10)
    assert whole.lexical.pair.sum() > 100
    nothing = model.no_statistics()
    for one, other in zip(flat(whole), flat(whole + nothing), strict=True):
        assert one.tobytes() == other.tobytes()
    assert all(not part.any() for part in flat(nothing))  # adding made new arrays


@pytest.mark.parametrize("name", MODELS)
@quick(max_examples=20)
@given(pairs=sentences(most=8))
def test_expected_counts_sum_to_the_number_of_words(name, pairs):
    corpus, index, model = start(pairs, name)
    statistics = statistics_of(model, training_blocks(corpus, index))
    for direction, null, lengths in (
        (0, statistics.lexical.null_to_target, corpus.target_lengths),
        (1, statistics.lexical.null_to_source, corpus.source_lengths),
    ):
        words = int(lengths[index.pairs].sum())
        cells = index.cells.slot.size
        total = statistics.lexical.pair[:, direction].sum() + null.sum()
        assert total == pytest.approx(words, rel=0, abs=STORED * (cells + words))


def test_a_listener_hears_every_iteration_of_every_stage(monkeypatch):
    monkeypatch.setattr(em, "blocks", small_blocks)
    heard: list[Progress] = []
    corpus, index = build(random_sentences(2, pairs=40))
    train(Task(corpus, index, (("ibm1", 2), ("ibm2", 1), ("hmm", 3)), Engine(2)), heard.append)
    ended = [(p.model, p.iteration, p.iterations, p.done) for p in heard if p.log_likelihood is not None]
    expected = [("ibm1", 2), ("ibm2", 1), ("hmm", 3)]
    assert ended == [(name, k, n, 1.0) for name, n in expected for k in range(1, n + 1)]
    shares = [p.done for p in heard if (p.model, p.iteration) == ("hmm", 2) and p.log_likelihood is None]
    blocks = len(training_blocks(corpus, index))
    assert blocks > 3
    assert shares == [k / blocks for k in range(1, blocks + 1)]


def test_a_later_stage_begins_with_the_lexicon_of_the_one_before():
    pairs = random_sentences(6, pairs=15)
    corpus, index = build(pairs)
    for name in ("ibm2", "hmm"):
        heard: list[Progress] = []
        train(Task(corpus, index, (("ibm1", 3), (name, 1)), Engine(1)), heard.append)
        lexicon = trained(pairs, (("ibm1", 3),)).lexicon
        untrained = start(pairs, name)[2]
        model = BidirectionalModel(lexicon, untrained.forward, untrained.reverse)
        expected = statistics_of(model, training_blocks(corpus, index)).log_likelihood
        assert heard[-1].log_likelihood == tuple(expected)
