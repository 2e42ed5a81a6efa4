"""Matching aligners on disk: weights, counts, words and, inside, the generative model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from numpy.typing import NDArray

from pralign.aligner import Aligner
from pralign.errors import ModelError
from pralign.kernels.cooccurrence import DiceTable
from pralign.matching.association import Association
from pralign.matching.boosting import Boosted
from pralign.matching.cells import Context
from pralign.matching.classifier import LinkClassifier
from pralign.matching.extraction import Extractor
from pralign.matching.features import FEATURES, Group
from pralign.matching.scaling import Scaling
from pralign.matching.weights import Learned
from pralign.schema import SchemaError
from pralign.schema.arrays import check_arrays
from pralign.schema.values import Bounds, check_fields, kinds_of
from pralign.storage.checks import check_group, reading
from pralign.storage.directory import MANIFEST, TENSORS, SavedKind, unmixed
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
    tensors |= {f"dice.{name}": array for name, array in association.tensors().items()}
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


def load_matching(
    directory: str | Path, threads: int | None, settings_kinds: Mapping[str, Any]
) -> tuple[Extractor, Learned | Boosted, dict[str, Any]]:
    """Read what was saved: features with all they need, weights, and settings. All of it is checked before.

    Args:
        directory: Where it is saved.
        threads: How many threads the generative model may use.
        settings_kinds: The kinds of the settings, by name.

    Raises:
        ModelError: There is nothing, it is damaged or not as it must be, or it was learned with features that are not
            registered.
    """
    return unmixed(directory, lambda: _load(directory, threads, settings_kinds))


def _load(
    directory: str | Path, threads: int | None, settings_kinds: Mapping[str, Any]
) -> tuple[Extractor, Learned | Boosted, dict[str, Any]]:
    tensors, vocabularies, manifest = MATCHING.load(directory)
    with reading(directory, MANIFEST, MATCHING.noun):
        check_fields(manifest, _MANIFEST, "the manifest")
        settings = check_fields(manifest["settings"], settings_kinds, "settings")
        features = [check_fields(each, {"name": str, "state": Any}, "a feature") for each in manifest["features"]]
        described = _described(manifest["learned"], settings, manifest["generative"])
    groups = _groups(directory, [feature["name"] for feature in features])
    sizes = {f"{side} words": len(vocabulary) for side, vocabulary in vocabularies.items()}
    dice = with_prefix(tensors, "dice.")
    with reading(directory, TENSORS, MATCHING.noun):
        check_group(dice, "dice.", Association.schema(), sizes)
    normalisation = Normalisation(settings["lowercase"])
    association = Association(**vocabularies, normalisation=normalisation, table=DiceTable(**dice))
    context = Context(association, manifest["predictions"])
    with reading(directory, MANIFEST, MATCHING.noun):
        for group, feature in zip(groups, features, strict=True):
            group.restore(feature["state"], context)
        _check_needs(groups, context.predictions, manifest["generative"])
        if manifest["generative"] != (GENERATIVE in manifest["parts"]):
            raise SchemaError("generative says whether there is a model inside, which is not so")
    model = Aligner.load(manifest["parts"][GENERATIVE], threads) if manifest["generative"] else None
    extractor = Extractor(groups, context, model)
    others = {name: array for name, array in tensors.items() if not name.startswith("dice.")}
    with reading(directory, TENSORS, MATCHING.noun):
        return extractor, _restored(described, others, extractor), settings


_MANIFEST = {
    "format": str,
    "format_version": int,
    "pralign_version": str,
    "settings": Any,
    "features": list[Any],
    "predictions": Annotated[int, Bounds(0, 1000)],
    "generative": bool,
    "learned": Any,
    "files": Any,
    "parts": Any,
}
_LEARNED = ("capacity", "rounds", "shift", "pairs", "counts", "gap")
_BOOSTED = ("threshold", "pairs", "counts", "alone")


def _described(learned: Any, settings: Mapping[str, Any], generative: bool) -> dict[str, Any]:
    """What the manifest says of what was learned, if that can be."""
    boosted = settings["learner"] == "boosting"
    kinds = kinds_of(Boosted, _BOOSTED) if boosted else kinds_of(Learned, _LEARNED)
    described = check_fields(learned, kinds, "learned")
    if not all(each.possible_to_have for name in ("counts", "alone") if (each := described.get(name))):
        raise SchemaError("learned: there are counts of links that no alignment can have")
    if boosted and (described["alone"] is not None) != generative:
        raise SchemaError("learned: the model alone is judged if there is one, and only then")
    return described


def _groups(directory: str | Path, names: Sequence[str]) -> tuple[Group, ...]:
    """The groups of features with these names."""
    missing = [name for name in names if name not in FEATURES]
    if missing:
        raise ModelError(
            f"{directory}: learned with features that are not available here: {', '.join(missing)}; import the module "
            "that registers them before loading"
        )
    return tuple(FEATURES[name]() for name in names)


def _check_needs(groups: Sequence[Group], predictions: int, generative: bool) -> None:
    """What features need is there, and nothing that none of them needs."""
    if any(group.needs_predictions for group in groups) != (predictions > 0):
        raise SchemaError(f"predictions is {predictions}, which does not go with the features")
    if any(group.needs_posteriors for group in groups) != generative:
        raise SchemaError("generative says whether a feature needs posteriors, which is not so")


def _restored(
    described: Mapping[str, Any], tensors: Mapping[str, NDArray[Any]], extractor: Extractor
) -> Learned | Boosted:
    """What was learned, from arrays that go with the features."""
    sizes = {"columns": len(extractor.columns), "numbers": extractor.number_count}
    of_columns = tensors.get("weights", tensors.get("classifier.weights"))
    more = 2 if "weights" in tensors else 1
    if of_columns is not None and of_columns.size - more != sizes["columns"]:
        raise SchemaError(
            f"its features have {sizes['columns']} columns, but had {of_columns.size - more} when they were learned"
        )
    if "threshold" in described:
        _check_prefixes(tensors, ("classifier.",))
        own = with_prefix(tensors, "classifier.")
        check_group(own, "classifier.", LinkClassifier.schema(), sizes)
        return Boosted(classifier=LinkClassifier.from_tensors(own), **described)
    _check_prefixes(tensors, ("scaling.", "weights"))
    scaling = with_prefix(tensors, "scaling.")
    check_group(scaling, "scaling.", Scaling.schema(), sizes)
    weights = {name: array for name, array in tensors.items() if not name.startswith("scaling.")}
    check_group(weights, "", Learned.schema(), sizes)
    learned = Learned(weights=weights["weights"], scaling=Scaling(**scaling), **described)
    learned.check()
    return learned


def _check_prefixes(tensors: Mapping[str, NDArray[Any]], known: tuple[str, ...]) -> None:
    check_arrays({name: array for name, array in tensors.items() if not name.startswith(known)}, {}, {})


def _weights(learned: Learned) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    tensors = {f"scaling.{name}": getattr(learned.scaling, name) for name in ("mean", "deviation", "varying")}
    described = {name: getattr(learned, name) for name in ("capacity", "rounds", "shift", "pairs", "gap")}
    return {"weights": learned.weights, **tensors}, {**described, "counts": asdict(learned.counts)}


def _boosted(learned: Boosted) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    tensors = {f"classifier.{name}": array for name, array in learned.classifier.tensors().items()}
    alone = None if learned.alone is None else asdict(learned.alone)
    described = {"threshold": learned.threshold, "pairs": learned.pairs, "counts": asdict(learned.counts)}
    return tensors, {**described, "alone": alone}
