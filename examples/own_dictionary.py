"""A constraint of one's own: words that a dictionary pairs are to be linked.

Run it: python examples/own_dictionary.py
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pralign import Aligner, Bitext, sample
from pralign.constraints import Constraint, Feature, at_least
from pralign.runs.trained import TrainedModel

ENTRIES = frozenset({("blue", "bleue"), ("apple", "pommes"), ("goat", "chèvre"), ("grey", "gris"), ("never", "jamais")})


@dataclass(frozen=True)
class Dictionary(Constraint):
    """A word with translations in the other sentence is linked to one of them, with this probability or more.

    To which of them is left open. Every entry at once would be too much to ask where a word occurs twice on one side:
    each model explains a word by one other word only.
    """

    entries: frozenset[tuple[str, str]]
    probability: float = 0.9

    name = "dictionary"

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        cells = [(i, j) for i, s in enumerate(source) for j, t in enumerate(target) if (s, t) in self.entries]
        for explained in sorted({j for _, j in cells}):
            yield at_least(self.probability, forward=[(i, j) for i, j in cells if j == explained])
        for explained in sorted({i for i, _ in cells}):
            yield at_least(self.probability, reverse=[(i, j) for i, j in cells if i == explained])


def mean_posterior(model: TrainedModel, bitext: Bitext, entry: tuple[str, str]) -> float:
    """How probable the link of two words is, on average, where there is one of each."""
    found = []
    for source, target in bitext:
        words = source.lower().split(), target.lower().split()
        if words[0].count(entry[0]) == words[1].count(entry[1]) == 1:
            found.append(model.posteriors(*words).mean[words[0].index(entry[0]), words[1].index(entry[1])])
    return sum(found) / len(found)


def main() -> None:
    bitext = Bitext.read(sample.SOURCE, sample.TARGET)
    plain = Aligner(iterations="ibm1=5,hmm=3").fit(bitext).model_
    helped = Aligner(iterations="ibm1=5,hmm=3", constraint=Dictionary(ENTRIES)).fit(bitext).model_
    unaided = helped.with_settings(project_at_decode=False)  # it has learned, and does not ask the dictionary again
    for entry in sorted(ENTRIES):
        without, learned, projected = (mean_posterior(model, bitext, entry) for model in (plain, unaided, helped))
        print(f"{'-'.join(entry):<14} without {without:.2f} learned {learned:.2f} with {projected:.2f}")


if __name__ == "__main__":
    main()
