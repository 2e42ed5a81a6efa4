"""Systems that learn from labelled pairs, which are themselves aligned by what other pairs have taught."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pralign.aligner import Aligner
from pralign.engine import ThreadEngine
from pralign.experiments.answers import Answers
from pralign.experiments.description import LabelUse, SystemDescription
from pralign.experiments.texts import PreparedText
from pralign.links.alignment import Alignment
from pralign.links.labelled import Labelled
from pralign.matching import MatchingAligner
from pralign.matching.association import Association
from pralign.text.normalisation import Normalisation


@dataclass
class Counts:
    """How often words of a text occur together, counted once for all systems that learn from labels."""

    threads: int | None
    _of: dict[str, Association] = field(default_factory=dict)

    def of(self, text: PreparedText) -> Association:
        """The counts of a text; those of the text before are forgotten."""
        if text.digest not in self._of:
            self._of = {text.digest: Association.learn(text.bitext, Normalisation(), ThreadEngine(self.threads))}
        return self._of[text.digest]


def learn_and_align(
    system: SystemDescription,
    text: PreparedText,
    counts: Counts,
    model: Path | None,
    others: Sequence[Answers],
) -> Answers:
    """Learn from the labelled pairs of a part, and align all pairs that are looked at.

    Args:
        system: The system.
        text: The text.
        counts: What counts words.
        model: The saved model whose posteriors are features.
        others: The answers of systems whose links are features.
    """
    use = system.labels
    assert use is not None
    began = time.perf_counter()
    learner = _Learner(use, text, counts, model, [each.links for each in others])
    links = learner.align()
    record = {
        "title": system.shown,
        "signature": str(learner.signature),
        "seconds": time.perf_counter() - began,
        "iterations": [],
    }
    return Answers(links, record=record)


class _Learner:
    """Learns from one part of a text, fold by fold and from all of it."""

    def __init__(
        self,
        use: LabelUse,
        text: PreparedText,
        counts: Counts,
        model: Path | None,
        predictions: Sequence[Sequence[Alignment]],
    ) -> None:
        self._use, self._text, self._predictions = use, text, [_plain(each) for each in predictions]
        self._association = counts.of(text)
        self._arguments: dict[str, Any] = {"threads": counts.threads, "learner": use.learner}
        if use.features is not None:
            self._arguments["features"] = list(use.features)
        if model is not None:
            self._arguments["model"] = Aligner.load(model, counts.threads)
        part = text.parts[use.learn]
        self._numbers = [part.start + k for k, gold in enumerate(part.golds) if gold.is_labelled]
        self._golds = {part.start + k: gold for k, gold in enumerate(part.golds)}
        self.signature: object = None

    def align(self) -> list[Alignment]:
        """The links of all pairs that are looked at."""
        text, found = self._text, dict[int, Alignment]()
        folds = min(self._use.folds, len(self._numbers))
        for fold in range(folds):
            held = self._numbers[fold::folds]
            learned = self._fit([number for number in self._numbers if number not in set(held)], True)
            found |= dict(zip(held, self._aligned(learned, held), strict=True))
        rest = [number for number in range(len(text.looked_at)) if number not in found]
        everything = self._fit(self._numbers, False)
        self.signature = everything.signature
        found |= dict(zip(rest, self._aligned(everything, rest), strict=True))
        return [found[number] for number in range(len(text.looked_at))]

    def _fit(self, numbers: Sequence[int], stops: bool) -> MatchingAligner:
        """Learn from some pairs; those of validation may say when to stop, if they are not aligned by it."""
        part = self._text.parts[self._use.validation] if stops and self._use.validation else None
        validating = [] if part is None else [part.start + k for k, g in enumerate(part.golds) if g.is_labelled]
        golds = self._golds | ({} if part is None else {part.start + k: gold for k, gold in enumerate(part.golds)})
        labelled, validation = ([self._labelled(n, golds) for n in which] for which in (numbers, validating))
        predictions = [[each[number] for number in (*numbers, *validating)] for each in self._predictions]
        return MatchingAligner(**self._arguments).fit(
            self._association, labelled=labelled, validation=validation or None, predictions=predictions
        )

    def _labelled(self, number: int, golds: Mapping[int, Alignment]) -> Labelled:
        return (*self._text.looked_at[number], golds[number])

    def _aligned(self, learned: MatchingAligner, numbers: Sequence[int]) -> list[Alignment]:
        pairs = [self._text.looked_at[number] for number in numbers]
        predictions = [[each[number] for number in numbers] for each in self._predictions]
        return [Alignment(each.links) for each in learned.align(pairs, predictions=predictions)]


def _plain(alignments: Sequence[Alignment]) -> list[Alignment]:
    return [Alignment(each.links) for each in alignments]
