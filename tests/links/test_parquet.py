"""Alignments as a column of Parquet tables."""

from __future__ import annotations

import json
import math
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.errors import InputError, OutputError, UsageError
from pralign.links.alignment import Alignment
from pralign.links.formats import Record
from pralign.links.parquet import write_parquet
from pralign.text.bitext import Bitext
from pralign.text.tokens import words_of

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

LINK = "struct<source: int32, target: int32, probability: float>"


def records(bitext, alignment="0-0"):
    """What is written of a text, each pair of which has the same links."""
    given = Alignment.of(alignment)
    return [Record(given, words_of(row.source), words_of(row.target), -1.5, row.extras) for row in bitext.rows()]


def table_of(folder, bitext, given=None):
    path = folder / "out.parquet"
    write_parquet(path, records(bitext) if given is None else given, bitext)
    return parquet.read_table(path)


def from_lines(folder, *lines):
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "pairs.jsonl").write_text(text)
    return Bitext.read(folder / "pairs.jsonl", columns="en,fr")


def from_table(folder, columns, choice="en,fr", **options):
    table = columns if isinstance(columns, arrow.Table) else arrow.table(columns)
    parquet.write_table(table, folder / "pairs.parquet", **options)
    return Bitext.read(folder / "pairs.parquet", columns=choice)


# The column


def test_the_column_has_links_with_probabilities_and_a_score(tmp_path):
    bitext = Bitext([("a b", "x y"), ("c", "z"), ("", "w")])
    given = [
        Record(Alignment.of([(1, 0), (0, 1)], [0.25, 0.5]), ["a", "b"], ["x", "y"], -2.5),
        Record(Alignment.of("0-0"), ["c"], ["z"]),
        Record(Alignment(), [], ["w"], math.nan),
    ]
    table = table_of(tmp_path, bitext, given)
    assert table.to_pylist() == [
        {
            "source": ["a", "b"],
            "target": ["x", "y"],
            "alignment": {
                "links": [
                    {"source": 0, "target": 1, "probability": 0.5},
                    {"source": 1, "target": 0, "probability": 0.25},
                ],
                "score": -2.5,
            },
        },
        {
            "source": ["c"],
            "target": ["z"],
            "alignment": {"links": [{"source": 0, "target": 0, "probability": None}], "score": None},
        },
        {"source": [], "target": ["w"], "alignment": {"links": [], "score": None}},
    ]
    links = table.schema.field("alignment").type.field("links").type
    assert str(links.value_type) == LINK


@settings(deadline=None)
@given(
    alignments=st.lists(
        st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.floats(0, 1, width=32)), max_size=5), max_size=20
    )
)
def test_links_are_read_as_they_were_written(tmp_path_factory, alignments):
    bitext = Bitext([("a", "b")] * len(alignments))
    made = [Alignment.of([(i, j) for i, j, _ in links], [score for _, _, score in links]) for links in alignments]
    table = table_of(tmp_path_factory.mktemp("table"), bitext, [Record(each, ["a"], ["b"]) for each in made])
    for alignment, value in zip(made, table.column("alignment").to_pylist(), strict=True):
        assert [(link["source"], link["target"]) for link in value["links"]] == list(alignment.links)
        assert [link["probability"] for link in value["links"]] == list(alignment.scores or ())


# Beside the columns of a table


def test_columns_of_a_table_stay_as_they_are(tmp_path):
    columns = arrow.table(
        {
            "id": arrow.array(range(5000), arrow.uint16()),
            "en": arrow.array(["a b"] * 5000).dictionary_encode(),
            "blob": [b"\xff"] * 5000,
            "fr": arrow.array(["x"] * 5000, arrow.large_string()),
            "when": arrow.array([10**18 + 1] * 5000, arrow.timestamp("ns")),
            "nested": [[{"x": float("nan")}]] * 5000,
        }
    ).replace_schema_metadata({"who": "us"})
    bitext = from_table(tmp_path, columns, row_group_size=700)
    table = table_of(tmp_path, bitext)
    assert table.schema.names == [*columns.schema.names, "alignment"]
    assert table.drop_columns(["alignment"]).schema.equals(bitext_schema(tmp_path))
    assert table.schema.metadata[b"who"] == b"us"
    before = parquet.read_table(tmp_path / "pairs.parquet")
    for name in set(columns.schema.names) - {"nested"}:
        assert table.column(name).to_pylist() == before.column(name).to_pylist()
    assert table.num_rows == 5000


