"""Labelled pairs and predictions that cannot be used, or not in full, and what to say of them."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from pralign.errors import InputError, UsageError
from pralign.links.bounds import check_bounds
from pralign.links.labelled import Labelled
from pralign.matching.extraction import Extractor, TextCells
from pralign.matching.scaling import Scaling
from pralign.text.normalisation import Normalisation

logger = logging.getLogger("pralign")

_SHOWN_WORDS = 5


def check_labels(examples: Sequence[Labelled], words: Normalisation, name: str) -> None:
    """Complain of labels outside their pairs, and if none is sure."""
    if not examples:
        raise InputError(f"there are no {name} pairs")
    for number, (source, target, gold) in enumerate(examples, start=1):
        check_bounds(gold, (len(words(source)), len(words(target))), f"{name} pair {number}")
    if not any(gold.sure for *_, gold in examples):
        raise InputError(
            f"none of the {len(examples)} {name} pairs has a sure link (i-j), so there is nothing to learn by them"
        )


def check_predictions(extractor: Extractor, given: int) -> None:
    """Complain if alignments are given by more or fewer aligners than were learned with."""
    needed = extractor.context.predictions
    if given == needed:
        return
    if not given:
        raise UsageError(
            f"this aligner has learned with the feature predictions, from {needed} other aligners; give alignments by "
            "the same aligners, in the same order"
        )
    learned = f"from {needed} other aligners" if needed else "without the feature predictions"
    raise UsageError(f"this aligner has learned {learned}; alignments by {given} are given")


def check_varying(extractor: Extractor, scaling: Scaling) -> None:
    """Complain if features tell no cell from another."""
    if not scaling.varying.any() and len(extractor.columns) == extractor.number_count:
        names = ", ".join(group.name for group in extractor.features)
        raise InputError(
            f"every cell of the labelled pairs has the same features ({names}), so nothing can be learned; predictions "
            "without links, or labelled pairs in other languages than the bitext, would explain it"
        )


def report_unknown(text: TextCells) -> None:
    """Say which labelled words are not in the bitext; complain if none is."""
    texts = text.corpus.texts
    sides = (("source", texts.source, text.corpus.source), ("target", texts.target, text.corpus.target))
    for name, tokens, vocabulary in sides:
        numbers = np.unique(tokens)
        words = [
            text.corpus.unknown[number - len(vocabulary)] for number in numbers[numbers >= len(vocabulary)].tolist()
        ]
        if numbers.size and len(words) == numbers.size:
            raise InputError(
                f"no {name} word of the labelled pairs occurs in the bitext, not even {words[0]!r}; "
                "do the files belong together, source first?"
            )
        if words:
            logger.warning(
                "%d of %d %s words of the labelled pairs do not occur in the bitext: %s%s%s",
                len(words),
                numbers.size,
                name,
                ", ".join(words[:_SHOWN_WORDS]),
                ", ..." if len(words) > _SHOWN_WORDS else "",
                "; do the files belong together, source first?" if 2 * len(words) > numbers.size else "",
            )


def report_left_out(text: TextCells, labelled: int) -> None:
    """Say which labelled pairs are too long to learn from."""
    cells = text.source_lengths * text.target_lengths
    for pair in np.setdiff1d(np.flatnonzero(cells), text.usable).tolist():
        kind, number = ("labelled", pair + 1) if pair < labelled else ("validation", pair - labelled + 1)
        logger.warning("%s pair %d is too long (%d cells) and is left out", kind, number, cells[pair])
