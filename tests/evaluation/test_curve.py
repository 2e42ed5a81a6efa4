import itertools
import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evaluation.strategies import gold_alignment, scored_alignment, scored_corpora
from oracles.naive_evaluation import distinct_scores, naive_area, naive_counts, naive_scores, thresholded
from pralign.errors import InputError
from pralign.evaluation import (
    Curve,
    CurvePoint,
    LinkCounts,
    Names,
    evaluate,
    precision_recall_curve,
    tune_threshold,
)
from pralign.links.alignment import Alignment

ROUNDING = 1e-12  # a sum of at most a few dozen terms below 1, each rounded to 2^-53


def curve_of(corpus, thresholds=None):
    hypotheses = [scored_alignment(links) for links, _ in corpus]
    return precision_recall_curve(hypotheses, [gold_alignment(gold) for _, gold in corpus], thresholds)


def point(threshold, links_sure, links_possible, links, sure=10):
    return CurvePoint(threshold, LinkCounts(links, sure, 20, links_sure, links_possible, 1))


# recalls 0.2, 0.5, 0.5, 0.8 with precisions 1, 1, 0.5, 0.5
STEPS = Curve((point(0.9, 2, 2, 2), point(0.7, 5, 5, 5), point(0.4, 5, 5, 10), point(0.2, 8, 8, 16)))


@given(scored_corpora)
def test_every_point_agrees_with_a_loop_over_thresholds(corpus):
    curve = curve_of(corpus)
    assert [point.threshold for point in curve.points] == distinct_scores(corpus)
    for at in curve.points:
        naive = naive_counts(thresholded(corpus, at.threshold))
        assert {name: getattr(at.counts, name) for name in naive} == naive


@given(scored_corpora, st.lists(st.floats(-0.5, 1.5), max_size=6))
def test_chosen_thresholds_agree_with_at_least(corpus, thresholds):
    curve = curve_of(corpus, thresholds)
    assert [point.threshold for point in curve.points] == sorted(set(thresholds), reverse=True)
    golds = [gold_alignment(gold) for _, gold in corpus]
    for at in curve.points:
        hypotheses = [scored_alignment(links).at_least(at.threshold) for links, _ in corpus]
        assert at.counts == evaluate(hypotheses, golds).counts


@given(scored_corpora)
def test_a_chosen_threshold_equal_to_a_score_keeps_that_score(corpus):
    curve = curve_of(corpus)
    assert curve_of(corpus, distinct_scores(corpus)).points == curve.points


@given(scored_corpora)
def test_area_agrees_with_the_shoelace_formula(corpus):
    curve = curve_of(corpus)
    assert curve.area() == pytest.approx(float(naive_area(corpus)), abs=ROUNDING)
    assert curve.area() <= curve.max_recall + ROUNDING


def test_a_hand_computed_area():
    # 0.2 level at 1, 0.3 level at 1, straight down at 0.5, 0.3 level at 0.5
    assert STEPS.area() == pytest.approx(0.2 + 0.3 + 0.15, abs=ROUNDING)
    assert STEPS.max_recall == 0.8
    # 0.2 level at 1, then a slope from 1 to 0.5 over 0.3
    slope = Curve((point(0.9, 2, 2, 2), point(0.4, 5, 5, 10)))
    assert slope.area() == pytest.approx(0.2 + 0.3 * 0.75, abs=ROUNDING)


def test_points_without_links_do_not_pull_the_start_of_the_curve_down():
    with_empty = Curve((point(2.0, 0, 0, 0), *STEPS.points), at_every_score=False)
    assert with_empty.area() == STEPS.area()
    assert with_empty.precision_at(0.0) == 1.0


def test_precision_between_points_is_interpolated():
    assert STEPS.precision_at(0.0) == 1.0
    assert STEPS.precision_at(0.5) == 1.0  # the higher of two
    assert STEPS.precision_at(0.6) == pytest.approx(0.5, abs=ROUNDING)
    assert STEPS.precision_at(0.8) == 0.5
    assert STEPS.precision_at(0.81) is None
    slope = Curve((point(0.9, 2, 2, 2), point(0.4, 5, 5, 10)))
    assert slope.precision_at(0.3) == pytest.approx(1 - 0.5 / 3, abs=ROUNDING)


@given(scored_corpora)
def test_the_area_is_the_integral_of_precision_at(corpus):
    curve = curve_of(corpus)
    recalls = sorted({0.0, *(point.scores.recall for point in curve.points)})
    pieces = []
    for left, right in itertools.pairwise(recalls):
        middle = curve.precision_at((left + right) / 2)  # a straight piece has its mean in the middle
        assert middle is not None
        pieces.append((right - left) * middle)
    assert curve.area() == pytest.approx(math.fsum(pieces), abs=ROUNDING)


@pytest.mark.parametrize("recall", [-0.1, 1.1, float("nan")])
def test_a_recall_that_is_none_is_refused(recall):
    with pytest.raises(ValueError, match="between 0 and 1"):
        STEPS.precision_at(recall)


