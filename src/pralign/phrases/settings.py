"""What can be said about phrases."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pralign.errors import UsageError
from pralign.memory import parse_size
from pralign.phrases.smoothing import SMOOTHINGS

#: Ways to count a phrase pair: once for each alignment that allows it, or as often as it is expected to be allowed.
COUNTS = ("links", "posteriors", "nbest")
_LONGEST = 100
# With less, there would be more files than pairs.
_LEAST_MEMORY = 100_000_000


@dataclass(frozen=True, kw_only=True)
class PhraseSettings:
    """How phrase pairs are extracted, counted and scored, and what that may take.

    Attributes:
        max_length: The most words that a phrase has, on either side.
        count: ``"links"`` counts a phrase pair whenever links allow it, ``"posteriors"`` by how probable that is, and
            ``"nbest"`` by the weights of several alignments of a sentence pair.
        smoothing: How probabilities follow from counts, see :data:`~pralign.phrases.smoothing.SMOOTHINGS`.
        reordering: Whether to look at how phrases stand to their neighbours.
        memory: How much memory strings of words may take, such as ``"1G"``, and at least 100M; the rest goes to
            disk.
        scratch: A directory for what goes to disk; by default where temporary files go.
        threads: How many threads work; by default one for each processor. The result does not depend on it.

    Example:
        >>> PhraseSettings(max_length=5, smoothing="kneser-ney").max_length
        5
    """

    max_length: int = 7
    count: str = "links"
    smoothing: str = "none"
    reordering: bool = False
    memory: str | int = "500M"
    scratch: str | Path | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.max_length <= _LONGEST:
            raise UsageError(f"phrases have from 1 to {_LONGEST} words, not {self.max_length}")
        if self.count not in COUNTS:
            raise UsageError(f"phrases are counted by {', '.join(COUNTS[:-1])} or {COUNTS[-1]}, not by {self.count}")
        SMOOTHINGS.get(self.smoothing)
        parse_size(self.memory)

    @property
    def facts(self) -> frozenset[str]:
        """What tells which kernels are needed, see :mod:`pralign.kernels.signatures`."""
        oriented = {"reordering"} if self.reordering else set[str]()
        return frozenset({"phrases", f"count={self.count}"} | oriented)

    @property
    def memory_bytes(self) -> int:
        """How many bytes strings of words may take; no fewer than a hundred million."""
        return max(parse_size(self.memory), _LEAST_MEMORY)
