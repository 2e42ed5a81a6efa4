"""The words of a text as rules have them: in the order of their bytes, with nonterminals among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pralign.kernels.phrase_lines import Spellings
from pralign.kernels.phrase_strings import NumberedWords, Separators
from pralign.kernels.rule_strings import Nonterminals, RuleNumbers
from pralign.phrases.words import BARS, OrderedWords, numbered, spelled_word
from pralign.text.bitext import Pair, Sentence
from pralign.text.tokens import tokens

# What Moses calls the left-hand side of a rule, and a nonterminal inside it.
_LABEL, _NONTERMINAL = b"[X]", b"[X][X]"
_END = _LABEL + b" " + BARS.encode()
_ESCAPES = str.maketrans({"[": "&#91;", "]": "&#93;", "|": "&#124;"})
_BRACKETED = re.compile(r"\[.*\]", re.DOTALL)


@dataclass(frozen=True)
class RuleWords(OrderedWords):
    """Numbers for words, nonterminals and the ends of both sides, above zero and in the order of their bytes.

    Attributes:
        nonterminals: The numbers of the nonterminals.
    """

    nonterminals: Nonterminals

    @classmethod
    def of(cls, source: Iterable[str], target: Iterable[str]) -> RuleWords:
        """Order the words of both sides, given in the order in which they were numbered while reading.

        Example:
            >>> words = RuleWords.of(["the", "Z"], ["la", "a"])
            >>> words.numbers.source.tolist(), words.separators.source, words.nonterminals.source
            ([5, 1], 2, 4)
        """
        spelled = [[*map(spelled_word, words), _NONTERMINAL, _END, _END] for words in (source, target)]
        (left, spelling), (right, other) = map(numbered, spelled)
        return cls(
            NumberedWords(left[:-3], right[:-3]),
            Separators(int(left[-2]), int(right[-2]), int(right[-1])),
            Spellings(spelling, other),
            Nonterminals(int(left[-3]), int(right[-3])),
        )

    @property
    def symbols(self) -> RuleNumbers:
        """The numbers of all symbols that are no words."""
        return RuleNumbers(self.separators, self.nonterminals)


def escaped(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """The same pairs with words escaped that a rule could not hold.

    Example:
        >>> list(escaped([("see", "voir [1] |||")]))
        [('see', ['voir', '&#91;1&#93;', '&#124;&#124;&#124;'])]
    """
    for source, target in pairs:
        yield _escaped(source), _escaped(target)


def _escaped(sentence: Sentence) -> Sentence:
    if isinstance(sentence, str):
        if "[" not in sentence and BARS not in sentence:
            return sentence
        sentence = tokens(sentence)
    return [escaped_word(word) for word in sentence]


def escaped_word(word: str) -> str:
    """A word as a rule holds it: one in square brackets would be a nonterminal, and three bars end a part.

    Example:
        >>> escaped_word("[x]"), escaped_word("|||"), escaped_word("x]")
        ('&#91;x&#93;', '&#124;&#124;&#124;', 'x]')
    """
    return word.translate(_ESCAPES) if word == BARS or _BRACKETED.fullmatch(word) else word
