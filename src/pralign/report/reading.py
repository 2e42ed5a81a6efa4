"""Reading what a report is about: the whole text to count its words, and only the chosen lines of everything."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from pralign.errors import InputError
from pralign.evaluation import WordsOfPair
from pralign.links.bounds import check_bounds
from pralign.links.files import AlignmentFile
from pralign.links.formats import ReadContext, Record
from pralign.links.formats.gold import NONE, STATES, GoldFormat
from pralign.links.labelling import Labelling
from pralign.report.inputs import ReportInput, System, Text, draw
from pralign.text.tokens import tokens, words_of

if TYPE_CHECKING:
    from pralign.text.bitext import Bitext, Sentence

_AT_ONCE = 1000


def read_report_input(
    bitext: Bitext,
    names: tuple[str, str],
    systems: Sequence[tuple[str, AlignmentFile]],
    gold: AlignmentFile | None,
    sample: int,
    seed: int,
    first: bool = False,
) -> ReportInput:
    """Read a text, the alignments of some systems, and perhaps a gold.

    Words are counted in the whole text. Of everything else only the pairs that were drawn are looked at, which makes
    short work of millions of lines.

    Args:
        bitext: The text.
        names: What the report calls its two sides.
        systems: Names and files of the systems.
        gold: The alignments to judge by.
        sample: How many pairs to look at, at most.
        seed: What they are drawn with.
        first: Whether the gold may be of the first pairs only.

    Raises:
        InputError: There are no pairs, numbers of lines differ, or a line that was drawn is not in its format.
    """
    text = count_words(bitext, names)
    judged = text.pairs if gold is None else _gold_pairs(gold, text, first)
    lines = draw(judged, sample, seed) if gold is None else _draw_labelled(gold, judged, sample, seed)
    wanted = frozenset(lines)
    pairs = words_of_pairs(bitext, wanted)
    found = []
    for name, file in systems:
        records = _chosen(file, wanted, text.pairs)
        _check(records, pairs, lines, file)
        scores = [_score_a_word(record, file) for record in records]
        found.append(System(name, [record.alignment for record in records], scores, file.name))
    if gold is None:
        return ReportInput(text, pairs, lines, found, seed=seed)
    by_hand = _chosen(gold, wanted, judged)
    _check(by_hand, pairs, lines, gold)
    golds = [record.alignment for record in by_hand]
    return ReportInput(text, pairs, lines, found, golds, seed=seed, gold_pairs=judged)


def count_words(bitext: Bitext, names: tuple[str, str]) -> Text:
    """Count the words of a whole text, whose sides have ``names``.

    Raises:
        InputError: There are no pairs.
    """
    counters = Counter[str](), Counter[str]()
    remaining, pairs = iter(bitext), 0
    # Many lines at a time take half as long as line by line.
    while batch := list(islice(remaining, _AT_ONCE)):
        pairs += len(batch)
        for counter, lines in zip(counters, zip(*batch, strict=True), strict=True):
            counter.update(_all_words(lines))
    if pairs == 0:
        raise InputError(f"{bitext.name}: there are no sentence pairs to report on: the text is empty")
    return Text(names, pairs, counters)


def _all_words(sentences: Sequence[Sentence]) -> list[str]:
    if all(isinstance(sentence, str) for sentence in sentences):
        return tokens(" ".join(sentences).casefold())  # type: ignore[arg-type]
    return [word.casefold() for sentence in sentences for word in words_of(sentence)]


def words_of_pairs(bitext: Bitext, wanted: frozenset[int]) -> list[WordsOfPair]:
    """The words of some pairs, given by their numbers from zero."""
    return [(list(words_of(left)), list(words_of(right))) for k, (left, right) in enumerate(bitext) if k in wanted]


def _gold_pairs(gold: AlignmentFile, text: Text, first: bool) -> int:
    """How many pairs have a gold: all of them or, if that will do, the first ones."""
    if gold.one_line_a_pair:
        count = sum(1 for _ in gold.lines())
    else:
        count = sum(1 for _ in gold.records(None if first else text.pairs))
    if count > text.pairs or (count < text.pairs and not first):
        hint = "; if it is for the first pairs only, add --first" if count < text.pairs else ""
        raise InputError(f"{gold.name} has {count} alignments, but there are {text.pairs} pairs{hint}")
    if not count:
        raise InputError(f"{gold.name}: has no lines to judge by")
    return count


def _draw_labelled(gold: AlignmentFile, pairs: int, sample: int, seed: int) -> list[int]:
    """Which pairs to look at, in order: labelled ones and, as long as there is room, others."""
    if gold.format.name != GoldFormat.name:  # no other can say that a pair is not labelled
        return draw(pairs, sample, seed)
    states = [STATES.get(line.strip(), STATES[NONE]) for line in gold.lines()]
    Labelling.of(states).report(f"pairs of {gold.name}", "they are not judged")
    labelled = [k for k, state in enumerate(states) if state.is_labelled]
    others = [k for k, state in enumerate(states) if not state.is_labelled]
    chosen = [labelled[k] for k in draw(len(labelled), sample, seed)]
    return sorted([*chosen, *(others[k] for k in draw(len(others), sample - len(chosen), seed))])


def _chosen(file: AlignmentFile, wanted: frozenset[int], pairs: int) -> list[Record]:
    """The records of the chosen ones of so many pairs."""
    if not file.one_line_a_pair:
        records = list(file.records(pairs))
        count, kept = len(records), [record for k, record in enumerate(records) if k in wanted]
    else:
        lines, count = [], 0
        for count, line in enumerate(file.lines(), start=1):
            if count - 1 in wanted:
                lines.append(line)
        kept = _parsed(file, wanted, lines)
    if count != pairs:
        raise InputError(f"{file.name} has {count} alignments, but there are {pairs} pairs")
    return kept


def _parsed(file: AlignmentFile, wanted: frozenset[int], lines: list[str]) -> list[Record]:
    context = ReadContext(file.name, file.base)
    try:
        return list(file.format.read_records(lines, context))
    except InputError:
        # Once more with blank lines between them, for a message that names the right one.
        spread = (line if k in wanted else "" for k, line in enumerate(file.lines()))
        return [record for k, record in enumerate(file.format.read_records(spread, context)) if k in wanted]


def _check(records: Sequence[Record], pairs: Sequence[WordsOfPair], lines: Sequence[int], file: AlignmentFile) -> None:
    for record, (source, target), line in zip(records, pairs, lines, strict=True):
        where = f"{file.name}, {'line' if file.one_line_a_pair else 'pair'} {line + 1}"
        check_bounds(record.alignment, (len(source), len(target)), where, file.base)


def _score_a_word(record: Record, file: AlignmentFile) -> float | None:
    """The score of a pair; the probability of a whole sentence, as GIZA++ writes it, as its logarithm a target word."""
    if record.score is None or file.format.name != "giza":
        return record.score
    return math.log(record.score) / max(len(record.target or ()), 1) if record.score > 0 else None
