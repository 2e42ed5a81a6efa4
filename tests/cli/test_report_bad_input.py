"""Reports that cannot be made, each with one clear line and nothing left behind."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from cli.support import full_disk
from pralign.matching.storage import MATCHING
from pralign.storage.model import MODEL

SOURCE = ["the old house", "it is raining", "see you tomorrow"]
TARGET = ["la vieille maison", "il pleut", "à demain"]
LINKS = ["0-0 1-1 2-2", "0-0 1-1 2-1", "2-1"]
SCORED = ["0-0:0.9 1-1:0.5", "0-0:0.8", "2-1:0.7"]
USUAL = ["report", "s", "t", "--system", "A=a", "--bootstrap", "100"]


@pytest.fixture
def files(work):
    """A folder with three pairs ``s`` and ``t``, alignments ``a``, also with scores ``as``, and a gold ``g``."""
    for name, lines in (("s", SOURCE), ("t", TARGET), ("a", LINKS), ("as", SCORED), ("g", LINKS)):
        work.write(name, lines)
    return work


# Options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["s", "t"], "name at least one system, such as --system mine=links.txt"),
        ([*USUAL[1:], "--system", "A=g"], "two systems cannot have the same name: A, A"),
        ([*USUAL[1:], "--system", "A =g"], "two systems cannot have the same name: A, A"),
        ([*USUAL[1:], "--system", "g", "--system", "g"], "two systems cannot have the same name: A, g, g"),
        ([*USUAL[1:], "-o", "-", "--json", "-"], "only one of the results can go to standard output"),
        (["s", "t", "--system", "A=-", "--system", "B=-"], "only one of the files can be read from standard input"),
        (["-", "t", "--system", "A=-"], "only one of the files can be read from standard input"),
        (["-", "t", "--system", "A=a", "--gold", "-"], "only one of the files can be read from standard input"),
        ([*USUAL[1:], "--format", "x"], "unknown alignment format 'x'"),
        ([*USUAL[1:], "--gold", "g", "--gold-format", "x"], "unknown alignment format 'x'"),
        ([*USUAL[1:], "--layout", "x"], "a layout is bars, csv, tsv"),
        ([*USUAL[1:], "--system", "B="], "--system B=: names no file"),
        ([*USUAL[1:], "--languages", "en"], "--languages takes two codes such as en,fr, not 'en'"),
        ([*USUAL[1:], "--languages", 'en,"><b>'], "--languages takes two codes such as en,fr"),
    ],
)
def test_options_that_cannot_be(files, options, message):
    assert files.fails("report", *options, code=2).startswith(message)


@pytest.mark.parametrize(
    "option", [["--sample", "0"], ["--seed", "-1"], ["--bootstrap", "0"], ["--base", "2"], ["--sample", "x"]], ids=str
)
def test_numbers_that_cannot_be(files, option):
    before = files.snapshot()
    assert files.run(*USUAL, *option).code == 2
    assert files.snapshot() == before


@pytest.mark.parametrize(
    "options",
    [
        ["-o", "s"],
        ["-o", "t"],
        ["-o", "a"],
        ["-o", "g", "--gold", "g"],
        ["--json", "a"],
        ["-o", "same", "--json", "same"],
        ["-o", "same", "--json", "./folder/../same"],
        ["--json", "folder/../report.html"],
        ["-o", "link"],
    ],
    ids=" ".join,
)
def test_nothing_is_written_over_what_is_read_or_written(files, options):
    (files.folder / "folder").mkdir()
    (files.folder / "link").symlink_to(files.folder / "s")
    message = files.fails(*USUAL, *options, code=2)
    assert ": cannot be written, because it is also " in message


@pytest.mark.parametrize("written", [["-o", "figures/confidence.svg"], ["--json", "figures/confidence.svg"]], ids=str)
def test_no_curve_is_written_over_another_result(files, written):
    (files.folder / "figures").mkdir()
    message = files.fails("report", "s", "t", "--system", "A=as", "--figures", "figures", *written, code=2)
    assert message.startswith("figures/confidence.svg: cannot be written")


def test_no_curve_is_written_over_another_result_by_another_name(files):
    (files.folder / "figures").mkdir()
    place = files.folder / "figures"
    files.fails("report", "s", "t", "--system", "A=as", "--figures", "figures", "-o", place / "confidence.svg", code=2)


def test_no_curve_is_written_over_what_is_read(files):
    (files.folder / "figures").mkdir()
    files.write("figures/confidence.svg", SOURCE)
    files.fails("report", "figures/confidence.svg", "t", "--system", "A=as", "--figures", "figures", code=2)


# Files


@pytest.mark.parametrize("name", ["s", "t", "a", "g"])
def test_missing_files(files, name):
    (files.folder / name).unlink()
    assert files.fails(*USUAL, "--gold", "g") == f"{name}: cannot read: No such file or directory"


@pytest.mark.parametrize("name", ["s", "t", "a", "g"])
def test_directories_are_no_files(files, name):
    (files.folder / name).unlink()
    (files.folder / name).mkdir()
    assert files.fails(*USUAL, "--gold", "g") == f"{name}: cannot read: it is a directory"


@pytest.mark.parametrize("name", ["s", "t", "a", "g"])
def test_bytes_that_are_not_utf_8(files, name):
    files.write(name, b"0-0\n\xe0 demain\n0-0\n")
    assert files.fails(*USUAL, "--gold", "g").startswith(f"{name}, line 2, byte 1: 0xe0 is not valid UTF-8")


def test_texts_of_different_lengths(files):
    files.write("t", TARGET[:2])
    assert files.fails(*USUAL).startswith("s has 3 lines, t 2; line n of one has to translate")


def test_an_empty_text(files):
    for name in "sta":
        files.write(name, "")
    message = "s and t: there are no sentence pairs to report on: the text is empty"
    assert files.fails(*USUAL) == message
    assert files.fails(*USUAL, "--gold", "a", "--first") == message


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_systems_with_more_or_fewer_lines_than_the_text(files, count):
    files.write("a", [*LINKS, "0-0"][:count])
    assert files.fails(*USUAL) == f"a has {count} alignments, but there are 3 pairs"
    assert files.fails(*USUAL, "--sample", "1") == f"a has {count} alignments, but there are 3 pairs"


def test_systems_of_other_formats_with_more_pairs_than_the_text(files):
    files.write("a", ["1 1 1", "4 1 1"])
    assert files.fails(*USUAL).startswith("a, line 2: found '4'; expected a sentence id from 1 to 3")
    files.write("a", ['{"links": []}'] * 4)
    assert files.fails(*USUAL) == "a has 4 alignments, but there are 3 pairs"


def test_golds_with_more_or_fewer_lines_than_the_text(files):
    files.write("g", LINKS[:2])
    hint = "; if it is for the first pairs only, add --first"
    assert files.fails(*USUAL, "--gold", "g") == f"g has 2 alignments, but there are 3 pairs{hint}"
    files.write("g", [*LINKS, ""])
    for more in ([], ["--first"]):
        assert files.fails(*USUAL, "--gold", "g", *more) == "g has 4 alignments, but there are 3 pairs"
    files.write("g", [])
    assert files.fails(*USUAL, "--gold", "g", "--first") == "g: has no lines to judge by"


def test_lines_that_are_not_in_the_format(files):
    files.write("a", ["hello", *LINKS[1:]])
    assert files.fails(*USUAL).startswith("a, line 1: the format of alignments was not recognised: found 'hello'")
    files.write("a", [*LINKS[:2], "2x1"])
    assert files.fails(*USUAL, "--format", "pharaoh").startswith("a, line 3: found '2x1'")
    files.write("g", [*LINKS[:2], "2=1"])
    files.write("a", LINKS)
    assert files.fails(*USUAL, "--gold", "g").startswith("g, line 3: found '2=1'; expected links like 0-0")
    files.write("a", [SCORED[0], "0-0:high", ""])
    assert files.fails(*USUAL, "--format", "scored").startswith("a, line 2: found '0-0:high'")


@pytest.mark.parametrize("sample", [[], ["--sample", "2", "--seed", "0"]], ids=["all pairs", "some pairs"])
def test_links_outside_their_sentences(files, sample):
    """The second pair has two target words, and is among those drawn."""
    for name, given in (("a", USUAL), ("g", [*USUAL, "--gold", "g"])):
        files.write(name, [LINKS[0], "0-2", LINKS[2]])
        message = files.fails(*given, *sample)
        assert re.match(rf"{name}, (line|pair) 2: link 0-2 \(counted from 0\) lies outside a pair of 3 source", message)
        files.write(name, LINKS)


def test_links_outside_their_sentences_are_named_as_in_the_file(files):
    files.write("a", ["1-1", "3-3", "1-1"])
    assert re.match(r"a, (line|pair) 2: link 3-3 \(counted from 1\)", files.fails(*USUAL, "--base", "1"))
    files.write("a", ["1 1 1", "2 4 1"])
    assert files.fails(*USUAL).startswith("a, pair 2: link 4-1 (counted from 1)")
    files.write("a", ["1-1", "0-1", "1-1"])
    assert "positions counted from 1" in files.fails(*USUAL, "--base", "1")


# Scores beyond all measure


@pytest.mark.parametrize(
    "scores",
    [
        pytest.param((1.0, 0.9999999999999999), id="neighbouring numbers"),
        pytest.param((5e-324, 0.0), id="tiny numbers"),
        pytest.param((1e308, 1e308), id="huge numbers"),
        pytest.param((1e308, -1e308), id="huge numbers of both signs"),
    ],
)
@pytest.mark.parametrize("gold", [[], ["--gold", "g"]], ids=["no gold", "gold"])
def test_any_scores_can_be_shown(files, scores, gold):
    first, second = scores
    files.write("a", [f'{{"links": [[0, 0], [1, 1]], "scores": [{first!r}, {second!r}]}}', "", ""])
    files.ok(*USUAL, *gold, "--json", "j", "-q")
    json.loads(files.read("j"), parse_constant=pytest.fail)


@pytest.mark.skipif(os.name != "posix", reason="names of files are always text here")
def test_names_of_files_that_are_no_text(files):
    name = os.fsdecode(b"caf\xe9")
    shutil.copy(files.folder / "s", files.folder / name)
    files.ok("report", name, "t", "--system", "A=a", "--json", "j", "-q")
    assert json.loads(files.read("j"))["tables"]["corpus"]["rows"][0]["text"]


# Results that cannot be written


@pytest.mark.parametrize("option", ["-o", "--json"])
def test_places_that_cannot_be_written_to(files, option):
    assert files.fails(*USUAL, option, "nowhere/r") == "nowhere/r: the directory nowhere does not exist"
    assert files.fails(*USUAL, option, files.folder).endswith("is a directory; name a file to write to")


def test_places_are_looked_at_before_anything_is_read(files):
    (files.folder / "a").unlink()
    assert files.fails(*USUAL, "-o", "nowhere/r") == "nowhere/r: the directory nowhere does not exist"


def test_figures_need_a_directory(files):
    for place in ("s", "s/deep"):
        assert files.fails("report", "s", "t", "--system", "A=as", "--figures", place).startswith(
            f"{place}: cannot write"
        )


def test_if_a_curve_cannot_be_written_nothing_is(files):
    (files.folder / "figures" / "aer.svg").mkdir(parents=True)
    options = ["--system", "A=as", "--gold", "g", "--figures", "figures", "--json", "j"]
    assert files.fails("report", "s", "t", *options).startswith("figures/aer.svg: cannot write")


@full_disk
@pytest.mark.parametrize("option", ["-o", "--json"])
def test_a_full_disk(files, option):
    files.write("report.html", "old\n")
    files.write("j", "old\n")
    other = ["--json", "j"] if option == "-o" else []
    message = files.fails(*USUAL, "--gold", "g", option, "/dev/full", *other)
    assert message == "/dev/full: cannot write: No space left on device"


@full_disk
def test_a_full_disk_leaves_no_directory_behind(files):
    files.fails("report", "s", "t", "--system", "A=as", "-o", "/dev/full", "--figures", "figures")


@full_disk
def test_standard_output_on_a_full_disk(files):
    before = files.snapshot()
    with Path("/dev/full").open("wb") as full:
        code, _, err = files.process(*USUAL, "-q", "-o", "-", "--json", "j", stdout=full)
    assert (code, err) == (1, "pralign: standard output: cannot write: No space left on device\n")
    assert files.snapshot() == before


# Models


def test_directories_that_hold_no_model(files):
    (files.folder / "m").mkdir()
    assert files.fails(*USUAL, "--model", "m") == "m: there is no model here: manifest.json is missing"
    assert files.fails(*USUAL, "--model", "n") == "n: there is no model here: no such directory"
    assert files.fails(*USUAL, "--model", "s") == "s: there is no model here: not a directory"
    files.write("m/manifest.json", "{")
    assert files.fails(*USUAL, "--model", "m").startswith("m: manifest.json is damaged")


DAMAGED = {"checksum": "wrong", "pralign_version": "0"}


def test_a_damaged_model(files):
    (files.folder / "m").mkdir()
    files.write("m/manifest.json", json.dumps({"format": MODEL.format, "format_version": MODEL.version, **DAMAGED}))
    assert files.fails(*USUAL, "--model", "m") == "m: manifest.json is damaged: it is not the file that was saved"


def test_a_damaged_matching_model(files):
    (files.folder / "m").mkdir()
    files.write(
        "m/manifest.json", json.dumps({"format": MATCHING.format, "format_version": MATCHING.version, **DAMAGED})
    )
    assert files.fails(*USUAL, "--model", "m") == "m: manifest.json is damaged: it is not the file that was saved"
