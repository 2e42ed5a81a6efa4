"""Tags as they are written."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pralign.transfer.tagged_text import TaggedText

#: So many tags a segment may have, which is more than anybody writes: the time they take grows faster than they do.
MOST_TAGS = 10_000


class Markup(NamedTuple):
    """How a tag is written; the payload of tags that come from files.

    Attributes:
        opening: How it begins; all of it, if it is a point.
        closing: How it ends.
    """

    opening: str
    closing: str = ""


def written(tagged: TaggedText, escape: Callable[[str], str]) -> str:
    """Text with its tags, whose payload is :class:`Markup`.

    Example:
        >>> from pralign.transfer.tagged_text import TagKind
        >>> tags = [(TagKind.POINT, Markup("<br>"))]
        >>> written(TaggedText.of("a<b", tags, [(3, 0, False)]), lambda text: text.replace("<", "&lt;"))
        'a&lt;b<br>'
    """
    pieces, last = [], 0
    for at, tag, closes in tagged.places():
        pieces += [escape(tagged.text[last:at]), tagged.tags[tag].payload[closes]]
        last = at
    return "".join([*pieces, escape(tagged.text[last:])])
