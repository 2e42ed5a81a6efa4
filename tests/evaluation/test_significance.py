import json
from fractions import Fraction
from itertools import product
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation import populations
from evaluation.strategies import alignment, gold_alignment, golds, link_sets
from oracles.naive_evaluation import naive_scores
from pralign.errors import InputError, UsageError
from pralign.evaluation import (
    LinkCounts,
    compare_all,
    count_links,
    evaluate,
    paired_bootstrap,
    resampling,
    significance,
)
from pralign.links.alignment import Alignment

MEASURES = ["aer", "errors", "f1", "f1_sure", "precision", "recall"]
ROUNDING = 1e-12
FULL, HALF = Alignment.of([(0, 0), (1, 1)]), Alignment.of([(0, 0)])
corpora = st.lists(st.tuples(link_sets, link_sets, golds), min_size=1, max_size=5)


def compare(corpus, **options):
    firsts, seconds, references = zip(*corpus, strict=True)
    return paired_bootstrap(map(alignment, firsts), map(alignment, seconds), map(gold_alignment, references), **options)


def naive_differences(corpus, measure, drawn):
    """The second score less the first in each sample, from the links of its pairs one by one, in exact fractions."""
    found = []
    for sample in drawn:
        first = naive_scores([(corpus[k][0], corpus[k][2]) for k in sample])[measure]
        second = naive_scores([(corpus[k][1], corpus[k][2]) for k in sample])[measure]
        found.append(second - first)
    return found


def naive_p_value(differences):
    not_above = sum(difference <= 0 for difference in differences)
    not_below = sum(difference >= 0 for difference in differences)
    return min(Fraction(1), Fraction(2 * (min(not_above, not_below) + 1), len(differences) + 1))


@settings(deadline=None)
@given(corpora, st.sampled_from(MEASURES), st.integers(1, 25), st.integers(0, 99))
def test_agrees_with_a_loop_over_the_same_samples(corpus, measure, samples, seed):
    drawn = np.random.default_rng(seed).integers(len(corpus), size=(samples, len(corpus))).tolist()
    differences = naive_differences(corpus, measure, drawn)
    sign = -1 if measure in ("aer", "errors") else 1
    found = compare(corpus, measure=measure, samples=samples, seed=seed)
    assert found.better == sum(sign * difference > 0 for difference in differences) / samples
    assert found.p_value == pytest.approx(float(naive_p_value(differences)), abs=ROUNDING)
    low, high = np.quantile([float(difference) for difference in differences], [0.025, 0.975])
    assert found.interval == pytest.approx((low, high), abs=ROUNDING)


@settings(deadline=None)
@given(corpora, st.sampled_from(MEASURES))
def test_the_scores_are_those_of_all_pairs(corpus, measure):
    found = compare(corpus, measure=measure, samples=3)
    references = [gold_alignment(gold) for _, _, gold in corpus]
    first = evaluate([alignment(links) for links, _, _ in corpus], references)
    second = evaluate([alignment(links) for _, links, _ in corpus], references)
    assert (found.first, found.second) == (getattr(first, measure), getattr(second, measure))
    assert found.difference == found.second - found.first
    assert (found.measure, found.pairs, found.samples, found.seed) == (measure, len(corpus), 3, 0)


@pytest.mark.parametrize("measure", MEASURES)
def test_many_samples_come_close_to_all_possible_ones(measure):
    corpus = [
        ({(0, 0), (1, 1)}, {(0, 0)}, ({(0, 0)}, {(0, 0), (1, 1)})),
        ({(0, 1)}, {(0, 1), (1, 1), (2, 2)}, ({(0, 1), (1, 1)}, {(0, 1), (1, 1)})),
        ({(0, 0)}, {(2, 0), (1, 1)}, ({(0, 0), (1, 1)}, {(0, 0), (1, 1), (1, 2)})),
        ({(3, 3), (1, 0)}, {(3, 3)}, ({(3, 3)}, {(3, 3)})),
    ]
    differences = naive_differences(corpus, measure, product(range(4), repeat=4))
    sign = -1 if measure in ("aer", "errors") else 1
    expected = fmean(sign * difference > 0 for difference in differences)
    found = compare(corpus, measure=measure, samples=20_000)
    assert found.better == pytest.approx(expected, abs=5 * 0.5 / 20_000**0.5)  # five standard deviations


@settings(deadline=None)
@given(corpora, st.sampled_from(MEASURES))
def test_a_system_does_not_differ_from_itself(corpus, measure):
    found = compare([(links, links, gold) for links, _, gold in corpus], measure=measure, samples=20)
    assert (found.difference, found.better, found.p_value, found.interval) == (0.0, 0.0, 1.0, (0.0, 0.0))


