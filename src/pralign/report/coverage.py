"""Tables of what every system shows without a gold: words with links, how many, in which order, how sure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import quantiles
from typing import Any

from pralign.evaluation import Crossings, coverage_by_frequency, crossings, doubtful_words, fertilities
from pralign.evaluation.coverage import MANY
from pralign.evaluation.iteration import SIDES
from pralign.report.inputs import ReportInput, System
from pralign.report.tables import Column, Table, readable_class

_SYSTEM = Column("system", "system")
_SIDE = Column("side", "side")
_TWENTIETHS = 20


def coverage_tables(inputs: ReportInput) -> Iterator[Table]:
    """All tables of this kind that the input has the numbers for."""
    yield coverage_table(inputs)
    yield fertility_table(inputs)
    yield order_table(inputs)
    doubts = doubt_table(inputs)
    if doubts.rows:
        yield doubts
    scores = pair_score_table(inputs)
    if scores.rows:
        yield scores


def coverage_table(inputs: ReportInput) -> Table:
    """Words with a link, rare and frequent ones apart."""
    rows: list[list[Any]] = []
    for system in inputs.systems:
        for side, frequencies in zip(SIDES, inputs.text.frequencies, strict=True):
            for label, found in coverage_by_frequency(inputs.folded, system.alignments, frequencies, side):
                if found.words:
                    unlinked = found.words - found.linked
                    rows.append([system.name, side, readable_class(label), found.words, unlinked, found.share])
    columns = (
        _SYSTEM,
        _SIDE,
        Column("class", "times in the text"),
        Column("words", "words", "count"),
        Column("unlinked", "without link", "count"),
        Column("linked", "with link", "percent"),
    )
    note = (
        "How many words have a link, by how often the text has the word. Where rare words have links much less often "
        "than common ones, more text or a dictionary would help; where frequent ones lack them, these are often words "
        "that the other language does without."
    )
    return Table("coverage", "Words with a link, rare and common ones", note, columns, rows, grouped=True)


def fertility_table(inputs: ReportInput) -> Table:
    """How many links words have."""
    rows = []
    for system in inputs.systems:
        for side in SIDES:
            found = fertilities(inputs.lengths, system.alignments, side)
            rows.append([system.name, side, found.mean, *found.shares])
    counted = ["no link", "one", *map(str, range(2, MANY)), f"{MANY} or more"]
    columns = (
        _SYSTEM,
        _SIDE,
        Column("mean", "links a word", "mean"),
        *(Column(f"links_{number}", title, "percent") for number, title in enumerate(counted)),
    )
    note = (
        "The share of words with so many links (their fertility). Most words should have one; many words with many "
        "links are phrases that were translated as a whole, or errors."
    )
    return Table("fertility", "How many links words have", note, columns, rows, grouped=True)


def order_table(inputs: ReportInput) -> Table:
    """How far both languages have the same order."""
    rows = []
    for system in inputs.systems:
        found = sum(map(crossings, system.alignments), Crossings())
        rows.append([system.name, found.share, found.monotone_share])
    columns = (
        _SYSTEM,
        Column("crossing", "crossing links", "percent"),
        Column("monotone", "pairs without crossing links", "percent"),
    )
    note = (
        "Taken two by two, how many links of a sentence pair cross each other: none if the order of words is the same, "
        "half if links are drawn at random. Close languages have few; many between close languages are a bad sign."
    )
    return Table("order", "Word order", note, columns, rows)


def doubt_table(inputs: ReportInput) -> Table:
    """Words whose links are least sure."""
    rows: list[list[Any]] = []
    for system in inputs.systems:
        if system.has_scores:
            for side in SIDES:
                for word in doubtful_words(inputs.pairs, system.alignments, side):
                    lines = [inputs.lines[k] for k in word.lines]
                    rows.append([system.name, side, word.word, word.links, word.mean, word.expected_wrong, lines])
    columns = (
        _SYSTEM,
        _SIDE,
        Column("word", "word", "word"),
        Column("links", "links", "count"),
        Column("confidence", "mean probability", "percent"),
        Column("expected_wrong", "wrong ones to be expected", "mean"),
        Column("pairs", "least sure in pairs", "lines"),
    )
    note = (
        "Words whose links are doubted most by the system that drew them. The wrong ones to be expected follow from "
        "the probabilities: if these are right, so many links of the word are not."
    )
    return Table("doubtful", "Words whose links are most in doubt", note, columns, rows, grouped=True)


def pair_score_table(inputs: ReportInput) -> Table:
    """How the scores of pairs are spread, for systems that give them."""
    rows = [[system.name, len(scores), *_spread(scores)] for system in inputs.systems if (scores := _scores(system))]
    columns = (
        _SYSTEM,
        Column("pairs", "pairs with a score", "count"),
        Column("lowest", "lowest", "number"),
        Column("low", "one in twenty is below", "number"),
        Column("median", "half are below", "number"),
        Column("high", "one in twenty is above", "number"),
        Column("highest", "highest", "number"),
    )
    note = (
        "How probable the system finds each sentence pair as a whole (for pralign, the logarithm of the probability "
        "of a word, on average). Pairs far below most others may be no translations."
    )
    return Table("pair_scores", "Scores of the pairs", note, columns, rows)


def _scores(system: System) -> list[float]:
    return sorted(score for score in system.scores or () if score is not None and math.isfinite(score))


def _spread(scores: list[float]) -> tuple[float, float, float, float, float]:
    """The lowest, the highest, and what lies between, by linear interpolation."""
    if len(scores) == 1:
        scores *= 2
    cuts = quantiles(scores, n=_TWENTIETHS, method="inclusive")
    return scores[0], cuts[0], cuts[_TWENTIETHS // 2 - 1], cuts[-1], scores[-1]
