"""From a stream of sentence pairs to shards, in bounded memory."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.engine import Engine
from pralign.kernels.arrays import Int, Long, PairTable, Texts
from pralign.kernels.indexing import find_slots, union_rows
from pralign.store import Store
from pralign.text.bitext import Pair
from pralign.text.corpus import Corpus, decodable, texts_of
from pralign.text.forms import order_by_forms
from pralign.text.normalisation import Normalisation
from pralign.text.shard import Shard
from pralign.text.vocabulary import Vocabulary, VocabularyBuilder

UNTRAINED = "untrained"
_SAVED = ("source_partners", "target_partners", "longest_target", "longest_source")


@dataclass(frozen=True)
class ShardSizes:
    """How a corpus is cut. Results never depend on it.

    Attributes:
        chunk: About how many cells are read before they are put aside.
        shard: About how many cells a shard has, at most.
        piece: About how many word pairs a piece of the lexicon has, at most, counting those of each shard.
        least_shards: Into how many shards at least, if there are as many chunks.
    """

    chunk: int = 250_000
    shard: int = 4_000_000
    piece: int = 2_000_000
    least_shards: int = 1


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
        """The name of the shard of long pairs, if there are any."""
        return (UNTRAINED,) if self.store.has(f"shard/{UNTRAINED}") else ()

    def save(self) -> None:
        """Put what is not in the store yet there too, so that :meth:`load` finds it."""
        numbers = ("shards", "piece_words", "pairs", "empty", "trained", "tokens", "cells", "listed")
        described = {name: getattr(self, name) for name in numbers}
        described |= {"source": self.source.words, "target": self.target.words}
        text = json.dumps(described, ensure_ascii=False).encode("utf-8", "surrogatepass")
        arrays = {name: getattr(self, name) for name in _SAVED}
        self.store.save("corpus", {"description": np.frombuffer(text, np.uint8), **arrays})

    @classmethod
    def load(cls, store: Store) -> ShardedCorpus:
        """The corpus that is in a store."""
        arrays = store.load("corpus")
        described = json.loads(arrays["description"].tobytes().decode("utf-8", "surrogatepass"))
        described["piece_words"] = tuple(described["piece_words"])
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


def load_piece(store: Store, number: int) -> PairTable:
    """The word pairs of a piece."""
    arrays = store.load(f"piece/{number}")
    return PairTable(arrays["row_start"], arrays["source"])


def slots_in_piece(store: Store, shard: str, piece: int) -> Int:
    """Where the word pairs of a shard that belong to a piece are in that piece, -1 for those that are not."""
    slots: Int = store.load(f"slots/{shard}/{piece}")["slot"]
    return slots


def shard_corpus(
    pairs: Iterable[Pair],
    normalisation: Normalisation,
    longest: int,
    store: Store,
    engine: Engine,
    sizes: ShardSizes | Callable[[int, int, int], ShardSizes] | None = None,
    chunk_cells: int | None = None,
) -> ShardedCorpus:
    """Read ``pairs`` once, number their words, and cut them into shards.

    Pairs with an empty side or one of more than ``longest`` words are not trained on. Long ones are put into a shard of
    their own called ``untrained``, to be aligned like other text.

    Args:
        pairs: The sentence pairs.
        normalisation: How words are made comparable.
        longest: The most words of a side that is trained on.
        store: Where everything goes.
        engine: Where the work is done.
        sizes: How to cut it, or what says how to cut so many cells with so many different words for so many workers.
        chunk_cells: About how many cells are read before they are put aside, if not as ``sizes`` say.
    """
    given = ShardSizes() if sizes is None or not isinstance(sizes, ShardSizes) else sizes
    chunks, (source, target), frequencies = _read(pairs, normalisation, store, chunk_cells or given.chunk)
    if sizes is not None and not isinstance(sizes, ShardSizes):
        given = sizes(sum(chunk.cells for chunk in chunks), len(source) + len(target), engine.workers)
    orders = [
        order_by_forms(list(words), counts.counts) for words, counts in zip((source, target), frequencies, strict=True)
    ]
    source_rank, target_rank = (_ranks(order) for order, _ in orders)
    groups = list(_grouped([chunk.cells for chunk in chunks], given))
    first_pairs = np.cumsum([0, *(chunk.pairs for chunk in chunks)])
    cutter = _Cutter(store, source_rank, target_rank, longest, first_pairs)
    cuts = list(engine.map(cutter, enumerate(groups)))
    untrained = [cut.untrained for cut in cuts if cut.untrained is not None]
    partners = np.zeros(len(target) + 1, np.int64)
    for cut in cuts:
        partners[cut.target_words] += cut.row_sizes
    piece_words = _cut_words(partners[:-1], orders[1][1], given.piece)
    for _ in engine.run(_Splitter(store, piece_words), range(len(groups))):
        pass
    indexer = _Indexer(store, len(groups), piece_words, len(source))
    source_partners, target_partners = np.zeros(len(source), np.int64), np.zeros(len(target), np.int64)
    for piece, (of_source, of_target) in engine.run(indexer, range(len(piece_words) - 1)):
        source_partners += of_source
        target_partners[piece_words[piece] : piece_words[piece + 1]] = of_target
    corpus = ShardedCorpus(
        store,
        _by_rank(source, source_rank),
        _by_rank(target, target_rank),
        len(groups),
        tuple(piece_words),
        int(first_pairs[-1]),
        sum(cut.empty for cut in cuts),
        sum(cut.trained for cut in cuts),
        int(sum(counts.counts.sum() for counts in frequencies)),
        sum(chunk.cells for chunk in chunks),
        int(partners.sum()),
        source_partners,
        target_partners,
        _longest(cuts, 0),
        _longest(cuts, 1),
    )
    if untrained:
        texts = joined_texts([texts for texts, _ in untrained])
        add_text(corpus, UNTRAINED, texts, np.concatenate([numbers for _, numbers in untrained]))
    return corpus


def add_corpus(corpus: ShardedCorpus, name: str, text: Corpus) -> Shard:
    """Put text that is not trained on, numbered with the vocabularies of the corpus, into a shard called ``name``."""
    return add_text(corpus, name, text.texts, np.arange(len(text)))


def add_text(corpus: ShardedCorpus, name: str, texts: Texts, numbers: Long) -> Shard:
    """The same for texts; ``numbers`` are those of the pairs."""
    shard = Shard.of(texts, decodable(texts), numbers)
    corpus.store.save(f"shard/{name}", shard.to_arrays())
    for piece in range(corpus.pieces):
        rows = piece_rows(shard, corpus.piece_words, piece)
        sources, targets = rows.word_pairs(shard, corpus.piece_words[piece])
        slots = find_slots(corpus.piece(piece), sources, targets)
        corpus.store.save(f"slots/{name}/{piece}", {"slot": slots.astype(np.int32)})
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


# Reading


@dataclass(frozen=True)
class _Chunk:
    """What is remembered of a part of the text that was put aside: how much it is."""

    pairs: int
    cells: int


class _Frequencies:
    """How often each word occurs, of a vocabulary that goes on growing."""

    def __init__(self) -> None:
        self._counts: Long = np.zeros(1024, np.int64)
        self._words = 0

    def add(self, tokens: Int) -> None:
        """Count the words of a part of the text."""
        words, counts = np.unique(tokens, return_counts=True)
        self._words = max(self._words, int(words[-1]) + 1 if words.size else 0)
        if self._words > self._counts.size:
            self._counts = np.pad(self._counts, (0, 2 * self._words - self._counts.size))
        self._counts[words] += counts

    @property
    def counts(self) -> Long:
        """How often each word occurs."""
        return self._counts[: self._words]


def _ranks(order: Long) -> Int:
    """The place of each word in an order of all words."""
    rank = np.empty(order.size, np.int32)
    rank[order] = np.arange(order.size, dtype=np.int32)
    return rank


def _read(
    pairs: Iterable[Pair], normalisation: Normalisation, store: Store, most_cells: int
) -> tuple[list[_Chunk], tuple[VocabularyBuilder, VocabularyBuilder], tuple[_Frequencies, _Frequencies]]:
    """Put the text aside in chunks, words numbered in the order they come, and count them."""
    source, target = VocabularyBuilder(), VocabularyBuilder()
    frequencies = _Frequencies(), _Frequencies()
    chunks = []
    for number, chunk in enumerate(_chunks(pairs, normalisation, source, target, most_cells)):
        store.save(f"read/{number}", chunk._asdict())
        cells = int((np.diff(chunk.source_start) * np.diff(chunk.target_start)).sum())
        for frequency, tokens in zip(frequencies, (chunk.source, chunk.target), strict=True):
            frequency.add(tokens)
        chunks.append(_Chunk(chunk.source_start.size - 1, cells))
    return chunks, (source, target), frequencies


def _chunks(
    pairs: Iterable[Pair],
    normalisation: Normalisation,
    source: VocabularyBuilder,
    target: VocabularyBuilder,
    most_cells: int,
) -> Iterator[Texts]:
    sides = array("i"), array("q", [0]), array("i"), array("q", [0])
    of_source, of_target = source.__getitem__, target.__getitem__
    cells = 0
    nothing_yet = True  # a text without pairs is one chunk without pairs
    for source_sentence, target_sentence in pairs:
        source_words, target_words = normalisation(source_sentence), normalisation(target_sentence)
        sides[0].extend(map(of_source, source_words))
        sides[1].append(len(sides[0]))
        sides[2].extend(map(of_target, target_words))
        sides[3].append(len(sides[2]))
        cells += len(source_words) * len(target_words) + 16
        if cells >= most_cells:
            yield texts_of(*sides)
            nothing_yet = False
            sides = array("i"), array("q", [0]), array("i"), array("q", [0])
            cells = 0
    if nothing_yet or len(sides[1]) > 1:
        yield texts_of(*sides)


def _by_rank(words: VocabularyBuilder, rank: Int) -> Vocabulary:
    ordered = [""] * len(words)
    for word, place in zip(words, rank.tolist(), strict=True):
        ordered[place] = word
    return Vocabulary(ordered)


def _grouped(cells: Sequence[int], sizes: ShardSizes) -> Iterator[range]:
    """Neighbouring chunks that make a shard together."""
    count = max(-(-sum(cells) // sizes.shard), min(sizes.least_shards, len(cells)), 1)
    ends = np.cumsum(cells)
    goals = np.linspace(0, ends[-1] if len(cells) else 0, count + 1)[1:-1]
    edges = [0, *np.searchsorted(ends, goals, side="right").tolist(), len(cells)]
    for first, last in pairwise(sorted(set(edges))):
        yield range(first, last)


# Cutting


@dataclass(frozen=True)
class _Cut:
    """What is remembered of a shard that was made."""

    target_words: Long
    row_sizes: Long
    trained: int
    empty: int
    longest: tuple[Long, Long]
    untrained: tuple[Texts, Long] | None


@dataclass(frozen=True)
class _Cutter:
    """Makes shards from chunks."""

    store: Store
    source_rank: Int
    target_rank: Int
    longest: int
    first_pairs: Long

    def __call__(self, numbered: tuple[int, range]) -> _Cut:
        number, chunks = numbered
        read = [Texts(**self.store.load(f"read/{chunk}")) for chunk in chunks]
        texts = joined_texts(read)
        texts = texts._replace(source=self.source_rank[texts.source], target=self.target_rank[texts.target])
        source, target = np.diff(texts.source_start), np.diff(texts.target_start)
        full, possible = (source > 0) & (target > 0), decodable(texts)
        trained = possible & (source <= self.longest) & (target <= self.longest)
        numbers = np.arange(self.first_pairs[chunks.start], self.first_pairs[chunks.stop])
        shard = Shard.of(texts, trained, numbers)
        self.store.save(f"shard/{number}", shard.to_arrays())
        for chunk in chunks:
            self.store.delete(f"read/{chunk}")
        long = np.flatnonzero(possible & ~trained)
        return _Cut(
            shard.target_words,
            np.diff(shard.table.row_start),
            int(trained.sum()),
            int(full.size - full.sum()),
            (_most(source[trained], target[trained]), _most(target[trained], source[trained])),
            (select_texts(texts, long), numbers[long]) if long.size else None,
        )


def select_texts(texts: Texts, pairs: Long) -> Texts:
    """The texts of some pairs."""
    sides: list[NDArray[Any]] = []
    for tokens, start in ((texts.source, texts.source_start), (texts.target, texts.target_start)):
        lengths = np.diff(start)[pairs]
        chosen = [tokens[start[pair] : start[pair + 1]] for pair in pairs]
        sides += [np.concatenate([np.empty(0, np.int32), *chosen]), np.concatenate([[0], np.cumsum(lengths)])]
    return Texts(*sides)


def _most(states: Long, observed: Long) -> Long:
    most = np.zeros(int(states.max(initial=0)) + 1, np.int64)
    np.maximum.at(most, states, observed)
    return most


def _longest(cuts: Sequence[_Cut], side: int) -> Long:
    longest = np.zeros(max((cut.longest[side].size for cut in cuts), default=1), np.int64)
    for cut in cuts:
        part = longest[: cut.longest[side].size]
        np.maximum(part, cut.longest[side], out=part)
    return longest


def _cut_words(partners: Long, families: Long, most: int) -> list[int]:
    """Cut the words into ranges of whole families that have about ``most`` partners together."""
    first = np.flatnonzero(np.diff(families, prepend=-1))
    sums = np.add.reduceat(partners, first) if first.size else partners
    edges, begun = [0], 0
    for begin, size in zip(first.tolist(), sums.tolist(), strict=True):
        if begun + size > most and begin > edges[-1]:
            edges.append(begin)
            begun = 0
        begun += size
    return [*edges, partners.size]


# Indexing


@dataclass(frozen=True)
class _Splitter:
    """Puts the word pairs of a shard aside, by the pieces that they belong to."""

    store: Store
    piece_words: Sequence[int]

    def __call__(self, number: int) -> None:
        shard = load_shard(self.store, str(number))
        for piece, first_word in enumerate(self.piece_words[:-1]):
            sources, targets = piece_rows(shard, self.piece_words, piece).word_pairs(shard, first_word)
            pairs = {"source": sources.astype(np.int32), "target": targets.astype(np.int32)}
            self.store.save(f"pairs/{number}/{piece}", pairs)


@dataclass(frozen=True)
class _Indexer:
    """Puts the word pairs of all shards that belong to a piece into one table, and tells each shard where its are."""

    store: Store
    shards: int
    piece_words: Sequence[int]
    source_words: int

    def __call__(self, piece: int) -> tuple[int, tuple[Long, Long]]:
        parts = [self.store.load(f"pairs/{number}/{piece}") for number in range(self.shards)]
        none = np.empty(0, np.int32)
        sources, targets = (np.concatenate([none, *(part[side] for part in parts)]) for side in ("source", "target"))
        ends = np.cumsum([part["source"].size for part in parts], dtype=np.int64)
        del parts
        words = self.piece_words[piece + 1] - self.piece_words[piece]
        table, slots = union_rows(targets, sources, words, self.source_words)
        self.store.save(f"piece/{piece}", table._asdict())
        for number, part in enumerate(np.split(slots, ends[:-1])):
            self.store.save(f"slots/{number}/{piece}", {"slot": part.copy()})
            self.store.delete(f"pairs/{number}/{piece}")
        return piece, (np.bincount(table.source, minlength=self.source_words), np.diff(table.row_start))
