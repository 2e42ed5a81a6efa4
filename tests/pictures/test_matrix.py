"""Where things go in pictures of alignments."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign.links.alignment import Alignment
from pralign.pictures.matrix import LETTER, AlignedPair, Disc, Key, Line, draw, draw_key

GOLD = Alignment.of([(0, 0), (1, 1)], possible=[(2, 1)])
LINKS = Alignment.of([(0, 0), (2, 1), (2, 0)], scores=[1.0, 0.25, 0.5])
PAIR = AlignedPair(4, ["the", "old", "house"], ["la", "maison"], LINKS, GOLD)

SIZE = st.integers(1, 6)


def corner(drawing):
    """The top left corner of the matrix."""
    return min(line.start for line in drawing.lines)


def test_every_link_has_its_mark_in_its_cell():
    drawing = draw(PAIR)
    left, top = corner(drawing)

    def cell(mark):
        row, column = mark.y - top - 0.5, mark.x - left - 0.5
        assert (row, column) == pytest.approx((round(row), round(column)))
        return round(row), round(column)

    squares = {cell(square): square.sure for square in drawing.squares}
    assert squares == {(0, 0): True, (1, 1): True, (2, 1): False}
    discs = {cell(disc): disc for disc in drawing.discs}
    assert set(discs) == {(0, 0), (2, 1), (2, 0)}
    assert {link: disc.wrong for link, disc in discs.items()} == {(0, 0): False, (2, 1): False, (2, 0): True}
    assert discs[2, 0].note == "house - la (0.50)"


def test_without_a_gold_nothing_is_wrong_and_without_scores_all_discs_are_full():
    drawing = draw(AlignedPair(1, ["a", "b"], ["x", "y"], Alignment.of([(0, 0), (1, 0)])))
    assert not drawing.squares
    assert {(disc.radius, disc.wrong) for disc in drawing.discs} == {(draw(PAIR).discs[0].radius, False)}
    assert drawing.discs[0].note == "a - x"


@given(st.floats(0.01, 1), st.floats(0.01, 1))
def test_areas_are_scores(first, second):
    pair = AlignedPair(1, ["a"], ["x", "y"], Alignment.of([(0, 0), (0, 1)], scores=[first, second]))
    one, other = draw(pair).discs
    assert (one.radius / other.radius) ** 2 == pytest.approx(first / second)


def test_scores_out_of_range_are_cut_and_the_smallest_is_still_seen():
    links = Alignment.of([(0, k) for k in range(4)], scores=[-1, 0, 1, 50])
    radii = [disc.radius for disc in draw(AlignedPair(1, ["a"], list("wxyz"), links)).discs]
    assert 0 < radii[0] == radii[1] < radii[2] == radii[3] < 0.5


def test_a_diamond_has_the_area_of_its_disc():
    disc = Disc(0, 0, 0.3, wrong=True)
    assert 2 * disc.half_diagonal**2 == pytest.approx(math.pi * disc.radius**2)
    assert max(disc.half_diagonal for disc in draw(PAIR).discs) < 0.5


@given(SIZE, SIZE)
def test_lines_are_around_all_cells(rows, breadth):
    drawing = draw(AlignedPair(1, ["a"] * rows, ["x"] * breadth, Alignment()))
    left, top = corner(drawing)
    down = [Line((left + j, top), (left + j, top + rows)) for j in range(breadth + 1)]
    across = [Line((left, top + i), (left + breadth, top + i)) for i in range(rows + 1)]
    assert set(drawing.lines) == {*down, *across}


@given(st.lists(st.text(min_size=1, max_size=60), max_size=5), st.lists(st.text(min_size=1, max_size=60), max_size=5))
def test_everything_is_within_the_picture(source, target):
    drawing = draw(AlignedPair(1, source, target, Alignment()), "Pair 1")
    texts = {role: [label.text for label in drawing.labels if label.role == role] for role in ("source", "target")}
    assert [len(texts["source"]), len(texts["target"])] == [len(source), len(target)]
    for label in drawing.labels:
        assert 0 <= label.x <= drawing.width
        assert 0 <= label.y <= drawing.height
        assert label.text
    for point in (point for line in drawing.lines for point in line):
        assert 0 <= point[0] <= drawing.width
        assert 0 <= point[1] <= drawing.height


@pytest.mark.parametrize("word", ["incomprehensibilities", "WWWWWWWW", "日本語日本語"])
def test_long_labels_have_the_room_they_need(word):
    least = {"incomprehensibilities": 0.45 * 21, "WWWWWWWW": 0.8 * 8, "日本語日本語": 6}[word] * LETTER
    beside = draw(AlignedPair(1, [word], ["x"], Alignment()))
    assert next(label.x for label in beside.labels if label.role == "source") >= least
    above = draw(AlignedPair(1, ["a"], [word], Alignment()))
    assert corner(above)[1] >= least * math.sin(math.radians(60))
    assert above.width - corner(above)[0] - 0.5 >= least * math.cos(math.radians(60))


def test_a_word_as_long_as_an_address_is_cut():
    drawing = draw(AlignedPair(1, ["x" * 2000], ["y" * 2000], Alignment()))
    assert drawing.width < 40
    assert drawing.labels[0].text == "x" * 39 + "…"


def test_a_heading_stands_above_all_else():
    plain, headed = draw(PAIR), draw(PAIR, "Pair 4")
    [heading] = [label for label in headed.labels if label.role == "heading"]
    assert heading.text == "Pair 4"
    assert headed.height > plain.height
    assert corner(headed)[0] == corner(plain)[0]
    assert all(label.y > heading.y for label in headed.labels if label != heading)


def test_nothing_to_draw():
    drawing = draw(AlignedPair(1, [], [], Alignment()))
    assert (drawing.lines, drawing.squares, drawing.discs, drawing.labels) == ((), (), (), ())
    assert draw(AlignedPair(1, ["a"], [], Alignment())).lines == ()


def key_texts(key):
    return [label.text for label in draw_key(key, 20).labels]


def test_the_key_explains_what_occurs():
    assert Key.of([PAIR]) == Key(gold=True, possible=True, wrong=True, scores=True)
    right = AlignedPair(1, ["a"], ["x"], Alignment.of([(0, 0)]), Alignment.of([(0, 0)]))
    assert Key.of([right]) == Key(gold=True)
    assert Key.of([right, PAIR]) == Key(gold=True, possible=True, wrong=True, scores=True)
    assert Key.of([PAIR._replace(gold=None)]) == Key(scores=True)
    axes = "rows: source words; columns: target words"
    assert key_texts(Key()) == [axes, "predicted link"]
    assert key_texts(Key(gold=True)) == [axes, "link by hand", "predicted link"]
    assert key_texts(Key(gold=True, possible=True, wrong=True, scores=True)) == [
        axes,
        "link by hand, sure",
        "link by hand, possible",
        "predicted link",
        "predicted link, wrong",
        "score:",
        "1",
        "0.5",
        "0.1",
    ]


@pytest.mark.parametrize("width", [0, 5, 20, 80])
def test_the_key_wraps_and_its_signs_stand_before_their_meanings(width):
    drawing = draw_key(Key(gold=True, possible=True, wrong=True, scores=True), width)
    assert drawing.width <= max(width, 16)
    by_line = sorted(drawing.labels, key=lambda label: (label.y, label.x))
    assert by_line == list(drawing.labels)
    for sign in (*drawing.squares, *drawing.discs):
        assert any(label.y == sign.y and 0 < label.x - sign.x < 1 for label in drawing.labels)
    assert len(drawing.squares) == 2
    assert len(drawing.discs) == 5
    one, half, tenth = (disc.radius for disc in drawing.discs[-3:])
    assert (half / one) ** 2 == pytest.approx(0.5)
    assert (tenth / one) ** 2 == pytest.approx(0.1)
