"""Models that were trained apart become one that has counted what all of them have."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from growing.texts import (
    FIRST,
    OTHERS,
    PAIRS,
    SECOND,
    SETTINGS,
    THIRD,
    counts_of,
    files,
    learned,
    links,
    posteriors,
    recovered,
    saved,
)
from oracles.naive_counts import added, kept_counts, products
from oracles.naive_likeness import naive_likeness
from pralign import Aligner
from pralign.engine import ThreadEngine
from pralign.errors import ModelError, UsageError
from pralign.kernels.units import UNITS
from pralign.runs.merging import merge_models
from pralign.runs.resources import Resources

pytestmark = pytest.mark.slow


def test_a_checkpoint_is_refused(tmp_path):
    with pytest.raises(UsageError, match="keeps no checkpoint"):
        merge_models([tmp_path], ThreadEngine(1), Resources(checkpoint=tmp_path / "c"))


# With EM, counts are as exact as single precision; with vb, those below a twentieth are lost; and what is far less than
# relatives add cannot be told from what they add, which EM, having no prior for it, makes something of now and then.
INEXACT = {
    "em": ({"model": "hmm"}, 1e-7, 0),
    "smoothed": ({"model": "ibm2", "smoothing": 0.1}, 1e-7, 0),
    "vb": ({"model": "hmm", "estimator": "vb"}, 1e-6, 0),
    "em, relatives": ({"model": "fhmm", "relatives": 5.0, "lookalikes": 1.0}, 1e-3, 10),
}


def merged(*directories, threads=1):
    return Aligner.merged(directories, threads)


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Three models of the default kind."""
    folder = tmp_path_factory.mktemp("parts")
    return [saved(folder, name, pairs) for name, pairs in (("a", FIRST), ("b", SECOND), ("c", THIRD))]


# What comes of it


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_one_model_becomes_itself(tmp_path, settings):
    place = saved(tmp_path, "a", **settings)
    alone, before = merged(place), Aligner.load(place, threads=1)
    np.testing.assert_allclose(posteriors(alone), posteriors(before), atol=1e-6)
    assert links(alone) == links(before)
    assert alone.thresholds_ == pytest.approx(before.thresholds_, abs=1e-6)


@pytest.mark.parametrize(("settings", "error", "most"), INEXACT.values(), ids=INEXACT)
def test_one_model_becomes_itself_but_for_small_counts(tmp_path, settings, error, most):
    place = saved(tmp_path, "a", **settings)
    alone, before = merged(place), Aligner.load(place, threads=1)
    assert np.abs(posteriors(alone) - posteriors(before)).mean() < error
    for aligner in (alone, before):
        aligner._model = aligner.model_.with_threshold(0.45)  # where no sum of a sure yes and a sure no is
    unlike = sum(one != other for one, other in zip(links(alone, FIRST), links(before, FIRST), strict=True))
    assert unlike <= most


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_counts_are_the_sums_of_what_pairs_have_added(tmp_path, settings):
    places = [saved(tmp_path, "a", FIRST, **settings), saved(tmp_path, "b", SECOND, **settings)]
    apart = [kept_counts(Aligner.load(place).model_) for place in places]
    assert counts_of(merged(*places).model_) == added(*apart)


def test_probabilities_are_those_of_one_m_step_with_the_prior_once(tmp_path):
    settings = {"model": "hmm", "estimator": "collapsed", "alpha": 0.01, "lookalikes": 2.0}
    places = [saved(tmp_path, "a", FIRST, **settings), saved(tmp_path, "b", SECOND, **settings)]
    apart = [Aligner.load(place).model_ for place in places]
    counts = added(*(kept_counts(model) for model in apart))
    met = set().union(*(products(model) for model in apart))
    known = {pair: [count + 2 * naive_likeness(*pair) for count in counts.get(pair, (0.0, 0.0))] for pair in met}
    model = merged(*places).model_
    found = {}
    for side, place in (("source", 0), ("target", 1)):
        for number, word in enumerate(getattr(model, side).words):
            mass = 1000 * 0.01 + sum(both[place] for pair, both in known.items() if pair[place] == word)
            partners, probabilities = model.lexicon.partners(number, side)
            other = (model.target, model.source)[place].words
            for partner, probability in zip(partners.tolist(), probabilities.tolist(), strict=True):
                pair = (word, other[partner]) if place == 0 else (other[partner], word)
                found[pair, place] = probability
                assert probability == pytest.approx((known[pair][place] + 0.01) / mass, rel=1e-4)
    assert len(found) == 2 * len(met)


