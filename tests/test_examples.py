"""The examples run, and do what they say."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(name: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    return capsys.readouterr().out.splitlines()


def aer(line: str) -> float:
    return float(line.split()[-1])


def test_own_model_beats_the_model_it_extends(capsys: pytest.CaptureFixture[str]) -> None:
    plain, diagonal = run("own_model.py", capsys)
    assert aer(diagonal) < aer(plain)


def test_own_symmetrizer_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    intersection, fill, grown = run("own_symmetrizer.py", capsys)
    assert len({aer(intersection), aer(fill), aer(grown)}) == 3


def test_own_format_writes_the_linked_words(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run("own_format.py", capsys)
    assert lines[0] == "0\t0\t0\tAnna\tAnna"
    assert len(lines) > 3000


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60
