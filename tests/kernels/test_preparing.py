"""Kernels that are compiled before they are needed, by several processes."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path

import numba
import pytest

from pralign.kernels import preparing
from pralign.kernels.cache import own_directory
from pralign.kernels.preparing import missing, prepare
from pralign.kernels.signatures import Entry

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the compiler is off")

SMALL = [
    Entry("kernels.orientation.compare", "(f4, f4, i8, i8, i1)", 9, frozenset()),
    Entry("kernels.units.to_units", "(float64)", 8, frozenset()),
    Entry("kernels.units.to_units", "(float32)", 7, frozenset()),
]

SCRIPT = """
import logging, sys
logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
from pralign.kernels import preparing
from tests.kernels.test_preparing import SMALL
preparing._FEW = 1
steps = []
preparing._compile(preparing.missing(SMALL), int(sys.argv[1]), lambda done, total: steps.append((done, total)))
print(steps, preparing.missing(SMALL))
"""


def run(cache: Path, processes: int = 2) -> str:
    environment = {**os.environ, "PRALIGN_CACHE": str(cache)}
    command = [sys.executable, "-c", SCRIPT, str(processes)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, env=environment, encoding="utf-8")
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_all_are_compiled_once(tmp_path, processes):
    first = run(tmp_path / "cache", processes)
    assert first.startswith("compiling 3 kernels for this machine; that is done once\n")
    assert "compiled 3 kernels in" in first
    assert first.endswith("[(0, 3), (1, 3), (2, 3), (3, 3)] []\n")
    assert len(list((tmp_path / "cache").rglob("*.kernel"))) == 3
    assert run(tmp_path / "cache", processes) == "[] []\n"


@pytest.mark.slow
def test_where_nothing_can_be_kept_this_process_compiles_all(tmp_path):
    (tmp_path / "file").touch()
    said = run(tmp_path / "file" / "cache")
    assert "compiled code cannot be kept" in said
    assert said.endswith("[(0, 3), (1, 3), (2, 3), (3, 3)] []\n")


def test_each_is_taken_by_one():
    queue = deque(SMALL)
    first, second = preparing._taken(queue), preparing._taken(queue)
    assert [next(first), next(second), next(first)] == SMALL
    assert (list(first), list(second)) == ([], [])


def test_what_no_process_can_be_started_for_is_compiled_here(tmp_path, monkeypatch):
    def refuse(*arguments, **options):
        raise PermissionError("no processes here")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    told: list[tuple[int, int]] = []
    preparing._compile(SMALL, 4, lambda done, total: told.append((done, total)))
    assert told[-1] == (3, 3)


def test_a_process_that_dies_stops_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", "false" if os.name == "posix" else sys.executable)
    preparing._compile(SMALL, 4, lambda done, total: None)
    assert missing(SMALL) == []


def test_a_failure_here_ends_the_others(monkeypatch):
    started: list[subprocess.Popen[str]] = []
    start = preparing._start
    monkeypatch.setattr(preparing, "_start", lambda place: started.append(start(place)) or started[-1])

    def fail(queue):
        raise KeyboardInterrupt

    monkeypatch.setattr(preparing, "_taken", fail)
    with pytest.raises(KeyboardInterrupt):
        preparing._compile(SMALL * 4, 2, lambda done, total: None)
    assert [helper.returncode is not None for helper in started] == [True]


def test_a_helper_ends_with_its_input():
    helper = preparing._start(str(own_directory()))
    assert helper.stdout.readline() == "\n"
    helper.communicate(timeout=60)
    assert helper.returncode == 0


def test_a_helper_finds_no_modules_where_it_is_started(tmp_path, monkeypatch):
    (tmp_path / "numba.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    helper = preparing._start(str(own_directory()))
    assert helper.stdout.readline() == "\n"
    helper.communicate(timeout=60)


def test_a_helper_that_would_write_elsewhere_does_nothing():
    helper = preparing._start("/another/place")
    assert helper.communicate(timeout=60)[0] == ""


def test_what_a_helper_has_died_over_is_given_back():
    helper = subprocess.Popen(
        [sys.executable, "-c", "print(flush=True); input()"], stdin=-1, stdout=-1, encoding="utf-8"
    )
    left, progress = deque(SMALL), preparing._Progress(3, lambda done, total: None)
    preparing._employ(helper, left, progress)
    helper.wait()
    assert list(left) == SMALL


def test_listeners_are_called_by_one_thread():
    threads = set()
    preparing._compile(SMALL * 4, 2, lambda done, total: threads.add(threading.get_ident()))
    assert threads == {threading.get_ident()}


def test_what_is_compiled_is_not_talked_about(caplog):
    with caplog.at_level(logging.INFO, "pralign"):
        prepare({"no such fact"}, 1)
        first = len(caplog.records)
        prepare({"no such fact"}, 1)
    assert len(caplog.records) == first
