"""Plain text of the program's help as Markdown."""

from __future__ import annotations

import re

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~$])")
_OPTIONS = re.compile(r"(?<![\w-])(--?[a-z][\w-]*)")


def prose(text: str) -> str:
    """A text in which nothing is markup and the names of options stand out.

    Example:
        >>> prose("DIR|NAME of a_b, see --load.")
        'DIR\\\\|NAME of a\\\\_b, see `--load`.'
    """
    return "".join(
        f"`{part}`" if _OPTIONS.fullmatch(part) else _MARKS.sub(r"\\\1", part) for part in _OPTIONS.split(text)
    )


def fence(lines: str, language: str = "text") -> str:
    """Lines that are shown as they are."""
    return f"```{language}\n{lines}\n```"


def page(*blocks: str) -> str:
    """Blocks with blank lines between; those that are empty are left out."""
    return "\n\n".join(filter(None, blocks)) + "\n"
