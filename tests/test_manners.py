"""Scikit-learn's manners: arguments never change, what is learned ends in ``_``, a second fit forgets the first."""

from __future__ import annotations

import copy
import pickle
from dataclasses import fields
from typing import ClassVar

import numpy as np
import pytest

from constrained import Same
from pralign import Aligner, Bitext, MatchingAligner, sample
from pralign.constraints import Bijective
from pralign.engine import ThreadEngine
from pralign.errors import UsageError
from pralign.links.formats import read_alignments

PAIRS = list(Bitext.read(sample.SOURCE, sample.TARGET))[:60]
OTHERS = list(Bitext.read(sample.SOURCE, sample.TARGET))[60:70]
LABELLED = [(*pair, gold) for pair, gold in zip(PAIRS, read_alignments(sample.GOLD, "gold"), strict=False)]
QUICK = {"model": "hmm", "iterations": "ibm1=2,hmm=2", "threads": 1}
ARGUMENTS = [
    {},
    QUICK,
    {**QUICK, "estimator": "collapsed", "threshold": "auto"},
    {**QUICK, "constraint": "bijective", "tolerance": 0.01},
    {**QUICK, "constraint": Bijective(slack=0.1)},
    {**QUICK, "iterations": (("ibm1", 2), ("hmm", 2)), "prior": (), "memory": "1G"},
    {"model": "ibm1", "decode": "viterbi", "lowercase": False, "threads": 2},
]


def answers(aligner, pairs=(*PAIRS[:20], *OTHERS)):
    return [(answer.alignment, answer.score) for answer in aligner.decode_pairs(pairs, directions=True)]


def same_arguments(aligner, arguments):
    """The arguments are those that were given, the very objects."""
    found = aligner.get_params()
    assert found.keys() == {each.name for each in fields(Aligner)}
    assert all(value is arguments.get(name) for name, value in found.items())
    assert all(value is getattr(aligner, name) for name, value in found.items())


class TestArguments:
    @pytest.mark.parametrize("arguments", ARGUMENTS)
    def test_they_never_change(self, arguments, tmp_path):
        aligner = Aligner(**arguments)
        same_arguments(aligner, arguments)
        aligner.fit(PAIRS)
        same_arguments(aligner, arguments)
        list(aligner.fit_decode(PAIRS, labelled=LABELLED))
        same_arguments(aligner, arguments)
        aligner.save(tmp_path / "m")
        if arguments.get("decode") != "viterbi":
            aligner.tune(LABELLED, by="f1")
            aligner.match_viterbi(PAIRS)
            aligner.adapt_threshold(OTHERS)
        _ = aligner.model_, aligner.signature, list(aligner.align(OTHERS))
        aligner.close()
        same_arguments(aligner, arguments)

    @pytest.mark.parametrize("arguments", [{}, QUICK, {**QUICK, "decode": "viterbi", "lowercase": False, "prefix": 4}])
    def test_a_loaded_aligner_has_those_that_it_was_trained_with(self, arguments, tmp_path):
        Aligner(**arguments).fit(PAIRS).save(tmp_path / "m")
        loaded = Aligner.load(tmp_path / "m", threads=arguments.get("threads"))
        assert loaded == Aligner(**arguments)
        list(loaded.align(OTHERS))
        assert loaded == Aligner(**arguments)

    def test_a_loaded_aligner_does_not_take_what_was_learned_for_an_argument(self, tmp_path):
        aligner = Aligner(**QUICK, constraint="bijective")
        list(aligner.fit_decode(PAIRS, labelled=LABELLED))
        aligner.save(tmp_path / "m")
        loaded = Aligner.load(tmp_path / "m", threads=1)
        assert loaded.thresholds_ == aligner.thresholds_
        assert (loaded.threshold, loaded.project_at_decode) == (None, None)
        aligner.tune(LABELLED, by="f1").save(tmp_path / "m")
        assert Aligner.load(tmp_path / "m").threshold is None

    def test_what_is_changed_while_loading_is_an_argument(self, tmp_path):
        Aligner(**QUICK).fit(PAIRS).save(tmp_path / "m")
        loaded = Aligner.load(tmp_path / "m", threads=1, threshold=0.3, symmetrize="union")
        assert loaded == Aligner(**QUICK, threshold=0.3, symmetrize="union")

    def test_they_can_be_set(self):
        aligner = Aligner(**QUICK)
        assert aligner.set_params(model="ibm1", iterations=None, memory="1G") is aligner
        assert aligner == Aligner(model="ibm1", threads=1, memory="1G")
        assert aligner.set_params() == Aligner(model="ibm1", threads=1, memory="1G")
        assert aligner.set_params(**QUICK, memory=None) == Aligner(**QUICK)

    def test_what_is_set_is_for_the_next_fit(self):
        aligner = Aligner(**QUICK).fit(PAIRS)
        before, signature = answers(aligner), aligner.signature
        aligner.set_params(decode="viterbi", estimator="vb")
        assert (answers(aligner), aligner.signature) == (before, signature)
        aligner.fit(PAIRS)
        assert aligner.signature == Aligner(**QUICK, decode="viterbi", estimator="vb").signature

    @pytest.mark.parametrize(
        "wrong",
        [
            {"model": "x"},
            {"nonsense": 1},
            {"threshold": 2.0, "model": "ibm1"},
            {"constraint": "x"},
            {"tolerance": 0.1},
            {"memory": "much"},
            {"memory": "1M"},
            {"scratch": "/there/is/no/such/place"},
            {"threads": 0},
        ],
    )
    def test_what_cannot_be_is_refused_and_changes_nothing(self, wrong):
        aligner = Aligner(**QUICK)
        with pytest.raises(UsageError):
            aligner.set_params(**wrong)
        same_arguments(aligner, QUICK)
        if "nonsense" not in wrong:
            with pytest.raises(UsageError):
                Aligner(**wrong)

    def test_they_are_what_is_printed(self):
        assert repr(Aligner()) == "Aligner()"
        assert repr(Aligner(**QUICK)) == "Aligner(model='hmm', iterations='ibm1=2,hmm=2', threads=1)"
        assert eval(repr(Aligner(**QUICK, lowercase=False))) == Aligner(**QUICK, lowercase=False)
        fitted = Aligner(**QUICK).fit(PAIRS)
        assert repr(fitted) == repr(Aligner(**QUICK))


