"""The posteriors of a trained model for the pairs of a report, with the settings and the history of the model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pralign.links.alignment import Alignment
from pralign.settings import Settings

if TYPE_CHECKING:  # those who report without a model do not wait for the compiler
    from pralign.aligner import Aligner
    from pralign.decoding.decoder import Thresholds
    from pralign.decoding.evidence import Evidence
    from pralign.evaluation import WordsOfPair
    from pralign.matching.aligner import MatchingAligner
    from pralign.training.history import Iteration

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

    def only(self, pairs: Sequence[int]) -> ModelPosteriors:
        """The same of some of the pairs, by their numbers."""
        forward, reverse, mean = ([view[k] for k in pairs] for view in (self.forward, self.reverse, self.mean))
        return replace(self, forward=forward, reverse=reverse, mean=mean)


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
    views = _Views(len(pairs))
    views.add_all(_asked(aligner, pairs, _short_enough(pairs)))
    return _described(aligner, views, name, aligner.thresholds_, aligner.history_)


def posteriors_of_answers(
    aligner: Aligner, pairs: Sequence[WordsOfPair], lines: Sequence[int], name: str
) -> ModelPosteriors:
    """The same of pairs that an aligner has just aligned: what its answers came from, without making a model of it.

    Args:
        aligner: The aligner, which has not been closed yet.
        pairs: The words of some pairs of the text that was aligned.
        lines: Their numbers in the text, from zero.
        name: What to call the model.
    """
    run = aligner.latest_run
    if run is None:
        return posteriors_of_model(aligner, pairs, name)
    views, wanted = _Views(len(pairs)), _short_enough(pairs)
    places = {lines[k]: k for k in wanted}
    for numbers, evidence in run.observe(list(places)):
        views.add([places[number] for number in numbers.tolist()], evidence)
    if run.left_out is not None:
        views.add_all(_asked(aligner, pairs, [k for k in wanted if run.left_out[lines[k]]]))
    return _described(aligner, views, name, run.thresholds, run.state.history)


class _Views:
    """The links of pairs that are probable at all, in each direction and in the mean of both."""

    def __init__(self, pairs: int) -> None:
        from pralign.decoding.decoder import SOFT_UNION, Decoder, Thresholds

        kinds = ("forward", "reverse", SOFT_UNION)
        self._decoders = [Decoder("posterior", kind, Thresholds.all(LOWEST)) for kind in kinds]
        self.links: list[list[Alignment]] = [[Alignment()] * pairs for _ in kinds]

    def add(self, places: Sequence[int], evidence: Evidence) -> None:
        """Add what a model says of the pairs at some places."""
        for decode, links in zip(self._decoders, self.links, strict=True):
            for k, alignment in zip(places, decode(evidence), strict=True):
                links[k] = alignment

    def add_all(self, observed: Iterable[tuple[Sequence[int], Evidence]]) -> None:
        """Add what a model says, block by block."""
        for places, evidence in observed:
            self.add(places, evidence)


def _short_enough(pairs: Sequence[WordsOfPair]) -> list[int]:
    return [k for k, pair in enumerate(pairs) if all(0 < len(words) <= LONGEST for words in pair)]


def _asked(
    aligner: Aligner, pairs: Sequence[WordsOfPair], wanted: Sequence[int]
) -> Iterator[tuple[Sequence[int], Evidence]]:
    """What the trained model says of some of the pairs."""
    import numpy as np

    observe = aligner.observer(pairs)
    for begin in range(0, len(wanted), _AT_ONCE):
        numbers = wanted[begin : begin + _AT_ONCE]
        yield numbers, observe(np.array(numbers, np.int64))


def _described(
    aligner: Aligner, views: _Views, name: str, chosen: Thresholds, history: Sequence[Iteration]
) -> ModelPosteriors:
    thresholds = None
    if aligner.settings.decode == Settings.decode:
        thresholds = (chosen.forward, chosen.reverse, chosen.mean)
    settings = [(key, str(value)) for key, value in aligner.signature.as_dict().items()]
    entries = [entry.as_dict() for entry in history]
    forward, reverse, mean = views.links
    return ModelPosteriors(name, forward, reverse, mean, str(aligner.signature), settings, thresholds, entries)
