"""What IBM Model 3 and IBM Model 4 have in common: how many words a word becomes, and a search instead of a sum."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Int, Lattice, Long, Posterior, Texts
from pralign.kernels.cepts import FARTHEST, HALVING, MOST_WORDS, Tables
from pralign.kernels.fertility_counts import FertilityCounts, count_alignments
from pralign.kernels.hmm import BAND, INITIAL, JumpWeights, viterbi
from pralign.kernels.neighbourhood import Classes, Neighbourhood, Surroundings, explore, likeliest, single, weigh
from pralign.kernels.neighbourhood_paths import best_neighbours, sample_neighbours
from pralign.kernels.own_counts import OwnCounts
from pralign.kernels.paths import Paths
from pralign.kernels.units import as_counts
from pralign.models.base import (
    CorpusSummary,
    DirectionalModel,
    Inference,
    Statistics,
    empty_posterior,
    no_paths,
    no_rows,
    no_states,
    single_length,
)
from pralign.models.hmm import HMM
from pralign.models.part import LEAST_WEIGHT
from pralign.schema.arrays import Array, Schema, between, indices

# What words with few counts are expected to do, as if it had been seen so often: have as many words as others.
FERTILITY_PRIOR = 10.0
# Nothing is impossible.
LEAST = 1e-12
# Null words have no place to pay for, so that likelihood alone would make too many of them. This is the highest share
# of words that may bring one along; found on development sets.
MOST_NULL = 0.02
LEAST_NULL = 1e-6
# What a probability is at least, be it only a part of what the last distances share.
PROBABILITY = between(LEAST / 100, 1.0 + 1e-9)


class Parameters(NamedTuple):
    """The probabilities of a fertility model, laid out as in :class:`~pralign.kernels.cepts.Tables`."""

    fertility: Double
    head: Double
    other: Double
    diagonal_distortion: Double
    null: Double


class Context(NamedTuple):
    """What a fertility model keeps with a lattice: the words, and the alignments it takes expectations over."""

    around: Surroundings
    neighbourhood: Neighbourhood

    def select(self, pairs: Long) -> Context:
        """The context of some pairs of a block."""
        chosen = self.neighbourhood._replace(pair=self.neighbourhood.pair[pairs])
        return self._replace(neighbourhood=chosen)


@dataclass(frozen=True)
class FertilityModel(DirectionalModel):
    """A model in which each state decides how many words it has.

    There is no sum over all alignments in closed form. From the HMM's best path the model climbs to an alignment that
    no change of one word and no swap of two makes better, and takes that and all alignments one change away for all
    there are.

    Attributes:
        parameters: The probabilities.
        classes: The classes of the words of both sides, the last for unknown words.
        jumps: The HMM from whose best path the search starts.
        longest: The number of words of the longest training sentence, which sizes counts.
        pegging: Whether to look for more peaks by holding one link at a time fast, and take their neighbours too.
    """

    initialised_from_viterbi = True
    counted_by_word = frozenset({"fertility"})
    # The alignments of a neighbourhood differ in one or two words, so that two neighbourhoods rarely can agree.
    gradient_steps = 10
    ordered: ClassVar[bool]

    parameters: Parameters
    classes: Classes
    jumps: JumpWeights
    longest: int
    pegging: bool = False

    @classmethod
    def initial(cls, summary: CorpusSummary, previous: DirectionalModel | None) -> Self:
        """Every word has one word, more or less, and stands anywhere."""
        if isinstance(previous, FertilityModel):
            jumps = previous.jumps
        else:
            jumps = (previous if isinstance(previous, HMM) else HMM.initial(summary, None)).weights
        classes = cls._classes(summary)
        head, other, diagonal_distortion = cls._places(classes)
        fertility = np.full(MOST_WORDS + 1, 0.05)
        fertility[:3] = 0.2, 0.5, 0.15
        parameters = Parameters(
            np.tile(fertility / fertility.sum(), (summary.state_words + 1, 1)),
            head,
            other,
            diagonal_distortion,
            np.array([1 - MOST_NULL, MOST_NULL]),
        )
        return cls(parameters, classes, jumps, summary.most_observed, summary.pegging)

    @property
    def likelihood_kind(self) -> str:
        """Of the alignments that were found."""
        return "near the best alignments"

    @classmethod
    @abstractmethod
    def _classes(cls, summary: CorpusSummary) -> Classes:
        """The word classes the model distinguishes."""

    @classmethod
    @abstractmethod
    def _places(cls, classes: Classes) -> tuple[Double, Double, Double]:
        """``head``, ``other`` and ``diagonal_distortion`` before anything is known."""

    @cached_property
    def tables(self) -> Tables:
        """The logarithms of the parameters."""
        with np.errstate(divide="ignore"):
            fertility = np.log(self.parameters.fertility)
            fertility[:, MOST_WORDS] += np.log(1 - HALVING)
            return Tables(
                fertility,
                _place_table(self.parameters.head, self.parameters.other),
                self.parameters.diagonal_distortion,
                np.log(self.parameters.null),
                self.ordered,
            )

    def prepare(self, lattice: Lattice, texts: Texts, pairs: Long, own: OwnCounts | None = None) -> Lattice:
        """Climb, and keep with the lattice the neighbourhoods of the peaks."""
        start = no_states(lattice)
        viterbi(lattice, JumpWeights(*(part[None] for part in self.jumps)), start)
        return self._search(lattice, Surroundings(texts, pairs, self.classes), start)

    def search_again(self, lattice: Lattice) -> Lattice:
        """Climb on from the best alignments so far."""
        return self._search(lattice._replace(context=()), lattice.context.around, self.viterbi(lattice))

    def _search(self, lattice: Lattice, around: Surroundings, start: Int) -> Lattice:
        return lattice._replace(context=Context(around, explore(lattice, around, self.tables, start, self.pegging)))

    def for_words(self, states: Long, observed: Long) -> Self:
        """The model with the fertilities and classes of a shard's words, and last those of unknown words."""
        rows = np.append(np.minimum(states, self.classes.states.size - 1), self.classes.states.size - 1)
        others = np.append(np.minimum(observed, self.classes.observed.size - 1), self.classes.observed.size - 1)
        parameters = self.parameters._replace(fertility=self.parameters.fertility[rows])
        return replace(
            self, parameters=parameters, classes=Classes(self.classes.states[rows], self.classes.observed[others])
        )

    def infer(self, lattice: Lattice, statistics: Statistics | None = None) -> Inference:
        """Posteriors over the neighbourhoods."""
        posterior, weight = _weighed(lattice)
        if statistics is not None:
            self._count(lattice._replace(context=()), lattice.context, weight, statistics)
        return Inference(posterior, no_rows(lattice))

    def viterbi(self, lattice: Lattice) -> Int:
        """The best alignment that was found."""
        states = no_states(lattice)
        likeliest(lattice._replace(context=()), lattice.context.neighbourhood, states)
        return states

    def nbest(self, lattice: Lattice, n: int) -> Paths:
        """The alignments of the neighbourhoods that weigh most; there may be fewer than ``n``."""
        paths, weight = no_paths(lattice, n), _weighed(lattice)[1]
        best_neighbours(lattice._replace(context=()), lattice.context.neighbourhood, weight, paths)
        return paths

    def sample(self, lattice: Lattice, n: int, draws: Double) -> Paths:
        """Alignments of the neighbourhoods, drawn by their weights."""
        paths, weight = no_paths(lattice, n), _weighed(lattice)[1]
        sample_neighbours(lattice._replace(context=()), lattice.context.neighbourhood, weight, draws, paths)
        return paths

    def count_paths(self, lattice: Lattice, texts: Texts, pairs: Long, states: Int, statistics: Statistics) -> None:
        """Count these alignments of a block, and nothing around them."""
        plain = lattice._replace(context=())
        context = Context(Surroundings(texts, pairs, self.classes), single(plain, states))
        self._count(plain, context, np.ones(pairs.size), statistics)

    def _count(self, lattice: Lattice, context: Context, weight: Double, statistics: Statistics) -> None:
        counts = FertilityCounts(*(statistics[name] for name in FertilityCounts._fields))
        count_alignments(lattice, context.around, context.neighbourhood, weight, counts)

    def zero_statistics(self) -> Statistics:
        """Zero of everything."""
        size = 0 if self.ordered else self.longest + 1
        shapes = {name: getattr(self.parameters, name).shape for name in ("head", "other", "diagonal_distortion")}
        words = self.parameters.fertility.shape[0] - 1
        shapes |= {"fertility": (words, MOST_WORDS + 1), "diagonal_positions": (size, size), "null": (2,)}
        return {name: np.zeros(shape, np.int64) for name, shape in shapes.items()}

    def maximise(self, statistics: Statistics, smoothing: float) -> Self:
        """Relative frequencies, drawn towards those of all words (and of all classes) where little was seen."""
        counted: dict[str, Double] = {name: as_counts(units) for name, units in statistics.items()}
        null = np.maximum(counted["null"], LEAST) + smoothing
        by_word = np.vstack([counted["fertility"], np.zeros(MOST_WORDS + 1)])  # and unknown words
        fertility = shrunk(by_word + smoothing, _overall(by_word), FERTILITY_PRIOR)
        places = self._maximise_places(counted, smoothing)
        share = np.clip(null[1] / null.sum(), LEAST_NULL, MOST_NULL)
        parameters = Parameters(fertility, *places, np.array([1 - share, share]))
        return replace(self, parameters=parameters)

    @abstractmethod
    def _maximise_places(self, counts: Mapping[str, Double], smoothing: float) -> tuple[Double, Double, Double]:
        """``head``, ``other`` and ``diagonal_distortion`` that make the counts likely."""

    def tensors(self) -> dict[str, NDArray[Any]]:
        """Everything that is needed to go on as before."""
        return {
            **self.parameters._asdict(),
            "state_classes": self.classes.states,
            "observed_classes": self.classes.observed,
            **{f"start_{name}": values for name, values in self.jumps._asdict().items()},
            "longest": np.array([self.longest]),
            "pegging": np.array([self.pegging]),
        }

    @classmethod
    def schema(cls) -> Schema | None:
        """What all of that must be like."""
        weights = (between(LEAST_WEIGHT, 1.0 + 1e-9),)
        return {
            "fertility": Array("float64", ("state words + 1", MOST_WORDS + 1), (PROBABILITY,)),
            **cls._places_schema(),
            "null": Array("float64", (2,), (between(LEAST_NULL / 2, 1.0),)),
            "state_classes": Array("int32", ("state words + 1",), (indices("state classes"),)),
            "observed_classes": Array("int32", ("observed words + 1",), (indices("observed classes"),)),
            "start_jump": Array("float64", (BAND + 1,), weights),
            "start_initial": Array("float64", (INITIAL,), weights),
            "start_null": Array("float64", (1,), (between(LEAST_NULL / 2, 1 - LEAST_NULL / 2),)),
            "longest": single_length(),
            "pegging": Array("bool", (1,)),
        }

    @classmethod
    @abstractmethod
    def _places_schema(cls) -> Schema:
        """What ``head``, ``other`` and ``diagonal_distortion`` must be like; names the numbers of classes."""

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Self:
        """The model with these parameters."""
        return cls(
            Parameters(*(tensors[name] for name in Parameters._fields)),
            Classes(tensors["state_classes"], tensors["observed_classes"]),
            JumpWeights(*(tensors[f"start_{name}"] for name in JumpWeights._fields)),
            int(tensors["longest"][0]),
            bool(tensors["pegging"][0]),
        )


