"""An aligner goes on learning: what it has counted before stays, and more text adds to it."""

from __future__ import annotations

import copy
import pickle
import re

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
from oracles.naive_counts import added, kept_counts
from pralign import Aligner, sample
from pralign.constraints import Bijective
from pralign.errors import InputError, UsageError
from pralign.kernels.units import UNITS
from pralign.links.formats import read_alignments
from pralign.runs.growing import growing_recipe

pytestmark = pytest.mark.slow

NEW = [("the zorb is red .", "le zorb est rouge ."), ("a zorb sleeps .", "un zorb dort ."), ("zorb", "zorb")]


def grown(before=FIRST, more=SECOND, changes=None, **settings):
    return learned(before, **settings).partial_fit(more, **(changes or {}))


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """Where a model of the default kind is saved."""
    return saved(tmp_path_factory.mktemp("first"), "m")


# Counts


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_counts_are_those_before_and_those_of_the_text(settings):
    before = counts_of(learned(**settings).model_)
    model = grown(**settings).model_
    kept = kept_counts(model)  # of both texts, as the training pairs of the model tell it
    now = counts_of(model)
    assert now == kept
    more = added(now, {pair: [-count for count in both] for pair, both in before.items()})
    assert min(min(both) for both in more.values()) >= 0
    words = sum(len(target.split()) for _, target in SECOND)
    found, were = recovered(model), recovered(learned(**settings).model_)
    total = (found.source.sum() - were.source.sum() + found.null_to_target.sum() - were.null_to_target.sum()) / UNITS
    assert total == pytest.approx(words, rel=0.05)


def test_word_pairs_that_do_not_occur_again_stay():
    before, after = learned(), grown()
    once = {pair: both for pair, both in counts_of(before.model_).items() if max(both) > 0.9}
    words = {word for pair in SECOND for sentence in pair for word in sentence.split()}
    gone = {pair: both for pair, both in once.items() if not set(pair) & words}
    assert len(gone) > 50
    now = counts_of(after.model_)
    assert {pair: now[pair] for pair in gone} == gone


def test_words_of_both_texts_are_known():
    after = grown(more=[*SECOND, *NEW])
    for side, place in (("source", 0), ("target", 1)):
        words = {word for pair in (*FIRST, *SECOND, *NEW) for word in pair[place].split()}
        assert set(after.vocabularies_[side].words) == words


def test_pairs_of_both_texts_are_known_again():
    after = grown().model_
    assert after.training_pairs.texts.source_start.size - 1 == len({*FIRST, *SECOND})
    before = learned().model_.open(FIRST[:5]).own
    np.testing.assert_array_equal(after.open(FIRST[:5]).own.forward, before.forward)
    assert after.open(SECOND[:5]).own is not None
    assert after.open(OTHERS).own is None


def test_what_looks_alike_counts_once():
    aligner = learned([*FIRST, *NEW], lookalikes=50.0)
    for _ in range(3):
        before = counts_of(aligner.model_)["zorb", "zorb"]
        aligner.partial_fit([("zorb", "zorb")])
        now = counts_of(aligner.model_)["zorb", "zorb"]
        assert now == pytest.approx([count + 1 for count in before], abs=0.05)


# Learning


@pytest.mark.parametrize("settings", [{}, {"model": "hmm"}, {"model": "hmm", "estimator": "vb"}, {"model": "ibm2"}])
def test_new_words_are_learned(settings):
    settings = {"threads": 1, **settings}
    after = Aligner(**settings).fit(FIRST).partial_fit([*SECOND, *NEW * 3])
    assert after.translations("zorb")[0][0] == "zorb"
    assert Aligner(**settings).fit(FIRST).translations("zorb") == []


def test_what_is_known_helps_with_the_text():
    golds = list(read_alignments(sample.GOLD, "gold"))[:30]
    few = PAIRS[:30]

    def right(aligner):
        found = zip(links(aligner, few), golds, strict=True)
        return sum(len(set(each) & gold.sure) - len(set(each) - gold.sure - gold.possible) for each, gold in found)

    assert right(grown(PAIRS[30:], few)) > right(learned(few))


def test_again_and_again():
    aligner = learned()
    for pairs in (SECOND, THIRD):
        aligner.partial_fit(pairs)
    assert counts_of(aligner.model_) == kept_counts(aligner.model_)
    assert [(each.model, each.iteration) for each in aligner.history_[-6:]] == [("fhmm", k) for k in (1, 2, 3)] * 2
    assert aligner.model_.schedule == (("ibm1", 3), ("fhmm", 5), ("fhmm", 3), ("fhmm", 3))
    assert len(aligner.history_) == 3 + 5 + 3 + 3


def test_models_that_were_merged_go_on(tmp_path):
    places = [saved(tmp_path, "a", FIRST), saved(tmp_path, "b", SECOND)]
    aligner = Aligner.merged(places, threads=1).partial_fit(THIRD)
    assert counts_of(aligner.model_) == kept_counts(aligner.model_)
    assert [each.iteration for each in aligner.history_] == [1, 2, 3]


# The manners of scikit-learn


