"""What can be pairs: all of these are the same three pairs."""

from __future__ import annotations

import numpy as np
import pytest

from pralign import Aligner, Bitext
from pralign.errors import UsageError
from pralign.text.pairs import as_pairs

SOURCES, TARGETS = ["the house", "the cat", "a house"], ["la maison", "le chat", "une maison"]
PAIRS = list(zip(SOURCES, TARGETS, strict=True))
COLUMNS = {"id": [7, 8, 9], "en": SOURCES, "fr": TARGETS}
WORDS = {"en": [text.split() for text in SOURCES], "fr": [text.split() for text in TARGETS]}
ROWS = [{"en": source, "fr": target} for source, target in PAIRS]
TRANSLATIONS = [{"id": str(n), "translation": row} for n, row in enumerate(ROWS)]


class Dataset:
    """What ``datasets`` has: names of columns, columns that are no lists, and rows that are dictionaries."""

    def __init__(self, rows):
        self._rows = rows
        self.column_names = list(rows[0])

    def __getitem__(self, name):
        return (row[name] for row in self._rows)

    def __iter__(self):
        return iter(self._rows)

    def __len__(self):
        return len(self._rows)


class Stream:
    """A dataset that is streamed knows nothing of its columns."""

    column_names = None

    def __init__(self, rows):
        self._rows = rows

    def __iter__(self):
        return iter(self._rows)


def read(*given):
    """The pairs as strings, whatever their sentences are."""
    return [tuple(side if isinstance(side, str) else " ".join(side) for side in pair) for pair in as_pairs(*given)]


@pytest.mark.parametrize(
    "given",
    [
        (PAIRS,),
        (tuple(PAIRS),),
        ([list(pair) for pair in PAIRS],),
        ([([*source.split()], (*target.split(),)) for source, target in PAIRS],),
        (np.array(PAIRS),),
        (Bitext(PAIRS),),
        (SOURCES, TARGETS),
        (np.array(SOURCES), tuple(TARGETS)),
        (WORDS["en"], TARGETS),
        (COLUMNS,),
        (WORDS,),
        (ROWS,),
        (TRANSLATIONS,),
        (Dataset(ROWS),),
        (Dataset(TRANSLATIONS),),
        (Dataset([{"n": n, **row} for n, row in enumerate(ROWS)]),),
        (Stream(ROWS),),
        (Stream(TRANSLATIONS),),
        (Dataset(ROWS)["en"], Dataset(ROWS)["fr"]),
    ],
    ids=lambda given: f"{type(given[0]).__name__} {len(given)}",
)
def test_python_and_numpy(given):
    assert read(*given) == PAIRS


@pytest.mark.parametrize(
    "make",
    [
        lambda pandas: (pandas.DataFrame(COLUMNS),),
        lambda pandas: (pandas.DataFrame(COLUMNS, dtype=object),),
        lambda pandas: (pandas.DataFrame(COLUMNS, index=["x", "y", "z"]),),
        lambda pandas: (pandas.DataFrame(WORDS),),
        lambda pandas: (pandas.DataFrame(COLUMNS)["en"], pandas.DataFrame(COLUMNS).fr),
        lambda pandas: (pandas.DataFrame(COLUMNS)["en"], TARGETS),
        lambda pandas: (pandas.DataFrame(COLUMNS)[["en", "fr"]].itertuples(index=False),),
        lambda pandas: (pandas.DataFrame(COLUMNS)[["en", "fr"]].values,),
        lambda pandas: (pandas.DataFrame(TRANSLATIONS),),
    ],
)
def test_pandas(make):
    assert read(*make(pytest.importorskip("pandas"))) == PAIRS


@pytest.mark.parametrize(
    "make",
    [
        lambda polars: (polars.DataFrame(COLUMNS),),
        lambda polars: (polars.DataFrame(WORDS),),
        lambda polars: (polars.DataFrame(COLUMNS)["en"], polars.Series(TARGETS)),
        lambda polars: (polars.DataFrame(COLUMNS).select("en", "fr").iter_rows(),),
        lambda polars: (polars.DataFrame(COLUMNS).to_dicts(),),
        lambda polars: (polars.DataFrame(TRANSLATIONS),),
    ],
)
def test_polars(make):
    assert read(*make(pytest.importorskip("polars"))) == PAIRS


