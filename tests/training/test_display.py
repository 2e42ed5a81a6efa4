"""Progress that is shown to those who train from Python, if they ask for it."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from pralign import Aligner, MatchingAligner
from pralign.training import display
from pralign.training.progress import Progress, Quality, ignore

PAIRS = [("the house", "la maison"), ("the cat", "le chat"), ("a house", "une maison")]
QUICK = {"iterations": "ibm1=1,hmm=2", "threads": 1}


def test_nothing_is_printed_unless_it_is_asked_for(capfd):
    list(Aligner(**QUICK).fit_align(PAIRS))
    Aligner(**QUICK, verbose=False).fit(PAIRS)
    assert capfd.readouterr() == ("", "")


def test_each_iteration_has_a_line(capfd):
    heard = []
    list(Aligner(**QUICK, verbose=True).fit_decode(PAIRS, listener=heard.append))
    out, lines = capfd.readouterr()
    assert out == ""
    assert [line.partition(":")[0] for line in lines.splitlines()] == ["ibm1 1/1", "hmm 1/2", "hmm 2/2"]
    assert len(heard) > 3


def test_going_on_and_adapting_show_it_too(capfd):
    aligner = Aligner(preset="fast", threads=1).fit(PAIRS)
    aligner.set_params(verbose=True)
    list(aligner.adapt_decode([("the dog", "le chien")]))
    assert capfd.readouterr().err.count("log-likelihood") == 3
    aligner.partial_fit([("the dog", "le chien")], iterations={"fhmm": 1})
    assert capfd.readouterr().err.count("log-likelihood") == 1


def test_the_model_within_a_matching_aligner_shows_it(capfd):
    labelled = [(*pair, "0-0 1-1") for pair in PAIRS]
    MatchingAligner(features="posteriors,distance", rounds=2, threads=1, verbose=True).fit(PAIRS, labelled=labelled)
    assert "fhmm 5/5: log-likelihood" in capfd.readouterr().err


def test_what_a_line_says():
    progress = Progress("hmm", 3, 10, 1.0, (-2.0, -3.0), quality=Quality(0.75, 0.125), kept=2)
    assert display.found(progress) == (
        "hmm 3/10: log-likelihood -2.0 forward, -3.0 reverse, dev area 0.7500, dev AER 12.50 %, no better than "
        "iteration 2, which is kept"
    )
    assert display.title(Progress("hmm", 1, 1, 0.5, phase="compile")) == "compiling"
    assert display.title(Progress("my\x1bmodel", 1, 2, 0.0)) == r"my\x1bmodel 1/2"


class ZMQInteractiveShell:
    """The shell of a notebook."""


class Handle:
    def __init__(self):
        self.shown = []

    def update(self, panel):
        self.shown.append(panel._repr_html_())


@pytest.fixture
def notebook(monkeypatch):
    """What a notebook has been shown."""
    handle = Handle()
    shell, shows = ModuleType("IPython"), ModuleType("IPython.display")
    shell.get_ipython = ZMQInteractiveShell
    shows.display = lambda panel, display_id: handle.update(panel) or handle
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", shows)
    return handle.shown


def test_in_a_notebook_there_is_a_bar_and_in_the_end_a_table(notebook, capfd):
    aligner = Aligner(**QUICK, verbose=True)
    list(aligner.fit_align(PAIRS))
    assert notebook[0] == "<p>starting</p>"
    assert any(shown.startswith('<p><progress max="1" value="1.000"></progress> hmm 2/2') for shown in notebook)
    assert notebook[-1] == aligner.history_._repr_html_()
    assert capfd.readouterr() == ("", "")


def test_a_notebook_keeps_what_was_there_when_training_fails(notebook):
    with pytest.raises(ZeroDivisionError), display.showing_progress(True, ignore) as listen:
        listen(Progress("<hmm>", 1, 2, 0.5))
        raise ZeroDivisionError
    assert notebook[-2:] == ['<p><progress max="1" value="0.500"></progress> &lt;hmm&gt; 1/2</p>', "<p>starting</p>"]
