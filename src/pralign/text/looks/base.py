"""What a look at a text is, what it finds, and how looks are made known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from pralign.registry import Registry
from pralign.text.looks.sample import TextSample

#: A text has to have so many lines before anything is concluded from shares of them.
ENOUGH = 50
#: Stands for all other findings.
ALL = "*"


@dataclass(frozen=True)
class Finding:
    """Something about a text that is probably not meant, and what to do about it.

    Attributes:
        name: What kind of thing it is, such as ``no-spaces``.
        advice: One sentence that names cause and cure.
        file: The file that it is in; nothing if it is in no one file.
        line: The line where it is first seen, counted from one, if that matters.
    """

    name: str
    advice: str
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        line = "" if self.line is None else f"line {self.line}"
        place = ", ".join(part for part in (self.file, line) if part)
        return f"{place}: {self.advice}" if place else self.advice

    def as_dict(self) -> dict[str, Any]:
        """The same for JSON."""
        return {"name": self.name, "file": self.file, "line": self.line, "advice": self.advice}


@dataclass(frozen=True)
class Look:
    """One way to look at a sample of a text.

    Attributes:
        find: What it finds.
        hides: Names of findings in the same file that are not worth a word any more if it finds something, since they
            have the same cause. ``*`` stands for all but those that hide all others themselves.
    """

    find: Callable[[TextSample], Iterable[Finding]]
    hides: frozenset[str] = field(default_factory=frozenset)


#: All looks, in the order in which they are made.
LOOKS: Registry[Look] = Registry("look")


def look(name: str, hides: Iterable[str] = ()) -> Callable[[Callable[[TextSample], Iterable[Finding]]], Any]:
    """Make a function known as a look; what it finds is to have the same name."""

    def register(find: Callable[[TextSample], Iterable[Finding]]) -> Callable[[TextSample], Iterable[Finding]]:
        LOOKS.register(name, Look(find, frozenset(hides)))
        return find

    return register


def look_at(sample: TextSample) -> list[Finding]:
    """All that is found in a sample, without what follows from something else that is found."""
    found = [(each.hides, finding) for each in LOOKS.values() for finding in each.find(sample)]

    def is_hidden(hides: frozenset[str], finding: Finding) -> bool:
        return any(
            (finding.name in others or (ALL in others and ALL not in hides)) and _meet(other, finding, sample.name)
            for others, other in found
        )

    return [finding for hides, finding in found if not is_hidden(hides, finding)]


def _meet(one: Finding, other: Finding, text: str) -> bool:
    """Whether two findings are about the same file, or one of them about the whole text."""
    return one.file == other.file or bool({one.file, other.file} & {None, text})
