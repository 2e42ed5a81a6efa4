"""Scores in the unit of eflomal, word by word, with dictionaries."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from scipy.special import digamma

from pralign.links.alignment import Link

Words = Sequence[str]
NOTHING = 0.001, 0.5, 0.5


def naive_scores(
    pairs: Sequence[tuple[Words, Words]],
    links: Sequence[Sequence[Link]],
    model: int,
    word_pairs: dict[tuple[str, str], float],
    jumps: dict[int, float],
    fertilities: dict[tuple[str, int], float],
) -> list[float]:
    """Scores of pairs of given and made words; links are (given place, made place), at most one for each made word."""
    usable = [bool(given and made) for given, made in pairs]
    chosen = [dict(map(reversed, each)) if use else {} for each, use in zip(links, usable, strict=True)]
    made_words = {word for _, made in pairs for word in made}
    pair_counts: Counter[tuple[str | None, str]] = Counter(word_pairs)
    jump_counts: Counter[int] = Counter(jumps)
    fertility_counts: Counter[tuple[str, int]] = Counter()
    for (word, fertility), count in fertilities.items():
        fertility_counts[word, min(fertility, 7)] += count
    for (given, made), from_place, use in zip(pairs, chosen, usable, strict=True):
        if not use:
            continue
        for j, word in enumerate(made):
            pair_counts[given[from_place[j]] if j in from_place else None, word] += 1
        jump_counts.update(chain_jumps(from_place, len(made), len(given)))
        found = Counter(from_place.values())
        for i, word in enumerate(given):
            fertility_counts[word, min(found[i], 7)] += 1
    totals: Counter[str | None] = Counter()
    for (word, _), count in pair_counts.items():
        totals[word] += count
    vocabulary = len(made_words) + 1

    def ratio(word: str, fertility: int) -> float:
        if fertility >= 7:
            return 1e-10
        logs = [digamma(fertility_counts[word, k] + 0.5) for k in (fertility, fertility - 1)]
        return math.exp(logs[0] - logs[1])

    scores = []
    for (given, made), from_place, use in zip(pairs, chosen, usable, strict=True):
        if not use:
            scores.append(-0.0)
            continue
        total = 0.0
        for j, word in enumerate(made):
            old = given[from_place[j]] if j in from_place else None
            others = {k: place for k, place in from_place.items() if k != j}
            before = max((k for k in others if k < j), default=None)
            after = min((k for k in others if k > j), default=None)
            left = -1 if before is None else others[before]
            right = len(given) if after is None else others[after]
            own = [from_place[j] - left, right - from_place[j]] if j in from_place else [right - left]
            now = jump_counts.copy()
            now.subtract(own)
            weights = []
            for i, candidate in enumerate(given):
                same = candidate == old
                weight = (pair_counts[candidate, word] - same + 0.001) / (totals[candidate] - same + 0.001 * vocabulary)
                if model >= 2:
                    weight *= (now[i - left] + 0.5) * (now[right - i] + 0.5)
                if model >= 3:
                    weight *= ratio(candidate, sum(place == i for place in others.values()) + 1)
                weights.append(weight)
            total += math.log(max(weights))
            if model >= 2:
                total -= 2 * math.log(sum(jump_counts.values()) + 50 - len(own))
        scores.append(-total / len(made))
    return scores


def chain_jumps(from_place: dict[int, int], length: int, end: int) -> list[int]:
    """The jumps of a sentence, from before its beginning to after its end; none if no word is linked."""
    places = [from_place[j] for j in range(length) if j in from_place]
    return [right - left for left, right in zip([-1, *places], [*places, end], strict=True)] if places else []
