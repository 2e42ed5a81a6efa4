"""Choosing thresholds against a scan of all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from decoding.evidence import VALUES, MadeUp, made_up
from oracles.naive_decoding import decode
from oracles.naive_evaluation import naive_scores
from oracles.naive_symmetrization import NAIVE
from pralign.decoding.decoder import SOFT_UNION, Decoder, Thresholds
from pralign.decoding.threshold import THRESHOLD_RULES, Seen, ThresholdRule, quality, tuned
from pralign.errors import UsageError
from pralign.links.alignment import Alignment

UNTIMED = settings(deadline=None)  # the first example may have to wait for the compiler
LOWEST = 0.01  # posteriors below are no candidates for links
ANY = Thresholds.all(0.5)


def as_many_as_viterbi(blocks):
    rule = THRESHOLD_RULES["auto"]
    return rule.thresholds([rule.look(block) for block in blocks])


def reached(values, threshold):
    return sum(1 for value in values.tolist() if value >= threshold)


@UNTIMED
@given(st.lists(made_up(), min_size=1, max_size=3))
def test_as_many_links_as_viterbi(blocks):
    thresholds = as_many_as_viterbi(iter(blocks))
    links = [sum(int(block.viterbi[k].sum()) for block in blocks) for k in range(2)]
    wanted = [*links, round(sum(links) / 2)]
    for threshold, number, kind in zip(thresholds, wanted, ("forward", "reverse", "mean"), strict=True):
        values = np.concatenate([getattr(block, kind) for block in blocks])
        assume(len(set(values.tolist())) == values.size)  # of equal ones all come or none
        candidates = int((values > LOWEST).sum())
        assert reached(values, threshold) == min(number, candidates)


@UNTIMED
@given(made_up(VALUES))
def test_with_ties_no_higher_threshold_gives_enough_links(evidence):
    thresholds = as_many_as_viterbi([evidence])
    links = [int(marks.sum()) for marks in evidence.viterbi]
    for threshold, number, values in zip(thresholds, links, (evidence.forward, evidence.reverse), strict=False):
        number = min(number, int((values > np.float32(LOWEST)).sum()))
        if number == 0:
            assert threshold == 1.0
            continue
        assert reached(values, threshold) >= number
        assert reached(values, float(np.nextafter(np.float32(threshold), np.float32(2)))) < number


def test_the_count_of_the_mean_is_rounded_once_over_all_blocks():
    one = np.array([[0.9, 0.8, 0.7, 0.6]], np.float32)
    marked, none = np.array([[True, False, False, False]]), np.zeros((1, 4), np.bool_)
    # Three blocks with one link in one direction only: one and a half, not three times a half.
    blocks = [MadeUp([(one - 0.01 * k, one - 0.01 * k, marked, none)]) for k in range(3)]
    thresholds = as_many_as_viterbi(blocks)
    assert thresholds.forward == pytest.approx(0.88, abs=1e-6)
    assert thresholds.reverse == 1.0
    assert thresholds.mean == pytest.approx(0.89, abs=1e-6)


@pytest.mark.parametrize("name", THRESHOLD_RULES)
@UNTIMED
@given(blocks=st.lists(made_up() | made_up(VALUES), min_size=1, max_size=3), order=st.randoms(use_true_random=False))
def test_neither_the_order_nor_the_cut_of_blocks_changes_a_bit(name, blocks, order):
    rule = THRESHOLD_RULES[name]
    found = rule.thresholds([rule.look(block) for block in blocks])
    pairs = [grids for block in blocks for grids in block.grids]
    assert rule.thresholds([rule.look(MadeUp(pairs))]) == found
    order.shuffle(pairs)
    assert rule.thresholds([rule.look(MadeUp([grids])) for grids in pairs]) == found
    assert rule.thresholds([rule.look(MadeUp(pairs))]) == found


def test_rules_are_known_by_name():
    assert list(THRESHOLD_RULES) == ["auto", "balanced"]
    assert all(rule.name == name and rule.sample > 0 for name, rule in THRESHOLD_RULES.items())
    with pytest.raises(UsageError, match="no way to set a threshold 'fair'; there are auto, balanced"):
        THRESHOLD_RULES["fair"]


def test_a_rule_of_ones_own():
    class Median(ThresholdRule):
        name = "median"
        sample = 10

        def look(self, evidence):
            return Seen.of(evidence)

        def thresholds(self, seen):
            kinds = zip(*(each.posteriors for each in seen), strict=True)
            return Thresholds(*(float(np.median(np.concatenate(values))) for values in kinds))

    with THRESHOLD_RULES.restored():
        rule = THRESHOLD_RULES.register(Median.name, Median())
        assert rule.thresholds([rule.look(one_row(0.25, 0.5)), rule.look(one_row(0.75, 0.001))]) == Thresholds.all(0.5)
    assert "median" not in THRESHOLD_RULES


@pytest.mark.parametrize("name", THRESHOLD_RULES)
def test_where_nothing_was_seen_there_is_still_a_threshold(name):
    thresholds = THRESHOLD_RULES[name].thresholds([])
    assert thresholds == Thresholds.all({"auto": 1.0, "balanced": 0.5}[name])


def test_posteriors_of_a_hundredth_or_less_are_not_kept():
    seen = Seen.of(one_row(0.5, 0.0101, 0.0099, 0.01))
    assert [part.tolist() for part in seen.posteriors] == [pytest.approx([0.5, 0.0101])] * 3
    assert seen.links == (0, 0, 0)


def some_gold(seed, evidence):
    """Sure and possible links here and there, likelier where the posteriors are high."""
    rng = np.random.default_rng(seed)
    golds = []
    for pair in evidence.pairs():
        marks = {
            (i, j): bool(rng.random() < 0.6)
            for i, row in enumerate(pair.mean)
            for j, value in enumerate(row)
            if rng.random() < 0.1 + 0.8 * value
        }
        golds.append(({link for link, sure in marks.items() if sure}, set(marks)))
    return golds


def naive_score(pairs, golds, symmetrize, threshold, by):
    """The exact score at a threshold, higher for better."""
    links = [set(decode(pair, "posterior", symmetrize, (threshold,) * 3)) for pair in pairs]
    scores = naive_scores(list(zip(links, golds, strict=True)))
    return -scores["aer"] if by == "aer" else scores["f1"]


def gold_alignments(golds):
    return [Alignment.of(every, possible=every - sure) for sure, every in golds]


def split(evidence):
    """The same pairs in two blocks."""
    half = len(evidence.grids) // 2
    return [MadeUp(part) for part in (evidence.grids[:half], evidence.grids[half:]) if part]


tied = np.array([0.0, 0.25, 0.5, 0.75, 1.0], np.float32)


@pytest.mark.parametrize("by", ["aer", "f1"])
@UNTIMED
@given(evidence=made_up() | made_up(tied) | made_up(VALUES), seed=st.integers(0, 2**32 - 1))
def test_the_soft_union_is_tuned_to_the_best_of_all_thresholds(by, evidence, seed):
    pairs, golds = evidence.pairs(), some_gold(seed, evidence)
    candidates = [value for value in evidence.mean.tolist() if value >= LOWEST]
    assume(candidates)
    found = tuned(split(evidence), gold_alignments(golds), Decoder("posterior", SOFT_UNION, ANY), by)
    best = max(naive_score(pairs, golds, SOFT_UNION, value, by) for value in candidates)
    assert naive_score(pairs, golds, SOFT_UNION, found, by) == best


def one_row(*values):
    posteriors = np.array([values], np.float32)
    return MadeUp([(posteriors, posteriors, posteriors > 2, posteriors > 2)])


def test_a_tuned_threshold_tells_neighbouring_posteriors_apart():
    lower = np.float32(0.5)
    evidence = one_row(np.nextafter(lower, np.float32(1)), lower)
    found = tuned([evidence], [Alignment.of([(0, 0)])], Decoder("posterior", SOFT_UNION, ANY), "aer")
    (alignment,) = Decoder("posterior", SOFT_UNION, Thresholds.all(found))(evidence)
    assert alignment.links == ((0, 0),)


def test_a_tuned_threshold_lets_nothing_in_that_was_not_compared():
    evidence = one_row(0.9, 0.012, 0.009)
    golds = [Alignment.of([(0, 0), (0, 1)])]
    found = tuned([evidence], golds, Decoder("posterior", SOFT_UNION, ANY), "aer")
    (alignment,) = Decoder("posterior", SOFT_UNION, Thresholds.all(found))(evidence)
    assert alignment.links == ((0, 0), (0, 1))


@pytest.mark.parametrize("symmetrize", NAIVE)
@settings(deadline=None, max_examples=6)
@given(evidence=made_up(VALUES), seed=st.integers(0, 2**32 - 1), by=st.sampled_from(["aer", "f1"]))
def test_heuristics_are_tuned_to_the_middle_of_the_best_hundredths(symmetrize, evidence, seed, by):
    pairs, golds = evidence.pairs(), some_gold(seed, evidence)
    found = tuned(split(evidence), gold_alignments(golds), Decoder("posterior", symmetrize, ANY), by)
    scores = {k / 100: naive_score(pairs, golds, symmetrize, k / 100, by) for k in range(1, 100)}
    best = [threshold for threshold, score in scores.items() if score == max(scores.values())]
    assert found == best[len(best) // 2]


def test_matchings_are_tuned_by_trying():
    # A lower threshold lets links in that take the words of others.
    evidence = one_row(0.9, 0.6, 0.3)
    found = tuned([evidence], [Alignment.of([(0, 0)])], Decoder("matching", SOFT_UNION, ANY), "aer")
    assert found == 0.45  # the middle of all hundredths from 0.01 to 0.90


def test_the_quality_of_posteriors_is_that_of_their_mean_in_whatever_blocks():
    one, other = one_row(0.9, 0.2), one_row(0.8, 0.7)
    golds = [Alignment.of([(0, 0)]), Alignment.of([(0, 0)])]
    found = quality([one, other], golds)
    assert found == quality([MadeUp(one.grids + other.grids)], golds)
    assert found.aer == 0.0
    assert quality([other], [Alignment.of([(0, 1)])]).area < found.area


def test_posteriors_that_are_all_tiny_are_of_no_quality():
    assert quality([one_row(0.001, 0.0)], [Alignment.of([(0, 0)])]) == (0.0, 1.0)
