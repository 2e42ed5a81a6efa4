"""Aligning the shards of a run: answers become compressed parts in the store, and parts are joined in order."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.constraints import Constraint
from pralign.decoding.decoder import Links, joined_links
from pralign.decoding.evidence import AlignableShard
from pralign.decoding.lists import BlockLists, joined_lists
from pralign.decoding.stream import AnswerBlock, BlockDecoder, DecodedBlock, ListedBlock, Outline
from pralign.decoding.threshold import Seen, ThresholdRule
from pralign.kernels.arrays import Texts
from pralign.store import Store
from pralign.store.packing import load_packed, save_packed
from pralign.text.sharding import describe_shard

_NO_TOKENS = np.empty(0, np.int32)
_KINDS = ("links", "forward", "reverse")
# About how many pairs a part has, or how many times ten alignments where pairs have several.
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
        waiting: list[AnswerBlock] = []
        for block in self.decoder.blocks(opened.shard):
            waiting.append(self.decoder.decode(opened, block))
            if sum(each.size for each in waiting) >= _PART:
                save_packed(self.store, self._part(name, parts), _arrays(waiting))
                parts, waiting = parts + 1, []
        if waiting:
            save_packed(self.store, self._part(name, parts), _arrays(waiting))
            parts += 1
        self.store.save(f"{self.prefix}/{name}", {"parts": np.array([parts])})
        return name

    def load(self, name: str) -> Iterator[AnswerBlock]:
        """The answers for a shard, part by part."""
        for part in range(self._parts(name)):
            yield self._block(load_packed(self.store, self._part(name, part)))

    def forget(self, name: str) -> None:
        """Delete the answers for a shard."""
        for part in range(self._parts(name)):
            self.store.delete(self._part(name, part))
        self.store.delete(f"{self.prefix}/{name}")

    def _block(self, arrays: Mapping[str, NDArray[Any]]) -> AnswerBlock:
        if self.decoder.lists is not None:
            return ListedBlock(BlockLists.from_arrays(arrays), arrays["scores"], self.decoder.lists.kind)
        links, *directions = (
            Links(*(arrays.get(f"{kind}.{field}") for field in Links._fields))  # type: ignore[arg-type]
            for kind in _KINDS
            if f"{kind}.edges" in arrays
        )
        return DecodedBlock(links, arrays["scores"], (directions[0], directions[1]) if directions else None)

    def _parts(self, name: str) -> int:
        return int(self.store.load(f"{self.prefix}/{name}")["parts"][0])

    def _part(self, name: str, number: int) -> str:
        return f"{self.prefix}/{name}/{number}"


def parts_prefix(decoder: BlockDecoder, described: str) -> str:
    """What parts are called that were made in just this way, so that no others are taken for them."""
    numbers = b"" if decoder.numbers is None else decoder.numbers.tobytes()
    way = repr((decoder.decoder, described, decoder.directions, decoder.lists, hashlib.blake2b(numbers).hexdigest()))
    return f"answers/{hashlib.blake2b(way.encode(), digest_size=8).hexdigest()}"


def load_outline(store: Store, name: str) -> Outline:
    """What putting the answers for a shard in order needs to know of it."""
    arrays = store.load(f"shard/{name}", ["source_start", "target_start", "included", "numbers"])
    texts = Texts(_NO_TOKENS, arrays["source_start"], _NO_TOKENS, arrays["target_start"])
    return Outline(texts, arrays["included"], arrays["numbers"])


def _arrays(blocks: Sequence[AnswerBlock]) -> dict[str, np.ndarray]:
    """The answers for all blocks of a shard as one group."""
    arrays = {"scores": np.concatenate([np.empty(0), *(block.scores for block in blocks)])}
    if listed := [block.lists for block in blocks if isinstance(block, ListedBlock)]:
        return arrays | joined_lists(listed).arrays()
    decoded = [block for block in blocks if isinstance(block, DecodedBlock)]
    kinds = [[block.links for block in decoded]]
    if decoded and decoded[0].directions is not None:
        kinds += [[block.directions[side] for block in decoded if block.directions is not None] for side in (0, 1)]
    for kind, links in zip(_KINDS, kinds, strict=False):
        joined = joined_links(links)._asdict()
        arrays |= {f"{kind}.{field}": array for field, array in joined.items() if array is not None}
    return arrays


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
