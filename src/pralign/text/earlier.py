"""Words and word pairs that are known from a model that was trained before, beside those of a text or instead of one.

To the lexicon, such a model is one more shard: it lists word pairs, and each piece knows where its pairs are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pralign.kernels.arrays import Long
from pralign.store import Store
from pralign.text.vocabulary import Vocabulary

#: What the names of earlier models begin with.
EARLIER = "m"
#: The name of what a model knows of the word pairs of a text.
KNOWN = "known"


@dataclass(frozen=True)
class EarlierWords:
    """The words of a model that was trained before.

    Its word pairs lie in the store as ``earlier/name``: ``row_start`` and ``source``, by its own numbers.

    Attributes:
        name: What the model is called in the store.
        words: The source words and the target words.
        counts: About how often each of them was seen, which decides where it comes in the vocabulary.
    """

    name: str
    words: tuple[Vocabulary, Vocabulary]
    counts: tuple[Long, Long]


def numbers_among(words: Vocabulary, others: Mapping[str, int] | Vocabulary) -> Long:
    """The numbers that words have among others, which have to have them all."""
    found = others if isinstance(others, Mapping) else {word: place for place, word in enumerate(others.words)}
    return np.fromiter((found[word] for word in words.words), np.int64, len(words))


@dataclass(frozen=True)
class EarlierSplitter:
    """Puts the word pairs of an earlier model aside, by the pieces of the lexicon that they belong to.

    Attributes:
        store: Where they are, and where they go: ``pairs/name`` has the words, ``rows/name`` which of the model's pairs
            they are, both piece by piece.
        piece_words: The first target word of each piece, and the end of the vocabulary.
        numbers: For each model, the numbers of its source words and of its target words.
    """

    store: Store
    piece_words: Sequence[int]
    numbers: Mapping[str, tuple[Long, Long]]

    def __call__(self, name: str) -> None:
        """Work on one model."""
        table = self.store.load(f"earlier/{name}", ["row_start", "source"])
        of_source, of_target = self.numbers[name]
        sources, targets = of_source[table["source"]], np.repeat(of_target, np.diff(table["row_start"]))
        order = np.argsort(targets, kind="stable")
        edges = np.searchsorted(targets[order], self.piece_words).tolist()
        pairs, all_rows = {}, {}
        for piece, first_word in enumerate(self.piece_words[:-1]):
            rows = all_rows[str(piece)] = order[edges[piece] : edges[piece + 1]]
            pairs[f"source/{piece}"] = sources[rows].astype(np.int32)
            pairs[f"target/{piece}"] = (targets[rows] - first_word).astype(np.int32)
        self.store.save(f"pairs/{name}", pairs)
        self.store.save(f"rows/{name}", all_rows)
