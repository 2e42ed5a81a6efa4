"""Letters without the marks on them."""

from __future__ import annotations

import unicodedata


def without_accents(word: str) -> str:
    """A word without accents and other marks on its letters, so that *élève* and *eleve* are the same.

    Example:
        >>> without_accents("élève")
        'eleve'
    """
    if word.isascii():
        return word
    return "".join(letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter))
