"""The posteriors of trained models for the pairs of a report."""

from __future__ import annotations

import numpy as np
import pytest

from matching.sample_text import LABELLED, PAIRS, fitted
from pralign import Aligner
from pralign.links.alignment import Alignment
from pralign.report.html import render
from pralign.report.inputs import ReportInput, System, Text
from pralign.report.posteriors import LONGEST, LOWEST, posteriors_of_matching, posteriors_of_model
from pralign.report.report import Report

SETTINGS = {"model": "ibm1", "iterations": "ibm1=2", "threads": 1}
WORDS = [(source.split(), target.split()) for source, target in PAIRS[:60]]
ODD = [
    (["the", "house"], []),
    ([], ["la"]),
    ([], []),
    (["zzz", "house"], ["la", "yyy"]),
    (["the"] * LONGEST, ["la"]),
    (["the"] * (LONGEST + 1), ["la"]),
    (["the"], ["la"] * (LONGEST + 1)),
]


@pytest.fixture(scope="module")
def aligner():
    return Aligner(**SETTINGS).fit(PAIRS[:60])


@pytest.fixture(scope="module")
def matching():
    return fitted(PAIRS[:60], LABELLED[:12], features=["dice", "distance"], rounds=5)


@pytest.fixture(scope="module")
def informed(aligner):
    return fitted(PAIRS[:60], LABELLED[:12], features=["dice", "posteriors"], rounds=5, model=aligner)


def above(cells):
    """The links with a probability worth a mention, with it."""
    return {(int(i), int(j)): float(cells[i, j]) for i, j in zip(*np.nonzero(cells >= LOWEST), strict=True)}


def as_links(alignment):
    return dict(zip(alignment.links, alignment.scores or (), strict=True))


def report_of(posteriors, pairs=WORDS):
    links = [Alignment.of([(0, 0)]) if all(pair) else Alignment() for pair in pairs]
    made = ReportInput(Text.of(pairs), pairs, range(len(pairs)), [System("one", links)], links, posteriors)
    return Report(made, samples=5)


# Generative models


def test_each_direction_gives_the_links_that_are_not_improbable(aligner):
    pairs = [*WORDS[:8], *ODD[:5]]
    found = posteriors_of_model(aligner, pairs, "it")
    for k, pair in enumerate(pairs):
        expected = aligner.posteriors(*pair)
        for view, cells in ((found.forward, expected.forward), (found.reverse, expected.reverse)):
            assert as_links(view[k]) == above(cells)
        assert as_links(found.mean[k]) == above(expected.mean)
    assert any(found.forward)
    assert found.has_probabilities
    assert LOWEST == 0.02


def test_many_pairs_are_answered_like_few(aligner):
    pairs = [*WORDS, *ODD[:3], *WORDS, *WORDS]
    whole = posteriors_of_model(aligner, pairs, "it")
    assert len(whole.mean) == len(pairs)
    some = [0, 59, 60, 63, 64, 130, len(pairs) - 1]
    few = posteriors_of_model(aligner, [pairs[k] for k in some], "it")
    for k, one in zip(some, zip(few.forward, few.reverse, few.mean, strict=True), strict=True):
        assert one == (whole.forward[k], whole.reverse[k], whole.mean[k])


def test_very_long_pairs_and_those_with_an_empty_side_have_no_links(aligner):
    found = posteriors_of_model(aligner, ODD, "it")
    for view in (found.forward, found.reverse, found.mean):
        assert not any(view[:3])
        assert not any(view[5:])
    assert found.reverse[3]
    assert posteriors_of_model(aligner, ODD[:3], "it").has_probabilities is False


def test_settings_signature_and_history_are_those_of_the_model(aligner):
    found = posteriors_of_model(aligner, WORDS[:3], "it")
    assert found.name == "it"
    assert found.signature == str(aligner.signature)
    assert dict(found.settings) == aligner.signature.as_dict()
    assert [entry["log_likelihood"] for entry in found.history] == [
        list(entry.log_likelihood) for entry in aligner.history_
    ]
    assert len(found.history) == 2
    assert found.learned == ()


