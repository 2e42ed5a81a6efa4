"""Reading a file in a process of its own, which may not take more memory than it should."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[2] / "src"
SECONDS = 60

READ = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from pralign.errors import PralignError
from pralign.text.bitext import Bitext
from pralign.text.files import lines_up_to

path, columns, limit = json.loads(sys.argv[1])
pairs, error = 0, None
try:
    with lines_up_to(limit):
        for _ in Bitext.read(path, columns=columns):
            pairs += 1
except PralignError as found:
    error = [type(found).__name__, str(found)]
try:  # what the system counts for a process begins with what its parent had
    [line] = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
    peak = int(line.split()[1]) * 1024
except FileNotFoundError:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([pairs, error, peak]))
"""


class Read(NamedTuple):
    pairs: int
    error: list[str] | None
    peak: int


def read_apart(path, columns=None, limit=16 << 20):
    """What comes of reading a file: how many pairs, which error, and how many bytes of memory it took."""
    command = [sys.executable, "-c", READ, json.dumps([str(path), columns, limit])]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return Read(*json.loads(done.stdout))
