"""Pairs of the gold that are not labelled: shown, and counted nowhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pralign.errors import InputError
from pralign.links.alignment import Alignment
from pralign.report.html import render
from pralign.report.posteriors import ModelPosteriors
from pralign.report.report import Report
from report.inputs import report_input

SKIPPED, UNLABELLED = Alignment(state="skipped"), Alignment(state="unlabelled")


def with_gaps(whole):
    """A report input of which some golds are not labelled, and the same without these pairs."""
    states = {1: UNLABELLED, 4: SKIPPED, 5: UNLABELLED}
    golds = [states.get(k, gold) for k, gold in enumerate(whole.golds)]
    kept = [k for k in range(len(golds)) if k not in states]
    fewer = replace(
        whole,
        pairs=[whole.pairs[k] for k in kept],
        lines=[whole.lines[k] for k in kept],
        systems=[system.only(kept) for system in whole.systems],
        golds=[whole.golds[k] for k in kept],
        posteriors=None if whole.posteriors is None else whole.posteriors.only(kept),
    )
    return replace(whole, golds=golds), fewer


def test_no_table_and_no_curve_counts_them():
    whole = report_input()
    mean = whole.systems[0].alignments
    model = ModelPosteriors("model", mean, mean, mean, "a signature", thresholds=(0.5, 0.5, 0.5))
    gaps, fewer = with_gaps(replace(whole, posteriors=model))
    found, expected = Report(gaps, samples=50), Report(fewer, samples=50)
    assert [table.as_dict() for table in found.tables] == [table.as_dict() for table in expected.tables]
    assert [chart.as_dict() for chart in found.charts] == [chart.as_dict() for chart in expected.charts]
    assert f"pairs:{len(fewer.pairs)}" in str(found.signature)
    assert "2 of 40 pairs looked at are not labelled and 1 was skipped" in " ".join(found.findings)


def test_they_are_shown_without_a_gold_and_with_a_word():
    gaps, _ = with_gaps(report_input())
    report = Report(gaps, samples=50)
    words = {record["n"]: record.get("u") for record in report.records}
    assert [words[n] for n in (1, 2, 5, 6)] == [None, "not labelled", "skipped", "not labelled"]
    for record in report.records:
        assert ("v" in record) == ("g" in record) == ("p" in record) == ("u" not in record)
    entries = report.as_dict()["pairs"]
    assert [entry.get("gold") for entry in entries][:6] == [None, "not labelled", None, None, "skipped", "not labelled"]
    for entry in entries:
        assert all(("sure" in counts) == ("gold" not in entry) for counts in entry["systems"].values())
    assert '"u":"skipped"' in render(report, "title")


def test_without_gaps_the_input_is_its_own():
    for inputs in (report_input(), report_input(gold=False)):
        assert inputs.judged is inputs


def test_a_gold_without_labels_is_refused():
    whole = report_input()
    with pytest.raises(InputError, match=r"^none of the \d+ pairs of the gold is labelled"):
        replace(whole, golds=[UNLABELLED] * len(whole.pairs))
