"""What eflomal does with two texts, done with pralign: links of each direction and scores of each pair, into files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pralign.dropins.directional import Directed, Request, Words, align, text_of
from pralign.outputs import Output, open_outputs

if TYPE_CHECKING:
    from pralign.dropins.eflomal_scores import LinkedPlaces, ScoredText
    from pralign.priors.files import PriorLines


@dataclass(frozen=True)
class Cut:
    """How words are cut before they are compared.

    Attributes:
        prefix: Keep so many first characters; 0 keeps all.
        suffix: Keep so many last ones, if ``prefix`` is 0.
    """

    prefix: int = 0
    suffix: int = 0

    def word(self, word: str) -> str:
        """A word as it is compared."""
        return word[: self.prefix] if self.prefix else word[-self.suffix :] if self.suffix else word

    def words(self, sentence: Words) -> Words:
        """The words of a sentence as they are compared."""
        return [self.word(word) for word in sentence] if self.prefix or self.suffix else sentence


@dataclass(frozen=True)
class Job:
    """What eflomal is asked for.

    Attributes:
        request: What is to be trained.
        score_model: What scores look at: 1 word pairs, 2 jumps too, 3 fertilities too; 0 is as the model.
        cuts: How source and target words are cut.
        links: Where forward and reverse links go, if they are wanted.
        scores: Where forward and reverse scores go, if they are wanted.
    """

    request: Request
    score_model: int = 0
    cuts: tuple[Cut, Cut] = (Cut(), Cut())
    links: tuple[Path | None, Path | None] = (None, None)
    scores: tuple[Path | None, Path | None] = (None, None)

    def run(self, pairs: Iterable[tuple[Words, Words]], priors: Iterable[str] | None = None) -> str:
        """Align pairs, given as words, and write what is wanted; what has produced it, in one line.

        Args:
            pairs: The pairs, read once.
            priors: The lines of a priors file.

        Raises:
            InputError: The text or the priors cannot be used.
            OutputError: A file cannot be written.
        """
        with ExitStack() as stack:
            path, known = stack.enter_context(_prior_file(priors, self.cuts))
            request = self.request if path is None else Request(self.request.model, self.request.effort, (path,))
            aligner = request.aligner()
            stack.callback(aligner.close)
            wanted = [file for file in (*self.links, *self.scores) if file is not None]
            with open_outputs(*wanted, in_place=True) as opened:  # callers have temporary files open
                outputs = dict(zip(wanted, opened, strict=True))
                scored = _Scored(any(self.scores))
                answers = align(aligner, scored.watched(self._cut(pairs)), paths=any(self.scores))
                for answer, sizes in _answered(answers, scored):
                    self._write_links(answer, outputs)
                    scored.add(answer, sizes)
                for reverse, file in enumerate(self.scores):
                    if file is not None:
                        scored.write(outputs[file], bool(reverse), self.score_model or self.request.model, known)
            return str(aligner.signature)

    def _cut(self, pairs: Iterable[tuple[Words, Words]]) -> Iterator[tuple[Words, Words]]:
        source, target = self.cuts
        return ((source.words(left), target.words(right)) for left, right in pairs)

    def _write_links(self, answer: Directed, outputs: dict[Path, Output]) -> None:
        for file, found in zip(self.links, (answer.forward, answer.reverse), strict=True):
            if file is not None:
                outputs[file].write(f"{text_of(found)}\n")


class _Scored:
    """What scores are worked out from, if they are wanted: words while the text is read, links while they come."""

    def __init__(self, wanted: bool) -> None:
        self._text: ScoredText | None = None
        self._places: tuple[LinkedPlaces, LinkedPlaces] | None = None
        if wanted:
            from pralign.dropins.eflomal_scores import LinkedPlaces, ScoredText

            self._text, self._places = ScoredText(), (LinkedPlaces(), LinkedPlaces())

    def watched(self, pairs: Iterator[tuple[Words, Words]]) -> Iterator[tuple[Words, Words]]:
        """Hand pairs on, and remember them."""
        if self._text is None:
            return pairs
        text = self._text

        def watch() -> Iterator[tuple[Words, Words]]:
            for source, target in pairs:
                text.add([word.lower() for word in source], [word.lower() for word in target])
                yield source, target

        return watch()

    def lengths(self, number: int) -> tuple[int, int]:
        """How many words both sides of a pair have; nothing if nobody asks for scores."""
        if self._text is None:
            return 0, 0
        source, target = self._text.lengths
        return source[number], target[number]

    def add(self, answer: Directed, sizes: tuple[int, int]) -> None:
        """Remember the links of a pair."""
        if self._places is not None:
            # Not the links that are written: words that have none of these may well have a place in one direction.
            self._places[0].add(answer.paths[0], sizes[1], 1)
            self._places[1].add(answer.paths[1], sizes[0], 0)

    def write(self, stream: Output, reverse: bool, model: int, known: PriorLines | None) -> None:
        """Write the scores of one direction, a line a pair."""
        from pralign.dropins.eflomal_scores import pair_scores

        assert self._text is not None and self._places is not None
        scores = pair_scores(self._text, self._places[reverse], reverse, model, known)
        stream.writelines(f"{score:g}\n" for score in scores.tolist())


def _answered(answers: Iterable[Directed], scored: _Scored) -> Iterator[tuple[Directed, tuple[int, int]]]:
    for number, answer in enumerate(answers):
        yield answer, scored.lengths(number)


@contextmanager
def _prior_file(lines: Iterable[str] | None, cuts: tuple[Cut, Cut]) -> Iterator[tuple[Path | None, PriorLines | None]]:
    """Priors that come as lines, as a file and sorted; nothing if there are none."""
    if lines is None:
        yield None, None
        return
    from pralign.priors.files import sorted_lines

    with tempfile.TemporaryDirectory(prefix="pralign-") as folder:
        path = Path(folder, "priors")
        with path.open("w", encoding="utf-8", newline="\n") as stream:

            def copied() -> Iterator[str]:
                for line in lines:
                    cut = _cut_line(line.rstrip("\r\n"), cuts)
                    stream.write(f"{cut}\n")
                    yield cut

            known = sorted_lines(copied(), "the priors", of_eflomal=True)
        yield (path if path.stat().st_size else None), known


def _cut_line(line: str, cuts: tuple[Cut, Cut]) -> str:
    """A line of priors with its words cut as those of the text are."""
    fields = line.split("\t")
    places = {"LEX": ((1, 0), (2, 1)), "FERF": ((1, 0),), "FERR": ((1, 1),)}.get(fields[0], ())
    if len(fields) < 4 or cuts == (Cut(), Cut()):
        return line
    for place, side in places:
        if fields[place] != "<NULL>":
            fields[place] = cuts[side].word(fields[place])
    return "\t".join(fields)
