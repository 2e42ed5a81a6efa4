"""Columns of values as the data frame of pandas, where that is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from pralign.errors import UsageError


def to_frame(columns: Mapping[str, Sequence[Any]]) -> Any:
    """The data frame of pandas with these columns.

    Raises:
        UsageError: pandas is not installed.
    """
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise UsageError(
            "to_frame needs pandas, which is not installed: pip install pandas; to_dict has the same columns, and "
            "polars.DataFrame or pyarrow.table take them"
        ) from None
    return pandas.DataFrame(dict(columns))
