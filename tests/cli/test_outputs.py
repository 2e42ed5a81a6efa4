"""The results of commands: all of them or none, whatever is in their way."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cli.support import PATIENCE, PROGRAM, full_disk


def run(work, *arguments, **options):
    return subprocess.run(
        [*PROGRAM, *arguments], cwd=work.folder, capture_output=True, text=True, timeout=PATIENCE, **options
    )


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


QUICK = ("-q", "--threads", "1", "--model", "ibm1", "--iterations", "ibm1=1")


@full_disk
def test_if_links_cannot_be_written_the_old_model_stays(small):
    small.ok("align", "s", "t", *QUICK, "--save", "m", "-o", "l")
    before = contents(small.folder)
    for output in (("-o", "/dev/full"), ("-o", "l", "--scores", "/dev/full")):
        message = small.fails("align", "s", "t", *QUICK[:-1], "ibm1=2", "--save", "m", *output)
        assert message == "/dev/full: cannot write: No space left on device"
        assert contents(small.folder) == before


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="standard input has no name here")
def test_the_file_that_standard_input_comes_from_is_not_written(small):
    before = contents(small.folder)
    with (small.folder / "s").open() as stream:
        done = run(small, "align", "-", "t", *QUICK, "-o", "s", stdin=stream)
    assert done.returncode == 2
    assert done.stderr.startswith("pralign: s: cannot be written, because it is also the input /dev/stdin")
    assert contents(small.folder) == before


def test_a_model_takes_the_place_of_the_one_it_came_from(small):
    small.ok("train", "s", "t", "-q", "--threads", "1", "--save", "m")
    before = contents(small.folder / "m")
    small.ok("train", "t", "s", "-q", "--threads", "1", "--from", "m", "--save", "m")
    after = contents(small.folder / "m")
    assert before.keys() == after.keys()
    assert before != after
