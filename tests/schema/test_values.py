"""What JSON holds, checked against the types of Python code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from pralign.schema import SchemaError
from pralign.schema.values import Bounds, Count, Share, check_fields, check_value, kinds_of, read_record, shown
from pralign.settings import Settings, saved_kinds, setting_fields

NAN, ENDLESS = float("nan"), float("inf")


@dataclass(frozen=True)
class Point:
    x: float
    y: Annotated[int, Bounds(0, 10)] = 0


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (int, [0, -5, 2**53], [0.0, True, "1", None, 2**53 + 1, 10**5000, NAN, []]),
        (float, [0, 0.5, -1e300, 3], [NAN, ENDLESS, -ENDLESS, 1e301, 10**400, True, "1", None, [1.0]]),
        (bool, [True, False], [0, 1, "true", None]),
        (str, ["", "x\x1b"], [None, 1, ["x"], {"x": 1}]),
        (None | str, [None, "x"], [False, 0, []]),
        (Literal["a", 1] | None, ["a", 1, None], [True, "b", 1.0]),
        (list[str], [[], ["x", ""]], [["x", 1], "x", None, {}]),
        (Sequence[str | Path] | str | Path, [["x"], "x", []], [[1], 1, None]),
        (Count, [0, 7], [-1, 0.0, True]),
        (Share, [0, 1, 0.5, 1.000001], [-0.001, 1.1, NAN]),
        (Annotated[int | None, Bounds(1)], [None, 1], [0, "x"]),
        (Any, [None, [[{}]]], []),
    ],
)
def test_values_of_a_kind_and_others(kind, good, bad):
    for value in good:
        assert check_value(value, kind, "it") is value or check_value(value, kind, "it") == value
    for value in bad:
        with pytest.raises(SchemaError, match=r"^(an item of )?it is "):
            check_value(value, kind, "it")


def test_lists_become_tuples_and_objects_become_records():
    assert check_value([1, [0.5, "x"]], tuple[int, tuple[float, str]], "it") == (1, (0.5, "x"))
    assert check_value({"x": 1.5, "y": 10}, Point | None, "it") == Point(1.5, 10)
    for value in ([1], [1, 2, 3], {"0": 1, "1": 2}, "ab"):
        with pytest.raises(SchemaError, match="which is not a list of 2"):
            check_value(value, tuple[int, int], "it")


def test_a_record_has_all_its_fields_and_no_others():
    assert read_record({"x": 1, "y": 0}, Point, "point") == Point(1, 0)
    for content, message in (
        ({"x": 1}, "point: there is no y"),
        ({"x": 1, "y": 2, "colour": "red"}, "point: this version of pralign does not know 'colour'; a newer one may"),
        ({"x": 1, "y": 11}, "point: y is 11, which is not a whole number from 0 to 10"),
        ({"x": "1", "y": 1}, "point: x is '1', which is not a number"),
        ([1, 0], r"point is \[1, 0\], which is not an object with fields"),
        (None, "point is None"),
    ):
        with pytest.raises(SchemaError, match=message):
            read_record(content, Point, "point")
    assert kinds_of(Point, ["x"]) == {"x": float}
    with pytest.raises(SchemaError, match="there is no a, b"):
        check_fields({}, {"b": int, "a": int}, "it")


def test_what_is_shown_is_short_and_plain():
    assert shown("\x1b[31m\n\ud800é") == r"'\x1b[31m\n\ud800\xe9'"
    assert len(shown("x" * 1000)) == 41
    assert shown(10**5000) == "a int that is too large to be shown"
    deep = json.loads("[" * 500 + "]" * 500)
    assert len(shown(deep)) <= 41


def test_every_setting_has_a_kind_and_defaults_are_of_it():
    kinds = saved_kinds()
    defaults = Settings()
    assert kinds.keys() == {each.name for each in setting_fields()} | {"thresholds", "given", "own_constraint"}
    for each in setting_fields():
        value = getattr(defaults, each.name)
        check_value(list(value) if isinstance(value, tuple) else value, kinds[each.name], each.name)
    for name, value in (
        ("lookalikes", -1),
        ("prefix", 0),
        ("threshold", "high"),
        ("given", ["colour"]),
        ("prior", [1]),
    ):
        with pytest.raises(SchemaError):
            check_value(value, kinds[name], name)
