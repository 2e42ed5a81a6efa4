"""Trained aligners on disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from pralign.kernels.arrays import Masses, PairTable, TranslationTable
from pralign.models import get_model
from pralign.models.bidirectional import BidirectionalModel
from pralign.models.lexicon import Lexicon
from pralign.models.memory import Memory
from pralign.storage.directory import SavedKind
from pralign.text.vocabulary import Vocabulary
from pralign.training.history import Iteration

MODEL = SavedKind("pralign model", 2)


def check_save_target(directory: str | Path) -> None:
    """Fail now, not after training, if a model cannot be saved at ``directory``.

    Raises:
        OutputError: The place is taken by something that is not a model, or cannot be written to.
    """
    MODEL.check_target(directory)


def save_model(
    directory: str | Path,
    model: BidirectionalModel,
    vocabularies: Mapping[str, Vocabulary],
    settings: Mapping[str, Any],
    history: Iterable[Iteration] = (),
) -> None:
    """Save everything needed to align other text with the same bits as the run that trained the model.

    The directory appears only when it is complete; a model that was there before is replaced.

    Args:
        directory: Where to save.
        model: The trained model.
        vocabularies: The words of both sides.
        settings: Whatever else aligning needs, in words and numbers.
        history: How training went, which aligning does not need.
    """
    records = [iteration.as_dict() for iteration in history]
    content = {"model": model.name, "settings": dict(settings), "history": records}
    MODEL.save(directory, _tensors(model), vocabularies, content)


def load_model(directory: str | Path) -> tuple[BidirectionalModel, dict[str, Vocabulary], dict[str, Any]]:
    """Read a saved model: the model, its vocabularies by side, and the settings saved with it.

    Raises:
        ModelError: There is no model, it is damaged, or it was written in another format version.
    """
    tensors, vocabularies, manifest = MODEL.load(directory)
    return _from_tensors(manifest["model"], tensors), vocabularies, manifest["settings"]


def load_history(directory: str | Path) -> tuple[Iteration, ...]:
    """How the training of a saved model went; models that were saved before this was recorded have no history.

    Raises:
        ModelError: There is no model, or its manifest is damaged.
    """
    return tuple(map(Iteration.from_dict, read_manifest(directory).get("history", ())))


def read_manifest(directory: str | Path) -> dict[str, Any]:
    """The description of a saved model, checked for its format and integrity."""
    return MODEL.read_manifest(directory)


def _tensors(model: BidirectionalModel) -> dict[str, NDArray[Any]]:
    lexicon = {**model.lexicon.table._asdict(), **model.lexicon.translations._asdict()}
    parts = {
        "lexicon": lexicon,
        "masses": model.lexicon.masses._asdict(),
        "forward": model.forward.tensors(),
        "reverse": model.reverse.tensors(),
        "memory": {} if model.memory is None else model.memory.tensors(),
    }
    return {f"{part}.{name}": array for part, arrays in parts.items() for name, array in arrays.items()}


def _from_tensors(name: str, tensors: Mapping[str, NDArray[Any]]) -> BidirectionalModel:
    def part(prefix: str) -> dict[str, NDArray[Any]]:
        return {key.removeprefix(prefix): array for key, array in tensors.items() if key.startswith(prefix)}

    lexicon, masses, memory = part("lexicon."), part("masses."), part("memory.")
    kind = get_model(name)
    return BidirectionalModel(
        Lexicon(
            PairTable(*(lexicon[field] for field in PairTable._fields)),
            TranslationTable(*(lexicon[field] for field in TranslationTable._fields)),
            Masses(*(masses[field] for field in Masses._fields)),
        ),
        kind.from_tensors(part("forward.")),
        kind.from_tensors(part("reverse.")),
        Memory.from_tensors(memory) if memory else None,
    )
