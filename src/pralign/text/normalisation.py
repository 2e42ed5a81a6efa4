"""How words are made comparable before anything is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pralign.errors import UsageError
from pralign.text.tokens import tokens


@dataclass(frozen=True, slots=True)
class Normalisation:
    """What happens to each word before it is looked up. Part of every saved model.

    Attributes:
        lowercase: Whether upper and lower case count as the same.
        prefix: Keep only so many first characters of a word; helps little data in a language rich in endings.
        suffix: Keep only so many last characters instead.

    Example:
        >>> Normalisation(prefix=4)("The Gardeners waited")
        ['the', 'gard', 'wait']
    """

    lowercase: bool = True
    prefix: int | None = None
    suffix: int | None = None

    def __post_init__(self) -> None:
        if self.prefix is not None and self.suffix is not None:
            raise UsageError("words can be cut to a prefix or to a suffix, not to both")
        for name, length in (("prefix", self.prefix), ("suffix", self.suffix)):
            if length is not None and length < 1:
                raise UsageError(f"the {name} length must be at least 1, not {length}")

    def __call__(self, sentence: str | Sequence[str]) -> list[str]:
        """The normalised words of a sentence, given as text or as tokens; never more or fewer than its tokens."""
        if isinstance(sentence, str):
            words = tokens(sentence.lower() if self.lowercase else sentence)
        else:
            words = [word.lower() for word in sentence] if self.lowercase else list(sentence)
        if self.prefix is not None:
            words = [word[: self.prefix] for word in words]
        elif self.suffix is not None:
            words = [word[-self.suffix :] for word in words]
        return words
