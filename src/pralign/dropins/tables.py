"""Tables of translation probabilities as fast_align writes them: two words and a log-probability, with tabs between."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.text.files import display_name, read_lines

if TYPE_CHECKING:
    from pralign.lexicons.tables import Lexicon

#: What stands for null.
NULL = "<eps>"
#: The probability of a pair that a table does not have.
UNSEEN = 1e-9

# Logarithms are rounded when they are written, and those of next to nothing are minus infinity.
_LARGEST, _LEAST = 1e-6, -700.0


class TranslationTable:
    """Probabilities of words given words. A word that the table has in lower case only is looked up so."""

    def __init__(self) -> None:
        self._rows: dict[str, dict[str, float]] = {}
        self._made: set[str] = set()

    def put(self, given: str, made: str, probability: float) -> None:
        """Set the probability of ``made`` given ``given``."""
        self._rows.setdefault(given, {})[made] = probability
        self._made.add(made)

    def probability(self, given: str, made: str) -> float:
        """The probability of ``made`` given ``given``, which may be :data:`NULL`.

        Example:
            >>> table = TranslationTable()
            >>> table.put("house", "maison", 0.75)
            >>> table.probability("House", "maison"), table.probability("house", "chat")
            (0.75, 1e-09)
        """
        row = self._rows.get(given) or self._rows.get(given.lower())
        if row is None:
            return UNSEEN
        return row.get(made if made in self._made else made.lower(), UNSEEN)

    def lines(self) -> Iterator[str]:
        """The table as it is written, without line ends."""
        for given, row in self._rows.items():
            for made, probability in row.items():
                yield f"{given}\t{made}\t{math.log(probability):g}"


def read_table(path: str | Path) -> TranslationTable:
    """Read a table; words are anything without a tab.

    Raises:
        InputError: A line has not two words and the logarithm of a probability.
    """
    table = TranslationTable()
    for number, line in enumerate(read_lines(path), start=1):
        fields = line.split("\t")
        try:
            given, made, log = fields[0], fields[1], float(fields[2])
        except (IndexError, ValueError):
            log = math.nan
        if len(fields) != 3 or not log <= _LARGEST:
            raise InputError(
                f"{display_name(path)}, line {number}: a line of a table of fast_align has a word, a tab, a word, a "
                f"tab and a log-probability; found {quoted(line)}"
            )
        table.put(given, made, math.exp(max(log, _LEAST)))
    return table


def table_of(lexicon: Lexicon, reverse: bool, beam: float) -> TranslationTable:
    """The table of a model, of target words given source words, or the other way round.

    Args:
        lexicon: What the model knows.
        reverse: Whether source words are given target words.
        beam: Translations are kept whose logarithm is at least that of the best one of their word times minus this:
            with -4, a best one of a half lets in what has a sixteenth.
    """
    table = TranslationTable()
    word, least = None, 0.0
    for entry in lexicon.entries("reverse" if reverse else "forward"):
        given, made, probability = (
            (entry.target, entry.source, entry.reverse) if reverse else (entry.source, entry.target, entry.forward)
        )
        if made is None or not probability:
            continue
        given, log = NULL if given is None else given, min(math.log(probability), 0.0)
        if given != word:
            word, least = given, -beam * log
        if log >= least:
            table.put(given, made, probability)
    return table
