"""Packages that are not always installed, and what they can be given."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pralign.errors import UsageError


def needed(module: str, extra: str) -> Any:
    """A module of a package that comes with an extra of this one.

    Raises:
        UsageError: It is not installed, and what to do.
    """
    try:
        return import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise UsageError(f"this needs {name}, which is not installed: pip install 'pralign[{extra}]'") from error


def encodable(text: str) -> str:
    r"""The text, with a question mark for each half of a surrogate pair, which no package takes.

    Example:
        >>> encodable("a\ud800b"), encodable("a\U0001f600b") == "a\U0001f600b"
        ('a?b', True)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode()
    return text
