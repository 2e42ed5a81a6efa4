"""Each group of features against its definition, in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from matching.cases import ASKED, TEXT, all_cells, extractor, flat, gold_of
from oracles import naive_features as naive
from pralign import Aligner
from pralign.engine import ThreadEngine
from pralign.errors import UsageError
from pralign.matching import Kinds, MatchingAligner, WordFeature, register_feature
from pralign.matching.association import Association
from pralign.matching.cells import Cells, Context, Posteriors
from pralign.matching.extraction import Extractor
from pralign.matching.features import FEATURES, Common, get_feature
from pralign.text.normalisation import Normalisation

# Single precision, and sums of some squares.
CLOSE = {"rtol": 2e-6, "atol": 1e-6}

NAIVE = {
    "dice": lambda source, target: [naive.dice_grid(TEXT, source, target)],
    "distance": lambda source, target: naive.naive_distance(TEXT, source, target),
    "neighbours": lambda source, target: naive.naive_neighbours(TEXT, source, target),
    "frequency": lambda source, target: naive.naive_frequency(TEXT, source, target),
    "shape": lambda source, target: naive.naive_shape(source, target),
}


@pytest.fixture
def registry():
    """Features that are registered here are forgotten afterwards."""
    with FEATURES.restored():
        yield


@pytest.mark.parametrize("name", NAIVE)
def test_numbers_are_those_of_the_definition(name):
    features = extractor(name)
    found = list(features.values(all_cells(features, ASKED)))
    expected = list(zip(*(NAIVE[name](*pair) for pair in ASKED), strict=True))
    assert len(found) == len(expected) == len(features.columns) == features.number_count
    for (_, column), values, grids in zip(features.columns, found, expected, strict=True):
        np.testing.assert_allclose(values.astype(float), flat(grids), err_msg=column, **CLOSE)
        assert np.any(flat(grids)), f"nothing is tested by {column}"


def test_a_cell_does_not_depend_on_other_pairs():
    features = extractor(*NAIVE)
    together = list(features.values(all_cells(features, ASKED)))
    alone = [list(features.values(all_cells(features, [pair]))) for pair in ASKED]
    for column, values in enumerate(together):
        assert np.array_equal(values, np.concatenate([parts[column] for parts in alone]))


def test_unknown_words_have_no_dice_and_the_last_rank():
    features = extractor("dice", "frequency")
    dice, frequency = features.values(all_cells(features, [(["zorro"], ["zorro", "la"])]))
    assert dice.tolist() == [0, 0]
    sides = [len({word for pair in TEXT for word in pair[side]}) for side in (0, 1)]
    expected = [abs(np.log(sides[0] + 1) - np.log(sides[1] + 1)), np.log(sides[0] + 1)]
    np.testing.assert_allclose(frequency, expected, **CLOSE)


def test_unknown_words_are_compared_by_their_letters():
    features = extractor("shape")
    equal, plain, bones, share, short = features.values(
        all_cells(features, [(["zebré", "zebre", "été"], ["zèbre", "zebre", "zabra", "ota", "ae"])])
    )
    assert equal.reshape(3, 5)[1].tolist() == [False, True, False, False, False]
    assert plain.reshape(3, 5)[0].tolist() == [True, True, False, False, False]
    assert bones.reshape(3, 5).tolist() == [[True, True, True, False, False]] * 2 + [[False, False, False, True, False]]
    np.testing.assert_allclose(share.reshape(3, 5)[0], [1, 1, 3 / 5, 0, 1 / 5], **CLOSE)
    assert short.reshape(3, 5).tolist() == [[False] * 5] * 2 + [[False, False, False, True, True]]


def test_words_of_vowels_alone_are_not_equal_without_vowels():
    features = extractor("shape")
    *_, bones, _, _ = features.values(all_cells(features, [(["eau", "a"], ["oui", "a"])]))
    assert not bones.any()


def test_at_the_edges_of_a_sentence_there_are_no_neighbours():
    features = extractor("neighbours")
    pair = TEXT[1]
    found = [column.reshape(4, 4) for column in features.values(all_cells(features, [pair]))]
    for following, previous in (found[:2], found[2:]):
        assert not following[-1].any()
        assert not following[:, -1].any()
        assert not previous[0].any()
        assert not previous[:, 0].any()
    dice = np.array(naive.dice_grid(TEXT, *pair))
    np.testing.assert_allclose(found[0][:3, :3], dice[1:, 1:], **CLOSE)
    np.testing.assert_allclose(found[1][1:, 1:], dice[:3, :3], **CLOSE)


def test_shares_add_up_to_one_where_there_is_anything_to_share():
    features = extractor("distance")
    cells = all_cells(features, [TEXT[1], (["zorro", "house"], ["la", "maison"])])
    of_source, of_target = cells.nearby_shares
    np.testing.assert_allclose(of_source[:16].reshape(4, 4).sum(axis=1), 1, rtol=1e-6)
    np.testing.assert_allclose(of_target[:16].reshape(4, 4).sum(axis=0), 1, rtol=1e-6)
    np.testing.assert_allclose(of_source[16:].reshape(2, 2).sum(axis=1), [0, 1], rtol=1e-6)
    np.testing.assert_allclose(of_target[16:].reshape(2, 2)[1], 1, rtol=1e-6)


# Words that are met again and again


LABELLED = [
    (["the", "cat", "is", "here"], ["le", "chat", "chat", "est"]),
    (["cat", "cat", "cat"], ["chat", "chien"]),
    (["the", "cat"], ["chat", "zorro", "chien"]),
    (["zorro", "zorro"], ["zorro", "chien"]),
]


def naive_common(labelled):
    """Every two of the five most frequent words that have a letter, and those that meet in three labelled pairs."""
    ranks = [naive.naive_ranks([pair[side] for pair in TEXT]) for side in (0, 1)]
    most = [[word for word in words if any(letter.isalnum() for letter in word)][:5] for words in ranks]
    met = {}
    for source, target in labelled:
        for two in {(s, t) for s in source for t in target if s in ranks[0] and t in ranks[1]}:
            met[two] = met.get(two, 0) + 1
    frequent = {(s, t) for s in most[0] for t in most[1]}
    return frequent, {two for two, times in met.items() if times >= 3}


def test_common_words_are_those_of_the_definition():
    features = extractor("common", settle_on=LABELLED)
    frequent, met = naive_common(LABELLED)
    assert len(frequent) == 25
    assert met - frequent == {("cat", "chat")}  # and not those unknown to the text, or with a dog in two pairs
    names = [name for _, name in features.columns]
    assert set(names) == {f"{s} ~ {t}" for s, t in frequent | met}
    assert len(set(names)) == len(names)
    assert features.number_count == 0
    pairs = [*LABELLED, *ASKED]
    kinds = features.kinds[0].kinds(all_cells(features, pairs)).tolist()
    words = [(s, t) for source, target in pairs for s in source for t in target]
    expected = [names.index(f"{s} ~ {t}") if (s, t) in frequent | met else -1 for s, t in words]
    assert kinds == expected
    assert max(kinds) > 0 > min(kinds)


def test_words_that_meet_in_two_labelled_pairs_are_not_common():
    features = extractor("common", settle_on=LABELLED[:2])
    assert ("common", "cat ~ chat") not in features.columns
    assert len(features.columns) == 25


def test_words_may_meet_in_different_blocks():
    common = get_feature("common")()
    features = extractor("common")
    text = features.text(LABELLED)
    common.settle(features.context, [text.cells(np.array([0, 1])), text.cells(np.array([2, 3]))])
    assert "cat ~ chat" in common.columns(features.context)


def test_common_words_come_back_from_their_state():
    features = extractor("common", settle_on=LABELLED)
    again = get_feature("common")()
    again.restore(features.kinds[0].state(), features.context)
    cells = all_cells(features, LABELLED)
    assert again.columns(features.context) == features.kinds[0].columns(features.context)
    assert np.array_equal(again.kinds(cells), features.kinds[0].kinds(cells))


# Other models


def test_posteriors_are_those_of_the_definition():
    features = extractor("posteriors")
    shapes = [(3, 4), (1, 1), (1, 3), (4, 1)]
    rng = np.random.default_rng(0)
    grids = [tuple(rng.random((2, *shape)).astype(np.float32)) for shape in shapes]
    grids[0][0][0] = [0, 1, 0.5, 1e-7]
    pairs = [([f"s{i}" for i in range(rows)], [f"t{j}" for j in range(columns)]) for rows, columns in shapes]
    plain = all_cells(features, pairs)
    posteriors = Posteriors(*(np.concatenate([grid[side].ravel() for grid in grids]) for side in (0, 1)))
    cells = Cells(plain.context, plain.text, plain.pairs, posteriors)
    found = list(features.values(cells))
    expected = zip(*(naive.naive_posteriors(*(side.tolist() for side in grid)) for grid in grids), strict=True)
    for (_, name), values, column in zip(features.columns, found, expected, strict=True):
        # Near one, half a unit in the last place of a probability is a lot in log-odds.
        close = {"rtol": 2e-4, "atol": 1e-3} if "odds" in name else CLOSE
        np.testing.assert_allclose(values, flat(column), err_msg=name, **close)


def test_the_model_is_asked_for_its_posteriors():
    model = Aligner(model="ibm1", threads=1).fit(TEXT)
    features = extractor("posteriors", model=model)
    forward, reverse, mean, *_ = features.values(all_cells(features, ASKED))
    expected = [model.posteriors(*pair) for pair in ASKED]
    np.testing.assert_allclose(forward, flat([grid.forward.tolist() for grid in expected]), **CLOSE)
    np.testing.assert_allclose(reverse, flat([grid.reverse.tolist() for grid in expected]), **CLOSE)
    np.testing.assert_allclose(mean, flat([grid.mean.tolist() for grid in expected]), **CLOSE)
    assert not np.array_equal(forward, reverse)


def test_posteriors_need_a_model():
    features = extractor("posteriors")
    with pytest.raises(UsageError, match="needs a generative model"):
        list(features.values(all_cells(features, ASKED)))


PREDICTED = [
    [gold_of((0, 0), (3, 2)), gold_of((1, 2), possible=[(0, 1)])],
    [gold_of((0, 0), (1, 1)), gold_of((0, 1))],
    [gold_of((0, 0)), gold_of()],
]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_predictions_are_links_that_others_made(count):
    features = extractor("predictions", predictions=count)
    found = list(features.values(all_cells(features, ASKED[:2], PREDICTED[:count])))
    marks = []
    for alignments in PREDICTED[:count]:
        cells = [
            (i, j) in alignment.links
            for (source, target), alignment in zip(ASKED, alignments, strict=False)
            for i in range(len(source))
            for j in range(len(target))
        ]
        marks.append(cells)
    expected = marks if count == 1 else [*marks, [all(cell) for cell in zip(*marks, strict=True)]]
    assert [column.tolist() for column in found] == expected
    assert len(features.columns) == len(expected)
    assert any(expected[-1])
    assert features.columns[-1][1] == ("all predictions" if count > 1 else "prediction 1")


# Features of one's own


def test_a_feature_of_ones_own_is_a_number_of_two_words(registry):
    asked = []

    @register_feature
    class SameLength(WordFeature):
        name = "same-length"

        def value(self, source, target):
            asked.append((source, target))
            return len(source) - 0.5 * len(target)

    features = extractor("same-length")
    [column] = features.values(all_cells(features, ASKED))
    words = [(s, t) for source, target in ASKED for s in source for t in target]
    assert column.dtype == np.float32
    assert column.tolist() == [len(s) - 0.5 * len(t) for s, t in words]
    assert sorted(asked) == sorted(set(words))
    assert features.columns == [("same-length", "same-length")]


def test_a_feature_of_ones_own_is_learned_from(registry):
    @register_feature
    class Secret(WordFeature):
        name = "secret"

        def value(self, source, target):
            return float({"one": "deux", "two": "un"}.get(source) == target)

    pairs = [("one two", "un deux"), ("two one", "un deux")]
    labelled = [(*pairs[0], gold_of((0, 1), (1, 0))), (*pairs[1], gold_of((0, 0), (1, 1)))]
    aligner = MatchingAligner(features=["secret"], rounds=20, threads=1).fit(pairs, labelled=labelled)
    assert next(aligner.align([("two one two", "deux un")])).links in {((0, 1), (1, 0)), ((1, 0), (2, 1))}


def test_kinds_of_ones_own_have_a_weight_each(registry):
    @register_feature
    class FirstLetter(Kinds):
        name = "first"

        def columns(self, context):
            return ["both first", "both last"]

        def kinds(self, cells):
            last = (cells.row == cells.rows - 1) & (cells.column == cells.columns - 1)
            return np.where((cells.row == 0) & (cells.column == 0), 0, np.where(last, 1, -1)).astype(np.int32)

    features = extractor("dice", "first")
    assert features.columns == [("dice", "dice"), ("first", "both first"), ("first", "both last")]
    assert features.kind_starts == [1]
    cells = all_cells(features, [(["the", "house"], ["la", "maison"])])
    scores = features.scores(cells, np.array([2.0, 10.0, 20.0]), 0.5)
    dice = naive.dice_grid(TEXT, ["the", "house"], ["la", "maison"])
    expected = 0.5 + 2 * flat([dice]) + [10, 0, 0, 20]
    np.testing.assert_allclose(scores, expected, **CLOSE)


def test_there_is_one_bias_and_numbers_come_before_kinds():
    features = extractor("common", "dice", "distance")
    assert features.columns[features.bias] == ("distance", "bias")
    assert [group for group, _ in features.columns[: features.number_count]] == ["dice"] + ["distance"] * 7
    assert {group for group, _ in features.columns[features.number_count :]} == {"common"}
    assert extractor("dice").bias is None


def test_unknown_features_are_named_with_those_there_are():
    with pytest.raises(UsageError, match=r"no feature 'dize'; there are .*dice"):
        get_feature("dize")


def test_of_too_many_words_that_meet_the_most_frequent_get_weights(monkeypatch):
    pairs = [("a b", "x y")] * 5 + [("a c", "x z")] * 3
    association = Association.learn(pairs, Normalisation(), ThreadEngine(1))
    monkeypatch.setattr("pralign.matching.features.common.MOST_FREQUENT", 0)

    def weighed(most):
        monkeypatch.setattr("pralign.matching.features.common.MOST_MET", most)
        extractor = Extractor((Common(),), Context(association))
        extractor.features[0].settle(extractor.context, [extractor.text(pairs).cells(np.arange(8))])
        return set(extractor.features[0].columns(extractor.context))

    often = {"a ~ x", "a ~ y", "b ~ x", "b ~ y"}
    assert weighed(7) == often | {"a ~ z", "c ~ x", "c ~ z"}
    assert weighed(6) == often
    assert weighed(3) == {"a ~ x"}
