"""Trials: what is measured becomes a pace, and a pace a time."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from pralign import Aligner, sample
from pralign.runs.needs import Workload
from pralign.runs.planning.calibration import _Watch, calibrate
from pralign.runs.planning.pace import Pace, StagePace, stages_of
from pralign.runs.planning.sampling import draw
from pralign.runs.recipe import Recipe
from pralign.settings import Settings
from pralign.text.bitext import Bitext

WORK = Workload(1000, 40_000, 500_000, 3000, 200_000, 150_000)
HMM = Recipe.of(Settings.resolve(iterations="ibm1=3,hmm=4"))
STAGES = (StagePace(0.25, 0.0, 2e-6, 0.0, 1e-6), StagePace(0.5, 1e-6, 4e-6, 40e-6, 2e-6))
PACE = Pace(2, 1.0, 1e-3, 1e-5, STAGES, 8e-6, 2e-3)


@pytest.mark.parametrize(
    "options, expected",
    [
        ({"iterations": "ibm1=3,hmm=4"}, [("ibm1", (3, 0)), ("hmm", (4, 0))]),
        ({"iterations": "hmm=4", "constraint": "symmetric"}, [("hmm", (0, 4))]),
        ({"preset": "best"}, [("ibm1", (5, 0)), ("fhmm", (5, 1))]),
        (
            {"iterations": "ibm1=2,hmm=3", "constraint": "symmetric", "constraint_from": 9},
            [("ibm1", (2, 0)), ("hmm", (3, 0))],
        ),
    ],
)
def test_stages_know_which_of_their_iterations_project(options, expected):
    assert stages_of(Recipe.of(Settings.resolve(**options))) == expected


class TestSeconds:
    def test_everything_is_added_up(self):
        expect = 3 * 2e-6 + 1e-6 + 4 * 4e-6
        maximise = 3 * 1e-6 + 4 * 2e-6
        shared = 500_000 * (expect + 8e-6) + 200_000 * (maximise + 1e-5)
        alone = 1.0 + 1000 * 3e-3 + 3 * 0.25 + 4 * 0.5
        assert PACE.seconds(HMM, WORK, 2) == pytest.approx(alone + shared)

    def test_workers_share_all_but_reading_and_writing(self):
        alone = PACE.seconds(HMM, WORK, 10**9)
        assert alone == pytest.approx(1.0 + 3.0 + 0.75 + 2.0, abs=1e-3)
        shared = PACE.seconds(HMM, WORK, 2) - alone
        assert PACE.seconds(HMM, WORK, 1) - alone == pytest.approx(2 * shared, rel=1e-3)
        assert PACE.seconds(HMM, WORK, 8) - alone == pytest.approx(shared / 4, rel=1e-3)

    def test_projections_have_a_price_of_their_own(self):
        constrained = Recipe.of(Settings.resolve(iterations="ibm1=3,hmm=4", constraint="symmetric", constraint_from=3))
        more = 2 * 500_000 * (40e-6 - 4e-6)
        assert PACE.seconds(constrained, WORK, 2) - PACE.seconds(HMM, WORK, 2) == pytest.approx(more)


class TestCalibration:
    @pytest.fixture(scope="class")
    @staticmethod
    def text():
        return draw(Bitext.read(sample.SOURCE, sample.TARGET))

    @pytest.mark.parametrize("settings", [{"model": "ibm1"}, {"iterations": "ibm1=5,hmm=1"}, {"preset": "best"}])
    def test_a_pace_is_that_of_real_work(self, text, settings):
        recipe = Recipe.of(Settings.resolve(**settings))
        pace = calibrate(recipe, text, 2)
        assert pace.workers == 2
        assert len(pace.stages) == len(recipe.schedule())
        assert 1.0 < pace.start <= 1.0 + 2.0
        assert all(value > 0 for value in (pace.read, pace.decode, pace.write))
        # Nanoseconds, not microseconds or less than one, on any machine that people have.
        assert all(1e-10 < stage.expect < 1e-5 for stage in pace.stages)
        assert (pace.stages[-1].project > pace.stages[-1].expect) == (recipe.constraint is not None)

    def test_one_pair_is_enough(self):
        pace = calibrate(HMM, draw([("a b", "c d")]), 1)
        assert PACE.seconds(HMM, WORK, 1) > 0
        assert all(stage.expect > 0 for stage in pace.stages)

    def test_trials_say_nothing(self, caplog, text):
        caplog.set_level(logging.INFO, logger="pralign")
        calibrate(Recipe.of(Settings.resolve(preset="fast")), text, 1)
        assert caplog.records == []
        assert logging.getLogger("pralign").level == logging.INFO

    def test_recipes_are_not_changed(self, text):
        recipe = Recipe.of(Settings.resolve(preset="best"))
        before = replace(recipe.settings)
        calibrate(recipe, text, 1)
        assert recipe.settings == before


def test_each_iteration_has_one_e_step_and_one_m_step():
    watch = _Watch()
    aligner = Aligner(iterations="ibm1=2,hmm=3", threads=2)
    list(aligner.fit_align([("the house", "la maison"), ("the cat", "le chat")], listener=watch))
    assert len(watch.expected) == len(watch.maximised) == 5
