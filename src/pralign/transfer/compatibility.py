"""Parts of speech that a word and its translation may have."""

from __future__ import annotations

# A word and its translation have parts of speech of the same group; those that are in no group go with all.
_GROUPS = (
    {"NOUN", "PROPN", "PRON", "NUM", "ADJ"},
    {"VERB", "AUX"},
    {"ADJ", "ADV", "DET", "NUM", "VERB"},
    {"PRON", "DET", "PART"},
    {"ADP", "SCONJ", "CCONJ", "ADV", "PART"},
    {"PUNCT"},
)
_KNOWN = frozenset().union(*_GROUPS)
_COMPATIBLE = {tag: frozenset().union(*(group for group in _GROUPS if tag in group)) for tag in _KNOWN}


def are_compatible(source: str, target: str) -> bool:
    """Whether words with these universal parts of speech may translate each other; one that is not known may be any.

    Example:
        >>> are_compatible("NOUN", "PROPN"), are_compatible("NOUN", "ADP"), are_compatible("NOUN", "_")
        (True, False, True)
    """
    return source not in _KNOWN or target not in _KNOWN or target in _COMPATIBLE[source]
