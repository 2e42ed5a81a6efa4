"""Aligners with constraints, and constraints of one's own, for tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from pralign import Aligner, Bitext, sample
from pralign.constraints import (
    Constraint,
    Feature,
    at_least,
)
from pralign.runs.recipe import Recipe
from pralign.runs.resources import Resources
from pralign.runs.trained import TrainedModel
from pralign.settings import Settings
from pralign.text.cutting import ShardSizes
from pralign.text.shard import Shard

MODELS = ["ibm1", "ibm2", "hmm"]
STAGES = {"ibm1": "ibm1=3", "ibm2": "ibm1=3,ibm2=2", "hmm": "ibm1=3,hmm=2"}
FILES = ["manifest.json", "parameters.safetensors", "source.json", "target.json"]
SENTENCES = list(Bitext.read(sample.SOURCE, sample.TARGET))
COUNT = 16
PAIRS = [*SENTENCES[:COUNT], ("", "rien"), ("x", ""), (["Two", "words"], ("Deux", "mots")), ("Anna", "Anna")]
UNSEEN = [("Zorro 7 the unseen", "Zorro l' inconnu 7"), *SENTENCES[30:40], ("wort", "mot"), ("", "")]


@dataclass(frozen=True)
class Same(Constraint):
    """Words that are spelled alike are linked; this one looks at words."""

    share: float = 0.95

    name = "same"

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        alike = [(i, j) for i, s in enumerate(source) for j, t in enumerate(target) if s == t]
        yield from (at_least(self.share, forward=[cell for cell in alike if cell[1] == j]) for j in range(len(target)))
        yield from (at_least(self.share, reverse=[cell for cell in alike if cell[0] == i]) for i in range(len(source)))


@dataclass(frozen=True)
class Listening(Constraint):
    """Asks for nothing, and writes down the words it is shown."""

    heard: list[tuple[list[str], list[str]]] = field(default_factory=list)

    name = "listening"

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        self.heard.append((list(source), list(target)))
        return ()


NAMED = ["bijective", "symmetric", "agreement"]
CONSTRAINED = [*NAMED, Same()]
every_constraint = pytest.mark.parametrize("constraint", CONSTRAINED, ids=[*NAMED, "same"])
every_model = pytest.mark.parametrize("model", MODELS)


def trained(pairs=PAIRS, **settings):
    model = settings.get("model", "hmm")
    return Aligner(**{"iterations": STAGES[model], "threads": 1, **settings}).fit(pairs)


def posteriors(aligner, pairs=PAIRS):
    return [tuple(cells.tobytes() for cells in aligner.posteriors(*pair)) for pair in pairs]


def alignments(model, pairs):
    return [answer.alignment for answer in model.decode_pairs(pairs)]


def with_settings_of(aligner: Aligner, **settings) -> TrainedModel:
    """What an aligner has learned, under settings that it was not trained with."""
    return replace(aligner.model_, recipe=Recipe.of(Settings.resolve(**settings)))


def contents(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


def cut_small(monkeypatch):
    """Real shards and blocks hold many thousands of cells. With so few, even a small corpus has many of them."""
    blocks = Shard.blocks
    monkeypatch.setattr(Shard, "blocks", lambda self, pairs=None, **sizes: blocks(self, pairs, most_cells=200))
    monkeypatch.setattr(Resources, "sizes", lambda self, cells, words, workers: ShardSizes(shard=900, piece=60))
    monkeypatch.setattr(Resources, "chunk", (300, 300))


def weight(forward, reverse):
    """The weight of the forward direction in a mixture whose halves expect equally many links."""
    return float(reverse.sum() / (forward.sum() + reverse.sum()))


def disagreement(forward, reverse):
    share = weight(forward, reverse)
    return float(np.linalg.norm(share * forward - (1 - share) * reverse))
