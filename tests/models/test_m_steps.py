"""The M-step of directional models is a function: it changes nothing that it is given."""

from __future__ import annotations

import numpy as np
import pytest

from pralign.kernels.fertility_factor import MOST_WORDS
from pralign.kernels.hmm import JumpWeights
from pralign.models import MODELS, get_model
from pralign.models.base import CorpusSummary
from pralign.models.prior import PositionPrior
from pralign.training.e_step import Spec, e_step
from training.corpora import build, cut_into, random_sentences, start, train

PAIRS = random_sentences(51, 25, words=10, most=9)
WORDS = {"ibm3", "ibm4", "fhmm"}


def counted(name):
    """A model, and what it expects of a text."""
    schedule = ((name, 1),) if name in ("ibm1", "ibm2", "hmm") else (("hmm", 1), (name, 1))
    model = train(build(PAIRS), schedule)
    statistics = e_step(Spec(), model.shard_model(), model.corpus.shard(0)).statistics
    return model, statistics.forward


def prior_of(words):
    rng = np.random.default_rng(1)
    weights = JumpWeights(rng.random(12), rng.random(7), np.array([0.3]))
    return [
        PositionPrior(weights, 20.0, 5.0, rng.random((words, MOST_WORDS + 1))),
        PositionPrior(),
        PositionPrior(weights, 2.5, 1.0),
    ]


def frozen(arrays):
    """Copies that nobody can change."""
    copies = {name: array.copy() for name, array in arrays.items()}
    for array in copies.values():
        array.flags.writeable = False
    return copies


def bits(arrays):
    return {name: (array.dtype, array.shape, array.tobytes()) for name, array in arrays.items()}


@pytest.mark.parametrize("smoothing", [0.0, 0.5])
@pytest.mark.parametrize("name", list(MODELS))
def test_the_same_counts_make_the_same_model_and_stay_as_they_are(name, smoothing):
    model, statistics = counted(name)
    before, parameters = frozen(statistics), bits(model.forward.tensors())
    first, second = (model.forward.maximise(before, smoothing) for _ in range(2))
    assert bits(first.tensors()) == bits(second.tensors())
    assert first is not model.forward or name == "ibm1"
    assert bits(before) == bits(statistics)
    assert bits(model.forward.tensors()) == parameters
    assert name == "ibm1" or any(part.any() for part in statistics.values())


@pytest.mark.parametrize("name", list(MODELS))
def test_a_prior_is_added_to_counts_that_stay_as_they_are(name):
    model, statistics = counted(name)
    before, known = frozen(statistics), prior_of(len(model.corpus.source))
    first, second = (model.forward.with_prior(before, known) for _ in range(2))
    assert bits(first) == bits(second)
    assert bits(before) == bits(statistics)
    assert first.keys() == before.keys()
    for array in first.values():
        assert array.dtype == np.int64
    changed = {key for key in before if first[key].tobytes() != before[key].tobytes()}
    positions = {"jump", "departure", "initial", "start"}
    expected = {"hmm": positions, "fhmm": positions | {"fertility"}}
    assert changed == expected.get(name, set())


@pytest.mark.parametrize("name", list(MODELS))
def test_a_model_restored_before_its_first_m_step_can_count(name):
    """It knows how many words there are even if nothing is known of them."""
    model = start(PAIRS, name) if name != "ibm4" else train(build(PAIRS), (("hmm", 1), ("ibm4", 1)))
    again = type(model.forward).from_tensors(model.forward.tensors())
    assert bits(again.tensors()) == bits(model.forward.tensors())
    zero = again.zero_statistics()
    assert bits(zero) == bits(model.forward.zero_statistics())
    if name in WORDS:
        assert again.counted_by_word == {"fertility"}
        assert zero["fertility"].shape[0] == len(model.corpus.source)


def test_a_fresh_hmm_with_fertilities_counts_all_words():
    summary = CorpusSummary(np.array([0, 2, 3]), state_words=7, observed_words=4)
    model = get_model("fhmm").initial(summary, None)
    again = get_model("fhmm").from_tensors(model.tensors())
    assert not again.fertilities.learned
    assert again.zero_statistics()["fertility"].shape == (7, MOST_WORDS + 1)
    shard = again.for_words(np.array([0, 3, 9]), np.array([1]))
    assert shard.zero_statistics()["fertility"].shape == (3, MOST_WORDS + 1)


@pytest.mark.parametrize("name", sorted(WORDS))
def test_words_of_a_shard_have_the_fertilities_of_the_whole_and_unknown_ones_those_of_all(name):
    model = train(build(PAIRS, sizes=cut_into(2)), (("hmm", 1), (name, 1))).forward

    def table(part):
        return part.fertilities.table if name == "fhmm" else part.parameters.fertility

    whole = table(model)
    unknown = whole.shape[0] - 1
    states = np.array([3, 1, unknown, unknown + 5])
    assert table(model.for_words(states, np.array([0]))).tolist() == whole[[3, 1, unknown, unknown, unknown]].tolist()
