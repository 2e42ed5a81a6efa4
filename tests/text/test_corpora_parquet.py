"""Parquet tables."""

from __future__ import annotations

import datetime
import decimal
import json
import os
import sys
import threading
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.errors import InputError, UsageError
from pralign.text.bitext import Bitext
from pralign.text.corpora import parquet as module
from pralign.text.files import lines_up_to

from .apart import read_apart

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def bitext(folder, columns, choice=None, name="pairs.parquet", **options):
    table = columns if isinstance(columns, arrow.Table) else arrow.table(columns)
    parquet.write_table(table, folder / name, **options)
    return Bitext.read(folder / name, columns=choice)


def read(folder, columns, choice=None, **options):
    found = bitext(folder, columns, choice, **options)
    pairs = list(found)
    assert [(row.source, row.target) for row in found.rows()] == pairs
    return pairs


def extras(folder, columns, choice="en,fr"):
    return [row.extras for row in bitext(folder, columns, choice).rows()]


EN, FR = ["the house", None, "a\n cat"], ["la maison", "un chien", "un chat"]
PAIRS = [("the house", "la maison"), ("", "un chien"), ("a cat", "un chat")]


# Kinds of columns


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
def test_columns_of_text(tmp_path, kind):
    types = {
        "string": arrow.string(),
        "large_string": arrow.large_string(),
        "string_view": arrow.string_view(),
        "dictionary": arrow.dictionary(arrow.int32(), arrow.string()),
    }
    columns = {"n": [1, 2, 3], "en": arrow.array(EN, types[kind]), "fr": arrow.array(FR, arrow.string())}
    assert read(tmp_path, columns) == PAIRS
    assert read(tmp_path, columns, "fr,en") == [(right, left) for left, right in PAIRS]


@pytest.mark.parametrize("kind", ["list", "large_list", "fixed", "dictionary"])
def test_columns_of_words(tmp_path, kind):
    word = arrow.dictionary(arrow.int32(), arrow.string()) if kind == "dictionary" else arrow.string()
    types = {"large_list": arrow.large_list(word), "fixed": arrow.list_(word, 2)}
    words = [["the", "old house"], None, ["a", "cat"]]
    column = arrow.array(words, types.get(kind, arrow.list_(arrow.string())))
    assert read(tmp_path, {"en": column, "fr": FR}) == [
        (["the", "old house"], "la maison"),
        ("", "un chien"),
        (["a", "cat"], "un chat"),
    ]


def test_a_column_of_nulls_is_empty_sentences(tmp_path):
    nothing = arrow.nulls(2)
    assert read(tmp_path, {"en": ["a", "b"], "fr": nothing}) == [("a", ""), ("b", "")]
    assert read(tmp_path, {"en": nothing, "fr": arrow.nulls(2, arrow.string()), "n": [1, 2]}) == [("", ""), ("", "")]


def test_a_column_of_structs_may_hold_both(tmp_path):
    rows = [{"en": "a", "fr": "b", "de": "c"}, None, {"en": None, "fr": "d", "de": None}]
    columns = {"id": ["1", "2", "3"], "translation": rows}
    assert read(tmp_path, columns, "en,fr") == [("a", "b"), ("", ""), ("", "d")]
    pair = [{"en": "a", "fr": "b"}]
    assert read(tmp_path, {"id": ["1"], "source": ["x"], "translation": pair}) == [("a", "b")]
    assert read(tmp_path, {"en": ["c"], "fr": ["d"], "meta": pair}) == [("c", "d")]
    assert read(tmp_path, {"en": ["c"], "fr": ["d"], "meta": pair}, "en,fr") == [("c", "d")]


WORD = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=4)


