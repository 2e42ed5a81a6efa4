import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evaluation.strategies import SIZE, scored_alignment, scored_links
from oracles.naive_analysis import naive_reasons, naive_signs
from pralign.errors import InputError
from pralign.evaluation import PairSigns, pair_signs, suspicious
from pralign.links.alignment import Alignment

ROUNDING = 1e-12
USUAL = PairSigns(length_ratio=0.0, linked_share=0.9, confidence=0.9, score=-2.0)
# Quarters, so that numbers are often equal and deviations from their median are exact.
quarters = st.integers(-40, 40).map(lambda number: number / 4)
signs = st.builds(
    PairSigns,
    length_ratio=quarters,
    linked_share=st.integers(0, 8).map(lambda number: number / 8),
    confidence=st.none() | st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
    score=st.none() | quarters,
    empty_sides=st.sampled_from([0, 0, 0, 0, 1, 2]),
)


def reasons_of_the_last(*others, **changes):
    return suspicious([*others, USUAL._replace(**changes)])[-1]


def varied(count):
    """Pairs with length ratios and scores of median absolute deviation 1 from 0, and -2."""
    return [USUAL._replace(length_ratio=float(k % 3 - 1), score=float(k % 3 - 3)) for k in range(3 * count)]


# The signs of a pair


@given(st.tuples(st.integers(SIZE, 9), st.integers(SIZE, 9)), scored_links)
def test_signs_agree_with_a_loop_over_words(lengths, links):
    ratio, share, confidence = naive_signs(lengths, links)
    found = pair_signs(lengths, scored_alignment(links), score=-1.5)
    assert found.length_ratio == pytest.approx(ratio, abs=ROUNDING)
    assert found.linked_share == float(share)
    assert found.confidence == (None if confidence is None else pytest.approx(confidence, abs=ROUNDING))
    assert (found.score, found.empty_sides) == (-1.5, 0)


def test_twice_as_long_is_as_far_off_as_half_as_long():
    assert pair_signs((4, 9), Alignment()).length_ratio == math.log(2)
    assert pair_signs((9, 4), Alignment()).length_ratio == -math.log(2)
    assert pair_signs((7, 7), Alignment()).length_ratio == 0.0


@pytest.mark.parametrize(("lengths", "empty"), [((0, 0), 2), ((0, 3), 1), ((3, 0), 1), ((1, 1), 0)])
def test_empty_sides_are_counted(lengths, empty):
    found = pair_signs(lengths, Alignment())
    assert found.empty_sides == empty
    assert found.linked_share == 0.0
    assert (found.confidence, found.score) == (None, None)


def test_links_without_scores_have_no_confidence():
    assert pair_signs((1, 1), Alignment.of([(0, 0)])).confidence is None
    assert pair_signs((1, 1), Alignment.of([(0, 0)], scores=[0.5]).at_least(0.6)).confidence is None


def test_links_beyond_the_sentences_are_refused():
    with pytest.raises(InputError, match=r"^the alignment: link 1-0 "):
        pair_signs((1, 1), Alignment.of([(1, 0)]))


# The reasons


@given(st.lists(signs, max_size=25))
def test_agrees_with_a_loop_over_all_pairs(corpus):
    assert suspicious(corpus) == [tuple(naive_reasons(sign, corpus)) for sign in corpus]


@pytest.mark.parametrize(("ratio", "odd"), [(5.0, False), (5.3, True), (-5.0, False), (-5.3, True)])
def test_a_length_is_odd_beyond_three_and_a_half_deviations_on_either_side(ratio, odd):
    # The deviation of numbers that are -1, 0 and 1 is estimated as 1 / 0.6745 = 1.4826, and 3.5 of them are 5.19.
    assert reasons_of_the_last(*varied(50), length_ratio=ratio) == (("length",) if odd else ())


@pytest.mark.parametrize(("score", "low"), [(-7.1, False), (-7.3, True), (3.3, False), (-math.inf, True)])
def test_only_a_low_score_is_odd(score, low):
    assert reasons_of_the_last(*varied(50), score=score) == (("low score",) if low else ())


@pytest.mark.parametrize(("share", "few"), [(0.46, False), (0.45, False), (0.44, True), (0.0, True)])
def test_links_are_few_below_half_of_the_median(share, few):
    assert reasons_of_the_last(*[USUAL] * 9, linked_share=share) == (("few links",) if few else ())


@pytest.mark.parametrize(("confidence", "low"), [(None, False), (0.5, False), (0.49, True)])
def test_confidence_is_low_below_a_half_whatever_is_usual(confidence, low):
    expected = ("low confidence",) if low else ()
    for usual in (0.1, 0.9):
        others = [USUAL._replace(confidence=usual)] * 9
        assert reasons_of_the_last(*others, confidence=confidence) == expected


def test_several_reasons_come_in_the_documented_order():
    found = reasons_of_the_last(*varied(50), length_ratio=9.0, linked_share=0.1, confidence=0.1, score=-99.0)
    assert found == ("length", "few links", "low confidence", "low score")


def test_where_most_are_equal_a_pair_that_differs_stands_out():
    # The mean absolute deviation of n numbers of which one differs by d is d / n; so it lies n / 1.2533 deviations off.
    for others, odd in ((3, False), (4, True), (500, True)):
        found = reasons_of_the_last(*[USUAL] * others, length_ratio=0.01, score=-2.01)
        assert found == (("length", "low score") if odd else ())


def test_where_all_are_equal_nobody_stands_out():
    assert suspicious([USUAL] * 7) == [()] * 7
    assert suspicious([USUAL]) == [()]
    assert suspicious([]) == []


def test_a_fifth_of_wild_pairs_does_not_hide_that_they_are_wild():
    wild = [USUAL._replace(length_ratio=50.0 + k, score=-100.0 - k) for k in range(30)]
    found = suspicious([*varied(40), *wild])
    assert found == [()] * 120 + [("length", "low score")] * 30


def test_an_empty_side_is_the_only_reason():
    empty = pair_signs((0, 40), Alignment(), score=-99.0)
    assert suspicious([*varied(9), empty])[-1] == ("empty side",)
    assert suspicious([empty]) == [("empty side",)]


def test_a_pair_without_words_is_not_suspicious():
    assert suspicious([*varied(9), pair_signs((0, 0), Alignment(), score=-99.0)])[-1] == ()


@given(st.lists(signs, max_size=15), st.integers(1, 40))
def test_pairs_with_an_empty_side_do_not_change_what_is_usual(corpus, times):
    empty = [pair_signs((0, 90), Alignment(), score=500.0), pair_signs((0, 0), Alignment())] * times
    assert suspicious([*corpus, *empty])[: len(corpus)] == suspicious(corpus)


@given(st.lists(signs, max_size=15))
def test_scores_that_say_nothing_are_as_good_as_none(corpus):
    assume(any(sign.score is None for sign in corpus))
    silent = [sign._replace(score=math.nan) if sign.score is None else sign for sign in corpus]
    assert suspicious(silent) == suspicious(corpus)


def test_infinitely_low_scores_are_low_and_do_not_change_what_is_usual():
    impossible = [USUAL._replace(score=-math.inf)] * 200
    odd = [USUAL._replace(score=-7.3), USUAL._replace(score=-7.1)]
    found = suspicious([*varied(50), *odd, *impossible])
    assert found[150:] == [("low score",), (), *[("low score",)] * 200]
    assert suspicious(impossible) == [("low score",)] * 200
