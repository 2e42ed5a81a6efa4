"""Dictionaries for people: words with their translations, how probable they are, and a sentence pair for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from pralign.kernels.arrays import Long
from pralign.lexicons.counting import LinkCounter
from pralign.lexicons.examples import Example, ExampleFinder, sentences_at
from pralign.lexicons.making import Alignments, Count, chunks_of, counted, name_of
from pralign.lexicons.tables import Lexicon, OneDirection
from pralign.text.bitext import Bitext
from pralign.text.pairs import Pairs
from pralign.text.vocabulary import VocabularyBuilder

#: How many translations a dictionary has of a word, and how probable they are at least, unless more is wanted.
MOST_TRANSLATIONS = 5
LEAST_PROBABILITY = 0.01

Show = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Translation:
    """A translation of a word.

    Attributes:
        word: The translation.
        probability: Its probability, given the word.
        count: How often they were linked; ``None`` if a model says so.
        example: A source and a target sentence in which they are linked, if there is one.
    """

    word: str
    probability: float
    count: float | None
    example: Example | None


@dataclass(frozen=True, slots=True)
class Headword:
    """A word and its translations, the likeliest first.

    Attributes:
        word: The word.
        count: How often it was there; ``None`` if a model says so.
        translations: Its translations.
    """

    word: str
    count: float | None
    translations: list[Translation]


def dictionary(
    pairs: Pairs,
    alignments: Alignments,
    *,
    direction: OneDirection = "forward",
    top: int | None = MOST_TRANSLATIONS,
    min_probability: float = LEAST_PROBABILITY,
    min_count: float = 0.0,
    count: Count = "links",
) -> Iterator[Headword]:
    """Make a dictionary of sentence pairs and their alignments, with an example for each translation.

    The example is the shortest sentence pair of at least four words a side in which the two words are linked, and of
    those the first. Words that begin with a letter come first, in alphabetical order whatever their case.

    Args:
        pairs: The pairs. They are read twice, so what is no :class:`~pralign.text.bitext.Bitext` is kept.
        alignments: One alignment for each pair, as for :func:`~pralign.lexicons.making.lexicon`.
        direction: ``"forward"`` has source words translated, ``"reverse"`` target words.
        top: Keep so many translations of each word.
        min_probability: Keep only translations at least so probable.
        min_count: Keep only words that were linked at least so often.
        count: What is counted, ``"links"`` or ``"posteriors"``.

    Example:
        >>> pairs = [("the house", "la maison"), ("the house is red", "la maison est rouge")]
        >>> for word in dictionary(pairs, ["0-0 1-1", "0-0 1-1 2-2 3-3"]):
        ...     print(word.word, [translation.word for translation in word.translations])
        house ['maison']
        is ['est']
        red ['rouge']
        the ['la']
    """
    bitext = pairs if isinstance(pairs, Bitext) else Bitext(pairs)
    whole, finder, words = counted_with_examples(bitext, alignments, count)
    kept = whole.pruned(direction, top=top, min_probability=min_probability, min_count=min_count, null=False)
    numbers = finder.numbers(kept, words)
    yield from headwords(kept, direction, numbers, sentences_at(bitext, numbers))


def counted_with_examples(
    bitext: Bitext, alignments: Alignments, count: Count
) -> tuple[Lexicon, ExampleFinder, tuple[VocabularyBuilder, VocabularyBuilder]]:
    """A lexicon, what knows examples of its entries, and the numbers that words had meanwhile."""
    words = VocabularyBuilder(), VocabularyBuilder()
    counter, finder = LinkCounter(), ExampleFinder()
    for chunk in counted(chunks_of(bitext, alignments, words), counter, count, name_of(alignments)):
        finder.add(chunk)
    counts = counter.counts(len(words[0]), len(words[1]))
    return Lexicon.from_counts(counts, (list(words[0]), list(words[1]))), finder, words


def headwords(
    lexicon: Lexicon,
    direction: OneDirection,
    numbers: Long | None = None,
    sentences: Mapping[int, Example] | None = None,
) -> Iterator[Headword]:
    """The words of a lexicon with their translations, in the order of a dictionary; null has no place there.

    Args:
        lexicon: The lexicon, already pruned.
        direction: Which side is translated.
        numbers: The number of the sentence pair that is the example for each entry, if there are examples.
        sentences: These sentence pairs.
    """
    whole = lexicon.pruned(direction, null=True)
    given, other = (whole.source, whole.target) if direction == "forward" else (whole.target, whole.source)
    sides = (whole.source_words, whole.target_words)
    words, others = sides if direction == "forward" else sides[::-1]
    probability = whole.forward if direction == "forward" else whole.reverse
    order = whole.order(direction)
    starts = np.searchsorted(given[order], np.arange(len(words) + 1))
    for number in sorted(range(len(words)), key=lambda number: _alphabetical(words[number])):
        found: list[Translation] = []
        for place in order[starts[number] : starts[number + 1]].tolist():
            if other[place] < len(others):
                example = None if numbers is None or sentences is None else sentences.get(int(numbers[place]))
                count = None if whole.count is None else float(whole.count[place])
                found.append(Translation(others[other[place]], float(probability[place]), count, example))
        if found:
            total = None if found[0].count is None else found[0].count / found[0].probability
            yield Headword(words[number], total, found)


def dictionary_text(headword: Headword, show_word: Show = str, show_sentence: Show = str) -> str:
    r"""A headword as people read it: a few lines, and a blank one after them.

    Args:
        headword: The word and its translations.
        show_word: Makes a word fit for where it is shown, such as a terminal.
        show_sentence: The same for a sentence.

    Example:
        >>> example = ("the house is red", "la maison est rouge")
        >>> print(dictionary_text(Headword("house", 4, [Translation("maison", 0.75, 3, example)])), end="")
        house (4)
         75.0 %  maison (3)
                 the house is red
                 la maison est rouge
        <BLANKLINE>
    """
    lines = [f"{show_word(headword.word)}{_times(headword.count)}"]
    for translation in headword.translations:
        share = f"{100 * translation.probability:5.1f} %"
        lines.append(f"{share}  {show_word(translation.word)}{_times(translation.count)}")
        lines += [f"{'':9}{show_sentence(sentence)}" for sentence in translation.example or ()]
    return "\n".join(lines) + "\n\n"


def _times(count: float | None) -> str:
    return "" if count is None else f" ({round(count, 2):,.10g})"


def _alphabetical(word: str) -> tuple[bool, str, str]:
    return not word[:1].isalpha(), word.casefold(), word
