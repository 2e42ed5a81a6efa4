"""What the links of a text say of its words, as priors for another text: the files that eflomal reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

from pralign.errors import InputError
from pralign.links.alignment import Alignment, Link

__all__ = ["CountedPriors", "links_in_order", "write_priors"]


class _Writable(Protocol):
    def write(self, text: str, /) -> object: ...


@dataclass
class CountedPriors:
    """How often words were linked, how far apart links of neighbouring words were, and how many links words had.

    Counts add: those of two texts together are those of the one and those of the other. The forward direction is that
    of target words, each of which goes with a source word.

    Attributes:
        pairs: How often a source word was linked to a target word, forward.
        forward_jumps: How often the source position went up by so much from one linked target word to the next. A
            sentence begins before its first word and ends after its last.
        reverse_jumps: The same for target positions, from one linked source word to the next.
        forward_fertilities: How often a source word had so many forward links.
        reverse_fertilities: How often a target word had so many reverse links.

    Example:
        >>> priors = CountedPriors()
        >>> priors.add(["the", "house"], ["la", "maison"], [(0, 0), (1, 1)], [(0, 0), (1, 1)])
        >>> priors.pairs["house", "maison"], priors.forward_jumps[1], priors.forward_fertilities["house", 1]
        (1, 3, 1)
    """

    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    forward_jumps: Counter[int] = field(default_factory=Counter)
    reverse_jumps: Counter[int] = field(default_factory=Counter)
    forward_fertilities: Counter[tuple[str, int]] = field(default_factory=Counter)
    reverse_fertilities: Counter[tuple[str, int]] = field(default_factory=Counter)

    def add(
        self, source: Sequence[str], target: Sequence[str], forward: Iterable[Link], reverse: Iterable[Link]
    ) -> None:
        """Count one sentence pair with its forward and its reverse links, all of them source first.

        Like eflomal, this counts a link as often as it comes. If a word has several links, their order matters: the
        first is where it was jumped to, and the last is where the next jump begins. Links of an ``Alignment`` come once
        and sorted; :func:`links_in_order` reads them as a file has them.

        Raises:
            InputError: A link joins a word that is not there.

        Example:
            >>> priors = CountedPriors()
            >>> priors.add(["a", "b"], ["un"], [(1, 0), (0, 0)], [(0, 0), (0, 0)])
            >>> sorted(priors.forward_jumps), priors.reverse_fertilities
            ([2], Counter({('un', 2): 1}))
        """
        forward, reverse = list(forward), list(reverse)
        for i, j in (*forward, *reverse):
            if i >= len(source) or j >= len(target):
                raise InputError(
                    f"the link {i}-{j} is out of bounds: the pair has {len(source)} by {len(target)} words"
                )
        self.pairs.update((source[i], target[j]) for i, j in forward)
        self.forward_jumps.update(_jumps(((j, i) for i, j in forward), len(source)))
        self.reverse_jumps.update(_jumps(reverse, len(target)))
        self.forward_fertilities.update((source[i], n) for i, n in Counter(i for i, _ in forward).items())
        self.reverse_fertilities.update((target[j], n) for j, n in Counter(j for _, j in reverse).items())


def links_in_order(line: str) -> list[Link]:
    """The links of a line such as ``2-0 0-0 0-0`` as they stand there: repeated, and in this order.

    Raises:
        InputError: What stands there is no link.

    Example:
        >>> links_in_order("2-0 0-0 0-0"), Alignment.of("2-0 0-0 0-0").links
        ([(2, 0), (0, 0), (0, 0)], ((0, 0), (2, 0)))
    """
    return [_link(token) for token in line.split()]


@lru_cache(1 << 16)
def _link(token: str) -> Link:
    [link] = Alignment.of(token).links
    return link


def write_priors(stream: _Writable, priors: CountedPriors) -> None:
    r"""Write priors as eflomal reads them: lines with tabs, each kind sorted, words as they are.

    Example:
        >>> import io
        >>> priors, stream = CountedPriors(), io.StringIO()
        >>> priors.add(["a"], ["un"], [(0, 0)], [(0, 0)])
        >>> write_priors(stream, priors)
        >>> stream.getvalue().splitlines()
        ['LEX\ta\tun\t1', 'FERF\ta\t1\t1', 'FERR\tun\t1\t1', 'HMMF\t1\t2', 'HMMR\t1\t2']
    """
    for line in _lines(priors):
        stream.write(line)


def _lines(priors: CountedPriors) -> Iterator[str]:
    for (source, target), count in sorted(priors.pairs.items()):
        yield f"LEX\t{source}\t{target}\t{count:g}\n"
    for kind, fertilities in (("FERF", priors.forward_fertilities), ("FERR", priors.reverse_fertilities)):
        for (word, fertility), count in sorted(fertilities.items()):
            yield f"{kind}\t{word}\t{fertility}\t{count:g}\n"
    for kind, jumps in (("HMMF", priors.forward_jumps), ("HMMR", priors.reverse_jumps)):
        for jump, count in sorted(jumps.items()):
            yield f"{kind}\t{jump}\t{count:g}\n"


def _first(pair: tuple[int, int]) -> int:
    return pair[0]


def _jumps(links: Iterable[tuple[int, int]], end: int) -> Iterator[int]:
    """How far each word's place is from that of the word before, for links as (word, place).

    Of a word with several places, the first is where it was jumped to, and the last where the next jump begins.
    """
    last_word = last_place = -1
    for word, place in sorted(links, key=_first):
        if word != last_word:
            yield place - last_place
        last_word, last_place = word, place
    yield end - last_place
