"""Results never take the place of what is read, nor of each other, and this is found before anything is read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from pralign import sample
from pralign.cli.path_checks import check_paths
from pralign.errors import UsageError


class Command(NamedTuple):
    """A command line with the word OUT where the results go, the options that name results, and what is read."""

    line: str
    options: list[str]
    inputs: str

    def writing_to(self, place: object, option: str) -> list[str]:
        words = []
        for word in self.line.split():
            words += [option, str(place)] if word == "OUT" else [word]
        return [word for word in words if word]


MODEL = "m/manifest.json m/source.json m/new m/model/manifest.json m/model/new"
COMMANDS = {
    "align": Command(
        "align s t -q --dev ds dt dg --prior p --prior m OUT",
        ["-o", "--forward", "--reverse", "--scores"],
        f"s t ds dt dg p {MODEL}",
    ),
    "align --load": Command(
        "align s t -q --load m --dev ds dt dg OUT",
        ["-o", "--forward", "--reverse", "--scores"],
        f"s t ds dt dg {MODEL}",
    ),
    "align --save": Command(
        "align s t -q --dev ds dt dg --prior p --prior m OUT", ["--save"], f"s t ds dt dg p m {MODEL}"
    ),
    "train": Command("train s t -q --dev ds dt dg --prior p --prior m OUT", ["--save"], f"s t ds dt dg p m {MODEL}"),
    "train --from": Command(
        "train s t -q --from m --dev ds dt dg --prior p OUT", ["--save"], f"s t ds dt dg p {MODEL}"
    ),
    "match fit": Command(
        "match fit s t -q --labelled ds dt dg --validation vs vt vg --prediction p --model m OUT",
        ["--save"],
        f"s t ds dt dg vs vt vg p m {MODEL}",
    ),
    "match align": Command("match align s t -q --load m --prediction p --prediction a OUT", ["-o"], f"s t p a {MODEL}"),
    "lexicon": Command("lexicon s t a OUT", ["-o"], "s t a"),
    "phrases": Command("phrases s t a --model m --count posteriors OUT", ["-o", "--reordering"], f"s t a {MODEL}"),
    "transfer": Command("transfer s t a -q OUT", ["-o"], "s t a"),
    "transfer --model": Command("transfer --spans s t -q --model m OUT", ["-o"], f"s t {MODEL}"),
    "rules": Command("rules s t a OUT", ["-o", "--glue"], "s t a"),
    "shortlist": Command("shortlist s t a --vocab p g OUT", ["-o"], "s t a p g"),
    "classes": Command("classes s -q OUT", ["-o"], "s"),
    "symmetrize": Command("symmetrize s a --heuristic union OUT", ["-o"], "s a"),
    "convert": Command("convert a OUT --from pharaoh --to gold --source s --target t", [""], "s t a"),
    "show": Command("show s t a --gold g OUT", ["-o"], "s t a g"),
    "show --svg": Command("show s t a --svg OUT", ["-o"], "s t a"),
    "report": Command("report s t --system A=a --system B=p --gold g OUT", ["-o", "--json"], "s t a p g"),
    "report --model": Command("report s t --system A=a --model m OUT", ["-o", "--json"], f"s t a {MODEL}"),
}
CASES = [
    pytest.param(command.writing_to(place, option), place, id=f"{name} {option} {place}".replace("  ", " "))
    for name, command in COMMANDS.items()
    for option in command.options
    for place in command.inputs.split()
]


@pytest.fixture
def files(work, monkeypatch):
    """A folder with all that these commands read, none of which may be opened."""
    for name in ["s", "t", "ds", "dt", "dg", "vs", "vt", "vg", "p", "a", "g", "old"]:
        work.write(name, f"{name}\n")
    (work.folder / "m" / "model").mkdir(parents=True)
    for name in ("manifest.json", "source.json", "model/manifest.json"):
        work.write(f"m/{name}", "{}\n")

    def fail(path):
        raise AssertionError(f"{path} was opened")

    monkeypatch.setattr("pralign.text.files._open_bytes", fail)
    return work


def refused(work, arguments):
    message = work.fails(*arguments, code=2)
    assert message.endswith("; choose another place")
    return message.removesuffix("; choose another place")


# Results over what is read


@pytest.mark.parametrize(("arguments", "place"), CASES)
def test_what_is_read_is_not_written(files, arguments, place):
    message = refused(files, arguments)
    if place.startswith("m/"):
        assert message == f"{place}: cannot be written, because it belongs to the input m"
    else:
        assert message == f"{place}: cannot be written, because it is also the input {place}"


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("kind", ["dots", "absolute", "symbolic", "chain", "directory", "hard"])
def test_other_names_of_what_is_read_are_seen_through(files, name, kind):
    (files.folder / "d").mkdir()
    (files.folder / "symbolic").symlink_to("s")
    (files.folder / "d" / "chain").symlink_to("../symbolic")
    (files.folder / "directory").symlink_to(files.folder)
    (files.folder / "hard").hardlink_to(files.folder / "s")
    spelled = {"dots": "d/../s", "absolute": files.folder / "s", "chain": "d/chain", "directory": "directory/s"}
    place = spelled.get(kind, kind)
    command = COMMANDS[name]
    for option in command.options:
        message = refused(files, command.writing_to(place, option))
        assert message == f"{place}: cannot be written, because it is also the input s"


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if MODEL in command.inputs])
def test_other_names_of_what_a_model_holds_are_seen_through(files, name):
    (files.folder / "hard").hardlink_to(files.folder / "m" / "manifest.json")
    (files.folder / "deep").hardlink_to(files.folder / "m" / "model" / "manifest.json")
    (files.folder / "link").symlink_to("m")
    files.write("elsewhere", "{}\n")
    (files.folder / "m" / "target.json").symlink_to("../elsewhere")
    command = COMMANDS[name]
    for place in ("hard", "deep", "link/source.json", "elsewhere", files.folder / "m" / "new"):
        message = refused(files, command.writing_to(place, command.options[0]))
        assert message == f"{place}: cannot be written, because it belongs to the input m"


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if "--save" in command.options])
def test_a_model_is_not_saved_over_text_in_its_directory(files, name):
    (files.folder / "d").mkdir()
    (files.folder / "s").rename(files.folder / "d" / "source.json")
    (files.folder / "s").symlink_to("d/source.json")
    message = refused(files, COMMANDS[name].writing_to("d", "--save"))
    assert message == "d: cannot be written, because it holds the input s"


def test_figures_are_not_drawn_over_what_is_read(files):
    (files.folder / "d").mkdir()
    (files.folder / "d" / "confidence.svg").symlink_to("../a")
    message = refused(files, ["report", "s", "t", "--system", "A=a", "--figures", "d"])
    assert message == "d/confidence.svg: cannot be written, because it is also the input a"
    message = refused(files, ["report", "s", "t", "--system", "A=a", "--model", "m", "--figures", "m/figures"])
    assert message.endswith(".svg: cannot be written, because it belongs to the input m")


@pytest.mark.parametrize("path", [sample.SOURCE, sample.TARGET, sample.GOLD], ids=lambda path: path.name)
def test_the_demo_does_not_write_over_its_sample(files, path):
    before = path.read_bytes()
    (files.folder / "page.html").symlink_to(path)
    message = refused(files, ["demo", "--report", "page.html"])
    assert message == f"page.html: cannot be written, because it is also the input {path}"
    assert path.read_bytes() == before


# Two results in one place


@pytest.mark.parametrize(
    ("arguments", "place", "other"),
    [
        ("align s t -q -o old --scores hard", "hard", "old"),
        ("align s t -q --forward symbolic --reverse old", "old", "symbolic"),
        ("align s t -q --reverse new --scores ./d/../new", "d/../new", "new"),
        ("report s t --system A=a -o old --json hard", "hard", "old"),
        ("report s t --system A=a -o d/confidence.svg --figures d", "d/confidence.svg", "d/confidence.svg"),
        ("align s t -q -o model --save model", "model", "model"),
    ],
)
def test_two_results_do_not_go_to_one_place(files, arguments, place, other):
    (files.folder / "d").mkdir()
    (files.folder / "hard").hardlink_to(files.folder / "old")
    (files.folder / "symbolic").symlink_to("old")
    message = refused(files, arguments.split())
    assert message == f"{place}: cannot be written, because it is also another result, {other}"


def test_no_result_is_written_into_a_model_that_is_saved(files):
    message = refused(files, ["align", "s", "t", "-q", "-o", "m/manifest.json", "--save", "m"])
    assert message == "m/manifest.json: cannot be written, because it belongs to another result, m"


def test_two_results_do_not_both_go_to_standard_output(files):
    message = files.fails("align", "s", "t", "-q", "--scores", "-", code=2)
    assert message == "only one of the results can go to standard output"


# What is no harm


def test_results_that_are_not_wanted_go_to_the_null_device(model):
    results = ["-o", os.devnull, "--forward", os.devnull, "--reverse", os.devnull, "--scores", os.devnull]
    assert model.ok("align", "s", "t", "-q", "--load", "m", *results).out == ""
    assert model.ok("symmetrize", os.devnull, os.devnull, "--heuristic", "union", "-o", os.devnull).out == ""


def test_a_model_is_saved_again_in_its_own_place_by_another_name(model):
    (model.folder / "link").symlink_to("m")
    model.ok("align", "s", "t", "-q", "--load", "m", "--save", "link", "-o", "out")
    assert len(model.lines("out")) == 6


def test_files_beside_those_that_are_read_are_written(files):
    check_paths([Path("s"), Path("m")], [Path("s2"), Path("model"), Path("d/s"), Path("mm/new")], Path("m2"))
    check_paths([Path("s"), None], [None, Path("out"), Path("old")], None, Path("m"))
    check_paths([Path("s")], [Path("out")], Path("m"), Path("m"))


def test_standard_streams_and_pipes_are_read_and_written(files):
    os.mkfifo("pipe")
    check_paths([Path("-"), Path("pipe")], [Path("-"), Path("pipe")])
    with pytest.raises(UsageError, match="pipe: cannot be written, because it is also another result, pipe"):
        check_paths([], [Path("pipe"), Path("pipe")])
    with pytest.raises(UsageError, match="only one of the files"):
        check_paths([Path("-"), Path("-")], [])


def test_links_that_lead_nowhere(files):
    Path("loop").symlink_to("loop")
    Path("dangling").symlink_to("new")
    check_paths([Path("s")], [Path("loop"), Path("dangling")])
    with pytest.raises(UsageError, match="dangling: cannot be written, because it is also another result, new"):
        check_paths([], [Path("new"), Path("dangling")])
