"""Directories that hold something saved: arrays, word lists and a manifest, written whole and checked when read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import NDArray

from pralign import __version__
from pralign.errors import ModelError, OutputError
from pralign.outputs.checks import check_directory
from pralign.outputs.directories import CONTENT, content_of, is_own, open_directory
from pralign.schema.values import check_fields
from pralign.storage.checks import check_files, read_words, reading
from pralign.storage.reading import Unreadable, described, read_file, read_json
from pralign.store.tensors import Streamed, TensorFileError, parse_tensors, write_tensors
from pralign.text.files import reason
from pralign.text.vocabulary import Vocabulary

MANIFEST = "manifest.json"
TENSORS = "parameters.safetensors"
WORDS = {"source": "source.json", "target": "target.json"}
FILES = (TENSORS, *WORDS.values())

# Settings that older models of the same format do not have yet.
_SINCE = {"tokenize": "spaces"}

# Names of files among the settings need not be text.
_ANY_NAME = "surrogatepass"

Tensors = Mapping[str, "NDArray[Any] | Streamed"]
Loaded = TypeVar("Loaded")

# Whoever reads while others save over and over has to begin again; so often at most.
_TRIES = 1000
_ENOUGH = 3


@dataclass(frozen=True)
class SavedKind:
    """A kind of thing that is saved as a directory.

    Attributes:
        format: What the manifest calls it.
        version: The version of its format.
        noun: What messages call it.
        parts: Directories inside, saved things themselves; the manifest knows the checksums of theirs.
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
        try:
            if target.exists() and not target.is_dir():
                raise OutputError(f"{target}: there is a file of this name; a {self.noun} is saved as a directory")
            names = {path.name for path in target.iterdir() if not is_own(path.name)} if target.is_dir() else set()
        except OSError as error:
            raise OutputError(f"{target}: cannot save a {self.noun} here: {reason(error)}") from error
        if names - {MANIFEST, *FILES, *self.parts} or (names and not self.is_at(target)):
            raise OutputError(f"{target}: this directory holds something that is not a {self.noun}; choose another")
        check_directory(target)

    def save(
        self,
        directory: str | Path,
        tensors: Tensors,
        vocabularies: Mapping[str, Vocabulary],
        content: Mapping[str, Any],
        save_parts: Callable[[Path], None] = lambda partial: None,
    ) -> None:
        """Save arrays, words and ``content``; the directory appears only when it is complete.

        What was there before is replaced in one step. ``save_parts`` adds directories to the one it is called with.
        """
        self.check_target(directory)
        try:
            with open_directory(directory, MANIFEST, (*FILES, *self.parts)) as (partial, beside):
                write_tensors(partial / TENSORS, tensors)
                for side, name in WORDS.items():
                    (partial / name).write_bytes(_encode_words(vocabularies[side].words))
                save_parts(partial)
                manifest = {
                    "format": self.format,
                    "format_version": self.version,
                    "pralign_version": __version__,
                    **({} if beside is None else {CONTENT: beside}),
                    **content,
                    "files": {name: described(partial / name) for name in FILES},
                    **self._describe_parts(partial),
                }
                text = json.dumps({**manifest, "checksum": _checksum(manifest)}, indent=2, ensure_ascii=False)
                (partial / MANIFEST).write_text(text + "\n", encoding="utf-8", errors=_ANY_NAME)
        except OSError as error:
            raise OutputError(f"{directory}: cannot save the {self.noun}: {reason(error)}") from error

    def _describe_parts(self, partial: Path) -> dict[str, Any]:
        found = {name: _checksum_of(partial / name) for name in self.parts if (partial / name).is_dir()}
        return {"parts": found} if self.parts else {}

    def load(self, directory: str | Path) -> tuple[dict[str, NDArray[Any]], dict[str, Vocabulary], dict[str, Any]]:
        """Read what was saved: arrays, vocabularies by side, and the manifest.

        Each file is read once, so what was checked is what is used.

        Raises:
            ModelError: There is nothing of this kind, it is damaged, or it was written in another format version.
        """
        return unmixed(directory, lambda: self._load(Path(directory)))

    def _load(self, path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Vocabulary], dict[str, Any]]:
        manifest, place = self._open(path)
        files = check_files(manifest["files"], FILES)
        try:
            content = {name: read_file(place / name, file.bytes, file.sha256) for name, file in files.items()}
            words = {}
            for side, name in WORDS.items():
                with reading(path, name, self.noun):
                    words[side] = read_words(content.pop(name).tobytes())
            if self.parts:
                manifest["parts"] = {name: _part(place / name, saved) for name, saved in manifest["parts"].items()}
            return parse_tensors(content[TENSORS]), words, manifest
        except Unreadable as error:
            raise ModelError(f"{path}: {error}") from error
        except TensorFileError as error:
            raise ModelError(f"{path}: {TENSORS} cannot be read: {error}") from error

    def read_manifest(self, directory: str | Path) -> dict[str, Any]:
        """The description of what was saved, checked for its format and integrity."""
        manifest, _ = self._open(Path(directory))
        return manifest

    def _open(self, path: Path) -> tuple[dict[str, Any], Path]:
        """The description of what was saved, and where all that it speaks of lies."""
        if not path.is_dir():
            raise ModelError(
                f"{path}: there is no {self.noun} here: {'not a directory' if path.exists() else 'no such directory'}"
            )
        try:
            manifest = read_json(path / MANIFEST)
        except FileNotFoundError as error:
            raise ModelError(f"{path}: there is no {self.noun} here: {MANIFEST} is missing") from error
        except OSError as error:
            raise ModelError(f"{path}: {MANIFEST} cannot be read: {reason(error)}") from error
        except Unreadable as error:
            raise ModelError(f"{path}: {error}") from error
        self._check_manifest(path, manifest)
        try:
            place = content_of(path, manifest)
        except ValueError as error:
            raise ModelError(f"{path}: {MANIFEST} is damaged: {error}") from error
        manifest.pop(CONTENT, None)
        if isinstance(settings := manifest.get("settings"), dict):
            manifest["settings"] = {**_SINCE, **settings}
        return manifest, place

    def _check_manifest(self, path: Path, manifest: Any) -> None:
        """Complain of a manifest of something else, or that was changed, or speaks of other files than there are."""
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
            check_files(manifest.get("files"), FILES)
            if self.parts:
                parts = manifest.get("parts")
                found = parts.keys() & set(self.parts) if isinstance(parts, dict) else ()
                check_fields(parts, dict.fromkeys(found, str), "parts")

    def is_at(self, directory: str | Path) -> bool:
        """Whether a directory says that it holds a thing of this kind, be it whole or damaged."""
        try:
            manifest = read_json(Path(directory) / MANIFEST)
        except (OSError, Unreadable):
            return False
        return isinstance(manifest, dict) and manifest.get("format") == self.format


