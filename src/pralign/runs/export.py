"""What a run has learned, as streams of arrays: to be saved, or put together in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.engine import Engine
from pralign.kernels.arrays import Long, Texts
from pralign.kernels.own_counts import OwnCounts, choose, fingerprints
from pralign.kernels.relatives import ClassCounts
from pralign.models.relatives import Relatives
from pralign.store import Store
from pralign.store.tensors import Streamed
from pralign.text.sharding import ShardedCorpus, load_piece, load_shard, select_texts, slots_in_piece
from pralign.training.relatives import kept_counts, load_totals
from pralign.training.state import StoredState, TrainingState

Streams = dict[str, NDArray[Any] | Streamed]

# So many fingerprints are compared at a time.
_PRINTS_AT_ONCE = 2_000_000


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
        parameters = corpus.store.load(f"parameters/{state.parameters}/{piece}", [name])
        probability[slots_in_piece(corpus.store, name, piece)] = parameters[name]
    return probability


def base_streams(corpus: ShardedCorpus, state: TrainingState, relatives: Relatives | None) -> Streams:
    """What to expect of words that were never seen together, part by part."""
    streams: Streams = {}
    if relatives is None or state.parameters is None:
        return streams
    for number in range(relatives.levels):
        name = f"classes/{state.parameters}/{number}"
        parts = partial(_class_counts, corpus.store, name, corpus.pieces)
        rows = _joined_starts(part.row_start for part in parts())
        streams[f"{number}.row_start"] = rows
        size = int(rows[-1])
        streams[f"{number}.source"] = Streamed(np.dtype(np.int32), (size,), partial(_sources, parts))
        streams[f"{number}.units"] = Streamed(np.dtype(np.float32), (size, 2), partial(_units, parts))
        totals = load_totals(corpus.store, name)
        streams |= {f"{number}.of_{side}": array for side, array in totals._asdict().items()}
    return streams | relatives.tensors()


def _class_counts(store: Store, name: str, parts: int) -> Iterator[ClassCounts]:
    return (kept_counts(store, f"{name}/{part}") for part in range(parts))


def _sources(parts: Callable[[], Iterator[ClassCounts]]) -> Iterator[NDArray[Any]]:
    return (part.source for part in parts())


def _units(parts: Callable[[], Iterator[ClassCounts]]) -> Iterator[NDArray[Any]]:
    return (part.units.astype(np.float32) for part in parts())


def training_pair_streams(corpus: ShardedCorpus, state: TrainingState, engine: Engine) -> Streams:
    """The pairs that were trained on, those with the same words once, shard by shard; none if nothing is left out.

    Those of earlier models come last.
    """
    store = corpus.store
    shards = corpus.shard_names if state.own is not None else ()
    names = (*shards, *(name for name in corpus.earlier if store.has(_sentences_of(name))))
    if not names:
        return {}
    for _ in engine.run(_Fingerprints(store), names):
        pass
    _choose_distinct(store, names)
    for _ in engine.run(_Chooser(state.saved(store)), names):
        pass
    for name in names:
        store.delete(f"distinct/{name}")
    streams: Streams = {}
    for field, array in store.load(f"chosen/{names[0]}").items():
        parts = partial(_chosen, store, names, field)
        if field.endswith("start"):
            streams[field] = _joined_starts(parts())
        else:
            # A shard of nothing but pairs too long to train on has rows of no width, and none of them.
            shapes = [array.shape, *(part.shape for part in parts())]
            streams[field] = Streamed(array.dtype, (sum(shape[0] for shape in shapes[1:]), *max(shapes)[1:]), parts)
    return streams


def forget_training_pairs(store: Store) -> None:
    """Delete what :func:`training_pair_streams` has put aside."""
    for name in store.names("chosen/"):
        with suppress(OSError):  # it will go with the store
            store.delete(name)


@dataclass(frozen=True)
class _Fingerprints:
    """Says what the pairs of a shard are known by."""

    store: Store

    def __call__(self, name: str) -> None:
        self.store.save(f"prints/{name}", {"print": fingerprints(*_sentences(self.store, name))})


def _choose_distinct(store: Store, names: Sequence[str]) -> None:
    """Say for each shard which of its pairs have not occurred before; a part of all fingerprints at a time."""
    sizes = [int(store.load(f"prints/{name}")["print"].size) for name in names]
    edges = np.cumsum([0, *sizes])
    kept = np.zeros(int(edges[-1]), np.bool_)
    parts = max(-(-kept.size // _PRINTS_AT_ONCE), 1)
    for part in range(parts):
        found, places = [np.empty(0, np.uint64)], [np.empty(0, np.int64)]
        for name, first in zip(names, edges[:-1].tolist(), strict=True):
            prints = store.load(f"prints/{name}")["print"].view(np.uint64)
            here = np.flatnonzero(prints % np.uint64(parts) == part)
            found.append(prints[here])
            places.append(here + first)
        _, first_places = np.unique(np.concatenate(found), return_index=True)
        kept[np.concatenate(places)[first_places]] = True
    for name, of_shard in zip(names, np.split(kept, edges[1:-1]), strict=True):
        store.save(f"distinct/{name}", {"row": np.flatnonzero(of_shard)})
        store.delete(f"prints/{name}")


@dataclass(frozen=True)
class _Chooser:
    """Puts the pairs of a shard that have not occurred before into the store, as training pairs are saved."""

    state: StoredState

    def __call__(self, name: str) -> None:
        store = self.state.store
        (texts, pairs), rows = _sentences(store, name), store.load(f"distinct/{name}")["row"]
        own: OwnCounts | None
        if store.has(_sentences_of(name)):
            arrays = store.load(_sentences_of(name))
            own = OwnCounts(*(arrays[f"own.{field}"] for field in OwnCounts._fields))
        else:
            own = self.state.load().own_counts(store, name)
        assert own is not None
        counts = {f"own.{field}": array for field, array in choose(own, rows)._asdict().items()}
        store.save(f"chosen/{name}", {**select_texts(texts, pairs[rows])._asdict(), **counts})


def _chosen(store: Store, names: Sequence[str], field: str) -> Iterator[NDArray[Any]]:
    loaded = (store.load(f"chosen/{name}", [field])[field] for name in names)
    return (part for part in loaded if part.ndim == 1 or part.shape[0])


def _sentences_of(name: str) -> str:
    """Where the pairs that an earlier model was trained on are."""
    return f"sentences/{name}"


def _sentences(store: Store, name: str) -> tuple[Texts, Long]:
    """The text of a shard or of an earlier model, and which of its pairs were trained on."""
    if store.has(_sentences_of(name)):
        texts = Texts(**store.load(_sentences_of(name), Texts._fields))
        return texts, np.arange(texts.source_start.size - 1)
    shard = load_shard(store, name)
    return shard.global_texts(), shard.pairs


def _joined_starts(parts: Iterable[Long]) -> Long:
    lengths = [np.diff(part) for part in parts]
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate(lengths))])


def whole(array: NDArray[Any] | Streamed) -> NDArray[Any]:
    """A stream as one array."""
    if not isinstance(array, Streamed):
        return array
    return np.concatenate([np.empty((0, *array.shape[1:]), array.dtype), *array.parts()])
