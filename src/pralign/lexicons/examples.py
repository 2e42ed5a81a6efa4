"""For each word pair, a sentence pair in which the words are linked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from pralign.kernels.arrays import Long
from pralign.lexicons.counting import KeyedValues, keys_of, linked_words
from pralign.text.tokens import words_of

if TYPE_CHECKING:
    from pralign.lexicons.tables import Lexicon
    from pralign.links.aligned import AlignedChunk
    from pralign.text.bitext import Pair, Sentence
    from pralign.text.vocabulary import VocabularyBuilder

Example = tuple[str, str]

# Sentences of four to twenty words show how a word is used; the shorter of them are read more easily.
_FEWEST, _MOST = 4, 20
_TOO_LONG = 1000
_BITS = 40  # of the number of a pair, beside how good an example it is
_WORST = (1 << (62 - _BITS)) - 1


class ExampleFinder:
    """Finds the best example of each word pair as chunks pass: the shortest that is a sentence, and of those the first.

    Sentences of less than four words come after those of up to twenty, and longer ones after them.
    """

    def __init__(self) -> None:
        self._found = KeyedValues(np.minimum)
        self._done = 0

    def add(self, chunk: AlignedChunk) -> None:
        """Look at the next chunk of the text."""
        lengths = [np.diff(start) for start in (chunk.texts.source_start, chunk.texts.target_start)]
        longer, shorter = np.maximum(*lengths), np.minimum(*lengths)
        cost = np.where(shorter < _FEWEST, _MOST + _FEWEST - shorter, longer)
        cost = np.minimum(np.where(longer > _MOST, _TOO_LONG + longer, cost), _WORST)
        code = (cost << _BITS) + self._done + np.arange(cost.size)
        alignments = chunk.alignments
        pairs = np.repeat(alignments.pair, np.diff(alignments.links.start))
        self._found.put(linked_words(chunk), code[pairs])
        self._done += chunk.pairs

    def numbers(self, lexicon: Lexicon, words: tuple[VocabularyBuilder, VocabularyBuilder]) -> Long:
        """The number of the sentence pair that is the example for each entry, from zero; -1 where there is none.

        Args:
            lexicon: The entries, of any lexicon that was made from the same text.
            words: The numbers that the words had in the chunks.
        """
        keys, codes = self._found.all()
        numbers = np.full(len(lexicon), -1)
        if keys.size == 0:
            return numbers
        sides = (lexicon.source_words, words[0], lexicon.source), (lexicon.target_words, words[1], lexicon.target)
        known = [np.array([*(given[word] for word in side), -1])[places] for side, given, places in sides]
        wanted = keys_of(*known)
        places = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
        found = (keys[places] == wanted) & (known[0] >= 0) & (known[1] >= 0)
        numbers[found] = codes[places[found]] & ((1 << _BITS) - 1)
        return numbers


def sentences_at(pairs: Iterable[Pair], numbers: Long) -> dict[int, Example]:
    """The sentence pairs with these numbers, as text with a space between words; negative numbers have none."""
    wanted = iter(np.unique(numbers[numbers >= 0]).tolist())
    following = next(wanted, None)
    found: dict[int, Example] = {}
    for number, (source, target) in enumerate(pairs):
        if following is None:
            break
        if number == following:
            found[number] = (_text(source), _text(target))
            following = next(wanted, None)
    return found


def _text(sentence: Sentence) -> str:
    return " ".join(words_of(sentence))
