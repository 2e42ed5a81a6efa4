"""JSON lines that are sentence pairs."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.errors import InputError, PralignError, UsageError
from pralign.links.alignment import Alignment
from pralign.links.formats import Record, get_format
from pralign.text.bitext import Bitext


def bitext(folder, *lines, name="pairs.jsonl", **choice):
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    (folder / name).write_bytes(text.encode())
    return Bitext.read(folder / name, **choice)


def read(folder, *lines, **choice):
    return list(bitext(folder, *lines, **choice))


def extras(folder, *lines, **choice):
    return [row.extras for row in bitext(folder, *lines, **choice).rows()]


# Where sentences are


@pytest.mark.parametrize(
    ("line", "columns", "pair"),
    [
        ({"en": "the house", "fr": "la maison"}, None, ("the house", "la maison")),
        ({"en": "the house", "fr": "la maison"}, "fr,en", ("la maison", "the house")),
        ({"id": 7, "en": "a", "score": 0.5, "fr": "b", "ok": True}, None, ("a", "b")),
        ({"id": "x", "en": "a", "fr": "b"}, "en,fr", ("a", "b")),
        ({"translation": {"en": "a", "fr": "b"}}, None, ("a", "b")),
        ({"translation": {"en": "a", "fr": "b"}}, "fr,en", ("b", "a")),
        ({"id": "x", "source": "y", "translation": {"en": "a", "fr": "b"}}, None, ("a", "b")),
        ({"translation": {"en": "a", "de": "c", "fr": "b"}, "meta": {"en": 1}}, "en,fr", ("a", "b")),
        ({"en": "a", "fr": "b", "meta": {"x": "y", "z": "w"}}, None, ("a", "b")),
        ({"en": "a", "fr": "b", "meta": {"en": "y", "fr": "w"}}, "en,fr", ("a", "b")),
        ({"en": ["the", "old house"], "fr": ["la", "maison"]}, None, (["the", "old house"], ["la", "maison"])),
        ({"en": "a\nb\r\n  c", "fr": "d\u2028e"}, None, ("a b c", "d\u2028e")),
        ({"en": "a", "fr": None}, None, ("a", "")),
        ({"id": 3, "en": None, "fr": []}, None, ("", [])),
        ({"en": None, "fr": None, "de": None}, "en,fr", ("", "")),
    ],
)
def test_two_fields_are_the_sentences(tmp_path, line, columns, pair):
    assert read(tmp_path, line, columns=columns) == [pair]


def test_the_first_line_tells_which_fields_are_meant(tmp_path):
    lines = [
        {"en": "a", "fr": "b", "n": 1},
        {"n": "text too", "fr": "d", "en": "c"},
        {"translation": {"en": "e", "fr": "f"}},
    ]
    assert read(tmp_path, *lines) == [("a", "b"), ("c", "d"), ("e", "f")]


def test_blank_lines_are_pairs_without_words(tmp_path):
    assert read(tmp_path, "", '{"en": "a", "fr": "b"}', "  ", "") == [("", ""), ("a", "b"), ("", ""), ("", "")]
    assert read(tmp_path) == []


@pytest.mark.parametrize("name", ["pairs.ndjson", "pairs.JSONL", "pairs.jsonl.xz"])
def test_names_that_tell(tmp_path, name):
    assert read(tmp_path, '\ufeff{"en": "a", "fr": "b"}\r', name=name) == [("a", "b")]


@pytest.mark.parametrize(
    ("line", "columns", "message"),
    [
        ({"en": "a", "fr": "b", "de": "c"}, None, "two columns of text are needed, and there are 3 among en (str), fr"),
        ({"en": "a", "n": 1}, None, "two columns of text are needed, and there are 1 among en (str), n (int)"),
        (
            {},
            None,
            "two columns of text are needed, and there are 0 among none at all; choose two, such as --columns en,fr",
        ),
        ({"a": {"en": "a", "fr": "b"}, "b": {"en": "c", "fr": "d"}}, None, "two columns of text are needed"),
    ],
)
def test_without_a_choice_there_must_be_two_sentences(tmp_path, line, columns, message):
    with pytest.raises(UsageError) as caught:
        read(tmp_path, line, columns=columns)
    assert f"pairs.jsonl, line 1: {message}" in str(caught.value)


def test_a_field_that_is_missing_is_named(tmp_path):
    with pytest.raises(InputError, match=r"line 2: there is no field 'fr'; there are en, es"):
        read(tmp_path, {"en": "a", "fr": "b"}, {"en": "c", "es": "d"})
    with pytest.raises(InputError, match=r"line 1: there is no field 'fr'; there are en, de"):
        read(tmp_path, {"translation": {"en": "a", "de": "b"}}, columns="en,fr")
    with pytest.raises(InputError) as caught:
        read(tmp_path, {f"field {number}" * 100: 1 for number in range(1000)}, columns="en,fr")
    assert len(str(caught.value)) < 1500


# What is no pair


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[]", "found '[]'; expected an object like"),
        ('"text"', "expected an object"),
        ("{'en': 'a'}", "expected an object"),
        ('{"en": "a", "fr": "b"', "expected an object"),
        ('{"en": "a", "fr": "b"} {}', "expected an object"),
        ("the house\tla maison", "expected an object"),
        ('{"en": 1, "fr": "b"}', "the source sentence is 1 (int), not a string of words"),
        ('{"en": "a", "fr": {"x": 1}}', "the target sentence is a dict, not a string"),
        ('{"en": ["a", null], "fr": "b"}', "the source sentence holds None where a word should be"),
        ('{"en": [["a"]], "fr": "b"}', "holds a list where a word should be"),
        (r'{"en": "\ud800", "fr": "b"}', "holds half of a character (a lone surrogate)"),
        (r'{"en": "a", "fr": "b", "x": ["\udc00"]}', "holds half of a character"),
        (r'{"en": "a", "fr": "b", "\udc00": 1}', "holds half of a character"),
        ('{"en": "a", "en": "c", "fr": "b"}', "the field 'en' is there twice"),
        ('{"en": "a", "fr": "b", "x": {"y": 1, "y": 1}}', "the field 'y' is there twice"),
        ('{"en": "a", "fr": "b", "x": %s}' % ("9" * 5000), "expected an object"),
        ('{"en": "a", "fr": "b", "x": ' + "[" * 101 + "]" * 101 + "}", "more than 100 deep"),
        ('{"x": ' * 500 + "1" + "}" * 500, "more than 100 deep"),
        ("[" * 100_000, "expected an object"),
        ('{"a":' * 100_000, "expected an object"),
    ],
)
def test_a_line_that_is_no_pair_is_named(tmp_path, line, message):
    with pytest.raises(InputError) as caught:
        read(tmp_path, '{"en": "x", "fr": "y"}', line, columns="en,fr")
    assert str(caught.value).startswith(f"{tmp_path / 'pairs.jsonl'}, line 2: ")
    assert message in str(caught.value)
    assert len(str(caught.value)) < 500


# What travels along


def test_other_fields_travel_along(tmp_path):
    line = {"id": 7, "en": "a", "fr": "b", "x": [1, {"y": None}], "big": 2**80, "smile": "\U0001f600"}
    assert extras(tmp_path, line, columns="en,fr") == [
        {"id": 7, "x": [1, {"y": None}], "big": 2**80, "smile": "\U0001f600"}
    ]
    nested = {"id": 7, "translation": {"en": "a", "fr": "b", "de": "c"}, "other": {"de": "d"}}
    assert extras(tmp_path, nested, columns="en,fr") == [{"id": 7, "translation": {"de": "c"}, "other": {"de": "d"}}]
    del nested["translation"]["de"]
    assert extras(tmp_path, nested, "", columns="en,fr") == [{"id": 7, "other": {"de": "d"}}, {}]


def test_numbers_that_are_none_are_null(tmp_path):
    line = '{"en": "a", "fr": "b", "x": NaN, "y": [Infinity, -Infinity, 1e400, 1.5]}'
    assert extras(tmp_path, line) == [{"x": None, "y": [None, None, None, 1.5]}]
    assert read(tmp_path, '{"en": NaN, "fr": "b"}', columns="en,fr") == [("", "b")]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec="utf-8"), max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=8,
)


def nulled(value):
    """The value as JSON can hold it."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        return [nulled(each) for each in value]
    return {key: nulled(each) for key, each in value.items()} if isinstance(value, dict) else value


