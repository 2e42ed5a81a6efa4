"""What can be said about rules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pralign.errors import UsageError
from pralign.kernels.rules import RuleLimits
from pralign.memory import parse_size

#: Ways to count rules: those of an initial phrase pair share a count of one, or each counts one.
RULE_COUNTS = ("shared", "whole")
_LONGEST, _MOST_NONTERMINALS = 30, 2
# With less, there would be more files than pairs.
_LEAST_MEMORY = 100_000_000


@dataclass(frozen=True, kw_only=True)
class RuleSettings:
    """How rules are extracted and counted, and what that may take.

    The defaults are those of Moses, which are those of Chiang (2007) but for two things: initial phrase pairs may begin
    and end with words that have no link, and a nonterminal stands for at least two source words.

    Attributes:
        max_span: The most words that an initial phrase pair has, on either side.
        max_symbols: The most words and nonterminals on the source side of a rule.
        max_nonterminals: The most nonterminals of a rule: 0, 1 or 2.
        min_hole: The fewest source words that a nonterminal stands for.
        tight: Whether initial phrase pairs begin and end with linked words, on both sides.
        count: ``"shared"`` divides a count of one among all rules of an initial phrase pair, as Chiang and Moses do;
            ``"whole"`` counts each rule once for each initial phrase pair.
        memory: How much memory strings of words may take, such as ``"1G"``, and at least 100M; the rest goes to
            disk.
        scratch: A directory for what goes to disk; by default where temporary files go.
        threads: How many threads work; by default one for each processor. The result does not depend on it.

    Example:
        >>> RuleSettings(min_hole=1, max_nonterminals=1).max_span
        10
    """

    max_span: int = 10
    max_symbols: int = 5
    max_nonterminals: int = 2
    min_hole: int = 2
    tight: bool = False
    count: str = "shared"
    memory: str | int = "500M"
    scratch: str | Path | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        bounds = {
            "max_span": (1, _LONGEST),
            "max_symbols": (1, _LONGEST),
            "max_nonterminals": (0, _MOST_NONTERMINALS),
            "min_hole": (1, _LONGEST),
        }
        for name, (least, most) in bounds.items():
            if not least <= getattr(self, name) <= most:
                raise UsageError(f"{name} lies between {least} and {most}, but {getattr(self, name)} was given")
        if self.count not in RULE_COUNTS:
            raise UsageError(f"rules are counted {' or '.join(RULE_COUNTS)}, not {self.count}")
        parse_size(self.memory)

    @property
    def memory_bytes(self) -> int:
        """How many bytes strings of words may take; no fewer than a hundred million."""
        return max(parse_size(self.memory), _LEAST_MEMORY)

    @property
    def limits(self) -> RuleLimits:
        """What rules may be like."""
        return RuleLimits(self.max_symbols, self.max_nonterminals, self.min_hole)
