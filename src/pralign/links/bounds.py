"""Links must join words that exist."""

from __future__ import annotations

from pralign.errors import InputError
from pralign.links.alignment import Alignment

Lengths = tuple[int, int]


def check_bounds(alignment: Alignment, lengths: Lengths, where: str, base: int = 0) -> None:
    """Check that every link ``(i, j)`` has 0 ≤ i < I and 0 ≤ j < J in a pair of I source and J target words.

    Args:
        alignment: The links to check.
        lengths: I and J.
        where: The file and line, for the message.
        base: The number of the first word in that file; the message counts like the file does.

    Raises:
        InputError: The first link that joins a word that is not there.
    """
    source, target = lengths
    for i, j in alignment.links:
        if not (0 <= i < source and 0 <= j < target):
            raise InputError(
                f"{where}: link {i + base}-{j + base} (counted from {base}) lies outside a pair of {source} "
                f"source and {target} target words; do the files belong together, source first, with words "
                f"counted from {base}, and is the text cut into words as it was aligned (--tokenize)?"
            )
