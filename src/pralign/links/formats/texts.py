"""Joining alignments with the text they are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from pralign.errors import InputError
from pralign.links.bounds import check_bounds
from pralign.links.formats.base import Record
from pralign.text.tokens import tokens


class TextNames(NamedTuple):
    """The names of the three files that are joined, for messages, and how the first one counts.

    Attributes:
        links: The file of alignments.
        source: The file of source sentences.
        target: The file of target sentences.
        base: The number of the first word in the file of alignments; messages count like the file does.
    """

    links: str
    source: str
    target: str
    base: int = 0


def with_text(
    records: Iterable[Record], source: Iterable[str], target: Iterable[str], names: TextNames
) -> Iterator[Record]:
    """Give each record the words of its sentences, in place of any it had, and check that its links fit them.

    Raises:
        InputError: The three do not have the same number of pairs, or a link points outside its sentences.
    """
    counts = [0, 0, 0]
    for number, row in enumerate(zip_longest(records, source, target), start=1):
        for side, item in enumerate(row):
            counts[side] += item is not None
        record, left, right = row
        # After the first difference the rest is only counted, for the message.
        if record is not None and left is not None and right is not None:
            words = tokens(left), tokens(right)
            where = f"{names.links}, pair {number}"
            check_bounds(record.alignment, (len(words[0]), len(words[1])), where, names.base)
            yield Record(record.alignment, *words, record.score)
    if len(set(counts)) > 1:
        raise InputError(
            f"{names.links} has {counts[0]} alignments, {names.source} has {counts[1]} lines and "
            f"{names.target} has {counts[2]} lines; each pair needs one of each"
        )
