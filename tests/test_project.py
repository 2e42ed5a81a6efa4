"""The project as a whole: layers, documentation, style, and what the README promises."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

import pralign
from pralign import sample
from pralign.cli.app import app
from pralign.cli.manual.description import Description
from pralign.constraints import CONSTRAINTS
from pralign.links.bounds import check_bounds
from pralign.links.formats import read_alignments
from pralign.settings import PRESETS
from pralign.text.bitext import Bitext
from pralign.text.tokens import tokens

ROOT = Path(__file__).parent.parent
PROGRAM = Description((), typer.main.get_command(app))
SOURCE = ROOT / "src" / "pralign"

# A module imports from its own layer and the layers above it in this list, never from those below.
LAYERS = [
    {
        "errors",
        "frames",
        "characters",
        "cgroups",
        "signature",
        "registry",
        "memory",
        "cache",
        "schema",
        "cleanup",
        "disk",
        "locks",
        "stopping",
    },
    {"kernels"},
    {"store", "engine"},
    {"text"},
    {"outputs"},
    {"links", "pictures"},  # alignments, and how they show themselves
    {"evaluation"},
    {"models"},
    {"constraints"},
    {"training"},
    {"settings"},
    {"decoding"},
    {"storage"},
    {"priors"},
    {"runs"},
    {"manners", "aligner"},
    {"lexicons"},
    {"phrases"},
    {"matching"},
    {"transfer"},
    {"sample", "report", "checking"},
    {"serving"},
    {"labelling"},
    {"experiments"},
    {"cli"},
    {"dropins"},
    {"", "__main__"},  # the package itself, which offers names from everywhere, and python -m pralign
]
FILES = sorted(SOURCE.rglob("*.py"))
MODULES = {
    ".".join(["pralign", *path.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__"): path
    for path in FILES
}


def part(module):
    """The part of the package that a module belongs to; nothing for the package itself."""
    return module.split(".")[1] if "." in module else ""


def layer(module):
    [number] = [number for number, names in enumerate(LAYERS) if part(module) in names]
    return number


def imports(path):
    """The modules of this package that a module imports, anywhere in its text."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in MODULES else str(node.module) for name in names]
        else:
            continue
        yield from (name for name in names if name.split(".")[0] == "pralign")


# Layers


def test_every_module_has_a_layer():
    assert {part(module) for module in MODULES} == set().union(*LAYERS)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_from_its_own_layer_and_earlier_ones(module):
    for imported in imports(MODULES[module]):
        assert imported in MODULES, f"{module} imports {imported}, which does not exist"
        if imported != "pralign":  # of which everybody may ask the version
            assert layer(imported) <= layer(module), f"{module} imports {imported}"


def test_the_walk_finds_imports_of_all_kinds():
    assert {"pralign.aligner", "pralign.cli.progress"} <= set(imports(MODULES["pralign.cli.inspect"])) | set(
        imports(MODULES["pralign.cli.demo"])
    )
    assert "pralign.evaluation" in set(imports(MODULES["pralign.cli.evaluate"]))
    assert sum(1 for path in FILES for _ in imports(path)) > 150


def test_parts_that_know_no_models_import_none_of_the_heavy_ones():
    for module in MODULES:
        if part(module) == "evaluation" or module.startswith("pralign.links.formats"):
            assert not any(part(imported) == "kernels" for imported in imports(MODULES[module]))


# Documentation


def definitions(module):
    """Everything public that a module defines, with its docstring."""

    def visit(node, name):
        yield name, ast.get_docstring(node)
        for child in node.body:
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                public = not child.name.startswith("_")
                overload = any(ast.unparse(mark).endswith(("overload", ".setter")) for mark in child.decorator_list)
                if public and not overload and not isinstance(node, ast.FunctionDef):
                    yield from visit(child, f"{name}.{child.name}")

    return visit(ast.parse(MODULES[module].read_text(encoding="utf-8")), module)


def test_everything_public_is_documented():
    found = [definition for module in MODULES for definition in definitions(module)]
    assert len(found) > 200
    private = re.compile(r"\._[a-z]")
    assert [name for name, text in found if not text and not private.search(name)] == []


@pytest.mark.parametrize("module", [name for name in MODULES if not name.endswith("__main__")])
def test_the_examples_in_the_documentation_are_true(module):
    result = doctest.testmod(importlib.import_module(module))
    assert result.failed == 0
    assert result.attempted >= MODULES[module].read_text(encoding="utf-8").count(">>> ")


def test_there_are_examples_in_the_documentation():
    assert sum(path.read_text(encoding="utf-8").count(">>> ") for path in FILES) > 20


def test_all_modules_are_found():
    walked = {module.name for module in pkgutil.walk_packages(pralign.__path__, "pralign.")}
    assert walked == set(MODULES) - {"pralign"}


