"""Treebanks in CoNLL-U, compared with what the package of that name reads."""

from __future__ import annotations

import gzip

import conllu
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.errors import InputError
from pralign.text.conllu import (
    DEPREL,
    FORM,
    HEAD,
    ID,
    LEMMA,
    MISC,
    NO_HEAD,
    UPOS,
    ConlluSentence,
    check_tree,
    parse_conllu,
    read_conllu,
)


def row(identifier, form, head="_", misc="_", deprel="dep"):
    return "\t".join([str(identifier), form, form.lower(), "NOUN", "N", "Case=Nom", str(head), deprel, "_", misc])


FRENCH = [
    "# sent_id = f-1",
    "# text = Il va du pré au lac.",
    "# a comment without a value",
    row(1, "Il", 2),
    row(2, "va", 0, deprel="root"),
    row("2.1", "marcher"),
    row("3-4", "du"),
    row(3, "de", 5),
    row(4, "le", 5),
    row(5, "pré", 2),
    row("6-7", "au"),
    row(6, "à", 8),
    row(7, "le", 8),
    row(8, "lac", 2, "SpaceAfter=No|Gloss=lake"),
    row(9, ".", 2),
    "",
]
SHORT = ["# sent_id = f-2", row("0.1", "(elle)"), row(1, "Pars", 0), row("2-3", "t'en", misc="SpaceAfter=No")]
SHORT += [row(2, "te", 1), row(3, "en", 1), row(4, "!", 1), ""]


def parsed(*lines):
    return list(parse_conllu(lines, "sample"))


# Sentences


def test_words_are_what_has_a_place_in_the_tree():
    french, short = parsed(*FRENCH, *SHORT)
    assert french.forms == ["Il", "va", "de", "le", "pré", "à", "le", "lac", "."]
    assert french.heads == (2, 0, 5, 5, 2, 8, 8, 2, 2)
    assert french.column(LEMMA)[0] == "il"
    assert french.column(DEPREL)[1] == "root"
    assert short.forms == ["Pars", "te", "en", "!"]
    assert [sentence.line for sentence in (french, short)] == [4, 18]
    assert [french.rows[k][ID] for k in french.words] == [str(number) for number in range(1, 10)]


def test_comments_are_kept_and_can_be_asked():
    french = parsed(*FRENCH)[0]
    assert french.comment("sent_id") == "f-1"
    assert french.comment("text") == "Il va du pré au lac."
    assert french.comment("newdoc") is None
    assert french.comment("a comment without a value") is None
    assert french.comments[2] == "# a comment without a value"


def test_the_text_has_multiword_tokens_as_wholes():
    french, short = parsed(*FRENCH, *SHORT)
    assert french.text == french.comment("text")
    assert short.text == "Pars t'en!"


def test_lines_are_what_was_read():
    lines = [*FRENCH, *SHORT]
    assert [line for sentence in parsed(*lines) for line in sentence.lines()] == lines


def test_words_alone_become_a_sentence():
    made = ConlluSentence.of(["Il", "pleut", "."], [True, False, False])
    assert made.text == "Il pleut."
    assert made.heads == (NO_HEAD,) * 3
    assert parsed(*made.lines()) == [made]


def test_heads_and_comments_can_be_others():
    french = parsed(*FRENCH)[0]
    changed = french.with_heads([0, *[1] * 7, NO_HEAD], ["root", *["x"] * 8]).with_comments(sent_id="7", model="m")
    assert changed.heads == (0, *[1] * 7, NO_HEAD)
    assert changed.column(HEAD) == ["0", *["1"] * 7, "_"]
    assert changed.column(UPOS) == french.column(UPOS)
    assert changed.rows[2] == french.rows[2]
    assert changed.comments == ("# sent_id = 7", "# model = m", *french.comments[1:])
    assert parsed(*changed.lines())[0].heads == changed.heads
    assert french.comment("sent_id") == "f-1"


# What others read


