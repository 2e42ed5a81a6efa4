"""Training with and without a constraint, each iteration on record, and what the trained models say of the text."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora import Prepared
from pralign import Aligner, Alignment, Bitext
from pralign.constraints import Constraint, get_constraint
from pralign.constraints.solver import Effort
from pralign.links.symmetrization import symmetrize
from pralign.training.em import Progress
from pralign.training.schedule import parse_schedule

VIEWS = ("forward", "reverse", "soft union")
UNION_OF_PATHS = "grow-diag-final-and"
# Curves are followed down to this posterior. Below it lie nearly all cells and next to no sure links.
FLOOR = 0.001

View = dict[str, list[Alignment]]


@dataclass(frozen=True)
class Text:
    """What is trained on, and the part of it that is looked at.

    Attributes:
        bitext: All pairs: those of the test and the development set, then the training text.
        shown: The pairs of the test and the development set.
        parts: Where in ``shown`` each labelled set begins, and its labels.
        frequencies: How often each source word and each target word occurs in all of the text.
    """

    bitext: Bitext
    shown: list[tuple[str, str]]
    parts: dict[str, tuple[int, list[Alignment]]]
    frequencies: tuple[Counter[str], Counter[str]]

    @classmethod
    def of(cls, corpus: Prepared) -> Text:
        bitext = Bitext.read(corpus.source, corpus.target)
        frequencies: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        for pair in bitext:
            for counter, sentence in zip(frequencies, pair, strict=True):
                counter.update(str(sentence).split())
        start, dev = corpus.golds["dev"]
        shown = [(str(source), str(target)) for source, target in islice(bitext, start + len(dev))]
        return cls(bitext, shown, corpus.golds, frequencies)

    @property
    def labelled(self) -> list[tuple[str, str, Alignment]]:
        """The development set."""
        start, golds = self.parts["dev"]
        return [(*pair, gold) for pair, gold in zip(self.shown[start:], golds, strict=True)]


@dataclass(frozen=True)
class Setting:
    """A model and what it is constrained by; ``constraint`` is a name, or a constraint called ``title``."""

    model: str
    constraint: str | Constraint = "none"
    tolerance: float | None = None
    title: str = ""

    @property
    def name(self) -> str:
        return f"{self.model}, {self.title or self.constraint}"

    @property
    def plain(self) -> bool:
        return self.constraint == "none"

    @property
    def price(self) -> float:
        """How often the divergence is taken from the log-likelihoods of both directions together.

        A mixture of two directions has the mean of their log-likelihoods, so twice its objective has twice its
        divergence. Otherwise the divergence is that of both directions already.
        """
        if self.plain:
            return 0.0
        kind = get_constraint(self.constraint) if isinstance(self.constraint, str) else self.constraint
        return 2.0 if kind.coupling == "mixture" else 1.0


class Iteration(NamedTuple):
    """One iteration of EM.

    Attributes:
        iteration: Its number, from one.
        log_likelihood: That of both directions, under the parameters the iteration began with.
        divergence: The mean of KL(q ‖ p) over sentence pairs.
        calls: How often a sentence pair was inferred in both directions; once without a constraint.
        unconverged: The share of sentence pairs whose projection was given up.
        objective: The log-likelihood less the divergences: what the iterations raise.
        dev_area: The area under the curve of the development set afterwards, if training is to stop by it.
        seconds: How long its E-step took; unknown for the first of all, which begins unheard. The M-step, which is
            short and the same for all, and the judging of the development set do not count.
        cpu_seconds: How long all threads together worked for it.
    """

    iteration: int
    log_likelihood: float
    divergence: float
    calls: float
    unconverged: float
    objective: float
    dev_area: float | None
    seconds: float | None
    cpu_seconds: float | None


class Recorder:
    """Listens to training and keeps a record of the iterations of the last model."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._began: tuple[float, float] | None = None
        self._expected = (0.0, 0.0)
        self.iterations: list[Iteration] = []

    def __call__(self, progress: Progress) -> None:
        now = time.perf_counter(), time.process_time()
        if progress.log_likelihood is None:  # part of an E-step is done, perhaps the last
            self._expected = now
            return
        if progress.model == self._setting.model:
            began, ended = self._began, self._expected
            spent = (None, None) if began is None else (ended[0] - began[0], ended[1] - began[1])
            self.iterations.append(self._iteration(progress, sum(progress.log_likelihood), spent))
        self._began = now

    def _iteration(
        self, progress: Progress, likelihood: float, spent: tuple[float, float] | tuple[None, None]
    ) -> Iteration:
        effort = progress.effort or Effort(pairs=1, calls=1)
        return Iteration(
            progress.iteration,
            likelihood,
            effort.divergence / effort.pairs,
            effort.calls / effort.pairs,
            effort.unconverged / effort.pairs,
            likelihood - self._setting.price * effort.divergence,
            progress.quality,
            *spent,
        )


