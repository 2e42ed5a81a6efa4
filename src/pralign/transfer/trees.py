"""Dependency trees carried from one language to another along links.

An edge is carried if both its ends have a counterpart (Graça, Ganchev and Taskar 2010, section 5.2; Hwa and others
2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pralign.errors import UsageError
from pralign.links.alignment import Alignment
from pralign.text.conllu import (
    COLUMNS,
    DEPREL,
    EMPTY,
    HEAD,
    ID,
    MISC,
    NO_HEAD,
    UPOS,
    ConlluSentence,
    Row,
)
from pralign.transfer.compatibility import are_compatible
from pralign.transfer.completing import PUNCTUATION, completed
from pralign.transfer.counterparts import Counterparts, counterparts
from pralign.transfer.edges import CarriedEdge

#: What words can take over from their counterparts besides their place in the tree.
CARRIED_COLUMNS = ("lemma", "upos", "xpos", "feats")
#: How sure an edge of punctuation is beside its links: the share of such edges that was right among the surest.
PUNCTUATION_KEPT = 0.6
#: What the last column calls how sure a carried edge is, and how sure carried tags are.
EDGE_CONFIDENCE, TAG_CONFIDENCE = "EdgeConfidence", "TagConfidence"


@dataclass(frozen=True)
class TreeTransfer:
    """How trees are carried.

    Attributes:
        complete: Whether every word gets a head, so that the result is a tree; otherwise words whose edge could not be
            carried have none.
        compatible_tags: Whether links are left out that join words whose parts of speech do not go together.
        carry: What else words take over, of ``lemma``, ``upos``, ``xpos`` and ``feats``, where the target has none.
        threshold: Edges that are less sure than this are not carried.

    Example:
        >>> english = ConlluSentence.of(["It", "rains"]).with_heads([2, 0], ["expl", "root"])
        >>> french = TreeTransfer()(english, ConlluSentence.of(["Il", "pleut"]), Alignment.of("0-0 1-1"))
        >>> french.heads, french.column(DEPREL)
        ((2, 0), ['expl', 'root'])
    """

    complete: bool = False
    compatible_tags: bool = False
    carry: Sequence[str] = ("upos",)
    threshold: float = 0.0

    def __post_init__(self) -> None:
        for name in self.carry:
            if name not in CARRIED_COLUMNS:
                raise UsageError(f"what words take over is {', '.join(CARRIED_COLUMNS)}, not {name!r}")

    def __call__(self, source: ConlluSentence, target: ConlluSentence, alignment: Alignment) -> ConlluSentence:
        """The target sentence with the tree of the source sentence, as far as links carry it.

        Args:
            source: The sentence with the tree.
            target: The words of the target sentence; a tree that it has is replaced, all else is kept.
            alignment: The links between words of both, within bounds; scores are taken as probabilities.
        """
        if self.compatible_tags:
            alignment = _compatible(alignment, source.column(UPOS), target.column(UPOS))
        found = counterparts(source.heads, len(target.words), alignment)
        edges = [edge if edge and edge.is_sure(self.threshold) else None for edge in carried_edges(source, found)]
        if self.complete:
            return self._written(source, target, found, completed(source, target.forms, found, edges))
        return self._written(source, target, found, edges)

    def _written(
        self,
        source: ConlluSentence,
        target: ConlluSentence,
        found: Counterparts,
        edges: Sequence[CarriedEdge | None],
    ) -> ConlluSentence:
        columns = [COLUMNS.index(name) for name in self.carry]
        rows, kept, heads = [], [], []
        words = iter(zip(range(len(edges)), edges, strict=True))
        for row in target.rows:
            if not row[ID].isdecimal():
                if "-" in row[ID]:  # empty nodes belong to the graph that is replaced
                    rows.append(row)
                continue
            j, edge = next(words)
            i = found.sources[j]
            cells = [*row[:HEAD], EMPTY, EMPTY, EMPTY, row[MISC]]
            notes = []
            if edge is not None:
                cells[HEAD], cells[DEPREL] = str(edge.head), edge.label
                if edge.confidence is not None:
                    notes.append(f"{EDGE_CONFIDENCE}={edge.confidence:.3f}")
            if i >= 0 and _take_over(cells, source.rows[source.words[i]], columns):
                notes.append(f"{TAG_CONFIDENCE}={found.scores[j]:.3f}")
            if self.complete and cells[UPOS] == EMPTY:
                cells[UPOS] = "PUNCT" if edge is not None and edge.label == "punct" else "X"
            if notes:
                cells[MISC] = "|".join(notes if cells[MISC] == EMPTY else [cells[MISC], *notes])
            kept.append(len(rows))
            heads.append(NO_HEAD if edge is None else edge.head)
            rows.append(tuple(cells))
        return replace(target, rows=tuple(rows), words=tuple(kept), heads=tuple(heads))


def carried_edges(source: ConlluSentence, found: Counterparts) -> list[CarriedEdge | None]:
    """The edge of each target word, where both ends have a counterpart; a root stays a root.

    An edge is as sure as the less sure of the links of its two ends. One of punctuation is less sure than that, since
    languages attach punctuation in ways of their own.

    Example:
        >>> english = ConlluSentence.of(["It", "rains"]).with_heads([2, 0], ["expl", "root"])
        >>> carried_edges(english, counterparts(english.heads, 2, Alignment.of("0-1 1-0")))
        [CarriedEdge(head=0, label='root', confidence=1.0), CarriedEdge(head=1, label='expl', confidence=1.0)]
    """
    edges: list[CarriedEdge | None] = [None] * len(found.sources)
    for j, i in enumerate(found.sources):
        if i >= 0 and (head := source.heads[i]) != NO_HEAD:
            above = found.targets[head - 1] if head else 0
            if above >= 0:
                label = source.rows[source.words[i]][DEPREL]
                confidence = min(found.scores[j], found.scores[above] if head else 1.0, 1.0)
                if label == PUNCTUATION:
                    confidence *= PUNCTUATION_KEPT
                edges[j] = CarriedEdge(above + 1 if head else 0, label, confidence)
    return edges


def _take_over(cells: list[str], row: Row, columns: Sequence[int]) -> bool:
    """Fill cells that are empty with those of the source word, and say whether there were some."""
    taken = False
    for column in columns:
        if cells[column] == EMPTY and row[column] != EMPTY:
            cells[column], taken = row[column], True
    return taken


def _compatible(alignment: Alignment, source: Sequence[str], target: Sequence[str]) -> Alignment:
    return alignment.only(lambda link: are_compatible(source[link[0]], target[link[1]]))
