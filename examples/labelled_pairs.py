"""Thirty labelled pairs: alignments of thirty others, before and after learning from them.

Run it: python examples/labelled_pairs.py
"""

from pralign import Aligner, Bitext, MatchingAligner, sample
from pralign.evaluation import evaluate
from pralign.links.formats import read_alignments


def main() -> None:
    bitext = Bitext.read(sample.SOURCE, sample.TARGET)
    golds = list(read_alignments(sample.GOLD, "gold"))
    labelled = [(*pair, gold) for pair, gold in zip(bitext, golds, strict=False)]
    learned, others = labelled[0::2], labelled[1::2]
    pairs = [(source, target) for source, target, _ in others]
    answers = [gold for *_, gold in others]

    generative = Aligner().fit(bitext)
    systems = {
        "before, by a model of unlabelled text": generative,
        "by Dice coefficients and matching alone": MatchingAligner(features=["dice"]).fit(bitext, labelled=learned),
        f"after learning from {len(learned)} labelled pairs": MatchingAligner(model=generative, rounds=100).fit(
            bitext, labelled=learned
        ),
    }
    for name, aligner in systems.items():
        print(f"{name:<40} AER {100 * evaluate(aligner.align(pairs), answers).aer:.2f}")


if __name__ == "__main__":
    main()
