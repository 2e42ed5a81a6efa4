"""Tokenisers: what is true of all of them, and what each makes of some words."""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from unicodedata import category

import pytest
from hypothesis import example, given, settings

from pralign import Aligner
from pralign.errors import UsageError
from pralign.text import word_boundaries
from pralign.text.bitext import Bitext
from pralign.text.tokenizers import BY_SPACES, SPACES, TOKENIZERS, Tokenization, Tokenizer
from pralign.text.tokens import Tokens, tokens
from scripts import ANY_TEXT, INVISIBLE, WORDS

breakers = pytest.importorskip("icu4py.breakers")
graphemecluster = pytest.importorskip("uniseg.graphemecluster")

ALL = list(TOKENIZERS)
CUTTING = [name for name in ALL if name != SPACES]


def is_seen(character):
    if category(character) == "Cf":
        return graphemecluster.grapheme_cluster_break(character).value == "Prepend"
    return category(character)[0] != "Z" and category(character) != "Cc"


@pytest.mark.parametrize("name", ALL)
@given(text=ANY_TEXT)
@settings(deadline=None)
def test_words_are_parts_of_the_text_in_order(name, text):
    words = Tokenizer(name)(text)
    assert type(words) is Tokens
    assert words.text == text
    assert len(words) == len(words.spans)
    end = 0
    for word, span in zip(words, words.spans, strict=True):
        assert end <= span[0] < span[1] <= len(text)
        assert text[slice(*span)] == word
        assert not set(word) & {" ", "\t"}
        end = span[1]


@given(text=ANY_TEXT)
def test_by_spaces_words_are_those_that_all_others_see(text):
    assert list(Tokenizer(SPACES)(text)) == tokens(text)


@pytest.mark.parametrize("name", CUTTING)
@given(text=ANY_TEXT)
@settings(deadline=None)
def test_all_that_is_seen_is_in_one_word_and_no_word_is_blank(name, text):
    words = Tokenizer(name)(text)
    inside = {k for start, end in words.spans for k in range(start, end)}
    assert {k for k, character in enumerate(text) if is_seen(character)} <= inside
    assert all(any(map(is_seen, word)) for word in words)


@pytest.mark.parametrize("name", CUTTING)
@given(text=ANY_TEXT)
@example(text="น้ำ ຄຳ")
@example(text="\u0600. x\u0600家")
@settings(deadline=None)
def test_no_word_cuts_what_is_seen_as_one(name, text):
    boundaries = {0}
    start = 0
    for run in text.replace("\t", " ").split(" "):
        boundaries |= {start + k for k in graphemecluster.grapheme_cluster_boundaries(run)}
        start += len(run) + 1
    assert {place for span in Tokenizer(name)(text).spans for place in span} <= boundaries


@pytest.mark.parametrize("name", ALL)
@given(text=ANY_TEXT)
@settings(deadline=None)
def test_what_stands_between_spaces_is_cut_by_itself(name, text):
    tokenizer = Tokenizer(name)
    assert [word for run in tokens(text) for word in tokenizer(run)] == list(tokenizer(text))


@pytest.mark.parametrize("name", ALL)
@given(text=ANY_TEXT)
@settings(deadline=None)
def test_what_was_cut_is_not_cut_again_by_spaces(name, text):
    words = Tokenizer(name)(text)
    assert tokens(" ".join(words)) == list(words)


@pytest.mark.parametrize("name", ALL)
def test_empty_text_has_no_words(name):
    for text in ("", " ", "\t", " \t  "):
        assert Tokenizer(name)(text) == ()


@pytest.mark.parametrize("name", CUTTING)
@pytest.mark.parametrize("blank", [c for c in INVISIBLE if not is_seen(c)], ids=ascii)
def test_invisible_characters_are_no_words(name, blank):
    tokenizer = Tokenizer(name)
    for text in (blank, blank * 3, f" {blank} {blank}"):
        assert tokenizer(text) == ()
    assert tokenizer(f"家 {blank} 家") == ("家", "家")
    assert len(tokenizer(f"家{blank}.")) == 2
    assert tokenizer(f"{blank}a") == ("a",)


