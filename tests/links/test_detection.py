"""Telling formats apart by what is in a file."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.errors import InputError
from pralign.links.alignment import Alignment
from pralign.links.formats import FORMATS, ReadContext, Record, detect_format, get_format, write_alignments

UNTIMED = settings(deadline=None)


@pytest.mark.parametrize(
    ("expected", "lines"),
    [
        ("pharaoh", ["0-0 1-2", "3-1"]),
        ("pharaoh", []),
        ("pharaoh", ["", " \t", "\n"]),
        ("pharaoh", ["0-0:0.5 1-1"]),
        ("pharaoh", ["0-0", "0-0:0.5"]),
        ("pharaoh", ["0-0:0.5", "", "0-0"]),
        ("pharaoh", ["0-0:0.5 1?1"]),
        ("pharaoh", ["0-0:0.5", "1?1"]),
        ("scored", ["0-0:0.5 1-2:1", "0-0:-3.25e-2"]),
        ("scored", ["0-0:0.5:0.75", "0-0:0.5"]),
        ("scored", ["NULL-3:0.1 0-0:0.5"]),
        ("scored", ["NULL-3:0.1", "3-NULL:0.1:0.2"]),
        ("scored", ["NULL-3", "0-0:0.5"]),
        ("scored", ["0-0:0.5", "1?1:0.5"]),
        ("scored", ["", "", "0-0:0.5"]),
        ("gold", ["0-0 1?2"]),
        ("gold", ["0?0"]),
        ("gold", ["0-0"] * 500 + ["0?0"]),
        ("talp", ["0-0 1p2"]),
        ("talp", ["0-0", "1p2"]),
        ("naacl", ["1 3 4"]),
        ("naacl", ["1 3 4 S"]),
        ("naacl", ["1 0 4 P 0.5"]),
        ("naacl", ["1\t3\t4\t0.5"]),
        ("naacl", ["", "1 3 4 P"]),
        (
            "giza",
            ["# Sentence pair (1) source length 1 target length 1 alignment score : 1", "a", "NULL"],
        ),
        ("giza", ["", "# Sentence pair (7) of another make"]),
        ("jsonl", ['{"links": [[0, 0]]}']),
        ("jsonl", ["", '  {"links": [[0, 0]]}']),
        ("jsonl", ["{"]),
    ],
    ids=str,
)
def test_the_format_shows(expected, lines):
    assert detect_format(lines) == expected
    assert detect_format(f"{line}\n" for line in lines) == expected


@pytest.mark.parametrize(
    "line",
    [
        "the house",
        "0-0 house",
        "0-0 1",
        "0",
        "1 2",
        "1 2 3 X",
        "1 2 3 S x",
        "1 2 3 0.5 0.5",
        "1 2 3 S 0.5 0.5",
        "1 2 x S",
        "-1 2 3",
        "0-0:",
        "0-0:x",
        "0-0:nan",
        "0-0:1:2:3",
        "0p1:0.5",
        "0-0-0",
        "0--0",
        "0-",
        "-0",
        "0?",
        "p",
        "1p",
        "NULL-NULL:0.1",
        "NULL-x:0.1",
        "NULL?1",
        "1.0-1.0",
        "1_0-1",
        "²-1",
        "1234567890-1",
        "[[0, 0]]",
        "# Sentence",
        "#",
    ],
)
def test_what_looks_like_nothing_is_refused(line):
    with pytest.raises(InputError, match=r"^the alignments, line 1: the format of alignments was not recognised"):
        detect_format([line])
    assert detect_format(["", "0-0", line]) == "pharaoh"  # whose reader names the line, and what it expected


def test_the_message_names_file_line_text_and_known_formats():
    with pytest.raises(InputError) as caught:
        detect_format(["", "", "a line about something else"], name="links.txt")
    assert str(caught.value) == (
        "links.txt, line 3: the format of alignments was not recognised: found 'a line about something else'; "
        f"known are {', '.join(FORMATS)}"
    )


def test_a_long_line_is_quoted_from_its_start():
    with pytest.raises(InputError) as caught:
        detect_format(["word " * 1000])
    assert f"found '{'word ' * 12}…'" in str(caught.value)


@pytest.mark.parametrize("line", ["1 1 1 S", '{"links": []}', "# Sentence pair (1)"])
def test_no_format_changes_within_a_file(line):
    name = detect_format(["0-0", line])
    with pytest.raises(InputError, match="line 2: "):
        list(get_format(name).read(["0-0", line], ReadContext("links")))


class Lines:
    """Counts how many lines are asked for."""

    def __init__(self, *lines):
        self.lines = lines
        self.taken = 0

    def __iter__(self):
        for line in self.lines:
            self.taken += 1
            yield line


@pytest.mark.parametrize(
    ("lines", "taken"),
    [
        ((["{}"] * 5), 1),
        ((["1 1 1 S"] * 5), 1),
        ((["# Sentence pair (1)"] * 5), 1),
        (["", "0-0", "0?0", "0-0", "0-0"], 3),
        (["", "0-0", "0p0", "0-0", "0-0"], 3),
        (["0-0:1", "0-0", "0-0"], 2),
        (["0-0:1", "0-0:1", "0-0:1"], 3),
        (["0-0"] * 3000, 1000),
        (["0-0:1"] * 3000, 1000),
        ([""] * 3000, 1000),
    ],
    ids=["jsonl", "naacl", "giza", "gold", "talp", "some scored", "short", "long", "long scored", "blank"],
)
def test_no_more_lines_are_taken_than_needed(lines, taken):
    counted = Lines(*lines)
    detect_format(counted)
    assert counted.taken == taken


def test_what_comes_after_a_thousand_lines_does_not_matter():
    assert detect_format(["0-0"] * 999 + ["0?0"]) == "gold"
    assert detect_format(["0-0"] * 1000 + ["0?0"]) == "pharaoh"
    assert detect_format([""] * 1000 + ["0?0", "no links"]) == "pharaoh"


LINKS = st.tuples(st.integers(0, 30), st.integers(0, 30))
SCORES = st.floats(0.0, 1.0)


@st.composite
def corpora(draw):
    """Records that every format can write: some links possible, scores for all or for none."""
    scored = draw(st.booleans())
    records = []
    for links in draw(st.lists(st.lists(LINKS, unique=True, max_size=5), max_size=5)):
        possible = [] if scored else draw(st.lists(st.sampled_from(links), unique=True)) if links else []
        scores = [draw(SCORES) for _ in links] if scored else None
        words = [["w"] * 31] * 2
        records.append(Record(Alignment.of(links, scores, possible), *words))
    return records, scored


@UNTIMED
@given(corpora(), st.sampled_from(list(FORMATS)))
def test_what_a_format_writes_can_be_read_as_detected(corpus, name):
    records, scored = corpus
    if name == "scored" and not scored:
        records = [Record(Alignment()) for _ in records]
    stream = io.StringIO()
    write_alignments(stream, records, name)
    lines = stream.getvalue().splitlines()
    found = get_format(detect_format(lines))
    written = get_format(name)
    expected = list(written.read(lines, ReadContext("file", written.default_base)))
    actual = list(found.read(lines, ReadContext("file", found.default_base)))
    if not any(expected):  # nothing to tell a format by
        assert not any(actual)
        return
    assert [(a.links, a.possible) for a in actual] == [(a.links, a.possible) for a in expected]
    assert [a.scores for a in actual if a] == [a.scores for a in expected if a]
