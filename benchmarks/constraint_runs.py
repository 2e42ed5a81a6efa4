"""Training with and without a constraint, each iteration on record, and what the trained models say of the text."""

from __future__ import annotations

import sys
import time
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import median
from typing import Any, NamedTuple

from corpora import Prepared
from pralign import Aligner, Alignment, Bitext
from pralign.constraints import Constraint, make_constraint
from pralign.constraints.solver import ProjectionCost
from pralign.evaluation import is_gappy, precision_recall_curve, tune_threshold
from pralign.links.symmetrization import symmetrize
from pralign.runs.trained import TrainedModel
from pralign.text.bitext import Pair
from pralign.text.tokens import tokens
from pralign.training.progress import Progress
from pralign.training.schedule import Schedule, default_schedule, format_schedule

UNION = "soft-union"
VIEWS = ("forward", "reverse", UNION)
UNION_OF_PATHS = "grow-diag-final-and"
NOT_PROJECTED, PROJECTED = DECODINGS = ("not projected", "projected")
# Curves are followed down to this posterior. Below it lie nearly all cells and next to no sure links.
FLOOR = 0.001
# Where a threshold that models share is looked for.
GRID = tuple(k / 10 for k in range(1, 11))
# Where gaps are counted too. Of what one direction is sure of and the other sure against, the mean is next to one half.
GAPS_AT = (0.3, 0.4, 0.5, 0.51, 0.6, 0.7)

View = dict[str, list[Alignment]]


@dataclass(frozen=True)
class Text:
    """What is trained on, and the part of it that is looked at.

    Attributes:
        pairs: All pairs: those of the test and the development set, then the training text.
        shown: The words of the test and the development set.
        parts: Where in ``shown`` each labelled set begins, and its labels.
        frequencies: How often each source word and each target word occurs in all of the text.
    """

    pairs: Bitext | list[Pair]
    shown: list[tuple[list[str], list[str]]]
    parts: dict[str, tuple[int, list[Alignment]]]
    frequencies: tuple[Counter[str], Counter[str]]

    @classmethod
    def of(cls, corpus: Prepared) -> Text:
        bitext = Bitext.read(corpus.source, corpus.target)
        frequencies: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        for pair in bitext:
            for counter, sentence in zip(frequencies, pair, strict=True):
                counter.update(tokens(str(sentence)))
        start, dev = corpus.golds["dev"]
        shown = [(tokens(str(source)), tokens(str(target))) for source, target in islice(bitext, start + len(dev))]
        return cls(bitext, shown, corpus.golds, frequencies)

    @property
    def labelled(self) -> list[tuple[list[str], list[str], Alignment]]:
        """The development set."""
        return [(*pair, gold) for pair, gold in zip(self.cut(self.shown, "dev"), self.parts["dev"][1], strict=True)]

    def cut(self, items: Sequence[Any], part: str) -> Sequence[Any]:
        """What belongs to a labelled set, of something about each pair that is shown."""
        start, golds = self.parts.get(part, (0, items))
        return items[start : start + len(golds)]

    def few(self) -> Text:
        """A little of it, to try things on."""
        pairs, golds = list(self.cut(self.shown, "dev")[:20]), self.parts["dev"][1][:20]
        return Text(pairs, pairs, {"dev": (0, golds)}, self.frequencies)


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
        constraint = make_constraint(self.constraint)
        return 0.0 if constraint is None else 2.0 if constraint.coupling == "mixture" else 1.0


class Recorder:
    """Listens to training and keeps a record of the iterations of the last model.

    ``divergence``, ``calls`` and ``unconverged`` are means over pairs; a call infers a pair in both directions,
    once without a constraint. ``objective`` is the log-likelihood less the divergences, which the iterations raise.
    ``seconds`` are those of the E-step, unknown for the first of all, which begins unheard. The M-step, which is short
    and the same for all, and the judging of the development set do not count. All threads work for ``cpu_seconds``.
    """

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._began: tuple[float, float] | None = None
        self._expected = (0.0, 0.0)
        self.iterations: list[dict[str, Any]] = []

    def __call__(self, progress: Progress) -> None:
        now = _clocks()
        if progress.log_likelihood is None:  # part of an E-step is done, perhaps the last
            self._expected = now
            return
        if progress.model == self._setting.model:
            cost, likelihood = progress.cost or ProjectionCost(pairs=1, half_calls=2), sum(progress.log_likelihood)
            seconds, cpu_seconds = _since(self._began, self._expected) if self._began else (None, None)
            record = {
                "iteration": progress.iteration,
                "log_likelihood": likelihood,
                "divergence": cost.divergence / cost.pairs,
                "calls": cost.calls / cost.pairs,
                "unconverged": cost.unconverged / cost.pairs,
                "objective": likelihood - self._setting.price * cost.divergence,
                "dev_area": progress.quality and progress.quality.area,
                "seconds": seconds,
                "cpu_seconds": cpu_seconds,
            }
            self.iterations.append(record)
        self._began = now


class Answers(NamedTuple):
    """What a model says when it decodes in one way.

    Attributes:
        posteriors: For each view of the text that is shown, the links with a posterior of at least ``FLOOR``.
        paths: For each direction the Viterbi alignments, and for the soft union what grow-diag-final-and makes of them.
        tuned: For each view, the threshold that was tuned on the development set.
        gaps: The share of gappy pairs in the text, by threshold; empty if they were not counted.
    """

    posteriors: View
    paths: View
    tuned: dict[str, float]
    gaps: dict[float, float]


