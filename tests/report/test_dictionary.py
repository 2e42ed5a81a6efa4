"""The dictionary of a report."""

from __future__ import annotations

import json

import pytest

from pralign.lexicons import lexicon
from pralign.links.alignment import Alignment
from pralign.report.dictionary import Dictionary
from pralign.report.inputs import ReportInput, System, Text
from pralign.report.records import embeddable
from pralign.report.report import Report
from pralign.report.scripts import script_of, slants
from report.inputs import corpus_input, long_input, nasty_input, random_corpus, report_input

ENOUGH = 10**7


@pytest.mark.parametrize("inputs", [corpus_input(random_corpus(3)), report_input(), nasty_input()])
def test_counts_and_shares_are_those_of_the_lexicon(inputs):
    made = Dictionary.of(inputs, ENOUGH)
    assert made.left_out == [0] * len(inputs.systems)
    for entries, system in zip(made.systems, inputs.systems, strict=True):
        links = [alignment.links for alignment in system.alignments]
        expected = {
            (each.source, each.target): (each.count, each.forward, each.reverse)
            for each in lexicon([([*s], [*t]) for s, t in inputs.folded], links).pruned(null=False)
        }
        found = {(made.words[0][e.source], made.words[1][e.target]): tuple(e[2:]) for e in entries}
        assert found.keys() == expected.keys()
        for key, values in expected.items():
            assert found[key] == pytest.approx(values, abs=1e-12)
        counts = [entry.times for entry in entries]
        assert counts == sorted(counts, reverse=True)


def test_what_does_not_fit_is_linked_least_often_and_counted():
    inputs = long_input(60)
    whole = Dictionary.of(inputs, ENOUGH)
    for largest in (0, 900, 2000):
        made = Dictionary.of(inputs, largest)
        assert len(embeddable(made.data()).encode()) <= largest + 60
        for entries, left_out, all_of_them in zip(made.systems, made.left_out, whole.systems, strict=True):
            assert len(entries) + left_out == len(all_of_them)
            assert [entry.times for entry in entries] == [entry.times for entry in all_of_them[: len(entries)]]
    assert made.systems[0]
    assert made.left_out[0]


def one_to_one(pairs):
    """A system that links the first word of each pair to the first."""
    links = [Alignment.of([(0, 0)])] * len(pairs)
    return ReportInput(Text.of(pairs), pairs, range(len(pairs)), [System("one", links)])


def test_words_that_take_more_bytes_in_a_page_keep_to_their_share_too():
    pairs = [(["<" * 20 + str(k)], ["\u2028" * 20 + str(k)]) for k in range(300)]
    largest = 10_000
    taken = len(embeddable(Dictionary.of(one_to_one(pairs), largest).data()).encode())
    assert 0.95 * largest < taken < largest + 60


def test_a_word_that_is_too_long_is_left_out_and_others_are_not():
    huge = "x" * 5000
    pairs = [([huge], ["y"]), *([(["a"], ["b"]), (["c"], [huge]), (["d"], ["e"])])]
    made = Dictionary.of(one_to_one(pairs), 2000)
    assert made.words == (["a", "d"], ["b", "e"])
    assert made.left_out == [2]


def test_a_word_is_one_whether_its_accents_are_letters_of_their_own_or_not():
    pairs = [(["\u00c9t\u00e9"], ["MASSE"]), (["E\u0301te\u0301"], ["Ma\u00dfe"])]
    made = Dictionary.of(one_to_one(pairs), ENOUGH)
    assert made.words == (["\u00e9t\u00e9"], ["masse"])
    assert [entry.times for entry in made.systems[0]] == [2]


def test_words_and_pairs_share_the_room_of_a_page():
    report = Report(long_input(300), samples=5, largest=60_000)
    taken = len(embeddable(report.dictionary.data()).encode()) + len(embeddable(report.records).encode())
    assert 50_000 < taken <= 60_000
    assert report.dictionary.systems[0]


def test_json_has_every_entry_of_the_page():
    report = Report(report_input(), samples=5)
    data = report.dictionary.data()
    for told, packed in zip(json.loads(json.dumps(report.as_dict()))["dictionary"], data["x"], strict=True):
        rows = [
            [data["s"].index(e["source"]), data["t"].index(e["target"]), e["count"]]
            + [round(1000 * e[key]) for key in ("forward", "reverse")]
            for e in told["entries"]
        ]
        assert rows == packed


# Scripts


@pytest.mark.parametrize(
    ("words", "script", "slanted"),
    [
        (["house", "Straße", "42"], "Latn", True),
        (["σπίτι"], "Grek", True),
        (["дом"], "Cyrl", True),
        (["漢字", "房子"], "Hani", False),
        (["東京", "に", "行く"], "Jpan", False),
        (["カタカナ"], "Jpan", False),
        (["한국어"], "Kore", False),
        (["שלום"], "Hebr", False),
        (["سلام"], "Arab", False),
        (["ไทย"], "Thai", False),
        (["हिन्दी"], "Deva", False),
        (["1", "."], "Zyyy", False),
    ],
)
def test_scripts_and_whether_they_have_italics(words, script, slanted):
    counts = dict.fromkeys(words, 2)
    assert script_of(counts) == script
    assert slants(counts) is slanted
    assert script_of({**counts, "x": 1} if script not in ("Latn", "Zyyy") else counts) == script
