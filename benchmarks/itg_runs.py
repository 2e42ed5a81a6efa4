"""Training each model with each constraint, and what it says of the labelled pairs and of all of the text."""

from __future__ import annotations

import sys
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, NamedTuple

from pralign import Aligner, Alignment
from pralign.evaluation import Gaps, is_gappy, precision_recall_curve, tune_threshold
from pralign.text.bitext import Bitext
from pralign.training.schedule import format_schedule, parse_schedule
from regularisation_runs import Setting, Text

# The article constrains training alone, so labelled pairs are aligned without projecting; what it says of the training
# text comes from posteriors of the last E-step, which are projected. Here is everything both ways.
DECODINGS = ("not projected", "projected")
PROJECTED = DECODINGS[1]
GRID = tuple(k / 10 for k in range(1, 11))
# Where gaps are counted. Of what one direction is sure of and the other sure against, the mean is next to one half.
GAPS_AT = (0.3, 0.4, 0.5, 0.51, 0.6, 0.7)

# For each way to decode, the threshold that all constraints of a model share.
Shared = dict[str, float]


class Answers(NamedTuple):
    """What a model says when it decodes in one way.

    Attributes:
        shared: The threshold that all constraints of the model share.
        own: The threshold that was tuned on the development set for this model alone.
        links: The links of the test and the development set that reach the lowest threshold of interest, with scores.
        gaps: How many pairs of the text are gappy, by threshold, the two above among them; empty if not counted.
    """

    shared: float
    own: float
    links: list[Alignment]
    gaps: dict[float, Gaps]


@dataclass(frozen=True)
class Run:
    """A trained model's answers, one for each way to decode, and what training took; the model itself is not kept."""

    setting: Setting
    iterations: str
    seconds: float
    cpu_seconds: float
    answers: dict[str, Answers]

    @property
    def shared(self) -> Shared:
        return {decoding: answers.shared for decoding, answers in self.answers.items()}

    def described(self) -> dict[str, Any]:
        chosen = {"name": self.setting.name, "model": self.setting.model, "constraint": str(self.setting.constraint)}
        return chosen | {"iterations": self.iterations, "seconds": self.seconds, "cpu_seconds": self.cpu_seconds}


@dataclass(frozen=True)
class Trainer:
    """Trains on a text and asks what was trained.

    Attributes:
        text: The text.
        iterations: How often the last model of the schedule is trained; by default as often as the aligner does.
        limit: The number of words that a bridge may span without being gappy.
        looked_at: How many pairs, the last of the text, are searched for such bridges; by default all.
        options: More settings of the aligner.
    """

    text: Text
    iterations: int | None
    limit: int
    looked_at: int | None
    options: dict[str, Any]

    def train(self, setting: Setting, shared: Shared | None = None) -> Run:
        """Train a model; without thresholds to share, this one says what they are."""
        return self._train(setting, shared, self.iterations, whole_text=True)

    def train_once(self, setting: Setting, shared: Shared) -> Run:
        """Train a model, but with one iteration only, after those of the models before it."""
        return self._train(setting, shared, 1, whole_text=False)

    def _train(self, setting: Setting, shared: Shared | None, iterations: int | None, whole_text: bool) -> Run:
        aligner = Aligner(setting.model, schedule(setting, iterations), constraint=setting.constraint, **self.options)
        planned = aligner.get_params()["iterations"]
        print(f"training {setting.name}, {planned}", file=sys.stderr, flush=True)
        began = time.perf_counter(), time.process_time()
        aligner.fit(self.text.bitext)
        seconds, cpu_seconds = time.perf_counter() - began[0], time.process_time() - began[1]
        print(f"trained in {seconds:.1f} s", file=sys.stderr, flush=True)
        answers = {}
        for decoding in DECODINGS:
            aligner.project_at_decode = decoding == PROJECTED and not setting.plain
            answers[decoding] = self._ask(aligner, None if shared is None else shared[decoding], whole_text)
        return Run(setting, planned, seconds, cpu_seconds, answers)

    def _ask(self, aligner: Aligner, shared: float | None, whole_text: bool) -> Answers:
        own = aligner.tune(self.text.labelled).thresholds_.mean
        aligner.threshold = min(own, *GRID)
        links = list(aligner.align(self.text.shown))
        if shared is None:
            start, golds = self.text.parts["dev"]
            shared = tune_threshold(precision_recall_curve(links[start : start + len(golds)], golds, GRID))
        gaps = self._gaps(aligner, sorted({shared, own, *GAPS_AT})) if whole_text else {}
        return Answers(shared, own, links, gaps)

    def _gaps(self, aligner: Aligner, thresholds: list[float]) -> dict[float, Gaps]:
        aligner.threshold = thresholds[0]
        pairs, gappy = 0, dict.fromkeys(thresholds, 0)
        for alignment in aligner.align(self._last_pairs()):
            pairs += 1
            for threshold in thresholds:
                gappy[threshold] += is_gappy(alignment.at_least(threshold), self.limit)
        return {threshold: Gaps(pairs, number, self.limit) for threshold, number in gappy.items()}

    def _last_pairs(self) -> Bitext | list[tuple[str, str]]:
        if self.looked_at is None:
            return self.text.bitext
        return [(str(source), str(target)) for source, target in deque(self.text.bitext, self.looked_at)]


def schedule(setting: Setting, iterations: int | None) -> str:
    """The usual stages of training, the last of them with so many iterations."""
    usual = Aligner(setting.model, constraint=setting.constraint).get_params()["iterations"]
    *before, (last, number) = parse_schedule(usual)
    return format_schedule((*before, (last, iterations or number)))
