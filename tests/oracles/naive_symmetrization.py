"""The heuristics of Moses with sets of links."""

from __future__ import annotations

from collections.abc import Callable, Iterable

Links = frozenset[tuple[int, int]]


def free_words(link: tuple[int, int], links: Iterable[tuple[int, int]]) -> int:
    """How many of the two words of a link have no other link yet."""
    taken = set(links)
    return (link[0] not in {i for i, _ in taken}) + (link[1] not in {j for _, j in taken})


def touches(link: tuple[int, int], links: Iterable[tuple[int, int]]) -> bool:
    """Whether one of the eight neighbours of a link is there."""
    return any(max(abs(link[0] - i), abs(link[1] - j)) == 1 for i, j in links)


def grow_diag(forward: Links, reverse: Links) -> Links:
    grown = set(forward & reverse)
    while True:
        before = len(grown)
        for link in sorted(forward | reverse):
            if link not in grown and free_words(link, grown) and touches(link, grown):
                grown.add(link)
        if len(grown) == before:
            return frozenset(grown)


def final(grown: Links, forward: Links, reverse: Links, least: int) -> Links:
    """Add the links of each direction that have at least so many free words."""
    links = set(grown)
    for direction in (forward, reverse):
        for link in sorted(direction):
            if free_words(link, links) >= least:
                links.add(link)
    return frozenset(links)


NAIVE: dict[str, Callable[[Links, Links], Links]] = {
    "intersection": lambda forward, reverse: forward & reverse,
    "union": lambda forward, reverse: forward | reverse,
    "forward": lambda forward, reverse: forward,
    "reverse": lambda forward, reverse: reverse,
    "grow-diag": grow_diag,
    "grow-diag-final": lambda forward, reverse: final(grow_diag(forward, reverse), forward, reverse, 1),
    "grow-diag-final-and": lambda forward, reverse: final(grow_diag(forward, reverse), forward, reverse, 2),
}
