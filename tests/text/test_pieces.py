"""Pieces of words: the same as their packages give, each with the characters that it was made from."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from piece_models import HUGGING_FACE, SENTENCE_PIECE, SENTENCES
from pralign.errors import InputError, UsageError
from pralign.text.pieces import read_piece_model
from scripts import ANY_TEXT, TEXT

sentencepiece = pytest.importorskip("sentencepiece")
tokenizers = pytest.importorskip("tokenizers")

NAMES = [*SENTENCE_PIECE, *HUGGING_FACE]
KNOWN = st.lists(st.sampled_from(" ".join(SENTENCES).split()), max_size=8).map(" ".join)


@pytest.fixture(scope="session")
def models(piece_models):
    """All models, as they are read here."""
    return {name: read_piece_model(path) for name, path in piece_models.items()}


@pytest.fixture(scope="session")
def plain(piece_models):
    """What the packages themselves give, by the name of a model."""
    first = {name: sentencepiece.SentencePieceProcessor(model_file=str(piece_models[name])) for name in SENTENCE_PIECE}
    second = {name: tokenizers.Tokenizer.from_file(str(piece_models[name])) for name in HUGGING_FACE}

    def pieces(name, text):
        if name in first:
            return first[name].encode(text, out_type=str)
        return second[name].encode(text, add_special_tokens=False).tokens

    return pieces


def placed(model, text):
    found = model(text)
    return list(zip(found.pieces, found.spans, strict=True))


@pytest.mark.parametrize("name", NAMES)
@given(text=st.one_of(TEXT, KNOWN))
@settings(deadline=None)
def test_pieces_are_those_of_the_package(models, plain, name, text):
    assert models[name](text).pieces == plain(name, text)


@pytest.mark.parametrize("name", NAMES)
@given(text=st.one_of(ANY_TEXT, KNOWN))
@settings(deadline=None)
def test_spans_lie_in_the_text_in_order_without_white_space_around(models, name, text):
    found = models[name](text)
    assert len(found.spans) == len(found.pieces)
    assert all(0 <= start <= end <= len(text) for start, end in found.spans)
    assert [start for start, _ in found.spans] == sorted(start for start, _ in found.spans)
    ends = [end for start, end in found.spans if start < end]
    assert ends == sorted(ends)
    assert all(text[start:end].strip() == text[start:end] for start, end in found.spans)


@pytest.mark.parametrize("name", NAMES)
@given(text=st.one_of(ANY_TEXT, KNOWN))
@settings(deadline=None)
def test_what_is_nothing_but_spaces_stands_nowhere(models, name, text):
    for piece, (start, end) in placed(models[name], text):
        if not piece.strip("\u2581"):
            assert start == end


@pytest.mark.parametrize("name", NAMES)
@given(text=KNOWN)
@settings(deadline=None)
def test_pieces_of_known_words_are_spelled_as_in_the_text(models, name, text):
    found = placed(models[name], text)
    inside = {k for _, (start, end) in found for k in range(start, end)}
    assert {k for k, character in enumerate(text) if character != " "} <= inside
    if name == "as-it-is":
        assert [text[start:end] for _, (start, end) in found] == [piece.replace("\u2581", "") for piece, _ in found]


@given(text=ANY_TEXT)
@settings(deadline=None)
def test_without_normalisation_places_are_those_of_the_letters(models, text):
    at = 0
    for piece, (start, end) in placed(models["as-it-is"], text):
        if letters := piece.strip("\u2581").strip():
            inner = text[start:end].encode(errors="replace").decode()
            assert inner.replace(" ", "\u2581") == letters
            assert start >= at
            at = end


@given(text=ANY_TEXT)
@settings(deadline=None)
def test_bytes_stand_at_their_character(models, text):
    for name in ("bytes", "bpe-bytes", "llama"):
        for piece, (start, end) in placed(models[name], text):
            if piece.startswith("<0x") and start < end:
                assert int(piece[3:5], 16) < 0x80 or not text[start:end].isascii()


# What normalisation does


def letters(*groups):
    """Letters of a normalised text, each with the place of the character that it comes from: ``"fi", (0, 1)``."""
    return [(letter, span) for spelled, span in zip(groups[::2], groups[1::2], strict=True) for letter in spelled]


def check(found, expected):
    """Check that pieces, however a model cuts, spell these letters and stand where they do."""
    for piece, span in found:
        spelled = piece.removeprefix("##").strip("\u2581")
        here, expected = expected[: len(spelled)], expected[len(spelled) :]
        assert "".join(letter for letter, _ in here) == spelled
        assert span == (here[0][1][0], here[-1][1][1]) if here else span[0] == span[1]
    assert expected == []


SMALL = letters("x", (0, 1), "fi", (1, 2), "n", (2, 3), "fi", (3, 4))
NORMALISED = {
    "xﬁnﬁ": SMALL,
    "  xﬁn \u3000ﬁ ": letters("x", (2, 3), "fi", (3, 4), "n", (4, 5), "fi", (7, 8)),
    "t…": letters("t", (0, 1), "...", (1, 2)),
    "\uff54\uff48㍿e": letters("t", (0, 1), "h", (1, 2), "株式会社", (2, 3), "e", (3, 4)),
    "½ ﷺ": letters("1\u20442", (0, 1), "صلى", (2, 3), "الله", (2, 3), "عليه", (2, 3), "وسلم", (2, 3)),
    "\U0001d4ea\U0001d4fc😀": letters("a", (0, 1), "s", (1, 2), "😀", (2, 3)),
}


@pytest.mark.parametrize("text", NORMALISED)
@pytest.mark.parametrize("name", ["unigram", "bpe", "rare", "small-letters", "no-prefix", "suffix", "metaspace"])
def test_places_are_those_of_the_original(models, name, text):
    check(placed(models[name], text), NORMALISED[text])


def test_letters_that_become_one_stand_at_both(models):
    for name in ("unigram", "bpe", "small-letters"):
        check(placed(models[name], "te\u0301t"), letters("t", (0, 1), "é", (1, 3), "t", (3, 4)))
        check(placed(models[name], "\u1112\u1161\u11ab"), letters("한", (0, 3)))


@pytest.mark.parametrize("name", ["bert", "stripped"])
def test_small_letters_without_accents_stand_at_their_originals(models, name):
    check(
        placed(models[name], "ÉTe\u0301\tCaT"),
        letters("e", (0, 1), "t", (1, 2), "e", (2, 3), "c", (5, 6), "a", (6, 7), "t", (7, 8)),
    )


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("bytes", "\0", [("\u2581", (0, 0)), ("<0x00>", (0, 1))]),
        ("bytes", "😀", [("\u2581", (0, 0)), *((f"<0x{byte:02X}>", (0, 1)) for byte in "😀".encode())]),
        ("llama", "é", [("\u2581", (0, 0)), ("<0xC3>", (0, 1)), ("<0xA9>", (0, 1))]),
        ("byte-level", " é ", [("Ġ", (1, 1)), ("Ã", (1, 2)), ("©", (1, 2)), ("Ġ", (3, 3))]),
        ("bert", " \u4e57 ", [("[UNK]", (1, 2))]),
        ("stripped", "\u4e57 ", [("<unk>", (0, 1))]),
        ("unigram", "\u4e57\u4e58", [("\u2581", (0, 0)), ("\u4e57\u4e58", (0, 2))]),
        ("unigram", "\x01", []),
    ],
)
def test_bytes_and_what_is_unknown(models, name, text, expected):
    assert placed(models[name], text) == expected


@pytest.mark.parametrize("name", NAMES)
def test_blank_text_has_no_piece_that_stands_somewhere(models, name):
    assert models[name]("") == ([], [])
    for text in (" ", "   ", "\t", " \t\u3000"):
        assert all(start == end for start, end in models[name](text).spans)


def test_literal_spellings_of_bytes_are_text(models, plain):
    for name in ("unigram", "rare", "as-it-is"):
        for text in ("<0x41>", "<0xC3>家", "\u4e57<0xE2>\u4e57"):
            assert [text[start:end] for _, (start, end) in placed(models[name], text) if start < end] == [
                piece.strip("\u2581") for piece in plain(name, text) if piece.strip("\u2581")
            ]


def test_neither_length_nor_padding_nor_tokens_around_change_the_pieces(piece_models, tmp_path):
    content = json.loads(piece_models["bert"].read_text())
    assert content["post_processor"] is not None
    content["truncation"] = {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0}
    padding = {"strategy": {"Fixed": 9}, "direction": "Left", "pad_to_multiple_of": None}
    content["padding"] = padding | {"pad_id": 0, "pad_type_id": 0, "pad_token": "[UNK]"}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(content))
    assert len(tokenizers.Tokenizer.from_file(str(path)).encode("the cat the cat the cat").tokens) == 9
    model = read_piece_model(piece_models["bert"])
    assert len(model("the cat the cat").pieces) > 3
    assert read_piece_model(path)("the cat the cat").pieces == model("the cat the cat").pieces
    assert read_piece_model(str(path))("the cat the cat").spans[-1][1] == 15


# Files


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"some lines\nof text\n", "this is no model of SentencePiece, or only a part of one; give the .model"),
        (b"", "this is no model of SentencePiece"),
        (b"\x0a\x0e\x0a\x05<unk>", "this is no model of SentencePiece"),
        (b'{"a": 1}', "this is no tokenizer.json of Hugging Face .*; give the .model"),
        (b'{"a": ', "this is no tokenizer.json of Hugging Face"),
        (b"{}", "this is no tokenizer.json of Hugging Face"),
        (b' \n{\n "version": 1}', "this is no tokenizer.json of Hugging Face"),
        (b"[]", "this is no model of SentencePiece"),
    ],
)
def test_files_that_hold_something_else(tmp_path, content, message):
    path = tmp_path / "odd.file"
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"odd.file: {message}"):
        read_piece_model(path)


@pytest.mark.parametrize("name", ["unigram", "bert"])
def test_files_that_are_cut_off(piece_models, tmp_path, name):
    content = piece_models[name].read_bytes()
    for share in (0.01, 0.3, 0.9):
        path = tmp_path / "part"
        path.write_bytes(content[: int(share * len(content))])
        with pytest.raises(InputError, match="part: this is no"):
            read_piece_model(path)


@pytest.mark.parametrize("name", ["unigram", "bytes", "bpe", "bert"])
@given(changes=st.dictionaries(st.integers(0, 5000), st.integers(0, 255), min_size=1, max_size=4))
@settings(deadline=None, max_examples=25)
def test_files_that_are_damaged_are_refused_or_cut_something(piece_models, name, changes):
    content = bytearray(piece_models[name].read_bytes())
    for place, byte in changes.items():
        content[place % len(content)] = byte
    path = piece_models[name].with_suffix(".damaged")
    path.write_bytes(content)
    text = "the cat \ufb01 … sleeps 😀"
    try:
        found = read_piece_model(path)(text)
    except InputError as error:
        assert str(error).startswith(f"{path}: this ")
    else:
        assert all(0 <= start <= end <= len(text) for start, end in found.spans)


def test_a_model_whose_pieces_make_up_another_text_is_refused(piece_models, monkeypatch):
    model = read_piece_model(piece_models["unigram"])
    monkeypatch.setattr(sentencepiece.SentencePieceProcessor, "encode", lambda self, text, out_type: ["the", "cats"])
    with pytest.raises(InputError, match=r"unigram.model: this model cannot cut 'the' .*; give the .model"):
        model("the")


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match=r"missing: cannot read: .*; give the .model of SentencePiece"):
        read_piece_model(tmp_path / "missing")
    with pytest.raises(InputError, match=r"cannot read: .*irectory"):
        read_piece_model(tmp_path)
    with pytest.raises(InputError, match="cannot read"):
        read_piece_model("a\0b")


def test_a_tokeniser_that_fails_is_named(tmp_path):
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({"the": 0}, unk_token="[UNK]"))
    made.save(str(tmp_path / "words.json"))
    model = read_piece_model(tmp_path / "words.json")
    assert model("the").pieces == ["the"]
    with pytest.raises(InputError, match=r"words.json: this tokeniser cannot cut 'cat' \(.*\[UNK\]"):
        model("cat")


@pytest.mark.parametrize(("name", "package"), [("unigram", "sentencepiece"), ("bert", "tokenizers")])
def test_a_package_that_is_not_installed_is_named(monkeypatch, piece_models, name, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsageError, match=rf"needs {package}, which is not installed: pip install 'pralign\[text\]'"):
        read_piece_model(piece_models[name])
