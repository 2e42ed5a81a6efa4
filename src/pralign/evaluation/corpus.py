"""Scoring a whole corpus against its gold alignments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pralign.evaluation.counts import LinkCounts, count_links
from pralign.evaluation.names import Names
from pralign.evaluation.scores import BALANCED, Scores
from pralign.evaluation.unaligned import Unaligned, count_unaligned
from pralign.links.alignment import Alignment
from pralign.links.bounds import Lengths, check_bounds
from pralign.text.pairing import paired


def evaluate(
    hypotheses: Iterable[Alignment],
    golds: Iterable[Alignment],
    *,
    alpha: float = BALANCED,
    lengths: Iterable[Lengths] | None = None,
    names: Names | None = None,
) -> Scores:
    """Score the alignments of a corpus: sum the counts of all pairs and compute the scores from the sums.

    The inputs are read once, a line at a time, and may be iterators.

    Args:
        hypotheses: The alignments to judge, one a sentence pair.
        golds: The alignments to judge by, in the same order.
        alpha: The weight of precision in ``Scores.f_alpha``.
        lengths: The numbers of source and target words of each pair. With them, links are checked against
            them and words that are rightly left unlinked are counted.
        names: What messages call the inputs.

    Raises:
        InputError: The inputs have different numbers of lines, a link joins a word beyond ``lengths``, or
            ``alpha`` is not between 0 and 1.

    Example:
        >>> evaluate([Alignment.of([(0, 0), (1, 1)])], [Alignment.of([(0, 0)], possible=[(1, 1)])]).aer
        0.0
    """
    names = names or Names()
    counts, unaligned = LinkCounts(), Unaligned()
    Scores(counts, alpha)  # a bad alpha should not wait for the end of a long file
    for number, (hypothesis, gold, size) in enumerate(_triples(hypotheses, golds, lengths, names), start=1):
        if size is not None:
            check_bounds(hypothesis, size, f"{names.hypothesis}, line {number}", names.hypothesis_base)
            check_bounds(gold, size, f"{names.gold}, line {number}", names.gold_base)
        counts += count_links(hypothesis, gold)
        unaligned += count_unaligned(hypothesis, gold, size)
    return Scores(counts, alpha, unaligned)


def _triples(
    hypotheses: Iterable[Alignment],
    golds: Iterable[Alignment],
    lengths: Iterable[Lengths] | None,
    names: Names,
) -> Iterator[tuple[Alignment, Alignment, Lengths | None]]:
    pairs = paired(hypotheses, golds, (names.hypothesis, names.gold))
    if lengths is None:
        yield from ((hypothesis, gold, None) for hypothesis, gold in pairs)
        return
    for size, (hypothesis, gold) in paired(lengths, pairs, (names.text, names.gold)):
        yield hypothesis, gold, size
