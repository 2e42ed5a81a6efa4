"""Models that were changed, with checksums that suit: what is wrong with them is said, and nothing is made of them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from fuzz.saved import Saved, untouched
from pralign import Aligner, MatchingAligner
from pralign.errors import InputError, ModelError
from pralign.models import MODELS, register_model
from pralign.models.ibm1 import IBM1

CHANGED = "; the model was changed or damaged; train it again$"


def refusal(kind, change, place):
    """What is said of a model of a kind that was changed."""
    saved = untouched(kind).copy()
    change(saved)
    saved.write(place / "m")
    load = Aligner.load if "model" in saved.manifest else MatchingAligner.load
    with pytest.raises(ModelError) as caught:
        load(place / "m", threads=1)
    message = str(caught.value)
    assert message.startswith(f"{place / 'm'}")
    assert "\n" not in message
    return message


def putting(name, place, value):
    """Sets numbers of an array."""

    def change(saved):
        saved.tensors[name] = saved.tensors[name].copy()
        saved.tensors[name][place] = value

    return change


def making(name, function):
    """Makes another array of one."""

    def change(saved):
        saved.tensors[name] = function(saved.tensors[name])

    return change


def setting(*way, value):
    """Sets something in the manifest."""

    def change(saved):
        place = saved.manifest
        for key in way[:-1]:
            place = place[key]
        place[way[-1]] = value

    return change


def without(*way):
    """Removes something from the manifest."""

    def change(saved):
        place = saved.manifest
        for key in way[:-1]:
            place = place[key]
        del place[way[-1]]

    return change


ARRAYS = [
    ("hmm", putting("forward.jumps.weights", 3, np.nan), "forward.jumps.weights has values that are not finite"),
    ("hmm", putting("forward.jumps.weights", slice(None), 0.0), "forward.jumps.weights has numbers that are not from"),
    ("hmm", making("forward.jumps.weights", lambda a: a[:-1]), "forward.jumps.weights has the shape 11, where 11"),
    ("hmm", making("reverse.null.probability", lambda a: a.astype(np.float32)), "probability is of type float32, not"),
    ("hmm", putting("forward.null.probability", 0, 1.0), "forward.null.probability has numbers that are not from"),
    ("hmm", putting("forward.most_states", 0, 10**12), "forward.most_states has numbers"),
    ("hmm", making("forward.first.totals", lambda a: a[:0]), "some have the counts behind them and others do not"),
    ("hmm", lambda saved: saved.tensors.pop("reverse.first.weights"), "the array reverse.first.weights is missing"),
    (
        "hmm",
        making("lexicon.row_start", lambda a: a[::-1].copy()),
        "lexicon.row_start does not go from 0 to the number",
    ),
    ("hmm", putting("lexicon.row_start", 2, 10**9), "lexicon.row_start falls"),
    (
        "hmm",
        putting("lexicon.source", 0, 10**6),
        "lexicon.source has numbers that are not from 0 to below the number of",
    ),
    ("hmm", making("lexicon.source", lambda a: a[::-1].copy()), "lexicon.source is not in ascending order within"),
    ("hmm", putting("lexicon.probability", (0, 1), -0.5), "lexicon.probability has numbers"),
    ("hmm", making("lexicon.probability", lambda a: a[:, :1]), "lexicon.probability has the shape"),
    ("hmm", putting("words.normalizers.source", 0, 1e300), "words.normalizers.source has numbers"),
    ("hmm", making("words.null_to_target", lambda a: a[1:]), "words.null_to_target has the shape"),
    ("fhmm", putting("forward.fertilities.table", (-1, 2), 0.0), "fertilities.table has a last row that is no prior"),
    ("fhmm", putting("forward.fertilities.table", (0, 0), 1e30), "fertilities.table has counts below zero, or more"),
    ("fhmm", putting("training_pairs.own.cell", 0, 9999), "training_pairs.own.cell has links outside of their pairs"),
    ("fhmm", putting("training_pairs.own.cell", 0, -1), "training_pairs.own.cell has links outside of their pairs"),
    ("fhmm", putting("training_pairs.source", 0, 9999), "training_pairs.source has numbers"),
    (
        "fhmm",
        putting("training_pairs.source_start", 1, 0),
        "training_pairs.source_start has sentences that do not have",
    ),
    ("fhmm", putting("training_pairs.own.source_start", 1, 1), "own.source_start has pairs with more or fewer counts"),
    ("fhmm", putting("base.0.source", 0, 9999), "the array base.0.source has numbers"),
    ("fhmm", putting("base.1.of_target", 0, -1), "the array base.1.of_target has counts below zero"),
    ("fhmm", putting("base.2.units", (0, 0), 1e30), "the array base.2.units has counts below zero, or more"),
    ("fhmm-forms", putting("base.listed.source", 0, 255), "the lemmas are not text"),
    ("fhmm-forms", lambda saved: saved.tensors.pop("base.listed.source"), "the array base.listed.source is missing"),
    ("ibm2", putting("forward.start", 1, 1), "forward.start does not say where whole rows begin"),
    ("ibm2", putting("forward.values", 0, 0.0), "forward.values has numbers"),
    ("ibm3", putting("forward.observed_classes", 0, 1), "forward.observed_classes has numbers"),
    ("ibm4", putting("reverse.state_classes", 0, 40), "reverse.state_classes has numbers that are not from 0 to below"),
    ("ibm4", putting("forward.head", (0, 0, 0), 0.0), "forward.head has numbers"),
    ("ibm4", making("forward.pegging", lambda a: np.array([7], np.uint8).view(np.bool_)), "neither true nor false"),
    ("hmm", lambda saved: saved.tensors.update(extra=np.zeros(1)), "the array extra is not one that this version"),
    ("ibm1", lambda saved: saved.tensors.update({"base.0.units": np.zeros(1)}), "the array base.0.units is not one"),
]


@pytest.mark.parametrize(
    ("kind", "change", "problem"), ARRAYS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_arrays_are_checked(kind, change, problem, tmp_path):
    message = refusal(kind, change, tmp_path)
    assert message.startswith(f"{tmp_path / 'm'}: parameters.safetensors: ")
    assert problem in message
    assert message.endswith(CHANGED.strip("$"))


MANIFESTS = [
    ("hmm", setting("files", value={}), "files: there is no parameters.safetensors, source.json, target.json"),
    ("hmm", setting("files", value={"../secret": {}}), "files: this version of pralign does not know '../secret'"),
    ("hmm", setting("files", value=None), "files is None"),
    (
        "hmm",
        setting("settings", "future", value=1),
        "settings: this version of pralign does not know 'future'; a newer",
    ),
    ("hmm", setting("settings", value=[]), r"settings is [], which is not an object"),
    ("hmm", without("settings", "prefix"), "settings: there is no prefix"),
    ("hmm", setting("settings", "prefix", value=2.5), "settings: prefix is 2.5, which is not a whole number or null"),
    ("hmm", setting("settings", "alpha", value=float("nan")), "settings: alpha is nan, which is not a number"),
    ("hmm", setting("settings", "max_length", value=10**400), "settings: max_length is "),
    ("hmm", setting("settings", "thresholds", value=[0.5, 2.0, 0.5]), "settings: thresholds is"),
    ("hmm", setting("settings", "given", value=["colour"]), "settings: given"),
    ("hmm", setting("settings", "model", value="ibm1"), "settings or history are of another model"),
    (
        "hmm",
        setting("history", 0, "iteration", value="1"),
        "iteration is '1', which is not a whole number",
    ),
    ("hmm", setting("history", 0, "log_likelihood", value=[1]), "log_likelihood is [1], which is not a list of 2"),
    (
        "hmm",
        setting("history", 0, "mood", value="good"),
        "an iteration of the history: this version of pralign does not",
    ),
    ("hmm", setting("colour", value="\x1b[31m"), "the manifest: this version of pralign does not know 'colour'"),
    ("hmm", without("history"), "the manifest: there is no history"),
    ("matching-boosting", setting("learned", "threshold", value="x"), "learned: threshold is 'x'"),
    (
        "matching-boosting",
        setting("learned", "counts", "links", value=-1),
        "links is -1, which is not a whole number of",
    ),
    ("matching-boosting", setting("learned", "counts", "links_sure", value=10**6), "that no alignment can have"),
    ("matching-boosting", setting("learned", "alone", value=None), "the model alone is judged if there is one"),
    ("matching-boosting", setting("predictions", value=3), "predictions is 3, which does not go with the features"),
    ("matching-plain", setting("generative", value=True), "generative says whether a feature needs posteriors"),
    ("matching-plain", setting("features", 2, "state", value=[5, 4]), "common has words that are not in order"),
    ("matching-plain", setting("features", 2, "state", value=[10**9]), "an item of features: common is 1000000000"),
    ("matching-plain", setting("features", 0, "state", value=[1]), "features: dice has a state, but needs none"),
    ("matching-plain", setting("settings", "radius", value="10"), "settings: radius is '10', which is not a number"),
]


@pytest.mark.parametrize(
    ("kind", "change", "problem"), MANIFESTS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_manifests_are_checked(kind, change, problem, tmp_path):
    message = refusal(kind, change, tmp_path)
    assert message.startswith(f"{tmp_path / 'm'}: manifest.json: ")
    assert problem in message
    assert "\x1b" not in message


MATCHINGS = [
    ("matching-boosting", putting("classifier.trees.left", 0, 0), "trees.left has children that do not come after"),
    ("matching-boosting", putting("classifier.trees.right", 0, 10**6), "trees.right has numbers"),
    ("matching-boosting", putting("classifier.trees.feature", 0, 999), "trees.feature has numbers"),
    ("matching-boosting", putting("classifier.roots", 0, 1), "classifier.roots"),
    ("matching-boosting", putting("classifier.edges", (0, 0), np.nan), "edges has values that are not finite"),
    ("matching-boosting", putting("classifier.deviation", 0, 0.0), "classifier.deviation has numbers"),
    ("matching-plain", putting("weights", -1, -1.0), "weights has costs of further links below zero"),
    ("matching-plain", putting("scaling.deviation", 0, 1e-30), "weights has weights above"),
    ("matching-plain", making("weights", lambda a: a[:-1]), "columns, but had"),
    ("matching-plain", putting("dice.value", 0, 2.0), "dice.value has numbers"),
    ("matching-plain", putting("dice.source", 0, -1), "dice.source has numbers"),
    (
        "matching-plain",
        lambda saved: saved.tensors.update({"classifier.mean": np.zeros(1)}),
        "classifier.mean is not one",
    ),
]


@pytest.mark.parametrize(
    ("kind", "change", "problem"), MATCHINGS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_matching_models_are_checked(kind, change, problem, tmp_path):
    if "deviation" in problem or problem.startswith("weights has weights"):  # a weight that is not zero, to be divided
        before = change

        def change(saved):
            before(saved)
            if "weights" in saved.tensors:
                saved.tensors["weights"][0] = 1e5

    message = refusal(kind, change, tmp_path)
    assert problem in message
    assert message.endswith("; the matching model was changed or damaged; train it again")


def test_the_generative_model_inside_is_checked_too(tmp_path):
    message = refusal("matching-boosting", lambda saved: putting("lexicon.source", 0, 10**6)(saved.inner), tmp_path)
    assert message.startswith(f"{tmp_path / 'm' / 'model'}: parameters.safetensors: the array lexicon.source")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["a", "a", "b"], "a word is there twice"),
        (["a", 1], "it is not a list of words"),
        ({"a": 1}, "it is not a list of words"),
        ("abc", "it is not a list of words"),
        (None, "it is not a list of words"),
    ],
)
def test_words_are_checked(words, problem, tmp_path):
    message = refusal("hmm", lambda saved: saved.words.update(source=words), tmp_path)
    assert message.startswith(f"{tmp_path / 'm'}: source.json: {problem}")


def test_words_that_are_too_few_do_not_go_with_the_arrays(tmp_path):
    message = refusal("hmm", lambda saved: saved.words["target"].pop(), tmp_path)
    assert "parameters.safetensors: the array words.null_to_target has the shape" in message


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("decode", "dice", "there is no way to decode"),
        ("symmetrize", "x", "symmetri"),
        ("estimator", "x", "there is no estimator called 'x'"),
        ("threshold", 5.0, "a threshold is a probability"),
        ("iterations", "hmm=" + "9" * 5000, "is not a stage of training"),
        ("iterations", "ibm1=1", "the iterations end with ibm1 but the model is hmm"),
        ("preset", "x", "there is no preset called 'x'"),
        ("alpha", 1e200, "alpha is a number above 0"),
        ("smoothing", 1e200, "smoothing is added to counts"),
        ("max_length", 10**6, "max length is a number of words"),
    ],
)
def test_settings_that_cannot_be_are_refused(name, value, problem, tmp_path):
    message = refusal("hmm", setting("settings", name, value=value), tmp_path)
    assert message.startswith(f"{tmp_path / 'm'}: its settings cannot be used: ")
    assert problem in message
    assert len(message) < 500


# Arrays of models that others have written


@dataclass(frozen=True)
class Guarded(IBM1):
    """A model with an array that it does not declare."""

    name = "guarded"
    numbers: np.ndarray = field(default_factory=lambda: np.zeros(2))

    def tensors(self):
        return {"numbers": self.numbers}

    @classmethod
    def schema(cls):
        return None

    @classmethod
    def from_tensors(cls, tensors):
        first, second = tensors["numbers"]
        return cls(np.array([first, second]))


def test_a_model_that_does_not_declare_its_arrays_gets_finite_numbers_or_none(tmp_path):
    with MODELS.restored():
        register_model(Guarded)
        Aligner(model="guarded", threads=1).fit([("a b", "x y")]).save(tmp_path / "m")
        Aligner.load(tmp_path / "m")
        for number, (array, problem) in enumerate(
            [
                (np.array([np.nan, 1.0]), "the array forward.numbers has values that are not finite numbers"),
                (np.zeros(3), r"the forward model cannot be made of its arrays \(ValueError: too many values"),
            ]
        ):
            saved = Saved.read(tmp_path / "m")
            saved.tensors["forward.numbers"] = array
            saved.write(tmp_path / str(number))
            with pytest.raises(ModelError, match=problem):
                Aligner.load(tmp_path / str(number))


def test_a_name_of_a_file_that_is_no_text_can_be_saved(tmp_path):
    prior = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.tsv")
    Path(prior).write_text("the\tla\n", encoding="utf-8")
    Aligner(model="ibm1", estimator="collapsed", prior=[prior], threads=1).fit([("the", "la")]).save(tmp_path / "m")
    assert Aligner.load(tmp_path / "m").settings.priors == [prior]


@pytest.mark.parametrize("kind", ["hmm-vb", "ibm1", "fhmm"])
def test_counts_that_no_text_has_are_not_gone_on_with(kind, tmp_path):
    # In units they would not fit 64 bits, and what would be made of them has no end.
    saved = untouched(kind).copy()
    for name in ("words.normalizers.source", "words.normalizers.target"):
        saved.tensors[name] = np.full_like(saved.tensors[name], 2.0**52)
    saved.write(tmp_path / "m")
    aligner = Aligner.load(tmp_path / "m", threads=1)
    with pytest.raises(InputError, match="add up to more than can be counted"):
        aligner.partial_fit([("the small house", "la petite maison")])
    with pytest.raises(InputError, match="add up to more than can be counted"):
        Aligner(preset="fast", prior=[tmp_path / "m"], threads=1).fit([("the house", "la maison")])
