"""pralign: which word translates which, learned from parallel sentences."""

__version__ = "0.1.0"