def unmixed(directory: str | Path, load: Callable[[], Loaded]) -> Loaded:
    """What ``load`` reads of a directory, again from the beginning if it was replaced meanwhile and that was noticed.

    Raises:
        ModelError: It cannot be read, though nobody has replaced it.
    """
    manifest, failures = Path(directory) / MANIFEST, 0
    for _ in range(_TRIES):
        before = _identity(manifest)
        try:
            return load()
        except ModelError:
            # One that was replaced twice may look as if it had not been; but not again and again.
            failures = failures + 1 if _identity(manifest) == before else 0
            if failures == _ENOUGH or before is None:
                raise
    raise ModelError(f"{directory}: cannot be read: it is saved anew again and again")


def _identity(manifest: Path) -> tuple[int, ...] | None:
    """What tells a file from the one that takes its place."""
    try:
        found = manifest.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_ctime_ns


def _part(place: Path, checksum: str) -> Path:
    """Where a part is, if it is the one that was saved."""
    try:
        if _checksum_of(place) == checksum:
            return place
    except OSError as error:
        raise Unreadable(f"{place.name} cannot be read: {reason(error)}") from error
    raise Unreadable(f"{place.name} is damaged: it is not what was saved")


def _other(manifest: Any) -> str:
    """What a directory is instead, where that can be told."""
    name = manifest.get("format") if isinstance(manifest, dict) else None
    return f"this is a {name}, not" if isinstance(name, str) and name.startswith("pralign ") else ""


def _encode_words(words: list[str]) -> bytes:
    """One word a line; JSON, because a word may hold anything, even half of a character."""
    return json.dumps(words, ensure_ascii=False, indent=0).encode("utf-8", "surrogatepass")


def _checksum(manifest: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def _checksum_of(directory: Path) -> str | None:
    """The checksum that the manifest of a directory has."""
    manifest = read_json(directory / MANIFEST)
    checksum = manifest.get("checksum") if isinstance(manifest, dict) else None
    return checksum if isinstance(checksum, str) else None
