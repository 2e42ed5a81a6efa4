"""The training of whole models: against oracles, and what must hold at every iteration."""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.dense_hmm import DenseHMM
from oracles.naive_alignments import Jumps
from oracles.naive_em import LEAST_NULL, Posteriors, Table, expect, iterate, uniform
from pralign.engine import ThreadEngine
from pralign.kernels.units import LOG_UNIT, UNIT
from pralign.models.estimators import EM
from pralign.text.shard import Block
from pralign.training.e_step import Spec, e_step
from pralign.training.progress import Progress
from pralign.training.trainer import Trainer, TrainingPlan
from training.corpora import (
    Trained,
    build,
    cut_into,
    included,
    lengths,
    random_sentences,
    sentences,
    start,
    train,
    trained,
    transposed,
)

MODELS = ["ibm1", "ibm2", "hmm"]
# Tables and posteriors are kept in single precision, which rounds a number by 2^-24 of its size or less.
STORED = 2.0**-24

quick = partial(settings, deadline=None)


def schedule(name, iterations):
    """A little IBM 1 first, except before IBM 1."""
    return (("ibm1", iterations),) if name == "ibm1" else (("ibm1", 2), (name, iterations))


def statistics_of(model):
    """What a model of a single shard expects of it."""
    return e_step(Spec(), model.shard_model(), model.corpus.shard(0)).statistics


def likelihood_of(model):
    """The log-likelihood of the text, forward and reverse."""
    return statistics_of(model).log_likelihood * LOG_UNIT


def advanced(model, name, smoothing):
    """The model after one more iteration, of as many as there may be, and what it found before."""
    plan = TrainingPlan(model.corpus, ((name, 1000),), EM(smoothing=smoothing))
    state = Trainer(plan, ThreadEngine(1)).advance(model.state)
    return Trained(model.corpus, state), state.history[-1].log_likelihood


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
    """``tolerance`` is a number, or one a state word, and one for null under ``None``."""
    allowed = tolerance.get if isinstance(tolerance, dict) else lambda state, default: tolerance
    for one, other, state_of in zip(found, expected, (lambda key: key[0], lambda key: None), strict=True):
        assert one.keys() >= other.keys()
        for key, value in one.items():  # words of pairs that are not trained on are there too, with probability zero
            assert value == pytest.approx(other.get(key, 0.0), rel=0, abs=allowed(state_of(key), 0.0)), key


def rounding(counts, text, smoothing):
    """What rounding may do to the probabilities of an iteration.

    Posteriors are rounded to single precision and then to units before they are counted, and what is made of the counts
    is rounded again. Where a word counts little in all, the error of the counts grows as they are divided.
    """
    cells, totals = Counter(), counts.totals() | {None: sum(counts.null.values())}
    for states, observed in text:
        cells.update({None: len(observed)})
        for state in states:
            cells[state] += len(observed)
    return {
        state: 4 * STORED + 2 * cells[state] * STORED / max(total + smoothing, STORED)
        for state, total in totals.items()
    }


@pytest.mark.parametrize("name", MODELS)
@quick(max_examples=25)
@given(pairs=sentences(most=8), smoothing=st.sampled_from([0.0, 0.0, 0.1, 1.0]))
def test_each_iteration_agrees_with_dictionaries_of_words(name, pairs, smoothing):
    model = start(pairs, name)
    corpus = model.corpus
    text = included(corpus, pairs)
    for _ in range(4):
        before = table_of(model.lexicon, corpus, "source"), table_of(model.lexicon, corpus, "target")
        after, likelihoods = advanced(model, name, smoothing)
        for place, (side, directional, words) in enumerate(
            (("source", model.forward, text), ("target", model.reverse, transposed(text)))
        ):
            infer = oracle_of(directional)
            expected, expected_likelihood = iterate(before[place], words, infer, smoothing)
            found = table_of(after.lexicon, corpus, side)
            tolerance = rounding(expect(before[place], words, infer), words, smoothing)
            assert_tables_agree(found, expected, tolerance)
            # Each pair's is rounded to 2^-18.
            assert likelihoods[place] == pytest.approx(expected_likelihood, rel=0, abs=len(pairs) * LOG_UNIT)
        model = after


@quick(max_examples=40)
@given(sentences(most=6), st.integers(1, 6), st.sampled_from([0.0, 0.5]))
def test_ibm1_from_beginning_to_end_agrees_with_dictionaries_of_words(pairs, iterations, smoothing):
    corpus = build(pairs)
    model = train(corpus, (("ibm1", iterations),), EM(smoothing=smoothing))
    text = included(corpus, pairs)
    for side, words in (("source", text), ("target", transposed(text))):
        table = uniform(words)
        for _ in range(iterations):
            table, _ = iterate(table, words, ibm1_posteriors, smoothing)
        # Single precision in every iteration, and each passes on the errors of those before, larger or smaller.
        assert_tables_agree(table_of(model.lexicon, corpus, side), table, 64 * STORED)


