"""What ``pralign evaluate`` says about chance: intervals of scores, and how two systems compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pralign.characters import escaped
from pralign.evaluation import Comparison, Interval, LinkCounts, Measure, Scores, compare_all, score_intervals
from pralign.evaluation.significance import CHANCE, FEWEST_PAIRS
from pralign.signature import Signature

MEASURES: dict[Measure, str] = {
    "aer": "AER",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "f1_sure": "F1 sure",
    "errors": "errors a pair",
}

_SAME: dict[Measure, str] = {"aer": "have the same AER", "errors": "make equally many errors"}
DECISIVE = tuple(_SAME)
"""The measures that the sentence on who is better can be about."""

_FIRST, _SECOND = "HYP", "OTHER"
_INTERVAL = "95 % interval"


@dataclass(frozen=True, slots=True)
class Resampled:
    """The scores of a system, and how far they would move with other sentence pairs.

    Attributes:
        name: What the system is called, the name of its file.
        scores: Its scores on all pairs.
        counts: Its counts of links, pair by pair.
        intervals: Between these the scores lie in 95 % of the samples.
        samples: How many samples were drawn.
        seed: What they were drawn with.
    """

    name: str
    scores: Scores
    counts: Sequence[LinkCounts]
    intervals: Mapping[Measure, Interval]
    samples: int
    seed: int

    @classmethod
    def of(cls, name: str, scores: Scores, counts: Sequence[LinkCounts], samples: int, seed: int) -> Resampled:
        """Draw samples of the pairs that ``counts`` are about."""
        return cls(name, scores, counts, score_intervals(counts, samples, seed), samples, seed)

    def as_dict(self) -> dict[str, list[float]]:
        """The interval of each score, ready for JSON."""
        return {measure: list(self.intervals[measure]) for measure in MEASURES}

    def __str__(self) -> str:
        signature = Signature.of(test="bootstrap", pairs=len(self.counts), samples=self.samples, seed=self.seed)
        rows = [[title, *self.cells(measure)] for measure, title in MEASURES.items()]
        return "\n".join([*_columns([["", _FIRST, _INTERVAL], *rows]), "", str(signature)])

    def cells(self, measure: Measure) -> tuple[str, str]:
        """A score and its interval as columns of a table show them."""
        low, high = self.intervals[measure]
        factor, unit = (1, " ") if measure == "errors" else (100, "%")
        return f"{factor * getattr(self.scores, measure):.2f} {unit}", f"{factor * low:.2f} to {factor * high:6.2f}"


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """Two systems on the same sentence pairs.

    Attributes:
        first: The system whose scores were asked for.
        second: The one it is compared with.
        by: How they compare by each measure.
        decisive: The measure that says which one is better, one of ``DECISIVE``.
    """

    first: Resampled
    second: Resampled
    by: Mapping[Measure, Comparison]
    decisive: Measure = "aer"

    @classmethod
    def of(cls, first: Resampled, second: Resampled, decisive: Measure = "aer") -> SystemComparison:
        """Compare two systems on as many samples as their intervals are made of."""
        # The names of files may be the same.
        systems = {_FIRST: first.counts, _SECOND: second.counts}
        [by] = compare_all(systems, tuple(MEASURES), first.samples, first.seed).values()
        return cls(first, second, by, decisive)

    def as_dict(self) -> dict[str, Any]:
        """The other system with its scores, and the comparisons by measure with the intervals of both systems."""
        measures = {}
        for measure in MEASURES:
            intervals = {f"{order}_interval": list(system.intervals[measure]) for order, system in self._systems()}
            measures[measure] = self.by[measure].as_dict() | intervals
        return {"name": self.second.name, "scores": self.second.scores.as_dict(), "measures": measures}

    def __str__(self) -> str:
        header = ["", _FIRST, _INTERVAL, _SECOND, _INTERVAL, f"{_SECOND} - {_FIRST}", _INTERVAL, "p"]
        rows = []
        for measure, title in MEASURES.items():
            compared = self.by[measure]
            low, high = compared.interval
            factor = 1 if measure == "errors" else 100
            change = f"{factor * compared.difference:+z.2f}"
            difference = change, f"{factor * low:+z.2f} to {factor * high:+z6.2f}"
            scores = *self.first.cells(measure), *self.second.cells(measure)
            rows.append([title, *scores, *difference, f"{compared.p_value:.4f}"])
        names = [f"{_FIRST:<6} {escaped(self.first.name)}", f"{_SECOND:<6} {escaped(self.second.name)}"]
        signature = str(self.by[self.decisive].signature)
        return "\n".join([*names, "", *_columns([header, *rows]), "", self.verdict, "", signature])

    @property
    def verdict(self) -> str:
        """Which system is better by what decides, and whether that could be chance, in a sentence."""
        compared = self.by[self.decisive]
        if compared.winner is None:
            return f"{_FIRST} and {_SECOND} {_SAME[self.decisive]}."
        better, worse = (_SECOND, _FIRST) if compared.winner == "second" else (_FIRST, _SECOND)
        told = f"By {MEASURES[self.decisive]} {better} is better than {worse}"
        if not compared.is_telling:
            return f"{told}, but with fewer than {FEWEST_PAIRS} pairs nobody can tell whether that is chance."
        if compared.is_significant:
            return f"{told}, and this is hardly chance: p is below {CHANCE}."
        return f"{told}, but this could be chance: p is not below {CHANCE}."

    def _systems(self) -> tuple[tuple[str, Resampled], tuple[str, Resampled]]:
        return ("first", self.first), ("second", self.second)


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines of text: the first column begins at the left, all others end at the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "   ".join(
            f"{cell:<{width}}" if number == 0 else f"{cell:>{width}}"
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