@pytest.mark.parametrize("measure", ["aer", "f1", "f1_sure", "recall"])
def test_a_system_that_is_better_on_every_pair_is_better(measure):
    found = paired_bootstrap([HALF] * 30, [FULL] * 30, [FULL] * 30, measure, samples=999)
    assert found.better == 1.0
    assert found.p_value == 2 / 1000
    assert found.interval[0] == found.interval[1] == pytest.approx(found.difference, abs=ROUNDING)
    assert (found.difference < 0) is (measure == "aer")


@settings(deadline=None)
@given(corpora, st.sampled_from(MEASURES), st.integers(0, 9))
def test_systems_that_change_places_change_signs(corpus, measure, seed):
    swapped = [(second, first, gold) for first, second, gold in corpus]
    one, other = (compare(both, measure=measure, samples=30, seed=seed) for both in (corpus, swapped))
    assert other.difference == -one.difference
    assert other.p_value == one.p_value
    assert other.interval == pytest.approx((-one.interval[1], -one.interval[0]), abs=ROUNDING)
    assert one.better + other.better <= 1.0


def test_a_lead_on_few_pairs_is_not_trusted_and_one_on_many_is():
    def p_value(pairs):
        mixed = [HALF, FULL, FULL] * pairs, [FULL, HALF, FULL] * pairs
        lead = [HALF, FULL, HALF] * pairs
        assert paired_bootstrap(*mixed, [FULL] * 3 * pairs, samples=500).p_value > 0.5
        return paired_bootstrap(lead, mixed[1], [FULL] * 3 * pairs, samples=500).p_value

    assert p_value(2) > 0.1
    assert p_value(100) < 0.01


def test_the_seed_decides():
    systems = [HALF, FULL, FULL, HALF, FULL], [FULL, HALF, FULL, FULL, HALF]
    runs = [paired_bootstrap(*systems, [FULL] * 5, samples=200, seed=seed) for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert runs[0].better != runs[2].better


@pytest.mark.parametrize("at_once", [1, 7, 40])
def test_how_many_samples_are_drawn_at_once_makes_no_difference(monkeypatch, at_once):
    systems = [HALF, FULL, FULL, HALF, FULL], [FULL, HALF, FULL, FULL, HALF]
    expected = paired_bootstrap(*systems, [FULL] * 5, samples=50)
    monkeypatch.setattr(resampling, "_AT_ONCE", at_once)
    assert paired_bootstrap(*systems, [FULL] * 5, samples=50) == expected


def test_pairs_without_any_link_are_no_trouble():
    empty = [Alignment()] * 3
    assert paired_bootstrap(empty, empty, empty, "f1", samples=10).p_value == 1.0
    assert paired_bootstrap(empty, [FULL, *empty[1:]], [FULL, *empty[1:]], "aer", samples=10).second == 0.0


def test_inputs_may_be_iterators():
    assert paired_bootstrap(iter([HALF]), iter([FULL]), iter([FULL]), samples=5).second == 0.0


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (1, 2, "the first system has 1 line, the gold 2"),
        (3, 2, "the first system has 3 lines, the gold 2"),
        (2, 0, "the second system has 0 lines, the gold 2"),
        (2, 3, "the second system has 3 lines, the gold 2"),
    ],
)
def test_different_numbers_of_lines_are_refused(first, second, message):
    with pytest.raises(InputError) as caught:
        paired_bootstrap([FULL] * first, [FULL] * second, [FULL] * 2)
    assert str(caught.value) == message


def test_nothing_to_compare_on_is_refused():
    with pytest.raises(InputError, match="no sentence pairs"):
        paired_bootstrap([], [], [])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measure": "bleu"}, "aer, errors, f1, f1_sure, precision, recall, not by 'bleu'"),
        ({"samples": 0}, "at least one sample, not 0"),
        ({"seed": -1}, "from 0, not -1"),
    ],
)
def test_settings_that_cannot_be_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        paired_bootstrap([FULL], [FULL], [FULL], **options)


def test_as_dict_and_text():
    found = paired_bootstrap([HALF] * 4, [FULL] * 4, [FULL] * 4, "recall", samples=99, seed=3)
    values = json.loads(json.dumps(found.as_dict()))
    expected = {"measure": "recall", "first": 0.5, "second": 1.0, "difference": 0.5, "better": 1.0, "p_value": 0.02}
    drawn = {"interval": [0.5, 0.5], "pairs": 4, "samples": 99, "seed": 3, "signature": str(found.signature)}
    assert values == expected | drawn
    assert str(found.signature).startswith("test:paired-bootstrap|measure:recall|pairs:4|samples:99|seed:3|version:")
    assert str(found).splitlines() == [
        "first       50.00 %   recall",
        "second     100.00 %   better in 100.00 % of the samples",
        "difference +50.00     +50.00 to +50.00 in 95 % of the samples",
        "p          0.0200     two-sided",
        "",
        str(found.signature),
    ]


# Counts instead of alignments

