"""What a page asks for and is answered, as plain data: a pair, the next one, how far everything is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pralign.labelling.answers import Answer
from pralign.labelling.finishing import Finish
from pralign.labelling.learning import Learning
from pralign.labelling.session import LabellingSession
from pralign.labelling.settling import Settling
from pralign.labelling.windows import Windows

# Less probable links are not even worth a look.
_LEAST_SHOWN = 0.05
_MOST_LISTED = 200
_SNIPPET = 80
_DECIDED = ("labelled", "skipped")


@dataclass
class Desk:
    """Answers all that a page asks. Pages count pairs from 1.

    Attributes:
        session: The text and what is said of it.
        learning: What has been learned from it.
        finish: What writes it all.
        title: What the page is called.
        languages: The codes of the two languages, where they are known.
        order: In which order pairs come: ``best``, ``file``, or ``random`` for a test set.
        settling: Two annotators whose differences are to be settled, if that is what this is about.
        windows: Who has the page open.
    """

    session: LabellingSession
    learning: Learning
    finish: Finish
    title: str
    languages: tuple[str | None, str | None] = (None, None)
    order: str = "best"
    settling: Settling | None = None
    windows: Windows = field(default_factory=Windows)

    def state(self, window: str) -> dict[str, Any]:
        """How far everything is."""
        learning = self.learning
        last = learning.history[-1] if learning.history else None
        return {
            "title": self.title,
            "languages": list(self.languages),
            "pairs": len(self.session.pairs),
            "counts": self.session.counts(),
            "order": self.order,
            "test": len(self.session.test),
            "others": self.windows.others(window),
            "learning": {
                "status": "learning" if learning.busy else "idle" if learning.history else "waiting",
                "wanted": learning.wanted,
                "history": [point._asdict() for point in learning.history],
                "aer": None if last is None else last.aer,
                "model": None if last is None else last.model,
                "test": None if learning.test is None else {"aer": learning.test[0], "model": learning.test[1]},
                "to_gain": learning.to_gain,
                "version": learning.version,
            },
            "finish": self.finish.described(),
            "settling": False if self.settling is None else {"names": list(self.settling.names)},
        }

    def next(self, order: str, after: int, window: str) -> dict[str, Any]:
        """The next pair to label that nobody else has open, and why it is this one."""
        taken = self.windows.pairs_of_others(window)
        for number, reason in self._queue(order, after):
            if number not in taken and number != after and self.session.answer(number).state not in _DECIDED:
                return {"number": number + 1, "reason": reason}
        return {"number": None, "reason": None}

    def _queue(self, order: str, after: int) -> Iterable[tuple[int, str]]:
        """Pairs in the order in which they are asked for; those of a test set come first, whatever the order."""
        if self.settling is not None:
            yield from self.settling.differing
            return
        for number in sorted(self.session.test):
            yield number, "drawn at random for the test set"
        if order != "file":
            for choice in self.learning.choices:
                yield choice.number, choice.reason
        pairs = len(self.session.pairs)
        for number in (*range(after + 1, pairs), *range(min(after + 1, pairs))):
            if number not in self.session.test and all(self.session.words(number)):
                yield number, "the next one in the text"

    def pair(self, number: int, window: str) -> dict[str, Any]:
        """A pair with what is said and what is proposed of it."""
        self.windows.saw(window, number)
        source, target = self.session.words(number)
        described = {
            "number": number + 1,
            "source": list(source),
            "target": list(target),
            **self.session.answer(number).as_dict(),
            "proposals": self._proposals(number),
            "reason": self._reason(number),
            "test": number in self.session.test,
        }
        if self.settling is not None:
            described["by_proposer"] = self.settling.links(number)
        return described

    def _proposals(self, number: int) -> list[list[Any]]:
        """The probable links; none for the test set, where proposals would sway whoever labels it."""
        if number in self.session.test:
            return []
        [grid] = self.learning.proposer.grids([self.session.words(number)])
        if grid is None:
            return []
        rows, columns = np.nonzero(grid >= _LEAST_SHOWN)
        found = zip(rows.tolist(), columns.tolist(), grid[rows, columns].tolist(), strict=True)
        return [[i, j, round(probability, 4)] for i, j, probability in found]

    def _reason(self, number: int) -> str:
        if self.settling is not None:
            return next((reason for pair, reason in self.settling.differing if pair == number), "")
        if number in self.session.test:
            return "drawn at random for the test set"
        return next((choice.reason for choice in self.learning.choices if choice.number == number), "")

    def put(self, number: int, given: Mapping[str, Any], window: str) -> Answer:
        """Take an answer; see :meth:`LabellingSession.put`."""
        self.windows.saw(window, number)
        answer = self.session.put(number, given, window)
        if answer.state in _DECIDED:
            self.learning.look()
        return answer

    def listed(self, start: int, count: int, states: Sequence[str]) -> dict[str, Any]:
        """Some of the pairs that are in one of these states, shortened; ``start`` counts these alone, from 0."""
        wanted = [n for n in range(len(self.session.pairs)) if self.session.answer(n).state in states]
        reasons = {choice.number: choice.reason for choice in self.learning.choices}
        shown = wanted[start:][: min(count, _MOST_LISTED)]
        return {"pairs": [self._row(number, reasons.get(number, "")) for number in shown], "total": len(wanted)}

    def _row(self, number: int, reason: str) -> dict[str, Any]:
        source, target = (_shortened(" ".join(side)) for side in self.session.words(number))
        state = self.session.answer(number).state
        return {"number": number + 1, "source": source, "target": target, "state": state, "reason": reason}


def _shortened(text: str) -> str:
    return text if len(text) <= _SNIPPET else text[: _SNIPPET - 1] + "…"
