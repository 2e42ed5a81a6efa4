"""``pralign experiment``: what it writes, and how it complains."""

from __future__ import annotations

import pytest

from cli.support import gold_lines, sample_lines

STUDY = """
title = "A study"
about = "Two models | of the sample."

[corpora.everyday]
title = "Everyday"
languages = ["en", "fr"]
about = "It comes with the program."
dev = ["dev.en", "dev.fr", "dev.gold"]
train = ["train.en", "train.fr"]
pairs = [20, 40]

[systems.one]
title = "IBM 1"
model = "ibm1"

[systems.two]
title = "IBM 2 <b>"
model = "ibm2"

[[tables]]
kind = "scores"
title = "Scores"
chart = "aer"
"""


@pytest.fixture
def study(work):
    """A folder with data in ``corpora`` and an experiment, ``study.toml``."""
    (work.folder / "corpora").mkdir()
    for name, start, count in (("dev", 0, 20), ("train", 60, 40)):
        for side, lines in zip(("en", "fr"), sample_lines(count, start), strict=True):
            work.write(f"corpora/{name}.{side}", lines)
    work.write("corpora/dev.gold", gold_lines(20))
    work.write("study.toml", STUDY)
    return work


def test_results_are_where_they_are_said_to_be(study):
    outcome = study.ok("experiment", "study.toml", "--data", "corpora", "--page", "page.md")
    assert "everyday-20: IBM 1\n" in outcome.err
    assert "experiments/study/report.html: open it in a browser" in outcome.err
    assert outcome.out == ""
    tables = study.read("experiments/study/tables.md")
    assert tables.startswith("## A study\n\nTwo models | of the sample.\n\n### Scores\n")
    assert tables.count("| IBM 2 <b>") == 2
    page = study.read("page.md")
    assert page.startswith("# What came out\n")
    assert "\n\n## A study\n" in page
    assert "](page/study-table-1-everyday-dev.svg)" in page
    assert study.read("page/study-table-1-everyday-dev.svg").startswith("<svg")
    html = study.read("experiments/study/report.html")
    assert "IBM 2 &lt;b&gt;" in html
    assert "<b>" not in html
    assert 'href="pairs-everyday-20.html"' in html
    assert "<script" not in html


def test_a_dry_run_says_what_would_be_done(study):
    before = study.snapshot()
    out = study.ok("experiment", "study.toml", "--data", "corpora", "--dry-run").out
    assert study.snapshot() == before
    assert "  everyday-20: Everyday, 40 pairs (dev 20, 20 with a gold)\n    to do  IBM 1: trains ibm1=5, em" in out
    assert "  table 1, Scores: everyday-20, everyday-40\n" in out


def test_little_text_to_try_it_out(study):
    out = study.ok("experiment", "study.toml", "--data", "corpora", "--dry-run", "--pairs", 5).out
    assert "everyday-5: Everyday, 25 pairs" in out
    assert "everyday-20" not in out


def test_quiet_is_quiet(study):
    assert study.ok("experiment", "study.toml", "--data", "corpora", "--pairs", 5, "-q").err == ""


def test_a_page_whose_name_has_no_ending(study):
    study.ok("experiment", "study.toml", "--data", "corpora", "--page", "page", "-q")
    assert "](page-figures/study-table-1-everyday-dev.svg)" in study.read("page")
    assert study.read("page-figures/study-table-1-everyday-dev.svg").startswith("<svg")


def test_two_experiments_on_one_page(study):

    study.write("other.toml", STUDY.replace("A study", "Another"))
    study.ok("experiment", "study.toml", "other.toml", "--data", "corpora", "--page", "page.md", "-q", "--pairs", 5)
    page = study.read("page.md")
    assert page.index("## A study") < page.index("## Another")


def test_misuse(study):
    assert "no such" in study.fails("experiment", "none.toml", "--data", "corpora").lower()
    nowhere = study.fails("experiment", "study.toml", "--data", "nowhere", code=2)
    assert nowhere == "--data nowhere: is no directory; name the folder that has the data"
    (study.folder / "other").mkdir()
    study.write("other/study.toml", STUDY)
    two = study.fails("experiment", "study.toml", "other/study.toml", "--data", "corpora", code=2)
    assert two == "results go into folders named after the files, and two are called study"
    gone = study.fails("experiment", "study.toml")
    assert "corpora.everyday: there is no file dev.en and 4 more; --data DIR names the folder of the data" in gone
    assert "It comes with the program." in gone
    study.write("file", "")
    assert "file" in study.fails("experiment", "study.toml", "--data", "corpora", "-o", "file")
    wrong = study.fails("experiment", "study.toml", "--data", "corpora", "--page", "nowhere/page.md")
    assert "the directory nowhere does not exist" in wrong


def test_settings_that_cannot_be_are_told_before_anything_is_done(study):
    study.write("study.toml", STUDY.replace('model = "ibm2"', 'model = "ibm9"'))
    assert "ibm9" in study.fails("experiment", "study.toml", "--data", "corpora", code=2)
