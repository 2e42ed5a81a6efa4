"""The aligner with constraints, from Python."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from constrained import (
    COUNT,
    NAMED,
    PAIRS,
    SENTENCES,
    STAGES,
    UNSEEN,
    Listening,
    Same,
    alignments,
    contents,
    cut_small,
    disagreement,
    every_constraint,
    every_model,
    posteriors,
    trained,
    weight,
    with_settings_of,
)
from expectations import excesses, satisfied
from pralign import Aligner, Alignment, sample
from pralign.constraints import (
    Agreement,
    Bijective,
    Constraint,
    at_least,
)
from pralign.evaluation import evaluate
from pralign.links.formats import read_alignments

pytestmark = pytest.mark.slow

# Fitting and aligning


@every_model
@every_constraint
def test_every_model_takes_every_constraint(model, constraint):
    aligner = trained(model=model, constraint=constraint)
    aligned = list(aligner.align(PAIRS))
    assert len(aligned) == len(PAIRS)
    assert aligned[COUNT].links == aligned[COUNT + 1].links == ()
    assert sum(len(alignment) for alignment in aligned) > 5
    assert [aligner.align_pair(*pair) for pair in PAIRS] == aligned
    again = Aligner(model=model, iterations=STAGES[model], constraint=constraint, threads=2)
    assert list(again.fit_align(iter(PAIRS))) == aligned
    assert posteriors(aligner) != posteriors(trained(model=model))
    assert len(list(aligner.align(UNSEEN))) == len(UNSEEN)


@pytest.mark.parametrize(
    ("model", "constraint"),
    [("hmm", "bijective"), ("hmm", "symmetric"), ("hmm", Same()), ("ibm1", "symmetric"), ("ibm2", "agreement")],
)
def test_any_number_of_threads_gives_the_same_bytes(model, constraint, tmp_path, monkeypatch):
    whole = trained(model=model, constraint=constraint, threshold="auto")
    whole.save(tmp_path / "whole")
    cut_small(monkeypatch)
    answers = []
    for threads in (1, 2, 3):
        aligner = Aligner(model=model, iterations=STAGES[model], constraint=constraint, threshold="auto")
        aligner = Aligner(**{**aligner.get_params(), "threads": threads})
        decoded = [answer._replace(score=str(answer.score)) for answer in aligner.fit_decode(PAIRS, directions=True)]
        aligner.save(tmp_path / str(threads))
        answers.append((decoded, aligner.thresholds_, contents(tmp_path / str(threads))))
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][1:] == (whole.thresholds_, contents(tmp_path / "whole"))


def test_listeners_hear_what_projections_cost():
    heard = []
    Aligner(iterations="ibm1=2,hmm=3", constraint="symmetric", threads=1).fit(PAIRS, listener=heard.append)
    ends = [progress for progress in heard if progress.log_likelihood is not None]
    assert [progress.cost is None for progress in ends] == [True, True, False, False, False]
    for progress in ends[2:]:
        assert progress.cost.pairs == COUNT + 2  # those without an empty side
        assert progress.cost.divergence > 0
        assert progress.cost.calls > 2 * (COUNT + 2)
        assert progress.cost.unconverged == 0
    assert all(progress.cost is None for progress in heard if progress.log_likelihood is None)


def test_the_default_schedule_is_shorter_with_a_constraint():
    assert Aligner(constraint="symmetric").signature.as_dict()["iterations"] == "ibm1=5,hmm=3"
    assert Aligner(constraint=Same(), model="ibm2").signature.as_dict()["iterations"] == "ibm1=5,ibm2=3"
    assert Aligner(constraint="bijective", model="ibm1").signature.as_dict()["iterations"] == "ibm1=5"
    assert Aligner(constraint="none").signature.as_dict()["iterations"] == "ibm1=5,hmm=5"


def test_a_constraint_that_asks_for_nothing_changes_nothing():
    free, plain = trained(constraint=Listening()), trained()
    assert posteriors(free) == posteriors(plain)
    assert list(free.align(PAIRS)) == list(plain.align(PAIRS))


def test_the_model_is_not_constrained_before_its_own_stage(tmp_path):
    # With one iteration each, the lexicon that the constraint first meets is that of the stage before.
    before = Listening()
    Aligner(iterations="ibm1=4,hmm=1", constraint=before, threads=1, project_at_decode=False).fit(PAIRS)
    assert len(before.heard) == COUNT + 2


def test_more_slack_moves_posteriors_less():
    plain = trained()
    moved = []
    for slack in (0.0, 0.2, 0.5, 100.0):
        projected = with_settings_of(plain, constraint="bijective", slack=slack, tolerance=1e-4)
        apart = [np.abs(projected.posteriors(*pair).mean - plain.posteriors(*pair).mean).sum() for pair in PAIRS]
        moved.append(float(sum(apart)))
    assert moved[0] > moved[1] > moved[2] > moved[3] == 0.0


def test_a_bound_that_cannot_be_reached_is_no_reason_to_fail():
    @dataclass(frozen=True)
    class Impossible(Constraint):
        name = "impossible"

        def features(self, source, target):
            return [at_least(2, forward=[(i, 0) for i in range(len(source))])]

    heard = []
    aligner = Aligner(iterations="ibm1=2,hmm=1", constraint=Impossible(), threads=1).fit(PAIRS, listener=heard.append)
    assert heard[-1].cost.unconverged == heard[-1].cost.pairs == COUNT + 2
    for pair in SENTENCES[:5]:
        forward, reverse, _ = aligner.posteriors(*pair)
        assert np.isfinite(forward).all()
        assert np.isfinite(reverse).all()
        assert 0.9 < forward[:, 0].sum() <= 1 + 1e-5  # as near as it gets


# What holds


@every_model
def test_bijective_links_are_one_to_one_in_expectation(model):
    constraint = Bijective()
    aligner, plain = trained(model=model, constraint=constraint), trained(model=model)
    pairs = [*SENTENCES[:40], ("Zorro Zorro Zorro", "Zorro"), ("a b", "a b c d e f g h")]
    assert all(satisfied(constraint, aligner, *pair) for pair in pairs)
    assert sum(not satisfied(constraint, plain, *pair) for pair in pairs) > 20
    for source, target in pairs:
        forward, reverse, _ = aligner.posteriors(source, target)
        room = constraint.tolerance * max(forward.shape)
        assert max(forward.sum(axis=1).max(), reverse.sum(axis=0).max()) <= 1 + room + 1e-5
        assert max(forward.sum(axis=0).max(), reverse.sum(axis=1).max()) <= 1 + 1e-5


def test_a_smaller_tolerance_is_kept():
    for tolerance in (0.1, 0.005, 1e-5):
        aligner = trained(constraint="bijective", tolerance=tolerance)
        norms = [e.norm / e.features for pair in SENTENCES[:30] for e in excesses(Bijective(), aligner, *pair)]
        assert max(norms) <= tolerance + 1e-6
    assert max(norms) < 2e-5


@every_model
def test_symmetric_directions_agree_up_to_their_weights(model):
    tolerance = 1e-5
    aligner = trained(model=model, constraint="symmetric", tolerance=tolerance, slack=0)
    plain = trained(model=model)
    for pair in SENTENCES[:20]:
        forward, reverse, _ = aligner.posteriors(*pair)
        free = plain.posteriors(*pair)
        assert disagreement(forward, reverse) <= 2 * tolerance * forward.size + 1e-5
        assert disagreement(free.forward, free.reverse) > 0.1
        assert 0.4 < weight(forward, reverse) < 0.6


@every_model
def test_with_agreement_the_directions_agree_themselves(model):
    constraint = Agreement(tolerance=1e-5, slack=0)
    aligner = trained(model=model, constraint=constraint)
    for pair in SENTENCES[:20]:
        forward, reverse, _ = aligner.posteriors(*pair)
        assert np.linalg.norm(forward - reverse) <= constraint.tolerance * forward.size + 1e-5
        assert forward.sum() > 1


@every_model
def test_a_constraint_of_ones_own_holds(model):
    constraint, heard = Same(), []
    aligner = Aligner(model=model, iterations=STAGES[model], constraint=constraint, threads=1).fit(
        PAIRS, listener=heard.append
    )
    assert heard[-1].cost.unconverged == 0  # what it asks of words that have no equals does not count
    pairs = [*SENTENCES[:40], ("Zorro 7 and 7", "7 et Zorro"), ("7", "7")]
    assert all(satisfied(constraint, aligner, *pair) for pair in pairs)
    assert not all(satisfied(constraint, trained(model=model), *pair) for pair in pairs)


def test_a_setting_of_the_aligner_goes_before_that_of_the_constraint():
    loose, strict = Same(tolerance=0.5, slack=0.3), Same(tolerance=1e-4)
    assert posteriors(trained(constraint=loose, tolerance=1e-4, slack=0.0)) == posteriors(trained(constraint=strict))
    assert posteriors(trained(constraint=loose)) != posteriors(trained(constraint=strict))


# Projecting when text is aligned


@every_model
@every_constraint
def test_without_projection_the_posteriors_are_those_of_the_model(model, constraint):
    pairs = [*PAIRS, *UNSEEN]
    aligner = trained(model=model, constraint=constraint)
    projected, links = posteriors(aligner, pairs), list(aligner.align(pairs))
    bare = with_settings_of(aligner, model=model)
    free = aligner.model_.with_settings(project_at_decode=False)
    assert posteriors(free, pairs) == posteriors(bare, pairs) != projected
    assert alignments(free, pairs) == alignments(bare, pairs) != links
    fresh = trained(model=model, constraint=constraint, project_at_decode=False)
    assert posteriors(fresh, pairs) == posteriors(free, pairs)
    assert list(Aligner(**fresh.get_params()).fit_align(PAIRS)) == alignments(free, PAIRS)
    again = free.with_settings(project_at_decode=True)
    assert posteriors(again, pairs) == posteriors(aligner, pairs) == projected


def test_viterbi_paths_are_those_of_the_projected_model():
    aligner = trained(constraint="bijective", decode="viterbi", symmetrize="forward")
    projected = [alignment.links for alignment in aligner.align(PAIRS)]
    free = [found.links for found in alignments(aligner.model_.with_settings(project_at_decode=False), PAIRS)]
    assert projected != free

    def repeats(paths):
        return sum(len(links) - len({i for i, _ in links}) for links in paths)

    assert repeats(projected) < repeats(free)


def test_scores_of_pairs_are_those_of_the_model():
    # What a pair is worth is not for the constraint to say.
    aligner = trained(constraint="symmetric")
    projected = [answer.score for answer in aligner.decode_pairs(PAIRS)]
    free = [answer.score for answer in aligner.model_.with_settings(project_at_decode=False).decode_pairs(PAIRS)]
    np.testing.assert_allclose(projected, free, rtol=1e-6)


@pytest.mark.parametrize("project", [True, False])
def test_the_automatic_threshold_matches_viterbi_links_of_the_same_posteriors(project):
    pairs = SENTENCES[:60]
    aligner = trained(pairs, constraint="bijective", threshold="auto", project_at_decode=project)
    answers = list(aligner.decode_pairs(pairs, directions=True))
    for name in ("forward", "reverse"):
        wanted = sum(len(getattr(answer, name)) for answer in answers)
        cells = np.concatenate([getattr(aligner.posteriors(*pair), name).ravel() for pair in pairs])
        threshold = np.float32(getattr(aligner.thresholds_, name))
        assert np.sum(cells > threshold) < wanted <= np.sum(cells >= threshold)


@pytest.mark.parametrize("project", [True, False])
def test_tuning_sees_the_posteriors_that_are_aligned_with(project):
    golds = list(read_alignments(sample.GOLD, "gold"))[:30]
    labelled = [(source, target, gold) for (source, target), gold in zip(SENTENCES, golds, strict=False)]
    aligner = trained(SENTENCES[:60], constraint="symmetric", project_at_decode=project).tune(labelled)

    def loss(threshold):
        model = aligner.model_.with_threshold(threshold)
        return evaluate(alignments(model, [(source, target) for source, target, _ in labelled]), golds).aer

    best = loss(aligner.thresholds_.mean)
    losses = [loss(step / 50) for step in range(1, 50)]
    assert best <= min(losses) < max(losses)


# Pairs of any size


@every_constraint
def test_small_and_empty_pairs(constraint):
    aligner = trained(constraint=constraint)
    for pair, shape in ((("", "a b"), (0, 2)), (("a", []), (1, 0)), (("", ""), (0, 0))):
        assert [cells.shape for cells in aligner.posteriors(*pair)] == [shape] * 3
        assert aligner.align_pair(*pair) == Alignment()
    assert aligner.align_pair("Anna", "Anna").links == ((0, 0),)
    assert aligner.posteriors("Anna", "rien").mean.shape == (1, 1)
    assert aligner.posteriors("Anna", "la la la la").forward.sum() <= 4 + 1e-5


@every_model
@every_constraint
def test_one_word_a_side_is_enough_to_learn_from(model, constraint):
    aligner = trained([("a", "x"), ("b", "y"), ("a", "x")], model=model, constraint=constraint)
    assert [alignment.links for alignment in aligner.align([("a", "x"), ("b", "y")])] == [((0, 0),), ((0, 0),)]


@every_constraint
def test_a_very_long_pair_is_aligned_but_not_learned_from(constraint):
    long = tuple(" ".join(pair[side] for pair in SENTENCES[:22]) for side in (0, 1))
    assert min(len(sentence.split()) for sentence in long) > 200
    aligner = trained([*PAIRS, long], constraint=constraint, tolerance=1e-6)
    short = trained([*PAIRS, (long[0], "")], constraint=constraint, tolerance=1e-6)
    assert posteriors(aligner) == posteriors(short)
    *_, alignment = aligner.align([*PAIRS, long])
    assert alignment == aligner.align_pair(*long)
    assert alignment.links
    forward, reverse, _ = aligner.posteriors(*long)
    assert 50 < min(forward.sum(), reverse.sum()) <= max(forward.sum(), reverse.sum()) < max(forward.shape)
    free = aligner.model_.with_settings(project_at_decode=False).posteriors(*long)
    if constraint == "bijective":
        assert forward.sum(axis=1).max() < 1.001 < free.forward.sum(axis=1).max()
    elif constraint in NAMED:
        assert disagreement(forward, reverse) < 0.4 * disagreement(free.forward, free.reverse)
    else:
        assert satisfied(constraint, short, *long)
        assert not satisfied(constraint, aligner.model_.with_settings(project_at_decode=False), *long)


# Words


def test_a_constraint_is_shown_the_real_words_of_the_pairs_it_is_trained_on():
    listening = Listening()
    trained(PAIRS, constraint=listening, project_at_decode=False)
    whole = [(s, t) for s, t in PAIRS if s and t]
    words = [
        tuple([word.lower() for word in (side.split() if isinstance(side, str) else side)] for side in pair)
        for pair in whole
    ]
    assert listening.heard == 2 * words  # once in each of the two iterations that are constrained


def test_a_constraint_is_shown_words_that_the_model_does_not_know():
    listening = Listening()
    aligner = trained(constraint=listening)
    for ask in (aligner.align_pair, aligner.posteriors):
        listening.heard.clear()
        ask("Zorro opened the Vltava", ["la", "ZORRO", "New York"])
        assert listening.heard == [(["zorro", "opened", "the", "vltava"], ["la", "zorro", "new york"])]
    listening.heard.clear()
    list(aligner.align([("Anna x9", "Anna y9"), ("", "z"), ("y9", "x9 Anna")]))
    assert listening.heard == [(["anna", "x9"], ["anna", "y9"]), (["y9"], ["x9", "anna"])]


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"lowercase": False}, ["Zorro", "opened"]), ({"prefix": 3}, ["zor", "ope"]), ({"suffix": 2}, ["ro", "ed"])],
    ids=str,
)
def test_words_are_shown_as_they_are_compared(settings, words):
    listening = Listening()
    aligner = trained(constraint=listening, **settings)
    listening.heard.clear()
    aligner.align_pair("Zorro opened", "x")
    assert listening.heard == [(words, ["x"])]


def test_chunks_do_not_show(monkeypatch):
    # Each chunk numbers its pairs and its unknown words anew.
    pairs = [*PAIRS, ("Zorro came 7", "7 Zorro vient"), ("Zorro", "Zorro"), ("8 Qx", "Qx 8")]
    aligner = trained(constraint=Same())
    whole = list(aligner.align(pairs))
    monkeypatch.setattr("pralign.runs.trained._CHUNK", 3)
    assert list(aligner.align(pairs)) == whole
    assert whole[-1].links == ((0, 1), (1, 0))
