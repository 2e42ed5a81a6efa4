"""How good an alignment is: AER, precision, recall and F, curves over thresholds, unaligned words.

Also what lies behind a score: sentence lengths, links that lie far apart, and chance.
"""

from pralign.evaluation.corpus import evaluate
from pralign.evaluation.counts import LinkCounts, count_links
from pralign.evaluation.curve import Criterion, Curve, CurvePoint, precision_recall_curve, tune_threshold
from pralign.evaluation.gaps import Gaps, gappy_share, is_gappy
from pralign.evaluation.lengths import evaluate_by_length
from pralign.evaluation.names import Names
from pralign.evaluation.scores import Scores
from pralign.evaluation.significance import Comparison, Measure, paired_bootstrap
from pralign.evaluation.unaligned import Unaligned, UnalignedSide, count_unaligned
from pralign.links.bounds import Lengths, check_bounds
from pralign.signature import Signature
from pralign.text.pairing import UnequalLinesError, paired

__all__ = [
    "Comparison",
    "Criterion",
    "Curve",
    "CurvePoint",
    "Gaps",
    "Lengths",
    "LinkCounts",
    "Measure",
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
    "evaluate_by_length",
    "gappy_share",
    "is_gappy",
    "paired",
    "paired_bootstrap",
    "precision_recall_curve",
    "tune_threshold",
]
