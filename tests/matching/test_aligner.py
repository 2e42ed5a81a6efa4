"""The matching aligner from Python."""

from __future__ import annotations

import itertools
import logging

import numpy as np
import pytest

from matching.cases import association, gold_of
from matching.sample_text import LABELLED, ODD, OTHERS, PAIRS, PLAIN, error, fitted
from pralign import Aligner, Alignment, Bitext
from pralign.errors import UsageError
from pralign.evaluation import LinkCounts, count_links
from pralign.matching import MatchingAligner
from pralign.report.weights import describe_weights

pytestmark = pytest.mark.slow

GENERATIVE = {"model": "ibm1", "threads": 1}


@pytest.fixture(scope="module")
def aligner():
    return fitted()


@pytest.fixture(scope="module")
def generative():
    return Aligner(**GENERATIVE).fit(PAIRS[:150])


@pytest.fixture(scope="module")
def informed(generative):
    return fitted(features=None, model=generative)


# What it is good for


def test_thirty_pairs_are_enough_to_align_others_well(aligner):
    alone = fitted(features=["dice"], learner="perceptron")
    assert error(aligner) < 0.08
    assert error(aligner) <= error(alone)
    assert error(alone) < 0.3


def test_the_perceptron_learns_too():
    assert error(fitted(learner="perceptron")) < 0.12


def test_posteriors_make_it_no_worse_than_the_model_itself(informed, generative):
    pairs = [(source, target) for source, target, _ in OTHERS]
    counts = sum(map(count_links, generative.align(pairs), [gold for *_, gold in OTHERS]), LinkCounts())
    model_error = 1 - (counts.links_sure + counts.links_possible) / (counts.links + counts.sure)
    assert error(informed) < model_error
    assert informed.learned_.capacity == 2


def test_good_predictions_are_trusted():
    labelled = [Alignment.of(gold.sure) for *_, gold in LABELLED]
    bad = [Alignment()] * 30
    features = ["distance", "predictions"]
    aligner = fitted(features=features, predictions=[labelled, bad])
    others = [Alignment.of(gold.sure) for *_, gold in OTHERS]
    assert error(aligner, [others, bad]) < 0.01
    assert error(aligner, [bad, bad]) > 0.3
    assert aligner.learned_.capacity == 2


def test_predictions_of_the_whole_bitext_are_as_good_as_those_of_the_labelled_pairs():
    whole = [Alignment.of([(0, 0)]) for _ in PAIRS]
    for number, (*_, gold) in enumerate(LABELLED):
        whole[number] = Alignment.of(gold.sure)
    features = ["dice", "distance", "predictions"]
    weights = [
        fitted(features=features, predictions=[given]).learned_.weights.tolist() for given in (whole, whole[:30])
    ]
    assert weights[0] == weights[1]


def test_validation_pairs_say_where_to_stop(aligner):
    validated = fitted(validation=OTHERS)
    assert validated.learned_.counts.pairs == 30
    assert validated.learned_.pairs == 30
    assert validated.learned_.counts.sure == sum(len(gold.sure) for *_, gold in OTHERS)
    assert aligner.learned_.counts.sure == sum(len(gold.sure) for *_, gold in LABELLED)
    counts = sum(map(count_links, validated.align([pair[:2] for pair in OTHERS]), [p[2] for p in OTHERS]), LinkCounts())
    assert counts == validated.learned_.counts


# What comes out


def test_lines_in_are_lines_out(aligner, informed):
    for trained in (aligner, informed):
        aligned = list(trained.align(ODD))
        assert len(aligned) == len(ODD)
        assert [alignment.links for alignment in aligned[30:33]] == [(), (), ()]
        assert all(alignment.links for alignment in aligned[:30])
        for (source, target), alignment in zip(ODD, aligned, strict=True):
            assert all(i < len(source.split()) and j < len(target.split()) for i, j in alignment.links)


def test_text_may_come_in_any_form(aligner):
    expected = list(aligner.align(ODD))
    assert list(aligner.align(iter(ODD))) == expected
    assert list(aligner.align(Bitext(ODD))) == expected
    assert list(aligner.align((a.split(), tuple(b.split())) for a, b in ODD)) == expected
    weights = aligner.learned_.weights.tolist()
    assert fitted(Bitext(PAIRS), iter(LABELLED)).learned_.weights.tolist() == weights
    assert fitted(iter(PAIRS), LABELLED).learned_.weights.tolist() == weights


