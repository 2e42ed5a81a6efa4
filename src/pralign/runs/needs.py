"""How much memory and disk training takes: the formulas, in one place.

They follow from what lies in memory at the same time. A worker has a shard with the probabilities and counts of its
word pairs, or puts a piece of the lexicon together; the program itself has the words. The constants were fitted to runs
on 10,000 to a million pairs of three languages (``benchmarks/planning.py`` repeats the comparison).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from typing import NamedTuple

from pralign.runs.recipe import Recipe
from pralign.text.cutting import ShardSizes
from pralign.text.forms import share_in_characters
from pralign.text.shard import CELLS_AT_ONCE
from pralign.text.sharding import ShardedCorpus

# Memory. The program with its compiled kernels; a process that only works, with what keeps it in touch with others.
_PROGRAM = 150_000_000
PROCESS = 250_000_000
# The same for one that leads others, and what it takes for each word.
_DRIVER = 220_000_000
_WORD_LED = 320
# A word of the vocabularies: its spelling in lists and dictionaries and what is known of it; its forms; the part of
# that which workers are sent.
_WORD = 500
_WORD_FORMS = 500
WORD_SENT = 200
# The E-step of a shard: a cell of a tile, a word pair that it lists, a sentence pair without and with its own counts.
_TILE_CELL = 6
_BLOCK = 15_000_000
_SHARD_LISTED = 45
_SHARD_PAIR = 200
_SHARD_OWN = 1_500
_PROJECTION = 50_000_000
# A piece of the lexicon: a listed word pair while it is indexed, a different one in the M-step.
_INDEXED = 28
_MAXIMISED = 40
# An entry while classes that are spread over pieces are put together. Most are of frequent words, so the largest part
# has far more than its share.
_MERGED = 70
_LARGEST_PART = 1.3
# The links of a sentence pair that wait to be written.
_LINKS = 600

# Files, in bytes. Of a listed word pair: its partner, its place in the lexicon, its probabilities, and its counts, of
# which those that are zero are left out. Of a different word pair: its partner. Of a running word: its number. Of a
# sentence pair: where it begins; of a running word, what a pair keeps of its own counts.
_FILE_LISTED = 4
_FILE_SLOT = 4
_FILE_PROBABILITY = 8
_FILE_COUNTS = 5
_FILE_DISTINCT = 4
_FILE_TOKEN = 4
_FILE_PAIR = 25
_FILE_OWN_TOKEN = 12
# Of a word pair whose classes are spread over the lexicon: counted in every piece, and put together.
_FILE_CLASS = 40


@dataclass(frozen=True)
class Workload:
    """How much there is to do: what memory, disk and time follow from.

    Attributes:
        pairs: Sentence pairs.
        tokens: Running words of both sides.
        cells: Source words times target words, summed over pairs.
        words: Different words of both sides.
        listed: Word pairs that shards list, all together.
        distinct: Different word pairs.
        leaves_out: Whether each pair learns from the counts of all others, so that its own are kept.
        relatives: Whether words lean on their relatives.
        projects: Whether there is a constraint.
        characters: The share of target words in Chinese characters or kana, whose relatives are not neighbours.
    """

    pairs: int
    tokens: int
    cells: int
    words: int
    listed: int
    distinct: int
    leaves_out: bool = False
    relatives: bool = False
    projects: bool = False
    characters: float = 0.0

    @classmethod
    def of(cls, corpus: ShardedCorpus, recipe: Recipe) -> Workload:
        """What training on a text will be like."""
        return cls(
            corpus.pairs,
            corpus.tokens,
            corpus.cells,
            len(corpus.source) + len(corpus.target),
            corpus.listed,
            int(corpus.target_partners.sum()),
            recipe.estimator.leaves_out,
            recipe.settings.relatives > 0,
            recipe.constraint is not None,
            share_in_characters(corpus.target.words),
        )

    @property
    def written(self) -> int:
        """The most bytes of files at any time: when an iteration ends, old and new parameters are there."""
        own = _FILE_OWN_TOKEN * self.tokens if self.leaves_out else 0
        text = _FILE_TOKEN * self.tokens + _FILE_PAIR * self.pairs
        of_listed = _FILE_LISTED + _FILE_SLOT + 2 * _FILE_PROBABILITY + _FILE_COUNTS
        classes = int(_FILE_CLASS * self.spread * self.distinct)
        return text + 2 * own + classes + of_listed * self.listed + _FILE_DISTINCT * self.distinct

    @property
    def spread(self) -> float:
        """The share of word pairs whose relatives are spread over the lexicon, so that they are counted apart."""
        return self.characters if self.relatives else 0.0


class Needs(NamedTuple):
    """What training takes, in bytes.

    Attributes:
        memory: At most so much at any time, of one process.
        disk: In files, at most so much at any time.
    """

    memory: int
    disk: int


class Traffic(NamedTuple):
    """What passes between workers and files in an iteration, in bytes, and how many files are written."""

    read: int
    written: int
    files: int


def shards_of(work: Workload, sizes: ShardSizes) -> int:
    """Into how many shards a text is cut."""
    return max(ceil(work.cells / sizes.shard), 1)


def pieces_of(work: Workload, sizes: ShardSizes) -> int:
    """Into how many pieces the lexicon is cut."""
    return max(ceil(work.listed / sizes.piece), 1)


def program_memory(work: Workload) -> int:
    """What the program takes before anything is worked on: itself, and the words."""
    return _PROGRAM + work.words * (_WORD + (_WORD_FORMS if work.relatives else 0))


def driver_memory(work: Workload) -> int:
    """What the process takes that leads others, which do the work: itself, and the words."""
    return _DRIVER + _WORD_LED * work.words


def shard_memory(work: Workload, sizes: ShardSizes) -> int:
    """What the E-step of one shard takes."""
    shards = shards_of(work, sizes)
    of_pair = _SHARD_OWN if work.leaves_out else _SHARD_PAIR
    tile = _TILE_CELL * min(CELLS_AT_ONCE, work.cells // shards) + _BLOCK
    projection = _PROJECTION if work.projects else 0
    return tile + projection + (_SHARD_LISTED * work.listed + of_pair * work.pairs) // shards


def piece_memory(work: Workload, sizes: ShardSizes) -> int:
    """What it takes to put one piece of the lexicon together."""
    listed = min(sizes.piece, work.listed)
    return max(_INDEXED * listed, _MAXIMISED * listed * work.distinct // max(work.listed, 1))


def merging_memory(work: Workload, sizes: ShardSizes) -> int:
    """What it takes to put together the classes of words whose relatives are spread over the lexicon."""
    share = min(_LARGEST_PART / sqrt(pieces_of(work, sizes)), 1.0)
    return int(_MERGED * share * work.spread * work.distinct)


def process_memory(work: Workload, sizes: ShardSizes, workers: int) -> int:
    """What one process takes in which so many threads work."""
    shards = shards_of(work, sizes)
    at_work = min(workers, shards) * shard_memory(work, sizes)
    put_together = min(workers, pieces_of(work, sizes)) * piece_memory(work, sizes)
    waiting = min(2 * workers + 1, shards) * _LINKS * work.pairs // shards
    decoding = min(workers, shards) * (shard_memory(work, sizes) // 2) + waiting
    return program_memory(work) + max(at_work, put_together, merging_memory(work, sizes), decoding)


def worker_memory(work: Workload, sizes: ShardSizes) -> int:
    """What a process takes that works on one shard or piece at a time, for another that leads."""
    at_work = max(shard_memory(work, sizes), piece_memory(work, sizes), merging_memory(work, sizes))
    return PROCESS + WORD_SENT * work.words + at_work


def traffic(work: Workload, sizes: ShardSizes) -> Traffic:
    """What an iteration reads and writes, if nothing is kept in memory.

    An E-step reads its shard, its probabilities and its own counts, and writes counts and own counts. An M-step reads
    counts, and the places of word pairs twice: to add counts up, and to give each shard its own. Classes that are
    spread over pieces need the counts once more.
    """
    own = _FILE_OWN_TOKEN * work.tokens if work.leaves_out else 0
    text = _FILE_TOKEN * work.tokens + _FILE_PAIR * work.pairs
    times = 2 if work.spread else 1
    counted = (_FILE_COUNTS + _FILE_SLOT) * times + _FILE_SLOT
    classes = int(_FILE_CLASS * work.spread * work.distinct)
    tables = (1 + times) * _FILE_DISTINCT * work.distinct
    read = text + own + (_FILE_LISTED + _FILE_PROBABILITY + counted) * work.listed + tables + 2 * classes
    written = own + (_FILE_COUNTS + _FILE_PROBABILITY) * work.listed + 2 * classes
    shards, pieces = shards_of(work, sizes), pieces_of(work, sizes)
    return Traffic(read, written, (3 if work.leaves_out else 2) * shards + pieces)
