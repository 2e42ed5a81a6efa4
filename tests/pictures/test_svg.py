"""Pictures of alignments as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign.links.alignment import Alignment
from pralign.pictures.matrix import AlignedPair
from pralign.pictures.svg import matrix_svg

SVG = "{http://www.w3.org/2000/svg}"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
PEACE = "\u05e9\u05dc\u05d5\u05dd"
GOLD = Alignment.of([(0, 0), (1, 1)], possible=[(2, 1), (2, 2)])
LINKS = Alignment.of([(0, 0), (0, 2), (1, 0), (2, 1)], scores=[1.0, 0.64, 0.09, 0.25])
PAIR = AlignedPair(7, ["the", "old", "house"], ["la", "maison", "vieille"], LINKS, GOLD)


def parsed(*pairs):
    return ElementTree.fromstring(matrix_svg(pairs).encode())


def matrix(root, number=7):
    return root.find(f"{SVG}g[@id='pair-{number}']")


def kinds(element, tag, name):
    return [found for found in element.iter(SVG + tag) if found.get("class") == name]


def test_the_picture_stands_alone():
    text = matrix_svg([PAIR])
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" ')
    root = ElementTree.fromstring(text.encode())
    assert root.tag == SVG + "svg"
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert root.get("role") == "img"
    assert root[0].tag == SVG + "title"
    assert root[0].text == "Word alignment of sentence pair 7"
    assert "sans-serif" in root.get("font-family")
    assert "href" not in text


def test_squares_are_the_gold():
    picture = matrix(parsed(PAIR))
    sure, possible = kinds(picture, "rect", "sure"), kinds(picture, "rect", "possible")
    assert (len(sure), len(possible)) == (2, 2)
    assert all(square.get("stroke") for square in sure)
    assert not any(square.get("stroke") for square in possible)
    assert all(square.get("width") == square.get("height") for square in (*sure, *possible))


def test_circles_are_links_and_their_areas_scores():
    picture = matrix(parsed(PAIR))
    circles = kinds(picture, "circle", "link")
    assert len(circles) == len(list(picture.iter(SVG + "circle"))) == 2
    largest, smaller = (float(circle.get("r")) for circle in circles)
    assert smaller / largest == pytest.approx(0.5, abs=0.01)
    assert [circle.find(f"{SVG}title").text for circle in circles] == ["the - la (1.00)", "house - maison (0.25)"]


def test_wrong_links_differ_in_shape_as_well_as_in_colour():
    picture = matrix(parsed(PAIR))
    wrong = kinds(picture, "polygon", "wrong")
    assert len(wrong) == 2
    assert {sign.get("fill") for sign in wrong}.isdisjoint(
        circle.get("fill") for circle in kinds(picture, "circle", "link")
    )
    widths = []
    for sign in wrong:
        corners = [tuple(map(float, point.split(","))) for point in sign.get("points").split(" ")]
        assert len(corners) == 4
        widths.append(max(x for x, _ in corners) - min(x for x, _ in corners))
    assert widths[0] / widths[1] == pytest.approx(0.8 / 0.3, rel=0.01)


def test_without_a_gold_there_are_circles_only():
    picture = matrix(parsed(PAIR._replace(gold=None)))
    assert len(kinds(picture, "circle", "link")) == 4
    assert not kinds(picture, "rect", "sure")
    assert not kinds(picture, "polygon", "wrong")


def test_marks_are_in_the_middle_of_their_cells():
    picture = matrix(parsed(PAIR))
    lines = [[float(line.get(name)) for name in ("x1", "y1", "x2", "y2")] for line in picture.iter(SVG + "line")]
    down = sorted({x1 for x1, _, x2, _ in lines if x1 == x2})
    across = sorted({y1 for _, y1, _, y2 in lines if y1 == y2})
    assert (len(down), len(across)) == (4, 4)
    centre = kinds(picture, "circle", "link")[1]  # house and maison
    assert float(centre.get("cx")) == pytest.approx((down[1] + down[2]) / 2, abs=0.02)
    assert float(centre.get("cy")) == pytest.approx((across[2] + across[3]) / 2, abs=0.02)


def test_words_are_text():
    picture = matrix(parsed(PAIR))
    assert [text.text for text in kinds(picture, "text", "source")] == ["the", "old", "house"]
    above = kinds(picture, "text", "target")
    assert [text.text for text in above] == ["la", "maison", "vieille"]
    assert all(text.get("transform").startswith("rotate(-60 ") for text in above)
    assert all(text.get("text-anchor") == "end" for text in kinds(picture, "text", "source"))


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("]]>", "]]>"),
        ("\"'&amp;", "\"'&amp;"),
        ("--><!--", "--><!--"),
        ("\u200f", "U+200F"),
        ("a\u200fb", "a\u200fb"),
        ("\u202eabc", "abc"),
        (FAMILY, FAMILY),
        (PEACE, PEACE),
        ("a\x00\x1b\ufffe", "a␀␛\ufffd"),
    ],
)
def test_words_come_out_as_text_whatever_they_are_made_of(word, shown):
    root = parsed(AlignedPair(1, [word], [word], Alignment.of([(0, 0)])))
    assert [text.text for text in kinds(matrix(root, 1), "text", "source")] == [shown]
    assert [text.text for text in kinds(matrix(root, 1), "text", "target")] == [shown]
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
        "svg",
        "title",
        "rect",
        "g",
        "line",
        "circle",
        "text",
    }


@given(st.lists(st.text(min_size=1), min_size=1, max_size=3))
def test_any_text_makes_a_document_that_can_be_read(words):
    root = parsed(AlignedPair(1, words, words, Alignment.of([(0, 0)])))
    assert len(kinds(matrix(root, 1), "text", "source")) == len(words)


def test_words_from_right_to_left_are_ordered_by_themselves():
    root = parsed(AlignedPair(1, [PEACE, "house"], ["x"], Alignment()))
    directions = [text.get("unicode-bidi") for text in kinds(root, "text", "source")]
    assert directions == ["plaintext", None]


def test_pairs_are_stacked_and_the_key_comes_once():
    one, two = parsed(PAIR), parsed(PAIR, PAIR._replace(number=8))
    assert float(two.get("height")) > 1.5 * float(one.get("height"))
    assert two[0].text == "Word alignment of sentence pairs 7, 8"
    groups = two.findall(f"{SVG}g")
    assert [group.get("id") for group in groups] == ["pair-7", "pair-8", "key"]
    tops = [float(group.get("transform").removesuffix(")").split(" ")[1]) for group in groups]
    assert tops == sorted(tops)
    assert tops[-1] < float(two.get("height"))
    assert [text.text for text in kinds(two, "text", "heading")] == ["Pair 7", "Pair 8"]
    assert not kinds(one, "text", "heading")
    assert "predicted link" in [text.text for text in kinds(two, "text", "key")]


def test_nothing_to_draw():
    assert kinds(parsed(AlignedPair(1, [], [], Alignment())), "text", "source") == []
    assert parsed().get("width")