def test_chunks_do_not_show(aligner, informed, monkeypatch):
    for trained in (aligner, informed):
        whole = list(trained.align(ODD))
        monkeypatch.setattr("pralign.matching.aligner._CHUNK", 4)
        assert list(trained.align(ODD)) == whole
        monkeypatch.undo()


def test_aligning_reads_no_further_than_it_must(aligner, monkeypatch):
    monkeypatch.setattr("pralign.matching.aligner._CHUNK", 3)
    endless = aligner.align(itertools.cycle(ODD[:5]))
    found = [next(endless).links for _ in range(7)]
    assert found[:2] == found[5:]
    assert found[0]


def test_pairs_too_large_to_align_are_named_by_their_number(aligner, monkeypatch, caplog):
    monkeypatch.setattr("pralign.matching.aligner._CHUNK", 3)
    pairs = [*PAIRS[1:3], ("a b c d e f g h", "a b c d e f g h"), PAIRS[1], ("a b c d e f g h", "i j k l m n o p")]
    whole = list(aligner.align(pairs))
    monkeypatch.setattr("pralign.text.corpus.MOST_CELLS", 50)
    with caplog.at_level(logging.WARNING, "pralign"):
        aligned = list(aligner.align(pairs))
    assert [record.getMessage().split(" words")[0] for record in caplog.records] == [
        f"pair {number} is too large to align (8 by 8" for number in (3, 5)
    ]
    assert [aligned[k] for k in (0, 1, 3)] == [whole[k] for k in (0, 1, 3)]
    assert aligned[2].links == aligned[4].links == ()
    assert whole[2].links


def test_links_carry_what_they_score(aligner):
    extractor, learned = aligner.trained()
    weights, offset = learned.plain
    for pair, alignment in zip(ODD[:5], aligner.align(ODD[:5]), strict=True):
        text = extractor.text([pair])
        scores = extractor.scores(text.cells(text.usable), weights, offset).reshape(len(pair[0].split()), -1)
        assert alignment.scores == tuple(float(scores[link]) for link in alignment.links)
        assert min(alignment.scores) > 0


def most_links(aligner):
    sizes = [
        max(np.bincount([link[side] for link in alignment.links], minlength=1))
        for alignment in aligner.align(PAIRS[:100])
        for side in (0, 1)
    ]
    return max(sizes)


def test_a_word_has_no_more_links_than_its_capacity(aligner, generative):
    assert aligner.learned_.capacity == 1
    assert most_links(aligner) == 1
    assert most_links(fitted(features=None, model=generative, capacity=1)) == 1


def test_a_word_may_have_several_links():
    labelled = [("ab", "a b", gold_of((0, 0), (0, 1))), ("cd e", "c d e", gold_of((0, 0), (0, 1), (1, 2)))]
    text = [("ab", "a b"), ("cd e", "c d e"), ("ab e", "a b e"), ("cd", "c d")]
    for capacity, count in ((1, 1), (2, 2)):
        aligner = fitted(text, labelled, features=["dice"], capacity=capacity)
        assert len(next(aligner.align([("ab", "a b")]))) == count


def test_threads_give_the_same_bits(generative, monkeypatch):
    monkeypatch.setattr("pralign.matching.extragradient._BLOCK", 400)
    monkeypatch.setattr("pralign.matching.aligner._CHUNK", 50)
    for settings in ({}, {"features": None, "model": generative}):
        one, *several = (fitted(validation=OTHERS, threads=number, rounds=10, **settings) for number in (1, 2, 3))
        expected = list(one.align([*PAIRS[:150], *ODD]))
        for other in several:
            assert one.learned_.weights.tolist() == other.learned_.weights.tolist()
            assert list(other.align([*PAIRS[:150], *ODD])) == expected


def test_learning_twice_gives_the_same(aligner):
    assert fitted().learned_.weights.tolist() == aligner.learned_.weights.tolist()


