"""Labelled pairs: sentences with gold alignments, which say how good a model is and which threshold suits it."""

from __future__ import annotations

from collections.abc import Sequence

from pralign.errors import InputError
from pralign.links.alignment import Alignment
from pralign.links.bounds import check_bounds
from pralign.links.labelled import Labelled
from pralign.text.corpus import Corpus, decodable


def golds_of(examples: Sequence[Labelled], corpus: Corpus) -> list[Alignment]:
    """The gold alignments of the labelled pairs that can be aligned; ``corpus`` has their sentences.

    Raises:
        InputError: A link is outside its pair, or no pair can be aligned.
    """
    lengths = zip(corpus.source_lengths.tolist(), corpus.target_lengths.tolist(), strict=True)
    for number, ((*_, gold), length) in enumerate(zip(examples, lengths, strict=True), start=1):
        check_bounds(gold, length, f"labelled pair {number}")
    golds = [gold for (*_, gold), possible in zip(examples, decodable(corpus.texts).tolist(), strict=True) if possible]
    if not golds:
        raise InputError("there are no labelled pairs, or none with words on both sides")
    return golds
