"""Labelled pairs: sentences with gold alignments, which say how good a model is and which threshold suits it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pralign.constraints import Constraint
from pralign.constraints.projection import Projection
from pralign.decoding.evidence import Evidence
from pralign.decoding.stream import decodable, evidence_blocks
from pralign.errors import InputError
from pralign.links.bounds import check_bounds
from pralign.links.labelled import Labelled
from pralign.models.bidirectional import BidirectionalModel
from pralign.text.bitext import Pair
from pralign.text.corpus import Corpus
from pralign.text.index import no_cells

Encoder = Callable[[Iterator[Pair]], Corpus]


class LabelledPairs:
    """Labelled pairs, checked and encoded.

    Attributes:
        golds: The gold alignments of the pairs that can be aligned.
    """

    def __init__(self, examples: Sequence[Labelled], encode: Encoder) -> None:
        """Check ``examples`` and encode their sentences.

        Raises:
            InputError: A link is outside its pair, or no pair can be aligned.
        """
        self._corpus = encode((source, target) for source, target, _ in examples)
        lengths = zip(self._corpus.source_lengths.tolist(), self._corpus.target_lengths.tolist(), strict=True)
        for number, ((*_, gold), length) in enumerate(zip(examples, lengths, strict=True), start=1):
            check_bounds(gold, length, f"labelled pair {number}")
        self._pairs = decodable(self._corpus)
        if self._pairs.size == 0:
            raise InputError("there are no labelled pairs, or none with words on both sides")
        self.golds = [examples[pair][2] for pair in self._pairs]

    def evidence(self, model: BidirectionalModel, constraint: Constraint | None) -> Iterator[Evidence]:
        """What a model says of the pairs, in blocks, projected onto a constraint if there is one."""
        projection = None if constraint is None else Projection(constraint, self._corpus.words)
        for block in evidence_blocks(self._corpus, no_cells(self._corpus), self._pairs):
            yield Evidence.of(model, block, projection)
