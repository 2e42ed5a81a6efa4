"""The trained model: everything that aligning needs, and nothing of how it was learned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from pralign.constraints import Constraint
from pralign.decoding.decoder import Thresholds
from pralign.decoding.evidence import AlignableShard, Evidence
from pralign.decoding.labelled import golds_of
from pralign.decoding.lists import ListRequest
from pralign.decoding.stream import BlockDecoder, Decoded, Outline, in_order
from pralign.decoding.threshold import ThresholdRule, tuned
from pralign.engine import Engine
from pralign.errors import ModelError, UsageError
from pralign.evaluation import Criterion
from pralign.kernels.arrays import Long
from pralign.links.alignment import Alignment
from pralign.links.labelled import Labelled
from pralign.links.nbest import AlignmentList
from pralign.models.base import DirectionalModel
from pralign.models.bidirectional import BidirectionalModel
from pralign.models.lexicon import Lexicon, Side
from pralign.models.relatives import BaseMeasure
from pralign.models.training_pairs import TrainingPairs
from pralign.runs.posteriors import LinkPosteriors
from pralign.runs.preparing import prepare_kernels
from pralign.runs.recipe import Recipe
from pralign.schema.arguments import check_argument, check_path
from pralign.signature import Signature
from pralign.storage.model import load_model, model_tensors, save_model
from pralign.text.bitext import Pair, Sentence
from pralign.text.corpus import Corpus, decodable
from pralign.text.pairs import checked_words
from pralign.text.shard import Shard
from pralign.text.vocabulary import Vocabulary
from pralign.training.history import Iteration
from pralign.training.progress import Listener, ignore, telling
from pralign.training.schedule import Schedule
from pralign.training.tasks import spelled_words

# So many pairs are read at a time, and so many cells are given to a worker at once.
_CHUNK = 2_000
_CELLS = 65_536


@dataclass(frozen=True)
class TrainedModel:
    """A model that has learned: it aligns any text, can be saved, and never changes.

    Attributes:
        recipe: The settings it was trained with, and those for decoding.
        schedule: The iterations that made it.
        source: The source words.
        target: The target words.
        lexicon: The translation probabilities.
        forward: The forward model.
        reverse: The reverse model.
        base: What to expect of words that were never seen together.
        training_pairs: What the pairs that were trained on have added to the counts, if that is kept.
        thresholds: What is probable enough for a link; nothing if that depends on the text and was not set yet.
        history: What each iteration of training found.
        engine: Where work is done.
    """

    recipe: Recipe
    schedule: Schedule
    source: Vocabulary
    target: Vocabulary
    lexicon: Lexicon
    forward: DirectionalModel
    reverse: DirectionalModel
    base: BaseMeasure
    training_pairs: TrainingPairs | None
    thresholds: Thresholds | None
    history: tuple[Iteration, ...]
    engine: Engine

    # Aligning

    def decode_pairs(
        self,
        pairs: Iterable[Pair],
        directions: bool = False,
        listener: Listener = ignore,
        lists: ListRequest | None = None,
        numbers: Long | None = None,
    ) -> Iterator[Decoded]:
        """The answer for each of some pairs, in order and as they come.

        Args:
            pairs: The pairs.
            directions: Whether to add directional alignments.
            listener: Is told how far it is.
            lists: Which alignments are wanted, if not one a pair.
            numbers: The number of each pair in its text, if these are not all of it.
        """
        return telling(self._decoded(pairs, directions, lists, numbers), listener, self.forward.name)

    def _decoded(
        self, pairs: Iterable[Pair], directions: bool, lists: ListRequest | None, numbers: Long | None
    ) -> Iterator[Decoded]:
        remaining, done = iter(pairs), 0
        work = self._work(directions, lists)
        cells = _CELLS if lists is None else min(_CELLS, lists.most_cells)
        while chunk := list(islice(remaining, _CHUNK)):
            here = np.arange(done, done + len(chunk))
            opened = self.open(chunk, here if numbers is None else numbers[here])
            decoded = self.engine.map(partial(work.decode, opened), opened.shard.blocks(most_cells=cells))
            yield from in_order([(Outline.of(opened.shard), decoded)], iter(()), 1, directions, lists)
            done += len(chunk)

    def _work(self, directions: bool, lists: ListRequest | None) -> BlockDecoder:
        """What aligns blocks; many alignments need no thresholds."""
        if lists is not None:
            prepare_kernels(self.recipe, {"load", lists.kind}, self.engine.workers)
        thresholds = self.needed_thresholds if lists is None else self.thresholds or Thresholds.all(0.5)
        return BlockDecoder(self.recipe.decoder(thresholds), self.recipe.decoding_constraint, directions, lists)

    def align_pair(self, source: Sentence, target: Sentence) -> Alignment:
        """Align one pair."""
        decoder = self.recipe.decoder(self.needed_thresholds)
        for evidence in self.open([(source, target)]).evidence(self.recipe.decoding_constraint):
            return next(decoder(evidence))
        return Alignment()

    def posteriors(self, source: Sentence, target: Sentence) -> LinkPosteriors:
        """The probability of each link of a pair, as far as the model can tell."""
        opened = self.open([(source, target)])
        words = self._words(source, target)
        shape = (int(opened.shard.source_lengths[0]), int(opened.shard.target_lengths[0]))
        for evidence in opened.evidence(self.recipe.decoding_constraint):
            forward, reverse, mean = evidence.forward, evidence.reverse, evidence.mean
            return LinkPosteriors(forward.reshape(shape), reverse.reshape(shape), mean.reshape(shape), *words)
        nothing = np.zeros(shape, np.float32)
        return LinkPosteriors(nothing, nothing, nothing, *words)

    def nbest(self, source: Sentence, target: Sentence, n: int = 10) -> AlignmentList:
        """The ``n`` likeliest alignments of a pair in each direction and, by the product, of both; see ``Aligner``."""
        return self._listed(source, target, ListRequest("nbest", n))

    def sample(self, source: Sentence, target: Sentence, n: int = 10, seed: int = 0) -> AlignmentList:
        """``n`` alignments of a pair, drawn at random by their probabilities; see ``Aligner``."""
        return self._listed(source, target, ListRequest("samples", n, seed))

    def _listed(self, source: Sentence, target: Sentence, lists: ListRequest) -> AlignmentList:
        work = self._work(False, lists)
        opened = self.open([(source, target)])
        [answer] = in_order([(Outline.of(opened.shard), work.decode_all(opened))], iter(()), 1, False, lists)
        assert answer.lists is not None
        return answer.lists.with_words(*self._words(source, target))

    def _words(self, source: Sentence, target: Sentence) -> tuple[list[str], list[str]]:
        """The words of a pair, as the model cuts it."""
        left, right = self.recipe.tokenization.pair(source, target)
        return checked_words(left), checked_words(right)

    def observer(self, pairs: Iterable[Pair]) -> Callable[[Long], Evidence]:
        """What the model says of any of ``pairs``, asked for by their numbers; those with an empty side say nothing."""
        opened, constraint = self.open(pairs), self.recipe.decoding_constraint

        def observe(numbers: Long) -> Evidence:
            return opened.evidence_of(opened.shard.block(numbers), constraint)

        return observe

    def translations(self, word: str, side: Side = "source", most: int = 10) -> list[tuple[str, float]]:
        """The likeliest translations of a word of one side, with their probabilities."""
        check_argument(word, str, "word")
        check_argument(side, Side, "side")
        check_argument(most, int, "most")
        here, other = (self.source, self.target) if side == "source" else (self.target, self.source)
        number = here.number(self.recipe.normalisation([word])[0])
        if number is None:
            return []
        partners, probabilities = self.lexicon.partners(number, side)
        best = np.argsort(-probabilities, kind="stable")[:most]
        return [(other.words[partners[k]], float(probabilities[k])) for k in best]

    def open(self, pairs: Iterable[Pair], numbers: Long | None = None) -> AlignableShard:
        """Other text as a shard, with all that aligning it needs; ``numbers`` are those of the pairs, if not from 0."""
        prepare_kernels(self.recipe, {"load"}, self.engine.workers)
        text = self.encode(pairs)
        shard = Shard.of(text.texts, decodable(text.texts), np.arange(len(text)) if numbers is None else numbers)
        words = spelled_words(shard, self.source, self.target, text.unknown)
        model = BidirectionalModel(
            self.lexicon.for_shard(shard, partial(self.base.expected, *words)),
            self.forward.for_words(shard.source_words, shard.target_words),
            self.reverse.for_words(shard.target_words, shard.source_words),
        )
        own = None if self.training_pairs is None else self.training_pairs.find(shard)
        return AlignableShard(shard, model, own, words)

    def encode(self, pairs: Iterable[Pair]) -> Corpus:
        """Other text, its words numbered as the model does."""
        return Corpus.encode(self.recipe.tokenization.pairs(pairs), self.recipe.normalisation, self.source, self.target)

    # Thresholds

    @property
    def needed_thresholds(self) -> Thresholds:
        """The thresholds.

        Raises:
            UsageError: They depend on text, and none was given to set them on.
        """
        if self.thresholds is None:
            raise UsageError(
                f"the threshold is {self.recipe.settings.threshold}, but there was no text to set it on; call fit or "
                "adapt_threshold"
            )
        return self.thresholds

    def tuned(self, labelled: Sequence[Labelled], by: Criterion = "aer") -> TrainedModel:
        """The model with the threshold that suits labelled pairs best."""
        check_tuning(self.recipe, by)
        opened = self.open((source, target) for source, target, _ in labelled)
        golds = golds_of(labelled, self.encode((source, target) for source, target, _ in labelled))
        evidence = list(opened.evidence(self.recipe.decoding_constraint))
        return self.with_threshold(tuned(evidence, golds, self.recipe.decoder(Thresholds.all(0.5)), by))

    def with_threshold(self, threshold: float) -> TrainedModel:
        """The model with another threshold."""
        return replace(self, recipe=self.recipe.learned(threshold=threshold), thresholds=Thresholds.all(threshold))

    def adapted(self, pairs: Iterable[Pair]) -> TrainedModel:
        """The model with a threshold set anew, as it suits ``pairs``, which need no labels."""
        rule = self.recipe.threshold_rule
        if rule is None:
            threshold = self.recipe.settings.threshold
            raise UsageError(f"a threshold that is auto or balanced can adapt, one that is {threshold} cannot")
        opened = self.open(pairs)
        longest = self.recipe.settings.max_length
        chosen = sampled_pairs(opened.shard, longest, rule)
        if chosen.size == 0:  # any threshold will do
            return replace(self, thresholds=self.thresholds or Thresholds.all(0.5))
        seen = [rule.look(evidence) for evidence in opened.evidence(self.recipe.decoding_constraint, chosen)]
        return replace(self, thresholds=rule.thresholds(seen))

    # Telling and saving

    @property
    def signature(self) -> Signature:
        """What produces these alignments, in one line."""
        return self.recipe.signature(self.schedule, self.thresholds)

    def with_settings(self, constraint: str | Constraint | None = None, **changes: Any) -> TrainedModel:
        """The model with other settings for decoding."""
        saved = self.recipe.as_saved(self.schedule, self.thresholds)
        given = constraint if constraint is not None else self.recipe.constraint
        recipe, thresholds = Recipe.from_saved(saved, given, **changes)
        return replace(self, recipe=recipe, thresholds=recipe.thresholds or thresholds)

    def save(self, directory: str | Path, compact: bool = False) -> None:
        """Save the model as a directory; loaded again, it answers with the same bits.

        A compact model leaves out what training pairs have added to the counts. It takes less than half of the room,
        and aligns pairs that it was trained on like any others.
        """
        kept = self.training_pairs.tensors() if self.training_pairs is not None and not compact else {}
        lexicon, base = self.lexicon.tensors(), self.base.tensors()
        tensors = model_tensors(lexicon, self.lexicon.words, self.forward, self.reverse, base, kept)
        settings = self.recipe.as_saved(self.schedule, self.thresholds)
        save_model(directory, tensors, (self.source, self.target), self.forward.name, settings, self.history)

    @classmethod
    def load(
        cls, directory: str | Path, engine: Engine, constraint: str | Constraint | None = None, **changes: Any
    ) -> TrainedModel:
        """Load a saved model; ``changes`` replace its settings for decoding.

        Raises:
            ModelError: There is no usable model.
        """
        check_path(directory, "the directory of a model")
        saved = load_model(directory)
        try:
            recipe, thresholds = Recipe.from_saved(saved.settings, constraint, **changes)
        except UsageError as error:
            if changes or constraint is not None:  # which may be at fault
                raise
            raise ModelError(f"{directory}: its settings cannot be used: {error}") from error
        return cls(
            recipe,
            recipe.schedule(),
            saved.source,
            saved.target,
            saved.lexicon,
            saved.forward,
            saved.reverse,
            saved.base,
            saved.training_pairs,
            recipe.thresholds or thresholds,
            saved.history,
            engine,
        )


def check_tuning(recipe: Recipe, by: str) -> None:
    """Complain of thresholds that cannot be tuned."""
    if not recipe.method.has_threshold:
        raise UsageError(f"{recipe.method.name.capitalize()} decoding has no threshold to tune")
    if by not in ("aer", "f1"):
        raise UsageError(f"a threshold is tuned by aer or f1, not by {by}")


def sampled_pairs(shard: Shard, longest: int, rule: ThresholdRule) -> Long:
    """Some pairs, spread evenly over a text; long ones would outweigh all others."""
    pairs = shard.pairs
    short = (shard.source_lengths[pairs] <= longest) & (shard.target_lengths[pairs] <= longest)
    pairs = pairs[short] if short.any() else pairs
    return pairs[:: max(-(-pairs.size // rule.sample), 1)]
