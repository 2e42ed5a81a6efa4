"""Tables of a report that judge systems by a gold: scores, significance, and where errors are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from pralign.evaluation import (
    Comparison,
    LinkCounts,
    Scores,
    Side,
    compare_all,
    count_unaligned,
    evaluate_by_frequency,
    evaluate_by_length,
    evaluate_by_part,
    score_intervals,
    wrong_and_missed,
)
from pralign.evaluation.significance import FEWEST_PAIRS
from pralign.evaluation.unaligned import Unaligned
from pralign.report.inputs import ReportInput, System
from pralign.report.tables import Column, Table, readable_class

_SYSTEM = Column("system", "system")
_SCORES = (
    Column("aer", "error rate (AER)", "percent"),
    Column("precision", "precision", "percent"),
    Column("recall", "recall", "percent"),
    Column("links", "links", "count"),
    Column("sure", "sure links", "count"),
)


def quality_tables(inputs: ReportInput, samples: int, seed: int) -> Iterator[Table]:
    """All tables that need a gold; none without one."""
    if inputs.golds is None:
        return
    yield score_table(inputs, samples, seed)
    if len(inputs.systems) > 1:
        yield significance_table(inputs, samples, seed)
    yield from breakdown_tables(inputs)
    yield unaligned_table(inputs)
    yield from word_pair_tables(inputs)


def score_table(inputs: ReportInput, samples: int, seed: int) -> Table:
    """The scores of each system, with 95 % intervals."""
    columns = [_SYSTEM, Column("links", "links", "count")]
    for key, title in (("aer", "error rate (AER)"), ("precision", "precision"), ("recall", "recall"), ("f1", "F")):
        columns += [Column(key, title, "percent"), Column(f"{key}_interval", "95 % interval", "interval")]
    rows = []
    for name, counts in inputs.counts.items():
        scores = Scores(sum(counts, LinkCounts()))
        intervals = score_intervals(counts, samples, seed) if len(counts) >= FEWEST_PAIRS else {}
        precision, recall = _defined(scores)
        values = {"aer": scores.aer, "precision": precision, "recall": recall, "f1": scores.f1}
        intervals = {key: interval for key, interval in intervals.items() if values.get(key) is not None}
        spread = [part for key, value in values.items() for part in (value, intervals.get(key))]  # type: ignore[call-overload]
        rows.append([name, scores.counts.links, *spread])
    note = (
        "Precision: how many of the links that a system draws are right. Recall: how many of the links that people "
        "were sure of it finds. F balances the two. The alignment error rate (AER) sums up both kinds of errors: the "
        "lower, the better. The score on all text of this kind lies, with 95 % confidence, within the interval; fewer "
        f"than {FEWEST_PAIRS} pairs are too few to tell."
    )
    return Table("scores", "Scores", note, tuple(columns), rows)


def significance_table(inputs: ReportInput, samples: int, seed: int) -> Table:
    """Whether systems differ by more than chance, two by two."""
    compared = compare_all(inputs.counts, samples=samples, seed=seed)
    rows = []
    for first, second in combinations(inputs.counts, 2):
        result = compared[first, second]["aer"]
        told = [result.interval, result.p_value] if result.is_telling else [None, None]
        rows.append([first, second, result.difference, *told, _verdict(result, first, second), result.is_significant])
    columns = (
        Column("first", "system"),
        Column("second", "against"),
        Column("difference", "AER of the second minus the first", "points"),
        Column("interval", "95 % interval", "interval"),
        Column("p_value", "p", "probability"),
        Column("verdict", "verdict"),
        Column("significant", "hardly chance", "truth"),
    )
    note = (
        f"Would the better system also win on other sentences? Both are judged on {samples:,} samples drawn from these "
        "pairs (paired bootstrap); p says how surprising such a difference would be between equals. Below 0.05 it is "
        "hardly chance."
    )
    if len(inputs.systems) > 2:
        note += " Among many comparisons some will look real by chance alone: p is of each one on its own."
    return Table("significance", "Is the difference real?", note, columns, rows)


def _verdict(result: Comparison, first: str, second: str) -> str:
    if result.winner is None:
        return "equal"
    if not result.is_telling:
        return "too few pairs to tell"
    if not result.is_significant:
        return "could be chance"
    return f"{first if result.winner == 'first' else second} is better"


def _defined(scores: Scores) -> tuple[float | None, float | None]:
    """Precision and recall, where there is anything to divide by."""
    counts = scores.counts
    return scores.precision if counts.links else None, scores.recall if counts.sure else None


def breakdown_tables(inputs: ReportInput) -> Iterator[Table]:
    """Scores for rare and common words, short and long sentences, beginning and end."""
    golds = inputs.golds or ()
    lengths = [source for source, _ in inputs.lengths]

    def by_frequency(side: Side) -> Callable[[System], list[tuple[str, Scores]]]:
        counted = inputs.text.frequencies[0 if side == "source" else 1]
        return lambda system: evaluate_by_frequency(inputs.folded, system.alignments, golds, counted, side)

    sides: tuple[Side, ...] = ("source", "target")
    for side in sides:
        yield _breakdown(
            inputs,
            f"by_{side}_frequency",
            f"Rare and common {side} words, by how often the text has them",
            "There is little to learn from about a rare word, so aligners often go wrong there.",
            "times",
            by_frequency(side),
        )
    yield _breakdown(
        inputs,
        "by_length",
        "Short and long sentences",
        "By the number of source words. The longer a sentence, the more ways there are to be wrong.",
        "words",
        lambda system: evaluate_by_length(system.alignments, golds, lengths),
    )
    yield _breakdown(
        inputs,
        "by_part",
        "By part of the sentence",
        "Where in the source sentence the linked word stands.",
        "part",
        lambda system: evaluate_by_part(inputs.lengths, system.alignments, golds),
    )


def _breakdown(
    inputs: ReportInput,
    key: str,
    title: str,
    note: str,
    label: str,
    evaluate: Callable[[System], list[tuple[str, Scores]]],
) -> Table:
    found = [(system.name, evaluate(system)) for system in inputs.systems]
    rows = []
    for number, (text, _) in enumerate(found[0][1]):
        for name, classes in found:
            scores = classes[number][1]
            counts = scores.counts
            if counts.links or counts.sure:
                rows.append([readable_class(text), name, scores.aer, *_defined(scores), counts.links, counts.sure])
    columns = (Column("class", label), _SYSTEM, *_SCORES)
    return Table(key, title, note, columns, rows, grouped=True)


def unaligned_table(inputs: ReportInput) -> Table:
    """Words without links, by whether the gold links them."""
    golds = inputs.golds or ()
    rows = []
    for system in inputs.systems:
        triples = zip(system.alignments, golds, inputs.lengths, strict=True)
        total = sum((count_unaligned(*triple) for triple in triples), Unaligned())
        for side, part in (("source", total.source), ("target", total.target)):
            rows.append([system.name, side, part.missed, part.optional, part.rightly, part.wrongly_linked])
    columns = (
        _SYSTEM,
        Column("side", "side"),
        Column("missed", "left alone wrongly", "count"),
        Column("optional", "left alone, may be", "count"),
        Column("rightly", "left alone rightly", "count"),
        Column("wrongly_linked", "linked wrongly", "count"),
    )
    note = "Some words have no partner. Words that a system leaves without a link, and words that should have none."
    return Table("unaligned", "Words without links", note, columns, rows, grouped=True)


def word_pair_tables(inputs: ReportInput, most: int = 20) -> Iterator[Table]:
    """The word pairs that systems most often link wrongly, and those that they most often miss."""
    wrong_rows: list[list[Any]] = []
    missed_rows: list[list[Any]] = []
    for system in inputs.systems:
        found = wrong_and_missed(inputs.folded, system.alignments, inputs.golds or (), most)
        for rows, pairs in ((wrong_rows, found.wrong), (missed_rows, found.missed)):
            for pair in pairs:
                lines = [inputs.lines[k] for k in pair.lines]
                rows.append([system.name, pair.source, pair.target, pair.count, pair.out_of, lines])
    words = (_SYSTEM, Column("source", "source word", "word"), Column("target", "target word", "word"))
    where = Column("pairs", "in pairs", "lines")
    yield Table(
        "wrong_pairs",
        "Words linked wrongly most often",
        "Links that are not even possible by the gold.",
        (*words, Column("count", "wrong", "count"), Column("out_of", "of links drawn", "count"), where),
        wrong_rows,
        grouped=True,
    )
    yield Table(
        "missed_pairs",
        "Links missed most often",
        "Links that the gold is sure of and the system does not draw.",
        (*words, Column("count", "missed", "count"), Column("out_of", "of sure ones", "count"), where),
        missed_rows,
        grouped=True,
    )
