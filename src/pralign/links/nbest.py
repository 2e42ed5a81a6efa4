"""Many alignments of each pair, with their probabilities: the best ones, or samples.

A file of them has one JSON object a pair, on one text line::

    {"id": 0, "links": [[0, 0], [1, 2]], "source": ["the", "car"], "target": ["la", "belle", "voiture"],
     "nbest": [{"links": [[0, 0], [1, 2]], "probability": 0.41}, ...], "forward": [...], "reverse": [...]}

``forward`` and ``reverse`` are alignments of each direction by itself, ``nbest`` those that combine one of each; their
probabilities are the products of both. Samples are called ``samples`` in place of ``nbest``. ``links`` are those of the
first combined alignment, so that whoever reads ``jsonl`` reads these files too. A pair that cannot be aligned has empty
lists.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pralign.links.alignment import Alignment
from pralign.links.bounds import check_bounds
from pralign.links.formats import Writable
from pralign.links.formats.base import ReadContext
from pralign.links.formats.jsonl import LineReader

ListKind = Literal["nbest", "samples"]
KINDS: tuple[ListKind, ...] = ("nbest", "samples")

_EXPECTED = 'an object like {"links": [[0, 0]], "nbest": [{"links": [[0, 0]], "probability": 0.5}], ...}'
_ENTRY = 'an object like {"links": [[0, 0], [1, 2]], "probability": 0.5}'


@dataclass(frozen=True, slots=True)
class WeightedAlignment:
    """An alignment and its probability given the pair.

    Attributes:
        alignment: The links.
        probability: How probable just these links are, all together.
    """

    alignment: Alignment
    probability: float


@dataclass(frozen=True, slots=True)
class AlignmentList:
    """Many alignments of one pair.

    Attributes:
        combined: Alignments that combine one of each direction; probabilities are products. Two that come from
            different alignments of a direction may have the same links.
        forward: Alignments of the forward direction: each target word has at most one link.
        reverse: Alignments of the reverse direction: each source word has at most one link.
        kind: ``"nbest"`` if these are the best ones, best first; ``"samples"`` if they were drawn, in no order.
        source: The source words.
        target: The target words.

    Example:
        >>> both = [WeightedAlignment(Alignment.of("0-0"), 0.375), WeightedAlignment(Alignment.of(""), 0.125)]
        >>> AlignmentList(combined=tuple(both)).weighted()[0]
        (0.75, Alignment(links=((0, 0),), scores=None, possible=frozenset()))
    """

    combined: tuple[WeightedAlignment, ...] = ()
    forward: tuple[WeightedAlignment, ...] = ()
    reverse: tuple[WeightedAlignment, ...] = ()
    kind: ListKind = "nbest"
    source: tuple[str, ...] = ()
    target: tuple[str, ...] = ()

    @property
    def first(self) -> Alignment:
        """The first combined alignment, which is the best one or the first sample; without links if there is none."""
        return self.combined[0].alignment if self.combined else Alignment()

    def weighted(self) -> list[tuple[float, Alignment]]:
        """The combined alignments with weights that sum to one, to count by.

        The best ones weigh as much as they are probable. Samples weigh the same, as those that are probable are drawn
        more often. So do the best ones if all are too improbable for a number to tell.
        """
        count, total = len(self.combined), math.fsum(each.probability for each in self.combined)
        if self.kind == "samples" or not total:
            return [(1 / count, each.alignment) for each in self.combined]
        return [(each.probability / total, each.alignment) for each in self.combined]

    def with_words(self, source: Sequence[str], target: Sequence[str]) -> AlignmentList:
        """The same alignments, of a pair with these words."""
        return replace(self, source=tuple(source), target=tuple(target))


def write_alignment_lists(stream: Writable, lists: Iterable[AlignmentList]) -> None:
    """Write the alignments of each pair to an open text stream, one line a pair."""
    for number, each in enumerate(lists):
        content: dict[str, Any] = {"id": number, "links": each.first.links}
        content |= {"source": each.source, "target": each.target, each.kind: _entries(each.combined)}
        content |= {"forward": _entries(each.forward), "reverse": _entries(each.reverse)}
        stream.writelines([json.dumps(content, ensure_ascii=False, allow_nan=False), "\n"])


def read_alignment_lists(lines: Iterable[str], name: str) -> Iterator[AlignmentList]:
    """Read what :func:`write_alignment_lists` has written, one list a line; a blank line is an empty list.

    Args:
        lines: The text lines, as :func:`pralign.text.files.read_lines` yields them.
        name: The name of the file, for messages.

    Raises:
        InputError: While iterating: a line holds something else, a probability is none, or a link joins a word that is
            not there.
    """
    context = ReadContext(name)
    for number, line in enumerate(lines, start=1):
        yield _read_list(line, number, context) if line.strip() else AlignmentList()


def read_weighted(lines: Iterable[str], name: str) -> Iterator[list[tuple[float, Alignment]]]:
    """Like :func:`read_alignment_lists`, for whoever counts: the combined alignments of each pair, with weights.

    The weights of a pair sum to one, see :meth:`AlignmentList.weighted`; a pair that was not aligned has none.

    Example:
        >>> entries = '[{"links": [[0, 0]], "probability": 0.375}, {"links": [], "probability": 0.125}]'
        >>> rest = '"source": ["a"], "target": ["b"], "forward": [], "reverse": []'
        >>> [[(weight, a.links) for weight, a in pair] for pair in read_weighted(
        ...     ['{"links": [[0, 0]], "nbest": ' + entries + ", " + rest + "}"], "example")]
        [[(0.75, ((0, 0),)), (0.25, ())]]
    """
    return (each.weighted() for each in read_alignment_lists(lines, name))


def _entries(alignments: Iterable[WeightedAlignment]) -> list[dict[str, Any]]:
    return [{"links": each.alignment.links, "probability": each.probability} for each in alignments]


def _read_list(line: str, number: int, context: ReadContext) -> AlignmentList:
    reader = LineReader(line, number, context, _EXPECTED)
    found = [kind for kind in KINDS if kind in reader.content]
    if len(found) != 1:
        reader.fail(line, f"either 'nbest' or 'samples': {_EXPECTED}")
    source, target = reader.words("source"), reader.words("target")
    if source is None or target is None:
        reader.fail(line, "words as 'source' and as 'target'")
    lengths, where = (len(source), len(target)), f"{context.name}, line {number}"
    check_bounds(Alignment.unchecked(reader.links()), lengths, where)
    lists = [tuple(_read_entries(reader, name)) for name in (found[0], "forward", "reverse")]
    for each in (entry for entries in lists for entry in entries):
        check_bounds(each.alignment, lengths, where)
    return AlignmentList(lists[0], lists[1], lists[2], found[0], tuple(source), tuple(target))


def _read_entries(reader: LineReader, name: str) -> Iterator[WeightedAlignment]:
    items = reader.items(name)
    if items is None:
        reader.fail(None, f"a list as {name!r}")
    for item in items:
        if not isinstance(item, dict) or "links" not in item or "probability" not in item:
            reader.fail(item, _ENTRY)
        probability = reader.score(item["probability"])
        if not 0 <= probability <= 1:
            reader.fail(item["probability"], "a probability, from 0 to 1")
        yield WeightedAlignment(Alignment.unchecked(reader.links(content=item)), probability)
