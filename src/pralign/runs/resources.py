"""How much memory training may take, and where the rest goes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pralign.errors import UsageError
from pralign.memory import parse_size
from pralign.runs.needs import PROCESS, WORD_SENT, Needs, Workload, driver_memory, process_memory, worker_memory
from pralign.text.cutting import ShardSizes

# What is set aside for the program and for each word of the vocabularies before memory is shared out.
_PROGRAM = 200_000_000
_WORD = 250
# What a cell of a shard takes at most while it is worked on, and a word pair while the lexicon is put together, each
# worker.
_CELL = 9
_PAIR = 26
# The same for workers that are processes of their own: what one takes without a bound, a cell of a shard, and a word
# pair of a piece.
_WORKER = 1_000_000_000
_CELL_AT_MOST = 12
_PAIR_AT_MOST = 50
# However much memory there is, a piece that lies somewhere else should not take long to come.
_PIECE_AT_MOST = 10_000_000
# Without a bound: a shard is no larger, except in texts so large that there would be more than fifty. Larger ones
# list fewer word pairs twice, so less is written and read.
_SHARD = 40_000_000
_PIECE = 2_000_000
_MOST_SHARDS = 50
_LEAST_SHARD = 200_000
# The most cells of a chunk, without and with a bound.
_LARGE_CHUNK = 4_000_000
_CHUNK = 500_000
# What is kept in memory rather than in files, without a bound.
_KEPT = 8_000_000
#: The least bound on memory.
LEAST_MEMORY = 300_000_000


@dataclass(frozen=True)
class Resources:
    """What a training run may use.

    Attributes:
        memory: So many bytes of memory at most, or nothing for what suits the text.
        scratch: Where what does not fit into memory goes; nothing for where temporary files go.
        checkpoint: A directory that keeps the state of training, so that it can be stopped and go on.
        each_worker: Whether memory is meant for each worker, since it is a process of its own.
    """

    memory: int | None = None
    scratch: str | Path | None = None
    checkpoint: str | Path | None = None
    each_worker: bool = False

    @classmethod
    def of(
        cls,
        memory: str | int | None = None,
        scratch: str | Path | None = None,
        checkpoint: str | Path | None = None,
        each_worker: bool = False,
    ) -> Resources:
        """Resources as users name them; memory may be such as ``"2G"``.

        Raises:
            UsageError: A size makes no sense, or a directory is not there.
        """
        size = None if memory is None else parse_size(memory)
        if size is not None and size < LEAST_MEMORY:
            raise UsageError(f"training takes at least {LEAST_MEMORY // 10**6}M of memory, not {memory}")
        if scratch is not None and not Path(scratch).is_dir():
            raise UsageError(f"{scratch}: there is no such directory for scratch files; make it first")
        return cls(size, scratch, checkpoint, each_worker)

    @property
    def kept(self) -> int:
        """How many bytes of what training writes down may stay in memory."""
        return _KEPT if self.memory is None else max(self.memory - _PROGRAM, 0) // 8

    @property
    def chunk(self) -> tuple[int, int]:
        """About how many cells of text are read before they are put aside; no shard can be smaller than a chunk."""
        return ShardSizes.chunk, _LARGE_CHUNK if self.memory is None else _CHUNK

    def sizes(self, cells: int, words: int, workers: int) -> ShardSizes:
        """How a text with so many cells and different words is cut for so many workers."""
        shard = max(min(cells // (9 * workers), _SHARD), _LEAST_SHARD, cells // _MOST_SHARDS)
        piece = max(_PIECE, cells // (30 * _MOST_SHARDS))
        if self.each_worker:
            left = max((self.memory or _WORKER) - PROCESS - words * WORD_SENT, LEAST_MEMORY // 4)
            shard, piece = min(shard, left // _CELL_AT_MOST), min(piece, left // _PAIR_AT_MOST, _PIECE_AT_MOST)
        elif self.memory is not None:
            left = max(self.memory - _PROGRAM - words * _WORD, LEAST_MEMORY // 4)
            shard = min(shard, left // 4 // workers // _CELL)
            piece = min(piece, left // 3 // workers // _PAIR)
        return ShardSizes(shard=max(shard, 1), piece=max(piece, 1))

    def needs(self, work: Workload, workers: int) -> Needs:
        """What it takes to train on a text with so many workers; if they are processes, what the fullest takes."""
        sizes = self.sizes(work.cells, work.words, workers)
        if self.each_worker:
            return Needs(max(worker_memory(work, sizes), driver_memory(work)), work.written)
        kept = 0 if self.checkpoint is not None else min(self.kept, work.written)
        return Needs(process_memory(work, sizes, workers) + kept, work.written - kept)
