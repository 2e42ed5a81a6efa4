"""Learning link by link."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matching.cases import ASKED, TEXT, extractor
from matching.sample_text import LABELLED, ODD, OTHERS, PAIRS, error
from oracles.naive_boosting import best_gain, leaf_of
from pralign import Aligner, Alignment
from pralign.errors import UsageError
from pralign.evaluation import evaluate
from pralign.kernels.boosting import TreeTerms, add_values, grow_tree
from pralign.matching import MatchingAligner
from pralign.matching.boosting import THRESHOLDS
from pralign.matching.classifier import LinkClassifier
from pralign.report.weights import describe_weights

pytestmark = pytest.mark.slow

OTHER_PAIRS = [(source, target) for source, target, _ in OTHERS]


@pytest.fixture(scope="module")
def generative():
    return Aligner(model="hmm", iterations="ibm1=2,hmm=2", threads=1).fit(PAIRS[:150])


@pytest.fixture(scope="module")
def boosted(generative):
    return MatchingAligner(model=generative, threads=1).fit(PAIRS, labelled=LABELLED)


# Trees


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 3), st.integers(1, 6), st.integers(1, 4))
def test_a_tree_takes_the_best_splits_and_its_leaves_the_best_values(seed, rows, features, leaves, least):
    rng = np.random.default_rng(seed)
    binned = rng.integers(0, 5, (rows, features)).astype(np.uint8)
    slopes = np.column_stack([rng.normal(size=rows), rng.random(rows) + 0.01])
    gains = np.zeros(features)
    tree = grow_tree(binned, slopes, 5, TreeTerms(leaves, least, 0.5), gains)
    assert (tree.feature < 0).sum() <= leaves
    places = np.array([leaf_of(tree, row) for row in binned])
    for leaf in np.flatnonzero(tree.feature < 0).tolist():
        inside = np.flatnonzero(places == leaf)
        assert inside.size >= min(least, rows)
        gradient, curvature = slopes[inside].sum(axis=0)
        assert tree.value[leaf] == pytest.approx(-gradient / (curvature + 0.5), abs=1e-12)
    first = best_gain(binned, slopes, range(rows), least, 0.5)
    if tree.feature[0] < 0:
        assert leaves == 1 or first <= 1e-6 + 1e-12
    else:
        left = binned[:, tree.feature[0]] <= tree.bin[0]
        found = np.flatnonzero(left), np.flatnonzero(~left)
        worth = [slopes[part, 0].sum() ** 2 / (slopes[part, 1].sum() + 0.5) for part in (*found, np.arange(rows))]
        assert worth[0] + worth[1] - worth[2] == pytest.approx(first, abs=1e-9)
    assert gains.sum() >= first * (tree.feature[0] >= 0) - 1e-9
    out = np.zeros(rows)
    add_values(tree, binned, 2.0, 0, out)
    assert out == pytest.approx(2 * tree.value[places])


def test_what_features_mean_together_is_learned():
    """A link where exactly one of two numbers is high: no weights of the two say that."""
    rng = np.random.default_rng(1)
    numbers = rng.random((2000, 3))
    linked = (numbers[:, 0] > 0.5) ^ (numbers[:, 1] > 0.5)
    everything = np.ones(2000, np.bool_)
    classifier = LinkClassifier.fit(numbers[:1500], linked[:1500], everything[:1500])
    right = (classifier.probabilities(numbers[1500:]) >= 0.5) == linked[1500:]
    assert right.mean() > 0.95
    assert classifier.gains[2] < 0.1 * classifier.gains[:2].min()


def test_cells_that_do_not_count_teach_nothing():
    rng = np.random.default_rng(2)
    numbers, linked = rng.random((400, 2)), rng.random(400) < 0.3
    counted = rng.random(400) < 0.5
    one = LinkClassifier.fit(numbers, linked, counted)
    other = LinkClassifier.fit(numbers, linked ^ ~counted, counted)
    assert one.probabilities(numbers).tobytes() == other.probabilities(numbers).tobytes()


# The aligner


def test_labels_pay(boosted, generative):
    alone = evaluate(generative.align(OTHER_PAIRS), [gold for *_, gold in OTHERS]).aer
    assert error(boosted) < alone - 0.01
    assert not boosted.learned_.model_is_better
    assert boosted.learned_.threshold in THRESHOLDS
    assert boosted.learned_.pairs == 30 == boosted.learned_.counts.pairs == boosted.learned_.alone.pairs


def test_any_number_of_threads_and_saving_give_the_same_bits(boosted, generative, tmp_path):
    answers = list(boosted.align(ODD))
    again = MatchingAligner(model=generative, threads=3).fit(PAIRS, labelled=LABELLED)
    assert list(again.align(ODD)) == answers
    boosted.save(tmp_path / "m")
    loaded = MatchingAligner.load(tmp_path / "m")
    assert list(loaded.align(ODD)) == answers
    assert str(loaded.signature) == str(boosted.signature)
    assert describe_weights(loaded) == describe_weights(boosted)
    assert "boosting" in str(loaded.signature)
    assert all(0 < score <= 1 for answer in answers for score in answer.scores)
    assert len(answers) == len(ODD)


def test_labels_that_teach_nothing_leave_the_model_alone(generative, caplog, tmp_path):
    """Labels that are the model's own links cannot be bettered."""
    answers = generative.align(PAIRS[:30])
    own = [(*pair, Alignment(answer.links)) for pair, answer in zip(PAIRS[:30], answers, strict=True)]
    with caplog.at_level(logging.INFO, "pralign"):
        aligner = MatchingAligner(model=generative, threads=1).fit(PAIRS, labelled=own)
    assert aligner.learned_.model_is_better
    assert "by the model alone 0.00 %" in caplog.text
    assert "its links are kept" in caplog.text
    assert "used:model" in str(aligner.signature)
    assert list(aligner.align(OTHER_PAIRS)) == list(generative.align(OTHER_PAIRS))
    aligner.save(tmp_path / "m")
    assert list(MatchingAligner.load(tmp_path / "m").align(ODD)) == list(generative.align(ODD))


