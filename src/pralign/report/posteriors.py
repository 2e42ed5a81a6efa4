"""The posteriors of a trained model for the pairs of a report, with the settings and the history of the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pralign.links.alignment import Alignment
from pralign.settings import Settings

if TYPE_CHECKING:  # those who report without a model do not wait for the compiler
    from pralign.aligner import Aligner
    from pralign.evaluation import WordsOfPair
    from pralign.matching.aligner import MatchingAligner

LOWEST = 0.02
LONGEST = 200
_AT_ONCE = 64


@dataclass(frozen=True)
class ModelPosteriors:
    """The probabilities of links that a model gives the pairs of a report, and what is to be said of the model itself.

    Attributes:
        name: What the report calls the model.
        forward: The links of each pair that the forward direction gives a probability of at least 0.02, with these
            probabilities.
        reverse: The same of the reverse direction.
        mean: The same of the mean of both.
        signature: What the model is and how it decodes, in one line.
        settings: The same as names and values.
        thresholds: How probable a link must be, for each of the three; ``None`` where links are chosen in other ways.
        history: What each iteration of training found, as dictionaries.
        learned: Groups, features and their weights, for a model that learned from labelled pairs.
    """

    name: str
    forward: Sequence[Alignment]
    reverse: Sequence[Alignment]
    mean: Sequence[Alignment]
    signature: str
    settings: Sequence[tuple[str, str]] = ()
    thresholds: tuple[float, float, float] | None = None
    history: Sequence[dict[str, Any]] = ()
    learned: Sequence[tuple[str, str, float]] = ()

    @property
    def has_probabilities(self) -> bool:
        """Whether there is any link that the model gives a probability; matching without posteriors has none."""
        return any(self.mean)


def posteriors_of_matching(
    aligner: MatchingAligner, pairs: Sequence[WordsOfPair], name: str, most: int = 40
) -> ModelPosteriors:
    """Those of the generative model inside a matching aligner, if it has one, and what labelled pairs have taught."""
    from pralign.matching.boosting import Boosted

    extractor, learned = aligner.trained()
    values = learned.classifier.weights if isinstance(learned, Boosted) else learned.weights
    weights = [(*column, float(weight)) for column, weight in zip(extractor.columns, values, strict=False)]
    heaviest = sorted(weights, key=lambda row: -abs(row[2]))[:most]
    settings = [(key, str(value)) for key, value in aligner.signature.as_dict().items()]
    if extractor.model is None:
        nothing = [Alignment()] * len(pairs)
        return ModelPosteriors(name, nothing, nothing, nothing, str(aligner.signature), settings, learned=heaviest)
    inner = posteriors_of_model(extractor.model, pairs, name)
    return replace(inner, signature=str(aligner.signature), settings=settings, thresholds=None, learned=heaviest)


def posteriors_of_model(aligner: Aligner, pairs: Sequence[WordsOfPair], name: str) -> ModelPosteriors:
    """Those that a trained aligner gives to pairs.

    Pairs with an empty side, or with one of more than 200 words, get no links.
    """
    from pralign.decoding.decoder import SOFT_UNION, Decoder, Thresholds

    observe = aligner.observer(pairs)
    wanted = [k for k, pair in enumerate(pairs) if all(0 < len(words) <= LONGEST for words in pair)]
    views: dict[str, list[Alignment]] = {
        kind: [Alignment()] * len(pairs) for kind in ("forward", "reverse", SOFT_UNION)
    }
    decoders = {kind: Decoder("posterior", kind, Thresholds.all(LOWEST)) for kind in views}
    for begin in range(0, len(wanted), _AT_ONCE):
        numbers = wanted[begin : begin + _AT_ONCE]
        evidence = observe(_array(numbers))
        for kind, decode in decoders.items():
            for k, alignment in zip(numbers, decode(evidence), strict=True):
                views[kind][k] = alignment
    forward, reverse, mean = views.values()
    thresholds = None
    if aligner.settings.decode == Settings.decode:
        chosen = aligner.thresholds_
        thresholds = (chosen.forward, chosen.reverse, chosen.mean)
    settings = [(key, str(value)) for key, value in aligner.signature.as_dict().items()]
    history = [entry.as_dict() for entry in aligner.history_]
    return ModelPosteriors(name, forward, reverse, mean, str(aligner.signature), settings, thresholds, history)


def _array(numbers: Sequence[int]) -> Any:
    import numpy as np

    return np.array(numbers, np.int64)
