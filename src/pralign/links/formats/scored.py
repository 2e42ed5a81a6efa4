"""Links with their scores: ``0-0:0.912345 1-2:0.731000``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pralign.errors import InputError
from pralign.links.alignment import Alignment
from pralign.links.formats.base import ReadContext, Record, format_score
from pralign.links.formats.inline import InlineFormat


class ScoredFormat(InlineFormat):
    """One line a pair, ``i-j:score`` a link, with six decimals.

    SIL machine writes the same, sometimes with two scores, ``i-j:s1:s2``: the first is kept. Its links to
    ``NULL`` say that a word has no partner, which an alignment says by having no link, so they are skipped.
    Written files hold the sure links only.
    """

    name = "scored"
    description = "i-j:score, one line a pair, from 0; sure links only"
    holds_scores = True
    possible_mark = "?"
    link_scores = "required"
    skips_null = True
    expected = "links with a number as score, like 0-0:0.912345"

    def read(self, lines: Iterable[str], context: ReadContext) -> Iterator[Alignment]:
        """Yield the alignment of each line; an empty one has an empty tuple of scores, not ``None``."""
        for alignment in super().read(lines, context):
            yield alignment if alignment.links else replace(alignment, scores=())

    def write(self, records: Iterable[Record], base: int) -> Iterator[str]:
        """Yield one line a pair with its sure links and their scores.

        Raises:
            InputError: An alignment has links and no scores.
        """
        for number, record in enumerate(records, start=1):
            links, scores, possible = (
                record.alignment.links,
                record.alignment.scores,
                record.alignment.possible,
            )
            if links and scores is None:
                raise InputError(
                    f"pair {number}: scores are missing; the scored format needs one for each link, "
                    "formats such as pharaoh and gold need none"
                )
            yield " ".join(
                f"{i + base}-{j + base}:{format_score(score, number)}"
                for (i, j), score in zip(links, scores or (), strict=True)
                if (i, j) not in possible
            )
