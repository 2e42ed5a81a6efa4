"""Tables as people and programs read them."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign.report.tables import Column, Kind, Table, percent

DASH = "\N{EN DASH}"
COLUMNS = (Column("name", "name"), Column("n", "number", "count"))


@pytest.mark.parametrize(
    ("kind", "value", "shown"),
    [
        ("text", "as it is", "as it is"),
        ("word", "<b>", "<b>"),
        ("count", 1234567, "1,234,567"),
        ("count", 0, "0"),
        ("mean", 2.26, "2.3"),
        ("percent", 0.0512, "5.1 %"),
        ("percent", 0.0, "0.0 %"),
        ("percent", 1, "100.0 %"),
        ("points", 0.01234, "+1.23"),
        ("points", -0.5, "-50.00"),
        ("number", 0.000123456, "0.0001235"),
        ("number", 1, "1"),
        ("probability", 0.00196, "0.002"),
        ("truth", True, "yes"),
        ("truth", False, "no"),
        ("interval", (0.1, 0.256), "10.0 to 25.6"),
        ("interval", [-0.1, 0.0], "-10.0 to 0.0"),
        ("lines", [0, 6], "1, 7"),
        ("lines", [], ""),
    ],
)
def test_values_are_shown_by_their_kind(kind, value, shown):
    assert Column("key", "title", kind).show(value) == shown


@pytest.mark.parametrize("kind", ["text", "word", "count", "mean", "percent", "points", "number", "interval"])
def test_what_is_not_known_is_a_dash(kind):
    assert Column("key", "title", kind).show(None) == DASH
    assert Column("key", "title", kind).show("") == DASH


def test_numbers_are_lined_up():
    kinds = get_args(Kind)
    words = [kind for kind in kinds if not Column("key", "title", kind).is_numeric]
    assert words == ["text", "word", "truth", "lines"]


def test_percentages_have_as_many_digits_as_wanted():
    assert [percent(0.12345, digits) for digits in (0, 1, 3)] == ["12 %", "12.3 %", "12.345 %"]


def test_a_table_is_one_object_a_row():
    table = Table("key", "Title", "note", COLUMNS, [["a", 1], ["b", None]])
    assert table.as_dict() == {
        "title": "Title",
        "note": "note",
        "rows": [{"name": "a", "n": 1}, {"name": "b", "n": None}],
    }
    with pytest.raises(ValueError, match="shorter"):
        Table("key", "Title", "note", COLUMNS, [["a"]]).as_dict()


def test_pairs_are_numbered_from_one_in_json():
    table = Table("key", "Title", "", (Column("pairs", "pairs", "lines"),), [[[0, 6]], [[]]])
    assert table.as_dict()["rows"] == [{"pairs": [1, 7]}, {"pairs": []}]


def test_rows_that_belong_together_share_their_first_value():
    rows = [["a", 1], ["a", 2], ["b", 3], ["a", 4]]
    assert Table("key", "Title", "", COLUMNS, rows, grouped=True).spans == [2, 0, 1, 1]
    assert Table("key", "Title", "", COLUMNS, rows).spans == [1, 1, 1, 1]
    assert Table("key", "Title", "", COLUMNS, [], grouped=True).spans == []


@given(st.lists(st.sampled_from("ab")))
def test_every_row_of_a_group_is_covered_once(firsts):
    spans = Table("key", "Title", "", COLUMNS, [[first, 0] for first in firsts], grouped=True).spans
    at = 0
    while at < len(firsts):
        assert spans[at] >= 1
        assert not any(spans[at + 1 : at + spans[at]])
        assert len(set(firsts[at : at + spans[at]])) == 1
        at += spans[at]
    assert at == len(firsts)
