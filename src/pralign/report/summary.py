"""The summary of a report: the corpus, the systems, and what was found, in words anybody understands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pralign.report.material import Material
from pralign.report.tables import Column, Table, percent


def corpus_table(material: Material) -> Table:
    """How much text there is, and how much of it the report looks at."""
    text = material.text
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
    return Table("corpus", "The text", f"{text.pairs:,} sentence pairs.", columns, sides)


def system_table(material: Material) -> Table:
    """The systems, with the numbers of their links; the gold too."""
    rows: list[list[Any]] = []
    for system in material.systems:
        links = sum(map(len, system.alignments))
        scored = [score for alignment in system.alignments for score in alignment.scores or ()]
        mean = sum(scored) / len(scored) if scored and system.has_scores else None
        rows.append([system.name, system.origin, links, links / len(material.pairs), mean])
    if material.golds is not None:
        links = sum(map(len, material.golds))
        possible = sum(len(gold.possible) for gold in material.golds)
        kinds = f"{links - possible:,} sure, {possible:,} possible"
        rows.append(["gold", kinds, links, links / len(material.pairs), None])
    columns = (
        Column("system", "alignments"),
        Column("origin", "from"),
        Column("links", "links", "count"),
        Column("per_pair", "links a pair", "mean"),
        Column("confidence", "mean probability of links", "percent"),
    )
    return Table("systems", "The alignments", "", columns, rows)


def findings(material: Material, tables: Sequence[Table]) -> list[str]:
    """What matters most, one sentence each."""
    by_key = {table.key: table.as_dict()["rows"] for table in tables}
    scores = by_key.get("scores", ())
    told = [*_scope(material), *_scores(scores), *_differences(scores, by_key.get("significance", ()))]
    if not scores:
        told += _agreement(by_key.get("agreement", ()))
    return [*told, *_collectors(by_key.get("collectors", ()))]


def _scope(material: Material) -> Iterator[str]:
    text, looked_at = material.text, len(material.pairs)
    if material.gold_pairs is not None and material.gold_pairs < text.pairs:
        yield (
            f"The first {material.gold_pairs:,} of {text.pairs:,} sentence pairs are also aligned by hand. They are "
            "what is looked at here; words were counted in all."
        )
    if material.is_sampled:
        whole = text.pairs if material.gold_pairs is None else material.gold_pairs
        yield (
            f"This report looks at {looked_at:,} of {whole:,} sentence pairs, drawn at random (seed {material.seed}). "
            "Words were counted in all of them."
        )
    elif looked_at == text.pairs:
        yield f"This report looks at all {looked_at:,} sentence pairs."


def _scores(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        low, high = row["aer_interval"]
        yield (
            f"{row['system']}: of 100 links that it draws, {100 * row['precision']:.0f} are right; of 100 links that "
            f"people were sure of, it finds {100 * row['recall']:.0f}. Its alignment error rate is "
            f"{percent(row['aer'])} (with 95 % confidence between {100 * low:.1f} and {100 * high:.1f}; the lower, the "
            "better)."
        )


def _differences(scores: Sequence[dict[str, Any]], rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """How sure it is that the best system is better than each of the others."""
    if not rows:
        return
    best = min(scores, key=lambda row: row["aer"])["system"]
    for row in rows:
        if best not in (row["first"], row["second"]):
            continue
        other = row["second"] if row["first"] == best else row["first"]
        by = f"{100 * abs(row['difference']):.1f} points of error rate"
        chance = "which could be chance" if row["verdict"].startswith("could") else "hardly by chance"
        yield f"{best} is better than {other} by {by}, {chance} (p = {row['p_value']:.2g})."


def _agreement(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        yield f"{row['first']} and {row['second']} agree on {percent(row['share'], 0)} of their links."


def _collectors(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        if row["collectors"]:
            share = f"{row['collectors']:,} of {row['occurrences']:,} rare words"
            yield f"{row['system']}: {share} have suspiciously many links."
