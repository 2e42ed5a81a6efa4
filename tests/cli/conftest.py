from __future__ import annotations

import shutil

import pytest

from cli.matched import FIT, PLAIN
from cli.support import SMALL_SOURCE, SMALL_TARGET, Workspace, gold_lines, sample_lines


@pytest.fixture
def work(tmp_path, monkeypatch):
    """An empty folder."""
    monkeypatch.chdir(tmp_path)
    return Workspace(tmp_path)


@pytest.fixture
def small(work):
    """A folder with six pairs, ``s`` and ``t``."""
    work.write("s", SMALL_SOURCE)
    work.write("t", SMALL_TARGET)
    return work


@pytest.fixture(scope="session")
def small_model(tmp_path_factory):
    """Where a model of those six pairs is kept."""
    folder = tmp_path_factory.mktemp("small-model")
    work = Workspace(folder)
    files = work.write("s", SMALL_SOURCE), work.write("t", SMALL_TARGET)
    work.ok("train", *files, "--quiet", "--save", folder / "m")
    return folder / "m"


@pytest.fixture
def model(small, small_model):
    """A folder with those six pairs and a model of them, ``m``."""
    shutil.copytree(small_model, small.folder / "m")
    return small


@pytest.fixture
def text(work):
    """A folder with the first pairs of the sample, ``s`` and ``t``, and their gold alignments ``g``."""
    source, target = sample_lines(40)
    work.write("s", source)
    work.write("t", target)
    work.write("g", gold_lines(40))
    return work


@pytest.fixture(scope="session")
def prepared(tmp_path_factory):
    """Where text, labelled pairs, other alignments, a plain model and matching models are made once."""
    folder = tmp_path_factory.mktemp("matching")
    work = Workspace(folder)
    source, target = sample_lines(40)
    gold = gold_lines(40)
    for name, lines in (("s", source), ("t", target), ("ls", source[:12]), ("lt", target[:12]), ("lg", gold[:12])):
        work.write(name, lines)
    for name, lines in (("vs", source[12:18]), ("vt", target[12:18]), ("vg", gold[12:18])):
        work.write(name, lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        work.ok("train", "s", "t", "-q", "--model", "ibm1", "--save", "ibm1")
        work.ok("align", "s", "t", "-q", "--load", "ibm1", "-o", "p")
        work.ok("align", "s", "t", "-q", "--load", "ibm1", "--format", "scored", "-o", "ps")
        work.write("pl", work.lines("p")[:12])
        work.ok(*PLAIN, "-q", "--save", "m")
        work.ok(*FIT, "-q", "--features", "dice,predictions", "--prediction", "p", "--save", "mp")
    return folder


@pytest.fixture
def ready(work, prepared):
    """A folder with all that; ``m`` uses words alone, ``mp`` other alignments."""
    shutil.copytree(prepared, work.folder, dirs_exist_ok=True)
    return work
