"""A part of what ``python -m tests.faults.harness`` does: some operations of some commands go wrong in some ways."""

from __future__ import annotations

import pytest

from faults.harness import COMMANDS, FAULTS, Case, Server, can_run

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not can_run(), reason="needs Linux and a C compiler")]

# Every how many operations each fault is tried; the operations are others for each.
_EVERY = {"KILL": 4}
_SELDOM = 9


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
    codes = {
        fault: {case.run(fault, at).code for at in range(1, case.operations, 6)} for fault in ("KILL", "EIO", "TERM")
    }
    assert codes["KILL"] == {-9}
    assert codes["EIO"] in ({1}, {0, 1})  # what cannot be removed is no failure
    assert codes["TERM"] in ({143}, {0, 143})
