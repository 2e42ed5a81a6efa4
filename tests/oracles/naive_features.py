"""The features of links, word by word as their definitions say, in plain Python."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence

Words = Sequence[str]
Text = Sequence[tuple[Words, Words]]
Grid = list[list[float]]

LEAST_DICE = 0.001
LONGEST_WORD = 50
SUREST = 1e-4


def naive_dice(text: Text, source: str, target: str) -> float:
    """What two words have in common in a text; in a pair of sentences, the rarer one says how often they meet."""
    in_source = sum(words.count(source) for words, _ in text)
    in_target = sum(words.count(target) for _, words in text)
    together = sum(min(a.count(source), b.count(target)) for a, b in text)
    value = 2 * together / (in_source + in_target) if together else 0.0
    return value if value >= LEAST_DICE else 0.0


def naive_ranks(sentences: Sequence[Words]) -> dict[str, int]:
    """The words of one side by falling frequency, from 1 on; of equally frequent ones, the first met comes first."""
    counts: dict[str, int] = {}
    for words in sentences:
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return {word: rank for rank, word in enumerate(sorted(counts, key=lambda word: -counts[word]), start=1)}


def dice_grid(text: Text, source: Words, target: Words) -> Grid:
    return [[naive_dice(text, s, t) for t in target] for s in source]


def distance_grid(source: Words, target: Words) -> Grid:
    return [
        [abs((i + 0.5) / len(source) - (j + 0.5) / len(target)) for j in range(len(target))] for i in range(len(source))
    ]


def share_grids(text: Text, source: Words, target: Words) -> tuple[Grid, Grid]:
    """How much of the squares of dice · proximity a cell has, of its source word's and of its target word's."""
    dice, distance = dice_grid(text, source, target), distance_grid(source, target)
    rows, columns = range(len(source)), range(len(target))
    square = [[(dice[i][j] * (1 - distance[i][j])) ** 2 for j in columns] for i in rows]
    of_source, of_target = zeros(source, target), zeros(source, target)
    for i in rows:
        for j in columns:
            row, column = sum(square[i]), sum(square[k][j] for k in rows)
            of_source[i][j] = square[i][j] / row if row else 0.0
            of_target[i][j] = square[i][j] / column if column else 0.0
    return of_source, of_target


def naive_distance(text: Text, source: Words, target: Words) -> list[Grid]:
    dice, distance = dice_grid(text, source, target), distance_grid(source, target)
    close = [[c * (1 - d) for c, d in zip(*rows, strict=True)] for rows in zip(dice, distance, strict=True)]
    return [
        distance,
        [[d**2 for d in row] for row in distance],
        [[math.sqrt(d) for d in row] for row in distance],
        close,
        *share_grids(text, source, target),
        [[1.0 for _ in target] for _ in source],
    ]


def naive_neighbours(text: Text, source: Words, target: Words) -> list[Grid]:
    of_source, of_target = share_grids(text, source, target)
    mean = [[(a + b) / 2 for a, b in zip(*rows, strict=True)] for rows in zip(of_source, of_target, strict=True)]
    return [moved(grid, step) for grid in (dice_grid(text, source, target), mean) for step in (1, -1)]


def moved(grid: Grid, step: int) -> Grid:
    """The value of the cell ``step`` words on in both sentences; 0 beyond the edge."""
    rows, columns = len(grid), len(grid[0])
    return [
        [grid[i + step][j + step] if 0 <= i + step < rows and 0 <= j + step < columns else 0.0 for j in range(columns)]
        for i in range(rows)
    ]


def naive_frequency(text: Text, source: Words, target: Words) -> list[Grid]:
    sides = naive_ranks([words for words, _ in text]), naive_ranks([words for _, words in text])

    def log_rank(ranks: dict[str, int], word: str) -> float:
        return math.log(ranks.get(word, len(ranks) + 1))

    return [[[abs(log_rank(sides[0], s) - log_rank(sides[1], t)) for t in target] for s in source]]


def naive_shape(source: Words, target: Words) -> list[Grid]:
    def numbers(s: str, t: str) -> tuple[float, ...]:
        a, b = bare(s), bare(t)
        bones = [letter for letter in a if letter not in "aeiou"]
        same_bones = bool(bones) and bones == [letter for letter in b if letter not in "aeiou"]
        share = common_letters(a[:LONGEST_WORD], b[:LONGEST_WORD]) / min(max(len(a), len(b), 1), LONGEST_WORD)
        return s == t, a == b, same_bones, share, max(len(a), len(b)) <= 3

    return [[[float(numbers(s, t)[k]) for t in target] for s in source] for k in range(5)]


def bare(word: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter))


def common_letters(a: str, b: str) -> int:
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, letter in enumerate(a):
        for j, other in enumerate(b):
            best[i + 1][j + 1] = best[i][j] + 1 if letter == other else max(best[i][j + 1], best[i + 1][j])
    return best[-1][-1]


def naive_posteriors(forward: Grid, reverse: Grid) -> list[Grid]:
    rows, columns = range(len(forward)), range(len(forward[0]))
    mean = [[(forward[i][j] + reverse[i][j]) / 2 for j in columns] for i in rows]

    def log_odds(p: float) -> float:
        clipped = min(max(p, SUREST), 1 - SUREST)
        return math.log(clipped / (1 - clipped))

    kinds = [forward, reverse, mean]
    both = [[math.sqrt(forward[i][j] * reverse[i][j]) for j in columns] for i in rows]
    of_source = [[max((mean[i][k] for k in columns if k != j), default=0.0) for j in columns] for i in rows]
    of_target = [[max((mean[k][j] for k in rows if k != i), default=0.0) for j in columns] for i in rows]
    odds = [[[log_odds(p) for p in row] for row in grid] for grid in kinds]
    return [*kinds, *odds, both, of_source, of_target]


def zeros(source: Words, target: Words) -> Grid:
    return [[0.0 for _ in target] for _ in source]
