"""The aligner with constraints, from Python."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from expectations import excesses, satisfied
from pralign import Aligner, Alignment, Bitext, sample
from pralign.constraints import (
    CONSTRAINTS,
    Agreement,
    Bijective,
    Constraint,
    Feature,
    Symmetric,
    at_least,
    at_most,
    exactly,
    register_constraint,
)
from pralign.decoding import stream
from pralign.errors import InputError, UsageError
from pralign.evaluation import evaluate
from pralign.links.formats import read_alignments
from pralign.training import em
from training.corpora import small_blocks

MODELS = ["ibm1", "ibm2", "hmm"]
STAGES = {"ibm1": "ibm1=3", "ibm2": "ibm1=3,ibm2=2", "hmm": "ibm1=3,hmm=2"}
FILES = ["manifest.json", "parameters.safetensors", "source.json", "target.json"]
SENTENCES = list(Bitext.read(sample.SOURCE, sample.TARGET))
COUNT = 16
PAIRS = [*SENTENCES[:COUNT], ("", "rien"), ("x", ""), (["Two", "words"], ("Deux", "mots")), ("Anna", "Anna")]
UNSEEN = [("Zorro 7 the unseen", "Zorro l' inconnu 7"), *SENTENCES[30:40], ("wort", "mot"), ("", "")]


@dataclass(frozen=True)
class Same(Constraint):
    """Words that are spelled alike are linked; this one looks at words."""

    share: float = 0.95

    name = "same"

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        alike = [(i, j) for i, s in enumerate(source) for j, t in enumerate(target) if s == t]
        yield from (at_least(self.share, forward=[cell for cell in alike if cell[1] == j]) for j in range(len(target)))
        yield from (at_least(self.share, reverse=[cell for cell in alike if cell[0] == i]) for i in range(len(source)))


@dataclass(frozen=True)
class Listening(Constraint):
    """Asks for nothing, and writes down the words it is shown."""

    heard: list[tuple[list[str], list[str]]] = field(default_factory=list)

    name = "listening"

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        self.heard.append((list(source), list(target)))
        return ()


NAMED = ["bijective", "symmetric", "agreement"]
CONSTRAINED = [*NAMED, Same()]
every_constraint = pytest.mark.parametrize("constraint", CONSTRAINED, ids=[*NAMED, "same"])
every_model = pytest.mark.parametrize("model", MODELS)


def trained(pairs=PAIRS, **settings):
    model = settings.get("model", "hmm")
    return Aligner(**{"iterations": STAGES[model], "threads": 1, **settings}).fit(pairs)


def posteriors(aligner, pairs=PAIRS):
    return [tuple(cells.tobytes() for cells in aligner.posteriors(*pair)) for pair in pairs]


def contents(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


def weight(forward, reverse):
    """The weight of the forward direction in a mixture whose halves expect equally many links."""
    return float(reverse.sum() / (forward.sum() + reverse.sum()))


def disagreement(forward, reverse):
    share = weight(forward, reverse)
    return float(np.linalg.norm(share * forward - (1 - share) * reverse))


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
    monkeypatch.setattr(em, "blocks", small_blocks)
    monkeypatch.setattr(stream, "blocks", small_blocks)
    answers = []
    for threads in (1, 2, 3):
        aligner = Aligner(model=model, iterations=STAGES[model], constraint=constraint, threshold="auto")
        aligner = Aligner(**aligner.get_params(), threads=threads)
        decoded = [answer._replace(score=str(answer.score)) for answer in aligner.fit_decode(PAIRS, directions=True)]
        aligner.save(tmp_path / str(threads))
        answers.append((decoded, aligner.thresholds_, contents(tmp_path / str(threads))))
    assert answers[0] == answers[1] == answers[2]


def test_listeners_hear_what_projections_cost():
    heard = []
    Aligner(iterations="ibm1=2,hmm=3", constraint="symmetric", threads=1).fit(PAIRS, heard.append)
    ends = [progress for progress in heard if progress.log_likelihood is not None]
    assert [progress.effort is None for progress in ends] == [True, True, False, False, False]
    for progress in ends[2:]:
        assert progress.effort.pairs == COUNT + 2  # those without an empty side
        assert progress.effort.divergence > 0
        assert progress.effort.calls > 2 * (COUNT + 2)
        assert progress.effort.unconverged == 0
    assert all(progress.effort is None for progress in heard if progress.log_likelihood is None)


def test_the_default_schedule_is_shorter_with_a_constraint():
    assert Aligner(constraint="symmetric").get_params()["iterations"] == "ibm1=5,hmm=3"
    assert Aligner(constraint=Same(), model="ibm2").get_params()["iterations"] == "ibm1=5,ibm2=3"
    assert Aligner(constraint="bijective", model="ibm1").get_params()["iterations"] == "ibm1=5"
    assert Aligner(constraint="none").get_params()["iterations"] == "ibm1=5,hmm=5"


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
        aligner = trained(constraint="bijective", slack=slack, tolerance=1e-4)
        aligner.model_ = plain.model_
        apart = [np.abs(aligner.posteriors(*pair).mean - plain.posteriors(*pair).mean).sum() for pair in PAIRS]
        moved.append(float(sum(apart)))
    assert moved[0] > moved[1] > moved[2] > moved[3] == 0.0


def test_a_bound_that_cannot_be_reached_is_no_reason_to_fail():
    @dataclass(frozen=True)
    class Impossible(Constraint):
        name = "impossible"

        def features(self, source, target):
            return [at_least(2, forward=[(i, 0) for i in range(len(source))])]

    heard = []
    aligner = Aligner(iterations="ibm1=2,hmm=1", constraint=Impossible(), threads=1).fit(PAIRS, heard.append)
    assert heard[-1].effort.unconverged == heard[-1].effort.pairs == COUNT + 2
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
    aligner = Aligner(model=model, iterations=STAGES[model], constraint=constraint, threads=1).fit(PAIRS, heard.append)
    assert heard[-1].effort.unconverged == 0  # what it asks of words that have no equals does not count
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
    bare = Aligner(model=model, threads=1)
    bare.model_, bare.vocabularies_ = aligner.model_, aligner.vocabularies_
    aligner.project_at_decode = False
    assert posteriors(aligner, pairs) == posteriors(bare, pairs) != projected
    assert list(aligner.align(pairs)) == list(bare.align(pairs)) != links
    fresh = trained(model=model, constraint=constraint, project_at_decode=False)
    assert posteriors(fresh, pairs) == posteriors(aligner, pairs)
    assert list(Aligner(**fresh.get_params()).fit_align(PAIRS)) == list(aligner.align(PAIRS))


def test_viterbi_paths_are_those_of_the_projected_model():
    aligner = trained(constraint="bijective", decode="viterbi", symmetrize="forward")
    projected = [alignment.links for alignment in aligner.align(PAIRS)]
    aligner.project_at_decode = False
    free = [alignment.links for alignment in aligner.align(PAIRS)]
    assert projected != free

    def repeats(paths):
        return sum(len(links) - len({i for i, _ in links}) for links in paths)

    assert repeats(projected) < repeats(free)


def test_scores_of_pairs_are_those_of_the_model():
    # What a pair is worth is not for the constraint to say.
    aligner = trained(constraint="symmetric")
    projected = [answer.score for answer in aligner.decode_pairs(PAIRS)]
    aligner.project_at_decode = False
    free = [answer.score for answer in aligner.decode_pairs(PAIRS)]
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
        aligner.threshold = threshold
        return evaluate(aligner.align([(source, target) for source, target, _ in labelled]), golds).aer

    best = loss(aligner.threshold)
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
    aligner.project_at_decode = False
    free = aligner.posteriors(*long)
    if constraint == "bijective":
        assert forward.sum(axis=1).max() < 1.001 < free.forward.sum(axis=1).max()
    elif constraint in NAMED:
        assert disagreement(forward, reverse) < 0.4 * disagreement(free.forward, free.reverse)
    else:
        assert satisfied(constraint, short, *long)
        assert not satisfied(constraint, aligner, *long)


# Words


def test_a_constraint_is_shown_the_real_words_of_the_pairs_it_is_trained_on():
    listening = Listening()
    trained(PAIRS, constraint=listening, project_at_decode=False)
    whole = [(s, t) for s, t in PAIRS if s and t]
    assert listening.heard == [
        tuple([word.lower() for word in (side.split() if isinstance(side, str) else side)] for side in pair)
        for pair in whole
    ]


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
    monkeypatch.setattr("pralign.aligner._CHUNK", 3)
    assert list(aligner.align(pairs)) == whole
    assert whole[-1].links == ((0, 1), (1, 0))


# Mistakes in constraints of one's own


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("feature", "message"),
    [
        (lambda s, t: at_most(1, forward=[(len(s), 0)]), r"names the cell \(11, 0\) of a pair of 11 by 14 words"),
        (lambda s, t: at_most(1, reverse=[(0, -1)]), r"names the cell \(0, -1\) of a pair of 11 by 14 words"),
        (lambda s, t: at_most(1, forward=[(0, 0)], reverse=[(0, 0)]), "'wrong' has cells of both directions"),
        (lambda s, t: at_most(float("nan"), forward=[(0, 0)]), "must be finite numbers"),
        (lambda s, t: at_least(1, reverse={(0, 0): float("inf")}), "must be finite numbers"),
    ],
)
def test_features_that_cannot_be(feature, message, threads):
    @dataclass(frozen=True)
    class Wrong(Constraint):
        name = "wrong"

        def features(self, source, target):
            yield feature(source, target)

    with pytest.raises(UsageError, match=message):
        trained(constraint=Wrong(), threads=threads)


# Settings


def test_settings_can_be_read_and_used_again():
    aligner = trained(constraint="bijective", tolerance=0.01)
    params = aligner.get_params()
    names = ("constraint", "tolerance", "slack", "project_at_decode")
    assert [params[name] for name in names] == ["bijective", 0.01, None, True]
    again = Aligner(**params)
    assert again.get_params() == params
    assert list(again.fit_align(PAIRS)) == list(aligner.align(PAIRS))
    own = Same()
    assert Aligner(constraint=own).get_params()["constraint"] == own


@pytest.mark.parametrize(
    ("settings", "end"),
    [
        ({"constraint": "bijective"}, "constraint:bijective|tolerance:0.005|slack:0|projected:yes"),
        ({"constraint": "symmetric"}, "constraint:symmetric|tolerance:0.001|slack:0.001|projected:yes"),
        ({"constraint": Symmetric(slack=0.5)}, "constraint:symmetric|tolerance:0.001|slack:0.5|projected:yes"),
        (
            {"constraint": "agreement", "tolerance": 2e-5, "slack": 0, "project_at_decode": False},
            "constraint:agreement|tolerance:2e-05|slack:0|projected:no",
        ),
        ({"constraint": Same(tolerance=0.25)}, "constraint:same|tolerance:0.25|slack:0|projected:yes"),
        ({"constraint": "none", "project_at_decode": False}, "longest:200|constraint:none"),
    ],
    ids=str,
)
def test_the_signature_says_what_was_projected_onto(settings, end):
    assert str(Aligner(**settings).signature).rsplit("|version:", 1)[0].endswith("|" + end)


def test_a_constraint_can_be_made_known_by_name(monkeypatch):
    monkeypatch.setattr("pralign.constraints.CONSTRAINTS", dict(CONSTRAINTS))
    with pytest.raises(
        UsageError, match=r"no constraint called 'same'; there are none, bijective, symmetric, agreement$"
    ):
        Aligner(constraint="same")
    assert register_constraint(Same) is Same
    assert posteriors(trained(constraint="same", tolerance=0.01)) == posteriors(
        trained(constraint=Same(tolerance=0.01))
    )
    with pytest.raises(UsageError, match=r"there are none, bijective, symmetric, agreement, same$"):
        Aligner(constraint="other")


# Saving and loading


@every_model
@pytest.mark.parametrize("project", [True, False])
@pytest.mark.parametrize("constraint", ["bijective", "symmetric"])
def test_a_loaded_aligner_answers_with_the_same_bits(tmp_path, model, constraint, project):
    aligner = trained(model=model, constraint=constraint, project_at_decode=project, threshold="auto", slack=0.01)
    aligner.save(tmp_path / "m")
    loaded = Aligner.load(tmp_path / "m", threads=1)
    assert str(loaded.signature) == str(aligner.signature)
    assert loaded.project_at_decode is project
    assert list(loaded.align([*PAIRS, *UNSEEN])) == list(aligner.align([*PAIRS, *UNSEEN]))
    assert posteriors(loaded, [*PAIRS, *UNSEEN]) == posteriors(aligner, [*PAIRS, *UNSEEN])
    loaded.save(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(tmp_path / "m")
    changed = Aligner.load(tmp_path / "m", threads=1, project_at_decode=not project)
    aligner.project_at_decode = not project
    assert posteriors(changed) == posteriors(aligner) != posteriors(loaded)
    assert str(changed.signature) == str(aligner.signature)


def test_settings_of_the_constraint_are_saved_in_words_and_numbers(tmp_path):
    trained(constraint="symmetric").save(tmp_path / "named")
    trained(constraint=Same(tolerance=0.01)).save(tmp_path / "own")
    names = ("constraint", "tolerance", "slack", "project_at_decode")
    for folder, expected in (("named", ["symmetric", 0.001, 0.001, True]), ("own", ["same", 0.01, 0.0, True])):
        settings = json.loads((tmp_path / folder / "manifest.json").read_text(encoding="utf-8"))["settings"]
        assert [settings[name] for name in names] == expected


@pytest.mark.parametrize("constraint", ["none", "bijective", "agreement", Same(), Bijective()])
def test_the_constraint_of_a_saved_aligner_cannot_be_changed(tmp_path, constraint):
    trained(constraint="symmetric").save(tmp_path / "m")
    with pytest.raises(
        UsageError, match=r"^the aligner was trained with the constraint symmetric, which cannot be changed"
    ):
        Aligner.load(tmp_path / "m", constraint=constraint)
    same = Aligner.load(tmp_path / "m", constraint="symmetric")
    assert posteriors(same) == posteriors(Aligner.load(tmp_path / "m"))


@pytest.mark.parametrize("change", [{"tolerance": 0.1}, {"slack": 0.1}])
def test_a_saved_projection_cannot_be_made_less_exact(tmp_path, change):
    trained(constraint="symmetric").save(tmp_path / "m")
    with pytest.raises(UsageError, match=f"cannot change its {next(iter(change))}"):
        Aligner.load(tmp_path / "m", **change)


def test_a_constraint_of_ones_own_is_given_again(tmp_path):
    constraint = Same(share=0.7, tolerance=0.01)
    aligner = trained(constraint=constraint)
    aligner.save(tmp_path / "m")
    for forgetful in (Aligner.load(tmp_path / "m"), Aligner.load(tmp_path / "m", constraint="same")):
        with pytest.raises(UsageError, match=r"a constraint of its own, same: give it again as constraint=\.\.\. when"):
            posteriors(forgetful)
    with pytest.raises(UsageError, match="trained with the constraint same, which cannot be changed"):
        Aligner.load(tmp_path / "m", constraint="symmetric")
    loaded = Aligner.load(tmp_path / "m", threads=1, constraint=constraint)
    assert posteriors(loaded, [*PAIRS, *UNSEEN]) == posteriors(aligner, [*PAIRS, *UNSEEN])
    assert str(loaded.signature) == str(aligner.signature)
    loaded.save(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(tmp_path / "m")


@pytest.mark.parametrize("constraint", [Symmetric(normalised=False), Agreement(normalised=False, slack=0.1)])
def test_a_known_constraint_with_settings_that_are_not_saved_is_given_again(tmp_path, constraint):
    aligner = trained(constraint=constraint)
    aligner.save(tmp_path / "m")
    with pytest.raises(UsageError, match="give it again as constraint"):
        posteriors(Aligner.load(tmp_path / "m"))
    loaded = Aligner.load(tmp_path / "m", threads=1, constraint=constraint)
    assert posteriors(loaded) == posteriors(aligner)


def test_a_registered_constraint_is_known_by_its_name_unless_it_has_settings_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr("pralign.constraints.CONSTRAINTS", {**CONSTRAINTS, "same": Same})
    usual, unusual = trained(constraint="same", tolerance=0.01), trained(constraint=Same(share=0.5))
    usual.save(tmp_path / "usual")
    unusual.save(tmp_path / "unusual")
    assert posteriors(Aligner.load(tmp_path / "usual", threads=1)) == posteriors(usual)
    with pytest.raises(UsageError, match="give it again as constraint"):
        posteriors(Aligner.load(tmp_path / "unusual"))
    again = Aligner.load(tmp_path / "unusual", threads=1, constraint=Same(share=0.5))
    assert posteriors(again) == posteriors(unusual)


def test_a_constraint_of_ones_own_is_not_needed_without_projection(tmp_path):
    aligner = trained(constraint=Same())
    aligner.save(tmp_path / "m")
    loaded = Aligner.load(tmp_path / "m", threads=1, project_at_decode=False)
    aligner.project_at_decode = False
    assert posteriors(loaded) == posteriors(aligner)
    assert list(loaded.align(UNSEEN)) == list(aligner.align(UNSEEN))
    assert str(loaded.signature) == str(aligner.signature)
    aligner.save(tmp_path / "off")
    loaded.save(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(tmp_path / "off")
    assert posteriors(Aligner.load(tmp_path / "off", threads=1)) == posteriors(aligner)
    back = Aligner.load(tmp_path / "off", threads=1, project_at_decode=True, constraint=Same())
    assert posteriors(back) != posteriors(aligner)
    with pytest.raises(UsageError, match="a constraint of its own, same"):
        loaded.fit(PAIRS)


class Nameless(Constraint):
    def features(self, source, target):
        return []


class Silent(Constraint):
    name = "silent"

    def __init__(self, word):
        self.word = word

    def features(self, source, target):
        [exactly(0, forward={(0, 0): 1})]


class Wordy(Silent):
    def features(self, source, target):
        return ["the"]


@pytest.mark.parametrize(
    ("constraint", "message"),
    [
        (Silent("the"), "'silent' has to give features, not None"),
        (Wordy("the"), "'silent' has to give features, not 'the'"),
        (["symmetric"], r"a constraint is a name or a Constraint object, not \['symmetric'\]"),
        (Symmetric, "a constraint is a name or a Constraint object, not <class"),
        (None, "a constraint is a name or a Constraint object, not None"),
    ],
)
def test_mistakes_in_constraints_are_explained(constraint, message):
    with pytest.raises(UsageError, match=message):
        Aligner(model="ibm1", constraint=constraint, threads=1).fit(PAIRS)


def test_a_constraint_needs_a_name():
    with pytest.raises(UsageError, match="Nameless needs a name of letters"):
        Nameless()


class Positional(Same):
    """Has an ``__init__`` of its own."""

    def __init__(self, share):
        super().__init__(share=share)


def test_a_constraint_may_have_its_own_way_of_being_made():
    ours = trained(constraint=Positional(0.7), tolerance=0.01, slack=0.1)
    assert posteriors(ours) == posteriors(trained(constraint=Same(share=0.7, tolerance=0.01, slack=0.1)))


@pytest.mark.parametrize(
    ("labelled", "message"),
    [
        ([], "there are no labelled pairs"),
        ([("", "un", Alignment())], "none with words on both sides"),
        ([("one", "un", Alignment(((0, 0), (0, 1))))], "labelled pair 1: link 0-1"),
    ],
)
def test_labelled_pairs_are_checked_before_training(labelled, message):
    heard = []
    with pytest.raises(InputError, match=message):
        Aligner(model="ibm1", threads=1).fit(PAIRS, heard.append, labelled)
    assert heard == []


def test_there_is_nothing_to_project_onto_without_a_constraint(tmp_path):
    trained().save(tmp_path / "m")
    with pytest.raises(UsageError, match="nothing to project onto"):
        Aligner.load(tmp_path / "m", project_at_decode=True)
    with pytest.raises(UsageError, match="trained with the constraint none, which cannot be changed"):
        Aligner.load(tmp_path / "m", constraint="symmetric")
    assert posteriors(Aligner.load(tmp_path / "m", constraint="none", project_at_decode=False)) == posteriors(trained())
