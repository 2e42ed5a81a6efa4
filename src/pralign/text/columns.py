"""Which two columns of a table, or fields of a row, hold the sentences of a pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from pralign.characters import listed
from pralign.errors import UsageError

#: The names of the columns, or of the fields of rows, that hold the source and the target sentences.
Columns: TypeAlias = Sequence[str]

_HOW = "fit(table['en'], table['fr']), or Bitext(table, columns=('en', 'fr'))"
_TRANSLATION = "translation"  # what data sets call the field with both sentences


def wrapping(row: Mapping[Any, Any], columns: Columns | None) -> Any:
    """The field of a row that holds its sentences, such as ``{"translation": {"en": "the house", "fr": "la maison"}}``.

    Args:
        row: The fields of the row.
        columns: The names of the sentences, if they were given.

    Returns:
        The name of that field, or ``None`` if the sentences are fields of the row itself.
    """
    found = [name for name, value in row.items() if isinstance(value, Mapping)]
    if columns is not None:
        if any(name in row for name in columns):
            return None
        holding = [name for name in found if all(column in row[name] for column in columns)]
        found = holding or found
    elif found != [_TRANSLATION] and sum(map(_is_text, row.values())) == 2:
        return None
    return found[0] if len(found) == 1 else None


def chosen_columns(values: Mapping[Any, Any], columns: Columns | None, how: str = _HOW) -> tuple[Any, Any]:
    """Which two columns are meant: those that were named, or those that hold text.

    Args:
        values: A value of each column, such as the first.
        columns: The names, if they were given.
        how: How a user would name columns.

    Raises:
        UsageError: There are none of these names, or not just two that hold text.
    """
    if columns is None:
        chosen = [name for name, value in values.items() if _is_text(value)]
        if len(chosen) < 2:
            unknown = [name for name, value in values.items() if _is_text(value) or _may_be_text(value)]
            chosen = unknown if len(unknown) == 2 else chosen
        if len(chosen) != 2:
            kinds = [f"{name} ({type(value).__name__})" for name, value in values.items()]
            raise UsageError(
                f"two columns of text are needed, and there are {len(chosen)} among "
                f"{listed(kinds) if kinds else 'none at all'}; choose two, such as {how}"
            )
        return chosen[0], chosen[1]
    for name in columns:
        if name not in values:
            raise UsageError(f"there is no column {name!r}; there are {listed(values)}")
    return columns[0], columns[1]


def _may_be_text(value: Any) -> bool:
    """Whether a column that begins like this may hold text further on."""
    return value is None or (is_sequence(value) and len(value) == 0)


def _is_text(value: Any) -> bool:
    if isinstance(value, str):
        return True
    return is_sequence(value) and len(value) > 0 and all(isinstance(word, str) for word in value)


def is_sequence(value: Any) -> bool:
    """Whether it is a list of something: also the arrays of numpy, and what other libraries have for lists."""
    ordered = hasattr(value, "__len__") and hasattr(value, "__getitem__") and hasattr(value, "__iter__")
    return ordered and not isinstance(value, str | bytes | Mapping)
