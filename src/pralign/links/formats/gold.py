"""Hand-made alignments with sure and possible links: ``0-0 1?2``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pralign.links.formats.base import Record
from pralign.links.formats.inline import SURE, InlineFormat


class GoldFormat(InlineFormat):
    """One line a pair; ``i-j`` is a sure link, ``i?j`` a possible one, both counted from zero.

    A link given as sure and as possible is sure.
    """

    name = "gold"
    description = "i-j sure and i?j possible, one line a pair, from 0"
    holds_possible = True
    possible_mark = "?"
    expected = "links like 0-0 (sure) or 0?1 (possible)"

    def write(self, records: Iterable[Record], base: int) -> Iterator[str]:
        """Yield one line a pair, its links in sorted order."""
        for record in records:
            possible = record.alignment.possible
            yield " ".join(
                f"{i + base}{self.possible_mark if (i, j) in possible else SURE}{j + base}"
                for i, j in record.alignment.links
            )
