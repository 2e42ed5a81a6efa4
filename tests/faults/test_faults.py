"""A part of what ``python -m tests.faults.harness`` does: some operations of some commands go wrong in some ways."""

from __future__ import annotations

import pytest

from faults.harness import COMMANDS, DEADLY, FAULTS, Case, Server, can_run

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not can_run(), reason="needs Linux and a C compiler")]

# Every how many operations each fault is tried; the operations are others for each.
_EVERY = {"KILL": 3, "TORN": 7}
_SELDOM = 5


@pytest.fixture(scope="module", params=["align", "train", "match fit", "report"])
def case(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")
    server = Server(folder)
    case = Case(COMMANDS[request.param], folder / "work", server)
    case.prepare()
    yield case
    server.close()


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_goes_wrong_results_are_old_or_new_and_whole(case, fault):
    first = 1 + list(FAULTS).index(fault)
    places = range(first, case.operations + 1, _EVERY.get(fault, _SELDOM))
    assert [line for at in places for line in case.check(fault, at)] == []


def test_faults_are_noticed(case):
    outcomes = [case.run(fault, case.operations // 2) for fault in FAULTS]
    assert all(outcome.code == -9 for outcome, fault in zip(outcomes, FAULTS, strict=True) if fault in DEADLY)
    assert all(outcome.code != 0 for outcome, fault in zip(outcomes, FAULTS, strict=True) if fault in ("EIO", "INT"))
