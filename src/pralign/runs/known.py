"""What a trained model knows of the words of another text, so that a run on that text can begin with it.

Only what the text asks for is looked up: counts of its word pairs and words, and of the classes of their forms. So it
takes the time that the text takes, however large the model is. Nothing else of the model becomes part of the run, which
is for aligning; to have one model of both, go on from it (:mod:`pralign.runs.earlier`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pralign.kernels.arrays import Int, Long
from pralign.kernels.indexing import find_slots
from pralign.kernels.relatives import ClassTotals, renumbered_classes
from pralign.kernels.units import as_units
from pralign.models.base import CorpusSummary, DirectionalModel
from pralign.models.relatives import Level, Relatives
from pralign.priors.recovering import Recovery
from pralign.runs.trained import TrainedModel
from pralign.text.earlier import KNOWN
from pralign.text.forms import Forms
from pralign.text.sharding import ShardedCorpus
from pralign.training.earlier import EarlierCounts
from pralign.training.m_step import save_earlier_counts

_UNKNOWN = -1


def known_counts(model: TrainedModel, corpus: ShardedCorpus, relatives: Relatives | None) -> EarlierCounts:
    """What a model has counted of the words of a corpus; counts of word pairs are put into the store.

    Args:
        model: The model.
        corpus: The text.
        relatives: How much its words lean on their relatives, by the same rules as those of the model.
    """
    recovery = Recovery(model.lexicon, model.base, model.recipe.estimator, None)
    source, target = model.source.numbers_of(corpus.source), model.target.numbers_of(corpus.target)
    _save_pair_counts(recovery, corpus, source, target)
    totals = [np.maximum(as_units(total), 0) for total in recovery.totals()]
    nulls = recovery.nulls()
    smoothing = model.recipe.estimator.positional
    words = len(corpus.source), len(corpus.target)
    forward = CorpusSummary(corpus.longest_target, *words)
    reverse = CorpusSummary(corpus.longest_source, *words[::-1])
    return EarlierCounts(
        (KNOWN,),
        _chosen(totals[0], source),
        _chosen(totals[1], target),
        _chosen(nulls[0], target),
        _chosen(nulls[1], source),
        _restricted(model.forward, forward, (source, target), smoothing),
        _restricted(model.reverse, reverse, (target, source), smoothing),
        model.history,
        () if relatives is None else tuple(_levels(model, corpus, relatives)),
    )


def _chosen(values: Long, numbers: Long) -> Long:
    return np.where(numbers >= 0, values[np.maximum(numbers, 0)], 0)


def _save_pair_counts(recovery: Recovery, corpus: ShardedCorpus, source: Long, target: Long) -> None:
    """Put the counts of the word pairs of each piece into the store, and which of them the model has met."""
    for piece in range(corpus.pieces):
        table = corpus.piece(piece)
        words = np.arange(*corpus.piece_words[piece : piece + 2])
        sources, targets = source[table.source], np.repeat(target[words], np.diff(table.row_start))
        both = np.flatnonzero((sources >= 0) & (targets >= 0))
        slots = find_slots(recovery.lexicon.table, sources[both], targets[both])
        met = both[slots >= 0]
        probability = recovery.lexicon.probability[slots[slots >= 0]]
        units = np.zeros((sources.size, 2), np.int64)
        counts = recovery.counts(probability, sources[met], targets[met])
        units[met] = recovery.in_units(counts, recovery.least)
        seen = np.zeros(sources.size, np.bool_)
        seen[met] = True
        corpus.store.save(f"met/{piece}", {"met": seen})
        save_earlier_counts(corpus.store, KNOWN, piece, units)


def _restricted(
    model: DirectionalModel, summary: CorpusSummary, numbers: tuple[Long, Long], smoothing: float
) -> DirectionalModel:
    """A directional model of the words of a text; it knows nothing of those that are new."""
    states, observed = (each[each >= 0] for each in numbers)
    return type(model).pooled(
        summary, [model.for_words(states, observed)], [np.flatnonzero(numbers[0] >= 0)], smoothing
    )


def known_relatives(model: TrainedModel, corpus: ShardedCorpus) -> Relatives | None:
    """How much the words of a text lean on their relatives, by the rules of a model."""
    rules = model.base.relatives
    if rules is None:
        return None
    source, target = Forms(corpus.source.words, rules.source.listed), Forms(corpus.target.words, rules.target.listed)
    return Relatives(rules.strength, source, target)


def _levels(model: TrainedModel, corpus: ShardedCorpus, relatives: Relatives) -> Iterator[Level]:
    """What the model has counted of the classes of forms that the words of a text are in."""
    known = model.base.relatives
    assert known is not None
    before = known.source.classes(corpus.source.words), known.target.classes(corpus.target.words)
    now = relatives.source.known, relatives.target.known
    sizes = zip(relatives.source.sizes, relatives.target.sizes, strict=True)
    for (counts, totals), *old, (new_source, new_target), (sources, targets) in zip(
        model.base.levels, *before, zip(*now, strict=True), sizes, strict=True
    ):
        source, target = _same_classes(old[0], new_source, sources), _same_classes(old[1], new_target, targets)
        yield Level(
            renumbered_classes(counts, source, target, totals.source.size),
            ClassTotals(
                _chosen(np.rint(totals.source).astype(np.int64), source),
                _chosen(np.rint(totals.target).astype(np.int64), target),
            ),
        )


def _same_classes(before: Int, now: Int, classes: int) -> Long:
    """For each class, that of the same forms which the model knows, -1 if there is none."""
    same = np.full(classes, _UNKNOWN, np.int64)
    same[now] = before
    return same
