"""Trees whose words all have a head, whatever links have carried."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import category

from pralign.text.conllu import ConlluSentence
from pralign.transfer.counterparts import Counterparts
from pralign.transfer.edges import CarriedEdge

_ROOT = "root"
_UNKNOWN = "dep"
PUNCTUATION = "punct"
# Relations that lead from a word to a later one, by the rules of Universal Dependencies.
_RIGHTWARD = frozenset({"conj", "fixed", "flat", "goeswith", "appos"})
# Relations of words to the head of the phrase that they are in.
_WITHIN = frozenset(
    ("amod", "det", "nummod", "compound", "flat", "advmod", "case", "mark", "aux", "cop", "cc", "punct", "expl")
)
# Relations of words that have none below them, by the same rules.
_LEAVES = frozenset({"aux", "case", "cc", "clf", "cop", "det", "fixed", "goeswith", "mark", "punct"})


def completed(
    source: ConlluSentence, forms: Sequence[str], found: Counterparts, edges: Sequence[CarriedEdge | None]
) -> list[CarriedEdge]:
    """The edge of each target word: the one that was carried, or one by the usual fall-backs.

    - A word whose head has no counterpart depends on the nearest word above that has one.
    - A word with nothing above is the root: the one nearest to the source root. If there are more, they depend on it.
    - A word that is linked but stands for no source word of its own depends on the one that does.
    - A word without links depends on what the next word after it leads to: that word or, if it belongs to a phrase
      that goes on, such as an adjective before its noun, the word that it belongs to. Punctuation depends on the top
      word that it leads to, as far as words come later still. After the last word, both depend on the root.
    - Neither depends on a word that should have none below it, such as punctuation, but on what that depends on.

    Counterparts are one to one and edges follow the source tree upwards, so there is no circle; all others are leaves.
    """
    root = _root(source, found)
    complete = [_of_counterpart(j, edge, source, found, root) for j, edge in enumerate(edges)]
    complete[root] = _of_root(edges[root])
    later = root
    for j in reversed(range(len(edges))):
        if complete[j] is None:
            follower = found.followers[j]
            relation = PUNCTUATION if is_punctuation(forms[j]) else _UNKNOWN
            head = found.targets[follower] if follower >= 0 else _led_to(j, later, complete, relation)
            complete[j] = CarriedEdge(_may_lead(head, complete) + 1, relation, None)
        else:
            later = j
    return [edge for edge in complete if edge is not None]


def _of_root(edge: CarriedEdge | None) -> CarriedEdge:
    return CarriedEdge(0, _ROOT, edge.confidence if edge is not None and edge.head == 0 else None)


def _of_counterpart(
    word: int, edge: CarriedEdge | None, source: ConlluSentence, found: Counterparts, root: int
) -> CarriedEdge | None:
    """The edge of a word that stands for a source word."""
    if edge is not None and edge.head > 0:
        return edge._replace(label=_label(edge.label, edge.head, word))
    own = found.sources[word]
    return None if own < 0 else CarriedEdge(_above(source, found, own, root) + 1, _UNKNOWN, None)


def _led_to(word: int, later: int, edges: Sequence[CarriedEdge | None], relation: str) -> int:
    """What the word ``later`` leads to, as far up as that comes later than ``word``."""
    if later < word:
        return later
    edge = edges[later]
    while edge is not None and edge.head - 1 > word and (relation == PUNCTUATION or _name(edge.label) in _WITHIN):
        later = edge.head - 1
        edge = edges[later]
    return later


def _may_lead(word: int, edges: Sequence[CarriedEdge | None]) -> int:
    """A word, or the nearest one above it that may have words below."""
    edge = edges[word]
    while edge is not None and edge.head > 0 and _name(edge.label) in _LEAVES:
        word = edge.head - 1
        edge = edges[word]
    return word


def _root(source: ConlluSentence, found: Counterparts) -> int:
    """The target word that is the root: that for the highest source word; of several, or without links, the first."""
    depths = _depths(source.heads)
    linked = [(depths[i], j) for j, i in enumerate(found.sources) if i >= 0]
    return min(linked)[1] if linked else 0


def _depths(heads: Sequence[int]) -> list[int]:
    depths = []
    for head in heads:
        depth = 0
        while head > 0:
            head, depth = heads[head - 1], depth + 1
        depths.append(depth)
    return depths


def _above(source: ConlluSentence, found: Counterparts, word: int, root: int) -> int:
    """The target word for the nearest word above a source word; the root, if there is none."""
    head = source.heads[word]
    while head > 0:
        if found.targets[head - 1] >= 0:
            return found.targets[head - 1]
        head = source.heads[head - 1]
    return root


def _label(label: str, head: int, word: int) -> str:
    """A relation as Universal Dependencies allow it: a root has no head, and some relations have a direction."""
    name = _name(label)
    if name == _ROOT or (name in _RIGHTWARD and head > word) or label == "_":
        return _UNKNOWN
    return label


def _name(label: str) -> str:
    """A relation without what one language adds to it."""
    return label.partition(":")[0]


def is_punctuation(form: str) -> bool:
    """Whether a word is nothing but punctuation."""
    return all(category(character).startswith("P") for character in form)
