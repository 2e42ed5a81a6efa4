"""Thot, the decoder of translation.py: its files, written from a phrase table and a text, and translating with them.

    pip install sil-thot

Thot estimates what it needs from counts. Here counts are chosen so that it computes what other decoders do:

- a phrase pair has all four scores of its table, each to the power of its weight. Thot divides the count of a pair by
  the count of its target side, so the count of a pair is their product and that of every target side is one.
- the language model is an interpolated Kneser-Ney model. Thot interpolates each order with the next lower one, by a
  weight that depends on how often a history was counted, in buckets; so the count of a history is the number of a
  bucket, whose weight is what Kneser-Ney keeps of the history, to a thousandth.

Word and phrase penalty, jumps, beams and the search itself are Thot's own.
"""

from __future__ import annotations

import gzip
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from heapq import nlargest
from itertools import groupby
from multiprocessing import get_context
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from pralign.text.tokens import tokens

# What a derivation is scored by: the four scores of its phrase pairs, in the order of the table, then what Thot adds.
FEATURES = ("phi(f|e)", "lex(f|e)", "phi(e|f)", "lex(e|f)", "words", "language model", "phrases", "jumps")
SCORES = 4
# Where Thot has words, language model, phrases and jumps among its eight components, and the product of the table.
COMPONENTS, PRODUCT, ALL_COMPONENTS = (0, 1, 2, 3), 6, 8
# Thot takes no probability below 1e-7 or so for what it is; the root of the product is far from it.
ROOT = 4.0
BUCKETS = 1000
LONGEST_PHRASE = 7
# How many translations of a phrase are kept; of these, Thot tries those that its language model likes.
TRANSLATIONS = 20
# The probability that a jump ends at each word: a jump costs as many times log 2 as it has words.
STOP = 0.5
Weights = tuple[float, ...]
FIRST_WEIGHTS: Weights = (0.3, 0.3, 0.3, 0.3, -0.7, 1.0, 0.1, 0.5)


@dataclass(frozen=True)
class Search:
    """How hard Thot looks: hypotheses a stack, translations a phrase, and how far it may reorder."""

    stack: int = 5
    options: int = 10
    reordering: int = 5


class Hypothesis(NamedTuple):
    """A translation, and what speaks for it."""

    words: str
    features: Weights


def filter_table(table: Path, texts: Iterable[str], out: Path) -> int:
    """Keep the phrase pairs of a table whose source side is in the texts; return how many pairs there were in all."""
    wanted = {phrase for line in texts for phrase in _phrases(tokens(line))}
    pairs = 0
    with (
        gzip.open(table, "rt", encoding="utf-8", newline="\n") as source,
        gzip.open(out, "wt", encoding="utf-8", newline="\n", compresslevel=1) as kept,
    ):
        for line in source:
            pairs += 1
            if line[: line.index(" ||| ")] in wanted:
                kept.write(line)
    return pairs


def _phrases(words: Sequence[str]) -> Iterator[str]:
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + LONGEST_PHRASE) + 1):
            yield " ".join(words[start:end])


def write_language_model(sentences: Iterable[str], order: int, out: Path) -> None:
    """Write an interpolated Kneser-Ney model of tokenised sentences as a file of counts, and its weights beside it."""
    counts = _kneser_ney_counts(sentences, order)
    with out.open("w", encoding="utf-8", newline="\n") as stream:
        for counted in counts:
            stream.writelines(_order_lines(counted))
    weights = " ".join(f"{bucket / BUCKETS:.6f}" for _ in counts for bucket in range(BUCKETS))
    out.with_name(f"{out.name}.weights").write_text(f"{order} {BUCKETS} 1 {weights}\n", encoding="utf-8")


def _kneser_ney_counts(sentences: Iterable[str], order: int) -> list[Counter[tuple[str, ...]]]:
    """How often n-grams of the highest order and those that begin a sentence occur; after how many words others do."""
    counts: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(order)]
    for sentence in sentences:
        words = ("<s>", *tokens(sentence), "</s>")
        for end in range(2, len(words) + 1):
            ngram = words[max(0, end - order) : end]
            counts[len(ngram) - 1][ngram] += 1
    for longer, shorter in zip(counts[:0:-1], counts[-2::-1], strict=True):
        shorter.update(ngram[1:] for ngram in longer)
    return counts


def _order_lines(counts: Counter[tuple[str, ...]]) -> Iterator[str]:
    """Each n-gram of an order, the count of its history and its own, so that Thot finds discounted probabilities."""
    once, twice = (sum(count == times for count in counts.values()) for times in (1, 2))
    discount = once / (once + 2 * twice) if once else 0.5
    totals: defaultdict[tuple[str, ...], float] = defaultdict(float)
    lost: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for ngram, count in counts.items():
        totals[ngram[:-1]] += count
        lost[ngram[:-1]] += discount
    for ngram, count in counts.items():
        history = ngram[:-1]
        kept = totals[history] - lost[history]
        # Bucket 0 is that of histories that were never seen, of which nothing is kept.
        bucket = min(max(round(kept / totals[history] * BUCKETS), 1), BUCKETS - 1) + 0.5
        yield f"{' '.join(ngram)} {bucket} {bucket * (count - discount) / kept:.8g}\n"


