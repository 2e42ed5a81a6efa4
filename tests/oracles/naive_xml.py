"""Translation memories and translation files read the slow way: the whole tree at once, by the standard library."""

from __future__ import annotations

from xml.etree import ElementTree

XML_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def local(element):
    return element.tag.rpartition("}")[2]


def children(element, name):
    return [child for child in element if local(child) == name]


def text_of(element, code):
    pieces = [element.text or ""]
    for child in element:
        if local(child) not in code:
            pieces.append(text_of(child, code))
        pieces.append(child.tail or "")
    return "".join(pieces)


def on_one_line(text):
    if not set(text) & set("\r\n"):
        return text
    lines = [line.strip(" \t") for line in text.replace("\r", "\n").split("\n")]
    return " ".join(filter(None, lines))


def tmx_pairs(data, wanted):
    """The pairs of two languages."""
    code = ("bpt", "ept", "it", "ph", "ut", "sub")
    pairs = []
    for unit in (element for element in ElementTree.fromstring(data).iter() if local(element) == "tu"):
        sides = []
        for language in wanted:
            found = {True: "", False: ""}
            for variant in reversed(children(unit, "tuv")):
                there = (variant.get(XML_LANGUAGE) or variant.get("lang") or "").lower().replace("_", "-")
                if there == language or there.startswith(f"{language}-"):
                    for segment in children(variant, "seg"):
                        text = on_one_line(text_of(segment, code))
                        found[there == language] = text or found[there == language]
            sides.append(found[True] or found[False])
        pairs.append(tuple(sides))
    return pairs


def xliff_pairs(data):
    """The pairs of a file whose units are not cut into segments."""
    code = ("bpt", "ept", "it", "ph", "sub")
    pairs = []
    for unit in ElementTree.fromstring(data).iter():
        if local(unit) in ("trans-unit", "segment"):
            texts = [
                [on_one_line(text_of(side, code)) for side in children(unit, name)] for name in ("source", "target")
            ]
            pairs.append(tuple(next(filter(None, side), "") for side in texts))
    return pairs
