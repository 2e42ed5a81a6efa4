# ruff: noqa: RUF001
"""Text of many scripts, as hypothesis draws it: letters with all that they carry, and all that stands between."""

from __future__ import annotations

from hypothesis import strategies as st

# Each is drawn whole or in parts, so that marks and joiners come alone, first, last and where they make no sense.
WORDS = (
    "house", "l'homme", "don't", "3.14", "e-mail", "Straße,", "a_b", "U.S.", "R&D", "ﬁn", "Ｔｅａ", "½", "İ",  # Latin
    "дом", "ё", "е\u0308", "σπίτι", "ά", "α\u0301",  # Cyrillic, Greek
    "בית", "שָׁלוֹם", 'צה"ל', "בֵּ\u05bf",  # Hebrew
    "بيت", "كِتَابٌ", "\u0600١٢", "ﷺ", "می\u200cروم",  # Arabic
    "घर", "क्षत्रिय", "क\u094d\u200dष", "हिन्दी", "কি", "வீடு", "ക്ഷ", "\u0d4eക",  # scripts of India
    "บ้าน", "น้ำ", "ภาษา", "ຄຳ", "ផ្ទះ", "ខ្ញុំ", "အိမ်", "က\u103c\u102c",  # Thai, Lao, Khmer, Burmese
    "家", "房子", "東京", "いえ", "カタカナ", "が", "か\u3099", "𠮷野家",  # Chinese, Japanese
    "집", "학교", "\u1112\u1161\u11ab", "\u1100\u1100\u1161", "각\u11a8",  # Korean
    "😀", "👍🏽", "👨\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "🇫🇷🇩🇪", "🇫", "1\ufe0f\u20e3",
    "🏴\U000e0067\U000e007f", "ℹ\ufe0f",
    "e\u0301", "\u0301", "\u0301\u0302a", "\u0903", "a\u20dd", "Z\u0351\u036b\u0343",  # marks, alone too
    "\U0001d49c", "\ue000", "\U000f0000", "\u0378", "\U0010ffff", "\ufffd", "\ufdd0",  # mathematics, nobody's
    "<0x41>", "▁", "Ġ", "<unk>", "[CLS]", "…", "«", "»", "!?", "...", "。", "،",
)  # fmt: skip
INVISIBLE = (
    *"\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\u061c\u202a\u202c\u2066\u00ad\u034f\u180e\ufe0f\U000e0001\x00\x01\x1f\x7f\x9f",
    *"\r\n\x0b\x0c\x1c\x85\u2028\u2029\u00a0\u1680\u2003\u2007\u202f\u205f\u3000",
)
GAPS = (" ", "\t", "  ", " \t ", "", "", "")

_parts = st.sampled_from(WORDS).flatmap(
    lambda word: st.tuples(st.integers(0, len(word) - 1), st.integers(1, len(word))).map(
        lambda cut: word[cut[0] : cut[1]]
    )
)
_anything = st.characters(exclude_categories=["Cs"])
_piece = st.one_of(st.sampled_from(WORDS), _parts, st.sampled_from(INVISIBLE), _anything)
#: A sentence of whatever there is.
TEXT = st.lists(st.tuples(_piece, st.sampled_from(GAPS)).map("".join), max_size=12).map("".join)
#: The same, with halves of surrogate pairs, which no file has but a string of Python can.
ANY_TEXT = st.one_of(TEXT, st.tuples(TEXT, st.characters(categories=["Cs"]), TEXT).map("".join))
