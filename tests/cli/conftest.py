from __future__ import annotations

import shutil

import pytest

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
