"""Compiled code on disk: what is damaged, or somebody else's, is not loaded."""

from __future__ import annotations

import errno
import logging
import os
import pickle
import runpy
import shutil
import sys
import time
from pathlib import Path

import numba
import pytest

from pralign import cache as places
from pralign.kernels import cache
from pralign.kernels.cache import directories, own_directory, writable_directory
from pralign.kernels.units import to_units

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the compiler is off")

KERNEL = """
from pralign.kernels.compile import kernel

@kernel
def twice(x):
    return 2 * x
"""


@pytest.fixture(autouse=True)
def forget():
    """What a process finds out once, every test finds out."""
    remembered = (directories, writable_directory, cache._say_unkept, cache._version)
    for function in remembered:
        function.cache_clear()
    yield
    for function in remembered:
        function.cache_clear()


class Trap:
    """A pickle of this makes a file when it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


class Kernel:
    """A module with one kernel, and its files."""

    def __init__(self, folder: Path) -> None:
        self.module = folder / "module.py"
        self.cache = folder / "cache"
        self.module.write_text(KERNEL)
        self.run()

    def run(self) -> tuple[int, int]:
        """How many signatures were found on disk, and how many compiled."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PRALIGN_CACHE", str(self.cache))
            for function in (directories, writable_directory, cache._say_unkept):
                function.cache_clear()
            twice = runpy.run_path(str(self.module))["twice"]
            assert (twice(4), twice(1.5)) == (8, 3.0)
        return sum(twice.stats.cache_hits.values()), sum(twice.stats.cache_misses.values())

    @property
    def files(self) -> list[Path]:
        return sorted(self.cache.rglob("*.kernel"))

    def damaged(self, trouble) -> tuple[tuple[int, int], tuple[int, int]]:
        """What two runs find after some trouble."""
        trouble(self)
        return self.run(), self.run()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    return Kernel(tmp_path_factory.mktemp("kernel"))


@pytest.fixture
def files(compiled):
    """The files of a kernel, which are as they were afterwards."""
    shutil.copytree(compiled.cache, compiled.cache.with_name("kept"))
    yield compiled
    shutil.rmtree(compiled.cache)
    compiled.cache.with_name("kept").rename(compiled.cache)


FOUND, COMPILED = (2, 0), (0, 2)


def changed(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


def swap(one: Path, other: Path) -> None:
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)


def test_what_is_whole_is_found(compiled):
    assert compiled.run() == FOUND
    assert len(compiled.files) == 2


@pytest.mark.parametrize(
    ("trouble", "expected"),
    [
        (lambda kernel: kernel.files[0].write_bytes(kernel.files[0].read_bytes()[:-7]), (1, 1)),
        (lambda kernel: kernel.files[0].write_bytes(b""), (1, 1)),
        (lambda kernel: changed(kernel.files[1], 3), (1, 1)),
        (lambda kernel: changed(kernel.files[1], 500), (1, 1)),
        (lambda kernel: kernel.files[1].unlink(), (1, 1)),
        (lambda kernel: swap(*kernel.files), COMPILED),
        (lambda kernel: shutil.rmtree(kernel.cache), COMPILED),
    ],
    ids=["cut", "empty", "changed head", "changed", "missing", "swapped", "all missing"],
)
def test_what_is_damaged_is_compiled_anew(files, trouble, expected):
    assert files.damaged(trouble) == (expected, FOUND)


def as_a_pickle(kernel: Kernel, trap: Trap) -> None:
    for path in kernel.files:
        path.write_bytes(pickle.dumps(trap))


def after_its_head(kernel: Kernel, trap: Trap) -> None:
    for path in kernel.files:
        path.write_bytes(path.read_bytes()[: len(cache._MAGIC) + cache._DIGEST] + pickle.dumps(trap))


@pytest.mark.parametrize("plant", [as_a_pickle, after_its_head])
def test_what_others_have_put_there_is_not_run(files, plant, tmp_path):
    trap = Trap(tmp_path / "it was run")
    pickle.loads(pickle.dumps(trap))
    assert trap.path.exists()  # such pickles do harm
    trap.path.unlink()
    assert files.damaged(lambda kernel: plant(kernel, trap)) == (COMPILED, FOUND)
    assert not trap.path.exists()


@pytest.mark.skipif(os.name != "posix", reason="files have no owner")
def test_what_others_could_have_written_is_not_believed(files):
    assert files.damaged(lambda kernel: kernel.files[0].chmod(0o664)) == ((1, 1), FOUND)
    assert files.files[0].stat().st_mode & 0o777 == 0o644


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root can give files away")
def test_what_belongs_to_others_is_not_believed(files):
    assert files.damaged(lambda kernel: os.chown(kernel.files[0], 12345, -1)) == ((1, 1), FOUND)


@pytest.mark.skipif(os.name != "posix", reason="links need permission")
def test_a_link_is_not_followed(files, tmp_path):
    def link(kernel: Kernel) -> None:
        path.rename(tmp_path / "elsewhere")
        path.symlink_to(tmp_path / "elsewhere")

    path = files.files[0]
    assert files.damaged(link) == ((1, 1), FOUND)
    assert not path.is_symlink()


