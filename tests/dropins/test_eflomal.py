"""eflomal-align and eflomal-makepriors under other names: options, files, formats, exit codes."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from contextlib import ExitStack
from functools import partial

import pytest

from dropins.conftest import lines_of, links_of
from pralign.dropins import linking
from pralign.dropins.eflomal import NAME, eflomal
from pralign.dropins.linking import NAMES, link_into, module_path
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


def test_priors_of_repeated_and_unsorted_links_are_those_of_eflomal(called, tmp_path):
    """What eflomal 2.0 writes for these files."""
    links = "2-0 0-0 1-1\n0-0 0-0 1-1\n"
    for name, lines in (("s", "a b c\nd e\n"), ("t", "x y z\nu v\n"), ("f", links), ("r", links)):
        (tmp_path / name).write_text(lines)
    files = [part for name in "stfr" for part in (f"-{name}", tmp_path / name)]
    wanted = [
        *("LEX a x 1", "LEX b y 1", "LEX c x 1", "LEX d u 2", "LEX e v 1"),
        *("FERF a 1 1", "FERF b 1 1", "FERF c 1 1", "FERF d 2 1", "FERF e 1 1"),
        *("FERR u 2 1", "FERR v 1 1", "FERR x 2 1", "FERR y 1 1"),
        *("HMMF 1 4", "HMMF 2 1", "HMMF 3 1", "HMMR -1 1", "HMMR 1 5", "HMMR 3 1"),
    ]
    code, out, err = called(PRIORS_NAME, makepriors, *files)
    assert (code, out.replace("\t", " ").splitlines(), err) == (0, wanted, "")


@pytest.mark.parametrize("wrong", ["0-0 1", "0-0 0-1", "0-0\n0-0"])
def test_links_that_priors_cannot_be_counted_in_are_named(called, tmp_path, wrong):
    for name, line in (("s", "a"), ("t", "x"), ("f", wrong), ("r", "0-0")):
        (tmp_path / name).write_text(f"{line}\n")
    code, _, err = called(PRIORS_NAME, makepriors, *(part for name in "stfr" for part in (f"-{name}", tmp_path / name)))
    assert code == 1 and f"{tmp_path / 'f'}" in err
    assert ("line 1: " in err) == ("\n" not in wrong)


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


def test_names_are_made_anew_but_not_in_place_of_others(align, tmp_path):
    assert align("--link-into", tmp_path)[0] == 0
    (tmp_path / "fast_align").unlink()
    (tmp_path / "align.py").write_text('#!/bin/sh\nexec /old/python -m pralign.dropins.eflomal "$@"\n')
    assert align("--link-into", tmp_path) == (0, "", "")
    assert (tmp_path / "fast_align").exists() and "/old/" not in (tmp_path / "align.py").read_text()
    for name, content in {"atools": "another", "makepriors.py": 'exec python -m pralign.dropins.x -v "$@"\n'}.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "fast_align").unlink()
    code, _, err = align("--link-into", tmp_path)
    assert code == 1 and f"{tmp_path}/atools, {tmp_path}/makepriors.py: there already, and not made by this" in err
    assert (tmp_path / "atools").read_text() == "another" and not (tmp_path / "fast_align").exists()
    assert align("--link-into", tmp_path, "--overwrite")[0] == 0
    assert "pralign" in (tmp_path / "atools").read_text()


@pytest.mark.skipif(os.name == "nt", reason="other commands")
@pytest.mark.parametrize("called_by", [(), (sys.executable,)], ids=["its name", "a Python"])
def test_commands_start_by_name_and_by_python_wherever_they_are_called(tmp_path, monkeypatch, called_by):
    """With a Python whose path has a space and a quote, in a folder with a file that has the name of a module."""
    python = tmp_path / "a 'b" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)
    monkeypatch.setattr(linking.sys, "executable", str(python))
    link_into(tmp_path / "bin", False)
    (tmp_path / "tokenize.py").write_text("raise SystemExit('the wrong one')\n")
    done = subprocess.run(
        [*called_by, tmp_path / "bin" / "align.py", "--module-path"], cwd=tmp_path, capture_output=True, check=True
    )
    assert done.stdout.decode().strip() == str(module_path())


def test_all_commands_leave_the_current_folder_off_the_path(tmp_path, monkeypatch):
    for system in ("posix", "nt"):
        monkeypatch.setattr(linking.os, "name", system)
        assert all(" -P -m pralign.dropins." in linking._command(name) for name in NAMES)


def test_options_may_be_shortened_as_those_of_eflomal_may(align, tmp_path):
    (tmp_path / "j").write_text("a ||| b\n")
    assert align("-i", tmp_path / "j", "--forward-l", "-", "--mod", "1", "--l", "1", "-1", "5")[:2] == (0, "0-0\n")
    out = align("--help")[1]
    assert "--module-path" in out and "--link-into DIR" in out


def test_files_that_are_open_get_the_results(align, called, tmp_path):
    """What callers with temporary files do: they read what they have open."""
    (tmp_path / "j").write_text("a ||| b\n")
    with ExitStack() as stack:
        opened = {name: stack.enter_context((tmp_path / name).open("w+")) for name in "frFRp"}
        files = (value for name in "frFR" for value in (f"-{name}", tmp_path / name))
        assert align("-i", tmp_path / "j", *files, "--overwrite")[0] == 0
        links = ("-f", tmp_path / "f", "-r", tmp_path / "r")
        assert called(PRIORS_NAME, makepriors, "-i", tmp_path / "j", *links, "-p", tmp_path / "p")[0] == 0
        found = {name: stream.read() for name, stream in opened.items()}
    assert found["f"] == found["r"] == "0-0\n"
    assert all(found.values())


def test_empty_names_are_as_good_as_none(align, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "j").write_text("a ||| b\n")
    assert align("-i", "j", "-f", "-", "-r", "", "-F", "", "-R", "", "-p", "") == (0, "0-0\n", "")
    assert [path.name for path in tmp_path.iterdir()] == ["j"]
