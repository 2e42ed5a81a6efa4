"""What messages call the inputs of an evaluation."""

from __future__ import annotations

from typing import NamedTuple


class Names(NamedTuple):
    """What messages call the inputs of an evaluation; a command puts the names of its files here.

    Attributes:
        hypothesis: The name of the hypothesis.
        gold: The name of the gold.
        text: The name of the text that the lengths of sentences come from.
        hypothesis_base: The number of the first word in the file of the hypothesis, 0 or 1; messages count
            like the file does.
        gold_base: The same for the gold.

    Example:
        >>> from pralign.evaluation import UnequalLinesError, evaluate
        >>> try:
        ...     evaluate(["0-0"], ["0-0", "1-1"], names=Names("links.txt", "hand.gold"))
        ... except UnequalLinesError as error:
        ...     print(error)
        links.txt has 1 line, hand.gold 2
    """

    hypothesis: str = "the hypothesis"
    gold: str = "the gold"
    text: str = "the text"
    hypothesis_base: int = 0
    gold_base: int = 0
