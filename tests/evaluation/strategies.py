"""Small random alignments, each as a library object and as the plain sets that the oracle reads."""

from __future__ import annotations

from hypothesis import strategies as st

from oracles.naive_evaluation import Gold, Links, ScoredLinks
from pralign.links.alignment import Alignment

SIZE = 4
links = st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))
link_sets = st.sets(links, max_size=8)
golds = st.dictionaries(links, st.booleans(), max_size=8).map(
    lambda marks: ({link for link, sure in marks.items() if sure}, set(marks))
)
# A few values only, so that scores tie within and across sentences.
scored_links = st.dictionaries(links, st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.9, 1.0]), max_size=8)
corpora = st.lists(st.tuples(link_sets, golds), max_size=5)
scored_corpora = st.lists(st.tuples(scored_links, golds), max_size=5)


def alignment(links: Links) -> Alignment:
    return Alignment.of(links)


def gold_alignment(gold: Gold) -> Alignment:
    sure, possible = gold
    return Alignment.of(possible, possible=possible - sure)


def scored_alignment(links: ScoredLinks) -> Alignment:
    return Alignment.of(links, scores=links.values())
