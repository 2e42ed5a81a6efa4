"""Small saved models of each kind, in memory and on disk: what the fuzz target for models changes at random."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from pralign import Aligner, MatchingAligner
from pralign.links.alignment import Alignment
from pralign.matching.storage import MATCHING
from pralign.storage.directory import MANIFEST, TENSORS, WORDS
from pralign.store.tensors import read_tensors, write_tensors

PAIRS = [
    ("the house is red", "la maison est rouge"),
    ("the cat sleeps", "le chat dort"),
    ("a red cat in the house", "un chat rouge dans la maison"),
    ("the houses are small", "les maisons sont petites"),
    ("waiting for paris", "en attendant paris"),
    ("the cat waits", "le chat attend"),
    ("paris , the city of the king", "paris , la ville du roi"),
    ("a small city", "une petite ville"),
    ("the king waited and waited and waited", "le roi attendait"),
    ("the cat sleeps", "le chat dort"),
    ("1789", "1789"),
    ("the dog and the cat and the king and the house", "le chien et le chat et le roi et la maison"),
]
# Trained on, new, with unknown words, with one word, with an empty side.
ASKED = [
    PAIRS[0],
    PAIRS[11],
    ("the red house sleeps", "la maison rouge dort"),
    ("waiters of berlin 1789", "berlin 1789 attendants de"),
    ("house", "maison"),
    ("zzz", "yyy xxx"),
    ("", "rien"),
    ("a b c d e f g h i j k l m n the cat", "le chat a b c d e f"),
]
LABELLED = [(*PAIRS[k], Alignment.of([(i, i) for i in range(3)])) for k in (0, 1, 3, 5)]
PREDICTIONS = [Alignment.of([(0, 0)]) if source and target else Alignment() for source, target in ASKED]


def _trained(compact: bool = False, **settings: Any) -> Callable[[Path], None]:
    def make(place: Path) -> None:
        if settings.pop("with_forms", False):
            forms = place.with_suffix(".forms")
            forms.write_text("waits\twait\nattend\tattendre\n", encoding="utf-8")
            settings["forms"] = [forms]
        Aligner(**settings, threads=1).fit(PAIRS).save(place, compact)

    return make


def _matching(predicted: bool = False, **settings: Any) -> Callable[[Path], None]:
    def make(place: Path) -> None:
        model = Aligner(preset="fast", threads=1).fit(PAIRS)
        predictions = [[Alignment.of([(0, 0)])] * len(LABELLED)] if predicted else []
        aligner = MatchingAligner(**settings, model=model, threads=1)
        aligner.fit(PAIRS, labelled=LABELLED, predictions=predictions).save(place)

    return make


_EVERYTHING = ["dice", "distance", "shape", "frequency", "neighbours", "posteriors", "common", "predictions"]

#: How a model of each kind is made. Those whose names begin alike are of one kind.
KINDS: dict[str, Callable[[Path], None]] = {
    "ibm1": _trained(model="ibm1"),
    "ibm1-vb": _trained(model="ibm1", estimator="vb", lookalikes=2.0),
    "ibm1-collapsed": _trained(model="ibm1", estimator="collapsed", relatives=3.0),
    "ibm2": _trained(model="ibm2", smoothing=0.1),
    "ibm2-collapsed": _trained(model="ibm2", estimator="collapsed"),
    "hmm": _trained(model="hmm"),
    "hmm-vb": _trained(model="hmm", estimator="vb", decode="viterbi"),
    "hmm-collapsed": _trained(model="hmm", estimator="collapsed", constraint="bijective"),
    "fhmm": _trained(),
    "fhmm-compact": _trained(compact=True),
    "fhmm-forms": _trained(with_forms=True, preset="fast"),
    "fhmm-best": _trained(preset="best"),
    "fhmm-em": _trained(model="fhmm", threshold="auto"),
    "ibm3": _trained(model="ibm3"),
    "ibm3-collapsed": _trained(model="ibm3", estimator="collapsed", pegging=True),
    "ibm4": _trained(model="ibm4", classes=3),
    "ibm4-collapsed": _trained(model="ibm4", classes=4, estimator="collapsed", decode="itg"),
    "matching-boosting": _matching(),
    "matching-extragradient": _matching(learner="extragradient", rounds=5, features=_EVERYTHING, predicted=True),
    "matching-perceptron": _matching(learner="perceptron", rounds=5, features=_EVERYTHING, predicted=True),
    "matching-plain": _matching(learner="extragradient", rounds=5, features=["dice", "distance", "common"]),
}


@dataclass
class Saved:
    """What a saved directory holds, to be changed.

    Attributes:
        tensors: The arrays by name.
        words: The content of the files of words, by side.
        manifest: The manifest, without what is worked out from the files.
        inner: The generative model of a matching model.
    """

    tensors: dict[str, np.ndarray]
    words: dict[str, Any]
    manifest: dict[str, Any]
    inner: Saved | None = None

    @classmethod
    def read(cls, place: Path) -> Saved:
        """What is saved at a place."""
        manifest = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
        del manifest["checksum"], manifest["files"]
        manifest.pop("parts", None)
        words = {side: json.loads((place / name).read_text(encoding="utf-8")) for side, name in WORDS.items()}
        inner = cls.read(place / "model") if (place / "model").is_dir() else None
        return cls(read_tensors(place / TENSORS), words, manifest, inner)

    def copy(self) -> Saved:
        """Another one, which can be changed alone."""
        return deepcopy(self)

    def write(self, place: Path) -> None:
        """Put it into a new directory, with checksums as saving makes them."""
        place.mkdir()
        write_tensors(place / TENSORS, self.tensors)
        for side, name in WORDS.items():
            (place / name).write_bytes(json.dumps(self.words[side]).encode())
        worked_out: dict[str, Any] = {"files": {name: _described(place / name) for name in (TENSORS, *WORDS.values())}}
        if self.inner is not None:
            self.inner.write(place / "model")
            inside = json.loads((place / "model" / MANIFEST).read_text(encoding="utf-8"))
            worked_out["parts"] = {"model": inside["checksum"]}
        elif self.manifest.get("format") == MATCHING.format:
            worked_out["parts"] = {}
        manifest = json.loads(json.dumps({**worked_out, **self.manifest}))
        checksum = hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()
        (place / MANIFEST).write_text(json.dumps({**manifest, "checksum": checksum}), encoding="utf-8")


def _described(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


@cache
def untouched(kind: str) -> Saved:
    """A model of a kind as it was saved."""
    with TemporaryDirectory() as scratch:
        KINDS[kind](Path(scratch) / "model")
        return Saved.read(Path(scratch) / "model")
