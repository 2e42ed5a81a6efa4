"""What a person has said of a pair, and how a journal holds it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

from pralign.errors import InputError
from pralign.links.alignment import Alignment, Link
from pralign.links.bounds import check_bounds

AnswerState = Literal["unlabelled", "started", "labelled", "skipped"]
"""How far a pair is: nobody looked at it; begun, not done; done; looked at and left out."""

Words = tuple[Sequence[str], Sequence[str]]


@dataclass(frozen=True)
class Answer:
    """What was said of a pair.

    Attributes:
        state: How far it is.
        links: The links, sure and possible.
        refused: Proposals that were turned down.
        version: How many answers there have been before and with this one, to tell newer ones from older ones.
    """

    state: AnswerState = "unlabelled"
    links: Alignment = field(default_factory=Alignment)
    refused: tuple[Link, ...] = ()
    version: int = 0

    @classmethod
    def of(cls, given: Mapping[str, Any], words: Words, version: int, where: str) -> Answer:
        """An answer as somebody sends it: ``state``, ``links`` (``[[0, 1, "sure"], …]``) and ``refused``.

        Raises:
            InputError: It is none, or is about words that are not there.
        """
        state, links, refused = given.get("state"), given.get("links", []), given.get("refused", [])
        if state not in get_args(AnswerState):
            raise InputError(f"{where}: state is one of {', '.join(get_args(AnswerState))}")
        kinds = [_kind(link, where) for link in _listed(links, 3, where)]
        possible = [link for link, kind in zip(_links(links, where), kinds, strict=True) if kind == "possible"]
        sure = [link for link, kind in zip(_links(links, where), kinds, strict=True) if kind == "sure"]
        answer = cls(
            cast(AnswerState, state),
            Alignment.of(sure, possible=[link for link in possible if link not in set(sure)]),
            tuple(sorted(set(_links(_listed(refused, 2, where), where)))),
            version,
        )
        lengths = (len(words[0]), len(words[1]))
        check_bounds(answer.links, lengths, where)
        check_bounds(Alignment(answer.refused), lengths, where)
        return answer

    @classmethod
    def from_gold(cls, gold: Alignment, version: int = 0) -> Answer:
        """What a gold file says."""
        return cls(gold.state, Alignment.of(gold.sure, possible=gold.possible), (), version)

    def gold(self) -> Alignment:
        """What a gold file is to say: links only of what is done."""
        if self.state == "labelled":
            return self.links
        return Alignment(state="skipped" if self.state == "skipped" else "unlabelled")

    def as_dict(self) -> dict[str, Any]:
        """The answer as :meth:`of` takes it, with its version."""
        possible = self.links.possible
        return {
            "state": self.state,
            "version": self.version,
            "links": [[i, j, "possible" if (i, j) in possible else "sure"] for i, j in self.links],
            "refused": [list(link) for link in self.refused],
        }


def fingerprint(words: Words) -> str:
    """What tells whether a pair still has the words that it had when it was labelled."""
    text = "\t".join(" ".join(side) for side in words)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _listed(links: Any, parts: int, where: str) -> list[Any]:
    if not isinstance(links, list) or not all(isinstance(link, list) and len(link) == parts for link in links):
        expected = '[[0, 1, "sure"]]' if parts == 3 else "[[0, 1]]"
        raise InputError(f"{where}: links are a list such as {expected}")
    return links


def _links(links: Iterable[Any], where: str) -> list[Link]:
    positions = [(link[0], link[1]) for link in links]
    for link in positions:
        if not all(type(place) is int and place >= 0 for place in link):
            raise InputError(f"{where}: words have whole numbers, counted from 0")
    return positions


def _kind(link: list[Any], where: str) -> str:
    if link[2] not in ("sure", "possible"):
        raise InputError(f"{where}: a link is sure or possible")
    return str(link[2])
