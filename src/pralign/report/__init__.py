"""Alignments and models as text that people read."""
