"""Tables of a report that need no gold: the shape of alignments, agreement, rare words, and pairs worth a look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from pralign.evaluation import (
    Collector,
    LinkShape,
    Overlap,
    PairSigns,
    garbage_collectors,
    link_shape,
    overlap,
    pair_signs,
    suspicious,
    unlinked_words,
)
from pralign.links.alignment import Alignment
from pralign.report.coverage import coverage_tables
from pralign.report.differences import difference_tables
from pralign.report.inputs import RAREST, ReportInput, System
from pralign.report.tables import Column, Table

_SYSTEM = Column("system", "system")
GOLD = "sure links of the gold"
REASONS = {
    "length": "unusual lengths",
    "few links": "few links",
    "low confidence": "improbable links",
    "low score": "an improbable pair",
    "empty side": "an empty side",
}
"""Why a pair stands out, in words."""

_MOST = 20
_EVEN = 0.5  # more likely than not; for models that choose links in other ways than by a threshold
MOST_SUSPICIOUS = 50
"""How many pairs that are worth a look are listed."""

_MOST_LINES = 5


def behaviour_tables(inputs: ReportInput) -> Iterator[Table]:
    """All tables that need no gold."""
    yield shape_table(inputs)
    yield from coverage_tables(inputs)
    agreement = agreement_table(inputs)
    if agreement.rows:
        yield agreement
    yield from difference_tables(inputs)
    yield from collector_tables(inputs)
    yield unlinked_table(inputs)
    yield suspicion_table(inputs)


def shape_table(inputs: ReportInput) -> Table:
    """Shares of one-to-one links, gappy pairs and words without links, for each system and for the gold."""
    rows = []
    for name, alignments in _with_gold(inputs):
        pairs = zip(alignments, inputs.lengths, strict=True)
        shape = sum((link_shape(alignment, lengths) for alignment, lengths in pairs), LinkShape())
        shares = [shape.one_to_one_share, shape.gappy_share, shape.unlinked_source_share, shape.unlinked_target_share]
        rows.append([name, shape.links, *shares])
    columns = (
        _SYSTEM,
        Column("links", "links", "count"),
        Column("one_to_one", "one-to-one links", "percent"),
        Column("gappy", "pairs with wide gaps", "percent"),
        Column("unlinked_source", "source words without link", "percent"),
        Column("unlinked_target", "target words without link", "percent"),
    )
    note = (
        "A link is one-to-one if neither of its words has another one. A gap is wide if a word is linked to words so "
        "far apart that they span more than seven. Languages differ, so compare with the gold where there is one."
    )
    return Table("shape", "What alignments look like", note, columns, rows)


def agreement_table(inputs: ReportInput) -> Table:
    """How many links systems, and the directions of a model, have in common."""
    rows = []
    for first, second in combinations(inputs.systems, 2):
        shared = _overlap(first.alignments, second.alignments)
        rows.append([first.name, second.name, shared.both, shared.either, shared.share])
    posteriors = inputs.posteriors
    if posteriors is not None and posteriors.has_probabilities:
        forward, reverse, _ = posteriors.thresholds or (_EVEN, _EVEN, _EVEN)
        left = [_above(alignment, forward) for alignment in posteriors.forward]
        right = [_above(alignment, reverse) for alignment in posteriors.reverse]
        shared = _overlap(left, right)
        name = posteriors.name
        rows.append([f"{name}: forward", f"{name}: reverse", shared.both, shared.either, shared.share])
    columns = (
        Column("first", "one"),
        Column("second", "other"),
        Column("both", "links of both", "count"),
        Column("either", "links of either", "count"),
        Column("share", "agreement", "percent"),
    )
    note = (
        "Of all links that at least one of two draws, the share that both do. Where systems, or the two directions of "
        "a model, disagree, look closer."
    )
    return Table("agreement", "Who agrees with whom", note, columns, rows)


def collector_tables(inputs: ReportInput) -> Iterator[Table]:
    """Rare words that attract too many links."""
    shares, worst = [], []
    for system in inputs.systems:
        found = garbage_collectors(
            inputs.folded, system.alignments, inputs.text.frequencies, golds=inputs.golds, most=RAREST * _MOST
        )
        shares.append([system.name, found.occurrences, found.collectors, found.share])
        worst += _once(system, found.worst, inputs.lines)[:_MOST]
    note = (
        "A rare word (at most five times in the text) with four or more links"
        + ("" if inputs.golds is None else ", and at least twice as many as the gold gives it,")
        + " often collects what the model cannot place elsewhere."
    )
    columns = (
        _SYSTEM,
        Column("occurrences", "times rare words occur", "count"),
        Column("collectors", "with too many links", "count"),
        Column("share", "share", "percent"),
    )
    yield Table("collectors", "Garbage collectors", note, columns, shares)
    if worst:
        kinds = (
            Column("word", "word", "word"),
            Column("side", "side"),
            Column("frequency", "times in the text", "count"),
        )
        found_in = Column("links", "links", "count"), Column("pairs", "in pairs", "lines")
        yield Table(
            "worst_collectors",
            "The worst garbage collectors",
            "Most links first.",
            (_SYSTEM, *kinds, *found_in),
            worst,
            grouped=True,
        )


def _once(system: System, worst: Sequence[Collector], lines: Sequence[int]) -> list[list[Any]]:
    """A row for each word and number of links, with all the pairs where it has so many."""
    places: dict[tuple[str, str, int, int], list[int]] = {}
    for each in worst:
        found = places.setdefault((each.word, each.side, each.frequency, each.links), [])
        found += [lines[each.line]] if lines[each.line] not in found else []
    return [[system.name, *key, found] for key, found in places.items()]


def unlinked_table(inputs: ReportInput) -> Table:
    """The words that are most often left without a link."""
    rows = []
    for system in inputs.systems:
        for side, words in zip(("source", "target"), unlinked_words(inputs.folded, system.alignments), strict=True):
            for word in words:
                share = word.unlinked / word.occurrences
                rows.append([system.name, side, word.word, word.unlinked, word.occurrences, share])
    columns = (
        _SYSTEM,
        Column("side", "side"),
        Column("word", "word", "word"),
        Column("unlinked", "without link", "count"),
        Column("occurrences", "of", "count"),
        Column("share", "share", "percent"),
    )
    note = "Articles and the like often have no partner; a word with a meaning of its own should rarely be here."
    return Table("unlinked", "Words most often left alone", note, columns, rows, grouped=True)


def suspicion_table(inputs: ReportInput) -> Table:
    """Pairs that are worth a look, with the reasons."""
    system = inputs.systems[0]
    signs = _signs(inputs, system)
    found = suspicious(signs)
    flagged = sorted((k for k, reasons in enumerate(found) if reasons), key=lambda k: (-len(found[k]), k))
    repeats: dict[Any, list[int]] = {}
    for k in flagged:
        repeats.setdefault((*map(tuple, inputs.pairs[k]), signs[k]), []).append(k)
    rows = [
        [
            [inputs.lines[each] for each in same[:_MOST_LINES]],
            len(same),
            ", ".join(REASONS[reason] for reason in found[same[0]]),
            *inputs.lengths[same[0]],
            signs[same[0]].linked_share,
            signs[same[0]].confidence,
            signs[same[0]].score,
        ]
        for same in list(repeats.values())[:MOST_SUSPICIOUS]
    ]
    columns = (
        Column("pairs", "pair", "lines"),
        Column("times", "times", "count"),
        Column("reasons", "because of"),
        Column("source_words", "source words", "count"),
        Column("target_words", "target words", "count"),
        Column("linked", "words with link", "percent"),
        Column("confidence", "mean probability of links", "percent"),
        Column("score", "score of the pair", "number"),
    )
    more = ""
    if len(repeats) > len(rows):
        more = f" The first {MOST_SUSPICIOUS} are listed, repeats once; the pair browser has them all."
    stand = "stands" if len(flagged) == 1 else "stand"
    note = (
        f"{len(flagged):,} of {len(found):,} pairs {stand} out by {system.name}: unusual lengths, few links, "
        f"improbable links or an improbable pair. They may be wrong translations or misplaced lines.{more}"
    )
    return Table("suspicious", "Pairs worth a look", note, columns, rows)


def suspicions(inputs: ReportInput, system: System) -> list[tuple[str, ...]]:
    """Why each pair stands out among all, by the links of one system."""
    return suspicious(_signs(inputs, system))


def _signs(inputs: ReportInput, system: System) -> list[PairSigns]:
    scores: Sequence[float | None] = system.scores or [None] * len(inputs.pairs)
    return [pair_signs(*each) for each in zip(inputs.lengths, system.probabilities, scores, strict=True)]


def _with_gold(inputs: ReportInput) -> list[tuple[str, Sequence[Alignment]]]:
    named = [(system.name, system.alignments) for system in inputs.systems]
    if inputs.golds is None:
        return named
    # Possible links mark whole phrases, every word with every word; what words do is told by the sure ones.
    return [*named, (GOLD, [Alignment.unchecked(gold.sure) for gold in inputs.golds])]


def _overlap(first: Sequence[Alignment], second: Sequence[Alignment]) -> Overlap:
    return sum((overlap(one, other) for one, other in zip(first, second, strict=True)), Overlap())


def _above(alignment: Alignment, threshold: float) -> Alignment:
    return alignment if alignment.scores is None else alignment.at_least(threshold)