def test_all_words_are_known(parts):
    apart, together = [Aligner.load(place) for place in parts], merged(*parts)
    for side in ("source", "target"):
        words = set().union(*(each.vocabularies_[side].words for each in apart))
        assert sorted(together.vocabularies_[side].words) == sorted(words)
        assert len(words) > max(len(each.vocabularies_[side]) for each in apart)


def test_null_and_single_words_are_counted_too(parts):
    totals = [recovered(Aligner.load(place).model_) for place in parts]
    found = recovered(merged(*parts).model_)
    for field in ("source", "target", "null_to_target", "null_to_source"):
        expected = sum(int(getattr(each, field).sum()) for each in totals)
        assert getattr(found, field).sum() == pytest.approx(expected, abs=UNITS / 1000)


def test_merging_helps(parts):
    """Translations that only one text has taught are known, and more text makes them likelier."""
    alone, together = Aligner.load(parts[0]), merged(*parts)
    assert together.translations("the", most=4) != alone.translations("the", most=4)
    whole = learned(PAIRS[:240])

    def agreement(aligner):
        return sum(len(set(x) & set(y)) for x, y in zip(links(aligner, OTHERS), links(whole, OTHERS), strict=True))

    assert agreement(together) > agreement(alone)


# Order, and merging again


def test_the_order_changes_no_byte(parts, tmp_path):
    for number, order in enumerate(([0, 1, 2], [2, 0, 1], [1, 0, 2])):
        merged(*(parts[k] for k in order), threads=number + 1).save(tmp_path / str(number))
    assert files(tmp_path / "0") == files(tmp_path / "1") == files(tmp_path / "2")


@pytest.mark.parametrize("settings", [{}, {"model": "ibm2", "estimator": "collapsed"}], ids=["default", "ibm2"])
def test_what_was_merged_can_be_merged_again(tmp_path, settings):
    places = [saved(tmp_path, name, pairs, **settings) for name, pairs in (("a", FIRST), ("b", SECOND), ("c", THIRD))]
    merged(*places[:2]).save(tmp_path / "ab")
    steps, at_once = merged(tmp_path / "ab", places[2]), merged(*places)
    np.testing.assert_allclose(posteriors(steps), posteriors(at_once), atol=1e-5)
    assert counts_of(steps.model_) == counts_of(at_once.model_)


def test_no_byte_depends_on_memory(parts, tmp_path):
    """Little memory means many pieces of the lexicon, most of them in files."""

    class Tiny(Resources):
        def sizes(self, cells, words, workers):
            return type(super().sizes(cells, words, workers))(piece=500)

        @property
        def kept(self):
            return 0

    merge_models(parts, ThreadEngine(2), Tiny(scratch=tmp_path)).save(tmp_path / "tiny")
    merged(*parts).save(tmp_path / "usual")
    assert files(tmp_path / "tiny") == files(tmp_path / "usual")
    assert {path.name for path in tmp_path.iterdir()} == {"tiny", "usual"}


# Pairs that were trained on


def test_pairs_that_were_trained_on_are_known_again(parts):
    together = merged(*parts).model_
    for place, pairs in zip(parts, (FIRST, SECOND, THIRD), strict=True):
        model = Aligner.load(place).model_
        before, now = model.open(pairs[:20]).own, together.open(pairs[:20]).own
        for field in ("start", "cell", "forward", "reverse", "null_target", "null_source"):
            np.testing.assert_array_equal(getattr(now, field), getattr(before, field))
    assert together.open(OTHERS).own is None


