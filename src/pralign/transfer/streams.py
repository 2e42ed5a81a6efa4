"""Annotation of many pairs, carried one after the other: along links, posteriors, or what a model answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, tee
from typing import TYPE_CHECKING, Any

import numpy as np

from pralign.errors import UsageError
from pralign.links.alignment import Alignment
from pralign.links.bounds import check_bounds
from pralign.links.units import placed
from pralign.text.conllu import ConlluSentence
from pralign.text.pairing import paired
from pralign.text.tokens import Tokens
from pralign.transfer.spans import AnnotatedSpan, SpanAnswer, SpanTransfer
from pralign.transfer.trees import TreeTransfer

if TYPE_CHECKING:
    from pralign.text.bitext import Pair

#: How probable a link has to be if only posteriors are given.
THRESHOLD = 0.5


def carry_trees(
    sources: Iterable[ConlluSentence],
    targets: Iterable[ConlluSentence | Tokens | str],
    by: Any,
    transfer: TreeTransfer | None = None,
) -> Iterator[ConlluSentence]:
    """Carry the trees of sentences to their translations, one by one.

    Args:
        sources: The sentences with trees.
        targets: Their translations: sentences of a treebank, words with their places, or text with spaces between
            words.
        by: Alignments, matrices of posteriors, or an aligner, which is asked for all pairs.
        transfer: How trees are carried.

    Example:
        >>> english = ConlluSentence.of(["It", "rains"]).with_heads([2, 0], ["expl", "root"])
        >>> [french] = carry_trees([english], ["Il pleut"], ["0-0 1-1"])
        >>> french.forms, french.heads
        (['Il', 'pleut'], (2, 0))
    """
    transfer = transfer or TreeTransfer()
    pairs, again = tee(paired(sources, map(as_conllu, targets), _SIDES))
    links = links_of(((source.forms, target.forms) for source, target in again), by)
    for (source, target), alignment in zip(pairs, links, strict=True):
        yield transfer(source, target, alignment)


def carry_spans(
    sources: Iterable[tuple[Tokens | str, Sequence[AnnotatedSpan]]],
    targets: Iterable[Tokens | str],
    by: Any,
    transfer: SpanTransfer | None = None,
) -> Iterator[SpanAnswer]:
    """Carry the spans of texts to their translations, one by one.

    Args:
        sources: Texts, or words with their places, and the spans of each.
        targets: Their translations, likewise.
        by: Alignments, matrices of posteriors, or an aligner, which is asked for all pairs.
        transfer: How spans are carried.

    Example:
        >>> [answer] = carry_spans([("Ann left", [AnnotatedSpan(0, 3, "PER")])], ["Ann est partie"], ["0-0 1-2"])
        >>> answer.carried[0][:3]
        (0, 3, 'PER')
    """
    transfer = transfer or SpanTransfer()
    pairs, again = tee(paired(((placed(text), spans) for text, spans in sources), map(placed, targets), _SIDES))
    links = links_of(((words, target) for (words, _), target in again), by)
    for ((words, spans), target), alignment in zip(pairs, links, strict=True):
        yield transfer(words, spans, target, alignment)


_SIDES = ("the source", "the target")


def as_conllu(sentence: ConlluSentence | Tokens | str) -> ConlluSentence:
    """A sentence as one of a treebank, without a tree if it has none.

    Example:
        >>> as_conllu(Tokens("Il pleut.", [(0, 2), (3, 8), (8, 9)])).text
        'Il pleut.'
    """
    if isinstance(sentence, ConlluSentence):
        return sentence
    words = placed(sentence)
    return ConlluSentence.of(words, [start > end for (_, end), (start, _) in pairwise(words.spans)])


def links_of(pairs: Iterable[Pair], by: Any) -> Iterator[Alignment]:
    """The links of each pair, within bounds: those that are given, or what an aligner answers.

    Args:
        pairs: The pairs, as words.
        by: One for each pair: alignments, in any way that :meth:`Alignment.of` knows, or matrices of posteriors, of
            which all from one half on are links; or an aligner.

    Raises:
        InputError: A link lies outside its pair, or there are not as many as pairs.
    """
    if callable(getattr(by, "align", None)):
        yield from by.align(pairs)
        return
    if isinstance(by, str):
        raise UsageError("one alignment is needed for each pair; give a list, or an aligner")
    for number, (pair, given) in enumerate(paired(pairs, by, ("the text", "the alignments given")), start=1):
        alignment = _from_posteriors(given) if isinstance(given, np.ndarray) else Alignment.of(given)
        check_bounds(alignment, (len(pair[0]), len(pair[1])), f"pair {number}")
        yield alignment


def _from_posteriors(matrix: Any) -> Alignment:
    links = [(int(i), int(j)) for i, j in np.argwhere(matrix >= THRESHOLD)]
    return Alignment.unchecked(links, [float(matrix[link]) for link in links])
