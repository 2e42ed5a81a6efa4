"""Priors from files: dictionaries, and what ``eflomal-makepriors`` writes."""

from __future__ import annotations

import logging
import math
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.kernels.fertility_factor import MOST_WORDS
from pralign.kernels.hmm import BAND, INITIAL, REACH, JumpWeights
from pralign.models.prior import PositionPrior
from pralign.priors.entries import UNKNOWN, KnownText, PairEntries, PriorEntries
from pralign.schema.limits import MOST_COUNTS, MOST_PRIOR
from pralign.text.files import read_lines
from pralign.text.normalisation import Normalisation
from pralign.text.tokens import tokens
from pralign.text.vocabulary import Vocabulary

logger = logging.getLogger("pralign")

# How many fields the lines of eflomal's priors have: words, jumps (forward, reverse) and fertilities.
_FIELDS = {"LEX": 4, "HMMF": 3, "HMMR": 3, "FERF": 4, "FERR": 4}

# A text of some hundred million pairs has more jumps of one kind than priors may count, and as many fertilities of a
# word. Beside so many, what another text counts is lost, so only how they relate to each other still matters: all jumps
# count together as this many at most, and the fertilities of a word are scaled down until none is above MOST_PRIOR.
_MOST_JUMPS = (BAND + 1) * MOST_PRIOR

Fertilities = dict[tuple[str, int], float]


class PriorLines:
    """The lines of a file, sorted by what they are about.

    Attributes:
        pairs: Source words, target words, and how often they count as seen together.
        jumps: For ``HMMF`` and ``HMMR``, how often each jump counts as seen.
        fertilities: For ``FERF`` and ``FERR``, how often each word counts as seen with so many links.
    """

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str, float]] = []
        self.jumps: dict[str, dict[int, float]] = {"HMMF": {}, "HMMR": {}}
        self.fertilities: dict[str, Fertilities] = {"FERF": defaultdict(float), "FERR": defaultdict(float)}


def read_prior(path: Path, text: KnownText) -> PriorEntries:
    """Read what a file says of the words of a text.

    A line of a dictionary has a source word, a tab and a target word, and may have another tab and how often the pair
    counts as seen (once, if it does not say). Entries of several words are left out. If the first line is like those
    that ``eflomal-makepriors`` writes (and begins with ``LEX``, ``HMMF``, ``HMMR``, ``FERF`` or ``FERR``), all must be.

    Raises:
        InputError: A line is neither.
    """
    entries = read_prior_lines(path)
    source = _numbers((pair[0] for pair in entries.pairs), text.source, text.normalisation)
    target = _numbers((pair[1] for pair in entries.pairs), text.target, text.normalisation)
    counts = np.array([pair[2] for pair in entries.pairs])
    return PriorEntries(
        PairEntries.of(source, target, np.column_stack([counts, counts])),
        _positions(entries.jumps["HMMF"], entries.fertilities["FERF"], text.source, text.normalisation),
        _positions(entries.jumps["HMMR"], entries.fertilities["FERR"], text.target, text.normalisation),
    )


def read_prior_lines(path: Path) -> PriorLines:
    """All that a file says, whatever the text; see :func:`read_prior`.

    Raises:
        InputError: A line is neither that of a dictionary nor that of a priors file.
    """
    return sorted_lines(read_lines(path), str(path))


def sorted_lines(lines: Iterable[str], name: str, of_eflomal: bool | None = None) -> PriorLines:
    """The same for lines that come from elsewhere; ``name`` is for messages.

    Args:
        lines: The lines.
        name: What messages call them.
        of_eflomal: Whether they must be those of eflomal's priors; by default the first line tells.

    Raises:
        InputError: A line is neither that of a dictionary nor that of a priors file.
    """
    entries, left_out = PriorLines(), 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        fields, place = line.split("\t"), f"{name}, line {number}"
        if of_eflomal is None:
            of_eflomal = _FIELDS.get(fields[0]) == len(fields)
        if of_eflomal:
            _add_line(entries, fields, place)
        elif _is_single(fields):
            entries.pairs.append((tokens(fields[0])[0], tokens(fields[1])[0], _count(fields[2:] or ["1"], place)))
        elif len(fields) in (2, 3):
            left_out += 1
        else:
            raise InputError(
                f"{place}: a line of a dictionary has a word, a tab, a word and, if you like, a tab and a count; "
                f"found {quoted(line)}"
            )
    if left_out:
        logger.info("%s: %d entries are not one word each and were left out", name, left_out)
    return entries


def _is_single(fields: list[str]) -> bool:
    return len(fields) in (2, 3) and all(len(tokens(field)) == 1 for field in fields[:2])


def _add_line(entries: PriorLines, fields: list[str], place: str) -> None:
    kind = fields[0]
    if _FIELDS.get(kind) != len(fields):
        kinds, found = ", ".join(_FIELDS), quoted("\t".join(fields[:5]))
        raise InputError(f"{place}: not a line of a priors file, which begins with one of {kinds}; found {found}")
    count = _count(fields[-1:], place, MOST_PRIOR if kind == "LEX" else MOST_COUNTS)
    if kind == "LEX":
        entries.pairs.append((fields[1], fields[2], count))
    elif kind in entries.jumps:
        entries.jumps[kind][_whole(fields[1], place)] = count
    else:
        entries.fertilities[kind][fields[1], _whole(fields[2], place)] += count


def _count(fields: list[str], place: str, most: float = MOST_PRIOR) -> float:
    try:
        count = float(fields[0])
    except ValueError:
        count = math.nan
    if not 0 <= count <= most:
        raise InputError(f"{place}: {quoted(fields[0])} is not a count between 0 and {most:,.0f}")
    return count


def _whole(text: str, place: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{place}: {quoted(text)} is not a whole number") from None


def _numbers(words: Iterable[str], vocabulary: Vocabulary, normalisation: Normalisation) -> np.ndarray:
    found = (vocabulary.number(normalisation([word])[0]) for word in words)
    return np.array([UNKNOWN if number is None else number for number in found], np.int64)


def _positions(
    jumps: dict[int, float], fertilities: Fertilities, vocabulary: Vocabulary, normalisation: Normalisation
) -> PositionPrior:
    table = np.empty((0, 0))
    if fertilities:
        table = np.zeros((len(vocabulary), MOST_WORDS + 1))
        for (word, fertility), count in fertilities.items():
            number = vocabulary.number(normalisation([word])[0])
            if number is not None:
                table[number, min(max(fertility, 0), MOST_WORDS)] += count
        table *= np.minimum(1.0, MOST_PRIOR / np.maximum(table.max(axis=1, keepdims=True), 1.0))
    if not any(jumps.values()):
        return PositionPrior(fertilities=table)
    far = [count for jump, count in jumps.items() if abs(jump) > REACH]
    # One weight stands for each single place beyond reach, so it gets what one of them had.
    weights = np.array([*(jumps.get(k - REACH, 0.0) for k in range(BAND)), sum(far) / max(len(far), 1)])
    worth = min(float(weights.sum()), _MOST_JUMPS)
    return PositionPrior(JumpWeights(weights, np.ones(INITIAL), np.zeros(1)), worth, 0.0, table)