def code_blocks():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return [block.strip() for block in re.findall(r"^```\w*\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)]


def test_the_readme_begins_with_the_two_commands():
    demo, suite = code_blocks()[:2]
    assert demo == "python3 -m venv .venv && .venv/bin/pip install --quiet . && .venv/bin/pralign demo"
    assert suite == ("python3 -m venv .venv && .venv/bin/pip install --quiet --editable '.[test]' && .venv/bin/pytest")


def test_the_second_command_of_the_readme_is_what_runs_in_ci():
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith("#")]
    assert commands[:2] == ["set -euo pipefail", 'cd "$(dirname "$0")/.."']
    assert len(commands) == 4  # between them, a browser is installed for the tests that need one
    assert commands[-1] == code_blocks()[1]
    assert lines[0] == "#!/usr/bin/env bash"
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def test_the_readme_is_short():
    assert (ROOT / "README.md").stat().st_size < 6_000


# Pages that tell of commands and their options in sentences and tables, where no example is run.
TELLING = ["README.md", *(f"docs/{name}.md" for name in ("align", "commands", "start"))]
TELLING += sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs" / "guides").glob("*.md"))
OPTIONS_OF_OTHERS = {"--quiet", "--editable", "--version"}  # of pip and Python


@pytest.mark.parametrize("page", TELLING)
def test_the_options_that_pages_name_exist(page):
    options = [option for each in PROGRAM.descendants() for option in (*each.options, *each.arguments)]
    known = {name for option in options for name in (*option.names, *option.negative)} | OPTIONS_OF_OTHERS
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", (ROOT / page).read_text(encoding="utf-8")))
    assert named
    assert named - known == set()


def test_the_page_of_commands_has_all_of_them():
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert [each.words for each in PROGRAM.children if f"| `pralign {each.words}" not in text] == []


def test_the_page_of_options_has_all_presets_and_constraints():
    text = (ROOT / "docs" / "align.md").read_text(encoding="utf-8")
    rows = {
        name for row in re.findall(r"^\| (.*?) \|", text, flags=re.MULTILINE) for name in re.findall(r"`(.+?)`", row)
    }
    assert rows >= {*PRESETS, *(name for name in CONSTRAINTS if name != "none")}


def test_the_gallery_has_all_that_its_page_shows():
    text = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\((gallery/[^)]+)\)", text)
    assert {Path(name).suffix for name in linked} == {".html", ".png", ".txt", ".tex", ".svg"}
    assert all((ROOT / "docs" / name).stat().st_size > 1000 for name in linked)
    [grid] = re.findall(r"^```\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    assert grid in (ROOT / "docs" / "gallery" / "session.txt").read_text(encoding="utf-8")


# Style and types

PYTHON = ["src", "tests", "benchmarks", "examples", "docs"]


@pytest.mark.parametrize(
    "command",
    [["ruff", "check", *PYTHON], ["ruff", "format", "--check", *PYTHON], ["mypy"]],
    ids=lambda command: " ".join(command[:2]),
)
def test_the_tools_have_nothing_to_say(command):
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


# Quick commands start quickly


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["align", "--help"],
        ["help", "models"],
        ["help", "--man"],
        ["completion", "bash"],
        ["check", "--help"],
        ["lexicon", "--help"],
        ["shortlist", "--help"],
        ["convert", "links", "out", "--to", "gold"],
        ["symmetrize", "links", "--heuristic", "invert"],
        ["evaluate", "links", "links"],
        ["show", "words", "words", "links"],
    ],
    ids=" ".join,
)
def test_commands_that_compute_nothing_import_no_compiler(tmp_path, arguments):
    (tmp_path / "links").write_text("0-0 1-1\n")
    (tmp_path / "words").write_text("some words\n")
    code = (
        "import sys\n"
        "from pralign.cli import main\n"
        f"sys.argv = ['pralign', *{arguments!r}]\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as stop:\n"
        "    assert not stop.code, stop.code\n"
        "print(sorted({'numba', 'numpy', 'scipy', 'safetensors'} & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == "[]"


def test_importing_the_package_imports_no_compiler():
    code = "import sys, pralign; print('numba' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


# The sample


def test_the_sample_has_460_pairs_and_60_of_them_gold():
    pairs = list(Bitext.read(sample.SOURCE, sample.TARGET))
    golds = list(read_alignments(sample.GOLD, "gold"))
    assert (len(pairs), len(golds)) == (460, 60)
    assert all(tokens(side) and " ".join(tokens(side)) == side for pair in pairs for side in pair)
    assert len(set(pairs)) == len(pairs)
    for side in (0, 1):
        sentences = [pair[side] for pair in pairs]
        assert [sentence for sentence in sentences if sentences.count(sentence) > 1] == []


def test_the_gold_alignments_of_the_sample_fit_its_words():
    pairs = list(Bitext.read(sample.SOURCE, sample.TARGET))
    lines = sample.GOLD.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        links = [tuple(map(int, re.split(r"[-?]", link))) for link in line.split(" ")]
        assert len(set(links)) == len(links), f"line {number} lists a link twice"
        assert links == sorted(links)
    for gold, (source, target) in zip(read_alignments(sample.GOLD, "gold"), pairs, strict=False):
        check_bounds(gold, (len(tokens(source)), len(tokens(target))), "the sample")
        assert gold.sure


def test_the_sample_is_part_of_the_package():
    assert {path.parent for path in (sample.SOURCE, sample.TARGET, sample.GOLD)} == {SOURCE / "sample"}
