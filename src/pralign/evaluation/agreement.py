"""How far two annotators agree who have labelled the same sentence pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pralign.errors import InputError
from pralign.evaluation.corpus import given_alignments
from pralign.evaluation.intervals import SAMPLES, Interval, middle
from pralign.evaluation.resampling import check_drawing, sample_weights
from pralign.evaluation.significance import FEWEST_PAIRS
from pralign.links.alignment import Alignment, Link
from pralign.links.bounds import Lengths, check_bounds
from pralign.signature import Signature
from pralign.text.pairing import paired


@dataclass(frozen=True, slots=True)
class LinkAgreement:
    """How many links two annotators have, by what each of them says: nothing, sure or possible.

    Counts add, and ``LinkAgreement()`` is their zero. The first word of a name is what the first annotator says.

    Attributes:
        sure_sure: Links that both are sure of.
        sure_possible: Links that are sure for the first and possible for the second.
        sure_none: Sure links that only the first has.
        possible_sure: Links that are possible for the first and sure for the second.
        possible_possible: Links that both find possible.
        possible_none: Possible links that only the first has.
        none_sure: Sure links that only the second has.
        none_possible: Possible links that only the second has.
        cells: How many links there could be: source words times target words. 0 where lengths are not known.

    Example:
        >>> from pralign.evaluation import agreement
        >>> counts = agreement(["0-0 1-1"], ["0-0 1?1"]).counts
        >>> isinstance(counts, LinkAgreement), counts.sure_sure, counts.sure_possible
        (True, 1, 1)
    """

    sure_sure: int = 0
    sure_possible: int = 0
    sure_none: int = 0
    possible_sure: int = 0
    possible_possible: int = 0
    possible_none: int = 0
    none_sure: int = 0
    none_possible: int = 0
    cells: int = 0

    def __add__(self, other: LinkAgreement) -> LinkAgreement:
        return LinkAgreement(*map(sum, zip(astuple(self), astuple(other), strict=True)))

    @property
    def both(self) -> int:
        """The links of both, whatever their kinds."""
        return self.sure_sure + self.possible_possible + self.other_kind

    @property
    def other_kind(self) -> int:
        """The links of both that are sure for one and possible for the other."""
        return self.sure_possible + self.possible_sure

    @property
    def first(self) -> tuple[int, int]:
        """How many sure and how many possible links the first annotator has."""
        sure = self.sure_sure + self.sure_possible + self.sure_none
        return sure, self.possible_sure + self.possible_possible + self.possible_none

    @property
    def second(self) -> tuple[int, int]:
        """How many sure and how many possible links the second annotator has."""
        sure = self.sure_sure + self.possible_sure + self.none_sure
        return sure, self.sure_possible + self.possible_possible + self.none_possible

    @property
    def links(self) -> float:
        """2·|A∩B| / (|A| + |B|) over all links, sure or possible; 1 where neither has any."""
        return _dice(self.both, sum(self.first) + sum(self.second))

    @property
    def sure(self) -> float:
        """The same of the sure links alone."""
        return _dice(self.sure_sure, self.first[0] + self.second[0])

    @property
    def possible(self) -> float:
        """The same of the links that are only possible."""
        return _dice(self.possible_possible, self.first[1] + self.second[1])

    @property
    def same_kind(self) -> float | None:
        """Of the links that both have, the share that are of the same kind; ``None`` where there are none."""
        return None if not self.both else (self.both - self.other_kind) / self.both

    @property
    def kappa(self) -> float | None:
        """Cohen's κ over all cells, each being nothing, sure or possible; ``None`` where it is not defined."""
        agreed = self.sure_sure + self.possible_possible
        return self._kappa(agreed, self.first, self.second)

    @property
    def kappa_linked(self) -> float | None:
        """Cohen's κ over all cells, each being linked or not; ``None`` where it is not defined."""
        return self._kappa(self.both, (sum(self.first),), (sum(self.second),))

    @property
    def aer(self) -> tuple[float, float]:
        """The alignment error rate of the first, judged by the second, and of the second, judged by the first."""
        mine, theirs = self.first, self.second
        return (
            _error(self.sure_sure + self.possible_sure + self.both, sum(mine) + theirs[0]),
            _error(self.sure_sure + self.sure_possible + self.both, sum(theirs) + mine[0]),
        )

    def _kappa(self, agreed: int, first: tuple[int, ...], second: tuple[int, ...]) -> float | None:
        """κ of categories with so many cells each; all other cells are of one more category.

        Whole numbers up to the one division, so that equal agreement is an equal number.
        """
        cells = self.cells
        if not cells:
            return None
        neither = cells - sum(self.first) - sum(self.second) + self.both
        counted = zip((*first, cells - sum(first)), (*second, cells - sum(second)), strict=True)
        by_chance = sum(mine * theirs for mine, theirs in counted)
        return None if by_chance == cells**2 else (cells * (agreed + neither) - by_chance) / (cells**2 - by_chance)


