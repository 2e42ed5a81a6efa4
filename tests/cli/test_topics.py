"""``pralign help TOPIC``: pages that know all names there are."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import typer.main

from pralign.cli.app import app
from pralign.cli.manual import topics
from pralign.cli.manual.description import Description
from pralign.cli.manual.page import WIDTH
from pralign.cli.manual.topics import TOPICS, topic_page, topic_text
from pralign.constraints import CONSTRAINTS
from pralign.decoding.methods import METHODS
from pralign.decoding.threshold import THRESHOLD_RULES
from pralign.links.formats import FORMATS, register_format
from pralign.links.formats.pharaoh import PharaohFormat
from pralign.links.symmetrization import SYMMETRIZERS
from pralign.models import MODELS
from pralign.models.estimators import ESTIMATORS
from pralign.settings import PRESETS

PROGRAM = Description((), typer.main.get_command(app))
EACH = pytest.mark.parametrize("topic", TOPICS)


def test_every_file_is_a_topic_and_every_topic_a_file():
    assert sorted(TOPICS) == sorted(path.stem for path in Path(topics.__file__).with_name("texts").iterdir())


@EACH
def test_a_page_is_printed_and_fits(work, topic):
    shown = work.ok("help", topic)
    assert shown == (0, topic_page(topic) + "\n", "")
    assert max(map(len, shown.out.splitlines())) <= WIDTH
    assert all(line == line.rstrip() and line.isprintable() for line in shown.out.splitlines())
    assert "{{" not in shown.out


@EACH
def test_what_is_shown_as_it_is_also_fits_the_manual_page(topic):
    for block in topic_text(topic).split("\n\n"):
        if block.startswith("    "):
            assert max(map(len, textwrap.dedent(block).splitlines())) <= 71


def test_all_topics_are_listed(work):
    shown = work.ok("help").out
    listed = [line.split()[0] for line in shown.splitlines() if line.startswith("  ")]
    assert listed == list(TOPICS)
    assert max(map(len, shown.splitlines())) <= WIDTH
    overview = " ".join(work.ok("--help").out.split())
    assert all(topic in overview for topic in TOPICS)


@pytest.mark.parametrize(
    ("topic", "names"),
    [
        ("formats", FORMATS),
        ("models", MODELS),
        ("models", ESTIMATORS),
        ("constraints", ["none", *CONSTRAINTS]),
        ("heuristics", ["soft-union", *SYMMETRIZERS]),
        ("heuristics", [*METHODS, *THRESHOLD_RULES]),
        ("presets", PRESETS),
    ],
)
def test_a_page_has_all_names_there_are(topic, names):
    listed = {word.strip(",;:") for word in topic_text(topic).split()}
    assert set(names) - listed == set(), f"write of these in src/pralign/cli/manual/texts/{topic}.txt"


@pytest.mark.parametrize(
    ("topic", "options"),
    [
        ("models", ["--model", "--estimator"]),
        ("constraints", ["--constraint"]),
        ("heuristics", ["--decode", "--threshold", "--symmetrize", "--heuristic"]),
    ],
)
def test_a_page_has_all_names_that_options_offer(topic, options):
    listed = {word.strip(",;:") for word in topic_text(topic).split()}
    named = {
        name
        for command in PROGRAM.descendants()
        for option in command.options
        if option.long_name in options
        for name in option.values
    }
    assert len(named) > 2
    assert named - listed == set(), f"write of these in src/pralign/cli/manual/texts/{topic}.txt"


def test_the_page_of_variables_has_those_of_options():
    variables = {each.envvar for command in PROGRAM.descendants() for each in command.command.params if each.envvar}
    assert variables - set(topic_text("environment").split()) == set()


def test_presets_show_what_they_set():
    shown = topic_text("presets")
    for values in PRESETS.values():
        for name, value in values.items():
            [line] = [
                line
                for line in shown.splitlines()
                if f"--{name.replace('_', '-')} " in f"{line} " and "  " in line.strip()
            ]
            assert ("no" if value is False else str(value)) in line.split()


def test_examples_of_formats_are_what_is_written():
    shown = topic_text("formats")
    for line in ("0-0 1?0 1-1", "0-0 1p0 1-1", "0-0:0.980000 1-1:0.950000", "1 2 1 P"):
        assert f"      {line}\n" in shown
    [line] = [line for line in shown.splitlines() if line.startswith("      {")]
    assert json.loads(line)["possible"] == [[1, 0]]


def test_formats_of_the_user_are_shown_too(work):
    class Arrows(PharaohFormat):
        name = "arrows"
        description = "i->j, one line a pair\x1b[31m"

        def write(self, records, base):
            return (line.replace("-", "->") for line in super().write(records, base))

    with FORMATS.restored():
        register_format(Arrows())
        shown = work.ok("help", "formats").out
    assert "  arrows    i->j, one line a pair\\x1b[31m.\n\n      0->0 1->1\n" in shown
    assert "arrows" not in work.ok("help", "formats").out


@pytest.mark.parametrize("command", [["align"], ["match"], ["match", "fit"], ["help"]])
def test_help_of_a_command_is_its_help(work, command):
    assert work.ok("help", *command).out == work.ok(*command, "--help").out


@pytest.mark.parametrize(
    ("words", "near"),
    [(["formts"], "(did you mean formats?)"), (["Aling"], "(did you mean align "), (["match", "fi"], "match fit")],
)
def test_a_topic_that_is_not_there(work, words, near):
    message = work.fails("help", *words, code=2)
    assert message.startswith(f"there is no topic or command {' '.join(words)!r} (did you mean ")
    assert near in message


def test_a_topic_like_no_other(work):
    message = work.fails("help", "\x1b[31m", code=2)
    assert message == (r"there is no topic or command '\x1b[31m'; pralign help lists topics, pralign --help commands")
    assert "leave out the topic" in work.fails("help", "--man", "gold", code=2)


def test_no_page_needs_the_compiler():
    code = (
        "import sys, typer.main\n"
        "from pralign.cli.app import app\n"
        "from pralign.cli.manual.description import Description\n"
        "from pralign.cli.manual.man import man_page\n"
        "from pralign.cli.shells import SCRIPTS\n"
        "program = Description((), typer.main.get_command(app))\n"
        "assert man_page(program) and all(script(program) for script in SCRIPTS.values())\n"
        "print({'numba', 'numpy', 'rich', 'pydantic'} & set(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
