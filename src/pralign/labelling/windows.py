"""Who has a text open: windows of a browser, which tell each time they ask for something."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

# Pages ask every few seconds; one that has not for so long is closed, or its machine asleep.
_GONE = 15.0
_MOST_WINDOWS = 1000


class Windows:
    """The windows that have asked for something lately, and the pair that each has open."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: dict[str, float] = {}
        self._pairs: dict[str, int] = {}
        self._changing = threading.Lock()

    def saw(self, window: str, pair: int | None = None) -> None:
        """A window has asked for something, perhaps for a pair."""
        with self._changing:
            if window in self._seen or len(self._seen) < _MOST_WINDOWS:
                self._seen[window] = self._clock()
            if pair is not None and window in self._seen:
                self._pairs[window] = pair
            for gone in [name for name, when in self._seen.items() if when < self._clock() - _GONE]:
                self._forget(gone)

    def left(self, window: str) -> None:
        """A window was closed."""
        with self._changing:
            self._forget(window)

    def _forget(self, window: str) -> None:
        self._seen.pop(window, None)
        self._pairs.pop(window, None)

    def others(self, window: str) -> int:
        """How many other windows there are."""
        with self._changing:
            return sum(name != window for name in self._seen)

    def pairs_of_others(self, window: str) -> set[int]:
        """The pairs that other windows have open."""
        with self._changing:
            return {pair for name, pair in self._pairs.items() if name != window}
