"""The kernels are plain Python too: some of their tests also pass with the compiler switched off."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parents[1]
FILES = [
    "kernels/test_hmm.py",
    "kernels/test_mixture.py",
    "kernels/test_lexical.py",
    "kernels/test_assignment.py",
    "kernels/test_cooccurrence.py",
    "links/test_symmetrization.py",
    "text/test_classes.py",
]


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the compiler is off already")
def test_kernels_are_right_without_the_compiler():
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *(str(TESTS / name) for name in FILES)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run(command, cwd=TESTS.parent, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