class TestScikitLearn:
    @pytest.mark.parametrize("arguments", ARGUMENTS)
    @pytest.mark.parametrize("trained", [False, True])
    def test_a_clone_is_equal_and_has_learned_nothing(self, arguments, trained):
        clone = pytest.importorskip("sklearn.base").clone
        aligner = Aligner(**arguments)
        if trained:
            aligner.fit(PAIRS[:5])
        cloned = clone(aligner)
        assert cloned is not aligner
        assert cloned == aligner
        assert not cloned.is_trained
        assert aligner.is_trained == trained

    def test_parameters_can_be_searched(self):
        selection = pytest.importorskip("sklearn.model_selection")
        grid = selection.ParameterGrid({"model": ["ibm1", "hmm"], "alpha": [0.1, 0.2], "estimator": ["vb"]})
        aligner = Aligner(threads=1)
        assert [aligner.set_params(**point).fit(PAIRS[:5]).signature.parts[0][1] for point in grid] == [
            point["model"] for point in grid
        ]

    def test_a_search_with_cross_validation_works(self):
        selection = pytest.importorskip("sklearn.model_selection")
        sources, targets = [source for source, _ in PAIRS[:20]], [target for _, target in PAIRS[:20]]

        def likelihood(aligner, sources, targets):
            return sum(answer.score for answer in aligner.decode_pairs(sources, targets))

        search = selection.GridSearchCV(Aligner(model="ibm1", threads=1), {"prefix": [1, 4]}, scoring=likelihood, cv=2)
        search.fit(sources, targets)
        assert search.best_params_ == {"prefix": 1}  # the fewer words there are, the likelier they are
        assert search.best_estimator_.is_trained

    def test_it_knows_what_is_fitted(self):
        validation = pytest.importorskip("sklearn.utils.validation")
        exceptions = pytest.importorskip("sklearn.exceptions")
        for fresh in (Aligner(), MatchingAligner()):
            with pytest.raises(exceptions.NotFittedError):
                validation.check_is_fitted(fresh)
        validation.check_is_fitted(Aligner(model="ibm1").fit(PAIRS[:5]))


