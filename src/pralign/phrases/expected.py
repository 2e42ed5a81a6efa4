"""How often phrase pairs are expected to be consistent, by the links' own probabilities or by a whole model.

By links, each is there or not, independent of all others (:mod:`pralign.kernels.expected_spans`). By a model, all its
alignments are looked at: in each direction the share of the likelihood that is left to alignments with which a phrase
pair is consistent, exactly for IBM 1, IBM 2 and HMM, over the neighbourhood for IBM 3 and IBM 4. What counts is the
mean of the two directions, as de Gispert, Pino and Byrne (2010) have it for either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

from pralign.constraints.orientation import selected
from pralign.kernels.arrays import Double, Int, Lattice, Long
from pralign.kernels.boxes import keep_boxes, likely_boxes, most_null
from pralign.kernels.expected_spans import expected_spans
from pralign.kernels.spans import Spans, chosen_spans, joined_spans
from pralign.links.aligned import AlignedChunk
from pralign.models.base import DirectionalModel
from pralign.models.hmm import HMM
from pralign.runs.trained import TrainedModel

#: Phrase pairs that are expected less often than this are left out.
LEAST_EXPECTED = 0.01
# So many cells of boxes are looked at together.
_CELLS = 500_000
# What is less probable than this is not worth asking a model for.
_NEGLIGIBLE = 1e-9


class Expectation(Protocol):
    """Says which phrase pairs of some alignments are expected how often."""

    def __call__(self, chunk: AlignedChunk, most_words: int) -> tuple[Spans, Double]:
        """The phrase pairs of at most so many words a side, and how often each is expected."""


@dataclass(frozen=True)
class ByLinks:
    """Expects phrase pairs by the scores of links, as if these were independent of each other.

    Attributes:
        least: Phrase pairs that are expected less often are left out.
    """

    least: float = LEAST_EXPECTED

    def __call__(self, chunk: AlignedChunk, most_words: int) -> tuple[Spans, Double]:
        """The phrase pairs of some alignments, and how often each is expected."""
        texts, alignments = chunk
        lengths = np.diff(texts.source_start)[alignments.pair], np.diff(texts.target_start)[alignments.pair]
        spans, expected = expected_spans(*lengths, alignments.links, most_words, self.least)
        return Spans(*spans), expected


@dataclass(frozen=True)
class ByModel:
    """Expects phrase pairs by all alignments that a model allows.

    Attributes:
        model: The model.
        words: The words of both sides of chunks, by their numbers there.
        least: Phrase pairs that are expected less often are left out.
    """

    model: TrainedModel
    words: tuple[Sequence[str], Sequence[str]]
    least: float = LEAST_EXPECTED

    def __call__(self, chunk: AlignedChunk, most_words: int) -> tuple[Spans, Double]:
        """The phrase pairs of some alignments, one a sentence pair, and how often each is expected."""
        opened = self.model.open([self._sentences(chunk, int(pair)) for pair in chunk.alignments.pair])
        found: list[tuple[Spans, Double]] = []
        for block in opened.shard.blocks():
            evidence = opened.evidence_of(block, self.model.recipe.decoding_constraint)
            lengths = evidence.source_lengths, evidence.target_lengths
            cells = evidence.cell_start, *lengths, evidence.forward, evidence.reverse
            spans = Spans(*likely_boxes(*cells, most_words, self.least))
            rows, columns = (spans.source_begin, spans.source_end), (spans.target_begin, spans.target_end)
            models, lattices = evidence.model, evidence.lattices
            forward = box_probabilities(models.forward, lattices.forward, spans.owner, (*rows, *columns))
            reverse = box_probabilities(models.reverse, lattices.reverse, spans.owner, (*columns, *rows))
            expected = (forward + reverse) / 2
            kept = (expected >= self.least) & (expected > 0)
            spans = spans._replace(owner=block.pairs[spans.owner])
            found.append((chosen_spans(spans, kept), expected[kept]))
        return _joined(found)

    def _sentences(self, chunk: AlignedChunk, pair: int) -> tuple[list[str], list[str]]:
        texts = chunk.texts
        source = texts.source[texts.source_start[pair] : texts.source_start[pair + 1]].tolist()
        target = texts.target[texts.target_start[pair] : texts.target_start[pair + 1]].tolist()
        return [self.words[0][word] for word in source], [self.words[1][word] for word in target]


def box_probabilities(model: DirectionalModel, lattice: Lattice, owners: Long, boxes: tuple[Int, ...]) -> Double:
    """How probable it is, in one direction, that boxes of cells are consistent phrase pairs.

    Args:
        model: The model of this direction.
        lattice: A block of pairs.
        owners: The pair of the block that each box belongs to.
        boxes: The first state of each box and the one after its last, and the same for its observed words.
    """
    precise, table = model.precise(), np.stack(boxes, axis=1).astype(np.int64)
    if isinstance(precise, HMM):  # by which boxes with the same states share most of the work
        return np.clip(precise.box_probabilities(lattice, owners, table), 0.0, 1.0)
    return np.clip(_boxes_of_any(precise, lattice, owners, table), 0.0, 1.0)


def _boxes_of_any(model: DirectionalModel, lattice: Lattice, owners: Long, table: Long) -> Double:
    """Each box is asked of the model, by what is left of the likelihood without the cells that must not be used."""
    posterior = model.infer(lattice).posterior
    some_null = most_null(lattice._replace(context=()), posterior.null, owners, table) > _NEGLIGIBLE
    sizes = np.cumsum(np.diff(lattice.cell_start)[owners])
    edges = [0, *(np.flatnonzero(np.diff(sizes // _CELLS)) + 1), owners.size]
    found = np.zeros(owners.size)
    for first, last in pairwise(edges):
        places = np.arange(first, last)
        for chosen, nothing in ((places, False), (places[some_null[first:last]], True)):
            if chosen.size:
                kept = selected(lattice, owners[chosen])
                keep_boxes(kept._replace(context=()), table[chosen], nothing)
                likelihood = model.infer(kept).posterior.log_likelihood - posterior.log_likelihood[owners[chosen]]
                found[chosen] += np.exp(likelihood) * (-1.0 if nothing else 1.0)
    return found


def _joined(found: Sequence[tuple[Spans, Double]]) -> tuple[Spans, Double]:
    return joined_spans([spans for spans, _ in found]), np.concatenate(
        [np.empty(0), *(expected for _, expected in found)]
    )
