"""Reports as a whole: every table and every pair, against a count of links and words one by one."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.naive_report import Corpus, naive_pairs, naive_tables
from pralign.links.alignment import Alignment
from pralign.report.inputs import ReportInput, System, Text
from pralign.report.report import Report
from report.inputs import corpus_input, disturbed, pairs_and_golds, random_corpus, report_input

# Few words, some of which are the same but for their case.
WORDS = ["a", "A", "b", "maß", "MASS", "c"]
sentences = st.lists(st.sampled_from(WORDS), max_size=6)
quarters = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
logarithms = st.sampled_from([-2.5, -0.5, 0.0])


@st.composite
def corpora(draw):
    """A small text of which some pairs are looked at, one to three systems with or without scores, perhaps a gold."""
    text = draw(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=6))
    lines = sorted(draw(st.sets(st.sampled_from(range(len(text))), min_size=1)))
    cells = [[(i, j) for i in range(len(text[k][0])) for j in range(len(text[k][1]))] for k in lines]
    chosen = [st.sets(st.sampled_from(each)) if each else st.just(set()) for each in cells]
    systems, scores = {}, {}
    for name in ["one", "two", "three"][: draw(st.integers(1, 3))]:
        score = draw(st.sampled_from([quarters, st.none(), logarithms]))
        systems[name] = [{link: draw(score) for link in sorted(draw(links))} for links in chosen]
        if draw(st.booleans()):
            scores[name] = [draw(st.none() | quarters) for _ in lines]
    golds = None
    if draw(st.booleans()):
        golds = []
        for links in chosen:
            possible = draw(links)
            golds.append((draw(st.sets(st.sampled_from(sorted(possible)))) if possible else set(), possible))
    return Corpus(text, lines, systems, golds, scores)


def close(found, expected):
    """Whether two values that JSON can hold are the same but for the last digits of fractions."""
    if isinstance(expected, dict):
        return list(found) == list(expected) and all(close(found[key], expected[key]) for key in expected)
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(close, found, expected))
    if isinstance(expected, float):
        return isinstance(found, float | int) and math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12)
    return found == expected


def as_json(report):
    """What a program reads."""
    return json.loads(json.dumps(report.as_dict(), allow_nan=False))


def check_against_the_oracle(corpus, samples, seed):
    found = as_json(Report(corpus_input(corpus), samples, seed))
    expected = naive_tables(corpus, samples, seed)
    assert list(found["tables"]) == list(expected)
    for key, rows in expected.items():
        assert close(found["tables"][key]["rows"], rows), (key, found["tables"][key]["rows"], rows)
    assert found["pairs"] == naive_pairs(corpus)


# Tables


@pytest.mark.parametrize("gold", [True, False], ids=["gold", "no gold"])
@pytest.mark.parametrize("systems", [1, 2, 3], ids=["one system", "two systems", "three systems"])
@pytest.mark.parametrize("scored", [True, False], ids=["scores", "no scores"])
def test_tables_agree_with_a_count_one_by_one(gold, systems, scored):
    corpus = random_corpus(systems, systems, gold, scored)
    assert any(not source for source, _ in corpus.pairs)
    assert any(not target for _, target in corpus.pairs)
    assert len(corpus.lines) < len(corpus.text)
    if gold:
        assert any(not possible and all(pair) for pair, (_, possible) in zip(corpus.pairs, corpus.golds, strict=True))
    check_against_the_oracle(corpus, samples=60, seed=5)


@settings(max_examples=40, deadline=None)
@given(corpora(), st.integers(1, 25), st.integers(0, 3))
def test_tables_of_small_corpora_agree_with_a_count_one_by_one(corpus, samples, seed):
    check_against_the_oracle(corpus, samples, seed)


def test_every_class_of_words_sentences_and_parts_is_met():
    tables = as_json(Report(corpus_input(random_corpus(1, 2)), samples=5))["tables"]
    classes = {key: {row["class"] for row in tables[key]["rows"]} for key in tables if key.startswith("by_")}
    assert classes["by_source_frequency"] == {"1 to 5", "6 to 50", "51 to 500", "501 and more"}
    assert classes["by_length"] == {"1 to 10", "11 to 20", "21 to 30", "31 and more"}
    assert classes["by_part"] == {"beginning", "middle", "end"}
    assert tables["worst_collectors"]["rows"]


def test_only_the_first_fifty_suspicious_pairs_are_listed_and_repeats_once():
    pairs = [([f"a{k % 120}", "b"], ["c", "d"]) for k in range(240)]
    links = [Alignment.of([(0, 0), (1, 1)], [1.0, 1.0] if k % 2 else [0.25, 0.25]) for k in range(240)]
    made = Report(ReportInput(Text.of(pairs), pairs, range(240), [System("one", links)]))
    table = next(table for table in made.tables if table.key == "suspicious")
    assert len(table.rows) == 50
    assert [row[:2] for row in table.rows] == [[[k, k + 120], 2] for k in range(0, 100, 2)]
    assert "120 of 240 pairs" in table.note
    assert "The first 50 are listed" in table.note


# What is said in words


def test_scores_are_told_in_words():
    report = Report(report_input(systems=2), samples=100)
    row = report.as_dict()["tables"]["scores"]["rows"][0]
    told = next(line for line in report.findings if line.startswith("system A: of 100 links"))
    low, high = row["aer_interval"]
    assert f"{100 * row['precision']:.0f} are right" in told
    assert f"it finds {100 * row['recall']:.0f}." in told
    assert told.endswith(
        f"is {100 * row['aer']:.1f} % (with 95 % confidence between {100 * low:.1f} and {100 * high:.1f})."
    )
    order = [line.split(":")[0] for line in report.findings if "of 100 links" in line]
    assert order == ["system B", "system A"]  # the better one first


def test_the_best_system_is_compared_with_each_of_the_others():
    told = [line for line in Report(report_input(systems=3), samples=400).findings if "is better than" in line]
    assert [line.split(" by ")[0] for line in told] == [
        "system B is better than system A",
        "system B is better than system C",
    ]
    assert all("hardly by chance" in line for line in told)


def test_equal_systems_are_not_called_better():
    pairs, golds = pairs_and_golds(1)
    systems = [System(name, [Alignment.of(gold.links[:1]) for gold in golds]) for name in ("one", "two")]
    findings = Report(ReportInput(Text.of(pairs), pairs, range(len(pairs)), systems, golds), samples=20).findings
    assert not any("is better than" in line for line in findings)
    assert "one and two have the same error rate." in findings


def test_few_pairs_tell_nothing_about_chance():
    made = report_input(systems=2, copies=1)
    report = Report(made, samples=20)
    tables = report.as_dict()["tables"]
    assert tables["scores"]["rows"][0]["aer_interval"] is None
    assert tables["significance"]["rows"][0]["p_value"] is None
    assert not any("confidence between" in line or "chance (" in line for line in report.findings)
    assert any(line.endswith("but there are too few pairs to tell whether that is chance.") for line in report.findings)


def test_systems_without_links_are_told():
    pairs, golds = pairs_and_golds(1)
    systems = [System("none", [Alignment()] * 10), System("all", golds)]
    findings = Report(ReportInput(Text.of(pairs), pairs, range(10), systems, golds), samples=5).findings
    assert "none draws no links." in findings
    assert not any(line.startswith("none: of 100 links") for line in findings)


def test_of_many_systems_the_best_are_named():
    pairs, golds = pairs_and_golds(3)
    systems = [System(f"s{k}", disturbed(golds, pairs, k, 0.1 * (6 - k))) for k in range(6)]
    report = Report(ReportInput(Text.of(pairs), pairs, range(30), systems, golds), samples=20)
    rates = {row["system"]: row["aer"] for row in report.as_dict()["tables"]["scores"]["rows"]}
    best = sorted(rates, key=rates.get)
    assert "There are 6 systems; only the best are named here, the tables have them all." in report.findings
    assert [line.split(":")[0] for line in report.findings if "of 100 links" in line] == best[:4]
    compared = [line.split(" by ")[0] for line in report.findings if "is better than" in line]
    assert compared == [f"{best[0]} is better than {other}" for other in best[1:4]]


def test_without_a_gold_agreement_is_told():
    report = Report(report_input(gold=False, systems=2))
    share = report.as_dict()["tables"]["agreement"]["rows"][0]["share"]
    [told] = [line for line in report.findings if line.startswith("system A and system B")]
    assert told.startswith(f"system A and system B agree on {100 * share:.0f} % of their links and differ in ")
    assert report.findings[0] == "This report looks at all 40 sentence pairs."
    assert not any("error rate" in line for line in report.findings)


def test_garbage_collectors_are_told():
    pairs = [(["rare"], ["a", "b", "c", "d"])] * 2
    links = [Alignment.of([(0, j) for j in range(4)]), Alignment()]
    findings = Report(ReportInput(Text.of(pairs), pairs, range(2), [System("one", links)])).findings
    assert findings[-1] == "one: 1 of the 10 times that rare words occur, they have suspiciously many links."


# What the numbers are from


def test_the_signature_names_what_was_drawn():
    corpus = random_corpus(2, 2, gold=False)
    assert str(Report(corpus_input(corpus, seed=4), samples=7, seed=4).signature).split("|")[:-1] == [
        "report:alignment",
        "systems:2",
        "gold:no",
        "pairs:24",
        "drawn_from:37",
        "sample_seed:4",
    ]
    assert str(Report(report_input(), samples=7, seed=3).signature).split("|")[:-1] == [
        "report:alignment",
        "systems:2",
        "gold:yes",
        "pairs:40",
        "bootstrap:7",
        "seed:3",
    ]


def test_the_signature_says_of_how_many_pairs_with_a_gold_some_were_drawn():
    made = corpus_input(random_corpus(2, 2), gold_pairs=30)
    assert made.is_sampled
    assert "drawn_from:30" in str(Report(made, samples=5).signature).split("|")


def test_pairs_have_the_same_numbers_everywhere():
    corpus = random_corpus(3)
    found = as_json(Report(corpus_input(corpus), samples=5))
    numbers = {entry["pair"] for entry in found["pairs"]}
    listed = {number for row in found["tables"]["missed_pairs"]["rows"] for number in row["pairs"]}
    assert listed
    assert listed <= numbers


def test_huge_scores_are_still_json():
    pairs = [(["a", "b"], ["c", "d"])] * 2
    links = [Alignment.of([(0, 0)], [1.5e308])] * 2
    found = as_json(Report(ReportInput(Text.of(pairs), pairs, range(2), [System("one", links)])))
    assert found["tables"]["systems"]["rows"][0]["confidence"] is None
    assert found["curves"] == {}


def test_pairs_that_stand_in_several_places_are_not_the_first():
    pairs = [(["a"], ["b"])] * 5
    gold = [Alignment.of([(0, 0)])] * 2
    for lines, told in (([0, 1], "the first 2 of 5"), ([0, 3], "2 of 5")):
        inputs = ReportInput(Text.of(pairs), pairs[:2], lines, [System("one", gold)], gold, gold_pairs=2)
        assert Report(inputs).findings[0].startswith(f"This report looks at {told} sentence pairs, which are also")


def test_a_single_system_without_a_gold_has_something_to_say():
    pairs = [(["the", "cat", "sat"], ["le", "chat", "assis"]), (["the", "dog"], ["chien", "le"])] * 2
    links = [Alignment.of([(0, 0), (1, 1)], [0.5, 1.0]), Alignment.of([(0, 1), (1, 0)], [0.75, 0.75])] * 2
    inputs = ReportInput(Text.of([*pairs, (["once"], ["fois"])]), pairs, range(4), [System("mine", links)])
    told = Report(inputs).findings
    assert (
        "mine: 80 % of the source words and 80 % of the target words have a link; 100 % of the links are one to one; "
        "taken two by two, 50 % of the links of a pair cross."
    ) in told
    assert "mine: links have a mean probability of 75 %. If its probabilities are right, so many" in " ".join(told)
    once = ReportInput(Text.of(pairs[:1]), pairs[:1], [0], [System("mine", links[:1])])
    assert "(67 % of those that the text has only once)" in " ".join(Report(once).findings)


def test_words_that_only_one_of_two_systems_links_are_the_same_in_both_orders():
    """Neither is a gold, though a file of links may call some merely possible and leave pairs without labels."""
    pairs = [(["a", "b"], ["c", "d"])] * 2
    one = System("one", [Alignment.of([(0, 0), (1, 1)], possible=[(1, 1)]), Alignment(state="unlabelled")])
    two = System("two", [Alignment.of([(1, 0)], possible=[(1, 0)]), Alignment.of([(0, 1)])])
    found = []
    for systems in ([one, two], [two, one]):
        made = Report(ReportInput(Text.of(pairs), pairs, range(2), systems))
        rows = next(table for table in made.behaviour if table.key == "disputed_words").rows
        found.append(sorted(rows))
    assert found[0] == found[1]
    assert [row[:6] for row in found[0]] == [
        ["one", "two", "a", "c", 1, 1],
        ["one", "two", "b", "d", 1, 1],
        ["two", "one", "a", "d", 1, 1],
        ["two", "one", "b", "c", 1, 1],
    ]


def test_where_two_systems_differ_is_told():
    told = " ".join(Report(report_input(gold=False)).findings)
    row = as_json(Report(report_input(gold=False)))["tables"]["differences"]["rows"][0]
    assert f"their links and differ in {row['different']} of 40 pairs: {row['only_first']} links only of" in told
    same = report_input(gold=False, systems=1)
    twins = replace(same, systems=[same.systems[0], replace(same.systems[0], name="twin")])
    assert "system A and twin draw the same links in all pairs." in Report(twins).findings


@pytest.mark.parametrize("count", [1, 3])
def test_pairs_worth_a_look_are_counted_for_the_system_that_they_are_told_by(count):
    pairs = [*[(["a", "house"], ["une", "maison"])] * 40, *((["alone", f"{k}"], []) for k in range(count))]
    links = [*[Alignment.of([(0, 0), (1, 1)])] * 40, *[Alignment()] * count]
    made = ReportInput(Text.of(pairs), pairs, range(len(pairs)), [System("A", links), System("B", links)])
    [told] = [line for line in Report(made).findings if "worth a look" in line]
    rows = as_json(Report(made))["tables"]["suspicious"]["rows"]
    assert len(rows) == count
    expected = "1 sentence pair is worth" if count == 1 else "3 different sentence pairs are worth"
    assert told.startswith(f"By the links of A, {expected} a look, since ")
