"""What is recorded of single iterations, checked against what listeners hear."""

from __future__ import annotations

import json
import math

import pytest

from oracles.naive_em import Posteriors, iterate, uniform
from pralign.constraints import Bijective, Symmetric
from pralign.constraints.solver import ProjectionCost
from pralign.kernels.units import LOG_UNITS
from pralign.training.history import Iteration
from pralign.training.progress import Progress, Quality
from training.corpora import build, cut_into, random_sentences, train

PAIRS = [pair for pair in random_sentences(91, 40, words=15, most=9) if all(pair)]


def test_a_record_as_a_dictionary_and_back():
    record = Iteration("hmm", 3, (-1.5, -2.5), divergence=0.25, dev_area=0.5, dev_aer=1 / 3, kept=False)
    content = record.as_dict()
    assert content == {
        "model": "hmm",
        "iteration": 3,
        "log_likelihood": [-1.5, -2.5],
        "divergence": 0.25,
        "dev_area": 0.5,
        "dev_aer": 1 / 3,
        "kept": False,
    }
    assert Iteration.from_dict(json.loads(json.dumps(content))) == record


def test_a_record_is_what_is_left_of_the_end_of_an_iteration():
    end = Progress("ibm1", 1, 2, 1.0, (-3.0, -4.0), None, Quality(0.5, 0.25), None)
    assert Iteration.of(end) == Iteration("ibm1", 1, (-3.0, -4.0), None, 0.5, 0.25, True)
    cost = ProjectionCost(pairs=4, divergence_units=int(6 * LOG_UNITS), half_calls=3, unconverged=1)
    end = Progress("hmm", 3, 5, 1.0, (-3.0, -4.0), cost, None, 2)
    assert Iteration.of(end) == Iteration("hmm", 3, (-3.0, -4.0), 1.5, None, None, False)


@pytest.mark.parametrize("constraint", [None, Bijective(), Symmetric()], ids=["none", "bijective", "symmetric"])
@pytest.mark.parametrize("marks", [None, [0.1, 0.4, 0.3]], ids=["unjudged", "judged"])
def test_the_history_is_what_listeners_hear_at_the_end_of_iterations(constraint, marks):
    heard = []
    given = iter(marks or ())
    judge = None if marks is None else lambda state: Quality(next(given), 0.5)
    corpus = build(PAIRS, sizes=cut_into(3))
    schedule = (("ibm1", 1), ("hmm", 4))
    state = train(corpus, schedule, judge=judge, listener=heard.append, constraint=constraint, constraint_from=2).state
    ends = [progress for progress in heard if progress.log_likelihood is not None]
    assert len(state.history) == len(ends) == (5 if marks is None else 4)
    assert state.history == tuple(map(Iteration.of, ends))
    assert all(record.kept for record in state.history[:-1])
    assert state.history[-1].kept is (marks is None)
    for record, progress in zip(state.history, ends, strict=True):
        acts = constraint is not None and record.model == "hmm" and record.iteration >= 2
        assert (record.divergence is not None) == acts
        if acts:
            assert progress.cost.pairs == corpus.trained
            assert record.divergence == progress.cost.divergence / corpus.trained > 0
    assert [progress.quality for progress in ends if progress.model == "ibm1"] == [None]


def ibm1(emission, null):
    totals = [sum(row) + other for row, other in zip(emission, null, strict=True)]
    link = [[value / total for value in row] for row, total in zip(emission, totals, strict=True)]
    nulls = [other / total for other, total in zip(null, totals, strict=True)]
    return Posteriors(link, nulls, sum(math.log(total / (len(emission[0]) + 1)) for total in totals))


@pytest.mark.parametrize("side", [0, 1], ids=["forward", "reverse"])
def test_likelihoods_are_those_of_the_parameters_an_iteration_begins_with(side):
    sentences = [(pair[side], pair[1 - side]) for pair in PAIRS]
    table, expected = uniform(sentences), []
    for _ in range(3):
        table, log_likelihood = iterate(table, sentences, ibm1)
        expected.append(log_likelihood)
    history = train(build(PAIRS, longest=20), (("ibm1", 3),)).state.history
    assert [record.log_likelihood[side] for record in history] == pytest.approx(expected, rel=1e-5)
