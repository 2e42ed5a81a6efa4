"""Which words are linked to which, how often, and to what share: the dictionary of a report."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pralign.links.alignment import Alignment
from pralign.pictures.words import visible
from pralign.report.inputs import ReportInput
from pralign.report.records import embeddable

_LARGEST_PART = 4
"""What takes more than this part of the room is left out; there would be no room for others."""

_Keys = Sequence[tuple[Sequence[str], Sequence[str]]]


class Entry(NamedTuple):
    """Two words that a system links.

    Attributes:
        source: The number of the source word among those of the dictionary.
        target: The number of the target word.
        times: How often they are linked.
        forward: Of all that the source word is linked to, null included, the share that this is.
        reverse: The same for the target word.
    """

    source: int
    target: int
    times: int
    forward: float
    reverse: float


@dataclass(frozen=True)
class Dictionary:
    """The word pairs that systems link, of all pairs that a report looks at; upper and lower case together.

    Attributes:
        words: The source and the target words, by their numbers.
        systems: For each system its entries, those linked most often first.
        left_out: For each system, how many entries there was no room for; each is linked at most as often as the last
            one kept, unless its words are very long.
    """

    words: tuple[list[str], list[str]]
    systems: list[list[Entry]]
    left_out: list[int]

    @classmethod
    def of(cls, inputs: ReportInput, largest: int) -> Dictionary:
        """Count the links of all systems, and keep what takes at most so many bytes, the same for each system."""
        keys = [(list(map(caseless, source)), list(map(caseless, target))) for source, target in inputs.pairs]
        counted = [_counted(keys, system.alignments) for system in inputs.systems]
        words: tuple[dict[str, int], dict[str, int]] = {}, {}
        systems = [_kept(rows, words, largest // len(counted)) for rows in counted]
        left_out = [len(rows) - len(kept) for rows, kept in zip(counted, systems, strict=True)]
        return cls((list(words[0]), list(words[1])), systems, left_out)

    def data(self) -> dict[str, Any]:
        """What the page gets: words, and for each system numbers of words, counts, and shares in thousandths."""
        return {
            "s": [visible(word) for word in self.words[0]],
            "t": [visible(word) for word in self.words[1]],
            "x": [[_packed(entry) for entry in entries] for entries in self.systems],
            "o": self.left_out,
        }

    def as_dict(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Every entry of the page, ready for JSON; ``names`` are those of the systems."""
        return [
            {
                "system": name,
                "left_out": left_out,
                "entries": [
                    {
                        "source": self.words[0][entry.source],
                        "target": self.words[1][entry.target],
                        **dict(zip(("count", "forward", "reverse"), entry[2:], strict=True)),
                    }
                    for entry in entries
                ],
            }
            for name, entries, left_out in zip(names, self.systems, self.left_out, strict=True)
        ]


def caseless(word: str) -> str:
    """A word without upper case, and the same whether its accents are code points of their own or not.

    The page has a function of this name, which tells the same words apart: what is typed there is found here.

    Example:
        >>> caseless("STRASSE") == caseless("Straße"), caseless("\u00e9") == caseless("e\u0301")
        (True, True)
    """
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", word).casefold())


def _packed(entry: Entry) -> list[int]:
    return [entry.source, entry.target, entry.times, round(1000 * entry.forward), round(1000 * entry.reverse)]


def _kept(
    rows: Sequence[tuple[str, str, int, float, float]], words: tuple[dict[str, int], dict[str, int]], room: int
) -> list[Entry]:
    """The first rows that there is room for, as entries; words that are new get the next numbers."""
    kept, most = [], room // _LARGEST_PART
    for source, target, count, forward, reverse in rows:
        named = tuple(zip((source, target), words, strict=True))
        one, other = (known.get(word, len(known)) for word, known in named)
        entry = Entry(one, other, count, forward, reverse)
        size = _size(_packed(entry)) + sum(_size(visible(word)) for word, known in named if word not in known)
        if size > most:
            continue
        if size > room:
            break
        room -= size
        for word, known in named:
            known.setdefault(word, len(known))
        kept.append(entry)
    return kept


def _size(content: Any) -> int:
    """How many bytes something takes in a page, with a comma."""
    return len(embeddable(content).encode()) + 1


def _counted(keys: _Keys, alignments: Sequence[Alignment]) -> list[tuple[str, str, int, float, float]]:
    """All word pairs that are linked, the most frequent first.

    These are the counts of :func:`pralign.lexicons.lexicon`, for which nobody who wants a page waits for a compiler.
    """
    counts = Counter[tuple[str, str]]()
    totals = Counter[str](), Counter[str]()
    for words, alignment in zip(keys, alignments, strict=True):
        links = alignment.links
        counts.update((words[0][i], words[1][j]) for i, j in links)
        for side in (0, 1):
            positions = [link[side] for link in links]
            unlinked = set(range(len(words[side]))).difference(positions)  # a word without a link is linked to null
            totals[side].update(words[side][place] for place in (*positions, *unlinked))
    rows = [(s, t, count, count / totals[0][s], count / totals[1][t]) for (s, t), count in counts.items()]
    return sorted(rows, key=lambda row: (-row[2], -row[3] * row[4], row[:2]))
