from __future__ import annotations

import pytest

from cli.support import sample_lines
from pralign.dropins.program import run


@pytest.fixture(scope="session")
def sentences():
    """The first pairs of the sample, with a pair that is empty and pairs with an empty side between them."""
    source, target = map(list, sample_lines(60))
    for place, (left, right) in ((3, ("", "")), (10, ("", "vide")), (59, ("empty", ""))):
        source.insert(place, left)
        target.insert(place, right)
    return source, target


@pytest.fixture(scope="session")
def text(tmp_path_factory, sentences):
    """A folder with these pairs in two files and in one."""
    folder = tmp_path_factory.mktemp("text")
    source, target = sentences
    (folder / "s").write_text("".join(f"{line}\n" for line in source), encoding="utf-8")
    (folder / "t").write_text("".join(f"{line}\n" for line in target), encoding="utf-8")
    joint = (f"{left} ||| {right}\n" for left, right in zip(source, target, strict=True))
    (folder / "joint").write_text("".join(joint), encoding="utf-8")
    return folder


@pytest.fixture
def called(capfd):
    """Run a drop-in in this process; the exit code, and what it says."""

    def call(name, work, *arguments):
        try:
            code = run(name, work, [str(argument) for argument in arguments])
        except SystemExit as end:  # of argparse
            code = end.code
        return code, *capfd.readouterr()

    return call


def links_of(line):
    return [tuple(map(int, link.split("-"))) for link in line.split()]


def lines_of(path):
    content = path.read_text(encoding="utf-8")
    assert content.endswith("\n")
    return content.split("\n")[:-1]