@pytest.mark.parametrize(
    "make",
    [
        lambda arrow: (arrow.table(COLUMNS),),
        lambda arrow: (arrow.table(COLUMNS).to_batches()[0],),
        lambda arrow: (arrow.table(WORDS),),
        lambda arrow: (arrow.table(COLUMNS)["en"], arrow.array(TARGETS)),
        lambda arrow: (arrow.table(COLUMNS).to_pylist(),),
        lambda arrow: (arrow.Table.from_pylist(TRANSLATIONS),),
    ],
)
def test_arrow(make):
    assert read(*make(pytest.importorskip("pyarrow"))) == PAIRS


@pytest.mark.parametrize(
    "given",
    [
        {"en": SOURCES, "de": ["x", "y", "z"], "fr": TARGETS},
        [{**row, "de": "x"} for row in ROWS],
        [{"id": 1, "translation": {**row, "de": "x"}} for row in ROWS],
        Dataset([{**row, "de": "x"} for row in ROWS]),
    ],
    ids=["columns", "rows", "translations", "dataset"],
)
def test_columns_can_be_named(given):
    assert list(Bitext(given, columns=("en", "fr"))) == PAIRS
    assert list(Bitext(given, columns=["fr", "en"])) == [(target, source) for source, target in PAIRS]
    with pytest.raises(UsageError, match="there are 3 among"):
        Bitext(given)


def test_pairs_are_read_once_and_no_further_than_needed():
    taken = []

    def pairs():
        for number, pair in enumerate(PAIRS):
            taken.append(number)
            yield pair

    stream = iter(as_pairs(pairs()))
    assert taken == []
    assert next(stream) == PAIRS[0]
    assert taken == [0]
    assert [pair is given for pair, given in zip(as_pairs(PAIRS), PAIRS, strict=True)] == [True] * 3


def test_a_bitext_stays_what_it_is():
    bitext = Bitext(PAIRS)
    assert as_pairs(bitext) is bitext
    assert list(bitext) == list(bitext) == PAIRS


def test_all_methods_take_two_lists():
    quick = {"model": "ibm1", "iterations": {"ibm1": 2}, "threads": 1, "threshold": "auto"}
    by_pairs, by_lists = Aligner(**quick).fit(PAIRS), Aligner(**quick).fit(SOURCES, TARGETS)
    expected = list(by_pairs.align(PAIRS))
    assert list(by_lists.align(SOURCES, TARGETS)) == expected
    assert list(Aligner(**quick).fit_align(SOURCES, TARGETS)) == expected
    assert [answer.alignment for answer in Aligner(**quick).fit_decode(SOURCES, TARGETS)] == expected
    assert [answer.alignment for answer in by_lists.decode_pairs(SOURCES, TARGETS)] == expected
    assert list(Aligner(**quick).partial_fit(SOURCES, TARGETS).align(COLUMNS)) == expected
    assert by_lists.adapt_threshold(SOURCES, TARGETS).thresholds_ == by_pairs.adapt_threshold(PAIRS).thresholds_
    assert by_lists.match_viterbi(SOURCES, TARGETS).thresholds_ == by_pairs.match_viterbi(PAIRS).thresholds_
    numbers = np.array([1])
    seen, expected = by_lists.observer(SOURCES, TARGETS)(numbers), by_pairs.observer(PAIRS)(numbers)
    np.testing.assert_array_equal(seen.mean, expected.mean)


def test_columns_that_can_be_read_only_once_are_refused():
    with pytest.raises(UsageError, match="not iterators"):
        list(as_pairs({"en": iter(["a", "b"]), "fr": iter(["c", "d"])}))


# Where the sentences of a row are


@pytest.mark.parametrize(
    ("rows", "columns", "pair"),
    [
        ([{"en": "a", "fr": "b", "meta": {"x": "c", "y": "d"}}], None, ("a", "b")),
        ([{"id": "x", "of": "y", "translation": {"en": "a", "fr": "b"}}], None, ("a", "b")),
        ([{"pair": {"en": "a", "fr": "b"}, "n": 1}], None, ("a", "b")),
        ([{"meta": {"x": 1}, "translation": {"en": "a", "fr": "b"}}], ("en", "fr"), ("a", "b")),
        ([{"en": "a", "fr": "b", "translation": {"en": "c", "fr": "d"}}], ("en", "fr"), ("a", "b")),
        ([{"en": [], "fr": "b", "n": 1}], None, ([], "b")),
    ],
)
def test_two_fields_of_a_row_or_of_one_of_its_fields_are_the_sentences(rows, columns, pair):
    assert list(as_pairs(rows, columns=columns)) == [pair]


def test_a_message_lists_no_more_names_than_people_read():
    with pytest.raises(UsageError) as caught:
        list(as_pairs([{f"field {number}" * 50: 1 for number in range(1000)}]))
    assert "and 980 more" in str(caught.value)
    assert len(str(caught.value)) < 1500
