"""``python -m pralign`` is the same as ``pralign``."""

from pralign.cli import main

main()
