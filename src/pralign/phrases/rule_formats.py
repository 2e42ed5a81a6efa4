"""How rules are written: the rule tables of Moses and the grammars of cdec."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double
from pralign.kernels.phrase_lines import Spelling
from pralign.kernels.phrase_pairs import WordProbabilities
from pralign.kernels.rule_lines import RuleTotals, cdec_lines, moses_lines
from pralign.kernels.rule_scores import largest_weights
from pralign.kernels.units import as_counts
from pralign.phrases.rule_words import RuleWords
from pralign.phrases.scoring import ScoredRange
from pralign.registry import Registry

# A count is one if it lies above one by no more than what rounding adds.
_NOISE = 1e-6


class RuleFormat(Protocol):
    """A way to write rules.

    Attributes:
        name: The name users choose it by.

    Example:
        >>> import pralign
        >>> class Scores:
        ...     name = "scores"
        ...     def lines(self, scored, words, lexicon):
        ...         return b"".join(b"%.2f;" % each[0] for each in scored.scores)
        >>> scores: RuleFormat = Scores()
        >>> with RULE_FORMATS.restored():
        ...     _ = RULE_FORMATS.register("scores", scores)
        ...     pralign.phrases.write_rules([("the house", "la maison")], ["0-0 1-1"], "-", format="scores")
        1.00;1.00;1.00;
    """

    name: str

    def lines(self, scored: ScoredRange, words: RuleWords, lexicon: WordProbabilities) -> bytes:
        """The lines of some rules."""


class MosesFormat:
    """The rule table of Moses: four scores, links of words and nonterminals, and three counts."""

    name = "moses"

    def lines(self, scored: ScoredRange, words: RuleWords, lexicon: WordProbabilities) -> bytes:
        """The lines of some rules."""
        totals = RuleTotals(scored.source.total, scored.target.total)
        lines: NDArray[np.uint8] = moses_lines(scored.strings, scored.scores, totals, words.symbols, words.spellings)
        return lines.tobytes()


class CdecFormat:
    """The grammar of cdec, with the features that its own extractor has, and how probable the source side is."""

    name = "cdec"
    features = (
        "EgivenFCoherent",
        "SampleCountF",
        "CountEF",
        "MaxLexFgivenE",
        "MaxLexEgivenF",
        "IsSingletonF",
        "IsSingletonFE",
        "FgivenE",
    )

    def lines(self, scored: ScoredRange, words: RuleWords, lexicon: WordProbabilities) -> bytes:
        """The lines of some rules."""
        values = self.values(scored, largest_weights(scored.strings, words.symbols, lexicon))
        names = _names(self.features)
        lines: NDArray[np.uint8] = cdec_lines(scored.strings, values, names, words.symbols, words.spellings)
        return lines.tobytes()

    def values(self, scored: ScoredRange, weights: Double) -> Double:
        """The features of rules; logarithms are to the base of ten, those of probabilities without their sign."""
        count, total = as_counts(scored.strings.units), as_counts(scored.source.total)
        inverse, _, direct, _ = scored.scores.T
        columns = {
            "EgivenFCoherent": -np.log10(direct),
            "SampleCountF": np.log10(1 + total),
            "CountEF": np.log10(1 + count),
            "MaxLexFgivenE": weights[:, 1],
            "MaxLexEgivenF": weights[:, 0],
            "IsSingletonF": (total <= 1 + _NOISE).astype(np.float64),
            "IsSingletonFE": (count <= 1 + _NOISE).astype(np.float64),
            "FgivenE": -np.log10(inverse),
        }
        return np.stack([columns[name] for name in self.features], axis=1)


RULE_FORMATS = Registry[RuleFormat]("rule format", "unknown {noun} {name!r}; known are {names}")
"""The ways to write rules by name."""

for _format in (MosesFormat(), CdecFormat()):
    RULE_FORMATS.register(_format.name, _format)


def _names(names: Iterable[str]) -> Spelling:
    spelled = [f"{name}=".encode() for name in names]
    start = np.array([0, *accumulate(map(len, spelled))], np.int64)
    return Spelling(np.frombuffer(b"".join(spelled), np.uint8), start)
