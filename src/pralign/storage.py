"""Trained aligners on disk: a directory of arrays, word lists and a manifest, written whole and checked when read."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from pralign import __version__
from pralign.errors import ModelError, OutputError
from pralign.kernels.arrays import Masses, PairTable, TranslationTable
from pralign.models import get_model
from pralign.models.bidirectional import BidirectionalModel
from pralign.models.lexicon import Lexicon
from pralign.models.memory import Memory
from pralign.text.vocabulary import Vocabulary

FORMAT = "pralign model"
FORMAT_VERSION = 2

MANIFEST = "manifest.json"
TENSORS = "parameters.safetensors"
WORDS = {"source": "source.json", "target": "target.json"}


def check_save_target(directory: str | Path) -> None:
    """Fail now, not after training, if a model cannot be saved at ``directory``.

    Raises:
        OutputError: The place is taken by something that is not a model, or cannot be written to.
    """
    target = Path(directory)
    if target.exists() and not target.is_dir():
        raise OutputError(f"{target}: there is a file of this name; a model is saved as a directory")
    if target.is_dir():
        others = {path.name for path in target.iterdir()} - {MANIFEST, TENSORS, *WORDS.values()}
        if others or not (_is_empty(target) or _is_model(target)):
            raise OutputError(f"{target}: this directory holds something that is not a model; choose another")
    parent = target.resolve().parent
    if not parent.is_dir():
        raise OutputError(f"{target}: the directory {parent} does not exist")
    if not os.access(parent, os.W_OK):
        raise OutputError(f"{target}: no permission to write in {parent}")


def save_model(
    directory: str | Path,
    model: BidirectionalModel,
    vocabularies: Mapping[str, Vocabulary],
    settings: Mapping[str, Any],
) -> None:
    """Save everything needed to align other text with the same bits as the run that trained the model.

    The directory appears only when it is complete; a model that was there before is replaced.
    """
    check_save_target(directory)
    target = Path(directory).resolve()
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        partial.mkdir()
        save_file({name: np.ascontiguousarray(array) for name, array in _tensors(model).items()}, partial / TENSORS)
        for side, name in WORDS.items():
            (partial / name).write_bytes(_encode_words(vocabularies[side].words))
        files = {name: _describe(partial / name) for name in (TENSORS, *WORDS.values())}
        manifest = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "pralign_version": __version__,
            "model": model.name,
            "settings": dict(settings),
            "files": files,
        }
        text = json.dumps({**manifest, "checksum": _checksum(manifest)}, indent=2, ensure_ascii=False)
        (partial / MANIFEST).write_text(text + "\n", encoding="utf-8")
        _replace(partial, target)
    except (OSError, SafetensorError) as error:
        raise OutputError(f"{target}: cannot save the model: {getattr(error, 'strerror', None) or error}") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def load_model(directory: str | Path) -> tuple[BidirectionalModel, dict[str, Vocabulary], dict[str, Any]]:
    """Read a saved model: the model, its vocabularies by side, and the settings saved with it.

    Raises:
        ModelError: There is no model, it is damaged, or it was written in another format version.
    """
    path = Path(directory)
    manifest = read_manifest(path)
    for name, description in manifest["files"].items():
        if not (path / name).is_file():
            raise ModelError(f"{path}: the model is incomplete: {name} is missing")
        if _describe(path / name) != description:
            raise ModelError(f"{path}: {name} is damaged: it is not the file that was saved")
    vocabularies = {side: Vocabulary(_decode_words((path / name).read_bytes())) for side, name in WORDS.items()}
    try:
        tensors = load_file(path / TENSORS)
    except (SafetensorError, OSError) as error:
        raise ModelError(f"{path}: {TENSORS} cannot be read: {error}") from error
    return _from_tensors(manifest["model"], tensors), vocabularies, manifest["settings"]


def read_manifest(directory: str | Path) -> dict[str, Any]:
    """The description of a saved model, checked for its format and integrity."""
    path = Path(directory)
    if not path.is_dir():
        raise ModelError(
            f"{path}: there is no model here: {'not a directory' if path.exists() else 'no such directory'}"
        )
    if not (path / MANIFEST).is_file():
        raise ModelError(f"{path}: there is no model here: {MANIFEST} is missing")
    try:
        manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
    except (ValueError, OSError, RecursionError) as error:
        raise ModelError(f"{path}: {MANIFEST} is damaged: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ModelError(f"{path}: {MANIFEST} does not describe a pralign model")
    if manifest.get("format_version") != FORMAT_VERSION:
        raise ModelError(
            f"{path}: the model is in format version {manifest.get('format_version')}, saved by pralign "
            f"{manifest.get('pralign_version')}; this is pralign {__version__}, which reads version {FORMAT_VERSION}"
        )
    if manifest.pop("checksum", None) != _checksum(manifest):
        raise ModelError(f"{path}: {MANIFEST} is damaged: it is not the file that was saved")
    return manifest


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


def _encode_words(words: list[str]) -> bytes:
    """One word a line; JSON, because a word may hold anything, even half of a character."""
    return json.dumps(words, ensure_ascii=False, indent=0).encode("utf-8", "surrogatepass")


def _decode_words(content: bytes) -> list[str]:
    return list(json.loads(content.decode("utf-8", "surrogatepass")))


def _is_empty(directory: Path) -> bool:
    return not any(directory.iterdir())


def _is_model(directory: Path) -> bool:
    try:
        return bool(json.loads((directory / MANIFEST).read_text(encoding="utf-8"))["format"] == FORMAT)
    except (ValueError, OSError, RecursionError, LookupError, TypeError):
        return False


def _describe(path: Path) -> dict[str, Any]:
    with path.open("rb") as stream:
        return {"bytes": path.stat().st_size, "sha256": hashlib.file_digest(stream, "sha256").hexdigest()}


def _checksum(manifest: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def _replace(new: Path, target: Path) -> None:
    """Put the finished directory in its place; only for a moment is there neither the old nor the new one."""
    if not target.exists():
        new.rename(target)
        return
    old = target.with_name(f".{target.name}.{os.getpid()}.old")
    target.rename(old)
    try:
        new.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old)