class Difference(NamedTuple):
    """A pair that two annotators have labelled differently.

    Attributes:
        number: The number of the pair, from one.
        agreement: How far they agree on its links.
        only_first: The links that only the first has, and which of them are only possible.
        only_second: The links that only the second has, likewise.
        other_kind: The links of both that are sure for one and possible for the other, as the first has them.

    Example:
        >>> from pralign.evaluation import agreement
        >>> [first, *_] = agreement(["0-0 1-1", "0-0"], ["0-0 1-1", "0-0 1-1"]).differences
        >>> isinstance(first, Difference), first.number, str(first.only_second)
        (True, 2, '1-1')
    """

    number: int
    agreement: float
    only_first: Alignment
    only_second: Alignment
    other_kind: Alignment

    def as_dict(self) -> dict[str, Any]:
        """The same, ready for JSON; links as in a gold file."""
        links = {name: str(getattr(self, name)).split() for name in ("only_first", "only_second", "other_kind")}
        return {"pair": self.number, "agreement": self.agreement, **links}


class Coverage(NamedTuple):
    """How many pairs each of two annotators has labelled.

    Attributes:
        both: Pairs that both have labelled, which are compared.
        first_only: Pairs that only the first has labelled.
        second_only: Pairs that only the second has labelled.
        neither: Pairs that nobody has labelled.
        skipped_by_first: Pairs that the first has looked at and left out; they are among the above.
        skipped_by_second: Pairs that the second has left out.
    """

    both: int
    first_only: int
    second_only: int
    neither: int
    skipped_by_first: int
    skipped_by_second: int


@dataclass(frozen=True)
class Agreement:
    """How far two annotators agree.

    Attributes:
        counts: What they say of links, over all pairs that both have labelled.
        coverage: How many pairs these are, and how many others there are.
        interval: Between which values the agreement on links lies in 95 % of bootstrap samples of the pairs; ``None``
            for fewer than 20 pairs, which are too few to tell.
        differences: The pairs that are labelled differently, those with the least agreement first.
        seed: What the samples were drawn with.
        samples: How many there were.

    Example:
        >>> from pralign.evaluation import agreement
        >>> found = agreement(["0-0 1-1", "0-0"], ["0-0 1?1", "0-0 1-1"])
        >>> isinstance(found, Agreement), found.counts.sure_sure, found.interval
        (True, 2, None)
    """

    counts: LinkAgreement
    coverage: Coverage
    interval: Interval | None
    differences: Sequence[Difference]
    samples: int = SAMPLES
    seed: int = 0

    @property
    def signature(self) -> Signature:
        """What the numbers were computed from."""
        drawn = {} if self.interval is None else {"bootstrap": self.samples, "seed": self.seed}
        return Signature.of(metric="agreement", cells=self.counts.cells or None, pairs=self.coverage.both, **drawn)

    def as_dict(self, most: int | None = None) -> dict[str, Any]:
        """All numbers, from 0 to 1 (κ from -1), and the first ``most`` differences, ready for JSON."""
        counts = self.counts
        (sure, possible), (other_sure, other_possible) = counts.first, counts.second
        return {
            "pairs": self.coverage._asdict(),
            "agreement": counts.links,
            "agreement_interval": None if self.interval is None else list(self.interval),
            "agreement_sure": counts.sure,
            "agreement_possible": counts.possible,
            "same_kind": counts.same_kind,
            "kappa": counts.kappa,
            "kappa_linked": counts.kappa_linked,
            "aer": dict(zip(("first", "second"), counts.aer, strict=True)),
            "links": {
                "both": counts.both,
                "first": {"sure": sure, "possible": possible},
                "second": {"sure": other_sure, "possible": other_possible},
                "cells": counts.cells or None,
            },
            "differing_pairs": len(self.differences),
            "differences": [difference.as_dict() for difference in self.differences[:most]],
            "signature": str(self.signature),
        }


