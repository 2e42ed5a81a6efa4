"""What cannot be learned from or aligned, and what is said then."""

from __future__ import annotations

import logging

import pytest

from matching.cases import gold_of
from matching.sample_text import LABELLED, OTHERS, PAIRS, fitted
from pralign import Alignment
from pralign.errors import InputError, UsageError
from pralign.matching import MatchingAligner

FEATURES = ["dice", "distance"]


@pytest.fixture(scope="module")
def aligner():
    return fitted(features=FEATURES, rounds=5)


@pytest.fixture(scope="module")
def predicting():
    given = [gold for *_, gold in LABELLED]
    return fitted(features=[*FEATURES, "predictions"], rounds=5, predictions=[given, given])


# Settings


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"features": ["dice", "dize"]}, r"no feature 'dize'; there are .*common"),
        ({"features": []}, "at least one"),
        ({"features": " , "}, "at least one"),
        ({"features": ["dice", "dice"]}, "once each"),
        ({"learner": "magic"}, r"no learner 'magic'; there are boosting, extragradient, perceptron"),
        ({"capacity": 0}, "capacity is at least 1, not 0"),
        ({"rounds": 0}, "rounds is at least 1, not 0"),
        ({"capacity": 10**30}, "capacity is at most 1,000,000,000, not 1000"),
        ({"rounds": -5}, "rounds is at least 1, not -5"),
        ({"miss_cost": 0}, "miss cost is a number above zero, not 0"),
        ({"miss_cost": float("nan")}, "miss cost is a number above zero, not nan"),
        ({"miss_cost": float("inf")}, "miss cost is a number above zero, not inf"),
        ({"radius": -1.0}, r"radius is a number above zero, not -1\.0"),
        ({"threads": 0}, "at least one thread"),
    ],
)
def test_settings_out_of_range_are_refused(setting, message):
    with pytest.raises(UsageError, match=message):
        MatchingAligner(**setting)


def test_nothing_can_be_asked_before_learning(tmp_path):
    aligner = MatchingAligner(features=FEATURES, threads=1)
    for ask in (
        lambda: list(aligner.align(PAIRS[:1])),
        lambda: aligner.signature,
        lambda: aligner.save(tmp_path / "model"),
        aligner.trained,
    ):
        with pytest.raises(UsageError, match="learned nothing yet; call fit or load first"):
            ask()
    assert not (tmp_path / "model").exists()


# Labels


@pytest.mark.parametrize("link", [(0, 7), (11, 0)])
def test_labels_outside_their_pair_are_refused(link):
    source, target, _ = LABELLED[1]
    wrong = [LABELLED[0], (source, target, gold_of((0, 0), link))]
    with pytest.raises(InputError, match=rf"^labelled pair 2: link {link[0]}-{link[1]} "):
        fitted(labelled=wrong, features=FEATURES)
    with pytest.raises(InputError, match=rf"^validation pair 2: link {link[0]}-{link[1]} "):
        fitted(validation=wrong, features=FEATURES)


def test_there_must_be_labels():
    with pytest.raises(InputError, match="there are no labelled pairs"):
        fitted(labelled=[], features=FEATURES)
    with pytest.raises(InputError, match="there are no validation pairs"):
        fitted(validation=[], features=FEATURES)


def test_some_label_must_be_sure():
    unsure = [(s, t, Alignment.of([], possible=gold.links)) for s, t, gold in LABELLED[:3]]
    with pytest.raises(InputError, match=r"none of the 3 labelled pairs has a sure link \(i-j\)"):
        fitted(labelled=unsure, features=FEATURES)
    with pytest.raises(InputError, match="none of the 3 validation pairs has a sure link"):
        fitted(validation=unsure, features=FEATURES)
    assert fitted(labelled=[*unsure, LABELLED[3]], features=FEATURES, rounds=5).learned_.pairs == 4


def test_labels_are_looked_at_before_text():
    def unreadable():
        raise AssertionError("the text was read")
        yield

    with pytest.raises(InputError, match="there are no labelled pairs"):
        MatchingAligner(threads=1).check([], None, 0)
    with pytest.raises(AssertionError, match="the text was read"):
        fitted(unreadable(), LABELLED, features=FEATURES)


def test_text_without_words_is_refused():
    with pytest.raises(InputError, match="no words to count"):
        fitted([("", "")], LABELLED, features=FEATURES)


# Words


