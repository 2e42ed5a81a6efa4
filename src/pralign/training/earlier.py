"""What models that were trained before have counted, beside a text or instead of one.

These counts never change: they are added to those of every M-step. An M-step without any text makes one model of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pralign.kernels.arrays import Long
from pralign.models.base import CorpusSummary, DirectionalModel
from pralign.models.relatives import Level
from pralign.store import Store
from pralign.training.history import Iteration
from pralign.training.m_step import save_earlier_counts
from pralign.training.totals import Totals


@dataclass(frozen=True)
class EarlierCounts:
    """What earlier models have counted, all together; counts of word pairs lie in the store, see :func:`put_aside`.

    Attributes:
        names: What the models are called in the store.
        source: The counts of each source word, forward. These and the following are in units.
        target: The counts of each target word, in reverse.
        null_to_target: How much of each target word null has explained.
        null_to_source: The same for each source word.
        forward: The forward model of all of them, with room for the text.
        reverse: The reverse model.
        history: How they were trained.
        classes: What they have counted of classes of forms, all words included; nothing if all of their word pairs are
            among those of the lexicon, so that classes are counted there.
    """

    names: tuple[str, ...]
    source: Long
    target: Long
    null_to_target: Long
    null_to_source: Long
    forward: DirectionalModel
    reverse: DirectionalModel
    history: tuple[Iteration, ...] = ()
    classes: tuple[Level, ...] | None = None

    @property
    def listed(self) -> tuple[str, ...]:
        """Those of the models whose word pairs are all in the lexicon, and get parameters to be saved."""
        return self.names if self.classes is None else ()

    @property
    def models(self) -> tuple[DirectionalModel, DirectionalModel]:
        """Both directions."""
        return self.forward, self.reverse

    def added_to(self, totals: Totals) -> Totals:
        """What a text has counted, and this."""
        return totals._replace(
            source=totals.source + self.source,
            target=totals.target + self.target,
            null_to_target=totals.null_to_target + self.null_to_target,
            null_to_source=totals.null_to_source + self.null_to_source,
        )

    def pooled_with(
        self,
        models: tuple[DirectionalModel, DirectionalModel],
        summaries: tuple[CorpusSummary, CorpusSummary],
        smoothing: float,
    ) -> tuple[DirectionalModel, DirectionalModel]:
        """The models of a text, and these. Those of another kind, which come before, are left as they are."""
        if type(models[0]) is not type(self.forward):
            return models
        forward, reverse = (
            type(model).pooled(summary, [model, earlier], [np.arange(summary.state_words)] * 2, smoothing)
            for model, earlier, summary in zip(models, self.models, summaries, strict=True)
        )
        return forward, reverse


def put_aside(store: Store, name: str, units: Long, piece_words: Sequence[int]) -> None:
    """Put the counts of an earlier model's word pairs into the store, by the pieces that they belong to."""
    for piece in range(len(piece_words) - 1):
        rows = store.load(f"rows/{name}", [str(piece)])[str(piece)]
        save_earlier_counts(store, name, piece, units[rows])
