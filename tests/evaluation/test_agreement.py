"""How far two annotators agree, compared with a loop over all cells."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.naive_agreement import cells, linked_or_not, naive_aer, naive_dice, naive_kappa
from pralign.errors import InputError, UsageError
from pralign.evaluation import Agreement, LinkAgreement, UnequalLinesError, agreement
from pralign.links.alignment import Alignment

ROUNDING = 1e-12
LEFT_OUT = [Alignment(state="skipped"), Alignment(state="unlabelled")]


@st.composite
def labelled_pairs(draw):
    size = draw(st.tuples(st.integers(0, 3), st.integers(0, 3)))
    places = [(i, j) for i in range(size[0]) for j in range(size[1])]
    kinds = st.sampled_from(["sure", "possible"])
    marks = st.dictionaries(st.sampled_from(places), kinds) if places else st.just({})
    return draw(marks), draw(marks), size


corpora = st.lists(labelled_pairs(), min_size=1, max_size=5)


def made(marks):
    return Alignment.of(marks, possible=[link for link, kind in marks.items() if kind == "possible"])


def compared(corpus, **options):
    sides = [[made(row[side]) for row in corpus] for side in (0, 1)]
    return agreement(*sides, lengths=[size for _, _, size in corpus], **options)


def close(value, expected):
    return value is None if expected is None else value == pytest.approx(float(expected), abs=ROUNDING)


@given(corpora)
def test_kappa_is_that_of_all_cells(corpus):
    counts = compared(corpus).counts
    judged = cells(corpus)
    assert counts.cells == len(judged)
    assert close(counts.kappa, naive_kappa(judged))
    assert close(counts.kappa_linked, naive_kappa(linked_or_not(judged)))


@given(corpora)
def test_links_are_compared_by_kind_and_without(corpus):
    counts = compared(corpus).counts
    assert close(counts.links, naive_dice(corpus, "sure", "possible"))
    assert close(counts.sure, naive_dice(corpus, "sure"))
    assert close(counts.possible, naive_dice(corpus, "possible"))
    shared = [(one, second[link]) for first, second, _ in corpus for link, one in first.items() if link in second]
    same = [one == other for one, other in shared]
    assert counts.same_kind == (sum(same) / len(same) if same else None)


@given(corpora)
def test_each_is_judged_by_the_other(corpus):
    first, second = compared(corpus).counts.aer
    assert close(first, naive_aer(corpus, judge=1))
    assert close(second, naive_aer(corpus, judge=0))


@given(corpora)
def test_nobody_comes_first(corpus):
    found, swapped = compared(corpus), compared([(second, first, size) for first, second, size in corpus])
    one, other = found.counts, swapped.counts
    assert (one.links, one.sure, one.possible, one.same_kind) == (
        other.links,
        other.sure,
        other.possible,
        other.same_kind,
    )
    assert (one.kappa, one.kappa_linked, one.aer) == (other.kappa, other.kappa_linked, other.aer[::-1])
    assert [pair.number for pair in found.differences] == [pair.number for pair in swapped.differences]


@given(corpora)
def test_differences_are_all_there_is_between_the_two(corpus):
    found = compared(corpus)
    numbers = [number for number, (first, second, _) in enumerate(corpus, start=1) if first != second]
    assert sorted(pair.number for pair in found.differences) == numbers
    for pair in found.differences:
        first, second, _ = corpus[pair.number - 1]
        assert pair.only_first == made({link: kind for link, kind in first.items() if link not in second})
        assert pair.only_second == made({link: kind for link, kind in second.items() if link not in first})
        other_kind = {link: kind for link, kind in first.items() if second.get(link, kind) != kind}
        assert pair.other_kind == made(other_kind)


@given(corpora, st.lists(st.tuples(st.sampled_from(LEFT_OUT), st.sampled_from(LEFT_OUT)), max_size=3))
def test_pairs_that_one_has_not_labelled_change_no_number(corpus, more):
    sides = [[*(made(row[side]) for row in corpus), *(row[side] for row in more)] for side in (0, 1)]
    sizes = [*(size for _, _, size in corpus), *((2, 2) for _ in more)]
    found = agreement(*sides, lengths=sizes)
    assert found.counts == compared(corpus).counts
    assert found.coverage.both == len(corpus)
    assert found.coverage.neither == len(more)


# The numbers by hand


def test_a_small_case_by_hand():
    found = agreement(["0-0 1?1"], ["0-0 1-1 2-1"], lengths=[(3, 2)])
    counts = found.counts
    assert counts == LinkAgreement(sure_sure=1, possible_sure=1, none_sure=1, cells=6)
    assert (counts.links, counts.sure, counts.possible) == (0.8, 0.5, 0.0)
    assert counts.same_kind == 0.5
    # Of 6 cells they agree on 4; chance: none 4 * 3, sure 1 * 3, possible 1 * 0, of 36.
    assert counts.kappa == pytest.approx((4 / 6 - 15 / 36) / (1 - 15 / 36))
    # Linked or not: they agree on 5; chance: linked 2 * 3, none 4 * 3.
    assert counts.kappa_linked == pytest.approx((5 / 6 - 18 / 36) / (1 - 18 / 36))
    assert counts.aer == (1 - 4 / 5, 1 - 3 / 4)
    assert str(found.signature).startswith("metric:agreement|cells:6|pairs:1|")


def test_without_lengths_there_is_no_kappa():
    found = agreement(["0-0"], ["0-0 1-1"])
    assert (found.counts.kappa, found.counts.kappa_linked, found.counts.cells) == (None, None, 0)
    assert found.counts.links == 2 / 3
    assert "cells" not in str(found.signature)


def test_who_agrees_that_there_is_nothing_agrees():
    found = agreement(["none"], ["none"], lengths=[(2, 2)])
    assert (found.counts.links, found.counts.sure, found.counts.possible) == (1.0, 1.0, 1.0)
    assert (found.counts.same_kind, found.counts.kappa, found.counts.aer) == (None, None, (0.0, 0.0))
    assert found.differences == []


# Which pairs


def test_coverage_counts_each_pair_once():
    first = ["0-0", "none", "0-0", "skipped", "", "skipped", "", "skipped"]
    second = ["0-0", "0-0", "", "0-0", "0-0", "skipped", "", "none"]
    coverage = agreement(first, second).coverage
    assert coverage._asdict() == {
        "both": 2,
        "first_only": 1,
        "second_only": 3,
        "neither": 2,
        "skipped_by_first": 3,
        "skipped_by_second": 1,
    }


def test_those_that_differ_most_come_first():
    first = ["0-0 1-1", "0-0", "0-0 1-1", "0-0 1-1", "0-0", "0-0"]
    second = ["0-0 1?1", "1-1", "0-0", "0-0 1-1", "1-1 2-2 3-3", "1-0"]
    found = agreement(first, second)
    # Least agreement first; of those that share nothing, the one with more links; then the order of the text.
    assert [pair.number for pair in found.differences] == [5, 2, 6, 3, 1]
    assert [pair.agreement for pair in found.differences] == [0.0, 0.0, 0.0, 2 / 3, 1.0]


def test_as_dict_has_everything_and_as_many_differences_as_wanted():
    found = agreement(["0-0 1?1", "0-0"], ["0-0 1-1 2?1", "1-1"], lengths=[(3, 2), (2, 2)])
    everything = found.as_dict()
    assert everything["pairs"] == found.coverage._asdict()
    assert everything["links"] == {
        "both": 2,
        "first": {"sure": 2, "possible": 1},
        "second": {"sure": 3, "possible": 1},
        "cells": 10,
    }
    assert everything["differences"] == [
        {"pair": 2, "agreement": 0.0, "only_first": ["0-0"], "only_second": ["1-1"], "other_kind": []},
        {"pair": 1, "agreement": 0.8, "only_first": [], "only_second": ["2?1"], "other_kind": ["1?1"]},
    ]
    assert found.as_dict(most=1)["differences"] == everything["differences"][:1]
    assert found.as_dict(most=0)["differences"] == []
    assert found.as_dict(most=0)["differing_pairs"] == 2


# What chance does


def drawn_from(pairs):
    """Every other pair has a link that only one annotator has."""
    first = ["0-0 1-1" if number % 2 else "0-0" for number in range(pairs)]
    return agreement(first, ["0-0"] * pairs)


def test_fewer_than_twenty_pairs_have_no_interval():
    found = drawn_from(19)
    assert found.interval is None
    assert found.as_dict()["agreement_interval"] is None
    assert "bootstrap" not in str(found.signature)


@settings(deadline=None, max_examples=20)
@given(st.lists(labelled_pairs(), min_size=20, max_size=30), st.integers(0, 9))
def test_the_interval_lies_around_the_agreement(corpus, seed):
    found = compared(corpus, samples=200, seed=seed)
    low, high = found.interval
    assert 0 <= low <= found.counts.links <= high <= 1


def test_the_interval_follows_from_samples_and_seed():
    found = drawn_from(20)
    low, high = found.interval
    assert 0 < low < found.counts.links < high < 1
    assert "bootstrap:1000|seed:0" in str(found.signature)
    again = drawn_from(20)
    assert again.interval == found.interval
    more = drawn_from(200).interval
    assert more[1] - more[0] < (high - low) / 2


# What cannot be compared


def test_without_a_pair_that_both_have_labelled_there_is_no_comparing():
    message = "the first and the second have no pair that both have labelled, so there is no comparing"
    for first, second in ([["0-0", ""], ["", "0-0"]], [["skipped"], ["0-0"]], [[], []]):
        with pytest.raises(InputError, match=f"^{message}$"):
            agreement(first, second)


def test_all_must_have_as_many_lines():
    with pytest.raises(UnequalLinesError, match=r"^the first has 1 line, the second 2$"):
        agreement(["0-0"], ["0-0", "0-0"])
    with pytest.raises(UnequalLinesError, match=r"^the first has 2 lines, the text 1$"):
        agreement(["0-0"] * 2, ["0-0"] * 2, lengths=[(1, 1)])


def test_links_lie_in_the_text():
    for first, second, name in ((["0-0", "0-2"], ["0-0"] * 2, "A"), (["0-0"] * 2, ["0-0", "0?2"], "B")):
        with pytest.raises(InputError, match=f"^{name}, line 2: link 1-3 .counted from 1. lies outside a pair of 1 "):
            agreement(first, second, lengths=[(1, 2)] * 2, names=("A", "B", "text"), bases=(1, 1))


def test_what_is_no_alignment_is_named():
    with pytest.raises(InputError, match=r"^the second, line 2: "):
        agreement(["0-0", "0-0"], ["0-0", "zero"])
    with pytest.raises(UsageError, match="at least one sample, not 0"):
        agreement(["0-0"], ["0-0"], samples=0)


def test_files_are_read_as_golds(tmp_path):
    one, other = tmp_path / "a", tmp_path / "b"
    one.write_text("0-0\n\nnone\n")
    other.write_text("0-0\n0-0\n0?0\n")
    found = agreement(one, str(other))
    assert isinstance(found, Agreement)
    assert (found.coverage.both, found.coverage.second_only) == (2, 1)
