"""The tables, curves and pairs of a report, written out from links and golds one by one; slow and obvious."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from oracles.naive_analysis import (
    naive_collectors,
    naive_deviation,
    naive_interval,
    naive_median,
    naive_samples,
    naive_shape,
    naive_unlinked,
    naive_word_pairs,
)
from oracles.naive_corpus import Corpus, Link, Words
from oracles.naive_differences import (
    FREQUENCIES,
    LENGTHS,
    naive_coverage_rows,
    naive_difference_tables,
    naive_doubt_rows,
    naive_fertility_rows,
    naive_order_rows,
    naive_pair_score_rows,
)
from oracles.naive_evaluation import Gold, Links, naive_counts, naive_scores, naive_unaligned, over

Row = dict[str, Any]
FIRST_PAIR = 1
"""The number that tables give the first pair of the text."""
FEWEST_PAIRS = 20
"""How many pairs are needed to say anything about chance."""


# The summary


def naive_corpus_rows(corpus: Corpus, names: Sequence[str] = ("source", "target")) -> list[Row]:
    rows = []
    for side, name in enumerate(names):
        words = corpus.occurrences(side)
        once = [word for word in set(words) if words.count(word) == 1]
        mean = len(words) / len(corpus.text)
        rows.append({"text": name, "words": len(words), "distinct": len(set(words)), "once": len(once), "mean": mean})
    return rows


def naive_system_rows(corpus: Corpus) -> list[Row]:
    rows = []
    for name in corpus.systems:
        links = sum(len(links) for links in corpus.links(name))
        scores = corpus.link_scores(name)
        mean = None if scores is None else math.fsum(scores) / len(scores)
        rows.append(
            {"system": name, "origin": "", "links": links, "per_pair": links / len(corpus.lines), "confidence": mean}
        )
    if corpus.golds is not None:
        sure = sum(len(sure) for sure, _ in corpus.golds)
        links = sum(len(possible) for _, possible in corpus.golds)
        origin = f"{sure:,} sure, {links - sure:,} possible"
        rows.append(
            {"system": "gold", "origin": origin, "links": links, "per_pair": links / len(corpus.lines)}
            | {"confidence": None}
        )
    return rows


# Tables that need a gold


def naive_score_rows(corpus: Corpus, samples: int, seed: int) -> list[Row]:
    drawn = naive_samples(len(corpus.lines), samples, seed)
    rows = []
    for name in corpus.systems:
        judged = corpus.judged(name)
        resampled = [naive_scores([judged[k] for k in sample]) for sample in drawn]
        row: Row = {"system": name, "links": naive_counts(judged)["links"]}
        for measure, value in _defined(judged, ("aer", "precision", "recall", "f1")).items():
            row[measure] = value
            found = [each[measure] for each in resampled]
            row[f"{measure}_interval"] = list(naive_interval(found)) if len(judged) >= FEWEST_PAIRS else None
        rows.append(row)
    return rows


def _defined(judged: list[tuple[Links, Gold]], measures: Sequence[str]) -> dict[str, float | None]:
    """Scores, but no precision without links and no recall without sure ones."""
    counts, scores = naive_counts(judged), naive_scores(judged)
    missing = {"precision": not counts["links"], "recall": not counts["sure"]}
    return {key: None if missing.get(key) else float(scores[key]) for key in measures}


def naive_significance_rows(corpus: Corpus, samples: int, seed: int) -> list[Row]:
    drawn = naive_samples(len(corpus.lines), samples, seed)
    rows = []
    for first, second in combinations(corpus.systems, 2):
        one, other = corpus.judged(first), corpus.judged(second)
        differences = [
            naive_scores([other[k] for k in sample])["aer"] - naive_scores([one[k] for k in sample])["aer"]
            for sample in drawn
        ]
        difference = naive_scores(other)["aer"] - naive_scores(one)["aer"]
        firsts, seconds = sum(each > 0 for each in differences), sum(each < 0 for each in differences)
        p_value = min(Fraction(1), Fraction(2 * (samples - max(firsts, seconds) + 1), samples + 1))
        telling = len(corpus.lines) >= FEWEST_PAIRS
        significant = telling and p_value < Fraction(1, 20)
        verdict = f"{first if difference > 0 else second} is better" if significant else "could be chance"
        if not telling:
            verdict = "too few pairs to tell"
        if difference == 0:
            verdict = "equal"
        rows.append(
            {
                "first": first,
                "second": second,
                "difference": float(difference),
                "interval": list(naive_interval(differences)) if telling else None,
                "p_value": float(p_value) if telling else None,
                "verdict": verdict,
                "significant": significant,
            }
        )
    return rows


PARTS = ["beginning", "middle", "end"]


def _class_of(value: int, classes: dict[str, float]) -> str:
    return next(label for label, highest in classes.items() if value <= highest)


def naive_frequency_rows(corpus: Corpus, side: int) -> list[Row]:
    words, pairs = corpus.occurrences(side), corpus.pairs
    labels = {word: _class_of(words.count(word), FREQUENCIES) for word in set(words)}
    return _breakdown(corpus, FREQUENCIES, lambda k, link: labels[pairs[k][side][link[side]].casefold()])


def naive_length_rows(corpus: Corpus) -> list[Row]:
    pairs = corpus.pairs
    return _breakdown(corpus, LENGTHS, lambda k, link: _class_of(len(pairs[k][0]), LENGTHS))


def naive_part_rows(corpus: Corpus) -> list[Row]:
    pairs = corpus.pairs
    return _breakdown(corpus, PARTS, lambda k, link: PARTS[math.floor(Fraction(3 * link[0], len(pairs[k][0])))])


def _breakdown(corpus: Corpus, labels: Iterable[str], label_of: Callable[[int, Link], str]) -> list[Row]:
    rows = []
    for label in labels:
        for name in corpus.systems:
            kept = []
            for k, (links, (sure, possible)) in enumerate(corpus.judged(name)):
                parts = [{link for link in each if label_of(k, link) == label} for each in (links, sure, possible)]
                kept.append((parts[0], (parts[1], parts[2])))
            counts = naive_counts(kept)
            if counts["links"] or counts["sure"]:
                row = {"class": label, "system": name, **_defined(kept, ("aer", "precision", "recall"))}
                rows.append(row | {"links": counts["links"], "sure": counts["sure"]})
    return rows


def naive_unaligned_rows(corpus: Corpus) -> list[Row]:
    rows = []
    for name in corpus.systems:
        for side, title in enumerate(("source", "target")):
            totals = dict.fromkeys(["missed", "optional", "rightly", "wrongly_linked"], 0)
            for pair, (links, gold) in zip(corpus.pairs, corpus.judged(name), strict=True):
                for kind, count in naive_unaligned(links, gold, len(pair[side]), side).items():
                    totals[kind] += count
            rows.append({"system": name, "side": title, **totals})
    return rows


def _worded(corpus: Corpus, name: str) -> list[tuple[Words, Words, Links, Gold]]:
    golds = corpus.golds or [(set(), set())] * len(corpus.lines)
    return [(*pair, links, gold) for pair, links, gold in zip(corpus.pairs, corpus.links(name), golds, strict=True)]


def naive_word_pair_rows(corpus: Corpus, kind: str, most: int = 20) -> list[Row]:
    rows = []
    for name in corpus.systems:
        for source, target, count, out_of, places in naive_word_pairs(_worded(corpus, name), kind)[:most]:
            numbers = [corpus.lines[k] + FIRST_PAIR for k in places]
            row = {"system": name, "source": source, "target": target, "count": count, "out_of": out_of}
            rows.append(row | {"pairs": numbers})
    return rows


# Tables that need no gold


def naive_shape_rows(corpus: Corpus) -> list[Row]:
    named = [(name, corpus.links(name)) for name in corpus.systems]
    if corpus.golds is not None:
        named.append(("sure links of the gold", [sure for sure, _ in corpus.golds]))
    rows = []
    for name, alignments in named:
        shapes = [
            naive_shape(links, (len(source), len(target)), limit=7)
            for links, (source, target) in zip(alignments, corpus.pairs, strict=True)
        ]
        total = {key: sum(shape[key] for shape in shapes) for key in shapes[0]}
        rows.append(
            {
                "system": name,
                "links": total["links"],
                "one_to_one": float(over(total["one_to_one"], total["links"])),
                "gappy": float(over(total["gappy"], len(shapes))),
                "unlinked_source": float(over(total["source_words"] - total["source_linked"], total["source_words"])),
                "unlinked_target": float(over(total["target_words"] - total["target_linked"], total["target_words"])),
            }
        )
    return rows


def naive_agreement_rows(corpus: Corpus) -> list[Row]:
    rows = []
    for first, second in combinations(corpus.systems, 2):
        one = {(k, link) for k, links in enumerate(corpus.links(first)) for link in links}
        other = {(k, link) for k, links in enumerate(corpus.links(second)) for link in links}
        both, either = len(one & other), len(one | other)
        share = both / either if either else 1.0
        rows.append({"first": first, "second": second, "both": both, "either": either, "share": share})
    return rows


def naive_collector_rows(corpus: Corpus, most: int = 20) -> tuple[list[Row], list[Row]]:
    """A row for each system, and the worst occurrences of all of them."""
    counted = []
    for side in (0, 1):
        words = corpus.occurrences(side)
        counted.append({word: words.count(word) for word in set(words)})
    rows, worst = [], []
    for name in corpus.systems:
        folded = [
            ([word.casefold() for word in source], [word.casefold() for word in target], links, gold)
            for source, target, links, gold in _worded(corpus, name)
        ]
        rare, found = naive_collectors(folded, (counted[0], counted[1]), 5, 4, judged=corpus.golds is not None)
        share = float(over(len(found), rare))
        rows.append({"system": name, "occurrences": rare, "collectors": len(found), "share": share})
        listed: list[Row] = []
        for side_name, word, frequency, links, place in found:
            row = {"system": name, "word": word, "side": side_name, "frequency": frequency, "links": links}
            same = next((other for other in listed if row.items() <= other.items()), None)
            number = corpus.lines[place] + FIRST_PAIR
            if same is None:
                listed.append(row | {"pairs": [number]})
            elif number not in same["pairs"]:
                same["pairs"].append(number)
        worst += listed[:most]
    return rows, worst


def naive_unlinked_rows(corpus: Corpus, most: int = 20) -> list[Row]:
    rows = []
    for name in corpus.systems:
        for side, title in enumerate(("source", "target")):
            for word, bare, all_of_them in naive_unlinked(_worded(corpus, name), side)[:most]:
                row = {"system": name, "side": title, "word": word, "unlinked": bare, "occurrences": all_of_them}
                rows.append(row | {"share": bare / all_of_them})
    return rows


REASONS = {
    "length": "unusual lengths",
    "few links": "few links",
    "low confidence": "improbable links",
    "low score": "an improbable pair",
    "empty side": "an empty side",
}
"""What people are told of each reason."""


class _Signs(NamedTuple):
    ratio: float
    share: float
    confidence: float | None
    score: float | None
    empty: int


def _signs(corpus: Corpus, k: int) -> _Signs:
    """What the first system shows of a pair."""
    name = next(iter(corpus.systems))
    source, target = corpus.pairs[k]
    links = corpus.systems[name][k]
    linked = len({i for i, _ in links}) + len({j for _, j in links})
    scores = [score for score in links.values() if score is not None] if corpus.link_scores(name) else []
    return _Signs(
        math.log(Fraction(len(target) + 1, len(source) + 1)),
        float(over(linked, len(source) + len(target))),
        sum(scores) / len(scores) if scores else None,
        corpus.scores[name][k] if name in corpus.scores else None,
        (not source) + (not target),
    )


def naive_reasons_of_all(corpus: Corpus) -> list[list[str]]:
    """Why each pair is worth a look, by the links of the first system."""
    signs = [_signs(corpus, k) for k in range(len(corpus.lines))]
    whole = [each for each in signs if not each.empty]
    scores = [each.score for each in whole if each.score is not None]
    found = []
    for each in signs:
        reasons = []
        if each.empty:
            reasons = ["empty side"] if each.empty == 1 else []
        else:
            if abs(naive_deviation(each.ratio, [other.ratio for other in whole])) > 3.5:
                reasons.append("length")
            if each.share < naive_median([other.share for other in whole]) / 2:
                reasons.append("few links")
            if each.confidence is not None and each.confidence < 0.5:
                reasons.append("low confidence")
            if each.score is not None and naive_deviation(each.score, scores) < -3.5:
                reasons.append("low score")
        found.append(reasons)
    return found


def naive_suspicion_rows(corpus: Corpus, most: int = 50) -> list[Row]:
    reasons = naive_reasons_of_all(corpus)
    ranked = sorted((-len(each), k) for k, each in enumerate(reasons) if each)
    rows = []
    for _, k in ranked:
        signs, (source, target) = _signs(corpus, k), corpus.pairs[k]
        number = corpus.lines[k] + FIRST_PAIR
        same = next((row for row in rows if row["key"] == (source, target, signs)), None)
        if same is not None:
            same["times"] += 1
            same["pairs"] = [*same["pairs"], number][:5]
            continue
        row = {"key": (source, target, signs), "pairs": [number], "times": 1}
        row |= {"reasons": ", ".join(REASONS[each] for each in reasons[k])}
        row |= {"source_words": len(source), "target_words": len(target)}
        rows.append(row | {"linked": signs.share, "confidence": signs.confidence, "score": signs.score})
    return [{key: value for key, value in row.items() if key != "key"} for row in rows[:most]]


# All of it


def naive_tables(corpus: Corpus, samples: int, seed: int) -> dict[str, list[Row]]:
    """The rows of all tables, in the order of the page."""
    tables = {"corpus": naive_corpus_rows(corpus), "systems": naive_system_rows(corpus)}
    if corpus.golds is not None:
        tables["scores"] = naive_score_rows(corpus, samples, seed)
        if len(corpus.systems) > 1:
            tables["significance"] = naive_significance_rows(corpus, samples, seed)
        tables["by_source_frequency"] = naive_frequency_rows(corpus, 0)
        tables["by_target_frequency"] = naive_frequency_rows(corpus, 1)
        tables["by_length"] = naive_length_rows(corpus)
        tables["by_part"] = naive_part_rows(corpus)
        tables["unaligned"] = naive_unaligned_rows(corpus)
        tables["wrong_pairs"] = naive_word_pair_rows(corpus, "wrong")
        tables["missed_pairs"] = naive_word_pair_rows(corpus, "missed")
    tables["shape"] = naive_shape_rows(corpus)
    tables["coverage"] = naive_coverage_rows(corpus)
    tables["fertility"] = naive_fertility_rows(corpus)
    tables["order"] = naive_order_rows(corpus)
    if rows := naive_doubt_rows(corpus):
        tables["doubtful"] = rows
    if rows := naive_pair_score_rows(corpus):
        tables["pair_scores"] = rows
    if len(corpus.systems) > 1:
        tables["agreement"] = naive_agreement_rows(corpus)
    tables |= naive_difference_tables(corpus)
    tables["collectors"], worst = naive_collector_rows(corpus)
    if worst:
        tables["worst_collectors"] = worst
    tables["unlinked"] = naive_unlinked_rows(corpus)
    tables["suspicious"] = naive_suspicion_rows(corpus)
    return tables


def naive_pairs(corpus: Corpus) -> list[Row]:
    """What is said of each pair."""
    entries = []
    for k, (source, target) in enumerate(corpus.pairs):
        systems = {}
        for name in corpus.systems:
            links = corpus.links(name)[k]
            systems[name] = {"links": len(links)}
            if corpus.golds is not None:
                sure, possible = corpus.golds[k]
                systems[name] |= {"sure": len(sure), "right": len(links & possible), "sure_found": len(links & sure)}
        entry = {"pair": corpus.lines[k] + 1, "source_words": len(source), "target_words": len(target)}
        entries.append(entry | {"systems": systems})
    return entries


# Curves


class Threshold(NamedTuple):
    """The scores of the links that reach a threshold."""

    threshold: float
    recall: float
    precision: float
    aer: float


def naive_thresholds(corpus: Corpus, name: str) -> list[Threshold]:
    """The scores of a system at every score there is, the highest first."""
    found = []
    for threshold in sorted(set(corpus.link_scores(name) or ()), reverse=True):
        kept = [
            ({link for link, score in links.items() if score is not None and score >= threshold}, gold)
            for links, gold in zip(corpus.systems[name], corpus.golds or (), strict=True)
        ]
        scores = naive_scores(kept)
        found.append(Threshold(threshold, *(float(scores[key]) for key in ("recall", "precision", "aer"))))
    return found


def naive_confidence(corpus: Corpus, name: str) -> list[tuple[float, float]]:
    """Every score of a link, the highest first, and the share of links that come no later."""
    ordered = sorted(corpus.link_scores(name) or (), reverse=True)
    return [(score, (place + 1) / len(ordered)) for place, score in enumerate(ordered)]
