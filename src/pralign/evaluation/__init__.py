"""How good an alignment is: AER, precision, recall and F, curves over thresholds, unaligned words.

Also what lies behind a score: sentence lengths, rare words, places in the sentence, links that lie far apart, words
that go wrong, and chance. And what shows without a gold: the shape of alignments, agreement, pairs worth a look.
"""

from pralign.evaluation.agreement import Agreement, Difference, LinkAgreement, agreement
from pralign.evaluation.breakdown import count_links_by, evaluate_by_frequency, evaluate_by_part
from pralign.evaluation.collectors import Collector, GarbageCollectors, garbage_collectors
from pralign.evaluation.corpus import evaluate
from pralign.evaluation.counts import LinkCounts, count_links
from pralign.evaluation.coverage import Coverage, Fertilities, coverage_by_frequency, fertilities
from pralign.evaluation.crossing import Crossings, crossings
from pralign.evaluation.curve import Criterion, Curve, CurvePoint, precision_recall_curve, tune_threshold
from pralign.evaluation.disagreement import (
    Disagreement,
    PairsNeeded,
    disagreement,
    disagreement_by_frequency,
    disagreement_by_length,
    pairs_needed,
)
from pralign.evaluation.doubts import DoubtfulWord, doubtful_words
from pralign.evaluation.gaps import Gaps, gappy_share, is_gappy
from pralign.evaluation.intervals import Interval, score_intervals
from pralign.evaluation.iteration import Side, WordsOfPair
from pralign.evaluation.lengths import evaluate_by_length
from pralign.evaluation.names import Names
from pralign.evaluation.resampling import Measure, resampled
from pralign.evaluation.scores import Scores
from pralign.evaluation.shape import LinkShape, Overlap, link_shape, overlap
from pralign.evaluation.significance import Comparison, compare, compare_all, paired_bootstrap
from pralign.evaluation.suspicion import PairSigns, pair_signs, suspicious
from pralign.evaluation.unaligned import Unaligned, UnalignedSide, count_unaligned
from pralign.evaluation.unlinked import UnlinkedWord, UnlinkedWords, unlinked_words
from pralign.evaluation.word_pairs import WordPair, WrongAndMissed, wrong_and_missed
from pralign.links.bounds import Lengths, check_bounds
from pralign.signature import Signature
from pralign.text.pairing import UnequalLinesError, paired

__all__ = [
    "Agreement",
    "Collector",
    "Comparison",
    "Coverage",
    "Criterion",
    "Crossings",
    "Curve",
    "CurvePoint",
    "Difference",
    "Disagreement",
    "DoubtfulWord",
    "Fertilities",
    "Gaps",
    "GarbageCollectors",
    "Interval",
    "Lengths",
    "LinkAgreement",
    "LinkCounts",
    "LinkShape",
    "Measure",
    "Names",
    "Overlap",
    "PairSigns",
    "PairsNeeded",
    "Scores",
    "Side",
    "Signature",
    "Unaligned",
    "UnalignedSide",
    "UnequalLinesError",
    "UnlinkedWord",
    "UnlinkedWords",
    "WordPair",
    "WordsOfPair",
    "WrongAndMissed",
    "agreement",
    "check_bounds",
    "compare",
    "compare_all",
    "count_links",
    "count_links_by",
    "count_unaligned",
    "coverage_by_frequency",
    "crossings",
    "disagreement",
    "disagreement_by_frequency",
    "disagreement_by_length",
    "doubtful_words",
    "evaluate",
    "evaluate_by_frequency",
    "evaluate_by_length",
    "evaluate_by_part",
    "fertilities",
    "gappy_share",
    "garbage_collectors",
    "is_gappy",
    "link_shape",
    "overlap",
    "pair_signs",
    "paired",
    "paired_bootstrap",
    "pairs_needed",
    "precision_recall_curve",
    "resampled",
    "score_intervals",
    "suspicious",
    "tune_threshold",
    "unlinked_words",
    "wrong_and_missed",
]
