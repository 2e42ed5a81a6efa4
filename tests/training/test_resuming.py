"""Training that stops and goes on is training that never stopped."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pytest

from pralign.constraints import Symmetric
from pralign.engine import ThreadEngine
from pralign.models import MODELS
from pralign.models.estimators import ESTIMATORS, make_estimator
from pralign.store import DirectoryStore, MemoryStore
from pralign.training.progress import Quality
from pralign.training.state import TrainingState
from pralign.training.trainer import Trainer, TrainingPlan
from training.corpora import build, cut_into, random_sentences

pytestmark = pytest.mark.slow

PAIRS = random_sentences(71, 30, words=12, most=9)
SIZES = cut_into(3, piece=50)
SCHEDULES = {
    "ibm1": (("ibm1", 3),),
    "ibm2": (("ibm1", 1), ("ibm2", 3)),
    "hmm": (("ibm1", 1), ("hmm", 3)),
    "fhmm": (("hmm", 1), ("fhmm", 3)),
    "ibm3": (("ibm3", 1), ("hmm", 1), ("ibm3", 2)),
    "ibm4": (("hmm", 1), ("ibm4", 2)),
}


def bits(arrays):
    return {name: (array.dtype, array.shape, array.tobytes()) for name, array in arrays.items()}


def left_behind(store):
    """Everything in a store."""
    return {name: bits(store.load(name)) for name in sorted(store.names())}


def trainer_for(store, schedule, estimator, judge=None, **options):
    plan = TrainingPlan(build(PAIRS, sizes=SIZES, store=store), schedule, estimator, **options)
    return Trainer(plan, ThreadEngine(2), judge)


def check(schedule, estimator, path, judge_of=lambda: None, **options):
    """Run at once; and stop after every iteration, with nothing left but the store."""
    at_once = trainer_for(MemoryStore(), schedule, estimator, judge_of(), **options)
    end = at_once.run()
    resumed = trainer_for(DirectoryStore(path), schedule, estimator, judge_of(), **options)
    plan = resumed.plan
    state = resumed.initial()
    while not state.finished:
        state = TrainingState.from_arrays(state.to_arrays())
        fresh = Trainer(plan, ThreadEngine(1), resumed._judge)
        made = fresh.advance(state)
        (name,) = DirectoryStore(path).names("state/")
        state = TrainingState.from_arrays(DirectoryStore(path).load(name))
        assert bits(state.to_arrays()) == bits(made.to_arrays())
    assert bits(state.to_arrays()) == bits(end.to_arrays())
    assert left_behind(DirectoryStore(path)) == left_behind(plan_store(at_once))
    return end


def plan_store(trainer):
    return trainer.plan.corpus.store


@pytest.mark.parametrize("name", list(MODELS))
@pytest.mark.parametrize("estimator", list(ESTIMATORS))
def test_resumed_after_every_iteration_training_comes_to_the_same_bits(name, estimator, tmp_path):
    check(SCHEDULES[name], make_estimator(estimator), tmp_path)


def test_resumed_training_with_a_constraint_comes_to_the_same_bits(tmp_path):
    end = check(SCHEDULES["hmm"], make_estimator("collapsed"), tmp_path, constraint=Symmetric(), constraint_from=2)
    assert [record.divergence is None for record in end.history] == [True, True, False, False]


class Judge:
    """Gives marks by the number of the iteration."""

    def __init__(self, *marks):
        self.marks = marks

    def __call__(self, state):
        return Quality(self.marks[state.iteration - 1], 0.5)


def test_resumed_training_stops_where_it_would_have_stopped(tmp_path):
    end = check((("ibm1", 1), ("hmm", 5)), make_estimator("collapsed"), tmp_path, partial(Judge, 0.1, 0.3, 0.2))
    assert end.made == (("ibm1", 1), ("hmm", 2))
    assert (end.step, end.parameters, end.own, end.best, end.finished) == (4, 3, 3, 0.3, True)
    assert [record.kept for record in end.history] == [True, True, True, False]


def test_only_what_the_last_state_needs_is_left_in_the_store():
    trainer = trainer_for(MemoryStore(), (("hmm", 2), ("ibm1", 1), ("hmm", 1)), make_estimator("collapsed"))
    state = trainer.initial()
    store = plan_store(trainer)
    for step in range(1, 5):
        state = trainer.advance(state)
        assert store.names("state/") == [f"state/{step}"]
        assert store.names("counts/") == []
        assert {name.split("/")[1] for name in store.names("parameters/")} == {str(step)}
        assert {name.split("/")[1] for name in store.names("own/")} == (set() if step == 3 else {str(step)})
    assert store.names("shard/") == [f"shard/{number}" for number in range(3)]
    assert store.names("read/") == store.names("pairs/") == []


def test_an_iteration_that_was_broken_off_is_made_again(tmp_path):
    expected = trainer_for(MemoryStore(), SCHEDULES["hmm"], make_estimator("collapsed"))
    end = expected.run()

    class Broken(ThreadEngine):
        """Fails in the middle of an iteration."""

        left = 4

        def run(self, function, items):
            for result in super().run(function, items):
                self.left -= 1
                if self.left < 0:
                    raise KeyboardInterrupt
                yield result

    plan = trainer_for(DirectoryStore(tmp_path), SCHEDULES["hmm"], make_estimator("collapsed")).plan
    trainer = Trainer(plan, ThreadEngine(1))
    state = trainer.advance(trainer.initial())
    broken_off = 0
    for left in range(1, 12):
        engine = Broken(1)
        engine.left = left
        try:
            state = Trainer(plan, engine).advance(state)
        except KeyboardInterrupt:
            broken_off += 1
        (name,) = plan.corpus.store.names("state/")
        state = TrainingState.from_arrays(plan.corpus.store.load(name))
    assert broken_off > 3
    state = Trainer(plan, ThreadEngine(1)).run(state)
    assert bits(state.to_arrays()) == bits(end.to_arrays())


def test_a_state_is_described_in_words_and_numbers():
    state = trainer_for(MemoryStore(), SCHEDULES["hmm"], make_estimator("em")).run()
    described = json.loads(state.to_arrays()["description"].tobytes())
    assert (described["model"], described["step"], described["own"]) == ("hmm", 4, None)
    assert len(described["history"]) == 4
    assert np.array_equal(state.to_arrays()["forward.jumps.weights"], state.forward.jumps.weights)


def test_training_that_is_finished_stays_as_it_is():
    trainer = trainer_for(MemoryStore(), SCHEDULES["ibm1"], make_estimator("em"))
    end = trainer.run()
    assert trainer.run(end) is end
