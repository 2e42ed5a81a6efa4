"""Help of commands: groups, whole descriptions, examples that work, and no more than 80 columns."""

from __future__ import annotations

import re
import shlex
from typing import Annotated

import pytest
import typer.main

from pralign.cli.app import app
from pralign.cli.manual.commands import COMMANDS, GROUPS, MORE, group_of
from pralign.cli.manual.description import Description, find
from pralign.cli.manual.groups import OTHER, place_of
from pralign.cli.manual.page import WIDTH, help_page
from pralign.cli.manual.parameters import Parameter

PROGRAM = Description((), typer.main.get_command(app))
ALL = list(PROGRAM.descendants())
EXAMPLES = [(each.words or "pralign", line) for each in ALL for _, line in each.examples]
NAMES = pytest.mark.parametrize("command", ALL, ids=lambda command: command.words or "pralign")


def words_of(line: str) -> list[str]:
    """The arguments of an example: without the shell around it."""
    line = re.sub(r'^eval "\$\((.*)\)"$', r"\1", line.replace("\n", " "))
    words = shlex.split(re.split(r" [<>|] ", line)[0])
    assert words[0] == "pralign"
    return words[1:]


# What every command has


@NAMES
def test_help_is_whole_and_fits(work, monkeypatch, command):
    for option, columns in (("--help", "30"), ("-h", "300")):
        monkeypatch.setenv("COLUMNS", columns)
        shown = work.ok(*command.path, option).out
        assert shown == help_page(command) + "\n"
    assert shown.startswith(f"Usage: pralign {command.words}")
    assert max(map(len, shown.splitlines())) <= WIDTH
    assert all(line == line.rstrip() for line in shown.splitlines())
    assert "…" not in shown
    assert not re.search(r"[a-z,]\.\.\.$", shown, flags=re.MULTILINE)
    joined = " ".join(shown.split())
    for parameter in (*command.arguments, *command.options):
        assert parameter.text in joined, parameter.names
        assert parameter.text.endswith((".", ")")), f"{parameter.names}: {parameter.text}"


def test_every_option_of_every_command_has_a_group():
    lost = [
        f"{each.words} {option.long_name}" for each in ALL for option in each.options if place(each, option) == OTHER
    ]
    assert lost == [], "say in src/pralign/cli/manual/groups.py in which groups of the help these are"


def place(command: Description, option: Parameter) -> str:
    return place_of(command.words, option.names)[2]


def test_every_command_has_a_group_a_line_and_examples():
    commands = [each for each in ALL if each.path]
    lost = [each.words for each in commands if each.words not in COMMANDS]
    assert lost == [], "say in src/pralign/cli/manual/commands.py what these are for"
    assert [each.words for each in PROGRAM.children if group_of(each.words) == MORE] == []
    for each in commands:
        assert each.examples, each.words
        assert re.fullmatch(r"[A-Z].{,63}\.", each.summary), each.summary


def test_what_the_tables_do_not_know_is_shown_all_the_same():
    other = typer.Typer()

    @other.command()
    def new(known: str = "", unheard_of: str = typer.Option("", help="Nobody knows.")) -> None:
        """Do something new, at length, and say so in a sentence that is longer than any line of the overview can be."""

    @other.command()
    def second() -> None:
        """Do nothing."""

    program = Description((), typer.main.get_command(other))
    overview = help_page(program)
    assert f"{MORE}:\n  new         Do something new, at length" in overview
    assert "overview can be." in " ".join(overview.split())
    assert max(map(len, overview.splitlines())) <= WIDTH
    shown = help_page(find(program, ["new"]))
    assert f"{OTHER}:\n  --known TEXT" in shown
    assert "  --unheard-of TEXT       Nobody knows." in shown