def test_a_pair_of_several_texts_is_kept_once(tmp_path):
    places = [saved(tmp_path, "a", FIRST), saved(tmp_path, "b", [*FIRST[:30], *SECOND])]
    together = merged(*places).model_
    assert together.training_pairs.texts.source_start.size - 1 == len({*FIRST, *SECOND})
    both = [Aligner.load(place).model_.open(FIRST[:1]).own for place in places]
    kept = together.open(FIRST[:1]).own
    assert any(np.array_equal(kept.forward, each.forward) for each in both)


def test_compact_models_can_be_merged(tmp_path):
    for name, pairs in (("a", FIRST), ("b", SECOND)):
        learned(pairs).save(tmp_path / name, compact=name == "b")
    together = merged(tmp_path / "a", tmp_path / "b").model_
    assert together.open(FIRST[:3]).own is not None
    assert together.open(SECOND[:3]).own is None
    learned(FIRST).save(tmp_path / "c", compact=True)
    assert merged(tmp_path / "b", tmp_path / "c").model_.training_pairs is None


# Settings, thresholds and history


def test_settings_are_kept_and_history_is_not(parts):
    together = merged(*parts)
    before = Aligner.load(parts[0])
    assert together.settings == before.settings
    assert (together.history_, together.model_.schedule) == ((), before.model_.schedule)
    assert together.signature == before.signature


def test_of_different_iterations_the_most_are_told(tmp_path):
    stages = ["ibm1=1,fhmm=1", "ibm1=2,fhmm=2"]
    places = [
        saved(tmp_path, name, pairs, preset="default", iterations=each)
        for name, pairs, each in zip("ab", (FIRST, SECOND), stages, strict=True)
    ]
    assert merged(*places).model_.schedule == (("ibm1", 2), ("fhmm", 2))


def test_balanced_thresholds_are_set_anew_or_are_the_mean(tmp_path):
    unsure = [(source, target) for (source, _), (_, target) in zip(SECOND[:15], THIRD[:15], strict=True)]
    for compact in (False, True):
        for name, pairs in (("a", FIRST), ("b", unsure)):
            learned(pairs).save(tmp_path / name, compact)
        together = merged(tmp_path / "a", tmp_path / "b")
        before = [Aligner.load(tmp_path / name).thresholds_.mean for name in "ab"]
        assert min(before) < max(before)
        anew = Aligner.merged([tmp_path / "a", tmp_path / "b"]).adapt_threshold([*FIRST, *unsure]).thresholds_
        if compact:
            assert min(before) < together.thresholds_.mean < max(before)
            assert abs(together.thresholds_.mean - before[0]) < abs(together.thresholds_.mean - before[1])
        else:
            assert together.thresholds_ == pytest.approx(anew, abs=1e-6)


def test_thresholds_that_were_given_or_tuned(tmp_path):
    same = [saved(tmp_path, name, pairs, threshold=0.4) for name, pairs in (("a", FIRST), ("b", SECOND))]
    assert merged(*same).thresholds_.mean == 0.4
    other = saved(tmp_path, "c", THIRD, threshold=0.6)
    assert 0.4 < merged(same[0], other).thresholds_.mean < 0.6
    merged(same[0], other).save(tmp_path / "m")
    assert Aligner.load(tmp_path / "m").thresholds_ == merged(same[0], other).thresholds_


# Using it


def test_saved_and_loaded_it_answers_with_the_same_bits(parts, tmp_path):
    together = merged(*parts)
    together.save(tmp_path / "m")
    again = Aligner.load(tmp_path / "m", threads=1)
    np.testing.assert_array_equal(posteriors(again), posteriors(together))
    assert again == together


def test_it_is_a_prior_for_other_text(parts, tmp_path):
    merged(*parts).save(tmp_path / "m")
    helped = learned(OTHERS, prior=[str(tmp_path / "m")])
    assert links(helped, OTHERS) != links(learned(OTHERS), OTHERS)


# What cannot be merged


def test_nothing_to_merge():
    with pytest.raises(UsageError, match="there is nothing to merge; name the directories of saved models"):
        merged()


