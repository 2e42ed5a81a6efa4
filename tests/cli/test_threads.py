"""Any number of threads gives the same bytes."""

from __future__ import annotations

import pytest

from cli.support import sample_lines, shards_of

pytestmark = pytest.mark.slow


@pytest.fixture
def large(work):
    """Text of several blocks of work: the sample, and its sentences joined in threes and sixes."""
    sides = [
        [" ".join(lines[k : k + size]) for size in (1, 3, 6) for k in range(0, len(lines), size)]
        for lines in sample_lines(460)
    ]
    work.write("s", [*sides[0], ""])
    work.write("t", [*sides[1], "seul"])
    return work


def test_the_text_has_several_shards_and_blocks(large):
    shards = shards_of("s", "t")
    assert len(shards) >= 3
    assert sum(len(list(shard.blocks())) for shard in shards) >= 6


@pytest.mark.parametrize(
    ("model", "constraint"),
    [("ibm1", "none"), ("ibm2", "none"), ("hmm", "none"), ("hmm", "symmetric")],
)
def test_the_number_of_threads_does_not_change_a_byte(large, model, constraint):
    stages = "ibm1=3" if model == "ibm1" else f"ibm1=2,{model}=2"
    results = []
    for threads in (1, 2, 3):
        command = ["align", "s", "t", "--model", model, "--iterations", stages, "--threads", threads]
        command += ["--constraint", constraint]
        files = ["-o", "o", "--format", "scored", "--forward", "f", "--reverse", "r", "--scores", "c", "--save", "m"]
        outcome = large.ok(*command, *files, "--threshold", "auto")
        likelihoods = [line.rsplit(" (", 1)[0] for line in outcome.err.splitlines() if "log-likelihood" in line]
        results.append((large.snapshot(), likelihoods, outcome.err.splitlines()[-1]))
    first, second, third = results
    assert len(first[0]["o"]) > 10_000
    assert set(first[0]) == {"s", "t", "o", "f", "r", "c", "m"} | {
        f"m/{name}" for name in ("manifest.json", "parameters.safetensors", "source.json", "target.json")
    }
    assert first == second
    assert first == third


def test_a_saved_model_answers_alike_on_any_number_of_threads(large):
    large.ok("train", "s", "t", "-q", "--save", "m", "--iterations", "ibm1=2,hmm=2")
    answers = []
    for threads in (1, 2, 3):
        large.ok("align", "s", "t", "-q", "--load", "m", "--threads", threads, "-o", "o", "--scores", "c")
        answers.append((large.read("o"), large.read("c")))
    assert answers[0] == answers[1] == answers[2]
