"""Alignment file formats: samples, round trips and errors."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.links.formats import (
    FORMATS,
    AlignmentFormat,
    ReadContext,
    Record,
    get_format,
    read_alignments,
    read_records,
    register_format,
    write_alignments,
)
from pralign.links.formats.texts import TextNames, with_text

SURE_AND_POSSIBLE = Alignment.of([(0, 0), (2, 1)], possible=[(1, 2)])
SCORED = Alignment.of([(0, 0), (1, 2)], scores=[0.912345, 0.5])

# Characters that mean something in a format, and white space that must not separate words. Not st.text(): it
# tabulates all of Unicode first, for seconds, on a machine where it has not run before.
CHARACTERS = 'ab3é既({})-?:#"\\\u00a0\u2028\u3000\x85\U0001f600'
WORD = st.lists(st.sampled_from(CHARACTERS), min_size=1, max_size=5).map("".join)
TRICKY_WORD = st.sampled_from(["({", "})", "NULL", "3", "#"]) | WORD
UNTIMED = settings(deadline=None)  # what is read matters here, not how busy the machine is


def read(text: str, name: str, base: int | None = None, lines: int | None = None) -> list[Alignment]:
    fmt = get_format(name)
    context = ReadContext("in.txt", fmt.default_base if base is None else base, lines)
    return list(fmt.read(text.splitlines(), context))


def write(records: Iterable[Record | Alignment], name: str, base: int | None = None) -> str:
    stream = io.StringIO()
    write_alignments(stream, records, name, base=base)
    return stream.getvalue()


# Samples


@pytest.mark.parametrize(
    ("name", "alignments", "text"),
    [
        (
            "pharaoh",
            [Alignment.of([(0, 0), (2, 1)]), Alignment(), Alignment.of([(10, 3)])],
            "0-0 2-1\n\n10-3\n",
        ),
        ("scored", [SCORED], "0-0:0.912345 1-2:0.500000\n"),
        ("gold", [SURE_AND_POSSIBLE, Alignment()], "0-0 1?2 2-1\nnone\n"),
        (
            "gold",
            [Alignment(state="skipped"), SURE_AND_POSSIBLE, Alignment(state="unlabelled")],
            "skipped\n0-0 1?2 2-1\n\n",
        ),
        ("talp", [SURE_AND_POSSIBLE, Alignment()], "0-0 1p2 2-1\n\n"),
        ("naacl", [Alignment(), SURE_AND_POSSIBLE], "2 1 1 S\n2 2 3 P\n2 3 2 S\n"),
        ("naacl", [SCORED], "1 1 1 S 0.912345\n1 2 3 S 0.500000\n"),
        ("jsonl", [SCORED], '{"id": 0, "links": [[0, 0], [1, 2]], "scores": [0.912345, 0.5]}\n'),
        (
            "jsonl",
            [Alignment(), SURE_AND_POSSIBLE],
            '{"id": 0, "links": []}\n{"id": 1, "links": [[0, 0], [1, 2], [2, 1]], "possible": [[1, 2]]}\n',
        ),
    ],
)
def test_sample_is_written_and_read(name: str, alignments: list[Alignment], text: str) -> None:
    assert write(alignments, name) == text
    assert read(text, name) == alignments


GIZA_SAMPLE = """\
# Sentence pair (1) source length 2 target length 4 alignment score : 0.00123
das blaue haus .
NULL ({ 4 }) the ({ 1 }) house ({ 2 3 })
# Sentence pair (2) source length 1 target length 0 alignment score : 1

