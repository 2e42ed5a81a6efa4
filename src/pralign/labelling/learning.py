"""Learning in the background, while a person goes on labelling."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from pralign.errors import PralignError
from pralign.evaluation.counts import count_links
from pralign.evaluation.scores import Scores
from pralign.labelling.candidates import CandidatePool
from pralign.labelling.proposing import Proposer
from pralign.labelling.ranking import Choice
from pralign.labelling.session import LabellingSession
from pralign.links.alignment import Alignment
from pralign.links.labelled import Labelled

logger = logging.getLogger("pralign")

FIRST = 10
EVERY = 5
# What is ranked lasts until something was learned again, for several people too.
_AHEAD = 60
_MORE = 20
_ENOUGH_POINTS = 3


class Point(NamedTuple):
    """What was learned from so many pairs.

    Attributes:
        pairs: How many pairs were learned from.
        aer: The estimated AER of what was learned.
        model: That of the model alone, on the same pairs.
    """

    pairs: int
    aer: float
    model: float


class Learning:
    """Learns again whenever some more pairs are labelled, and ranks what is left, in a thread of its own.

    Attributes:
        proposer: What proposals come from: what was learned last.
        choices: The pairs to label next, the best first.
        history: What was learned, each time.
        version: How often ``proposer`` has changed.
        busy: Whether it is learning now.
    """

    def __init__(self, session: LabellingSession, pool: CandidatePool, proposer: Proposer) -> None:
        self._session, self._pool = session, pool
        self.proposer, self.history, self.version = proposer, list[Point](), 0
        self.choices: list[Choice] = []
        self.test: tuple[float, float] | None = None
        self.busy = False
        self._learned: dict[int, Labelled] = {}
        self._one_at_a_time = threading.Lock()
        self._wake, self._stopped = threading.Event(), False
        self._thread = threading.Thread(target=self._work, name="learning", daemon=True)

    def start(self) -> None:
        """Rank what there is, learn from what is labelled already, and go on in the background."""
        self._rank()
        self._thread.start()
        self.look()

    def look(self) -> None:
        """Something has changed: perhaps it is time to learn again."""
        self._wake.set()

    def stop(self) -> None:
        """Learn no more; what is being learned now is left alone."""
        self._stopped = True
        self._wake.set()

    @property
    def wanted(self) -> int:
        """How many more pairs have to be labelled until it learns for the first time."""
        return 0 if self.history else max(FIRST - len(self._session.labelled()), 0)

    def catch_up(self) -> None:
        """Learn now what was not learned yet, and wait for it."""
        with self._one_at_a_time:
            if self._changed() > 0:
                self._try()

    def _learn(self) -> None:
        """Learn from all that is labelled now, and rank what is left."""
        self._learned = dict(self._session.labelled())
        taught = self.proposer.learned_from(list(self._learned.values()), threads=1)
        if taught.errors is not None:
            known = [point for point in self.history if point.pairs != len(self._learned)]
            self.history = [*known, Point(len(self._learned), *taught.errors)]
        self.proposer = taught
        self.test = self._tested()
        self._rank()
        self.version += 1

    @property
    def to_gain(self) -> str | None:
        """What further labels should bring, in words."""
        if len(self.history) < _ENOUGH_POINTS:
            return None
        gain = 100 * expected_gain(self.history, _MORE)
        if gain < 0.05:
            return f"{_MORE} more pairs will hardly change anything"
        return f"{_MORE} more pairs should bring about {gain:.1f} errors less in 100 links"

    def _rank(self) -> None:
        labelled = [number for number, _ in self._session.labelled()]
        states = ((number, self._session.answer(number).state) for number in self._pool.numbers)
        done = frozenset(number for number, state in states if state in ("labelled", "skipped"))
        self.choices = self._pool.best(self.proposer, labelled, done | self._session.test, _AHEAD)

    def _changed(self) -> int:
        """How many pairs are labelled otherwise than when it learned last."""
        now = dict(self._session.labelled())
        return sum(now.get(pair) != self._learned.get(pair) for pair in now.keys() | self._learned.keys())

    def _work(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            if self._stopped:
                return
            with self._one_at_a_time:
                if len(self._session.labelled()) >= FIRST and self._changed() >= EVERY:
                    self._try()

    def _try(self) -> None:
        self.busy = True
        try:
            self._learn()
        except PralignError as error:  # such as no sure link among all labels so far
            logger.warning("nothing was learned: %s", error)
        finally:
            self.busy = False

    def _tested(self) -> tuple[float, float] | None:
        """The AER on the test set of what was learned, and of the model alone; ``None`` without one."""
        test = [example for _, example in self._session.labelled(test=True)]
        if not test or self.proposer.taught is None:
            return None
        pairs = [(source, target) for source, target, _ in test]
        return _aer(self.proposer.taught.align(pairs), test), _aer(self.proposer.model.align(pairs), test)


def expected_gain(history: Sequence[Point], more: int) -> float:
    """By how much AER should fall with so many more pairs, if it goes on falling as it did: as a + b / pairs."""
    inverse = np.array([1 / point.pairs for point in history])
    design = np.column_stack([np.ones(inverse.size), inverse])
    # Estimates from many pairs are the better ones.
    weight = np.sqrt([point.pairs for point in history])
    fitted, *_ = np.linalg.lstsq(design * weight[:, None], np.array([p.aer for p in history]) * weight, rcond=None)
    pairs = history[-1].pairs
    return max(float(fitted[1]), 0.0) * (1 / pairs - 1 / (pairs + more))


def _aer(alignments: Iterable[Alignment], test: Sequence[Labelled]) -> float:
    counts = [count_links(found, gold) for found, (*_, gold) in zip(alignments, test, strict=True)]
    return Scores(sum(counts[1:], counts[0])).aer
