"""Pralign in place of eflomal: import this as ``eflomal`` by having the folder above it on ``PYTHONPATH``."""

from __future__ import annotations

from pralign.dropins.eflomal_module import (
    Aligner,
    TextIndex,
    align,
    calculate_priors,
    read_priors,
    read_text,
    sentences_from_joint_file,
    to_eflomal_priors_file,
    to_eflomal_text_file,
    write_priors,
    write_text,
)

__all__ = [
    "Aligner",
    "TextIndex",
    "align",
    "calculate_priors",
    "read_priors",
    "read_text",
    "sentences_from_joint_file",
    "to_eflomal_priors_file",
    "to_eflomal_text_file",
    "write_priors",
    "write_text",
]
