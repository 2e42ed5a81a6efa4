"""The counts of an earlier run, so that what a large text has taught helps with a small one."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np

from pralign.errors import UsageError
from pralign.kernels.arrays import Long
from pralign.kernels.lexical import confident_pairs
from pralign.models.base import DirectionalModel
from pralign.models.fertile_hmm import FertileHMM
from pralign.models.hmm import HMM
from pralign.models.prior import PositionPrior, Prior
from pralign.priors.words import UNKNOWN, prior_of_pairs
from pralign.storage import load_model
from pralign.text.corpus import Corpus
from pralign.text.index import PairIndex
from pralign.text.normalisation import Normalisation
from pralign.text.vocabulary import Vocabulary

logger = logging.getLogger("pralign")

# Counts below this are the prior's own, or noise.
_LEAST_COUNT = 0.01


def earlier_run(directory: Path, corpus: Corpus, index: PairIndex, normalisation: Normalisation) -> Prior:
    """The counts behind a saved aligner, for the words of another text.

    Raises:
        ModelError: There is no usable model.
        UsageError: It was trained on words that were made comparable in another way.
    """
    model, vocabularies, settings = load_model(directory)
    _check(directory, settings, normalisation)
    numbers = _translated(vocabularies["source"], corpus.source), _translated(vocabularies["target"], corpus.target)
    slots, sources = confident_pairs(
        model.lexicon.table, model.lexicon.translations, model.lexicon.masses, _LEAST_COUNT
    )
    targets = model.lexicon.table.target[slots].astype(np.int64)
    counts = model.lexicon.translations.probability[slots].copy()
    counts[:, 0] *= model.lexicon.masses.source[sources]
    counts[:, 1] *= model.lexicon.masses.target[targets]
    lexical = prior_of_pairs(numbers[0][sources], numbers[1][targets], counts, corpus, index)
    logger.info("%s: %d word pairs of the text are known from there", directory, lexical.slots.size)
    return Prior(
        lexical,
        (_positions(model.forward, numbers[0], len(corpus.source)),),
        (_positions(model.reverse, numbers[1], len(corpus.target)),),
    )


def _check(directory: Path, settings: dict[str, object], normalisation: Normalisation) -> None:
    for name in ("lowercase", "prefix", "suffix"):
        before, now = settings[name], getattr(normalisation, name)
        if before != now:
            raise UsageError(f"{directory} was trained with {name} {before}, now it is {now}; its words do not fit")


def _translated(before: Vocabulary, now: Vocabulary) -> Long:
    """For each word of one vocabulary, its number in the other."""
    found = (now.number(word) for word in before.words)
    return np.array([UNKNOWN if number is None else number for number in found], np.int64)


def _positions(model: DirectionalModel, numbers: Long, words: int) -> PositionPrior:
    if not isinstance(model, HMM) or model.totals.size == 0:
        return PositionPrior()
    fertilities = np.empty((0, 0))
    if isinstance(model, FertileHMM) and model.fertilities.size:
        known = numbers != UNKNOWN
        fertilities = np.zeros((words, model.fertilities.shape[1]))
        fertilities[numbers[known]] = model.fertilities[:-1][known]
    jumps, sentences = model.sizes
    return PositionPrior(model.weights, jumps, sentences, fertilities)
