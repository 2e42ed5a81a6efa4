"""Expectation maximisation, for every model and every constraint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from pralign.constraints.base import Constraint
from pralign.constraints.solver import ProjectionCost
from pralign.engine import Engine
from pralign.kernels.units import LOG_UNIT
from pralign.models import get_model
from pralign.models.base import CorpusSummary, DirectionalModel
from pralign.models.estimators import EM, Estimator
from pralign.models.ibm1 import IBM1
from pralign.models.lexicon import WordTables
from pralign.models.prior import Prior
from pralign.models.relatives import Relatives
from pralign.text.classes import DEFAULT_CLASSES, word_classes
from pralign.text.sharding import ShardedCorpus
from pralign.training.e_step import Spec
from pralign.training.earlier import EarlierCounts
from pralign.training.history import Iteration
from pralign.training.m_step import PieceCounts, PieceMStep, with_prior, word_tables
from pralign.training.progress import BY_OTHERS, Listener, Progress, Quality, ignore
from pralign.training.relatives import FormLevel, RelativesStep, save_classes
from pralign.training.schedule import Schedule
from pralign.training.state import TrainingState, step_of
from pralign.training.tasks import ShardEStep, ShardPaths
from pralign.training.totals import Totals, add_statistics, load_totals

Judge = Callable[[TrainingState], Quality]

# What lies in the store for each state, by name and step.
_OF_STATES = ("state", "parameters", "classes", "own", "counts", "totals", "words", "start")


@dataclass(frozen=True)
class TrainingPlan:
    """What is to be learned from, and how.

    Attributes:
        corpus: The text.
        schedule: The models to train, each starting from the lexicon of the one before.
        estimator: How probabilities follow from expected counts.
        prior: What is known before, as counts that are added to those of every iteration.
        relatives: How much words lean on their relatives, if they do.
        constraint: What the posteriors of the last model of the schedule are projected onto.
        constraint_from: The iteration of that model with which projecting begins.
        classes: How many classes the words of each side are put into, for models that look at classes.
        pegging: Whether models that search for alignments search more widely.
        aligned: The names of shards that are not trained on, but get parameters, since they are aligned.
        earlier: What models that were trained before have counted, if training goes on from them.
    """

    corpus: ShardedCorpus
    schedule: Schedule
    estimator: Estimator = field(default_factory=EM)
    prior: Prior | None = None
    relatives: Relatives | None = None
    constraint: Constraint | None = None
    constraint_from: int = 1
    classes: int = DEFAULT_CLASSES
    pegging: bool = False
    aligned: tuple[str, ...] = ()
    earlier: EarlierCounts | None = None

    def leaves_out(self, stage: int) -> bool:
        """Whether a model of the schedule learns from each pair without its own counts.

        IBM 1 expects a little of everything, which would be too much to keep; as a start it need not leave it out.
        """
        last = stage == len(self.schedule) - 1
        return self.estimator.leaves_out and (last or self.schedule[stage][0] != IBM1.name)


class Trainer:
    """Makes one state of training from another.

    Every iteration of a model that sums over all alignments raises the log-likelihood of the text, forward and reverse
    together (with smoothing, that of text and parameters), if estimated by EM; IBM 3 and IBM 4, which search, the HMM
    with fertilities, whose factors come from the iteration before, and the other estimators promise nothing. With a
    constraint it raises that less the divergence of the projections, which for the symmetric one, where both
    directions are halves of a single distribution, counts twice.

    Counts are whole numbers, so the result is the same bits for any number of shards and workers, in any order.
    """

    def __init__(
        self, plan: TrainingPlan, engine: Engine, judge: Judge | None = None, listener: Listener = ignore
    ) -> None:
        """Follow a plan on an engine.

        Args:
            plan: What to do.
            engine: Where to do it.
            judge: How good a model is; the last model of the schedule is trained until its area gets no larger.
            listener: Is told how far training has come.
        """
        self.plan = plan
        self._engine = engine
        self._judge = judge
        self._listener = listener
        self._store = plan.corpus.store
        self._shards = tuple(str(number) for number in range(plan.corpus.shards))
        self._classes: tuple[np.ndarray, np.ndarray] | None = None
        self._levels: tuple[FormLevel, ...] | None = None

    def initial(self) -> TrainingState:
        """The state before the first iteration: all words that occur together are equally likely translations.

        With earlier models, it is what they know, where that leaves a chance to pairs of words that are new.
        """
        self._forget(lambda kind, step: False)
        corpus, earlier = self.plan.corpus, self.plan.earlier
        if earlier is not None and (self.plan.estimator.open_to_new_pairs or not corpus.trained):
            return self._going_on_from(earlier)
        words = WordTables.uniform(corpus.source_partners, corpus.target_partners)
        kind = get_model(self.plan.schedule[0][0])
        forward, reverse = self._first_models(kind, (None, None))
        history = () if earlier is None else earlier.history
        state = TrainingState(0, 0, 0, words, forward, reverse, history=history)
        if kind.initialised_from_viterbi:
            start = replace(state, forward=IBM1(), reverse=IBM1())
            state = self._initialised_from_viterbi(start, (forward, reverse))
        state.save(self._store)
        return state

    def _going_on_from(self, earlier: EarlierCounts) -> TrainingState:
        """What earlier models know, of all words; the end of training if there is no text to go on with."""
        corpus, alone = self.plan.corpus, not self.plan.corpus.trained
        words = WordTables.uniform(corpus.source_partners, corpus.target_partners)
        state = TrainingState(0, 0, 0, words, *earlier.models, finished=alone, history=earlier.history)
        totals = Totals.zero(len(corpus.source), len(corpus.target), state.models)
        state = replace(state, words=self._maximise_lexicon(state, totals, (), alone), step=1, parameters=1)
        if not alone:
            forward, reverse = self._first_models(get_model(self.plan.schedule[0][0]), (None, None))
            state = replace(state, forward=forward, reverse=reverse)
        state.save(self._store)
        return state

    def _first_models(
        self, kind: type[DirectionalModel], previous: tuple[DirectionalModel | None, DirectionalModel | None]
    ) -> tuple[DirectionalModel, DirectionalModel]:
        """The models that a stage begins with: those of earlier models, if they are of its kind."""
        earlier = self.plan.earlier
        if earlier is not None and kind is type(earlier.forward):
            return earlier.models
        forward, reverse = (
            kind.initial(summary, before) for summary, before in zip(self._summaries(kind), previous, strict=True)
        )
        return forward, reverse

    def run(self, state: TrainingState | None = None) -> TrainingState:
        """Go on to the end of training."""
        state = self.initial() if state is None else state
        while not state.finished:
            state = self.advance(state)
        return state

    def advance(self, state: TrainingState) -> TrainingState:
        """The state after one more iteration. It is stored, and what only ``state`` needed is forgotten."""
        _, iterations = self.plan.schedule[state.stage]
        constraint = self._constraint(state)
        totals, cost = self._expect(state, constraint)
        learned = self._maximise(state, totals)
        forward_likelihood, reverse_likelihood = (totals.log_likelihood * LOG_UNIT).tolist()
        last_stage = state.stage == len(self.plan.schedule) - 1
        quality = self._judge(learned) if self._judge is not None and last_stage else None
        worse = quality is not None and state.best is not None and quality.area <= state.best
        progress = replace(
            self._progress(state, len(self._shards)),
            log_likelihood=(forward_likelihood, reverse_likelihood),
            kind=_kind_of_likelihood(state),
            cost=None if constraint is None else cost,
            steps=0 if constraint is None else constraint.steps or state.forward.gradient_steps,
            quality=quality,
            kept=state.iteration if worse else None,
        )
        history = (*state.history, Iteration.of(progress))
        if worse:
            following = replace(state, step=learned.step, finished=True, history=history)
        else:
            best = None if quality is None else quality.area
            following = self._next_stage(replace(learned, history=history, best=best), iterations)
        following.save(self._store)
        self.forget_all_but(following)
        self._listener(progress)
        return following

    def forget_all_but(self, state: TrainingState) -> None:
        """Delete what other states have left in the store; what was begun of the next one is kept, to go on from."""
        kept = {"state": state.step, "parameters": state.parameters, "classes": state.parameters, "own": state.own}
        self._forget(lambda kind, step: step in (kept.get(kind), state.step + 1))

    def _forget(self, keep: Callable[[str, int], bool]) -> None:
        """Delete what states have left in the store, but for what is to be kept, by kind and step."""
        for name in self._store.names():
            kind, step = name.partition("/")[0], step_of(name)
            if kind in _OF_STATES and step is not None and not keep(kind, step):
                self._store.delete(name)

    def _constraint(self, state: TrainingState) -> Constraint | None:
        last_stage = state.stage == len(self.plan.schedule) - 1
        acts = last_stage and state.iteration + 1 >= self.plan.constraint_from
        return self.plan.constraint if acts else None

    def _expect(self, state: TrainingState, constraint: Constraint | None) -> tuple[Totals, ProjectionCost]:
        """The E-steps of all shards."""
        corpus = self.plan.corpus
        words = (corpus.source, corpus.target) if constraint is not None and constraint.needs_words else None
        spec = Spec(self.plan.leaves_out(state.stage), constraint)
        task = ShardEStep(state.saved(self._store), state.step + 1, spec, corpus.piece_words, words)
        totals = Totals.zero(len(corpus.source), len(corpus.target), state.models)
        cost = ProjectionCost()
        self._listener(self._progress(state, 0))
        for done, shard in enumerate(self._engine.run(task, self._shards), start=1):
            part, of_part = load_totals(self._store, task.totals_of(shard))
            totals.add(part, state.models)
            cost = cost.plus(of_part)
            self._listener(self._progress(state, done))
        return totals, cost

    def _progress(self, state: TrainingState, shards_done: int) -> Progress:
        """How far the iteration after a state has come, if so many shards are done."""
        name, iterations = self.plan.schedule[state.stage]
        later = sum(of_stage for _, of_stage in self.plan.schedule[state.stage + 1 :])
        return Progress(
            name,
            state.iteration + 1,
            iterations,
            shards_done / len(self._shards),
            shards=len(self._shards),
            shards_done=shards_done,
            pieces=self.plan.corpus.pieces,
            pairs=self.plan.corpus.trained,
            iterations_left=iterations - state.iteration - 1 + later,
            memory=self._engine.memory,
        )

    def _maximise(self, state: TrainingState, totals: Totals) -> TrainingState:
        """The M-step of everything."""
        plan, step = self.plan, state.step + 1
        last_stage = state.stage == len(plan.schedule) - 1
        last = last_stage and state.iteration + 1 == plan.schedule[state.stage][1]
        words = self._maximise_lexicon(state, totals, self._shards, last or self._judge is not None)
        statistics = totals.forward, totals.reverse
        if plan.prior is not None:
            statistics = (
                state.forward.with_prior(totals.forward, plan.prior.forward),
                state.reverse.with_prior(totals.reverse, plan.prior.reverse),
            )
        smoothing = plan.estimator.positional
        models = state.forward.maximise(statistics[0], smoothing), state.reverse.maximise(statistics[1], smoothing)
        if plan.earlier is not None:
            forward_summary, reverse_summary = self._summaries(type(state.forward))
            models = plan.earlier.pooled_with(models, (forward_summary, reverse_summary), smoothing)
        return replace(
            state,
            step=step,
            iteration=state.iteration + 1,
            words=words,
            forward=models[0],
            reverse=models[1],
            parameters=step,
            own=step if plan.leaves_out(state.stage) else None,
        )

    def _maximise_lexicon(self, state: TrainingState, totals: Totals, counted: Sequence[str], keep: bool) -> WordTables:
        """The M-step of the lexicon, from the shards that were ``counted``; all shards get their parameters.

        The counts of relatives, which other text needs, and the parameters of earlier models' word pairs are kept at
        the end, or always, if labels may say that this is the end.
        """
        plan, corpus, step = self.plan, self.plan.corpus, state.step + 1
        earlier, of_text = plan.earlier, totals
        listed: tuple[str, ...] = ()
        counts = PieceCounts(self._store, counted, f"counts/{step}", plan.prior is not None)
        for_classes = counts
        if earlier is not None:
            totals, listed = earlier.added_to(totals), earlier.listed
            counts = replace(counts, earlier=earlier.names)
            if earlier.classes is None:
                of_text, for_classes = totals, counts
        partners = corpus.source_partners, corpus.target_partners
        prior_totals = None if plan.prior is None else plan.prior.totals
        relatives, masses = self._relatives_step(step, keep), None
        if relatives is not None:
            masses = relatives.count(with_prior(of_text, prior_totals), for_classes, self._engine)
        words = word_tables(totals, plan.estimator, partners, prior_totals, masses)
        self._store.save(f"words/{step}", words.to_arrays())
        others = (*(name for name in self._shards if name not in counted), *plan.aligned, *(listed if keep else ()))
        task = PieceMStep(counts, others, step, corpus.piece_words, plan.estimator, relatives)
        for done, _ in enumerate(self._engine.run(task, range(corpus.pieces)), start=1):
            if counted:
                self._listener(replace(self._progress(state, len(self._shards)), pieces_done=done))
        return words

    def _relatives_step(self, step: int, keep: bool) -> RelativesStep | None:
        """What an M-step needs to know of relatives."""
        plan, corpus = self.plan, self.plan.corpus
        if plan.relatives is None:
            return None
        known = None if plan.earlier is None else plan.earlier.classes
        if self._levels is None:
            self._levels = save_classes(self._store, plan.relatives, corpus.piece_words, known)
        totals = None if known is None else tuple(level.totals for level in known)
        name = f"classes/{step}"
        return RelativesStep(self._store, self._levels, plan.relatives.strength, name, corpus.piece_words, keep, totals)

    def _next_stage(self, state: TrainingState, iterations: int) -> TrainingState:
        """The same state, or the beginning of the next model, if this one has had its iterations."""
        if state.iteration < iterations:
            return state
        if state.stage == len(self.plan.schedule) - 1:
            return replace(state, finished=True)
        kind = get_model(self.plan.schedule[state.stage + 1][0])
        models = self._first_models(kind, state.models)
        if kind.initialised_from_viterbi:
            state = self._initialised_from_viterbi(state, models)
        else:
            state = replace(state, forward=models[0], reverse=models[1])
        return replace(state, stage=state.stage + 1, iteration=0, best=None)

    def _initialised_from_viterbi(
        self, state: TrainingState, models: tuple[DirectionalModel, DirectionalModel]
    ) -> TrainingState:
        """The state with models whose parameters suit the best paths of those before them."""
        following = replace(state, forward=models[0], reverse=models[1])
        names = f"start/{state.step}/before", f"start/{state.step}/after"
        task = ShardPaths(
            state.save(self._store, names[0]), following.save(self._store, names[1]), self.plan.corpus.pieces
        )
        totals = models[0].zero_statistics(), models[1].zero_statistics()
        for words, parts in self._engine.run(task, self._shards):
            for total, part, numbers, model in zip(totals, parts, words, models, strict=True):
                add_statistics(total, part, numbers, model)
        learned = [
            model.maximise(total, self.plan.estimator.positional) for model, total in zip(models, totals, strict=True)
        ]
        return replace(state, forward=learned[0], reverse=learned[1])

    def _summaries(self, kind: type[DirectionalModel]) -> Iterator[CorpusSummary]:
        """The training text as the forward and as the reverse direction see it."""
        corpus = self.plan.corpus
        source, target = len(corpus.source), len(corpus.target)
        empty = np.empty(0, np.int32)
        of_source, of_target = self._word_classes() if kind.needs_classes else (empty, empty)
        pegging = self.plan.pegging
        yield CorpusSummary(corpus.longest_target, source, target, of_source, of_target, pegging)
        yield CorpusSummary(corpus.longest_source, target, source, of_target, of_source, pegging)

    def _word_classes(self) -> tuple[np.ndarray, np.ndarray]:
        if self._classes is None:
            corpus = self.plan.corpus
            texts = corpus.texts()
            sides = (
                (texts.source, texts.source_start, len(corpus.source), self.plan.classes),
                (texts.target, texts.target_start, len(corpus.target), self.plan.classes),
            )
            source, target = self._engine.map(_classes_of, sides)
            self._classes = source, target
        return self._classes


def _kind_of_likelihood(state: TrainingState) -> tuple[str, ...]:
    """What the log-likelihood that an iteration finds is of, besides words, where that needs saying."""
    judged = BY_OTHERS if state.own is not None else ""
    return tuple(part for part in (state.forward.likelihood_kind, judged) if part)


def _classes_of(side: tuple[np.ndarray, np.ndarray, int, int]) -> np.ndarray:
    return word_classes(*side)
