from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation import populations
from evaluation.strategies import alignment, gold_alignment, golds, link_sets
from oracles.naive_analysis import naive_intervals
from pralign.errors import InputError, UsageError
from pralign.evaluation import LinkCounts, count_links, score_intervals

MEASURES = ["aer", "precision", "recall", "f1", "f1_sure", "errors"]
ROUNDING = 1e-12
RIGHT, WRONG = LinkCounts(2, 2, 2, 2, 2, 1), LinkCounts(2, 2, 2, 0, 0, 1)
corpora = st.lists(st.tuples(link_sets, golds), min_size=1, max_size=5)


@settings(deadline=None)
@given(corpora, st.integers(1, 25), st.integers(0, 99))
def test_agrees_with_a_loop_over_the_same_samples(corpus, samples, seed):
    counts = [count_links(alignment(links), gold_alignment(gold)) for links, gold in corpus]
    found = score_intervals(counts, samples, seed)
    expected = naive_intervals(corpus, samples, seed)
    assert list(found) == MEASURES
    for measure, interval in expected.items():
        assert found[measure] == pytest.approx(interval, abs=ROUNDING)


def test_intervals_cover_the_truth_at_their_rate():
    [everything] = populations.population(seed=1, systems=1)
    truth = populations.whole(everything)
    covered = {"aer": 0, "precision": 0}
    for number, chosen in enumerate(populations.sets_of_pairs(seed=2)):
        found = score_intervals([everything[k] for k in chosen], populations.SAMPLES, seed=number)
        for measure in covered:
            low, high = found[measure]
            covered[measure] += low <= getattr(truth, measure) <= high
    assert covered["aer"] in populations.COVERED
    assert covered["precision"] in populations.COVERED


def test_more_pairs_make_narrower_intervals():
    widths = []
    for times in (1, 10, 100):
        low, high = score_intervals([RIGHT, RIGHT, WRONG] * 3 * times, samples=500)["aer"]
        widths.append(high - low)
    # Ten times as many pairs, and the standard deviation shrinks by the square root of ten.
    for wide, narrow in pairwise(widths):
        assert wide / narrow == pytest.approx(10**0.5, rel=0.25)


def test_pairs_that_are_all_alike_leave_no_doubt():
    assert score_intervals([RIGHT] * 9, samples=20) == dict.fromkeys(MEASURES, (1.0, 1.0)) | {
        "aer": (0.0, 0.0),
        "errors": (0.0, 0.0),
    }


def test_the_seed_decides():
    counts = [RIGHT, WRONG, RIGHT, RIGHT, WRONG] * 5
    one, again, other = (score_intervals(counts, 30, seed) for seed in (1, 1, 2))
    assert one == again != other


def test_what_cannot_be_is_refused():
    with pytest.raises(InputError, match="no sentence pairs"):
        score_intervals([])
    with pytest.raises(UsageError, match="at least one sample, not 0"):
        score_intervals([RIGHT], samples=0)
    with pytest.raises(UsageError, match="from 0, not -4"):
        score_intervals([RIGHT], seed=-4)
