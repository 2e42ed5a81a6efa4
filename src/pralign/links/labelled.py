"""Labelled pairs, sentences with gold alignments, and how they are read from files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pralign.errors import InputError, PralignError, UsageError
from pralign.links.alignment import Alignment
from pralign.links.bounds import check_bounds
from pralign.links.formats import read_alignments
from pralign.text.bitext import Bitext, Sentence
from pralign.text.files import display_name
from pralign.text.pairing import paired
from pralign.text.pairs import as_pair, described
from pralign.text.tokens import words_of

Labelled = tuple[Sentence, Sentence, Alignment]
"""A source sentence, a target sentence, and the gold alignment of the two."""


def as_labelled(labelled: Iterable[Any], name: str = "labelled") -> list[Labelled]:
    """Labelled pairs as a user gives them, checked; a gold alignment may be text, such as ``"0-0 1?2"``.

    Args:
        labelled: Source sentence, target sentence and gold alignment of each pair.
        name: What messages call them.

    Raises:
        UsageError: These can be no labelled pairs.
        InputError: One of them is not two sentences and an alignment.

    Example:
        >>> [(source, target, gold)] = as_labelled([("the house", "la maison", "0-0 1-1")])
        >>> gold.links
        ((0, 0), (1, 1))
    """
    if isinstance(labelled, str | bytes | Path) or not isinstance(labelled, Iterable):
        raise UsageError(
            f"{name} pairs cannot be {described(labelled)}; give a list of source sentence, target sentence and "
            "alignment, such as ('the house', 'la maison', '0-0 1-1')"
        )
    return [_example(example, f"{name} pair {number}") for number, example in enumerate(labelled, start=1)]


def _example(example: Any, where: str) -> Labelled:
    if not isinstance(example, tuple | list) or len(example) != 3:
        parts = f"has {len(example)} parts" if isinstance(example, tuple | list) else f"is {described(example)}"
        raise InputError(f"{where} {parts}; it should have a source sentence, a target sentence and an alignment")
    try:
        source, target = as_pair(example[0], example[1])
        return source, target, Alignment.of(example[2])
    except PralignError as error:
        raise InputError(f"{where}: {error}") from None


def read_labelled(files: tuple[Path, Path, Path], tokenize: str | None = None) -> list[Labelled]:
    """Read source sentences, target sentences and gold alignments, and check that they fit each other.

    Args:
        files: The three files.
        tokenize: How sentences are cut into words, whose numbers the alignments have; by default at spaces.
    """
    source, target, gold = files
    names = (display_name(source), display_name(gold))
    examples = []
    pairs = paired(Bitext.read(source, target, tokenize=tokenize), read_alignments(gold, "gold"), names)
    for number, ((left, right), alignment) in enumerate(pairs, start=1):
        lengths = (len(words_of(left)), len(words_of(right)))
        check_bounds(alignment, lengths, f"{display_name(gold)}, line {number}")
        examples.append((left, right, alignment))
    if not examples:
        raise InputError(f"{display_name(gold)}: has no labelled pairs")
    return examples
