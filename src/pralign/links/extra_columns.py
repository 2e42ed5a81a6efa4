"""Whatever a text says of its pairs besides their sentences, as columns of a table, each of one kind."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pralign.errors import InputError
from pralign.links.value_kinds import MIXED, NOTHING, Kind, arrow_kind, fitted, kind_of, merged
from pralign.text.extras import needed

Extras = Mapping[str, Any]

_MOST_COLUMNS = 1000


@dataclass(frozen=True)
class ExtraColumns:
    """The columns of all that is said of any pair.

    Attributes:
        names: For each name under which something is said, the name of its column.
        kinds: For each of these names, what kind the values are. Those of several kinds are written as JSON.
    """

    names: Mapping[str, str]
    kinds: Mapping[str, Kind]

    @classmethod
    def of(cls, extras: Iterable[Extras], taken: Sequence[str]) -> ExtraColumns:
        """Look at all that is said once, since a table has to say what it holds before it begins.

        Args:
            extras: What is said of each pair.
            taken: Names that other columns have already.

        Raises:
            InputError: It would be more columns than a table should have.
        """
        kinds: dict[str, Kind] = {}
        for each in extras:
            for name, value in each.items():
                kinds[name] = merged(kinds.get(name, NOTHING), kind_of(value))
            if len(kinds) > _MOST_COLUMNS:
                raise InputError(
                    f"the pairs have more than {_MOST_COLUMNS:,} different fields, which are too many for a table"
                )
        return cls(_free_names(kinds, taken), kinds)

    @property
    def fields(self) -> list[tuple[str, Any]]:
        """The columns, with their kinds."""
        return [(self.names[name], arrow_kind(kind)) for name, kind in self.kinds.items()]

    def arrays(self, extras: Sequence[Extras]) -> list[Any]:
        """The columns of some pairs, all of which were looked at."""
        arrow = needed("pyarrow", "arrow")
        return [
            arrow.array([_value(each.get(name), kind) for each in extras], arrow_kind(kind))
            for name, kind in self.kinds.items()
        ]


def _free_names(names: Iterable[str], taken: Sequence[str]) -> dict[str, str]:
    """Names of columns, which have something added where others have them."""
    used, free = {*taken}, {}
    for name in names:
        free[name] = name
        while free[name] in used:
            free[name] += "_"
        used.add(free[name])
    return free


def _value(value: Any, kind: Kind) -> Any:
    if kind != MIXED:
        return fitted(value, kind)
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)
