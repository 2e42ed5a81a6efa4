"""Lines that tell how far a run is, and comments on figures that need one."""

from __future__ import annotations

from pralign.cli import progress as progress_module
from pralign.cli.progress import Pace, Patience, progress_shown
from pralign.constraints.solver import ProjectionCost
from pralign.training.progress import Progress, telling

FERTILE, BY_OTHERS = "with fertilities", "each pair by the others"


class Clock:
    """A clock that is set by hand."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def said(capsys, *heard):
    with progress_shown(quiet=False) as listen:
        for progress in heard:
            listen(progress)
    return capsys.readouterr().err.splitlines()


def iteration(number, kind=(), **changes):
    return Progress("fhmm", number, 5, 1.0, (-1.0, -2.0), kind=kind, **changes)


# Comments


def test_a_likelihood_of_another_kind_is_explained_once(capsys):
    both = (FERTILE, BY_OTHERS)
    lines = said(capsys, iteration(1), iteration(2, both), iteration(3, both))
    assert [line.split(" (0")[0] for line in lines] == [
        "fhmm 1/5: log-likelihood -1.0 forward, -2.0 reverse",
        "fhmm 2/5: log-likelihood (with fertilities, each pair by the others) -1.0 forward, -2.0 reverse",
        "  this is another number than the one before, so a fall says nothing of the links: how many words each word "
        "explains has a probability too, and a pair is judged without what it has itself taught",
        "fhmm 3/5: log-likelihood (with fertilities, each pair by the others) -1.0 forward, -2.0 reverse",
    ]


def test_only_what_is_new_is_explained(capsys):
    lines = said(capsys, iteration(1, (FERTILE,)), iteration(2, (FERTILE, BY_OTHERS)))
    assert len(lines) == 3
    assert lines[2].endswith("the links: a pair is judged without what it has itself taught")


def test_projections_that_stop_by_design_are_no_reason_to_worry(capsys):
    cost = ProjectionCost(1000, 0, 0, 937)
    lines = said(capsys, iteration(1, cost=cost, steps=20), iteration(2, cost=cost, steps=20))
    assert "not converged 93.700%" in lines[0]
    assert lines[1] == (
        "  not converged: each projection takes 20 steps, by design, after which most are less exact than --tolerance "
        "says; nothing has to be done"
    )
    assert len(lines) == 3


def test_projections_that_should_converge_name_what_to_set(capsys):
    lines = said(capsys, iteration(1, cost=ProjectionCost(10, 0, 0, 0)), iteration(2, cost=ProjectionCost(10, 0, 0, 1)))
    assert len(lines) == 3
    assert lines[2].endswith("if they are many, set a larger --tolerance")


# Long work


def test_long_work_says_every_half_minute_how_far_it_is(capsys, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(progress_module.time, "perf_counter", clock)
    with progress_shown(quiet=False) as listen:
        for done in range(10):
            clock.now = 10.0 * done
            listen(Progress("hmm", 1, 2, done / 10, shards=10, shards_done=done, pairs=1000, iterations_left=1))
        clock.now = 200.0
        listen(Progress("hmm", 1, 1, 0.5, phase="align", shards=2, shards_done=1, pairs=1000))
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(",")[0] for line in lines] == ["hmm 1/2: 30%", "hmm 1/2: 60%", "hmm 1/2: 90%", "aligning: 50%"]


def test_text_that_is_aligned_as_it_comes_says_how_many_pairs_are_done(capsys, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(progress_module.time, "perf_counter", clock)
    with progress_shown(quiet=False) as listen:
        listen(Progress("hmm", 1, 1, 0, phase="align"))
        clock.now = 40.0
        listen(Progress("hmm", 1, 1, 0, phase="align", aligned=20_000))
    assert capsys.readouterr().err.startswith("aligning: 20,000 pairs, ")


def test_a_quiet_run_says_nothing(capsys):
    with progress_shown(quiet=True) as listen:
        listen(iteration(1))
    assert capsys.readouterr().err == ""


def test_the_pace_of_an_unknown_number_of_pairs_knows_no_end():
    clock = Clock()
    pace = Pace(clock)
    pace(Progress("hmm", 1, 1, 0, phase="align"))
    clock.now = 2.0
    pace(Progress("hmm", 1, 1, 0, phase="align", aligned=500))
    assert (pace.pairs_per_second, pace.seconds_left) == (250, None)


def test_answers_are_handed_on_and_counted():
    heard = []
    answers = list(telling(range(250), heard.append, "hmm", seconds=0))
    assert answers == list(range(250))
    assert [(each.aligned, each.done, each.pairs) for each in heard] == [
        (0, 0, 0),
        (100, 0, 0),
        (200, 0, 0),
        (250, 1, 250),
    ]
    assert all(each.phase == "align" for each in heard)
    heard.clear()
    list(telling(range(250), heard.append, "hmm"))
    assert len(heard) == 2  # it did not take a second


def test_patience_speaks_only_after_a_while(caplog):
    times = iter([50.0, 61.0, 62.0, 75.0])
    patience = Patience(clock=lambda: next(times))
    with caplog.at_level("INFO", "pralign"):
        patience("reading pairs", 1000, None)
        patience("reading pairs", 20000, None)
        patience("merging", 1, 9)
        patience("merging", 2, 9)
    assert caplog.messages == ["reading pairs: 20,000", "merging: 2 of 9"]
