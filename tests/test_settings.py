"""Settings: what is meant by what is given, and that every preset works from training to a loaded model."""

from __future__ import annotations

import pytest

from pralign import Aligner, Bitext, sample
from pralign.constraints import Symmetric
from pralign.errors import UsageError
from pralign.runs.recipe import Recipe
from pralign.settings import PRESETS, Settings, decoding_settings, option_of, setting_fields

PAIRS = [*list(Bitext.read(sample.SOURCE, sample.TARGET))[:40], ("", "rien"), ("solo", "")]
# The same words again, parts of pairs, and words that were never seen.
OTHERS = [PAIRS[3], ("the cat sings .", "le chat chante ."), ("Ombral 1907", "Ombral en 1907")]

PLAIN = {
    "model": "hmm",
    "iterations": None,
    "estimator": "em",
    "lookalikes": 0.0,
    "relatives": 0.0,
    "constraint": "none",
    "constraint_from": 1,
    "threshold": None,
    "project_at_decode": None,
    "smoothing": 0.0,
}

every_preset = pytest.mark.parametrize("preset", PRESETS)


def designed(settings):
    """The settings that presets are about."""
    return {name: getattr(settings, name) for name in PLAIN}


# What is meant


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"threshold": 0.3},
        {"lookalikes": 0.0},
        {"lookalikes": 2.5},
        {"project_at_decode": False},
        {"constraint_from": 2},
        {"decode": "posterior"},
        {"model": None, "estimator": None, "iterations": None, "constraint": None, "smoothing": None},
    ],
)
def test_the_default_is_meant_where_nothing_is_designed(given):
    settings = Settings.resolve(**given)
    assert (settings.preset, settings.origin("preset")) == ("default", "default")
    chosen = {name: value for name, value in given.items() if value is not None and name != "decode"}
    assert designed(settings) == {**PLAIN, **PRESETS["default"], **chosen}


@pytest.mark.parametrize(
    ("given", "model"),
    [
        ({"model": "hmm"}, "hmm"),
        ({"model": "ibm1"}, "ibm1"),
        ({"model": "fhmm"}, "fhmm"),
        ({"estimator": "collapsed"}, "hmm"),
        ({"estimator": "em"}, "hmm"),
        ({"constraint": "symmetric"}, "hmm"),
        ({"constraint": "none"}, "hmm"),
        ({"constraint": Symmetric()}, "hmm"),
        ({"smoothing": 0.1}, "hmm"),
        ({"iterations": "ibm1=2,hmm=3"}, "hmm"),
        ({"iterations": "ibm1=2,ibm2=3"}, "ibm2"),
        ({"iterations": (("ibm1", 2), ("fhmm", 1))}, "fhmm"),
        ({"model": "ibm2", "iterations": "ibm2=3"}, "ibm2"),
        ({"model": "ibm1", "estimator": "vb", "lookalikes": 0.5, "threshold": 0.4}, "ibm1"),
    ],
)
def test_who_designs_the_training_starts_from_plain_models(given, model):
    settings = Settings.resolve(**given)
    assert settings.preset is None
    assert designed(settings) == {**PLAIN, "model": model, **given}


def test_plain_is_an_hmm_estimated_by_em():
    plain = Aligner(model="hmm")
    assert designed(plain.settings) == PLAIN
    assert plain.signature.as_dict()["iterations"] == "ibm1=5,hmm=5"


@every_preset
def test_a_preset_says_everything_that_is_not_given(preset):
    expected = {**PLAIN, **PRESETS[preset]}
    for settings in (
        Settings.resolve(preset=preset),
        Settings.resolve(**{**dict.fromkeys(field.name for field in setting_fields()), "preset": preset}),
        Aligner(preset=preset).settings,
    ):
        assert settings.preset == preset
        assert designed(settings) == expected
        assert settings.given == {"preset": preset}
    assert Aligner(preset=preset).get_params()["model"] is None
    assert not Aligner(preset=preset).fit(PAIRS[:5]).model_.recipe.projects_at_decode


def test_settings_know_where_they_come_from():
    settings = Settings.resolve(preset="best", lookalikes=2.0, prefix=3, suffix=None)
    origins = {field.name: settings.origin(field.name) for field in setting_fields()}
    given = {"preset", "lookalikes", "prefix"}
    from_preset = PRESETS["best"].keys() - given
    assert {name for name, origin in origins.items() if origin == "given"} == given
    assert {name for name, origin in origins.items() if origin == "preset"} == from_preset
    assert {name for name, origin in origins.items() if origin == "default"} == origins.keys() - given - from_preset
    assert settings.given == {"preset": "best", "lookalikes": 2.0, "prefix": 3}
    changed = settings.changed(threshold=0.3)
    assert (settings.threshold, settings.origin("threshold")) == ("balanced", "preset")
    assert (changed.threshold, changed.origin("threshold")) == (0.3, "given")
    assert changed.given == {**settings.given, "threshold": 0.3}


