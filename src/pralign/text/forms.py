"""Which words are forms of one another, as far as their spelling tells: *house*, *houses*, *household*.

Words are put into classes on several levels at once, from many relatives to few. In most scripts relatives begin with
the same letters; a syllable of Hangul is worth two or three letters; words in Chinese characters and kana are relatives
if their first, their last or their first two characters are the same. One more level comes from a file, if the user
has one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.kernels.arrays import Int, Long
from pralign.text.files import display_name, read_lines
from pralign.text.normalisation import Normalisation

#: The levels of spelling; that of a file comes on top.
LEVELS = 4

_LETTERS = (3, 4, 5, 6)
_SYLLABLES = (1, 2, 3, 4)
_CHARACTERS = (1, 0, 2, None)


def spelling_keys(word: str) -> tuple[str, ...]:
    """What a word shares with its relatives, a key a level.

    Example:
        >>> spelling_keys("Waiting"), spelling_keys("대학교"), spelling_keys("大学生")
        (('Wai', 'Wait', 'Waiti', 'Waitin'), ('대', '대학', '대학교', '대학교'), ('大', '-生', '大学', '大学生'))
    """
    return tuple([spelling_key(word, level) for level in range(LEVELS)])


def spelling_key(word: str, level: int) -> str:
    """What a word shares with its relatives on a level."""
    if word.isascii():
        return word[: _LETTERS[level]]
    kind = _kind_of(word)
    if kind == "characters":
        return "-" + word[-1:] if level == 1 else word[: _CHARACTERS[level]]
    return word[: (_LETTERS if kind == "letters" else _SYLLABLES)[level]]


def _kind_of(word: str) -> str:
    return next((_kind_of_letter(letter) for letter in word if letter.isalpha()), "letters")


@cache
def _kind_of_letter(letter: str) -> str:
    name = unicodedata.name(letter, "")
    if name.startswith("HANGUL SYLLABLE"):
        return "syllables"
    return "characters" if name.startswith(("CJK", "HIRAGANA", "KATAKANA")) else "letters"


def share_in_characters(words: Sequence[str], most: int = 5_000) -> float:
    """The share of words in Chinese characters or kana, judged by at most about so many of them.

    Their relatives are spread over the vocabulary, since some share their last characters only.

    Example:
        >>> share_in_characters(["大学", "house", "cat", "学生"])
        0.5
    """
    some = words[:: max(len(words) // most, 1)]
    return sum(not word.isascii() and _kind_of(word) == "characters" for word in some) / max(len(some), 1)


@dataclass(frozen=True)
class Forms:
    """The classes of forms of the words of a vocabulary.

    Attributes:
        words: The words.
        listed: The lemma or stem of some words, which the user gave: one level more.

    Example:
        >>> forms = Forms(["wait", "waits", "wax"])
        >>> forms.classes(["waiting", "wax", "tea"])[0].tolist()  # three letters in common
        [0, 1, -1]
    """

    words: Sequence[str]
    listed: Mapping[str, str] | None = None

    @property
    def levels(self) -> int:
        """On how many levels words have classes."""
        return LEVELS + (self.listed is not None)

    def _key(self, word: str, level: int) -> str:
        if level == LEVELS and self.listed is not None:
            return self.listed.get(word, word)
        return spelling_key(word, level)

    @cached_property
    def known(self) -> Int:
        """The class of each word of the vocabulary, a row a level; classes are numbered in the order of the words."""
        known = np.empty((self.levels, len(self.words)), np.int32)
        for level in range(self.levels):  # one after the other: keys take more memory than words
            letters = None if level == LEVELS else _LETTERS[level]
            keys = [word[:letters] if letters and word.isascii() else self._key(word, level) for word in self.words]
            numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
            known[level] = np.fromiter(map(numbers.__getitem__, keys), np.int32, known.shape[1])
        return known

    @property
    def sizes(self) -> list[int]:
        """How many classes each level has."""
        return [int(row.max(initial=-1)) + 1 for row in self.known]

    @cached_property
    def _numbers(self) -> list[dict[str, int]]:
        """The classes of each level by their keys."""
        found = []
        for level, row in enumerate(self.known):
            _, first = np.unique(row, return_index=True)
            found.append({self._key(self.words[place], level): number for number, place in enumerate(first.tolist())})
        return found

    def classes_of(self, numbers: Long, words: Sequence[str]) -> Int:
        """The class of each of some words, a row a level; only those whose numbers are unknown are looked up."""
        found = np.full((self.levels, numbers.size), -1, np.int32)
        here = numbers < len(self.words)
        found[:, here] = self.known[:, numbers[here]]
        if not here.all():
            found[:, ~here] = self.classes(words[place] for place in np.flatnonzero(~here).tolist())
        return found

    def classes(self, words: Iterable[str]) -> Int:
        """The class of each of some words, known or not, a row a level; -1 where there are no relatives."""
        levels = list(enumerate(self._numbers))
        found = [[numbers.get(self._key(word, level), -1) for level, numbers in levels] for word in words]
        return np.array(found, np.int32).reshape(-1, self.levels).T


def order_by_forms(words: Sequence[str], frequency: Long) -> tuple[Long, Long]:
    """An order of words in which relatives stand together, those of frequent families first, and the family of each.

    A family is a class of the first level of spelling; within it, words are in alphabetical order. All levels but that
    of last characters then have their relatives side by side.
    """
    numbers: dict[str, int] = {}
    keys = (spelling_key(word, 0) for word in words)
    family = np.fromiter((numbers.setdefault(key, len(numbers)) for key in keys), np.int64, len(words))
    counts = np.zeros(len(numbers), np.int64)
    np.add.at(counts, family, frequency)
    sizes = counts.tolist()
    rank = np.empty(len(numbers), np.int64)
    rank[[numbers[key] for key in sorted(numbers, key=lambda key: (-sizes[numbers[key]], key))]] = np.arange(rank.size)
    alphabetical = np.array(sorted(range(len(words)), key=words.__getitem__), np.int64)
    order = alphabetical[np.argsort(rank[family[alphabetical]], kind="stable")]
    return order, rank[family[order]]


def read_forms(path: str | Path, normalisation: Normalisation) -> dict[str, str]:
    """The lemma or stem of words, a word and its lemma a line, separated by white space.

    Raises:
        InputError: A line has no two words, or the file cannot be read.
    """
    listed: dict[str, str] = {}
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        parts = line.strip().split("\t") if "\t" in line.strip() else line.split()
        if len(parts) != 2:
            raise InputError(
                f"{display_name(path)}, line {number}: expected a word and its lemma, separated by a tab: "
                f"{quoted(line)}"
            )
        word, lemma = normalisation(parts)
        listed[word] = lemma
    return listed
