"""Lines in are lines out, in order, whatever the lines look like."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import sys

import pytest

from cli.support import SMALL_SOURCE, SMALL_TARGET
from pralign.links.formats import read_alignments

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSORS = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress, "zst": zstd.compress}

# Each pair with the words its sides have.
STRANGE = [
    ("", "la maison", [], ["la", "maison"]),
    ("the house", "", ["the", "house"], []),
    ("", "", [], []),
    ("   ", "\t\t", [], []),
    ("the\u2028house", "la\u2028maison", ["the\u2028house"], ["la\u2028maison"]),
    ("the\u0085house a", "la\u2029maison une", ["the\u0085house", "a"], ["la\u2029maison", "une"]),
    ("the\u000bhouse", "la\u000cmaison", ["the\u000bhouse"], ["la\u000cmaison"]),
    ("10\u00a0000 cats", "10\u00a0000 chats", ["10\u00a0000", "cats"], ["10\u00a0000", "chats"]),
    ("\u00a0", "\u3000", ["\u00a0"], ["\u3000"]),
    ("the\tred house\t", "\tla  maison rouge ", ["the", "red", "house"], ["la", "maison", "rouge"]),
    ("the ||| house", "la ||| maison", ["the", "|||", "house"], ["la", "|||", "maison"]),
    ("|||", "a |||", ["|||"], ["a", "|||"]),
    ("the\rhouse cat", "la\rmaison chat", ["the\rhouse", "cat"], ["la\rmaison", "chat"]),
    ("0-0 1-1", '{"links": []}', ["0-0", "1-1"], ['{"links":', "[]}"]),
    ("\ufeff the", "\x00 le", ["\ufeff", "the"], ["\x00", "le"]),
    ("THE House", "LA Maison", ["THE", "House"], ["LA", "Maison"]),
    ("既然 e\u0301", "depuis 🙂", ["既然", "e\u0301"], ["depuis", "🙂"]),
]
PLAIN = [(s, t, s.split(), t.split()) for s, t in zip(SMALL_SOURCE, SMALL_TARGET, strict=True)]
PAIRS = [PLAIN[0], *STRANGE, *PLAIN[1:]]


def content(lines, end="\n", mark=b"", final=True):
    return mark + (end.join(lines) + (end if final else "")).encode()


def words_and_links(lines):
    records = [json.loads(line) for line in lines]
    assert [record["id"] for record in records] == list(range(len(records)))
    return [(record["source"], record["target"]) for record in records], [record["links"] for record in records]


def check(work, pairs, *arguments, stdin=None):
    """The words of each pair come back in order, and the plain output has the same links line by line."""
    words, links = words_and_links(work.align(*arguments, "--format", "jsonl", stdin=stdin))
    assert words == [(source, target) for _, _, source, target in pairs]
    lines = work.align(*arguments, stdin=stdin)
    assert [[list(map(int, link.split("-"))) for link in line.split()] for line in lines] == links
    for (source, target), found in zip(words, links, strict=True):
        assert all(i < len(source) and j < len(target) for i, j in found)
    assert links[0] == [[0, 0], [1, 1]] == links[pairs.index(PLAIN[0])]  # so that the lines are not all empty


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("final", [True, False])
def test_two_files(work, end, mark, final):
    source = work.write("s", content([pair[0] for pair in PAIRS], end, mark, final))
    target = work.write("t", content([pair[1] for pair in PAIRS], end, mark, final))
    check(work, PAIRS, source, target)


def test_the_two_files_may_end_their_lines_differently(work):
    source = work.write("s", content([pair[0] for pair in PAIRS], "\r\n", b"\xef\xbb\xbf", final=False))
    target = work.write("t", content([pair[1] for pair in PAIRS]))
    check(work, PAIRS, source, target)


def test_empty_lines_at_the_end_are_lines(work):
    source = work.write("s", content([*SMALL_SOURCE, "", "", "a"]))
    target = work.write("t", content([*SMALL_TARGET, "un", "", ""]))
    lines = work.align(source, target)
    assert len(lines) == len(SMALL_SOURCE) + 3
    assert lines[-3:] == ["", "", ""]
    assert lines[0] == "0-0 1-1"


def test_a_saved_model_answers_line_by_line_too(work):
    source = work.write("s", content([pair[0] for pair in PAIRS]))
    target = work.write("t", content([pair[1] for pair in PAIRS]))
    work.ok("train", source, target, "--save", "model")
    check(work, PAIRS, source, target, "--load", "model")


def test_every_file_that_is_written_has_a_line_for_each_pair(work):
    source = work.write("s", content([pair[0] for pair in PAIRS]))
    target = work.write("t", content([pair[1] for pair in PAIRS]))
    work.ok("align", source, target, "-o", "o", "--forward", "f", "--reverse", "r", "--scores", "c")
    for name in "ofrc":
        assert len(work.lines(name)) == len(PAIRS)
    empty = [number for number, pair in enumerate(PAIRS) if not (pair[2] and pair[3])]
    assert len(empty) == 4
    for number in empty:
        assert [work.lines(name)[number] for name in "ofrc"] == ["", "", "", "nan"]
    scores = [float(score) for number, score in enumerate(work.lines("c")) if number not in empty]
    assert max(scores) < 0
    # A forward link is the only one of its target word, a reverse link the only one of its source word.
    for name, side in (("f", 1), ("r", 0)):
        for alignment in read_alignments(work.folder / name):
            ends = [link[side] for link in alignment.links]
            assert len(ends) == len(set(ends))
    assert any(read_alignments(work.folder / "f"))


ONE_FILE = {
    "tsv": ("\t", [pair for pair in PAIRS if "\t" not in pair[0] + pair[1] and pair[0] != "\u00a0"]),
    "bars": (" ||| ", [pair for pair in PAIRS if "\t" not in pair[0] + pair[1] and "|||" not in pair[0] + pair[1]]),
}


@pytest.mark.parametrize("layout", ONE_FILE)
@pytest.mark.parametrize(
    ("end", "mark", "final"), [("\n", b"", True), ("\r\n", b"\xef\xbb\xbf", False), ("\n", b"\xef\xbb\xbf", False)]
)
def test_one_file(work, layout, end, mark, final):
    between, pairs = ONE_FILE[layout]
    lines = [f"{source}{between}{target}" for source, target, _, _ in pairs]
    check(work, pairs, work.write("both", content(lines, end, mark, final)))


def test_tab_separated_words_of_white_space_are_words_as_in_two_files(work):
    lines = ["the house\tla maison", "\u00a0\t\u3000", "the cat\tle chat"]
    both = work.write("both.tsv", content(lines))
    words, _ = words_and_links(work.align(both, "--format", "jsonl"))
    assert words[1] == (["\u00a0"], ["\u3000"])


def test_the_layout_can_be_said(work):
    both = work.write("both", content(["a\tb ||| x y", "a ||| x", "b ||| y"]))
    words, _ = words_and_links(work.align(both, "--layout", "bars", "--format", "jsonl"))
    assert words[0] == (["a", "b"], ["x", "y"])
    assert "line 2: no tab" in work.fails("align", both, "--layout", "tsv")


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_compressed_files(work, kind):
    source = work.write(f"s.{kind}", COMPRESSORS[kind](content([pair[0] for pair in PAIRS])))
    target = work.write(f"t.{kind}", COMPRESSORS[kind](content([pair[1] for pair in PAIRS])))
    check(work, PAIRS, source, target)
    between, pairs = ONE_FILE["tsv"]
    lines = [f"{source}{between}{target}" for source, target, _, _ in pairs]
    check(work, pairs, work.write(f"both.tsv.{kind}", COMPRESSORS[kind](content(lines))))


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_compressed_output(small, kind):
    plain = small.align("s", "t")
    small.ok("align", "s", "t", "-o", f"o.{kind}", "--forward", f"f.{kind}", "--scores", f"c.{kind}")
    small.ok("align", "s", "t", "-o", "o", "--forward", "f", "--scores", "c")
    assert small.lines("o") == plain
    for name in "ofc":
        data = (small.folder / f"{name}.{kind}").read_bytes()
        decompress = {"gz": gzip, "xz": lzma, "bz2": bz2, "zst": zstd}[kind].decompress
        assert decompress(data) == (small.folder / name).read_bytes()


def test_standard_input(work):
    source, target = (content([pair[side] for pair in PAIRS]) for side in (0, 1))
    work.write("s", source)
    work.write("t", target)
    check(work, PAIRS, "-", "t", stdin=source)
    check(work, PAIRS, "s", "-", stdin=target)
    check(work, PAIRS, "-", "t", stdin=gzip.compress(source))
    for between, pairs in ONE_FILE.values():
        lines = [f"{left}{between}{right}" for left, right, _, _ in pairs]
        check(work, pairs, "-", stdin=content(lines))


def test_standard_output_may_be_named(small):
    assert small.align("s", "t", "-o", "-") == small.align("s", "t") != []


@pytest.mark.parametrize("load", [False, True])
def test_one_pair(work, load):
    work.write("s", "house\n")
    work.write("t", "maison")
    work.ok("train", "s", "t", "--save", "m")
    assert work.align("s", "t", *(["--load", "m"] if load else [])) == ["0-0"]


def test_no_lines_with_a_saved_model_are_no_lines(small):
    small.ok("train", "s", "t", "--save", "m")
    small.write("empty", "")
    for options in ([], ["--format", "jsonl"], ["--format", "giza"], ["--threshold", "auto"]):
        assert small.align("empty", "empty", "--load", "m", *options) == []


def test_pairs_without_words_with_a_saved_model_are_empty_lines(small):
    small.ok("train", "s", "t", "--save", "m")
    small.write("blank", "\n\n")
    assert small.align("blank", "blank", "--load", "m", "--threshold", "auto") == ["", ""]


# Very long lines

LONG = 10_000


def long_text(small):
    words = " ".join(["house", "cat"] * (LONG // 2))
    mots = " ".join(["maison", "chat"] * (LONG // 2))
    sparse = " ".join("house" if k == 4_000 else "cat" if k == 9_999 else "so" for k in range(LONG))
    small.write("ls", [*SMALL_SOURCE, words, sparse, "the cat"])
    small.write("lt", [*SMALL_TARGET, mots, "dit la maison le chat", "le chat"])


@pytest.mark.parametrize("load", [False, True])
def test_a_pair_of_very_long_sentences_has_no_links_and_is_named(small, load):
    long_text(small)
    options = ["--format", "jsonl"]
    if load:
        small.ok("train", "s", "t", "--save", "m")
        options += ["--load", "m"]
    outcome = small.ok("align", "ls", "lt", "--quiet", *options)
    warnings = [line for line in outcome.err.splitlines() if "too large" in line]
    assert warnings == [
        "pair 7 is too large to align (10000 by 10000 words); it gets no links. Split it into sentences."
    ]
    words, links = words_and_links(outcome.out.splitlines())
    assert len(links) == len(SMALL_SOURCE) + 3
    assert links[6] == []
    assert len(words[6][0]) == len(words[6][1]) == LONG
    assert links[8] == [[0, 0], [1, 1]]


def test_a_very_long_sentence_beside_a_short_one_is_aligned(small):
    long_text(small)
    for model in ("ibm1", "ibm2", "hmm"):
        assert {"4000-2", "9999-4"} <= set(small.align("ls", "lt", "--model", model)[7].split())


def test_pairs_that_are_not_trained_on_are_counted_on_standard_error(small):
    long_text(small)
    small.write("ls", small.read("ls") + "\n")
    small.write("lt", small.read("lt") + "x\n")
    err = small.ok("align", "ls", "lt", "-o", "o").err
    assert "not trained on: 1 pairs with an empty side, 2 with a side over 200 words" in err.splitlines()


def test_quiet_leaves_only_warnings(small):
    small.write("s", small.read("s") + "\n")
    small.write("t", small.read("t") + "x\n")
    assert small.ok("align", "s", "t", "--quiet", "-o", "o").err == ""