@settings(deadline=None)
@given(
    rows=st.lists(st.tuples(st.none() | WORD, st.none() | st.lists(WORD, max_size=3), st.integers(0, 9)), max_size=20),
    group=st.integers(1, 7),
    at_a_time=st.integers(1, 7),
    compression=st.sampled_from(["none", "snappy", "zstd", "gzip"]),
)
def test_every_row_is_a_pair_however_it_is_stored(tmp_path_factory, rows, group, at_a_time, compression):
    kinds = {"en": arrow.string(), "fr": arrow.list_(arrow.string()), "n": arrow.int64()}
    columns = {name: arrow.array([row[k] for row in rows], kind) for k, (name, kind) in enumerate(kinds.items())}
    folder = tmp_path_factory.mktemp("table")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MOST_ROWS", at_a_time)
        found = bitext(folder, columns, row_group_size=group, compression=compression)
        assert list(found) == [(source or "", "" if target is None else target) for source, target, _ in rows]
        assert list(found) == list(found)
        assert [row.extras for row in found.rows()] == [{"n": number} for _, _, number in rows]


# Choices


@pytest.mark.parametrize(
    ("columns", "choice", "message"),
    [
        (
            {"en": ["a"], "fr": ["b"], "de": ["c"]},
            None,
            "two columns of text are needed, and there are 3 among en (str)",
        ),
        ({"en": ["a"], "n": [1]}, None, "and there are 1 among en (str), n (int)"),
        ({"en": ["a"], "fr": ["b"]}, "en,es", "there is no column 'es'; there are en, fr"),
        ({"t": [{"en": "a", "fr": "b"}]}, "en,es", "there is no column 'es'; there are en, fr"),
        ({"en": ["a"], "n": [1]}, "en,n", "the column 'n' does not hold text or lists of words"),
        ({"en": ["a"], "n": [[1]]}, "en,n", "the column 'n' does not hold text"),
        ({"en": ["a"], "n": [b"x"]}, "en,n", "the column 'n' does not hold text"),
    ],
)
def test_columns_that_cannot_be_meant_are_named(tmp_path, columns, choice, message):
    with pytest.raises(UsageError) as caught:
        read(tmp_path, columns, choice)
    assert "pairs.parquet: " in str(caught.value)
    assert message in str(caught.value)


def test_a_name_that_two_columns_have_is_refused_only_if_it_is_meant(tmp_path):
    arrays = [arrow.array([text]) for text in "abcde"]
    table = arrow.Table.from_arrays(arrays, names=["en", "fr", "x", "x", "y"])
    assert extras(tmp_path, table) == [{"y": "e"}]
    with pytest.raises(UsageError, match="there are several columns 'x'"):
        read(tmp_path, table, "en,x")


# What travels along


def test_other_columns_travel_along_as_json_can_hold_them(tmp_path):
    columns = {
        "en": ["a"],
        "n": [1],
        "fr": ["b"],
        "f": [float("nan")],
        "list": [[1.5, float("inf"), None]],
        "struct": [{"x": [True]}],
        "date": [datetime.date(2020, 2, 29)],
        "time": arrow.array([10**18 + 1], arrow.timestamp("ns")),
        "money": [decimal.Decimal("1.50")],
        "bytes": [b"\xff"],
        "word": arrow.array(["x"]).dictionary_encode(),
        "dates": [[datetime.date(2020, 2, 29)]],
        "null": arrow.nulls(1),
    }
    [found] = extras(tmp_path, columns)
    time = found.pop("time")
    assert time.startswith("2001-09-09 01:46:40.000000001")
    assert found == {
        "n": 1,
        "f": None,
        "list": [1.5, None, None],
        "struct": {"x": [True]},
        "date": "2020-02-29",
        "money": "1.50",
        "word": "x",
        "null": None,
    }
    json.dumps(found, allow_nan=False)


def test_sentences_alone_need_no_other_column(tmp_path, monkeypatch):
    asked = []
    original = module.batches_of
    monkeypatch.setattr(module, "batches_of", lambda path, columns: asked.append(columns) or original(path, columns))
    found = bitext(tmp_path, {"n": [1], "en": ["a"], "fr": ["b"]})
    assert list(found) == [("a", "b")]
    assert asked == [["en", "fr"]]


# What is refused