@pytest.mark.parametrize("name", ["unicode", "icu"])
@pytest.mark.parametrize("space", "\u00a0\u2003\u2007\u2028\u202f\u3000\x85", ids=ascii)
def test_white_space_of_all_kinds_separates_words(name, space):
    assert Tokenizer(name)(f"Oui{space}!{space}Non{space}{space}merci{space}") == ("Oui", "!", "Non", "merci")


# What each makes of some words

BOTH = {
    "Straße, 3.14!": "Straße , 3.14 !",
    "don't l'homme aujourd\u2019hui": "don't l'homme aujourd\u2019hui",
    "'quoted' dogs'": "' quoted ' dogs '",
    "e-mail": "e - mail",
    "https://a.b/c": "https : / / a.b / c",
    "a@b.org #tag R&D 50%": "a @ b.org # tag R & D 50 %",
    "U.S. wait... !?": "U.S . wait . . . ! ?",
    "1,000.5 10\u202f000 1:2": "1,000.5 10\u202f000 1 : 2",
    "foo_bar": "foo_bar",
    'צה"ל שָׁלוֹם.': 'צה"ל שָׁלוֹם .',
    "كِتَابٌ، می\u200cروم": "كِتَابٌ ، می\u200cروم",
    "\u200fאבג": "אבג",
    "हिन्दी। क्षत्रिय": "हिन्दी । क्षत्रिय",
    "학교에 갔다.": "학교에 갔다 .",
    "\u1112\u1161\u11ab\u1100\u1173\u11af": "\u1112\u1161\u11ab\u1100\u1173\u11af",
    "カタカナ": "カタカナ",
    "👨\u200d👩\u200d👧👍🏽🇫🇷🇩🇪1\ufe0f\u20e3": "👨\u200d👩\u200d👧 👍🏽 🇫🇷 🇩🇪 1\ufe0f\u20e3",
    "a😀b": "a 😀 b",
}


@pytest.mark.parametrize("text", BOTH)
@pytest.mark.parametrize("name", ["unicode", "icu"])
def test_signs_are_separated_from_words_but_not_within_them(name, text):
    assert list(Tokenizer(name)(text)) == BOTH[text].split(" ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("我喜欢吃苹果。", "我 喜欢 吃 苹果 。"),
        ("我喜欢😀苹果𠮷。", "我 喜欢 😀 苹果 𠮷 。"),
        ("ฉันรักภาษาไทย", "ฉัน รัก ภาษา ไทย"),
        ("ພາສາລາວ", "ພາສາ ລາວ"),
        ("မြန်မာစကား", "မြန်မာ စကား"),
    ],
)
def test_icu_finds_words_where_there_are_no_spaces(text, words):
    assert list(Tokenizer("icu")(text)) == words.split(" ")
    assert len(Tokenizer("unicode")(text)) > len(words.split(" "))


@pytest.mark.parametrize("text", ["東京都に住んでいます", "ខ្ញុំស្រឡាញ់ភាសាខ្មែរ"])
def test_icu_has_dictionaries_for_other_scripts_too(text):
    assert 1 < len(Tokenizer("icu")(text)) < len(Tokenizer("characters")(text))


def test_characters_are_what_people_see():
    words = ["e\u0301", "각", "\u1112\u1161\u11ab", "क्षि", "น้ำ", "👍🏽", "🇫🇷", "🏳\ufe0f\u200d🌈", "か\u3099"]
    assert list(Tokenizer("characters")(" ".join(words))) == list(Tokenizer("characters")("".join(words))) == words


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_characters_beyond_16_bits_count_once(count):
    text = "𠮷" * count + " Ab, 😀 " + "\U0001d49c" * count + "x"
    words = Tokenizer("icu")(text)
    assert [word for word in words if word.isascii()][:2] == ["Ab", ","]
    assert words[-1].endswith("x")
    assert "".join(words) == text.replace(" ", "")


