"""The aligner: everything the command line does, for use from Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from pralign.constraints import Constraint
from pralign.decoding.decoder import Thresholds
from pralign.decoding.lists import ListRequest
from pralign.decoding.stream import Decoded
from pralign.engine import Engine, ThreadEngine
from pralign.errors import UsageError
from pralign.evaluation import Criterion
from pralign.links.alignment import Alignment
from pralign.links.labelled import Labelled, as_labelled
from pralign.manners import Mannered, mannered
from pralign.models import get_model
from pralign.runs.adapting import NewText, suited
from pralign.runs.asking import PairAnswers
from pralign.runs.earlier import check_additive
from pralign.runs.growing import growing_recipe, training_settings
from pralign.runs.merging import merge_models
from pralign.runs.posteriors import LinkPosteriors
from pralign.runs.recipe import Recipe
from pralign.runs.resources import Resources
from pralign.runs.run import TrainingRun
from pralign.runs.trained import TrainedModel
from pralign.schema.arguments import check_names, check_path
from pralign.settings import Settings, Threshold, decoding_settings, setting_fields
from pralign.signature import Signature
from pralign.text.bitext import Pair
from pralign.text.pairs import Pairs, as_pairs
from pralign.text.vocabulary import Vocabulary
from pralign.training.display import showing_progress
from pralign.training.history import History
from pralign.training.progress import Listener, ignore
from pralign.training.schedule import Schedule

__all__ = ["Aligner", "LinkPosteriors"]

_UNTRAINED = "this aligner has learned nothing yet; call fit or load first"


@mannered
@dataclass(repr=False)
class Aligner(PairAnswers, Mannered):
    """Learns from parallel sentences which word translates which, and aligns them and others.

    It has the manners of scikit-learn: arguments never change, what is learned ends in ``_``, and a second :meth:`fit`
    forgets the first. What is not given comes from a preset or a default, see :attr:`settings`.

    Attributes:
        preset: ``"fast"``, ``"default"`` or ``"best"``: values for whatever else is not set. By default ``"default"``,
            unless ``model``, ``iterations``, ``estimator``, ``constraint`` or ``smoothing`` is set: then the rest is
            plain, an HMM estimated by EM without a constraint.
        model: ``"ibm1"``, ``"ibm2"``, ``"hmm"``, ``"fhmm"``, ``"ibm3"``, ``"ibm4"`` or a registered model of your own.
        iterations: The stages of training, such as ``"ibm1=5,hmm=5"`` or ``{"ibm1": 5, "hmm": 5}``; by default five of
            IBM 1 and five of the model, or three with a constraint, and before IBM 3 and IBM 4 five of the HMM.
        estimator: How probabilities follow from counts: ``"em"``, ``"vb"`` or ``"collapsed"``, see
            :mod:`pralign.models.estimators`.
        alpha: What the prior of ``"vb"`` and ``"collapsed"`` adds to the count of each pair of words.
        prior: What is known before, and adds to the counts: directories of saved aligners, dictionaries (two words a
            line, with a tab between, and a count if you like), priors as eflomal writes them.
        lookalikes: How many times equal words count as having been seen together; others that look alike count less.
        relatives: How many counts each class of a word's relatives is worth: what they become, it is likely to become.
        forms: A file of words and their lemmas or stems, which are relatives too; two for source and target.
        decode: ``"posterior"`` links what is probable enough, ``"viterbi"`` takes the best path of each direction,
            ``"itg"`` the best tree of a bracketing ITG and ``"matching"`` the best one-to-one alignment, both by the
            mean of the posteriors.
        symmetrize: How the two directions become one alignment. By default the soft union of the posteriors, or
            ``"grow-diag-final-and"`` with Viterbi decoding.
        threshold: How probable is enough: a number, ``"auto"`` for as many links as Viterbi decoding would give, or
            ``"balanced"`` for 0.5, or less where the model is unsure. By default balanced with a preset, otherwise
            0.5, and for trees anything.
        tokenize: How sentences that are text are cut into words: ``"spaces"``, ``"unicode"``, ``"characters"``,
            ``"icu"``, or two of these, for source and target: ``"unicode,icu"``.
        lowercase: Whether words that differ only in case are the same; by default they are.
        prefix: Compare only so many first characters of each word.
        suffix: Compare only so many last characters of each word.
        max_length: Pairs with a longer side (by default 200 words) are not trained on, but aligned like all others.
        smoothing: A number added to every expected count of the lexicon and of the positions, by ``"em"``.
        constraint: What posteriors are projected onto while the model is trained: ``"none"``, ``"bijective"``,
            ``"symmetric"``, ``"agreement"``, ``"itg"`` or a :class:`~pralign.constraints.Constraint` of your own. The
            models that are trained before, to start from, are not constrained.
        constraint_from: The iteration of the model from which on they are.
        tolerance: When a projection is exact enough; by default what the constraint says.
        slack: How far from satisfied constraints may be, all together; by default what the constraint says.
        project_at_decode: Whether posteriors are also projected when text is aligned; by default they are if there is
            a constraint other than ``"itg"``, but labelled pairs given to :meth:`fit` decide.
        classes: How many classes the words of each side are put into, for IBM 4.
        pegging: Whether IBM 3 and IBM 4 search for more alignments by holding each likely link fast in turn.
        threads: How many threads work; by default one for each processor. The result does not depend on it.
        memory: How much memory training may take, such as ``"2G"``; the rest goes to disk.
        scratch: A directory for what goes to disk; by default where temporary files go.
        checkpoint: A directory that keeps the state of training, so that a run that was ended goes on from there.
        engine: What works instead of threads, if not ``None``, such as a :class:`~pralign.engine.ray.RayEngine`.
        verbose: Whether training shows how far it is: a bar on a terminal, a table in a notebook.

    Methods that take ``pairs`` take anything that can be sentence pairs, see :func:`~pralign.text.pairs.as_pairs`: a
    :class:`~pralign.text.bitext.Bitext`, pairs, rows, tables with two columns of text, or two lists, ``fit(sources,
    targets)``. All other arguments are named.

    After :meth:`fit` or :meth:`load` there are also ``model_``, the :class:`~pralign.runs.trained.TrainedModel`,
    ``vocabularies_``, the words of both sides, ``thresholds_``, and ``history_``, a table of what each
    :class:`~pralign.training.history.Iteration` of training found.

    Example:
        >>> aligner = Aligner(model="ibm1", threads=1)
        >>> aligner = aligner.fit([("the house", "la maison"), ("the cat", "le chat"), ("a house", "une maison")])
        >>> print(aligner.align_pair("a cat", "un chat"))
        1-1
    """

    preset: str | None = None
    model: str | None = None
    iterations: str | Mapping[str, int] | Schedule | None = None
    estimator: str | None = None
    alpha: float | None = None
    prior: Sequence[str | Path] | str | Path | None = None
    lookalikes: float | None = None
    relatives: float | None = None
    forms: Sequence[str | Path] | str | Path | None = None
    decode: str | None = None
    symmetrize: str | None = None
    threshold: Threshold | None = None
    tokenize: str | None = None
    lowercase: bool | None = None
    prefix: int | None = None
    suffix: int | None = None
    max_length: int | None = None
    smoothing: float | None = None
    constraint: str | Constraint | None = None
    constraint_from: int | None = None
    tolerance: float | None = None
    slack: float | None = None
    project_at_decode: bool | None = None
    classes: int | None = None
    pegging: bool | None = None
    threads: int | None = None
    memory: str | int | None = None
    scratch: str | Path | None = None
    checkpoint: str | Path | None = None
    engine: Engine | None = None
    verbose: bool | None = None

    _checked_elsewhere = frozenset(each.name for each in setting_fields())

    def __post_init__(self) -> None:
        self._run: TrainingRun | None = None
        self._model: TrainedModel | None = None
        self._adapted: TrainingRun | None = None
        self._check_arguments()

    @property
    def settings(self) -> Settings:
        """All settings as they were given, or as they follow from presets and defaults."""
        return self._resolved()

    def _resolved(self, **changes: Any) -> Settings:
        return Settings.resolve(**{each.name: getattr(self, each.name) for each in setting_fields()} | changes)

    # Learning

    def fit(
        self,
        pairs: Pairs,
        target: Iterable[Any] | None = None,
        *,
        listener: Listener = ignore,
        labelled: Iterable[Labelled] | None = None,
    ) -> Self:
        """Learn from sentence pairs.

        Args:
            pairs: The pairs, read once. A sentence is a string of words separated by spaces, or a list of words.
            target: The target sentences, if ``pairs`` are the source sentences.
            listener: Called with a :class:`~pralign.training.progress.Progress` now and then, and after each iteration.
            labelled: Pairs with gold alignments: training stops when the area under their precision-recall curve
                stops rising, after at most the iterations that were set, or ten of the model. They also decide
                whether to project at decode time, where that was not set.

        Raises:
            InputError: There is nothing to learn from, or the labelled pairs are of no use.
        """
        self._fit(as_pairs(pairs, target), listener, labelled)
        return self

    def fit_align(
        self, pairs: Pairs, target: Iterable[Any] | None = None, *, listener: Listener = ignore
    ) -> Iterator[Alignment]:
        """Learn from sentence pairs and align the same pairs; like ``fit`` and then ``align``, in less time."""
        return (answer.alignment for answer in self.fit_decode(pairs, target, listener=listener))

    def fit_decode(
        self,
        pairs: Pairs,
        target: Iterable[Any] | None = None,
        *,
        listener: Listener = ignore,
        labelled: Iterable[Labelled] | None = None,
        by: Criterion = "aer",
        directions: bool = False,
        lists: ListRequest | None = None,
    ) -> Iterator[Decoded]:
        """Like :meth:`fit_align`, with whole answers; labels say when to stop and, by :meth:`tune`, the threshold.

        Viterbi decoding has no threshold to set. ``lists`` asks for many alignments of each pair, as :meth:`nbest` and
        :meth:`sample` do of one.
        """
        if lists is not None:
            lists.check(get_model(self.settings.model))
        run = self._fit(as_pairs(pairs, target), listener, labelled)
        if labelled is not None:
            run.tune(by)
        return run.decode(directions, lists)

    def _fit(
        self,
        pairs: Iterable[Pair],
        listener: Listener,
        labelled: Iterable[Labelled] | None,
        recipe: Recipe | None = None,
        earlier: Sequence[TrainedModel] = (),
    ) -> TrainingRun:
        examples = None if labelled is None else as_labelled(labelled)
        recipe = self._recipe() if recipe is None else recipe
        with showing_progress(bool(self.verbose), listener) as told:
            run = TrainingRun(recipe, pairs, self._engine(), self._resources(), told, examples, earlier)
        self._run, self._model, self._adapted = run, None, None
        return run

    def partial_fit(
        self,
        pairs: Pairs,
        target: Iterable[Any] | None = None,
        *,
        listener: Listener = ignore,
        labelled: Iterable[Labelled] | None = None,
        **changes: Any,
    ) -> Self:
        """Go on learning, from more pairs; an aligner that has learned nothing yet begins, as by :meth:`fit`.

        What was counted before stays, and is looked at together with what new pairs count; words that are new are
        learned. A threshold that depends on text is set on the new pairs. Arguments of the aligner go on to hold,
        except for ``iterations`` (three of the model are usual) and ``prior``, which has been counted already.

        Args:
            pairs: The pairs, read once.
            target: The target sentences, if ``pairs`` are the source sentences.
            listener: Is told how training goes.
            labelled: Pairs with gold alignments, which say when to stop, as for :meth:`fit`.
            changes: Other settings for this time: ``iterations``, ``prior``, ``max_length``, ``constraint_from``, and
                those for decoding.

        Raises:
            UsageError: What has been learned cannot go on, or not with these settings.
            InputError: There is nothing to learn from.

        Example:
            >>> aligner = Aligner(model="ibm1", threads=1).fit([("the house", "la maison"), ("the cat", "le chat")])
            >>> aligner.partial_fit([("a dog", "un chien"), ("the dog", "le chien")]).align_pair("dog", "chien").links
            ((0, 0),)
        """
        given_pairs = as_pairs(pairs, target)
        if not self.is_trained:
            self._fit(given_pairs, listener, labelled, Recipe.of(self._resolved(**changes)))
            return self
        model = self.model_
        check_additive(model)
        if self.checkpoint is not None:  # the model is in memory now, and its place is needed
            self.close()
        given = {name: value for name, value in self.get_params().items() if value is not None}
        recipe = growing_recipe(model, training_settings(given) | changes, labelled is not None)
        run = self._fit(given_pairs, listener, labelled, recipe, [model])
        run.recipe = run.recipe.learned(prior=[*model.recipe.settings.priors, *recipe.settings.priors])
        return self

    def tune(self, labelled: Iterable[Labelled], by: Criterion = "aer") -> Self:
        """Set the threshold on labelled pairs, given as source sentence, target sentence and gold alignment."""
        self._model, self._adapted = self.model_.tuned(as_labelled(labelled), by), None
        return self

    def match_viterbi(self, pairs: Pairs, target: Iterable[Any] | None = None) -> Self:
        """Set the threshold so that ``pairs`` get as many links as Viterbi decoding would give them."""
        self._model, self._adapted = self.model_.with_settings(threshold="auto").adapted(as_pairs(pairs, target)), None
        return self

    def adapt_threshold(self, pairs: Pairs, target: Iterable[Any] | None = None) -> Self:
        """Set a threshold that is ``"auto"`` or ``"balanced"`` anew, as it suits ``pairs``, which need no labels."""
        self._model, self._adapted = self.model_.adapted(as_pairs(pairs, target)), None
        return self

    # Aligning

    def adapt_decode(
        self,
        pairs: Pairs,
        target: Iterable[Any] | None = None,
        *,
        listener: Listener = ignore,
        labelled: Iterable[Labelled] | None = None,
        by: Criterion = "aer",
        directions: bool = False,
        lists: ListRequest | None = None,
    ) -> Iterator[Decoded]:
        """Align other text better than :meth:`decode_pairs` does: first train on it, from what the model knows.

        Three iterations on the text alone are made, so it takes as long as the text is, not the model. Pairs that the
        model was trained on are aligned as they were. The model itself does not change; :meth:`partial_fit` has it
        learn for good.

        Args:
            pairs: The pairs.
            target: The target sentences, if ``pairs`` are the source sentences.
            listener: Is told how training goes.
            labelled: Pairs with gold alignments, which say when to stop and what is probable enough.
            by: What the threshold is set for.
            directions: Whether to add the directional Viterbi alignments.
            lists: Which alignments are wanted, if not one a pair.

        Raises:
            UsageError: Nothing was learned yet, or the model cannot tell what it has counted.

        Example:
            >>> aligner = Aligner(threads=1).fit([("the house", "la maison"), ("the cat", "le chat")])
            >>> [answer.alignment.links for answer in aligner.adapt_decode([("the dog", "le chien")])]
            [((0, 0), (1, 1))]
        """
        model = self.model_
        check_additive(model)
        if self.checkpoint is not None:  # the model is in memory now, and its place is needed
            self.close()
        self._adapted = None
        examples = None if labelled is None else as_labelled(labelled)
        text = NewText.of(model, as_pairs(pairs, target))
        if not text.trainable:  # it was trained on before, or there is nothing in it
            return suited(model, text.pairs, examples, by).decode_pairs(text.pairs, directions, listener, lists)
        recipe = growing_recipe(model, {}, examples is not None)
        with showing_progress(bool(self.verbose), listener) as told:
            run = TrainingRun(recipe, text.new, self._engine(), self._resources(), told, examples, known=model)
        if examples is not None:
            run.tune(by)
        run.left_out, self._adapted = text.known, run
        if model.thresholds is None or examples is not None:
            model = replace(model, thresholds=run.thresholds)
        numbers = np.flatnonzero(text.known)
        old = model.decode_pairs(text.old, directions, lists=lists, numbers=numbers)
        return text.in_order(run.decode(directions, lists), old)

    def align(self, pairs: Pairs, target: Iterable[Any] | None = None) -> Iterator[Alignment]:
        """Align sentence pairs, seen in training or not, one alignment a pair, in order and as they come.

        Example:
            >>> aligner = Aligner(model="ibm1").fit([("one two", "un deux"), ("one", "un")])
            >>> [alignment.links for alignment in aligner.align([("two", "deux"), ("", "un")])]
            [((0, 0),), ()]
        """
        return (answer.alignment for answer in self.decode_pairs(pairs, target))

    def decode_pairs(
        self,
        pairs: Pairs,
        target: Iterable[Any] | None = None,
        *,
        directions: bool = False,
        listener: Listener = ignore,
        lists: ListRequest | None = None,
    ) -> Iterator[Decoded]:
        """Like :meth:`align`, with scores of the pairs and, if wanted, directions; a listener is told how far it is.

        ``lists`` asks for many alignments of each pair, as :meth:`nbest` and :meth:`sample` do of one.
        """
        return self.model_.decode_pairs(as_pairs(pairs, target), directions, listener, lists)

    # What was learned

    @property
    def is_trained(self) -> bool:
        """Whether anything was learned or loaded."""
        return self._model is not None or self._run is not None

    @property
    def model_(self) -> TrainedModel:
        """The trained model.

        Raises:
            UsageError: Nothing was learned or loaded yet.
        """
        if self._model is None:
            if self._run is None:
                raise UsageError(_UNTRAINED)
            self._model = self._run.trained_model()
        return self._model

    @property
    def vocabularies_(self) -> dict[str, Vocabulary]:
        """The words of both sides."""
        return {"source": self.model_.source, "target": self.model_.target}

    @property
    def thresholds_(self) -> Thresholds:
        """What is probable enough under the forward model, under the reverse model, and in the mean of both."""
        if self._model is None and self._run is not None:
            return self._run.thresholds
        return self.model_.needed_thresholds

    @property
    def history_(self) -> History:
        """What each iteration of training found, as a table: it prints as one, and has :meth:`History.to_frame`."""
        run = self._run if self._model is None else None
        return History(self.model_.history if run is None else run.state.history)

    @property
    def signature(self) -> Signature:
        """What produces these alignments, in one line."""
        if self._adapted is not None:
            return self._adapted.recipe.signature(self._adapted.state.made, self._adapted.thresholds)
        if self._model is not None:
            return self._model.signature
        if self._run is not None:
            return self._run.recipe.signature(self._run.state.made, self._run.thresholds)
        recipe = self._recipe()
        return recipe.signature(recipe.schedule(), recipe.thresholds)

    @property
    def latest_run(self) -> TrainingRun | None:
        """The run that has given the last answers, to be asked until it is closed; a loaded model answers by itself."""
        return self._adapted or (self._run if self._model is None else None)

    def save(self, directory: str | Path, compact: bool = False) -> None:
        """Save the trained aligner as a directory; loaded again, it answers with the same bits.

        A compact one leaves out what training pairs have added to the counts: less than half the size, but pairs that
        it was trained on are aligned like any others.
        """
        check_path(directory, "the directory to save to")
        if self._model is None and self._run is not None:
            self._run.save(directory, compact)
        else:
            self.model_.save(directory, compact)

    @classmethod
    def load(cls, directory: str | Path, threads: int | None = None, **changes: Any) -> Self:
        """Load a saved aligner; ``changes`` replace its settings for decoding.

        An aligner that was trained with a constraint of your own needs it again, as ``constraint``, before it can
        align, unless ``project_at_decode`` is set to false.

        Raises:
            ModelError: There is no usable model.
        """
        changeable = sorted({*decoding_settings(), "constraint"})
        check_names(changes, changeable, "a trained aligner cannot change its {names}")
        model = TrainedModel.load(directory, ThreadEngine(threads), **changes)
        aligner = cls(**model.recipe.settings.given, threads=threads)
        aligner._model = model
        return aligner

    @classmethod
    def merged(cls, directories: Sequence[str | Path], threads: int | None = None) -> Self:
        """One aligner of several saved ones that were trained apart, in whatever order.

        What their texts have counted is added up, see :func:`~pralign.runs.merging.merge_models`.

        Raises:
            ModelError: One of them is no usable model.
            UsageError: They were trained in ways that do not go together, or one is there twice.
        """
        model = merge_models(directories, ThreadEngine(threads))
        aligner = cls(**model.recipe.settings.given, threads=threads)
        aligner._model = model
        return aligner

    def close(self) -> None:
        """Forget what training has left in files, its checkpoint included; the model is kept if it was asked for."""
        for run in (self._run, self._adapted):
            if run is not None:
                run.close()

    # The manners of scikit-learn

    def __getstate__(self) -> dict[str, Any]:
        """The arguments and the trained model; copies know nothing of the run that has made it, nor of its files."""
        if self._model is None and self._run is not None and not self._run.closed:
            self._model = self._run.trained_model()
        return {**vars(self), "_run": None, "_adapted": None}

    def _check(self) -> None:
        """Complain of arguments that cannot be or do not go together."""
        self._recipe()
        self._resources()
        self._engine()

    def _recipe(self) -> Recipe:
        return Recipe.of(self.settings)

    def _resources(self) -> Resources:
        elsewhere = self.engine is not None and self.engine.elsewhere
        return Resources.of(self.memory, self.scratch, self.checkpoint, elsewhere)

    def _engine(self) -> Engine:
        return ThreadEngine(self.threads) if self.engine is None else self.engine
