"""Which languages texts are in, for pages that are read out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pralign.errors import UsageError

_CODE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
_ENDING = re.compile(r"\.(?!gz|xz)([a-z]{2})(?:\.(?:gz|xz|bz2|zst))?$")
Languages = tuple[str, str]


def parse_languages(text: str | None) -> Languages | None:
    """Two codes with a comma between them.

    Raises:
        UsageError: They are no such codes.

    Example:
        >>> parse_languages("en,pt-BR")
        ('en', 'pt-BR')
    """
    if text is None:
        return None
    codes = [code.strip() for code in text.split(",")]
    if len(codes) != 2 or not all(_CODE.fullmatch(code) for code in codes):
        raise UsageError(f"--languages takes two codes such as en,fr, not {text!r}")
    return codes[0], codes[1]


def languages_of(names: Sequence[str]) -> Languages | None:
    """The languages that files say they are in, if both do by an ending of two letters.

    Example:
        >>> languages_of(["test.en", "test.fr.gz"]), languages_of(["source.txt", "target.txt"])
        (('en', 'fr'), None)
    """
    found = [match[1] for name in names if (match := _ENDING.search(name))]
    return (found[0], found[1]) if len(found) == 2 else None
