"""Training as a state: where it is, what it has learned, and what it needs to go on."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.own_counts import OwnCounts
from pralign.models import get_model
from pralign.models.base import DirectionalModel
from pralign.models.bidirectional import BidirectionalModel
from pralign.models.lexicon import Expect, ShardLexicon, WordTables
from pralign.store import Store
from pralign.text.shard import Shard
from pralign.training.history import Iteration
from pralign.training.schedule import Schedule


@dataclass(frozen=True)
class TrainingState:
    """What training has come to after a whole number of iterations. Never changes; training makes new ones.

    Attributes:
        step: How many iterations were made in all, of any model.
        stage: The place of the present model in the schedule.
        iteration: How many iterations of it were made.
        words: What is known of single words.
        forward: The forward model.
        reverse: The reverse model.
        parameters: The step whose parameters are those of the shards; before the first there are none.
        own: The step whose own counts are behind the parameters, if any are to be left out.
        best: The largest area on labelled pairs so far.
        finished: Whether training is at its end.
        history: What each iteration has found.
    """

    step: int
    stage: int
    iteration: int
    words: WordTables
    forward: DirectionalModel
    reverse: DirectionalModel
    parameters: int | None = None
    own: int | None = None
    best: float | None = None
    finished: bool = False
    history: tuple[Iteration, ...] = ()

    @property
    def models(self) -> tuple[DirectionalModel, DirectionalModel]:
        """Both directions."""
        return self.forward, self.reverse

    @property
    def made(self) -> Schedule:
        """The iterations that have made the model."""
        stages: dict[int, tuple[str, int]] = {}
        stage = -1
        for record in self.history:
            stage += record.iteration == 1
            if record.kept:
                stages[stage] = (record.model, record.iteration)
        return tuple(stages.values())

    def model_of(
        self, store: Store, shard: Shard, name: str, pieces: int, expect: Expect | None = None
    ) -> BidirectionalModel:
        """The model with the parameters of a shard; ``expect`` says what of pairs that were not trained on."""
        forward = self.forward.for_words(shard.source_words, shard.target_words)
        reverse = self.reverse.for_words(shard.target_words, shard.source_words)
        if self.parameters is None:
            return BidirectionalModel(ShardLexicon.uniform(shard, self.words), forward, reverse)
        probability = np.full((shard.table.source.size, 2), -1.0, np.float32)  # pairs of unknown words are in no piece
        begin = 0
        for piece in range(pieces):
            part = store.load(f"parameters/{self.parameters}/{piece}", [name])[name]
            probability[begin : begin + part.shape[0]] = part
            begin += part.shape[0]
        return BidirectionalModel(ShardLexicon.of(shard, probability, self.words, expect), forward, reverse)

    def own_counts(self, store: Store, shard: str) -> OwnCounts | None:
        """What the pairs of a shard have added to the counts behind the parameters, if it is to be left out."""
        if self.own is None:
            return None
        arrays = store.load(f"own/{self.own}/{shard}")
        return OwnCounts(*(arrays[name] for name in OwnCounts._fields))

    def save(self, store: Store, name: str | None = None) -> StoredState:
        """Put it into a store, by its step if under no other name."""
        name = f"state/{self.step}" if name is None else name
        store.save(name, self.to_arrays())
        return StoredState(store, name, type(self.forward))

    def saved(self, store: Store) -> StoredState:
        """Where :meth:`save` has put it."""
        return StoredState(store, f"state/{self.step}", type(self.forward))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """All of it, to be stored."""
        described = {
            "step": self.step,
            "stage": self.stage,
            "iteration": self.iteration,
            "parameters": self.parameters,
            "own": self.own,
            "best": self.best,
            "finished": self.finished,
            "model": self.forward.name,
            "history": [record.as_dict() for record in self.history],
        }
        return {
            "description": np.frombuffer(json.dumps(described).encode(), np.uint8),
            **{f"words.{name}": array for name, array in self.words.to_arrays().items()},
            **{f"forward.{name}": array for name, array in self.forward.tensors().items()},
            **{f"reverse.{name}": array for name, array in self.reverse.tensors().items()},
        }

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, NDArray[Any]], kind: type[DirectionalModel] | None = None
    ) -> TrainingState:
        """What was stored; its model is of a ``kind``, or of the one that is named there."""
        described = json.loads(arrays["description"].tobytes())
        name = described.pop("model")
        kind = get_model(name) if kind is None else kind
        described["history"] = tuple(map(Iteration.from_dict, described["history"]))
        return cls(
            words=WordTables.from_arrays(with_prefix(arrays, "words.")),
            forward=kind.from_tensors(with_prefix(arrays, "forward.")),
            reverse=kind.from_tensors(with_prefix(arrays, "reverse.")),
            **described,
        )


@dataclass(frozen=True)
class StoredState:
    """Where a state lies, for tasks that may be done elsewhere; the class of its models need not be known there."""

    store: Store
    name: str
    kind: type[DirectionalModel]

    def load(self) -> TrainingState:
        """The state."""
        return TrainingState.from_arrays(self.store.load(self.name), self.kind)


def step_of(name: str) -> int | None:
    """The step that a group of a store belongs to, by its name; nothing for names that are not of this program.

    Example:
        >>> step_of("state/12"), step_of("counts/3/shard-0"), step_of("state/latest")
        (12, 3, None)
    """
    step = name.split("/")[1] if "/" in name else ""
    return int(step) if re.fullmatch("[0-9]{1,9}", step) else None


def with_prefix(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin with ``prefix``, without it."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