def test_labelled_words_that_the_text_lacks_are_named(caplog):
    labelled = [*LABELLED, ("Zorro opened the window", "Zorro ouvrit la fenêtre blablá", gold_of((0, 0), (2, 2)))]
    with caplog.at_level(logging.WARNING, "pralign"):
        aligner = fitted(labelled=labelled, features=["dice", "distance", "shape", "frequency", "common"])
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 2
    assert "source words of the labelled pairs do not occur in the bitext" in said[0]
    assert said[0].endswith(": zorro")
    assert "target words of the labelled pairs" in said[1]
    assert {"zorro", "blablá"} <= set(said[1].rpartition(": ")[2].split(", "))
    assert (0, 0) in next(aligner.align([("Zorro is here .", "Zorro est ici .")])).links


def test_of_many_unknown_words_five_are_named(caplog):
    many = " ".join(f"zz{number}" for number in range(8))
    with caplog.at_level(logging.WARNING, "pralign"):
        fitted(labelled=[*LABELLED, (many, "la", gold_of())], features=FEATURES, rounds=5)
    [said] = [record.getMessage() for record in caplog.records]
    assert said.endswith(": zz0, zz1, zz2, zz3, zz4, ...")


def test_known_words_are_not_named(caplog):
    with caplog.at_level(logging.WARNING, "pralign"):
        fitted(features=FEATURES, rounds=5)
    assert not caplog.records


def test_labels_of_other_languages_are_refused():
    foreign = [("mikä tämä talo", "la maison", gold_of((0, 0)))]
    with pytest.raises(InputError, match=r"no source word of the labelled pairs occurs in the bitext, not even 'mikä'"):
        fitted(labelled=foreign, features=FEATURES)
    with pytest.raises(InputError, match=r"no target word of the labelled pairs occurs in the bitext, not even 'talo'"):
        fitted(labelled=[("the house", "talo", gold_of((0, 0)))], features=FEATURES)


def test_features_that_are_always_the_same_teach_nothing():
    text = [("a", "x"), ("b", "y")]
    labelled = [("a", "y", gold_of((0, 0))), ("b", "x", gold_of((0, 0)))]
    with pytest.raises(InputError, match=r"every cell of the labelled pairs has the same features \(dice\)"):
        fitted(text, labelled, features=["dice"])
    with pytest.raises(InputError, match=r"the same features \(dice, neighbours\)"):
        fitted(text, labelled, features=["dice", "neighbours"])


# Predictions


def test_predictions_and_features_must_go_together(aligner):
    given = [gold for *_, gold in LABELLED]
    with pytest.raises(UsageError, match="predictions are given, but no feature uses them"):
        fitted(features=FEATURES, predictions=[given])
    with pytest.raises(UsageError, match="the feature predictions needs alignments by other aligners"):
        fitted(features=["predictions"])
    with pytest.raises(UsageError, match="learned without the feature predictions; alignments by 1 are given"):
        next(aligner.align(PAIRS[:30], predictions=[given]))


def test_predictions_to_learn_from_are_as_many_as_pairs():
    given = [gold for *_, gold in LABELLED]
    with pytest.raises(InputError, match=r"prediction 1 has 29 alignments, but there are 30 labelled .* 460 pairs"):
        fitted(features=["predictions"], predictions=[given[:-1]])
    with pytest.raises(InputError, match="prediction 1 has 30 alignments, but there are 60 labelled"):
        fitted(features=["predictions"], predictions=[given], validation=OTHERS)


def test_predictions_must_be_given_again(predicting):
    given = [gold for *_, gold in LABELLED]
    with pytest.raises(UsageError, match="from 2 other aligners; give alignments by the same aligners"):
        next(predicting.align(PAIRS[:30]))
    with pytest.raises(UsageError, match="from 2 other aligners; alignments by 1 are given"):
        next(predicting.align(PAIRS[:30], predictions=[given]))
    with pytest.raises(UsageError, match="from 2 other aligners; alignments by 3 are given"):
        next(predicting.align(PAIRS[:30], predictions=[given] * 3))
    assert len(list(predicting.align(PAIRS[:30], predictions=[given, iter(given)]))) == 30


def test_predictions_are_as_many_as_pairs(predicting, monkeypatch):
    monkeypatch.setattr("pralign.matching.aligner._CHUNK", 8)
    given = [gold for *_, gold in LABELLED]
    with pytest.raises(InputError, match="prediction 2 has 29 alignments, but there are more pairs"):
        list(predicting.align(PAIRS[:30], predictions=[given, given[:-1]]))
    with pytest.raises(InputError, match="prediction 1 has 30 alignments, but there are 29 pairs"):
        list(predicting.align(PAIRS[:29], predictions=[given, given[:29]]))
    with pytest.raises(InputError, match=r"prediction 2, pair 12: link 99-0 .* lies outside"):
        list(predicting.align(PAIRS[:30], predictions=[given, [*given[:11], gold_of((99, 0)), *given[12:]]]))
