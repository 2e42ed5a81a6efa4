"""The kinds of columns that Arrow has: which hold text, and which values can go into other files."""

from __future__ import annotations

import math
from typing import Any

from pralign.text.extras import needed

_LISTS = ("is_list", "is_large_list", "is_fixed_size_list", "is_list_view", "is_large_list_view")
_TEXTS = ("is_string", "is_large_string", "is_string_view")
_BYTES = ("is_binary", "is_large_binary", "is_fixed_size_binary", "is_binary_view")
_NUMBERS = ("is_integer", "is_floating", "is_boolean", "is_null")


def sample_of(kind: Any) -> Any:
    """A value like those of a column of some kind: text, a list of words, a mapping of such, or something else.

    It tells :mod:`pralign.text.columns` what a column holds, as the first value does for other tables.
    """
    if _is(kind, "is_dictionary"):
        return sample_of(kind.value_type)
    if _is(kind, "is_null"):
        return None
    if _is(kind, *_TEXTS):
        return "text"
    if _is(kind, "is_struct"):
        return {field.name: sample_of(field.type) for field in kind}
    if _is(kind, *_LISTS):
        inside = sample_of(kind.value_type)
        return [] if inside is None else ["word"] if isinstance(inside, str) else 0
    return 0


def is_readable(kind: Any) -> bool:
    """Whether the values of a column can go into other files: all but bytes can, as they are or as text."""
    if _is(kind, "is_dictionary"):
        return is_readable(kind.value_type)
    return _is_plain(kind) or not (_is(kind, *_BYTES) or needed("pyarrow.types", "arrow").is_nested(kind))


def plain_values(column: Any) -> list[Any]:
    """The values of a readable column, as JSON can hold them; others, such as dates, become text."""
    arrow = needed("pyarrow", "arrow")
    if _is(column.type, "is_dictionary"):
        column = column.dictionary_decode()
    if not _is_plain(column.type):
        try:
            column = column.cast(arrow.string())
        except arrow.ArrowException:
            return [None if value is None else str(value) for value in column.to_pylist()]
    return [_finite(value) for value in column.to_pylist()]


def _is_plain(kind: Any) -> bool:
    """Whether values are strings, numbers and the like, or lists and structs of these."""
    if _is(kind, *_LISTS):
        return _is_plain(kind.value_type)
    if _is(kind, "is_struct"):
        return all(_is_plain(field.type) for field in kind)
    return _is(kind, *_TEXTS, *_NUMBERS)


def _finite(value: Any) -> Any:
    """The value without numbers that are none."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_finite(each) for each in value]
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    return value


def _is(kind: Any, *names: str) -> bool:
    """Whether a kind is one of some, by the names of the functions that tell."""
    types = needed("pyarrow.types", "arrow")
    return any(getattr(types, name)(kind) for name in names)
