"""A constraint of one's own: a certain word is to have few translations at a time.

Run it: python examples/own_fertility.py
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pralign import Aligner, Bitext, sample
from pralign.constraints import Constraint, Feature, at_most
from pralign.runs.trained import TrainedModel

WORD = "agree"


@dataclass(frozen=True)
class Fertility(Constraint):
    """The expected number of target words that a certain source word explains has a bound.

    A rare word likes to explain whatever is left over in its sentence; few other sentences contradict it.
    """

    word: str
    most: float = 2.0

    name = "fertility"

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        for i, word in enumerate(source):
            if word == self.word:
                yield at_most(self.most, forward=[(i, j) for j in range(len(target))])


def fertilities(model: TrainedModel, bitext: Bitext, word: str) -> list[float]:
    """How many target words the word is expected to explain, wherever it occurs."""
    found = []
    for source, target in bitext:
        expected = model.posteriors(source, target).forward.sum(axis=1)
        found += [float(expected[i]) for i, other in enumerate(source.lower().split()) if other == word]
    return found


def main() -> None:
    bitext = Bitext.read(sample.SOURCE, sample.TARGET)
    plain = Aligner(iterations="ibm1=5,hmm=3").fit(bitext).model_
    bounded = Aligner(iterations="ibm1=5,hmm=3", constraint=Fertility(WORD)).fit(bitext).model_
    unaided = bounded.with_settings(project_at_decode=False)  # it has learned, and does not ask the constraint again
    for name, model in (("without", plain), ("learned", unaided), ("with   ", bounded)):
        print(name, *(f"{number:.2f}" for number in fertilities(model, bitext, WORD)))


if __name__ == "__main__":
    main()
