"""Which words are linked to which, how often, and to what share: the dictionary of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pralign.pictures.words import visible
from pralign.report.inputs import ReportInput

_ENTRY = 18
"""How many bytes an entry takes in a page, about, with the digits of its words and counts."""


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
        left_out: For each system, how many entries were too many; each is linked at most as often as the last one kept.
    """

    words: tuple[list[str], list[str]]
    systems: list[list[Entry]]
    left_out: list[int]

    @classmethod
    def of(cls, inputs: ReportInput, largest: int) -> Dictionary:
        """Count the links of all systems, and keep what takes at most about so many bytes, the same for each system."""
        counted = [_counted(inputs, number) for number in range(len(inputs.systems))]
        words: tuple[dict[str, int], dict[str, int]] = {}, {}
        systems: list[list[Entry]] = []
        for rows in counted:
            room, kept = largest // len(counted), []
            for source, target, count, forward, reverse in rows:
                named = tuple(zip((source, target), words, strict=True))
                room -= _ENTRY + sum(len(word.encode()) + 3 for word, known in named if word not in known)
                if room < 0:
                    break
                one, other = (known.setdefault(word, len(known)) for word, known in named)
                kept.append(Entry(one, other, count, forward, reverse))
            systems.append(kept)
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


def _packed(entry: Entry) -> list[int]:
    return [entry.source, entry.target, entry.times, round(1000 * entry.forward), round(1000 * entry.reverse)]


def _counted(inputs: ReportInput, number: int) -> list[tuple[str, str, int, float, float]]:
    """All word pairs that a system links, the most frequent first.

    These are the counts of :func:`pralign.lexicons.lexicon`, for which nobody who wants a page waits for a compiler.
    """
    counts = Counter[tuple[str, str]]()
    totals = Counter[str](), Counter[str]()
    for words, alignment in zip(inputs.folded, inputs.systems[number].alignments, strict=True):
        links = alignment.links
        counts.update((words[0][i], words[1][j]) for i, j in links)
        for side in (0, 1):
            positions = [link[side] for link in links]
            unlinked = set(range(len(words[side]))).difference(positions)  # a word without a link is linked to null
            totals[side].update(words[side][place] for place in (*positions, *unlinked))
    rows = [(s, t, count, count / totals[0][s], count / totals[1][t]) for (s, t), count in counts.items()]
    return sorted(rows, key=lambda row: (-row[2], -row[3] * row[4], row[:2]))
