"""Directories that hold something saved: arrays, word lists and a manifest, written whole and checked when read."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from pralign import __version__
from pralign.errors import ModelError, OutputError
from pralign.storage.checks import check_files, read_words, reading
from pralign.store.tensors import Streamed, TensorFileError, read_tensors, write_tensors
from pralign.text.files import reason
from pralign.text.outputs import delete_abandoned
from pralign.text.vocabulary import Vocabulary

MANIFEST = "manifest.json"
TENSORS = "parameters.safetensors"
WORDS = {"source": "source.json", "target": "target.json"}

# Names of files among the settings need not be text.
_ANY_NAME = "surrogatepass"

Tensors = Mapping[str, "NDArray[Any] | Streamed"]


@dataclass(frozen=True)
class SavedKind:
    """A kind of thing that is saved as a directory.

    Attributes:
        format: What the manifest calls it.
        version: The version of its format.
        noun: What messages call it.
        parts: Directories inside, which check themselves.
    """

    format: str
    version: int
    noun: str = "model"
    parts: tuple[str, ...] = ()

    def check_target(self, directory: str | Path) -> None:
        """Fail now, not after training, if nothing can be saved at ``directory``.

        Raises:
            OutputError: The place is taken by something else, or cannot be written to.
        """
        target = Path(directory)
        if target.exists() and not target.is_dir():
            raise OutputError(f"{target}: there is a file of this name; a {self.noun} is saved as a directory")
        if target.is_dir():
            others = {path.name for path in target.iterdir()} - {MANIFEST, TENSORS, *WORDS.values(), *self.parts}
            if others or not (_is_empty(target) or self.is_at(target)):
                raise OutputError(f"{target}: this directory holds something that is not a {self.noun}; choose another")
        parent = target.resolve().parent
        if not parent.is_dir():
            raise OutputError(f"{target}: the directory {parent} does not exist")
        if not os.access(parent, os.W_OK):
            raise OutputError(f"{target}: no permission to write in {parent}")

    def save(
        self,
        directory: str | Path,
        tensors: Tensors,
        vocabularies: Mapping[str, Vocabulary],
        content: Mapping[str, Any],
        save_parts: Callable[[Path], None] = lambda partial: None,
    ) -> None:
        """Save arrays, words and ``content``; the directory appears only when it is complete.

        What was there before is replaced. ``save_parts`` adds directories to the one it is called with.
        """
        self.check_target(directory)
        target = Path(directory).resolve()
        partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
        try:
            if partial.exists():  # left by a program of the same number that was ended, as in containers
                shutil.rmtree(partial)
            partial.mkdir()
            write_tensors(partial / TENSORS, tensors)
            for side, name in WORDS.items():
                (partial / name).write_bytes(_encode_words(vocabularies[side].words))
            save_parts(partial)
            manifest = {
                "format": self.format,
                "format_version": self.version,
                "pralign_version": __version__,
                **content,
                "files": {name: _describe(partial / name) for name in (TENSORS, *WORDS.values())},
            }
            text = json.dumps({**manifest, "checksum": _checksum(manifest)}, indent=2, ensure_ascii=False)
            (partial / MANIFEST).write_text(text + "\n", encoding="utf-8", errors=_ANY_NAME)
            _replace(partial, target)
            delete_abandoned(target)
        except OSError as error:
            raise OutputError(f"{target}: cannot save the {self.noun}: {reason(error)}") from error
        finally:
            shutil.rmtree(partial, ignore_errors=True)

    def load(self, directory: str | Path) -> tuple[dict[str, NDArray[Any]], dict[str, Vocabulary], dict[str, Any]]:
        """Read what was saved: arrays, vocabularies by side, and the manifest.

        Raises:
            ModelError: There is nothing of this kind, it is damaged, or it was written in another format version.
        """
        path = Path(directory)
        manifest = self.read_manifest(path)
        try:
            for name, description in manifest["files"].items():  # read_manifest has checked that these are all files
                if not (path / name).is_file():
                    raise ModelError(f"{path}: the {self.noun} is incomplete: {name} is missing")
                if _describe(path / name) != description:
                    raise ModelError(f"{path}: {name} is damaged: it is not the file that was saved")
            words = {}
            for side, name in WORDS.items():
                with reading(path, name, self.noun):
                    words[side] = read_words((path / name).read_bytes())
            return read_tensors(path / TENSORS), words, manifest
        except OSError as error:
            raise ModelError(f"{error.filename or path}: cannot be read: {reason(error)}") from error
        except TensorFileError as error:
            raise ModelError(f"{path}: {TENSORS} cannot be read: {error}") from error

    def read_manifest(self, directory: str | Path) -> dict[str, Any]:
        """The description of what was saved, checked for its format and integrity."""
        path = Path(directory)
        if not path.is_dir():
            raise ModelError(
                f"{path}: there is no {self.noun} here: {'not a directory' if path.exists() else 'no such directory'}"
            )
        if not (path / MANIFEST).is_file():
            raise ModelError(f"{path}: there is no {self.noun} here: {MANIFEST} is missing")
        try:
            manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8", errors=_ANY_NAME))
        except OSError as error:
            raise ModelError(f"{path}: {MANIFEST} cannot be read: {reason(error)}") from error
        except (ValueError, RecursionError) as error:
            raise ModelError(f"{path}: {MANIFEST} is damaged: {error}") from error
        if not isinstance(manifest, dict) or manifest.get("format") != self.format:
            raise ModelError(f"{path}: {_other(manifest) or MANIFEST + ' does not describe'} a {self.format}")
        if manifest.get("format_version") != self.version:
            raise ModelError(
                f"{path}: the {self.noun} is in format version {manifest.get('format_version')}, saved by pralign "
                f"{manifest.get('pralign_version')}; this is pralign {__version__}, which reads version "
                f"{self.version}; train it again"
            )
        if manifest.pop("checksum", None) != _checksum(manifest):
            raise ModelError(f"{path}: {MANIFEST} is damaged: it is not the file that was saved")
        with reading(path, MANIFEST, self.noun):
            check_files(manifest.get("files"), (TENSORS, *WORDS.values()))
        return manifest

    def is_at(self, directory: str | Path) -> bool:
        """Whether a directory says that it holds a thing of this kind, be it whole or damaged."""
        try:
            return bool(
                json.loads((Path(directory) / MANIFEST).read_text(encoding="utf-8", errors=_ANY_NAME))["format"]
                == self.format
            )
        except (ValueError, OSError, RecursionError, LookupError, TypeError):
            return False


def _other(manifest: Any) -> str:
    """What a directory is instead, where that can be told."""
    name = manifest.get("format") if isinstance(manifest, dict) else None
    return f"this is a {name}, not" if isinstance(name, str) and name.startswith("pralign ") else ""


def _encode_words(words: list[str]) -> bytes:
    """One word a line; JSON, because a word may hold anything, even half of a character."""
    return json.dumps(words, ensure_ascii=False, indent=0).encode("utf-8", "surrogatepass")


def _is_empty(directory: Path) -> bool:
    return not any(directory.iterdir())


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
