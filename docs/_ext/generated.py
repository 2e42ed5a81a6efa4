"""Folders of pages that are made whenever the site is built."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write_pages(folder: Path, pages: Mapping[str, str]) -> None:
    """Make a folder hold these pages and no others; those that stay the same keep their time, so are not built again.

    Args:
        folder: The folder, all of whose pages are made.
        pages: Names of files with what is in them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