# Every iteration


@pytest.mark.parametrize("name", MODELS)
@quick(max_examples=40)
@given(pairs=sentences(most=12), iterations=st.integers(1, 15))
def test_the_log_likelihood_never_falls(name, pairs, iterations):
    corpus = build(pairs)
    history = []

    def listen(progress):
        if progress.model == name and progress.log_likelihood is not None:
            history.append(progress.log_likelihood)

    model = train(corpus, schedule(name, iterations), listener=listen)
    history.append(likelihood_of(model))
    assert len(history) == iterations + 1
    source, target = lengths(corpus)
    for direction, tokens, words in ((0, target, corpus.target), (1, source, corpus.source)):
        # A rounded probability changes the logarithm of an emission by 2^-24 or less, before and after. Null gives
        # each word 1e-9 even where it has learned less, so that its table may sum to a little more than one. The
        # log-likelihood of each pair is rounded itself. In the passes, each word's scale is a sum of products of four
        # numbers in single precision, before and after.
        tolerance = tokens * (10 * STORED + len(words) * LEAST_NULL) + len(pairs) * LOG_UNIT
        values = [float(pair[direction]) for pair in history]
        assert all(after >= before - tolerance for before, after in pairwise(values))


def log_prior(model, smoothing):
    """What add-n smoothing says of the parameters: a Dirichlet prior on every distribution. Also their number."""
    parameters = [*model.lexicon.translations]
    for directional in (model.forward, model.reverse):
        if directional.name == "ibm2":
            parameters.append(directional.values)
        if directional.name == "hmm":
            parameters += [part / part.sum() for part in directional.weights[:2]]
    value = smoothing * sum(np.log(part[part > 0].astype(float)).sum() for part in parameters)
    return value, sum(part.size for part in parameters)


@pytest.mark.parametrize("name", MODELS)
def test_with_smoothing_the_log_likelihood_of_text_and_parameters_never_falls(name):
    for seed in range(30):
        pairs = random_sentences(seed, pairs=5, words=6, most=8)
        model = start(pairs, name)
        smoothing = (0.01, 0.5, 3.0)[seed % 3]
        values = []
        for _ in range(8):
            prior, size = log_prior(model, smoothing)
            model, likelihoods = advanced(model, name, smoothing)
            values.append(sum(likelihoods) + prior)
        # Rounded probabilities, as above, of the text and of the parameters themselves.
        texts = model.corpus.texts()
        tolerance = 2 * STORED * (texts.source.size + texts.target.size + smoothing * size) + len(pairs) * LOG_UNIT
        assert all(after >= before - tolerance for before, after in pairwise(values))


@pytest.mark.parametrize("name", MODELS)
@quick(max_examples=25)
@given(pairs=sentences(most=8), smoothing=st.sampled_from([0.0, 0.2]))
def test_probabilities_sum_to_one(name, pairs, smoothing):
    corpus = build(pairs)
    model = train(corpus, schedule(name, 3), EM(smoothing=smoothing))
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
            start_of, values = directional.tensors()["start"], directional.tensors()["values"]
            for states in range(1, start_of.size - 1):
                rows = values[start_of[states] : start_of[states + 1]].reshape(-1, states + 1)
                np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=0, atol=1e-12)


# Symmetry, threads, sums


@pytest.mark.parametrize("name", MODELS)
@quick(max_examples=25)
@given(pairs=sentences(most=8))
def test_transposing_the_corpus_swaps_the_directions(name, pairs):
    model, other = trained(pairs, schedule(name, 3)), trained(transposed(pairs), schedule(name, 3))
    corpus, turned = model.corpus, other.corpus
    assert (corpus.source.words, corpus.target.words) == (turned.target.words, turned.source.words)
    # Counts are whole numbers, so the order in which they are added makes no difference.
    for side, opposite in (("source", "target"), ("target", "source")):
        assert table_of(model.lexicon, corpus, side) == table_of(other.lexicon, turned, opposite)
    for one, two in ((model.forward, other.reverse), (model.reverse, other.forward)):
        assert one.tensors().keys() == two.tensors().keys()
        for key, tensor in one.tensors().items():
            assert tensor.tobytes() == two.tensors()[key].tobytes()


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("name", MODELS)
def test_any_number_of_threads_gives_the_same_bits(name, smoothing):
    pairs = random_sentences(2, pairs=80)
    models = [
        train(build(pairs, sizes=cut_into(13), threads=n), schedule(name, 4), EM(smoothing=smoothing), threads=n)
        for n in (1, 2, 3)
    ]
    assert models[0].corpus.shards == 13
    assert same_bits(models[0], models[1])
    assert same_bits(models[0], models[2])


