"""Constraints of which a saved aligner knows only the name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pralign.constraints.base import Constraint
from pralign.constraints.features import Feature
from pralign.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Unavailable(Constraint):
    """Stands for somebody's own constraint, which an aligner was trained with and which was not given again."""

    name: str  # type: ignore[misc]

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        """There is nothing to tell."""
        raise UsageError(
            f"the aligner was trained with a constraint of its own, {self.name}: give it again as constraint=... when "
            "loading, or do without it by project_at_decode=False (--no-project-at-decode on the command line)"
        )
