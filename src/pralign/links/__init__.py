"""Alignments as values: links, symmetrisation and file formats."""
