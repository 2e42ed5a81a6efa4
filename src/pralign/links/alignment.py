"""The alignment of one sentence pair."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import TYPE_CHECKING, Any, Literal, get_args

from pralign.errors import InputError, UsageError
from pralign.frames import to_frame
from pralign.schema.values import shown
from pralign.text.pairs import checked_words

if TYPE_CHECKING:
    from pralign.pictures.matrix import AlignedPair
    from pralign.text.bitext import Sentence

Link = tuple[int, int]

LabelState = Literal["labelled", "skipped", "unlabelled"]
"""What an annotator has done with a pair: labelled it, looked at it and left it out, or nothing yet."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Which source word goes with which target word, in one sentence pair.

    A link ``(i, j)`` joins source position ``i`` and target position ``j``, both counted from zero.
    Links are sorted and distinct; use :meth:`of` to build an alignment from links in any order. An alignment is a
    collection of its links, is printed as ``0-0 1-2``, and is a grid in a notebook.

    Attributes:
        links: The links, sorted by source and then by target position.
        scores: One number a link, usually its posterior probability, or ``None`` where nothing is known.
        possible: The links among ``links`` that an annotator called possible only. All others are sure.
        state: Whether these are the links of the pair (``labelled``, as of all that aligners make), or an annotator has
            left the pair out (``skipped``) or has not come to it (``unlabelled``). Without links, only this tells.

    Example:
        >>> alignment = Alignment.of([(1, 2), (0, 0)])
        >>> alignment.links
        ((0, 0), (1, 2))
        >>> alignment.transposed().links
        ((0, 0), (2, 1))
        >>> print(alignment)
        0-0 1-2
        >>> [j for i, j in alignment], (1, 2) in alignment, len(alignment)
        ([0, 2], True, 2)
    """

    links: tuple[Link, ...] = ()
    scores: tuple[float, ...] | None = None
    possible: frozenset[Link] = frozenset()
    state: LabelState = field(default="labelled", repr=False)

    def __post_init__(self) -> None:
        if type(self.links) is not tuple:
            raise UsageError("links are a sorted tuple; Alignment.of takes them in any order, and as text: '0-0 1-2'")
        if self.state != "labelled":
            _check_state(self.state, self.links)

    @classmethod
    def of(
        cls,
        links: Iterable[Link] | str,
        scores: Iterable[float] | None = None,
        possible: Iterable[Link] = (),
    ) -> Alignment:
        """Build an alignment from links in any order; a repeated link counts once, its last score wins.

        Args:
            links: The links, or a text such as ``"0-0 1-2"``, in which ``1?2`` is a link that is only possible, and
                ``0-0:0.9`` has a score.
            scores: A number for each link, in the same order.
            possible: Those links that are only possible.

        Raises:
            UsageError: A link is not two positions, or there are not as many scores as links.
            InputError: The text is no alignment.

        Example:
            >>> Alignment.of("1?2 0-0").possible
            frozenset({(1, 2)})
        """
        if isinstance(links, str):
            parsed = _parsed(links)
            if scores is None and not possible:
                return parsed
            links, possible = parsed.links, {*parsed.possible, *_checked(possible)}
        if isinstance(links, Alignment) and scores is None and not possible:
            return links
        links, possible = _checked(links), frozenset(_checked(possible))
        return cls.unchecked(links, None if scores is None else _scores(scores, links, possible), possible)

    @classmethod
    def unchecked(
        cls, links: Iterable[Link], scores: Iterable[float] | None = None, possible: frozenset[Link] = frozenset()
    ) -> Alignment:
        """Like :meth:`of`, quickly, for links that are known to be tuples of two whole numbers from zero up."""
        if scores is None:
            return cls(tuple(sorted({*links, *possible})), None, possible)
        scored = dict(zip(links, scores, strict=True))
        ordered = sorted(scored)
        return cls(tuple(ordered), tuple(scored[link] for link in ordered), possible)

    @property
    def is_labelled(self) -> bool:
        """Whether the pair has these links and no others, as far as anybody knows.

        Example:
            >>> Alignment().is_labelled, Alignment(state="skipped").is_labelled
            (True, False)
        """
        return self.state == "labelled"

    @property
    def sure(self) -> frozenset[Link]:
        """The links that are not merely possible."""
        return frozenset(self.links) - self.possible

    def __len__(self) -> int:
        return len(self.links)

    def __iter__(self) -> Iterator[Link]:
        return iter(self.links)

    def __contains__(self, link: object) -> bool:
        return link in self.links

    def __getitem__(self, number: int) -> Link:
        return self.links[number]

    def __str__(self) -> str:
        return " ".join(f"{i}{'?' if (i, j) in self.possible else '-'}{j}" for i, j in self.links)

    def _repr_html_(self) -> str:
        """The grid that a notebook shows, with positions in place of words."""
        from pralign.pictures.matrix import MOST_DRAWN

        if not self.links:
            return "<em>no links</em>"
        rows, columns = (1 + max(link[side] for link in self.links) for side in (0, 1))
        if max(rows, columns) > MOST_DRAWN:
            return f"<code>{self}</code>"
        return self.with_words([str(i) for i in range(rows)], [str(j) for j in range(columns)])._repr_html_()

    def with_words(self, source: Sentence, target: Sentence, gold: Alignment | None = None) -> AlignedPair:
        """The alignment together with its words: a grid where it is printed, and a picture in a notebook.

        Args:
            source: The source sentence.
            target: The target sentence.
            gold: The alignment as it should be, to show beside.

        Raises:
            InputError: A link joins a word that is not there.

        Example:
            >>> print(Alignment.of("0-0 1-1").with_words("it rains", "il pleut"))
                      p
                      l
                      e
                   i  u
                   l  t
               it  █  ·
            rains  ·  █
        """
        from pralign.links.bounds import check_bounds
        from pralign.pictures.matrix import AlignedPair

        words = checked_words(source), checked_words(target)
        if gold is not None and not gold.is_labelled:
            gold = None
        for alignment, name in ((self, "the alignment"), (gold, "the gold")):
            if alignment is not None:
                check_bounds(alignment, (len(words[0]), len(words[1])), name)
        if self.possible and gold is None:  # drawn as what annotators have made
            return AlignedPair(1, *words, Alignment(), self)
        return AlignedPair(1, *words, self, gold)

    def to_dict(self) -> dict[str, list[Any]]:
        """The links as columns, one value a link: ``source``, ``target``, ``score`` if there are, and ``sure``.

        Example:
            >>> Alignment.of("0-0 1?2").to_dict()
            {'source': [0, 1], 'target': [0, 2], 'sure': [True, False]}
        """
        columns: dict[str, list[Any]] = {"source": [i for i, _ in self.links], "target": [j for _, j in self.links]}
        if self.scores is not None:
            columns["score"] = list(self.scores)
        return columns | {"sure": [link not in self.possible for link in self.links]}

    def to_frame(self) -> Any:
        """The columns of :meth:`to_dict` as a data frame of pandas, one row a link."""
        return to_frame(self.to_dict())

    def transposed(self) -> Alignment:
        """The same alignment seen from the target side: source and target change places."""
        if not self.is_labelled:
            return self
        flipped = [(j, i) for i, j in self.links]
        return Alignment.unchecked(flipped, self.scores, frozenset((j, i) for i, j in self.possible))

    def at_least(self, threshold: float) -> Alignment:
        """Only the links whose score reaches ``threshold``."""
        if self.scores is None:
            raise UsageError("this alignment has no scores to compare with a threshold")
        return self._kept([k for k, score in enumerate(self.scores) if score >= threshold])

    def only(self, wanted: Callable[[Link], bool]) -> Alignment:
        """Only the links that are wanted.

        Example:
            >>> print(Alignment.of("0-0 1-2").only(lambda link: link[1] < 2))
            0-0
        """
        return self._kept([k for k, link in enumerate(self.links) if wanted(link)])

    def _kept(self, numbers: Sequence[int]) -> Alignment:
        """The links of these numbers, with their scores."""
        if not self.is_labelled:
            return self
        links = tuple([self.links[k] for k in numbers])
        scores = None if self.scores is None else tuple([self.scores[k] for k in numbers])
        return Alignment(links, scores, self.possible & frozenset(links))


def _parsed(text: str) -> Alignment:
    from pralign.links.formats.base import ReadContext
    from pralign.links.formats.pharaoh import PharaohFormat

    try:
        [alignment] = PharaohFormat().read([text], ReadContext(""))
    except InputError as error:  # which names a line of a file
        raise InputError(str(error).removeprefix(", line 1: ")) from None
    return alignment


def _check_state(state: LabelState, links: tuple[Link, ...]) -> None:
    if state not in get_args(LabelState):
        raise UsageError(f"the state of an alignment is one of {', '.join(get_args(LabelState))}, not {shown(state)}")
    if links:
        raise UsageError(f"an alignment with links is labelled; it cannot be {state}")


def _checked(links: Any) -> list[Link]:
    """Links as they should be; those of numpy become plain numbers."""
    try:
        return [_link(link) for link in links]
    except TypeError:
        raise UsageError(f"an alignment is made of links, such as [(0, 0), (1, 2)], not of {shown(links)}") from None


def _link(link: Any) -> Link:
    try:
        i, j = link
        source, target = (-1, -1) if isinstance(i, bool) else (index(i), index(j))
    except (TypeError, ValueError):
        source = target = -1
    if source < 0 or target < 0 or isinstance(link, str):
        raise UsageError(f"a link is two positions counted from zero, such as (0, 2), not {shown(link)}")
    return source, target


def _scores(scores: Iterable[float], links: list[Link], possible: frozenset[Link]) -> list[float]:
    try:
        numbers = [float(score) for score in scores]
    except (TypeError, ValueError):
        raise UsageError(f"scores are numbers, one a link, not {shown(scores)}") from None
    if len(numbers) != len(links):
        raise UsageError(f"there is one score a link, but there are {len(links)} links and {len(numbers)} scores")
    if not possible <= set(links):
        raise UsageError("with scores, the possible links are among the links")
    return numbers