@pytest.mark.parametrize("data", [b"", b"PAR1", b"en,fr\na,b\n" * 10, b"PAR1" + b"\0" * 100 + b"PAR1"])
def test_what_is_no_parquet_is_refused(tmp_path, data):
    path = tmp_path / "pairs.parquet"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"pairs\.parquet: no Parquet file, or a damaged one: ") as caught:
        list(Bitext.read(path))
    assert len(str(caught.value)) < 500


def test_a_damaged_file_is_refused(tmp_path):
    bitext(tmp_path, {"en": [f"the house {k}" for k in range(5000)], "fr": ["x"] * 5000})
    path = tmp_path / "pairs.parquet"
    whole = path.read_bytes()
    for data in (whole[:-10], whole[: len(whole) // 2], whole[:2000] + b"\x55" * 500 + whole[2500:]):
        path.write_bytes(data)
        with pytest.raises(InputError, match="a damaged one"):
            list(Bitext.read(path))


def test_text_that_is_none_is_refused(tmp_path):
    # Whoever writes columns may claim anything of their bytes.
    buffers = arrow.array([b"fine", b"\xff\xfe"], arrow.binary()).buffers()
    claimed = arrow.Array.from_buffers(arrow.string(), 2, buffers)
    with pytest.raises(InputError, match=r"rows 1 to 2: damaged text in the column 'en'"):
        read(tmp_path, {"en": claimed, "fr": ["a", "b"]})


def test_a_word_that_is_null_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"pairs\.parquet, row 2: a word of a list is null"):
        read(tmp_path, {"en": [["a"], ["b", None]], "fr": ["a", "b"]})


def test_a_sentence_has_a_largest_size(tmp_path):
    with lines_up_to(10), pytest.raises(InputError, match=r"row 2: longer than 10 characters; .*--max-line"):
        read(tmp_path, {"en": ["a", "b" * 11], "fr": ["a", "b"]})


@pytest.mark.parametrize("name", ["missing.parquet", "."])
def test_a_file_that_cannot_be_opened_is_named(tmp_path, name):
    with pytest.raises(InputError, match="cannot read: "):
        list(Bitext.read(tmp_path / name, layout="parquet"))


def test_parquet_comes_from_no_pipe(tmp_path):
    with pytest.raises(UsageError, match="standard input: Parquet cannot be read from standard input or a pipe"):
        list(Bitext.read("-", layout="parquet"))
    os.mkfifo(tmp_path / "pipe")

    def write() -> None:
        with suppress(BrokenPipeError):  # nobody has to read it
            (tmp_path / "pipe").write_bytes(b"PAR1")

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    with pytest.raises(UsageError, match="or a pipe; name a file"):
        list(Bitext.read(tmp_path / "pipe", layout="parquet"))
    writer.join(5)


def test_pyarrow_is_named_if_it_is_missing(tmp_path, monkeypatch):
    bitext(tmp_path, {"en": ["a"], "fr": ["b"]})
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(UsageError, match=r"this needs pyarrow, .* pip install 'pralign\[arrow\]'"):
        list(Bitext.read(tmp_path / "pairs.parquet"))


# Memory


def test_memory_does_not_grow_with_a_group_of_rows(tmp_path):
    peaks = []
    for rows in (300_000, 900_000):
        numbers = [number * 7919 % 1_000_003 for number in range(rows)]
        columns = {
            "en": [f"{number} sentences of some words, of which there are many" for number in numbers],
            "fr": list(map(str, numbers)),
        }
        bitext(tmp_path, columns, row_group_size=rows, compression="none", use_dictionary=False)
        found = read_apart(tmp_path / "pairs.parquet", "en,fr")
        assert (found.pairs, found.error) == (rows, None)
        peaks.append(found.peak)
    assert (tmp_path / "pairs.parquet").stat().st_size > 40_000_000
    assert peaks[1] - peaks[0] < 12 << 20


def test_rows_that_are_large_come_few_at_a_time():
    class Group:
        total_byte_size = 1 << 40

    class Metadata:
        num_row_groups, num_rows = 2, 1 << 20

        def row_group(self, number):
            return Group()

    assert module._rows_at_a_time(Metadata()) == 32
