"""A shell in which the programs of pralign start at once."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

from docs.pages import ROOT

HERE = Path(__file__).parent
PATIENCE = 120
# What a command leaves to the next one: variables and the folder it has gone to.
_AROUND = """\
[ -e {state} ] && . {state}
eval {command}
code=$?
{{ export -p; printf 'cd %q\\n' "$PWD"; }} > {state}
exit $code
"""


class Ended(NamedTuple):
    """How a command ended, and what it printed.

    Attributes:
        code: Its exit code.
        out: What it printed on standard output.
        err: What it printed on standard error.
    """

    code: int
    out: str
    err: str

    @property
    def shown(self) -> tuple[str, str, str]:
        """What a page may show: results alone, or messages too, before or after them."""
        return self.out, self.err + self.out, self.out + self.err


class Programs:
    """A folder with the programs of pralign, and the process that runs them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._address = folder / "socket"
        self._process = subprocess.Popen([sys.executable, HERE / "server.py", self._address], stdin=subprocess.DEVNULL)
        scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
        for name, entry in scripts.items():
            self._write(name, entry)

    def _write(self, name: str, entry: str) -> None:
        words = [sys.executable, "-I", "-S", str(HERE / "client.py"), str(self._address), entry, name]
        path = self.folder / name
        path.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
        path.chmod(0o755)

    def wait(self) -> None:
        """Until the process answers."""
        end = time.monotonic() + PATIENCE
        while not self._address.exists():
            assert self._process.poll() is None, "the process that runs examples has ended"
            assert time.monotonic() < end
            time.sleep(0.02)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


class Shell:
    """A session of bash in a folder."""

    def __init__(self, programs: Programs, folder: Path, state: Path) -> None:
        self._folder = folder
        self._state = state
        path = os.pathsep.join([str(programs.folder), str(Path(sys.executable).parent), os.environ["PATH"]])
        self._environment = {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8", "COLUMNS": "100"}

    def run(self, command: str) -> Ended:
        """Run a command after those before."""
        around = _AROUND.format(state=shlex.quote(str(self._state)), command=shlex.quote(command))
        done = subprocess.run(
            ["bash", "-c", around],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())
