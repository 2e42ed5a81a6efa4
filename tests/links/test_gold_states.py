"""A gold file tells pairs without links, pairs that were left out, and pairs that nobody has labelled yet."""

from __future__ import annotations

import io
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.links.formats import ReadContext, detect_format, get_format, write_alignments

SKIPPED, UNLABELLED = Alignment(state="skipped"), Alignment(state="unlabelled")
LINES = ["0-0 1?2", "none", "skipped", "", " \t", " none "]
LABELS = ["labelled", "labelled", "skipped", "unlabelled", "unlabelled", "labelled"]


def read(lines, name="gold"):
    return list(get_format(name).read(lines, ReadContext("in.txt")))


def written(alignments, name="gold"):
    stream = io.StringIO()
    write_alignments(stream, alignments, name)
    return stream.getvalue().splitlines()


def test_the_three_are_told_apart():
    found = read(LINES)
    assert [alignment.state for alignment in found] == LABELS
    assert [alignment.is_labelled for alignment in found] == [state == "labelled" for state in LABELS]
    assert [len(alignment) for alignment in found] == [2, 0, 0, 0, 0, 0]
    assert written(found) == ["0-0 1?2", "none", "skipped", "", "", "none"]


@given(st.lists(st.sampled_from([Alignment(), SKIPPED, UNLABELLED, Alignment.of("0-0 1?2"), Alignment.of("2-1")])))
def test_what_is_written_is_read_again(alignments):
    assert read(written(alignments)) == alignments


@pytest.mark.parametrize("line", ["None", "NONE", "Skipped", "none none", "none 0-0", "0-0 skipped", "skip"])
def test_other_words_are_refused(line):
    with pytest.raises(
        InputError,
        match=r"^in\.txt, line 2: found .*; expected links like .* none or skipped as the only word of its line$",
    ):
        read(["none", line])


@pytest.mark.parametrize("name", ["pharaoh", "talp", "scored"])
def test_other_formats_have_no_states(name):
    assert [alignment.state for alignment in read([""], name)] == ["labelled"]
    with pytest.raises(InputError, match="found 'none'"):
        read(["none"], name)
    if name != "scored":
        assert written([SKIPPED, UNLABELLED, Alignment()], name) == ["", "", ""]


def test_alignments_of_different_states_are_different():
    assert len({Alignment(), SKIPPED, UNLABELLED, Alignment(state="skipped")}) == 3
    assert repr(Alignment()) == "Alignment(links=(), scores=None, possible=frozenset())"
    for alignment in (Alignment(), SKIPPED, UNLABELLED):
        assert str(alignment) == ""
        assert alignment.transposed() == alignment.only(bool) == Alignment.of(alignment) == alignment
        assert pickle.loads(pickle.dumps(alignment)) == alignment


def test_states_that_cannot_be():
    with pytest.raises(UsageError, match="one of labelled, skipped, unlabelled, not 'done'"):
        Alignment(state="done")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="with links is labelled; it cannot be skipped"):
        Alignment(((0, 0),), state="skipped")


@pytest.mark.parametrize(
    ("expected", "lines"),
    [
        ("gold", ["none"]),
        ("gold", ["", "skipped"]),
        ("gold", ["0-0 1-1", "", "none"]),
        ("scored", ["0-0:0.5", "none"]),
        ("pharaoh", ["0-0", "None"]),
        ("talp", ["0p0", "none"]),
    ],
    ids=str,
)
def test_the_words_show_the_format(expected, lines):
    assert detect_format(lines) == expected


def test_a_word_in_another_case_is_no_format():
    with pytest.raises(InputError, match="line 1: the format of alignments was not recognised: found 'None'"):
        detect_format(["None"])
