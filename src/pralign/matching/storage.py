"""Matching aligners on disk: weights, counts, words and, inside, the generative model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from pralign.aligner import Aligner
from pralign.errors import ModelError
from pralign.evaluation.counts import LinkCounts
from pralign.kernels.cooccurrence import DiceTable
from pralign.matching.association import Association
from pralign.matching.boosting import Boosted
from pralign.matching.cells import Context
from pralign.matching.classifier import LinkClassifier
from pralign.matching.extraction import Extractor
from pralign.matching.features import FEATURES
from pralign.matching.scaling import Scaling
from pralign.matching.weights import Learned
from pralign.storage.directory import SavedKind, unmixed
from pralign.text.normalisation import Normalisation
from pralign.training.state import with_prefix

GENERATIVE = "model"
MATCHING = SavedKind("pralign matching model", 3, "matching model", (GENERATIVE,))


def check_matching_target(directory: str | Path) -> None:
    """Fail now, not after learning, if nothing can be saved at ``directory``."""
    MATCHING.check_target(directory)


def save_matching(
    directory: str | Path, extractor: Extractor, learned: Learned | Boosted, settings: Mapping[str, Any]
) -> None:
    """Save what was learned, complete or not at all; what was there before is replaced."""
    association, model = extractor.context.association, extractor.model
    tensors, described = _boosted(learned) if isinstance(learned, Boosted) else _weights(learned)
    tensors |= {f"dice.{name}": array for name, array in association.table._asdict().items()}
    content = {
        "settings": dict(settings),
        "features": [{"name": group.name, "state": group.state()} for group in extractor.features],
        "predictions": extractor.context.predictions,
        "generative": model is not None,
        "learned": described,
    }
    vocabularies = {"source": association.source, "target": association.target}

    def save_model(partial: Path) -> None:
        if model is not None:
            model.save(partial / GENERATIVE)

    MATCHING.save(directory, tensors, vocabularies, content, save_model)


def load_matching(directory: str | Path, threads: int | None) -> tuple[Extractor, Learned | Boosted, dict[str, Any]]:
    """Read what was saved: features with all they need, weights, and settings.

    Raises:
        ModelError: There is nothing, it is damaged, or it was learned with features that are not registered.
    """
    return unmixed(directory, lambda: _load(directory, threads))


def _load(directory: str | Path, threads: int | None) -> tuple[Extractor, Learned | Boosted, dict[str, Any]]:
    tensors, vocabularies, manifest = MATCHING.load(directory)
    missing = [saved["name"] for saved in manifest["features"] if saved["name"] not in FEATURES]
    if missing:
        raise ModelError(
            f"{directory}: learned with features that are not available here: {', '.join(missing)}; import the module "
            "that registers them before loading"
        )
    settings = manifest["settings"]
    table = DiceTable(*(tensors[f"dice.{name}"] for name in DiceTable._fields))
    association = Association(**vocabularies, normalisation=Normalisation(settings["lowercase"]), table=table)
    groups = []
    for saved in manifest["features"]:
        group = FEATURES[saved["name"]]()
        group.restore(saved["state"])
        groups.append(group)
    model = None
    if manifest["generative"]:
        model = Aligner.load(MATCHING.part(directory, manifest, GENERATIVE), threads)
    extractor = Extractor(tuple(groups), Context(association, manifest["predictions"]), model)
    learned = manifest["learned"]
    if "threshold" in learned:
        return extractor, _restored(learned, tensors, extractor, directory), settings
    weights = tensors["weights"]
    _check_columns(directory, extractor, weights.size - 2)
    scaling = Scaling(*(tensors[f"scaling.{name}"] for name in ("mean", "deviation", "varying")))
    learned |= {"counts": LinkCounts(**learned["counts"]), "gap": learned["gap"] and tuple(learned["gap"])}
    return extractor, Learned(weights=weights, scaling=scaling, **learned), settings


def _weights(learned: Learned) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    tensors = {f"scaling.{name}": getattr(learned.scaling, name) for name in ("mean", "deviation", "varying")}
    described = {name: getattr(learned, name) for name in ("capacity", "rounds", "shift", "pairs", "gap")}
    return {"weights": learned.weights, **tensors}, {**described, "counts": asdict(learned.counts)}


def _boosted(learned: Boosted) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    tensors = {f"classifier.{name}": array for name, array in learned.classifier.tensors().items()}
    alone = None if learned.alone is None else asdict(learned.alone)
    described = {"threshold": learned.threshold, "pairs": learned.pairs, "counts": asdict(learned.counts)}
    return tensors, {**described, "alone": alone}


def _restored(
    learned: Mapping[str, Any], tensors: Mapping[str, NDArray[Any]], extractor: Extractor, directory: str | Path
) -> Boosted:
    classifier = LinkClassifier.from_tensors(with_prefix(tensors, "classifier."))
    _check_columns(directory, extractor, classifier.mean.size)
    alone = None if learned["alone"] is None else LinkCounts(**learned["alone"])
    counts = LinkCounts(**learned["counts"])
    return Boosted(classifier, learned["threshold"], learned["pairs"], counts, alone)


def _check_columns(directory: str | Path, extractor: Extractor, learned: int) -> None:
    if learned != len(extractor.columns):
        raise ModelError(
            f"{directory}: its features have {len(extractor.columns)} columns, but had {learned} when the weights were "
            "learned"
        )
