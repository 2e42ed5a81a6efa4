"""A corpus in shards, and where they lie in a store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Int, Long, PairTable, Texts
from pralign.kernels.indexing import find_slots
from pralign.store import Store
from pralign.text.corpus import Corpus, decodable
from pralign.text.earlier import EARLIER, KNOWN
from pralign.text.shard import Shard
from pralign.text.vocabulary import Vocabulary

UNTRAINED = "untrained"
_COUNTED = ("shards", "pairs", "empty", "trained", "tokens", "cells", "listed", "long_shards")
_DESCRIBED = (*_COUNTED, "piece_words", "earlier")
_SAVED = ("source_partners", "target_partners", "longest_target", "longest_source")


@dataclass(frozen=True)
class ShardedCorpus:
    """The training text: shards in a store, cut by sentence pairs, and word pairs in pieces, cut by target words.

    Attributes:
        store: Where shards and pieces are.
        source: The source vocabulary.
        target: The target vocabulary.
        shards: How many shards there are.
        piece_words: The first target word of each piece, and the end of the vocabulary.
        pairs: How many sentence pairs there are.
        empty: How many of them have an empty side.
        trained: How many of them are trained on.
        tokens: How many words all pairs have, of both sides.
        cells: How many cells all pairs have.
        listed: How many word pairs shards list, all together.
        source_partners: With how many different words each source word occurs together.
        target_partners: The same for each target word.
        longest_target: For each number of source words, the most target words of a pair that is trained on.
        longest_source: For each number of target words, the most source words.
        long_shards: How many shards there are of pairs that are too long to be trained on.
        earlier: The names of models that were trained before, whose words and word pairs are among those of the text.
    """

    store: Store
    source: Vocabulary
    target: Vocabulary
    shards: int
    piece_words: tuple[int, ...]
    pairs: int
    empty: int
    trained: int
    tokens: int
    cells: int
    listed: int
    source_partners: Long
    target_partners: Long
    longest_target: Long
    longest_source: Long
    long_shards: int = 0
    earlier: tuple[str, ...] = ()

    @property
    def pieces(self) -> int:
        """How many pieces the lexicon has."""
        return len(self.piece_words) - 1

    @property
    def shard_names(self) -> tuple[str, ...]:
        """The names of the shards that are trained on."""
        return tuple(str(number) for number in range(self.shards))

    @property
    def untrained(self) -> tuple[str, ...]:
        """The names of the shards of long pairs, in the order of the text."""
        return tuple(f"{UNTRAINED}{number}" for number in range(self.long_shards))

    def save(self) -> None:
        """Put what is not in the store yet there too, so that :meth:`load` finds it."""
        described = {name: getattr(self, name) for name in _DESCRIBED}
        described |= {"source": self.source.words, "target": self.target.words}
        text = json.dumps(described, ensure_ascii=False).encode("utf-8", "surrogatepass")
        arrays = {name: getattr(self, name) for name in _SAVED}
        self.store.save("corpus", {"description": np.frombuffer(text, np.uint8), **arrays})

    @classmethod
    def load(cls, store: Store) -> ShardedCorpus:
        """The corpus that is in a store."""
        arrays = store.load("corpus")
        described = json.loads(arrays["description"].tobytes().decode("utf-8", "surrogatepass"))
        described |= {name: tuple(described[name]) for name in ("piece_words", "earlier")}
        described |= {side: Vocabulary(described[side]) for side in ("source", "target")}
        described |= {name: arrays[name] for name in _SAVED}
        return cls(store=store, **described)

    def shard(self, number: int) -> Shard:
        """One of the shards."""
        return load_shard(self.store, str(number))

    def piece(self, number: int) -> PairTable:
        """The word pairs of a piece; its target words are numbered from zero."""
        return load_piece(self.store, number)

    def texts(self) -> Texts:
        """All of the text in memory, words numbered as in the vocabularies."""
        parts = [self.shard(number).global_texts() for number in range(self.shards)]
        return joined_texts(parts)


def load_shard(store: Store, name: str) -> Shard:
    """The shard called ``name``."""
    return Shard.from_arrays(store.load(f"shard/{name}"))


def describe_shard(store: Store, name: str) -> str:
    """A shard as people know it: by the lines of the text."""
    numbers = store.load(f"shard/{name}", ["numbers"])["numbers"]
    lines = f", lines {numbers.min() + 1:,} to {numbers.max() + 1:,}" if numbers.size else ""
    return f"shard {name}{lines}"


def load_piece(store: Store, number: int) -> PairTable:
    """The word pairs of a piece."""
    arrays = store.load(f"piece/{number}")
    return PairTable(arrays["row_start"], arrays["source"])


def slots_in_piece(store: Store, shard: str, piece: int) -> Int:
    """Where the word pairs of a shard that belong to a piece are in that piece, -1 for those that are not.

    Those of shards that are trained on, and of earlier models, lie together, a group a piece; those of other text came
    later, a group a shard. What a model knows of the text's own word pairs has the places of these.
    """
    if shard == KNOWN:
        return np.arange(load_piece(store, piece).source.size, dtype=np.int32)
    together = shard.removeprefix(EARLIER).isdigit()
    group, name = (f"slots/{piece}", shard) if together else (f"slots/{shard}", str(piece))
    slots: Int = store.load(group, [name])[name]
    return slots


def add_corpus(corpus: ShardedCorpus, name: str, text: Corpus) -> Shard:
    """Put text that is not trained on, numbered with the vocabularies of the corpus, into a shard called ``name``."""
    return add_text(corpus.store, corpus.piece_words, name, text.texts, np.arange(len(text)))


def add_text(store: Store, piece_words: Sequence[int], name: str, texts: Texts, numbers: Long) -> Shard:
    """The same for texts, given by the pieces of a lexicon; ``numbers`` are those of the pairs."""
    shard = Shard.of(texts, decodable(texts), numbers)
    slots = {}
    for piece in range(len(piece_words) - 1):
        rows = piece_rows(shard, piece_words, piece)
        sources, targets = rows.word_pairs(shard, piece_words[piece])
        slots[str(piece)] = find_slots(load_piece(store, piece), sources, targets).astype(np.int32)
    store.save(f"slots/{name}", slots)
    store.save(f"shard/{name}", shard.to_arrays())
    return shard


@dataclass(frozen=True)
class PieceRows:
    """The words of a shard, and its word pairs, that belong to a piece: from the first to before the last."""

    first_word: int
    last_word: int
    first: int
    last: int

    def word_pairs(self, shard: Shard, first_word: int) -> tuple[Long, Long]:
        """The word pairs: source words by their numbers in the vocabulary, target words within the piece."""
        sizes = np.diff(shard.table.row_start[self.first_word : self.last_word + 1])
        targets = np.repeat(shard.target_words[self.first_word : self.last_word] - first_word, sizes)
        return shard.source_words[shard.table.source[self.first : self.last]], targets


def piece_rows(shard: Shard, piece_words: Sequence[int], piece: int) -> PieceRows:
    """Which of the word pairs of a shard belong to a piece; those with unknown target words belong to none."""
    words = np.searchsorted(shard.target_words, piece_words[piece : piece + 2])
    first, last = shard.table.row_start[words]
    return PieceRows(int(words[0]), int(words[1]), int(first), int(last))


def joined_texts(parts: Sequence[Texts]) -> Texts:
    """Several texts, one after the other."""
    source, target = (np.concatenate([getattr(part, side) for part in parts]) for side in ("source", "target"))
    starts = []
    for side in ("source_start", "target_start"):
        lengths = np.concatenate([np.diff(getattr(part, side)) for part in parts])
        starts.append(np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]))
    return Texts(source, starts[0], target, starts[1])


def select_texts(texts: Texts, pairs: Long) -> Texts:
    """The texts of some pairs."""
    sides: list[NDArray[Any]] = []
    for tokens, start in ((texts.source, texts.source_start), (texts.target, texts.target_start)):
        lengths = np.diff(start)[pairs]
        chosen = [tokens[start[pair] : start[pair + 1]] for pair in pairs]
        sides += [np.concatenate([np.empty(0, np.int32), *chosen]), np.concatenate([[0], np.cumsum(lengths)])]
    return Texts(*sides)
