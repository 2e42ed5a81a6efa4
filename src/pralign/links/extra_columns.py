"""Whatever a text says of its pairs besides their sentences, as columns of a table, each of one kind."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.text.extras import needed

Extras = Mapping[str, Any]

_ROWS = 2048
_MOST_COLUMNS = 1000


@dataclass(frozen=True)
class ExtraColumns:
    """The columns of all that is said of any pair.

    Attributes:
        names: For each name under which something is said, the name of its column.
        kinds: For each of these names, what kind the values are; ``None`` if they are of several and written as JSON.
    """

    names: Mapping[str, str]
    kinds: Mapping[str, Any]

    @classmethod
    def of(cls, extras: Iterable[Extras], taken: Sequence[str]) -> ExtraColumns:
        """Look at all that is said once, since a table has to say what it holds before it begins.

        Args:
            extras: What is said of each pair.
            taken: Names that other columns have already.

        Raises:
            InputError: It would be more columns than a table should have.
        """
        rest = iter(extras)
        kinds: dict[str, Any] = {}
        while chunk := list(islice(rest, _ROWS)):
            for name in dict.fromkeys(name for each in chunk for name in each):
                values = [each.get(name) for each in chunk]
                kinds[name] = _joined(kinds[name], values) if name in kinds else _kind(values)
            if len(kinds) > _MOST_COLUMNS:
                raise InputError(
                    f"the pairs have more than {_MOST_COLUMNS:,} different fields; a table cannot hold that"
                )
        return cls(_free_names(kinds, taken), {name: _writable(kind) for name, kind in kinds.items()})

    @property
    def fields(self) -> list[tuple[str, Any]]:
        """The columns, with their kinds."""
        text = needed("pyarrow", "arrow").string()
        return [(self.names[name], text if kind is None else kind) for name, kind in self.kinds.items()]

    def arrays(self, extras: Sequence[Extras]) -> list[Any]:
        """The columns of some pairs, all of which were looked at.

        Raises:
            InputError: The values of one have changed.
        """
        arrow = needed("pyarrow", "arrow")
        arrays = []
        for name, kind in self.kinds.items():
            values = [each.get(name) for each in extras]
            try:
                arrays.append(_array(values, kind))
            except (arrow.ArrowException, OverflowError) as error:
                raise InputError(f"the field {quoted(name)} cannot go into a table: {error}") from error
        return arrays


def _free_names(names: Iterable[str], taken: Sequence[str]) -> dict[str, str]:
    """Names of columns, which have something added where others have them."""
    used, free = {*taken}, {}
    for name in names:
        free[name] = name
        while free[name] in used:
            free[name] += "_"
        used.add(free[name])
    return free


def _kind(values: list[Any]) -> Any:
    """What kind some values are; nothing if they are of several."""
    arrow = needed("pyarrow", "arrow")
    try:
        kind = arrow.infer_type(values)
        return kind if sum(1 for _ in _inside(kind)) <= _MOST_COLUMNS else None
    except (arrow.ArrowException, ValueError, TypeError, OverflowError):
        return None


def _joined(kind: Any, values: list[Any]) -> Any:
    """What kind values are, some of which are of a known kind; nothing if it is several."""
    arrow = needed("pyarrow", "arrow")
    other = None if kind is None else _kind(values)
    if other is None or other == kind:
        return other
    try:
        schemas = [arrow.schema([("", each)]) for each in (kind, other)]
        return arrow.unify_schemas(schemas, promote_options="permissive").field(0).type
    except (arrow.ArrowException, ValueError, TypeError):
        return None


def _writable(kind: Any) -> Any:
    """A kind that Parquet has; nothing if it has none, as for structs without fields."""
    arrow = needed("pyarrow", "arrow")
    if kind is None or any(_is_empty_struct(inner) for inner in _inside(kind)):
        return None
    return arrow.string() if arrow.types.is_null(kind) else kind


def _inside(kind: Any) -> Iterator[Any]:
    """A kind and all that are inside it."""
    yield kind
    for number in range(kind.num_fields):
        yield from _inside(kind.field(number).type)


def _is_empty_struct(kind: Any) -> bool:
    return bool(needed("pyarrow.types", "arrow").is_struct(kind)) and kind.num_fields == 0


def _array(values: list[Any], kind: Any) -> Any:
    arrow = needed("pyarrow", "arrow")
    if kind is None:
        values = [each if each is None or isinstance(each, str) else _json(each) for each in values]
    return arrow.array(values, arrow.string() if kind is None else kind)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
