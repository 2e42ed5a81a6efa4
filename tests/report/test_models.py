"""Models in words."""

from __future__ import annotations

import pytest

from pralign import Aligner
from pralign.errors import InputError, UsageError
from pralign.report.models import describe_model, describe_word

PAIRS = [("the house", "la maison"), ("the cat", "le chat"), ("a house", "une maison"), ("no", "no")]


@pytest.fixture(scope="module", params=["ibm1", "ibm2", "hmm"])
def aligner(request):
    return Aligner(model=request.param, threads=1, prefix=4).fit(PAIRS)


def rows(text):
    table = text.partition("\n\n")[0]
    return dict(line.split("  ", 1) for line in table.split("\n"))


def test_a_model_is_described_by_settings_sizes_and_signature(aligner):
    text = describe_model(aligner)
    described = {name.strip(): value.strip() for name, value in rows(text).items()}
    assert described["model"] == aligner.model
    assert described["iterations"] == aligner.signature.as_dict()["iterations"]
    assert described["prefix"] == "4"
    assert described["max_length"] == "200"
    assert "suffix" not in described
    assert described["mean threshold"] == "0.5000"
    assert described["source words"] == "5"
    assert described["target words"] == "6"
    assert described["word pairs"] == str(aligner.model_.lexicon.table.source.size)
    assert text.split("\n")[-1] == str(aligner.signature)


def test_the_values_of_a_model_stand_in_a_column(aligner):
    table = describe_model(aligner).partition("\n\n")[0].split("\n")
    width = max(len(line.split("  ")[0]) for line in table)
    assert all(line[width : width + 2] == "  " and line[width + 2] != " " for line in table)


def test_parameters_are_shown_shortened():
    text = describe_model(Aligner(model="hmm").fit(PAIRS))
    described = {name.strip(): value.strip() for name, value in rows(text).items()}
    parts = ("jumps.weights", "jumps.totals", "first.weights", "first.totals", "null.probability", "null.totals")
    assert {f"{direction} {part}" for direction in ("forward", "reverse") for part in parts} <= set(described)
    assert len(described["forward jumps.weights"].split()) == 12
    ibm2 = describe_model(Aligner(model="ibm2").fit([(" ".join("abcdefgh"), " ".join("ijklmnop"))]))
    described = {name.strip(): value.strip() for name, value in rows(ibm2).items()}
    assert described["forward values"].endswith(" … (72 numbers)")


def test_a_word_is_described_with_its_translations(aligner):
    text = describe_word(aligner, "house", most=2)
    head, *found = text.split("\n")
    assert head == "house as a source word; likeliest target words:"
    expected = aligner.translations("house", "source", 2)
    assert found == [f"  {probability:8.4f}  {word}" for word, probability in expected]
    assert len(found) == 2


def test_a_word_of_both_sides_is_described_both_ways(aligner):
    assert [line for line in describe_word(aligner, "no").split("\n") if line.endswith(":")] == [
        "no as a source word; likeliest target words:",
        "no as a target word; likeliest source words:",
    ]
    assert describe_word(aligner, "maison").startswith("maison as a target word; likeliest source words:")


def test_words_are_looked_up_as_the_model_sees_them(aligner):
    assert describe_word(aligner, "HOUSES").split("\n")[1:] == describe_word(aligner, "house").split("\n")[1:]


def test_a_word_nobody_knows(aligner):
    with pytest.raises(InputError, match="the model knows no word 'zebra'"):
        describe_word(aligner, "zebra")


def test_an_untrained_aligner_cannot_be_described():
    with pytest.raises(UsageError, match="learned nothing yet"):
        describe_model(Aligner())
