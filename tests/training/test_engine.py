from __future__ import annotations

import threading
import time

import pytest

from pralign.engine import Engine


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_results_come_in_order_whoever_finishes_first(threads):
    def work(item):
        time.sleep(0.002 * (item % 3))
        return 10 * item

    assert list(Engine(threads).map(work, range(20))) == [10 * item for item in range(20)]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_only_a_few_items_are_taken_ahead(threads):
    taken = []

    def items():
        for item in range(1000):
            taken.append(item)
            yield item

    results = Engine(threads).map(abs, items())
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    assert len(taken) <= 3 + 2 * threads
    results.close()


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_comes_where_its_result_would_have_come(threads):
    def work(item):
        if item == 2:
            raise ValueError("two")
        return item

    results = Engine(threads).map(work, range(100))
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(ValueError, match="two"):
        next(results)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("pralign")]


def test_there_is_at_least_one_thread():
    assert Engine().threads >= 1
    with pytest.raises(ValueError, match="at least one thread"):
        Engine(0)
