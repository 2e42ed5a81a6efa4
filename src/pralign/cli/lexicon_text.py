"""The text of a lexicon, as the options of ``pralign lexicon`` want it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pralign.characters import escaped
from pralign.cli.console import note
from pralign.errors import InputError
from pralign.text.compression import OPENERS

if TYPE_CHECKING:
    from pralign.lexicons.dictionaries import Headword
    from pralign.lexicons.making import Count
    from pralign.lexicons.tables import Direction, Lexicon, OneDirection
    from pralign.links.files import AlignmentFile
    from pralign.text.bitext import Bitext

MOSES, DICTIONARY = "moses", "dictionary"
FORMATS = (MOSES, "tsv", "jsonl", DICTIONARY)
_JSONL = "jsonl"
_ENDINGS = {"forward": ".f2e", "reverse": ".e2f"}
_TITLES = {"forward": "Source words and their translations", "reverse": "Target words and their translations"}
# Of the word pairs of a model, nineteen in twenty are all but impossible.
_LEAST_OF_MODEL = 0.001


@dataclass(frozen=True)
class LexiconText:
    """What the options ask for; ``None`` is what was not given.

    Attributes:
        format: How the lexicon is written.
        direction: Which probabilities are written.
        top: How many translations of a word are kept.
        min_probability: How probable they are at least.
        min_count: How often they were linked at least.
        null: Whether null is written too.
        on_terminal: Whether the text is shown on a terminal, where words must not act on it.
    """

    format: str
    direction: Direction
    top: int | None
    min_probability: float | None
    min_count: float | None
    null: bool | None
    on_terminal: bool = False

    def outputs(self, output: Path | None) -> dict[str, Path | None]:
        """Where the text of each direction goes, or that of all."""
        if self.format != MOSES or self.direction != "both" or output is None:
            return {self.direction: output}
        kind = output.suffix if output.suffix.removeprefix(".") in OPENERS else ""
        stem = str(output).removesuffix(kind)
        return {way: Path(f"{stem}{ending}{kind}") for way, ending in _ENDINGS.items()}

    def of_model(self, model: Path) -> Iterator[tuple[str, str]]:
        """The text of a model's lexicon, in blocks, with the place where each goes."""
        from pralign.lexicons.tables import Lexicon

        least = _LEAST_OF_MODEL if self.min_probability is None else self.min_probability
        whole = Lexicon.from_model(model, least)
        if self.format != DICTIONARY:
            yield from self._tables(whole, least)
            return
        from pralign.lexicons.dictionaries import headwords

        for way in self._ways:
            yield from self._dictionary(way, headwords(self._kept(whole, way), way))

    def of_links(self, bitext: Bitext, alignments: AlignmentFile, count: Count) -> Iterator[tuple[str, str]]:
        """The same for the links of a text."""
        from pralign.lexicons.making import lexicon as counted_lexicon

        if self.format != DICTIONARY:
            null_word = "NULL" if self._has_null and self.format != _JSONL else None
            whole = counted_lexicon(bitext, alignments, count=count, null_word=null_word)
            yield from self._tables(_not_empty(whole, bitext.name), self.min_probability or 0.0)
            return
        from pralign.lexicons.dictionaries import counted_with_examples, headwords
        from pralign.lexicons.examples import sentences_at

        whole, finder, words = counted_with_examples(bitext, alignments, count)
        _not_empty(whole, bitext.name)
        for way in self._ways:
            kept = self._kept(whole, way)
            numbers = finder.numbers(kept, words)
            yield from self._dictionary(way, headwords(kept, way, numbers, sentences_at(bitext, numbers)))

    @property
    def _has_null(self) -> bool:
        return self.format == MOSES if self.null is None else self.null

    @property
    def _ways(self) -> tuple[OneDirection, ...]:
        return ("forward", "reverse") if self.direction == "both" else (self.direction,)

    def _tables(self, whole: Lexicon, least: float) -> Iterator[tuple[str, str]]:
        from pralign.lexicons.formats import LEXICON_FORMATS

        for way in self._ways if self.format == MOSES else (self.direction,):
            kept = whole.pruned(
                way, top=self.top, min_probability=least, min_count=self.min_count or 0.0, null=self._has_null
            )
            note(f"{len(kept):,} word pairs{f', {way}' if self.format == MOSES else ''}")
            for block in LEXICON_FORMATS[self.format](kept, way):
                yield (way if self.format == MOSES else self.direction), block

    def _kept(self, whole: Lexicon, way: OneDirection) -> Lexicon:
        """What of a lexicon is shown in a dictionary."""
        from pralign.lexicons.dictionaries import LEAST_PROBABILITY, MOST_TRANSLATIONS

        return whole.pruned(
            way,
            top=self.top or MOST_TRANSLATIONS,
            min_probability=LEAST_PROBABILITY if self.min_probability is None else self.min_probability,
            min_count=self.min_count or 0.0,
            null=False,
        )

    def _dictionary(self, way: OneDirection, words: Iterator[Headword]) -> Iterator[tuple[str, str]]:
        from pralign.lexicons.dictionaries import dictionary_text
        from pralign.pictures.words import for_terminal

        if self.direction == "both":
            yield self.direction, f"{_TITLES[way]}\n\n"
        for word in words:
            yield (
                self.direction,
                dictionary_text(word, for_terminal, escaped) if self.on_terminal else dictionary_text(word),
            )


def _not_empty(lexicon: Lexicon, name: str) -> Lexicon:
    if not len(lexicon):
        raise InputError(f"{name}: no words to make a lexicon of: the text is empty")
    return lexicon
