"""JSON lines: one object a pair, nothing lost."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from pralign.errors import InputError
from pralign.links.alignment import Alignment, Link
from pralign.links.formats.base import (
    AlignmentFormat,
    ReadContext,
    Record,
    from_base,
    parse_index,
    parse_score,
)
from pralign.text.tokens import Tokens

_KEYS = {"id", "links", "scores", "possible", "score", "extras"} | {
    f"{side}{what}" for side in ("source", "target") for what in ("", "_text", "_spans")
}
_EXPECTED = 'an object like {"links": [[0, 0], [1, 2]]}'


class JsonlFormat(AlignmentFormat):
    """One JSON object a pair, on one text line.

    ================  ===================================================================================
    ``id``            The number of the pair, from 0. Ignored when reading: the order of lines counts.
    ``links``         All links, ``[source, target]`` each.
    ``scores``        One number a link, in the order of ``links``. Only if known.
    ``possible``      Those of the links that are possible only. Only if there are any.
    ``score``         A number for the whole pair. Only if known.
    ``source``        The source words. Only if known; likewise ``target``.
    ``source_text``   The source sentence, if it was cut into words here; likewise ``target_text``.
    ``source_spans``  Where each word begins and ends in it, in characters; likewise ``target_spans``.
    ``extras``        What else is known of the pair and has one of these names; all else has its own name.
    ================  ===================================================================================

    Scores are written so that reading gives the same bits. Other keys are ignored when reading, and a blank
    line is an empty alignment.
    """

    name = "jsonl"
    description = "one JSON object a pair: links, scores, possible, words; from 0"
    carries_text = True
    holds_possible = True
    holds_scores = True

    def read(self, lines: Iterable[str], context: ReadContext) -> Iterator[Alignment]:
        """Yield the alignment of each line."""
        return (record.alignment for record in self.read_records(lines, context))

    def read_records(self, lines: Iterable[str], context: ReadContext) -> Iterator[Record]:
        """Like :meth:`read`, with the words where the file has them."""
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield LineReader(line, number, context).record()
            else:
                yield Record(Alignment())

    def write(self, records: Iterable[Record], base: int) -> Iterator[str]:
        """Yield one line a pair.

        Raises:
            InputError: A score is infinite or not a number, or something else is known of a pair that JSON cannot hold.
        """
        for number, record in enumerate(records):
            alignment = record.alignment
            content: dict[str, Any] = {"id": number, "links": _shifted(alignment.links, base)}
            if alignment.scores is not None:
                content["scores"] = [float(score) for score in alignment.scores]
            if alignment.possible:
                content["possible"] = _shifted(sorted(alignment.possible), base)
            if record.score is not None and math.isfinite(record.score):
                content["score"] = float(record.score)
            content |= _words("source", record.source) | _words("target", record.target)
            content |= _extras(record.extras or {})
            try:
                yield json.dumps(content, ensure_ascii=False, allow_nan=False)
            except (TypeError, ValueError) as error:
                raise InputError(
                    f"pair {number + 1}: JSON cannot hold its scores or what else is known of it: {error}"
                ) from error


def _words(side: str, words: Sequence[str] | None) -> dict[str, Any]:
    """What is written of the words of a side."""
    if words is None:
        return {}
    if not isinstance(words, Tokens):
        return {side: list(words)}
    return {side: list(words), f"{side}_text": words.text, f"{side}_spans": words.spans}


def _extras(extras: Mapping[str, Any]) -> dict[str, Any]:
    """What else is known of a pair; what has the name of something else here is kept apart."""
    clashing = {key: value for key, value in extras.items() if key in _KEYS}
    others = {key: value for key, value in extras.items() if key not in _KEYS}
    return others | {"extras": clashing} if clashing else others


class LineReader:
    """Checks and takes apart one line, with the line at hand for messages.

    Attributes:
        content: The object that the line holds; there are ``links`` in it, of whatever kind.
    """

    def __init__(self, line: str, number: int, context: ReadContext, expected: str = _EXPECTED) -> None:
        """Read a line, the ``number``-th of a file, which should hold what is ``expected``.

        Raises:
            InputError: It holds something else.
        """
        self._number = number
        self._context = context
        try:
            self.content: Any = json.loads(line)
        except (ValueError, RecursionError):
            self.fail(line, expected)
        if not isinstance(self.content, dict) or "links" not in self.content:
            self.fail(line, expected)

    def record(self) -> Record:
        """The whole record."""
        links = self.links()
        possible = self.links("possible")
        scores = self._scores(len(links))
        if scores is not None and not set(possible) <= set(links):
            self.fail(self.content["possible"], "only links that are in 'links' too, since those have scores")
        alignment = Alignment.unchecked(links, scores, frozenset(possible))
        score = self.content.get("score")
        pair_score = None if score is None else self.score(score)
        return Record(alignment, self.words("source"), self.words("target"), pair_score)

    def fail(self, found: object, expected: str) -> NoReturn:
        """Say what was found in this line and what was expected.

        Raises:
            InputError: Always.
        """
        try:
            text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
        except RecursionError:
            text = "brackets within brackets"
        raise self._context.error(self._number, text, expected)

    def items(self, key: str, content: Any = None) -> list[Any] | None:
        """The list that the line, or an object in it, has under this name, if it has one."""
        items = (self.content if content is None else content).get(key)
        if items is not None and not isinstance(items, list):
            self.fail(items, f"a list as {key!r}")
        return items

    def links(self, key: str = "links", content: Any = None) -> list[Link]:
        """The links that the line, or an object in it, has under this name; ``links`` have to be there."""
        items = self.items(key, content)
        if items is None and key == "links":
            self.fail(None, "a list as 'links'")
        return [self._link(item) for item in items or ()]

    def _link(self, item: Any) -> Link:
        base = self._context.base
        if not (isinstance(item, list) and len(item) == 2 and all(type(index) is int for index in item)):
            self.fail(item, "a link of two whole numbers, like [0, 2]")
        i, j = (parse_index(str(index)) for index in item)
        if i is None or j is None or i < base or j < base:
            self.fail(item, from_base(base))
        return i - base, j - base

    def _scores(self, count: int) -> list[float] | None:
        items = self.items("scores")
        if items is None:
            return None
        if len(items) != count:
            self.fail(items, f"{count} scores, one for each link")
        return [self.score(item) for item in items]

    def score(self, item: Any) -> float:
        """A finite number."""
        score = parse_score(str(item)) if type(item) in {int, float} else None
        if score is None:
            self.fail(item, "a finite number as score")
        return score

    def words(self, key: str) -> list[str] | None:
        """The words that the line has under this name, if it has any."""
        items = self.items(key)
        for item in items or ():
            if not isinstance(item, str) or not _is_encodable(item):
                self.fail(item if not isinstance(item, str) else ascii(item), f"words as {key!r}")
        return items


def _is_encodable(word: str) -> bool:
    # An escaped half of a surrogate pair is valid JSON, but no text that could be written again.
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shifted(links: Iterable[Link], base: int) -> list[Link]:
    return [(i + base, j + base) for i, j in links]
