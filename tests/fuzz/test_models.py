"""A short run of the fuzz target for models, and what it would notice."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from pralign import Aligner
from pralign.runs.trained import LinkPosteriors

from . import models
from .models import outcomes, try_one
from .saved import KINDS, Saved, untouched


@pytest.mark.parametrize("kind", ["ibm1", "ibm2", "hmm", "fhmm", "ibm3", "ibm4", "matching"])
def test_changed_models_are_refused_or_answer_soundly(kind):
    tried = [try_one(kind, 1, number) for number in range(40)]
    assert [outcome for outcome in tried if outcome.is_finding] == []
    assert {outcome.verdict for outcome in tried} == {"refused", "sound"}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_changed_is_sound(kind, monkeypatch):
    monkeypatch.setattr(models, "change", lambda saved, random: [])
    assert try_one(kind, 1, 1).verdict == "sound"


def test_the_same_numbers_give_the_same_model():
    first, again, other = (try_one("ibm1", 1, number) for number in (3, 3, 4))
    assert first == again
    assert first.changes != other.changes


def test_what_is_changed_is_written_with_checksums_that_suit(tmp_path):
    saved = untouched("ibm1").copy()
    saved.words["source"][0] = "another"
    saved.write(tmp_path / "model")
    assert "another" in Aligner.load(tmp_path / "model").vocabularies_["source"].words
    assert Saved.read(tmp_path / "model").words == saved.words


def test_answers_that_cannot_be_are_findings(monkeypatch):
    monkeypatch.setattr(models, "change", lambda saved, random: [])
    matrix = np.full((1, 1), np.nan, np.float32)
    monkeypatch.setattr(Aligner, "posteriors", lambda self, *pair: LinkPosteriors(matrix, matrix, matrix, ["a"], ["b"]))
    assert (try_one("ibm1", 1, 1).verdict, try_one("ibm1", 1, 1).is_finding) == ("unsound", True)

    def fail(self, *pair):
        raise KeyError("weights")

    monkeypatch.setattr(Aligner, "posteriors", fail)
    assert (try_one("ibm1", 1, 1).verdict, try_one("ibm1", 1, 1).is_finding) == ("KeyError", True)


@pytest.mark.parametrize(("ending", "verdict"), [("os.abort()", "crash"), ("time.sleep(60)", "hang")])
def test_a_process_that_ends_or_hangs_is_a_finding_and_work_goes_on(monkeypatch, ending, verdict):
    def start(kind, seed, numbers):
        program = f"""
import os, time
for number in range({numbers.start}, {numbers.stop}):
    print(number, flush=True)
    if number == 1:
        {ending}
    print('[[], "sound", ""]', flush=True)
"""
        return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    monkeypatch.setattr(models, "_start", start)
    found = list(outcomes("ibm1", 1, range(3), patience=0.5, first_patience=0.5))
    assert [outcome.verdict for outcome in found] == ["sound", verdict, "sound"]
