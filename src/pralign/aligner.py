"""The aligner: everything the command line does, for use from Python."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pralign.constraints import Constraint, describe_constraint, make_constraint, restore_constraint
from pralign.constraints.projection import Projection
from pralign.decoding.decoder import DEFAULT_THRESHOLDS, SOFT_UNION, Decoder, Method, Thresholds
from pralign.decoding.evidence import Evidence
from pralign.decoding.labelled import LabelledPairs
from pralign.decoding.stream import Decoded, decodable, decode_corpus, evidence_blocks
from pralign.decoding.threshold import as_many_as_viterbi, balanced, quality, tuned
from pralign.engine import Engine
from pralign.errors import InputError, UsageError
from pralign.evaluation import Criterion
from pralign.kernels.arrays import CellSlots
from pralign.links.alignment import Alignment
from pralign.links.labelled import Labelled
from pralign.models import get_model
from pralign.models.bidirectional import BidirectionalModel, Block
from pralign.models.estimation import Estimation, EstimatorName
from pralign.models.lexicon import Side
from pralign.models.prior import MOST_PRIOR
from pralign.presets import Design, Threshold, complete
from pralign.priors import gather_priors
from pralign.signature import Signature
from pralign.storage import load_history, load_model, save_model
from pralign.text.bitext import Bitext, Pair, Sentence
from pralign.text.classes import DEFAULT_CLASSES
from pralign.text.corpus import Corpus
from pralign.text.index import PairIndex, no_cells
from pralign.text.normalisation import Normalisation
from pralign.text.vocabulary import Vocabulary
from pralign.training.em import Listener, Quality, Task, train
from pralign.training.history import Iteration, recording
from pralign.training.schedule import Schedule, default_schedule, format_schedule, parse_schedule

logger = logging.getLogger("pralign")

LONGEST = 200

_ANY = Thresholds.all(0.5)
_CHUNK = 2_000
# How thresholds are set without labels, and on how many pairs.
_AUTOMATIC = {"auto": (as_many_as_viterbi, 20_000), "balanced": (balanced, 5_000)}
_DESIGN = tuple(field.name for field in fields(Design))
_UNTRAINED = "this aligner has learned nothing yet; call fit or load first"


class LinkPosteriors(NamedTuple):
    """The probability of each possible link of a pair, as matrices of source words × target words.

    Attributes:
        forward: Under the model that explains target words by source words.
        reverse: Under the model that explains source words by target words.
        mean: The mean of the two.
    """

    forward: NDArray[np.float32]
    reverse: NDArray[np.float32]
    mean: NDArray[np.float32]


@dataclass
class Aligner:
    """Learns from parallel sentences which word translates which, and aligns them and others.

    Attributes:
        preset: ``"fast"``, ``"default"`` or ``"best"``: values for whatever else is not set. By default ``"default"``,
            unless ``model``, ``iterations``, ``estimator``, ``constraint`` or ``smoothing`` is set: then the rest is
            plain, an HMM estimated by EM without a constraint.
        model: ``"ibm1"``, ``"ibm2"``, ``"hmm"``, ``"fhmm"``, ``"ibm3"``, ``"ibm4"`` or a registered model of your own.
        iterations: The stages of training, such as ``"ibm1=5,hmm=5"``; by default five of IBM 1 and five of the model,
            or three with a constraint, and before IBM 3 and IBM 4 five of the HMM.
        estimator: How probabilities follow from counts: ``"em"``, ``"vb"`` or ``"collapsed"``, see
            :class:`~pralign.models.estimation.Estimation`.
        alpha: What the prior of ``"vb"`` and ``"collapsed"`` adds to the count of each pair of words.
        prior: What is known before, and adds to the counts: directories of saved aligners, dictionaries (two words a
            line, with a tab between, and a count if you like), priors as eflomal writes them.
        lookalikes: How many times equal words count as having been seen together; others that look alike count less.
        decode: ``"posterior"`` links what is probable enough, ``"viterbi"`` takes the best path of each direction,
            ``"itg"`` the best tree of a bracketing ITG and ``"matching"`` the best one-to-one alignment, both by the
            mean of the posteriors.
        symmetrize: How the two directions become one alignment. By default the soft union of the posteriors, or
            ``"grow-diag-final-and"`` with Viterbi decoding.
        threshold: How probable is enough: a number, ``"auto"`` for as many links as Viterbi decoding would give, or
            ``"balanced"`` for 0.5, or less where the model is unsure. By default balanced with a preset, otherwise
            0.5, and for trees anything.
        lowercase: Whether words that differ only in case are the same.
        prefix: Compare only so many first characters of each word.
        suffix: Compare only so many last characters of each word.
        longest: Pairs with a longer side are not trained on. They are aligned like all others.
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

    After :meth:`fit` or :meth:`load` there are also ``model_``, the trained model, ``vocabularies_``, the words of both
    sides, and ``history_``, what each :class:`~pralign.training.history.Iteration` of training found.

    Example:
        >>> aligner = Aligner(model="ibm1", threads=1)
        >>> aligner = aligner.fit([("the house", "la maison"), ("the cat", "le chat"), ("a house", "une maison")])
        >>> aligner.align_pair("a cat", "un chat").links
        ((1, 1),)
    """

    preset: str | None = None
    model: str | None = None
    iterations: str | Schedule | None = None
    estimator: EstimatorName | None = None
    alpha: float = 0.001
    prior: Sequence[str | Path] = ()
    lookalikes: float | None = None
    decode: Method = "posterior"
    symmetrize: str | None = None
    threshold: Threshold | None = None
    lowercase: bool = True
    prefix: int | None = None
    suffix: int | None = None
    longest: int = LONGEST
    smoothing: float = 0.0
    constraint: str | Constraint | None = None
    constraint_from: int | None = None
    tolerance: float | None = None
    slack: float | None = None
    project_at_decode: bool | None = None
    classes: int = DEFAULT_CLASSES
    pegging: bool = False
    threads: int | None = None

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in (*_DESIGN, "decode")}
        self.preset, self._design = complete(self.preset, given | {"smoothing": self.smoothing or None})
        for name in _DESIGN:
            setattr(self, name, getattr(self._design, name))
        self.prior = [str(path) for path in ([self.prior] if isinstance(self.prior, str | Path) else self.prior)]
        get_model(self._design.model)
        self._estimation = Estimation(self._design.estimator, self.smoothing, self.alpha)
        self._constraint = make_constraint(self._design.constraint, self.tolerance, self.slack)
        self._projection_is_open = self.project_at_decode is None and self._constraint is not None
        if self.project_at_decode is None:
            self.project_at_decode = self._constraint is not None and self._constraint.at_decode
        if self.project_at_decode and self._constraint is None:
            raise UsageError("without a constraint there is nothing to project onto at decode time")
        self._schedule = self._planned(judged=False)
        if self.symmetrize is None:
            self.symmetrize = "grow-diag-final-and" if self.decode == "viterbi" else SOFT_UNION
        if self.classes < 1:
            raise UsageError(f"words are put into at least one class, not {self.classes}")
        numeric = isinstance(self.threshold, int | float) and 0 < self.threshold <= 1
        if self.threshold not in (*_AUTOMATIC, None) and not numeric:
            raise UsageError(f"a threshold is a probability above 0, or auto, or balanced, not {self.threshold}")
        if not 0 <= self._design.lookalikes <= MOST_PRIOR:
            raise UsageError(
                f"lookalikes is added to counts, at most {MOST_PRIOR:,.0f}, and cannot be {self.lookalikes}"
            )
        if self._design.constraint_from < 1:
            raise UsageError(f"a constraint acts from iteration 1 on or later, not {self.constraint_from}")
        self._automatic: Thresholds | None = None
        self._normalisation = Normalisation(self.lowercase, self.prefix, self.suffix)
        self._engine = Engine(self.threads)
        self.model_: BidirectionalModel | None = None
        self.vocabularies_: dict[str, Vocabulary] = {}
        self.history_: tuple[Iteration, ...] = ()
        self._decoder(_ANY)  # complains now about settings that do not go together

    def fit(
        self,
        pairs: Bitext | Iterable[Pair],
        listener: Listener = lambda progress: None,
        labelled: Iterable[Labelled] | None = None,
    ) -> Self:
        """Learn from sentence pairs.

        Args:
            pairs: The pairs, read once. A sentence is a string of words separated by spaces, or a list of words.
            listener: Called with a :class:`~pralign.training.em.Progress` now and then, and after each iteration.
            labelled: Pairs with gold alignments: training stops when the area under their precision-recall curve
                stops rising, after at most the iterations that were set, or ten of the model. They also decide
                whether to project at decode time, where that was not set.

        Raises:
            InputError: There is nothing to learn from, or the labelled pairs are of no use.
        """
        self._fit(pairs, listener, None if labelled is None else list(labelled))
        return self

    def fit_align(
        self, pairs: Bitext | Iterable[Pair], listener: Listener = lambda progress: None
    ) -> Iterator[Alignment]:
        """Learn from sentence pairs and align the same pairs; like ``fit`` and then ``align``, in less time."""
        return (answer.alignment for answer in self.fit_decode(pairs, listener))

    def fit_decode(
        self,
        pairs: Bitext | Iterable[Pair],
        listener: Listener = lambda progress: None,
        labelled: Iterable[Labelled] | None = None,
        by: Criterion = "aer",
        directions: bool = False,
    ) -> Iterator[Decoded]:
        """Like :meth:`fit_align`, with whole answers; labels say when to stop and, by :meth:`tune`, the threshold.

        Viterbi decoding has no threshold to set.
        """
        examples = None if labelled is None else list(labelled)
        corpus, index = self._fit(pairs, listener, examples)
        if examples is not None and self.decode != "viterbi":
            self.tune(examples, by)
        return self._decode(corpus, index.cells, directions)

    def tune(self, labelled: Iterable[Labelled], by: Criterion = "aer") -> Self:
        """Set the threshold on labelled pairs, given as source sentence, target sentence and gold alignment."""
        if self.decode == "viterbi":
            raise UsageError("Viterbi decoding has no threshold to tune")
        if by not in ("aer", "f1"):
            raise UsageError(f"a threshold is tuned by aer or f1, not by {by}")
        examples = LabelledPairs(list(labelled), self._encode)
        evidence = list(examples.evidence(self.trained_model, self._decoding_constraint))
        self.threshold = tuned(evidence, examples.golds, self._decoder(_ANY), by)
        return self

    def match_viterbi(self, pairs: Iterable[Pair]) -> Self:
        """Set the threshold so that ``pairs`` get as many links as Viterbi decoding would give them."""
        self.threshold = "auto"
        return self.adapt_threshold(pairs)

    def adapt_threshold(self, pairs: Iterable[Pair]) -> Self:
        """Set a threshold that is ``"auto"`` or ``"balanced"`` anew, as it suits ``pairs``, which need no labels."""
        if self.threshold not in _AUTOMATIC:
            raise UsageError(f"a threshold that is auto or balanced can adapt, one that is {self.threshold} cannot")
        corpus = self._encode(pairs)
        self._adapt_threshold(corpus, no_cells(corpus))
        return self

    def align(self, pairs: Iterable[Pair]) -> Iterator[Alignment]:
        """Align sentence pairs, seen in training or not, one alignment a pair, in order and as they come.

        Example:
            >>> aligner = Aligner(model="ibm1").fit([("one two", "un deux"), ("one", "un")])
            >>> [alignment.links for alignment in aligner.align([("two", "deux"), ("", "un")])]
            [((0, 0),), ()]
        """
        return (answer.alignment for answer in self.decode_pairs(pairs))

    def decode_pairs(self, pairs: Iterable[Pair], directions: bool = False) -> Iterator[Decoded]:
        """Like :meth:`align`, with scores of the pairs and, if wanted, the directional Viterbi alignments."""
        remaining, number = iter(pairs), 1
        while chunk := list(islice(remaining, _CHUNK)):
            corpus = self._encode(chunk)
            yield from self._decode(corpus, no_cells(corpus), directions, number)
            number += len(chunk)

    def align_pair(self, source: Sentence, target: Sentence) -> Alignment:
        """Align one pair."""
        corpus = self._encode([(source, target)])
        if decodable(corpus).size == 0:
            return Alignment()
        return next(self._decoder()(self._evidence(corpus)))

    def posteriors(self, source: Sentence, target: Sentence) -> LinkPosteriors:
        """The probability of each link of a pair, as far as the model can tell."""
        corpus = self._encode([(source, target)])
        shape = (int(corpus.source_lengths[0]), int(corpus.target_lengths[0]))
        if 0 in shape:
            return LinkPosteriors(*(np.zeros(shape, np.float32) for _ in range(3)))
        evidence = self._evidence(corpus)
        return LinkPosteriors(*(cells.reshape(shape) for cells in (evidence.forward, evidence.reverse, evidence.mean)))

    def observer(self, pairs: Iterable[Pair]) -> Callable[[NDArray[np.int64]], Evidence]:
        """What the model says of any of ``pairs``, asked for by their numbers; those with an empty side say nothing."""
        return self._observe(self._encode(pairs))

    def translations(self, word: str, side: Side = "source", most: int = 10) -> list[tuple[str, float]]:
        """The likeliest translations of a word of one side, with their probabilities."""
        lexicon = self.trained_model.lexicon
        other = self.vocabularies_["target" if side == "source" else "source"]
        normalised = self._normalisation([word])[0]
        number = self.vocabularies_[side].number(normalised)
        if number is None:
            return []
        partners, probabilities = lexicon.partners(number, side)
        best = np.argsort(-probabilities, kind="stable")[:most]
        return [(other.words[partners[k]], float(probabilities[k])) for k in best]

    @property
    def thresholds_(self) -> Thresholds:
        """What is probable enough under the forward model, under the reverse model, and in the mean of both."""
        if self.threshold is None:
            return Thresholds.all(DEFAULT_THRESHOLDS[self.decode])
        if not isinstance(self.threshold, str):
            return Thresholds.all(self.threshold)
        if self._automatic is None:
            raise UsageError(
                f"the threshold is {self.threshold}, but there was no text to set it on; call fit or adapt_threshold"
            )
        return self._automatic

    @property
    def signature(self) -> Signature:
        """What produces these alignments, in one line."""
        threshold = None
        if self.decode != "viterbi" and self.thresholds_.mean > 0:
            forward, reverse, mean = (f"{value:.4g}" for value in self.thresholds_)
            directions = forward if forward == reverse else f"{forward}/{reverse}"
            threshold = mean if self.symmetrize == SOFT_UNION else directions
        return Signature.of(
            preset=self.preset,
            model=self.model,
            iterations=format_schedule(self._schedule),
            decode=self.decode,
            threshold=threshold,
            symmetrize=self.symmetrize,
            lowercase=self.lowercase,
            prefix=self.prefix,
            suffix=self.suffix,
            longest=self.longest,
            estimator=self.estimator,
            smoothing=self.smoothing or None,
            alpha=None if self.estimator == "em" else f"{self.alpha:g}",
            lookalikes=f"{self.lookalikes:g}" if self.lookalikes else None,
            priors=len(self.prior) or None,
            classes=self.classes if self.model == "ibm4" else None,
            pegging=self.pegging or None,
            constraint="none" if self._constraint is None else self._constraint.name,
            tolerance=self._constraint and f"{self._constraint.tolerance:g}",
            slack=self._constraint and f"{self._constraint.slack:g}",
            constraint_from=self.constraint_from if self._constraint and self._design.constraint_from > 1 else None,
            projected=self._constraint and self.project_at_decode,
        )

    def save(self, directory: str | Path) -> None:
        """Save the trained aligner as a directory; loaded again, it answers with the same bits."""
        save_model(directory, self.trained_model, self.vocabularies_, self.settings(), self.history_)

    @classmethod
    def load(cls, directory: str | Path, threads: int | None = None, **changes: Any) -> Self:
        """Load a saved aligner; ``changes`` replace its settings for decoding.

        An aligner that was trained with a constraint of your own needs it again, as ``constraint``, before it can
        align, unless ``project_at_decode`` is set to false.

        Raises:
            ModelError: There is no usable model.
        """
        unknown = changes.keys() - {"decode", "threshold", "symmetrize", "project_at_decode", "constraint"}
        if unknown:
            raise UsageError(f"a trained aligner cannot change its {', '.join(sorted(unknown))}")
        model, vocabularies, settings = load_model(directory)
        automatic = settings.pop("automatic_thresholds")
        settings = restore_constraint(settings, changes.pop("constraint", None))
        if changes.get("decode", settings["decode"]) != settings["decode"]:
            settings |= {"symmetrize": None, "threshold": None}
        aligner = cls(**{**settings, **changes, "threads": threads})
        aligner.model_, aligner.vocabularies_, aligner.history_ = model, vocabularies, load_history(directory)
        aligner._automatic = None if automatic is None else Thresholds(*automatic)
        if aligner._automatic is None and "threshold" not in changes and aligner.threshold in _AUTOMATIC:
            aligner.threshold = None  # another way to decode had no threshold that could be saved
        return aligner

    def settings(self) -> dict[str, Any]:
        """Everything that is saved with the model, in words and numbers."""
        chosen = {"automatic_thresholds": self._automatic}
        if self._constraint is not None:
            chosen |= describe_constraint(self._constraint)
        return self.get_params() | chosen

    def get_params(self) -> dict[str, Any]:
        """The settings this aligner was made with, except the number of threads."""
        names = [name for name in self.__dataclass_fields__ if name != "threads"]
        return {name: getattr(self, name) for name in names} | {"iterations": format_schedule(self._schedule)}

    def _planned(self, judged: bool) -> Schedule:
        """The stages of training; with labelled pairs to stop by, their number is an upper bound."""
        if self.iterations is None:
            return default_schedule(self._design.model, self._constraint is not None, judged)
        text = self.iterations if isinstance(self.iterations, str) else format_schedule(self.iterations)
        return parse_schedule(text, self._design.model)

    def _fit(
        self, pairs: Bitext | Iterable[Pair], listener: Listener, labelled: list[Labelled] | None = None
    ) -> tuple[Corpus, PairIndex]:
        corpus = Corpus.build(pairs, self._normalisation)
        index = PairIndex.build(corpus, self.longest, self._engine.threads)
        _report_untrained(corpus, index, self.longest, pairs.name if isinstance(pairs, Bitext) else "the pairs given")
        planned = self._planned(judged=labelled is not None)
        projection = None if self._constraint is None else Projection(self._constraint, corpus.words, repeatedly=True)
        qualities = None if labelled is None else self._qualities(labelled, corpus)
        judge = None if qualities is None else lambda model: max(qualities(model).values(), key=lambda each: each.area)
        task = Task(
            corpus,
            index,
            planned,
            self._engine,
            self._estimation,
            gather_priors(self.prior, self._design.lookalikes, corpus, index, self._normalisation, self._engine),
            projection,
            self._design.constraint_from,
            judge,
            self.classes,
            self.pegging,
        )
        history: list[Iteration] = []
        self.model_, self._schedule = train(task, recording(history, listener))
        self.vocabularies_ = {"source": corpus.source, "target": corpus.target}
        self.history_ = tuple(history)
        if qualities is not None and self._projection_is_open:
            self._decide_projection(qualities(self.model_))
        if self.threshold in _AUTOMATIC:
            self._adapt_threshold(corpus, index.cells)
        return corpus, index

    def _qualities(
        self, labelled: list[Labelled], trained_on: Corpus
    ) -> Callable[[BidirectionalModel], dict[bool, Quality]]:
        """How good a model is on labelled pairs, by whether it is projected, where settings leave that open."""

        def encode(pairs: Iterable[Pair]) -> Corpus:
            return Corpus.encode(pairs, self._normalisation, trained_on.source, trained_on.target)

        examples = LabelledPairs(labelled, encode)
        choices = (True, False) if self._projection_is_open else (bool(self.project_at_decode),)

        def qualities(model: BidirectionalModel) -> dict[bool, Quality]:
            evidence = {choice: examples.evidence(model, self._constraint if choice else None) for choice in choices}
            return {choice: quality(blocks, examples.golds) for choice, blocks in evidence.items()}

        return qualities

    def _decide_projection(self, qualities: Mapping[bool, Quality]) -> None:
        """Project when aligning, unless labelled pairs are aligned better without."""
        projected, plain = qualities[True].area, qualities[False].area
        self.project_at_decode = projected >= plain
        if not self.project_at_decode:
            logger.info("not projecting at decode time: the dev area is %.4f without, %.4f with", plain, projected)

    @property
    def _decoding_constraint(self) -> Constraint | None:
        """What posteriors are projected onto when text is aligned."""
        return self._constraint if self.project_at_decode else None

    def _projection(self, corpus: Corpus) -> Projection | None:
        """How the posteriors of ``corpus`` are projected when it is aligned."""
        constraint = self._decoding_constraint
        return None if constraint is None else Projection(constraint, corpus.words)

    def _decode(self, corpus: Corpus, cells: CellSlots, directions: bool, first_number: int = 1) -> Iterator[Decoded]:
        model, decoder, projection = self.trained_model, self._decoder(), self._projection(corpus)
        return decode_corpus(model, corpus, cells, decoder, self._engine, directions, first_number, projection)

    def _adapt_threshold(self, corpus: Corpus, cells: CellSlots) -> None:
        """Look at some pairs, spread evenly over the corpus; long ones would outweigh all others."""
        rule, sample = _AUTOMATIC[str(self.threshold)]
        pairs = decodable(corpus)
        short = (corpus.source_lengths[pairs] <= self.longest) & (corpus.target_lengths[pairs] <= self.longest)
        pairs = pairs[short] if short.any() else pairs
        if pairs.size == 0:  # any threshold will do
            self._automatic = self._automatic or _ANY
            return
        step = -(-pairs.size // sample)
        model, projection = self.trained_model, self._projection(corpus)
        blocks = evidence_blocks(corpus, cells, pairs[::step])
        evidence = self._engine.map(lambda block: Evidence.of(model, block, projection), blocks)
        self._automatic = rule(evidence)

    @property
    def trained_model(self) -> BidirectionalModel:
        """The trained model.

        Raises:
            UsageError: Nothing was learned or loaded yet.
        """
        if self.model_ is None:
            raise UsageError(_UNTRAINED)
        return self.model_

    def _decoder(self, thresholds: Thresholds | None = None) -> Decoder:
        return Decoder(self.decode, str(self.symmetrize), thresholds or self.thresholds_)

    def _encode(self, pairs: Iterable[Pair]) -> Corpus:
        if not self.vocabularies_:
            raise UsageError(_UNTRAINED)
        return Corpus.encode(pairs, self._normalisation, self.vocabularies_["source"], self.vocabularies_["target"])

    def _evidence(self, corpus: Corpus) -> Evidence:
        return self._observe(corpus)(np.arange(len(corpus)))

    def _observe(self, corpus: Corpus) -> Callable[[NDArray[np.int64]], Evidence]:
        model, projection = self.trained_model, self._projection(corpus)
        return lambda numbers: Evidence.of(model, Block(corpus.texts, no_cells(corpus), numbers), projection)


def _report_untrained(corpus: Corpus, index: PairIndex, longest: int, name: str) -> None:
    if len(corpus) == 0:
        raise InputError(f"{name}: no sentence pairs to learn from: the text is empty")
    empty = int(np.sum((corpus.source_lengths == 0) | (corpus.target_lengths == 0)))
    if index.pairs.size == 0:
        why = "every pair has an empty side" if empty == len(corpus) else f"no pair has at most {longest} words a side"
        raise InputError(f"{name}: no sentence pairs to learn from: {why}")
    long = len(corpus) - empty - index.pairs.size
    if empty or long:
        logger.info("not trained on: %d pairs with an empty side, %d with a side over %d words", empty, long, longest)
