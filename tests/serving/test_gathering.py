"""Requests gathered: together, in order, bounded, and each failing for itself."""

from __future__ import annotations

import asyncio
import threading

import pytest

from pralign.serving.gathering import Gatherer, PairFailedError, QueueFullError


def pairs(first, count):
    return [([str(number)], ["x"]) for number in range(first, first + count)]


class Slow:
    """Answers with the number of each pair, as soon as it is let."""

    def __init__(self):
        self.sizes, self.let, self.entered = [], threading.Event(), threading.Event()

    def __call__(self, given):
        self.entered.set()
        assert self.let.wait(30)
        self.sizes.append(len(given))
        if any(source == ["13"] for source, _ in given):
            raise ZeroDivisionError
        return [int(source[0]) for source, _ in given]


@pytest.fixture
def gathering():
    """Makes gatherers, and ends their threads afterwards."""
    made = []

    def make(*args, **settings):
        made.append(Gatherer(*args, **settings))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.mark.parametrize("threads", [1, 3])
def test_what_waits_is_aligned_together_and_answered_in_order(gathering, threads):
    align = Slow()
    gatherer = gathering(align, threads)

    async def run():
        asked = [asyncio.create_task(gatherer.align(pairs(first, 5))) for first in range(100, 600, 5)]
        asked.append(asyncio.create_task(gatherer.align(pairs(1000, 300))))
        await asyncio.to_thread(align.entered.wait, 30)
        align.let.set()
        return await asyncio.gather(*asked)

    answers = asyncio.run(run())
    assert [number for answer in answers[:-1] for number in answer] == list(range(100, 600))
    assert answers[-1] == list(range(1000, 1300))
    assert sum(align.sizes) == 800
    assert max(align.sizes) <= 128
    assert len(align.sizes) < 20
    assert gatherer.waiting == 0


def test_a_pair_that_fails_fails_its_own_request_only(gathering):
    align = Slow()
    gatherer = gathering(align)

    async def run():
        asked = [asyncio.create_task(gatherer.align(pairs(first, 5))) for first in (0, 10, 20)]
        await asyncio.to_thread(align.entered.wait, 30)
        align.let.set()
        return await asyncio.gather(*asked, return_exceptions=True)

    first, second, third = asyncio.run(run())
    assert (first, third) == ([0, 1, 2, 3, 4], [20, 21, 22, 23, 24])
    assert isinstance(second, PairFailedError)
    assert str(second) == "pair 4 cannot be aligned: ZeroDivisionError; leave it out"
    assert gatherer.waiting == 0


def test_more_than_may_wait_is_refused_and_there_is_room_again_later(gathering):
    align = Slow()
    gatherer = gathering(align, most=10)

    async def run():
        taken = asyncio.create_task(gatherer.align(pairs(100, 7)))
        await asyncio.to_thread(align.entered.wait, 30)
        with pytest.raises(QueueFullError):
            await gatherer.align(pairs(200, 4))
        align.let.set()
        assert await taken == list(range(100, 107))
        return await gatherer.align(pairs(200, 10))

    assert asyncio.run(run()) == list(range(200, 210))


def test_nothing_is_answered_with_nothing(gathering):
    assert asyncio.run(gathering(Slow()).align([])) == []


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_closing_waits_for_what_is_under_way_and_drops_the_rest(threads):
    align = Slow()
    gatherer = Gatherer(align, threads)

    async def run():
        asked = asyncio.create_task(gatherer.align(pairs(100, 2000)))
        await asyncio.to_thread(align.entered.wait, 30)
        asked.cancel()
        closing = asyncio.create_task(asyncio.to_thread(gatherer.close))
        await asyncio.sleep(0.05)
        assert not closing.done()
        align.let.set()
        await asyncio.wait_for(closing, 30)

    asyncio.run(run())
    assert sum(align.sizes) <= 128 * threads