def translate(
    table: Path, model: Path, lines: Sequence[str], weights: Weights, search: Search, processes: int, best: int = 1
) -> list[list[Hypothesis]]:
    """Translate lines with a phrase table (as filtered) and a language model, ``best`` translations each.

    If only one is asked for, it comes without features.
    """
    # Long lines take longest: dealt out by length, all processes have the same to do.
    order = sorted(range(len(lines)), key=lambda number: len(lines[number]))
    shares = [share for k in range(processes) if (share := order[k::processes])]
    found: list[list[Hypothesis]] = [[] for _ in lines]
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        parts = [([lines[number] for number in share], weights, search, best) for share in shares]
        jobs = [pool.submit(_translate_here, table, model, *part) for part in parts]
        for share, job in zip(shares, jobs, strict=True):
            for number, hypotheses in zip(share, job.result(), strict=True):
                found[number] = hypotheses
    return found


def _translate_here(
    table: Path, model: Path, lines: Sequence[str], weights: Weights, search: Search, best: int
) -> list[list[Hypothesis]]:
    scores = _table_scores(table, lines)
    with TemporaryDirectory() as folder:
        prefix = Path(folder) / "tm"
        _write_translation_model(scores, weights, prefix)
        decoder = _decoder(prefix, model, weights, search)
    if best == 1:
        return [[Hypothesis(" ".join(decoder.translate(line).target), ())] for line in lines]
    return [list(_distinct(decoder.translate_n(line, best), tokens(line), scores)) for line in lines]


def _table_scores(table: Path, lines: Sequence[str]) -> dict[str, dict[str, Weights]]:
    """The logarithms of the scores of each phrase that the lines have, by its translations."""
    wanted = {phrase for line in lines for phrase in _phrases(tokens(line))}
    found: dict[str, dict[str, Weights]] = {}
    with gzip.open(table, "rt", encoding="utf-8", newline="\n") as stream:
        rows = (line.split(" ||| ", 3) for line in stream)
        for source, group in groupby(rows, key=itemgetter(0)):
            if source in wanted:
                entries = {row[1]: tuple(math.log(max(float(x), 1e-30)) for x in row[2].split()) for row in group}
                found.setdefault(source, {}).update(entries)
    return found


def _write_translation_model(scores: dict[str, dict[str, Weights]], weights: Weights, prefix: Path) -> None:
    """Write the files that Thot loads: the best translations of each phrase, and models of words that are not used."""
    from thot.alignment import IncrIbm1AlignmentModel

    with prefix.with_suffix(".ttable").open("w", encoding="utf-8", newline="\n") as stream:
        for source, targets in scores.items():
            weighed = ((_weigh(values, weights), target) for target, values in targets.items())
            for score, target in nlargest(TRANSLATIONS, weighed):
                stream.write(f"{target} ||| {source} ||| 1 {math.exp(score / ROOT):.8g}\n")
    for side in ("swm", "invswm"):
        words = IncrIbm1AlignmentModel()
        words.add_sentence_pair(["a"], ["b"])
        words.start_training()
        words.train()
        words.end_training()
        words.print(f"{prefix}_{side}")
    prefix.with_suffix(".lambda").write_text("1 1\n", encoding="utf-8")  # no part of phrase scores is of words
    prefix.with_suffix(".trgcutstable").write_text(f"{STOP}\n", encoding="utf-8")


def _weigh(values: Weights, weights: Weights) -> float:
    return sum(value * weight for value, weight in zip(values, weights, strict=False))


def _decoder(prefix: Path, model: Path, weights: Weights, search: Search) -> Any:
    from thot.alignment import AlignmentModelType
    from thot.translation import SmtDecoder, SmtModel

    smt = SmtModel(AlignmentModelType.INCR_IBM1)
    if not smt.load_translation_model(str(prefix)) or not smt.load_language_model(str(model)):
        raise SystemExit(f"Thot cannot load what was written for it from {model} and a phrase table")
    components = [0.0] * ALL_COMPONENTS
    components[PRODUCT] = ROOT
    for place, weight in zip(COMPONENTS, weights[SCORES:], strict=True):
        components[place] = weight
    smt.weights = components
    smt.heuristic = 4  # what is not translated yet costs what its best translations do
    smt.a, smt.w, smt.non_monotonicity = LONGEST_PHRASE, search.options, search.reordering
    decoder = SmtDecoder(smt)
    decoder.s, decoder.is_breadth_first = search.stack, True
    return decoder


def _distinct(
    found: Iterable[Any], words: Sequence[str], scores: dict[str, dict[str, Weights]]
) -> Iterator[Hypothesis]:
    """Translations with their features, those that are the same in both only once."""
    seen = set()
    for data in found:
        sums = [0.0] * SCORES
        starts = (0, *data.target_segment_cuts[:-1])
        segments = zip(data.source_segmentation, starts, data.target_segment_cuts, strict=True)
        for (first, last), start, end in segments:
            source, target = " ".join(words[first - 1 : last]), " ".join(data.target[start:end])
            unknown = (0.0,) * SCORES
            for place, value in enumerate(scores.get(source, {}).get(target, unknown)):
                sums[place] += value
        features = (*sums, *(data.score_components[place] for place in COMPONENTS))
        hypothesis = Hypothesis(" ".join(data.target), features)
        if hypothesis not in seen:
            seen.add(hypothesis)
            yield hypothesis
