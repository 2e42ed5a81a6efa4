"""A text that is being labelled: every answer, in a journal first and then in the gold file."""

from __future__ import annotations

import hashlib
import os
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pralign import __version__
from pralign.errors import InputError
from pralign.labelling.answers import Answer, Words, fingerprint
from pralign.labelling.journal import Event, Journal, JournalInUseError, last_event
from pralign.links.bounds import check_bounds
from pralign.links.formats import read_alignments
from pralign.links.formats.base import Record
from pralign.links.formats.gold import GoldFormat
from pralign.links.labelled import Labelled
from pralign.outputs import open_outputs
from pralign.text.bitext import Pair
from pralign.text.files import display_name
from pralign.text.pairing import paired
from pralign.text.tokens import words_of

_UNTOUCHED = Answer()


class ConflictError(Exception):
    """Somebody else has changed the pair meanwhile."""


class LabellingSession:
    """A text, what is said of its pairs, and the files that hold it.

    An answer is in the journal, ``GOLD.journal``, before :meth:`put` returns; the gold file follows when :meth:`write`
    is called, and is made good from the journal if the program was ended before. Pairs are numbered from 0.

    Attributes:
        pairs: The text.
        gold: The gold file.
        test: The pairs of the random test set, which nothing is learned from.
    """

    def __init__(self, pairs: Sequence[Pair], gold: Path, port: int | None = None) -> None:
        """Open a gold file, or begin one.

        Raises:
            InputError: The gold or its journal does not go with the text.
            OutputError: The journal cannot be written, or another program has it open.
        """
        self.pairs, self.gold = pairs, gold
        self.test: frozenset[int] = frozenset()
        self._changing = threading.Lock()
        self._answers: dict[int, Answer] = {}
        self._unwritten = False
        self._read_gold()
        self._journal = _opened(gold)
        try:
            self._replay(self._journal.events)
            self._journal.add({"event": "opened", "by": __version__, "process": os.getpid(), "port": port, **_now()})
        except BaseException:
            self._journal.close()
            raise

    def words(self, pair: int) -> Words:
        """The words of a pair."""
        source, target = self.pairs[pair]
        return words_of(source), words_of(target)

    def answer(self, pair: int) -> Answer:
        """What is said of a pair."""
        return self._answers.get(pair, _UNTOUCHED)

    def put(self, pair: int, given: Mapping[str, Any], client: str = "") -> Answer:
        """Take an answer; when this returns, it is on disk.

        Raises:
            InputError: It is no answer for this pair.
            ConflictError: It is to change a version that is not the last one.
            OutputError: It could not be kept; nothing has changed.
        """
        with self._changing:
            before = self.answer(pair)
            if given.get("version") != before.version:
                raise ConflictError
            answer = Answer.of(given, self.words(pair), before.version + 1, f"pair {pair + 1}")
            self._journal.add(
                {
                    "event": "answer",
                    "pair": pair + 1,
                    **answer.as_dict(),
                    "words": fingerprint(self.words(pair)),
                    "client": client,
                    **_now(),
                }
            )
            self._answers[pair] = answer
            self._unwritten = True
        return answer

    def draw_test(self, pairs: Sequence[int]) -> None:
        """Make these pairs the test set; what is labelled already is not drawn anew."""
        with self._changing:
            self._journal.add({"event": "test", "pairs": [pair + 1 for pair in pairs], **_now()})
            self.test = frozenset(pairs)
            self._unwritten = True

    def counts(self) -> dict[str, int]:
        """How many pairs are labelled, skipped and neither, and how many of the test set are labelled."""
        with self._changing:
            states = Counter(answer.state for answer in self._answers.values())
            done = sum(self.answer(pair).state in ("labelled", "skipped") for pair in self.test)
        decided = states["labelled"] + states["skipped"]
        return {
            "labelled": states["labelled"],
            "skipped": states["skipped"],
            "unlabelled": len(self.pairs) - decided,
            "test": done,
        }

    def labelled(self, test: bool = False) -> list[tuple[int, Labelled]]:
        """The pairs that are done, with their numbers: those to learn from, or those of the test set."""
        with self._changing:
            done = [
                (pair, answer.links)
                for pair, answer in sorted(self._answers.items())
                if answer.state == "labelled" and (pair in self.test) is test
            ]
        return [(pair, (*self.words(pair), links)) for pair, links in done]

    @property
    def files(self) -> list[Path]:
        """The gold file and, if there is a test set, the two parts of it: to learn from, and to test by."""
        return [self.gold, *([_beside(self.gold, "train"), _beside(self.gold, "test")] if self.test else [])]

    def write(self) -> None:
        """Bring the gold file up to date.

        Raises:
            OutputError: It cannot be written; the journal has everything all the same.
        """
        with self._changing:
            if not self._unwritten and self.gold.exists():
                return
            answers, self._unwritten = dict(self._answers), False
        try:
            self._write(answers)
        except BaseException:
            self._unwritten = True
            raise

    def close(self) -> None:
        """Write the gold, and let others have the file."""
        try:
            if not self._journal.is_closed:
                self.write()
        finally:
            self._journal.close()

    def _write(self, answers: Mapping[int, Answer]) -> None:
        wanted = [None, False, True]
        checksum = ""
        with open_outputs(*self.files) as outputs:
            for output, of_test in zip(outputs, wanted[: len(outputs)], strict=True):
                lines = "".join(f"{line}\n" for line in GoldFormat().write(self._records(answers, of_test), 0))
                checksum = checksum or _checksum(lines.encode())
                output.write(lines)
        self._journal.add({"event": "written", "gold": checksum, **_now()})

    def _records(self, answers: Mapping[int, Answer], of_test: bool | None) -> Iterator[Record]:
        for pair in range(len(self.pairs)):
            wanted = of_test is None or (pair in self.test) is of_test
            yield Record((answers.get(pair, _UNTOUCHED) if wanted else _UNTOUCHED).gold())

    def _read_gold(self) -> None:
        if not self.gold.exists() or self.gold.stat().st_size == 0:
            return
        name = display_name(self.gold)
        found = paired(range(len(self.pairs)), read_alignments(self.gold, "gold"), ("the text", name))
        for pair, gold in found:
            if gold.state != "unlabelled":
                source, target = self.words(pair)
                check_bounds(gold, (len(source), len(target)), f"{name}, line {pair + 1}")
                self._answers[pair] = Answer.from_gold(gold)

    def _replay(self, events: Sequence[Event]) -> None:
        """Bring in what the journal knows: all that the gold has not, unless the gold was changed by others since."""
        last = max((place for place, event in enumerate(events) if event["event"] == "written"), default=None)
        if last is not None and self.gold.exists() and _checksum(self.gold.read_bytes()) != events[last].get("gold"):
            kept = events[last + 1 :]  # somebody has edited the gold, which is the last word on what it was written for
        else:
            kept = events
        newer = events[0 if last is None else last + 1 :]
        self._unwritten = any(event["event"] in ("answer", "test") for event in newer)
        versions: Counter[int] = Counter()
        for number, event in enumerate(events, start=1):
            if event["event"] == "answer":
                pair = self._pair(event, number)
                versions[pair] = max(versions[pair], _whole(event.get("version")))
            elif event["event"] == "test":
                self.test = frozenset(self._numbers(event, number))
        for event in kept:
            if event["event"] == "answer":
                self._replay_answer(event)
        for pair, version in versions.items():
            held = self.answer(pair)
            self._answers[pair] = Answer(held.state, held.links, held.refused, version)

    def _replay_answer(self, event: Event) -> None:
        pair = event["pair"] - 1
        where = f"{self._journal.path}, pair {pair + 1}"
        if event.get("words") != fingerprint(self.words(pair)):
            raise InputError(
                f"{where}: the pair has other words now than when it was labelled; label the text that you labelled "
                "before, or move the journal away, and labelling goes on from the gold"
            )
        self._answers[pair] = Answer.of(event, self.words(pair), _whole(event.get("version")), where)

    def _pair(self, event: Event, number: int) -> int:
        [pair] = self._numbers({**event, "pairs": [event.get("pair")]}, number)
        return pair

    def _numbers(self, event: Event, number: int) -> list[int]:
        pairs = event.get("pairs")
        if not isinstance(pairs, list) or not all(type(pair) is int and 1 <= pair <= len(self.pairs) for pair in pairs):
            raise InputError(
                f"{self._journal.path}, event {number}: is about a pair that the text does not have; label the text "
                "that you labelled before, or move the journal away, and labelling goes on from the gold"
            )
        return [pair - 1 for pair in pairs]


def _opened(gold: Path) -> Journal:
    path = _beside(gold, "journal")
    try:
        return Journal(path)
    except JournalInUseError as error:
        event = last_event(path, "opened") or {}
        port = f" at port {event['port']}" if type(event.get("port")) is int else ""
        raise JournalInUseError(
            path,
            f"{display_name(gold)}: is being labelled by another pralign{port} (process {event.get('process')}); go on "
            "in the page that it opened, or stop it first",
        ) from error


def _beside(gold: Path, ending: str) -> Path:
    return gold.with_name(f"{gold.name}.{ending}")


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _whole(value: Any) -> int:
    return value if type(value) is int and value >= 0 else 0


def _now() -> dict[str, str]:
    return {"time": datetime.now(UTC).isoformat(timespec="seconds")}
