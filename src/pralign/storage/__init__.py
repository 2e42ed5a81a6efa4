"""What was learned, on disk: written whole, checked when read, never unpickled."""

from __future__ import annotations

from pralign.storage.model import SavedModel, check_save_target, load_model, read_manifest, save_model

__all__ = ["SavedModel", "check_save_target", "load_model", "read_manifest", "save_model"]
