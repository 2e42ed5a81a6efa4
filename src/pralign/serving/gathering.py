"""Requests gathered: what waits is aligned together, so that small requests share the cost of a call.

Aligning costs a millisecond a call and a fraction of that a pair. So a thread takes some pairs of each request that
waits, the one that came first before others, and aligns them at once; a long request takes several turns, and lets
others pass in between.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from pralign.errors import PralignError
from pralign.serving.resident import Answer, Words

logger = logging.getLogger("pralign")

Pair = tuple[Words, Words]
Align = Callable[[Sequence[Pair]], list[Answer]]

# So many pairs and cells are aligned at a time, and so many pairs of one request. Larger turns are hardly quicker.
_TURN_PAIRS = 128
_TURN_CELLS = 65_536
_REQUEST_PAIRS = 32
# What is less than this is left to a thread that is at work already: two share Python's lock, and each call costs.
_WORTH_A_THREAD = 32


class QueueFullError(Exception):
    """So much waits already that nothing more is taken."""


class PairFailedError(Exception):
    """A pair cannot be aligned; the message names it."""


class _Request:
    """Pairs that came together, and the answers so far."""

    def __init__(self, pairs: Sequence[Pair], loop: asyncio.AbstractEventLoop) -> None:
        self.pairs = pairs
        self.taken = 0
        self.left = len(pairs)
        self.answers: list[Answer | None] = [None] * len(pairs)
        self.failure: PairFailedError | None = None
        self.loop, self.done = loop, loop.create_future()

    def finish(self) -> None:
        """Tell who waits for it, if anybody still does."""
        with suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        if self.done.done():
            return
        if self.failure is not None:
            self.done.set_exception(self.failure)
        else:
            self.done.set_result(self.answers)


class _Part(NamedTuple):
    """Some pairs of a request."""

    request: _Request
    first: int
    pairs: Sequence[Pair]


class Gatherer:
    """Threads that align what waits.

    Args:
        align: What aligns pairs.
        threads: How many threads call it.
        most: How many pairs may wait, or be under way.
    """

    def __init__(self, align: Align, threads: int = 1, most: int = 10_000) -> None:
        self._align, self.most = align, most
        self._waiting: deque[_Request] = deque()
        self._size = 0
        self._untaken = self._busy = 0
        self._changed = threading.Condition()
        self._closed = False
        names = (f"pralign-serving-{number}" for number in range(threads))
        self._threads = [threading.Thread(target=self._work, name=name, daemon=True) for name in names]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """How many pairs wait or are under way."""
        return self._size

    async def align(self, pairs: Sequence[Pair]) -> list[Answer]:
        """The answers for some pairs.

        Raises:
            QueueFullError: Too many wait already.
            PairFailedError: One of them cannot be aligned.
        """
        if not pairs:
            return []
        request = _Request(pairs, asyncio.get_running_loop())
        with self._changed:
            if self._size + len(pairs) > self.most:
                raise QueueFullError
            self._size += len(pairs)
            self._untaken += len(pairs)
            self._waiting.append(request)
            self._changed.notify()
        answers: list[Answer] = await request.done
        return answers

    def close(self) -> None:
        """End the threads when they have done what is under way, and wait for that; what waits is dropped."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while parts := self._take():
            self._answer(parts)
            self._put_down(parts)

    def _take(self) -> list[_Part]:
        """The next pairs to be aligned together; nothing when there is an end."""
        with self._changed:
            while not self._is_worth_it() and not self._closed:
                self._changed.wait()
            parts: list[_Part] = []
            pairs = cells = 0
            unfinished: list[_Request] = []
            while self._waiting and pairs < _TURN_PAIRS and cells < _TURN_CELLS:
                request = self._waiting.popleft()
                first, size = request.taken, min(_REQUEST_PAIRS, _TURN_PAIRS - pairs)
                end = first
                while end < min(first + size, len(request.pairs)) and cells < _TURN_CELLS:
                    cells += len(request.pairs[end][0]) * len(request.pairs[end][1])
                    end += 1
                request.taken = end
                pairs += end - first
                parts.append(_Part(request, first, request.pairs[first:end]))
                if end < len(request.pairs):
                    unfinished.append(request)
            if not self._closed:
                self._waiting.extend(unfinished)
            self._untaken -= pairs
            self._busy += bool(parts)
            if self._is_worth_it():
                self._changed.notify()
            return parts

    def _is_worth_it(self) -> bool:
        return bool(self._waiting) and (self._busy == 0 or self._untaken >= _WORTH_A_THREAD)

    def _answer(self, parts: Sequence[_Part]) -> None:
        """Align pairs together or, if that fails, one by one, so that it is only the request at fault that fails."""
        try:
            answers = iter(self._align([pair for part in parts for pair in part.pairs]))
            for part in parts:
                for number in range(part.first, part.first + len(part.pairs)):
                    part.request.answers[number] = next(answers)
        except Exception:
            for part in parts:
                for number, pair in enumerate(part.pairs, start=part.first):
                    self._answer_alone(part.request, number, pair)

    def _answer_alone(self, request: _Request, number: int, pair: Pair) -> None:
        try:
            [request.answers[number]] = self._align([pair])
        except Exception as error:
            said = str(error) if isinstance(error, PralignError) else type(error).__name__
            logger.warning("a pair of %d by %d words cannot be aligned: %s", len(pair[0]), len(pair[1]), said)
            request.failure = PairFailedError(f"pair {number + 1} cannot be aligned: {said}; leave it out")

    def _put_down(self, parts: Sequence[_Part]) -> None:
        with self._changed:
            self._busy -= 1
            for part in parts:
                self._size -= len(part.pairs)
                part.request.left -= len(part.pairs)
                if part.request.left == 0:
                    part.request.finish()
