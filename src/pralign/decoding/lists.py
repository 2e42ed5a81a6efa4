"""Many alignments of each pair of a block: the best ones, or samples, of each direction and of both together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.decoding.decoder import Links, joined_links
from pralign.decoding.draws import uniform_draws
from pralign.decoding.evidence import Evidence
from pralign.decoding.methods import SOFT_UNION
from pralign.errors import UsageError
from pralign.kernels.arrays import Double, Int, Lattice, Long
from pralign.kernels.paths import Paths, best_products
from pralign.links.alignment import Alignment
from pralign.links.nbest import AlignmentList, ListKind, WeightedAlignment
from pralign.links.symmetrization import Grid, get_symmetrizer
from pralign.models.base import DirectionalModel, check_own
from pralign.schema.arguments import check_argument

#: More alignments of each pair would make lines that no reader takes.
MOST = 10_000
#: How two paths become one alignment where settings ask for what needs posteriors.
HEURISTIC = "grow-diag-final-and"

_LARGEST_SEED = 2**63 - 1
# So many cells times alignments are worked on at a time.
_ROOM = 1_310_720


@dataclass(frozen=True)
class ListRequest:
    """Which alignments are wanted of each pair.

    Attributes:
        kind: ``"nbest"`` for the best ones, ``"samples"`` for some drawn at random by their probabilities.
        n: How many of each direction, and of both together.
        seed: What samples are drawn with; the same seed, model and number of a pair give the same samples.

    Example:
        >>> ListRequest("nbest", 0)
        Traceback (most recent call last):
        ...
        pralign.errors.UsageError: n has to be a whole number from 1 to 10000, not 0
    """

    kind: ListKind
    n: int
    seed: int = 0

    def __post_init__(self) -> None:
        check_argument(self.kind, ListKind, "kind")
        for name, value, least, most in (("n", self.n, 1, MOST), ("seed", self.seed, 0, _LARGEST_SEED)):
            form = f"a whole number from {least} to {most}"
            if not least <= check_argument(value, int, name, form) <= most:
                raise UsageError(f"{name} has to be {form}, not {value}")

    def check(self, model: type[DirectionalModel]) -> None:
        """Complain now of a kind of model that cannot do it, and not after hours of training.

        Raises:
            UsageError: It cannot.
        """
        check_own(model, "nbest" if self.kind == "nbest" else "sample")

    @property
    def most_cells(self) -> int:
        """How many cells a block should have, so that the lists of its pairs do not take too much memory."""
        return max(_ROOM // max(int(self.n), 10), 1)


class LinkLists(NamedTuple):
    """Lists of alignments as arrays: those of pair ``k`` are from ``start[k]`` to ``start[k + 1]`` in ``links``."""

    start: Long
    links: Links
    log_probability: Double

    def entries(self) -> Iterator[tuple[WeightedAlignment, ...]]:
        """Yield the list of each pair."""
        alignments, logarithms = self.links.alignments(), iter(self.log_probability.tolist())
        for begin, end in pairwise(self.start.tolist()):
            yield tuple(_weighted(next(alignments), next(logarithms)) for _ in range(end - begin))


class BlockLists(NamedTuple):
    """The lists of a block: of both directions together, and of each."""

    combined: LinkLists
    forward: LinkLists
    reverse: LinkLists

    def lists(self, kind: ListKind) -> Iterator[AlignmentList]:
        """Yield the lists of each pair."""
        parts = zip(self.combined.entries(), self.forward.entries(), self.reverse.entries(), strict=True)
        for combined, forward, reverse in parts:
            yield AlignmentList(combined, forward, reverse, kind)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of it by name, to be stored."""
        found: dict[str, NDArray[Any]] = {}
        for name, part in self._asdict().items():
            found |= {f"{name}.start": part.start, f"{name}.log_probability": part.log_probability}
            found |= {f"{name}.{field}": getattr(part.links, field) for field in ("edges", "source", "target")}
        return found

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> BlockLists:
        """What was stored."""

        def part(name: str) -> LinkLists:
            links = Links(arrays[f"{name}.edges"], arrays[f"{name}.source"], arrays[f"{name}.target"], None)
            return LinkLists(arrays[f"{name}.start"], links, arrays[f"{name}.log_probability"])

        return cls(*map(part, cls._fields))


