"""What reports are made from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.report.inputs import ReportInput, System, Text, draw
from report.inputs import report_input

PAIRS = [(["The", "cat"], ["le", "chat"]), (["the", "Straße"], []), ([], [])]
LINKS = [Alignment.of([(0, 0), (1, 1)]), Alignment(), Alignment()]


def made(*systems, golds=None, pairs=PAIRS, lines=None, **options):
    found = systems or (System("one", LINKS),)
    return ReportInput(Text.of(PAIRS), pairs, range(len(pairs)) if lines is None else lines, found, golds, **options)


# Words


def test_words_are_counted_without_upper_case_and_apart_for_each_side():
    text = Text.of(PAIRS, ("en", "fr"))
    assert text.names == ("en", "fr")
    assert text.pairs == 3
    assert text.frequencies == ({"the": 2, "cat": 1, "strasse": 1}, {"le": 1, "chat": 1})
    assert made().folded[1] == (["the", "strasse"], [])
    assert made().lengths == [(2, 2), (2, 0), (0, 0)]


@pytest.mark.parametrize(("count", "rare"), [(0, True), (5, True), (6, False)])
def test_a_word_is_rare_if_it_occurs_at_most_five_times_on_its_side(count, rare):
    pairs = [(["so"], ["x"])] * count + [(["other"], ["so"])] * 7
    found = ReportInput(Text.of(pairs), pairs, range(len(pairs)), [System("one", [Alignment()] * len(pairs))])
    assert found.is_rare("so", 0) is rare
    assert not found.is_rare("so", 1)


def test_links_are_counted_against_the_gold_for_each_system():
    golds = [Alignment.of([(0, 0)], possible=[(1, 0)]), Alignment(), Alignment()]
    counts = made(System("one", LINKS), System("none", [Alignment()] * 3), golds=golds).counts
    assert [(c.links, c.sure, c.possible, c.links_sure, c.links_possible) for c in counts["one"]] == [
        (2, 1, 2, 1, 1),
        (0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0),
    ]
    assert counts["none"][0].links == 0
    assert made().counts == {}


# Scores


@pytest.mark.parametrize(
    ("alignments", "scored"),
    [
        ([Alignment(), Alignment()], False),
        ([Alignment.of([(0, 0)], [0.0]), Alignment()], True),
        ([Alignment.of([(0, 0)], [0.5]), Alignment.of([], [])], True),
        ([Alignment.of([(0, 0)], [0.5]), Alignment.of([(0, 0)])], False),
        ([Alignment.of([(0, 0)], [0.5]), Alignment.of([(0, 0)], [1.01])], False),
        ([Alignment.of([(0, 0)], [-0.01]), Alignment.of([(0, 0)], [0.5])], False),
    ],
    ids=["no links", "a link", "an empty pair", "a link without score", "more than certain", "less than impossible"],
)
def test_a_system_has_scores_if_all_its_links_have_a_probability(alignments, scored):
    system = System("one", alignments)
    assert system.has_scores is scored
    kept = [alignment.scores for alignment in system.probabilities]
    assert kept == ([alignment.scores for alignment in alignments] if scored else [None, None])
    assert [alignment.links for alignment in system.probabilities] == [alignment.links for alignment in alignments]


# Parts of the text


def test_a_report_may_look_at_a_part_of_the_text():
    assert not made().is_sampled
    part = made(System("one", LINKS[:1]), pairs=PAIRS[:1], lines=[0])
    assert part.is_sampled
    assert not made(System("one", LINKS[:1]), pairs=PAIRS[:1], lines=[0], gold_pairs=1).is_sampled
    assert made(System("one", LINKS[:1]), pairs=PAIRS[:1], lines=[0], gold_pairs=2).is_sampled


@given(st.integers(0, 60), st.integers(1, 60), st.integers(0, 5))
def test_what_is_drawn_is_in_order_and_no_more_than_asked_for(total, most, seed):
    found = draw(total, most, seed)
    assert len(found) == min(total, most)
    assert found == sorted(set(found))
    assert set(found) <= set(range(total))
    assert found == draw(total, most, seed)


def test_other_seeds_draw_others_and_every_pair_has_the_same_chance():
    assert draw(200, 10, 1) != draw(200, 10, 2)
    times = [0] * 10
    for seed in range(2000):
        for number in draw(10, 3, seed):
            times[number] += 1
    # Binomial with a mean of 600 and a standard deviation of 20; six of them are never exceeded.
    assert all(480 < count < 720 for count in times)


# What cannot be


def test_there_must_be_a_system_and_a_pair():
    with pytest.raises(UsageError, match="at least one system"):
        ReportInput(Text.of(PAIRS), PAIRS, range(3), [])
    with pytest.raises(InputError, match="at least one sentence pair"):
        ReportInput(Text.of([]), [], [], [System("one", [])])


def test_names_are_different():
    with pytest.raises(UsageError, match="same name: one, two, one"):
        made(*(System(name, LINKS) for name in ("one", "two", "one")))


@pytest.mark.parametrize("count", [0, 2, 4])
def test_there_is_one_alignment_a_pair(count):
    some = ([*LINKS, Alignment()])[:count]
    with pytest.raises(InputError, match=f"^links.txt has {count} alignments, but there are 3 pairs$"):
        made(System("one", some, origin="links.txt"))
    with pytest.raises(InputError, match=f"^the gold has {count} alignments, but there are 3 pairs$"):
        made(golds=some)


def test_links_join_words_that_are_there():
    wrong = [LINKS[0], Alignment.of([(1, 0)]), Alignment()]
    with pytest.raises(InputError, match=r"^one, line 2: link 1-0 .* 2 source and 0 target words"):
        made(System("one", wrong))
    with pytest.raises(InputError, match=r"^the gold, line 2: link 1-0"):
        made(golds=wrong)
    with pytest.raises(InputError, match=r"^one, line 8: link 0-0"):
        made(System("one", [Alignment(), Alignment(), Alignment.of([(0, 0)])]), lines=[0, 3, 7])


def test_the_inputs_of_these_tests_are_as_described():
    assert len(report_input(systems=3).systems) == 3
    assert report_input(gold=False).golds is None
