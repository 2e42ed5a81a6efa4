"""Texts to learn from, one after the other, and what aligners say of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pralign import Aligner, Bitext, sample
from pralign.engine import ThreadEngine
from pralign.kernels.units import UNITS
from pralign.priors.recovering import RecoveredCounts, recover_counts
from pralign.runs.trained import TrainedModel

PAIRS = [(source.lower(), target.lower()) for source, target in Bitext.read(sample.SOURCE, sample.TARGET)]
FIRST, SECOND, THIRD = PAIRS[:90], PAIRS[90:170], PAIRS[170:240]
OTHERS = PAIRS[240:260]
SETTINGS = {
    "default": {},
    "fast": {"preset": "fast"},
    "plain fhmm": {"model": "fhmm", "estimator": "collapsed", "alpha": 0.01},
    "ibm1": {"model": "ibm1", "estimator": "collapsed", "lookalikes": 2.0},
    "ibm2": {"model": "ibm2", "estimator": "collapsed", "relatives": 3.0},
    "hmm": {"model": "hmm", "estimator": "collapsed", "prefix": 4},
}


def learned(pairs=FIRST, **settings) -> Aligner:
    return Aligner(**{"threads": 1, **settings}).fit(pairs)


def saved(folder: Path, name: str, pairs=FIRST, **settings) -> Path:
    learned(pairs, **settings).save(folder / name)
    return folder / name


def posteriors(aligner, pairs=(*PAIRS[80:100], *OTHERS)):
    """All posteriors of some pairs, trained on and not."""
    found = [aligner.posteriors(*pair) for pair in pairs]
    return np.concatenate([values.ravel() for each in found for values in (each.forward, each.reverse)])


def links(aligner, pairs=PAIRS):
    return [alignment.links for alignment in aligner.align(pairs)]


def recovered(model: TrainedModel) -> RecoveredCounts:
    return recover_counts(
        model.lexicon, model.base, model.recipe.estimator, (model.source, model.target), ThreadEngine(1)
    )


def counts_of(model: TrainedModel) -> dict[tuple[str, str], list[float]]:
    """The counts that are found again, by words; pairs without any are left out."""
    units = recovered(model).pairs
    targets = np.repeat(np.arange(len(model.target)), np.diff(model.lexicon.table.row_start)).tolist()
    rows = zip(model.lexicon.table.source.tolist(), targets, units.tolist(), strict=True)
    return {
        (model.source.words[s], model.target.words[t]): [count / UNITS for count in both]
        for s, t, both in rows
        if any(both)
    }


def files(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}
