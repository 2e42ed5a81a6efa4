"""A text that is being labelled: every answer, in a journal first and then in the gold file."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from pralign import __version__
from pralign.errors import InputError
from pralign.labelling.answers import Answer, Words, fingerprint
from pralign.labelling.journal import Journal, JournalInUseError, last_event
from pralign.labelling.recovering import Recovery, says_the_same
from pralign.links.alignment import Alignment
from pralign.links.bounds import check_bounds
from pralign.links.formats import read_alignments
from pralign.links.formats.base import Record
from pralign.links.formats.gold import GoldFormat
from pralign.links.labelled import Labelled
from pralign.outputs import open_outputs
from pralign.text.bitext import Pair
from pralign.text.files import display_name
from pralign.text.pairing import UnequalLinesError, paired
from pralign.text.tokens import words_of

_UNTOUCHED = Answer()


class _Known(NamedTuple):
    """What the gold file said when it was read or written last, and what tells whether it has changed since."""

    stamp: tuple[int, ...] | None
    golds: Mapping[int, Alignment]


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
        # Whoever has the same file under another name has the same journal.
        self.pairs, self.gold, self._port = pairs, gold.resolve() if gold.is_symlink() else gold, port
        self._changing, self._writing = threading.Lock(), threading.Lock()
        self._read_gold()  # what is wrong with it is told before there is a journal
        self._journal = _opened(self.gold)
        try:
            self._recover()
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
            self._answers[pair] = self._keep(pair, answer, client=client)
            self._unwritten = True
        return answer

    def read(self, gold: Path) -> list[Alignment]:
        """What a gold file says of each pair.

        Raises:
            InputError: It does not go with the text.
        """
        name, golds = display_name(gold), []
        try:
            for pair, said in paired(range(len(self.pairs)), read_alignments(gold, "gold"), ("the text", name)):
                source, target = self.words(pair)
                check_bounds(said, (len(source), len(target)), f"{name}, line {pair + 1}")
                golds.append(said)
        except UnequalLinesError as error:
            raise InputError(f"{error}; a gold has a line for each pair of the text, blank ones too") from error
        return golds

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
        """Bring the gold file up to date; what somebody has changed in it meanwhile is taken over first.

        Raises:
            InputError: What somebody has changed does not go with the text; nothing is written over it.
            OutputError: It cannot be written; the journal has everything all the same.
        """
        with self._writing:
            self._take_edits()
            with self._changing:
                if not self._unwritten and all(path.exists() for path in self.files):
                    return
                answers, covers, self._unwritten = dict(self._answers), self._journal.count, False
            try:
                self._write(answers, covers)
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

    def _write(self, answers: Mapping[int, Answer], covers: int) -> None:
        """Write what was said up to an event. The journal says so before and afterwards; recovering.py tells why."""
        self._journal.add({"event": "writing", "covers": covers, **_now()})
        with open_outputs(*self.files) as outputs:
            for output, of_test in zip(outputs, (None, False, True), strict=False):
                output.writelines(f"{line}\n" for line in GoldFormat().write(self._records(answers, of_test), 0))
        self._known = _Known(_stamp(self.gold), {pair: answer.gold() for pair, answer in answers.items()})
        self._journal.add({"event": "written", "covers": covers, **_now()})

    def _take_edits(self) -> None:
        """Take over what somebody has changed in the gold file since it was read or written here."""
        stamp = _stamp(self.gold)
        if stamp is None or stamp == self._known.stamp:
            return
        golds = self.read(self.gold)
        with self._changing:
            for pair, found in enumerate(golds):
                if not says_the_same(found, self._known.golds.get(pair, _UNTOUCHED.gold())):
                    answer = Answer.from_gold(found, self.answer(pair).version + 1)
                    self._answers[pair] = self._keep(pair, answer, edited=True)
                    self._unwritten = True
        self._known = _Known(stamp, dict(enumerate(golds)))

    def _records(self, answers: Mapping[int, Answer], of_test: bool | None) -> Iterator[Record]:
        for pair in range(len(self.pairs)):
            wanted = of_test is None or (pair in self.test) is of_test
            yield Record((answers.get(pair, _UNTOUCHED) if wanted else _UNTOUCHED).gold())

    def _read_gold(self) -> dict[int, Alignment] | None:
        """What the gold file says, of all pairs that it says something of."""
        stamp = _stamp(self.gold)
        golds = None
        if stamp is not None:
            golds = {pair: gold for pair, gold in enumerate(self.read(self.gold)) if gold.state != "unlabelled"}
        self._known = _Known(stamp, golds or {})
        return golds

    def _recover(self) -> None:
        """Go on from what the journal and the gold say."""
        recover = Recovery(self._journal.path, len(self.pairs), self.words)
        self._answers, edited, self.test = recover(self._journal.events, self._read_gold())
        self._unwritten = bool(self._journal.events)
        self._journal.add({"event": "opened", "by": __version__, "process": os.getpid(), "port": self._port, **_now()})
        for pair in edited:
            self._keep(pair, self.answer(pair), edited=True)

    def _keep(self, pair: int, answer: Answer, **more: Any) -> Answer:
        """Put an answer on disk."""
        told = {"event": "answer", "pair": pair + 1, **answer.as_dict()}
        self._journal.add({**told, "words": fingerprint(self.words(pair)), **more, **_now()})
        return answer


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


def _stamp(path: Path) -> tuple[int, ...] | None:
    """What tells whether a file has changed; ``None`` if there is none, or nothing in it."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return (status.st_mtime_ns, status.st_size, status.st_ino) if status.st_size else None


def _now() -> dict[str, str]:
    return {"time": datetime.now(UTC).isoformat(timespec="seconds")}
