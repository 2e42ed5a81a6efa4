"""How the two sides go together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pralign.text.files import STANDARD_STREAM
from pralign.text.looks.base import ALL, ENOUGH, Finding, look
from pralign.text.looks.sample import TextSample
from pralign.text.tokens import tokens

# Pairs that are the same on both sides: so many make one text of two, or a text that was not translated.
_SAME, _UNTRANSLATED = 0.95, 0.3
_LEAST_WORDS = 3
# How clear it has to be that lines fit others better than their own, and from which line on all of them do.
_CLEAR = 40.0
_BEGINNING = 3
_LEAST_PAIRS = 200


@look("same-file", hides=[ALL, "same-text"])
def same_file(sample: TextSample) -> Iterator[Finding]:
    """One file given twice."""
    if len(sample.files) == 2 and sample.starts and _is_same(*sample.files):
        advice = f"SRC and TGT are the same file, {sample.names[1]}; name the file with the translations as TGT"
        yield Finding("same-file", advice)


def _is_same(one: str | Path, other: str | Path) -> bool:
    if STANDARD_STREAM in (str(one), str(other)):
        return False
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        return False


@look("same-text", hides=[ALL])
def same_text(sample: TextSample) -> Iterator[Finding]:
    """Sides that are the same, for the most part or in many pairs."""
    pairs = sample.filled_pairs
    if len(pairs) < ENOUGH:
        return
    same = sum(source == target for source, target in pairs)
    if same >= _SAME * len(pairs):
        yield Finding("same-text", f"{sample.name} hold the same text; name a file with translations")


@look("untranslated")
def untranslated(sample: TextSample) -> Iterator[Finding]:
    """Sides that are the same in many pairs."""
    pairs = sample.filled_pairs
    same = sum(source == target and len(tokens(source)) >= _LEAST_WORDS for source, target in pairs)
    if len(pairs) >= ENOUGH and same >= _UNTRANSLATED * len(pairs):
        share = f"{100 * same / len(pairs):.0f} %"
        advice = f"{share} of the pairs are the same on both sides, so not translated; leave them out"
        yield Finding("untranslated", advice, sample.name)


@look("shifted", hides=["unrelated"])
def shifted(sample: TextSample) -> Iterator[Finding]:
    """Lines that fit other lines than their own."""
    from pralign.text.parting import find_parting, lengths_of
    from pralign.text.unequal import surplus_of, where

    source, target = sample.sides
    if len(sample.filled_pairs) < ENOUGH:
        return
    place = find_parting(lengths_of(source.sentences), lengths_of(target.sentences), _CLEAR)
    if place is None:
        return
    surplus = surplus_of(place, (source.name, target.name))
    if place.first <= _BEGINNING:
        advice = f"the sides seem to be shifted: {surplus} at the beginning; remove what has no translation"
    else:
        advice = f"the sides seem to part {where(place, sample.first)}, where {surplus}; put that right first"
    yield Finding("shifted", advice, sample.name)


@look("unrelated")
def unrelated(sample: TextSample) -> Iterator[Finding]:
    """Sides whose lines have nothing to do with each other."""
    from pralign.text import parting

    sides = [parting.lengths_of(side.sentences) for side in sample.sides]
    if len(sample.filled_pairs) >= _LEAST_PAIRS and parting.unrelated(sides[0], sides[1]):
        advice = (
            "long lines stand beside short ones throughout, so they do not seem to translate each other; are the files "
            "of the same text, in the same order?"
        )
        yield Finding("unrelated", advice, sample.name)
