"""Reading and writing bitext, vocabularies, and the corpus as arrays."""