class Answers(NamedTuple):
    """What a model says of the labelled text.

    Attributes:
        posteriors: For each view, the links with a posterior of at least ``FLOOR``, and their posteriors.
        paths: For each direction the Viterbi alignments, and for the soft union what grow-diag-final-and makes of them.
    """

    posteriors: View
    paths: View


@dataclass(frozen=True)
class Run:
    """A trained model's record and answers; the model itself is not kept.

    Attributes:
        setting: What was trained.
        iterations: The iterations, the last of which did no good if training stopped by the development set.
        kept: How many of them made the model.
        answers: What the model says, its posteriors projected if it is constrained.
        unprojected: What a constrained model says without projecting.
    """

    setting: Setting
    iterations: list[Iteration]
    kept: int
    answers: Answers
    unprojected: Answers | None

    def spent(self) -> tuple[float | None, float | None]:
        """The median time of an E-step, as one waits and as all threads together work, as far as it is known."""
        waited = [iteration.seconds for iteration in self.iterations if iteration.seconds is not None]
        worked = [iteration.cpu_seconds for iteration in self.iterations if iteration.cpu_seconds is not None]
        return (median(waited), median(worked)) if waited else (None, None)


def train(setting: Setting, text: Text, by_dev: bool, **settings: Any) -> Run:
    """Train a model until the development set says stop, or for the default number of iterations, and ask it."""
    recorder = Recorder(setting)
    aligner = Aligner(setting.model, constraint=setting.constraint, tolerance=setting.tolerance, **settings)
    aligner.fit(text.bitext, recorder, text.labelled if by_dev else None)
    kept = parse_schedule(aligner.get_params()["iterations"])[-1][1]
    aligner.project_at_decode = not setting.plain  # whatever the labelled pairs decided
    answers, unprojected = consult(aligner, text.shown), None
    if not setting.plain:
        aligner.project_at_decode = False
        unprojected = consult(aligner, text.shown)
    return Run(setting, recorder.iterations, kept, answers, unprojected)


def consult(aligner: Aligner, pairs: Sequence[tuple[str, str]]) -> Answers:
    """Ask a trained aligner."""
    posteriors: View = {view: [] for view in VIEWS}
    for source, target in pairs:
        for view, values in zip(VIEWS, aligner.posteriors(source, target), strict=True):
            posteriors[view].append(_scored(values))
    decoded = list(aligner.decode_pairs(pairs, directions=True))
    forward = [answer.forward or Alignment() for answer in decoded]
    reverse = [answer.reverse or Alignment() for answer in decoded]
    both = [symmetrize(*paths, UNION_OF_PATHS) for paths in zip(forward, reverse, strict=True)]
    return Answers(posteriors, dict(zip(VIEWS, (forward, reverse, both), strict=True)))


def warm_up(settings: Sequence[Setting], text: Text, **options: Any) -> None:
    """Have everything compiled, by training a little."""
    few = Bitext(islice(text.bitext, 50))
    for setting in settings:
        aligner = Aligner(setting.model, constraint=setting.constraint, **options).fit(few, labelled=text.labelled[:2])
        consult(aligner, text.shown[:2])


def _scored(values: NDArray[np.float32]) -> Alignment:
    kept = values >= FLOOR
    return Alignment(tuple((i, j) for i, j in np.argwhere(kept).tolist()), tuple(values[kept].tolist()))
