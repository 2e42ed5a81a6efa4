"""Spans of text, such as names, carried from one language to another along links.

A span is characters of a text with a label. Its words are those that share a character with it; where they are linked
to, in the other text, is where the span goes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pralign.errors import UsageError
from pralign.links.alignment import Alignment
from pralign.links.bounds import check_bounds
from pralign.links.units import overlaps
from pralign.text.tokens import Span, Tokens
from pralign.transfer.completing import is_punctuation
from pralign.transfer.span_runs import LinkedWords, Mass, Run, best_run, confidence, pieces


class AnnotatedSpan(NamedTuple):
    """Characters of a text, with a label.

    Attributes:
        start: The first of the characters, counted from zero.
        end: The one after the last.
        label: What the span is, such as ``PER``.
        attributes: Whatever else is known of it, by name; it travels along.
    """

    start: int
    end: int
    label: str
    attributes: Mapping[str, Any] = {}


class CarriedSpan(NamedTuple):
    """A span of the target text, and where it comes from.

    Attributes:
        start: The first of its characters in the target text, counted from zero.
        end: The one after the last.
        label: The label of the source span.
        confidence: How far links agree on it, from 0 to 1.
        unsure: Whether somebody should have a look at it, since the confidence is below the threshold.
        attributes: Those of the source span.
        origin: The source span.

    Example:
        >>> from pralign.transfer import carry_spans
        >>> [answer] = carry_spans([("Ann left", [AnnotatedSpan(0, 3, "PER")])], ["Hier Ann est partie"], ["0-1 1-3"])
        >>> [span] = answer.carried
        >>> isinstance(span, CarriedSpan), span.start, span.end, span.label, span.unsure
        (True, 5, 8, 'PER', False)
    """

    start: int
    end: int
    label: str
    confidence: float
    unsure: bool
    attributes: Mapping[str, Any]
    origin: AnnotatedSpan


class SpanAnswer(NamedTuple):
    """What became of the spans of a text.

    Attributes:
        carried: Those that have a place in the target text, in the order of the source spans.
        missing: Those that have none: their words are not linked, or to nothing but doubtful punctuation.

    Example:
        >>> from pralign.transfer import carry_spans
        >>> spans = [AnnotatedSpan(0, 3, "PER")]
        >>> [answer] = carry_spans([("Ann left", spans)], ["Hier Ann est partie"], ["0-1 1-3"])
        >>> isinstance(answer, SpanAnswer), len(answer.carried), answer.missing
        (True, 1, [])
    """

    carried: list[CarriedSpan]
    missing: list[AnnotatedSpan]


@dataclass(frozen=True)
class SpanTransfer:
    """How spans are carried.

    A target word has *mass inside* a span: the probability that it is linked to one of the span's words at least, if
    links are there or not independently, one minus the product of all (1 - p). And it has *mass outside*, the same for
    all other words. A span becomes the run of target words with the highest sum of inside minus outside. A word without
    mass inside counts against a run by its mass outside, and by an eighth at least. So a run goes on over a gap if what
    would be cut off beyond it weighs more than the gap; if not, what is beyond is left out.

    A run begins and ends with words that have mass inside. Neither may be punctuation, unless the source span has
    punctuation there too, or the mass inside is 0.9 or more; and punctuation that is part of a word, where text was cut
    at spaces, is left out of the span likewise. Of runs that are as good, the shortest is taken; of these,
    the first.

    The confidence is a product of two means: over the span's words that are linked at all, the probability that such a
    word is linked into the run; and over the linked words of the run, the share of mass that is inside, inside /
    (inside + outside). One word for one word with certainty is 1.

    Nothing is invented: a span whose words have no links is said to be missing. Each span is carried by itself, so
    that spans may overlap.

    Attributes:
        threshold: A span that is less sure than this is marked as unsure.
        contiguous: Whether a span becomes one run. If not, each run of words with more mass inside than outside is a
            piece, all of the same origin and with the confidence of all of them together; where no word is like that,
            it is one run again.

    Example:
        >>> english, french = Tokens.joined("I saw Ann Lee".split()), Tokens.joined("j' ai vu Ann Lee".split())
        >>> answer = SpanTransfer()(english, [AnnotatedSpan(6, 13, "PER")], french, Alignment.of("0-0 1-2 2-3 3-4"))
        >>> [(each.start, each.end, each.label, each.confidence) for each in answer.carried]
        [(9, 16, 'PER', 1.0)]
    """

    threshold: float = 0.5
    contiguous: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise UsageError(f"the threshold of spans is a number from 0 to 1, not {self.threshold}")

    def __call__(
        self, source: Tokens, spans: Sequence[AnnotatedSpan], target: Tokens, alignment: Alignment
    ) -> SpanAnswer:
        """Carry the spans of a source sentence to its target sentence.

        Args:
            source: The words of the source sentence, which know where they are in its text.
            spans: Spans of that text, in any order.
            target: The words of the target sentence.
            alignment: The links between words of both. Scores are taken as probabilities, and as 1 if there are none;
                a link of less than a billionth is none.

        Raises:
            UsageError: A span lies outside the source text, or is empty.
            InputError: A link joins a word that is not there.
        """
        check_bounds(alignment, (len(source), len(target)), "the alignment")
        _check_spans(spans, len(source.text))
        linked = LinkedWords.of(alignment, len(source), len(target))
        answer = SpanAnswer([], [])
        for span, words in zip(spans, words_within(spans, source), strict=True):
            masses = [mass for mass in linked.masses(words) if target[mass.word]]  # which stands somewhere
            runs = self._runs(span, masses, source.text, target, linked) if masses else []
            if not runs:
                answer.missing.append(span)
                continue
            sure = confidence(runs, masses, words, linked)
            for first, last in runs:
                start, end = _without_punctuation(target, first, last, source.text[span.start : span.end].strip())
                carried = CarriedSpan(start, end, span.label, sure, sure < self.threshold, span.attributes, span)
                answer.carried.append(carried)
        return answer

    def _runs(
        self, span: AnnotatedSpan, masses: Sequence[Mass], text: str, target: Tokens, linked: LinkedWords
    ) -> list[Run]:
        """Where a span goes, as runs of target words; nowhere, if it is linked to doubtful punctuation alone."""
        doubtful = frozenset([mass.word for mass in masses if not mass.is_sure and is_punctuation(target[mass.word])])
        no_first = no_last = doubtful
        if doubtful:
            own = text[span.start : span.end].strip()
            no_first = frozenset() if is_punctuation(own[:1]) else doubtful
            no_last = frozenset() if is_punctuation(own[-1:]) else doubtful
        if not self.contiguous and (found := pieces(masses, no_first, no_last)):
            return found
        best = best_run(masses, linked.costs, no_first, no_last)
        return [] if best is None else [best]


def _without_punctuation(words: Tokens, first: int, last: int, own: str) -> Span:
    """Where a run of words is, without punctuation that sticks to a word at an end where the source span has none."""
    start, end = words.spans[first][0], words.spans[last][1]
    if not is_punctuation(words[first]) and not is_punctuation(own[:1]):
        while is_punctuation(words.text[start]):
            start += 1
    if not is_punctuation(words[last]) and not is_punctuation(own[-1:]) and not _is_abbreviation(words[last]):
        while is_punctuation(words.text[end - 1]):
            end -= 1
    return start, end


def _is_abbreviation(word: str) -> bool:
    """Whether a word ends with a full stop of its own, as ``U.S.`` does."""
    return word.endswith(".") and "." in word[:-1].strip(".")


def words_within(spans: Sequence[AnnotatedSpan] | Sequence[CarriedSpan], words: Tokens) -> list[list[int]]:
    """For each of some spans of a text, in any order, which of its words share a character with it.

    Example:
        >>> words = Tokens.joined(["Ann", "Lee", "left"])
        >>> words_within([AnnotatedSpan(5, 9, "X"), AnnotatedSpan(0, 3, "PER")], words)
        [[1, 2], [0]]
    """
    order = sorted(range(len(spans)), key=lambda k: spans[k].start)
    places: list[Span] = [(spans[k].start, spans[k].end) for k in order]
    found: list[list[int]] = [[] for _ in spans]
    for k, shared in zip(order, overlaps(places, words.spans), strict=True):
        found[k] = shared
    return found


def _check_spans(spans: Sequence[AnnotatedSpan], length: int) -> None:
    for span in spans:
        if not 0 <= span.start < span.end <= length:
            raise UsageError(
                f"a span from {span.start} to {span.end} cannot be in a text of {length} characters; its start comes "
                "before its end, and both are within the text"
            )
