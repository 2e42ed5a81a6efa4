"""Tables on how two systems differ, where no gold says which is better."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from pralign.evaluation import (
    Disagreement,
    disagreement,
    disagreement_by_frequency,
    disagreement_by_length,
    wrong_and_missed,
)
from pralign.evaluation.breakdown import FREQUENCY_EDGES
from pralign.evaluation.iteration import SIDES
from pralign.evaluation.lengths import EDGES
from pralign.links.alignment import Alignment
from pralign.report.contest import Contest
from pralign.report.inputs import ReportInput, System
from pralign.report.tables import Column, Table, readable_class

_TWO = (Column("first", "one"), Column("second", "other"))
_COUNTS = (
    Column("both", "links of both", "count"),
    Column("only_first", "only of the one", "count"),
    Column("only_second", "only of the other", "count"),
    Column("share", "in dispute", "percent"),
)
_PAIRS = (
    Column("pairs", "pairs", "count"),
    Column("different", "pairs that differ", "count"),
    Column("different_share", "share of pairs", "percent"),
)

COMPARING = (
    "differences",
    *(f"differences_by_{side}_frequency" for side in SIDES),
    "differences_by_length",
    "disputed_words",
    "to_label",
)
"""The keys of all tables that there may be."""

_Row = list[Any]


def difference_tables(inputs: ReportInput) -> Iterator[Table]:
    """How systems differ, two by two; nothing with a gold, which says more, or with a single system."""
    if inputs.golds is not None or len(inputs.systems) < 2:
        return
    yield _difference_table(inputs)
    for side in range(2):
        yield _frequency_table(inputs, side)
    yield _length_table(inputs)
    yield from _word_tables(inputs)
    contest = Contest.of(inputs)
    if contest is not None and contest.differing:
        yield contest.table


def _counts(found: Disagreement) -> _Row:
    return [found.both, found.first, found.second, found.share]


def _pairs(found: Disagreement) -> _Row:
    return [found.pairs, found.different, found.different_share]


def _difference_table(inputs: ReportInput) -> Table:
    rows = []
    for first, second in combinations(inputs.systems, 2):
        compared = map(disagreement, first.alignments, second.alignments)
        total = sum(compared, Disagreement())
        rows.append([first.name, second.name, *_counts(total), *_pairs(total)])
    note = (
        "A link that both draw says nothing about which is better; what only one draws is in dispute: it is right, or "
        "that system has one error more. Which, nobody knows without labels."
    )
    return Table("differences", "Where systems differ", note, (*_TWO, *_COUNTS, *_PAIRS), rows)


def _frequency_table(inputs: ReportInput, side: int) -> Table:
    name, frequencies = SIDES[side], inputs.text.frequencies[side]
    rows: list[_Row] = []
    for first, second in combinations(inputs.systems, 2):
        classes = disagreement_by_frequency(
            inputs.folded, first.alignments, second.alignments, frequencies, name, FREQUENCY_EDGES
        )
        rows += _class_rows(first, second, classes)
    return Table(
        f"differences_by_{name}_frequency",
        f"Where systems differ: rare and common {name} words",
        "A link belongs to its word; the class is how often the text has it.",
        (*_TWO, Column("class", "times"), *_COUNTS),
        rows,
    )


def _class_rows(first: System, second: System, classes: list[tuple[str, Disagreement]]) -> Iterator[_Row]:
    for label, found in classes:
        if found.both or found.first or found.second:
            yield [first.name, second.name, readable_class(label), *_counts(found)]


def _length_table(inputs: ReportInput) -> Table:
    rows: list[_Row] = []
    for first, second in combinations(inputs.systems, 2):
        classes = disagreement_by_length(inputs.lengths, first.alignments, second.alignments, EDGES)
        for label, found in classes:
            if found.pairs:
                rows.append([first.name, second.name, readable_class(label), *_counts(found), *_pairs(found)])
    return Table(
        "differences_by_length",
        "Where systems differ: short and long sentences",
        "By the number of source words.",
        (*_TWO, Column("class", "words"), *_COUNTS, *_PAIRS),
        rows,
    )


def _word_tables(inputs: ReportInput, most: int = 20) -> Iterator[Table]:
    """The word pairs that only one system links, most often first."""
    rows: list[_Row] = []
    for first, second in combinations(inputs.systems, 2):
        # Neither is a gold: what one of them calls merely possible, or has not labelled, is drawn or not all the same.
        one, two = ([Alignment.unchecked(each.links) for each in system.alignments] for system in (first, second))
        found = wrong_and_missed(inputs.folded, one, two, most)
        for by, other, pairs in ((first, second, found.wrong), (second, first, found.missed)):
            for pair in pairs:
                lines = [inputs.lines[k] for k in pair.lines]
                rows.append([by.name, other.name, pair.source, pair.target, pair.count, pair.out_of, lines])
    yield Table(
        "disputed_words",
        "Words that only one of two systems links",
        "If most of a list is right, the system in the first column knows something that the other one does not.",
        (
            Column("system", "linked by"),
            Column("other", "not by"),
            Column("source", "source word", "word"),
            Column("target", "target word", "word"),
            Column("count", "times", "count"),
            Column("out_of", "of links drawn", "count"),
            Column("pairs", "in pairs", "lines"),
        ),
        rows,
        grouped=True,
    )
