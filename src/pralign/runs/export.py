"""What a run has learned, as streams of arrays: to be saved, or put together in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Long, Texts
from pralign.kernels.own_counts import OwnCounts, choose, fingerprints
from pralign.store.tensors import Streamed
from pralign.text.sharding import ShardedCorpus, load_piece, load_shard, select_texts, slots_in_piece
from pralign.training.state import TrainingState

Streams = dict[str, NDArray[Any] | Streamed]


def lexicon_streams(corpus: ShardedCorpus, state: TrainingState) -> Streams:
    """The lexicon, piece by piece."""
    pairs, pieces = int(corpus.target_partners.sum()), range(corpus.pieces)
    return {
        "row_start": np.concatenate([np.zeros(1, np.int64), np.cumsum(corpus.target_partners)]),
        "source": Streamed(np.dtype(np.int32), (pairs,), lambda: (corpus.piece(piece).source for piece in pieces)),
        "probability": Streamed(
            np.dtype(np.float32), (pairs, 2), lambda: (_probability(corpus, state, piece) for piece in pieces)
        ),
    }


def _probability(corpus: ShardedCorpus, state: TrainingState, piece: int) -> NDArray[np.float32]:
    """The probabilities of a piece, from the shards that have them."""
    probability = np.empty((load_piece(corpus.store, piece).source.size, 2), np.float32)
    for name in (*corpus.shard_names, *corpus.earlier):
        parameters = corpus.store.load(f"parameters/{state.parameters}/{name}/{piece}")
        probability[slots_in_piece(corpus.store, name, piece)] = parameters["probability"]
    return probability


def training_pair_streams(corpus: ShardedCorpus, state: TrainingState) -> Streams:
    """The pairs that were trained on, those with the same words once, shard by shard; none if nothing is left out.

    Those of earlier models come last.
    """
    store = corpus.store
    shards = corpus.shard_names if state.own is not None else ()
    names = (*shards, *(name for name in corpus.earlier if store.has(f"sentences/{name}")))
    if not names:
        return {}
    kept = _distinct([_sentences(corpus, name) for name in names])
    for name, rows in zip(names, kept, strict=True):
        store.save(f"chosen/{name}", _chosen_pairs(corpus, state, name, rows))
    streams: Streams = {}
    for field, array in store.load(f"chosen/{names[0]}").items():
        parts = partial(_chosen, corpus, names, field)
        if field.endswith("start"):
            streams[field] = _joined_starts(parts())
        else:
            length = sum(part.shape[0] for part in parts())
            streams[field] = Streamed(array.dtype, (length, *array.shape[1:]), parts)
    return streams


def _sentences(corpus: ShardedCorpus, name: str) -> tuple[Texts, Long]:
    """The text of a shard or of an earlier model, and which of its pairs were trained on."""
    if name in corpus.shard_names:
        shard = load_shard(corpus.store, name)
        return shard.global_texts(), shard.pairs
    arrays = corpus.store.load(f"sentences/{name}", Texts._fields)
    texts = Texts(**arrays)
    return texts, np.arange(texts.source_start.size - 1)


def _chosen_pairs(corpus: ShardedCorpus, state: TrainingState, name: str, rows: Long) -> dict[str, NDArray[Any]]:
    """Some of the pairs of a shard that were trained on, as training pairs are saved."""
    texts, pairs = _sentences(corpus, name)
    if name in corpus.shard_names:
        own = state.own_counts(corpus.store, name)
    else:
        arrays = corpus.store.load(f"sentences/{name}")
        own = OwnCounts(*(arrays[f"own.{field}"] for field in OwnCounts._fields))
    chosen = choose(own, rows)
    texts = select_texts(texts, pairs[rows])
    return {**texts._asdict(), **{f"own.{field}": array for field, array in chosen._asdict().items()}}


def _chosen(corpus: ShardedCorpus, names: Sequence[str], field: str) -> Iterator[NDArray[Any]]:
    return (corpus.store.load(f"chosen/{name}", [field])[field] for name in names)


def _joined_starts(parts: Iterable[Long]) -> Long:
    lengths = [np.diff(part) for part in parts]
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate(lengths))])


def _distinct(texts: Sequence[tuple[Texts, Long]]) -> list[Long]:
    """For each text, the rows of its pairs that have not occurred before."""
    prints = [fingerprints(*pairs) for pairs in texts]
    _, first = np.unique(np.concatenate(prints), return_index=True)
    kept = np.zeros(sum(part.size for part in prints), np.bool_)
    kept[first] = True
    return [np.flatnonzero(part) for part in np.split(kept, np.cumsum([part.size for part in prints])[:-1])]


def whole(array: NDArray[Any] | Streamed) -> NDArray[Any]:
    """A stream as one array."""
    return np.concatenate(list(array.parts())) if isinstance(array, Streamed) else array