@given(scored_corpora)
def test_best_is_the_highest_of_the_best_thresholds(corpus):
    thresholds = distinct_scores(corpus)
    assume(thresholds)
    scores = {threshold: naive_scores(thresholded(corpus, threshold)) for threshold in thresholds}
    lowest = min(values["aer"] for values in scores.values())
    highest = max(values["f1"] for values in scores.values())
    curve = curve_of(corpus)
    assert curve.best("aer").threshold == max(t for t in thresholds if scores[t]["aer"] == lowest)
    assert curve.best("f1").threshold == max(t for t in thresholds if scores[t]["f1"] == highest)


def test_aer_and_f1_can_disagree():
    # AER: 1 - (5+5)/(5+10) = 1/3 against 1 - (5+15)/(15+10) = 1/5.
    # F1: P 1, R 1/2 in both, so a tie, which the higher threshold wins.
    curve = Curve((point(0.7, 5, 5, 5), point(0.4, 5, 15, 15)))
    assert curve.best("aer").threshold == 0.4
    assert curve.best("f1").threshold == 0.7


def test_an_unknown_criterion_is_refused():
    with pytest.raises(ValueError, match="aer, f1, not by 'bleu'"):
        STEPS.best("bleu")


@given(scored_corpora, st.sampled_from(["aer", "f1"]))
def test_the_tuned_threshold_keeps_the_best_links_in_spite_of_noise(corpus, by):
    curve = curve_of(corpus)
    assume(curve.points)
    threshold, best = tune_threshold(curve, by), curve.best(by)
    golds = [gold_alignment(gold) for _, gold in corpus]
    for noise in (-1e-6, 0.0, 1e-6):
        noisy = [{link: score + noise for link, score in links.items()} for links, _ in corpus]
        hypotheses = [scored_alignment(links).at_least(threshold) for links in noisy]
        assert evaluate(hypotheses, golds).counts == best.counts


def test_the_tuned_threshold_lies_half_way_to_the_next_lower_score():
    assert tune_threshold(STEPS, "aer") == pytest.approx((0.7 + 0.4) / 2, abs=ROUNDING)


@pytest.mark.parametrize(("score", "tuned"), [(0.5, 0.25), (0.0, -0.5), (-3.0, -3.5)])
def test_below_the_lowest_score(score, tuned):
    assert tune_threshold(Curve((point(score, 1, 1, 1),))) == tuned


def test_neighbouring_floats_have_no_middle():
    low = 0.5
    high = math.nextafter(low, 1)
    curve = Curve((point(high, 5, 5, 5), point(low, 5, 5, 10)))
    assert tune_threshold(curve) == high


def test_a_chosen_threshold_is_returned_as_it_is():
    hypothesis, gold = Alignment.of([(0, 0), (1, 0)], scores=[0.9, 0.1]), Alignment.of([(0, 0)])
    assert tune_threshold(precision_recall_curve([hypothesis], [gold], [0.05, 0.6])) == 0.6
    assert tune_threshold(precision_recall_curve([hypothesis], [gold])) == 0.5


def test_a_curve_without_links_has_no_area_and_no_best_threshold():
    curve = precision_recall_curve([Alignment()], [Alignment.of([(0, 0)])])
    assert (curve.points, curve.area(), curve.max_recall, curve.precision_at(0.0)) == ((), 0.0, 0.0, None)
    with pytest.raises(InputError, match="no line of the hypothesis has a link"):
        tune_threshold(curve)


def test_a_hypothesis_without_scores_is_refused_unless_it_is_empty():
    scored, bare = Alignment.of([(0, 0)], scores=[0.5]), Alignment.of([(0, 0)])
    assert len(precision_recall_curve([scored, Alignment()], [bare, bare]).points) == 1
    with pytest.raises(InputError, match=r"^hyp\.txt, line 2: links without scores"):
        precision_recall_curve([scored, bare], [bare, bare], names=Names("hyp.txt"))


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_scores_and_thresholds_must_be_finite(score):
    scored, gold = Alignment.of([(3, 4)], scores=[score]), Alignment.of([(0, 0)])
    with pytest.raises(InputError, match=f"line 1: the score of link 3-4 is {score}"):
        precision_recall_curve([scored], [gold])
    with pytest.raises(InputError, match=f"finite number, not {score}"):
        precision_recall_curve([], [], [0.5, score])


def test_different_numbers_of_lines_are_refused():
    with pytest.raises(InputError, match="the hypothesis has 1 line, the gold 2"):
        precision_recall_curve([Alignment()], [Alignment()] * 2)


def test_as_dict_and_text():
    values = STEPS.as_dict()
    assert values["area"] == STEPS.area()
    assert values["max_recall"] == 0.8
    assert [row["threshold"] for row in values["points"]] == [0.9, 0.7, 0.4, 0.2]
    expected = {"precision": 1.0, "recall": 0.5, "aer": 1 - 10 / 15, "f1": 10 / 15, "links": 5}
    assert values["points"][1] == {"threshold": 0.7, **expected}
    assert values["best"]["aer"] == {"threshold": tune_threshold(STEPS, "aer"), **expected}
    lines = str(STEPS).splitlines()
    assert lines[0] == ("area under the precision-recall curve: 0.6500 (recall 0 to 80.00 %, 4 points)")
    assert lines[1] == "best AER  33.33 %   at threshold 0.55"
    everything = Curve(STEPS.points[:2])
    assert str(everything).splitlines()[1] == "best AER  33.33 %   with all links"
    assert lines[2].startswith("best F1   66.67 %")
