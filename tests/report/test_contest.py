"""Which pairs to label to find out which of two systems is better."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from oracles.naive_differences import naive_disputes
from pralign.errors import UsageError
from pralign.evaluation import compare, count_links, pairs_needed
from pralign.links.alignment import Alignment
from pralign.report.contest import Contest, files_to_label
from pralign.report.html import render
from pralign.report.inputs import ReportInput, System, Text
from pralign.report.report import Report
from report.inputs import corpus_input, disturbed, long_input, pairs_and_golds, random_corpus, report_input


def contest(**options):
    return Contest.of(report_input(gold=False, copies=8, **options))


def errors(counts):
    return counts.links - counts.links_possible + counts.sure - counts.links_sure


# Which pairs


def test_only_two_systems_without_a_gold_have_a_contest():
    assert Contest.of(report_input(gold=True)) is None
    assert Contest.of(report_input(gold=False, systems=1)) is None
    assert Contest.of(report_input(gold=False, systems=3)) is None
    same = report_input(gold=False, systems=1)
    twins = replace(same, systems=[same.systems[0], replace(same.systems[0], name="twin")])
    assert Contest.of(twins).differing == []
    assert Report(twins).contest is None


@pytest.mark.parametrize("seed", range(3))
def test_every_different_pair_that_differs_is_there_once_unless_it_is_long(seed):
    corpus = random_corpus(seed, 2, gold=False)
    found = Contest.of(corpus_input(corpus))
    assert found.sizes == naive_disputes(corpus)
    assert all(max(map(len, corpus.pairs[k])) <= 60 for k in found.differing)


def test_long_pairs_are_left_out_and_told():
    pairs = [(["a"] * 61, ["b"]), (["a"], ["b"])]
    systems = [System("one", [Alignment.of([(0, 0)])] * 2), System("two", [Alignment()] * 2)]
    found = Contest.of(ReportInput(Text.of(pairs), pairs, range(2), systems))
    assert (list(found.differing), found.too_long) == ([1], 1)
    assert "1 more have over 60 words" in found.table.note


def test_pairs_are_drawn_at_random_and_always_the_same_ones():
    found = contest()
    assert found.drawn(5) == found.drawn(5)
    assert set(found.drawn(5)) < set(found.differing)
    assert found.drawn(12)[:5] != sorted(found.drawn(12)[:5]) or found.drawn(12)[5:] != sorted(found.drawn(12)[5:])
    others = {tuple(contest(seed=seed).drawn(5)) for seed in range(20)}
    assert len(others) > 15
    assert len(found.drawn()) == found.advised <= len(found.differing)
    assert sorted(found.drawn(10**6)) == sorted(found.differing)


def test_every_pair_is_drawn_equally_often():
    counted = dict.fromkeys(contest().differing, 0)
    whole = contest()
    for seed in range(600):
        inputs = replace(whole.inputs, seed=seed)
        for k in replace(whole, inputs=inputs).drawn(len(counted) // 2):
            counted[k] += 1
    share = len(counted) // 2 / len(counted)
    expected, spread = 600 * share, (600 * share * (1 - share)) ** 0.5
    assert all(abs(count - expected) < 4.5 * spread for count in counted.values())


# How many


def test_pairs_with_the_same_links_add_nothing_to_the_difference_in_errors():
    pairs, golds = pairs_and_golds(6)
    one, other = (disturbed(golds, pairs, seed, 0.1, scored=False) for seed in (1, 2))
    counts = [[count_links(a, gold) for a, gold in zip(found, golds, strict=True)] for found in (one, other)]
    differing = [k for k in range(len(pairs)) if one[k].links != other[k].links]
    assert 0 < len(differing) < len(pairs)
    whole = sum(map(errors, counts[1])) - sum(map(errors, counts[0]))
    assert whole == sum(errors(counts[1][k]) - errors(counts[0][k]) for k in differing)
    compared = compare(*([each[k] for k in differing] for each in counts), measure="errors", samples=50)
    assert compared.difference * len(differing) == pytest.approx(whole)


def share_of_samples_against(differences):
    """In which share of all samples with replacement the sum of the differences is not above zero, worked out."""
    low, number = differences.min(), len(differences)
    share = np.bincount(differences - low) / number
    size = number * (len(share) - 1) + 1
    sums = np.fft.irfft(np.fft.rfft(share, 2 * size) ** number, 2 * size)[:size]
    return sums[: max(0, 1 - number * low)].sum()


def power(sizes, number, share, decided, together, trials=1500):
    """How often a bootstrap of so many pairs finds the better system, if labels are drawn as supposed."""
    chance = np.random.default_rng(3)
    found = 0
    for _ in range(trials):
        drawn = chance.binomial(chance.choice(sizes, number), decided)
        won = drawn * (chance.random(number) < share) if together else chance.binomial(drawn, share)
        found += share_of_samples_against(2 * won - drawn) < 0.025
    return found / trials


@pytest.mark.parametrize("decided", [1.0, 0.5])
@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("share", [0.6, 2 / 3, 0.75])
@pytest.mark.parametrize("most", [1, 2, 8])
def test_so_many_pairs_show_the_difference_four_times_in_five(most, share, together, decided):
    sizes = list(range(1, most + 1))
    needed = pairs_needed(sizes, share, decided)
    number = needed.together if together else needed.apart
    # Twenty pairs are taken where fewer would do.
    assert 0.78 < power(sizes, number, share, decided, together) < (1.001 if number == 20 else 0.9)


@pytest.mark.parametrize("share", [0.55, 0.6, 2 / 3, 0.7, 0.75, 0.8, 0.9])
def test_neither_so_many_pairs_nor_somewhat_more_are_too_few(share):
    """Of pairs that differ in one link, all outcomes are gone through: an even number may end in a tie."""
    needed = pairs_needed([1], share)
    assert needed.apart == needed.together
    for number in range(needed.apart, needed.apart + 10):
        won = np.arange(number + 1)
        against = binom.cdf(number // 2, number, won / number)
        assert binom.pmf(won, number, share)[against < 0.025].sum() > 0.79


def test_the_bootstrap_counts_the_samples_that_are_worked_out():
    better, worse = (count_links(Alignment.of(links), Alignment.of([(0, 0)])) for links in ([(0, 0)], [(1, 1)]))
    first, second = [worse] * 17 + [better] * 7, [better] * 17 + [worse] * 7
    against = share_of_samples_against(np.repeat([1, -1], [17, 7]))
    assert compare(first, second, measure="errors").p_value == pytest.approx(2 * against, abs=0.006)


def test_a_bootstrap_of_drawn_pairs_says_who_is_better():
    """The gold decides a sample of the pairs that differ; of systems so far apart it finds the better one."""
    inputs = long_input(300)
    golds = inputs.golds
    worse = System("worse", disturbed(golds, inputs.pairs, 7, 0.2, scored=False))
    better = System("better", disturbed(golds, inputs.pairs, 8, 0.1, scored=False))
    found = Contest.of(replace(inputs, golds=None, systems=[worse, better]))
    drawn = found.drawn()
    assert 20 <= len(drawn) < len(found.differing)
    counts = [[count_links(system.alignments[k], golds[k]) for k in drawn] for system in (worse, better)]
    compared = compare(*counts, measure="errors", samples=500)
    assert compared.winner == "second"
    assert compared.is_significant


def test_what_cannot_be_asked():
    for sizes, share in (([], 0.6), ([0, 1], 0.6), ([1], 0.5), ([1], 1.01)):
        with pytest.raises(UsageError):
            pairs_needed(sizes, share)
    for decided in (0.0, -0.5, 1.01):
        with pytest.raises(UsageError, match="decided"):
            pairs_needed([1, 2], 0.6, decided)
    assert pairs_needed([1, 1], 1.0).together == 20


def test_pairs_that_are_too_few_to_tell_anything_are_told():
    few, many = Report(report_input(gold=False, copies=1)), Report(report_input(gold=False, copies=8))
    assert len(few.contest.differing) < 20 <= len(many.contest.differing)
    doubt = "with fewer than 20 labelled pairs nobody can tell whether a difference is chance"
    assert few.doubt == f"{doubt}; take more text"
    sampled = replace(few.inputs, gold_pairs=100)
    assert Report(sampled).doubt == f"{doubt}; look at more pairs, with --sample"
    assert f"But {few.doubt}." in render(few, "x")
    assert many.doubt == replace(many, prefix="x", drawn=20).doubt == Report(report_input(), samples=5).doubt == ""
    assert doubt not in render(many, "x")
    assert replace(many, prefix="x", drawn=19).doubt == f"{doubt}; draw at least 20, with --label-count"


# Files and pages


def test_files_have_the_words_the_links_and_the_lines():
    found = contest()
    inputs, chosen = found.inputs, found.drawn(7)
    source, target, first, second, (header, *rows) = files_to_label(found, chosen)
    assert header.split("\t") == ["line", "both", "only first", "only second"]
    for at, k in enumerate(chosen):
        assert (source[at].split(), target[at].split()) == tuple(map(list, inputs.pairs[k]))
        links = [set(Alignment.of(text).links) for text in (first[at], second[at])]
        assert links == [set(system.alignments[k].links) for system in inputs.systems]
        counted = [len(links[0] & links[1]), len(links[0] - links[1]), len(links[1] - links[0])]
        assert [int(cell) for cell in rows[at].split("\t")] == [inputs.lines[k] + 1, *counted]


def test_the_page_tells_what_to_run_and_json_has_it():
    inputs = report_input(gold=False)
    report = Report(inputs)
    page = render(report, "x")
    told = report.as_dict()["to_label"]
    assert told["differing"] == len(report.contest.differing)
    assert told["commands"][0] == "pralign label todo.src todo.tgt --gold todo.gold --test"
    for command in told["commands"]:
        assert command in page
    assert f"{told['advised']} pairs, unless" in page
    written = Report(inputs, prefix="my pairs/x", drawn=5)
    assert "pralign label &#39;my pairs/x.src&#39;" in render(written, "x")
    assert "5 pairs are in files that begin with my pairs/x" in render(written, "x")
    assert Report(report_input()).as_dict()["to_label"] is None
    assert "Which one is better?" not in render(Report(report_input(), samples=5), "x")
