"""Decoding a corpus: one answer a pair, in order, whatever the pair looks like."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pralign.constraints.projection import Projection
from pralign.decoding.decoder import Decoder, alignments
from pralign.decoding.evidence import Evidence
from pralign.engine import Engine
from pralign.kernels.arrays import CellSlots
from pralign.links.alignment import Alignment
from pralign.models.bidirectional import BidirectionalModel, Block
from pralign.text.corpus import Corpus, blocks

logger = logging.getLogger("pralign")

Answer = TypeVar("Answer")

# A pair of 2,000 by 2,000 words takes about 200 MB while it is decoded.
MOST_CELLS = 4_000_000


class Decoded(NamedTuple):
    """The answer for one pair.

    Attributes:
        alignment: The links, with their posteriors.
        score: The log-probability a word, averaged over the two directions; NaN for a pair that cannot be aligned.
        forward: The forward Viterbi alignment, if it was asked for.
        reverse: The reverse Viterbi alignment, if it was asked for.
    """

    alignment: Alignment
    score: float
    forward: Alignment | None = None
    reverse: Alignment | None = None


def decodable(corpus: Corpus) -> NDArray[np.int64]:
    """The numbers of the pairs that can be aligned: neither side empty, and not too large."""
    cells = corpus.source_lengths * corpus.target_lengths
    return np.flatnonzero((cells > 0) & (cells <= MOST_CELLS))


def evidence_blocks(corpus: Corpus, cells: CellSlots, pairs: NDArray[np.int64]) -> Iterator[Block]:
    """The pairs of a corpus in blocks for decoding."""
    sizes = corpus.source_lengths * corpus.target_lengths
    return (Block(corpus.texts, cells, part) for part in blocks(pairs, sizes))


def decode_corpus(
    model: BidirectionalModel,
    corpus: Corpus,
    cells: CellSlots,
    decoder: Decoder,
    engine: Engine,
    directions: bool = False,
    first_number: int = 1,
    projection: Projection | None = None,
) -> Iterator[Decoded]:
    """The answer for each pair of a corpus, in order.

    A pair with an empty side has no links. A pair too large for memory has none either, and a warning names it.

    Args:
        model: The model that knows.
        corpus: The pairs.
        cells: The slots of the pairs the model was trained on, if the corpus is that of training.
        decoder: How links are chosen.
        engine: Where the work is done.
        directions: Whether to add the directional Viterbi alignments.
        first_number: The number of the first pair, for warnings.
        projection: What posteriors are projected onto, if onto anything.
    """

    def work(block: Block) -> list[Decoded]:
        return _decode_block(Evidence.of(model, block, projection), decoder, directions)

    nothing = Alignment() if directions else None
    unaligned = Decoded(Alignment(), float("nan"), nothing, nothing)
    blocks = evidence_blocks(corpus, cells, decodable(corpus))
    answers = (answer for part in engine.map(work, blocks) for answer in part)
    return in_place(answers, unaligned, corpus, first_number)


def in_place(answers: Iterator[Answer], otherwise: Answer, corpus: Corpus, first_number: int) -> Iterator[Answer]:
    """Yield the answer for each pair of a corpus: the next one for those that can be aligned, ``otherwise`` for others.

    A warning names those that are too large, counting the first pair as ``first_number``.
    """
    can_decode = np.zeros(len(corpus), np.bool_)
    can_decode[decodable(corpus)] = True
    for number, possible in enumerate(can_decode.tolist()):
        if possible:
            yield next(answers)
        else:
            _warn_if_large(corpus, number, first_number + number)
            yield otherwise


def _decode_block(evidence: Evidence, decoder: Decoder, directions: bool) -> list[Decoded]:
    chosen = decoder(evidence)
    scores = evidence.scores.tolist()
    if not directions:
        return [Decoded(alignment, score) for alignment, score in zip(chosen, scores, strict=True)]
    forward, reverse = (alignments(marks, evidence) for marks in evidence.viterbi)
    return [Decoded(*answer) for answer in zip(chosen, scores, forward, reverse, strict=True)]


def _warn_if_large(corpus: Corpus, pair: int, number: int) -> None:
    source, target = int(corpus.source_lengths[pair]), int(corpus.target_lengths[pair])
    if source and target:
        logger.warning(
            "pair %d is too large to align (%d by %d words); it gets no links. Split it into sentences.",
            number,
            source,
            target,
        )
