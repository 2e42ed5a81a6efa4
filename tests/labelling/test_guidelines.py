"""What annotators are told to do is what the sample's gold does."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from pralign.links.formats import read_alignments
from pralign.sample import GOLD, SOURCE, TARGET

PAGE = Path(__file__).parents[2] / "docs" / "guidelines.md"
EXAMPLES = re.findall(r"```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
SIDES = ("source", "target")


def gold_pairs():
    texts = [path.read_text(encoding="utf-8").splitlines() for path in (SOURCE, TARGET)]
    golds = list(read_alignments(GOLD, "gold"))
    return {(texts[0][k], texts[1][k]): gold for k, gold in enumerate(golds)}


def positions(named, words):
    """Where the words of ``Hurry+up`` or ``his#2`` stand; a word that is there twice has to say which it is."""
    found = []
    for part in named.strip().split("+"):
        word, _, which = part.partition("#")
        places = [place for place, each in enumerate(words) if each == word]
        assert places, f"there is no {word!r} in {' '.join(words)!r}"
        assert which or len(places) == 1, f"{word!r} is there {len(places)} times: say which"
        found.append(places[int(which or 1) - 1])
    return found


def links_of(row, words):
    for joined in row.split("; "):
        left, right = joined.split(" \N{EN DASH} ")
        yield from product(positions(left, words[0]), positions(right, words[1]))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.split("\n")[0])
def test_examples_are_pairs_of_the_sample_with_links_of_its_gold(example):
    source, target, *rows = example.strip().split("\n")
    gold = gold_pairs()[source, target]
    words = source.split(), target.split()
    assert rows
    for row in rows:
        kind, content = re.split(r"\s{2,}", row, maxsplit=1)
        if kind == "no link":
            side, named = content.split(" ")
            linked = {link[SIDES.index(side)] for link in gold}
            assert linked.isdisjoint(positions(named, words[SIDES.index(side)]))
        else:
            wanted = {"sure": gold.sure, "possible": gold.possible}[kind]
            assert set(links_of(content, words)) <= wanted


def test_each_question_has_an_example():
    sections = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    assert len(EXAMPLES) >= 15
    for section in sections[:-1]:  # of pairs without links the sample has none
        assert "```text\n" in section, section.split("\n")[0]


def test_about_one_link_in_four_is_possible():
    golds = list(gold_pairs().values())
    share = sum(len(gold.possible) for gold in golds) / sum(map(len, golds))
    assert 0.2 < share < 0.3
