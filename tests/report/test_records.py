"""Sentence pairs as the page gets them."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from oracles.naive_evaluation import naive_scores
from oracles.naive_report import REASONS, Corpus, naive_reasons_of_all
from pralign.links.alignment import Alignment
from pralign.report.html import render
from pralign.report.inputs import ReportInput, System, Text
from pralign.report.posteriors import ModelPosteriors
from pralign.report.records import pair_records
from pralign.report.report import Report
from report.inputs import corpus_input, long_input, nasty_input, random_corpus, report_input

LARGEST_PAGE = 5_000_000


def size(records):
    return len(json.dumps(records, separators=(",", ":"), ensure_ascii=False).encode())


def decoded(cells, record):
    """Links of the numbers that stand for them."""
    return {divmod(cell, len(record["t"])) for cell in cells}


def hundredths(score):
    return round(100 * min(max(score, 0), 1))


# What is in a record


@pytest.mark.parametrize("gold", [True, False], ids=["gold", "no gold"])
def test_records_hold_the_words_the_links_and_their_probabilities(gold):
    corpus = random_corpus(7, gold=gold)
    records = pair_records(corpus_input(corpus))
    assert [record["n"] for record in records] == [line + 1 for line in corpus.lines]
    for k, (record, (source, target)) in enumerate(zip(records, corpus.pairs, strict=True)):
        assert (record["s"], record["t"]) == (source, target)
        for (cells, *scores), confidence, links in zip(
            record["x"], record["c"], (found[k] for found in corpus.systems.values()), strict=True
        ):
            assert decoded(cells, record) == set(links)
            assert cells == sorted(cells)
            if not links or None in links.values():
                assert confidence is None
                assert scores in ([], [[]])
            else:
                assert scores == [[hundredths(links[link]) for link in sorted(links)]]
                assert confidence == hundredths(sum(links.values()) / len(links))


def test_records_hold_the_gold_and_what_is_wrong_with_the_links():
    corpus = random_corpus(8)
    for k, record in enumerate(pair_records(corpus_input(corpus))):
        sure, possible = corpus.golds[k]
        assert decoded(record["g"], record) == sure
        assert decoded(record["p"], record) == possible - sure
        for (error, wrong, missed), name in zip(record["v"], corpus.systems, strict=True):
            links = corpus.links(name)[k]
            assert (wrong, missed) == (len(links - possible), len(sure - links))
            expected = naive_scores([(links, (sure, possible))])["aer"] if links or sure else Fraction(0)
            assert error == pytest.approx(float(expected), abs=0.00005)
            assert (wrong + missed == 0) == (error == 0)


def test_records_say_which_words_are_rare_and_why_a_pair_is_worth_a_look():
    corpus = random_corpus(9, gold=False)
    reasons = naive_reasons_of_all(corpus)
    assert any(reasons)
    assert not all(reasons)
    for k, record in enumerate(pair_records(corpus_input(corpus))):
        assert record.get("w", []) == [REASONS[reason] for reason in reasons[k]]
        for side in (0, 1):
            words = corpus.occurrences(side)
            expected = [i for i, word in enumerate(corpus.pairs[k][side]) if words.count(word.casefold()) <= 5]
            assert record["r"][side] == expected


def test_records_say_how_much_systems_differ_from_the_first():
    corpus = random_corpus(10)
    for k, record in enumerate(pair_records(corpus_input(corpus))):
        first, *others = (set(found[k]) for found in corpus.systems.values())
        shares = [
            Fraction(len(first & other), len(first | other)) if first | other else Fraction(1) for other in others
        ]
        assert record["d"] == (0 if min(shares) == 1 else max(1, round(100 * (1 - min(shares)))))
    alone = random_corpus(10, systems=1, gold=False)
    assert all(record.keys() <= {"n", "s", "t", "x", "c", "r", "w"} for record in pair_records(corpus_input(alone)))


def test_systems_that_differ_in_one_of_many_links_differ():
    words = [f"w{k}" for k in range(400)]
    links = [(k, k) for k in range(400)]
    systems = [System("all", [Alignment.of(links)]), System("all but one", [Alignment.of(links[1:])])]
    (record,) = pair_records(ReportInput(Text.of([(words, words)]), [(words, words)], [0], systems))
    assert record["d"] > 0


def test_probabilities_are_percentages_and_scores_of_other_kinds_are_left_out():
    text = [(["a", "b", "c"], ["d"])]
    scores = {"probabilities": (0.0, 0.004, 1.0), "logarithms": (-2.5, -0.5, 0.0), "weights": (0.5, 1.0, 17.0)}
    systems = {name: [{(i, 0): score for i, score in enumerate(each)}] for name, each in scores.items()}
    (record,) = pair_records(corpus_input(Corpus(text, [0], systems, None, {})))
    assert record["x"] == [[[0, 1, 2], [0, 0, 100]], [[0, 1, 2]], [[0, 1, 2]]]
    assert record["c"] == [33, None, None]


def test_records_hold_both_directions_of_a_model():
    views = {
        "forward": [Alignment.of([(0, 0), (1, 2)], [0.9, 0.404])] * 40,
        "reverse": [Alignment.of([(2, 1)], [0.75])] * 40,
        "mean": [Alignment.of([(0, 0)], [0.45])] * 40,
    }
    record = pair_records(report_input(posteriors=ModelPosteriors("it", **views, signature="it")))[0]
    assert record["m"] == [[[0, 5], [90, 40]], [[7], [75]]]
    nothing = dict.fromkeys(views, [Alignment()] * 40)
    assert "m" not in pair_records(report_input(posteriors=ModelPosteriors("it", **nothing, signature="it")))[0]


def test_words_are_made_fit_to_be_shown():
    record = pair_records(nasty_input())[0]
    assert record["s"][:2] == ["<script>alerted=1</script>", '"quoted"']
    assert record["s"][5:7] == ["U+200F", "ab"]


# How many there are


@pytest.fixture(scope="module")
def sixty():
    """Sixty pairs of some twenty words."""
    return long_input(60)


def test_all_pairs_are_there_if_they_fit(sixty):
    assert [record["n"] for record in pair_records(sixty)] == list(range(1, 61))
    whole = size(pair_records(sixty))
    assert len(pair_records(sixty, whole)) == 60
    assert len(pair_records(sixty, whole - 2)) < 60


@pytest.mark.parametrize("largest", [2_000, 10_000, 30_000])
def test_records_keep_within_their_bytes_and_use_most_of_them(sixty, largest):
    records = pair_records(sixty, largest)
    assert size(records) <= largest + 1
    assert size(records) > largest - 2_000
    every = {record["n"]: record for record in pair_records(sixty)}
    numbers = [record["n"] for record in records]
    assert numbers == sorted(numbers)
    assert all(record == every[record["n"]] for record in records)


def test_which_pairs_are_shown_is_left_to_chance_by_the_seed(sixty):
    def chosen(seed):
        return [record["n"] for record in pair_records(replace(sixty, seed=seed), 10_000)]

    assert chosen(1) == chosen(1)
    assert chosen(1) != chosen(2)
    assert max(chosen(1)) > 30  # they are not simply the first


def test_the_page_says_how_many_of_the_pairs_it_shows(sixty):
    report = Report(sixty, samples=5, largest=10_000)
    shown = len(report.records)
    assert f"{shown} of the 60 pairs that were looked at are shown" in render(report, "Part")
    assert "pairs that were looked at are shown" not in render(Report(nasty_input(), samples=5), "All")


def huge_input(words, others=30, seed=0):
    """One pair of very many words, and some small ones; two systems that link them all."""
    long = [f"word{k}" for k in range(words)]
    pairs = [(long, long), *([(["a", "b"], ["c", "d"])] * others)]
    links = [
        Alignment.of([(k, k) for k in range(words)], [0.5] * words),
        *([Alignment.of([(0, 0)], [0.5])] * others),
    ]
    systems = [System(name, links) for name in ("one", "two")]
    return ReportInput(Text.of(pairs), pairs, range(len(pairs)), systems, links, seed=seed)


def test_a_pair_of_ten_thousand_words_fits_into_a_page():
    report = Report(huge_input(10_000), samples=5)
    page = render(report, "Huge")
    assert len(page.encode()) < LARGEST_PAGE
    record = report.records[0]
    assert len(report.records) == 31
    assert decoded(record["x"][0][0], record) == {(k, k) for k in range(10_000)}


def test_a_pair_that_does_not_fit_is_left_out_and_others_are_not():
    for seed in range(5):
        records = pair_records(huge_input(1000, seed=seed), largest=10_000)
        assert [record["n"] for record in records] == list(range(2, 32))


def test_no_pair_is_larger_than_what_is_allowed():
    assert all(size(pair_records(huge_input(1000, others=2, seed=seed), 10_000)) <= 10_000 for seed in range(8))


def test_text_full_of_markup_keeps_within_its_bytes():
    pairs = [(["<"] * 200, ["<"] * 200)] * 200
    made = ReportInput(Text.of(pairs), pairs, range(200), [System("one", [Alignment()] * 200)])
    largest = 100_000
    everything_else = len(render(Report(made, largest=1), "Markup").encode())
    assert len(render(Report(made, largest=largest), "Markup").encode()) < everything_else + 1.5 * largest
