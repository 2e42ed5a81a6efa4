"""The list of kernels that Python calls."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from kernels.recording import covering, sections, written
from pralign.kernels.compile import Kernel
from pralign.kernels.signatures import LIST, entries, entries_for, format_type, parse_signature
from pralign.runs.recipe import Recipe
from pralign.settings import Settings

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the compiler is off")


@pytest.mark.parametrize(
    "text",
    [
        "(f4)",
        "(i8.2, rf4, f8.2A, b1)",
        "(kernels.arrays.PairTable(i8, i4), int64, float64)",
        "((f4, f4), kernels.arrays.Lattice(f4, f4, i4, i8, i8, f8, ()))",
    ],
)
def test_types_are_read_as_they_are_written(text):
    assert f"({', '.join(map(format_type, parse_signature(text)))})" == text


def test_what_follows_a_type_is_not_ignored():
    with pytest.raises(ValueError, match="follows"):
        parse_signature("(f4) f4")


def test_all_kernels_of_the_list_are_there():
    assert len(entries()) > 60
    for entry in entries():
        assert isinstance(entry.dispatcher, Kernel), entry.kernel
        assert len(entry.types) == len(inspect.signature(entry.dispatcher.py_func).parameters), entry.kernel


def test_each_kernel_is_listed_once_for_a_run():
    needed = entries_for(Recipe.of(Settings.resolve()).facts | {"train"})
    assert len({(each.kernel, each.signature) for each in needed}) == len(needed) > 15
    assert [each.milliseconds for each in needed] == sorted((each.milliseconds for each in needed), reverse=True)


def test_few_facts_tell_who_needs_a_kernel():
    runs = [
        {"facts": ["a", "x"], "used": {"always()": 5, "both()": 7, "never with y()": 1}},
        {"facts": ["b", "x"], "used": {"always()": 9, "never with y()": 1}},
        {"facts": ["a", "y"], "used": {"always()": 3}},
    ]
    found = sections(runs)
    assert found[()] == {"always()": 9}
    assert found[("x",)] == {"never with y()": 1}
    assert found[("a", "x")] == {"both()": 7}
    assert list(covering(set(), {})) == []
    assert written(found).startswith("[]\n9 always()\n\n[x]\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "settings"),
    [
        *[("train", {}), ("train", {"preset": "best"}), ("train", {"model": "ibm4"}), ("load", {}), ("adapt", {})],
        *[("nbest", {}), ("samples", {}), ("nbest", {"model": "ibm4"})],
    ],
)
def test_the_list_has_what_runs_need(task, settings):
    """Otherwise, python -m tests.kernels.recording makes it anew."""
    command = [sys.executable, "-m", "tests.kernels.recording", task, json.dumps(settings)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, encoding="utf-8")
    found = json.loads(done.stdout.splitlines()[-1])
    listed = {f"{each.kernel}{each.signature}" for each in entries_for(found["facts"])}
    assert set(found["used"]) <= listed, LIST