RIGHT, WRONG = LinkCounts(2, 2, 2, 2, 2, 1), LinkCounts(2, 2, 2, 0, 0, 1)


def counted(corpus):
    """The counts of both systems."""
    judges = [gold_alignment(gold) for _, _, gold in corpus]
    return [
        [count_links(alignment(links), gold) for links, gold in zip(system, judges, strict=True)]
        for system in list(zip(*corpus, strict=True))[:2]
    ]


@settings(deadline=None)
@given(corpora, st.sampled_from(MEASURES), st.integers(1, 25), st.integers(0, 9))
def test_counts_compare_as_the_alignments_do(corpus, measure, samples, seed):
    expected = compare(corpus, measure=measure, samples=samples, seed=seed)
    assert significance.compare(*counted(corpus), measure, samples, seed) == expected


@settings(deadline=None)
@given(
    st.lists(st.tuples(golds, st.tuples(link_sets, link_sets, link_sets)), min_size=1, max_size=4),
    st.lists(st.sampled_from(MEASURES), unique=True),
    st.integers(1, 20),
    st.integers(0, 9),
)
def test_many_compared_at_once_are_each_two_compared_alone(corpus, measures, samples, seed):
    systems = {
        name: [count_links(alignment(links[k]), gold_alignment(gold)) for gold, links in corpus]
        for k, name in enumerate(["old", "new", "best"])
    }
    found = compare_all(systems, measures, samples, seed)
    assert list(found) == [("old", "new"), ("old", "best"), ("new", "best")]
    for (first, second), by_measure in found.items():
        assert list(by_measure) == measures
        for measure, comparison in by_measure.items():
            alone = significance.compare(systems[first], systems[second], measure, samples, seed)
            assert comparison == alone


def test_the_interval_of_the_difference_covers_the_truth_at_its_rate():
    first, second = populations.population(seed=3, systems=2)
    truth = populations.whole(second).aer - populations.whole(first).aer
    assert truth < -0.01
    covered = 0
    for number, chosen in enumerate(populations.sets_of_pairs(seed=4)):
        both = [[system[k] for k in chosen] for system in (first, second)]
        low, high = significance.compare(*both, "aer", populations.SAMPLES, seed=number).interval
        covered += low <= truth <= high
    assert covered in populations.COVERED


@pytest.mark.parametrize("systems", [{}, {"alone": [RIGHT]}, {"alone": []}])
def test_fewer_than_two_systems_leave_nothing_to_compare(systems):
    assert compare_all(systems) == {}
    with pytest.raises(UsageError, match="not by 'bleu'"):
        compare_all(systems, ["aer", "bleu"])


def test_a_name_may_be_anything():
    found = compare_all({"the second system": [RIGHT], "": [WRONG]}, samples=5)
    assert found["the second system", ""]["aer"].difference == 1.0


def test_counts_of_other_pairs_are_refused_by_name():
    with pytest.raises(InputError, match=r"^the first system has 1 line, the second system 2$"):
        significance.compare([RIGHT], [WRONG] * 2)
    with pytest.raises(InputError, match=r"^hmm has 3 lines, giza 1$"):
        compare_all({"hmm": [RIGHT] * 3, "fast": [RIGHT] * 3, "giza": [WRONG]})


def test_no_counts_are_refused():
    with pytest.raises(InputError, match="no sentence pairs to compare"):
        significance.compare([], [])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measure": "bleu"}, "recall, not by 'bleu'"),
        ({"samples": 0}, "at least one sample, not 0"),
        ({"seed": -1}, "from 0, not -1"),
    ],
)
def test_settings_that_cannot_be_are_refused_for_counts_too(options, message):
    with pytest.raises(UsageError, match=message):
        significance.compare([RIGHT], [WRONG], **options)


# What may be said of it


def compared(pairs, measure="aer"):
    good, bad = LinkCounts(2, 2, 2, 2, 2, 1), LinkCounts(2, 2, 2, 1, 1, 1)
    return significance.compare([bad] * pairs, [good] * pairs, measure, samples=200)


def test_the_winner_is_the_one_with_the_lower_error_rate_or_the_higher_other_score():
    for measure in ("aer", "precision", "recall", "f1"):
        assert compared(5, measure).winner == "second"
    same = [LinkCounts(1, 1, 1, 1, 1, 1)] * 5
    assert significance.compare(same, same, samples=10).winner is None


def test_a_few_pairs_tell_nothing_about_chance():
    assert compared(19).p_value < 0.05
    assert (compared(19).is_telling, compared(19).is_significant) == (False, False)
    assert (compared(20).is_telling, compared(20).is_significant) == (True, True)


def test_a_difference_with_a_large_p_value_is_not_significant():
    same = [LinkCounts(1, 1, 1, 1, 1, 1)] * 30
    assert not significance.compare(same, same, samples=100).is_significant
