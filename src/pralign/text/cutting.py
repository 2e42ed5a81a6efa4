"""Cutting a text into shards, and the lexicon into pieces, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pralign.engine import Engine
from pralign.kernels.arrays import Int, Long, Texts
from pralign.kernels.indexing import union_rows
from pralign.store import Store
from pralign.text.bitext import Pair
from pralign.text.corpus import decodable
from pralign.text.earlier import EarlierSplitter, EarlierWords, numbers_among
from pralign.text.forms import order_by_forms
from pralign.text.normalisation import Normalisation
from pralign.text.reading import Chunk, ReadText, chunk_name, read_text
from pralign.text.shard import Shard
from pralign.text.sharding import (
    UNTRAINED,
    ShardedCorpus,
    add_text,
    describe_shard,
    joined_texts,
    load_piece,
    load_shard,
    piece_rows,
    select_texts,
)
from pralign.text.vocabulary import Vocabulary, VocabularyBuilder


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


def shard_corpus(
    pairs: Iterable[Pair],
    normalisation: Normalisation,
    longest: int,
    store: Store,
    engine: Engine,
    sizes: ShardSizes | Callable[[int, int, int], ShardSizes] | None = None,
    chunk_cells: tuple[int, int] | None = None,
    earlier: Sequence[EarlierWords] = (),
) -> ShardedCorpus:
    """Read ``pairs`` once, number their words, and cut them into shards.

    Pairs with an empty side or one of more than ``longest`` words are not trained on. Long ones are put into shards of
    their own, to be aligned like other text.

    Args:
        pairs: The sentence pairs.
        normalisation: How words are made comparable.
        longest: The most words of a side that is trained on.
        store: Where everything goes.
        engine: Where the work is done.
        sizes: How to cut it, or what says how to cut so many cells with so many different words for so many workers.
        chunk_cells: About how many cells are read before they are put aside, at least and at most.
        earlier: Models that were trained before. Their words and word pairs are in the lexicon too.
    """
    given = sizes if isinstance(sizes, ShardSizes) else ShardSizes()
    read = read_text(pairs, normalisation, store, chunk_cells or (given.chunk, given.chunk), earlier)
    cells = sum(chunk.cells for chunk in read.chunks)
    if callable(sizes):
        given = sizes(cells, sum(map(len, read.words)), engine.workers)
    source, target = (
        order_by_forms(list(words), counts) for words, counts in zip(read.words, read.frequencies, strict=True)
    )
    ranks = _ranks(source[0]), _ranks(target[0])
    cuts = _cut_shards(read.chunks, ranks, longest, store, engine, given)
    listed = np.zeros(ranks[1].size + 1, np.int64)
    for number in range(len(cuts)):
        rows = store.load(f"shard/{number}", ["target_words", "row_start"])
        listed[rows["target_words"]] += np.diff(rows["row_start"])
    known = {each.name: _numbers(each, read, ranks) for each in earlier}
    for name, (_, numbers) in known.items():
        listed[numbers] += np.diff(store.load(f"earlier/{name}", ["row_start"])["row_start"])
    piece_words = _cut_words(listed[:-1], target[1], given.piece)
    source_partners, target_partners = _index(len(cuts), known, piece_words, ranks[0].size, store, engine)
    return ShardedCorpus(
        store,
        _by_rank(read.words[0], ranks[0]),
        _by_rank(read.words[1], ranks[1]),
        len(cuts),
        tuple(piece_words),
        sum(chunk.pairs for chunk in read.chunks),
        sum(cut.empty for cut in cuts),
        sum(cut.trained for cut in cuts),
        int(sum(counts.sum() for counts in read.frequencies)),
        cells,
        int(listed.sum()),
        source_partners,
        target_partners,
        _longest(cuts, 0),
        _longest(cuts, 1),
        _add_long(cuts, piece_words, store, engine, given.shard),
        tuple(known),
    )


def _cut_shards(
    chunks: Sequence[Chunk], ranks: tuple[Int, Int], longest: int, store: Store, engine: Engine, sizes: ShardSizes
) -> list[_Cut]:
    groups = list(_grouped([chunk.cells for chunk in chunks], sizes))
    first_pairs = np.cumsum([0, *(chunk.pairs for chunk in chunks)])
    store.save("ranks", {"source": ranks[0], "target": ranks[1]})
    cuts = []
    for group, cut in zip(groups, engine.map(_Cutter(store, longest, first_pairs), enumerate(groups)), strict=True):
        cuts.append(cut)
        for number in group:
            store.delete(chunk_name(number))
    store.delete("ranks")
    return cuts


def _numbers(earlier: EarlierWords, read: ReadText, ranks: tuple[Int, Int]) -> tuple[Long, Long]:
    """The numbers of the words of an earlier model."""
    source, target = (
        rank[numbers_among(words, among)].astype(np.int64)
        for words, among, rank in zip(earlier.words, read.words, ranks, strict=True)
    )
    return source, target


def _index(
    shards: int,
    earlier: Mapping[str, tuple[Long, Long]],
    piece_words: Sequence[int],
    source_words: int,
    store: Store,
    engine: Engine,
) -> tuple[Long, Long]:
    """Put all word pairs into pieces; with how many words each source and each target word occurs together."""
    for _ in engine.run(_Splitter(store, piece_words), range(shards)):
        pass
    for _ in engine.run(EarlierSplitter(store, piece_words, earlier), earlier):
        pass
    names = (*map(str, range(shards)), *earlier)
    source_partners, target_partners = np.zeros(source_words, np.int64), np.zeros(piece_words[-1], np.int64)
    indexer = _Indexer(store, names, piece_words, source_words)
    for piece in engine.run(indexer, range(len(piece_words) - 1)):
        table = load_piece(store, piece)
        source_partners += np.bincount(table.source, minlength=source_words)
        target_partners[piece_words[piece] : piece_words[piece + 1]] = np.diff(table.row_start)
    for name in names:
        store.delete(f"pairs/{name}")
    return source_partners, target_partners


def _add_long(cuts: Sequence[_Cut], piece_words: Sequence[int], store: Store, engine: Engine, most_cells: int) -> int:
    """Put pairs that are too long to be trained on into shards of their own; how many there are."""
    groups: list[list[int]] = []
    cells = 0
    for number, cut in enumerate(cuts):
        if not cut.long_cells:
            continue
        if not groups or cells + cut.long_cells > most_cells:
            groups.append([])
            cells = 0
        groups[-1].append(number)
        cells += cut.long_cells
    for _ in engine.run(_LongCutter(store, piece_words), enumerate(groups)):
        pass
    for number in (number for group in groups for number in group):
        store.delete(f"long/{number}")
    return len(groups)


@dataclass(frozen=True)
class _LongCutter:
    """Makes a shard of the long pairs of several others."""

    store: Store
    piece_words: Sequence[int]

    def __call__(self, numbered: tuple[int, list[int]]) -> None:
        number, shards = numbered
        parts = [self.store.load(f"long/{shard}") for shard in shards]
        numbers = np.concatenate([part["numbers"] for part in parts])
        texts = joined_texts([Texts(*(part[field] for field in Texts._fields)) for part in parts])
        add_text(self.store, self.piece_words, f"{UNTRAINED}{number}", texts, numbers)


def _ranks(order: Long) -> Int:
    """The place of each word in an order of all words."""
    rank = np.empty(order.size, np.int32)
    rank[order] = np.arange(order.size, dtype=np.int32)
    return rank


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


@dataclass(frozen=True)
class _Cut:
    """What is remembered of a shard that was made."""

    trained: int
    empty: int
    longest: tuple[Long, Long]
    long_cells: int


@dataclass(frozen=True)
class _Cutter:
    """Makes shards from chunks."""

    store: Store
    longest: int
    first_pairs: Long

    def describe(self, numbered: tuple[int, range]) -> str:
        number, chunks = numbered
        first, last = self.first_pairs[chunks.start] + 1, self.first_pairs[chunks.stop]
        return f"cutting shard {number}, lines {first:,} to {last:,}"

    def __call__(self, numbered: tuple[int, range]) -> _Cut:
        number, chunks = numbered
        ranks = self.store.load("ranks")
        texts = joined_texts([Texts(**self.store.load(chunk_name(chunk))) for chunk in chunks])
        texts = texts._replace(source=ranks["source"][texts.source], target=ranks["target"][texts.target])
        source, target = np.diff(texts.source_start), np.diff(texts.target_start)
        full, possible = (source > 0) & (target > 0), decodable(texts)
        trained = possible & (source <= self.longest) & (target <= self.longest)
        numbers = np.arange(self.first_pairs[chunks.start], self.first_pairs[chunks.stop])
        shard = Shard.of(texts, trained, numbers)
        self.store.save(f"shard/{number}", shard.to_arrays())
        long = np.flatnonzero(possible & ~trained)
        if long.size:
            self.store.save(f"long/{number}", {**select_texts(texts, long)._asdict(), "numbers": numbers[long]})
        return _Cut(
            int(trained.sum()),
            int(full.size - full.sum()),
            (_most(source[trained], target[trained]), _most(target[trained], source[trained])),
            int((source[long] * target[long]).sum()),
        )


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

    def describe(self, number: int) -> str:
        return f"indexing {describe_shard(self.store, str(number))}"

    def __call__(self, number: int) -> None:
        shard = load_shard(self.store, str(number))
        pairs = {}
        for piece, first_word in enumerate(self.piece_words[:-1]):
            sources, targets = piece_rows(shard, self.piece_words, piece).word_pairs(shard, first_word)
            pairs[f"source/{piece}"], pairs[f"target/{piece}"] = sources.astype(np.int32), targets.astype(np.int32)
        self.store.save(f"pairs/{number}", pairs)


@dataclass(frozen=True)
class _Indexer:
    """Puts the word pairs of all shards that belong to a piece into one table, and tells each shard where its are."""

    store: Store
    names: Sequence[str]
    piece_words: Sequence[int]
    source_words: int

    def describe(self, piece: int) -> str:
        return f"indexing piece {piece} of the lexicon"

    def __call__(self, piece: int) -> int:
        sides = [f"source/{piece}", f"target/{piece}"]
        parts = [self.store.load(f"pairs/{name}", sides) for name in self.names]
        none = np.empty(0, np.int32)
        sources, targets = (np.concatenate([none, *(part[side] for part in parts)]) for side in sides)
        ends = np.cumsum([part[sides[0]].size for part in parts], dtype=np.int64)
        del parts
        words = self.piece_words[piece + 1] - self.piece_words[piece]
        table, slots = union_rows(targets, sources, words, self.source_words)
        self.store.save(f"piece/{piece}", table._asdict())
        by_shard = np.split(slots, ends[:-1])
        self.store.save(f"slots/{piece}", dict(zip(self.names, by_shard, strict=True)))
        return piece
