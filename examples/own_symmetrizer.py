"""A symmetriser of one's own: the intersection, filled up where both words are free.

Run it: python examples/own_symmetrizer.py
"""

from pralign import Aligner, Bitext, sample
from pralign.evaluation import evaluate
from pralign.links.formats import read_alignments
from pralign.links.symmetrization import Grid, register_symmetrizer


@register_symmetrizer("fill")
def fill(forward: Grid, reverse: Grid) -> Grid:
    """The intersection, and every link of the union between two words that the intersection leaves free."""
    agreed = forward & reverse
    free = ~agreed.any(axis=1, keepdims=True) & ~agreed.any(axis=0, keepdims=True)
    return agreed | ((forward | reverse) & free)


def main() -> None:
    bitext = Bitext.read(sample.SOURCE, sample.TARGET)
    golds = list(read_alignments(sample.GOLD, "gold"))
    model = Aligner(decode="viterbi", symmetrize="fill").fit(bitext).model_
    for name in ("intersection", "fill", "grow-diag"):
        answers = model.with_settings(symmetrize=name).decode_pairs(bitext)
        alignments = [answer.alignment for answer in answers]
        print(f"{name:<13} AER {100 * evaluate(alignments[: len(golds)], golds).aer:.1f}")


if __name__ == "__main__":
    main()
