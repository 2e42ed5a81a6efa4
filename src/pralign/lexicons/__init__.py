"""Lexicons from alignments."""
