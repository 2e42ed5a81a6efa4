"""What requests may hold, and what is said of those that are not as they must be."""

from __future__ import annotations

import json

import pytest

from pralign.errors import InputError
from pralign.serving.bodies import Limits, parse_request
from pralign.text.tokenizers import Tokenization

LIMITS = Limits(pairs=3, words=4)


def parsed(body, tokenize="spaces"):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    return parse_request(body, Tokenization.of(tokenize), LIMITS)


def pair(source, target="x"):
    return {"pairs": [{"source": "a", "target": "b"}, {"source": source, "target": target}]}


def test_texts_and_lists_are_words():
    assert parsed(pair("la  maison\n", ["the", "house"]))[1] == (["la", "maison"], ["the", "house"])
    assert parsed(pair("", []))[1] == ([], [])
    assert parsed({"pairs": []}) == []


def test_texts_are_cut_as_the_model_does():
    assert parsed(pair("ab", ["ab"]), "characters")[1] == (("a", "b"), ["ab"])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b'{"pairs": [NaN]}', "NaN is no number that JSON has"),
        (b'{"pairs": [-Infinity]}', "-Infinity is no number"),
        (b'{"pairs": [], "pairs": []}', "same key twice"),
        (b'{"pairs": ["\xff"]}', "not UTF-8 at byte 12"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"pairs": [' + b"9" * 5000 + b"]}", "not JSON"),
        ([], "the request is a list, not an object"),
        (None, "the request is null, not an object"),
        ({}, "the request has no pairs"),
        ({"pairs": {}}, "pairs is an object, not a list"),
        ({"pairs": [], "more": 1}, "the request has 'more', which means nothing here"),
        ({"pairs": [[]] * 4}, "there are 4 pairs; a request may have 3"),
        ({"pairs": ["a"]}, "pair 1 is a text, not an object"),
        ({"pairs": [{"source": "a"}]}, "pair 1 has no target"),
        ({"pairs": [{"source": "a", "target": "b", "sourc": ""}]}, "pair 1 has 'sourc'"),
        (pair(None), "pair 2: the source is null; send a text or a list of words"),
        (pair(3), "pair 2: the source is a number"),
        (pair("a", True), "pair 2: the target is true"),
        (pair({}), "pair 2: the source is an object"),
        (pair(["a", 1]), "pair 2: the source has a number where a word should be"),
        (pair(["a", ""]), "pair 2: the source has an empty word"),
        (pair(["a b"]), "pair 2: the source has the word 'a b' with a space in it"),
        (pair(["a\n"]), "with a space in it"),
        (pair("\ud800"), "pair 2: the source has half a surrogate pair"),
        (pair("a", ["\udfff"]), "pair 2: the target has half a surrogate pair"),
        (pair("a b c d e"), "pair 2: the source has 5 words; at most 4 are aligned"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_wrong_is_named(body, said):
    with pytest.raises(InputError) as raised:
        parsed(body)
    assert said in str(raised.value)
