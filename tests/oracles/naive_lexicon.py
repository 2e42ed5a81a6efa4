"""Lexicons by dictionaries of counts, one link at a time."""

from __future__ import annotations

from collections import Counter
from math import prod

NULL = None


def counts(pairs, alignments, posteriors=False):
    """How often each source word is linked to each target word; null is a word of both sides.

    An alignment is a list of ``(i, j, score)``; without scores, each link counts once.
    """
    counted = Counter()
    for (source, target), links in zip(pairs, alignments, strict=True):
        source, target = source.split(), target.split()
        for i, j, score in links:
            counted[source[i], target[j]] += score if posteriors else 1
        for i, word in enumerate(source):
            counted[word, NULL] += prod(1 - (s if posteriors else 1) for k, _, s in links if k == i)
        for j, word in enumerate(target):
            counted[NULL, word] += prod(1 - (s if posteriors else 1) for _, k, s in links if k == j)
    return {words: count for words, count in counted.items() if count > 0}


def lexicon(counted):
    """For each word pair: p(target | source), p(source | target), count."""
    sources, targets = Counter(), Counter()
    for (source, target), count in counted.items():
        sources[source] += count
        targets[target] += count
    return {(s, t): (count / sources[s], count / targets[t], count) for (s, t), count in counted.items()}


def moses(counted):
    """The sets of lines of Moses' two tables, f2e and e2f."""
    merged = Counter()
    for (source, target), count in counted.items():
        merged[source or "NULL", target or "NULL"] += count
    table = lexicon(merged)
    forward = {f"{t} {s} {p:.7f}" for (s, t), (p, _, _) in table.items()}
    return forward, {f"{s} {t} {p:.7f}" for (s, t), (_, p, _) in table.items()}


def shortlist(counted, best, frequent):
    """Target, source and probability of the best words and of frequent ones, for each source word."""
    table = lexicon(counted)
    found = set()
    for word in {source for source, _ in table} - {NULL}:
        partners = [(-p, t) for (s, t), (p, _, _) in table.items() if s == word and t is not NULL]
        kept = {t for _, t in sorted(partners)[:best]} | (set(frequent) & {t for _, t in partners})
        found |= {(t, word, -p) for p, t in partners if t in kept}
    return found
