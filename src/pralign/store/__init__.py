"""Named groups of arrays, in memory or in files: what the parts of a training run hand to each other."""

from __future__ import annotations

from pralign.store.directory import DirectoryStore
from pralign.store.memory import MemoryStore, Store
from pralign.store.spilling import SpillingStore
from pralign.store.temporary import TemporaryStore

__all__ = ["DirectoryStore", "MemoryStore", "SpillingStore", "Store", "TemporaryStore"]
