from __future__ import annotations

import threading
import time

import pytest

from pralign.engine import ThreadEngine


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_results_come_in_order_whoever_finishes_first(threads):
    def work(item):
        time.sleep(0.002 * (item % 3))
        return 10 * item

    assert list(ThreadEngine(threads).map(work, range(20))) == [10 * item for item in range(20)]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_results_in_any_order_are_all_there(threads):
    def work(item):
        time.sleep(0.002 * (item % 3))
        return 10 * item

    assert sorted(ThreadEngine(threads).run(work, range(20))) == [10 * item for item in range(20)]


def test_a_slow_item_does_not_hold_up_the_others():
    others_are_done = threading.Event()

    def work(item):
        if item == 0:
            assert others_are_done.wait(10)
        return item

    results = ThreadEngine(2).run(work, range(5))
    assert [next(results) for _ in range(4)] == [1, 2, 3, 4]
    others_are_done.set()
    assert list(results) == [0]


@pytest.mark.parametrize("way", ["run", "map"])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_only_a_few_items_are_taken_ahead(threads, way):
    taken = []

    def items():
        for item in range(1000):
            taken.append(item)
            yield item

    results = getattr(ThreadEngine(threads), way)(abs, items())
    assert len({next(results) for _ in range(3)}) == 3
    assert len(taken) <= 3 + 2 * threads
    results.close()


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_comes_where_its_result_would_have_come(threads):
    def work(item):
        if item == 2:
            raise ValueError("two")
        return item

    results = ThreadEngine(threads).map(work, range(100))
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(ValueError, match="two"):
        next(results)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("pralign")]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_any_order_is_not_swallowed(threads):
    def work(item):
        if item == 50:
            raise ValueError("fifty")
        return item

    with pytest.raises(ValueError, match="fifty"):
        list(ThreadEngine(threads).run(work, range(100)))
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("pralign")]


def test_there_is_at_least_one_thread():
    assert ThreadEngine().workers >= 1
    assert ThreadEngine(3).workers == 3
    with pytest.raises(ValueError, match="at least one thread"):
        ThreadEngine(0)
