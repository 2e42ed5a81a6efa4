"""The examples run, and do what they say."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from expectations import satisfied
from pralign import Aligner, Bitext, sample
from pralign.constraints import CONSTRAINTS, Constraint
from pralign.links.formats import FORMATS
from pralign.links.symmetrization import SYMMETRIZERS
from pralign.matching.features import FEATURES
from pralign.models import MODELS

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parent.parent / "examples"
SAMPLE = list(Bitext.read(sample.SOURCE, sample.TARGET))


@pytest.fixture(autouse=True)
def registries() -> Iterator[None]:
    """What an example registers is forgotten after it."""
    with ExitStack() as stack:
        for registry in (CONSTRAINTS, FEATURES, FORMATS, MODELS, SYMMETRIZERS):
            stack.enter_context(registry.restored())
        yield


def run(name: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    return capsys.readouterr().out.splitlines()


def load(name: str) -> dict[str, Any]:
    """What an example defines."""
    return runpy.run_path(str(EXAMPLES / name))


def aer(line: str) -> float:
    return float(line.split()[-1])


def decimals(line: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+\.\d\d", line)]


def test_own_jumps_are_as_good_with_two_numbers_as_with_twelve(capsys: pytest.CaptureFixture[str]) -> None:
    usual, falling = run("own_jumps.py", capsys)
    errors = [float(re.findall(r"AER (\d+\.\d)", line)[0]) for line in (usual, falling)]
    assert errors[1] < errors[0] + 1
    weights = decimals(falling.partition("jumps")[2])
    assert len(weights) == 12
    assert weights[:7] == sorted(weights[:7])
    assert weights[6:11] == sorted(weights[6:11], reverse=True)


def test_own_model_beats_the_model_it_extends(capsys: pytest.CaptureFixture[str]) -> None:
    plain, diagonal = run("own_model.py", capsys)
    assert aer(diagonal) < aer(plain)


def test_own_symmetrizer_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    intersection, fill, grown = run("own_symmetrizer.py", capsys)
    assert len({aer(intersection), aer(fill), aer(grown)}) == 3


def test_own_format_writes_the_linked_words(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run("own_format.py", capsys)
    assert lines[0] == "0\t0\t0\tAnna\tAnna"
    assert len(lines) > 3000


# Constraints


def fitted(pairs: Iterable[tuple[str, str]], **settings: Any) -> Aligner:
    return Aligner(**{"iterations": "ibm1=5,hmm=3", "threads": 1, **settings}).fit(pairs)


def concerned(constraint: Constraint, pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pairs of which the constraint wants something."""
    return [(s, t) for s, t in pairs if list(constraint.features(s.lower().split(), t.lower().split()))]


def test_a_dictionary_raises_the_posteriors_of_its_entries(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run("own_dictionary.py", capsys)
    assert len(lines) == 5
    for line in lines:
        without, learned, projected = decimals(line)
        assert learned > without
        assert projected > 0.88


def test_a_dictionary_holds_for_each_word_in_both_directions() -> None:
    constraint = load("own_dictionary.py")["Dictionary"](frozenset({("apple", "pommes"), ("the", "la"), ("the", "le")}))
    pairs = concerned(constraint, SAMPLE)
    plain, helped = fitted(SAMPLE), fitted(SAMPLE, constraint=constraint)
    assert len(pairs) > 100
    assert sum(not satisfied(constraint, plain, *pair) for pair in pairs) > 50
    assert all(satisfied(constraint, helped, *pair) for pair in pairs)
    # Two words on each side translate each other, and each may choose.
    forward, reverse, _ = helped.posteriors("The boss ate the apple .", "La patronne a mangé les pommes de la ville .")
    assert forward[[0, 3]][:, [0, 7]].sum(axis=0).min() > 0.89
    assert reverse[[0, 3]][:, [0, 7]].sum(axis=1).min() > 0.89
    assert min(forward[4, 5], reverse[4, 5]) > 0.89


def test_equal_words_are_linked(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run("own_equal_words.py", capsys)
    without, helped = lines[::2], lines[1::2]
    numbers = [{f"{n}-{n}" for n in group} for group in ((12, 80), (7, 3), (9, 2), (45, 54), (1998, 6))]
    for wanted, before, after in zip(numbers, without, helped, strict=True):
        assert not wanted & set(before.split())
        assert wanted | {".-."} <= set(after.split())


def test_equal_words_are_learned_from() -> None:
    example = load("own_equal_words.py")
    pairs, constraint = example["PAIRS"], example["EqualWords"]()
    plain, helped = fitted(pairs), fitted(pairs, constraint=constraint)
    assert not any(satisfied(constraint, plain, *pair) for pair in pairs)
    assert all(satisfied(constraint, helped, *pair) for pair in pairs)
    assert satisfied(constraint, helped, "4 , 4 and x1 .", "x1 . et 4 !")  # words it has never seen
    learned = helped.model_.with_settings(project_at_decode=False)
    for source, target in pairs:
        places = [(source.split().index(w), target.split().index(w)) for w in source.split() if w.isdecimal()]
        before, after = plain.posteriors(source, target).mean, learned.posteriors(source, target).mean
        assert all(after[place] > before[place] + 0.1 for place in places)


def test_words_with_letters_need_not_be_linked_to_their_equals() -> None:
    features = list(load("own_equal_words.py")["EqualWords"]().features(["7", "a1", "?"], ["a1", "7", "7"]))
    assert [(dict(feature.forward), dict(feature.reverse)) for feature in features] == [
        ({(0, 1): -1}, {}),
        ({(0, 2): -1}, {}),
        ({}, {(0, 1): -1, (0, 2): -1}),
    ]


def test_a_word_explains_few_others(capsys: pytest.CaptureFixture[str]) -> None:
    without, learned, projected = (decimals(line) for line in run("own_fertility.py", capsys))
    assert len(without) == len(learned) == len(projected) == 1
    assert without[0] > 3.5
    assert 2 < learned[0] < without[0] - 1
    assert projected[0] <= 2.01


def test_only_the_named_word_is_bounded() -> None:
    example = load("own_fertility.py")
    constraint = example["Fertility"]("the", most=0.5)
    plain, bounded = fitted(SAMPLE), fitted(SAMPLE, constraint=constraint)
    pairs = concerned(constraint, SAMPLE)
    assert len(pairs) > 100
    assert all(satisfied(constraint, bounded, *pair) for pair in pairs)
    others = [pair for pair in SAMPLE if pair not in pairs]
    models = {"plain": plain.model_, "bounded": bounded.model_}
    fertility = {name: example["fertilities"](model, others, "a") for name, model in models.items()}
    assert np.mean(fertility["bounded"]) > 0.9 * np.mean(fertility["plain"])


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60


# Labelled pairs


def test_labelled_pairs_make_alignments_better(capsys: pytest.CaptureFixture[str]) -> None:
    before, dice, after = run("labelled_pairs.py", capsys)
    assert aer(after) < aer(before) < aer(dice)


def test_own_feature_gets_a_weight(capsys: pytest.CaptureFixture[str]) -> None:
    [line] = [line for line in run("own_feature.py", capsys) if line.startswith("length")]
    assert float(line.split()[-1]) < 0
