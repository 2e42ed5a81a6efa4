"""Characters as people see them, and words as Unicode sees them, beside packages that know the rules."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.text.graphemes import clusters, is_blank, whole
from pralign.text.word_boundaries import bounded
from scripts import ANY_TEXT

breakers = pytest.importorskip("icu4py.breakers")
derived = pytest.importorskip("uniseg.derived")
graphemecluster = pytest.importorskip("uniseg.graphemecluster")
wordbreak = pytest.importorskip("uniseg.wordbreak")

# One or more of each kind that there is, so that most rules are met in a few characters.
KINDS = [
    *"a1.'\",:_אカ家가각क্ก\u0e33\u0eb3*©\u2139",
    *"\u0301\u0903\u094d\u09cd\u1100\u1161\u11a8\ua960\ud7b0\ud7cb\u0600\u0d4e\u102b\u200b\u200c\u200d\u00ad\u2003\u3000",
    *"\x00\x85\u2028\ud800\ufe0f\uff9e\u20e3\U0001f600\U0001f3fb\U0001f1e6\U0001f1e7\U000e0041\U000113d1\U00016d63",
]
MANY_KINDS = st.lists(st.sampled_from(KINDS), max_size=10).map("".join)
NEWLINES = "\r\n\x0b\x0c\x85\u2028\u2029"


def runs(text):
    """Where text stands between spaces, tabs and the two halves of the end of a line."""
    start = 0
    for end, character in enumerate([*text, " "]):
        if character in " \t\r\n":
            if start < end:
                yield start, text[start:end]
            start = end + 1


@given(text=st.one_of(MANY_KINDS, ANY_TEXT))
@settings(deadline=None, max_examples=500)
def test_clusters_are_those_of_unicode(text):
    expected = {k for k, character in enumerate(text) if character in " \t\r\n"}
    for start, run in runs(text):
        expected |= {start + boundary for boundary in list(graphemecluster.grapheme_cluster_boundaries(run))[:-1]}
    found = clusters(text)
    assert [start for start, _ in found] == sorted(expected)
    assert [end for _, end in found] == [*sorted(expected), len(text)][1:]


@given(text=st.one_of(MANY_KINDS, ANY_TEXT))
@settings(deadline=None, max_examples=500)
def test_words_are_those_of_unicode(text):
    expected = []
    for start, run in runs(text):
        spans = pairwise(wordbreak.word_boundaries(run))
        expected += [(start + first, start + last) for first, last in spans if run[first] not in NEWLINES]
    assert bounded(text) == expected


KIND_OF = {"Control": "C", "CR": "C", "LF": "C", "Extend": "E", "ZWJ": "J", "Regional_Indicator": "R", "Prepend": "P"}
KIND_OF |= {"SpacingMark": "S", "LV": "A", "LVT": "B", "Other": "O", "L": "L", "V": "V", "T": "T"}


@pytest.mark.skipif(unicodedata.unidata_version > "16.0.0", reason="newer than the tables of uniseg")
def test_every_character_of_unicode_is_of_its_kind():
    from pralign.text.graphemes import _kind

    pictures = pytest.importorskip("uniseg.emoji").extended_pictographic
    kinds = {"Linker": "N", "Consonant": "K"}
    wrong = []
    for code in [*range(0x20000), *range(0xE0000, 0xE1000), 0x10FFFF]:  # elsewhere are Han and nobody's characters
        character = chr(code)
        kind = KIND_OF[graphemecluster.grapheme_cluster_break(character).value]
        kind = kinds.get(derived.indic_conjunct_break(character).value, kind)
        if pictures(character):
            kind = "X"
        kind = {" ": "C", "\u200c": "Z"}.get(character, kind)
        if kind != _kind(character):
            wrong.append((hex(code), kind, _kind(character)))
    assert wrong == []


@pytest.mark.parametrize(
    "cluster",
    [
        "e\u0301",
        "Z\u0351\u036b\u0343\u036a",
        "각",
        "\u1112\u1161\u11ab",
        "क्षि",
        "క్క",
        "น้ำ",
        "👨\u200d👩\u200d👧\u200d👦",
        "👍🏽",
        "🏳\ufe0f\u200d🌈",
        "🇫🇷",
        "1\ufe0f\u20e3",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "か\u3099",
        "בּ",
        "\u0600٣",
    ],
)
def test_what_is_seen_as_one_is_one_as_icu_says_too(cluster):
    text = f"x{cluster}x{cluster}{cluster} {cluster}"
    found = [text[start:end] for start, end in clusters(text)]
    assert found == ["x", cluster, "x", cluster, cluster, " ", cluster]
    assert list(breakers.CharacterBreaker(text, "root")) == found


@given(text=ANY_TEXT, places=st.sets(st.integers(0, 40)))
def test_what_cuts_a_cluster_is_joined(text, places):
    starts = sorted({0, *places} & set(range(len(text))))
    spans = list(zip(starts, [*starts[1:], len(text)], strict=True)) if text else []
    joined = whole(spans, text)
    begun = {start for start, _ in clusters(text)}
    assert {start for start, _ in joined} == begun & set(starts)
    assert [end for _, end in joined] == [start for start, _ in joined][1:] + ([len(text)] if text else [])


def test_long_runs_of_marks_take_no_long():
    for character in "\u0301\u094d\u200d\u1100\u0600\U0001f1e6":
        for before in ("", "क", "a", "😀"):
            assert (
                sum(end - start for start, end in clusters(before + character * 100_000 + "a")) == len(before) + 100_001
            )


def test_what_is_blank():
    assert all(map(is_blank, " \t\x00\x7f\x85\u00a0\u2028\u3000\u200b\u200d\u200f\ufeff\u00ad"))
    assert is_blank("")
    assert not any(map(is_blank, ["a", " a", "\u200fa", "\u0301", "\u0600", "\ue000", "\u0378", "\ud800", "\ufffd"]))
