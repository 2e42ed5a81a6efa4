"""eflomal-align and eflomal-makepriors under other names: options, files, formats, exit codes."""

from __future__ import annotations

import subprocess
from functools import partial

import pytest

from dropins.conftest import lines_of, links_of
from pralign.dropins.eflomal import NAME, eflomal
from pralign.dropins.linking import NAMES
from pralign.dropins.makepriors import NAME as PRIORS_NAME
from pralign.dropins.makepriors import makepriors


@pytest.fixture
def align(called):
    return partial(called, NAME, eflomal)


@pytest.fixture(scope="module")
def aligned(tmp_path_factory, text):
    """What is written for the text by all options for files."""
    folder = tmp_path_factory.mktemp("aligned")
    files = (value for letter in "frFR" for value in (f"-{letter}", str(folder / letter)))
    assert eflomal(["-s", str(text / "s"), "-t", str(text / "t"), *files]) == 0
    return folder


def test_links_are_directional_and_in_the_order_of_what_they_go_out_from(aligned, sentences):
    for name, side in (("f", 1), ("r", 0)):
        found = [links_of(line) for line in lines_of(aligned / name)]
        assert sum(map(len, found)) > 200
        for links, source, target in zip(found, *sentences, strict=True):
            words = [link[side] for link in links]
            assert words == sorted(set(words))
            assert all(i < len(source.split()) and j < len(target.split()) for i, j in links)


def test_empty_pairs_are_answered_as_eflomal_does(aligned):
    for place in (3, 10, 59):
        assert [lines_of(aligned / name)[place] for name in "frFR"] == ["", "", "-0", "-0"]


def test_scores_are_lower_for_better_pairs(aligned, align, called, text, tmp_path, sentences):
    """Half of the pairs get the target side of another: with priors of the text, these score higher."""
    links = ("-f", aligned / "f", "-r", aligned / "r")
    texts = ("-s", text / "s", "-t", text / "t")
    assert called(PRIORS_NAME, makepriors, *texts, *links, "--priors", tmp_path / "p") == (0, "", "")
    source, target = ([line for k, line in enumerate(side) if k not in (3, 10, 59)] for side in sentences)
    wrong = target[:30] + target[31:] + target[30:31]
    for name, lines in (("s", source), ("t", wrong)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    files = ("-s", tmp_path / "s", "-t", tmp_path / "t", "-F", tmp_path / "F", "-R", tmp_path / "R")
    assert align(*files, "-p", tmp_path / "p")[0] == 0
    for name in "FR":
        scores = [float(line) for line in lines_of(tmp_path / name)]
        assert sum(scores[:30]) / 30 + 1 < sum(scores[30:]) / 30


def test_priors_are_counted_in_links(called, aligned, text):
    files = ("-f", aligned / "f", "-r", aligned / "r")
    code, out, err = called(PRIORS_NAME, makepriors, "-s", text / "s", "-t", text / "t", *files)
    assert (code, err) == (0, "")
    assert called(PRIORS_NAME, makepriors, "-i", text / "joint", *files)[1] == out
    found = [line.split("\t") for line in out.splitlines()]
    assert [kind for kind, _ in zip(dict.fromkeys(row[0] for row in found), range(9), strict=False)] == [
        *("LEX", "FERF", "FERR", "HMMF", "HMMR")
    ]
    links = sum(len(links_of(line)) for line in lines_of(aligned / "f"))
    assert sum(int(row[3]) for row in found if row[0] == "LEX") == links


def test_one_file_with_bars_does_as_well(align, aligned, text, tmp_path):
    assert align("-i", text / "joint", "-f", "-", "-r", tmp_path / "r")[:2] == (0, (aligned / "f").read_text())
    assert (tmp_path / "r").read_text() == (aligned / "r").read_text()


def test_files_of_links_are_overwritten_only_if_that_is_wanted(align, text, tmp_path):
    for name, lines in (("s", "a b\n\n"), ("t", "c d\n\n"), ("f", "old")):
        (tmp_path / name).write_text(lines)
    files = ("-s", tmp_path / "s", "-t", tmp_path / "t", "-f", tmp_path / "f")
    code, _, err = align(*files)
    assert code == 1 and "exists, will not overwrite" in err
    assert (tmp_path / "f").read_text() == "old"
    assert align(*files, "--overwrite")[0] == 0
    assert len(lines_of(tmp_path / "f")) == 2


def test_options_without_effect_are_named(align, tmp_path):
    (tmp_path / "j").write_text("a ||| b\n\n")
    code, out, err = align(
        *("-i", tmp_path / "j", "-f", "-", "--null-prior", "0.3", "-1", "5", "-3", "9", "--n-samplers", "1", "--debug"),
        *("-l", "0.2", "--source-prefix", "2", "--target-suffix", "3", "-m", "1"),
    )
    assert (code, out) == (0, "0-0\n\n")
    assert err.splitlines() == [
        f"{NAME}: --null-prior, --ibm1-iters, --fert-iters, --n-samplers have no effect: these are about a sampler, "
        "and pralign does not sample",
        f"{NAME}: --debug has no effect: there is no program to debug",
        f"{NAME}: --length 0.2 is approximated: preset fast",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("-s", "s"), 1, "need to specify either -s and -t, or -i"),
        (("-s", "s", "-t", "none", "-f", "f"), 1, "input file none does not exist!"),
        (("-s", "s", "-t", "t", "-f", "f"), 1, "s has 2 lines, t 1"),
        (("-i", "s", "-f", "f"), 1, "s, line 1: not one |||"),
        (("-i", "j", "-f", "f", "-p", "t"), 1, "the priors, line 1"),
        (("-i", "j", "-f", "j", "--overwrite"), 1, "j"),
        (("-i", "j", "-m", "4"), 2, "invalid choice: 4"),
        (("-i", "j"), 0, "nothing is written"),
    ],
)
def test_what_cannot_be_done_is_said(align, tmp_path, monkeypatch, arguments, code, said):
    monkeypatch.chdir(tmp_path)
    for name, content in (("s", "a\nb\n"), ("t", "c\n"), ("j", "a ||| b\n")):
        (tmp_path / name).write_text(content)
    found, _, err = align(*arguments)
    assert found == code and said in err
    assert (tmp_path / "j").read_text() == "a ||| b\n" and not (tmp_path / "f").exists()


def test_names_that_scripts_look_for_are_made(align, tmp_path):
    folder = tmp_path / "a b" / "bin"
    assert align("--link-into", folder)[0] == 0
    assert sorted(path.name for path in folder.iterdir()) == sorted(NAMES)
    (tmp_path / "l").write_text("1-0\n")
    done = subprocess.run([folder / "atools", "-i", tmp_path / "l", "-c", "invert"], capture_output=True, check=True)
    assert done.stdout == b"0-1\n"
    code, _, err = align("--link-into", folder)
    assert code == 1 and "is there already" in err
    assert align("--link-into", folder, "--overwrite")[0] == 0
