"""Precision, recall, alignment error rate and F: what the counts of links amount to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pralign.errors import InputError
from pralign.evaluation.counts import LinkCounts
from pralign.evaluation.unaligned import Unaligned
from pralign.signature import Signature

BALANCED = 0.5


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a hypothesis against a gold alignment, with the counts they are made of.

    With A the links of the hypothesis, S the sure links of the gold and P ⊇ S all its links:

    - ``precision``: |A∩P| / |A|, how many of the links found are at least possible.
    - ``recall``: |A∩S| / |S|, how many of the sure links were found.
    - ``aer``: 1 - (|A∩S| + |A∩P|) / (|A| + |S|), the alignment error rate (Och and Ney, 2003).
    - ``f1``: 2 · precision · recall / their sum, the harmonic mean of precision and recall.
    - ``f_alpha``: 1 / (α/(|A∩S|/|A|) + (1-α)/(|A∩S|/|S|)), Fraser and Marcu (2007), over the sure links alone.
    - ``f1_sure``: ``f_alpha`` at α = 0.5, the balanced F, 2·|A∩S| / (|A| + |S|).
    - ``errors``: (|A - P| + |S - A|) / pairs, the wrong and missed links of a sentence pair.

    AER forgives links that are merely possible and, unlike F, does not punish an imbalance between
    precision and recall. Fraser and Marcu found F over the sure links, with an α chosen for the task, to
    agree better with the quality of translations. The default α = 0.5 is the balanced F, which favours
    neither precision nor recall. Without merely possible links, S = P and aer = 1 - f1 = 1 - f1_sure.

    Nothing divided by nothing counts as zero: precision is 0 without links, recall is 0 without sure links,
    and the error rate of an empty hypothesis against a gold without sure links is 1 - 0 = 1. No score ever
    raises.

    Attributes:
        counts: The sizes of A, S, P, A∩S and A∩P, summed over the corpus.
        alpha: The weight of precision in ``f_alpha``, from 0 (recall alone) to 1 (precision alone).
        unaligned: What became of the words without links, where it was counted.

    Raises:
        InputError: ``alpha`` is not a number from 0 to 1.

    Example:
        >>> scores = Scores(LinkCounts(links=4, sure=2, possible=4, links_sure=2, links_possible=3, pairs=1))
        >>> scores.precision, scores.recall, round(scores.aer, 4)
        (0.75, 1.0, 0.1667)
    """

    counts: LinkCounts
    alpha: float = BALANCED
    unaligned: Unaligned | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:  # also refuses nan
            raise InputError(f"alpha is {self.alpha}, but the weight of precision must lie between 0 and 1")

    @property
    def precision(self) -> float:
        """|A∩P| / |A|."""
        return _ratio(self.counts.links_possible, self.counts.links)

    @property
    def recall(self) -> float:
        """|A∩S| / |S|."""
        return _ratio(self.counts.links_sure, self.counts.sure)

    @property
    def aer(self) -> float:
        """Alignment error rate, 1 - (|A∩S| + |A∩P|) / (|A| + |S|)."""
        counts = self.counts
        return 1 - _ratio(counts.links_sure + counts.links_possible, counts.links + counts.sure)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall.

        Computed as 2·|A∩P|·|A∩S| / (|A∩P|·|S| + |A∩S|·|A|): one division of whole numbers, so that equal
        scores are equal as floating-point numbers too and a tie is recognised as a tie.
        """
        counts = self.counts
        return _ratio(
            2 * counts.links_possible * counts.links_sure,
            counts.links_possible * counts.sure + counts.links_sure * counts.links,
        )

    @property
    def f_alpha(self) -> float:
        """Fraser and Marcu's F over the sure links, which simplifies to |A∩S| / (α·|A| + (1-α)·|S|)."""
        return self._f_sure(self.alpha)

    @property
    def f1_sure(self) -> float:
        """The balanced F over the sure links, 2·|A∩S| / (|A| + |S|)."""
        return self._f_sure(BALANCED)

    @property
    def errors(self) -> float:
        """Wrong links and missed sure links, a sentence pair.

        The error rate is their share of |A| + |S|. Unlike a share, the difference between two systems' errors is the
        same whether or not pairs with the same links are counted in, but for the number of pairs.
        """
        counts = self.counts
        return _ratio(counts.links - counts.links_possible + counts.sure - counts.links_sure, counts.pairs)

    @property
    def signature(self) -> Signature:
        """What the numbers were computed from; ``gold:sure`` if the gold has no merely possible links."""
        gold = "sure+possible" if self.counts.possible > self.counts.sure else "sure"
        return Signature.of(metric="aer", gold=gold, alpha=float(self.alpha), pairs=self.counts.pairs)

    def as_dict(self) -> dict[str, Any]:
        """All scores, fractions from 0 to 1 but for ``errors``, with their counts and the signature, ready for JSON."""
        counts = self.counts
        values: dict[str, Any] = {
            "precision": self.precision,
            "recall": self.recall,
            "aer": self.aer,
            "f1": self.f1,
            "f1_sure": self.f1_sure,
            "f_alpha": self.f_alpha,
            "alpha": self.alpha,
            "errors": self.errors,
            "links": counts.links,
            "sure": counts.sure,
            "possible": counts.possible,
            "links_sure": counts.links_sure,
            "links_possible": counts.links_possible,
            "pairs": counts.pairs,
        }
        if self.unaligned is not None:
            values["unaligned"] = self.unaligned.as_dict()
        return values | {"signature": str(self.signature)}

    def __str__(self) -> str:
        c = self.counts
        both = f"({c.links_sure} + {c.links_possible}) / ({c.links} + {c.sure})"
        lines = [
            _line("precision", self.precision, f"|A&P| / |A| = {c.links_possible} / {c.links}"),
            _line("recall", self.recall, f"|A&S| / |S| = {c.links_sure} / {c.sure}"),
            _line("AER", self.aer, f"1 - (|A&S| + |A&P|) / (|A| + |S|) = 1 - {both}"),
            _line("F1", self.f1, "harmonic mean of precision and recall"),
            _line("F1 sure", self.f1_sure, "2 |A&S| / (|A| + |S|)"),
        ]
        if self.alpha != BALANCED:
            weights = f"|A&S| / ({self.alpha:g} |A| + {1 - self.alpha:g} |S|)"
            lines.append(_line(f"F{self.alpha:g} sure", self.f_alpha, weights))
        lines.append(f"{c.pairs} pairs: {c.links} links against {c.possible} in the gold, {c.sure} of them sure")
        if self.unaligned is not None:
            lines += ["", str(self.unaligned)]
        return "\n".join([*lines, "", str(self.signature)])

    def _f_sure(self, alpha: float) -> float:
        counts = self.counts
        return _ratio(counts.links_sure, alpha * counts.links + (1 - alpha) * counts.sure)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _line(name: str, value: float, ingredients: str) -> str:
    return f"{name:<11}{100 * value:6.2f} %   {ingredients}"
