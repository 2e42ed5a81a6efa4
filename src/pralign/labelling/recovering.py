"""What a journal and a gold file say together, when labelling goes on.

The gold is written now and then, the journal at once, so the journal knows more. But people edit gold files, and what
they wrote there counts. A pair was edited if its line is none that the program may have written: each time, it notes in
the journal how many events the gold holds, before the file gets its name (``writing``) and afterwards (``written``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pralign.errors import InputError
from pralign.labelling.answers import Answer, Words, fingerprint
from pralign.labelling.journal import Event
from pralign.links.alignment import Alignment


class Recovered(NamedTuple):
    """What was said before.

    Attributes:
        answers: What is said of each pair that was touched.
        edited: Those of them that somebody has changed in the gold file, which the journal does not know yet.
        test: The pairs of the random test set.
    """

    answers: dict[int, Answer]
    edited: list[int]
    test: frozenset[int]


class _Said(NamedTuple):
    """An answer, which event it is, and whether it was found in the gold file."""

    place: int
    answer: Answer
    in_gold: bool


class Recovery:
    """Reads the events of a journal for a text.

    Args:
        journal: The file, for messages.
        pairs: How many pairs the text has.
        words: The words of a pair.
    """

    def __init__(self, journal: Path, pairs: int, words: Callable[[int], Words]) -> None:
        self._journal, self._pairs, self._words = journal, pairs, words

    def __call__(self, events: Sequence[Event], golds: Mapping[int, Alignment] | None) -> Recovered:
        """What is said of the pairs.

        Args:
            events: All events of the journal.
            golds: The pairs that the gold file says something of; ``None`` if there is no such file.

        Raises:
            InputError: The events are not about this text.
        """
        said: dict[int, list[_Said]] = defaultdict(list)
        test: frozenset[int] = frozenset()
        for place, event in enumerate(events):
            if event["event"] == "answer":
                pair, answer = self._answer(event, place + 1)
                said[pair].append(_Said(place, answer, event.get("edited") is True))
            elif event["event"] == "test":
                test = frozenset(self._numbers(event.get("pairs"), place + 1))
        answers = {pair: Answer.from_gold(gold) for pair, gold in (golds or {}).items()}
        edited = []
        snapshots = _snapshots(events)
        for pair, history in said.items():
            answer = history[-1].answer
            found = (golds or {}).get(pair, Alignment(state="unlabelled"))
            if golds is not None and _is_edited(found, history, snapshots):
                answer = Answer.from_gold(found, answer.version + 1)
                edited.append(pair)
            answers[pair] = answer
        return Recovered(answers, edited, test)

    def _answer(self, event: Event, number: int) -> tuple[int, Answer]:
        [pair] = self._numbers([event.get("pair")], number)
        where = f"{self._journal}, pair {pair + 1}"
        if event.get("words") != fingerprint(self._words(pair)):
            raise InputError(
                f"{where}: the pair has other words now than when it was labelled; label the text that you labelled "
                "before, or move the journal away, and labelling goes on from the gold"
            )
        version = event.get("version")
        return pair, Answer.of(event, self._words(pair), version if isinstance(version, int) else 0, where)

    def _numbers(self, pairs: Any, number: int) -> list[int]:
        if not isinstance(pairs, list) or not all(_is_count(pair) and 1 <= pair <= self._pairs for pair in pairs):
            raise InputError(
                f"{self._journal}, event {number}: is about a pair that the text does not have; label the text "
                "that you labelled before, or move the journal away, and labelling goes on from the gold"
            )
        return [pair - 1 for pair in pairs]


def _snapshots(events: Sequence[Event]) -> list[int]:
    """How many events the gold file may hold: those it held when it was written last, or was about to be since."""
    found: list[int] = []
    for event in events:
        if event["event"] in ("writing", "written") and _is_count(event.get("covers")):
            found = [*(found if event["event"] == "writing" else []), event["covers"]]
    return found


def _is_edited(found: Alignment, history: Sequence[_Said], snapshots: Sequence[int]) -> bool:
    """Whether a line of the gold is none that the program may have written for what was said of its pair."""
    for covers in snapshots:
        before = [said.answer for said in history if said.place < covers or said.in_gold]
        # What the line was before anything was said of the pair is not known.
        if not before or says_the_same(before[-1].gold(), found):
            return False
    return bool(snapshots)


def says_the_same(left: Alignment, right: Alignment) -> bool:
    """Whether two alignments are alike in a gold file."""
    return (left.state, left.sure, left.possible) == (right.state, right.sure, right.possible)


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0