def test_case_makes_no_difference_unless_it_shall(aligner):
    shouted = [(source.upper(), target.upper()) for source, target in ODD[:30]]
    assert list(aligner.align(shouted)) == list(aligner.align(ODD[:30]))
    exact = fitted(lowercase=False)
    assert list(exact.align(shouted)) != list(exact.align(ODD[:30]))


def test_without_a_model_one_is_trained(monkeypatch):
    seen = []
    fit = Aligner.fit

    def spy(self, pairs, *rest, **more):
        seen.append((self.lowercase, len(list(pairs))))
        self.model, self.iterations = "ibm1", None
        return fit(self, pairs, *rest, **more)

    monkeypatch.setattr(Aligner, "fit", spy)
    text = PAIRS[:40]
    aligner = fitted(text, LABELLED[:10], features=["posteriors", "distance"], rounds=5)
    assert seen == [(True, 40)]
    assert aligner.trained()[0].model is not None


def test_the_model_may_be_a_directory(generative, informed, tmp_path):
    generative.save(tmp_path / "model")
    aligner = fitted(features=None, model=tmp_path / "model")
    assert aligner.learned_.weights.tolist() == informed.learned_.weights.tolist()
    assert list(aligner.align(ODD)) == list(informed.align(ODD))


def test_words_may_have_been_counted_before(aligner, informed, generative):
    counts = association(PAIRS)
    assert fitted(counts).learned_.weights.tolist() == aligner.learned_.weights.tolist()
    again = fitted(counts, features=None, model=generative)
    assert list(again.align(ODD)) == list(informed.align(ODD))
    with pytest.raises(UsageError, match="needs a model, which counts alone cannot train"):
        fitted(counts, features=["posteriors"])


def test_labels_with_an_empty_side_are_left_out(aligner):
    empty = [("", "rien", Alignment()), *LABELLED[:10], ("x", "", Alignment()), *LABELLED[10:]]
    found = fitted(labelled=empty)
    assert found.learned_.weights.tolist() == aligner.learned_.weights.tolist()
    assert found.learned_.pairs == 30


def test_a_single_labelled_pair_is_enough():
    aligner = fitted(labelled=LABELLED[1:2])
    assert next(aligner.align([PAIRS[1]])).links == LABELLED[1][2].links


# What is said of it


def test_the_signature_says_what_was_learned(aligner, informed):
    text = str(aligner.signature)
    for part in ("extragradient", ",".join(PLAIN), "labelled", "30"):
        assert part in text
    assert "ibm1" in str(informed.signature)
    assert "ibm1" not in text
    assert "radius" not in str(fitted(learner="perceptron", rounds=5).signature)


def test_weights_are_described_by_group(aligner):
    lines = describe_weights(aligner).split("\n")
    extractor, learned = aligner.trained()
    plain, offset = learned.plain
    for place, (group, name) in enumerate(extractor.columns[: extractor.number_count]):
        [line] = [line for line in lines if line.startswith(f"{group} ") and f"  {name}  " in line]
        assert line.split()[-2:] == [f"{learned.weights[place]:+.4f}", f"{plain[place]:+.4f}"]
    common = [line for line in lines if line.startswith("common ")]
    assert len(common) == 20
    sizes = [abs(float(line.split()[-2])) for line in common]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 0
    kinds = len(extractor.columns) - extractor.number_count
    assert f"({kinds - 20} more of common)" in lines
    assert any(line.split() == ["offset", "of", "all", "links", f"{offset:+.4f}"] for line in lines)
    assert lines[-1] == str(aligner.signature)
    assert lines[-2].startswith("duality gap")
    assert "learned from 30 pairs" in lines[-3]


def test_weights_of_a_perceptron_have_no_gap():
    text = describe_weights(fitted(learner="perceptron", features=["dice", "distance"]))
    assert "gap" not in text
    assert "more of" not in text


def test_the_default_features_are_all_that_can_be_had(informed):
    names = [group.name for group in informed.trained()[0].features]
    assert set(PLAIN) | {"posteriors"} <= set(names)
    assert "predictions" not in names
    assert MatchingAligner(threads=1).needs_posteriors
    assert not MatchingAligner(features=PLAIN, threads=1).needs_posteriors
    assert MatchingAligner(features="dice, distance", threads=1).feature_names == ["dice", "distance"]