@settings(deadline=None)
@given(lines=st.lists(st.dictionaries(st.text("abc", min_size=1), JSON, max_size=4), max_size=3), plain=st.booleans())
def test_all_that_python_writes_is_read_and_can_be_written_again(tmp_path_factory, lines, plain):
    pairs = [{**line, "en": f"source {number}", "fr": ["a", "b"]} for number, line in enumerate(lines)]
    texts = [json.dumps(pair, ensure_ascii=plain) for pair in pairs]
    found = bitext(tmp_path_factory.mktemp("json"), *texts, columns="en,fr")
    assert list(found) == [(pair["en"], ["a", "b"]) for pair in pairs]
    rows = list(found.rows())
    assert [row.extras for row in rows] == [nulled(line) for line in lines]
    written = get_format("jsonl").write([Record(Alignment(), extras=row.extras) for row in rows], 0)
    for text in written:
        text.encode()


@settings(deadline=None)
@given(text=st.text(st.sampled_from('{}[]":,\\u0dnef 1.e-"é'), max_size=40))
def test_anything_is_read_or_refused(tmp_path_factory, text):
    try:
        found = read(tmp_path_factory.mktemp("json"), text, columns="en,fr")
    except PralignError as error:
        assert "pairs.jsonl" in str(error)
    else:
        assert len(found) == 1