def test_an_aligner_that_has_learned_nothing_begins():
    begun, fitted = Aligner(threads=1).partial_fit(FIRST), learned()
    np.testing.assert_array_equal(posteriors(begun), posteriors(fitted))
    assert begun.history_ == fitted.history_
    shorter = Aligner(preset="default", threads=1).partial_fit(FIRST, iterations="ibm1=1,fhmm=1")
    assert shorter.model_.schedule == (("ibm1", 1), ("fhmm", 1))


def test_it_is_the_aligner_itself_and_its_arguments_stay():
    aligner = learned(preset="fast", iterations="ibm1=1,fhmm=1")
    before = aligner.get_params()
    assert aligner.partial_fit(SECOND, iterations="fhmm=2") is aligner
    assert aligner.get_params() == before
    assert aligner.model_.schedule == (("ibm1", 1), ("fhmm", 1), ("fhmm", 2))


def test_a_loaded_or_copied_aligner_goes_on_with_the_same_bits(first):
    expected = posteriors(grown())
    for aligner in (Aligner.load(first, threads=1), copy.deepcopy(learned()), pickle.loads(pickle.dumps(learned()))):
        np.testing.assert_array_equal(posteriors(aligner.partial_fit(SECOND)), expected)


def test_fit_forgets_it_all():
    np.testing.assert_array_equal(posteriors(grown().fit(FIRST)), posteriors(learned()))


def test_the_listener_is_told():
    told = []
    learned().partial_fit(SECOND, listener=told.append)
    assert [each.iteration for each in told if each.log_likelihood is not None] == [1, 2, 3]
    assert {each.model for each in told} == {"fhmm"}


# Bits


@pytest.mark.parametrize("settings", [{}, {"model": "hmm"}, {"model": "ibm2", "estimator": "vb"}])
def test_no_byte_depends_on_threads_or_memory(tmp_path, settings):
    for name, resources in {"a": {}, "b": {"threads": 3}, "c": {"threads": 2, "memory": "300M"}}.items():
        grown(**settings, **resources).save(tmp_path / name)
    assert files(tmp_path / "a") == files(tmp_path / "b") == files(tmp_path / "c")


@pytest.mark.parametrize("settings", [{}, {"model": "ibm1"}])
def test_saved_and_loaded_it_answers_with_the_same_bits(tmp_path, settings):
    aligner = grown(**settings)
    aligner.save(tmp_path / "run")
    again = Aligner.load(tmp_path / "run", threads=1)
    np.testing.assert_array_equal(posteriors(again), posteriors(aligner))  # by now the model is in memory
    aligner.save(tmp_path / "memory")
    assert files(tmp_path / "run") == files(tmp_path / "memory")


class EndedError(Exception):
    """The end of a run."""


@pytest.mark.parametrize("iterations", [1, 2])
def test_a_run_that_was_ended_goes_on(tmp_path, first, iterations):
    def end(progress):
        if progress.iteration == iterations and progress.log_likelihood is not None:
            raise EndedError

    place = {"checkpoint": tmp_path / "checkpoint"}
    with pytest.raises(EndedError):
        Aligner.load(first, threads=1).set_params(**place).partial_fit(SECOND, listener=end)
    told = []
    again = Aligner.load(first, threads=2).set_params(**place).partial_fit(SECOND, listener=told.append)
    assert min(each.iteration for each in told) == iterations + 1
    np.testing.assert_array_equal(posteriors(again), posteriors(grown()))
    again.close()
    assert not (tmp_path / "checkpoint").exists()


def test_a_checkpoint_is_for_one_run_after_the_other(tmp_path):
    place = {"checkpoint": tmp_path / "checkpoint"}
    aligner = learned(**place).partial_fit(SECOND).partial_fit(THIRD)
    np.testing.assert_array_equal(posteriors(aligner), posteriors(grown().partial_fit(THIRD)))
    aligner.close()
    assert list(tmp_path.iterdir()) == []


def test_a_checkpoint_belongs_to_the_model_it_began_with(tmp_path, first):
    def end(progress):
        raise EndedError

    place = {"checkpoint": tmp_path / "checkpoint", "threads": 1}
    with pytest.raises(EndedError):
        Aligner.load(first).set_params(**place).partial_fit(SECOND, listener=end)
    with pytest.raises(UsageError, match="this is the checkpoint of another run: earlier models was"):
        learned(THIRD).set_params(**place).partial_fit(SECOND)
    with pytest.raises(UsageError, match=r"this is the checkpoint of another run: .*earlier models was"):
        learned(SECOND, iterations="fhmm=3", preset="default", **place)


# Settings


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"alpha": 0.5}, "the model was trained with alpha 0.001, not 0.5; it can only go on as it began"),
        ({"model": "hmm", "relatives": 1.0}, "trained with model fhmm, not hmm, relatives 5.0, not 1.0;"),
        ({"lowercase": False}, "trained with lowercase True, not False;"),
        ({"prefix": 3}, "trained with prefix none, not 3;"),
        ({"constraint": Bijective()}, "trained with constraint none, not bijective;"),
        ({"preset": "best"}, "trained with preset default, not best;"),
        ({"forms": ["words"]}, "trained with forms none, not .*words"),
    ],
    ids=str,
)
def test_settings_that_contradict_the_model(first, changes, message):
    with pytest.raises(UsageError, match=message):
        Aligner.load(first).partial_fit(SECOND, **changes)
    plain = {name: value for name, value in changes.items() if name != "forms"}
    if plain:
        with pytest.raises(UsageError, match=message):
            Aligner.load(first).set_params(**plain).partial_fit(SECOND)