def test_the_overview_tells_where_to_begin(work):
    shown = work.ok("--help").out
    titles = re.findall(r"^(\S.*):$", shown, flags=re.MULTILINE)
    assert titles == [*GROUPS, "Options", "Examples", "More help"]
    start = shown.partition("Start here:\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in start.splitlines()][:1] == ["demo"]
    assert "  pralign align source.txt target.txt -o links.txt\n" in shown
    for line in re.findall(r"^  [a-z-]+ +[A-Z].*", shown.partition("\nOptions:")[0], flags=re.MULTILINE):
        assert line.endswith("."), line


def test_options_come_in_groups_those_used_most_first(work):
    shown = work.ok("align", "--help").out
    titles = re.findall(r"^(\S.*):$", shown, flags=re.MULTILINE)
    assert titles[:3] == ["Arguments", "Output", "Training"]
    assert titles.index("Decoding") < titles.index("Constraints") < titles.index("Resources")
    assert titles[-2:] == ["Messages", "Examples"]
    assert len(set(titles)) == len(titles)
    output = shown.partition("Output:\n")[2]
    assert output.startswith("  -o, --output FILE       Where to write alignments. Default: standard output.\n")


def test_groups_in_which_something_must_be_given_come_first(work):
    titles = re.findall(r"^(\S.*):$", work.ok("match", "fit", "--help").out, flags=re.MULTILINE)
    assert titles[:3] == ["Arguments", "Saved models", "Labelled pairs"]
    assert "Where to save. Required." in work.ok("match", "fit", "--help").out


# How options are shown


def test_values_bounds_and_defaults(work):
    shown = work.ok("evaluate", "--help").out
    words = " ".join(shown.split())
    assert "--hyp-format FORMAT Format of HYP: pharaoh" in words
    assert "--hyp-base N Number of the first word in HYP. Default: as the format says. 0 or 1." in words
    assert "in the F over the sure links. Default: 0.5. From 0 to 1." in words
    assert "--seed N What samples are drawn with. Default: 0. At least 0." in words
    assert "--compare OTHER" in shown
    assert "--source FILE" in shown
    assert "--threads N" in work.ok("align", "--help").out
    assert "all processors. At least 1." in " ".join(work.ok("align", "--help").out.split())


def test_long_lists_of_names_become_a_sentence(work):
    shown = " ".join(work.ok("align", "--help").out.split())
    assert "--symmetrize NAME How two directions become one." in shown
    assert "One of soft-union, intersection, union, grow-diag," in shown
    assert "--constraint none|bijective|symmetric|agreement|itg What" in shown
    features = " ".join(work.ok("match", "fit", "--help").out.split())
    assert "--features NAMES What" in features
    assert "Any of these, with commas between: dice, distance," in features


def test_options_that_can_be_denied_show_both_names(work):
    shown = work.ok("align", "--help").out
    assert "  --lowercase / --no-lowercase\n" in shown
    assert "  --checkpoint, --run DIR\n" in shown
    assert "  --line N[-M] " in work.ok("show", "--help").out


def test_variables_are_named():
    other = typer.Typer()

    @other.command()
    def new(slow: Annotated[bool, typer.Option("--slow", envvar="PRALIGN_SLOW", help="Take time.")] = False) -> None:
        """Do something new."""

    shown = help_page(Description(("new",), typer.main.get_command(other)))
    assert "Take time. PRALIGN_SLOW in the environment does the same." in " ".join(shown.split())


# Those who ask for nothing, or for something wrong


@pytest.mark.parametrize("command", [[], ["match"]])
def test_without_a_command_the_help_is_shown_as_a_mistake(work, command):
    code, out, err = work.run(*command)
    assert (code, out) == (2, "")
    assert err == work.ok(*command, "--help").out


def test_complaints_show_how_to_call_a_command(work):
    err = work.run("align").err
    assert err.startswith("Usage: pralign align [OPTIONS] SRC [TGT]\nTry 'pralign align --help' for help.\n")
    assert work.run("merge").err.startswith("Usage: pralign merge [OPTIONS] DIR...\n")


# Examples


@pytest.mark.parametrize(("command", "line"), EXAMPLES, ids=lambda value: value.partition("\n")[0][:60])
def test_examples_are_of_the_command_and_parse(command, line):
    words = words_of(line)
    found = PROGRAM
    while found.is_group:
        found = find(found, words[:1]) or pytest.fail(f"no command {words[0]}")
        words = words[1:]
    assert command == "pralign" or found.words.startswith(command)
    context = found.command.make_context(found.path[-1], words)
    assert context.params
    assert max(len(part) for part in line.split("\n")) <= 68  # with what is around it, a line of the manual page


QUICK = {"convert", "evaluate", "show", "help", "completion", "report", "symmetrize", "shortlist"}


@pytest.mark.parametrize(
    "line", [line for command, line in EXAMPLES if command in QUICK], ids=lambda line: line.partition("\n")[0][:60]
)
def test_examples_that_take_no_time_run(work, line):
    for name, lines in {
        "source.txt": ["the house", "a cat", "the cat"],
        "target.txt": ["la maison", "un chat", "le chat"],
        **dict.fromkeys(("links.txt", "forward.txt", "reverse.txt"), ["0-0 1-1"] * 3),
        "other.txt": ["0-0 1-1", "0-0 1-0", "1-1"],
        "hand.gold": ["0-0 1?1", "0-0 1-1", ""],
    }.items():
        work.write(name, lines)
    work.ok(*words_of(line))
