"""From a sample to the whole text, or to as much text as one likes: how much work there will be."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pralign.errors import InputError
from pralign.runs.needs import Workload, shards_of
from pralign.runs.planning.growth import TextGrowth
from pralign.runs.planning.sampling import NumberedSample, Sample
from pralign.runs.recipe import Recipe
from pralign.text.bitext import Bitext
from pralign.text.cutting import ShardSizes
from pralign.text.forms import share_in_characters


@dataclass(frozen=True)
class TextFigures:
    """How large a text is. All but the number of pairs are estimates, unless the sample is all of it.

    Attributes:
        pairs: Sentence pairs.
        sampled: How many were looked at.
        source_tokens: Running words of the source side.
        target_tokens: Running words of the target side.
        cells: Source words times target words, summed over pairs.
        source_words: Different words of the source side.
        target_words: Different words of the target side.
        word_pairs: Different pairs of words that occur together.
    """

    pairs: int
    sampled: int
    source_tokens: int
    target_tokens: int
    cells: int
    source_words: int
    target_words: int
    word_pairs: int


@dataclass(frozen=True)
class Outlook:
    """What can be told of a text from a sample of it.

    Attributes:
        figures: How large it is.
        growth: How it grows.
        characters: The share of target words in Chinese characters or kana.
    """

    figures: TextFigures
    growth: TextGrowth
    characters: float

    @classmethod
    def of(cls, sample: Sample, numbered: NumberedSample, pairs: int | None = None) -> Outlook:
        """The outlook on the text of a sample, or on so many pairs of its kind."""
        total, growth = sample.pairs if pairs is None else pairs, TextGrowth.of(numbered)
        corpus = numbered.corpus
        share = total / len(corpus)
        figures = TextFigures(
            total,
            len(corpus),
            round(share * corpus.texts.source.size),
            round(share * corpus.texts.target.size),
            round(share * float(numbered.cells.sum())),
            growth.source_words(total),
            growth.target_words(total),
            growth.word_pairs(total),
        )
        return cls(figures, growth, share_in_characters(corpus.target.words))

    def work(self, recipe: Recipe) -> Workload:
        """What training will be like if all of the text is one shard."""
        figures = self.figures
        return Workload(
            figures.pairs,
            figures.source_tokens + figures.target_tokens,
            figures.cells,
            figures.source_words + figures.target_words,
            figures.word_pairs,
            figures.word_pairs,
            recipe.estimator.leaves_out,
            recipe.settings.relatives > 0,
            recipe.constraint is not None,
            self.characters,
        )

    def cut(self, work: Workload, sizes: ShardSizes) -> Workload:
        """What it will be like if the text is cut so."""
        listed = self.growth.listed(work.pairs, shards_of(work, sizes))
        return replace(work, listed=max(listed, work.distinct))


def check_sample(sample: Sample, numbered: NumberedSample, bitext: Bitext, longest: int) -> None:
    """Complain of a text, or a sample, that there is nothing to learn from.

    Raises:
        InputError: It is empty, or all its pairs have an empty or a long side.
    """
    if sample.pairs == 0:
        raise InputError(f"{bitext.name}: nothing to plan for: the text is empty")
    if not numbered.trained.any():
        raise InputError(
            f"{bitext.name}: nothing to plan for: of {len(numbered.corpus)} pairs that were looked at, none has two "
            f"sides of 1 to {longest} words"
        )
