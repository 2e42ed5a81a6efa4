"""Expectation maximisation, for every model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pralign.engine import Engine
from pralign.models import get_model
from pralign.models.base import DirectionalModel, Shape
from pralign.models.bidirectional import BidirectionalModel, Block, Statistics
from pralign.models.lexicon import Lexicon
from pralign.text.corpus import Corpus, blocks
from pralign.text.index import PairIndex
from pralign.training.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Progress:
    """How far training has come. ``log_likelihood`` is set when an iteration ends.

    Attributes:
        model: The model being trained.
        iteration: Its current iteration, from one.
        iterations: How many it will have.
        done: The share of the iteration's work that is done, between zero and one.
        log_likelihood: Forward and reverse log-likelihood of the text under the parameters the iteration began with.
    """

    model: str
    iteration: int
    iterations: int
    done: float
    log_likelihood: tuple[float, float] | None = None


Listener = Callable[[Progress], None]


def train(
    corpus: Corpus,
    index: PairIndex,
    schedule: Schedule,
    engine: Engine,
    smoothing: float = 0.0,
    listener: Listener = lambda progress: None,
) -> BidirectionalModel:
    """Train each model of ``schedule`` in turn, each starting from the lexicon of the one before.

    Every iteration raises the log-likelihood of the text (with ``smoothing``, that of text and parameters together).
    The result is the same for any number of threads.
    """
    lexicon = Lexicon.uniform(index.table, len(corpus.target))
    source, target = corpus.source_lengths[index.pairs], corpus.target_lengths[index.pairs]
    work = training_blocks(corpus, index)
    before: tuple[DirectionalModel | None, DirectionalModel | None] = (None, None)
    for name, iterations in schedule:
        kind = get_model(name)
        forward = kind.initial(Shape(source, target), before[0])
        reverse = kind.initial(Shape(target, source), before[1])
        model = BidirectionalModel(lexicon, forward, reverse)
        for iteration in range(1, iterations + 1):
            statistics = model.no_statistics()
            for done in _accumulate(model, work, engine, statistics):
                listener(Progress(name, iteration, iterations, done))
            model = model.m_step(statistics, smoothing)
            likelihood = (float(statistics.log_likelihood[0]), float(statistics.log_likelihood[1]))
            listener(Progress(name, iteration, iterations, 1.0, likelihood))
        lexicon, before = model.lexicon, (model.forward, model.reverse)
    return model


def training_blocks(corpus: Corpus, index: PairIndex) -> list[Block]:
    """The blocks of the pairs that are trained on."""
    cells = np.diff(index.cells.start)
    return [Block(corpus.texts, index.cells, pairs) for pairs in blocks(index.pairs, cells)]


def _accumulate(model: BidirectionalModel, work: Sequence[Block], engine: Engine, total: Statistics) -> Iterator[float]:
    """Sum the statistics of all blocks into ``total``, yielding the share that is done."""
    for number, part in enumerate(engine.map(model.e_step, work), start=1):
        model.add(total, part)
        yield number / len(work)