@dataclass(frozen=True)
class Run:
    """A trained model's record and answers; the model itself is not kept.

    Attributes:
        setting: What was trained.
        schedule: The iterations that made the model.
        iterations: Those of the last model; the last did no good if training stopped by the development set.
        spent: How long training took, as one waits and as all threads together work.
        answers: What the model says, its posteriors projected or not.
    """

    setting: Setting
    schedule: Schedule
    iterations: list[dict[str, Any]]
    spent: tuple[float, float]
    answers: dict[str, Answers]

    def described(self) -> dict[str, Any]:
        """What is known of its training; the times of an E-step are medians, as far as they are known."""
        setting, (seconds, cpu_seconds) = self.setting, self.spent
        timed = [(each["seconds"], each["cpu_seconds"]) for each in self.iterations if each["seconds"] is not None]
        e_step, cpu_e_step = map(median, zip(*timed, strict=True)) if timed else (None, None)
        chosen = {"name": setting.name, "model": setting.model, "plain": setting.plain, "kept": self.schedule[-1][1]}
        times = {"seconds": seconds, "cpu_seconds": cpu_seconds, "e_step": e_step, "cpu_e_step": cpu_e_step}
        return chosen | {"schedule": format_schedule(self.schedule)} | times | {"iterations": self.iterations}


@dataclass(frozen=True)
class Trainer:
    """Trains on a text and asks what was trained.

    Attributes:
        text: The text.
        by_dev: Whether the development set says when to stop.
        iterations: How often the model is trained, at most; by default as often as the aligner does.
        limit: The number of words that a bridge may span without being gappy; without it, gaps are not counted.
        looked_at: How many pairs, the last of the text, are searched for such bridges; by default all.
        options: More settings of the aligner.
    """

    text: Text
    by_dev: bool
    iterations: int | None
    limit: int | None
    looked_at: int | None
    options: dict[str, Any]

    def plainly(self, iterations: int | None = None) -> Trainer:
        """The same trainer, but with so many iterations, whatever the development set says, and no look at gaps."""
        return replace(self, by_dev=False, iterations=iterations, limit=None)

    def warm_up(self, settings: Iterable[Setting]) -> None:
        """Have everything compiled, by training a little."""
        small = replace(self, text=self.text.few(), iterations=1)
        for setting in settings:
            small.train(setting)

    def train(self, setting: Setting) -> Run:
        """Train a model and ask it."""
        *before, (last, _) = default_schedule(setting.model)
        schedule = self.iterations and (*before, (last, self.iterations))
        chosen = {"model": setting.model, "constraint": setting.constraint, "tolerance": setting.tolerance}
        aligner, recorder = Aligner(**chosen, iterations=schedule, **self.options), Recorder(setting)
        began = _clocks()
        aligner.fit(self.text.pairs, listener=recorder, labelled=self.text.labelled if self.by_dev else None)
        spent, model = _since(began, _clocks()), aligner.model_
        aligner.close()
        print(f"{setting.name}: {format_schedule(model.schedule)} in {spent[0]:.1f} s", file=sys.stderr, flush=True)
        if setting.plain:
            answers = dict.fromkeys(DECODINGS, self._ask(model))
        else:  # both ways, whatever the labelled pairs decided
            answers = {way: self._ask(model.with_settings(project_at_decode=way == PROJECTED)) for way in DECODINGS}
        return Run(setting, model.schedule, recorder.iterations, spent, answers)

    def _ask(self, model: TrainedModel) -> Answers:
        posteriors, golds = {}, self.text.parts["dev"][1]
        for view in VIEWS:
            decoded = list(model.with_settings(symmetrize=view, threshold=FLOOR).decode_pairs(self.text.shown, True))
            posteriors[view] = [answer.alignment for answer in decoded]
        forward, reverse = [answer.forward for answer in decoded], [answer.reverse for answer in decoded]
        both = [symmetrize(*paths, UNION_OF_PATHS) for paths in zip(forward, reverse, strict=True)]
        paths = dict(zip(VIEWS, (forward, reverse, both), strict=True))
        curves = {
            view: precision_recall_curve(self.text.cut(found, "dev"), golds) for view, found in posteriors.items()
        }
        tuned = {view: tune_threshold(curve) for view, curve in curves.items()}
        return Answers(posteriors, paths, tuned, self._gaps(model, sorted({tuned[UNION], *GRID, *GAPS_AT})))

    def _gaps(self, model: TrainedModel, thresholds: list[float]) -> dict[float, float]:
        if self.limit is None:
            return {}
        pairs = self.text.pairs if self.looked_at is None else deque(self.text.pairs, self.looked_at)
        decoded = model.with_settings(threshold=thresholds[0]).decode_pairs(pairs)
        reached = Counter(_gappy_at(answer.alignment, thresholds, self.limit) for answer in decoded)
        gappy = [sum(pairs for most, pairs in reached.items() if most > number) for number in range(len(thresholds))]
        return {threshold: number / reached.total() for threshold, number in zip(thresholds, gappy, strict=True)}


def _gappy_at(alignment: Alignment, thresholds: Sequence[float], limit: int) -> int:
    """At how many of the thresholds, which rise, an alignment is gappy: the lowest ones, since links only get fewer."""
    if not alignment.links:
        return 0
    return bisect_left(thresholds, True, key=lambda threshold: not is_gappy(alignment.at_least(threshold), limit))


def _clocks() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def _since(began: tuple[float, float], ended: tuple[float, float]) -> tuple[float, float]:
    return ended[0] - began[0], ended[1] - began[1]
