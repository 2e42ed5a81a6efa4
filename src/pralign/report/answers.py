"""A report on a text that is just being aligned."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pralign.report.inputs import SAMPLE, ReportInput, System, draw
from pralign.report.posteriors import posteriors_of_answers
from pralign.report.reading import count_words, words_of_pairs

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.decoding.stream import Decoded
    from pralign.text.bitext import Bitext


class AnswerSample:
    """Keeps the answers that a report will look at, while all of them come by; others are not kept.

    Pairs are drawn as for any report of the text, so two reports with the same seed show the same ones.

    Attributes:
        text: The text as a whole.
        lines: The numbers of the pairs that were drawn, from zero.
    """

    def __init__(self, bitext: Bitext, names: tuple[str, str], most: int = SAMPLE, seed: int = 0) -> None:
        """Read a text, whose sides have ``names``, and draw at most so many of its pairs.

        Raises:
            InputError: There are no pairs.
        """
        self.text = count_words(bitext, names)
        self.lines = draw(self.text.pairs, most, seed)
        self._bitext = bitext
        self._seed = seed
        self._kept: list[Decoded] = []

    def watching(self, answers: Iterable[Decoded]) -> Iterator[Decoded]:
        """Hand on the answers for all pairs, in order."""
        wanted = frozenset(self.lines)
        for line, answer in enumerate(answers):
            if line in wanted:
                self._kept.append(answer)
            yield answer

    def report_input(self, aligner: Aligner, name: str, origin: str = "") -> ReportInput:
        """What a report is made from, when all answers have come by and ``aligner`` can still be asked.

        Args:
            aligner: What has given the answers.
            name: What the report calls it.
            origin: Where its alignments are.
        """
        pairs = words_of_pairs(self._bitext, frozenset(self.lines))
        scores = [None if math.isnan(answer.score) else answer.score for answer in self._kept]
        system = System(name, [answer.alignment for answer in self._kept], scores, origin)
        posteriors = posteriors_of_answers(aligner, pairs, self.lines, name)
        return ReportInput(self.text, pairs, self.lines, [system], posteriors=posteriors, seed=self._seed)
