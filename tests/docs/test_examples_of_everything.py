"""Every command and every public class has an example that is run."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import json
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main

from cli.support import Workspace, gold_lines, sample_lines
from docs.pages import DOCS, ROOT, commands, fences, pages
from docs.shell import Shell
from pralign.cli.app import app
from pralign.cli.manual.description import Description
from serving.running import started

sys.path.insert(0, str(DOCS / "_ext"))
from api_names import PARTS, names_of, public_classes

COMMANDS = [each for each in Description((), typer.main.get_command(app)).descendants() if each.path]
SERVICES = [("serve", "stderr", signal.SIGTERM), ("label", "stdout", signal.SIGINT)]
"""Commands that go on until they are ended: where each says its address, and what ends it."""


MODULE = re.compile(r"`(pralign\.[a-z_.]+)`")
"""What stands in text like the name of a module."""


# Classes


def run_code() -> str:
    """All Python in examples that tests run, doctests with what they print."""
    found = [path.read_text(encoding="utf-8") for path in (ROOT / "examples").glob("*.py")]
    for page in pages():
        found += ["\n".join(each.lines) for each in fences(page.read_text(encoding="utf-8")) if "py" in each.language]
    for example in doctests():
        found += [example.source, example.want]
    return "\n".join(found)


def doctests() -> Iterator[doctest.Example]:
    """The examples in docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, documented) and ">>>" in (text := ast.get_docstring(node) or ""):
                yield from doctest.DocTestParser().get_examples(text)


def test_every_public_class_is_in_an_example_that_is_run():
    names = set(re.findall(r"\w+", run_code()))
    classes = public_classes()
    assert len(classes) > 80
    assert [name for name in classes if name.rpartition(".")[2] not in names] == []


def test_all_that_the_package_offers_has_a_page():
    import pralign

    covered = {part.module for part in PARTS}
    for name in pralign.__all__:
        if not name.startswith("__"):
            home = f"pralign.{name}"
            is_module = not hasattr(pralign, name) or type(getattr(pralign, name)).__name__ == "module"
            if is_module:
                assert any(module == home or module.startswith(f"{home}.") for module in covered), name
            else:
                assert any(name in names_of(part) for part in PARTS), name


def test_modules_that_pages_speak_of_have_a_page():
    told = {name for page in pages() if page.name != "design.md" for name in MODULE.findall(page.read_text("utf-8"))}
    spoken_of = {name for name in told if is_module(name)}
    assert "pralign.lexicons" in spoken_of
    assert spoken_of <= {part.module for part in PARTS}


def is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # something within a module, perhaps
        return False


def test_the_names_on_pages_exist():
    for part in PARTS:
        module = importlib.import_module(part.module)
        assert names_of(part)
        assert all(hasattr(module, name) for name in names_of(part))


# Commands


HOUSE = ("The house", "La maison")
"""The pair that examples ask about."""


