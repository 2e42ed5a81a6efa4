"""Files that systems name: where they are, whether they are there, and what tells them from others."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from pralign.errors import InputError
from pralign.experiments.description import SystemDescription
from pralign.text.files import reason

# Settings whose values name files.
_SETTINGS = ("prior", "forms")


def located(system: SystemDescription, data: Path) -> SystemDescription:
    """A system whose settings name files in the folder of the data."""
    found = {name: [str(data / each) for each in _listed(system.settings[name])] for name in _of(system)}
    return replace(system, settings={**system.settings, **found}) if found else system


def settings_files(system: SystemDescription) -> list[Path]:
    """The files and folders that the settings of a system name."""
    return [Path(each) for name in _of(system) for each in _listed(system.settings[name])]


def settings_key(system: SystemDescription, settings: dict[str, Any]) -> dict[str, Any]:
    """Settings with what is in files in place of their names."""
    content = {name: [fingerprint(Path(each)) for each in _listed(system.settings[name])] for name in _of(system)}
    return {**settings, **content}


def fingerprint(path: Path) -> str:
    """What tells a file, or a folder with all that is in it, from others.

    Raises:
        InputError: It cannot be read.
    """
    try:
        if path.is_dir():
            inside = [
                f"{each.relative_to(path)} {fingerprint(each)}" for each in sorted(path.rglob("*")) if each.is_file()
            ]
            return hashlib.sha256("\n".join(inside).encode()).hexdigest()
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot read it: {reason(error)}") from error


def _of(system: SystemDescription) -> Iterator[str]:
    return (name for name in _SETTINGS if system.settings.get(name))


def _listed(value: Any) -> list[Any]:
    return [value] if isinstance(value, str | Path) else list(value)
