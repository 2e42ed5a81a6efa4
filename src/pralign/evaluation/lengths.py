"""Scores by sentence length, since long sentences are harder to align."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pralign.errors import InputError, UsageError
from pralign.evaluation.counts import LinkCounts, count_links
from pralign.evaluation.names import Names
from pralign.evaluation.scores import Scores
from pralign.links.alignment import Alignment
from pralign.text.pairing import paired

EDGES = (10, 20, 30)


def evaluate_by_length(
    hypotheses: Iterable[Alignment],
    golds: Iterable[Alignment],
    lengths: Iterable[int],
    edges: Sequence[int] = EDGES,
    *,
    names: Names | None = None,
) -> list[tuple[str, Scores]]:
    """Score the alignments of a corpus apart for short and for long sentences.

    Each class has its own sums of counts and scores from these; the counts of all classes add up to those of
    :func:`~pralign.evaluation.evaluate`. The inputs are read once, a line at a time, and may be iterators.

    Args:
        hypotheses: The alignments to judge, one a sentence pair.
        golds: The alignments to judge by, in the same order.
        lengths: The number of source words of each pair (or of target words, to class by them).
        edges: The longest length of each class, rising; one more class is for all that is longer. An empty sentence is
            in the first class.
        names: What messages call the inputs.

    Returns:
        For each class, from short to long, its label and its scores. A class without pairs is there too;
        ``scores.counts.pairs`` says how many pairs it has.

    Raises:
        InputError: The inputs have different numbers of lines, or a length is negative.
        UsageError: The edges do not rise, or do not begin with at least one word.

    Example:
        >>> diagonal = Alignment.of([(0, 0), (1, 1)])
        >>> classes = evaluate_by_length([diagonal, Alignment()], [diagonal, diagonal], [2, 15], edges=(10,))
        >>> [(label, scores.counts.pairs, scores.aer) for label, scores in classes]
        [('1-10', 1, 0.0), ('11-', 1, 1.0)]
    """
    names = names or Names()
    labels = class_labels(edges, "lengths are classed by numbers of words that rise, such as 10, 20, 30")
    counts = [LinkCounts()] * len(labels)
    pairs = paired(hypotheses, golds, (names.hypothesis, names.gold))
    for number, (length, (hypothesis, gold)) in enumerate(paired(lengths, pairs, (names.text, names.gold)), start=1):
        if length < 0:
            raise InputError(f"{names.text}, line {number}: a sentence cannot have {length} words")
        if gold.is_labelled:
            counts[bisect_left(edges, length)] += count_links(hypothesis, gold)
    return [(label, Scores(total)) for label, total in zip(labels, counts, strict=True)]


def class_labels(edges: Sequence[int], what: str) -> list[str]:
    """The classes that ``edges`` make, in words: ``1-10`` for one to ten, ``7`` for one number, ``31-`` for all above.

    Raises:
        UsageError: The edges do not rise, or do not begin with at least one; the message begins with ``what``.
    """
    bounds = [0, *edges]
    if any(last <= before for before, last in pairwise(bounds)):
        raise UsageError(f"{what}, not by {list(edges)}")
    closed = [str(last) if last == before + 1 else f"{before + 1}-{last}" for before, last in pairwise(bounds)]
    return [*closed, f"{bounds[-1] + 1}-"]
