"""What programs that were killed have left is finished or removed by the next one; what others write is left alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from outputs.support import names
from pralign.outputs import open_output
from pralign.outputs.journal import Step, noted
from pralign.outputs.publication import prepare

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is removed")

BEGIN = """
import os, signal, sys
from pathlib import Path
from pralign.outputs import files, open_outputs
here = Path(sys.argv[1])
"""
WRITING = """
with open_outputs(here / "a", here / "b") as (one, other):
    one.write("new")
    other.write("new")
    print("ready", flush=True)
    sys.stdin.read()
"""
NAMING = """
put = files.put
def put_one(new, target):
    put(new, target)
    os.kill(os.getpid(), signal.SIGKILL)
files.put = put_one
""" + WRITING.replace('    print("ready", flush=True)\n    sys.stdin.read()\n', "")


def start(text, folder):
    return subprocess.Popen(
        [sys.executable, "-c", BEGIN + text, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def write(folder, name="other"):
    with open_output(folder / name) as stream:
        stream.write("x")


def test_unfinished_files_of_a_killed_program_are_removed_and_those_of_a_living_one_stay(tmp_path):
    process = start(WRITING, tmp_path)
    assert process.stdout.readline() == "ready\n"
    write(tmp_path)
    assert len(names(tmp_path)) == 3
    process.kill()
    process.communicate()
    write(tmp_path)
    assert names(tmp_path) == ["other"]


@pytest.mark.parametrize("before", [None, "old"])
def test_results_that_were_about_to_get_their_names_get_them(tmp_path, before):
    if before is not None:
        (tmp_path / "a").write_text(before)
        (tmp_path / "b").write_text(before)
    process = start(NAMING, tmp_path)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert (tmp_path / "a").read_text() == "new"
    assert ((tmp_path / "b").read_text() if before else None) == before
    write(tmp_path)
    assert (tmp_path / "b").read_text() == "new"
    assert names(tmp_path) == ["a", "b", "other"]


def test_what_was_written_since_by_hand_is_not_overwritten(tmp_path):
    process = start(NAMING, tmp_path)
    process.communicate()
    (tmp_path / "b").write_text("by hand")
    write(tmp_path)
    assert (tmp_path / "b").read_text() == "by hand"
    assert names(tmp_path) == ["a", "b", "other"]


@pytest.fixture
def note(tmp_path):
    """A note that a killed program could have left, of a file that is to become another."""
    (tmp_path / "new").write_text("new")
    (tmp_path / "more").write_text("more")
    place = tmp_path / f".pralign-{'0' * 16}.journal"
    with noted([Step(tmp_path / "new", tmp_path / "victim"), Step(tmp_path / "more", tmp_path / "another")]):
        [written] = tmp_path.glob(".pralign-*.journal")
        place.write_bytes(written.read_bytes())
    place.chmod(0o600)
    return place


def test_a_note_of_ones_own_is_believed(note):
    prepare(note.parent)
    assert names(note.parent) == ["another", "victim"]


@pytest.mark.parametrize("trouble", ["owner", "mode", "link", "second name"])
def test_a_note_that_others_could_have_written_is_not_believed(note, tmp_path, trouble):
    if trouble == "owner":
        if os.geteuid() != 0:
            pytest.skip("only the superuser gives files away")
        os.chown(note, 1234, 1234)
    elif trouble == "mode":
        note.chmod(0o622)
    elif trouble == "link":
        note.rename(tmp_path / "elsewhere")
        note.symlink_to("elsewhere")
    else:
        os.link(note, tmp_path / "elsewhere")
    prepare(tmp_path)
    assert {"new", "more"} <= set(names(tmp_path))


@pytest.mark.parametrize("text", ["", "[", "3", "[3]", '[{"new": 3}]', "[" * 100_000, '{"new": "a"}'])
def test_a_damaged_note_is_thrown_away(note, text):
    note.write_text(text)
    prepare(note.parent)
    assert names(note.parent) == ["more", "new"]


def test_a_note_of_other_files_than_there_are_now_does_nothing(note):
    steps = json.loads(note.read_text())
    steps[0]["of"][1] += 1
    note.write_text(json.dumps(steps))
    prepare(note.parent)
    assert names(note.parent) == ["another", "new"]


def test_a_pipe_under_such_a_name_is_no_trap(tmp_path):
    os.mkfifo(tmp_path / f".pralign-{'1' * 16}.partial")
    write(tmp_path)
    assert Path(tmp_path / "other").read_text() == "x"
