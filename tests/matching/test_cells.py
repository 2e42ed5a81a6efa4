"""Cells: which word meets which, and where."""

from __future__ import annotations

import numpy as np

from matching.cases import ASKED, TEXT, all_cells, extractor
from pralign import Alignment
from pralign.text.corpus import Corpus
from pralign.text.normalisation import Normalisation

PLACES = [
    (k, i, j, len(source), len(target))
    for k, (source, target) in enumerate(ASKED)
    for i in range(len(source))
    for j in range(len(target))
]


def spelled(cells):
    source = [*cells.context.association.source.words, *cells.corpus.unknown]
    target = [*cells.context.association.target.words, *cells.corpus.unknown]
    return [(source[s], target[t]) for s, t in zip(cells.source.tolist(), cells.target.tolist(), strict=True)]


def test_cells_lie_pair_by_pair_and_source_word_by_source_word():
    cells = all_cells(extractor("dice"), ASKED)
    found = zip(cells.pair, cells.row, cells.column, cells.rows, cells.columns, strict=True)
    assert [tuple(int(part) for part in cell) for cell in found] == PLACES
    assert cells.size == len(PLACES)
    assert np.diff(cells.cell_start).tolist() == [len(source) * len(target) for source, target in ASKED]
    assert np.diff(cells.shapes.source_start).tolist() == cells.source_lengths.tolist()
    assert np.diff(cells.shapes.target_start).tolist() == cells.target_lengths.tolist()
    assert spelled(cells) == [(ASKED[k][0][i], ASKED[k][1][j]) for k, i, j, *_ in PLACES]


def test_cells_of_some_pairs_are_counted_from_zero():
    features = extractor("dice")
    text = features.text(ASKED)
    chosen = np.array([1, 4])
    cells = text.cells(chosen)
    assert spelled(cells) == [(s, t) for k in chosen for s in ASKED[k][0] for t in ASKED[k][1]]
    assert set(cells.pair.tolist()) == {0, 1}
    whole = all_cells(features, ASKED)
    assert np.array_equal(cells.distance, whole.distance[np.isin(whole.pair, chosen)])


def test_pairs_with_an_empty_side_have_no_cells():
    text = extractor("dice").text(TEXT)
    assert text.usable.tolist() == [k for k, (source, target) in enumerate(TEXT) if source and target]
    assert text.source_lengths.size == len(TEXT)
    assert np.concatenate(list(text.blocks())).tolist() == text.usable.tolist()
    assert text.cells(np.array([5, 6])).size == 0
    assert np.diff(text.shapes.cell_start).tolist() == [len(a) * len(b) for a, b in TEXT if a and b]


def test_a_number_of_words_is_asked_for_once_for_every_two():
    cells = all_cells(extractor("dice"), [*ASKED, *ASKED])
    asked = []

    def number(source, target):
        asked.append((source, target))
        return len(asked)

    found = cells.of_words(number)
    words = spelled(cells)
    assert sorted(asked) == sorted(set(words))
    assert found.tolist() == [asked.index(two) + 1 for two in words]


def test_no_cells_ask_for_no_numbers():
    cells = extractor("dice").text(TEXT).cells(np.array([5]))
    assert cells.of_words(lambda source, target: 1 / 0).size == 0


def test_the_diagonal_stays_inside_the_pair():
    cells = all_cells(extractor("dice"), ASKED)
    values = np.arange(1, cells.size + 1, dtype=np.float32)
    by_place = {place[:3]: value for place, value in zip(PLACES, values.tolist(), strict=True)}
    for step in (1, -1, 2, -3, 0):
        expected = [by_place.get((k, i + step, j + step), 0.0) for k, i, j, *_ in PLACES]
        assert cells.diagonal(values, step).tolist() == expected
        assert step == 0 or 0 < np.count_nonzero(expected) < len(expected)


def test_distance_is_zero_where_words_have_the_same_relative_place():
    cells = all_cells(extractor("dice"), [(["a"], ["b"]), (["a", "b"], ["c", "d"]), (["a"], ["b", "c", "d"])])
    np.testing.assert_allclose(cells.distance, [0, 0, 0.5, 0.5, 0, 1 / 3, 0, 1 / 3], rtol=1e-6)


def test_marks_are_where_the_links_are():
    text = extractor("dice").text(ASKED)
    pairs = np.array([3, 0])
    marks = text.marks(pairs, [Alignment.of([(0, 2)]), Alignment.of([(0, 0), (2, 3)], possible=[(3, 0)])])
    assert np.flatnonzero(marks).tolist() == [2, 3, 3 + 2 * 4 + 3, 3 + 3 * 4]
    assert marks.size == 3 + 16


def test_text_is_numbered_as_the_association_does():
    features = extractor("dice")
    known = features.context.association
    corpus = Corpus.encode(ASKED, Normalisation(), known.source, known.target)
    assert np.array_equal(features.text(ASKED).corpus.texts.source, corpus.texts.source)
    assert corpus.unknown.count("zorro") == 1
