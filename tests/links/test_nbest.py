"""Files of many alignments a pair: what is written is read again, and what is wrong is named."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign.errors import InputError
from pralign.links.alignment import Alignment
from pralign.links.formats import ReadContext, get_format
from pralign.links.nbest import (
    AlignmentList,
    WeightedAlignment,
    read_alignment_lists,
    read_weighted,
    write_alignment_lists,
)

GOOD = {
    "id": 0,
    "links": [[0, 0]],
    "source": ["the", "house"],
    "target": ["la", "maison"],
    "nbest": [{"links": [[0, 0]], "probability": 0.3}, {"links": [[1, 1]], "probability": 0.1}],
    "forward": [{"links": [[0, 0]], "probability": 0.6}],
    "reverse": [],
}

links = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1))).map(Alignment.of)
entries = st.lists(st.builds(WeightedAlignment, links, st.floats(0, 1)), max_size=4).map(tuple)
words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1)
lists = st.builds(
    AlignmentList,
    entries,
    entries,
    entries,
    st.sampled_from(["nbest", "samples"]),
    st.tuples(words, words, words),
    st.tuples(words, words),
)


def written(found):
    stream = io.StringIO()
    write_alignment_lists(stream, found)
    return stream.getvalue().split("\n")[:-1]


def read(line, reader=read_alignment_lists):
    return list(reader([line if isinstance(line, str) else json.dumps(line)], "file"))


@given(st.lists(lists, max_size=3))
def test_what_is_written_is_read_again(found):
    lines = written(found)
    assert len(lines) == len(found)
    assert list(read_alignment_lists(lines, "file")) == found


@given(st.lists(lists, max_size=3))
def test_whoever_reads_jsonl_reads_the_first_alignment(found):
    alignments = get_format("jsonl").read(written(found), ReadContext("file"))
    assert [each.links for each in alignments] == [each.first.links for each in found]


def test_lines_are_as_they_are_promised():
    [line] = written([read(GOOD)[0]])
    assert json.loads(line) == GOOD
    assert list(json.loads(line)) == ["id", "links", "source", "target", "nbest", "forward", "reverse"]
    assert list(json.loads(written([AlignmentList(kind="samples")])[0])) == [
        *("id", "links", "source", "target", "samples", "forward", "reverse")
    ]


def test_the_best_ones_weigh_as_much_as_they_are_probable():
    [pair] = read(GOOD, read_weighted)
    assert [(weight, alignment.links) for weight, alignment in pair] == [
        (pytest.approx(0.75), ((0, 0),)),
        (pytest.approx(0.25), ((1, 1),)),
    ]


def test_samples_weigh_the_same():
    samples = {**GOOD, "samples": GOOD["nbest"]}
    del samples["nbest"]
    assert [weight for weight, _ in read(samples, read_weighted)[0]] == [0.5, 0.5]


def test_what_is_too_improbable_to_tell_weighs_the_same():
    nothing = [{"links": [], "probability": 0}] * 4
    assert [weight for weight, _ in read({**GOOD, "nbest": nothing}, read_weighted)[0]] == [0.25] * 4


def test_a_blank_line_and_an_empty_list_have_nothing_to_count():
    empty = {**GOOD, "links": [], "nbest": [], "forward": []}
    assert list(read_weighted(["", json.dumps(empty)], "file")) == [[], []]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"nbest": None}, "a list as 'nbest'"),
        ({"nbest": {}}, "a list as 'nbest'"),
        ({"forward": None}, "a list as 'forward'"),
        ({"reverse": 3}, "a list as 'reverse'"),
        ({"samples": []}, "either 'nbest' or 'samples'"),
        ({"source": None}, "words as 'source' and as 'target'"),
        ({"target": [1]}, "words as 'target'"),
        ({"links": None}, "a list as 'links'"),
        ({"links": [[0, 2]]}, "link 0-2"),
        ({"nbest": [[0, 0]]}, 'an object like {"links"'),
        ({"nbest": [{"links": []}]}, '"probability": 0.5'),
        ({"nbest": [{"links": [], "probability": "0.5"}]}, "a finite number"),
        ({"nbest": [{"links": [], "probability": True}]}, "a finite number"),
        ({"nbest": [{"links": [], "probability": float("nan")}]}, "a finite number"),
        ({"nbest": [{"links": [], "probability": 1.5}]}, "a probability, from 0 to 1"),
        ({"nbest": [{"links": [], "probability": -1e-9}]}, "a probability, from 0 to 1"),
        ({"nbest": [{"links": [[0]], "probability": 0.5}]}, "two whole numbers"),
        ({"nbest": [{"links": [[-1, 0]], "probability": 0.5}]}, "positions counted from 0"),
        ({"forward": [{"links": [[0, 99999999]], "probability": 0.5}]}, "lies outside a pair of 2"),
        ({"reverse": [{"links": None, "probability": 0.5}]}, "a list as 'links'"),
    ],
)
def test_what_is_wrong_is_named(change, message):
    with pytest.raises(InputError) as error:
        read({**GOOD, **change})
    assert str(error.value).startswith("file, line 1: ")
    assert message in str(error.value)


@pytest.mark.parametrize("line", ["0-0 1-1", "[]", "{", '{"nbest": []}', '{"links": [[0, 0]]}', "[" * 100_000])
def test_other_files_are_refused(line):
    with pytest.raises(InputError, match=r"file, line 1: found .*expected"):
        read(line)


def test_the_line_is_counted():
    with pytest.raises(InputError, match="file, line 3: "):
        list(read_alignment_lists([json.dumps(GOOD), "", "x"], "file"))