def test_the_code_of_another_version_is_not_believed(files):
    def edit(kernel: Kernel) -> None:
        kernel.module.write_text(KERNEL + "\n# another version\n")

    assert files.damaged(edit) == (COMPILED, FOUND)
    files.module.write_text(KERNEL)


@pytest.mark.skipif(os.name != "posix", reason="there are no users")
def test_what_root_has_compiled_is_for_all(files, monkeypatch):
    own = next(path for path in files.cache.iterdir())
    own.rename(own.with_name(own.name.rpartition("-")[0] + "-0"))
    monkeypatch.setattr(os, "getuid", lambda: 4711)
    for path in files.files:
        os.chown(path, 0 if os.geteuid() == 0 else -1, -1)
    assert files.run() == (FOUND if os.geteuid() == 0 else COMPILED)


# Where nothing can be kept


def full(*arguments: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_said_once_and_stops_nothing(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(cache, "_save", full)
    with caplog.at_level(logging.WARNING, "pralign"):
        kernel = Kernel(tmp_path)
        assert kernel.run() == COMPILED
    place = f"compiled code cannot be kept in {kernel.cache}"
    said = [record.getMessage() for record in caplog.records]
    assert [line.startswith(place) and "No space left" in line and "PRALIGN_CACHE" in line for line in said] == [
        True
    ] * 2
    assert kernel.files == []


def test_a_place_that_cannot_be_made_is_said(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").touch()
    monkeypatch.setenv("PRALIGN_CACHE", str(tmp_path / "file" / "cache"))
    with caplog.at_level(logging.WARNING, "pralign"):
        assert writable_directory() is None
    assert "cannot be kept" in caplog.text
    assert "Not a directory" in caplog.text


def test_a_place_that_cannot_be_looked_into_holds_nothing(monkeypatch):
    monkeypatch.setenv("PRALIGN_CACHE", f"/tmp/{300 * 'x'}")
    assert not to_units.is_compiled((numba.int8,))
    assert writable_directory() is None


def test_use_is_noted(files, monkeypatch):
    [place] = files.cache.iterdir()
    os.utime(place, (1, 1))
    cache._note_use.cache_clear()
    assert files.run() == FOUND
    assert place.stat().st_mtime > 1


def test_what_could_not_be_written_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        cache._save(tmp_path / "a.kernel", b"code")
    assert list(tmp_path.iterdir()) == []


# Where the place is


@pytest.fixture
def nowhere(monkeypatch):
    """A user of whom nothing is known."""

    def unknown() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("PRALIGN_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", unknown)
    return monkeypatch


def test_without_a_home_there_is_no_place(nowhere, caplog):
    assert places.cache_home() is None
    assert (directories(), own_directory()) == ((), None)
    with caplog.at_level(logging.WARNING, "pralign"):
        assert writable_directory() is None
    assert "this user has no home directory" in caplog.text


@pytest.mark.parametrize(
    ("platform", "variable", "value", "expected"),
    [
        ("linux", "XDG_CACHE_HOME", "/somewhere", "/somewhere/pralign"),
        ("linux", "PRALIGN_CACHE", "/given", "/given"),
        ("darwin", "PRALIGN_CACHE", "/given", "/given"),
        ("linux", "XDG_CACHE_HOME", "relative", None),
    ],
)
def test_the_place_that_variables_name(nowhere, platform, variable, value, expected):
    nowhere.setattr(sys, "platform", platform)
    nowhere.setenv(variable, value)
    assert places.cache_home() == (None if expected is None else Path(expected))


@pytest.mark.parametrize(
    ("platform", "home", "expected"),
    [
        ("linux", "/home/me", "/home/me/.cache/pralign"),
        ("darwin", "/Users/me", "/Users/me/Library/Caches/pralign"),
        ("linux", "", None),
        ("linux", "~", None),
    ],
)
def test_the_place_in_a_home(nowhere, platform, home, expected):
    nowhere.setattr(sys, "platform", platform)
    nowhere.setattr(Path, "home", lambda: Path(home))
    assert places.cache_home() == (None if expected is None else Path(expected))


def test_a_relative_place_is_made_absolute(nowhere, tmp_path):
    nowhere.chdir(tmp_path)
    nowhere.setenv("PRALIGN_CACHE", "here")
    assert places.cache_home() == tmp_path / "here"


def test_old_directories_are_removed(monkeypatch, tmp_path):
    monkeypatch.setenv("PRALIGN_CACHE", str(tmp_path))
    owner = own_directory().name.rpartition("-")[2]
    old, recent, others = (tmp_path / f"kernels-{name}" for name in (f"a-{owner}", f"b-{owner}", "c-other"))
    for path in (old, recent, others):
        path.mkdir()
        (path / "x.kernel").touch()
    long_ago = time.time() - 100 * 24 * 3600
    for path in (old, others):
        os.utime(path, (long_ago, long_ago))
    assert writable_directory() == own_directory()
    assert {path.name for path in tmp_path.iterdir()} == {recent.name, others.name, own_directory().name}
