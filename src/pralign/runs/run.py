"""One run of training: from sentence pairs to a state from which they are aligned, or a model is made."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.decoding.decoder import Thresholds
from pralign.decoding.evidence import AlignableShard, Evidence
from pralign.decoding.lists import ListRequest
from pralign.decoding.stream import AnswerBlock, BlockDecoder, Decoded, Outline, in_order
from pralign.decoding.threshold import quality, tuned
from pralign.engine import Engine, ThreadEngine
from pralign.errors import UsageError
from pralign.evaluation import Criterion
from pralign.kernels.arrays import Long, PairTable
from pralign.links.labelled import Labelled
from pralign.models.lexicon import Lexicon
from pralign.models.relatives import Relatives
from pralign.models.training_pairs import TrainingPairs
from pralign.priors import gather_priors
from pralign.runs.answers import ShardAligner, ShardSampler, load_outline, parts_prefix, places
from pralign.runs.checkpoint import Checkpoint, TextDigest
from pralign.runs.earlier import EarlierModel, add_up, earlier_relatives
from pralign.runs.export import base_streams, forget_training_pairs, lexicon_streams, training_pair_streams, whole
from pralign.runs.known import known_counts, known_relatives
from pralign.runs.needs import Workload
from pralign.runs.opening import describe_run, described_constraint, report_needs, report_untrained
from pralign.runs.preparing import prepare_kernels
from pralign.runs.recipe import Recipe
from pralign.runs.resources import Resources
from pralign.runs.shards import LABELLED, LabelledShard, Opener, StoredBase, StrangerOpener
from pralign.runs.trained import TrainedModel, check_tuning
from pralign.storage.model import model_tensors, save_model
from pralign.store import SpillingStore, Store, TemporaryStore
from pralign.store.folder import is_address
from pralign.text.bitext import Bitext, Pair
from pralign.text.cutting import shard_corpus
from pralign.text.earlier import EARLIER
from pralign.text.sharding import ShardedCorpus
from pralign.text.vocabulary import Vocabulary
from pralign.training.earlier import EarlierCounts
from pralign.training.progress import Listener, Progress, Quality, ignore
from pralign.training.state import TrainingState, step_of
from pralign.training.trainer import Trainer, TrainingPlan

logger = logging.getLogger("pralign")


class TrainingRun:
    """Trains a model on sentence pairs, and aligns these pairs or makes a :class:`TrainedModel` of what was learned.

    Attributes:
        recipe: What is trained, and how; after training with what labelled pairs have decided.
        corpus: The text.
        state: What was learned.
        thresholds: What is probable enough for a link.
        closed: Whether what the run has kept is forgotten.
        left_out: Which pairs of a text that is aligned the run has not got, since a model knows them; ``None`` if none.
    """

    def __init__(
        self,
        recipe: Recipe,
        pairs: Bitext | Iterable[Pair] | None,
        engine: Engine,
        resources: Resources,
        listener: Listener = ignore,
        labelled: Sequence[Labelled] | None = None,
        earlier: Iterable[TrainedModel] = (),
        known: TrainedModel | None = None,
    ) -> None:
        """Train to the end; a checkpoint that is there is gone on from.

        Args:
            recipe: What to do.
            pairs: The sentence pairs, read once; ``None`` to make one model of earlier ones without any.
            engine: Where work is done.
            resources: What may be used.
            listener: Is told how training goes.
            labelled: Pairs with gold alignments, which say when to stop and decide what is left open.
            earlier: Models to go on from, trained by the same recipe; their counts are added to those of the text.
            known: A model, trained by the same recipe, that knows some of the words of the text. Unlike an earlier one
                it does not become part of what is learned, which is for aligning this text only.

        Raises:
            InputError: There is nothing to learn from, or the labelled pairs are of no use.
        """
        self.recipe = recipe
        self.closed = False
        self.left_out: NDArray[np.bool_] | None = None
        self._engine = engine
        self._listener = listener
        self._known = known
        engine.start()
        described = {} if resources.checkpoint is None else describe_run(recipe, labelled, earlier, known)
        self._checkpoint = self._opened(resources, described)
        self.store: Store = self._open_store(resources)
        engine.share(self.store)
        here = ThreadEngine() if engine.elsewhere else engine  # models that are loaded are in memory here
        self._earlier = [
            EarlierModel.of(model, f"{EARLIER}{number}", self.store, here) for number, model in enumerate(earlier)
        ]
        self.corpus = self._read(pairs, resources)
        self._labelled = None if labelled is None else LabelledShard.of(self.corpus, recipe, labelled, engine)
        self.state = self._train(listener)
        if self._labelled is not None and recipe.projection_is_open:
            self._decide_projection(self._qualities(self.state))
        self.thresholds = self.recipe.thresholds or self._automatic_thresholds()

    def _open_store(self, resources: Resources) -> Store:
        if self._checkpoint is not None:
            if self._checkpoint.text is None:
                self._checkpoint.clear()
            return self._checkpoint.store
        if self._engine.elsewhere:
            return TemporaryStore(resources.scratch)
        return SpillingStore(resources.kept, resources.scratch)

    # Reading

    def _opened(self, resources: Resources, run: Mapping[str, Any]) -> Checkpoint | None:
        place = resources.checkpoint
        if place is None:
            return None
        if self._engine.elsewhere and not is_address(place):
            place = Path(place).absolute()  # workers may be at home in other directories
        return Checkpoint(place, dict(run))

    def _read(self, pairs: Bitext | Iterable[Pair] | None, resources: Resources) -> ShardedCorpus:
        checkpoint, name = self._checkpoint, pairs.name if isinstance(pairs, Bitext) else "the pairs given"
        read = () if pairs is None else self._preparing(pairs)
        if checkpoint is not None and checkpoint.text is not None:
            checkpoint.check_text(TextDigest.of(read))
            return ShardedCorpus.load(self.store)
        text = TextDigest()
        longest = self.recipe.settings.max_length
        corpus = shard_corpus(
            read if checkpoint is None else text.reading(read),
            self.recipe.normalisation,
            longest,
            self.store,
            self._engine,
            resources.sizes,
            resources.chunk,
            [model.words for model in self._earlier],
        )
        if pairs is not None:
            report_untrained(corpus, longest, name)
        report_needs(corpus, resources.needs(Workload.of(corpus, self.recipe), self._engine.workers))
        if checkpoint is not None:
            corpus.save()
            checkpoint.remember_text(text.result)
        return corpus

    def _preparing(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs, cut into words; kernels are compiled when the first has come, so that bad text is told before."""
        for number, pair in enumerate(self.recipe.tokenization.pairs(pairs)):
            if not number and not self._engine.elsewhere:
                facts = {"train"} if self._known is None else {"train", "adapt"}
                prepare_kernels(self.recipe, facts, self._engine.workers, self._listener)
            yield pair

    # Training

    def _train(self, listener: Listener) -> TrainingState:
        settings = self.recipe.settings
        self._relatives, earlier = self._before()
        prior = gather_priors(
            settings.priors,
            settings.lookalikes,
            self.corpus,
            self.recipe.normalisation,
            self._engine,
            self._known is not None,
        )
        plan = TrainingPlan(
            self.corpus,
            self.recipe.schedule(self._labelled is not None),
            self.recipe.estimator,
            prior,
            self._relatives,
            self.recipe.constraint,
            settings.constraint_from,
            settings.classes,
            settings.pegging,
            (*self.corpus.untrained, *([] if self._labelled is None else [LABELLED])),
            earlier,
        )
        judge = None if self._labelled is None else self._best_quality
        trainer = Trainer(plan, self._engine, judge, listener)
        state = None
        states = [step for name in self.store.names("state/") if (step := step_of(name)) is not None]
        if states:
            state = TrainingState.from_arrays(self.store.load(f"state/{max(states)}"))
            trainer.forget_all_but(state)
            made = len(state.history) - (0 if earlier is None else len(earlier.history))
            logger.info("going on after %d iterations", made)
        state = trainer.run(state)
        if state.forward.remark is not None:
            logger.info("%s", state.forward.remark)
        return state

    def _before(self) -> tuple[Relatives | None, EarlierCounts | None]:
        """The forms of words, and what is known of words from models that were trained before."""
        corpus, recipe = self.corpus, self.recipe
        if self._known is not None:
            relatives = known_relatives(self._known, corpus)
            return relatives, known_counts(self._known, corpus, relatives)
        if self._earlier:
            relatives = earlier_relatives(recipe.settings.relatives, self._earlier, corpus)
            return relatives, add_up(self._earlier, corpus, recipe.estimator.positional)
        return recipe.relatives(corpus.source, corpus.target), None

    def _best_quality(self, state: TrainingState) -> Quality:
        return max(self._qualities(state).values(), key=lambda each: each.area)

    def _qualities(self, state: TrainingState) -> dict[bool, Quality]:
        """How good a state is on labelled pairs, by whether it is projected, where settings leave that open."""
        assert self._labelled is not None
        opened = self._open_labelled(state)
        choices = (True, False) if self.recipe.projection_is_open else (self.recipe.projects_at_decode,)
        return {
            choice: quality(opened.evidence(self.recipe.constraint if choice else None), self._labelled.golds)
            for choice in choices
        }

    def _decide_projection(self, qualities: Mapping[bool, Quality]) -> None:
        """Project when aligning, unless labelled pairs are aligned better without."""
        projected, plain = qualities[True].area, qualities[False].area
        self.recipe = self.recipe.learned(project_at_decode=projected >= plain)
        if projected < plain:
            logger.info("not projecting at decode time: the dev area is %.4f without, %.4f with", plain, projected)

    # Aligning

    def tune(self, by: Criterion = "aer") -> None:
        """Set the threshold on the labelled pairs, if the way to decode has one."""
        if self._labelled is None or not self.recipe.method.has_threshold:
            return
        check_tuning(self.recipe, by)
        evidence = list(self._open_labelled(self.state).evidence(self.recipe.decoding_constraint))
        threshold = tuned(evidence, self._labelled.golds, self.recipe.decoder(Thresholds.all(0.5)), by)
        self.recipe = self.recipe.learned(threshold=threshold)
        self.thresholds = Thresholds.all(threshold)

    def decode(self, directions: bool = False, lists: ListRequest | None = None) -> Iterator[Decoded]:
        """The answer for each pair that was read, in order."""
        constraint = self.recipe.decoding_constraint
        if lists is not None and not self._engine.elsewhere:
            prepare_kernels(self.recipe, {"train", lists.kind}, self._engine.workers, self._listener)
        numbers = None if self.left_out is None or lists is None else np.flatnonzero(~self.left_out)
        decoder = BlockDecoder(self.recipe.decoder(self.thresholds), constraint, directions, lists, numbers)
        prefix = parts_prefix(decoder, "" if constraint is None else described_constraint(constraint))
        for part in self.store.names("answers/"):
            if not part.startswith(f"{prefix}/"):
                self.store.delete(part)
        trained = ShardAligner(self._opener(), self.store, decoder, prefix)
        strangers = ShardAligner(self._stranger_opener(self.state), self.store, decoder, prefix)
        parts = self._aligned(trained, self.corpus.shard_names)
        others = self._aligned(strangers, self.corpus.untrained)
        elsewhere = (answer for _, blocks in others for block in blocks for answer in block.answers())
        return in_order(parts, elsewhere, 1, directions, lists)

    def _aligned(self, aligner: ShardAligner, names: Sequence[str]) -> Iterator[tuple[Outline, Iterator[AnswerBlock]]]:
        """The answers for some shards, in order; a run that can go on keeps them, to have them if it is ended."""
        for done, name in enumerate(self._engine.map(aligner, names), start=1):
            if names == self.corpus.shard_names:
                self._listener(self._aligning(done))
            yield load_outline(self.store, name), aligner.load(name)
            if self._checkpoint is None:
                aligner.forget(name)

    def observe(self, numbers: Sequence[int]) -> Iterator[tuple[Long, Evidence]]:
        """What the model says of some pairs of the text, in blocks, each with the numbers of its pairs.

        Only shards that hold such pairs are opened, one at a time. Pairs that cannot be aligned, or are left out, say
        nothing.
        """
        constraint = self.recipe.decoding_constraint
        whole = np.flatnonzero(~self.left_out) if self.left_out is not None else np.arange(self.corpus.pairs)
        wanted = np.isin(whole, np.asarray(numbers, np.int64))
        opener, stranger = self._opener(), self._stranger_opener(self.state)
        for name in (*self.corpus.shard_names, *self.corpus.untrained):
            outline = load_outline(self.store, name)
            here = np.flatnonzero(outline.included & wanted[outline.numbers])
            if here.size:
                opened = stranger(name) if name in self.corpus.untrained else opener(name)
                for block in opened.shard.blocks(here):
                    yield whole[outline.numbers[block.pairs]], opened.evidence_of(block, constraint)

    def _aligning(self, done: int) -> Progress:
        """How far aligning has come, if so many shards are done."""
        shards = self.corpus.shards
        return Progress(
            self.state.forward.name,
            1,
            1,
            done / shards,
            phase="align",
            shards=shards,
            shards_done=done,
            pairs=self.corpus.pairs,
            memory=self._engine.memory,
        )

    def _automatic_thresholds(self) -> Thresholds:
        """Look at some pairs, spread evenly over those trained on."""
        rule = self.recipe.threshold_rule
        assert rule is not None
        step = max(-(-self.corpus.trained // rule.sample), 1)
        work = ShardSampler(self._opener(), rule, self.recipe.decoding_constraint, step)
        seen = self._engine.run(work, places(self.store, self.corpus.shard_names))
        return rule.thresholds([each for part in seen for each in part])

    def _opener(self) -> Opener:
        constraint = self.recipe.decoding_constraint
        words = self._vocabularies if constraint is not None and constraint.needs_words else None
        return Opener(self.state.saved(self.store), self.corpus.pieces, words)

    def _stranger_opener(self, state: TrainingState, unknown: tuple[str, ...] = ()) -> StrangerOpener:
        saved = state.saved(self.store)
        return StrangerOpener(saved, self.corpus.pieces, self._vocabularies, self._stored_base(), unknown)

    def _open_labelled(self, state: TrainingState) -> AlignableShard:
        assert self._labelled is not None
        opened = self._stranger_opener(state, self._labelled.unknown).in_state(state, LABELLED)
        return replace(opened, own=self._labelled.own_counts(self.corpus, state))

    @property
    def _vocabularies(self) -> tuple[Vocabulary, Vocabulary]:
        return self.corpus.source, self.corpus.target

    def _stored_base(self) -> StoredBase:
        """What to expect of words that were never seen together."""
        return StoredBase(self.store, self.corpus.pieces, self.recipe.settings.lookalikes, self._relatives)

    # Making a model

    def trained_model(self) -> TrainedModel:
        """What was learned, in memory.

        Raises:
            UsageError: The run was closed.
        """
        self._check_open()
        tensors = {name: whole(array) for name, array in lexicon_streams(self.corpus, self.state).items()}
        lexicon = Lexicon(PairTable(tensors["row_start"], tensors["source"]), tensors["probability"], self.state.words)
        streams = training_pair_streams(self.corpus, self.state, self._engine)
        pairs = {name: whole(array) for name, array in streams.items()}
        forget_training_pairs(self.store)
        return TrainedModel(
            self.recipe,
            self.state.made,
            self.corpus.source,
            self.corpus.target,
            lexicon,
            self.state.forward,
            self.state.reverse,
            self._stored_base().of(self.state),
            TrainingPairs.from_tensors(pairs) if pairs else None,
            self.thresholds,
            self.state.history,
            self._engine,
        )

    def save(self, directory: str | Path, compact: bool = False) -> None:
        """Save what was learned, as :meth:`TrainedModel.save` does, without ever having all of it in memory."""
        self._check_open()
        state = self.state
        pairs = {} if compact else training_pair_streams(self.corpus, state, self._engine)
        lexicon = lexicon_streams(self.corpus, state)
        base = base_streams(self.corpus, state, self._relatives)
        tensors = model_tensors(lexicon, state.words, state.forward, state.reverse, base, pairs)
        settings = self.recipe.as_saved(self.state.made, self.thresholds)
        vocabularies = self.corpus.source, self.corpus.target
        save_model(directory, tensors, vocabularies, self.state.forward.name, settings, self.state.history)
        forget_training_pairs(self.store)

    def close(self, finished: bool = True) -> None:
        """Forget what the run has kept; a checkpoint only if everything that was wanted of it has been done."""
        self.closed = True
        if isinstance(self.store, SpillingStore | TemporaryStore):
            self.store.close()
        if self._checkpoint is not None and finished:
            self._checkpoint.remove()

    def _check_open(self) -> None:
        if self.closed:
            raise UsageError("what was learned is forgotten, since it was closed; ask for the model or save it before")
