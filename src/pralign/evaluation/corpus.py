"""Scoring a whole corpus against its gold alignments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pralign.errors import InputError, PralignError, UsageError
from pralign.evaluation.counts import LinkCounts, count_links
from pralign.evaluation.names import Names
from pralign.evaluation.scores import BALANCED, Scores
from pralign.evaluation.unaligned import Unaligned, count_unaligned
from pralign.links.alignment import Alignment, LabelState
from pralign.links.bounds import Lengths, check_bounds
from pralign.links.files import AlignmentFile
from pralign.links.labelled import as_gold
from pralign.links.labelling import Labelling
from pralign.schema.arguments import check_argument
from pralign.text.pairing import paired
from pralign.text.pairs import described


def evaluate(
    hypotheses: Iterable[Alignment | str] | str | Path,
    golds: Iterable[Alignment | str] | str | Path,
    *,
    alpha: float = BALANCED,
    lengths: Iterable[Lengths] | None = None,
    names: Names | None = None,
) -> Scores:
    """Score the alignments of a corpus: sum the counts of all pairs and compute the scores from the sums.

    The inputs are read once, a line at a time, and may be iterators. Pairs whose gold is not labelled (a blank line of
    a gold file) or was ``skipped`` are not scored, and it is said how many there are.

    Args:
        hypotheses: The alignments to judge, one a sentence pair, or the file that holds them. An alignment may be text,
            such as ``"0-0 1?2"``.
        golds: The alignments to judge by, in the same order, or their file. Text means what it means in a gold file:
            ``"none"`` is a pair without links, ``""`` one that is not labelled.
        alpha: The weight of precision in ``Scores.f_alpha``.
        lengths: The numbers of source and target words of each pair. With them, links are checked against
            them and words that are rightly left unlinked are counted.
        names: What messages call the inputs.

    Raises:
        InputError: The inputs have different numbers of lines, no pair is labelled, a link joins a word beyond
            ``lengths``, or ``alpha`` is not between 0 and 1.

    Example:
        >>> evaluate([Alignment.of([(0, 0), (1, 1)])], [Alignment.of([(0, 0)], possible=[(1, 1)])]).aer
        0.0
        >>> evaluate(["0-0 1-1", "0-0"], ["0-0 1?1", "0-0 1-1"]).recall
        0.6666666666666666
    """
    names = names or Names()
    scores, labelling = score(hypotheses, golds, alpha=alpha, lengths=lengths, names=names)
    labelling.report(f"pairs of {names.gold}")
    return scores


def score(
    hypotheses: Iterable[Alignment | str] | str | Path,
    golds: Iterable[Alignment | str] | str | Path,
    *,
    alpha: float,
    lengths: Iterable[Lengths] | None,
    names: Names,
) -> tuple[Scores, Labelling]:
    """Like :func:`evaluate`, without a word about pairs that are not labelled; says how many there are instead."""
    check_argument(alpha, float, "alpha")
    counts, unaligned, states = LinkCounts(), Unaligned(), Counter[LabelState]()
    Scores(counts, alpha)  # a bad alpha should not wait for the end of a long file
    hypotheses, golds = (
        given_alignments(hypotheses, names.hypothesis),
        given_alignments(golds, names.gold, is_gold=True),
    )
    for number, (hypothesis, gold, size) in enumerate(_triples(hypotheses, golds, lengths, names), start=1):
        if size is not None:
            check_bounds(hypothesis, size, f"{names.hypothesis}, line {number}", names.hypothesis_base)
            check_bounds(gold, size, f"{names.gold}, line {number}", names.gold_base)
        if size is None or all(size):  # in a pair with an empty side there is nothing to label
            states[gold.state] += 1
        if gold.is_labelled:
            counts += count_links(hypothesis, gold)
            unaligned += count_unaligned(hypothesis, gold, size)
    return Scores(counts, alpha, unaligned), Labelling(states.total(), states["unlabelled"], states["skipped"])


def given_alignments(
    alignments: Iterable[Alignment | str] | str | Path, name: str, is_gold: bool = False
) -> Iterator[Alignment]:
    """Alignments as a user gives them.

    Raises:
        UsageError: These can be no alignments.
        InputError: The file cannot be read, or one of them is no alignment.
    """
    if isinstance(alignments, str | Path):
        return AlignmentFile(alignments, standard_input=True, is_gold=is_gold).read()
    if isinstance(alignments, Alignment) or not isinstance(alignments, Iterable):
        raise UsageError(f"{name}: give a list of alignments, one a pair, or a file, not {described(alignments)}")
    return _checked(alignments, name, as_gold if is_gold else Alignment.of)


def _checked(
    alignments: Iterable[Alignment | str], name: str, parsed: Callable[[str], Alignment]
) -> Iterator[Alignment]:
    for number, alignment in enumerate(alignments, start=1):
        if isinstance(alignment, Alignment):
            yield alignment
            continue
        try:
            yield parsed(alignment)
        except PralignError as error:
            raise InputError(f"{name}, line {number}: {error}") from None


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
