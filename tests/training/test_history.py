"""What is recorded of training, checked against what listeners hear and against models trained as far as that."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from oracles.naive_em import Posteriors, iterate, uniform
from oracles.naive_evaluation import distinct_scores, naive_area, naive_scores, thresholded
from pralign import Aligner, Bitext, sample
from pralign.cli.progress import progress_shown
from pralign.constraints.solver import ProjectionCost
from pralign.errors import InputError, UsageError
from pralign.kernels.units import LOG_UNITS
from pralign.links.alignment import Alignment
from pralign.links.formats import read_alignments
from pralign.matching import MatchingAligner
from pralign.storage import load_model
from pralign.text.tokens import tokens
from pralign.training.history import History, Iteration
from pralign.training.progress import Progress, Quality

pytestmark = pytest.mark.slow

PAIRS = list(Bitext.read(sample.SOURCE, sample.TARGET))[:80]
GOLDS = list(read_alignments(sample.GOLD, "gold"))[:12]
LABELLED = [(source, target, gold) for (source, target), gold in zip(PAIRS, GOLDS, strict=False)]
SETTINGS = [
    {"model": "ibm1"},
    {"model": "hmm", "iterations": "ibm1=2,hmm=4"},
    {"model": "hmm", "iterations": "ibm1=2,hmm=3", "constraint": "symmetric", "project_at_decode": True},
    {"model": "ibm2", "iterations": "ibm1=2,ibm2=3", "constraint": "bijective", "project_at_decode": False},
]


def named(settings):
    return " ".join(map(str, settings.values()))


def heard_and_fitted(settings, labelled=None):
    heard = []
    aligner = Aligner(threads=1, **settings).fit(PAIRS, listener=heard.append, labelled=labelled)
    return [progress for progress in heard if progress.log_likelihood is not None], aligner


# What it holds


@pytest.mark.parametrize("labelled", [None, LABELLED], ids=["unlabelled", "labelled"])
@pytest.mark.parametrize("settings", SETTINGS, ids=named)
def test_the_history_is_what_listeners_hear_at_the_end_of_iterations(settings, labelled):
    ends, aligner = heard_and_fitted(settings, labelled)
    assert len(aligner.history_) == len(ends) > 2
    for record, progress in zip(aligner.history_, ends, strict=True):
        assert (record.model, record.iteration) == (progress.model, progress.iteration)
        assert record.log_likelihood == progress.log_likelihood
        assert (record.dev_area, record.dev_aer) == (progress.quality or (None, None))
        assert record.kept is (progress.kept is None)
        if progress.cost is None:
            assert record.divergence is None
        else:
            assert progress.cost.pairs == len(PAIRS)
            assert record.divergence == progress.cost.divergence / len(PAIRS) > 0
    assert Aligner(threads=2, **settings).fit(PAIRS, labelled=labelled).history_ == aligner.history_


def ibm1(emission, null):
    totals = [sum(row) + other for row, other in zip(emission, null, strict=True)]
    link = [[value / total for value in row] for row, total in zip(emission, totals, strict=True)]
    nulls = [other / total for other, total in zip(null, totals, strict=True)]
    return Posteriors(link, nulls, sum(math.log(total / (len(emission[0]) + 1)) for total in totals))


@pytest.mark.parametrize("side", [0, 1], ids=["forward", "reverse"])
def test_likelihoods_are_those_of_the_parameters_an_iteration_begins_with(side):
    text = [[tokens(words.lower()) for words in pair] for pair in PAIRS]
    sentences = [(pair[side], pair[1 - side]) for pair in text]
    table, expected = uniform(sentences), []
    for _ in range(3):
        table, log_likelihood = iterate(table, sentences, ibm1)
        expected.append(log_likelihood)
    history = Aligner(model="ibm1", iterations="ibm1=3", threads=1).fit(PAIRS).history_
    assert [record.log_likelihood[side] for record in history] == pytest.approx(expected, rel=1e-5)


def judged(aligner):
    """The area and the lowest AER on labelled pairs, by looking at every threshold there is."""
    corpus = []
    for source, target, gold in LABELLED:
        mean = aligner.posteriors(source, target).mean
        links = {tuple(cell): float(mean[tuple(cell)]) for cell in np.argwhere(mean >= 0.01).tolist()}
        corpus.append((links, (set(gold.sure), set(gold.links))))
    rates = [naive_scores(thresholded(corpus, threshold))["aer"] for threshold in distinct_scores(corpus)]
    return float(naive_area(corpus)), float(min(rates))


def stages(history, number):
    """The schedule of the first ``number`` iterations."""
    names = list(dict.fromkeys(record.model for record in history[:number]))
    counts = {name: sum(record.model == name for record in history[:number]) for name in names}
    return ",".join(f"{name}={count}" for name, count in counts.items())


@pytest.mark.parametrize("settings", SETTINGS, ids=named)
def test_dev_values_are_those_of_a_model_trained_as_far_as_that(settings):
    _, aligner = heard_and_fitted(settings, LABELLED)
    model = settings["model"]
    for number, record in enumerate(aligner.history_, start=1):
        if record.model != model:
            assert (record.dev_area, record.dev_aer) == (None, None)
            continue
        same = settings | {"iterations": stages(aligner.history_, number)}
        area, aer = judged(Aligner(threads=1, **same).fit(PAIRS))
        assert (record.dev_area, record.dev_aer) == pytest.approx((area, aer), abs=1e-12)


def test_where_labels_decide_on_projecting_both_values_are_those_of_the_better_choice():
    settings = {"model": "hmm", "iterations": "ibm1=2,hmm=3", "constraint": "symmetric"}
    found = Aligner(threads=1, **settings).fit(PAIRS, labelled=LABELLED).history_
    assert [record.model for record in found[2:]] == ["hmm"] * (len(found) - 2)
    for number in range(3, len(found) + 1):
        same = settings | {"iterations": stages(found, number)}
        aligners = [Aligner(threads=1, **same, project_at_decode=choice).fit(PAIRS) for choice in (True, False)]
        values = [judged(aligner) for aligner in aligners]
        assert values[0] != values[1]
        better = max(values, key=lambda value: value[0])
        assert (found[number - 1].dev_area, found[number - 1].dev_aer) == pytest.approx(better, abs=1e-12)


def test_gold_alignments_without_links_are_worst():
    labelled = [(source, target, Alignment()) for source, target, _ in LABELLED]
    history = Aligner(model="ibm1", threads=1).fit(PAIRS, labelled=labelled).history_
    assert [(record.dev_area, record.dev_aer, record.kept) for record in history] == [(0, 1, True), (0, 1, False)]


def test_only_an_iteration_that_was_no_better_is_not_kept():
    _, stopped = heard_and_fitted({"model": "hmm"}, LABELLED)
    *others, last = stopped.history_
    assert all(record.kept for record in others)
    assert not last.kept
    assert last.dev_area <= others[-1].dev_area
    assert stopped.signature.as_dict()["iterations"] == stages(others, len(others))
    _, whole = heard_and_fitted({"model": "hmm", "iterations": "ibm1=2,hmm=1"}, LABELLED)
    assert [record.kept for record in whole.history_] == [True] * 3


def test_nothing_is_projected_before_the_constraint_acts():
    settings = {"model": "hmm", "iterations": "ibm1=1,hmm=3", "constraint": "bijective", "constraint_from": 2}
    history = Aligner(threads=1, **settings).fit(PAIRS).history_
    assert [record.divergence is None for record in history] == [True, True, False, False]


def test_the_history_is_that_of_the_last_training():
    aligner = Aligner(model="ibm1", iterations="ibm1=3", threads=1)
    with pytest.raises(UsageError, match="learned nothing yet"):
        _ = aligner.history_
    first = aligner.fit(PAIRS[:20]).history_
    second = aligner.fit(PAIRS).history_
    assert len(first) == len(second) == 3
    assert first != second
    with pytest.raises(InputError, match="no sentence pairs"):
        aligner.fit([])
    assert aligner.history_ == second
    assert len(list(aligner.fit_align(PAIRS[:20]))) == 20
    assert aligner.history_ == first


# As it is saved


@pytest.mark.parametrize("labelled", [None, LABELLED], ids=["unlabelled", "labelled"])
@pytest.mark.parametrize("settings", SETTINGS[1:3], ids=named)
def test_the_history_is_saved_and_loaded_bit_by_bit(settings, labelled, tmp_path):
    _, aligner = heard_and_fitted(settings, labelled)
    aligner.save(tmp_path / "m")
    loaded = Aligner.load(tmp_path / "m", threads=1)
    assert loaded.history_ == aligner.history_ == load_model(tmp_path / "m").history
    assert all(isinstance(record.log_likelihood, tuple) for record in loaded.history_)
    manifest = json.loads((tmp_path / "m" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["history"] == [record.as_dict() for record in aligner.history_]
    assert "history" not in manifest["settings"]
    loaded.save(tmp_path / "again")
    contents = [(tmp_path / name / "manifest.json").read_bytes() for name in ("m", "again")]
    assert contents[0] == contents[1]


def test_the_history_of_the_model_within_a_matching_aligner_survives(tmp_path):
    generative = Aligner(model="ibm1", iterations="ibm1=3", threads=1).fit(PAIRS, labelled=LABELLED)
    matching = MatchingAligner(features=["dice", "posteriors"], model=generative, rounds=3, threads=1)
    matching.fit(PAIRS, labelled=LABELLED).save(tmp_path / "m")
    loaded, _ = MatchingAligner.load(tmp_path / "m", threads=1).trained()
    assert loaded.model.history_ == generative.history_
    assert len(generative.history_) > 1


def test_a_record_as_a_dictionary_and_back():
    record = Iteration("hmm", 3, (-1.5, -2.5), divergence=0.25, dev_area=0.5, dev_aer=1 / 3, kept=False)
    content = record.as_dict()
    assert content == {
        "model": "hmm",
        "iteration": 3,
        "log_likelihood": [-1.5, -2.5],
        "divergence": 0.25,
        "dev_area": 0.5,
        "dev_aer": 1 / 3,
        "kept": False,
    }
    assert Iteration.from_dict(json.loads(json.dumps(content))) == record


# As it is heard and printed


def test_a_record_is_what_was_heard_at_the_end():
    end = Progress("ibm1", 1, 2, 1.0, (-3.0, -4.0), None, Quality(0.5, 0.25))
    assert Iteration.of(end) == Iteration("ibm1", 1, (-3.0, -4.0), None, 0.5, 0.25, True)
    cost = ProjectionCost(pairs=4, divergence_units=round(2 * LOG_UNITS))
    worse = Progress("ibm1", 2, 2, 1.0, (-3.0, -4.0), cost, Quality(0.5, 0.25), kept=1)
    assert Iteration.of(worse) == Iteration("ibm1", 2, (-3.0, -4.0), 0.5, 0.5, 0.25, False)
    assert Iteration.of(Progress("hmm", 3, 4, 1.0, (-3.0, -4.0))) == Iteration("hmm", 3, (-3.0, -4.0))


def test_the_dev_aer_is_printed_after_the_dev_area(capsys):
    with progress_shown(quiet=False) as listen:
        listen(Progress("hmm", 2, 9, 1.0, (-3.0, -4.0), None, Quality(0.51234, 0.123449), 1))
        listen(Progress("hmm", 2, 9, 1.0, (-3.0, -4.0)))
    *_, first, second = capsys.readouterr().err.splitlines()
    assert ", dev area 0.5123, dev AER 12.34 %, no better than iteration 1" in first
    assert "dev" not in second


@pytest.mark.parametrize(
    ("settings", "kinds"),
    [
        ({"model": "hmm", "iterations": "ibm1=1,hmm=2"}, [(), (), ()]),
        ({"model": "fhmm", "iterations": "ibm1=1,fhmm=2"}, [(), (), ("with fertilities",)]),
        (
            {"model": "hmm", "estimator": "collapsed", "iterations": "ibm1=1,hmm=2"},
            [(), (), ("each pair by the others",)],
        ),
        (
            {"model": "fhmm", "estimator": "collapsed", "iterations": "ibm1=1,fhmm=2"},
            [(), (), ("with fertilities", "each pair by the others")],
        ),
    ],
    ids=str,
)
def test_iterations_say_what_their_likelihood_is_of(settings, kinds):
    heard = []
    Aligner(threads=1, **settings).fit(PAIRS, listener=heard.append)
    assert [each.kind for each in heard if each.log_likelihood is not None] == kinds


@pytest.mark.parametrize(("constraint", "steps"), [("itg", 20), ("symmetric", 0)])
def test_iterations_say_after_how_many_steps_projections_stop(constraint, steps):
    heard = []
    Aligner(threads=1, constraint=constraint, iterations="hmm=1").fit(PAIRS, listener=heard.append)
    [last] = [each for each in heard if each.log_likelihood is not None]
    assert last.steps == steps


# As a table


def test_the_history_is_a_flat_table():
    history = Aligner(model="ibm1", iterations="ibm1=2", threads=1).fit(PAIRS, labelled=LABELLED).history_
    columns = history.to_dict()
    assert {len(values) for values in columns.values()} == {len(history)}
    for number, record in enumerate(history):
        row = {name: values[number] for name, values in columns.items()}
        forward, reverse = row.pop("log_likelihood_forward"), row.pop("log_likelihood_reverse")
        assert Iteration(log_likelihood=(forward, reverse), **row) == record
    pandas = pytest.importorskip("pandas")
    pandas.testing.assert_frame_equal(history.to_frame(), pandas.DataFrame(columns))


def test_what_nobody_asked_is_not_shown():
    table = str(History([Iteration("hmm", 1, (-2.0, -0.25))]))
    assert table.splitlines() == [
        "model  iteration  log_likelihood_forward  log_likelihood_reverse  kept",
        "hmm            1                  -2.000                 -0.2500   yes",
    ]
    assert "dev_aer" in str(History([Iteration("hmm", 1, (-2.0, -0.25), dev_area=0.5, dev_aer=0.25, kept=False)]))
    assert str(History()).split() == list(History().to_dict())


def test_names_of_models_are_shown_as_text():
    history = History([Iteration("<b>\x1b[31m", 1, (-2.0, -3.0))])
    assert "&lt;b&gt;" in history._repr_html_()
    assert "<b>" not in history._repr_html_()
    assert "\x1b" not in str(history)
