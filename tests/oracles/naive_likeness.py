"""How much two words look alike, by the definition."""

from __future__ import annotations

import unicodedata
from functools import cache


def naive_likeness(source: str, target: str) -> float:
    """Between 0 and 1; both words as they are in the vocabularies."""
    if source == target:
        return 1.0
    kinds = {naive_kind(source), naive_kind(target)}
    if kinds == {"punctuation"}:
        return 0.1
    if kinds != {"word"}:
        return 0.0
    a, b = without_accents(source), without_accents(target)
    if min(len(a), len(b)) < 4:
        return 0.0
    share = 2 * longest_common_subsequence(a, b) / (len(a) + len(b))
    return max((share - 0.6) / 0.4, 0.0) ** 2


def naive_kind(word: str) -> str:
    if any(letter.isdigit() for letter in word):
        return "number"
    return "word" if any(letter.isalpha() for letter in word) else "punctuation"


def without_accents(word: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", word) if unicodedata.combining(letter) == 0)


@cache
def longest_common_subsequence(a: str, b: str) -> int:
    if not a or not b:
        return 0
    if a[0] == b[0]:
        return 1 + longest_common_subsequence(a[1:], b[1:])
    return max(longest_common_subsequence(a[1:], b), longest_common_subsequence(a, b[1:]))