@pytest.fixture
def folder(tmp_path):
    """What examples of commands call their files: pairs of the sample, links, and files with annotation."""
    made = tmp_path / "work"
    made.mkdir()

    def write(name: str, lines: list[str]) -> None:
        (made / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    gold = [*gold_lines(39), "0-0 1-1"]
    source, target = ([*lines, last] for lines, last in zip(sample_lines(39), HOUSE, strict=True))
    for name, lines in (("source.txt", source), ("target.txt", target), ("hand.gold", gold)):
        write(name, lines)
    for name, lines in (("dev.src", source), ("dev.tgt", target), ("dev.gold", gold)):
        write(name, lines[-15:])
    for name, lines in zip(("new.src", "new.tgt"), sample_lines(15, 40), strict=True):
        write(name, lines)
    write("other.gold", [line.partition(" ")[0] for line in gold])
    write("new.tsv", [f"{s}\t{t}" for s, t in zip(*sample_lines(3, 60), strict=True)])
    write("pairs.jsonl", [json.dumps({"en": s, "fr": t}) for s, t in zip(source, target, strict=True)])
    _write_annotated(made, source, target)
    _write_experiment(made)
    return made


def _write_experiment(folder: Path) -> None:
    """A small experiment and its data."""
    (folder / "corpora").mkdir()
    for name in ("dev.src", "dev.tgt", "dev.gold", "source.txt", "target.txt"):
        shutil.copy(folder / name, folder / "corpora")
    lines = [
        'corpora.sample = {dev = ["dev.src", "dev.tgt", "dev.gold"], train = ["source.txt", "target.txt"]}',
        'systems.simple = {model = "ibm1"}',
        'tables = [{kind = "scores"}]',
    ]
    (folder / "study.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_annotated(folder: Path, source: list[str], target: list[str]) -> None:
    """Trees, spans and tags of the same sentences."""
    trees = []
    for sentence in source:
        words = sentence.split()
        heads = [number if number < len(words) else 0 for number in range(1, len(words) + 1)]
        rows = [
            f"{number}\t{word}\t_\tX\t_\t_\t{head + 1 if head else 0}\tdep\t_\t_"
            for number, (word, head) in enumerate(zip(words, heads, strict=True), 1)
        ]
        trees.append("\n".join(rows) + "\n\n")
    (folder / "trees.conllu").write_text("".join(trees), encoding="utf-8")
    spans = [json.dumps({"text": sentence, "spans": []}) + "\n" for sentence in source]
    (folder / "names.jsonl").write_text("".join(spans), encoding="utf-8")
    unit = "<source>the <g id='1'>house</g></source><target>la maison</target>"
    xliff = f"<xliff version='1.2'><file><body><trans-unit id='1'>{unit}</trans-unit></body></file></xliff>"
    (folder / "segments.xliff").write_text(xliff, encoding="utf-8")


BEFORE = (
    "pralign align source.txt target.txt -q -o other.txt --model ibm1 --forward forward.txt --reverse reverse.txt",
    "pralign align source.txt target.txt -q -o links.txt --format scored --save model",
)
"""What makes the files that examples begin with."""


def without_shell(line: str) -> str:
    """A command without what other shells than bash would do with what it prints."""
    return line.removesuffix(" | source").removeprefix('eval "$(').removesuffix(')"')


def in_pages() -> set[str]:
    """The commands in consoles of pages, whose examples are run with them."""
    names = sorted((each.words for each in COMMANDS), key=len, reverse=True)
    called = re.compile(rf"\bpralign ({'|'.join(map(re.escape, names))})(?![\w-])")
    consoles = [
        each.text
        for page in pages()
        for fence in fences(page.read_text(encoding="utf-8"))
        if fence.language == "console"
        for each in commands(fence)
    ]
    return {found for text in consoles for found in called.findall(" ".join(text.replace("\\\n", " ").split()))}


@pytest.mark.slow
def test_examples_in_the_help_run_for_commands_that_no_page_shows(programs, folder, tmp_path):
    programs.wait()
    shell = Shell(programs, folder, tmp_path / "state")
    for command in BEFORE:
        assert shell.run(command).code == 0
    shutil.copytree(folder, kept := tmp_path / "kept")
    shown = in_pages() | {command for command, *_ in SERVICES}
    for each in COMMANDS:
        assert each.examples
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        for _, line in () if each.words in shown else each.examples:
            ended = shell.run(without_shell(line).replace("\n", " \\\n"))
            assert ended.code == 0, f"{line}\n{ended.err}"


@pytest.mark.slow
@pytest.mark.parametrize(("command", "stream", "end"), SERVICES)
def test_the_examples_of_services_run(folder, monkeypatch, command, stream, end):
    monkeypatch.chdir(folder)
    Workspace(folder).ok(*BEFORE[1].split()[1:])
    for name, lines in zip(("source.txt", "target.txt"), sample_lines(60), strict=True):
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "hand.gold").unlink()
    [examples] = [each.examples for each in COMMANDS if each.words == command]
    line = next(line for _, line in examples if "model" in line)  # the others train one first, which takes longer
    browser = ["--no-browser"] if command == "label" else []
    with started("-m", *line.split(), *browser, stream=stream) as service:
        assert service.ask("GET", "/health")[0] in {200, 404}
        assert service.end(end)[0] == 0
