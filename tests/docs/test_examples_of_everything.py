"""Every command and every public class has an example that is run."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from cli.support import gold_lines, sample_lines
from docs.pages import DOCS, ROOT, fences, pages
from docs.shell import Shell
from pralign.cli.app import app
from pralign.cli.manual.description import Description

sys.path.insert(0, str(DOCS / "_ext"))
from api_names import PARTS, names_of, public_classes

COMMANDS = [each for each in Description((), typer.main.get_command(app)).descendants() if each.path]
SERVICES = {"serve", "label"}
"""Commands that go on until they are ended."""


# Classes


def run_code() -> str:
    """All Python in examples that tests run, doctests with what they print."""
    found = [path.read_text(encoding="utf-8") for path in (ROOT / "examples").glob("*.py")]
    for page in pages():
        found += ["\n".join(each.lines) for each in fences(page.read_text(encoding="utf-8")) if "py" in each.language]
    for path in (ROOT / "src").rglob("*.py"):
        for example in doctest.DocTestParser().get_examples(path.read_text(encoding="utf-8")):
            found += [example.source, example.want]
    return "\n".join(found)


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


def test_the_names_on_pages_exist():
    for part in PARTS:
        module = importlib.import_module(part.module)
        assert names_of(part)
        assert all(hasattr(module, name) for name in names_of(part))


# Commands


@pytest.fixture
def folder(tmp_path):
    """What examples of commands call their files: pairs of the sample, links, and files with annotation."""
    made = tmp_path / "work"
    made.mkdir()

    def write(name: str, lines: list[str]) -> None:
        (made / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    gold = gold_lines(60)
    for names, start, count in ((("source.txt", "target.txt"), 0, 40), (("new.src", "new.tgt"), 40, 15)):
        for name, lines in zip(names, sample_lines(count, start), strict=True):
            write(name, lines)
    source, target = sample_lines(40)
    for name, lines in (("dev.src", source), ("dev.tgt", target), ("dev.gold", gold), ("hand.gold", gold)):
        write(name, lines[:40])
    write("other.gold", [line.partition(" ")[0] for line in gold[:40]])
    write("new.tsv", [f"{s}\t{t}" for s, t in zip(*sample_lines(3, 60), strict=True)])
    pairs = zip(source[:5], target[:5], strict=True)
    write("pairs.jsonl", ['{"en": "%s", "fr": "%s"}' % (s.replace('"', "'"), t.replace('"', "'")) for s, t in pairs])
    _write_annotated(made, source, target)
    return made


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
    spans = ['{"text": "%s", "spans": []}\n' % sentence.replace('"', "'") for sentence in source]
    (folder / "names.jsonl").write_text("".join(spans), encoding="utf-8")
    unit = "<source>the <g id='1'>house</g></source><target>la maison</target>"
    xliff = f"<xliff version='1.2'><file><body><trans-unit id='1'>{unit}</trans-unit></body></file></xliff>"
    (folder / "segments.xliff").write_text(xliff, encoding="utf-8")


BEFORE = (
    "pralign align source.txt target.txt -q -o other.txt --model ibm1 --forward forward.txt --reverse reverse.txt",
    "pralign align source.txt target.txt -q -o links.txt --model ibm1 --iterations ibm1=5 --save model",
)
"""What makes the files that examples begin with."""


@pytest.mark.slow
def test_the_examples_in_the_help_of_commands_run(programs, folder, tmp_path):
    programs.wait()
    shell = Shell(programs, folder, tmp_path / "state")
    for command in BEFORE:
        assert shell.run(command).code == 0
    for each in COMMANDS:
        assert each.examples
        if each.words in SERVICES:
            continue
        for _, line in each.examples:
            if "fish" in line and shutil.which("fish") is None or "zsh" in line:
                line = line.removesuffix(" | source").removeprefix('eval "$(').removesuffix(')"')
            code, printed = shell.run(line.replace("\n", " \\\n"))
            assert code == 0, f"{line}\n{printed}"


@pytest.mark.slow
def test_examples_of_services_run(programs, folder, tmp_path):
    programs.wait()
    shell = Shell(programs, folder, tmp_path / "state")
    assert shell.run(BEFORE[1]).code == 0
    lines = {each.words: each.examples[0][1].split()[1:] for each in COMMANDS if each.words in SERVICES}
    assert set(lines) == SERVICES
    for words in lines.values():
        asked = [*words, "--no-browser"] if words[0] == "label" else words
        assert ends_well(asked, folder), words


def ends_well(words: list[str], folder: Path) -> bool:
    """Whether a service tells where it is, and ends with 0 when it is asked to."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "pralign", *words]
    with subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) as process:
        said = ""
        while "http://127.0.0.1:" not in said and (line := process.stderr.readline()):
            said += line
        process.send_signal(signal.SIGTERM)
        process.stderr.read()
    return "http://127.0.0.1:" in said and process.returncode == 0
