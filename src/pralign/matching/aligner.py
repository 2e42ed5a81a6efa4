"""The matching aligner: learns from a hundred labelled pairs, and from unlabelled text."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from pralign.aligner import Aligner
from pralign.decoding.decoder import marked_links
from pralign.decoding.stream import in_place
from pralign.engine import ThreadEngine
from pralign.errors import InputError, ModelError, UsageError
from pralign.kernels.arrays import Long
from pralign.kernels.assignment import assign_pairs
from pralign.kernels.preparing import prepare
from pralign.links.alignment import Alignment
from pralign.links.labelled import Labelled, as_examples, only_labelled
from pralign.manners import Mannered, mannered
from pralign.matching.association import Association
from pralign.matching.boosting import Boosted, LabelledCells, LinkDecider, learn_links, report_learned
from pralign.matching.cells import Context
from pralign.matching.checks import (
    check_labels,
    check_predictions,
    check_varying,
    report_left_out,
    report_unknown,
)
from pralign.matching.extraction import Extractor, TextCells
from pralign.matching.extragradient import Extragradient
from pralign.matching.features import FEATURES, Group, Kinds, get_feature
from pralign.matching.perceptron import Perceptron
from pralign.matching.predictions import PredictionStreams, predictions_for_labelled
from pralign.matching.problem import LearningProblem
from pralign.matching.scaling import Scaling
from pralign.matching.stopping import Learner, learn
from pralign.matching.storage import load_matching, save_matching
from pralign.matching.weights import Learned
from pralign.schema.arguments import check_path
from pralign.schema.values import kinds_of
from pralign.signature import Signature
from pralign.text.bitext import Bitext, Pair, Sentence
from pralign.text.normalisation import Normalisation
from pralign.text.pairs import Pairs, as_pair, as_pairs
from pralign.text.tokenizers import SPACES, Tokenization

logger = logging.getLogger("pralign")

LearnerName = Literal["boosting", "extragradient", "perceptron"]

_CHUNK = 2_000
_WORST_PROJECTION = 1e-6
_UNTRAINED = "this aligner has learned nothing yet; call fit or load first"


@mannered
@dataclass(repr=False)
class MatchingAligner(Mannered):
    """Aligns by the best matching of words, with scores of links learned from labelled pairs.

    A link scores a weighted sum of features. The alignment is the set of links with the highest sum of scores in which
    no word has more than ``capacity`` links; words may stay alone.

    Attributes:
        features: The groups of features, as a list or as ``"dice,distance"``; by default all that can be had:
            ``"predictions"`` only if predictions are given, ``"posteriors"`` always.
        learner: ``"extragradient"``, which looks for a large margin, ``"perceptron"``, or ``"boosting"``, which decides
            link by link, without matching, and leaves the model alone if it cannot do better. That is the default, if
            there are posteriors and nothing is set that only the others know (``"common"``, and what follows).
        capacity: How many links a word may have. What links beyond the first cost is learned. By default two with
            ``"posteriors"`` or ``"predictions"``, which tell good ones, and otherwise one.
        miss_cost: How much worse it is to miss a sure link than to make a wrong one.
        rounds: How many rounds are learned at most; where to stop is found on validation pairs or by cross-validation.
        radius: How long the weights of standardised features may become, together.
        model: The generative model that ``"posteriors"`` asks: a trained :class:`~pralign.aligner.Aligner` or its
            directory. Without it, one is trained on the unlabelled text.
        lowercase: Whether words that differ only in case are the same.
        tokenize: How sentences that are text are cut into words, as :class:`~pralign.aligner.Aligner` says it.
        threads: How many threads work; by default one for each processor. The result does not depend on it.
        verbose: Whether training of the generative model shows how far it is.

    Pairs may be given in all the ways that :class:`~pralign.aligner.Aligner` knows. After :meth:`fit` or :meth:`load`
    there is also ``learned_``, with weights and how they came about.

    Example:
        >>> text = [("the house", "la maison"), ("the cat", "le chat"), ("a house", "une maison")]
        >>> labelled = [("the house", "la maison", Alignment.of([(0, 0), (1, 1)]))]
        >>> aligner = MatchingAligner(features=["dice", "distance"], threads=1).fit(text, labelled=labelled)
        >>> next(aligner.align([("a cat", "un chat")])).links
        ((1, 1),)
    """

    features: Sequence[str] | str | None = None
    learner: LearnerName | None = None
    capacity: int | None = None
    miss_cost: float = 3.0
    rounds: int = 300
    radius: float = 10.0
    model: Aligner | str | Path | None = None
    lowercase: bool = True
    tokenize: str = SPACES
    threads: int | None = None
    verbose: bool | None = None

    def __post_init__(self) -> None:
        self._check_arguments()
        self._extractor: Extractor | None = None
        self.learned_: Learned | Boosted | None = None

    @property
    def feature_names(self) -> list[str] | None:
        """The groups of features that were named, if any were."""
        if isinstance(self.features, str):
            return [name.strip() for name in self.features.split(",") if name.strip()]
        return None if self.features is None else list(self.features)

    @property
    def is_trained(self) -> bool:
        """Whether anything was learned or loaded."""
        return self.learned_ is not None

    @property
    def _engine(self) -> ThreadEngine:
        return ThreadEngine(self.threads)

    @property
    def _normalisation(self) -> Normalisation:
        return Normalisation(self.lowercase)

    @property
    def _tokenization(self) -> Tokenization:
        return Tokenization.of(self.tokenize)

    def _check(self) -> None:
        names = self.feature_names
        for name in names or ():
            get_feature(name)
        if names is not None and (not names or len(set(names)) < len(names)):
            raise UsageError(f"features are named once each, and there is at least one, not {names}")
        for name in ("capacity", "rounds"):
            if getattr(self, name) is not None and getattr(self, name) < 1:
                raise UsageError(f"{name} is at least 1, not {getattr(self, name)}")
            if getattr(self, name) is not None and getattr(self, name) > _MOST:
                raise UsageError(f"{name} is at most {_MOST:,}, not {getattr(self, name)}")
        for name in ("miss_cost", "radius"):
            if not 0 < getattr(self, name) < float("inf"):
                raise UsageError(f"{name.replace('_', ' ')} is a number above zero, not {getattr(self, name)}")
        if self.learner == "boosting" and any(issubclass(get_feature(name), Kinds) for name in names or ()):
            raise UsageError("boosting works on numbers; leave out common, or take the learner extragradient")
        _ = self._engine, self._tokenization  # complain of too few threads, and of what is no way to tokenise

    @property
    def chosen_learner(self) -> LearnerName:
        """The learner that was named, or the one that is meant."""
        if self.learner is not None:
            return self.learner
        plain = (self.capacity, self.miss_cost, self.rounds, self.radius) == _MATCHING_DEFAULTS
        groups = [get_feature(name) for name in self.feature_names or ()]
        informed = any(group.needs_posteriors for group in groups) and not any(issubclass(g, Kinds) for g in groups)
        return "boosting" if plain and (self.features is None or informed) else "extragradient"

    def fit(
        self,
        pairs: Pairs | Association,
        target: Iterable[Any] | None = None,
        *,
        labelled: Iterable[Labelled] | None = None,
        validation: Iterable[Labelled] | None = None,
        predictions: Sequence[Iterable[Alignment]] = (),
    ) -> Self:
        """Learn from unlabelled and labelled pairs.

        Args:
            pairs: Unlabelled text, for counts and for the generative model. The labelled pairs need not be in it. Or
                counts that were made before.
            target: The target sentences, if ``pairs`` are the source sentences.
            labelled: Source sentence, target sentence and gold alignment of the pairs to learn from. Those that are not
                labelled (``""``, ``"skipped"``) are left out; a pair without links is ``"none"``.
            validation: Likewise, to stop by. Without any, each fifth of the labelled pairs is held back in turn.
            predictions: Alignments by other aligners of the labelled pairs, and of the validation pairs after them; or
                of all of ``pairs``, where the labelled ones are then looked up.

        Raises:
            InputError: Labels do not fit their pairs, none is sure, or there is nothing to learn from them.
        """
        if labelled is None:
            raise UsageError("a matching aligner learns from labelled pairs; give them by name: labelled=[...]")
        given, others = as_examples(labelled), None if validation is None else as_examples(validation, "validation")
        is_labelled = [gold.is_labelled for *_, gold in (*given, *(others or ()))]
        learned_from = self._cut(only_labelled(given, "labelled"))
        held_back = None if others is None else self._cut(only_labelled(others, "validation"))
        bitext = pairs if isinstance(pairs, Association) else _as_bitext(pairs, target).tokenized(self._tokenization)
        self.check(learned_from, held_back, len(predictions))
        examples = [*learned_from, *(held_back or ())]
        prepare({"match"}, self._engine.workers)
        sentences = [(source, target) for source, target, _ in examples]
        looked_up = () if isinstance(bitext, Association) else bitext
        chosen = predictions_for_labelled(predictions, sentences, looked_up, self._normalisation, is_labelled)
        extractor = self._prepared(bitext, len(chosen), sentences)
        text = extractor.text(sentences, chosen)
        report_unknown(text)
        golds, validated = [gold for *_, gold in examples], held_back is not None
        own, validating = self._labelled_pairs(text, len(learned_from), validated)
        report_left_out(text, len(learned_from))
        if self.chosen_learner == "boosting":
            cells = LabelledCells.of(extractor, text, sentences, golds)
            learned = learn_links(cells, own, validating if validated else None, self._engine)
            report_learned(learned, _JUDGED[validated])
            self._extractor, self.learned_ = extractor, learned
        else:
            self._learn(extractor, text, golds, own, validating if validated else None)
        return self

    def _cut(self, labelled: Sequence[Labelled]) -> list[Labelled]:
        """Labelled pairs, their sentences cut into words."""
        return [(*self._tokenization.pair(source, target), gold) for source, target, gold in labelled]

    def training_text(self, bitext: Bitext, sentences: Iterable[Pair]) -> Bitext:
        """The unlabelled text and, where they are not in it, the labelled sentences, which say something too."""
        return bitext.along_with(sentences, self._normalisation)

    @staticmethod
    def _labelled_pairs(text: TextCells, labelled: int, validated: bool) -> tuple[Long, Long]:
        """Which of the pairs that can be aligned are learned from, and which are for validation."""
        own, others = np.flatnonzero(text.usable < labelled), np.flatnonzero(text.usable >= labelled)
        if own.size == 0 or (validated and others.size == 0):
            raise InputError("no labelled pair, or none of those for validation, can be aligned: all are too long")
        return own, others

    def check(self, labelled: Sequence[Labelled], validation: Sequence[Labelled] | None, predictions: int) -> None:
        """Complain of labels and settings that :meth:`fit` could do nothing with, before anything takes time."""
        for name, examples in (("labelled", labelled), ("validation", validation)):
            if examples is not None:
                check_labels(examples, self._normalisation, name)
        needed = any(group.needs_predictions for group in self._groups(predictions))
        if predictions and not needed:
            raise UsageError("predictions are given, but no feature uses them; add the feature predictions")
        if needed and not predictions:
            raise UsageError("the feature predictions needs alignments by other aligners, and none are given")

    @property
    def needs_posteriors(self) -> bool:
        """Whether a generative model has to be asked."""
        return any(group.needs_posteriors for group in self._groups(0))

    def align(
        self,
        pairs: Pairs,
        target: Iterable[Any] | None = None,
        *,
        predictions: Sequence[Iterable[Alignment]] = (),
    ) -> Iterator[Alignment]:
        """Align sentence pairs, one alignment a pair, in order and as they come; scores are those of the links.

        Args:
            pairs: The sentence pairs.
            target: The target sentences, if ``pairs`` are the source sentences.
            predictions: Alignments of them by the same other aligners that :meth:`fit` was given, in the same order.
        """
        check_predictions(self.trained()[0], len(predictions))
        return self._aligned(self._tokenization.pairs(as_pairs(pairs, target)), PredictionStreams(predictions))

    def align_pair(self, source: Sentence, target: Sentence | None = None) -> Alignment:
        """Align one pair; an aligner that learned with predictions needs :meth:`align`."""
        return next(self.align([as_pair(source, target)]))

    def _aligned(self, pairs: Iterable[Pair], streams: PredictionStreams) -> Iterator[Alignment]:
        extractor, learned = self.trained()
        if isinstance(learned, Boosted) and learned.model_is_better:
            assert extractor.model is not None
            yield from extractor.model.align(pairs)
            return
        remaining, number = iter(pairs), 1
        while chunk := list(islice(remaining, _CHUNK)):
            text = extractor.text(chunk)
            lengths = list(zip(text.source_lengths.tolist(), text.target_lengths.tolist(), strict=True))
            text.predictions = streams.take(lengths)
            work = (LinkDecider if isinstance(learned, Boosted) else _Matcher)(extractor, text, learned)  # type: ignore
            answers = (answer for part in self._engine.map(work, text.blocks()) for answer in part)
            yield from in_place(answers, Alignment((), ()), text.corpus.texts, text.is_usable, number)
            number += len(chunk)
        streams.finish()

    @property
    def signature(self) -> Signature:
        """What produces these alignments, in one line."""
        extractor, learned = self.trained()
        if isinstance(learned, Boosted):
            return Signature.of(
                matching="boosting",
                features=",".join(group.name for group in extractor.features),
                threshold=f"{learned.threshold:g}",
                labelled=learned.pairs,
                predictions=extractor.context.predictions or None,
                model=None if extractor.model is None else extractor.model.settings.model,
                used="model" if learned.model_is_better else None,
                lowercase=self.lowercase,
                tokenize=None if self.tokenize == SPACES else self.tokenize,
            )
        return Signature.of(
            matching=self.chosen_learner,
            features=",".join(group.name for group in extractor.features),
            capacity=learned.terms.capacity,
            miss_cost=f"{self.miss_cost:g}",
            radius=f"{self.radius:g}" if self.chosen_learner == "extragradient" else None,
            rounds=learned.rounds,
            shift=f"{learned.shift:g}",
            labelled=learned.pairs,
            predictions=extractor.context.predictions or None,
            model=None if extractor.model is None else extractor.model.settings.model,
            lowercase=self.lowercase,
            tokenize=None if self.tokenize == SPACES else self.tokenize,
        )

    def save(self, directory: str | Path) -> None:
        """Save all that is needed to align other text, the generative model included, as a directory."""
        check_path(directory, "the directory to save to")
        extractor, learned = self.trained()
        settings = {**{name: getattr(self, name) for name in _SAVED}, "learner": self.chosen_learner}
        save_matching(directory, extractor, learned, settings)

    @classmethod
    def load(cls, directory: str | Path, threads: int | None = None) -> Self:
        """Load a saved aligner.

        Raises:
            ModelError: There is none, it is damaged, or it needs features that are not there.
        """
        check_path(directory, "the directory of a model")
        extractor, learned, settings = load_matching(directory, threads, kinds_of(cls, _SAVED))
        names = [group.name for group in extractor.features]
        try:
            aligner = cls(**settings, features=names, model=extractor.model, threads=threads)
        except UsageError as error:
            raise ModelError(f"{directory}: its settings cannot be used: {error}") from error
        aligner._extractor, aligner.learned_ = extractor, learned
        return aligner

    def trained(self) -> tuple[Extractor, Learned | Boosted]:
        """The features with all they need, and what was learned.

        Raises:
            UsageError: Nothing was learned or loaded yet.
        """
        if self._extractor is None or self.learned_ is None:
            raise UsageError(_UNTRAINED)
        return self._extractor, self.learned_

    def _groups(self, predictions: int) -> list[type[Group]]:
        """The groups of features: those that were named, or all that can be had."""
        if self.feature_names is not None:
            return [get_feature(name) for name in self.feature_names]
        trees = self.chosen_learner == "boosting"
        return [
            group
            for group in FEATURES.values()
            if (predictions or not group.needs_predictions)
            and not (issubclass(group, Kinds) if trees else group.nonlinear)
        ]

    def _prepared(self, bitext: Bitext | Association, predictions: int, sentences: Iterable[Pair]) -> Extractor:
        """Count words, and get the generative model if a feature needs one."""
        groups = tuple(group() for group in self._groups(predictions))
        needed = any(group.needs_posteriors for group in groups)
        text = bitext if isinstance(bitext, Association) else self.training_text(bitext, sentences)
        model = self._generative(text) if needed else None
        if not isinstance(bitext, Association):
            bitext = Association.learn(bitext, self._normalisation, self._engine)
        elif bitext.normalisation != self._normalisation:
            raise UsageError("the counts given were made of words that were made comparable in another way")
        return Extractor(groups, Context(bitext, predictions), model)

    def _generative(self, bitext: Bitext | Association) -> Aligner:
        if self.model is None:
            if isinstance(bitext, Association):
                raise UsageError("the feature posteriors needs a model, which counts alone cannot train")
            return Aligner(
                lowercase=self.lowercase, tokenize=self.tokenize, threads=self.threads, verbose=self.verbose
            ).fit(bitext)
        if isinstance(self.model, str | Path):
            return Aligner.load(self.model, self.threads)
        if not self.model.is_trained:
            raise UsageError("the model that the feature posteriors is to ask has learned nothing yet")
        return self.model

    def _learn(
        self, extractor: Extractor, text: TextCells, golds: list[Alignment], own: Long, others: Long | None
    ) -> None:
        """Learn the weights of a matching."""
        blocks = [text.usable[part] for part in np.array_split(own, max(own.size // 50, 1))]
        for group in extractor.features:
            group.settle(extractor.context, (text.cells(block) for block in blocks))
        scaling = Scaling.of(extractor, (text.cells(block) for block in blocks))
        check_varying(extractor, scaling)
        informed = any(group.needs_posteriors or group.needs_predictions for group in extractor.features)
        capacity = self.capacity or (2 if informed else 1)
        problem = LearningProblem.build(extractor, text, golds, scaling, capacity, self.miss_cost)
        method = Extragradient(self.radius, self._engine) if self.chosen_learner == "extragradient" else None
        learner: Learner = method or Perceptron()
        # A single weight has nothing to be weighed against: only its sign matters.
        rounds = 1 if len(extractor.columns) == capacity == 1 else self.rounds
        best = learn(learner, problem, own, others, rounds)
        gap = None if method is None else (method.gaps[0].size, method.gaps[max(method.gaps)].size)
        self._extractor = extractor
        self.learned_ = Learned(
            best.weights, capacity, scaling, best.rounds, best.shift, own.size, best.scores.counts, gap
        )
        judged = _JUDGED[others is not None]
        logger.info("learned from %d pairs; AER on %s is %.2f %%", own.size, judged, 100 * best.scores.aer)
        if method is not None and gap is not None and rounds > 1:
            last, share = max(method.gaps), 100 * gap[1] / gap[0]
            logger.info("duality gap (0 at the optimum) after %d rounds: %.2f %% of the start", last, share)
            if method.gaps[last].error > _WORST_PROJECTION:
                logger.warning("a projection onto the matchings is off by %.1g", method.gaps[last].error)


def _as_bitext(pairs: Pairs, target: Iterable[Any] | None) -> Bitext:
    return pairs if isinstance(pairs, Bitext) and target is None else Bitext(pairs, target)


_JUDGED = {True: "the validation pairs", False: "pairs held back in turn"}
_MATCHING_DEFAULTS = (None, 3.0, 300, 10.0)
_MOST = 1_000_000_000
_SAVED = ("learner", "capacity", "miss_cost", "rounds", "radius", "lowercase", "tokenize")


class _Matcher:
    """Aligns blocks of pairs."""

    def __init__(self, extractor: Extractor, text: TextCells, learned: Learned) -> None:
        self._extractor, self._text = extractor, text
        self._weights, self._offset = learned.plain
        self._terms = learned.terms

    def __call__(self, pairs: NDArray[np.int64]) -> list[Alignment]:
        cells = self._text.cells(pairs)
        scores = self._extractor.scores(cells, self._weights, self._offset)
        marks = np.zeros(cells.size, np.bool_)
        assign_pairs(scores, cells.shapes, self._terms, 0, pairs.size, marks)
        return list(marked_links(marks, cells, scores).alignments())
