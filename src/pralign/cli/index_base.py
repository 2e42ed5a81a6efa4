"""Saying from which number a file counts words, where that is not certain."""

from __future__ import annotations

from pralign.cli.console import note
from pralign.links.formats import AlignmentFormat


def state_index_base(file: str, done: str, fmt: AlignmentFormat, base: int | None, option: str) -> None:
    """Say which base was taken if the format leaves it open and the user did not give one.

    Args:
        file: The name of the file.
        done: What is done to it, ``"read"`` or ``"written"``.
        fmt: Its format.
        base: The base the user gave, if any.
        option: The option to give it with.
    """
    if base is None and fmt.base_is_ambiguous:
        used = fmt.default_base
        note(
            f"{file}: {fmt.name} files may count words from 0 or 1; {done} as counted from {used} "
            f"({option} {1 - used} for the other)"
        )
