"""What ``pralign transfer`` carries, a kind a file: where it is read, the pairs to align, and how it is written."""