def test_validation_pairs_set_the_threshold(generative, caplog):
    with caplog.at_level(logging.INFO, "pralign"):
        aligner = MatchingAligner(model=generative, threads=1).fit(PAIRS, labelled=LABELLED, validation=OTHERS[:15])
    assert aligner.learned_.counts.pairs == 15
    assert "AER on the validation pairs is" in caplog.text


@pytest.mark.parametrize("labels", [1, 3])
def test_very_few_labels_are_enough(generative, labels):
    aligner = MatchingAligner(model=generative, threads=1).fit(PAIRS, labelled=LABELLED[:labels])
    assert len(list(aligner.align(OTHER_PAIRS))) == 30


@pytest.mark.parametrize(
    "settings, learner",
    [
        ({}, "boosting"),
        ({"features": ["dice", "posteriors"]}, "boosting"),
        ({"features": ["dice", "distance"]}, "extragradient"),
        ({"features": ["posteriors", "common"]}, "extragradient"),
        ({"capacity": 1}, "extragradient"),
        ({"rounds": 20}, "extragradient"),
        ({"learner": "perceptron"}, "perceptron"),
        ({"features": ["dice"], "learner": "boosting"}, "boosting"),
    ],
)
def test_which_learner_is_meant(settings, learner):
    assert MatchingAligner(**settings).chosen_learner == learner


def test_boosting_has_no_use_for_kinds():
    with pytest.raises(UsageError, match="boosting works on numbers; leave out common"):
        MatchingAligner(features=["common"], learner="boosting")


def test_labelled_sentences_are_trained_along():
    labelled = [*LABELLED, (["zyx", "house"], ["xyz", "maison"], Alignment.of([(0, 0), (1, 1)]))]
    aligner = MatchingAligner(threads=1).fit(PAIRS, labelled=labelled)
    model = aligner.trained()[0].model
    assert model.vocabularies_["source"].number("zyx") is not None
    assert model.model_.training_pairs.texts.source_start.size - 1 <= len(PAIRS) + 1


# Its features


def test_surroundings_and_words_are_those_of_the_definition():
    model = Aligner(model="ibm1", threads=1).fit(TEXT)
    features = extractor("surroundings", "words", model=model)
    known = features.context.association
    names = [name for _, name in features.columns]
    for source, target in ASKED:
        text = features.text([(source, target)])
        cells = text.cells(text.usable)
        columns = [np.asarray(column).reshape(len(source), len(target)) for column in features.values(cells)]
        found = dict(zip(names, columns, strict=True))
        posteriors = model.posteriors(source, target)
        mean = posteriors.mean
        for i in range(len(source)):
            for j in range(len(target)):
                for a, b in ((-1, 0), (1, 1), (0, -2), (2, 0)):
                    inside = 0 <= i + a < len(source) and 0 <= j + b < len(target)
                    expected = mean[i + a, j + b] if inside else 0.0
                    assert found[f"posterior {a:+d} {b:+d}"][i, j] == pytest.approx(expected, abs=1e-6)
                others = [mean[i, b] for b in range(len(target)) if b != j]
                assert found["other links, source word"][i, j] == pytest.approx(sum(others), abs=1e-5)
                nothing = 1 - sum(posteriors.forward[a, j] for a in range(len(source)))
                assert found["null, target word"][i, j] == pytest.approx(nothing, abs=1e-5)
                best = max(range(len(source)), key=lambda a: (mean[a, j], -a))
                assert found["best posterior, target word"][i, j] == pytest.approx(mean[best, j], abs=1e-6)
                assert found["words from the best, target word"][i, j] == max(-4, min(4, i - best))
                number = known.source.number(source[best])
                rank = np.log(1.0 + (len(known.source) if number is None else number))
                assert found["rank of the best, target word"][i, j] == pytest.approx(rank, abs=1e-5)
                assert found["letters, target word"][i, j] == len(target[j]) or len(target[j]) > 50
                assert found["place, source word"][i, j] == pytest.approx(i / len(source), abs=1e-6)
