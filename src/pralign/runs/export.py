"""What a run has learned, as streams of arrays: to be saved, or put together in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Long
from pralign.kernels.own_counts import choose, fingerprints
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
    for name in corpus.shard_names:
        parameters = corpus.store.load(f"parameters/{state.parameters}/{name}/{piece}")
        probability[slots_in_piece(corpus.store, name, piece)] = parameters["probability"]
    return probability


def training_pair_streams(corpus: ShardedCorpus, state: TrainingState) -> Streams:
    """The pairs that were trained on, those with the same words once, shard by shard; none if nothing is left out."""
    if state.own is None:
        return {}
    store, names = corpus.store, corpus.shard_names
    for name, rows in zip(names, _distinct(corpus), strict=True):
        store.save(f"chosen/{name}", _chosen_pairs(corpus, state, name, rows))
    streams: Streams = {}
    for field, array in store.load(f"chosen/{names[0]}").items():
        parts = partial(_chosen, corpus, field)
        if field.endswith("start"):
            streams[field] = _joined_starts(parts())
        else:
            length = sum(part.shape[0] for part in parts())
            streams[field] = Streamed(array.dtype, (length, *array.shape[1:]), parts)
    return streams


def _chosen_pairs(corpus: ShardedCorpus, state: TrainingState, name: str, rows: Long) -> dict[str, NDArray[Any]]:
    """Some of the pairs of a shard that were trained on, as training pairs are saved."""
    shard = load_shard(corpus.store, name)
    own = choose(state.own_counts(corpus.store, name), rows)
    texts = select_texts(shard.global_texts(), shard.pairs[rows])
    return {**texts._asdict(), **{f"own.{field}": array for field, array in own._asdict().items()}}


def _chosen(corpus: ShardedCorpus, field: str) -> Iterator[NDArray[Any]]:
    return (corpus.store.load(f"chosen/{name}", [field])[field] for name in corpus.shard_names)


def _joined_starts(parts: Iterable[Long]) -> Long:
    lengths = [np.diff(part) for part in parts]
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate(lengths))])


def _distinct(corpus: ShardedCorpus) -> list[Long]:
    """For each shard, the rows of the pairs that have not occurred before, among those that are trained on."""
    prints = [fingerprints(shard.global_texts(), shard.pairs) for shard in map(corpus.shard, range(corpus.shards))]
    _, first = np.unique(np.concatenate(prints), return_index=True)
    kept = np.zeros(sum(part.size for part in prints), np.bool_)
    kept[first] = True
    return [np.flatnonzero(part) for part in np.split(kept, np.cumsum([part.size for part in prints])[:-1])]


def whole(array: NDArray[Any] | Streamed) -> NDArray[Any]:
    """A stream as one array."""
    return np.concatenate(list(array.parts())) if isinstance(array, Streamed) else array
