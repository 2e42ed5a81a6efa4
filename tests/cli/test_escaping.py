"""Nothing from outside reaches a terminal as it is: no codes, no lines that only look like the program's own."""

from __future__ import annotations

import json
import logging
import shutil

import pytest

from pralign.characters import is_harmful
from pralign.cli.console import reporting_errors

EVIL = "\x1b]0;title\x07\x1b[31m\npralign: all is well\r\u202e\u2028\x85\x7f"
SHOWN = r"\x1b]0;title\x07\x1b[31m\npralign: all is well\r\u202e\u2028\x85\x7f"
EVIL_WORD = "\x1b[31m\u202e\u2028\x85\x7f"
ORDINARY = "Übersetzung-家-שלום-می\u200cروم"


def harmless(text):
    """Whether there is nothing in a text that acts on a terminal, but for the ends of its lines."""
    return not any(map(is_harmful, text.replace("\n", "").replace("\u2068", "").replace("\u2069", "")))


@pytest.mark.parametrize(
    "command",
    [
        ["align", EVIL, "t", "-q"],
        ["evaluate", "t", EVIL],
        ["inspect", EVIL],
        ["match", "weights", EVIL],
        ["classes", EVIL],
        ["show", "s", "t", EVIL],
        ["convert", EVIL, "-", "--from", "pharaoh", "--to", "gold"],
        ["lexicon", "s", "t", EVIL],
        ["lexicon", "--model", EVIL],
        ["shortlist", "s", "t", EVIL],
        ["phrases", "s", "t", EVIL],
        ["rules", "s", "t", EVIL],
        ["transfer", EVIL, "t"],
        ["transfer", "--tags", "s", EVIL],
        ["shortlist", "s", "t", "t", "--vocab", EVIL, "s"],
        ["symmetrize", EVIL, "s", "--heuristic", "union"],
        ["report", "s", "t", "--system", f"a={EVIL}"],
        ["plan", EVIL, "t"],
        ["align", "s", "t", "-q", "--prior", EVIL],
        ["align", "s", "t", "-q", "--forms", EVIL],
    ],
    ids=lambda command: " ".join(command[:2]).replace(EVIL, "NAME"),
)
def test_names_of_files_in_errors(small, command):
    assert SHOWN in small.fails(*command)


@pytest.mark.parametrize(
    "command",
    [
        ["align", "s", "t", f"--{EVIL}"],
        ["align", "s", "t", "u", EVIL],
        [EVIL],
        ["match", "align", "s", "t", "u", EVIL, "--load", "m"],
        ["match", EVIL],
    ],
    ids=["option", "argument", "command", "argument of a group", "command of a group"],
)
def test_misuse_that_is_found_while_options_are_parsed(small, command):
    outcome = small.run(*command)
    assert outcome.code == 2
    assert r"\x1b[31m" in outcome.err
    assert r"\u202e" in outcome.err
    assert harmless(outcome.err)
    assert "\npralign: all is well" not in outcome.err


@pytest.mark.parametrize(
    "option", ["--model", "--iterations", "--threshold", "--memory", "--layout", "--format", "--max-line", "--preset"]
)
def test_values_of_options(small, option):
    message = small.fails("align", "s", "t", option, EVIL, code=2)
    assert harmless(message)
    assert r"\x1b" in message


def test_words_of_other_scripts_are_shown_as_they_are(small):
    assert small.fails("align", ORDINARY, "t", "-q") == f"{ORDINARY}: cannot read: No such file or directory"
    assert "家" in small.fails("align", "s", "t", "--layout", "家", code=2)
    assert f"--{ORDINARY}" in small.run("align", "s", "t", f"--{ORDINARY}").err


def test_messages_and_progress(small):
    shutil.copy(small.folder / "s", small.folder / EVIL)
    small.write("p" + EVIL_WORD, "a b\tune\nhouse\tmaison\n")
    outcome = small.ok("align", EVIL, "t", "--prior", "p" + EVIL_WORD, "-o", "out")
    assert harmless(outcome.err)
    assert "entries are not one word each" in outcome.err
    assert r"p\x1b[31m" in outcome.err


def test_what_the_library_logs_is_one_line(capsys):
    def command():
        logging.getLogger("pralign").warning("of %s", EVIL)

    reporting_errors(command)()
    assert capsys.readouterr().err == f"of {SHOWN}\n"


def test_a_model_of_evil_words(small):
    small.write("s", small.read("s").replace("cat", EVIL_WORD))
    small.write("t", small.read("t").replace("chat", "chat" + EVIL_WORD))
    small.write("p" + EVIL_WORD, "house\tmaison\n")
    small.ok("train", "s", "t", "-q", "--save", "m", "--prior", "p" + EVIL_WORD)
    for arguments in (["m"], ["m", EVIL_WORD], ["m", "chat" + EVIL_WORD]):
        out = small.ok("inspect", *arguments).out
        assert harmless(out), arguments
    assert "␛[31m" in small.ok("inspect", "m", EVIL_WORD).out
    assert harmless(small.fails("inspect", "m", "dog" + EVIL))
    assert "maison" in small.ok("inspect", "m", "house").out


def test_words_that_were_learned_from(ready):
    for name in ("s", "ls"):
        ready.write(name, ready.read(name).replace("the ", f"the{EVIL_WORD} "))
    fit = ["match", "fit", "s", "t", "--labelled", "ls", "lt", "lg", "--features", "dice,common", "--rounds", "5"]
    assert harmless(ready.ok(*fit, "--save", "evil").err)
    out = ready.ok("match", "weights", "evil", "--most", "1000").out
    assert harmless(out)
    assert r"\x1b[31m" in out


def test_systems_that_are_compared(text):
    text.write("h", ["0-0"] * 40)
    shutil.copy(text.folder / "h", text.folder / EVIL)
    out = text.ok("evaluate", EVIL, "g", "--compare", "h", "--bootstrap", "10").out
    assert harmless(out)
    assert f"HYP    {SHOWN}\n" in out


def test_a_plan(small):
    shutil.copy(small.folder / "s", small.folder / EVIL)
    out = small.ok("plan", EVIL, "t", "--preset", "fast", "--threads", "1").out
    assert harmless(out)
    assert out.startswith(f"{SHOWN} and t\n")
    out = small.ok("plan", EVIL, "t", "--preset", "fast", "--threads", "1", "--json").out
    assert harmless(out)
    assert EVIL in json.loads(out)["command"]


def test_a_grid(small):
    small.write("s", f"the {EVIL_WORD}\n")
    small.write("t", f"le {EVIL_WORD}\n")
    small.write("a", "0-0 1-1\n")
    assert harmless(small.ok("show", "s", "t", "a").out)
