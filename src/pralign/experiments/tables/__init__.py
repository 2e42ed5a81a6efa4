"""The kinds of tables that experiments know, one file a topic."""

from __future__ import annotations

from pralign.experiments.tables import across, curves, edges, learning, program, scores, shape, words
from pralign.experiments.tables.base import TABLE_KINDS, ResultTable, Row, Slice, register_table

__all__ = [
    "TABLE_KINDS",
    "ResultTable",
    "Row",
    "Slice",
    "across",
    "curves",
    "edges",
    "learning",
    "program",
    "register_table",
    "scores",
    "shape",
    "words",
]