def test_threads_find_the_same():
    lines = [" ".join(WORDS[k:] + WORDS[:k]) for k in range(0, len(WORDS), 3)] * 5
    for name in ALL:
        tokenizer = Tokenizer(name)
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(tokenizer, lines)) == list(map(tokenizer, lines))


# Names, sides, packages


def test_both_sides_are_cut_alike_or_each_in_its_way():
    assert Tokenization.of("unicode") == Tokenization("unicode", "unicode")
    assert Tokenization.of("spaces, icu") == Tokenization("spaces", "icu")
    assert Tokenization.of("spaces") == BY_SPACES
    assert BY_SPACES.by_spaces and not Tokenization.of("spaces,icu").by_spaces
    assert pickle.loads(pickle.dumps(Tokenization.of("spaces,icu"))) == Tokenization("spaces", "icu")
    left, right = Tokenization.of("spaces,unicode").pair("It's it.", "C'est lui.")
    assert (left, right) == (("It's", "it."), ("C'est", "lui", "."))
    assert (left.text, right.text) == ("It's it.", "C'est lui.")


def test_words_stay_as_they_are():
    words = ["New York,", "x"]
    pair = Tokenization.of("unicode").pair(words, "a,")
    assert pair == (words, ("a", ","))
    assert pair[0] is words
    pairs = [("a,", "b."), (("c,",), ["d."])]
    assert list(BY_SPACES.pairs(pairs)) == pairs
    assert list(Tokenization.of("characters").pairs(pairs)) == [(("a", ","), ("b", ".")), (("c,",), ["d."])]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("moses", "there is no way to tokenise 'moses'; there are spaces, characters, unicode, icu"),
        ("", "there is no way to tokenise ''"),
        ("icu,", "there is no way to tokenise ''"),
        ("icu,icu,icu", "one way for both sides or two, such as unicode,icu, not icu,icu,icu"),
    ],
)
def test_ways_that_there_are_not(text, message):
    with pytest.raises(UsageError, match=message):
        Tokenization.of(text)
    with pytest.raises(UsageError, match="there is no way"):
        Tokenizer("moses")
    with pytest.raises(UsageError, match="there is no way"):
        Tokenization("spaces", "moses")


def test_users_have_ways_of_their_own():
    with TOKENIZERS.restored():
        TOKENIZERS.register("halves", lambda text: [(0, len(text) // 2), (len(text) // 2, len(text))])
        TOKENIZERS.register("wrong", lambda text: [(2, 3), (0, 1)])
        [pair] = Bitext([("abcd", "a b")]).tokenized("halves,spaces")
        assert pair == (("ab", "cd"), ("a", "b"))
        with pytest.raises(UsageError, match="in order"):
            Tokenizer("wrong")("abc")


def test_pairs_are_aligned_over_the_words_they_are_cut_into():
    pairs = [("the house.", "la maison."), ("the cat.", "le chat."), ("house, cat.", "maison, chat.")] * 3
    aligner = Aligner(tokenize="unicode").fit(pairs)
    cut = [tuple(Tokenizer("unicode")(side) for side in pair) for pair in pairs]
    assert [list(a) for a in aligner.align(pairs)] == [list(a) for a in Aligner().fit(cut).align(cut)]


@pytest.mark.parametrize(("name", "package"), [("unicode", "uniseg"), ("icu", "icu4py")])
def test_a_package_that_is_not_installed_is_named(monkeypatch, name, package):
    for module in [module for module in sys.modules if module.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    word_boundaries._kinds.cache_clear()
    with pytest.raises(UsageError, match=rf"needs {package}, which is not installed: pip install 'pralign\[text\]'"):
        Tokenizer(name)("a house")


def test_characters_need_no_package(monkeypatch):
    for package in ("uniseg", "icu4py"):
        monkeypatch.setitem(sys.modules, package, None)
    assert Tokenizer("characters")("e\u0301x") == ("e\u0301", "x")