@st.composite
def sentences(draw):
    """A sentence as lines, with multiword tokens and empty nodes, whose words may have any head but themselves."""
    # The package takes two spaces for a tab.
    letters = st.text(st.sampled_from("abé家-'#_ \xa0\u2028"), min_size=1, max_size=4)
    form = letters.filter(lambda text: text.strip() and "  " not in text)
    count = draw(st.integers(1, 6))
    lines = [f"# {key} = {draw(form)}" for key in draw(st.lists(st.sampled_from(["sent_id", "text"]), unique=True))]
    covered = 0
    for number in range(count + 1):
        if number:
            if number > covered and number < count and draw(st.booleans()):
                covered = draw(st.integers(number + 1, count))
                lines.append(row(f"{number}-{covered}", draw(form)))
            heads = ["_", *(str(head) for head in range(count + 1) if head != number)]
            lines.append(row(number, draw(form), draw(st.sampled_from(heads)), draw(st.sampled_from(["_", "A=b"]))))
        lines.extend(row(f"{number}.{each}", draw(form)) for each in range(1, draw(st.integers(1, 3))))
    return [*lines, ""]


@settings(deadline=None)
@given(treebank=st.lists(sentences(), max_size=4))
def test_the_package_reads_the_same(treebank):
    lines = [line for sentence in treebank for line in sentence]
    found = parsed(*lines)
    assert [line for sentence in found for line in sentence.lines()] == lines
    others = conllu.parse("".join(f"{line}\n" for line in lines), fields=list(conllu.parser.DEFAULT_FIELDS))
    assert len(found) == len(others)
    for sentence, other in zip(found, others, strict=True):
        words = [token for token in other if isinstance(token["id"], int)]
        assert sentence.forms == [token["form"] for token in words]
        assert sentence.heads == tuple(NO_HEAD if token["head"] is None else token["head"] for token in words)
        assert [each[FORM] for each in sentence.rows] == [token["form"] for token in other]
        assert [each[MISC] for each in sentence.rows] == ["A=b" if token["misc"] else "_" for token in other]
        for key in ("sent_id", "text"):
            assert (sentence.comment(key) or None) == (other.metadata.get(key) or None)


# Files


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("final", ["", "{}", "{}{}", "{}{}{}"])
def test_files_end_as_they_like(tmp_path, end, final):
    text = end.join([*FRENCH, *SHORT[:-1]]) + final.replace("{}", end)
    for data in (text.encode(), gzip.compress(text.encode()), text.encode("utf-8-sig"), text.encode("utf-16")):
        (tmp_path / "x.conllu").write_bytes(data)
        found = list(read_conllu(tmp_path / "x.conllu"))
        assert [line for sentence in found for line in sentence.lines()] == [*FRENCH, *SHORT]


def test_more_blank_lines_than_one_between_sentences_do_no_harm():
    french, short = parsed("", *FRENCH, "", "", *SHORT, "", "")
    assert (french.line, short.line) == (5, 21)


def test_a_treebank_may_be_empty(tmp_path):
    (tmp_path / "x.conllu").write_text("")
    assert list(read_conllu(tmp_path / "x.conllu")) == []
    assert parsed("", "") == []


# What is none


