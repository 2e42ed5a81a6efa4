"""Presets: what is meant by what is given, and that every one of them works from training to a loaded model."""

from __future__ import annotations

from dataclasses import asdict, fields, replace

import pytest

from pralign import Aligner, Bitext, sample
from pralign.constraints import Symmetric
from pralign.errors import UsageError
from pralign.presets import PRESETS, Design, complete

PAIRS = [*list(Bitext.read(sample.SOURCE, sample.TARGET))[:40], ("", "rien"), ("solo", "")]
# The same words again, parts of pairs, and words that were never seen.
OTHERS = [PAIRS[3], ("the cat sings .", "le chat chante ."), ("Ombral 1907", "Ombral en 1907")]

every_preset = pytest.mark.parametrize("preset", PRESETS)


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
    preset, design = complete(None, given)
    assert preset == "default"
    chosen = {name: value for name, value in given.items() if value is not None and name != "decode"}
    assert design == replace(PRESETS["default"], **chosen)


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
    preset, design = complete(None, given)
    chosen = {name: value for name, value in given.items() if name != "smoothing"}
    assert preset is None
    assert design == replace(Design(model), **chosen)


def test_plain_is_an_hmm_estimated_by_em():
    plain = Aligner(model="hmm").get_params()
    chosen = {"model": "hmm", "estimator": "em", "constraint": "none", "lookalikes": 0.0, "threshold": None}
    assert plain.items() >= chosen.items()
    assert plain["iterations"] == "ibm1=5,hmm=5"


@every_preset
def test_a_preset_says_everything_that_is_not_given(preset):
    assert complete(preset, {}) == (preset, PRESETS[preset])
    assert complete(preset, {field.name: None for field in fields(Design)}) == (preset, PRESETS[preset])
    params, design = Aligner(preset=preset).get_params(), asdict(PRESETS[preset])
    del design["project_at_decode"]  # settled by the aligner
    assert params["preset"] == preset
    assert params.items() >= design.items()
    assert params["project_at_decode"] is False


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
    assert complete(preset, given) == (preset, replace(PRESETS[preset], **chosen))
    assert Aligner(preset=preset, **given).get_params().items() >= given.items()


@every_preset
@pytest.mark.parametrize(("model", "stages"), [("hmm", "ibm1=5,hmm=5"), ("ibm1", "ibm1=5"), ("ibm2", "ibm1=5,ibm2=5")])
def test_the_iterations_of_a_preset_are_for_its_own_model(preset, model, stages):
    _, design = complete(preset, {"model": model})
    assert design == replace(PRESETS[preset], model=model, iterations=None)
    aligner = Aligner(preset=preset, model=model, constraint="none")
    assert aligner.get_params()["iterations"] == stages
    assert aligner.estimator == PRESETS[preset].estimator
    _, design = complete(preset, {"model": model, "iterations": stages})
    assert design.iterations == stages


@every_preset
@pytest.mark.parametrize("decode", ["viterbi", "itg", "matching"])
def test_the_threshold_of_a_preset_is_for_posterior_decoding(preset, decode):
    assert complete(preset, {"decode": decode})[1].threshold is None
    assert complete(preset, {"decode": decode, "threshold": 0.2})[1].threshold == 0.2
    assert complete(preset, {"decode": "posterior"})[1].threshold == PRESETS[preset].threshold == "balanced"
    assert Aligner(preset=preset, decode=decode).threshold is None
    assert Aligner(decode=decode).preset == "default"


@pytest.mark.parametrize("constraint", ["none", "bijective", "agreement"])
def test_what_goes_with_a_constraint_goes_with_it(constraint):
    best = PRESETS["best"]
    assert best.constraint == "symmetric"
    assert best.constraint_from > 1
    assert best.project_at_decode is False
    _, design = complete("best", {"constraint": constraint})
    assert (design.constraint, design.constraint_from, design.project_at_decode) == (constraint, 1, None)
    _, design = complete("best", {"constraint": constraint, "constraint_from": 3, "project_at_decode": True})
    assert (design.constraint_from, design.project_at_decode) == (3, True)
    assert complete("best", {"constraint": "symmetric"})[1] == best
    assert Aligner(preset="best", constraint=constraint).project_at_decode is (constraint != "none")


@pytest.mark.parametrize("preset", ["slow", "", "Default"])
def test_an_unknown_preset(preset):
    message = f"there is no preset called '{preset}'; there are fast, default, best"
    with pytest.raises(UsageError, match=message):
        complete(preset, {})
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
    params = Aligner(**settings).get_params()
    assert Aligner(**params).get_params() == params


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
    design = PRESETS[aligner.preset]
    start = f"preset:{aligner.preset}|model:{design.model}|iterations:{design.iterations}|decode:posterior|threshold:"
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
    again = Aligner(**aligner.get_params(), threads=1)
    assert [(answer.links, answer.scores) for answer in again.fit_align(PAIRS)] == found


def test_presets_differ(fitted):
    aligner, found = fitted
    changed = {"fast": "default", "default": "best", "best": "fast"}[aligner.preset]
    assert [(answer.links, answer.scores) for answer in Aligner(preset=changed, threads=1).fit_align(PAIRS)] != found


def test_without_anything_the_default_is_used():
    first, second = (list(Aligner(preset=preset, threads=1).fit_align(PAIRS)) for preset in (None, "default"))
    assert first == second


def test_iterations_choose_the_model_with_or_without_a_preset():
    assert Aligner(preset="default", iterations="ibm1=1,hmm=1").model == "hmm"
    assert Aligner(iterations=(("ibm1", 1), ("ibm2", 1))).model == "ibm2"
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
