"""Settings of aligners with constraints: mistakes in them, saving and loading."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from constrained import (
    PAIRS,
    UNSEEN,
    Same,
    alignments,
    contents,
    every_model,
    posteriors,
    trained,
)
from pralign import Aligner, Alignment
from pralign.constraints import (
    CONSTRAINTS,
    Agreement,
    Bijective,
    Constraint,
    Symmetric,
    at_least,
    at_most,
    exactly,
    register_constraint,
)
from pralign.errors import InputError, UsageError


@pytest.fixture
def registry():
    """Constraints that are registered here are forgotten afterwards."""
    with CONSTRAINTS.restored():
        yield


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
    assert [params[name] for name in names] == ["bijective", 0.01, None, None]
    assert aligner.model_.recipe.projects_at_decode
    again = Aligner(**params)
    assert again.get_params() == params
    assert list(again.fit_align(PAIRS)) == list(aligner.align(PAIRS))
    own = Same()
    assert Aligner(constraint=own).get_params()["constraint"] is Aligner(constraint=own).settings.constraint is own


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
        ({"constraint": "none", "project_at_decode": False}, "max_length:200|estimator:em|constraint:none"),
    ],
    ids=str,
)
def test_the_signature_says_what_was_projected_onto(settings, end):
    assert str(Aligner(**settings).signature).rsplit("|version:", 1)[0].endswith("|" + end)


@pytest.mark.usefixtures("registry")
def test_a_constraint_can_be_made_known_by_name():
    with pytest.raises(
        UsageError, match=r"no constraint called 'same'; there are none, bijective, symmetric, agreement, itg$"
    ):
        Aligner(constraint="same")
    assert register_constraint(Same) is Same
    assert posteriors(trained(constraint="same", tolerance=0.01)) == posteriors(
        trained(constraint=Same(tolerance=0.01))
    )
    with pytest.raises(UsageError, match=r"there are none, bijective, symmetric, agreement, itg, same$"):
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
    assert loaded.project_at_decode is loaded.model_.recipe.projects_at_decode is project
    assert list(loaded.align([*PAIRS, *UNSEEN])) == list(aligner.align([*PAIRS, *UNSEEN]))
    assert posteriors(loaded, [*PAIRS, *UNSEEN]) == posteriors(aligner, [*PAIRS, *UNSEEN])
    loaded.save(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(tmp_path / "m")
    changed = Aligner.load(tmp_path / "m", threads=1, project_at_decode=not project)
    other = aligner.model_.with_settings(project_at_decode=not project)
    assert posteriors(changed) == posteriors(other) != posteriors(loaded)
    assert str(changed.signature) == str(other.signature)
    assert changed.thresholds_ == other.thresholds == aligner.thresholds_


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


@pytest.mark.usefixtures("registry")
def test_a_registered_constraint_is_known_by_its_name_unless_it_has_settings_of_its_own(tmp_path):
    register_constraint(Same)
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
    free = aligner.model_.with_settings(project_at_decode=False)
    assert posteriors(loaded) == posteriors(free)
    assert list(loaded.align(UNSEEN)) == alignments(free, UNSEEN)
    assert str(loaded.signature) == str(free.signature)
    free.save(tmp_path / "off")
    loaded.save(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(tmp_path / "off")
    assert posteriors(Aligner.load(tmp_path / "off", threads=1)) == posteriors(free)
    back = Aligner.load(tmp_path / "off", threads=1, project_at_decode=True, constraint=Same())
    assert posteriors(back) == posteriors(aligner) != posteriors(free)
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
        (["symmetric"], r"constraint has to be text or an object like Constraint, not \['symmetric'\]"),
        (Symmetric, "constraint has to be text or an object like Constraint, not <class"),
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
        Aligner(model="ibm1", threads=1).fit(PAIRS, listener=heard.append, labelled=labelled)
    assert heard == []


def test_there_is_nothing_to_project_onto_without_a_constraint(tmp_path):
    trained().save(tmp_path / "m")
    with pytest.raises(UsageError, match="nothing to project onto"):
        Aligner.load(tmp_path / "m", project_at_decode=True)
    with pytest.raises(UsageError, match="trained with the constraint none, which cannot be changed"):
        Aligner.load(tmp_path / "m", constraint="symmetric")
    assert posteriors(Aligner.load(tmp_path / "m", constraint="none", project_at_decode=False)) == posteriors(trained())
