"""The kernels' tests once more, with every index checked; compiled code else reads and writes wherever it is told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the compiler is off"),
    pytest.mark.skipif(bool(numba.config.BOUNDSCHECK), reason="bounds are checked already"),
]

TESTS = Path(__file__).parents[1]
FOLDERS = ["kernels", "models"]
COMPILING = ["kernels/test_cache.py", "kernels/test_preparing.py", "kernels/test_signatures.py"]

OUTSIDE = """
import numpy as np
from pralign.kernels.compile import kernel

@kernel
def read(array, k):
    return array[k]

try:
    read(np.zeros(3), 3)
except IndexError:
    print("caught")
"""


@pytest.fixture
def environment():
    """Where bounds are checked; the cache keeps compiled code that does so apart."""
    return {**os.environ, "NUMBA_BOUNDSCHECK": "1"}


def test_an_index_outside_is_caught(environment, tmp_path):
    (tmp_path / "outside.py").write_text(OUTSIDE)
    ran = subprocess.run(
        [sys.executable, str(tmp_path / "outside.py")], env=environment, capture_output=True, text=True, check=True
    )
    assert ran.stdout == "caught\n"


def test_no_kernel_reads_or_writes_outside_its_arrays(environment):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "2", "-m", "not slow", "-x"]
    ran = subprocess.run(
        [*command, *(str(TESTS / name) for name in FOLDERS), *(f"--ignore={TESTS / name}" for name in COMPILING)],
        cwd=TESTS.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
