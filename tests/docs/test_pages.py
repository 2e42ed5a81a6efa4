"""Examples in the pages do what the pages say."""

from __future__ import annotations

import doctest
import linecache
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from docs.pages import ROOT, RUN, Fence, commands, fences, fits, pages
from docs.shell import Shell
from pralign import sample
from pralign.constraints import CONSTRAINTS
from pralign.experiments import TABLE_KINDS
from pralign.links.formats import FORMATS
from pralign.links.symmetrization import SYMMETRIZERS
from pralign.matching.features import FEATURES
from pralign.models import MODELS


def with_examples() -> list[Path]:
    """Pages with something to run."""
    return [path for path in pages() if any(each.language in RUN for each in fences(path.read_text(encoding="utf-8")))]


@pytest.fixture(autouse=True)
def registries() -> Iterator[None]:
    """What a page registers is forgotten after it."""
    with ExitStack() as stack:
        for registry in (CONSTRAINTS, FEATURES, FORMATS, MODELS, SYMMETRIZERS, TABLE_KINDS):
            stack.enter_context(registry.restored())
        yield


@pytest.mark.slow
@pytest.mark.parametrize("page", with_examples(), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_of_a_page_are_true(page, programs, tmp_path, monkeypatch):
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    if page.name == "README.md":  # which speaks of the reader's own text
        shutil.copy(sample.SOURCE, folder / "source.txt")
        shutil.copy(sample.TARGET, folder / "target.txt")
    programs.wait()
    shell = Shell(programs, folder, tmp_path / "state")
    names: dict[str, Any] = {"__name__": "__main__"}
    for fence in fences(page.read_text(encoding="utf-8")):
        if fence.language == "console":
            run_console(shell, fence, page)
        elif fence.language in RUN:
            run_python(fence, page, names)


def run_console(shell: Shell, fence: Fence, page: Path) -> None:
    for command in commands(fence):
        ended = shell.run(command.text)
        said = f"{page.relative_to(ROOT)}:{command.number}: {command.text}\n{ended.err}{ended.out}"
        assert ended.code == command.code, f"exit code {ended.code}, not {command.code}: {said}"
        if command.output and not any(fits(command.output, shown.splitlines()) for shown in ended.shown):
            pytest.fail(f"not what the page says: {said}")


def run_python(fence: Fence, page: Path, names: dict[str, Any]) -> None:
    text = "\n".join(fence.lines) + "\n"
    place = f"{page.relative_to(ROOT)}:{fence.number}"
    if text.lstrip().startswith(">>>"):
        run_session(text, page, fence.number, names)
    else:
        linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
        exec(compile(text, place, "exec"), names)


def run_session(text: str, page: Path, number: int, names: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), number - 1)
    test.globs = names  # not a copy: later examples go on from here
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=said.append, clear_globs=False)
    assert not said, "".join(said)


# What fits


@pytest.mark.parametrize(
    ("expected", "printed", "answer"),
    [
        ("a|b", "a|b", True),
        ("a|b", "a|b|c", False),
        ("…|b", "a|a|b", True),
        ("a|…", "a", True),
        ("…|b|…|b", "b|a", False),
        ("x …3 y", "x 0.123 y", True),
        ("x …3 y", "x 0.124 y", False),
        ("a", "", False),
    ],
)
def test_ellipses_stand_for_what_is_not_shown(expected, printed, answer):
    assert fits(expected.split("|"), printed.split("|")) is answer


def test_commands_are_read_with_their_output():
    fence = next(fences("text\n\n```console\n$ one \\\n  two\na\nb\n$ three # exit code 2\n```\n"))
    first, second = commands(fence)
    assert first == ("one \\\n  two", ["a", "b"], 0, 4)
    assert second == ("three # exit code 2", [], 2, 8)


def test_a_session_remembers(programs, tmp_path):
    programs.wait()
    shell = Shell(programs, tmp_path, tmp_path / "state")
    shell.run("mkdir deep && cd deep && export NAME='two words'")
    assert shell.run('echo "$NAME" > file; pwd; ls') == (0, f"{tmp_path}/deep\nfile\n", "")
    assert shell.run("pralign --version | tr a-z A-Z").out.startswith("PRALIGN ")
    assert shell.run("pralign nonsense 2> /dev/null") == (2, "", "")
    assert shell.run("pralign --help | head -n 1; echo ${PIPESTATUS[0]}").out.splitlines()[0].startswith("Usage")
