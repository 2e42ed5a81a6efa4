"""Labelled pairs, sentences with gold alignments, and how they are read from files."""

from __future__ import annotations

from pathlib import Path

from pralign.errors import InputError
from pralign.links.alignment import Alignment
from pralign.links.bounds import check_bounds
from pralign.links.formats import read_alignments
from pralign.text.bitext import Bitext, Sentence
from pralign.text.files import display_name
from pralign.text.pairing import paired
from pralign.text.tokens import tokens

Labelled = tuple[Sentence, Sentence, Alignment]
"""A source sentence, a target sentence, and the gold alignment of the two."""


def read_labelled(files: tuple[Path, Path, Path]) -> list[Labelled]:
    """Read source sentences, target sentences and gold alignments, and check that they fit each other."""
    source, target, gold = files
    names = (display_name(source), display_name(gold))
    examples = []
    pairs = paired(Bitext.read(source, target), read_alignments(gold, "gold"), names)
    for number, ((left, right), alignment) in enumerate(pairs, start=1):
        lengths = (len(tokens(str(left))), len(tokens(str(right))))
        check_bounds(alignment, lengths, f"{display_name(gold)}, line {number}")
        examples.append((left, right, alignment))
    if not examples:
        raise InputError(f"{display_name(gold)}: has no labelled pairs")
    return examples
