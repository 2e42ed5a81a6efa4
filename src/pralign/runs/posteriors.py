"""The probabilities of all links of a sentence pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.frames import to_frame
from pralign.links.alignment import Alignment
from pralign.pictures.matrix import AlignedPair

Matrix = NDArray[np.float32]

# Discs for less could hardly be seen, and there are many of them.
_LEAST_SHOWN = 0.01


@dataclass(frozen=True, eq=False, repr=False)
class LinkPosteriors:
    """The probability of each possible link of a pair, as matrices of source words × target words.

    It can be unpacked into its three matrices. Printed it is a grid, and in a notebook a picture, of the means.

    Attributes:
        forward: Under the model that explains target words by source words.
        reverse: Under the model that explains source words by target words.
        mean: The mean of the two.
        source: The source words.
        target: The target words.

    Example:
        >>> from pralign import Aligner
        >>> pairs = [("the house", "la maison"), ("the cat", "le chat"), ("a cat", "un chat")]
        >>> posteriors = Aligner(model="ibm1", threads=1).fit(pairs).posteriors("the cat", "le chat")
        >>> type(posteriors).__name__, posteriors.mean.shape
        ('LinkPosteriors', (2, 2))
        >>> isinstance(posteriors, LinkPosteriors) and bool(posteriors.mean[1, 1] > 0.5)
        True
    """

    forward: Matrix
    reverse: Matrix
    mean: Matrix
    source: list[str]
    target: list[str]

    def __iter__(self) -> Iterator[Matrix]:
        return iter((self.forward, self.reverse, self.mean))

    def __len__(self) -> int:
        return 3

    def __getitem__(self, number: int) -> Matrix:
        return (self.forward, self.reverse, self.mean)[number]

    def __repr__(self) -> str:
        return f"<LinkPosteriors of {len(self.source)} by {len(self.target)} words>"

    def __str__(self) -> str:
        return str(self._picture())

    def _repr_html_(self) -> str:
        """What a notebook shows: the larger a disc, the more probable a link."""
        return self._picture()._repr_html_()

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns of a flat table, one row for each source word with each target word."""
        rows, columns = (places.ravel().tolist() for places in np.indices(self.mean.shape))
        return {
            "source": rows,
            "target": columns,
            "source_word": [self.source[i] for i in rows],
            "target_word": [self.target[j] for j in columns],
            "forward": self.forward.ravel().tolist(),
            "reverse": self.reverse.ravel().tolist(),
            "mean": self.mean.ravel().tolist(),
        }

    def to_frame(self) -> Any:
        """The columns of :meth:`to_dict` as a data frame of pandas."""
        return to_frame(self.to_dict())

    def _picture(self) -> AlignedPair:
        links = [(int(i), int(j)) for i, j in np.argwhere(self.mean >= _LEAST_SHOWN)]
        scores = [float(self.mean[link]) for link in links]
        return AlignedPair(1, self.source, self.target, Alignment.of(links, scores))