def test_there_are_no_other_settings():
    with pytest.raises(UsageError, match="there is no setting called longest, speed"):
        Settings.resolve(speed=3, longest=100, model="hmm")


def test_settings_for_decoding_are_those_that_a_loaded_model_may_change():
    assert decoding_settings() == {"decode", "threshold", "symmetrize", "project_at_decode"}


def test_every_setting_but_pegging_has_an_option():
    assert [field.name for field in setting_fields() if option_of(field.name) is None] == ["pegging"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"threshold": 0}, "a threshold is a probability above 0, or auto, or balanced, not 0"),
        ({"lookalikes": -1}, "lookalikes is added to counts, at most 1,000,000,000, and cannot be -1"),
        ({"lookalikes": 2e9}, "lookalikes is added to counts, at most 1,000,000,000, and cannot be 2000000000"),
        ({"constraint_from": 0}, "a constraint acts from iteration 1 on or later, not 0"),
        ({"classes": 0}, "words are put into at least one class, not 0"),
        ({"max_length": 0}, "max length is a number of words from 1 to 30,000, not 0"),
        ({"max_length": 30_001}, "max length is a number of words from 1 to 30,000, not 30001"),
    ],
    ids=str,
)
def test_values_that_cannot_be(given, message):
    with pytest.raises(UsageError, match=message):
        Settings.resolve(**given)
    with pytest.raises(UsageError, match=message):
        Aligner(**given)


@every_preset
@pytest.mark.parametrize(
    "given",
    [
        {"estimator": "vb"},
        {"estimator": "em", "lookalikes": 0.0},
        {"iterations": "ibm1=1,fhmm=2"},
        {"model": "fhmm"},
        {"threshold": 0.4},
        {"threshold": "auto"},
        {"lookalikes": 3.0},
        {"constraint_from": 3},
        {"threshold": 0.4, "decode": "itg"},
    ],
)
def test_what_is_given_beside_a_preset_wins(preset, given):
    chosen = {name: value for name, value in given.items() if name != "decode"}
    settings = Settings.resolve(preset=preset, **given)
    assert settings.preset == preset
    assert designed(settings) == {**PLAIN, **PRESETS[preset], **chosen}
    assert settings.given == {"preset": preset, **given}
    assert vars(Aligner(preset=preset, **given).settings).items() >= given.items()


@every_preset
@pytest.mark.parametrize(("model", "stages"), [("hmm", "ibm1=5,hmm=5"), ("ibm1", "ibm1=5"), ("ibm2", "ibm1=5,ibm2=5")])
def test_the_iterations_of_a_preset_are_for_its_own_model(preset, model, stages):
    settings = Settings.resolve(preset=preset, model=model)
    assert designed(settings) == {**PLAIN, **PRESETS[preset], "model": model, "iterations": None}
    aligner = Aligner(preset=preset, model=model, constraint="none")
    assert aligner.signature.as_dict()["iterations"] == stages
    assert aligner.settings.estimator == PRESETS[preset]["estimator"]
    assert Settings.resolve(preset=preset, model=model, iterations=stages).iterations == stages


@every_preset
@pytest.mark.parametrize("decode", ["viterbi", "itg", "matching"])
def test_the_threshold_of_a_preset_is_for_posterior_decoding(preset, decode):
    assert Settings.resolve(preset=preset, decode=decode).threshold is None
    assert Settings.resolve(preset=preset, decode=decode, threshold=0.2).threshold == 0.2
    posterior = Settings.resolve(preset=preset, decode="posterior")
    assert posterior.threshold == PRESETS[preset]["threshold"] == "balanced"
    assert Aligner(preset=preset, decode=decode).settings.threshold is None
    assert Aligner(decode=decode).settings.preset == "default"


@pytest.mark.parametrize("constraint", ["none", "bijective", "agreement"])
def test_what_goes_with_a_constraint_goes_with_it(constraint):
    best = Settings.resolve(preset="best")
    assert best.constraint == "symmetric"
    assert best.constraint_from > 1
    assert best.project_at_decode is False
    settings = Settings.resolve(preset="best", constraint=constraint)
    assert (settings.constraint, settings.constraint_from, settings.project_at_decode) == (constraint, 1, None)
    settings = Settings.resolve(preset="best", constraint=constraint, constraint_from=3, project_at_decode=True)
    assert (settings.constraint_from, settings.project_at_decode) == (3, True)
    assert Settings.resolve(preset="best", constraint="symmetric") == best
    assert Recipe.of(Settings.resolve(preset="best", constraint=constraint)).projects_at_decode is (
        constraint != "none"
    )


@pytest.mark.parametrize("preset", ["slow", "", "Default"])
def test_an_unknown_preset(preset):
    message = f"there is no preset called '{preset}'; there are fast, default, best"
    with pytest.raises(UsageError, match=message):
        Settings.resolve(preset=preset)
    with pytest.raises(UsageError, match=message):
        Aligner(preset=preset, model="hmm")


