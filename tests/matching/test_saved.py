"""Matching aligners on disk."""

from __future__ import annotations

import json

import pytest

from matching.sample_text import LABELLED, ODD, PAIRS, fitted
from pralign import Aligner
from pralign.errors import ModelError, OutputError
from pralign.matching import MatchingAligner, WordFeature, register_feature
from pralign.matching.features import FEATURES
from pralign.matching.storage import check_matching_target
from pralign.report.weights import describe_weights

GIVEN = [gold for *_, gold in LABELLED]


@pytest.fixture(scope="module")
def aligner():
    return fitted(rounds=10)


@pytest.fixture(scope="module")
def saved(aligner, tmp_path_factory):
    place = tmp_path_factory.mktemp("saved") / "matching"
    aligner.save(place)
    return place


def assert_same(one, other, predictions=()):
    pairs = PAIRS[:30] if predictions else [*PAIRS[:100], *ODD]
    assert list(one.align(pairs, predictions=predictions)) == list(other.align(pairs, predictions=predictions))
    assert one.learned_.weights.tolist() == other.learned_.weights.tolist()
    assert one.signature == other.signature
    assert describe_weights(one) == describe_weights(other)


def test_a_loaded_aligner_gives_the_same_bits(aligner, saved):
    for threads in (1, 2):
        assert_same(aligner, MatchingAligner.load(saved, threads))


def test_settings_come_back(tmp_path):
    settings = {"learner": "perceptron", "capacity": 3, "miss_cost": 2.0, "rounds": 7, "radius": 4.0}
    aligner = fitted(features=["dice", "distance"], lowercase=False, **settings)
    aligner.save(tmp_path / "matching")
    again = MatchingAligner.load(tmp_path / "matching", threads=1)
    assert {name: getattr(again, name) for name in settings} == settings
    assert not again.lowercase
    assert again.features == ["dice", "distance"]
    assert again.learned_.gap is None
    assert_same(aligner, again)


def test_the_generative_model_is_saved_too(tmp_path):
    generative = Aligner(model="ibm1", threads=1).fit(PAIRS[:100])
    aligner = fitted(features=None, model=generative, rounds=10)
    aligner.save(tmp_path / "matching")
    again = MatchingAligner.load(tmp_path / "matching", threads=2)
    assert_same(aligner, again)
    assert list(Aligner.load(tmp_path / "matching" / "model").align(ODD)) == list(generative.align(ODD))
    again.save(tmp_path / "matching")  # what is there is replaced, and the model inside was not needed any more
    assert_same(aligner, MatchingAligner.load(tmp_path / "matching", threads=1))


def test_predictions_are_remembered(tmp_path):
    aligner = fitted(features=["dice", "predictions"], learner="perceptron", rounds=10, predictions=[GIVEN, GIVEN])
    aligner.save(tmp_path / "matching")
    again = MatchingAligner.load(tmp_path / "matching", threads=1)
    assert again.trained()[0].context.predictions == 2
    assert_same(aligner, again, [GIVEN, GIVEN])


def test_a_loaded_aligner_can_learn_again(aligner, saved):
    again = MatchingAligner.load(saved, threads=1)
    assert again.fit(PAIRS, labelled=LABELLED).learned_.weights.tolist() == aligner.learned_.weights.tolist()


def test_features_that_are_missing_are_named(tmp_path):
    @register_feature
    class Mine(WordFeature):
        name = "my-own"

        def value(self, source, target):
            return float(source[0] == target[0])

    try:
        aligner = fitted(features=["dice", "my-own"], learner="perceptron", rounds=5)
        aligner.save(tmp_path / "matching")
        assert_same(aligner, MatchingAligner.load(tmp_path / "matching", threads=1))
    finally:
        FEATURES.remove("my-own")
    with pytest.raises(ModelError, match=r"features that are not available here: my-own; import the module"):
        MatchingAligner.load(tmp_path / "matching")


def test_features_that_have_changed_are_noticed(tmp_path, monkeypatch):
    aligner = fitted(features=["dice", "distance"], rounds=5)
    aligner.save(tmp_path / "matching")
    monkeypatch.setattr(FEATURES["dice"], "columns", lambda self, context: ["dice", "more"])
    with pytest.raises(ModelError, match="have 9 columns, but had 8 when they were learned"):
        MatchingAligner.load(tmp_path / "matching")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("parameters.safetensors", b"weights", b"weighty"),
        ("source.json", b"the", b"tho"),
        ("target.json", b"la", b"lo"),
        ("manifest.json", b'"rounds": 10', b'"rounds": 11'),
    ],
)
def test_damage_is_noticed(aligner, tmp_path, name, old, new):
    place = tmp_path / "matching"
    aligner.save(place)
    content = (place / name).read_bytes()
    assert old in content
    (place / name).write_bytes(content.replace(old, new))
    with pytest.raises(ModelError, match=f"{name} is damaged"):
        MatchingAligner.load(place)
    (place / name).unlink()
    with pytest.raises(ModelError, match=f"{name} is missing"):
        MatchingAligner.load(place)


def test_a_missing_generative_model_is_noticed(tmp_path):
    generative = Aligner(model="ibm1", threads=1).fit(PAIRS[:50])
    fitted(features=["posteriors", "distance"], model=generative, rounds=5).save(tmp_path / "matching")
    (tmp_path / "matching" / "model" / "source.json").unlink()
    with pytest.raises(ModelError, match=r"source\.json is missing"):
        MatchingAligner.load(tmp_path / "matching")


def test_other_kinds_are_told_apart(saved, tmp_path):
    Aligner(model="ibm1", threads=1).fit(PAIRS[:20]).save(tmp_path / "model")
    with pytest.raises(ModelError, match="this is a pralign model, not a pralign matching model"):
        MatchingAligner.load(tmp_path / "model")
    with pytest.raises(ModelError, match="this is a pralign matching model, not a pralign model"):
        Aligner.load(saved)
    with pytest.raises(ModelError, match="no such directory"):
        MatchingAligner.load(tmp_path / "nowhere")


def test_other_versions_are_told_apart(aligner, tmp_path):
    aligner.save(tmp_path / "matching")
    manifest = tmp_path / "matching" / "manifest.json"
    content = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps({**content, "format_version": 99}), encoding="utf-8")
    with pytest.raises(ModelError, match="the matching model is in format version 99"):
        MatchingAligner.load(tmp_path / "matching")


def test_nothing_else_is_overwritten(aligner, tmp_path):
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "diary.txt").write_text("dear diary", encoding="utf-8")
    (tmp_path / "file").write_text("", encoding="utf-8")
    Aligner(model="ibm1", threads=1).fit(PAIRS[:20]).save(tmp_path / "model")
    for place in (taken, tmp_path / "file", tmp_path / "model", tmp_path / "no" / "parent"):
        with pytest.raises(OutputError):
            aligner.save(place)
        with pytest.raises(OutputError):
            check_matching_target(place)
    assert (taken / "diary.txt").read_text(encoding="utf-8") == "dear diary"
    assert not list(tmp_path.glob(".*"))
    check_matching_target(tmp_path / "free")
