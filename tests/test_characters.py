"""Text from outside, made fit for messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign.characters import escaped, is_harmful, quoted

BIDIRECTIONAL = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
CONTROLS = "".join(map(chr, [*range(0x20), 0x7F, *range(0x80, 0xA0)])) + "\u2028\u2029"


@pytest.mark.parametrize("character", [*CONTROLS, *BIDIRECTIONAL, "\ud800", "\ufeff", "\u200b", "\ufffe", "\U000e0001"])
def test_what_acts_on_a_terminal_is_written_out(character):
    text = escaped(f"a{character}b")
    assert text.isascii()
    assert text.isprintable()
    assert text.startswith("a\\")
    assert text.endswith("b")


@pytest.mark.parametrize(
    "text",
    [
        "plain text, with \\ and 'quotes'",
        "déjà vu",
        "de\u0301ja\u0300",
        "大学生 は 대학교",
        "שלום עולם",
        "مرحبا بالعالم",
        "می\u200cروم",  # a joiner within a word of Persian
        "नमस्ते क्\u200dष",
        "ไทย",
        "👩\u200d👧 🏴\U000e0067\U000e0062\U000e007f ❤\ufe0f",
        "10\u00a0000",
    ],
)
def test_words_of_all_scripts_stay_as_they_are(text):
    assert escaped(text) == text


@given(st.text())
def test_escaped_text_is_one_harmless_line_and_stays_so(text):
    shown = escaped(text)
    assert not any(map(is_harmful, shown))
    assert len(shown.splitlines()) <= 1
    assert escaped(shown) == shown


def test_quotes_are_short():
    assert quoted("a\n") == r"'a\n'"
    assert len(quoted("9" * 5000)) < 70
