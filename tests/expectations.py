"""What posteriors expect of the features of a constraint, added up cell by cell."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from pralign import Aligner
from pralign.constraints import Constraint


class Excess(NamedTuple):
    """How far the features of a pair exceed their bounds in one direction."""

    norm: float
    features: int


def excesses(constraint: Constraint, aligner: Aligner, source: str, target: str) -> Iterator[Excess]:
    """Forward and reverse, for a constraint whose directions are projected apart; words are compared in lower case."""
    posteriors = aligner.posteriors(source, target)
    features = list(constraint.features(source.lower().split(), target.lower().split()))
    for side, link in (("forward", posteriors.forward), ("reverse", posteriors.reverse)):
        chosen = [feature for feature in features if feature.cells(side)]
        gaps = [sum(value * float(link[cell]) for cell, value in f.cells(side).items()) - f.bound for f in chosen]
        yield Excess(
            math.hypot(*(abs(gap) if f.equal else max(gap, 0) for f, gap in zip(chosen, gaps, strict=True))),
            len(chosen),
        )


def satisfied(constraint: Constraint, aligner: Aligner, source: str, target: str) -> bool:
    """Whether the posteriors of a pair satisfy the constraint, up to its tolerance and to single precision."""
    return all(
        excess.norm <= constraint.tolerance * excess.features + constraint.slack + 1e-5
        for excess in excesses(constraint, aligner, source, target)
    )
