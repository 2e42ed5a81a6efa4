"""Tagged texts for tests: in a short notation, and at random.

``<b>`` and ``</b>`` are an element, ``<x/>`` is a point, ``<+1>`` and ``<-1>`` are a pair of marks.
"""

from __future__ import annotations

import re
from random import Random

from pralign.links.alignment import Alignment
from pralign.text.tokens import Tokens, word_spans
from pralign.transfer.tagged_text import PlacedEdge, TaggedText, TagKind

_TAG = re.compile(r"<([^<>]+)>")
POINT, ELEMENT, MARKS = TagKind.POINT, TagKind.ELEMENT, TagKind.MARKS


def tagged(notation: str) -> TaggedText:
    text, tags, edges, opened = "", [], [], {}
    for piece, name in zip(*[iter([*_TAG.split(notation), ""])] * 2, strict=True):
        text += piece
        if name.endswith("/"):
            edges.append(PlacedEdge(len(text), len(tags)))
            tags.append((POINT, (f"<{name}>", "")))
        elif name.startswith(("/", "-")):
            edges.append(PlacedEdge(len(text), opened[name[1:]].pop(), True))
        elif name:
            edges.append(PlacedEdge(len(text), len(tags)))
            opened.setdefault(name.lstrip("+"), []).append(len(tags))
            end = name.replace("+", "-") if "+" in name else f"/{name}"
            tags.append((MARKS if "+" in name else ELEMENT, (f"<{name}>", f"<{end}>")))
    return TaggedText.of(text, tags, edges)


def notation(text: TaggedText) -> str:
    written, last = "", 0
    for at, tag, closes in text.places():
        written += text.text[last:at] + text.tags[tag].payload[closes]
        last = at
    return written + text.text[last:]


def by_spaces(text: str) -> Tokens:
    return Tokens(text, word_spans(text))


def by_characters(text: str) -> Tokens:
    return Tokens(text, [(k, k + 1) for k, character in enumerate(text) if character != " "])


def random_tagged(random: Random, text: str, most: int) -> TaggedText:
    """A text with tags anywhere: inside words, in spaces, nested, overlapping, empty."""
    count = random.randint(0, most)
    places = sorted(random.randint(0, len(text)) for _ in range(2 * count))
    tags, edges, elements, marks = [], [], [], []
    for left, at in zip(range(len(places), 0, -1), places, strict=True):
        may_end = bool(elements or marks)
        if may_end and (len(elements) + len(marks) >= left or random.random() < 0.4):
            opened = random.choice([pile for pile in (elements, marks) if pile])
            number = opened.pop(random.randrange(len(opened)) if opened is marks else -1)
            edges.append(PlacedEdge(at, number, True))
            continue
        kind = POINT if len(elements) + len(marks) >= left - 1 else random.choice([POINT, ELEMENT, MARKS])
        edges.append(PlacedEdge(at, len(tags)))
        if kind is not POINT:
            (elements if kind is ELEMENT else marks).append(len(tags))
        tags.append((kind, len(tags)))
    return TaggedText.of(text, tags, edges)


def random_text(random: Random, words: int) -> Tokens:
    """Words with spaces between, or without, of letters of several scripts; the ends may be spaces."""
    text, spans = " " * random.randint(0, 1), []
    for _ in range(words):
        start = len(text)
        text += "".join(random.choices("abé中א", k=random.randint(1, 4)))
        spans.append((start, len(text)))
        text += random.choice(["", " ", " ", "  "])
    return Tokens(text, spans)


def random_alignment(random: Random, lengths: tuple[int, int]) -> Alignment:
    if not all(lengths):
        return Alignment()
    density = random.choice([0, 0.5, 1, 2])
    links = {
        (random.randrange(lengths[0]), random.randrange(lengths[1])) for _ in range(int(density * max(lengths)))
    } | ({(k, k) for k in range(min(lengths))} if random.random() < 0.3 else set())
    return Alignment.of(links, [random.random() for _ in links] if random.random() < 0.5 else None)
