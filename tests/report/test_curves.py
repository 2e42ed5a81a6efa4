"""Which curves a report has, and what their points are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.naive_report import Corpus, naive_confidence, naive_thresholds
from pralign.links.alignment import Alignment
from pralign.report.curves import charts
from pralign.report.inputs import ReportInput, System, Text
from pralign.report.posteriors import ModelPosteriors
from report.inputs import corpus_input, random_corpus, report_input

NOTHING = [Alignment()] * 40
HISTORY = [
    {"model": "ibm1", "log_likelihood": [-90.0, -80.0], "dev_aer": 0.25, "kept": True},
    {"model": "ibm1", "log_likelihood": [-70.0, -65.0], "dev_aer": 0.5, "kept": True},
    {"model": "hmm", "log_likelihood": [-75.0, -66.0], "dev_aer": 0.375, "kept": False},
]


def by_key(made):
    return {chart.key: chart for chart in charts(made)}


def series_of(chart):
    return {series.name: series for series in chart.series}


def posteriors(**options):
    """The posteriors of a model for an input with 40 pairs, one link of each direction a pair."""
    views = {
        "forward": [Alignment.of([(0, 0), (1, 1)], [0.9, 0.4])] * 40,
        "reverse": [Alignment.of([(0, 0), (1, 0)], [0.7, 0.05])] * 40,
        "mean": [Alignment.of([(0, 0), (1, 0), (1, 1)], [0.8, 0.025, 0.2])] * 40,
    }
    return ModelPosteriors("the model", **(views | {"signature": "model:some"} | options))


# Thresholds


@st.composite
def scored_corpora(draw):
    """Pairs of three words, a system with scores of a few values, and a gold."""
    cells = [(i, j) for i in range(3) for j in range(3)]
    count = draw(st.integers(1, 4))
    scores = st.sampled_from([0.0, 0.125, 0.5, 0.75, 1.0])
    links = st.dictionaries(st.sampled_from(cells), scores, max_size=5)
    found = [draw(links) for _ in range(count - 1)] + [{(0, 0): draw(scores)}]
    golds = []
    for _ in range(count):
        possible = draw(st.sets(st.sampled_from(cells), max_size=5))
        golds.append(({link for link in possible if draw(st.booleans())}, possible))
    words = ["a", "b", "c"]
    return Corpus([(words, words)] * count, list(range(count)), {"one": found}, golds, {})


def check_points(corpus, name, found):
    expected = naive_thresholds(corpus, name)
    recalls, errors = series_of(found["precision_recall"])[name], series_of(found["aer"])[name]
    assert [point for place in recalls.points for point in place] == pytest.approx(
        [value for each in expected for value in (each.recall, each.precision)], abs=1e-12
    )
    assert [point for place in errors.points for point in place] == pytest.approx(
        [value for each in expected for value in (each.threshold, each.aer)], abs=1e-12
    )
    lowest = min(each.aer for each in expected)
    best = next(each for each in expected if each.aer == lowest)
    (diamond,) = recalls.marks
    assert diamond.diamond
    assert (diamond.x, diamond.y) == pytest.approx((best.recall, best.precision), abs=1e-12)
    assert diamond.label == f"lowest error rate, {100 * best.aer:.1f} %"
    lowest_mark, drawn = errors.marks
    assert (lowest_mark.x, lowest_mark.y) == pytest.approx((best.threshold, best.aer), abs=1e-12)
    assert lowest_mark.label == f"lowest, {100 * best.aer:.1f} % at {best.threshold:.2f}"
    assert (drawn.x, drawn.y) == pytest.approx((expected[-1].threshold, expected[-1].aer), abs=1e-12)
    assert drawn.label == f"as drawn, {100 * expected[-1].aer:.1f} %"
    assert (lowest_mark.diamond, drawn.diamond) == (True, False)


@settings(deadline=None, max_examples=40)
@given(scored_corpora())
def test_points_are_the_scores_at_every_threshold(corpus):
    check_points(corpus, "one", by_key(corpus_input(corpus)))


def test_systems_with_scores_have_a_curve_and_others_none():
    corpus = random_corpus(3, systems=3)
    found = by_key(corpus_input(corpus))
    assert list(found) == ["precision_recall", "aer"]
    for chart in found.values():
        assert [series.name for series in chart.series] == ["system 0", "system 2"]
    for name in ("system 0", "system 2"):
        check_points(corpus, name, found)
    assert by_key(corpus_input(random_corpus(3, scored=False))) == {}


def test_without_a_gold_the_curve_shows_how_sure_systems_are():
    corpus = random_corpus(4, systems=3, gold=False)
    found = by_key(corpus_input(corpus))
    assert list(found) == ["confidence"]
    assert list(series_of(found["confidence"])) == ["system 0", "system 2"]
    for name, series in series_of(found["confidence"]).items():
        assert list(series.points) == naive_confidence(corpus, name)
        assert list(series.marks) == []


@pytest.mark.parametrize("gold", [True, False], ids=["gold", "no gold"])
def test_scores_that_are_no_probabilities_have_no_curve(gold):
    corpus = random_corpus(4, systems=1, gold=gold)
    shifted = [{link: score - 3 for link, score in links.items()} for links in corpus.systems["system 0"]]
    assert by_key(corpus_input(corpus._replace(systems={"system 0": shifted}))) == {}


def test_a_gold_without_sure_links_has_curves_too():
    pairs = [(["a", "b"], ["c", "d"])]
    links = [Alignment.of([(0, 0), (1, 1)], [0.75, 0.5])]
    golds = [Alignment.of([(0, 0)], possible=[(0, 0)])]
    found = by_key(ReportInput(Text.of(pairs), pairs, [0], [System("one", links)], golds))
    assert list(found["precision_recall"].series[0].points) == [(0.0, 1.0), (0.0, 0.5)]
    assert list(found["aer"].series[0].points) == [(0.75, 0.0), (0.5, 0.5)]
    assert all(chart.svg() for chart in found.values())


# Models


def test_each_direction_of_a_model_and_their_mean_have_a_curve():
    made = report_input(systems=1, posteriors=posteriors(thresholds=(0.5, 0.05, 0.3)))
    found = by_key(made)
    names = ["system A", "the model: forward", "the model: reverse", "the model: mean of both"]
    for key in ("precision_recall", "aer"):
        assert [series.name for series in found[key].series] == names
    used = [series.marks[1] for series in found["aer"].series[1:]]
    assert [mark.x for mark in used] == [0.5, 0.05, 0.3]
    for mark, view in zip(used, (made.posteriors.forward, made.posteriors.reverse, made.posteriors.mean), strict=True):
        kept = [alignment.at_least(mark.x) for alignment in view]
        again = ReportInput(made.text, made.pairs, made.lines, [System("kept", kept)], made.golds)
        (drawn,) = [series.marks[1] for series in by_key(again)["aer"].series]
        assert mark.y == drawn.y
        assert mark.label == f"in use, {100 * drawn.y:.1f} % at {mark.x:.2f}"


def test_a_model_that_reaches_no_threshold_draws_nothing():
    found = by_key(report_input(systems=1, posteriors=posteriors(thresholds=(0.95, 0.5, 0.5))))
    forward = series_of(found["aer"])["the model: forward"]
    assert [mark.diamond for mark in forward.marks] == [True]


def test_a_model_without_thresholds_has_no_mark_of_one():
    forward = series_of(by_key(report_input(posteriors=posteriors()))["aer"])["the model: forward"]
    assert [mark.diamond for mark in forward.marks] == [True]


def test_a_threshold_below_what_is_kept_has_no_mark():
    forward = series_of(by_key(report_input(posteriors=posteriors(thresholds=(0.001,) * 3)))["aer"])[
        "the model: forward"
    ]
    assert [mark.diamond for mark in forward.marks] == [True]


def test_a_model_without_probabilities_has_no_curves():
    silent = posteriors(forward=NOTHING, reverse=NOTHING, mean=NOTHING)
    names = [series.name for series in by_key(report_input(systems=1, posteriors=silent))["aer"].series]
    assert names == ["system A"]


# Training


def test_the_history_of_a_model_is_two_charts():
    found = by_key(report_input(posteriors=posteriors(history=HISTORY)))
    assert list(found) == ["precision_recall", "aer", "likelihood", "dev_aer"]
    likelihood, judged = found["likelihood"], found["dev_aer"]
    assert {series.name: list(series.points) for series in likelihood.series} == {
        "forward": [(1, -90.0), (2, -70.0), (3, -75.0)],
        "reverse": [(1, -80.0), (2, -65.0), (3, -66.0)],
    }
    assert "Iterations: 2 of ibm1, 1 of hmm." in likelihood.note
    assert list(judged.series[0].points) == [(1, 0.25), (2, 0.5), (3, 0.375)]
    assert [(mark.x, mark.y, mark.label, mark.diamond) for mark in judged.series[0].marks] == [
        (1, 0.25, "lowest, 25.0 %", True),
        (2, 0.5, "kept, 50.0 %", False),
    ]
    assert likelihood.whole
    assert judged.whole


def test_without_labelled_pairs_there_is_no_error_rate_by_iteration():
    unjudged = [{**entry, "dev_aer": None} for entry in HISTORY]
    assert list(by_key(report_input(gold=False, posteriors=posteriors(history=unjudged)))) == [
        "confidence",
        "likelihood",
    ]
    some = [unjudged[0], *HISTORY[1:]]
    found = by_key(report_input(gold=False, posteriors=posteriors(history=some)))
    assert list(found["dev_aer"].series[0].points) == [(2, 0.5), (3, 0.375)]
    assert [mark.x for mark in found["dev_aer"].series[0].marks] == [3, 2]


def test_names_of_systems_and_models_are_never_markup():
    made = report_input(systems=1, posteriors=replace(posteriors(history=HISTORY), name="<b>&"))
    renamed = replace(made, systems=[System("</svg><script>", made.systems[0].alignments)])
    for chart in charts(renamed):
        text = chart.svg()
        assert "<script" not in text
        assert "<b>" not in text
        assert text.count("</svg>") == 1


@pytest.mark.parametrize("systems", [1, 2])
def test_the_picture_of_error_rates_has_room_for_its_valleys(systems):
    chart = next(chart for chart in charts(report_input(systems=systems)) if chart.key == "aer")
    lowest = min(y for series in chart.series for _, y in series.points)
    marked = max(mark.y for series in chart.series for mark in series.marks)
    highest = max(y for series in chart.series for _, y in series.points)
    assert lowest <= marked < chart.top < highest
    assert marked / chart.top >= 0.65
