r"""Ways to cut text into words, each known by name.

``spaces``
    Words are what stands between spaces and tabs, see :func:`~pralign.text.tokens.tokens`.
``unicode``
    The word boundaries of Unicode (UAX 29). Signs are separated from words and from one another (``Straße|,``,
    ``e|-|mail``, ``.|.|.``), except within a word or number: ``don't``, ``l'homme``, ``aujourd'hui``, ``3.14``,
    ``1,000``, ``U.S|.``, ``a.b``, and ``10 000`` with a narrow no-break space (U+202F). An apostrophe stays because
    whether it ends a word (``l'``), begins one (``'s``) or does neither depends on the language. Scripts without
    spaces are cut into characters, katakana into runs.
``icu``
    The same, but Chinese, Japanese, Thai, Lao, Khmer and Burmese are cut into words, by the dictionaries of ICU.
``characters``
    What people see as one character, see :func:`~pralign.text.graphemes.clusters`.

A tokeniser says where words are and changes nothing, so that a link can always be followed back to the characters.
Words come in order, do not overlap, and never have a space or a tab in them. Of all but ``spaces`` it is true besides
that

* no word has only white space, controls (Cc) or formats (Cf), such as U+00A0, U+3000, U+0085, U+2028, U+200B, U+FEFF
  or U+200F: these separate words, or belong to a word that has something else, but are none, and a line of them has
  no words (save formats that are seen, the signs of Arabic and others that stand before numbers);
* every other character is in exactly one word;
* no word begins or ends amid what people see as one character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from pralign.errors import UsageError
from pralign.registry import Registry
from pralign.text.bitext import Pair, Sentence
from pralign.text.extras import encodable, needed
from pralign.text.graphemes import clusters, is_blank, whole
from pralign.text.tokens import Span, Tokens, word_spans
from pralign.text.word_boundaries import bounded

#: Says where the words of a sentence are, in order.
Cut = Callable[[str], Sequence[Span]]

SPACES = "spaces"
#: Ways to cut a sentence into words, by name.
TOKENIZERS: Registry[Cut] = Registry("way to tokenise")
TOKENIZERS.register(SPACES, word_spans)

_NARROW = re.compile(r"(?<!\d)\u202f|\u202f(?!\d)")


@TOKENIZERS.register("characters")
def _characters(sentence: str) -> list[Span]:
    return _seen(clusters(sentence), sentence)


@TOKENIZERS.register("unicode")
def _unicode(sentence: str) -> list[Span]:
    return _seen(whole(bounded(_apart(sentence)), sentence), sentence)


@TOKENIZERS.register("icu")
def _icu(sentence: str) -> list[Span]:
    # The end of a line ends a word like nothing else: after a space, a mark would make a word together with it. Rules
    # of no language in particular have all dictionaries. What holds a text is used only here: threads share nothing.
    lines = encodable(_apart(sentence)).replace(" ", "\n").replace("\t", "\n")
    spans = list(needed("icu4py.breakers", "text").WordBreaker(lines, "root").segments())
    if sentence and max(sentence) > "\uffff":  # which are two units each there
        units = accumulate((1 + (character > "\uffff") for character in sentence), initial=0)
        places = {unit: k for k, unit in enumerate(units)}
        spans = [(places[start], places[end]) for start, end in spans]
    return _seen(whole(spans, sentence), sentence)


def _apart(sentence: str) -> str:
    """The sentence with no narrow no-break spaces but those in numbers, which Unicode would take for parts of words."""
    return _NARROW.sub("\u00a0", sentence) if "\u202f" in sentence else sentence


def _seen(spans: list[Span], sentence: str) -> list[Span]:
    """Those spans where there is something to see."""
    if sentence.isprintable():  # then only spaces are blank
        return [span for span in spans if sentence[span[0]] != " "]
    return [(start, end) for start, end in spans if not is_blank(sentence[start:end])]


class Tokenizer:
    """Cuts sentences of one side into words.

    Example:
        >>> Tokenizer("characters")("Il pleut")
        ('I', 'l', 'p', 'l', 'e', 'u', 't')
    """

    def __init__(self, name: str) -> None:
        """Cut as ``name`` says, one of :data:`TOKENIZERS`.

        Raises:
            UsageError: There is no such tokeniser.
        """
        self.name = name
        self._cut = TOKENIZERS[name]

    def __call__(self, sentence: str) -> Tokens:
        """The words of a sentence, with their places in it.

        Raises:
            UsageError: A package that it takes is not installed.
        """
        return Tokens(sentence, self._cut(sentence))


@dataclass(frozen=True)
class Tokenization:
    """How both sides are cut into words.

    Attributes:
        source: The name of the tokeniser of the source side.
        target: That of the target side.
    """

    source: str = SPACES
    target: str = SPACES

    def __post_init__(self) -> None:
        for name in (self.source, self.target):
            TOKENIZERS.get(name)

    @classmethod
    def of(cls, text: str) -> Tokenization:
        """What ``"unicode"``, for both sides, or ``"unicode,icu"`` stands for.

        Raises:
            UsageError: There is no such tokeniser.

        Example:
            >>> Tokenization.of("unicode,icu")
            Tokenization(source='unicode', target='icu')
        """
        names = [name.strip() for name in text.split(",")]
        if len(names) > 2:
            raise UsageError(f"tokenise is one way for both sides or two, such as unicode,icu, not {text}")
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
