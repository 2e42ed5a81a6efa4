"""The summary of a report: the corpus, the systems, and what was found, in words anybody understands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pralign.links.labelling import Labelling
from pralign.report.behaviour import MOST_SUSPICIOUS
from pralign.report.inputs import ReportInput
from pralign.report.tables import Column, Table, percent

MOST_SYSTEMS = 4
"""How many systems the summary names, and the page shows side by side."""


def corpus_table(inputs: ReportInput) -> Table:
    """How much text there is."""
    text = inputs.text
    sides = []
    for side in (0, 1):
        counts = text.frequencies[side]
        words = sum(counts.values())
        once = sum(1 for count in counts.values() if count == 1)
        sides.append([text.names[side], words, len(counts), once, words / max(text.pairs, 1)])
    columns = (
        Column("text", "text"),
        Column("words", "words", "count"),
        Column("distinct", "different words", "count"),
        Column("once", "of them only once", "count"),
        Column("mean", "words a sentence", "mean"),
    )
    return Table("corpus", "The text", f"{text.pairs:,} sentence pair{'' if text.pairs == 1 else 's'}.", columns, sides)


def system_table(inputs: ReportInput) -> Table:
    """The systems, with the numbers of their links; the gold too."""
    rows: list[list[Any]] = []
    for system in inputs.systems:
        links = sum(map(len, system.alignments))
        scored = [score for alignment in system.probabilities for score in alignment.scores or ()]
        mean = sum(scored) / len(scored) if scored else None
        rows.append([system.name, system.origin, links, links / len(inputs.pairs), mean])
    if inputs.golds is not None:
        links = sum(map(len, inputs.golds))
        possible = sum(len(gold.possible) for gold in inputs.golds)
        kinds = f"{links - possible:,} sure, {possible:,} possible"
        rows.append(["gold", kinds, links, links / len(inputs.pairs), None])
    columns = (
        Column("system", "alignments"),
        Column("origin", "from"),
        Column("links", "links", "count"),
        Column("per_pair", "links a pair", "mean"),
        Column("confidence", "mean probability of links", "percent"),
    )
    return Table("systems", "The alignments", "", columns, rows)


def findings(inputs: ReportInput, tables: Sequence[Table]) -> list[str]:
    """What matters most, one sentence each."""
    by_key = {table.key: table.as_dict()["rows"] for table in tables}
    scores = by_key.get("scores", ())
    told = [*_scope(inputs), *_scores(scores), *_differences(scores, by_key.get("significance", ()))]
    if not scores:
        told += _without_gold(by_key)
    return [*told, *_collectors(by_key.get("collectors", ()))]


def _scope(inputs: ReportInput) -> Iterator[str]:
    text, looked_at = inputs.text, len(inputs.pairs)
    judged = text.pairs if inputs.gold_pairs is None else inputs.gold_pairs
    # A gold may be of several parts of a text, and then all of it is looked at.
    first = "the first " if inputs.is_sampled or list(inputs.lines) == list(range(looked_at)) else ""
    scope = f"all {judged:,}" if judged == text.pairs else f"{first}{judged:,} of {text.pairs:,}"
    pairs, are = ("sentence pair", "is") if text.pairs == 1 else ("sentence pairs", "are")
    gold = f", which {are} also aligned by hand" if inputs.golds is not None else ""
    if inputs.is_sampled:
        told = f"This report looks at {looked_at:,} of {scope} {pairs}{gold}; they were drawn at random"
        yield f"{told} (seed {inputs.seed}). Words were counted in the whole text."
    else:
        whole = "" if judged == text.pairs else " Words were counted in the whole text."
        yield f"This report looks at {'the only' if text.pairs == 1 else scope} {pairs}{gold}.{whole}"
    labelling = Labelling.of(inputs.golds or ())
    if labelling.labelled < labelling.pairs:
        yield f"{labelling.told('pairs looked at')}; such pairs are shown, but all numbers are without them."
    if len(inputs.systems) > MOST_SYSTEMS:
        yield f"There are {len(inputs.systems)} systems; only the best are named here, the tables have them all."


def _scores(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    for row in sorted(rows, key=lambda row: float(row["aer"]))[:MOST_SYSTEMS]:
        if row["precision"] is None:
            yield f"{row['system']} draws no links."
            continue
        found = within = ""
        if row["recall"] is not None:
            found = f"; of 100 links that people were sure of, it finds {100 * row['recall']:.0f}"
        if row["aer_interval"] is not None:
            low, high = row["aer_interval"]
            within = f" (with 95 % confidence between {100 * low:.1f} and {100 * high:.1f})"
        yield (
            f"{row['system']}: of 100 links that it draws, {100 * row['precision']:.0f} are right{found}. Its "
            f"alignment error rate, which is better the lower it is, is {percent(row['aer'])}{within}."
        )


def _differences(scores: Sequence[dict[str, Any]], rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """How sure it is that the best system is better than each of the others."""
    if not rows:
        return
    best, *others = [row["system"] for row in sorted(scores, key=lambda row: float(row["aer"]))]
    by_pair = {frozenset((row["first"], row["second"])): row for row in rows}
    for other in others[: MOST_SYSTEMS - 1]:
        row = by_pair[frozenset((best, other))]
        by = f"{100 * abs(row['difference']):.1f} points of error rate"
        if row["difference"] == 0:
            yield f"{best} and {other} have the same error rate."
        elif row["p_value"] is None:
            yield f"{best} is better than {other} by {by}, but there are too few pairs to tell whether that is chance."
        else:
            chance = "hardly by chance" if row["significant"] else "which could be chance"
            yield f"{best} is better than {other} by {by}, {chance} (p = {row['p_value']:.2g})."


def _without_gold(tables: Mapping[str, Sequence[dict[str, Any]]]) -> Iterator[str]:
    """What can be said of systems of which nobody knows what is right."""
    order = {row["system"]: row for row in tables["order"]}
    sure = {row["system"]: row["confidence"] for row in tables["systems"]}
    for row in tables["shape"][:MOST_SYSTEMS]:
        name = row["system"]
        linked = [percent(1 - row[f"unlinked_{side}"], 0) for side in ("source", "target")]
        yield (
            f"{name}: {linked[0]} of the source words and {linked[1]} of the target words have a link"
            f"{_rare(tables, name)}; {percent(row['one_to_one'], 0)} of the links are one to one; taken two by two, "
            f"{percent(order[name]['crossing'], 0)} of the links of a pair cross."
        )
        if sure[name] is not None:
            yield (
                f"{name}: links have a mean probability of {percent(sure[name], 0)}. If its probabilities are right, "
                "so many of 100 links are right too."
            )
    yield from _disputes(tables.get("differences", ()))
    yield from _suspicions(tables)


def _rare(tables: Mapping[str, Sequence[dict[str, Any]]], name: str) -> str:
    """How many of the words that the text has once are linked, on both sides together."""
    rows = [row for row in tables["coverage"] if row["system"] == name and row["class"] == "1"]
    words, unlinked = (sum(row[key] for row in rows) for key in ("words", "unlinked"))
    return f" ({percent(1 - unlinked / words, 0)} of those that the text has only once)" if words else ""


def _suspicions(tables: Mapping[str, Sequence[dict[str, Any]]]) -> Iterator[str]:
    rows = tables["suspicious"]
    if not rows:
        return
    by = f"By the links of {tables['systems'][0]['system']},"
    if len(rows) == 1:
        yield f"{by} 1 sentence pair is worth a look, since it may be no translation (see Analysis)."
        return
    many = f"{len(rows)} or more" if len(rows) == MOST_SUSPICIOUS else str(len(rows))
    yield f"{by} {many} different sentence pairs are worth a look, since they may be no translations (see Analysis)."


def _disputes(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """How far systems differ, two by two, those first that differ most."""
    for row in sorted(rows, key=lambda row: -float(row["share"]))[:MOST_SYSTEMS]:
        first, second = row["first"], row["second"]
        if not row["different"]:
            yield f"{first} and {second} draw the same links in all pairs."
            continue
        links = "link" if row["only_first"] == 1 else "links"
        yield (
            f"{first} and {second} agree on {percent(1 - row['share'], 0)} of their links and differ in "
            f"{row['different']:,} of {row['pairs']:,} pairs: {row['only_first']:,} {links} only of {first}, "
            f"{row['only_second']:,} only of {second}. Which is better, only labels can tell."
        )


def _collectors(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    for row in rows[:MOST_SYSTEMS]:
        if row["collectors"]:
            times = f"{row['collectors']:,} of the {row['occurrences']:,} times that rare words occur"
            yield f"{row['system']}: {times}, they have suspiciously many links."
