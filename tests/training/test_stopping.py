"""Training that stops when the model gets no better, and gives back the best one."""

from __future__ import annotations

import numpy as np
import pytest

from pralign import Aligner, Bitext, sample
from pralign.constraints import Bijective, Symmetric
from pralign.engine import ThreadEngine
from pralign.evaluation import precision_recall_curve
from pralign.links.alignment import Alignment
from pralign.links.formats import read_alignments
from pralign.storage import read_manifest
from pralign.store import MemoryStore
from pralign.text.cutting import ShardSizes, shard_corpus
from pralign.text.normalisation import Normalisation
from pralign.training.progress import Quality, ignore
from pralign.training.trainer import Trainer, TrainingPlan
from training.corpora import LONGEST, random_sentences

MODELS = ["ibm1", "ibm2", "hmm"]


class Judge:
    """Gives the marks it was told to give as areas, and remembers what it was asked.

    The error rates speak against the marks, and nobody should listen to them.
    """

    def __init__(self, *marks):
        self.marks = list(marks)
        self.names = []
        self.models = []
        self.store = None

    def __call__(self, state):
        self.names.append(state.forward.name)
        self.models.append(bits(state, self.store))
        mark = self.marks[len(self.models) - 1]
        return Quality(mark, aer=mark)


def schedule(name, iterations):
    return (("ibm1", iterations),) if name == "ibm1" else (("ibm1", 2), (name, iterations))


def run(stages, judge=None, constraint=None, threads=1, listener=ignore, small=False):
    """What training comes to, and all parameters of it."""
    pairs, engine, store = random_sentences(7, pairs=30, words=12, most=8), ThreadEngine(threads), MemoryStore()
    cut = {"sizes": ShardSizes(chunk=50, shard=80, piece=20)} if small else {}
    corpus = shard_corpus(pairs, Normalisation(), LONGEST, store, engine, **cut)
    assert (corpus.shards > 3) is (corpus.pieces > 3) is small
    if isinstance(judge, Judge):
        judge.store = store
    state = Trainer(TrainingPlan(corpus, stages, constraint=constraint), engine, judge, listener).run()
    return state, bits(state, store)


def bits(state, store):
    """All parameters of a model: those of words and positions, and those of word pairs, as the shards have them."""
    models = [*state.words.to_arrays().values(), *state.forward.tensors().values(), *state.reverse.tensors().values()]
    stored = sorted(store.names(f"parameters/{state.parameters}/"))
    pairs = [array for name in stored for array in store.load(name).values()]
    assert pairs
    return [array.tobytes() for array in (*models, *pairs)]


@pytest.mark.parametrize("constraint", [None, Bijective(), Symmetric()], ids=["none", "bijective", "symmetric"])
@pytest.mark.parametrize("name", MODELS)
def test_the_best_model_is_that_of_as_many_iterations(name, constraint):
    judge = Judge(0.5, 0.6, 0.7, 0.65)
    state, found = run(schedule(name, 9), judge, constraint)
    assert state.made == schedule(name, 3)
    assert len(judge.models) == 4
    full, expected = run(schedule(name, 3), None, constraint)
    assert full.made == schedule(name, 3)
    assert found == expected == judge.models[2]
    assert found != judge.models[1]
    assert found != judge.models[3]


@pytest.mark.parametrize(
    ("marks", "kept"),
    [
        ([0.5, 0.4], 1),
        ([0.5, 0.5], 1),
        ([0.0, 0.0], 1),
        ([0.1, 0.2, 0.2], 2),
        ([0.1, 0.2, 0.15], 2),
        ([0.1, 0.2, 0.3, 0.4, 0.5], 5),
        ([0.1, 0.2, 0.3, 0.4, 0.35], 4),
        ([-3.0, -2.0, -1.0, -1.5], 3),
    ],
    ids=str,
)
def test_training_stops_when_the_mark_does_not_rise(marks, kept):
    judge = Judge(*marks)
    state, found = run((("ibm1", 1), ("ibm2", 5)), judge)
    assert state.made == (("ibm1", 1), ("ibm2", kept))
    assert state.finished
    assert len(judge.models) == len(marks)  # a mark too few would have been an error
    assert found == judge.models[kept - 1]


def test_a_later_rise_is_not_waited_for():
    judge = Judge(0.5, 0.4, 0.9, 1.0)
    assert run((("ibm1", 4),), judge)[0].made == (("ibm1", 1),)


def test_only_the_last_stage_is_judged():
    judge = Judge(0.9, 0.5)
    heard = []
    state, _ = run((("ibm1", 3), ("ibm2", 2), ("hmm", 6)), judge, listener=heard.append)
    assert judge.names == ["hmm", "hmm"]
    assert state.made == (("ibm1", 3), ("ibm2", 2), ("hmm", 1))
    assert state.forward.name == state.reverse.name == "hmm"
    ends = [progress for progress in heard if progress.log_likelihood is not None]
    assert [(p.model, p.iteration, p.iterations, p.quality) for p in ends] == [
        ("ibm1", 1, 3, None),
        ("ibm1", 2, 3, None),
        ("ibm1", 3, 3, None),
        ("ibm2", 1, 2, None),
        ("ibm2", 2, 2, None),
        ("hmm", 1, 6, Quality(0.9, 0.9)),
        ("hmm", 2, 6, Quality(0.5, 0.5)),
    ]
    assert [p.kept for p in ends] == [None] * 6 + [1]
    assert {p.quality for p in heard if p.log_likelihood is None} == {None}


