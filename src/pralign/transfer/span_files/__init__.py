"""Files of texts with spans, of several kinds, each known by name: read as a stream, and written with what was carried.

>>> list(SPAN_FORMATS)
['bio', 'brat', 'jsonl']
"""

from __future__ import annotations

# Modules whose formats get to know themselves.
from pralign.transfer.span_files import bio, brat, jsonl  # noqa: F401
from pralign.transfer.span_files.base import (
    SPAN_FORMATS,
    CarriedDocument,
    Document,
    Documents,
    SpanFormat,
    span_format_of,
)

__all__ = ["SPAN_FORMATS", "CarriedDocument", "Document", "Documents", "SpanFormat", "span_format_of"]
