"""The Pharaoh format: ``0-0 1-2 2-1``, the one every tool understands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pralign.links.formats.base import Record, sure_links
from pralign.links.formats.inline import InlineFormat


class PharaohFormat(InlineFormat):
    """One line a pair, ``i-j`` a link, counted from zero, source first; also known as the Moses format.

    Writing is strict, because programs that use such files (Marian, for one) do not check them: only the
    sure links, only as ``i-j``, and an empty line for an empty alignment. Reading is lenient, so that any
    one-line output of this package can be read as a hypothesis: ``i?j`` is a possible link, and ``i-j:score``
    keeps its score if all links of the line have one.
    """

    name = "pharaoh"
    description = "i-j, one line a pair, from 0; sure links only"
    possible_mark = "?"
    link_scores = "optional"
    expected = "links like 0-0, 0?1 or 0-0:0.5"

    def write(self, records: Iterable[Record], base: int) -> Iterator[str]:
        """Yield one line a pair with its sure links."""
        for record in records:
            yield " ".join([f"{i + base}-{j + base}" for i, j in sure_links(record.alignment)])
