"""Alignment matrices as a picture for web pages and word processors (SVG)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree import ElementTree

from pralign.pictures.matrix import LETTER, SIDE, TURN, AlignedPair, Disc, Drawing, Key, Label, draw, draw_key
from pralign.pictures.words import runs_leftwards

_CELL = 25.0  # pixels
_BORDER = 10.0
_BETWEEN = 30.0
_BEFORE_KEY = 8.0
_FONTS = "'Noto Sans', 'DejaVu Sans', 'Segoe UI', 'Helvetica Neue', Arial, 'Noto Sans CJK JP', sans-serif"
_Attributes = dict[str, str]


class _Palette(NamedTuple):
    """How each kind of thing is painted."""

    paper: _Attributes | None
    text: _Attributes
    line: _Attributes
    sure: _Attributes
    possible: _Attributes
    right: _Attributes
    wrong: _Attributes
    key: _Attributes


_WRONG = {"fill": "#d55e00"}  # differs from that of right links for all kinds of colour blindness
_ON_PAPER = _Palette(
    paper={"fill": "#ffffff"},
    text={},
    line={"stroke": "#cccccc", "stroke-width": "1"},
    sure={"fill": "#dcdcdc", "stroke": "#333333", "stroke-width": "1.5"},
    possible={"fill": "#dcdcdc"},
    right={"fill": "#1f3b63"},
    wrong=_WRONG,
    key={"fill": "#444444"},
)
# Painted over whatever a notebook has behind it, light or dark, in the colour of the text around.
_GREY = {"fill": "currentColor", "fill-opacity": "0.15"}
_ON_PAGE = _Palette(
    paper=None,
    text={"fill": "currentColor"},
    line={"stroke": "currentColor", "stroke-opacity": "0.25", "stroke-width": "1"},
    sure={**_GREY, "stroke": "currentColor", "stroke-width": "1.5"},
    possible=_GREY,
    right={"fill": "#3f83d9"},
    wrong=_WRONG,
    key={"fill": "currentColor", "fill-opacity": "0.75"},
)
_ROLES = {"source": {"text-anchor": "end"}, "target": {}, "heading": {"font-weight": "bold"}, "key": {}}


def matrix_svg(pairs: Sequence[AlignedPair]) -> str:
    """Draw the alignment matrices of pairs, one below the other, with one key below the last.

    The picture needs no other file. It holds text as text, so it can be searched, and each link says what it joins when
    the mouse rests on it. Words cannot become anything but text, whatever characters they are made of.

    Args:
        pairs: The pairs to draw.

    Returns:
        An XML document.
    """
    drawings = [draw(pair, f"Pair {pair.number}" if len(pairs) > 1 else None) for pair in pairs]
    drawings.append(draw_key(Key.of(pairs), max((drawing.width for drawing in drawings), default=0.0)))
    root = _stacked(drawings, [*(f"pair-{pair.number}" for pair in pairs), "key"], _title(pairs), _ON_PAPER)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def notebook_svg(pair: AlignedPair) -> str:
    """Draw the alignment matrix of a pair as a part of a page, in colours that go with light and with dark ones.

    There is a key only where there is a gold, whose signs need one.

    Example:
        >>> from pralign.links.alignment import Alignment
        >>> picture = notebook_svg(AlignedPair(1, ["<b>"], ["x"], Alignment.of([(0, 0)])))
        >>> picture[:4], "&lt;b&gt;" in picture, "<b>" in picture
        ('<svg', True, False)
    """
    drawings = [draw(pair)]
    if pair.gold is not None:
        drawings.append(draw_key(Key.of([pair]), drawings[0].width))
    root = _stacked(drawings, [None] * len(drawings), "Word alignment", _ON_PAGE)
    root.set("style", "max-width: none")  # pages that shrink pictures would make letters too small
    return ElementTree.tostring(root, encoding="unicode")


def _stacked(
    drawings: Sequence[Drawing], names: Sequence[str | None], title: str, palette: _Palette
) -> ElementTree.Element:
    """Drawings below each other; the last is the key, or stands alone."""
    width = _number(max(drawing.width for drawing in drawings) * _CELL + 2 * _BORDER)
    # Every drawing but the last is followed by a space; that before the key is smaller.
    spaces = ([_BETWEEN] * len(drawings))[:-2] + [_BEFORE_KEY] * (len(drawings) > 1) + [0.0]
    height = _number(sum(drawing.height for drawing in drawings) * _CELL + sum(spaces) + 2 * _BORDER)
    root = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height})
    root.attrib |= {"viewBox": f"0 0 {width} {height}", "role": "img"}
    root.attrib |= {"font-family": _FONTS, "font-size": _number(LETTER * _CELL)} | palette.text
    ElementTree.SubElement(root, "title").text = title
    if palette.paper is not None:
        ElementTree.SubElement(root, "rect", {"class": "paper", "width": "100%", "height": "100%", **palette.paper})
    top = _BORDER
    for name, drawing, space in zip(names, drawings, spaces, strict=True):
        named = {} if name is None else {"id": name}
        place = f"translate({_number(_BORDER)} {_number(top)})"
        _add(ElementTree.SubElement(root, "g", {**named, "transform": place}), drawing, palette)
        top += drawing.height * _CELL + space
    ElementTree.indent(root)
    return root


def _title(pairs: Sequence[AlignedPair]) -> str:
    numbers = ", ".join(str(pair.number) for pair in pairs)
    return f"Word alignment of sentence pair{'s' if len(pairs) > 1 else ''} {numbers}"


def _add(group: ElementTree.Element, drawing: Drawing, palette: _Palette) -> None:
    lines = ElementTree.SubElement(group, "g", {"class": "lines", **palette.line})
    for (x1, y1), (x2, y2) in drawing.lines:
        ElementTree.SubElement(lines, "line", _lengths(x1=x1, y1=y1, x2=x2, y2=y2))
    for square in drawing.squares:
        kind = {"class": "sure", **palette.sure} if square.sure else {"class": "possible", **palette.possible}
        corner = _lengths(x=square.x - SIDE / 2, y=square.y - SIDE / 2, width=SIDE, height=SIDE)
        ElementTree.SubElement(group, "rect", {**kind, **corner})
    for disc in drawing.discs:
        _add_disc(group, disc, palette)
    for label in drawing.labels:
        _add_label(group, label, palette)


def _add_disc(group: ElementTree.Element, disc: Disc, palette: _Palette) -> None:
    if disc.wrong:
        reach = disc.half_diagonal
        corners = [(0, -reach), (reach, 0), (0, reach), (-reach, 0)]
        points = " ".join(f"{_number((disc.x + x) * _CELL)},{_number((disc.y + y) * _CELL)}" for x, y in corners)
        sign = ElementTree.SubElement(group, "polygon", {"class": "wrong", **palette.wrong, "points": points})
    else:
        place = _lengths(cx=disc.x, cy=disc.y, r=disc.radius)
        sign = ElementTree.SubElement(group, "circle", {"class": "link", **palette.right, **place})
    if disc.note:
        ElementTree.SubElement(sign, "title").text = disc.note


def _add_label(group: ElementTree.Element, label: Label, palette: _Palette) -> None:
    place = _lengths(x=label.x, y=label.y)
    turn = {"transform": f"rotate(-{TURN} {place['x']} {place['y']})"} if label.role == "target" else {}
    # Not every program knows how to centre letters on a line, but all can move them down.
    look = {**_ROLES[label.role], **(palette.key if label.role == "key" else {})}
    attributes = {"class": label.role, **look, **place, "dy": "0.35em", **turn}
    if runs_leftwards(label.text):
        attributes["unicode-bidi"] = "plaintext"
    ElementTree.SubElement(group, "text", attributes).text = label.text


def _lengths(**lengths: float) -> dict[str, str]:
    return {name: _number(length * _CELL) for name, length in lengths.items()}


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
