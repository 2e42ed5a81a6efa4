"""Alignment matrices as a picture for web pages and word processors (SVG)."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from pralign.report.matrix import LETTER, SIDE, TURN, AlignedPair, Disc, Drawing, Key, Label, draw, draw_key
from pralign.report.words import runs_leftwards

_CELL = 25.0  # pixels
_BORDER = 10.0
_BETWEEN = 30.0
_BEFORE_KEY = 8.0
_FONTS = "'Noto Sans', 'DejaVu Sans', 'Segoe UI', 'Helvetica Neue', Arial, 'Noto Sans CJK JP', sans-serif"
_LINE = {"stroke": "#cccccc", "stroke-width": "1"}
_SURE = {"fill": "#dcdcdc", "stroke": "#333333", "stroke-width": "1.5"}
_POSSIBLE = {"fill": "#dcdcdc"}
_RIGHT = {"fill": "#1f3b63"}
_WRONG = {"fill": "#d55e00"}  # differs from the other for all kinds of colour blindness
_TEXT = {
    "source": {"text-anchor": "end"},
    "target": {},
    "heading": {"font-weight": "bold"},
    "key": {"fill": "#444444"},
}


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
    width = _number(max(drawing.width for drawing in drawings) * _CELL + 2 * _BORDER)
    # Every drawing but the last is followed by a space; that before the key is smaller.
    spaces = [_BETWEEN] * (len(pairs) - 1) + [_BEFORE_KEY] * bool(pairs) + [0.0]
    height = _number(sum(drawing.height for drawing in drawings) * _CELL + sum(spaces) + 2 * _BORDER)
    root = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height})
    root.attrib |= {"viewBox": f"0 0 {width} {height}", "role": "img"}
    root.attrib |= {"font-family": _FONTS, "font-size": _number(LETTER * _CELL)}
    ElementTree.SubElement(root, "title").text = _title(pairs)
    ElementTree.SubElement(root, "rect", {"class": "paper", "width": "100%", "height": "100%", "fill": "#ffffff"})
    names = [*(f"pair-{pair.number}" for pair in pairs), "key"]
    top = _BORDER
    for name, drawing, space in zip(names, drawings, spaces, strict=True):
        place = f"translate({_number(_BORDER)} {_number(top)})"
        _add(ElementTree.SubElement(root, "g", {"id": name, "transform": place}), drawing)
        top += drawing.height * _CELL + space
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _title(pairs: Sequence[AlignedPair]) -> str:
    numbers = ", ".join(str(pair.number) for pair in pairs)
    return f"Word alignment of sentence pair{'s' if len(pairs) > 1 else ''} {numbers}"


def _add(group: ElementTree.Element, drawing: Drawing) -> None:
    lines = ElementTree.SubElement(group, "g", {"class": "lines", **_LINE})
    for (x1, y1), (x2, y2) in drawing.lines:
        ElementTree.SubElement(lines, "line", _lengths(x1=x1, y1=y1, x2=x2, y2=y2))
    for square in drawing.squares:
        kind = {"class": "sure", **_SURE} if square.sure else {"class": "possible", **_POSSIBLE}
        corner = _lengths(x=square.x - SIDE / 2, y=square.y - SIDE / 2, width=SIDE, height=SIDE)
        ElementTree.SubElement(group, "rect", {**kind, **corner})
    for disc in drawing.discs:
        _add_disc(group, disc)
    for label in drawing.labels:
        _add_label(group, label)


def _add_disc(group: ElementTree.Element, disc: Disc) -> None:
    if disc.wrong:
        reach = disc.half_diagonal
        corners = [(0, -reach), (reach, 0), (0, reach), (-reach, 0)]
        points = " ".join(f"{_number((disc.x + x) * _CELL)},{_number((disc.y + y) * _CELL)}" for x, y in corners)
        sign = ElementTree.SubElement(group, "polygon", {"class": "wrong", **_WRONG, "points": points})
    else:
        place = _lengths(cx=disc.x, cy=disc.y, r=disc.radius)
        sign = ElementTree.SubElement(group, "circle", {"class": "link", **_RIGHT, **place})
    if disc.note:
        ElementTree.SubElement(sign, "title").text = disc.note


def _add_label(group: ElementTree.Element, label: Label) -> None:
    place = _lengths(x=label.x, y=label.y)
    turn = {"transform": f"rotate(-{TURN} {place['x']} {place['y']})"} if label.role == "target" else {}
    # Not every program knows how to centre letters on a line, but all can move them down.
    attributes = {"class": label.role, **_TEXT[label.role], **place, "dy": "0.35em", **turn}
    if runs_leftwards(label.text):
        attributes["unicode-bidi"] = "plaintext"
    ElementTree.SubElement(group, "text", attributes).text = label.text


def _lengths(**lengths: float) -> dict[str, str]:
    return {name: _number(length * _CELL) for name, length in lengths.items()}


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
