"""Models that were trained apart, made into one: what their texts have counted is added up.

The result is what one more M-step would make of all counts, so priors count once, words of all models are known, and
the relatives of a word may come from any text. Each text was only ever looked at with what its own model knew, which is
what merging costs in quality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from pralign.decoding.decoder import Thresholds
from pralign.decoding.threshold import ThresholdRule
from pralign.engine import Engine
from pralign.errors import UsageError
from pralign.runs.recipe import Recipe
from pralign.runs.resources import Resources
from pralign.runs.run import TrainingRun
from pralign.runs.trained import TrainedModel
from pralign.settings import setting_fields
from pralign.storage import read_manifest
from pralign.text.bitext import Pair
from pralign.training.schedule import parse_schedule

# A preset is what its settings are; the others may differ, since counts are counts. Forms are compared word by word.
_MAY_DIFFER = {"preset", "iterations", "prior", "threshold", "forms"}

Settings = Mapping[str, Any]


def merge_models(directories: Sequence[str | Path], engine: Engine, resources: Resources | None = None) -> TrainedModel:
    """One model of several saved ones; in which order they are named makes no difference.

    Pairs that they were trained on are still known, if the models have kept them; one that several were trained on is
    known by what it has added to one of them. A threshold that depends on text is set anew on these pairs or, without
    them, is the mean of those of the models, as are thresholds that differ; a model counts as often as it has links.
    Of a merged model there is no history.

    Args:
        directories: Where the models are saved.
        engine: Where work is done.
        resources: What may be used.

    Raises:
        ModelError: One of them is no usable model.
        UsageError: There are none, one is there twice, or they were trained in ways that do not go together.
    """
    if resources is not None and resources.checkpoint is not None:
        raise UsageError("merging takes little time and keeps no checkpoint; leave it out")
    if not isinstance(directories, Sequence) or isinstance(directories, str):
        raise UsageError(f"give a list of directories of saved models, not {directories!r}")
    places = _ordered([Path(directory) for directory in directories])
    manifests = [read_manifest(place) for place in places]
    settings = [manifest["settings"] for manifest in manifests]
    _check_agreement(places, settings)
    links: list[float] = []
    run = TrainingRun(
        _recipe(settings),
        None,
        engine,
        resources or Resources(),
        earlier=_opened(places, engine, links),
    )
    merged = run.trained_model()
    run.close()
    merged = replace(merged, schedule=merged.recipe.schedule())
    return _with_threshold(merged, settings, links)


def _ordered(directories: Sequence[Path]) -> list[Path]:
    """Models in an order that their content decides."""
    if not directories:
        raise UsageError("there is nothing to merge; name the directories of saved models")
    found: dict[tuple[str, ...], Path] = {}
    for directory in directories:
        files = read_manifest(directory)["files"]
        content = tuple(files[name]["sha256"] for name in sorted(files))
        if content in found:
            raise UsageError(
                f"{directory} is the same model as {found[content]}; its text would count twice, so name it once"
            )
        found[content] = directory
    return [found[content] for content in sorted(found)]


def _check_agreement(places: Sequence[Path], settings: Sequence[Settings]) -> None:
    """Complain of models that were not trained alike."""
    names = [each.name for each in setting_fields() if each.name not in _MAY_DIFFER]
    for place, others in zip(places[1:], settings[1:], strict=True):
        unlike = [name for name in names if settings[0].get(name) != others.get(name)]
        if unlike:
            told = ", ".join(f"{name} ({settings[0].get(name)} and {others.get(name)})" for name in unlike)
            raise UsageError(
                f"{places[0]} and {place} differ in {told}; only models that were trained alike can be merged"
            )
    priors: dict[str, Path] = {}
    for place, each in zip(places, settings, strict=True):
        for prior in each["prior"]:
            if prior in priors:
                raise UsageError(
                    f"{priors[prior]} and {place} were both trained with the prior {prior}, which would count twice; "
                    "give it to one of them only"
                )
            priors[prior] = place


def _recipe(settings: Sequence[Settings]) -> Recipe:
    """The settings that models have in common, and what follows from those that differ."""
    stages = max((each["iterations"] for each in settings), key=lambda text: (_made(text), text))
    presets = {each["preset"] for each in settings}
    recipe, _ = Recipe.from_saved(
        {
            **settings[0],
            "preset": presets.pop() if len(presets) == 1 else None,
            "iterations": stages,
            "prior": (),
            "forms": (),
            "given": sorted(set.intersection(*(set(each["given"]) for each in settings)) - {"prior", "forms"}),
        }
    )
    return recipe


def _made(stages: str) -> int:
    return sum(number for _, number in parse_schedule(stages))


def _opened(places: Sequence[Path], engine: Engine, links: list[float]) -> Iterator[TrainedModel]:
    """The models, one at a time; ``links`` are filled in with how many each has."""
    for place in places:
        model = TrainedModel.load(place, engine)
        normalizers = model.lexicon.words.normalizers
        links.append(float(normalizers.source.sum() + normalizers.target.sum()))
        yield model


def _with_threshold(model: TrainedModel, settings: Sequence[Settings], links: Sequence[float]) -> TrainedModel:
    recorded = model.recipe.learned(
        prior=sorted(set(chain.from_iterable(each["prior"] for each in settings))),
        forms=next((each["forms"] for each in settings if each["forms"]), []),
    )
    model = replace(model, recipe=recorded)
    thresholds = [each["thresholds"] for each in settings]
    mean = None
    if None not in thresholds:
        mean = Thresholds(*np.average(np.array(thresholds), axis=0, weights=links).tolist())
    if len({str(each["threshold"]) for each in settings}) > 1 and mean is not None:
        return model.with_threshold(mean.mean)
    rule = model.recipe.threshold_rule
    if rule is None:
        return model
    if model.training_pairs is None:
        return replace(model, thresholds=mean)
    return model.adapted(_some_pairs(model, rule))


def _some_pairs(model: TrainedModel, rule: ThresholdRule) -> Iterator[Pair]:
    """Some of the pairs that a model was trained on, spread evenly."""
    assert model.training_pairs is not None
    texts = model.training_pairs.texts
    size = texts.source_start.size - 1
    for pair in range(0, size, max(-(-size // rule.sample), 1)):
        source, target = (
            tokens[start[pair] : start[pair + 1]].astype(np.int64)
            for tokens, start in ((texts.source, texts.source_start), (texts.target, texts.target_start))
        )
        yield model.source.spelled(source), model.target.spelled(target)
