"""Small random corpora with words, each as library objects and as the plain lists that the oracle reads."""

from __future__ import annotations

from hypothesis import strategies as st

from evaluation.strategies import alignment, gold_alignment
from oracles.naive_analysis import Worded

# Few words, some of which are the same but for their case.
WORDS = ["a", "A", "b", "maß", "MASS", "c"]
sentences = st.lists(st.sampled_from(WORDS), max_size=6)
frequency_tables = st.dictionaries(st.sampled_from(WORDS), st.integers(0, 12))


@st.composite
def _pairs(draw: st.DrawFn) -> Worded:
    source, target = draw(sentences), draw(sentences)
    cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
    if not cells:
        return source, target, set(), (set(), set())
    links = draw(st.sets(st.sampled_from(cells), max_size=12))
    possible = draw(st.sets(st.sampled_from(cells), max_size=8))
    sure = draw(st.sets(st.sampled_from(sorted(possible)))) if possible else set()
    return source, target, links, (sure, possible)


worded_corpora = st.lists(_pairs(), max_size=7)


def words_of(corpus):
    return [(source, target) for source, target, _, _ in corpus]


def lengths_of(corpus):
    return [(len(source), len(target)) for source, target, _, _ in corpus]


def hypotheses_of(corpus):
    return [alignment(links) for _, _, links, _ in corpus]


def golds_of(corpus):
    return [gold_alignment(gold) for _, _, _, gold in corpus]
