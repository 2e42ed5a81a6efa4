"""Hand-made alignments with sure and possible links: ``0-0 1?2``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from pralign.links.alignment import Alignment
from pralign.links.formats.base import Record
from pralign.links.formats.inline import InlineFormat, marked_links

NONE = "none"
"""The line of a pair that was labelled and has no link at all."""

SKIPPED = "skipped"
"""The line of a pair that somebody has looked at and left out."""

STATES: Mapping[str, Alignment] = MappingProxyType(
    {NONE: Alignment(), SKIPPED: Alignment(state="skipped"), "": Alignment(state="unlabelled")}
)
"""What a line without links stands for."""

_LINES = {"labelled": NONE, "skipped": SKIPPED, "unlabelled": ""}


class GoldFormat(InlineFormat):
    """One line a pair; ``i-j`` is a sure link, ``i?j`` a possible one, both counted from zero.

    A link given as sure and as possible is sure. A line ``none`` is a pair that was labelled and has no link, a line
    ``skipped`` one that somebody has looked at and left out, and a blank line one that nobody has labelled yet.
    """

    name = "gold"
    description = "i-j sure and i?j possible, or none, or skipped, one line a pair, from 0"
    holds_possible = True
    possible_mark = "?"
    without_links = STATES
    expected = "links like 0-0 (sure) or 0?1 (possible), or none or skipped as the only word of its line"

    def write(self, records: Iterable[Record], base: int) -> Iterator[str]:
        """Yield one line a pair: its links in sorted order, or what is known of a pair without any."""
        for record in records:
            links = marked_links(record.alignment, self.possible_mark, base)
            yield links or _LINES[record.alignment.state]
