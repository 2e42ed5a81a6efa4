"""What saved things must be like, said once beside the code that reads them, and checked before anything uses them.

A checksum guards against damage, not against intent or other versions. :mod:`pralign.schema.arrays` is for arrays,
:mod:`pralign.schema.values` for what JSON holds.
"""

from __future__ import annotations

from pralign.schema.errors import ArrayError, SchemaError

__all__ = ["ArrayError", "SchemaError"]
