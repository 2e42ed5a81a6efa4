"""Aligning the shards of a run: answers become compressed parts in the store, and parts are joined in order."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pralign.constraints import Constraint
from pralign.decoding.decoder import Links
from pralign.decoding.evidence import AlignableShard
from pralign.decoding.stream import BlockDecoder, DecodedBlock, Outline
from pralign.decoding.threshold import Seen, ThresholdRule
from pralign.kernels.arrays import Texts
from pralign.store import Store
from pralign.store.packing import load_packed, save_packed
from pralign.text.sharding import describe_shard

_NO_TOKENS = np.empty(0, np.int32)
_KINDS = ("links", "forward", "reverse")
# About how many pairs a part has.
_PART = 10_000


@dataclass(frozen=True)
class ShardAligner:
    """Aligns shards; the answers for one go to the store in compressed parts, unless they are there already.

    Attributes:
        open: Finds a shard by its name.
        store: Where parts go.
        decoder: How blocks of pairs are aligned.
        prefix: What the names of the parts begin with.
    """

    open: Callable[[str], AlignableShard]
    store: Store
    decoder: BlockDecoder
    prefix: str

    def describe(self, name: str) -> str:
        """What is done with a shard."""
        return f"aligning {describe_shard(self.store, name)}"

    def __call__(self, name: str) -> str:
        """Align the shard called ``name``; how many parts there are is the last to be put there."""
        if self.store.has(f"{self.prefix}/{name}"):
            return name
        opened, parts = self.open(name), 0
        waiting: list[DecodedBlock] = []
        for block in opened.shard.blocks():
            waiting.append(self.decoder.decode(opened, block))
            if sum(each.scores.size for each in waiting) >= _PART:
                save_packed(self.store, self._part(name, parts), _arrays(waiting))
                parts, waiting = parts + 1, []
        if waiting:
            save_packed(self.store, self._part(name, parts), _arrays(waiting))
            parts += 1
        self.store.save(f"{self.prefix}/{name}", {"parts": np.array([parts])})
        return name

    def load(self, name: str) -> Iterator[DecodedBlock]:
        """The answers for a shard, part by part."""
        for part in range(self._parts(name)):
            arrays = load_packed(self.store, self._part(name, part))
            links, *directions = (
                Links(*(arrays.get(f"{kind}.{field}") for field in Links._fields))  # type: ignore[arg-type]
                for kind in _KINDS
                if f"{kind}.edges" in arrays
            )
            yield DecodedBlock(links, arrays["scores"], (directions[0], directions[1]) if directions else None)

    def forget(self, name: str) -> None:
        """Delete the answers for a shard."""
        for part in range(self._parts(name)):
            self.store.delete(self._part(name, part))
        self.store.delete(f"{self.prefix}/{name}")

    def _parts(self, name: str) -> int:
        return int(self.store.load(f"{self.prefix}/{name}")["parts"][0])

    def _part(self, name: str, number: int) -> str:
        return f"{self.prefix}/{name}/{number}"


def parts_prefix(decoder: BlockDecoder, described: str) -> str:
    """What parts are called that were made in just this way, so that no others are taken for them."""
    way = repr((decoder.decoder, described, decoder.directions))
    return f"answers/{hashlib.blake2b(way.encode(), digest_size=8).hexdigest()}"


def load_outline(store: Store, name: str) -> Outline:
    """What putting the answers for a shard in order needs to know of it."""
    arrays = store.load(f"shard/{name}", ["source_start", "target_start", "included", "numbers"])
    texts = Texts(_NO_TOKENS, arrays["source_start"], _NO_TOKENS, arrays["target_start"])
    return Outline(texts, arrays["included"], arrays["numbers"])


def _arrays(blocks: Sequence[DecodedBlock]) -> dict[str, np.ndarray]:
    """The answers for all blocks of a shard as one group."""
    scores = [np.empty(0), *(block.scores for block in blocks)]
    kinds = [[block.links for block in blocks]]
    if blocks and blocks[0].directions is not None:
        kinds += [[block.directions[side] for block in blocks if block.directions is not None] for side in (0, 1)]
    arrays = {"scores": np.concatenate(scores)}
    for kind, links in zip(_KINDS, kinds, strict=False):
        joined = joined_links(links)._asdict()
        arrays |= {f"{kind}.{field}": array for field, array in joined.items() if array is not None}
    return arrays


def joined_links(parts: Sequence[Links]) -> Links:
    """The links of several blocks."""
    sizes = [np.zeros(1, np.int64), *(np.diff(part.edges) for part in parts)]
    scores = [part.scores for part in parts if part.scores is not None]
    none = np.empty(0, np.int32)
    return Links(
        np.cumsum(np.concatenate(sizes)),
        np.concatenate([none, *(part.source for part in parts)]),
        np.concatenate([none, *(part.target for part in parts)]),
        np.concatenate(scores) if scores else None,
    )


@dataclass(frozen=True)
class ShardSampler:
    """Looks at some pairs of shards, so that thresholds can be set.

    Attributes:
        open: Finds a shard by its name.
        rule: What to look for.
        constraint: What posteriors are projected onto, if onto anything.
        step: One pair in so many is looked at.
    """

    open: Callable[[str], AlignableShard]
    rule: ThresholdRule
    constraint: Constraint | None
    step: int

    def __call__(self, place: tuple[str, int]) -> list[Seen]:
        """What is to be seen in a shard, given by its name and how many pairs are trained on before it."""
        name, first = place
        opened = self.open(name)
        pairs = opened.shard.pairs
        chosen = pairs[np.arange(-first % self.step, pairs.size, self.step)]
        return [self.rule.look(evidence) for evidence in opened.evidence(self.constraint, chosen)]


def places(store: Store, names: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Shards by name, each with how many pairs are trained on before it."""
    before = 0
    for name in names:
        yield name, before
        before += int(store.load(f"shard/{name}", ["included"])["included"].sum())