def bitext_schema(folder):
    return parquet.ParquetFile(folder / "pairs.parquet").schema_arrow


def test_alignments_go_with_the_rows_that_they_are_of(tmp_path):
    numbers = list(range(10_000))
    bitext = from_table(tmp_path, {"n": numbers, "en": ["a"] * 10_000, "fr": ["b"] * 10_000}, row_group_size=999)
    given = [Record(Alignment.of([(number, 0)]), ["a"], ["b"]) for number in numbers]
    table = table_of(tmp_path, bitext, given)
    links = [value["links"][0]["source"] for value in table.column("alignment").to_pylist()]
    assert table.column("n").to_pylist() == links == numbers


def test_a_column_of_that_name_gives_its_place(tmp_path):
    bitext = from_table(tmp_path, {"alignment": ["old"], "en": ["a"], "fr": ["b"]})
    table = table_of(tmp_path, bitext)
    assert table.schema.names == ["en", "fr", "alignment"]
    assert table.column("alignment").to_pylist()[0]["score"] == -1.5


def test_a_table_without_rows_keeps_its_columns(tmp_path):
    columns = {"en": arrow.array([], arrow.string()), "fr": arrow.array([], arrow.string()), "n": [1][:0]}
    table = table_of(tmp_path, from_table(tmp_path, columns))
    assert (table.num_rows, table.schema.names) == (0, ["en", "fr", "n", "alignment"])
    assert table_of(tmp_path, Bitext([])).schema.names == ["source", "target", "alignment"]


@pytest.mark.parametrize(("count", "message"), [(2, "fewer alignments than pairs"), (4, "more alignments than pairs")])
def test_there_must_be_an_alignment_for_each_pair(tmp_path, count, message):
    bitext = from_table(tmp_path, {"en": ["a"] * 3, "fr": ["b"] * 3})
    with pytest.raises(InputError, match=message):
        write_parquet(tmp_path / "out.parquet", [Record(Alignment(), ["a"], ["b"])] * count, bitext)
    assert not (tmp_path / "out.parquet").exists()


def test_what_is_added_to_a_table_is_written_too(tmp_path):
    bitext = from_table(tmp_path, {"en": ["a"], "fr": ["b"], "n": [1]})
    more = bitext.along_with([("c", "d")], lambda sentence: sentence.split())
    table = table_of(tmp_path, more)
    assert table.column("source").to_pylist() == [["a"], ["c"]]


# From other files


def test_fields_of_other_files_become_columns(tmp_path):
    bitext = from_lines(tmp_path, {"en": "the house", "fr": "la maison", "id": 7, "tags": ["x"], "ok": True})
    assert table_of(tmp_path, bitext).to_pylist() == [
        {
            "source": ["the", "house"],
            "target": ["la", "maison"],
            "id": 7,
            "tags": ["x"],
            "ok": True,
            "alignment": {"links": [{"source": 0, "target": 0, "probability": None}], "score": -1.5},
        }
    ]


def test_names_that_are_taken_get_something_added(tmp_path):
    line = {"en": "a", "fr": "b", "source": "web", "source_": 1, "target": 2, "alignment": 3, "": 4}
    table = table_of(tmp_path, from_lines(tmp_path, line))
    assert table.schema.names == ["source", "target", "source_", "source__", "target_", "alignment_", "", "alignment"]
    assert table.column("source_").to_pylist() == ["web"]