def test_without_a_judge_all_iterations_are_made():
    assert run((("ibm1", 2), ("hmm", 3)))[0].made == (("ibm1", 2), ("hmm", 3))


def test_what_the_judge_gets_is_what_the_iteration_learned():
    judge = Judge(1, 2, 3)
    run((("ibm1", 3),), judge)
    for number, model in enumerate(judge.models, start=1):
        assert model == run((("ibm1", number),))[1]


def test_any_number_of_threads_stops_at_the_same_bits():
    found = [run(schedule("hmm", 5), Judge(1, 2, 1.5), Symmetric(), threads, small=True)[1] for threads in (1, 2, 3)]
    assert found[0] == found[1] == found[2]


def test_an_error_of_the_judge_is_not_swallowed():
    def judge(state):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run((("ibm1", 3),), judge)


# Judged by labelled pairs


PAIRS = list(Bitext.read(sample.SOURCE, sample.TARGET))[:80]
GOLDS = list(read_alignments(sample.GOLD, "gold"))[:40]
LABELLED = [(source, target, gold) for (source, target), gold in zip(PAIRS, GOLDS, strict=False)]
SETTINGS = [
    {"model": "ibm1"},
    {"model": "hmm"},
    {"model": "ibm2", "constraint": "bijective"},
    {"model": "hmm", "constraint": "symmetric"},
    {"model": "hmm", "constraint": "symmetric", "project_at_decode": False},
]


def area(aligner):
    """The area under the curve of all links that are not hopeless."""
    hypotheses = []
    for source, target, _ in LABELLED:
        mean = aligner.posteriors(source, target).mean
        cells = [tuple(cell) for cell in np.argwhere(mean >= 0.01).tolist()]
        hypotheses.append(Alignment.of(cells, scores=[float(mean[cell]) for cell in cells]))
    return precision_recall_curve(hypotheses, GOLDS).area()


def stopped(settings, **others):
    heard = []
    aligner = Aligner(threads=1, **settings, **others).fit(PAIRS, listener=heard.append, labelled=iter(LABELLED))
    ends = [progress for progress in heard if progress.log_likelihood is not None]
    return aligner, [progress.quality.area for progress in ends if progress.quality is not None], ends


def made(aligner):
    """The iterations that have made the model, as text."""
    return aligner.signature.as_dict()["iterations"]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: " ".join(map(str, settings.values())))
def test_labelled_pairs_say_when_to_stop(settings, tmp_path):
    aligner, qualities, ends = stopped(settings)
    stages = made(aligner)
    kept = int(stages.rsplit("=", 1)[1])
    assert ends[-1].iterations == 10
    assert len(qualities) == min(kept + 1, 10)
    assert settings["model"] == "ibm1" or kept < 10
    assert qualities[:kept] == sorted(set(qualities[:kept]))
    assert qualities[kept:] == [] or qualities[kept] <= qualities[kept - 1]
    assert area(aligner) == pytest.approx(qualities[kept - 1], abs=1e-12)
    assert f"|iterations:{stages}|" in str(aligner.signature)
    projects = aligner.model_.recipe.projects_at_decode
    decided = settings | ({"project_at_decode": projects} if "constraint" in settings else {})
    again = Aligner(threads=1, iterations=stages, **decided).fit(PAIRS)
    assert area(again) == area(aligner)
    aligner.save(tmp_path / "stopped")
    again.save(tmp_path / "counted")
    for name in ("parameters.safetensors", "source.json", "target.json"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "counted" / name).read_bytes()
    manifests = [read_manifest(tmp_path / name) for name in ("stopped", "counted")]
    histories = [manifest.pop("history") for manifest in manifests]
    given = [manifest["settings"].pop("given") for manifest in manifests]
    assert given == [sorted(settings), sorted({"iterations", *decided})]
    assert manifests[0] == manifests[1]
    assert len(histories[0]) == len(histories[1]) + (len(qualities) > kept)


def test_the_iterations_that_were_set_are_the_most_there_are():
    aligner, qualities, ends = stopped({"model": "ibm1", "iterations": "ibm1=2"})
    assert (len(qualities), ends[-1].iterations) == (2, 2)
    assert qualities[1] > qualities[0]
    assert made(aligner) == "ibm1=2"


@pytest.mark.parametrize("constraint", ["bijective", "symmetric"])
def test_labelled_pairs_decide_on_projecting_when_aligning(constraint):
    settings = {"model": "hmm", "iterations": "ibm1=3,hmm=1", "constraint": constraint}
    open_, open_qualities, _ = stopped(settings)
    fixed = {choice: stopped(settings, project_at_decode=choice) for choice in (True, False)}
    areas = {choice: qualities[0] for choice, (_, qualities, _) in fixed.items()}
    assert all(aligner.model_.recipe.projects_at_decode is choice for choice, (aligner, *_) in fixed.items())
    assert open_qualities == [max(areas.values())]
    assert areas[open_.model_.recipe.projects_at_decode] == max(areas.values())
    assert area(open_) == pytest.approx(max(areas.values()), abs=1e-12)


def test_equally_good_projections_are_made():
    labelled = [(source, target, Alignment()) for source, target, _ in LABELLED]
    aligner = Aligner(model="ibm1", constraint="symmetric", threads=1).fit(PAIRS, labelled=labelled)
    assert aligner.model_.recipe.projects_at_decode


def test_gold_alignments_without_links_say_nothing():
    labelled = [(source, target, Alignment()) for source, target, _ in LABELLED]
    aligner = Aligner(model="ibm1", threads=1).fit(PAIRS, labelled=labelled)
    assert len(list(aligner.align(PAIRS))) == len(PAIRS)
