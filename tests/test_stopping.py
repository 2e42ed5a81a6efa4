"""Compiled functions stop when they are asked to, and what they have half done is no result."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from pralign import Aligner, MatchingAligner, sample, stopping
from pralign.engine import ThreadEngine
from pralign.kernels.compile import kernel
from pralign.kernels.itg import ItgLimits, parse_block
from pralign.kernels.stopping import stop_if_asked
from pralign.links.formats import read_alignments
from pralign.text.bitext import Bitext
from pralign.text.classes import word_classes

PAIRS = list(Bitext.read(sample.SOURCE, sample.TARGET))[:40]
GOLDS = list(read_alignments(sample.GOLD, "gold"))[:40]
LABELLED = [(*pair, gold) for pair, gold in zip(PAIRS, GOLDS, strict=True)]


@kernel
def spin(rounds):
    """Count for a very long time."""
    total = 0
    for _ in range(rounds):
        stop_if_asked()
        for k in range(1000):
            total += k & 3
    return total


@pytest.fixture
def stop() -> Iterator[Callable[[float], None]]:
    """Asks all kernels to stop after some seconds, until the test is over."""
    over, threads = threading.Event(), []

    def ask(seconds: float) -> None:
        time.sleep(seconds)
        with stopping.requested():
            over.wait()

    def later(seconds: float) -> None:
        threads.append(threading.Thread(target=ask, args=(seconds,)))
        threads[-1].start()

    yield later
    over.set()
    for thread in threads:
        thread.join()


def test_a_kernel_that_nobody_stops_goes_on():
    assert spin(10) == 15_000


def test_a_kernel_stops_in_the_middle(stop):
    spin(1)  # compile
    stop(0.2)
    began = time.monotonic()
    with pytest.raises(stopping.Stopped):
        spin(10**12)
    assert 0.1 < time.monotonic() - began < 5


def test_a_long_parse_stops_in_the_middle(stop):
    words = 300
    links = np.random.default_rng(1).random((words, words), np.float32)
    lengths, marks = np.array([words], np.int32), np.zeros(links.size, np.bool_)
    arguments = (np.array([0, links.size]), ItgLimits(), marks, np.zeros(1))
    parse_block(links[:2, :2].ravel(), lengths // 150, lengths // 150, *arguments)  # compile
    stop(0.2)
    began = time.monotonic()
    with pytest.raises(stopping.Stopped):
        parse_block(links.ravel(), lengths, lengths, *arguments)  # takes half a minute
    assert time.monotonic() - began < 5


def test_who_cleans_up_after_an_interrupt_does_so_after_a_stop():
    with pytest.raises(KeyboardInterrupt), stopping.requested():
        spin(1)


def test_all_requests_have_to_be_over():
    with stopping.requested():
        with stopping.requested():
            pass
        with pytest.raises(stopping.Stopped):
            spin(1)
    assert spin(1) == 1500


@pytest.mark.parametrize("model", ["ibm1", "ibm2", "hmm", "fhmm", "ibm3", "ibm4"])
@pytest.mark.parametrize("estimator", ["em", "vb", "collapsed"])
def test_no_training_goes_on(model, estimator):
    with stopping.requested(), pytest.raises(stopping.Stopped):
        Aligner(model=model, estimator=estimator, threads=1).fit(PAIRS)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("decode", ["posterior", "viterbi", "itg", "matching"])
def test_no_aligning_goes_on_and_afterwards_it_is_as_before(decode, threads):
    aligner = Aligner(model="hmm", iterations="ibm1=1,hmm=1", decode=decode, threads=threads).fit(PAIRS)
    before = list(aligner.align(PAIRS))
    with stopping.requested(), pytest.raises(stopping.Stopped):
        list(aligner.align(PAIRS))
    assert list(aligner.align(PAIRS)) == before


def test_no_matching_is_learned():
    with stopping.requested(), pytest.raises(stopping.Stopped):
        MatchingAligner(features="dice,distance").fit(PAIRS, labelled=LABELLED)


def test_no_classes_are_sought():
    with stopping.requested(), pytest.raises(stopping.Stopped):
        word_classes(np.arange(40, dtype=np.int32) % 9, np.array([0, 20, 40]), words=9, classes=3)


class TestThreads:
    def test_an_interrupt_of_who_waits_stops_those_who_work(self):
        started, ends = threading.Event(), []

        def work(number: int) -> int:
            started.set()
            try:
                return int(spin(10**12))
            finally:
                ends.append(number)

        def items() -> Iterator[int]:
            yield from range(2)
            started.wait()
            raise KeyboardInterrupt

        spin(1)
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            list(ThreadEngine(2).map(work, items()))
        assert time.monotonic() - began < 5
        assert len(ends) >= 1
        assert spin(1) == 1500  # others may work again

    def test_a_failure_of_who_waits_stops_nobody(self):
        def items() -> Iterator[int]:
            yield from range(2)
            raise ValueError("no more")

        done = []
        with pytest.raises(ValueError, match="no more"):
            list(ThreadEngine(2).map(lambda number: done.append(spin(10_000)), items()))
        assert set(done) <= {15_000_000}
        assert done
