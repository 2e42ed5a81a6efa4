"""Scores of some links only: those of rare words, or of the words at the end of a sentence."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from pralign.errors import UsageError
from pralign.evaluation.counts import LinkCounts
from pralign.evaluation.iteration import Side, WordsOfPair, iterate_with_gold, side_index, words_lengths
from pralign.evaluation.lengths import class_labels
from pralign.evaluation.names import Names
from pralign.evaluation.scores import Scores
from pralign.links.alignment import Alignment, Link
from pralign.links.bounds import Lengths

K = TypeVar("K", bound=Hashable)

FREQUENCY_EDGES = (5, 50, 500)


def count_links_by(hypothesis: Alignment, gold: Alignment, label: Callable[[Link], K]) -> dict[K, LinkCounts]:
    """Compare the alignment of one sentence pair with the gold, apart for each class of links.

    A link belongs to the same class whoever draws it, so the counts of all classes add up to those of
    :func:`~pralign.evaluation.count_links` in all numbers but one: ``pairs`` is 1 in every class, since the pair has
    links of each. Summed over a corpus, it says how many pairs have a link of the class in the hypothesis or in the
    gold; a pair with links of several classes counts in each.

    Args:
        hypothesis: The alignment to judge; all its links count.
        gold: The alignment to judge by.
        label: The class of a link.

    Returns:
        The counts of each class that has a link, in the order of their first links.

    Example:
        >>> gold = Alignment.of([(0, 0), (1, 1)], possible=[(3, 2)])
        >>> counts = count_links_by(Alignment.of([(0, 0), (2, 1), (3, 2)]), gold, lambda link: link[0] >= 2)
        >>> counts[False]
        LinkCounts(links=1, sure=2, possible=2, links_sure=1, links_possible=1, pairs=1)
        >>> counts[True]
        LinkCounts(links=2, sure=0, possible=1, links_sure=0, links_possible=1, pairs=1)
    """
    links, possible, sure = frozenset(hypothesis.links), frozenset(gold.links), gold.sure
    links_sure, links_possible = links & sure, links & possible
    classes: dict[K, list[Link]] = {}
    for link in sorted(links | possible):
        classes.setdefault(label(link), []).append(link)
    return {
        key: LinkCounts(
            links=len(links.intersection(members)),
            sure=len(sure.intersection(members)),
            possible=len(possible.intersection(members)),
            links_sure=len(links_sure.intersection(members)),
            links_possible=len(links_possible.intersection(members)),
            pairs=1,
        )
        for key, members in classes.items()
    }


def evaluate_by_frequency(
    pairs: Iterable[WordsOfPair],
    hypotheses: Iterable[Alignment],
    golds: Iterable[Alignment],
    frequencies: Mapping[str, int],
    side: Side,
    edges: Sequence[int] = FREQUENCY_EDGES,
    *,
    names: Names | None = None,
) -> list[tuple[str, Scores]]:
    """Score the links of rare and of frequent words apart.

    A link belongs to the class of its word on one side. The counts of all classes add up to those of
    :func:`~pralign.evaluation.evaluate`, except ``pairs`` (see :func:`count_links_by`).

    Args:
        pairs: The source words and the target words of each pair.
        hypotheses: The alignments to judge, in the same order.
        golds: The alignments to judge by, in the same order.
        frequencies: How often each word was seen, in the text that a model was trained on, say. Words are looked up as
            they are spelled; one that is not there was seen 0 times.
        side: Whose word classes a link, that of the ``"source"`` or that of the ``"target"``.
        edges: The highest frequency of each class, rising; one more class is for all that is more frequent. A word
            that was never seen is in the first class.
        names: What messages call the inputs.

    Returns:
        For each class, from rare to frequent, its label (``1-5``, …, ``501-``) and its scores. A class without links is
        there too.

    Raises:
        InputError: The inputs have different numbers of lines, or a link joins a word that is not there.
        UsageError: The edges do not rise from at least one, or there is no such side.

    Example:
        >>> pairs, gold = [(["the", "heron"], ["der", "Reiher"])], [Alignment.of([(0, 0), (1, 1)])]
        >>> classes = evaluate_by_frequency(pairs, [Alignment.of([(0, 0)])], gold, {"the": 900, "heron": 2}, "source")
        >>> [(label, scores.recall) for label, scores in classes if scores.counts.sure]
        [('1-5', 0.0), ('501-', 1.0)]
    """
    labels = class_labels(edges, "words are classed by frequencies that rise, such as 5, 50, 500")
    column = side_index(side)
    totals = [LinkCounts()] * len(labels)
    for words, hypothesis, gold in iterate_with_gold(pairs, words_lengths, hypotheses, golds, names or Names()):
        if not gold.is_labelled:
            continue
        classes = [bisect_left(edges, frequencies.get(word, 0)) for word in words[column]]
        _add(totals, hypothesis, gold, classes, column)
    return [(label, Scores(total)) for label, total in zip(labels, totals, strict=True)]


def evaluate_by_part(
    lengths: Iterable[Lengths],
    hypotheses: Iterable[Alignment],
    golds: Iterable[Alignment],
    parts: int = 3,
    side: Side = "source",
    *,
    names: Names | None = None,
) -> list[tuple[str, Scores]]:
    """Score links apart by where in its sentence a word stands.

    The word at position i of I words, counted from 0, is in part ⌊i · parts / I⌋. A sentence with fewer words than
    there are parts leaves some of them out; a single word is at the beginning.

    Args:
        lengths: The numbers of source and target words of each pair.
        hypotheses: The alignments to judge, in the same order.
        golds: The alignments to judge by, in the same order.
        parts: Into how many parts a sentence is cut.
        side: Whose word classes a link, that of the ``"source"`` or that of the ``"target"``.
        names: What messages call the inputs.

    Returns:
        For each part, from first to last, its label and its scores. Three parts are called ``beginning``, ``middle``
        and ``end``, others ``part 1 of 4`` and so on. The counts add up as in :func:`evaluate_by_frequency`.

    Raises:
        InputError: The inputs have different numbers of lines, or a link joins a word that is not there.
        UsageError: There is not even one part, or there is no such side.

    Example:
        >>> gold = Alignment.of([(0, 0), (1, 1), (2, 2)])
        >>> classes = evaluate_by_part([(3, 3)], [Alignment.of([(0, 0), (2, 1)])], [gold])
        >>> [(label, scores.precision, scores.recall) for label, scores in classes]
        [('beginning', 1.0, 1.0), ('middle', 0.0, 0.0), ('end', 0.0, 0.0)]
    """
    labels, column = _part_labels(parts), side_index(side)
    totals = [LinkCounts()] * parts
    for size, hypothesis, gold in iterate_with_gold(lengths, lambda size: size, hypotheses, golds, names or Names()):
        if not gold.is_labelled:
            continue
        words = size[column]
        _add(totals, hypothesis, gold, [position * parts // words for position in range(words)], column)
    return [(label, Scores(total)) for label, total in zip(labels, totals, strict=True)]


def _add(totals: list[LinkCounts], hypothesis: Alignment, gold: Alignment, classes: Sequence[int], column: int) -> None:
    """Add the counts of a pair, whose links are classed by their word in ``column``, to those of the classes."""
    for key, counts in count_links_by(hypothesis, gold, lambda link: classes[link[column]]).items():
        totals[key] += counts


def _part_labels(parts: int) -> list[str]:
    if parts < 1:
        raise UsageError(f"a sentence has at least one part, not {parts}")
    return ["beginning", "middle", "end"] if parts == 3 else [f"part {k} of {parts}" for k in range(1, parts + 1)]
