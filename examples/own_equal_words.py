"""A constraint of one's own: numbers and punctuation are to be linked to their equals.

Run it: python examples/own_equal_words.py
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pralign import Aligner
from pralign.constraints import Constraint, Feature, at_least

PAIRS = [
    ("Room 12 costs 80 euros .", "Pour 80 euros , la chambre 12 ."),
    ("The train leaves at 7 , platform 3 .", "Quai 3 , le train part à 7 heures ."),
    ("At 9 the 2 children sleep .", "Les 2 enfants dorment à 9 heures ."),
    ("We have 45 euros , not 54 .", "Nous avons non pas 54 , mais 45 euros ."),
    ("In 1998 she bought 6 hens .", "Elle a acheté 6 poules en 1998 ."),
]


@dataclass(frozen=True)
class EqualWords(Constraint):
    """A word without letters is linked to one like it, if there is one."""

    probability: float = 0.9

    name = "equal-words"

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        for j, word in enumerate(target):
            equals = [(i, j) for i in places(word, source)]
            if equals:
                yield at_least(self.probability, forward=equals)
        for i, word in enumerate(source):
            equals = [(i, j) for j in places(word, target)]
            if equals:
                yield at_least(self.probability, reverse=equals)


def places(word: str, sentence: Sequence[str]) -> list[int]:
    """Where a word without letters occurs in a sentence."""
    if any(letter.isalpha() for letter in word):
        return []
    return [place for place, other in enumerate(sentence) if other == word]


def main() -> None:
    plain = Aligner(iterations="ibm1=5,hmm=3").fit(PAIRS)
    helped = Aligner(iterations="ibm1=5,hmm=3", constraint=EqualWords()).fit(PAIRS)
    for source, target in PAIRS:
        words = source.split(), target.split()
        for title, aligner in (("without", plain), ("with", helped)):
            links = aligner.align_pair(source, target).links
            print(f"{title:<8}", *(f"{words[0][i]}-{words[1][j]}" for i, j in links))


if __name__ == "__main__":
    main()