def test_labelled_pairs_leave_their_error_rate_in_the_history():
    judged = Aligner(**SETTINGS).fit(PAIRS[:60], labelled=LABELLED[:12])
    found = posteriors_of_model(judged, WORDS, "it")
    assert all(entry["dev_aer"] is not None for entry in found.history)
    report = report_of(found)
    assert [chart.key for chart in report.charts] == ["precision_recall", "aer", "likelihood", "dev_aer"]
    points = report.as_dict()["curves"]["dev_aer"]["series"][0]["points"]
    assert points == [[number, entry.dev_aer] for number, entry in enumerate(judged.history_, start=1)]
    assert report.as_dict()["history"] == [entry.as_dict() for entry in judged.history_]


def test_thresholds_are_those_the_model_decodes_with(aligner):
    assert posteriors_of_model(aligner, WORDS[:1], "it").thresholds == (0.5, 0.5, 0.5)
    other = Aligner(**SETTINGS, threshold=0.3).fit(PAIRS[:60])
    assert posteriors_of_model(other, WORDS[:1], "it").thresholds == (0.3, 0.3, 0.3)


@pytest.mark.parametrize(
    "decode",
    [
        "viterbi",
        "itg",
        "matching",
    ],
)
def test_links_that_are_chosen_otherwise_have_no_thresholds(decode):
    other = Aligner(**SETTINGS, decode=decode).fit(PAIRS[:60])
    found = posteriors_of_model(other, WORDS, "it")
    assert found.thresholds is None
    (row,) = report_of(found).as_dict()["tables"]["agreement"]["rows"]
    cells = [other.posteriors(*pair) for pair in WORDS]
    assert row["both"] == sum(int(((c.forward >= 0.5) & (c.reverse >= 0.5)).sum()) for c in cells)


def test_directions_are_compared_at_their_thresholds(aligner):
    other = Aligner(**SETTINGS, threshold=0.1).fit(PAIRS[:60])
    (row,) = report_of(posteriors_of_model(other, WORDS, "it")).as_dict()["tables"]["agreement"]["rows"]
    both = either = 0
    for pair in WORDS:
        cells = other.posteriors(*pair)
        forward, reverse = cells.forward >= 0.1, cells.reverse >= 0.1
        both += int((forward & reverse).sum())
        either += int((forward | reverse).sum())
    assert (row["first"], row["second"]) == ("it: forward", "it: reverse")
    assert (row["both"], row["either"], row["share"]) == (both, either, both / either)
    assert 0 < both < either


# Matching


def test_a_matching_model_shows_what_labelled_pairs_have_taught(matching):
    found = posteriors_of_matching(matching, WORDS, "it")
    extractor, learned = matching.trained()
    named = dict(zip(extractor.columns, learned.weights[: len(extractor.columns)].tolist(), strict=True))
    assert {(group, feature): weight for group, feature, weight in found.learned} == named
    sizes = [abs(weight) for *_, weight in found.learned]
    assert sizes == sorted(sizes, reverse=True)
    assert len(posteriors_of_matching(matching, WORDS, "it", most=2).learned) == 2
    assert found.signature == str(matching.signature)
    rows = report_of(found).as_dict()["tables"]["weights"]["rows"]
    assert [(row["group"], row["feature"], row["weight"]) for row in rows] == list(found.learned)


def test_a_matching_model_without_a_generative_one_has_no_probabilities(matching):
    found = posteriors_of_matching(matching, WORDS, "it")
    assert not found.has_probabilities
    assert [len(view) for view in (found.forward, found.reverse, found.mean)] == [60] * 3
    report = report_of(found)
    assert report.charts == []
    assert all("m" not in record for record in report.records)
    assert "What labelled pairs have taught" in render(report, "Matching")


def test_a_matching_model_with_a_generative_one_asks_that(informed, aligner):
    found, inner = posteriors_of_matching(informed, WORDS, "it"), posteriors_of_model(aligner, WORDS, "it")
    assert (found.forward, found.reverse, found.mean) == (inner.forward, inner.reverse, inner.mean)
    assert found.history == inner.history
    assert found.signature == str(informed.signature)
    assert {group for group, *_ in found.learned} == {"dice", "posteriors"}


def test_a_matching_is_not_chosen_by_thresholds(informed):
    assert posteriors_of_matching(informed, WORDS, "it").thresholds is None
