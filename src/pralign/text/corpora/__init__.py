"""Corpora as they come: files that hold both sides, of many kinds, each known by name.

>>> sorted(READERS)
['csv', 'jsonl', 'parquet', 'tmx', 'tsv', 'xliff']
"""

from __future__ import annotations

# Modules whose readers get to know themselves.
from pralign.text.corpora import delimited, json_lines, parquet, tmx, xliff  # noqa: F401
from pralign.text.corpora.base import READERS, Choice, CorpusReader, Row, reader_by_name

__all__ = ["READERS", "Choice", "CorpusReader", "Row", "reader_by_name"]
