from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.strategies import alignment, gold_alignment, golds, link_sets
from oracles.naive_analysis import naive_samples
from oracles.naive_evaluation import naive_counts
from pralign.errors import InputError, UsageError
from pralign.evaluation import LinkCounts, Scores, count_links, resampled, resampling

RIGHT, WRONG = LinkCounts(2, 2, 2, 2, 2, 1), LinkCounts(2, 2, 2, 0, 0, 1)
corpora = st.lists(st.tuples(golds, st.tuples(link_sets, link_sets, link_sets)), min_size=1, max_size=5)


def counted(corpus, system):
    return [count_links(alignment(links[system]), gold_alignment(gold)) for gold, links in corpus]


@settings(deadline=None)
@given(corpora, st.integers(1, 3), st.integers(1, 12), st.integers(0, 99))
def test_all_systems_are_scored_on_the_documented_samples(corpus, systems, samples, seed):
    found = list(resampled([counted(corpus, system) for system in range(systems)], samples, seed))
    drawn = naive_samples(len(corpus), samples, seed)
    expected = [
        [naive_counts([(corpus[k][1][system], corpus[k][0]) for k in sample]) for system in range(systems)]
        for sample in drawn
    ]
    assert found == [[Scores(LinkCounts(**counts)) for counts in sample] for sample in expected]


@settings(deadline=None)
@given(corpora, st.integers(0, 9))
def test_the_samples_do_not_depend_on_the_systems(corpus, seed):
    first, second, third = (counted(corpus, system) for system in range(3))
    alone = [scores for [scores] in resampled([second], 5, seed)]
    assert [scores[1] for scores in resampled([first, second, third], 5, seed)] == alone


@settings(deadline=None)
@given(corpora, st.integers(1, 9), st.integers(0, 8))
def test_more_samples_begin_with_the_same_ones(corpus, samples, more):
    systems = [counted(corpus, 0)]
    assert list(resampled(systems, samples + more, 7))[:samples] == list(resampled(systems, samples, 7))


@pytest.mark.parametrize("at_once", [1, 12, 100])
def test_only_some_samples_are_drawn_at_once(monkeypatch, at_once):
    systems = [[RIGHT, WRONG, RIGHT, WRONG, WRONG]]
    expected = list(resampled(systems, 40, 3))
    monkeypatch.setattr(resampling, "_AT_ONCE", at_once)
    rows = [weights.shape[0] for weights in resampling.sample_weights(5, 40, 3)]
    assert sum(rows) == 40
    assert max(rows) == max(1, at_once // 5)
    assert list(resampled(systems, 40, 3)) == expected


def test_samples_come_one_by_one_but_errors_at_once():
    found = resampled([[RIGHT] * 3], 10**12, 0)
    assert isinstance(found, Iterator)
    assert next(found)[0].counts == LinkCounts(6, 6, 6, 6, 6, 3)
    with pytest.raises(UsageError, match="at least one sample, not 0"):
        resampled([[RIGHT]], 0, 0)
    with pytest.raises(UsageError, match="from 0, not -1"):
        resampled([[RIGHT]], 1, -1)


def test_samples_that_memory_cannot_hold_are_refused():
    with pytest.raises(UsageError, match="at most 10,000,000 samples, not 1000"):
        resampling.resampled_values([[RIGHT] * 3], ("aer",), 10**30, 0)


@pytest.mark.parametrize("systems", [[], [[]], [[], []]])
def test_nothing_to_draw_from_is_refused(systems):
    with pytest.raises(InputError, match="no sentence pairs"):
        resampled(systems, 1, 0)


def test_systems_of_different_lengths_are_refused():
    with pytest.raises(InputError, match=r"^system 1 has 2 lines, system 3 1$"):
        resampled([[RIGHT] * 2, [WRONG] * 2, [RIGHT]], 1, 0)
