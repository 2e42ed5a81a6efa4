"""Ways to cut text into words, each known by name: by spaces, by the rules of Unicode, by characters, by dictionaries.

A tokeniser says where words are and changes nothing, so that a link can always be followed back to the characters.
Whatever stands between spaces is cut by itself and becomes at least one word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import category

from pralign.errors import UsageError
from pralign.registry import Registry
from pralign.text.bitext import Pair, Sentence
from pralign.text.extras import needed
from pralign.text.tokens import Span, Tokens, word_spans

#: Says where the words of something without spaces begin; the first one begins at 0.
Cut = Callable[[str], list[int]]

SPACES = "spaces"
#: Ways to cut what stands between two spaces, by name.
TOKENIZERS: Registry[Cut] = Registry("way to tokenise")

# So many pieces of text are cut once and remembered. Longer ones are hardly met again.
_REMEMBERED = 1 << 16
_LONGEST_REMEMBERED = 32
_JOINER = "\u200d"


@TOKENIZERS.register(SPACES)
def _as_it_is(text: str) -> list[int]:
    return [0]


@TOKENIZERS.register("characters")
def _characters(text: str) -> list[int]:
    """Each character, with the marks that it carries; what joiners join is one, such as a family or a flag."""
    starts: list[int] = []
    for k, character in enumerate(text):
        before = text[k - 1] if k else ""
        is_part = (
            category(character)[0] == "M" or character in "\u200c\u200d" or "\U0001f3fb" <= character <= "\U0001f3ff"
        )
        pairs = _is_flag(character) and _is_flag(before) and starts[-1] == k - 1
        if not starts or not (is_part or before == _JOINER or pairs):
            starts.append(k)
    return starts


def _is_flag(character: str) -> bool:
    """Whether a character is a half of a flag."""
    return "\U0001f1e6" <= character <= "\U0001f1ff"


@TOKENIZERS.register("unicode")
def _unicode(text: str) -> list[int]:
    """The word boundaries of Unicode (UAX 29)."""
    return list(needed("uniseg.wordbreak", "text").word_boundaries(text))[:-1]


@TOKENIZERS.register("icu")
def _icu(text: str) -> list[int]:
    """The word boundaries of ICU, which has dictionaries for Chinese, Japanese, Thai, Khmer, Lao and Burmese."""
    starts = [start for start, _ in needed("icu4py.breakers", "text").WordBreaker(text, "root").segments()]
    if text and max(text) > "\uffff":  # which are two units each there
        units = [0]
        for character in text:
            units.append(units[-1] + (2 if character > "\uffff" else 1))
        places = {unit: k for k, unit in enumerate(units)}
        starts = [places[start] for start in starts]
    return starts


class Tokenizer:
    """Cuts sentences of one side into words.

    Example:
        >>> Tokenizer("characters")("Il pleut")
        ('I', 'l', 'p', 'l', 'e', 'u', 't')
    """

    def __init__(self, name: str) -> None:
        """Cut as ``name`` says, one of :data:`TOKENIZERS`."""
        self.name = name
        self._cut = TOKENIZERS[name]
        self._remembered = lru_cache(_REMEMBERED)(self._spans)

    def __call__(self, sentence: str) -> Tokens:
        """The words of a sentence, with their places in it."""
        spans: list[Span] = []
        for start, end in word_spans(sentence):
            piece = sentence[start:end]
            found = self._remembered(piece) if end - start <= _LONGEST_REMEMBERED else self._spans(piece)
            spans.extend([(start + first, start + last) for first, last in found])
        return Tokens(sentence, spans)

    def _spans(self, piece: str) -> list[Span]:
        """Where words are in something without spaces; blanks of other kinds are none, unless there is nothing else."""
        starts = self._cut(piece)
        spans = list(zip(starts, [*starts[1:], len(piece)], strict=True))
        return [(start, end) for start, end in spans if not piece[start:end].isspace()] or spans


@dataclass(frozen=True)
class Tokenization:
    """How both sides are cut into words.

    Attributes:
        source: The name of the tokeniser of the source side.
        target: That of the target side.
    """

    source: str = SPACES
    target: str = SPACES

    @classmethod
    def of(cls, text: str) -> Tokenization:
        """What ``"unicode"``, for both sides, or ``"unicode,icu"`` stands for.

        Raises:
            UsageError: There is no such tokeniser.
        """
        names = [name.strip() for name in text.split(",")]
        if len(names) > 2:
            raise UsageError(f"tokenise is one way for both sides or two, such as unicode,icu, not {text}")
        for name in names:
            TOKENIZERS.get(name)
        return cls(names[0], names[-1])

    @property
    def by_spaces(self) -> bool:
        """Whether both sides are words with spaces between."""
        return self.source == self.target == SPACES

    def pairs(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs with their sentences cut into words; those that are words already stay as they are."""
        if self.by_spaces:
            return iter(pairs)
        source, target = Tokenizer(self.source), Tokenizer(self.target)
        return ((_cut(left, source), _cut(right, target)) for left, right in pairs)

    def pair(self, source: Sentence, target: Sentence) -> Pair:
        """One pair with its sentences cut into words."""
        return next(self.pairs([(source, target)]))


def _cut(sentence: Sentence, tokenizer: Tokenizer) -> Sentence:
    return tokenizer(sentence) if isinstance(sentence, str) else sentence


BY_SPACES = Tokenization()
"""Both sides are words with spaces between."""
