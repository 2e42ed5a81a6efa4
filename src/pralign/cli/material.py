"""Reading what a report is about: the whole text to count its words, and only the chosen lines of everything."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pralign.cli.alignments import AlignmentFile
from pralign.errors import InputError, UsageError
from pralign.links.bounds import check_bounds
from pralign.links.formats import ReadContext, Record
from pralign.report.material import Material, System, Text, WordPair, draw
from pralign.text.tokens import tokens

if TYPE_CHECKING:
    from pralign.text.bitext import Bitext


def read_material(
    bitext: Bitext,
    names: tuple[str, str],
    systems: Sequence[tuple[str, AlignmentFile]],
    gold: AlignmentFile | None,
    sample: int,
    seed: int,
    first: bool = False,
) -> Material:
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
    text = _count(bitext, names)
    if text.pairs == 0:
        raise InputError(f"{bitext.name}: there are no sentence pairs to report on: the text is empty")
    golds = None if gold is None else _gold_records(gold, text, first)
    judged = text.pairs if golds is None else len(golds)
    lines = draw(judged, sample, seed)
    wanted = frozenset(lines)
    pairs: list[WordPair] = [
        (tokens(str(source)), tokens(str(target))) for k, (source, target) in enumerate(bitext) if k in wanted
    ]
    found = []
    for name, file in systems:
        records = _chosen(file, wanted, text)
        _check(records, pairs, lines, file)
        scores = [_score_a_word(record, file) for record in records]
        found.append(System(name, [record.alignment for record in records], scores, file.name))
    chosen = None
    if golds is not None and gold is not None:
        chosen = [golds[k] for k in lines]
        _check(chosen, pairs, lines, gold)
    alignments = None if chosen is None else [record.alignment for record in chosen]
    return Material(text, pairs, lines, found, alignments, seed=seed, gold_pairs=None if gold is None else judged)


def _count(bitext: Bitext, names: tuple[str, str]) -> Text:
    source_words, target_words = Counter[str](), Counter[str]()
    pairs = 0
    for source, target in bitext:
        source_words.update(tokens(str(source).casefold()))
        target_words.update(tokens(str(target).casefold()))
        pairs += 1
    return Text(names, pairs, (source_words, target_words))


def _gold_records(gold: AlignmentFile, text: Text, first: bool) -> list[Record]:
    records = list(gold.records(None if first else text.pairs))
    if len(records) > text.pairs or (len(records) < text.pairs and not first):
        hint = "; if it is for the first pairs only, add --first" if len(records) < text.pairs else ""
        raise InputError(f"{gold.name} has {len(records)} alignments, but there are {text.pairs} pairs{hint}")
    if not records:
        raise InputError(f"{gold.name}: has no lines to judge by")
    return records


def _chosen(file: AlignmentFile, wanted: frozenset[int], text: Text) -> list[Record]:
    """The records of the chosen pairs; for the reader, all other lines are blank."""
    if file.one_line_a_pair:
        lines = (line if k in wanted else "" for k, line in enumerate(file.lines()))
        records = file.format.read_records(lines, ReadContext(file.name, file.base))
    else:
        records = file.records(text.pairs)
    count, kept = 0, []
    for count, record in enumerate(records, start=1):
        if count - 1 in wanted:
            kept.append(record)
    if count != text.pairs:
        raise InputError(f"{file.name} has {count} alignments, but there are {text.pairs} pairs")
    return kept


def _check(records: Sequence[Record], pairs: Sequence[WordPair], lines: Sequence[int], file: AlignmentFile) -> None:
    for record, (source, target), line in zip(records, pairs, lines, strict=True):
        where = f"{file.name}, {'line' if file.one_line_a_pair else 'pair'} {line + 1}"
        check_bounds(record.alignment, (len(source), len(target)), where, file.base)


def _score_a_word(record: Record, file: AlignmentFile) -> float | None:
    """The score of a pair; the probability of a whole sentence, as GIZA++ writes it, as its logarithm a target word."""
    if record.score is None or file.format.name != "giza":
        return record.score
    return math.log(record.score) / max(len(record.target or ()), 1) if record.score > 0 else None


def parse_system(text: str) -> tuple[str, Path]:
    """The name and the file of a system given as ``NAME=FILE``; a file alone is named after itself.

    Raises:
        UsageError: There is no file.
    """
    name, equals, path = text.partition("=")
    if not equals:
        name, path = Path(text).name, text
    if not path:
        raise UsageError(f"--system {text}: names no file; expected such as mine=links.txt")
    return name.strip() or Path(path).name, Path(path)
