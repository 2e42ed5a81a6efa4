"""The demonstration."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import pytest

from cli.support import full_disk
from pralign import sample
from pralign.aligner import Aligner
from pralign.cli import demo
from pralign.errors import OutputError


@pytest.fixture
def no_training(monkeypatch):
    """Whatever fails has to do so before anything is trained."""

    def fail(*arguments, **options):
        raise AssertionError("a model was trained")

    monkeypatch.setattr(Aligner, "fit_align", fail)


def test_a_report_is_written_into_the_working_directory(work):
    outcome = work.ok("demo")
    assert list(work.snapshot()) == ["pralign-demo.html"]
    assert "open pralign-demo.html in a browser." in outcome.out
    assert "460 sentence pairs aligned." in outcome.out
    page = work.read("pralign-demo.html")
    assert "<title>Everyday English and French</title>" in page
    assert "This report looks at the first 60 of 460 sentence pairs, which are also aligned by hand." in page
    for part in ("IBM Model 1", "table-scores", "table-significance", "curve-likelihood", "Signature of the model:"):
        assert part in page
    shown = re.search(r"AER +(\S+) %", outcome.out)[1]
    assert re.search(rf"<li>pralign: .* error rate, which is better the lower it is, is {float(shown):.1f}\s%", page)


def test_the_report_goes_where_it_is_asked_to(work):
    (work.folder / "deep").mkdir()
    outcome = work.ok("demo", "--report", "deep/page.html")
    assert [name for name, content in work.snapshot().items() if content is not None] == ["deep/page.html"]
    assert "open deep/page.html in a browser." in outcome.out


def test_a_place_that_cannot_be_written_to_is_found_before_training(work, no_training):
    message = work.fails("demo", "--report", "nowhere/page.html")
    assert message == "nowhere/page.html: the directory nowhere does not exist"
    assert work.fails("demo", "--report", work.folder).endswith("is a directory; name a file to write to")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind whoever runs this")
def test_a_place_without_permission_is_found_before_training(work, no_training):
    (work.folder / "closed").mkdir(mode=0o500)
    assert work.fails("demo", "--report", "closed/page.html") == "closed/page.html: no permission to write here"


def test_a_working_directory_that_cannot_be_written_to(work, tmp_path_factory, monkeypatch):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    monkeypatch.setattr(demo, "check_writable", _refuse_the_working_directory)
    outcome = work.ok("demo")
    assert work.snapshot() == {}
    (page,) = elsewhere.rglob("*.html")
    assert page.name == "pralign-demo.html"
    assert f"open {page} in a browser." in outcome.out
    assert "</html>" in page.read_text(encoding="utf-8")


def _refuse_the_working_directory(path):
    if Path(path).parent == Path():
        raise OutputError(f"{path}: no permission to write here")


@full_disk
def test_a_full_disk(work):
    outcome = work.run("demo", "--report", "/dev/full")
    assert outcome.code == 1
    assert outcome.err.endswith("pralign: /dev/full: cannot write: No space left on device\n")
    assert work.snapshot() == {}


def test_a_page_on_standard_output_would_be_mixed_with_what_the_demo_says(work, no_training):
    message = work.fails("demo", "--report", "-", code=2)
    assert message == "the report goes to a file, since standard output is for what the demo says"


# The files of the sample


@pytest.mark.parametrize("folder", [".", "new/deep"])
def test_the_files_of_the_sample_are_copied_and_nothing_else_is_done(work, no_training, folder):
    outcome = work.ok("demo", "--copy", folder)
    assert outcome.out == ""
    files = {name: content for name, content in work.snapshot().items() if content is not None}
    originals = {"sample.en": sample.SOURCE, "sample.fr": sample.TARGET, "sample.gold": sample.GOLD}
    assert files == {str(Path(folder, name)): path.read_bytes() for name, path in originals.items()}
    assert all(name in outcome.err for name in files)
    assert work.ok("demo", "--copy", folder, "--quiet").err == ""


def test_copies_that_cannot_be_written(work, no_training):
    work.write("file", "")
    assert "is not a directory" in work.fails("demo", "--copy", "file")
    (work.folder / "taken" / "sample.fr").mkdir(parents=True)
    assert work.fails("demo", "--copy", "taken") == "taken/sample.fr: cannot write: it is a directory"


def test_a_copy_has_no_report(work, no_training):
    message = work.fails("demo", "--copy", ".", "--report", "page.html", code=2)
    assert message == "--copy only copies files, without a report; leave out --report"
