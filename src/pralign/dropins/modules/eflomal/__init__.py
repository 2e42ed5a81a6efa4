"""Pralign in place of eflomal: import this as ``eflomal`` by having the folder above it on ``PYTHONPATH``."""

from __future__ import annotations

from pralign.dropins.eflomal_module import (
    Aligner,
    __getattr__,
    calculate_priors,
    read_priors,
    read_text,
    sentences_from_joint_file,
    write_priors,
)

__all__ = [
    "Aligner",
    "__getattr__",
    "calculate_priors",
    "read_priors",
    "read_text",
    "sentences_from_joint_file",
    "write_priors",
]
