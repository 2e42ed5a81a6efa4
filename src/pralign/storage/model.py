"""Trained models on disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from pralign.errors import ModelError
from pralign.models import MODELS, get_model
from pralign.models.base import DirectionalModel
from pralign.models.lexicon import Lexicon, WordTables
from pralign.models.relatives import BaseMeasure
from pralign.models.training_pairs import TrainingPairs
from pralign.schema import SchemaError
from pralign.schema.arrays import check_arrays
from pralign.schema.values import check_fields
from pralign.settings import saved_kinds
from pralign.storage.checks import arrays_under, check_group, reading, undeclared
from pralign.storage.directory import MANIFEST, TENSORS, SavedKind, Tensors
from pralign.text.vocabulary import Vocabulary
from pralign.training.history import Iteration
from pralign.training.state import with_prefix

MODEL = SavedKind("pralign model", 5)


@dataclass(frozen=True)
class SavedModel:
    """What a model directory holds.

    Attributes:
        source: The source vocabulary.
        target: The target vocabulary.
        lexicon: The translation probabilities.
        forward: The forward model.
        reverse: The reverse model.
        base: What to expect of words that were never seen together.
        training_pairs: What the pairs that were trained on have added to the counts, if that was kept.
        settings: Whatever else aligning needs, in words and numbers.
        history: How training went.
    """

    source: Vocabulary
    target: Vocabulary
    lexicon: Lexicon
    forward: DirectionalModel
    reverse: DirectionalModel
    base: BaseMeasure
    training_pairs: TrainingPairs | None
    settings: dict[str, Any]
    history: tuple[Iteration, ...]


def check_save_target(directory: str | Path) -> None:
    """Fail now, not after training, if a model cannot be saved at ``directory``.

    Raises:
        OutputError: The place is taken by something that is not a model, or cannot be written to.
    """
    MODEL.check_target(directory)


def save_model(
    directory: str | Path,
    tensors: Tensors,
    vocabularies: tuple[Vocabulary, Vocabulary],
    name: str,
    settings: Mapping[str, Any],
    history: Iterable[Iteration] = (),
) -> None:
    """Save everything needed to align other text with the same bits as the run that trained the model.

    The directory appears only when it is complete; a model that was there before is replaced.

    Args:
        directory: Where to save.
        tensors: The parameters, as :func:`model_tensors` names them.
        vocabularies: The words of both sides.
        name: The name of the model.
        settings: Whatever else aligning needs, in words and numbers.
        history: How training went, which aligning does not need.
    """
    content = {"model": name, "settings": dict(settings), "history": [record.as_dict() for record in history]}
    MODEL.save(directory, tensors, dict(zip(("source", "target"), vocabularies, strict=True)), content)


def load_model(directory: str | Path) -> SavedModel:
    """Read a saved model, and check all of it before anything is made of it.

    Raises:
        ModelError: There is no model, it is damaged or not as it must be, or it was written in another format version.
    """
    tensors, vocabularies, manifest = MODEL.load(directory)
    kind, history = _described(directory, manifest)
    words, settings = (vocabularies["source"], vocabularies["target"]), manifest["settings"]
    groups = {prefix: with_prefix(tensors, f"{prefix}.") for prefix in _GROUPS}
    with reading(directory, TENSORS):
        unknown = [name for name in tensors if name.partition(".")[0] not in _GROUPS]
        check_arrays({name: tensors[name] for name in unknown}, {}, {})
        sizes = {"source words": len(words[0]), "target words": len(words[1])}
        check_group(groups["words"], "words.", WordTables.schema(), sizes)
        check_group(groups["lexicon"], "lexicon.", Lexicon.schema(), sizes)
        if groups["training_pairs"]:
            check_group(groups["training_pairs"], "training_pairs.", TrainingPairs.schema(), sizes)
        with arrays_under("base."):
            base = BaseMeasure.from_tensors(groups["base"], settings["lookalikes"], settings["relatives"], words)
        forward = _directional(kind, groups["forward"], "forward.", words)
        reverse = _directional(kind, groups["reverse"], "reverse.", words[::-1])
    pairs = groups["training_pairs"]
    return SavedModel(
        *words,
        Lexicon.from_tensors(groups["lexicon"], WordTables.from_arrays(groups["words"])),
        forward,
        reverse,
        base,
        TrainingPairs.from_tensors(pairs) if pairs else None,
        settings,
        history,
    )


_GROUPS = ("lexicon", "words", "forward", "reverse", "base", "training_pairs")


def _directional(
    kind: type[DirectionalModel], tensors: Mapping[str, NDArray[Any]], prefix: str, words: tuple[Vocabulary, Vocabulary]
) -> DirectionalModel:
    """A directional model, made of arrays that are as it declares them."""
    sizes = {"state words": len(words[0]), "observed words": len(words[1])}
    check_group(tensors, prefix, kind.schema(), sizes)
    with undeclared(f"the {prefix.removesuffix('.')} model"):
        return kind.from_tensors(tensors)


def read_manifest(directory: str | Path) -> dict[str, Any]:
    """The description of a saved model, checked for its format and integrity, and for what it says.

    Raises:
        ModelError: There is no model, or its description is not as it must be.
    """
    manifest = MODEL.read_manifest(directory)
    _described(directory, manifest)
    return manifest


def _described(
    directory: str | Path, manifest: Mapping[str, Any]
) -> tuple[type[DirectionalModel], tuple[Iteration, ...]]:
    """The kind of a model and how it was trained, if all that its manifest says is as it must be."""
    with reading(directory, MANIFEST):
        check_fields(manifest, _MANIFEST, "the manifest")
        kinds = saved_kinds()
        if not isinstance(manifest["settings"], dict) or "own_constraint" not in manifest["settings"]:
            del kinds["own_constraint"]
        check_fields(manifest["settings"], kinds, "settings")
        history = tuple(map(Iteration.from_dict, manifest["history"]))
        name = manifest["model"]
        last = next((record.model for record in reversed(history) if record.kept), name)
        if {name} != {manifest["settings"]["model"], last}:
            raise SchemaError(f"model is {name!r}, but settings or history are of another model")
    if name not in MODELS:
        raise ModelError(
            f"{directory}: this is a model called {name!r}, which is not known here; register it first "
            f"(there are {', '.join(MODELS)})"
        )
    return get_model(name), history


_MANIFEST = {
    "format": str,
    "format_version": int,
    "pralign_version": str,
    "model": str,
    "settings": Any,
    "history": list[Any],
    "files": Any,
}


def model_tensors(
    lexicon: Tensors,
    words: WordTables,
    forward: DirectionalModel,
    reverse: DirectionalModel,
    base: Tensors,
    training_pairs: Tensors,
) -> Tensors:
    """The tensors of a model: those of the lexicon and of the training pairs may be streams."""
    parts: dict[str, Mapping[str, Any]] = {
        "lexicon": lexicon,
        "words": words.to_arrays(),
        "forward": forward.tensors(),
        "reverse": reverse.tensors(),
        "base": base,
        "training_pairs": training_pairs,
    }
    return {f"{part}.{name}": array for part, arrays in parts.items() for name, array in arrays.items()}
