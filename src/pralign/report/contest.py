"""Which pairs to label to find out which of two systems is better, and how many of them."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pralign.evaluation import PairsNeeded, disagreement, pairs_needed
from pralign.evaluation.significance import FEWEST_PAIRS
from pralign.links.alignment import Alignment
from pralign.report.inputs import ReportInput
from pralign.report.tables import Column, Table

SHARES = (0.55, 0.6, 2 / 3, 0.75, 0.9)
USUAL = 2 / 3
"""The share of what differs that the better system is taken to be right about, where a single number is needed."""

CAREFUL = 0.5
"""The share of what differs that labels are taken to decide, where a number of pairs is to be safe."""

LONGEST = 60
"""Nobody labels longer sentences."""

PREFIX = "todo"
ENDINGS = ("src", "tgt", "first.links", "second.links", "tsv")


@dataclass(frozen=True)
class Contest:
    """Two systems without a gold, and the pairs where they differ.

    Only these pairs can tell which one is better: where both draw the same links, both make the same errors. A pair
    that comes again with the same links is one pair here.

    Attributes:
        inputs: The report they are from.
        differing: The places in the report of the different pairs in which the links differ, in the order of the text.
        too_long: How many more there are that nobody would label.
    """

    inputs: ReportInput
    differing: Sequence[int]
    too_long: int

    @classmethod
    def of(cls, inputs: ReportInput) -> Contest | None:
        """The contest of a report of exactly two systems and no gold; of others there is none."""
        if inputs.golds is not None or len(inputs.systems) != 2:
            return None
        found, too_long = {}, 0
        first, second = (system.alignments for system in inputs.systems)
        for k, (pair, one, other) in enumerate(zip(inputs.pairs, first, second, strict=True)):
            links = frozenset(one.links), frozenset(other.links)
            key = (*map(tuple, pair), *links)
            if links[0] != links[1] and key not in found:
                found[key] = k
        short = [k for k in found.values() if max(inputs.lengths[k]) <= LONGEST]
        too_long = len(found) - len(short)
        return cls(inputs, short, too_long)

    @property
    def sizes(self) -> list[int]:
        """How many links only one system draws, in each of the pairs."""
        first, second = (system.alignments for system in self.inputs.systems)
        found = (disagreement(first[k], second[k]) for k in self.differing)
        return [each.first + each.second for each in found]

    @cached_property
    def needed(self) -> list[tuple[PairsNeeded, PairsNeeded]]:
        """How many pairs to label, for different shares of what differs that the better system is right about.

        First if the labels decide all that differs, then if they decide only half of it.
        """
        return [(pairs_needed(self.sizes, share), pairs_needed(self.sizes, share, CAREFUL)) for share in SHARES]

    @property
    def advised(self) -> int:
        """How many pairs to label where nobody says how many."""
        return min(len(self.differing), pairs_needed(self.sizes, USUAL, CAREFUL).together)

    def drawn(self, count: int | None = None) -> list[int]:
        """So many of the differing pairs, drawn at random, in random order.

        The first of them are a sample too, whatever their number.
        """
        chance = random.Random(self.inputs.seed)
        return chance.sample(self.differing, min(len(self.differing), self.advised if count is None else count))

    def doubt(self, count: int) -> str:
        """Why labels of so many pairs would not tell which system is better, and what to do; nothing if they might."""
        if count >= FEWEST_PAIRS:
            return ""
        if len(self.differing) >= FEWEST_PAIRS:
            cure = f"draw at least {FEWEST_PAIRS}, with --label-count"
        else:
            cure = "look at more pairs, with --sample" if self.inputs.is_sampled else "take more text"
        return f"with fewer than {FEWEST_PAIRS} labelled pairs nobody can tell whether a difference is chance; {cure}"

    @property
    def table(self) -> Table:
        """How many pairs it takes."""
        rows = []
        for least, careful in self.needed:
            enough = careful.together <= len(self.differing)
            rows.append([least.share, least.fewer_errors, least.apart, careful.together, enough])
        columns = (
            Column("share", "right about", "percent"),
            Column("fewer_errors", "fewer errors a differing pair", "mean"),
            Column("apart", "pairs at least", "count"),
            Column("together", "pairs to be safe", "count"),
            Column("enough", "so many differ", "truth"),
        )
        return Table("to_label", "How many pairs to label", self._note, columns, rows)

    @property
    def _note(self) -> str:
        one, other = (system.name for system in self.inputs.systems)
        long = f" ({self.too_long:,} more have over {LONGEST} words and are left out)" if self.too_long else ""
        drawn = (
            f" Of the text, {len(self.inputs.pairs):,} pairs were looked at, drawn at random; what is often in it is "
            "likelier to be among them."
            if self.inputs.is_sampled
            else ""
        )
        return (
            f"Without labels nobody knows whether {one} or {other} is better. Only the {len(self.differing):,} "
            f"different pairs in which their links differ{long} can tell: where both draw the same links, both make "
            "the same errors. Drawn at random, they give a fair answer; the most different ones would not, since they "
            "are not like the others. How many it takes depends on how much better one is, which is not known. "
            "Suppose that, of the links in dispute that the labels decide, it is right about the share in the first "
            "column; the second one says how many errors fewer it then makes a pair, if the labels decide all. So many "
            "pairs show it in four of five cases (p below 0.05): at least, if the labels decide every link in dispute, "
            "each on its own; to be safe, if they decide only half of them, since a link that is merely possible "
            "speaks for neither system, and if all those of a pair go to the same one. Decide on a number before you "
            "begin: who looks again and again, and stops when it suits, finds differences that are not there."
            f"{drawn}"
        )

    def commands(self, prefix: str = PREFIX) -> list[str]:
        """What to run when the pairs are in the files that begin with ``prefix``: to label them, and to compare."""
        files = {ending: shlex.quote(f"{prefix}.{ending}") for ending in (*ENDINGS, "gold")}
        return [
            f"pralign label {files['src']} {files['tgt']} --gold {files['gold']} --test",
            f"pralign evaluate {files['first.links']} {files['gold']} --compare {files['second.links']} --by errors",
        ]

    def as_dict(self, prefix: str = PREFIX) -> dict[str, Any]:
        """What the page says besides the table, ready for JSON."""
        return {
            "systems": [system.name for system in self.inputs.systems],
            "differing": len(self.differing),
            "too_long": self.too_long,
            "advised": self.advised,
            "commands": self.commands(prefix),
        }


def files_to_label(contest: Contest, chosen: Sequence[int]) -> Iterator[list[str]]:
    """The lines of the files with the ``ENDINGS``, one after the other: the words, the links, where pairs are from."""
    inputs = contest.inputs
    for side in (0, 1):
        yield [" ".join(inputs.pairs[k][side]) for k in chosen]
    first, second = (system.alignments for system in inputs.systems)
    for alignments in (first, second):
        yield [str(Alignment.unchecked(alignments[k].links)) for k in chosen]
    rows = ((inputs.lines[k], disagreement(first[k], second[k])) for k in chosen)
    yield ["line\tboth\tonly first\tonly second", *(f"{n + 1}\t{d.both}\t{d.first}\t{d.second}" for n, d in rows)]
