"""Sentence pairs aligned by hand, in the browser."""
