"""Options of the command line are made from settings, once for all commands; simple commands start quickly."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap

import pytest
import typer.main

from cli.support import gold_lines
from pralign.cli.app import app
from pralign.settings import decoding_settings, option_of, setting_fields

COMMANDS = typer.main.get_command(app).commands
SETTINGS = [each.name for each in setting_fields() if option_of(each.name) is not None]
ALIGN = {
    *("source", "target", "output", "layout", "dev", "tune", "output_format", "forward", "reverse", "scores", "save"),
    *("nbest", "sample", "seed", "moses", "moses_heuristic", "units", "pieces"),
    *(
        "compact",
        "strict",
        "load",
        "adapt",
        "threads",
        "memory",
        "scratch",
        "checkpoint",
        "engine",
        "address",
        "log_json",
        "report",
        "timestamps",
        "quiet",
        "max_line",
        *("columns", "header", "units", "pieces"),
    ),
}
TRAIN = ALIGN - {
    *("output", "output_format", "forward", "reverse", "scores", "report", "load", "adapt"),
    *("nbest", "sample", "seed", "moses", "moses_heuristic", "units", "pieces"),
}


def parameters(command: str) -> dict:
    return {each.name: each for each in COMMANDS[command].params if each.name != "help"}


class TestSettingsAreOptions:
    def test_there_are_settings_with_and_without_an_option(self):
        assert len(SETTINGS) > 15
        assert option_of("pegging") is None

    @pytest.mark.parametrize("command, others", [("align", ALIGN), ("train", {*TRAIN, "earlier"})])
    def test_every_setting_that_has_one_and_nothing_else(self, command, others):
        assert parameters(command).keys() == {*SETTINGS, *others}

    @pytest.mark.parametrize("name", SETTINGS)
    @pytest.mark.parametrize("command", ["align", "train"])
    def test_each_is_as_the_setting_says(self, command, name):
        option, found = option_of(name), parameters(command)[name]
        flag = f"--{name.replace('_', '-')}"
        assert found.opts == [flag]
        assert found.secondary_opts == ([f"--no-{flag[2:]}"] if option.kind is bool else [])
        assert found.help == option.help
        assert found.default in (None, [])
        assert not found.required
        if option.metavar is not None:
            assert found.metavar == option.metavar

    @pytest.mark.parametrize("name", sorted({*SETTINGS, *TRAIN} - {"save"}))
    def test_both_commands_say_the_same(self, name):
        align, train = (parameters(command)[name] for command in ("align", "train"))
        assert getattr(align, "help", None) == getattr(train, "help", None)
        assert align.opts == train.opts
        assert align.show_default == train.show_default

    @pytest.mark.parametrize("command", ["align", "train"])
    def test_help_shows_all_of_them(self, small, command):
        shown = small.ok(command, "--help").out
        words = " ".join(shown.split())
        for name in SETTINGS:
            option = option_of(name)
            assert f"--{name.replace('_', '-')}" in shown
            assert option.help in words or option.help.replace("-", "- ") in words or option.help[:20] in words
        assert "pegging" not in shown

    def test_all_settings_but_decoding_ones_reach_the_model(self, small):
        options = ("--model", "ibm2", "--iterations", "ibm1=1,ibm2=1", "--max-length", "9", "--prefix", "5")
        small.ok(
            "train", "s", "t", "-q", *options, "--no-lowercase", "--estimator", "vb", "--alpha", "0.5", "--save", "m"
        )
        saved = json.loads(small.read("m/manifest.json"))["settings"]
        assert {name: saved[name] for name in ("model", "iterations", "max_length", "prefix", "lowercase")} == {
            "model": "ibm2",
            "iterations": "ibm1=1,ibm2=1",
            "max_length": 9,
            "prefix": 5,
            "lowercase": False,
        }
        assert (saved["estimator"], saved["alpha"]) == ("vb", 0.5)


class TestLoading:
    CHANGES = (
        ("--max-length", "7"),
        ("--prefix", "3"),
        ("--suffix", "2"),
        ("--model", "ibm1"),
        ("--iterations", "ibm1=1,fhmm=1"),
        ("--estimator", "vb"),
        ("--alpha", "0.5"),
        ("--lookalikes", "7.5"),
        ("--relatives", "2.5"),
        ("--forms", "s"),
        ("--classes", "3"),
        ("--smoothing", "0.1"),
        ("--constraint", "bijective"),
        ("--constraint-from", "2"),
        ("--tolerance", "0.1"),
        ("--slack", "0.1"),
        ("--preset", "fast"),
        ("--prior", "s"),
        ("--tokenize", "characters"),
    )

    def test_every_setting_of_training_is_tried(self):
        tried = {option[2:].replace("-", "_") for option, _ in self.CHANGES} | {"lowercase"}
        assert tried == set(SETTINGS) - decoding_settings()

    @pytest.mark.parametrize("option, value", CHANGES)
    def test_an_option_of_training_that_was_other_is_named(self, model, option, value):
        message = model.fails("align", "s", "t", "--load", "m", option, value, code=2)
        assert message.startswith("a loaded model keeps its settings; m was trained with")
        assert f" {option}" in message
        assert message.rstrip("']").endswith(value)

    def test_a_flag_of_training_that_was_other_is_named(self, model):
        assert "--lowercase" in model.fails("align", "s", "t", "--load", "m", "--no-lowercase", code=2)

    def test_the_first_of_several_is_named_always(self, model):
        for changes in (self.CHANGES[:14], self.CHANGES[13::-1]):
            given = [part for change in changes for part in change]
            assert " --model fhmm, not ibm1" in model.fails("align", "s", "t", "--load", "m", *given, code=2)

    def test_an_option_of_training_may_be_repeated(self, model):
        plain = model.align("s", "t", "--load", "m")
        repeated = ("--preset", "default", "--model", "fhmm", "--max-length", "200", "--iterations", "ibm1=3,fhmm=5")
        assert model.align("s", "t", "--load", "m", *repeated, "--lowercase") == plain

    @pytest.mark.parametrize("name", sorted(decoding_settings()))
    def test_options_of_decoding_may_change(self, model, name):
        values = {"decode": ["viterbi"], "threshold": ["0.3"], "symmetrize": ["union"]}
        if name == "project_at_decode":
            model.ok("align", "s", "t", "-q", "--load", "m", "--no-project-at-decode")
        else:
            model.ok("align", "s", "t", "-q", "--load", "m", f"--{name}", *values[name])

    @pytest.mark.parametrize("option, value", [("--memory", "1G"), ("--scratch", "."), ("--checkpoint", "c")])
    def test_what_only_training_uses_is_refused(self, model, option, value):
        message = model.fails("align", "s", "t", "--load", "m", "--no-adapt", option, value, code=2)
        assert message == f"{option} is for training; with --load and --no-adapt nothing is trained"


def imported(folder, *arguments: str) -> set[str]:
    """The modules that a command has imported at its end."""
    program = textwrap.dedent(
        """
        import sys
        from pralign.cli import main
        try:
            main()
        except SystemExit as error:
            code = error.code
        sys.stderr.write("\\n" + " ".join(sys.modules))
        sys.exit(code)
        """
    )
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {name.partition(".")[0] for name in done.stderr.rpartition("\n")[2].split()}


HELP = [(), *((name,) for name in COMMANDS), *(("match", name) for name in COMMANDS["match"].commands)]


class TestStart:
    @pytest.mark.parametrize("command", HELP, ids=" ".join)
    def test_help_never_needs_the_compiler(self, tmp_path, command):
        assert "numba" not in imported(tmp_path, *command, "--help")

    def test_the_version_never_needs_the_compiler(self, tmp_path):
        assert "numba" not in imported(tmp_path, "--version")

    def test_converting_never_needs_the_compiler(self, work):
        work.write("g", gold_lines(10))
        assert "numba" not in imported(work.folder, "convert", "g", "o", "--from", "gold", "--to", "talp")

    def test_evaluating_never_needs_the_compiler(self, work):
        work.write("g", gold_lines(10))
        assert "numba" not in imported(work.folder, "evaluate", "g", "g")

    def test_aligning_does(self, small):
        assert "numba" in imported(small.folder, "align", "s", "t", "-q", "-o", "o")
