"""Inline tags carried from one language to another along links.

Where tags of a text come from, and how they are written, is left to others: here they are numbers of characters
(:class:`TaggedText`), and :class:`TagTransfer` has the rules.
"""

from __future__ import annotations

from dataclasses import dataclass

from pralign.errors import UsageError
from pralign.links.alignment import Alignment
from pralign.links.bounds import check_bounds
from pralign.text.tokens import Tokens
from pralign.transfer.link_mass import LinkMass
from pralign.transfer.tag_order import ordered
from pralign.transfer.tag_places import TagPlaces
from pralign.transfer.tagged_text import Edge, PlacedEdge, Tag, TaggedText, TagKind

__all__ = ["Edge", "PlacedEdge", "Tag", "TagKind", "TagTransfer", "TaggedText"]


@dataclass(frozen=True)
class TagTransfer:
    """Puts the tags of a source text into its translation: all of them, each once, in a valid order.

    *Pairs* (elements, and marks that nest):

    - A pair covers the run of target words that links of its source words favour most: the mass of links to the run,
      minus that of links from the run to words outside the pair, is highest. The mass of a link is its score. Of a word
      that is inside the pair in part, that share counts; in the target, pairs cover whole words.
    - What is inside a pair stays inside it. A pair around all of the text, or around all that is in another pair,
      surrounds all of it in the target too.
    - Pairs beside each other do not overlap. The one with most mass takes its run first, then the others what is left;
      of equals, the first in the source.
    - A pair without words inside stays without, at the place where a point would stand. So does one whose words have no
      links that can be followed, and its confidence is 0.

    *Points*:

    - A point stands directly before the counterpart of the source word after it. If it stood directly after a word, and
      space followed, it stands directly after the counterpart of that word. If there is no counterpart, it is that of
      the word on the other side, then of the next ones further away, always inside the tag that it is in; if nothing
      is linked there, it stands after the same share of words.
    - One inside a word counts as before or after it, whichever is nearer.
    - A point does not enter pairs that it was not in: if its word is in one, it stands beside that, before or after it
      as in the source.

    *Marks that overlap with others* (they *float*) cover words like pairs do, whatever else covers these, inside what
    was around both of them.

    Tags hug words, and never stand inside a word or a character. At the same place, they stand in the order of the
    source, except that one pair ends before another begins.

    Example:
        >>> source = TaggedText.of("a red car", [(TagKind.ELEMENT, "b")], [(2, 0, False), (5, 0, True)])
        >>> words = Tokens.joined("a red car".split()), Tokens.joined("une voiture rouge".split())
        >>> target = TagTransfer()(source, words, Alignment.of("0-0 1-2 2-1"))
        >>> [target.text[tag.start : tag.end] for tag in target.tags]
        ['rouge']
    """

    def __call__(self, source: TaggedText, words: tuple[Tokens, Tokens], alignment: Alignment) -> TaggedText:
        """The target text with the tags of the source text.

        Args:
            source: The source text with its tags.
            words: The words of the source text without tags, and those of the target text.
            alignment: The links between these words; scores are taken as probabilities.

        Raises:
            UsageError: The words are not those of the source text.
            InputError: A link joins a word that is not there.
        """
        if words[0].text != source.text:
            raise UsageError("the source words are not those of the text with tags")
        check_bounds(alignment, (len(words[0]), len(words[1])), "the alignment")
        places = TagPlaces(source, words[1], LinkMass(words, alignment))
        tags = tuple(
            [
                Tag(tag.kind, place.start, place.end, tag.parent, tag.floats, tag.payload, place.confidence)
                for tag, place in zip(source.tags, places.found(), strict=True)
            ]
        )
        return TaggedText(words[1].text, tags, ordered(source, tags))
