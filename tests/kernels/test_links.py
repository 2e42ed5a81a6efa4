"""Lines of links as arrays, against the readers of the formats."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import quick
from pralign.kernels.links import first_outside, no_links, parse_links
from pralign.links.aligned import link_arrays
from pralign.links.formats import ReadContext, get_format

position = st.integers(0, 30)
scores = st.one_of(st.sampled_from(["0", "1", "1.0", ".5", "0."]), st.decimals(0, 1, places=6).map(str))
spaces = st.sampled_from([" ", "  "])


def parsed(lines, base=0, scored=False):
    text = np.frombuffer("".join(f"{line}\n" for line in lines).encode(), np.uint8)
    links = no_links(len(lines), text.size // 4 + 1, scored)
    count = parse_links(text, base, scored, links)
    return None if count < 0 else [links.start.tolist(), *(column[:count].tolist() for column in links[1:])]


def read(lines, base=0, scored=False):
    """The same by the reader of the format."""
    fmt = get_format("scored" if scored else "pharaoh")
    return [column.tolist() for column in link_arrays(list(fmt.read(lines, ReadContext("f", base))))]


@quick(200)
@given(st.lists(st.lists(st.tuples(position, position), max_size=12), max_size=5), st.sampled_from([0, 1]), spaces)
def test_lines_are_what_their_format_says(alignments, base, space):
    lines = [space.join(f"{i + base}-{j + base}" for i, j in links) for links in alignments]
    start, source, target, score = read(lines, base)
    assert parsed(lines, base) == [start, source, target, score]


@quick(200)
@given(st.lists(st.lists(st.tuples(position, position, scores), max_size=8), max_size=5))
def test_scores_are_the_same_to_the_last_bit(alignments):
    lines = [" ".join(f"{i}-{j}:{score}" for i, j, score in links) for links in alignments]
    assert parsed(lines, scored=True) == read(lines, scored=True)


@pytest.mark.parametrize(
    ("line", "scored"),
    [
        ("0-0 1?1", False),
        ("0-0:0.5", False),
        ("0-0", True),
        ("0-0:0.5:0.5", True),
        ("0-0:5e-1", True),
        ("0-0:0.1234567890123456", True),
        ("0-0:.", True),
        ("0-0:-1", True),
        ("0-0\t1-1", False),
        ("0-0x", False),
        ("-1-0", False),
        ("0-", False),
        ("0", False),
        ("1-1 1p1", False),
        ("0-1234567890", False),
        ("NULL-0", False),
    ],
)
def test_all_else_is_left_to_others(line, scored):
    assert parsed(["", line, ""], scored=scored) is None


def test_the_base_is_the_least_number():
    assert parsed(["0-1"], base=1) is None
    assert parsed(["1-1"], base=1) == [[0, 1], [0], [0], []]


def test_long_lines_in_another_order_are_left_to_others():
    numbers = range(5000)
    assert parsed([" ".join(f"{n}-0" for n in reversed(numbers))]) is None
    assert parsed([" ".join(f"{n}-0" for n in numbers)])[1] == list(numbers)
    assert parsed([" ".join(f"{n}-0" for n in reversed(numbers[:4000]))])[1] == list(numbers[:4000])


@pytest.mark.parametrize(("links", "outside"), [("0-0 1-2", -1), ("0-0 2-0", 1), ("0-3", 0), ("1-2 1-3", 1), ("", -1)])
def test_the_first_link_of_a_word_that_is_not_there(links, outside):
    start, source, target, score = parsed([links])
    arrays = no_links(1, 0, False)._replace(
        start=np.array(start), source=np.array(source, np.int32), target=np.array(target, np.int32)
    )
    assert score == []
    assert first_outside(arrays, np.array([0]), np.array([0, 2]), np.array([0, 3])) == outside
