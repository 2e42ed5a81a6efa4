"""What is removed when a program is ended, and what a dead one has left."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pralign import cleanup, locks

linux = pytest.mark.skipif(sys.platform != "linux", reason="nothing is cleared here")
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be copied")


@pytest.fixture
def things(tmp_path):
    """A file, a directory with something in it, and one that is not there any more."""
    file, folder = tmp_path / "file", tmp_path / "folder"
    file.write_text("x")
    (folder / "below").mkdir(parents=True)
    (folder / "below" / "file").write_text("x")
    for path in (file, folder, tmp_path / "gone"):
        cleanup.register(path)
    return tmp_path


class TestRegistry:
    def test_all_is_removed_that_is_registered(self, things):
        (things / "other").write_text("x")
        cleanup.remove_all()
        assert [path.name for path in things.iterdir()] == ["other"]

    def test_what_is_forgotten_stays(self, things):
        cleanup.forget(things / "folder")
        cleanup.forget(things / "folder")
        cleanup.remove_all()
        assert [path.name for path in things.iterdir()] == ["folder"]

    def test_what_was_removed_is_not_removed_again(self, things):
        cleanup.remove_all()
        (things / "file").write_text("a new one")
        cleanup.remove_all()
        assert (things / "file").exists()

    def test_a_path_means_the_same_file_when_the_working_directory_has_changed(self, tmp_path, monkeypatch):
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "file").write_text("x")
        (tmp_path / "file").write_text("x")
        monkeypatch.chdir(tmp_path / "a")
        cleanup.register(Path("file"))
        monkeypatch.chdir(tmp_path)
        cleanup.remove_all()
        assert (tmp_path / "file").exists()
        assert not (tmp_path / "a" / "file").exists()

    def test_links_are_not_followed(self, tmp_path):
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder" / "file").write_text("x")
        (tmp_path / "link").symlink_to(tmp_path / "folder")
        cleanup.register(tmp_path / "link")
        cleanup.remove_all()
        assert (tmp_path / "folder" / "file").exists()
        assert not (tmp_path / "link").is_symlink()

    @forks
    def test_a_child_removes_nothing_of_its_parent(self, things):
        code = (
            "import os, sys, threading\n"
            "from pathlib import Path\n"
            "from pralign import cleanup\n"
            f"things = Path({str(things)!r})\n"
            "cleanup.register(things / 'file')\n"
            "cleanup.committing().__enter__()\n"  # as if another thread had been in the middle of it
            "child = os.fork()\n"
            "if child == 0:\n"
            "    cleanup.register(things / 'folder')\n"
            "    with cleanup.committing():\n"
            "        cleanup.remove_all()\n"
            "    os._exit(0)\n"
            "os.waitpid(child, 0)\n"
            "assert (things / 'file').exists() and not (things / 'folder').exists()\n"
        )
        subprocess.run([sys.executable, "-c", code], check=True, timeout=20)


class TestCommitting:
    def test_it_says_whether_it_is_under_way(self):
        assert not cleanup.committing().under_way
        with cleanup.committing():
            with cleanup.committing():
                pass
            assert cleanup.committing().under_way
        assert not cleanup.committing().under_way

    def test_others_wait(self):
        order = []

        def other():
            with cleanup.committing():
                order.append("other")

        with cleanup.committing():
            thread = threading.Thread(target=other)
            thread.start()
            thread.join(0.1)
            order.append("first")
        thread.join()
        assert order == ["first", "other"]

    def test_a_failure_ends_it(self):
        with pytest.raises(OSError, match="full"), cleanup.committing():
            raise OSError("full")
        assert not cleanup.committing().under_way


@pytest.fixture(params=["file", "folder"])
def thing(request, tmp_path):
    path = tmp_path / request.param
    path.write_text("x") if request.param == "file" else path.mkdir()
    return path


@linux
class TestLocks:
    def test_what_is_held_is_not_abandoned(self, thing):
        held = locks.hold(thing)
        assert held is not None
        assert not locks.is_abandoned(thing)
        assert not locks.remove_if_abandoned(thing)
        assert thing.exists()
        held.release()
        held.release()
        assert locks.is_abandoned(thing)
        assert locks.remove_if_abandoned(thing)
        assert not thing.exists()

    @pytest.mark.parametrize("end", ["pass", "os.kill(os.getpid(), 9)", "os._exit(1)"])
    def test_the_lock_ends_with_the_process(self, thing, end):
        code = (
            "import os, sys; from pathlib import Path; from pralign import locks\n"
            f"held = locks.hold(Path({str(thing)!r})); print('held', flush=True); sys.stdin.readline(); {end}"
        )
        with subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout.readline() == "held\n"
            assert not locks.is_abandoned(thing)
            process.communicate("\n")
        assert locks.is_abandoned(thing)

    def test_what_somebody_is_about_to_remove_cannot_be_held(self, thing):
        held = locks.hold(thing)
        assert locks.hold(thing) is None
        held.release()

    def test_what_is_gone_cannot_be_held(self, tmp_path):
        assert locks.hold(tmp_path / "gone") is None
        assert not locks.is_abandoned(tmp_path / "gone")

    def test_what_is_removed_between_opening_and_locking_cannot_be_held(self, thing, monkeypatch):
        lock = locks.fcntl.flock

        def slow(descriptor, how):
            thing.rename(thing.with_name("moved"))
            thing.touch()
            lock(descriptor, how)

        monkeypatch.setattr(locks.fcntl, "flock", slow)
        assert locks.hold(thing) is None

    def test_links_are_not_followed(self, thing):
        link = thing.with_name("link")
        link.symlink_to(thing)
        assert not locks.remove_if_abandoned(link)
        assert thing.exists()
        assert link.is_symlink()

    def test_pipes_are_left_alone(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        assert not locks.remove_if_abandoned(tmp_path / "pipe")
        assert (tmp_path / "pipe").exists()

    def test_what_belongs_to_others_is_left_alone(self, thing, monkeypatch):
        monkeypatch.setattr(os, "getuid", lambda: 12345)
        assert not locks.remove_if_abandoned(thing)
        assert thing.exists()

    def test_where_other_machines_may_hold_it_nothing_is_abandoned(self, thing, monkeypatch):
        monkeypatch.setattr(locks, "_LOCAL_FILE_SYSTEMS", frozenset({"none"}))
        assert not locks.is_abandoned(thing)

    def test_where_there_are_no_locks_nothing_is_abandoned(self, thing, monkeypatch):
        def refuse(descriptor, how):
            raise OSError(95, "Operation not supported")

        monkeypatch.setattr(locks.fcntl, "flock", refuse)
        held = locks.hold(thing)
        assert held is not None
        held.release()
        assert not locks.is_abandoned(thing)
        monkeypatch.setattr(locks, "fcntl", None)
        assert locks.hold(thing) is not None
        assert not locks.is_abandoned(thing)
