"""Alignments as objects of Python: what they are made of, and how they show themselves."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign import Alignment
from pralign.errors import UsageError
from pralign.links.formats import write_alignments

ODD = Alignment.of("0-0 1?2 2-1")


def test_text_is_parsed():
    assert Alignment.of("2-1 0-0 1?2") == Alignment.of([(0, 0), (2, 1)], possible=[(1, 2)])
    assert Alignment.of("0-0:0.25 1-1:0.5") == Alignment(((0, 0), (1, 1)), (0.25, 0.5))
    assert Alignment.of("1-1 0-0", scores=[1, 2]) == Alignment(((0, 0), (1, 1)), (1, 2))
    assert Alignment.of("0-0", possible=[(1, 1)]) == Alignment.of("0-0 1?1")
    assert Alignment.of("") == Alignment.of(" \n") == Alignment()


def test_what_is_printed_is_parsed_again(tmp_path):
    assert str(ODD) == "0-0 1?2 2-1"
    assert f"{Alignment.of([(3, 1), (0, 0)])}" == "0-0 3-1"
    assert str(Alignment()) == ""
    assert Alignment.of(str(ODD)) == ODD
    with (tmp_path / "gold").open("w") as stream:
        write_alignments(stream, [ODD], "gold")
    assert (tmp_path / "gold").read_text() == f"{ODD}\n"


def test_numbers_of_numpy_become_plain():
    alignment = Alignment.of(np.array([[1, 0], [0, 1]]), np.array([0.5, 0.25], np.float32))
    assert alignment == Alignment(((0, 1), (1, 0)), (0.25, 0.5))
    assert {type(number) for link in alignment for number in link} == {int}
    assert {type(score) for score in alignment.scores} == {float}


def test_an_alignment_stays_what_it_is():
    scored = Alignment.of([(0, 0)], [0.5])
    assert Alignment.of(scored) is scored
    assert Alignment.of(scored, [0.75]).scores == (0.75,)


def test_it_is_a_collection_of_its_links():
    assert list(ODD) == list(ODD.links) == [(0, 0), (1, 2), (2, 1)]
    assert (1, 2) in ODD
    assert (1, 1) not in ODD
    assert (ODD[0], ODD[-1], len(ODD)) == ((0, 0), (2, 1), 3)
    assert not Alignment()
    assert {i: j for i, j in ODD}[2] == 1  # noqa: C416 - it is the point


def test_the_columns_of_links():
    assert ODD.to_dict() == {"source": [0, 1, 2], "target": [0, 2, 1], "sure": [True, False, True]}
    scored = Alignment.of([(0, 1)], [0.5]).to_dict()
    assert scored == {"source": [0], "target": [1], "score": [0.5], "sure": [True]}


def test_a_frame_of_links():
    pytest.importorskip("pandas")
    frame = ODD.to_frame()
    assert list(frame.columns) == ["source", "target", "sure"]
    assert frame["target"].tolist() == [0, 2, 1]


def test_without_pandas_there_is_a_way(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match="needs pandas, which is not installed: pip install pandas; to_dict has"):
        ODD.to_frame()


def test_in_a_notebook_it_is_a_grid_of_positions():
    picture = Alignment.of("0-0 1-2")._repr_html_()
    assert picture.startswith("<svg ")
    assert picture.count('class="link"') == 2
    assert picture.count('class="source"') == 2
    assert picture.count('class="target"') == 3
    assert Alignment()._repr_html_() == "<em>no links</em>"


def test_links_of_annotators_are_drawn_as_theirs():
    picture = ODD._repr_html_()
    assert picture.count('class="sure"') - 1 == 2  # and one in the key
    assert picture.count('class="possible"') - 1 == 1


def test_no_picture_is_too_large():
    assert Alignment.of([(0, 999_999_999)])._repr_html_() == "<code>0-999999999</code>"


def test_with_words_it_is_a_grid_of_words():
    pair = Alignment.of("0-0 1-1").with_words("<b>it</b> rains", ["il", "pleut"], gold=Alignment.of("0-0 1?0"))
    assert str(pair).splitlines()[-2:] == ["<b>it</b> [█] ·", "    rains ( ) █"]
    picture = pair._repr_html_()
    assert "&lt;b&gt;it&lt;/b&gt;" in picture
    assert "<b>" not in picture
    assert "predicted link, wrong" in picture


# Parts


SCORES = st.none() | st.lists(st.floats(0, 1), min_size=9, max_size=9)


@given(marks=st.lists(st.sampled_from("-? "), min_size=9, max_size=9), scores=SCORES, wanted=st.sets(st.integers(0, 8)))
def test_only_what_is_wanted_is_kept_with_its_score_and_its_kind(marks, scores, wanted):
    cells = {divmod(k, 3): k for k, mark in enumerate(marks) if mark != " "}
    possible = [link for link, k in cells.items() if marks[k] == "?"]
    alignment = Alignment.of(cells, None if scores is None else [scores[k] for k in cells.values()], possible)
    kept = alignment.only(lambda link: cells[link] in wanted)
    expected = {link: k for link, k in cells.items() if k in wanted}
    assert kept == Alignment.of(
        expected,
        None if scores is None else [scores[k] for k in expected.values()],
        [link for link in possible if link in expected],
    )
    assert alignment.only(lambda link: True) == alignment
    assert not alignment.only(lambda link: False)


def test_only_links_that_reach_a_score():
    alignment = Alignment.of([(0, 0), (1, 1), (2, 2)], [0.25, 0.5, 0.75], [(0, 0), (1, 1)])
    assert alignment.at_least(0.5) == Alignment.of([(1, 1), (2, 2)], [0.5, 0.75], [(1, 1)])
    assert alignment.at_least(0.9) == Alignment((), ())
    with pytest.raises(UsageError, match="no scores"):
        Alignment.of("0-0").at_least(0.5)
