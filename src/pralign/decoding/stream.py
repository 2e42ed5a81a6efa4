"""Aligning shards: one answer a pair, in order, whatever the pair looks like."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pralign.constraints.base import Constraint
from pralign.decoding.decoder import Decoder, Links, marked_links
from pralign.decoding.evidence import AlignableShard
from pralign.decoding.lists import BlockLists, ListRequest, list_alignments
from pralign.kernels.arrays import Long, Texts
from pralign.links.alignment import Alignment
from pralign.links.nbest import AlignmentList, ListKind
from pralign.text.corpus import decodable
from pralign.text.shard import Block, Shard

logger = logging.getLogger("pralign")

Answer = TypeVar("Answer")


class Decoded(NamedTuple):
    """The answer for one pair.

    Attributes:
        alignment: The links, with their posteriors.
        score: The log-probability a word, averaged over the two directions; NaN for a pair that cannot be aligned.
        forward: The forward Viterbi alignment, if it was asked for.
        reverse: The reverse Viterbi alignment, if it was asked for.
        lists: Many alignments, if they were asked for; ``alignment`` is then the first that combines both directions.
    """

    alignment: Alignment
    score: float
    forward: Alignment | None = None
    reverse: Alignment | None = None
    lists: AlignmentList | None = None

    def over(self, convert: Callable[[Alignment], Alignment]) -> Decoded:
        """The same answer with its alignments converted."""
        forward, reverse = (None if each is None else convert(each) for each in (self.forward, self.reverse))
        return Decoded(convert(self.alignment), self.score, forward, reverse, self.lists)


class DecodedBlock(NamedTuple):
    """The answers for a block of pairs as arrays, which take a fraction of the memory."""

    links: Links
    scores: NDArray[np.float64]
    directions: tuple[Links, Links] | None

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return int(self.scores.size)

    def answers(self) -> Iterator[Decoded]:
        """Yield the answer for each pair."""
        chosen, scores = self.links.alignments(), self.scores.tolist()
        if self.directions is None:
            yield from map(Decoded, chosen, scores)
            return
        forward, reverse = (links.alignments() for links in self.directions)
        yield from map(Decoded, chosen, scores, forward, reverse)


class ListedBlock(NamedTuple):
    """The answers for a block of pairs that have many alignments each."""

    lists: BlockLists
    scores: NDArray[np.float64]
    kind: ListKind

    @property
    def size(self) -> int:
        """How many pairs there are, ten alignments counting as one at least."""
        return max(int(self.scores.size), sum(part.log_probability.size for part in self.lists) // 10)

    def answers(self) -> Iterator[Decoded]:
        """Yield the answer for each pair."""
        for lists, score in zip(self.lists.lists(self.kind), self.scores.tolist(), strict=True):
            yield Decoded(lists.first, score, lists=lists)


AnswerBlock = DecodedBlock | ListedBlock


@dataclass(frozen=True)
class BlockDecoder:
    """Aligns blocks of pairs.

    Attributes:
        decoder: How links are chosen.
        constraint: What posteriors are projected onto, if onto anything.
        directions: Whether to add the directional Viterbi alignments.
        lists: Which alignments are wanted, if not one a pair; directional ones are among them.
        numbers: For each number of a pair in the shards, its number in the whole text, where that is another one.
    """

    decoder: Decoder
    constraint: Constraint | None = None
    directions: bool = False
    lists: ListRequest | None = None
    numbers: Long | None = None

    def blocks(self, shard: Shard) -> Iterator[Block]:
        """The included pairs of a shard, in blocks that are not too large for what is wanted of them."""
        return shard.blocks() if self.lists is None else shard.blocks(most_cells=self.lists.most_cells)

    def decode(self, opened: AlignableShard, block: Block) -> AnswerBlock:
        """The answers for a block of a shard."""
        evidence = opened.evidence_of(block, self.constraint)
        if self.lists is not None:
            numbers = opened.shard.numbers[block.pairs]
            numbers = numbers if self.numbers is None else self.numbers[numbers]
            lists = list_alignments(evidence, self.lists, self.decoder.symmetrize, numbers)
            return ListedBlock(lists, evidence.scores, self.lists.kind)
        directions = None
        if self.directions:
            forward, reverse = (marked_links(marks, evidence) for marks in evidence.viterbi)
            directions = forward, reverse
        return DecodedBlock(self.decoder.links(evidence), evidence.scores, directions)

    def decode_all(self, opened: AlignableShard) -> list[AnswerBlock]:
        """The answers for all included pairs of a shard."""
        return [self.decode(opened, block) for block in self.blocks(opened.shard)]


class Outline(NamedTuple):
    """What putting answers in order needs to know of a shard: lengths of sentences, which are included, numbers."""

    texts: Texts
    included: NDArray[np.bool_]
    numbers: Long

    @classmethod
    def of(cls, shard: Shard) -> Outline:
        """The outline of a shard."""
        return cls(shard.texts, shard.included, shard.numbers)


def in_order(
    decoded: Iterable[tuple[Outline, Iterable[AnswerBlock]]],
    elsewhere: Iterator[Decoded],
    first_number: int = 1,
    directions: bool = False,
    lists: ListRequest | None = None,
) -> Iterator[Decoded]:
    """The answer for each pair of some shards, in order.

    A pair with an empty side has no links. A pair too large for memory has none either, and a warning names it.

    Args:
        decoded: The shards, in order, and the answers for their included pairs.
        elsewhere: The answers for pairs that are not included but can be aligned.
        first_number: The number of the first pair, for warnings.
        directions: Whether there are directional alignments.
        lists: Which alignments were wanted, if not one a pair.
    """
    nothing = Alignment() if directions and lists is None else None
    empty = None if lists is None else AlignmentList(kind=lists.kind)
    unaligned = Decoded(Alignment(), float("nan"), nothing, nothing, empty)
    for shard, parts in decoded:
        answers = (answer for block in parts for answer in block.answers())
        number = first_number + int(shard.numbers[0]) if shard.numbers.size else first_number
        yield from in_place(answers, unaligned, shard.texts, shard.included, number, elsewhere)


def in_place(
    answers: Iterator[Answer],
    otherwise: Answer,
    texts: Texts,
    included: NDArray[np.bool_],
    first_number: int = 1,
    elsewhere: Iterator[Answer] | None = None,
) -> Iterator[Answer]:
    """Yield the answer for each pair of a text: the next one for those that are included, ``otherwise`` for others.

    Those that are not included but can be aligned have theirs ``elsewhere``. A warning names those that are too large,
    counting the first pair as ``first_number``.
    """
    possible = decodable(texts)
    for pair, (has_answer, can_be_aligned) in enumerate(zip(included.tolist(), possible.tolist(), strict=True)):
        if has_answer:
            yield next(answers)
        elif can_be_aligned and elsewhere is not None:
            yield next(elsewhere)
        else:
            _warn_if_large(texts, pair, first_number + pair)
            yield otherwise


def _warn_if_large(texts: Texts, pair: int, number: int) -> None:
    source = int(texts.source_start[pair + 1] - texts.source_start[pair])
    target = int(texts.target_start[pair + 1] - texts.target_start[pair])
    if source and target:
        logger.warning(
            "pair %d is too large to align (%d by %d words); it gets no links. Split it into sentences.",
            number,
            source,
            target,
        )
