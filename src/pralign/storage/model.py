"""Trained models on disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from pralign.errors import ModelError
from pralign.kernels.arrays import PairTable
from pralign.models import MODELS, get_model
from pralign.models.base import DirectionalModel
from pralign.models.lexicon import Lexicon, WordTables
from pralign.models.relatives import BaseMeasure
from pralign.models.training_pairs import TrainingPairs
from pralign.storage.directory import SavedKind, Tensors
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
    """Read a saved model.

    Raises:
        ModelError: There is no model, it is damaged, or it was written in another format version.
    """
    tensors, vocabularies, manifest = MODEL.load(directory)
    if manifest["model"] not in MODELS:
        raise ModelError(
            f"{directory}: this is a model called {manifest['model']!r}, which is not known here; register it first "
            f"(there are {', '.join(MODELS)})"
        )
    kind = get_model(manifest["model"])
    lexicon = with_prefix(tensors, "lexicon.")
    pairs = with_prefix(tensors, "training_pairs.")
    return SavedModel(
        vocabularies["source"],
        vocabularies["target"],
        Lexicon(
            PairTable(lexicon["row_start"], lexicon["source"]),
            lexicon["probability"],
            WordTables.from_arrays(with_prefix(tensors, "words.")),
        ),
        kind.from_tensors(with_prefix(tensors, "forward.")),
        kind.from_tensors(with_prefix(tensors, "reverse.")),
        BaseMeasure.from_tensors(
            with_prefix(tensors, "base."),
            manifest["settings"]["lookalikes"],
            manifest["settings"]["relatives"],
            (vocabularies["source"], vocabularies["target"]),
        ),
        TrainingPairs.from_tensors(pairs) if pairs else None,
        manifest["settings"],
        tuple(map(Iteration.from_dict, manifest["history"])),
    )


def read_manifest(directory: str | Path) -> dict[str, Any]:
    """The description of a saved model, checked for its format and integrity."""
    return MODEL.read_manifest(directory)


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


def lexicon_tensors(lexicon: Lexicon) -> dict[str, NDArray[Any]]:
    """The tensors of a lexicon except for its words."""
    return {**lexicon.table._asdict(), "probability": lexicon.probability}
