"""The TALP format of the lilt alignment scripts: ``1-1 2p3``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pralign.links.formats.base import Record
from pralign.links.formats.inline import InlineFormat, marked_links


class TalpFormat(InlineFormat):
    """One line a pair; ``i-j`` is a sure link, ``ipj`` a possible one.

    The same file ending is used for references counted from one and for system output counted from zero, and
    nothing in a file tells them apart reliably. So the base is zero unless the caller says otherwise, and
    ``base_is_ambiguous`` asks programs to say which one they used.
    """

    name = "talp"
    description = "i-j sure and ipj possible, one line a pair, from 0 or 1 (say which)"
    base_is_ambiguous = True
    holds_possible = True
    possible_mark = "p"
    expected = "links like 0-0 (sure) or 0p1 (possible)"

    def write(self, records: Iterable[Record], base: int) -> Iterator[str]:
        """Yield one line a pair, its links in sorted order."""
        for record in records:
            yield marked_links(record.alignment, self.possible_mark, base)
