"""Phrase pairs: stretches of words that are translations of each other, as machine translation uses them.

>>> from pralign import phrases
>>> pairs, alignments = [("the red car", "la voiture rouge")], ["0-0 1-2 2-1"]
>>> for found in phrases.extract(pairs, alignments, max_length=2):
...     print(" ".join(found.source), "|||", " ".join(found.target), "|||", found.alignment)
the ||| la ||| 0-0
car ||| voiture ||| 0-0
red car ||| voiture rouge ||| 0-1 1-0
red ||| rouge ||| 0-0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pralign.aligner import Aligner
from pralign.links.aligned import AlignmentSource, GivenAlignments, ListedAlignments, Weighted
from pralign.links.alignment import Alignment
from pralign.phrases.entries import PhrasePair, ScoredPhrasePair
from pralign.phrases.hierarchical import rules, write_rules
from pralign.phrases.rule_formats import RULE_FORMATS, RuleFormat
from pralign.phrases.rule_settings import RuleSettings
from pralign.phrases.rule_table import RuleTable, ScoredRule
from pralign.phrases.rule_writing import RuleFiles
from pralign.phrases.settings import PhraseSettings
from pralign.phrases.smoothing import SMOOTHINGS, Smoothing
from pralign.phrases.table import PhraseTable
from pralign.phrases.writing import PhraseFiles
from pralign.text.pairs import Pairs, as_pairs

__all__ = [
    "RULE_FORMATS",
    "SMOOTHINGS",
    "PhraseFiles",
    "PhrasePair",
    "PhraseSettings",
    "PhraseTable",
    "RuleFiles",
    "RuleFormat",
    "RuleSettings",
    "RuleTable",
    "ScoredPhrasePair",
    "ScoredRule",
    "Smoothing",
    "extract",
    "phrase_table",
    "rules",
    "write_phrases",
    "write_rules",
]

#: One alignment a sentence pair, perhaps as text, or several with their weights.
Alignments = Iterable[Alignment | str] | Iterable[Sequence[Weighted]]


def extract(
    pairs: Pairs, alignments: Alignments, *, model: Aligner | None = None, **settings: Any
) -> Iterator[PhrasePair]:
    """The phrase pairs of sentence pairs, in the order in which Moses finds them.

    Args:
        pairs: The sentence pairs, see :func:`~pralign.text.pairs.as_pairs`.
        alignments: The alignment of each, or with ``count="nbest"`` several, each with its weight.
        model: A trained aligner, which says how probable phrase pairs are, with ``count="posteriors"``.
        settings: See :class:`PhraseSettings`.

    Raises:
        InputError: There are not as many alignments as pairs, or a link joins a word that is not there.
        UsageError: A setting makes no sense.
    """
    with _table(pairs, alignments, model, settings) as table:
        yield from table.found()


def phrase_table(
    pairs: Pairs, alignments: Alignments, *, model: Aligner | None = None, **settings: Any
) -> Iterator[ScoredPhrasePair]:
    """The distinct phrase pairs of sentence pairs with their scores, sorted as Moses sorts them; see :func:`extract`.

    Example:
        >>> pairs = [("the house", "la maison"), ("the house", "la maison"), ("the home", "la maison")]
        >>> for entry in phrase_table(pairs, ["0-0 1-1"] * 3, max_length=1):
        ...     print(*entry.source, "|||", *entry.target, "|||", round(entry.inverse, 3), round(entry.direct, 3))
        home ||| maison ||| 0.333 1.0
        house ||| maison ||| 0.667 1.0
        the ||| la ||| 1.0 1.0
    """
    with _table(pairs, alignments, model, settings) as table:
        yield from table


def write_phrases(
    pairs: Pairs,
    alignments: Alignments,
    table: str | Path | None = None,
    *,
    extract: str | Path | None = None,
    reordering: str | Path | None = None,
    model: Aligner | None = None,
    **settings: Any,
) -> None:
    """Write files of phrases, as ``pralign phrases`` does.

    Args:
        pairs: The sentence pairs.
        alignments: Their alignments, see :func:`extract`.
        table: Where the phrase table goes.
        extract: What the names of files with single phrase pairs begin with.
        reordering: Where the table for lexicalised reordering goes.
        model: A trained aligner, with ``count="posteriors"``.
        settings: See :class:`PhraseSettings`.
    """
    places = (None if place is None else Path(place) for place in (table, extract, reordering))
    files = PhraseFiles(*places)
    files.check()
    with _table(pairs, alignments, model, {**settings, "reordering": reordering is not None}) as made:
        files.write(made)


def _table(pairs: Pairs, alignments: Alignments, model: Aligner | None, given: dict[str, Any]) -> PhraseTable:
    settings = PhraseSettings(**given)
    trained = None if model is None else model.model_
    return PhraseTable(as_pairs(pairs), _source(alignments, settings), settings, trained)


def _source(alignments: Alignments, settings: PhraseSettings) -> AlignmentSource:
    if settings.count == "nbest":
        return ListedAlignments(alignments)  # type: ignore[arg-type]
    return GivenAlignments(Alignment.of(each) for each in alignments)  # type: ignore[arg-type]
