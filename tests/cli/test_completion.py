"""Completion: shells offer commands, options and names, and files elsewhere."""

from __future__ import annotations

import shlex
import shutil
import subprocess

import pytest

from pralign.cli.manual.topics import TOPICS
from pralign.links.formats import FORMATS
from pralign.settings import PRESETS

MODELS = ["ibm1", "ibm2", "hmm", "fhmm", "ibm3", "ibm4"]
# What is typed, the last word perhaps unfinished, and what is offered.
NAMES = [
    (["al"], ["align"]),
    (["match", ""], ["align", "fit", "weights"]),
    (["align", "--mod"], ["--model"]),
    (["align", "--model", ""], MODELS),
    (["align", "s", "t", "--preset", ""], list(PRESETS)),
    (["match", "align", "--loa"], ["--load"]),
    (["match", "fit", "--learner", "b"], ["boosting"]),
    (["match", "fit", "--features", "dice,dis"], ["dice,distance"]),
    (["train", "--constraint", "b"], ["bijective"]),
    (["symmetrize", "f", "r", "--heuristic", "int"], ["intersection"]),
    (["convert", "a", "b", "--from", ""], list(FORMATS)),
    (["lexicon", "s", "t", "a", "--from", "na"], ["naacl"]),
    (["lexicon", "s", "t", "a", "--format", ""], ["moses", "tsv", "jsonl", "dictionary"]),
    (["shortlist", "--cou"], ["--count"]),
    (["align", "s", "t", "--moses-heuristic", "un"], ["union"]),
    (["evaluate", "a", "b", "--gold-format", "n"], ["naacl"]),
    (["completion", ""], ["bash", "zsh", "fish"]),
    (["help", "go"], ["gold"]),
    (["align", "--threads", ""], []),
    (["align", "--no-low"], ["--no-lowercase"]),
]


def needs(shell: str):
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"there is no {shell}")


def answers(work, shell: str, code: str) -> list[list[str]]:
    """The lines that a shell prints, each as words, after it has read its script."""
    work.write("script", work.ok("completion", shell).out)
    options = {"bash": ["--norc", "--noprofile"], "fish": ["--no-config"]}[shell]
    command = [shell, *options, "-c", f"source ./script\n{code}"]
    done = subprocess.run(command, cwd=work.folder, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    return [line.split(" ") if line else [] for line in done.stdout.split("\n")[:-1]]


def in_bash(*typed: list[str]) -> str:
    calls = [
        f'COMP_WORDS=(pralign {shlex.join(words)}); COMP_CWORD={len(words)}; _pralign; echo "${{COMPREPLY[*]}}"'
        for words in typed
    ]
    return "\n".join(calls)


@needs("bash")
def test_bash_offers_names(work):
    found = answers(work, "bash", in_bash(*(typed for typed, _ in NAMES)))
    assert [sorted(words) for words in found] == [sorted(expected) for _, expected in NAMES]


@needs("bash")
def test_bash_offers_all_commands_and_topics(work):
    commands, topics = answers(work, "bash", in_bash([""], ["help", ""]))
    assert {"demo", "align", "match", "help", "completion"} < set(commands)
    assert set(topics) == {*TOPICS, *commands}


@needs("bash")
def test_bash_understands_an_equals_sign(work):
    typed = [["align", "--model", "=", "ib"], ["align", "--model", "="], ["report", "s", "--system", "mine", "=", "li"]]
    first, second, third = answers(work, "bash", in_bash(*typed))
    assert first == [name for name in MODELS if name.startswith("ib")]
    assert second == MODELS
    assert third == []  # which leaves files to bash


@needs("bash")
def test_bash_leaves_the_rest_to_files(work):
    [registered] = answers(work, "bash", "complete -p pralign")
    assert registered == ["complete", "-o", "bashdefault", "-o", "default", "-F", "_pralign", "pralign"]
    typed = [["align", "so"], ["align", "--output", "li"], ["align", "--dev", "a", "b", ""], ["align", "--load", "m"]]
    assert answers(work, "bash", in_bash(*typed)) == [[]] * len(typed)


@needs("fish")
def test_fish_offers_names_and_files(work):
    work.write("source.txt", "")
    typed = [words for words, _ in NAMES] + [["align", "sour"], ["align", "-o", "sour"]]
    lines = [f"complete -C {shlex.quote(' '.join(['pralign', *words]))} | string split -f1 \\t" for words in typed]
    found = answers(work, "fish", "\n".join(f"echo (count ({line})) ({line})" for line in lines))
    expected = [*(names for _, names in NAMES), ["source.txt"], ["source.txt"]]
    assert [sorted(words[1:]) for words in found] == [sorted(names) for names in expected]


@needs("zsh")
def test_zsh_accepts_its_script(work):
    script = work.ok("completion", "zsh").out
    assert script.startswith("#compdef pralign\n")
    code = f"autoload -U compinit; compinit -u -D; {script}\nprint $_comps[pralign] $+functions[_pralign_match_fit]"
    done = subprocess.run(["zsh", "-f", "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert (done.stdout, done.stderr) == ("_pralign 1\n", "")


def test_a_shell_that_is_not_known(work):
    message = work.fails("completion", "tcsh", code=2)
    assert message == "there is completion for bash, zsh, fish, not for tcsh"
