"""Directories are replaced in one step, wherever they are, whoever else does the same."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading

import pytest

from outputs.support import TESTS, load, names, save
from pralign.errors import OutputError
from pralign.outputs import open_directory
from pralign.outputs.directories import content_of
from pralign.outputs.mounts import is_mount_point


def test_a_directory_is_replaced_again_and_again_and_nothing_is_left(folder):
    for text in "abc":
        save(folder / "m", text)
        assert load(folder / "m") == text
        assert names(folder) == ["m"]
        assert sum(path.is_file() for path in (folder / "m").rglob("*")) == 2


def test_an_empty_directory_may_be_filled(folder):
    (folder / "m").mkdir()
    save(folder / "m", "a")
    assert load(folder / "m") == "a"


@pytest.mark.parametrize("exists", [False, True])
def test_a_failure_leaves_what_was_there(folder, exists):
    if exists:
        save(folder / "m", "old")
    with pytest.raises(KeyError), open_directory(folder / "m", "index", ["data"]) as (place, _):
        (place / "data").write_text("new")
        raise KeyError
    assert names(folder) == ["m"] * exists
    if exists:
        assert load(folder / "m") == "old"
        assert sum(path.is_file() for path in (folder / "m").rglob("*")) == 2


def test_what_others_have_put_there_meanwhile_is_not_lost(folder):
    with (
        pytest.raises(OutputError, match=r"something else in this directory now: thesis\.tex"),
        open_directory(folder / "m", "index", ["data"]) as (place, _),
    ):
        (place / "index").write_text("{}")
        (folder / "m").mkdir()
        (folder / "m" / "thesis.tex").write_text("years of work")
    assert names(folder) == ["m"]
    assert names(folder / "m") == ["thesis.tex"]


def test_the_modes_of_what_is_replaced_are_kept(tmp_path):
    save(tmp_path / "m", "a")
    (tmp_path / "m").chmod(0o750)
    (tmp_path / "m" / "data").chmod(0o640)
    save(tmp_path / "m", "b")
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "m", tmp_path / "m" / "data")]
    assert modes == [0o750, 0o640]


def test_a_link_to_a_directory_stays_a_link(folder):
    save(folder / "real", "a")
    (folder / "m").symlink_to("real")
    save(folder / "m", "b")
    assert (folder / "m").is_symlink()
    assert load(folder / "real") == "b"


def test_those_who_save_at_once_neither_fail_nor_mix_nor_leave_anything(folder):
    save(folder / "m", "0")
    failures = []

    def work(number):
        try:
            for turn in range(15):
                save(folder / "m", f"{number}.{turn}")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert load(folder / "m").endswith(".14")
    assert names(folder) == ["m"]
    assert sum(path.is_file() for path in (folder / "m").rglob("*")) == 2


@pytest.mark.parametrize("name", ["../m", "content-../..", "content", "/etc", 3])
def test_an_index_names_only_directories_of_its_own(tmp_path, name):
    with pytest.raises(ValueError, match="names no directory of its own"):
        content_of(tmp_path, {"content": name})


MOUNTED = """
import ctypes, os, sys
from pathlib import Path
here = Path(sys.argv[1])
library = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNS, MS_BIND, MS_PRIVATE, MS_REC = 0x20000, 4096, 1 << 18, 16384
if library.unshare(CLONE_NEWNS) or library.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None):
    sys.exit(77)
for name in ("m", "links"):
    if library.mount(bytes(here / f"outside-{name}"), bytes(here / name), None, MS_BIND, None):
        sys.exit(77)
from pralign.outputs import check_directory, check_writable, open_output
from outputs.support import load, save
from pralign.outputs.mounts import is_mount_point
assert is_mount_point(here / "m") and is_mount_point(here / "links") and not is_mount_point(here)
check_writable(here / "links")
check_directory(here / "m")
with open_output(here / "links") as stream:
    stream.write("new")
for text in "ab":
    save(here / "m", text)
    assert load(here / "m") == text
assert sum(path.is_file() for path in (here / "m").rglob("*")) == 2
"""


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only the superuser mounts")
def test_what_is_mounted_is_written_into(tmp_path):
    (tmp_path / "outside-m").mkdir()
    (tmp_path / "m").mkdir()
    (tmp_path / "outside-links").write_text("old and longer")
    (tmp_path / "links").write_text("below")
    done = subprocess.run([sys.executable, "-c", MOUNTED, str(tmp_path)], capture_output=True, text=True, cwd=TESTS)
    if done.returncode == 77:
        pytest.skip("mounting is not allowed here")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "outside-links").read_text() == "new"
    assert load(tmp_path / "outside-m") == "b"
    assert names(tmp_path) == ["links", "m", "outside-links", "outside-m"]


def test_no_ordinary_directory_is_a_mount_point(tmp_path):
    assert not is_mount_point(tmp_path)
