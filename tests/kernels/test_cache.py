"""Compiled code on disk: what is damaged, or somebody else's, is not loaded."""

from __future__ import annotations

import os
import pickle
import runpy
import shutil
from pathlib import Path

import numba
import pytest

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the compiler is off")

KERNEL = """
from pralign.kernels.compile import kernel

@kernel
def twice(x):
    return 2 * x
"""


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
            patch.setattr(numba.config, "CACHE_DIR", str(self.cache))
            loaded = runpy.run_path(str(self.module))
        twice = loaded["twice"]
        assert (twice(4), twice(1.5)) == (8, 3.0)
        return sum(twice.stats.cache_hits.values()), sum(twice.stats.cache_misses.values())

    @property
    def index(self) -> Path:
        [path] = self.cache.rglob("*.nbi")
        return path

    @property
    def data(self) -> list[Path]:
        return sorted(self.cache.rglob("*.nbc"))

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
    assert len(compiled.data) == 2


@pytest.mark.parametrize(
    ("trouble", "expected"),
    [
        (lambda kernel: kernel.index.write_bytes(kernel.index.read_bytes()[:-7]), COMPILED),
        (lambda kernel: kernel.index.write_bytes(b""), COMPILED),
        (lambda kernel: changed(kernel.index, 3), COMPILED),
        (lambda kernel: changed(kernel.index, -3), COMPILED),
        (lambda kernel: kernel.data[0].write_bytes(kernel.data[0].read_bytes()[:99]), (1, 1)),
        (lambda kernel: changed(kernel.data[1], 500), (1, 1)),
        (lambda kernel: kernel.data[1].unlink(), (1, 1)),
        (lambda kernel: swap(*kernel.data), COMPILED),
    ],
    ids=["cut index", "empty index", "changed head", "changed index", "cut", "changed", "missing", "swapped"],
)
def test_what_is_damaged_is_compiled_anew(files, trouble, expected):
    assert files.damaged(trouble) == (expected, FOUND)


def as_numba_has_it(kernel: Kernel, trap: Trap) -> None:
    kernel.index.write_bytes(pickle.dumps(numba.__version__) + pickle.dumps(trap))


def after_its_head(kernel: Kernel, trap: Trap) -> None:
    kernel.index.write_bytes(kernel.index.read_bytes()[:50] + pickle.dumps(trap))


def as_data(kernel: Kernel, trap: Trap) -> None:
    for path in kernel.data:
        path.write_bytes(pickle.dumps(trap))


@pytest.mark.parametrize("plant", [as_numba_has_it, after_its_head, as_data])
def test_what_others_have_put_there_is_not_run(files, plant, tmp_path):
    trap = Trap(tmp_path / "it was run")
    pickle.loads(pickle.dumps(trap))
    assert trap.path.exists()  # such pickles do harm
    trap.path.unlink()
    assert files.damaged(lambda kernel: plant(kernel, trap)) == (COMPILED, FOUND)
    assert not trap.path.exists()


@pytest.mark.skipif(os.name != "posix", reason="files have no owner")
def test_what_others_could_have_written_is_not_believed(files):
    assert files.damaged(lambda kernel: kernel.index.chmod(0o664)) == (COMPILED, FOUND)
    assert files.index.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root can give files away")
def test_what_belongs_to_others_is_not_believed(files):
    assert files.damaged(lambda kernel: os.chown(kernel.index, 12345, -1)) == (COMPILED, FOUND)


@pytest.mark.skipif(os.name != "posix", reason="links need permission")
def test_a_link_is_not_followed(files, tmp_path):
    def link(kernel: Kernel) -> None:
        index.rename(tmp_path / "elsewhere")
        index.symlink_to(tmp_path / "elsewhere")

    index = files.index
    assert files.damaged(link) == (COMPILED, FOUND)
    assert not index.is_symlink()


def test_the_code_of_another_version_is_not_believed(files):
    def edit(kernel: Kernel) -> None:
        kernel.module.write_text(KERNEL + "\n# another version\n")

    assert files.damaged(edit) == (COMPILED, FOUND)
    files.module.write_text(KERNEL)
