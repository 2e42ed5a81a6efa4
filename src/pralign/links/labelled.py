"""Labelled pairs, sentences with gold alignments, and how they are read from files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pralign.errors import InputError, PralignError, UsageError
from pralign.links.alignment import Alignment
from pralign.links.bounds import check_bounds
from pralign.links.formats import read_alignments
from pralign.links.formats.gold import STATES
from pralign.links.labelling import Labelling
from pralign.text.bitext import Bitext, Sentence
from pralign.text.files import display_name
from pralign.text.pairing import paired
from pralign.text.pairs import as_pair, described
from pralign.text.tokens import words_of

Labelled = tuple[Sentence, Sentence, Alignment]
"""A source sentence, a target sentence, and the gold alignment of the two."""

_LEFT_OUT = "they are not learned from"


def as_labelled(labelled: Iterable[Any], name: str = "labelled") -> list[Labelled]:
    """Those pairs that are labelled, of what a user gives: like :func:`as_examples`, without the others.

    Raises:
        InputError: There are pairs, and none of them is labelled.
    """
    return only_labelled(as_examples(labelled, name), name)


def only_labelled(examples: Sequence[Labelled], name: str) -> list[Labelled]:
    """Those of the pairs that are labelled; it is said how many others there are.

    Raises:
        InputError: There are pairs, and none of them is labelled.
    """
    Labelling.of(gold for *_, gold in examples).report(f"pairs given as {name}", _LEFT_OUT)
    return [example for example in examples if example[2].is_labelled]


def as_gold(alignment: Any) -> Alignment:
    """A gold alignment as a user gives it: an alignment, links, or text that means what it means in a gold file.

    Raises:
        UsageError: It can be no alignment.
        InputError: The text is none.

    Example:
        >>> as_gold("0-0 1?2").links, as_gold("none").state, as_gold("").state
        (((0, 0), (1, 2)), 'labelled', 'unlabelled')
    """
    known = STATES.get(alignment.strip()) if isinstance(alignment, str) else None
    return Alignment.of(alignment) if known is None else known


def as_examples(labelled: Iterable[Any], name: str = "labelled") -> list[Labelled]:
    """Labelled pairs as a user gives them, checked; a gold alignment may be text, such as ``"0-0 1?2"``.

    Some may not be labelled after all: those whose text is blank or ``skipped``, and alignments of such a state.

    Args:
        labelled: Source sentence, target sentence and gold alignment of each pair.
        name: What messages call them.

    Raises:
        UsageError: These can be no labelled pairs.
        InputError: One of them is not two sentences and an alignment.

    Example:
        >>> [(source, target, gold)] = as_examples([("the house", "la maison", "0-0 1-1")])
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
        return source, target, as_gold(example[2])
    except PralignError as error:
        raise InputError(f"{where}: {error}") from None


def read_labelled(
    files: tuple[Path, Path, Path], tokenize: str | None = None, keep_all: bool = False
) -> list[Labelled]:
    """Read source sentences, target sentences and gold alignments, and check that they fit each other.

    Pairs that are not labelled are left out, and it is said how many there are.

    Args:
        files: The three files.
        tokenize: How sentences are cut into words, whose numbers the alignments have; by default at spaces.
        keep_all: Whether pairs that are not labelled stay, for who needs to know the numbers of lines.

    Raises:
        InputError: Files do not fit each other, or no pair is labelled.
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
    found = Labelling.of(alignment for left, right, alignment in examples if words_of(left) and words_of(right))
    if keep_all and found.labelled:  # whoever leaves them out will say so
        return examples
    found.report(f"pairs of {display_name(gold)}", _LEFT_OUT)
    return [example for example in examples if example[2].is_labelled]