def list_alignments(evidence: Evidence, request: ListRequest, symmetrize: str, numbers: Long) -> BlockLists:
    """The alignments of a block that are wanted.

    Args:
        evidence: What the model says of the block.
        request: What is wanted.
        symmetrize: How two directions become one; soft union, which needs posteriors, means :data:`HEURISTIC`.
        numbers: The number of each pair in its text, on which samples depend.
    """
    lattices, n = evidence.lattices, request.n
    if request.kind == "nbest":
        forward, reverse = evidence.model.nbest(lattices, n)
        partners = np.empty((numbers.size, n, 2), np.int32)
        tables = [(paths.found, paths.log_probability) for paths in (forward, reverse)]
        count = best_products(*tables, n, partners)
    else:
        words = [np.diff(lattice.observed_start) for lattice in (lattices.forward, lattices.reverse)]
        draws = [uniform_draws(request.seed, numbers, side, words[side], n) for side in (0, 1)]
        forward, reverse = evidence.model.sample(lattices, n, (draws[0], draws[1]))
        partners = np.broadcast_to(np.arange(n)[:, None], (numbers.size, n, 2))
        count = np.minimum(forward.found, reverse.found)
    sides = _Side(forward, lattices.forward, True), _Side(reverse, lattices.reverse, False)
    heuristic = HEURISTIC if symmetrize == SOFT_UNION else symmetrize
    chosen = [partners[k, : count[k]] for k in range(numbers.size)]
    return BlockLists(_combined(sides, chosen, heuristic), sides[0].lists(), sides[1].lists())


class _Side(NamedTuple):
    """The alignments of one direction of a block."""

    paths: Paths
    lattice: Lattice
    is_forward: bool

    def states(self, k: int) -> Int:
        """The alignments of a pair, a row each."""
        first, last = self.lattice.observed_start[k : k + 2].tolist()
        begin, count = self.paths.most * first, int(self.paths.found[k])
        return self.paths.state[begin : begin + count * (last - first)].reshape(count, last - first)

    def lists(self) -> LinkLists:
        """All of them as links, source first."""
        grids, logarithms = [], []
        for k, count in enumerate(self.paths.found.tolist()):
            states = self.states(k)
            entry, word = np.nonzero(states >= 0)
            state = states[entry, word]
            order = np.lexsort((state, entry))  # which leaves words in their order
            by_state = count, entry[order], state[order], word[order]
            grids.append(by_state if self.is_forward else (count, entry, word, state))
            logarithms.append(self.paths.log_probability[k, :count])
        return _link_lists(grids, logarithms)

    def grid(self, states: Int, shape: tuple[int, int]) -> Grid:
        """One of them as a grid of source words × target words."""
        grid = np.zeros(shape, np.bool_)
        [words] = np.nonzero(states >= 0)
        grid[(states[words], words) if self.is_forward else (words, states[words])] = True
        return grid


def _combined(sides: tuple[_Side, _Side], partners: Sequence[Int], heuristic: str) -> LinkLists:
    """For each pair, the alignments that combine these of both directions."""
    symmetrizer = get_symmetrizer(heuristic)
    grids, logarithms = [], []
    for k, numbers in enumerate(partners):
        shape = int(sides[0].lattice.states[k]), int(sides[1].lattice.states[k])
        forward, reverse = (side.states(k) for side in sides)
        cells = [
            np.flatnonzero(symmetrizer(sides[0].grid(forward[a], shape), sides[1].grid(reverse[b], shape)))
            for a, b in numbers.tolist()
        ]
        entry = np.repeat(np.arange(len(cells)), [each.size for each in cells])
        rows, columns = np.divmod(np.concatenate([np.empty(0, np.int64), *cells]), shape[1])
        grids.append((len(cells), entry, rows, columns))
        logarithms.append(sum(side.paths.log_probability[k, numbers[:, place]] for place, side in enumerate(sides)))
    return _link_lists(grids, logarithms)


_Cells = tuple[int, NDArray[Any], NDArray[Any], NDArray[Any]]


def _link_lists(grids: Sequence[_Cells], logarithms: Sequence[Any]) -> LinkLists:
    """Lists of alignments of which each pair has a number, and links in order: whose, source words, target words."""
    none = np.empty(0, np.int32)
    sizes = [np.bincount(entry, minlength=count) for count, entry, *_ in grids]
    links = Links(
        np.cumsum(np.concatenate([np.zeros(1, np.int64), *sizes])),
        np.concatenate([none, *(source for *_, source, _ in grids)]).astype(np.int32),
        np.concatenate([none, *(target for *_, target in grids)]).astype(np.int32),
        None,
    )
    start = np.cumsum([0, *(count for count, *_ in grids)], dtype=np.int64)
    return LinkLists(start, links, np.concatenate([np.empty(0), *logarithms]))


def joined_lists(parts: Sequence[BlockLists]) -> BlockLists:
    """The lists of several blocks."""

    def joined(each: Sequence[LinkLists]) -> LinkLists:
        sizes = [np.zeros(1, np.int64), *(np.diff(part.start) for part in each)]
        logarithms = [np.empty(0), *(part.log_probability for part in each)]
        links = joined_links([part.links for part in each])
        return LinkLists(np.cumsum(np.concatenate(sizes)), links, np.concatenate(logarithms))

    return BlockLists(*(joined(kind) for kind in zip(*parts, strict=True)))


def _weighted(alignment: Alignment, logarithm: float) -> WeightedAlignment:
    """An alignment with its probability, which rounding must not lift above one."""
    return WeightedAlignment(alignment, math.exp(min(logarithm, 0.0)))
