"""The package itself: what ``import pralign`` offers."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

import pralign
from pralign import Aligner, Alignment, sample

PAIRS = [("the house", "la maison"), ("the cat", "le chat"), ("a house", "une maison")]


def test_all_public_names_are_listed_and_there():
    assert set(pralign.__all__) <= set(dir(pralign))
    assert [name for name in dir(pralign) if not name.startswith("__")] == sorted(
        set(pralign.__all__) - {"__version__"}
    )
    for name in pralign.__all__:
        assert getattr(pralign, name) is not None


def test_names_are_those_of_their_modules():
    assert pralign.constraints is import_module("pralign.constraints")
    assert pralign.evaluate is pralign.evaluation.evaluate
    assert pralign.read_alignments is import_module("pralign.links.formats").read_alignments
    with pytest.raises(AttributeError, match="module 'pralign' has no attribute 'nonsense'"):
        _ = pralign.nonsense


def test_parts_are_there_after_importing_the_package_alone():
    code = (
        "import sys, pralign; before = set(sys.modules); dir(pralign); "
        "assert set(sys.modules) == before; pralign.evaluate; pralign.read_alignments; "
        "print(*({'numpy', 'numba', 'pandas', 'rich'} & set(sys.modules))); print(pralign.constraints.Bijective.name)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["", "bijective"]


def test_files_are_evaluated(tmp_path):
    (tmp_path / "links").write_text("0-0:0.5 1-1:0.25\n\n")
    (tmp_path / "gold").write_text("0-0 1?1\n0-0\n")
    by_files = pralign.evaluate(tmp_path / "links", str(tmp_path / "gold"))
    assert by_files == pralign.evaluate([[(0, 0), (1, 1)], ""], ["0-0 1?1", Alignment.of("0-0")])
    assert by_files.recall == 0.5


def test_formats_are_recognised(tmp_path):
    golds = list(pralign.read_alignments(sample.GOLD))
    assert golds == list(pralign.read_alignments(sample.GOLD, "gold"))
    (tmp_path / "links").write_text('{"links": [[0, 1]], "scores": [0.5]}\n')
    assert list(pralign.read_alignments(tmp_path / "links")) == [Alignment.of([(0, 1)], [0.5])]


class TestPosteriors:
    @pytest.fixture
    def posteriors(self):
        return Aligner(model="ibm1", threads=1).fit(PAIRS).posteriors("the <b> house", ["la", "maison"])

    def test_they_are_three_matrices_that_know_their_words(self, posteriors):
        forward, reverse, mean = posteriors
        assert forward.shape == reverse.shape == mean.shape == (3, 2)
        np.testing.assert_allclose((forward + reverse) / 2, mean, atol=1e-6)  # single precision
        assert (posteriors.source, posteriors.target) == (["the", "<b>", "house"], ["la", "maison"])

    def test_they_are_a_flat_table(self, posteriors):
        columns = posteriors.to_dict()
        assert columns["source_word"] == ["the", "the", "<b>", "<b>", "house", "house"]
        assert columns["target"] == [0, 1] * 3
        assert columns["mean"] == posteriors.mean.ravel().tolist()
        pytest.importorskip("pandas")
        assert posteriors.to_frame().shape == (6, 7)

    def test_they_show_themselves(self, posteriors):
        picture = posteriors._repr_html_()
        assert picture.count('class="link"') == (posteriors.mean >= 0.01).sum()
        assert "&lt;b&gt;" in picture
        assert "<b>" not in picture
        assert str(posteriors).splitlines()[-1].startswith("house ")
        assert repr(posteriors) == "<LinkPosteriors of 3 by 2 words>"

    def test_those_of_nothing_are_empty(self, posteriors):
        nothing = Aligner(model="ibm1", threads=1).fit(PAIRS).posteriors("", "la maison")
        assert [matrix.shape for matrix in nothing] == [(0, 2)] * 3
        assert nothing.to_dict()["mean"] == []
        assert str(nothing) == ""
