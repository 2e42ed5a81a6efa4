"""The TALP format of the lilt alignment scripts: ``1-1 2p3``."""

from __future__ import annotations

from pralign.links.formats.gold import GoldFormat


class TalpFormat(GoldFormat):
    """One line a pair; ``i-j`` is a sure link, ``ipj`` a possible one.

    The same file ending is used for references counted from one and for system output counted from zero, and
    nothing in a file tells them apart reliably. So the base is zero unless the caller says otherwise, and
    ``base_is_ambiguous`` asks programs to say which one they used.
    """

    name = "talp"
    description = "i-j sure and ipj possible, one line a pair, from 0 or 1 (say which)"
    base_is_ambiguous = True
    possible_mark = "p"
    expected = "links like 0-0 (sure) or 0p1 (possible)"