@pytest.mark.parametrize(
    ("lines", "number", "message"),
    [
        (["the house"], 1, "1 column instead of 10, with tabs between; a treebank in CoNLL-U is expected"),
        ([row(1, "a", 0), row(2, "b", 1) + "\t_"], 2, "11 columns instead of 10"),
        ([row(1, "a", 0), row(2, "b", 1).rpartition("\t")[0]], 2, "9 columns instead of 10"),
        ([row(1, "a", 0).replace("\t", " ")], 1, "1 column instead of 10"),
        ([row(2, "a", 0)], 1, "found '2'; expected 1, the number of the word"),
        ([row(1, "a", 0), row(1, "b", 0)], 2, "found '1'; expected 2"),
        ([row(1, "a", 0), row(3, "b", 0)], 2, "found '3'; expected 2"),
        ([row("01", "a", 0)], 1, "found '01'; expected 1"),
        ([row("", "a", 0)], 1, "found ''; expected 1"),
        ([row("x", "a", 0)], 1, "found 'x'; expected 1"),
        ([row("٢", "a", 0)], 1, "expected 1"),
        ([row("9" * 5000, "a", 0)], 1, "expected 1"),
        ([row("1-", "a"), row(1, "a", 0)], 1, "found '1-'; expected 1"),
        ([row("1-1", "a"), row(1, "a", 0)], 1, "found '1-1'; expected 1"),
        ([row("2-3", "a"), row(1, "a", 0)], 1, "found '2-3'; expected 1"),
        ([row("1-2-3", "a"), row(1, "a", 0)], 1, "found '1-2-3'; expected 1"),
        ([row("1-3", "a"), row(1, "a", 0), row(2, "b", 1)], 1, "found '1-3', but there are 2 words"),
        (
            [row("1-3", "a"), row(1, "a", 0), row("2-3", "b"), row(2, "b", 1), row(3, "c", 1)],
            3,
            "found '2-3', but word 2 is part of another multiword token",
        ),
        ([row("1.1", "a"), row(1, "a", 0)], 1, "found '1.1'; expected 1"),
        ([row(1, "a", 0), row("1.2", "b")], 2, "found '1.2'; expected 1.1, the number of the empty node"),
        ([row(1, "a", 0), row("1.1", "b"), row("1.1", "b")], 3, "found '1.1'; expected 1.2"),
        ([row(1, "a", 0), row("1.0", "b")], 2, "found '1.0'; expected 2"),
        ([row("0.1", "a")], 1, "a sentence without words"),
        ([row(1, "", 0)], 1, "a word that is empty"),
        ([row(1, "a", 1)], 1, "word 1 is its own head"),
        ([row(1, "a", 2)], 1, "found '2' as the head; expected a number from 0 to 1, or _"),
        ([row(1, "a", -1)], 1, "found '-1' as the head"),
        ([row(1, "a", "")], 1, "found '' as the head"),
        ([row(1, "a", "1.1")], 1, "found '1.1' as the head"),
        ([row(1, "a", "9" * 5000)], 1, "as the head; expected a number"),
        ([row(1, "a", 0), "# sent_id = 2", row(1, "b", 0)], 2, "a comment after the words of a sentence; a blank line"),
        (["# sent_id = 1", "", row(1, "a", 0)], 1, "a sentence without words"),
        (["# sent_id = 1"], 1, "a sentence without words"),
        ([row(1, "a", 0), "  ", row(1, "b", 0)], 2, "a line of blanks; a sentence ends with a line that is empty"),
        ([row(1, "a", 0), "\t", row(1, "b", 0)], 2, "a line of blanks"),
    ],
)
def test_a_line_that_is_wrong_is_named(lines, number, message):
    with pytest.raises(InputError) as caught:
        parsed(*FRENCH, *lines, "")
    assert str(caught.value).startswith(f"sample, line {len(FRENCH) + number}: ")
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300
    with pytest.raises(InputError, match=f"sample, line {len(FRENCH) + number}: "):
        parsed(*FRENCH, *lines)


def test_a_sentence_has_a_largest_size():
    lines = [row(number, "word", 0) for number in range(1, 100)]
    with pytest.raises(
        InputError, match=r"line \d+: a sentence of more than 1,000 characters, perhaps since the blank"
    ):
        list(parse_conllu(lines, "sample", 1000))
    short = [*lines[:10], ""] * 50
    assert len(list(parse_conllu(short, "sample", 1000))) == 50


@settings(deadline=None)
@given(st.lists(st.integers(0, 7), min_size=7, max_size=7))
def test_a_circle_is_found_by_whoever_asks(heads):
    heads = [0 if head == number else head for number, head in enumerate(heads, start=1)]
    [sentence] = parsed(*(row(number, "a", head) for number, head in enumerate(heads, start=1)))

    def reaches_root(word):
        for _ in heads:
            word = heads[word - 1] if word else 0
        return word == 0

    is_tree = all(map(reaches_root, range(1, 8)))
    if is_tree:
        check_tree(sentence, "sample")
    else:
        with pytest.raises(
            InputError, match=r"sample, line \d: word \d depends on itself, by way of word \d"
        ) as caught:
            check_tree(sentence, "sample")
        line = int(str(caught.value).split("line ")[1].split(":")[0])
        assert not reaches_root(line)


def test_a_circle_beside_words_without_heads_is_found():
    lines = [row(1, "a"), row("2-3", "b"), row(2, "b", 3), row(3, "c", 2)]
    [sentence] = parsed("# x", *lines)
    with pytest.raises(InputError, match="line 4: word 2 depends on itself, by way of word 3"):
        check_tree(sentence, "sample")
    check_tree(parsed(row(1, "a", 2), row(2, "b"), row(3, "c", 1))[0], "sample")