def agreement(
    first: Iterable[Alignment | str] | str | Path,
    second: Iterable[Alignment | str] | str | Path,
    *,
    lengths: Iterable[Lengths] | None = None,
    names: tuple[str, str, str] = ("the first", "the second", "the text"),
    bases: tuple[int, int] = (0, 0),
    samples: int = SAMPLES,
    seed: int = 0,
) -> Agreement:
    """Compare the links of two annotators, over all pairs that both have labelled.

    The agreement on links, 2·|A∩B| / (|A| + |B|), does not know how hard it is to agree. Cohen's κ does: 0 is what two
    would have who draw as many links as these, anywhere, and 1 is perfect. It needs to know where there could have
    been links, so only ``lengths`` allow for it. Nearly all cells have no link, so that chance agrees on little, and κ
    of linked or not is close to the agreement on links.

    Args:
        first: The alignments of one annotator, or the file that holds them, or text as in a gold file.
        second: Those of the other, in the same order.
        lengths: The numbers of source and target words of each pair.
        names: What messages call the two, and the text.
        bases: What the files count words from, for messages.
        samples: How many bootstrap samples the interval rests on.
        seed: What they are drawn with.

    Raises:
        InputError: The inputs have different numbers of lines, a link joins a word that is not there, or there is no
            pair that both have labelled.

    Example:
        >>> found = agreement(["0-0 1-1", "none", ""], ["0-0 1?1 2-1", "none", "0-0"], lengths=[(3, 2)] * 3)
        >>> found.counts.links, found.counts.sure, found.coverage.both, found.coverage.second_only
        (0.8, 0.5, 2, 1)
        >>> found.differences[0].only_second.links
        ((2, 1),)
    """
    check_drawing(samples, seed)
    rows: Iterable[tuple[Alignment, Alignment]] = paired(
        given_alignments(first, names[0], is_gold=True), given_alignments(second, names[1], is_gold=True), names[:2]
    )
    sized: Iterable[tuple[tuple[Alignment, Alignment], Lengths | None]] = ((row, None) for row in rows)
    if lengths is not None:
        sized = paired(rows, lengths, (names[0], names[2]))
    states, counted, differences = Counter[tuple[str, str]](), list[LinkAgreement](), list[Difference]()
    for number, ((one, other), size) in enumerate(sized, start=1):
        for alignment, name, base in zip((one, other), names[:2], bases, strict=True):
            if size is not None:
                check_bounds(alignment, size, f"{name}, line {number}", base)
        states[one.state, other.state] += 1
        if one.is_labelled and other.is_labelled:
            counted.append(_count(one, other, size))
            differences += _difference(number, one, other, counted[-1])
    if not counted:
        raise InputError(f"{names[0]} and {names[1]} have no pair that both have labelled, so there is no comparing")
    differences.sort(key=lambda pair: (pair.agreement, -_size(pair), pair.number))
    interval = _interval(counted, samples, seed) if len(counted) >= FEWEST_PAIRS else None
    return Agreement(sum(counted, LinkAgreement()), _coverage(states), interval, differences, samples, seed)


def _count(one: Alignment, other: Alignment, size: Lengths | None) -> LinkAgreement:
    mine, theirs = (one.sure, one.possible), (other.sure, other.possible)
    all_mine, all_theirs = frozenset(one.links), frozenset(other.links)
    return LinkAgreement(
        sure_sure=len(mine[0] & theirs[0]),
        sure_possible=len(mine[0] & theirs[1]),
        sure_none=len(mine[0] - all_theirs),
        possible_sure=len(mine[1] & theirs[0]),
        possible_possible=len(mine[1] & theirs[1]),
        possible_none=len(mine[1] - all_theirs),
        none_sure=len(theirs[0] - all_mine),
        none_possible=len(theirs[1] - all_mine),
        cells=0 if size is None else size[0] * size[1],
    )


def _difference(number: int, one: Alignment, other: Alignment, counts: LinkAgreement) -> list[Difference]:
    def differs(link: Link) -> bool:
        return (link in one.possible) != (link in other.possible)

    mine, theirs = frozenset(one.links), frozenset(other.links)
    only = one.only(lambda link: link not in theirs), other.only(lambda link: link not in mine)
    kinds = one.only(lambda link: link in theirs and differs(link))
    found = Difference(number, counts.links, *only, kinds)
    return [found] if _size(found) else []


def _size(pair: Difference) -> int:
    return len(pair.only_first) + len(pair.only_second) + len(pair.other_kind)


def _coverage(states: Counter[tuple[str, str]]) -> Coverage:
    mine = sum(count for (state, _), count in states.items() if state == "labelled")
    theirs = sum(count for (_, state), count in states.items() if state == "labelled")
    both = states["labelled", "labelled"]
    skipped = [sum(count for key, count in states.items() if key[side] == "skipped") for side in (0, 1)]
    return Coverage(both, mine - both, theirs - both, states.total() - mine - theirs + both, *skipped)


def _interval(counted: Sequence[LinkAgreement], samples: int, seed: int) -> Interval:
    import numpy as np

    table = np.array([(2 * each.both, sum(each.first) + sum(each.second)) for each in counted], np.int64)
    values = []
    for weights in sample_weights(len(counted), samples, seed):
        shared, links = (weights @ table).T
        values.append(np.where(links > 0, shared / np.maximum(links, 1), 1.0))
    return middle(np.concatenate(values))


def _dice(both: int, links: int) -> float:
    return 2 * both / links if links else 1.0


def _error(right: int, links: int) -> float:
    return 1 - right / links if links else 0.0
