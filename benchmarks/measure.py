"""Running a command and measuring it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Measured(NamedTuple):
    """What a command took."""

    seconds: float
    gigabytes: float
    output: str


def run(command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> Measured:
    """Run a command to its end; complain loudly if it fails. Memory is the peak of that process alone."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    assert process.stdout is not None
    output = process.stdout.read()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"failed with exit code {process.returncode}: {' '.join(map(str, command))}")
    # Linux counts kilobytes, macOS bytes.
    unit = 1e9 if sys.platform == "darwin" else 1e6
    return Measured(time.perf_counter() - began, usage.ru_maxrss / unit, output)
