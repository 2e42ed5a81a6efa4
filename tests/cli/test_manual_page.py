"""The manual page: made from the same as the help, kept in the project, and shown well."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import typer.main

from pralign import __version__
from pralign.cli.app import app
from pralign.cli.manual.description import Description
from pralign.cli.manual.man import man_page
from pralign.cli.manual.topics import TOPICS

PROGRAM = Description((), typer.main.get_command(app))
ROOT = Path(__file__).parents[2]
KEPT = ROOT / "docs" / "pralign.1"


@pytest.fixture(scope="module")
def page():
    return man_page(PROGRAM)


def needs(program: str):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"there is no {program}")


def test_the_page_that_is_kept_is_the_one_that_is_made(work, page):
    assert work.ok("help", "--man").out == page
    assert KEPT.read_text(encoding="utf-8") == page, "make it anew: pralign help --man > docs/pralign.1"


def test_it_is_installed_where_man_looks():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '"docs/pralign.1" = "share/man/man1/pralign.1"' in project


def test_it_has_no_date_and_nothing_but_ascii(page):
    assert page.startswith(f'.TH PRALIGN 1 "" "pralign {__version__}" "User Commands"\n')
    assert page.isascii()
    assert page == man_page(Description((), typer.main.get_command(app)))


def test_it_has_every_command_option_and_topic(page):
    plain = page.replace("\\-", "-")
    for each in PROGRAM.descendants():
        if each.path:
            section = plain.partition(f".SH {f'pralign {each.words}'.upper()}\n")[2].partition("\n.SH ")[0]
            assert f"\\fBpralign {each.words}\\fR" in section
            for option in each.options:
                assert option.long_name == "--help" or re.search(rf"{option.long_name}\b", section), (
                    each.words,
                    option.names,
                )
    headings = re.findall(r"^\.SH (.*)", plain, flags=re.MULTILINE)
    assert {"NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES"} <= set(headings)
    assert {topic.upper() for topic in TOPICS} - set(headings) == {"EXIT-CODES"}


def test_no_text_is_taken_for_a_command_of_roff(page):
    known = {"TH", "SH", "SS", "PP", "TP", "RS", "RE", "nf", "fi", "nh", "ad"}
    assert set(re.findall(r"^\.(\w+)", page, flags=re.MULTILINE)) == known
    assert not re.search(r"^'", page, flags=re.MULTILINE)
    escapes = set(re.findall(r"\\(\(..|\[u[0-9A-F]+\]|f.|.)", page))
    assert escapes <= {"-", "e", "&", "fB", "fI", "fR", "(aq", "(dq", "(ga", "(ha", "(ti", "[u00E8]"}


@needs("groff")
def test_groff_has_nothing_to_say_and_80_columns_are_enough(page):
    command = ["groff", "-man", "-Tutf8", "-ww", "-P-cbou", "-rLL=80n"]
    done = subprocess.run(command, input=page, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "pralign align source.txt target.txt -o links.txt" in done.stdout
    assert "\\" not in re.sub(r" \\\n", "", done.stdout)


@needs("mandoc")
def test_mandoc_misses_only_the_date(page):
    done = subprocess.run(["mandoc", "-Tlint"], input=page, capture_output=True, text=True, check=False)
    assert [line for line in done.stdout.splitlines() if "missing date" not in line] == []
