"""Expectation maximisation, for every model and every constraint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from pralign.constraints.projection import Projection
from pralign.constraints.solver import Effort, Outcome
from pralign.engine import Engine
from pralign.kernels.arrays import Contributions, Int
from pralign.models import get_model
from pralign.models.base import Arrays, Shape
from pralign.models.bidirectional import BidirectionalModel, Block, Expectations, Statistics
from pralign.models.estimation import Estimation
from pralign.models.ibm1 import IBM1
from pralign.models.lexicon import Lexicon
from pralign.models.memory import Memory
from pralign.models.prior import Prior
from pralign.text.classes import DEFAULT_CLASSES, word_classes
from pralign.text.corpus import Corpus, blocks
from pralign.text.index import PairIndex
from pralign.training.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Progress:
    """How far training has come. What an iteration found is set when it ends.

    Attributes:
        model: The model being trained.
        iteration: Its current iteration, from one.
        iterations: How many it will have, at most.
        done: The share of the iteration's work that is done, between zero and one.
        log_likelihood: Forward and reverse log-likelihood of the text under the parameters the iteration began with.
        effort: What the projections of the iteration cost, if there is a constraint.
        quality: How good the model now is, if training is to stop when it gets no better: the area of its quality.
        aer: The lowest error rate it can reach, likewise.
        kept: The iteration whose model is the result, if training stops here because this one's is no better.
    """

    model: str
    iteration: int
    iterations: int
    done: float
    log_likelihood: tuple[float, float] | None = None
    effort: Effort | None = None
    quality: float | None = None
    aer: float | None = None
    kept: int | None = None


class Quality(NamedTuple):
    """How good a model is on labelled pairs.

    Attributes:
        area: The area under the precision-recall curve of its posteriors, by which training stops.
        aer: The lowest alignment error rate on that curve, at whatever threshold.
    """

    area: float
    aer: float


Listener = Callable[[Progress], None]
Judge = Callable[[BidirectionalModel], Quality]


@dataclass(frozen=True)
class Task:
    """What is to be learned from, and how.

    Attributes:
        corpus: The pairs.
        index: Their cells.
        schedule: The models to train, each starting from the lexicon of the one before.
        engine: Where the work is done.
        estimation: How probabilities follow from expected counts.
        prior: What is known before, as counts that are added to those of every iteration.
        projection: What the posteriors of the last model of the schedule are projected onto.
        projection_from: The iteration of that model with which projecting begins.
        judge: How good a model is; the last model of the schedule is trained until its area gets no larger.
        classes: How many classes the words of each side are put into, for models that look at classes.
        pegging: Whether models that search for alignments search more widely.
    """

    corpus: Corpus
    index: PairIndex
    schedule: Schedule
    engine: Engine
    estimation: Estimation = field(default_factory=Estimation)
    prior: Prior | None = None
    projection: Projection | None = None
    projection_from: int = 1
    judge: Judge | None = None
    classes: int = DEFAULT_CLASSES
    pegging: bool = False


class Trained(NamedTuple):
    """A trained model, and the iterations that made it."""

    model: BidirectionalModel
    schedule: Schedule


def train(task: Task, listener: Listener = lambda progress: None) -> Trained:
    """Train each model of the schedule in turn.

    Every iteration of a model that sums over all alignments raises the log-likelihood of the text, forward and reverse
    together (with smoothing, that of text and parameters), if estimated by EM; IBM 3 and IBM 4, which search, the HMM
    with fertilities, whose factors come from the iteration before, and the other estimators promise nothing. With a
    constraint it raises that less the divergence of the projections, which for the symmetric one, where both
    directions are halves of a single distribution, counts twice. The result is the same for any number of threads.
    """
    corpus, index = task.corpus, task.index
    lexicon = Lexicon.uniform(index.table, len(corpus.target))
    shapes = _shapes(task)
    work = training_blocks(corpus, index)
    model = BidirectionalModel(lexicon, IBM1(), IBM1())
    # IBM 1 expects a little of everything, which would be too much to keep; as a start it has no need to leave it out.
    own: list[Contributions | None] = [None] * len(work)
    done: list[tuple[str, int]] = []
    for stage, (name, iterations) in enumerate(task.schedule, start=1):
        kind = get_model(name)
        before = (model.forward, model.reverse) if done else (None, None)
        forward, reverse = (kind.initial(*each) for each in zip(shapes, before, strict=True))
        start = BidirectionalModel(model.lexicon, forward, reverse)
        start = _fit_to_paths(start, model, work, task) if kind.follows else start
        last = stage == len(task.schedule)
        leaving = task.estimation.leaves_out and (last or kind is not IBM1)
        run = _Run(
            task, work, task.projection if last else None, task.judge if last else None, own if leaving else None
        )
        model, made = run(start, iterations, listener)
        done.append((name, made))
    return Trained(model, tuple(done))


def _shapes(task: Task) -> tuple[Shape, Shape]:
    """The training text as the forward and as the reverse direction see it."""
    corpus, pairs = task.corpus, task.index.pairs
    texts, words = corpus.texts, (len(corpus.source), len(corpus.target))

    @cache
    def classes() -> tuple[Int, Int]:
        sides = (texts.source, texts.source_start, words[0]), (texts.target, texts.target_start, words[1])
        source, target = task.engine.map(lambda side: word_classes(*side, task.classes), sides)
        return source, target

    source, target = corpus.source_lengths[pairs], corpus.target_lengths[pairs]
    return (
        Shape(source, target, *words, classes, task.pegging),
        Shape(target, source, *words[::-1], lambda: classes()[::-1], task.pegging),
    )


def _fit_to_paths(
    model: BidirectionalModel, before: BidirectionalModel, work: Sequence[Block], task: Task
) -> BidirectionalModel:
    """The model with parameters that suit the best paths of the model ``before`` it."""
    totals = model.forward.no_counts(), model.reverse.no_counts()

    def count(block: Block) -> tuple[Arrays, Arrays]:
        lattices = before.lattices(block)
        forward, reverse = before.viterbi(lattices)
        return (
            model.forward.counts_of_paths(lattices.forward, block.texts, block.pairs, forward),
            model.reverse.counts_of_paths(lattices.reverse, block.turned, block.pairs, reverse),
        )

    for forward_counts, reverse_counts in task.engine.map(count, work):
        model.forward.add_parts(totals[0], forward_counts)
        model.reverse.add_parts(totals[1], reverse_counts)
    forward = model.forward.maximise(totals[0], task.estimation.positional)
    reverse = model.reverse.maximise(totals[1], task.estimation.positional)
    return BidirectionalModel(model.lexicon, forward, reverse)


def training_blocks(corpus: Corpus, index: PairIndex) -> list[Block]:
    """The blocks of the pairs that are trained on."""
    cells = np.diff(index.cells.start)
    return [Block(corpus.texts, index.cells, pairs) for pairs in blocks(index.pairs, cells)]


@dataclass(frozen=True)
class _Run:
    """The iterations of one model; ``own`` are the counts that each block has added and that are left out for it."""

    task: Task
    work: Sequence[Block]
    projection: Projection | None
    judge: Judge | None
    own: list[Contributions | None] | None = None

    def __call__(
        self, model: BidirectionalModel, iterations: int, listener: Listener
    ) -> tuple[BidirectionalModel, int]:
        """The trained model, and how many iterations made it."""
        best: float | None = None
        for iteration in range(1, iterations + 1):
            statistics, effort = model.no_statistics(), Effort()
            projection = self.projection if iteration >= self.task.projection_from else None
            for done, outcome in self._accumulate(model, statistics, projection):
                effort = effort if outcome is None else effort.plus(outcome)
                listener(Progress(model.name, iteration, iterations, done))
            learned = model.m_step(statistics, self.task.estimation, self.task.prior)
            likelihood = (float(statistics.log_likelihood[0]), float(statistics.log_likelihood[1]))
            del statistics  # which may take a gigabyte
            if self.own is not None and (self.judge or iteration == iterations):
                learned = replace(learned, memory=self._memory())
            area, aer = self.judge(learned) if self.judge else (None, None)
            cost = effort if projection else None
            worse = area is not None and best is not None and area <= best
            kept = iteration - 1 if worse else None
            listener(Progress(model.name, iteration, iterations, 1.0, likelihood, cost, area, aer, kept))
            if kept is not None:
                return model, kept
            model, best = learned, area
        return model, iterations

    def _memory(self) -> Memory:
        kept = [part for part in self.own or () if part is not None]
        return Memory.of(self.task.corpus.texts, [block.pairs for block in self.work], kept)

    def _accumulate(
        self, model: BidirectionalModel, total: Statistics, projection: Projection | None
    ) -> Iterator[tuple[float, Outcome | None]]:
        """Sum the statistics of all blocks into ``total``, yielding the share that is done and how a block went."""
        own = self.own

        def expect(number: int) -> tuple[Expectations, Outcome | None]:
            block, outcome = self.work[number], None
            lattices = model.lattices(block, None if own is None else own[number])
            if projection:
                lattices, outcome = projection(model, block, lattices)
            return model.e_step(block, lattices, keeping=own is not None), outcome

        for number, (part, outcome) in enumerate(self.task.engine.map(expect, range(len(self.work)))):
            model.add(total, part)
            if own is not None:
                own[number] = part.kept
            yield (number + 1) / len(self.work), outcome
