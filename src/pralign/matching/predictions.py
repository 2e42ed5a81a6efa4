"""Links that other aligners have made, found and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress, islice

from pralign.errors import InputError
from pralign.links.alignment import Alignment
from pralign.links.bounds import Lengths, check_bounds
from pralign.text.bitext import Pair, Sentence

Words = Callable[[Sentence], list[str]]


def predictions_for_labelled(
    predictions: Sequence[Iterable[Alignment]],
    pairs: Sequence[Pair],
    bitext: Iterable[Pair],
    words: Words,
    is_labelled: Sequence[bool] | None = None,
) -> list[list[Alignment]]:
    """The links that each of the other aligners has made of the labelled pairs.

    Predictions go with the labelled pairs (and the validation pairs after them) or with the whole bitext, in which the
    labelled pairs are then looked up.

    Args:
        predictions: An alignment for each pair; what comes from a file can be read again.
        pairs: The labelled pairs, and the validation pairs.
        bitext: The unlabelled text.
        words: How a sentence becomes words that can be compared.
        is_labelled: Of all pairs that were given as labelled, which ones are and hence are among ``pairs``.

    Raises:
        InputError: There are more or fewer alignments than pairs, a pair is not in the bitext, or a link is outside.
    """
    given = [True] * len(pairs) if is_labelled is None else is_labelled
    found = []
    lengths = [(len(words(source)), len(words(target))) for source, target in pairs]
    lines: dict[int, list[int]] | None = None
    for name, once_or_more in _named(predictions):
        prediction = list(once_or_more) if isinstance(once_or_more, Iterator) else once_or_more
        count = sum(1 for _ in prediction)
        if count == len(given):
            chosen = list(compress(prediction, given))
        else:
            if lines is None:
                lines = _look_up(pairs, bitext, words)
            if count not in lines:
                [size] = lines
                raise InputError(
                    f"{name} has {count} alignments, but there are {len(given)} labelled pairs (those for validation "
                    f"included) and {size} pairs in the bitext; it needs one for each of these or one for each of those"
                )
            chosen = _pick(prediction, lines[count], name)
        found.append(chosen)
        _check(chosen, lengths, name)
    return found


class PredictionStreams:
    """The links of other aligners, taken as pairs are aligned."""

    def __init__(self, predictions: Sequence[Iterable[Alignment]]) -> None:
        self._names = [name for name, _ in _named(predictions)]
        self._streams = [iter(prediction) for prediction in predictions]
        self._taken = 0

    def take(self, lengths: Sequence[Lengths]) -> list[list[Alignment]]:
        """The links that each aligner has made of the next pairs, whose numbers of words are given.

        Raises:
            InputError: There are not so many, or a link is outside its pair.
        """
        found = [list(islice(stream, len(lengths))) for stream in self._streams]
        for name, chosen in zip(self._names, found, strict=True):
            if len(chosen) < len(lengths):
                count = self._taken + len(chosen)
                raise InputError(f"{name} has {count} alignments, but there are more pairs than that")
            _check(chosen, lengths, name, self._taken + 1)
        self._taken += len(lengths)
        return found

    def finish(self) -> None:
        """Complain of alignments that are left over."""
        for name, stream in zip(self._names, self._streams, strict=True):
            rest = sum(1 for _ in stream)
            if rest:
                count = self._taken + rest
                raise InputError(f"{name} has {count} alignments, but there are {self._taken} pairs")


def _named(predictions: Sequence[Iterable[Alignment]]) -> list[tuple[str, Iterable[Alignment]]]:
    """Predictions with the names of their files, or numbers from one on."""
    numbered = enumerate(predictions, start=1)
    return [(getattr(prediction, "name", f"prediction {number}"), prediction) for number, prediction in numbered]


def _look_up(pairs: Sequence[Pair], bitext: Iterable[Pair], words: Words) -> dict[int, list[int]]:
    """Where the labelled pairs are in the bitext, under its number of pairs; -1 if they are not there."""
    places: dict[tuple[tuple[str, ...], tuple[str, ...]], list[int]] = {}
    for number, (source, target) in enumerate(pairs):
        places.setdefault((tuple(words(source)), tuple(words(target))), []).append(number)
    lines = [-1] * len(pairs)
    size = 0
    for size, (source, target) in enumerate(bitext, start=1):
        for number in places.pop((tuple(words(source)), tuple(words(target))), ()):
            lines[number] = size - 1
    return {size: lines}


def _pick(prediction: Iterable[Alignment], lines: list[int], name: str) -> list[Alignment]:
    missing = next((pair for pair, line in enumerate(lines, start=1) if line < 0), None)
    if missing is not None:
        raise InputError(
            f"{name} goes with the bitext, but labelled pair {missing} is not in it; "
            "give alignments of the labelled pairs instead"
        )
    wanted = set(lines)
    kept = {line: alignment for line, alignment in enumerate(prediction) if line in wanted}
    return [kept[line] for line in lines]


def _check(chosen: list[Alignment], lengths: Sequence[Lengths], name: str, first: int = 1) -> None:
    for pair, (alignment, length) in enumerate(zip(chosen, lengths, strict=True), start=first):
        check_bounds(alignment, length, f"{name}, pair {pair}")