class TestMatching:
    ARGUMENTS: ClassVar = {"features": "dice, distance", "rounds": 5, "threads": 1}

    def fitted(self):
        return MatchingAligner(**self.ARGUMENTS).fit(PAIRS, labelled=LABELLED[:30])

    def test_its_arguments_never_change(self):
        aligner = self.fitted()
        params = aligner.get_params()
        assert params.keys() == {each.name for each in fields(MatchingAligner)}
        assert all(params[name] is value for name, value in self.ARGUMENTS.items())
        assert repr(aligner) == "MatchingAligner(features='dice, distance', rounds=5, threads=1)"

    def test_it_can_be_cloned(self):
        clone = pytest.importorskip("sklearn.base").clone
        aligner = self.fitted()
        cloned = clone(aligner)
        assert cloned == aligner
        assert (cloned.is_trained, aligner.is_trained) == (False, True)
        again = cloned.fit(PAIRS, labelled=LABELLED[:30])
        assert list(again.align(OTHERS)) == list(aligner.align(OTHERS))

    def test_a_trained_model_among_the_arguments_stays_trained(self):
        clone = pytest.importorskip("sklearn.base").clone
        model = Aligner(**QUICK).fit(PAIRS)
        assert clone(MatchingAligner(model=model)).model is model

    def test_arguments_can_be_set(self):
        aligner = MatchingAligner(**self.ARGUMENTS)
        assert aligner.set_params(rounds=7, features=["dice"]).get_params()["rounds"] == 7
        for wrong in ({"rounds": 0}, {"rounds": "7"}, {"round": 7}, {"features": ["x"]}, {"threads": 0}):
            with pytest.raises(UsageError):
                aligner.set_params(**wrong)
        assert aligner == MatchingAligner(features=["dice"], rounds=7, threads=1)

    def test_copies_answer_the_same(self):
        aligner = self.fitted()
        expected = list(aligner.align(OTHERS))
        assert [list(copied(aligner).align(OTHERS)) for copied in (pickled, copy.deepcopy)] == [expected] * 2
        assert aligner.align_pair(*OTHERS[0]) == expected[0]


class TestPlainValues:
    """What stands for the same is the same."""

    def test_stages_may_be_a_dictionary_or_a_list(self):
        text = Aligner(iterations="ibm1=2,hmm=2")
        for stages in (
            {"ibm1": 2, "hmm": 2},
            (("ibm1", 2), ("hmm", 2)),
            [["ibm1", 2], ["hmm", 2]],
            [("ibm1", 2), ("hmm", 2)],
        ):
            aligner = Aligner(iterations=stages)
            assert aligner.iterations is stages
            assert aligner.signature == text.signature
            assert aligner.settings.model == "hmm"

    def test_numbers_of_numpy_are_numbers(self, tmp_path):
        given = {"model": "ibm1", "prefix": np.int64(3), "threshold": np.float32(0.5), "lowercase": np.True_}
        Aligner(**given, threads=np.int32(1)).fit(PAIRS[:5]).save(tmp_path / "m")
        assert (
            Aligner.load(tmp_path / "m").settings
            == Aligner(model="ibm1", prefix=3, threshold=0.5, lowercase=True).settings
        )


class TestWhatIsLearned:
    LEARNED = ("model_", "vocabularies_", "thresholds_", "history_")

    def test_there_is_nothing_before(self):
        aligner = Aligner(**QUICK)
        assert not aligner.is_trained
        for name in self.LEARNED:
            with pytest.raises(UsageError, match="learned nothing yet"):
                getattr(aligner, name)

    def test_nothing_else_is_new_in_a_fitted_aligner(self):
        aligner = Aligner(**QUICK)
        before = {name for name in vars(aligner) if not name.startswith("_")}
        aligner.fit(PAIRS)
        _ = aligner.model_
        assert {name for name in vars(aligner) if not name.startswith("_")} == before
        assert len(aligner.history_) == 4
        assert all(getattr(aligner, name) is not None for name in self.LEARNED)

    def test_a_second_fit_forgets_the_first(self):
        again = Aligner(**QUICK).fit(OTHERS)
        _ = again.model_
        again.fit(PAIRS)
        once = Aligner(**QUICK).fit(PAIRS)
        assert answers(again) == answers(once)
        assert again.history_ == once.history_
        assert again.vocabularies_["source"].words == once.vocabularies_["source"].words

    @pytest.mark.parametrize(
        "more", [{}, {"constraint": "bijective"}, {"threshold": "auto"}, {"estimator": "collapsed"}]
    )
    def test_a_second_fit_forgets_what_labelled_pairs_have_decided(self, more):
        again = Aligner(**QUICK, **more)
        list(again.fit_decode(PAIRS, labelled=LABELLED))
        again.fit(PAIRS)
        once = Aligner(**QUICK, **more).fit(PAIRS)
        assert again.thresholds_ == once.thresholds_
        assert again.signature == once.signature
        assert again.model_.recipe == once.model_.recipe
        assert answers(again) == answers(once)

    def test_a_second_fit_forgets_a_tuned_threshold(self):
        aligner = Aligner(**QUICK).fit(PAIRS)
        before = aligner.thresholds_
        aligner.model_.with_threshold(0.9)
        assert aligner.thresholds_ == before
        aligner.tune(LABELLED)
        assert aligner.fit(PAIRS).thresholds_ == before

    def test_an_aligner_that_was_loaded_can_be_fitted(self, tmp_path):
        Aligner(**QUICK).fit(OTHERS).save(tmp_path / "m")
        loaded = Aligner.load(tmp_path / "m", threads=1).fit(PAIRS)
        assert answers(loaded) == answers(Aligner(**QUICK).fit(PAIRS))

    def test_answers_of_the_first_fit_can_still_be_read(self):
        aligner = Aligner(**QUICK)
        expected = list(Aligner(**QUICK).fit_align(PAIRS))
        first = aligner.fit_align(PAIRS)
        aligner.fit(OTHERS)
        assert list(first) == expected

    def test_a_closed_aligner_keeps_the_model_that_was_asked_for(self, tmp_path):
        aligner = Aligner(**QUICK, checkpoint=tmp_path / "c").fit(PAIRS)
        expected = answers(aligner)
        aligner.close()
        assert answers(aligner) == expected

    def test_a_closed_aligner_says_that_it_has_forgotten(self, tmp_path):
        for place in (None, tmp_path / "c"):
            aligner = Aligner(**QUICK, checkpoint=place).fit(PAIRS)
            aligner.close()
            assert str(aligner.signature).startswith("model:hmm|")
            with pytest.raises(UsageError, match="was closed"):
                _ = aligner.model_
            with pytest.raises(UsageError, match="was closed"):
                aligner.save(tmp_path / "m")
            assert not (tmp_path / "m").exists()


