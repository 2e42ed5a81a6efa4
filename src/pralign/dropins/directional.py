"""Links in two directions, as the originals give them: forward, a target word has at most one source word.

They are taken from the combined alignment, not from the best path of each direction: of all links that pralign makes,
the forward ones are each target word's likeliest, and the reverse ones each source word's. What scripts make of the two
afterwards, by whatever heuristic, is then close to what pralign itself would have answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pralign.dropins.program import threads
from pralign.links.alignment import Alignment, Link

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.training.progress import Listener

Words = Sequence[str]
WordPair = tuple[Words, Words]


class Directed(NamedTuple):
    """The answer for one pair.

    Attributes:
        forward: Links in the order of target words, each of which has at most one.
        reverse: Links in the order of source words, each of which has at most one.
        score: The log-probability a word, as a mean of both directions; NaN for a pair with an empty side.
        paths: The best path of each direction, forward and reverse, if they were asked for: links of all words that are
            likelier to have one than none, whatever the other direction says.
    """

    forward: list[Link]
    reverse: list[Link]
    score: float
    paths: tuple[Sequence[Link], Sequence[Link]] = ((), ())


NOTHING = Directed([], [], float("nan"))


@dataclass(frozen=True)
class Request:
    """What is to be trained.

    Attributes:
        model: The kind of model, as eflomal numbers them: 1 is IBM 1, 2 an HMM, 3 an HMM with fertilities.
        effort: How much training, beside the usual: below 1 it is the preset ``fast``, from 2 on ``best``.
        priors: Files of priors, if there are any.
    """

    model: int = 3
    effort: float = 1.0
    priors: tuple[Path, ...] = ()

    @property
    def preset(self) -> str:
        """The preset for so much effort."""
        return "fast" if self.effort < 1 else "default" if self.effort < 2 else "best"

    def aligner(self) -> Aligner:
        """An aligner that has not learned anything yet."""
        from pralign.aligner import Aligner

        model = {1: "ibm1", 2: "hmm"}.get(self.model)
        return Aligner(preset=self.preset, model=model, prior=self.priors or None, threads=threads())


def directed(alignment: Alignment, score: float = float("nan")) -> Directed:
    """The links of an alignment in each direction.

    Example:
        >>> found = directed(Alignment.of([(0, 0), (0, 1), (1, 1)], [0.9, 0.6, 0.8]))
        >>> found.forward, found.reverse
        ([(0, 0), (1, 1)], [(0, 0), (1, 1)])
    """
    weights = alignment.scores or (1.0,) * len(alignment.links)
    by_target: dict[int, tuple[float, Link]] = {}
    by_source: dict[int, tuple[float, Link]] = {}
    for link, weight in zip(alignment.links, weights, strict=True):
        for best, word in ((by_source, link[0]), (by_target, link[1])):
            if word not in best or weight > best[word][0]:
                best[word] = weight, link
    return Directed([by_target[j][1] for j in sorted(by_target)], [by_source[i][1] for i in sorted(by_source)], score)


def align(
    aligner: Aligner, pairs: Iterable[WordPair], listener: Listener | None = None, paths: bool = False
) -> Iterator[Directed]:
    """Train on pairs and answer each of them, in order; those with an empty side get no links.

    If all have one, nothing is trained. ``paths`` asks for the best path of each direction too.
    """
    from pralign.training.progress import ignore

    rest = iter(pairs)
    begun: list[WordPair] = []
    for pair in rest:
        begun.append(pair)
        if pair[0] and pair[1]:
            break
    else:
        yield from (NOTHING for _ in begun)
        return
    for answer in aligner.fit_decode(chain(begun, rest), listener=listener or ignore, directions=paths):
        found = directed(answer.alignment, answer.score)
        if answer.forward is not None and answer.reverse is not None:
            found = found._replace(paths=(answer.forward.links, answer.reverse.links))
        yield found


def text_of(links: Iterable[Link]) -> str:
    """Links as they are written, without the end of the line."""
    return " ".join([f"{i}-{j}" for i, j in links])
