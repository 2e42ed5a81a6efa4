"""Iterating over texts, alignments and golds together, with a check that they fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeVar

from pralign.errors import UsageError
from pralign.evaluation.names import Names
from pralign.links.alignment import Alignment
from pralign.links.bounds import Lengths, check_bounds
from pralign.text.pairing import paired

Item = TypeVar("Item")

Side = Literal["source", "target"]
"""One language of a pair."""

SIDES: tuple[Side, Side] = ("source", "target")

WordsOfPair = tuple[Sequence[str], Sequence[str]]
"""The source words and the target words of a sentence pair."""


def iterate(
    items: Iterable[Item], lengths: Callable[[Item], Lengths], alignments: Iterable[Alignment], names: Names
) -> Iterator[tuple[Item, Alignment]]:
    """Yield what is known of each sentence pair together with its alignment, which is checked against it.

    Args:
        items: Something of each pair, such as its words.
        lengths: How to tell the numbers of source and target words from it.
        alignments: One alignment a pair, in the same order.
        names: What messages call the inputs; ``names.hypothesis`` is for the alignments.

    Raises:
        InputError: The inputs have different numbers of lines, or a link joins a word that is not there.
    """
    for number, (item, alignment) in enumerate(paired(items, alignments, (names.text, names.hypothesis)), start=1):
        check_bounds(alignment, lengths(item), f"{names.hypothesis}, line {number}", names.hypothesis_base)
        yield item, alignment


def iterate_with_gold(
    items: Iterable[Item],
    lengths: Callable[[Item], Lengths],
    hypotheses: Iterable[Alignment],
    golds: Iterable[Alignment],
    names: Names,
) -> Iterator[tuple[Item, Alignment, Alignment]]:
    """Yield what is known of each sentence pair together with its hypothesis and its gold; else like :func:`iterate`.

    Raises:
        InputError: The inputs have different numbers of lines, or a link joins a word that is not there.
    """
    judged = paired(hypotheses, golds, (names.hypothesis, names.gold))
    for number, (item, (hypothesis, gold)) in enumerate(paired(items, judged, (names.text, names.gold)), start=1):
        size = lengths(item)
        check_bounds(hypothesis, size, f"{names.hypothesis}, line {number}", names.hypothesis_base)
        check_bounds(gold, size, f"{names.gold}, line {number}", names.gold_base)
        yield item, hypothesis, gold


def words_lengths(pair: WordsOfPair) -> Lengths:
    """How many words the sentences of a pair have.

    Raises:
        TypeError: A sentence is a text. Its characters would pass for its words.
    """
    source, target = pair
    if isinstance(source, str) or isinstance(target, str):
        raise TypeError("a sentence is a sequence of words here, not a text; split it first")
    return len(source), len(target)


def side_index(side: str) -> int:
    """0 for the source, 1 for the target: where a link has its word of this side.

    Raises:
        UsageError: There is no such side.
    """
    if side not in SIDES:
        raise UsageError(f"a pair has the sides {' and '.join(SIDES)}, but not {side!r}")
    return SIDES.index(side)


def check_most(most: int) -> None:
    """Check that a list can be so long.

    Raises:
        UsageError: The number is negative.
    """
    if most < 0:
        raise UsageError(f"a list has at least 0 entries, so it cannot be cut to {most}")
