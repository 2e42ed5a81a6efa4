"""Sentence pairs as the page's browser gets them: compact, and with all verdicts worked out."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from typing import Any

from pralign.evaluation import LinkCounts, Scores, overlap
from pralign.links.alignment import Alignment
from pralign.links.labelling import WORDS
from pralign.pictures.words import visible
from pralign.report.behaviour import REASONS, suspicions
from pralign.report.inputs import ReportInput

LARGEST = 3_600_000
"""How many bytes of pairs and words together a page holds at most."""


def pair_records(inputs: ReportInput, largest: int = LARGEST) -> list[dict[str, Any]]:
    """One record a pair, as many as fit into ``largest`` bytes; which ones is left to chance, by the seed.

    A link between source word i and target word j of J is the number i·J + j, so that a list of numbers holds an
    alignment. Keys: ``n`` the number of the pair in the text, from one; ``s`` and ``t`` the words; ``x`` for each
    system its links and their probabilities in percent, if any; ``g`` the sure and ``p`` the merely possible links of
    the gold, or ``u`` why there is none; ``v`` for each system the alignment error rate, and how many links are wrong
    and how many are missed; ``c`` the mean probability of the links of each system; ``d`` the share of links on which
    systems disagree; ``r`` the rare words of both sides; ``w`` why the pair is worth a look; ``m`` what the model says,
    forward and reverse.
    """
    reasons = suspicions(inputs, inputs.systems[0])
    order = list(range(len(inputs.pairs)))
    random.Random(inputs.seed).shuffle(order)
    kept: dict[int, dict[str, Any]] = {}
    room = largest
    for k in order:
        record = _record(inputs, k, reasons[k])
        size = len(embeddable(record).encode()) + 1
        if size <= room:
            kept[k] = record
            room -= size
        if room < largest // 100:  # only ever shorter pairs would fit, of which there would be too many
            break
    return [kept[k] for k in sorted(kept)]


def embeddable(content: Any) -> str:
    """JSON that cannot end the element of a page in which it stands, whatever words it holds."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _record(inputs: ReportInput, k: int, reasons: tuple[str, ...]) -> dict[str, Any]:
    source, target = inputs.pairs[k]
    width = len(target)
    alignments = [system.probabilities[k] for system in inputs.systems]
    record: dict[str, Any] = {
        "n": inputs.lines[k] + 1,
        "s": [visible(word) for word in source],
        "t": [visible(word) for word in target],
        "x": [_links(alignment, width) for alignment in alignments],
        "c": [_confidence(alignment) for alignment in alignments],
        "r": [[i for i, word in enumerate(inputs.folded[k][side]) if inputs.is_rare(word, side)] for side in (0, 1)],
    }
    gold = None if inputs.golds is None else inputs.golds[k]
    if gold is not None and not gold.is_labelled:
        record["u"] = WORDS[gold.state]
    elif gold is not None:
        record["g"] = _cells(gold.sure, width)
        record["p"] = _cells(gold.possible, width)
        record["v"] = [_verdict(inputs.counts[system.name][k]) for system in inputs.systems]
    if len(alignments) > 1:
        least = min(overlap(alignments[0], other).share for other in alignments[1:])
        record["d"] = 0 if least == 1 else max(1, round(100 * (1 - least)))  # a small difference is one too
    if reasons:
        record["w"] = [REASONS[reason] for reason in reasons]
    if inputs.posteriors is not None and inputs.posteriors.has_probabilities:
        views = inputs.posteriors.forward, inputs.posteriors.reverse
        record["m"] = [_links(view[k], width) for view in views]
    return record


def _links(alignment: Alignment, width: int) -> list[list[int]]:
    cells = [i * width + j for i, j in alignment.links]
    return [cells] if alignment.scores is None else [cells, [_hundredths(score) for score in alignment.scores]]


def _cells(links: Iterable[tuple[int, int]], width: int) -> list[int]:
    return sorted(i * width + j for i, j in links)


def _confidence(alignment: Alignment) -> int | None:
    scores: Sequence[float] = alignment.scores or ()
    return _hundredths(sum(scores) / len(scores)) if scores else None


def _hundredths(score: float) -> int:
    return round(100 * min(max(score, 0.0), 1.0))


def _verdict(counts: LinkCounts) -> list[float]:
    scores = Scores(counts)
    nothing = counts.links == counts.sure == 0
    error = 0.0 if nothing else round(scores.aer, 4)
    return [error, counts.links - counts.links_possible, counts.sure - counts.links_sure]