def test_one_model_twice(parts, tmp_path):
    shutil.copytree(parts[0], tmp_path / "copy")
    for twice in (parts[0], tmp_path / "copy"):
        with pytest.raises(UsageError, match=f"{twice} is the same model as {parts[0]}; its text would count twice"):
            merged(*parts, twice)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"alpha": 0.5}, r"differ in alpha \((0.001 and 0.5|0.5 and 0.001)\)"),
        ({"lookalikes": 0.0, "relatives": 1.0}, r"differ in lookalikes \(.*\), relatives \("),
        ({"lowercase": False}, r"differ in lowercase \("),
        ({"preset": "default", "model": "hmm"}, r"differ in model \("),
        ({"decode": "viterbi"}, r"differ in decode \("),
    ],
    ids=str,
)
def test_models_that_were_not_trained_alike(parts, tmp_path, change, message):
    other = saved(tmp_path, "other", SECOND, **change)
    with pytest.raises(UsageError, match=message):
        merged(parts[0], other)


@pytest.mark.parametrize("model", ["ibm3", "ibm4"])
def test_models_that_keep_no_counts(tmp_path, model):
    place = saved(tmp_path, "a", FIRST[:20], model=model)
    with pytest.raises(UsageError, match=f"a model of the kind {model} does not keep what it has counted"):
        merged(place)


def test_relatives_that_weigh_too_much(tmp_path):
    place = saved(tmp_path, "a", FIRST[:20], relatives=9.0)
    with pytest.raises(UsageError, match=r"train with relatives of at most 6.4"):
        merged(place)
    place = saved(tmp_path, "a", relatives=6.4)
    assert counts_of(merged(place).model_) == kept_counts(Aligner.load(place).model_)


def test_a_prior_counts_once(tmp_path):
    dictionary = tmp_path / "dictionary"
    dictionary.write_text("the\tle\t5\n", encoding="utf-8")
    one = saved(tmp_path, "a", FIRST, prior=[str(dictionary)])
    together = merged(one, saved(tmp_path, "b", SECOND))
    apart = [kept_counts(Aligner.load(tmp_path / name).model_) for name in "ab"]
    assert counts_of(together.model_)["the", "le"][0] == pytest.approx(added(*apart)["the", "le"][0] + 5, abs=1e-3)
    assert together.model_.recipe.settings.priors == [str(dictionary)]
    with pytest.raises(UsageError, match=r"both trained with the prior .*dictionary, which would count twice"):
        merged(one, saved(tmp_path, "c", THIRD, prior=[str(dictionary)]))


def test_forms_come_with_the_models(tmp_path):
    for name, lines in (("one", "went go\nis be\n"), ("same", "is be\n"), ("other", "went walk\n")):
        (tmp_path / name).write_text(lines, encoding="utf-8")
    one, same, other = (
        saved(tmp_path, f"m-{name}", pairs, forms=[str(tmp_path / name)])
        for name, pairs in (("one", FIRST), ("same", SECOND), ("other", THIRD))
    )
    (tmp_path / "one").unlink()
    (tmp_path / "same").unlink()
    together = merged(one, same).model_
    assert together.base.relatives.source.listed == {"went": "go", "is": "be"}
    assert counts_of(together) == added(*(kept_counts(Aligner.load(place).model_) for place in (one, same)))
    with pytest.raises(UsageError, match=r"'went' is a form of '(go|walk)' to one and of '(go|walk)' to another"):
        merged(one, other)
    with pytest.raises(UsageError, match="some of the models were trained with --forms and others without"):
        merged(one, saved(tmp_path, "without", OTHERS))


def test_what_is_no_model(parts, tmp_path):
    with pytest.raises(ModelError, match="nothing: there is no model here: no such directory"):
        merged(parts[0], tmp_path / "nothing")
    shutil.copytree(parts[1], tmp_path / "damaged")
    tensors = tmp_path / "damaged" / "parameters.safetensors"
    content = bytearray(tensors.read_bytes())
    content[-1] ^= 1
    tensors.write_bytes(content)
    with pytest.raises(ModelError, match=r"parameters.safetensors is damaged"):
        merged(parts[0], tmp_path / "damaged")