NULL ({ }) yes ({ })
"""
GIZA_RECORDS = [
    Record(Alignment.of([(0, 0), (1, 1), (1, 2)]), ["the", "house"], ["das", "blaue", "haus", "."], score=0.00123),
    Record(Alignment(), ["yes"], [], score=1.0),
]


def test_giza_sample_is_written_and_read() -> None:
    assert write(GIZA_RECORDS, "giza") == GIZA_SAMPLE
    context = ReadContext("in.txt", base=1)
    assert list(get_format("giza").read_records(GIZA_SAMPLE.splitlines(), context)) == GIZA_RECORDS


def test_giza_lists_a_target_word_under_each_of_its_source_words() -> None:
    record = Record(Alignment.of([(0, 0), (1, 0)]), ["a", "b"], ["x"])
    assert write([record], "giza").splitlines()[2] == "NULL ({ }) a ({ 1 }) b ({ 1 })"


def test_giza_puts_possible_words_under_null() -> None:
    record = Record(Alignment.of([], possible=[(0, 0)]), ["a"], ["x"])
    assert write([record], "giza").splitlines()[2] == "NULL ({ 1 }) a ({ })"


def test_giza_accepts_the_trailing_spaces_and_odd_scores_of_the_original() -> None:
    header = "# Sentence pair (1) source length 1 target length 1 alignment score : -nan "
    lines = [header, "x ", "NULL ({ }) a ({ 1 }) ", ""]
    [record] = get_format("giza").read_records(lines, ReadContext("in.txt", base=1))
    assert record == Record(Alignment.of([(0, 0)]), ["a"], ["x"], None)


def test_pharaoh_writes_sure_links_without_marks_and_scores() -> None:
    alignment = Alignment.of([(0, 0), (1, 1)], scores=[0.5, 0.25], possible=[(1, 1)])
    assert write([alignment], "pharaoh") == "0-0\n"


def test_pharaoh_reads_marks_and_scores() -> None:
    assert read("0-0 1?2 2-1\n0-0:0.912345 1-2:0.5\n1?0:0.25 0-0:0.5\n", "pharaoh") == [
        SURE_AND_POSSIBLE,
        SCORED,
        Alignment(((0, 0), (1, 0)), (0.5, 0.25), frozenset({(1, 0)})),
    ]


def test_pharaoh_drops_the_scores_of_a_line_where_some_are_missing() -> None:
    assert read("0-0:0.5 1-1\n", "pharaoh") == [Alignment.of([(0, 0), (1, 1)])]


@pytest.mark.parametrize("line", ["0-0 0?0", "0?0 0-0"])
def test_a_link_that_is_sure_and_possible_is_sure(line: str) -> None:
    assert read(line, "gold") == [Alignment.of([(0, 0)])]


def test_repeated_and_unsorted_links_are_put_in_order() -> None:
    assert read("2-1 0-0 2-1 \t 1-5", "pharaoh") == [Alignment.of([(0, 0), (1, 5), (2, 1)])]


def test_scored_keeps_the_first_of_two_scores_and_skips_null() -> None:
    assert read("0-0:0.5:0.25 NULL-3:0.125 2-NULL 1-1:1:1", "scored") == [
        Alignment.of([(0, 0), (1, 1)], scores=[0.5, 1.0])
    ]


def test_scored_leaves_out_possible_links_with_their_scores() -> None:
    alignment = Alignment.of([(0, 0), (1, 1)], scores=[0.5, 0.25], possible=[(0, 0)])
    assert write([alignment], "scored") == "1-1:0.250000\n"


def test_an_empty_scored_line_can_be_thresholded() -> None:
    [alignment] = read("\n", "scored")
    assert alignment.at_least(0.5).links == ()


def test_naacl_columns_after_the_positions_are_optional() -> None:
    text = "1 1 1 P 0.5\n1 2 2 0.25\n\n0002 1 1\n3 1 1 S\n3 2 2 S 0.5\n"
    assert read(text, "naacl") == [
        Alignment(((0, 0), (1, 1)), (0.5, 0.25), frozenset({(0, 0)})),
        Alignment.of([(0, 0)]),
        Alignment.of([(0, 0), (1, 1)]),
    ]


def test_naacl_skips_null_and_takes_ids_in_any_order() -> None:
    assert read("3 1 2\n1 2 1 S\n1 0 1 S\n3 0 4\n4 3 0\n", "naacl") == [
        Alignment.of([(1, 0)]),
        Alignment(),
        Alignment.of([(0, 1)]),
        Alignment(),
    ]


def test_naacl_from_zero_has_no_null() -> None:
    assert read("1 0 1 S\n", "naacl", base=0) == [Alignment.of([(0, 1)])]


def test_jsonl_is_lenient_about_keys_and_blank_lines() -> None:
    first = '{"links": [[1, 0]], "ref": {"a": NaN}, "scores": null}'
    third = '{"id": "GEN 1:1", "links": [], "possible": [[0, 1]]}'
    assert read(f"{first}\n\n{third}\n", "jsonl") == [
        Alignment.of([(1, 0)]),
        Alignment(),
        Alignment.of([], possible=[(0, 1)]),
    ]


def test_jsonl_keeps_words_readable() -> None:
    line = write([Record(Alignment(), ["déjà", '"'], ["既"])], "jsonl")
    assert line == '{"id": 0, "links": [], "source": ["déjà", "\\""], "target": ["既"]}\n'
    [record] = get_format("jsonl").read_records(line.splitlines(), ReadContext("in.txt"))
    assert record == Record(Alignment(), ["déjà", '"'], ["既"])


# Round trips


@st.composite
def records(draw: st.DrawFn) -> Record:
    source = draw(st.lists(TRICKY_WORD, max_size=6))
    target = draw(st.lists(TRICKY_WORD, max_size=6))
    cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
    links = sorted(draw(st.sets(st.sampled_from(cells)))) if cells else []
    possible = frozenset(link for link in links if draw(st.booleans()))
    score = st.floats(0, 1) | st.floats(-1e6, 1e6)
    scores = tuple(draw(score) for _ in links) if draw(st.booleans()) else None
    return Record(Alignment(tuple(links), scores, possible), source, target, draw(st.floats(0, 1)))


def survivor(alignment: Alignment, fmt: AlignmentFormat) -> Alignment:
    """What a format can hold of an alignment."""
    keep = [k for k, link in enumerate(alignment.links) if fmt.holds_possible or link not in alignment.possible]
    links = tuple(alignment.links[k] for k in keep)
    scores = tuple(alignment.scores[k] for k in keep) if alignment.scores and fmt.holds_scores else None
    if fmt.name in {"scored", "naacl"} and scores is not None:
        scores = tuple(float(f"{score:.6f}") for score in scores)
    return Alignment(links, scores, alignment.possible if fmt.holds_possible else frozenset())


def without_empty_scores(alignment: Alignment) -> Alignment:
    return alignment if alignment.links else Alignment()


@pytest.mark.parametrize("base", [0, 1])
@pytest.mark.parametrize("name", FORMATS)
@UNTIMED
@given(pairs=st.lists(records(), max_size=4))
def test_what_is_written_is_read_again(name: str, base: int, pairs: list[Record]) -> None:
    fmt = get_format(name)
    if name == "scored":
        pairs = [pair for pair in pairs if pair.alignment.scores is not None]
    lines = list(fmt.write(pairs, base))
    again = list(fmt.read(lines, ReadContext("in.txt", base, len(pairs))))
    assert list(map(without_empty_scores, again)) == [
        without_empty_scores(survivor(pair.alignment, fmt)) for pair in pairs
    ]


@UNTIMED
@given(pairs=st.lists(records(), max_size=4))
def test_jsonl_loses_nothing(pairs: list[Record]) -> None:
    fmt = get_format("jsonl")
    again = fmt.read_records(list(fmt.write(pairs, 0)), ReadContext("in.txt"))
    assert list(again) == pairs


def test_jsonl_leaves_out_the_score_of_a_pair_that_has_none() -> None:
    pairs = [Record(Alignment(), score=-0.1), Record(Alignment(), score=float("nan")), Record(Alignment())]
    lines = list(get_format("jsonl").write(pairs, 0))
    assert lines == ['{"id": 0, "links": [], "score": -0.1}', '{"id": 1, "links": []}', '{"id": 2, "links": []}']
    again = get_format("jsonl").read_records(lines, ReadContext("in.txt"))
    assert [record.score for record in again] == [-0.1, None, None]


@UNTIMED
@given(pairs=st.lists(records(), max_size=4))
def test_giza_keeps_the_words(pairs: list[Record]) -> None:
    fmt = get_format("giza")
    again = fmt.read_records(list(fmt.write(pairs, 1)), ReadContext("in.txt", 1))
    assert [(pair.source, pair.target) for pair in again] == [(pair.source, pair.target) for pair in pairs]


@UNTIMED
@given(scores=st.lists(st.floats(0, 1), max_size=5))
def test_scored_files_do_not_change_when_written_again(scores: list[float]) -> None:
    text = write([Alignment(tuple((k, 0) for k in range(len(scores))), tuple(scores))], "scored")
    assert write(read(text, "scored"), "scored") == text


@pytest.mark.parametrize("name", ["pharaoh", "gold", "talp", "jsonl"])
def test_every_pair_takes_one_line(name: str) -> None:
    assert write([Alignment(), SURE_AND_POSSIBLE, Alignment()], name).count("\n") == 3


@pytest.mark.parametrize("writer", ["pharaoh", "scored", "gold"])
def test_pharaoh_reads_what_the_other_one_line_formats_write(writer: str) -> None:
    assert read(write([SCORED], writer), "pharaoh")[0].links == SCORED.links


# Base


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pharaoh", "1-1 2-3"),
        ("scored", "1-1:0.5 2-3:0.5"),
        ("gold", "1-1 2?3"),
        ("talp", "1-1 2p3"),
        ("jsonl", '{"links": [[1, 1], [2, 3]]}'),
    ],
)
def test_base_one_shifts_positions(name: str, text: str) -> None:
    assert read(text, name, base=1)[0].links == ((0, 0), (1, 2))
    assert read(text, name)[0].links == ((1, 1), (2, 3))


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("pharaoh", "1-1 2-0", "2-0"),
        ("scored", "0-3:0.5", "0-3:0.5"),
        ("gold", "1-1 0?2", "0?2"),
        ("talp", "0p2", "0p2"),
        ("jsonl", '{"links": [[0, 1]]}', "[0, 1]"),
        ("giza", GIZA_SAMPLE.replace("({ 4 })", "({ 0 })"), "0"),
    ],
)
def test_zero_in_a_file_that_counts_from_one_is_an_error(name: str, text: str, found: str) -> None:
    line = 3 if name == "giza" else 1
    expected = f"in.txt, line {line}: found '{found}'; expected positions counted from 1; .* choose base 0"
    with pytest.raises(InputError, match=expected.replace("?", r"\?").replace("[", r"\[")):
        read(text, name, base=1)


def test_the_default_base_is_the_one_of_the_format() -> None:
    assert {name: fmt.default_base for name, fmt in FORMATS.items()} == {
        "pharaoh": 0,
        "scored": 0,
        "gold": 0,
        "talp": 0,
        "naacl": 1,
        "giza": 1,
        "jsonl": 0,
    }
    assert [name for name, fmt in FORMATS.items() if fmt.base_is_ambiguous] == ["talp"]


# Errors when reading


@pytest.mark.parametrize("token", ["x-3", "3", "-1-2", "1--2", "1-2-3", "1.5-2", "+1-2", "1_0-2", "1-", "²-1", "٣-1"])
@pytest.mark.parametrize("name", ["pharaoh", "scored", "gold", "talp"])
def test_a_token_that_is_no_link_is_named(name: str, token: str) -> None:
    good = "0-0:0.5" if name == "scored" else "0-0"
    bad = f"{token}:0.5" if name == "scored" else token
    with pytest.raises(InputError) as caught:
        read(f"{good}\n\n{good} {bad} {good}\n", name)
    assert str(caught.value).startswith(f"in.txt, line 3: found '{bad}'; expected links")


@pytest.mark.parametrize("name", ["gold", "talp"])
@pytest.mark.parametrize("token", ["0-0:0.5", "0x1", "NULL-1"])
def test_gold_formats_refuse_scores_and_other_marks(name: str, token: str) -> None:
    with pytest.raises(InputError, match=f"found '{token}'"):
        read(token, name)


def test_gold_and_talp_have_their_own_mark_for_possible() -> None:
    with pytest.raises(InputError, match="found '0p1'"):
        read("0p1", "gold")
    with pytest.raises(InputError, match=r"found '0\?1'"):
        read("0?1", "talp")


@pytest.mark.parametrize("score", ["", "high", "nan", "inf", "1e999", "1_0", "0.5:", "0.5:x", "0.5:0.5:0.5"])
@pytest.mark.parametrize("name", ["pharaoh", "scored"])
def test_a_score_that_is_no_number_is_an_error(name: str, score: str) -> None:
    with pytest.raises(InputError) as caught:
        read(f"0-0:0.5 1-1:{score}\n", name)
    assert str(caught.value).startswith(f"in.txt, line 1: found '1-1:{score}'; expected links")


def test_scored_needs_a_score_on_every_link() -> None:
    with pytest.raises(InputError, match="line 2: found '1-1'; expected links with a number as score"):
        read("0-0:0.5\n0-0:0.5 1-1\n", "scored")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 2", "found '1 2'; expected a line like"),
        ("1 2 3 S 0.5 x", "found '1 2 3 S 0.5 x'; expected a line like"),
        ("x 1 1", "found 'x'; expected a sentence id"),
        ("0 1 1", "found '0'; expected a sentence id"),
        ("-1 1 1", "found '-1'; expected a sentence id"),
        ("6 1 1", "found '6'; expected a sentence id from 1 to 5"),
        ("1 -1 1", "found '-1 1'; expected positions counted from 1"),
        ("1 1 b", "found '1 b'; expected positions counted from 1"),
        ("1 1 1 Q", "found 'Q'; expected S or P"),
        ("1 1 1 S high", "found 'high'; expected S or P"),
        ("1 1 1 0.5 0.5", "found '0.5 0.5'; expected S or P"),
    ],
)
def test_naacl_errors(line: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(f"1 1 1 S\n{line}\n", "naacl", lines=5)
    assert str(caught.value).startswith(f"in.txt, line 2: {message}")


@pytest.mark.parametrize("line", ["1 0 1 Q", "0 0 1 S", "1 0 x S"])
def test_naacl_checks_null_lines_too(line: str) -> None:
    with pytest.raises(InputError, match="line 1: found"):
        read(line, "naacl")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0-0 1-1", "found '0-0 1-1'; expected an object"),
        ("[[0, 0]]", "found '[[0, 0]]'; expected an object"),
        ('{"alignment": "0-0"}', 'found \'{"alignment": "0-0"}\'; expected an object'),
        ("[" * 100_000, "found '[["),
        ('{"links": null}', "found 'null'; expected a list as 'links'"),
        ('{"links": {"0": 0}}', "found '{\"0\": 0}'; expected a list as 'links'"),
        ('{"links": [[0]]}', "found '[0]'; expected a link of two whole numbers"),
        ('{"links": [[0, true]]}', "found '[0, true]'; expected a link of two whole numbers"),
        ('{"links": [[0, 1.0]]}', "found '[0, 1.0]'; expected a link of two whole numbers"),
        ('{"links": [[0, -1]]}', "found '[0, -1]'; expected positions counted from 0"),
        ('{"links": [[0, 1]], "scores": []}', "found '[]'; expected 1 scores"),
        ('{"links": [[0, 1]], "scores": ["1"]}', "found '1'; expected a finite number"),
        ('{"links": [[0, 1]], "scores": [NaN]}', "found 'NaN'; expected a finite number"),
        ('{"links": [[0, 1]], "scores": [1' + 400 * "0" + "]}", "found '1000"),
        ('{"links": [], "scores": [], "possible": [[0, 1]]}', "found '[[0, 1]]'; expected only links"),
        ('{"links": [], "source": "a b"}', "found 'a b'; expected a list as 'source'"),
        ('{"links": [], "target": [1]}', "found '1'; expected words as 'target'"),
        ('{"links": [], "target": ["\\ud800"]}', "found \"'\\\\ud800'\"; expected words as 'target'"),
    ],
)
def test_jsonl_errors(line: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(f'{{"links": []}}\n{line}\n', "jsonl")
    assert str(caught.value).startswith(f"in.txt, line 2: {message}")


def test_a_long_line_is_cut_in_the_message() -> None:
    with pytest.raises(InputError) as caught:
        read("x" * 10_000, "pharaoh")
    assert len(str(caught.value)) < 200


# Lost and repeated pairs


def giza_pair(sentence: int | str, word: str = "a") -> str:
    return (
        f"# Sentence pair ({sentence}) source length 1 target length 1 alignment score : 0.5\n"
        f"x\nNULL ({{ }}) {word} ({{ 1 }})\n"
    )


def test_naacl_lines_adds_the_empty_alignments_at_the_end() -> None:
    assert [len(alignment) for alignment in read("2 1 1 S\n", "naacl")] == [0, 1]
    assert [len(alignment) for alignment in read("2 1 1 S\n", "naacl", lines=4)] == [0, 1, 0, 0]
    assert read("", "naacl", lines=2) == [Alignment(), Alignment()]
    assert read("", "naacl") == []


def test_giza_pairs_come_back_by_id_with_gaps_filled() -> None:
    text = giza_pair(5, "e") + giza_pair(1) + giza_pair(3, "c") + giza_pair(2, "b")
    found = list(get_format("giza").read_records(text.splitlines(), ReadContext("in.txt", 1, 6)))
    assert [record.source for record in found] == [["a"], ["b"], ["c"], None, ["e"], None]
    assert [len(record.alignment) for record in found] == [1, 1, 1, 0, 1, 0]
    assert len(read(text, "giza")) == 5


def test_giza_is_read_as_a_stream_while_ids_ascend() -> None:
    def lines() -> Iterator[str]:
        yield from giza_pair(1).splitlines()
        raise AssertionError("read too far ahead")

    assert next(get_format("giza").read(lines(), ReadContext("in.txt", 1))) == Alignment.of([(0, 0)])


@pytest.mark.parametrize("order", [(1, 2, 1), (3, 1, 3)])
def test_giza_repeated_id_is_an_error(order: tuple[int, ...]) -> None:
    text = "".join(giza_pair(sentence) for sentence in order)
    with pytest.raises(InputError, match=rf"^in.txt, line 7: found '\({order[2]}\)'; expected an id that did not"):
        read(text, "giza")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (giza_pair(0), "line 1: found '0'; expected a sentence id"),
        (giza_pair("x"), "line 1: found 'x'; expected a sentence id"),
        (giza_pair(3), "line 1: found '3'; expected a sentence id from 1 to 2"),
        ("0-0 1-1\n\n", "line 1: found '0-0 1-1'; expected '# Sentence pair"),
        (
            giza_pair(1) + "\n" + giza_pair(2).partition("NULL")[0],
            "line 5: found '# Sentence pair (2) source length 1 target length 1 alignmen…'; expected two",
        ),
        (giza_pair(1).replace("\nx\n", "\nx y\n"), "line 2: found 'x y'; expected 1 target words"),
        (
            giza_pair(1, "a ({ }) b"),
            "line 3: found 'NULL ({ }) a ({ }) b ({ 1 })'; expected NULL and 1 source words",
        ),
        (giza_pair(1).replace("NULL", "nil"), "line 3: found 'nil ({ }) a ({ 1 })'; expected NULL and 1"),
        (giza_pair(1, "a b"), "line 3: found 'a b ({ 1'; expected a word and a list"),
        (giza_pair(1).replace("({ 1 })", "({ 1"), "line 3: found 'a ({ 1'; expected a word and a list"),
        (giza_pair(1).replace("({ 1 })", ""), "line 3: found 'a'; expected a word and a list"),
        (
            giza_pair(1).replace("({ 1 })", "({ 2 })"),
            "line 3: found '2'; expected a position among the 1 target words",
        ),
        (
            giza_pair(1).replace("({ 1 })", "({ -1 })"),
            "line 3: found '-1'; expected positions counted from 1",
        ),
    ],
)
def test_giza_errors(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text, "giza", lines=2)
    assert str(caught.value).startswith(f"in.txt, {message}")


# Errors when writing


def test_scored_cannot_be_written_without_scores() -> None:
    assert write([Alignment()], "scored") == "\n"
    with pytest.raises(InputError, match="pair 2: scores are missing"):
        write([SCORED, Alignment.of([(0, 0)])], "scored")


@pytest.mark.parametrize("name", ["scored", "naacl", "jsonl"])
@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_scores_must_be_finite_to_be_written(name: str, score: float) -> None:
    with pytest.raises(InputError, match=r"pair 2: .*score"):
        write([SCORED, Alignment.of([(0, 0)], scores=[score])], name)


@pytest.mark.parametrize("value", [float("nan"), object(), {1, 2}])
def test_what_else_is_known_of_a_pair_must_fit_into_json(value: object) -> None:
    with pytest.raises(InputError, match=r"pair 1: JSON cannot hold its scores or what else is known of it: "):
        write([Record(Alignment(), extras={"note": value})], "jsonl")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (Record(Alignment()), "pair 1: the giza format needs the words of both sides"),
        (Record(Alignment(), ["New York"], []), "pair 1: the giza format cannot hold the word 'New York'"),
        (Record(Alignment(), [], [""]), "pair 1: the giza format cannot hold the word ''"),
        (
            Record(Alignment.of([(0, 1)]), ["a"], ["x"]),
            "pair 1: the link 0-1 .* lies outside its 1 source and 1",
        ),
    ],
)
def test_giza_writing_errors(record: Record, message: str) -> None:
    with pytest.raises(InputError, match=message):
        write([record], "giza")


# The registry and files


def test_an_unknown_format_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="'moses'; known are pharaoh, scored, gold, talp, naacl, giza, jsonl"):
        get_format("moses")


def test_a_base_other_than_zero_or_one_is_refused_before_reading(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be 2"):
        read_alignments(tmp_path / "missing", base=2)
    with pytest.raises(UsageError, match="cannot be -1"):
        write([], "pharaoh", base=-1)


class CommaFormat(AlignmentFormat):
    name = "comma"
    description = "i,j"

    def read(self, lines: Iterable[str], context: ReadContext) -> Iterator[Alignment]:
        for line in lines:
            yield Alignment.of([(int(i), int(j)) for i, j in (token.split(",") for token in line.split())])

    def write(self, records: Iterable[Record], base: int) -> Iterator[str]:
        return (" ".join(f"{i},{j}" for i, j in record.alignment.links) for record in records)


@pytest.fixture
def registry() -> Iterator[None]:
    """Formats that are registered here are forgotten afterwards."""
    with FORMATS.restored():
        yield


@pytest.mark.usefixtures("registry")
def test_users_can_add_a_format(tmp_path: Path) -> None:
    register_format(CommaFormat())
    assert write([SCORED], "comma") == "0,0 1,2\n"
    path = tmp_path / "a.comma"
    path.write_text("0,0 1,2\n")
    assert [record.alignment.links for record in read_records(path, "comma")] == [((0, 0), (1, 2))]
    with pytest.raises(ValueError, match="already a format named 'comma'"):
        register_format(CommaFormat())
    register_format(CommaFormat(), replace=True)


def test_read_alignments_names_the_file_and_counts_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.links"
    path.write_text("0-0\n\n1-1\n")
    assert [len(alignment) for alignment in read_alignments(path, lines=3)] == [1, 0, 1]
    for lines in (2, 4):
        with pytest.raises(InputError, match=f"a.links: found 3 alignments; expected {lines}"):
            list(read_alignments(path, lines=lines))
    with pytest.raises(InputError, match=r"a.links, line 1: found '0-0'; expected links with a number"):
        list(read_alignments(path, "scored"))


def test_formats_start_fast() -> None:
    code = "import sys, pralign.cli.convert; sys.exit(not {'numpy', 'numba'}.isdisjoint(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_many_different_links_are_still_read_right() -> None:
    # More distinct tokens than the table of known tokens keeps.
    text = "\n".join(" ".join(f"{i}-{j}" for j in range(300)) for i in range(300))
    assert read(text, "pharaoh") == [Alignment(tuple((i, j) for j in range(300))) for i in range(300)]


def test_with_text_counts_all_three() -> None:
    names = TextNames("a", "s", "t")
    pairs = [Record(Alignment())] * 3
    with pytest.raises(InputError, match="a has 3 alignments, s has 2 lines and t has 4 lines"):
        list(with_text(pairs, ["x"] * 2, ["y"] * 4, names))