def test_settings_that_do_not(first):
    same = {"alpha": 0.001, "model": "fhmm", "lookalikes": 3.0, "constraint": "none", "preset": "default", "forms": ()}
    aligner = Aligner.load(first, threads=1).partial_fit(SECOND, **same)
    np.testing.assert_array_equal(posteriors(aligner), posteriors(grown()))


def test_stages_have_to_end_with_the_model(first):
    with pytest.raises(UsageError, match="the iterations end with hmm but the model is fhmm"):
        Aligner.load(first).partial_fit(SECOND, iterations="hmm=3")


def test_unknown_settings(first):
    with pytest.raises(UsageError, match="there is no setting called speed"):
        Aligner.load(first).partial_fit(SECOND, speed=3)


def test_decoding_may_change(first):
    aligner = Aligner.load(first, threads=1).partial_fit(SECOND, decode="viterbi", symmetrize="union")
    assert aligner.model_.recipe.settings.decode == "viterbi"
    assert "union" in str(aligner.signature)


def test_thresholds_are_set_on_the_text_unless_they_were_given():
    unsure = [(source, target) for (source, _), (_, target) in zip(SECOND[:15], THIRD[:15], strict=True)]
    assert grown(more=unsure).thresholds_.mean < learned().thresholds_.mean
    assert grown(more=unsure, threshold=0.4).thresholds_.mean == 0.4


def test_as_many_iterations_are_constrained_as_before():
    model = learned(preset="best").model_
    assert growing_recipe(model, {}).settings.constraint_from == 3  # the last of three, as it was of six
    assert growing_recipe(model, {"iterations": "fhmm=5"}).settings.constraint_from == 5
    assert growing_recipe(model, {"constraint_from": 2}).settings.constraint_from == 2
    after = grown(preset="best")
    assert [each.divergence is not None for each in after.history_[-3:]] == [False, False, True]
    again = growing_recipe(after.model_, {})
    assert (again.settings.constraint_from, again.schedule()) == (3, (("fhmm", 3),))


def test_priors_are_read_once(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("the\tunheard\t50\n", encoding="utf-8")
    new.write_text("the\tunseen\t30\n", encoding="utf-8")
    aligner = learned(prior=[str(old)])
    old.unlink()

    def elsewhere(model):
        found, the = recovered(model), model.source.number("the")
        return (found.source[the] - found.pairs[model.lexicon.table.source == the, 0].sum()) / UNITS

    assert elsewhere(aligner.model_) == pytest.approx(50, abs=0.01)
    assert elsewhere(aligner.partial_fit(SECOND).model_) == pytest.approx(50, abs=0.01)
    aligner.partial_fit(THIRD, prior=[str(new)])
    assert elsewhere(aligner.model_) == pytest.approx(80, abs=0.01)
    assert aligner.model_.recipe.settings.priors == [str(old), str(new)]
    with pytest.raises(UsageError, match=r"trained with the prior .*new already, which would count twice"):
        aligner.partial_fit(OTHERS, prior=new)


def test_forms_come_with_the_model(tmp_path):
    (tmp_path / "forms").write_text("went go\n", encoding="utf-8")
    aligner = learned(forms=[str(tmp_path / "forms")])
    (tmp_path / "forms").unlink()
    aligner.partial_fit(SECOND)
    assert aligner.model_.base.relatives.source.listed == {"went": "go"}
    assert counts_of(aligner.model_) == kept_counts(aligner.model_)


def test_labelled_pairs_say_when_to_stop(first):
    labelled = [(*pair, gold) for pair, gold in zip(PAIRS[:60], read_alignments(sample.GOLD, "gold"), strict=True)]
    aligner = Aligner.load(first, threads=1).partial_fit(SECOND, labelled=labelled)
    areas = [each.dev_area for each in aligner.history_[8:]]
    assert None not in areas
    assert len(areas) <= 10
    assert aligner.history_[-1].kept == (len(areas) == 10)


# What cannot be


@pytest.mark.parametrize("model", ["ibm3", "ibm4"])
def test_models_that_keep_no_counts(model):
    aligner = learned(FIRST[:20], model=model)
    before = posteriors(aligner)
    with pytest.raises(UsageError, match=f"a model of the kind {model} does not keep what it has counted"):
        aligner.partial_fit(SECOND)
    np.testing.assert_array_equal(posteriors(aligner), before)


@pytest.mark.parametrize("pairs", [[], [("", "rien")]], ids=["nothing", "empty sides"])
def test_nothing_to_learn_from(pairs):
    aligner = learned()
    with pytest.raises(InputError, match=re.escape("no sentence pairs to learn from")):
        aligner.partial_fit(pairs)
    assert aligner.translations("the")
