"""Looks at a text: when they are made, what hides what, and when they keep silent."""

from __future__ import annotations

from itertools import islice

import pytest

from cli.support import sample_lines
from pralign import sample
from pralign.text.bitext import Bitext
from pralign.text.looks import LOOKS, Finding, KnownWords, TextSample, look, look_at, watched
from pralign.text.looks.watching import LINE_CHARACTERS, SAMPLE_LINES
from pralign.text.normalisation import Normalisation
from pralign.text.tokenizers import Tokenization
from pralign.text.vocabulary import Vocabulary

SOURCE, TARGET = sample_lines(200)


def seen(source, target=None, **more):
    files = ("s",) if target is None else ("s", "t")
    return look_at(TextSample(files, (source,) if target is None else (source, target), **more))


def names(*arguments, **more):
    return [finding.name for finding in seen(*arguments, **more)]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Writes files of lines, and reads them as a text."""
    monkeypatch.chdir(tmp_path)

    def make(*sides):
        for name, lines in zip("st", sides, strict=False):
            (tmp_path / name).write_bytes("".join(f"{line}\n" for line in lines).encode())
        return Bitext.read(*"st"[: len(sides)])

    return make


# Looks


def test_a_good_text_gives_no_finding():
    assert seen(*sample_lines(460)) == []
    assert seen([f"{source}\t{target}" for source, target in zip(SOURCE, TARGET, strict=True)]) == []


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (["a house.", "a cat,"], ["une maison.", "un chat,"]),
        (["10\u00a0000"] * 9, ["10\u00a0000"] * 9),
        (["我想要一个红色的大苹果"] * 9, ["a red apple"] * 9),
        ([""] * 9, ["x"] * 9),
        (["Ã©"] * 9, ["&eacute;"] * 9),
    ],
)
def test_nothing_is_concluded_from_little_text(source, target):
    assert seen(source, target) == []


def test_what_is_certain_is_said_of_little_text_too():
    assert names(["a\0b"], ["x"]) == ["nul"]
    assert names(["a", "\ufeffb"], ["x", "y"]) == ["byte-order-mark"]
    assert names(["en\tfr", "a\tx"]) == ["header"]
    assert names(["a\tx\t1", "b\ty\t2"]) == ["columns"]
    assert names(['{"a": "b"}'], ["x"]) == ["format"]


def test_findings_name_the_line_in_the_file():
    [finding] = seen(["a", "b\0"], ["x", "y"], first=101)
    assert (finding.file, finding.line, str(finding)[:24]) == ("s", 102, "s, line 102: holds NUL b")
    assert str(Finding("name", "advice", "s")) == "s: advice"
    assert str(Finding("name", "advice")) == "advice"
    assert finding.as_dict()["line"] == 102


def test_headers_and_formats_are_looked_for_at_the_beginning_only():
    assert names(["en\tfr", "a\tx"], first=3) == []
    assert names(["<html>", "x"], ["", "y"], first=3) == []


@pytest.mark.parametrize("pair", [("no", "non"), ("Is", "is"), ("it", "it"), ("text", "la maison"), ("id", "x")])
def test_short_sentences_are_no_header(pair):
    assert names([pair[0], "a"], [pair[1], "x"]) == []


@pytest.mark.parametrize("line", ["[ laughs ]", "{ a set }", '"quoted" words', "1", "< 3 %", "0-0 is a score"])
def test_sentences_that_begin_like_other_formats_are_none(line):
    assert names([line, *SOURCE], ["x", *TARGET]) == []


def test_words_as_moses_writes_them_are_no_entities():
    assert names([line.replace("a", "&apos; &quot; &#91; &amp;") for line in SOURCE], TARGET) == []


def test_no_break_spaces_within_numbers_are_meant():
    assert names([f"{line} 10\u00a0000" for line in SOURCE], TARGET) == []
    assert names([f"{line}\u00a0!" for line in SOURCE], TARGET) == ["no-break-spaces"]


def test_text_in_words_is_not_taken_for_text_without_spaces():
    words = ["我 想要 一个 红色 的 大 苹果 。"] * 60
    assert "no-spaces" not in names(words, SOURCE[:60])
    assert "no-spaces" in names(["".join(line.split()) for line in words], SOURCE[:60])


@pytest.mark.parametrize(
    ("name", "words", "line"),
    [
        ("punctuation", "--tokenize unicode", "The rain, however, fell."),
        ("no-spaces", "--tokenize icu", "我想要一个红色的大苹果和一本书"),
        ("no-break-spaces", "no-break spaces", "Venez\u00a0! dit-il"),
    ],
)
def test_what_a_tokeniser_would_put_right_is_noticed_where_words_are_cut_at_spaces(name, words, line):
    lines = [f"{number}{line}" for number in range(60)]
    sides = lines, lines[::-1]
    found = [finding for finding in seen(*sides) if finding.name == name]
    assert [finding.file for finding in found] == ["s", "t"]
    assert all(words in str(finding) for finding in found)
    expected = {way: [] for way in ("unicode", "icu", "characters")} | {"spaces,unicode": ["s"], "icu,spaces": ["t"]}
    if name == "no-spaces":  # of such scripts, unicode makes single characters
        expected |= {"unicode": ["s", "t"], "spaces,unicode": ["s", "t"]}
    for way, files in expected.items():
        found = seen(*sides, tokenization=Tokenization.of(way))
        assert [finding.file for finding in found if finding.name == name] == files


def test_one_option_cures_both_sides():
    english = [f"{number}The rain, however, fell." for number in range(60)]
    chinese = [f"{number}我想要一个红色的大苹果和一本书" for number in range(60)]
    for way in ("spaces", "unicode"):
        said = map(str, seen(english, chinese, tokenization=Tokenization.of(way)))
        cured = [finding for finding in said if "--tokenize" in finding]
        assert len(cured) == (2 if way == "spaces" else 1)
        assert all(finding.endswith("--tokenize unicode,icu") for finding in cured)
    assert "most characters count as words" in cured[0]


@pytest.mark.parametrize(("way", "expected"), [("spaces", ["s", "t"]), ("unicode", []), ("spaces,unicode", ["s"])])
def test_a_text_is_looked_at_as_it_is_cut(files, way, expected):
    glued = [f"the house, number {number}." for number in range(100)]
    found = []
    text = files(glued, glued[::-1]).tokenized(way)
    assert len(list(watched(text, lambda part: found.extend(look_at(part))))) == 100
    assert [finding.file for finding in found if finding.name == "punctuation"] == expected


def test_lines_are_long_by_the_words_they_are_cut_into():
    lines = ["x" * 201 if number % 2 else "x" for number in range(60)]
    ways = [("spaces", 201, False), ("unicode", 201, False), ("characters", 201, True), ("characters", 200, False)]
    for way, length, is_long in ways:
        cut = [line[:length] for line in lines]
        assert ("long-lines" in names(cut, cut[::-1], tokenization=Tokenization.of(way))) is is_long


def test_a_cause_hides_what_follows_from_it():
    with LOOKS.restored():
        look("cause", hides=["effect"])(lambda sample: [Finding("cause", "x", "s")])
        look("effect")(lambda sample: [Finding("effect", "y", file) for file in ("s", "t", None)])
        assert [(finding.name, finding.file) for finding in seen(["a"], ["b"])] == [("cause", "s"), ("effect", "t")]
        look("all", hides=["*"])(lambda sample: [Finding("all", "z")])
        assert names(["a"], ["b"]) == ["all"]
        look("all too", hides=["*"])(lambda sample: [Finding("all too", "z")])
        assert names(["a"], ["b"]) == ["all", "all too"]


def known(source, target):
    words = [Vocabulary(sorted({word.lower() for line in side for word in line.split()})) for side in (source, target)]
    return KnownWords(*words, Normalisation())


def test_sides_that_are_swapped_against_a_model():
    model = known(*sample_lines(200, 200))
    assert names(SOURCE, TARGET, known=model) == []
    [finding] = seen(TARGET, SOURCE, known=model)
    assert finding.name == "swapped"
    assert str(finding).endswith("give the two files in the other order")
    assert names(TARGET[:3], SOURCE[:3], known=model) == []  # too few to tell


def test_a_model_of_another_language():
    model = known(["der Hund schläft nicht"], TARGET)
    assert names(SOURCE, TARGET, known=model) == ["unknown-words"]
    prefixes = KnownWords(model.source, Vocabulary(["x"]), Normalisation(prefix=1))
    assert names(SOURCE, TARGET, known=prefixes) == ["unknown-words"] * 2


# Watching


def test_only_the_beginning_is_seen_and_only_once(files):
    samples = []
    text = watched(files(["a"] * 5000, ["x"] * 5000), samples.append)
    assert sum(1 for _ in text) == sum(1 for _ in text) == 5000
    assert [(sample.first, len(sample.lines[0]), len(sample.lines[1])) for sample in samples] == [
        (1, SAMPLE_LINES, SAMPLE_LINES)
    ]


def test_all_of_it_is_seen_if_that_is_wanted(files):
    samples = []
    text = watched(files([f"a {k}" for k in range(4500)]), samples.append, whole=True)
    with pytest.raises(Exception, match="TGT is missing"):
        list(text)
    lines = [f"a {k}\tx" for k in range(4500)]
    assert sum(1 for _ in watched(files(lines), samples.append, whole=True)) == 4500
    assert [sample.first for sample in samples] == [1, 2001, 4001]
    assert [line for sample in samples for line in sample.lines[0]] == lines


def test_nothing_is_read_further_than_it_is_asked_for(files):
    samples = []
    text = files(["a"] * 5000, ["x"] * 5000)
    read = [0, 0]

    def counting(sides):
        def one(number, lines):
            for line in lines:
                read[number] += 1
                yield line

        return [one(number, lines) for number, lines in enumerate(sides)]

    counted = text.watched(counting)
    counted._openers, counted._join = (
        tuple(lambda k=k: counting([iter(["a"] * 5000)] * 2)[k] for k in (0, 1)),
        text._join,
    )
    pairs = iter(watched(counted, samples.append))
    assert list(islice(pairs, 3)) == [("a", "a")] * 3
    assert read == [3, 3]
    assert samples == []
    pairs = iter(watched(counted, samples.append, ahead=True))
    assert read == [3 + SAMPLE_LINES] * 2
    assert len(samples) == 1
    assert sum(1 for _ in pairs) == 5000


def test_a_walk_that_was_given_up_is_not_the_first(files):
    samples = []
    text = watched(files(["a"] * 10, ["x"] * 10), samples.append)
    assert next(iter(text)) == ("a", "x")
    assert samples == []
    assert len(list(text)) == 10
    assert len(samples) == 1


@pytest.mark.parametrize("counts", [(10, 9), (9, 10), (10, 9000), (9000, 10), (0, 5), (0, 0)])
def test_sides_of_different_lengths_are_left_to_others(files, counts):
    samples = []
    text = watched(files(["a"] * counts[0], ["x"] * counts[1]), samples.append)
    try:
        list(text)
    except Exception as error:
        assert "lines" in str(error)
    assert samples == []


def test_samples_are_bounded(files):
    samples = []
    lines = ["x" * 50_000] * 500
    assert len(list(watched(files(lines, lines), samples.append))) == 500
    [seen] = samples
    assert {len(line) for line in seen.lines[0]} == {LINE_CHARACTERS}
    assert len(seen.lines[0]) == 200


def test_pairs_that_were_given_are_not_watched():
    text = Bitext([("a", "b")])
    assert list(watched(text, lambda sample: pytest.fail())) == [("a", "b")]


def test_the_sample_is_good_as_a_stream_too():
    samples = []
    text = watched(Bitext.read(sample.SOURCE, sample.TARGET), samples.append, ahead=True)
    assert len(list(text)) == 460
    assert [look_at(each) for each in samples] == [[]]
