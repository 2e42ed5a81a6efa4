"""Aligning text that a model was not trained on: after a few iterations on it, from what the model knows.

A word that the model knows well keeps its translations; one that is rare or new to it learns from the text. Pairs that
the model was trained on need nothing of that, and are aligned as they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, islice

import numpy as np
from numpy.typing import NDArray

from pralign.decoding.stream import Decoded
from pralign.errors import UsageError
from pralign.evaluation import Criterion
from pralign.kernels.own_counts import find_pairs
from pralign.links.labelled import Labelled
from pralign.runs.earlier import check_additive
from pralign.runs.trained import TrainedModel
from pralign.text.bitext import Bitext, Pair
from pralign.text.shard import Shard

_CHUNK = 2_000


@dataclass(frozen=True)
class NewText:
    """A text as a model sees it.

    Attributes:
        pairs: The pairs.
        known: Which of them the model was trained on.
        trainable: How many of the others can be trained on.
    """

    pairs: Bitext | Sequence[Pair]
    known: NDArray[np.bool_]
    trainable: int

    @classmethod
    def of(cls, model: TrainedModel, pairs: Bitext | Iterable[Pair]) -> NewText:
        """Look at a text, which is read once more later, and kept in memory unless it can be."""
        text = pairs if isinstance(pairs, Bitext) else list(pairs)
        known, trainable = [np.empty(0, np.bool_)], 0
        remaining, longest = iter(text), model.recipe.settings.max_length
        while chunk := list(islice(remaining, _CHUNK)):
            texts = model.encode(chunk).texts
            lengths = np.diff(texts.source_start), np.diff(texts.target_start)
            fits = np.logical_and.reduce([(size > 0) & (size <= longest) for size in lengths])
            shard = Shard.of(texts, fits, np.arange(len(chunk)))
            here = np.zeros(len(chunk), np.bool_)
            here[shard.pairs] = _trained_on(model, shard)
            known.append(here)
            trainable += int(np.sum(fits & ~here))
        return cls(text, np.concatenate(known), trainable)

    @property
    def new(self) -> Iterator[Pair]:
        """The pairs that the model was not trained on."""
        return compress(self.pairs, (~self.known).tolist())

    @property
    def old(self) -> Iterator[Pair]:
        """The others."""
        return compress(self.pairs, self.known.tolist())

    def in_order(self, new: Iterator[Decoded], old: Iterator[Decoded]) -> Iterator[Decoded]:
        """The answers for all pairs, from those for the new and for the old ones."""
        return (next(old if is_known else new) for is_known in self.known.tolist())


def _trained_on(model: TrainedModel, shard: Shard) -> NDArray[np.bool_]:
    kept = model.training_pairs
    if kept is None:
        return np.zeros(shard.pairs.size, np.bool_)
    return np.asarray(find_pairs(shard.global_texts(), shard.pairs, kept.prints, kept.places, kept.texts) >= 0)


def why_not(model: TrainedModel) -> str | None:
    """Why a model cannot adapt to other text, if it cannot."""
    try:
        check_additive(model)
    except UsageError as error:
        return str(error)
    return None


def suited(
    model: TrainedModel, pairs: Iterable[Pair], labelled: Sequence[Labelled] | None, by: Criterion
) -> TrainedModel:
    """A model with the threshold that labelled pairs ask for or, if it has none yet, that suits a text."""
    if labelled is not None and model.recipe.method.has_threshold:
        return model.tuned(labelled, by)
    return model.adapted(pairs) if model.thresholds is None else model
