"""What training tells while it goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

from pralign.constraints.solver import ProjectionCost
from pralign.memory import memory_of_process

Answer = TypeVar("Answer")

BY_OTHERS = "each pair by the others"
"""The log-likelihood of each pair by what all others have taught."""

# Whoever listens hears of pairs that are aligned as they come about so often, in seconds; a clock is looked at every
# so many pairs.
_SECONDS_BETWEEN = 1.0
_PAIRS_BETWEEN = 100


@dataclass(frozen=True, slots=True)
class Progress:
    """How far training has come. What an iteration found is set when it ends.

    Attributes:
        model: The model being trained.
        iteration: Its current iteration, from one.
        iterations: How many it will have, at most.
        done: The share of the iteration's work that is done, between zero and one.
        log_likelihood: Forward and reverse log-likelihood of the text under the parameters the iteration began with.
        cost: What the projections of the iteration cost, if there is a constraint.
        quality: How good the model now is, if training is to stop when it gets no better.
        kept: The iteration whose model is the result, if training stops here because this one's is no better.
        phase: Whether kernels are compiled, or text is trained on or aligned.
        shards: How many shards, or kernels, there are.
        shards_done: How many of them are done.
        pieces: How many pieces the lexicon has; they are put together when all shards are done.
        pieces_done: How many of them are done.
        pairs: How many sentence pairs there are; zero if that is not known yet.
        iterations_left: How many iterations follow this one, of all models.
        memory: The most memory that a process at work has taken, in bytes.
        kind: What makes the log-likelihood another number than that of the text under a plain model, and usually a
            lower one: ``"with fertilities"``, or ``"each pair by the others"`` if what a pair has added to the counts
            is left out when it is looked at. It falls where such a kind begins.
        steps: How many steps each projection takes, converged or not; zero if it goes on until it is exact enough.
        aligned: How many sentence pairs have been aligned, where they are aligned as they come.
    """

    model: str
    iteration: int
    iterations: int
    done: float
    log_likelihood: tuple[float, float] | None = None
    cost: ProjectionCost | None = None
    quality: Quality | None = None
    kept: int | None = None
    phase: Literal["compile", "train", "align"] = "train"
    shards: int = 0
    shards_done: int = 0
    pieces: int = 0
    pieces_done: int = 0
    pairs: int = 0
    iterations_left: int = 0
    memory: int = 0
    kind: tuple[str, ...] = ()
    steps: int = 0
    aligned: int = 0

    @property
    def ends(self) -> bool:
        """Whether an iteration, or all of aligning, is at its end."""
        return self.log_likelihood is not None or (self.phase == "align" and self.done == 1)


class Quality(NamedTuple):
    """How good a model is on labelled pairs.

    Attributes:
        area: The area under the precision-recall curve of its posteriors, by which training stops.
        aer: The lowest alignment error rate on that curve, at whatever threshold.
    """

    area: float
    aer: float


Listener = Callable[[Progress], None]


def ignore(progress: Progress) -> None:
    """A listener that does not care."""


def telling(
    answers: Iterable[Answer], listener: Listener, model: str, seconds: float = _SECONDS_BETWEEN
) -> Iterator[Answer]:
    """Hand on answers that come one a pair, and tell how many came; nobody knows how many there will be."""
    count, told = 0, time.monotonic()
    listener(_aligning(model, 0))
    for count, answer in enumerate(answers, start=1):
        yield answer
        if count % _PAIRS_BETWEEN == 0 and time.monotonic() - told >= seconds:
            told = time.monotonic()
            listener(_aligning(model, count))
    listener(_aligning(model, count, done=1))


def _aligning(model: str, count: int, done: float = 0) -> Progress:
    memory = memory_of_process()
    return Progress(model, 1, 1, done, phase="align", pairs=count if done else 0, aligned=count, memory=memory)
