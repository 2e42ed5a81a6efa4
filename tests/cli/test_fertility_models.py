"""IBM 4, trees and matchings on the command line."""

from __future__ import annotations

import pytest

QUICK4 = ["--model", "ibm4", "--iterations", "ibm1=2,hmm=1,ibm3=1,ibm4=1", "--classes", "3"]


@pytest.mark.parametrize("constraint", ["none", "bijective", "symmetric", "itg"])
def test_model_4_with_every_constraint(small, constraint):
    ran = small.ok("align", "s", "t", *QUICK4, "--constraint", constraint)
    assert len(ran.out.splitlines()) == len(small.read("s").splitlines())
    assert "ibm4 1/1: log-likelihood" in ran.err
    assert f"constraint:{constraint}" in ran.err
    assert "classes:3" in ran.err


@pytest.mark.parametrize("decode", ["itg", "matching"])
@pytest.mark.parametrize("model", ["ibm1", "ibm2", "hmm", "ibm3", "ibm4"])
def test_trees_and_matchings_with_every_model(small, model, decode):
    ran = small.ok("align", "s", "t", "--model", model, "--decode", decode)
    assert len(ran.out.splitlines()) == len(small.read("s").splitlines())
    assert f"decode:{decode}" in ran.err


def test_a_saved_model_4_aligns_as_before(small):
    direct = small.ok("align", "s", "t", *QUICK4, "--constraint", "itg", "--save", "m")
    again = small.ok("align", "s", "t", "--load", "m")
    assert again.out == direct.out
    assert "ibm4" in small.ok("inspect", "m").out


def test_what_does_not_go_together(small):
    message = small.fails("align", "s", "t", "-q", "--decode", "itg", "--symmetrize", "union", code=2)
    assert message == "itg decoding looks at both directions at once: soft-union is all it can do"
    assert small.run("align", "s", "t", "--model", "ibm4", "--classes", "0").code == 2
