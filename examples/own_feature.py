"""A feature of one's own: words of about the same length are likelier translations.

Run it: python examples/own_feature.py
"""

from pralign import Bitext, MatchingAligner, sample
from pralign.links.formats import read_alignments
from pralign.matching import WordFeature, register_feature
from pralign.report.weights import describe_weights


@register_feature
class Length(WordFeature):
    """How many letters one word has more than the other."""

    name = "length"

    def value(self, source: str, target: str) -> float:
        return abs(len(source) - len(target))


def main() -> None:
    bitext = Bitext.read(sample.SOURCE, sample.TARGET)
    golds = read_alignments(sample.GOLD, "gold")
    labelled = [(*pair, gold) for pair, gold in zip(bitext, golds, strict=False)]
    aligner = MatchingAligner(features=["dice", "distance", "length"], rounds=60).fit(bitext, labelled=labelled)
    print(describe_weights(aligner))


if __name__ == "__main__":
    main()