def test_iterations_and_model_beside_a_preset_must_agree():
    with pytest.raises(UsageError, match="the iterations end with hmm but the model is ibm1"):
        Aligner(preset="default", model="ibm1", iterations="ibm1=2,hmm=2")
    with pytest.raises(UsageError, match="smoothing is for the estimator em"):
        Aligner(preset="default", smoothing=0.1)


@pytest.mark.parametrize(
    "settings",
    [
        *({"preset": preset} for preset in PRESETS),
        {},
        {"preset": "best", "constraint": "bijective"},
        {"preset": "best", "constraint": "none"},
        {"preset": "fast", "model": "hmm"},
        {"preset": "default", "decode": "viterbi"},
        {"decode": "itg", "lookalikes": 0.5},
        {"model": "ibm2", "prefix": 3},
        {"iterations": (("ibm1", 2), ("fhmm", 1)), "estimator": "vb", "alpha": 0.1},
        {"smoothing": 0.2, "threshold": "balanced"},
        {"constraint": "symmetric", "constraint_from": 2},
        {"prior": ["some.tsv", "other"]},
    ],
    ids=str,
)
def test_settings_can_be_read_and_used_again(settings):
    aligner = Aligner(**settings)
    params = aligner.get_params()
    assert {name: value for name, value in params.items() if value is not None} == settings
    assert Aligner(**params).get_params() == params
    assert Settings.resolve(**aligner.settings.given) == aligner.settings


# What comes of it


def answers(aligner, pairs):
    return [(found.links, found.scores) for found in aligner.align(pairs)]


@pytest.fixture(scope="module", params=PRESETS)
def fitted(request):
    """An aligner of each preset, and what it said of the pairs it learned from."""
    aligner = Aligner(preset=request.param, threads=1)
    return aligner, [(found.links, found.scores) for found in aligner.fit_align(PAIRS)]


def test_every_preset_aligns(fitted):
    aligner, found = fitted
    assert len(found) == len(PAIRS)
    assert found[40] == found[41] == ((), None)
    assert sum(len(links) for links, _ in found) > 200
    assert answers(aligner, PAIRS) == found
    preset, design = aligner.preset, PRESETS[aligner.preset]
    model, iterations = design["model"], design["iterations"]
    start = f"preset:{preset}|model:{model}|iterations:{iterations}|decode:posterior|threshold:"
    assert str(aligner.signature).startswith(start)


def test_every_preset_answers_alike_when_saved_and_loaded(fitted, tmp_path):
    aligner, found = fitted
    aligner.save(tmp_path / "m")
    loaded = Aligner.load(tmp_path / "m", threads=2)
    assert answers(loaded, PAIRS) == found
    assert answers(loaded, OTHERS) == answers(aligner, OTHERS)
    assert str(loaded.signature) == str(aligner.signature)
    assert loaded.thresholds_ == aligner.thresholds_


def test_an_aligner_made_of_the_settings_of_another_does_the_same(fitted):
    aligner, found = fitted
    again = Aligner(**aligner.get_params())
    assert [(answer.links, answer.scores) for answer in again.fit_align(PAIRS)] == found


def test_presets_differ(fitted):
    aligner, found = fitted
    changed = {"fast": "default", "default": "best", "best": "fast"}[aligner.preset]
    assert [(answer.links, answer.scores) for answer in Aligner(preset=changed, threads=1).fit_align(PAIRS)] != found


def test_without_anything_the_default_is_used():
    first, second = (list(Aligner(preset=preset, threads=1).fit_align(PAIRS)) for preset in (None, "default"))
    assert first == second


def test_iterations_choose_the_model_with_or_without_a_preset():
    assert Aligner(preset="default", iterations="ibm1=1,hmm=1").settings.model == "hmm"
    assert Aligner(iterations=(("ibm1", 1), ("ibm2", 1))).settings.model == "ibm2"
    for preset in (None, "default"):
        with pytest.raises(UsageError, match="there are no stages of training"):
            Aligner(preset=preset, iterations=())


@pytest.mark.parametrize("decode", ["viterbi", "itg", "matching"])
def test_a_model_saved_with_another_way_to_decode_has_posteriors_too(decode, tmp_path):
    Aligner(preset="fast", decode=decode, threads=1).fit(PAIRS).save(tmp_path / "m")
    loaded = Aligner.load(tmp_path / "m", decode="posterior")
    assert loaded.thresholds_.mean == 0.5
    assert len(list(loaded.align(PAIRS))) == len(PAIRS)
    adapted = Aligner.load(tmp_path / "m", decode="posterior", threshold="balanced").adapt_threshold(PAIRS)
    assert 0.25 <= adapted.thresholds_.mean <= 0.5
