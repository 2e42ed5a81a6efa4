from __future__ import annotations

import pytest

from pralign.errors import UsageError
from pralign.training.schedule import default_schedule, format_schedule, parse_schedule


def test_default_schedules():
    assert default_schedule("ibm1") == (("ibm1", 5),)
    assert default_schedule("ibm2") == (("ibm1", 5), ("ibm2", 5))
    assert default_schedule("hmm") == (("ibm1", 5), ("hmm", 5))


def test_a_constraint_needs_fewer_iterations_except_of_a_model_that_starts_from_nothing():
    assert default_schedule("hmm", constrained=True) == (("ibm1", 5), ("hmm", 3))
    assert default_schedule("ibm2", constrained=True) == (("ibm1", 5), ("ibm2", 3))
    assert default_schedule("ibm1", constrained=True) == (("ibm1", 5),)


@pytest.mark.parametrize("constrained", [False, True])
def test_with_something_to_stop_by_there_may_be_more_iterations(constrained):
    assert default_schedule("hmm", constrained, judged=True) == (("ibm1", 5), ("hmm", 10))
    assert default_schedule("ibm1", constrained, judged=True) == (("ibm1", 10),)


@pytest.mark.parametrize("text", ["ibm1=5", "ibm1=5,hmm=3", "ibm1=1,ibm2=2,hmm=30"])
def test_a_schedule_survives_being_written(text):
    assert format_schedule(parse_schedule(text)) == text


def test_spaces_and_stages_without_iterations_are_dropped():
    assert parse_schedule(" ibm1=0, hmm=2") == (("hmm", 2),)


@pytest.mark.parametrize(
    ("text", "model", "message"),
    [
        ("", None, "is not a stage"),
        ("hmm", None, "'hmm' is not a stage"),
        ("hmm=", None, "'hmm=' is not a stage"),
        ("hmm=-1", None, "'hmm=-1' is not a stage"),
        ("hmm=two", None, "'hmm=two' is not a stage"),
        ("hmm=" + "9" * 5000, None, "^'hmm=9{56}…' is not a stage"),
        ("hmm=٣", None, "is not a stage"),
        ("ibm9=2", None, "no model 'ibm9'"),
        ("ibm1=2", "hmm", "end with ibm1 but the model is hmm"),
        ("ibm1=2,hmm=0", "hmm", "the last stage, hmm, needs at least one iteration"),
    ],
)
def test_other_texts_are_refused(text, model, message):
    with pytest.raises(UsageError, match=message):
        parse_schedule(text, model)
