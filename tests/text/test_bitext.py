"""Parallel text from pairs, from two files and from one."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.errors import InputError, UsageError
from pralign.text.bitext import Bitext
from pralign.text.corpora import READERS, Row
from pralign.text.files import lines_up_to
from pralign.text.pairing import UnequalLinesError, paired
from pralign.text.tokens import Tokens

EXOTIC = "\r\x0b\x0c\x1c\x85\xa0\u2028\u3000"
SENTENCE = st.lists(st.sampled_from("ab |" + EXOTIC), max_size=6).map("".join)


def file(folder, name, text):
    (folder / name).write_bytes(text.encode())
    return folder / name


# Pairs in memory


def test_pairs_are_kept_as_they_are_and_can_be_read_again():
    pairs = [("the house", "la maison"), (["a", "b c"], ["x"]), ("", "")]
    bitext = Bitext(iter(pairs))
    assert list(bitext) == pairs
    assert list(bitext) == pairs
    assert list(zip(bitext, bitext, strict=True)) == list(zip(pairs, pairs, strict=True))


def test_pairs_have_a_name_for_messages(tmp_path):
    assert Bitext([]).name == "the pairs given"
    assert Bitext.read("a", "b").name == "a and b"
    assert Bitext.read("-").name == "standard input"


# Two files


@settings(deadline=None)
@given(pairs=st.lists(st.tuples(SENTENCE, SENTENCE), max_size=6), final=st.booleans())
def test_two_files_pair_line_by_line(tmp_path_factory, pairs, final):
    folder = tmp_path_factory.mktemp("pairs")
    if pairs and not final and (not all(pairs[-1]) or any("\r" in side for side in pairs[-1])):
        final = True  # without a line end, an empty last line is no line, and a carriage return may be one
    sides = ["\n".join(side) + "\n" * (final and bool(pairs)) for side in zip(*pairs, strict=True)] or ["", ""]
    bitext = Bitext.read(file(folder, "s", sides[0]), file(folder, "t", sides[1]))
    # A carriage return at the end of a line belongs to the line end.
    expected = [(source.removesuffix("\r"), target.removesuffix("\r")) for source, target in pairs]
    assert list(bitext) == expected
    assert list(bitext) == expected


def test_files_are_read_as_needed(tmp_path):
    source, target = file(tmp_path, "s", "a\nb\n"), file(tmp_path, "t", "x\n")
    pairs = iter(Bitext.read(source, target))
    assert next(pairs) == ("a", "x")
    with pytest.raises(UnequalLinesError):
        next(pairs)


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("a\n" * 3, "x\n" * 5, "s has 3 lines, t 5; line n of one has to translate line n of the other, so add"),
        ("a\n" * 5, "x\n" * 3, "s has 5 lines, t 3; line n of one has to translate line n of the other, so add"),
        ("a\n", "", "s has 1 line, t 0; t is empty"),
        ("", "x", "s has 0 lines, t 1; s is empty"),
        ("a\n\n", "x\n", "s has 2 lines, t 1; the last line is blank in s; remove it"),
        ("a\n\n \n", "x\n", "s has 3 lines, t 1; the last 2 lines are blank in s; remove them"),
        ("a\n\nb\n", "x\ny\n", "s has 3 lines, t 2; s has 1 blank line more"),
        ("a\u2028b\n", "x\ny\n", "s has 1 line, t 2; inside its lines, s has 1 separator such as U+2028"),
    ],
)
def test_files_of_different_length_are_refused_with_both_lengths(tmp_path, monkeypatch, source, target, message):
    monkeypatch.chdir(tmp_path)
    file(tmp_path, "s", source)
    file(tmp_path, "t", target)
    with pytest.raises(UnequalLinesError) as caught:
        list(Bitext.read("s", "t"))
    assert str(caught.value).startswith(message)


def test_pairing_counts_the_rest_of_the_longer_input():
    with pytest.raises(UnequalLinesError) as caught:
        list(paired("abcd", iter("xy"), ("l", "r")))
    assert (caught.value.left, caught.value.right) == (4, 2)
    with pytest.raises(UnequalLinesError) as caught:
        list(paired(iter("a"), "xyz", ("l", "r")))
    assert (caught.value.left, caught.value.right) == (1, 3)
    assert list(paired("ab", "xy", ("l", "r"))) == [("a", "x"), ("b", "y")]
    assert list(paired("", "", ("l", "r"))) == []


# One file


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a b\tx y\n", [("a b", "x y")]),
        ("a\tx\tand more\n\tx\na\t\n", [("a", "x"), ("", "x"), ("a", "")]),
        ("\n\t\na\tx", [("", ""), ("", ""), ("a", "x")]),
        ("a ||| b\tx ||| y\n", [("a ||| b", "x ||| y")]),
        ("a\u2028b\tx\x0cy\r\n", [("a\u2028b", "x\x0cy")]),
    ],
)
@pytest.mark.parametrize("name", ["pairs.tsv", "pairs"])
def test_tab_separated_columns(tmp_path, text, pairs, name):
    assert list(Bitext.read(file(tmp_path, name, text))) == pairs


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a b ||| x y\n", [("a b", "x y")]),
        ("||| x\na |||\n|||\n \n", [("", "x"), ("a", ""), ("", ""), ("", "")]),
        ("a||| b ||| c|||d\n", [("a||| b", "c|||d")]),
        ("a ||| x\nb\tc ||| y\n", [("a", "x"), ("b\tc", "y")]),
        ("a\u2028b ||| x\xa0y\r\n", [("a\u2028b", "x\xa0y")]),
    ],
)
def test_bars_between_the_sides(tmp_path, text, pairs):
    found = list(Bitext.read(file(tmp_path, "pairs", text)))
    assert [(source.strip(" "), target.strip(" ")) for source, target in found] == pairs


def test_the_layout_can_be_said(tmp_path):
    both = file(tmp_path, "pairs.tsv", "a ||| b\tc ||| d\n")
    assert list(Bitext.read(both, layout="tsv")) == [("a ||| b", "c ||| d")]
    with pytest.raises(InputError, match=r"line 1: found 2 times ' \|\|\| ' where one is needed"):
        list(Bitext.read(both, layout="bars"))
    plain = file(tmp_path, "pairs", "a\tb ||| c\n")
    assert [tuple(map(str.strip, pair)) for pair in Bitext.read(plain, layout="bars")] == [("a\tb", "c")]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p", "a ||| x\n\nb\n", "p, line 3: found 0 times ' ||| ' where one is needed"),
        ("p", "a ||| x ||| z\n", "p, line 1: found 2 times ' ||| ' where one is needed"),
        ("p", "a|||x\n", "p, line 1: found 0 times ' ||| ' where one is needed"),
        ("p", "a\tx\nb c\n", "p, line 2: no tab between the source and the target sentence"),
        ("p.tsv", "a ||| x\n", "p.tsv, line 1: no tab between the source and the target sentence"),
    ],
)
def test_a_line_without_two_sides_is_named(tmp_path, monkeypatch, name, text, message):
    monkeypatch.chdir(tmp_path)
    file(tmp_path, name, text)
    with pytest.raises(InputError) as caught:
        list(Bitext.read(name))
    assert str(caught.value).startswith(message)


# Input that comes only once


class Standard:
    def __init__(self, text):
        self.buffer = io.BytesIO(text.encode())


def test_standard_input_can_be_read_again(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Standard("a\tx\nb\ty\n"))
    bitext = Bitext.read("-")
    assert list(bitext) == [("a", "x"), ("b", "y")]
    assert list(bitext) == [("a", "x"), ("b", "y")]


def test_standard_input_can_be_one_side(monkeypatch, tmp_path):
    for arguments in (["-", file(tmp_path, "t", "x\ny\n")], [file(tmp_path, "t", "x\ny\n"), "-"]):
        monkeypatch.setattr(sys, "stdin", Standard("a\nb\n"))
        bitext = Bitext.read(*arguments)
        assert {len(set(pair) & {"a", "b"}) for pair in bitext} == {1}
        assert len(list(bitext)) == 2


def test_standard_input_cannot_be_both_sides():
    with pytest.raises(UsageError, match="standard input cannot be both sides"):
        Bitext.read("-", "-")


def test_a_named_pipe_can_be_read_again_like_standard_input(tmp_path):
    # What a shell gives for <(zcat file).
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    found = []

    def read():
        bitext = Bitext.read(fifo)
        found.extend([list(bitext), list(bitext)])

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    fifo.write_text("a\tx\nb\ty\n")
    reader.join(2)
    if reader.is_alive():  # it waits for somebody to write once more
        fifo.write_text("")
        reader.join(2)
    assert found == [[("a", "x"), ("b", "y")]] * 2


# Files of other kinds

PAIRS = [("the house", "la maison"), ("a cat", "un chat")]
KINDS = {
    "csv": "the house,la maison,x\na cat,un chat,y\n",
    "jsonl": "".join(json.dumps({"en": source, "fr": target, "n": 1}) + "\n" for source, target in PAIRS),
    "tmx": "<tmx><body>"
    + "".join(
        f"<tu tuid='1'><tuv xml:lang='en'><seg>{source}</seg></tuv><tuv xml:lang='fr'><seg>{target}</seg></tuv></tu>"
        for source, target in PAIRS
    )
    + "</body></tmx>",
    "xliff": "<xliff>"
    + "".join(
        f"<trans-unit id='1'><source>{source}</source><target>{target}</target></trans-unit>"
        for source, target in PAIRS
    )
    + "</xliff>",
}
TREEBANK = "".join(
    "".join(f"{number}\t{word}" + "\t_" * 4 + "\t0" + "\t_" * 3 + "\n" for number, word in enumerate(words, start=1))
    + "\n"
    for words in (["the", "house"], ["a", "cat"])
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_known_by_the_name_of_the_file_or_said(tmp_path, kind):
    named = Bitext.read(file(tmp_path, f"pairs.{kind}", KINDS[kind]))
    said = Bitext.read(file(tmp_path, "pairs", KINDS[kind]), layout=kind)
    for bitext in (named, said):
        assert bitext.layout == kind
        assert bitext.reader is READERS[kind]
        assert list(bitext) == PAIRS
        assert list(bitext) == PAIRS
        assert [(row.source, row.target) for row in bitext.rows()] == PAIRS
        assert all(row.extras for row in bitext.rows())
        assert [row.extras for row in bitext.rows()] == list(bitext.extras())


@pytest.mark.parametrize("kind", KINDS)
def test_standard_input_may_be_of_any_kind(monkeypatch, kind):
    monkeypatch.setattr(sys, "stdin", Standard(KINDS[kind]))
    bitext = Bitext.read("-", layout=kind)
    assert list(bitext) == PAIRS
    assert [(row.source, row.target) for row in bitext.rows()] == PAIRS
    assert list(bitext) == PAIRS


@pytest.mark.parametrize("kind", KINDS)
def test_a_pipe_of_any_kind_can_be_read_again(tmp_path, kind):
    os.mkfifo(tmp_path / "fifo")
    data = gzip.compress(KINDS[kind].encode())
    writer = threading.Thread(target=lambda: (tmp_path / "fifo").write_bytes(data), daemon=True)
    writer.start()
    bitext = Bitext.read(tmp_path / "fifo", layout=kind)
    assert next(bitext.rows()).source == "the house"
    assert list(bitext) == PAIRS
    writer.join(2)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_any_kind_is_read_as_needed(tmp_path, kind):
    path = file(tmp_path, f"pairs.{kind}", KINDS[kind])
    bitext = Bitext.read(path)
    path.write_text("")
    path.unlink()
    with pytest.raises(InputError, match=f"pairs.{kind}: cannot read: No such file"):
        list(bitext)


def test_the_longest_line_is_that_of_when_the_text_was_opened(tmp_path):
    path = file(tmp_path, "pairs.jsonl", KINDS["jsonl"])
    with lines_up_to(20):
        short = Bitext.read(path)
    with pytest.raises(InputError, match="line 1: longer than 20 bytes"):
        list(short)
    bitext = Bitext.read(path)
    with lines_up_to(20):
        assert list(bitext) == PAIRS


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("first", [True, False])
def test_a_file_with_both_sides_is_no_side(tmp_path, kind, first):
    files = [file(tmp_path, f"pairs.{kind}", KINDS[kind]), file(tmp_path, "other.txt", "a\nb\n")]
    with pytest.raises(UsageError, match=f"pairs.{kind} is a {kind} file, which holds both sides; give it alone"):
        Bitext.read(*(files if first else reversed(files)))


def test_what_is_said_of_one_file_is_not_said_of_two(tmp_path):
    files = [file(tmp_path, "a.tsv", "a\n"), file(tmp_path, "b.tsv", "b\n")]
    assert list(Bitext.read(*files)) == [("a", "b")]
    assert list(Bitext.read(*files, layout="tsv")) == [("a", "b")]
    with pytest.raises(UsageError, match="a jsonl file holds both sides; there are two files"):
        Bitext.read(*files, layout="jsonl")
    for choice in ({"columns": "en,fr"}, {"header": False}):
        with pytest.raises(UsageError, match="are those of one file with both sides; there are two files"):
            Bitext.read(*files, **choice)
        with pytest.raises(UsageError, match="three bars has no columns"):
            Bitext.read(files[0], layout="bars", **choice)


def test_a_layout_that_is_none_is_refused():
    with pytest.raises(UsageError, match="a layout is bars, csv, tsv, jsonl, parquet, tmx, xliff, not xml"):
        Bitext.read("a", layout="xml")


@pytest.mark.parametrize(
    ("line", "layout"),
    [('"a","b"', "csv"), ('{"en": "a", "fr": "b"}', "jsonl"), ("<?xml version='1.0'?>", "tmx"), ("<tmx>", "tmx")],
)
def test_a_file_whose_name_does_not_tell_is_told_by_how_it_begins(tmp_path, line, layout):
    with pytest.raises(InputError, match=f"say so: --layout {layout}"):
        list(Bitext.read(file(tmp_path, "pairs", f"{line}\n")))


# Treebanks


def test_a_treebank_is_a_side(tmp_path):
    treebank, text = file(tmp_path, "en.conllu", TREEBANK), file(tmp_path, "fr.txt", "la maison\nun chat\n")
    expected = [(["the", "house"], "la maison"), (["a", "cat"], "un chat")]
    bitext = Bitext.read(treebank, text)
    assert list(bitext) == list(bitext) == expected
    assert list(Bitext.read(text, treebank)) == [(right, left) for left, right in expected]
    assert next(iter(bitext.tokenized("characters"))) == (["the", "house"], tuple("lamaison"))
    assert [tuple(row) for row in bitext.rows()] == [(*pair, {}) for pair in expected]
    assert list(bitext.extras()) == []


def test_a_treebank_has_as_many_sentences_as_the_other_side_has_lines(tmp_path):
    treebank, text = file(tmp_path, "en.conllu", TREEBANK), file(tmp_path, "fr.txt", "la maison\nun chat\n\n")
    with pytest.raises(UnequalLinesError, match=r"en.conllu has 2 lines, .*fr.txt 3; the last line is blank"):
        list(Bitext.read(treebank, text))


def test_a_treebank_alone_is_one_side(tmp_path):
    with pytest.raises(UsageError, match=r"TGT is missing: .*en.conllu is a treebank of one side"):
        Bitext.read(file(tmp_path, "en.conllu", TREEBANK))


# Words


def test_sentences_are_cut_and_know_where(tmp_path):
    bitext = Bitext.read(file(tmp_path, "pairs.csv", "It's late,Il est tard\n"), tokenize="characters,spaces")
    [(source, target)] = bitext
    assert isinstance(source, Tokens)
    assert (source.text, source.spans[3]) == ("It's late", (3, 4))
    assert target == ("Il", "est", "tard")
    [row] = bitext.rows()
    assert (row.source, row.target) == (source, target)


@pytest.mark.parametrize("kind", [*KINDS, "tsv"])
def test_rows_and_pairs_are_cut_alike(tmp_path, kind):
    text = KINDS.get(kind, "the house\tla maison\na cat\tun chat\n")
    bitext = Bitext.read(file(tmp_path, f"pairs.{kind}", text)).tokenized("characters,spaces")
    pairs = [(tuple(source.replace(" ", "")), tuple(target.split())) for source, target in PAIRS]
    assert list(bitext) == list(bitext) == pairs
    assert [(row.source, row.target) for row in bitext.rows()] == pairs
    again = bitext.tokenized("spaces,characters")
    assert list(again) == [(row.source, row.target) for row in again.rows()] == pairs


def test_words_stay_as_they_are(tmp_path):
    lines = json.dumps({"en": ["the", "old house"], "fr": "la maison"})
    bitext = Bitext.read(file(tmp_path, "pairs.jsonl", lines), tokenize="characters")
    assert next(iter(bitext))[0] == ["the", "old house"]
    assert next(bitext.rows())[0] == ["the", "old house"]
    assert Bitext([("a", "b")]).tokenized("spaces").tokenization is None


# Watching


def watching(seen):
    def watch(sides):
        return [_seen(side, number, seen) for number, side in enumerate(sides)]

    return watch


def _seen(lines, number, seen):
    for line in lines:
        seen.append((number, line))
        yield line


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tokenize", ["spaces", "characters"])
def test_sentences_of_other_kinds_are_watched_as_lines_of_two_files(tmp_path, kind, tokenize):
    bitext = Bitext.read(file(tmp_path, f"pairs.{kind}", KINDS[kind]), tokenize=tokenize)
    seen = []
    watched = bitext.watched(watching(seen))
    assert seen == []
    assert list(watched) == list(bitext)
    assert seen == [(side, sentence) for pair in PAIRS for side, sentence in enumerate(pair)]
    assert [(row.source, row.target) for row in watched.rows()] == list(bitext)
    assert watched.tokenization == bitext.tokenization


def test_a_watch_may_read_ahead(tmp_path):
    bitext = Bitext.read(file(tmp_path, "pairs.csv", KINDS["csv"]))

    def ahead(sides):
        return [iter(list(side)) for side in sides]

    assert list(bitext.watched(ahead)) == PAIRS


def test_lines_are_watched_as_ever(tmp_path):
    seen = []
    bitext = Bitext.read(file(tmp_path, "pairs.tsv", "a\tb\tc\n"), tokenize="characters")
    assert list(bitext.watched(watching(seen))) == [(("a",), ("b",))]
    assert seen == [(0, "a\tb\tc")]
    assert list(Bitext([("a", "b")]).watched(watching(seen))) == [("a", "b")]
    assert len(seen) == 1


# Other pairs of the same text


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"pairs.csv": KINDS["csv"]}, "pairs.csv, source, pair 2"),
        ({"pairs.tsv": "a b\tx\na cat\ty\n"}, "pairs.tsv, line 2"),
        ({"s": "x\na cat\n", "t": "x\ny\n"}, "s, line 2"),
        ({"s.conllu": TREEBANK, "t": "x\ny\n"}, "s.conllu, sentence 2"),
    ],
)
def test_what_is_checked_is_named_by_its_place(tmp_path, monkeypatch, files, place):
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        file(tmp_path, name, text)
    found = []

    def check(sentence, where):
        found.extend([where] if list(sentence) == ["a", "cat"] or sentence == "a cat" else [])

    bitext = Bitext.read(*files)
    assert list(bitext.checked(check)) == list(bitext)
    assert found == [place]


def test_pairs_from_elsewhere_have_nothing_besides(tmp_path):
    bitext = Bitext.read(file(tmp_path, "pairs.csv", KINDS["csv"]))
    more = bitext.along_with([("c", "d"), ("a cat", "un chat")], str.split)
    assert list(more) == [*PAIRS, ("c", "d")]
    assert list(more.rows()) == [Row(*pair) for pair in [*PAIRS, ("c", "d")]]
    assert (more.reader, list(more.extras())) == (None, [])
    assert [row.extras for row in Bitext([("a", "b")]).rows()] == [{}]
