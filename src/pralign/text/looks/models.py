"""How a text goes together with a model."""

from __future__ import annotations

from collections.abc import Iterator

from pralign.text.looks.base import Finding, look
from pralign.text.looks.sample import KnownWords, Side, TextSample
from pralign.text.vocabulary import Vocabulary

# The sides are swapped if the model knows so much more of each on its other side.
_MARGIN = 0.2
_LEAST_WORDS = 100
_HARDLY = 0.1


@look("swapped", hides=["unknown-words"])
def swapped(sample: TextSample) -> Iterator[Finding]:
    """Sides that are each other's, as far as the model knows."""
    known = sample.known
    if known is None:
        return
    own, other = (
        _shares(sample, known, (known.source, known.target)),
        _shares(sample, known, (known.target, known.source)),
    )
    if own and other and all(there - here >= _MARGIN for here, there in zip(own, other, strict=True)):
        advice = (
            f"the sides seem to be swapped: the model knows {other[0]:.0%} of the source words on its target side, and "
            f"{own[0]:.0%} on its source side; give the two files in the other order"
        )
        yield Finding("swapped", advice, sample.name)


@look("unknown-words")
def unknown_words(sample: TextSample) -> Iterator[Finding]:
    """Sides of which the model knows hardly any word."""
    known = sample.known
    if known is None:
        return
    shares = _shares(sample, known, (known.source, known.target))
    for side, share in zip(sample.sides, shares, strict=False):
        if share < _HARDLY:
            advice = f"the model knows hardly any word of it ({share:.0%}); is it of this language, and prepared alike?"
            yield Finding("unknown-words", advice, side.name)


def _shares(sample: TextSample, known: KnownWords, words: tuple[Vocabulary, Vocabulary]) -> tuple[float, ...]:
    """The share of the words of each side that a vocabulary has; nothing if there are too few to tell."""
    sides = [_words(side, known) for side in sample.sides]
    if min(map(len, sides)) < _LEAST_WORDS:
        return ()
    # Vocabularies are walked through, since a table of all their words would take as much memory as they do.
    known_words = [set(side).intersection(vocabulary.words) for side, vocabulary in zip(sides, words, strict=True)]
    return tuple(
        sum(word in found for word in side) / len(side) for side, found in zip(sides, known_words, strict=True)
    )


def _words(side: Side, known: KnownWords) -> list[str]:
    """The words of a side that have letters."""
    return [word for line in side.some for word in known.normalisation(line) if any(map(str.isalpha, word))]
