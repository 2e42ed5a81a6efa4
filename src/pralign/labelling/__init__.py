"""Aligning by hand: which pair to ask for next, what was answered, and what the answers teach."""
