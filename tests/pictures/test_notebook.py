"""Pictures for notebooks: parts of a page that go with light and with dark ones."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from pralign.links.alignment import Alignment
from pralign.pictures.matrix import AlignedPair
from pralign.pictures.svg import matrix_svg, notebook_svg

PAIR = AlignedPair(3, ["the", "house"], ["la", "maison"], Alignment.of([(0, 0), (1, 0)], [0.5, 1]), Alignment.of("0-0"))


def test_it_is_one_element_without_a_background_or_names():
    root = ElementTree.fromstring(notebook_svg(PAIR))
    assert root.tag.endswith("svg")
    assert [each for each in root.iter() if each.get("class") == "paper"] == []
    assert [each.get("id") for each in root.iter() if "id" in each.attrib] == []  # of which a page may have one each


def test_words_and_lines_have_the_colour_of_the_page():
    root = ElementTree.fromstring(notebook_svg(PAIR))
    assert root.get("fill") == "currentColor"
    [lines, *_] = [each for each in root.iter() if each.get("class") == "lines"]
    assert lines.get("stroke") == "currentColor"
    assert {each.get("fill") for each in root.iter() if each.get("class") in ("source", "target")} == {None}
    colours = set(re.findall(r'(?:fill|stroke)="(#\w+)"', notebook_svg(PAIR)))
    assert colours == {"#3f83d9", "#d55e00"}


def test_it_shows_what_a_picture_of_its_own_does():
    def shown(picture):
        return re.findall(r'class="(link|wrong|sure|possible|source|target|key)"', picture)

    assert shown(notebook_svg(PAIR)) == shown(matrix_svg([PAIR]))
    assert "key" not in shown(notebook_svg(PAIR._replace(gold=None)))
