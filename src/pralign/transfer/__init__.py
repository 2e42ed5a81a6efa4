"""Annotation carried from one language to another along links: trees, spans and inline tags."""
