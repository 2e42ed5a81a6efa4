"""The counts of an earlier run, so that what a large text has taught helps with a small one."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pralign.errors import UsageError
from pralign.kernels.arrays import Long
from pralign.kernels.lexical import confident_pairs
from pralign.models.base import DirectionalModel
from pralign.models.fertile_hmm import FertileHMM
from pralign.models.hmm import HMM
from pralign.models.prior import PositionPrior
from pralign.priors.entries import UNKNOWN, KnownText, PairEntries, PriorEntries
from pralign.storage import load_model
from pralign.text.normalisation import Normalisation

# Counts below this are the prior's own, or noise.
_LEAST_COUNT = 0.01


def earlier_run(directory: Path, text: KnownText) -> PriorEntries:
    """The counts behind a saved aligner, for the words of another text.

    Raises:
        ModelError: There is no usable model.
        UsageError: It was trained on words that were made comparable in another way.
    """
    saved = load_model(directory)
    _check(directory, saved.settings, text.normalisation)
    lexicon = saved.lexicon
    normalizers = lexicon.words.normalizers
    numbers = text.source.numbers_of(saved.source), text.target.numbers_of(saved.target)
    slots, targets = confident_pairs(lexicon.table, lexicon.translations, normalizers, _LEAST_COUNT)
    sources = lexicon.table.source[slots].astype(np.int64)
    counts = lexicon.probability[slots].astype(np.float64)
    counts[:, 0] *= normalizers.source[sources]
    counts[:, 1] *= normalizers.target[targets]
    if saved.base.relatives is not None:
        counts = saved.base.without_relatives(counts, (sources, targets))
        seen = counts.max(axis=1, initial=0.0) >= _LEAST_COUNT
        counts, sources, targets = counts[seen], sources[seen], targets[seen]
    return PriorEntries(
        PairEntries.of(numbers[0][sources], numbers[1][targets], counts),
        _positions(saved.forward, numbers[0], len(text.source)),
        _positions(saved.reverse, numbers[1], len(text.target)),
    )


def _check(directory: Path, settings: dict[str, object], normalisation: Normalisation) -> None:
    for name in ("lowercase", "prefix", "suffix"):
        before, now = settings[name], getattr(normalisation, name)
        if before != now:
            raise UsageError(f"{directory} was trained with {name} {before}, now it is {now}; its words do not fit")


def _positions(model: DirectionalModel, numbers: Long, words: int) -> PositionPrior:
    if not isinstance(model, HMM) or model.jumps.totals.size == 0:
        return PositionPrior()
    fertilities = np.empty((0, 0))
    if isinstance(model, FertileHMM) and model.fertilities.learned:
        known = numbers != UNKNOWN
        fertilities = np.zeros((words, model.fertilities.table.shape[1]))
        fertilities[numbers[known]] = model.fertilities.table[:-1][known]
    jumps, sentences = model.sizes
    return PositionPrior(model.weights, jumps, sentences, fertilities)