MANY = 3000  # rows, more than are written at a time
CHANGES = {
    "null then text": ([None, "x"], arrow.string(), ["x"]),
    "text then null": (["x", None], arrow.string(), [None]),
    "whole numbers then others": ([1, 2.5], arrow.float64(), [2.5]),
    "empty lists then words": ([[], ["x"]], arrow.list_(arrow.string()), [["x"]]),
    "more fields": ([{"a": 1}, {"b": "x"}], None, [{"a": None, "b": "x"}]),
    "numbers then text": ([1, "x"], arrow.string(), ["x"]),
    "text then numbers": (["x", 1], arrow.string(), ["1"]),
    "text then lists": (["x", ["y", 1]], arrow.string(), ['["y", 1]']),
    "mixed lists": ([[1, "x"], [{}]], arrow.string(), ["[{}]"]),
    "whole numbers, some large": ([1, 2**53 + 1], arrow.int64(), [2**53 + 1]),
    "large numbers then others": ([2**53 + 1, 0.5], arrow.string(), ["0.5"]),
    "larger numbers": ([1, 2**70], arrow.string(), [str(2**70)]),
    "nothing": ([None, None], arrow.string(), [None]),
    "objects without fields": ([{}, {}], arrow.string(), ["{}"]),
    "lists of these": ([[{"x": {}}], None], arrow.string(), [None]),
    "truth then numbers": ([True, 1], arrow.string(), ["1"]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_column_is_of_one_kind_whatever_comes_first(tmp_path, name):
    (first, last), kind, found = CHANGES[name]
    lines = [{"en": "a", "fr": "b", "x": first}] * MANY + [{"en": "a", "fr": "b", "x": last}]
    table = table_of(tmp_path, from_lines(tmp_path, *lines))
    assert table.num_rows == MANY + 1
    assert kind is None or table.schema.field("x").type == kind
    assert table.column("x").to_pylist()[-1:] == found
    assert {"source", "target", "alignment", "x"} == set(table.schema.names)


def test_a_field_that_comes_late_or_goes_is_null_elsewhere(tmp_path):
    lines = [{"en": "a", "fr": "b"}] * MANY + [{"en": "a", "fr": "b", "x": 1}] + [{"en": "a", "fr": "b"}] * MANY
    column = table_of(tmp_path, from_lines(tmp_path, *lines)).column("x").to_pylist()
    assert column == [None] * MANY + [1] + [None] * MANY


def test_objects_with_a_thousand_fields_are_written_as_text(tmp_path):
    lines = [{"en": "a", "fr": "b", "x": {f"{k} {j}": 1 for j in range(600)}} for k in range(3)]
    table = table_of(tmp_path, from_lines(tmp_path, *lines))
    assert table.schema.field("x").type == arrow.string()
    assert json.loads(table.column("x").to_pylist()[0]) == lines[0]["x"]


def test_too_many_fields_are_refused(tmp_path):
    lines = [{"en": "a", "fr": "b", f"x{number}": 1} for number in range(1001)]
    with pytest.raises(InputError, match="more than 1,000 different fields"):
        table_of(tmp_path, from_lines(tmp_path, *lines))


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text("ab", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("xy", max_size=2), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None)
@given(values=st.lists(JSON, min_size=1, max_size=5))
def test_whatever_json_holds_can_be_written(tmp_path_factory, values):
    folder = tmp_path_factory.mktemp("json")
    table = table_of(folder, from_lines(folder, *({"en": "a", "fr": "b", "x": value} for value in values)))
    found = table.column("x").to_pylist()
    assert len(found) == len(values)
    as_text = table.schema.field("x").type == arrow.string()
    for value, kept in zip(values, found, strict=True):
        if as_text and not isinstance(value, str | None):
            assert json.loads(kept) == value
        else:
            assert without_nulls(kept) == without_nulls(value)


def without_nulls(value):
    """The value without fields that are null, since all rows have the fields of all others."""
    if isinstance(value, dict):
        return {name: without_nulls(each) for name, each in value.items() if without_nulls(each) not in (None, {})}
    return [without_nulls(each) for each in value] if isinstance(value, list) else value


# Failures


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(OutputError, match=r"out\.parquet: cannot write"):
        write_parquet(tmp_path / "no" / "out.parquet", [], Bitext([]))
    with pytest.raises(OutputError, match="/dev/full: cannot write: No space left"):
        write_parquet("/dev/full", [Record(Alignment(), ["a"], ["b"])], Bitext([("a", "b")]))


def test_what_fails_elsewhere_is_not_called_a_failure_to_write(tmp_path):
    def failing():
        yield Record(Alignment(), ["a"], ["b"])
        raise OSError("the scratch disk is full")

    with pytest.raises(OSError, match="the scratch disk is full"):
        write_parquet(tmp_path / "out.parquet", failing(), Bitext([("a", "b")] * 2))
    assert list(tmp_path.iterdir()) == []


def test_pyarrow_is_named_if_it_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"pip install 'pralign\[arrow\]'"):
        write_parquet(tmp_path / "out.parquet", [], Bitext([]))
