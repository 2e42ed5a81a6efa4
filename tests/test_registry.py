"""Things known by name, and that there is one way to register them all."""

from __future__ import annotations

import pytest

from pralign.constraints import CONSTRAINTS, get_constraint
from pralign.errors import UsageError
from pralign.links.formats import FORMATS, get_format
from pralign.links.symmetrization import SYMMETRIZERS, get_symmetrizer, register_symmetrizer
from pralign.matching.features import FEATURES, get_feature
from pralign.models import MODELS, get_model
from pralign.registry import Registry

ALL = [
    (MODELS, get_model, "there is no model 'x'; there are ibm1, ibm2, "),
    (CONSTRAINTS, get_constraint, "there is no constraint called 'x'; there are none, bijective, symmetric, "),
    (SYMMETRIZERS, get_symmetrizer, "there is no heuristic 'x'; there are intersection, union, "),
    (FORMATS, get_format, "unknown alignment format 'x'; known are pharaoh, scored, "),
    (FEATURES, get_feature, "there is no feature 'x'; there are common, dice, "),
]


@pytest.fixture
def fruit():
    registry = Registry[str]("fruit")
    registry.register("pear", "yellow")
    registry.register("apple", "red")
    return registry


def test_names_come_in_order_of_registration(fruit):
    assert list(fruit) == ["pear", "apple"]
    assert list(fruit.values()) == ["yellow", "red"]
    assert list(fruit.items()) == [("pear", "yellow"), ("apple", "red")]
    assert len(fruit) == 2


def test_things_are_found_by_name(fruit):
    assert fruit["apple"] == fruit.get("apple") == "red"
    assert "apple" in fruit
    assert "plum" not in fruit


@pytest.mark.parametrize("name", ["plum", "", "{noun}", "Apple"])
def test_a_name_that_is_not_known_is_named_with_those_that_are(fruit, name):
    for look_up in (fruit.get, fruit.__getitem__, fruit.remove):
        with pytest.raises(UsageError) as caught:
            look_up(name)
        assert str(caught.value) == f"there is no fruit {name!r}; there are pear, apple"


def test_the_complaint_may_be_in_other_words():
    registry = Registry[int]("number", "no {noun} {name}, only {names}")
    registry.register("one", 1)
    with pytest.raises(UsageError, match=r"^no number two, only one$"):
        registry["two"]


def test_registering_returns_the_thing_also_as_a_decorator(fruit):
    assert fruit.register("plum", "blue") == "blue"
    kinds = Registry[type]("kind")

    @kinds.register("mine")
    class Mine:
        pass

    assert isinstance(Mine, type)
    assert kinds["mine"] is Mine


def test_what_had_the_name_before_is_replaced_in_its_place(fruit):
    fruit.register("pear", "green")
    assert list(fruit.items()) == [("pear", "green"), ("apple", "red")]


def test_a_name_can_be_protected(fruit):
    with pytest.raises(UsageError, match=r"^there is already a fruit named 'pear'$"):
        fruit.register("pear", "green", replace=False)
    with pytest.raises(UsageError, match="already"):
        fruit.register("pear", replace=False)("green")
    assert fruit["pear"] == "yellow"
    fruit.register("plum", "blue", replace=False)
    assert fruit["plum"] == "blue"


def test_things_can_be_removed(fruit):
    fruit.remove("pear")
    assert list(fruit) == ["apple"]


def test_what_was_known_is_known_again_after_a_block_even_one_that_fails(fruit):
    def change():
        with fruit.restored():
            fruit.register("plum", "blue")
            fruit.register("apple", "green")
            fruit.remove("pear")
            assert list(fruit) == ["apple", "plum"]
            raise KeyError

    with pytest.raises(KeyError):
        change()
    assert list(fruit.items()) == [("pear", "yellow"), ("apple", "red")]


@pytest.mark.parametrize(("registry", "get", "message"), ALL)
def test_all_that_is_known_by_name_is_in_a_registry(registry, get, message):
    assert isinstance(registry, Registry)
    assert [get(name) for name in registry] == list(registry.values())
    with pytest.raises(UsageError) as caught:
        get("x")
    assert str(caught.value).startswith(message)


def test_names_bound_to_a_registry_see_what_changes_in_it():
    with SYMMETRIZERS.restored():
        register_symmetrizer("neither", lambda forward, reverse: forward & ~forward)
        assert get_symmetrizer("neither") is SYMMETRIZERS["neither"]
    with pytest.raises(UsageError, match="no heuristic 'neither'"):
        get_symmetrizer("neither")
