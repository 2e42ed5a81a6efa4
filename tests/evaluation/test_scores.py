from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.strategies import alignment, corpora, gold_alignment
from oracles.naive_evaluation import naive_counts, naive_scores
from pralign import __version__
from pralign.errors import InputError
from pralign.evaluation import LinkCounts, Scores, count_links, evaluate
from pralign.links.alignment import Alignment

# Every score is a handful of operations on whole numbers below 1000, each rounded to 2^-53 of its value.
ROUNDING = 1e-14

NAMES = ("links", "sure", "possible", "links_sure", "links_possible", "pairs")


def score(corpus, alpha=0.5):
    return evaluate(
        [alignment(links) for links, _ in corpus], [gold_alignment(gold) for _, gold in corpus], alpha=alpha
    )


def test_a_hand_computed_pair():
    gold = Alignment.of([(0, 0), (1, 1), (2, 2)], possible=[(2, 3), (3, 3)])
    hypothesis = Alignment.of([(0, 0), (1, 1), (2, 3), (4, 4)])
    counts = count_links(hypothesis, gold)
    assert counts == LinkCounts(links=4, sure=3, possible=5, links_sure=2, links_possible=3, pairs=1)
    scores = Scores(counts, alpha=0.25)
    assert scores.precision == 3 / 4
    assert scores.recall == 2 / 3
    assert scores.aer == pytest.approx(1 - 5 / 7, abs=ROUNDING)
    assert scores.f1 == pytest.approx(12 / 17, abs=ROUNDING)
    assert scores.f1_sure == pytest.approx(4 / 7, abs=ROUNDING)
    # sure precision 1/2, recall 2/3: 1 / (0.25 / (1/2) + 0.75 / (2/3)) = 1 / (1/2 + 9/8)
    assert scores.f_alpha == pytest.approx(8 / 13, abs=ROUNDING)


def test_a_possible_link_of_the_hypothesis_counts_like_any_other():
    gold = Alignment.of([(0, 0)])
    assert count_links(Alignment.of([], possible=[(0, 0), (1, 1)]), gold) == count_links(
        Alignment.of([(0, 0), (1, 1)]), gold
    )


@given(corpora, st.fractions(0, 1, max_denominator=8))
def test_scores_agree_with_the_naive_formulas(corpus, alpha):
    scores = score(corpus, float(alpha))
    counts = naive_counts(corpus)
    assert {name: getattr(scores.counts, name) for name in NAMES} == counts
    for name, value in naive_scores(corpus, alpha).items():
        assert getattr(scores, name) == pytest.approx(float(value), abs=ROUNDING), name


@given(corpora, corpora)
def test_counts_add(left, right):
    assert score(left).counts + score(right).counts == score(left + right).counts
    assert LinkCounts() + score(left).counts == score(left).counts


@given(corpora)
def test_without_merely_possible_links_aer_is_one_minus_f1(corpus):
    sure_only = [(links, (sure, sure)) for links, (sure, _) in corpus]
    scores = score(sure_only)
    assert scores.aer == pytest.approx(1 - scores.f1, abs=ROUNDING)
    assert scores.f1 == pytest.approx(scores.f1_sure, abs=ROUNDING)


@given(corpora)
def test_the_ends_of_alpha_are_recall_and_sure_precision(corpus):
    recall_only, precision_only = score(corpus, 0.0), score(corpus, 1.0)
    assert recall_only.f_alpha == recall_only.recall
    counts = naive_counts(corpus)
    expected = Fraction(counts["links_sure"], counts["links"]) if counts["links"] else 0
    assert precision_only.f_alpha == pytest.approx(float(expected), abs=ROUNDING)


@pytest.mark.parametrize(
    ("counts", "precision", "recall", "aer"),
    [
        (LinkCounts(pairs=1), 0.0, 0.0, 1.0),
        (LinkCounts(links=2, pairs=1), 0.0, 0.0, 1.0),
        (LinkCounts(sure=2, possible=2, pairs=1), 0.0, 0.0, 1.0),
        (LinkCounts(links=2, possible=3, links_possible=1, pairs=1), 0.5, 0.0, 0.5),
    ],
    ids=["both empty", "no gold", "no links", "no sure links"],
)
@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_empty_denominators_count_as_zero(counts, precision, recall, aer, alpha):
    scores = Scores(counts, alpha)
    assert (scores.precision, scores.recall, scores.aer) == (precision, recall, aer)
    assert scores.f1 == scores.f_alpha == scores.f1_sure == 0.0


@pytest.mark.parametrize("alpha", [-0.1, 1.5, float("nan")])
def test_alpha_outside_its_range_is_refused(alpha):
    with pytest.raises(InputError, match=r"alpha is .*between 0 and 1"):
        evaluate([], [], alpha=alpha)


def test_as_dict_holds_fractions_counts_and_signature():
    values = Scores(LinkCounts(4, 2, 4, 2, 3, 1), alpha=0.25).as_dict()
    assert values == {
        "precision": 0.75,
        "recall": 1.0,
        "aer": pytest.approx(1 / 6, abs=ROUNDING),
        "f1": pytest.approx(6 / 7, abs=ROUNDING),
        "f1_sure": pytest.approx(2 / 3, abs=ROUNDING),
        "f_alpha": pytest.approx(2 / 2.5, abs=ROUNDING),
        "alpha": 0.25,
        "errors": 1.0,
        "links": 4,
        "sure": 2,
        "possible": 4,
        "links_sure": 2,
        "links_possible": 3,
        "pairs": 1,
        "signature": f"metric:aer|gold:sure+possible|alpha:0.25|pairs:1|version:{__version__}",
    }


def test_the_signature_tells_a_gold_of_sure_links_apart():
    assert Scores(LinkCounts(4, 2, 2, 2, 2, 1)).signature.as_dict()["gold"] == "sure"


def test_text_shows_percentages_and_ingredients():
    text = str(Scores(LinkCounts(4, 2, 4, 2, 3, 1), alpha=0.25))
    lines = text.splitlines()
    assert lines[0] == "precision   75.00 %   |A&P| / |A| = 3 / 4"
    assert lines[1] == "recall     100.00 %   |A&S| / |S| = 2 / 2"
    assert lines[2].startswith("AER         16.67 %") and lines[2].endswith("1 - (2 + 3) / (4 + 2)")
    assert "F0.25 sure  80.00 %" in text
    assert lines[-1] == str(Scores(LinkCounts(4, 2, 4, 2, 3, 1), alpha=0.25).signature)


def test_the_balanced_f_is_printed_once():
    assert "F0.5" not in str(Scores(LinkCounts(4, 2, 4, 2, 3, 1)))