def test_shards_of_several_blocks_of_their_real_size_also_give_the_same_bits():
    pairs = random_sentences(3, pairs=500, words=200, most=40)
    models = []
    for threads in (1, 2, 3):
        corpus = build(pairs, 40, cut_into(threads, piece=20_000), threads)
        assert threads > 1 or len(list(corpus.shard(0).blocks())) > 1
        assert corpus.pieces > 1
        models.append(train(corpus, (("ibm1", 1), ("hmm", 2)), threads=threads))
    assert same_bits(models[0], models[1])
    assert same_bits(models[0], models[2])


def flat(statistics):
    parts = [*statistics.lexical, *statistics.forward.values(), *statistics.reverse.values()]
    return [*parts, statistics.log_likelihood]


@pytest.mark.parametrize("name", MODELS)
def test_statistics_of_parts_add_up_to_those_of_the_whole(name):
    pairs = random_sentences(5, pairs=40)
    model = start(pairs, name)
    shard, parameters = model.corpus.shard(0), model.shard_model()
    whole, added = parameters.zero_statistics(shard), parameters.zero_statistics(shard)
    assert all(not part.any() for part in flat(whole))

    def count(chosen, statistics):
        for block in shard.blocks(chosen):
            parameters.count(block, parameters.lattices(block), statistics)

    count(None, whole)
    for part in np.array_split(shard.pairs, 4)[::-1]:
        count(part, added)
    for one, other in zip(flat(whole), flat(added), strict=True):
        assert one.tobytes() == other.tobytes()
    assert whole.lexical.pair.sum() * UNIT > 100


@pytest.mark.parametrize("name", MODELS)
@quick(max_examples=20)
@given(pairs=sentences(most=8))
def test_expected_counts_sum_to_the_number_of_words(name, pairs):
    model = start(pairs, name)
    statistics, shard = statistics_of(model), model.corpus.shard(0)
    cells = int((shard.source_lengths * shard.target_lengths)[shard.pairs].sum())
    for direction, null, words in (
        (0, statistics.lexical.null_to_target, lengths(model.corpus)[1]),
        (1, statistics.lexical.null_to_source, lengths(model.corpus)[0]),
    ):
        total = (statistics.lexical.pair[:, direction].sum() + null.sum()) * UNIT
        assert total == pytest.approx(words, rel=0, abs=STORED * (cells + words))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_listener_hears_every_iteration_of_every_stage(threads):
    heard: list[Progress] = []
    corpus = build(random_sentences(2, pairs=40), sizes=cut_into(5))
    train(corpus, (("ibm1", 2), ("ibm2", 1), ("hmm", 3)), threads=threads, listener=heard.append)
    ended = [(p.model, p.iteration, p.iterations, p.done) for p in heard if p.log_likelihood is not None]
    expected = [("ibm1", 2), ("ibm2", 1), ("hmm", 3)]
    assert ended == [(name, k, n, 1.0) for name, n in expected for k in range(1, n + 1)]
    second = [p for p in heard if (p.model, p.iteration) == ("hmm", 2) and p.log_likelihood is None]
    shares = [p.done for p in second if not p.pieces_done]
    assert shares == [k / 5 for k in range(6)]
    assert [p.pieces_done for p in second[6:]] == list(range(1, corpus.pieces + 1))


def test_a_later_stage_begins_with_the_lexicon_of_the_one_before():
    pairs = random_sentences(6, pairs=15)
    for name in ("ibm2", "hmm"):
        heard: list[Progress] = []
        train(build(pairs), (("ibm1", 3), (name, 1)), listener=heard.append)
        before, untrained = trained(pairs, (("ibm1", 3),)), start(pairs, name)
        model = before.shard_model()
        changed = type(model)(model.lexicon, untrained.forward, untrained.reverse)
        expected = e_step(Spec(), changed, before.corpus.shard(0)).statistics.log_likelihood * LOG_UNIT
        assert heard[-1].log_likelihood == tuple(expected)


def test_words_are_looked_up_by_their_slots():
    model = start(random_sentences(8, pairs=20), "ibm1")
    shard = model.corpus.shard(0)
    for block in shard.blocks(most_cells=100):
        assert isinstance(block, Block)
        lattices = model.shard_model().lattices(block)
        probability = model.shard_model().lexicon.translations.probability
        assert lattices.forward.emission.tolist() == probability[block.slots, 0].tolist()
