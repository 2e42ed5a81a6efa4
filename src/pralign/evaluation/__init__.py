"""How good an alignment is: AER, precision, recall and F, curves over thresholds, unaligned words."""

from pralign.evaluation.corpus import evaluate
from pralign.evaluation.counts import LinkCounts, count_links
from pralign.evaluation.curve import Criterion, Curve, CurvePoint, precision_recall_curve, tune_threshold
from pralign.evaluation.names import Names
from pralign.evaluation.scores import Scores
from pralign.evaluation.unaligned import Unaligned, UnalignedSide, count_unaligned
from pralign.links.bounds import Lengths, check_bounds
from pralign.signature import Signature
from pralign.text.pairing import UnequalLinesError, paired

__all__ = [
    "Criterion",
    "Curve",
    "CurvePoint",
    "Lengths",
    "LinkCounts",
    "Names",
    "Scores",
    "Signature",
    "Unaligned",
    "UnalignedSide",
    "UnequalLinesError",
    "check_bounds",
    "count_links",
    "count_unaligned",
    "evaluate",
    "paired",
    "precision_recall_curve",
    "tune_threshold",
]