def _weighed(lattice: Lattice) -> tuple[Posterior, Double]:
    """The posteriors over the neighbourhoods of a block, and the probabilities of their alignments."""
    posterior, neighbourhood = empty_posterior(lattice), lattice.context.neighbourhood
    weight = np.empty_like(neighbourhood.score)
    weigh(lattice._replace(context=()), neighbourhood, posterior, weight)
    return posterior, weight


def shrunk(counts: Double, towards: Double, strength: float) -> Double:
    """Relative frequencies along the last axis, with ``strength`` counts more that are spread like ``towards``."""
    total = counts.sum(axis=-1, keepdims=True)
    shares = (counts + strength * towards) / (total + strength)
    return np.asarray(np.maximum(shares, LEAST))


def _overall(counts: Double) -> Double:
    """How many words words have, all taken together; nothing is impossible."""
    total = counts.sum(axis=0) + 0.01
    return np.asarray(total / total.sum())


def _place_table(head: Double, other: Double) -> Double:
    """The logarithms of the probabilities of all distances, with those of other words as the last context."""
    if head.size == 0:
        return head
    with np.errstate(divide="ignore"):
        forward_only = np.pad(np.log(other), ((0, 0), (FARTHEST, 0)), constant_values=-np.inf)
        return np.concatenate([np.log(head), forward_only[None]])
