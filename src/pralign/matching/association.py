"""What the unlabelled text says of words: how frequent they are, and which occur together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.engine import Engine
from pralign.errors import InputError
from pralign.kernels.cooccurrence import DiceTable, dice_rows, look_up_dice
from pralign.kernels.indexing import group_by_word
from pralign.matching.spelling import Speller, WordShapes
from pralign.schema.arrays import Array, Schema, ascending, between, indices, starts
from pralign.text.bitext import Bitext, Pair
from pralign.text.corpus import Corpus
from pralign.text.normalisation import Normalisation
from pralign.text.vocabulary import Vocabulary

# Below this, coefficients count as zero: most pairs of words occur together now and then and mean nothing by it.
LEAST_DICE = 0.001
_PARTS = 64


@dataclass(frozen=True)
class Association:
    """The words of a bitext, the most frequent first, and the Dice coefficients of those that occur together.

    ``dice(s, t) = 2 · c(s, t) / (c(s) + c(t))``, where ``c`` counts words, and in a pair of sentences two words occur
    together as often as the rarer of them occurs.

    Attributes:
        source: The source words.
        target: The target words.
        normalisation: How words are made comparable.
        table: The coefficients.
    """

    source: Vocabulary
    target: Vocabulary
    normalisation: Normalisation
    table: DiceTable

    @classmethod
    def learn(cls, pairs: Iterable[Pair], normalisation: Normalisation, engine: Engine) -> Association:
        """Count the words of a bitext.

        Raises:
            InputError: There is nothing to count.
        """
        corpus = Corpus.build(pairs, normalisation)
        texts = corpus.texts
        if texts.source.size == 0 or texts.target.size == 0:
            name = pairs.name if isinstance(pairs, Bitext) else "the pairs given"
            raise InputError(f"{name}: there are no words to count")
        occurrences = group_by_word(texts.target, texts.target_start, len(corpus.target))
        counts = np.bincount(texts.source, minlength=len(corpus.source))
        goals = np.linspace(0, texts.target.size, _PARTS + 1)[1:-1]
        edges = [0, *np.searchsorted(occurrences[0], goals).tolist(), len(corpus.target)]
        rows = list(engine.map(lambda part: dice_rows(texts, occurrences, counts, LEAST_DICE, *part), pairwise(edges)))
        row_start = np.zeros(len(corpus.target) + 1, np.int64)
        np.cumsum(np.concatenate([sizes for sizes, _, _ in rows]), out=row_start[1:])
        table = DiceTable(row_start, *(np.concatenate([row[part] for row in rows]) for part in (1, 2)))
        return cls(corpus.source, corpus.target, normalisation, table)

    def tensors(self) -> dict[str, NDArray[Any]]:
        """The coefficients, to be saved."""
        return self.table._asdict()

    @staticmethod
    def schema() -> Schema:
        """What the arrays of :meth:`tensors` must be like."""
        return {
            "row_start": Array("int64", ("target words + 1",), (starts("associated words"),)),
            "source": Array("int32", ("associated words",), (indices("source words"), ascending("row_start"))),
            "value": Array("float32", ("associated words",), (between(0.0, 1.0 + 1e-5),)),
        }

    @cached_property
    def forms(self) -> tuple[WordShapes, WordShapes, Speller]:
        """What the source words and the target words look like, and what to compare further words with them by."""
        speller = Speller()
        return speller.forms(self.source.words), speller.forms(self.target.words), speller

    def encode(self, pairs: Iterable[Pair]) -> Corpus:
        """Other pairs, their words numbered as in this bitext."""
        return Corpus.encode(pairs, self.normalisation, self.source, self.target)

    def dice(self, source: NDArray[np.int32], target: NDArray[np.int32]) -> NDArray[np.float32]:
        """The coefficients of pairs of words, given by their numbers; unknown words have none."""
        found = np.empty(source.size, np.float32)
        look_up_dice(self.table, source, target, found)
        return found
