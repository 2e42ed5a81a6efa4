"""What systems show without a gold, and how they differ: counted link by link and word by word; slow and obvious."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations
from typing import Any

from oracles.naive_analysis import naive_quantile, naive_word_pairs
from oracles.naive_corpus import Corpus, Link, Words

Row = dict[str, Any]
Links = set[Link]
FREQUENCIES = {"1 to 5": 5, "6 to 50": 50, "51 to 500": 500, "501 and more": math.inf}
COVERED = {"1": 1, "2 to 5": 5, "6 to 50": 50, "51 to 500": 500, "501 and more": math.inf}
LENGTHS = {"1 to 10": 10, "11 to 20": 20, "21 to 30": 30, "31 and more": math.inf}
SIDES = ("source", "target")
LONGEST = 60
FEWEST_PAIRS = 20
FIRST_PAIR = 1


def class_of(value: int, classes: dict[str, float]) -> str:
    return next(label for label, highest in classes.items() if value <= highest)


def classes_of_words(corpus: Corpus, side: int, classes: dict[str, float]) -> dict[str, str]:
    words = corpus.occurrences(side)
    return {word: class_of(words.count(word), classes) for word in set(words)}


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


# A system on its own


def naive_coverage_rows(corpus: Corpus) -> list[Row]:
    rows = []
    for name in corpus.systems:
        for side, title in enumerate(SIDES):
            labels = classes_of_words(corpus, side, COVERED)
            found = [
                (labels[word.casefold()], any(link[side] == at for link in links))
                for pair, links in zip(corpus.pairs, corpus.links(name), strict=True)
                for at, word in enumerate(pair[side])
            ]
            for label in COVERED:
                linked = [is_linked for each, is_linked in found if each == label]
                if linked:
                    row = {"system": name, "side": title, "class": label, "words": len(linked)}
                    rows.append(row | {"unlinked": linked.count(False), "linked": linked.count(True) / len(linked)})
    return rows


def naive_fertility_rows(corpus: Corpus) -> list[Row]:
    rows = []
    for name in corpus.systems:
        for side, title in enumerate(SIDES):
            degrees = [
                sum(link[side] == at for link in links)
                for pair, links in zip(corpus.pairs, corpus.links(name), strict=True)
                for at in range(len(pair[side]))
            ]
            row = {"system": name, "side": title, "mean": share(sum(degrees), len(degrees))}
            row |= {f"links_{n}": share(degrees.count(n), len(degrees)) for n in range(4)}
            rows.append(row | {"links_4": share(sum(degree >= 4 for degree in degrees), len(degrees))})
    return rows


def naive_crossings(links: Links) -> tuple[int, int]:
    """Of all two links with different words on both sides, those that cross, and all."""
    two = [(a, b) for a, b in combinations(sorted(links), 2) if a[0] != b[0] and a[1] != b[1]]
    return sum((a[0] < b[0]) != (a[1] < b[1]) for a, b in two), len(two)


def naive_order_rows(corpus: Corpus) -> list[Row]:
    rows = []
    for name in corpus.systems:
        counted = [naive_crossings(links) for links in corpus.links(name) if links]
        crossing, all_of_them = sum(c for c, _ in counted), sum(n for _, n in counted)
        monotone = sum(c == 0 for c, _ in counted)
        rows.append(
            {"system": name, "crossing": share(crossing, all_of_them), "monotone": share(monotone, len(counted))}
        )
    return rows


def naive_doubt_rows(corpus: Corpus, most: int = 20) -> list[Row]:
    rows = []
    for name in corpus.systems:
        if corpus.link_scores(name) is None:
            continue
        for side, title in enumerate(SIDES):
            found: dict[str, list[tuple[float, int]]] = {}
            for k, (pair, links) in enumerate(zip(corpus.pairs, corpus.systems[name], strict=True)):
                for link, score in links.items():
                    found.setdefault(pair[side][link[side]].casefold(), []).append((score or 0.0, k))
            wrong = {word: math.fsum(1 - score for score, _ in each) for word, each in found.items()}
            for word in sorted((w for w in wrong if wrong[w] > 0), key=lambda w: (-wrong[w], w))[:most]:
                places: list[int] = []
                for _, k in sorted(found[word]):
                    if k not in places:
                        places.append(k)
                count = len(found[word])
                row = {"system": name, "side": title, "word": word, "links": count}
                row |= {"confidence": 1 - wrong[word] / count, "expected_wrong": wrong[word]}
                rows.append(row | {"pairs": [corpus.lines[k] + FIRST_PAIR for k in places[:5]]})
    return rows


def naive_pair_score_rows(corpus: Corpus) -> list[Row]:
    rows = []
    for name in corpus.systems:
        scores = [Fraction(score) for score in corpus.scores.get(name, []) if score is not None]
        if scores:
            row = {"system": name, "pairs": len(scores), "lowest": float(min(scores))}
            for key, part in (("low", Fraction(1, 20)), ("median", Fraction(1, 2)), ("high", Fraction(19, 20))):
                row[key] = float(naive_quantile(scores, part))
            rows.append(row | {"highest": float(max(scores))})
    return rows


# Two systems


def _disputed(one: Iterable[Any], other: Iterable[Any]) -> Row:
    """How many are in both, and in one alone; of sets."""
    a, b = set(one), set(other)
    row = {"both": len(a & b), "only_first": len(a - b), "only_second": len(b - a)}
    return row | {"share": share(len(a ^ b), len(a | b))}


def _pairs(corpus: Corpus, two: tuple[str, str], places: list[int]) -> Row:
    different = sum(corpus.links(two[0])[k] != corpus.links(two[1])[k] for k in places)
    return {"pairs": len(places), "different": different, "different_share": share(different, len(places))}


def _rows(corpus: Corpus, labels: Iterable[str], label_of: Callable[[int, Link], str]) -> list[tuple[Row, str]]:
    rows = []
    for first, second in combinations(corpus.systems, 2):
        for label in labels:
            one, other = (
                {
                    (k, link)
                    for k, links in enumerate(corpus.links(name))
                    for link in links
                    if label_of(k, link) == label
                }
                for name in (first, second)
            )
            rows.append(({"first": first, "second": second, "class": label, **_disputed(one, other)}, label))
    return rows


def naive_difference_tables(corpus: Corpus) -> dict[str, list[Row]]:
    """All tables on how systems differ; none with a gold or with one system."""
    if corpus.golds is not None or len(corpus.systems) < 2:
        return {}
    pairs, tables = corpus.pairs, {}
    whole = _rows(corpus, [""], lambda k, link: "")
    for row, _ in whole:
        del row["class"]
        row |= _pairs(corpus, (row["first"], row["second"]), list(range(len(pairs))))
    tables["differences"] = [row for row, _ in whole]
    for side, name in enumerate(SIDES):
        labels = classes_of_words(corpus, side, FREQUENCIES)

        def word_class(k: int, link: Link, side: int = side, labels: dict[str, str] = labels) -> str:
            return labels[pairs[k][side][link[side]].casefold()]

        found = [row for row, _ in _rows(corpus, FREQUENCIES, word_class)]
        tables[f"differences_by_{name}_frequency"] = [
            row for row in found if row["both"] or row["only_first"] or row["only_second"]
        ]
    lengths = [class_of(len(source), LENGTHS) for source, _ in pairs]
    by_length = []
    for row, label in _rows(corpus, LENGTHS, lambda k, link: lengths[k]):
        places = [k for k in range(len(pairs)) if lengths[k] == label]
        if places:
            by_length.append(row | _pairs(corpus, (row["first"], row["second"]), places))
    tables["differences_by_length"] = by_length
    tables["disputed_words"] = naive_disputed_rows(corpus)
    if rows := naive_label_rows(corpus):
        tables["to_label"] = rows
    return tables


def naive_disputed_rows(corpus: Corpus, most: int = 20) -> list[Row]:
    rows = []
    for first, second in combinations(corpus.systems, 2):
        judged = [
            (*pair, a, (b, b))
            for pair, a, b in zip(corpus.pairs, corpus.links(first), corpus.links(second), strict=True)
        ]
        for kind, by, other in (("wrong", first, second), ("missed", second, first)):
            for source, target, count, out_of, places in naive_word_pairs(judged, kind)[:most]:
                row = {"system": by, "other": other, "source": source, "target": target, "count": count}
                rows.append(row | {"out_of": out_of, "pairs": [corpus.lines[k] + FIRST_PAIR for k in places]})
    return rows


# How many pairs to label


def naive_disputes(corpus: Corpus) -> list[int]:
    """How many links are in dispute in each different pair that somebody would label; of two systems."""
    first, second = corpus.systems
    seen: list[tuple[Words, Words, Links, Links]] = []
    for (source, target), a, b in zip(corpus.pairs, corpus.links(first), corpus.links(second), strict=True):
        if a != b and (source, target, a, b) not in seen:
            seen.append((source, target, a, b))
    return [len(a ^ b) for source, target, a, b in seen if len(source) <= LONGEST and len(target) <= LONGEST]


def naive_label_rows(corpus: Corpus) -> list[Row]:
    if len(corpus.systems) != 2 or not (sizes := naive_disputes(corpus)):
        return []
    rows = []
    for right in (0.55, 0.6, 2 / 3, 0.75, 0.9):
        together = naive_pairs_needed(sizes, right, together=True, decided=0.5)
        row = {"share": right, "fewer_errors": (2 * right - 1) * sum(sizes) / len(sizes)}
        row |= {"apart": naive_pairs_needed(sizes, right, together=False), "together": together}
        rows.append(row | {"enough": together <= len(sizes)})
    return rows


def naive_outcomes(sizes: list[int], right: float, together: bool, decided: float) -> list[tuple[float, int]]:
    """Every difference in errors that a pair drawn at random may show, with its probability."""
    outcomes = []
    for size in sizes:
        for count in range(size + 1):
            share = _binomial(size, count, decided) / len(sizes)
            if together:
                outcomes += [(right * share, count), ((1 - right) * share, -count)]
                continue
            for won in range(count + 1):
                outcomes.append((share * _binomial(count, won, right), won - (count - won)))
    return outcomes


def _binomial(total: int, count: int, share: float) -> float:
    return math.comb(total, count) * share**count * (1 - share) ** (total - count)


def naive_pairs_needed(sizes: list[int], right: float, together: bool, decided: float = 1.0) -> int:
    """The least number of pairs for which a test finds the difference four times in five."""
    outcomes = naive_outcomes(sizes, right, together, decided)
    mean = math.fsum(p * d for p, d in outcomes)
    variance = math.fsum(p * (d - mean) ** 2 for p, d in outcomes)
    # What a sum changes if one link, or what is decided of one pair, goes to the other system.
    step = 2 * math.fsum(p * abs(d) for p, d in outcomes) if together else 2 * decided
    number = FEWEST_PAIRS
    # The test finds it if the sum of the sample is that many of its standard deviations above zero, and a step more.
    while mean * number - step < (_quantile(0.975) + _quantile(0.8)) * math.sqrt(variance * number):
        number += 1
    return number


def _quantile(part: float) -> float:
    """Where the normal distribution has this part of its mass below, by halving."""
    low, high = -10.0, 10.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 + math.erf(middle / math.sqrt(2))) / 2 < part else (low, middle)
    return low