def pickled(aligner):
    return pickle.loads(pickle.dumps(aligner))


class TestCopies:
    @pytest.mark.parametrize("copied", [pickled, copy.deepcopy, copy.copy])
    @pytest.mark.parametrize(
        "arguments",
        [
            {},
            {**QUICK, "estimator": "collapsed"},
            {**QUICK, "constraint": "symmetric"},
            {**QUICK, "constraint": Same(share=0.5), "engine": ThreadEngine(2)},
            {"model": "ibm1", "decode": "viterbi"},
        ],
    )
    def test_they_answer_with_the_same_bits(self, copied, arguments):
        aligner = Aligner(**arguments).fit(PAIRS)
        other = copied(aligner)
        assert answers(other) == answers(aligner)
        assert other.signature == aligner.signature
        assert other.history_ == aligner.history_
        assert other.thresholds_ == aligner.thresholds_
        assert other.settings == aligner.settings
        assert other.get_params().keys() == aligner.get_params().keys()
        for one, another in zip(other.posteriors(*PAIRS[0]), aligner.posteriors(*PAIRS[0]), strict=True):
            np.testing.assert_array_equal(one, another)

    @pytest.mark.parametrize("copied", [pickled, copy.deepcopy, copy.copy])
    def test_one_that_has_learned_nothing_can_be_copied(self, copied):
        other = copied(Aligner(**QUICK))
        assert other == Aligner(**QUICK)
        assert not other.is_trained
        assert answers(other.fit(PAIRS)) == answers(Aligner(**QUICK).fit(PAIRS))

    @pytest.mark.parametrize("copied", [pickled, copy.deepcopy])
    def test_they_save_the_same_bytes(self, copied, tmp_path):
        aligner = Aligner().fit(PAIRS)
        aligner.save(tmp_path / "a")
        copied(aligner).save(tmp_path / "b")
        for path in (tmp_path / "a").iterdir():
            assert (tmp_path / "b" / path.name).read_bytes() == path.read_bytes()

    def test_they_do_not_know_of_each_other(self):
        aligner = Aligner(**QUICK).fit(PAIRS)
        other = copy.deepcopy(aligner)
        expected = answers(aligner)
        other.fit(OTHERS)
        aligner.close()
        assert answers(aligner) == expected

    def test_a_pickled_one_holds_no_files(self, tmp_path):
        aligner = Aligner(**QUICK, checkpoint=tmp_path / "c").fit(PAIRS)
        content = pickle.dumps(aligner)
        expected = answers(aligner)
        aligner.close()
        assert answers(pickle.loads(content)) == expected

    def test_one_that_was_closed_and_forgot_can_still_be_copied(self):
        aligner = Aligner(**QUICK).fit(PAIRS)
        aligner.close()
        assert pickled(aligner) == aligner

    def test_a_tuned_one_stays_tuned(self):
        aligner = Aligner(**QUICK)
        list(aligner.fit_decode(PAIRS, labelled=LABELLED))
        assert pickled(aligner).thresholds_ == aligner.thresholds_
        aligner.tune(LABELLED, by="f1")
        assert pickled(aligner).thresholds_ == aligner.thresholds_
