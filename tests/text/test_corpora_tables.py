"""Tables as text, with commas or tabs."""

from __future__ import annotations

import csv
import gzip
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.errors import InputError, UsageError
from pralign.text.bitext import Bitext
from pralign.text.corpora.delimited import delimiter_of
from pralign.text.files import lines_up_to


def bitext(folder, text, name="pairs.csv", **choice):
    data = text if isinstance(text, bytes) else text.encode()
    (folder / name).write_bytes(data)
    return Bitext.read(folder / name, **choice)


def read(folder, text, name="pairs.csv", **choice):
    return list(bitext(folder, text, name, **choice))


def extras(folder, text, name="pairs.csv", **choice):
    return [row.extras for row in bitext(folder, text, name, **choice).rows()]


# Comma-separated values


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("the house,la maison\n", [("the house", "la maison")]),
        ("a,b", [("a", "b")]),
        ("a;b\nc;d\n", [("a", "b"), ("c", "d")]),
        ("a\tb\nc, e\td\n", [("a", "b"), ("c, e", "d")]),
        ('"Hello, you",Bonjour\n', [("Hello, you", "Bonjour")]),
        ('"Hello, you";"Bonjour, toi"\n', [("Hello, you", "Bonjour, toi")]),
        ('"say ""hi""",b\n', [('say "hi"', "b")]),
        ('5" long,b\nc,d\n', [('5" long', "b"), ("c", "d")]),
        ('"two\nlines",b\nc,d\n', [("two lines", "b"), ("c", "d")]),
        ('"two\r\n\r\n  lines\r\n",b\r\nc,d\r\n', [("two lines", "b"), ("c", "d")]),
        ("a,b\n\n , \nc,d\n", [("a", "b"), ("", ""), ("", ""), ("c", "d")]),
        ("a,\n,b\n", [("a", ""), ("", "b")]),
        ("a,b,c,d\n", [("a", "b")]),
        ("\ufeffa,b\n", [("a", "b")]),
        ('\ufeff"a","b"\n', [("a", "b")]),
        ("a\u2028b,c\x0bd\n", [("a\u2028b", "c\x0bd")]),
        ("", []),
        ("\n", [("", "")]),
    ],
)
def test_records_are_pairs(tmp_path, text, pairs):
    assert read(tmp_path, text) == pairs
    assert read(tmp_path, gzip.compress(text.encode()), "pairs.csv.gz") == pairs
    assert read(tmp_path, text, "pairs", layout="csv") == pairs


FIELD = st.text(st.sampled_from('ab ",;\té家\u2028\xa0'), max_size=6)


@settings(deadline=None)
@given(
    records=st.lists(st.tuples(FIELD, FIELD, FIELD), max_size=5),
    delimiter=st.sampled_from(",;\t"),
    end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
)
def test_what_others_write_is_read(tmp_path_factory, records, delimiter, end, quoting):
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator=end, quoting=quoting)
    writer.writerow(["id", "en", "fr"])
    writer.writerows(records)
    folder = tmp_path_factory.mktemp("table")
    rows = list(bitext(folder, stream.getvalue(), columns="fr,en").rows())
    blank = [not any(field.strip(" \t") for field in record) for record in records]
    expected = [
        ("", "", {}) if empty else (target, source, {"id": number})
        for empty, (number, source, target) in zip(blank, records, strict=True)
    ]
    assert [tuple(row) for row in rows] == expected


@pytest.mark.parametrize(
    ("line", "delimiter"),
    [("a,b", ","), ("a;b", ";"), ("a\tb", "\t"), ("a", ","), ('"a,b,c";d', ";"), ('"a,b', ","), ("a;b,c", ",")],
)
def test_what_is_most_frequent_outside_of_quotes_is_between_columns(line, delimiter):
    assert delimiter_of(line) == delimiter


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\nc\n", "pairs.csv, line 2: 1 column, but the sentences should be in columns 1 and 2"),
        ('"a\nb",c\n\n"d",e\nf\n', "pairs.csv, line 5: 1 column"),
        ('a,b\n"c"d,e\n', "pairs.csv, line 2: no comma-separated values (',' expected after '\"')"),
        ('a,b\n"c,d\ne,f\n', "pairs.csv, line 2: no comma-separated values (unexpected end of data)"),
        (b"a,b\nc,\xff\n", "pairs.csv, line 2, byte 3: 0xff is not valid UTF-8"),
        ("a," + "," * 20_000, "pairs.csv, line 1: 20,002 columns"),
        (b"PAR1\x15\x04", "this is a Parquet table"),
    ],
)
def test_a_record_that_is_none_is_named(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        list(bitext(tmp_path, text, "pairs.csv"))
    assert message in str(caught.value)


def test_a_quote_that_is_not_closed_does_not_swallow_the_file(tmp_path):
    text = 'a,b\n"c,d\n' + "e,f\n" * 1000
    with lines_up_to(1000), pytest.raises(InputError, match=r"line 2: a record of more than 1,000 characters, perhaps"):
        read(tmp_path, text)


def test_a_large_field_is_read(tmp_path):
    before = csv.field_size_limit()
    assert read(tmp_path, f"{'a' * 300_000},b") == [("a" * 300_000, "b")]
    assert csv.field_size_limit() >= before


# Columns and headers


TABLE = "id,en,fr,origin\n1,the house,la maison,x\n2,a cat,un chat,y\n"
PAIRS = [("the house", "la maison"), ("a cat", "un chat")]


@pytest.mark.parametrize("name", ["pairs.csv", "pairs.tsv", "pairs"])
def test_columns_are_chosen_by_name_or_number(tmp_path, name):
    layout = {} if "." in name else {"layout": "csv"}
    text = TABLE if name != "pairs.tsv" else TABLE.replace(",", "\t")
    assert read(tmp_path, text, name, columns="en,fr", **layout) == PAIRS
    assert read(tmp_path, text, name, columns=("fr", "en"), **layout) == [(right, left) for left, right in PAIRS]
    assert read(tmp_path, text, name, columns="2,3", header=True, **layout) == PAIRS
    assert read(tmp_path, text, name, columns="2,fr", **layout) == PAIRS
    assert read(tmp_path, text, name, columns="2,3", **layout) == [("en", "fr"), *PAIRS]
    assert read(tmp_path, text, name, columns="2,3", header=False, **layout) == [("en", "fr"), *PAIRS]
    assert read(tmp_path, text, name, header=True, **layout) == [("1", "the house"), ("2", "a cat")]


def test_a_name_that_is_a_number_counts_as_a_name_if_there_is_a_header(tmp_path):
    assert read(tmp_path, "2,1\na,b\n", columns="1,2", header=True) == [("b", "a")]


def test_other_columns_travel_along(tmp_path):
    assert extras(tmp_path, TABLE, columns="en,fr") == [{"id": "1", "origin": "x"}, {"id": "2", "origin": "y"}]
    assert extras(tmp_path, "a,b,c,d\n\ne,f\n") == [{"3": "c", "4": "d"}, {}, {}]
    found = extras(tmp_path, "en,fr,,x,x\na,b,1,2,3,4\n", columns="en,fr")
    assert found == [{"3": "1", "x": "2", "x_5": "3", "6": "4"}]
    assert extras(tmp_path, "en, fr ,x\na,b,c\n", columns="en,fr") == [{"x": "c"}]


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"columns": "en,es"}, "pairs.csv has no column 'es'; there are id, en, fr, origin"),
        ({"columns": "en,9"}, "pairs.csv has no column '9'; there are"),
        ({"columns": "en,fr", "header": False}, "has no header, so that columns are numbers, such as 1,2, not 'en'"),
        ({"columns": "0,1"}, "columns are numbers, such as 1,2, not '0'"),
        ({"columns": f"1,{'9' * 5000}"}, "columns are numbers"),
        ({"columns": "٣,1"}, "columns are numbers"),
        ({"columns": "en,2", "header": True}, "en and 2 are the same column"),
    ],
)
def test_a_column_that_is_not_there_is_named(tmp_path, monkeypatch, choice, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        read(tmp_path, TABLE, **choice)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("columns", ["en", "en,fr,de", "en,", ",", "", "en,en", ("en",)])
def test_columns_are_two_names(tmp_path, columns):
    with pytest.raises(UsageError, match="columns are two names, that of the source first, such as en,fr, not"):
        read(tmp_path, TABLE, columns=columns)


def test_a_name_that_several_columns_have_must_be_a_number(tmp_path):
    text = "en,fr,en\na,b,c\n"
    with pytest.raises(UsageError, match=r"has 2 columns 'en'; say which by their numbers, such as --header --columns"):
        read(tmp_path, text, columns="en,fr")
    assert read(tmp_path, text, columns="3,fr") == [("c", "b")]


def test_a_table_that_is_empty_or_only_a_header_has_no_pairs(tmp_path):
    assert read(tmp_path, "en,fr\n", columns="en,fr") == []
    assert read(tmp_path, "", header=True) == []
    with pytest.raises(UsageError, match="there are none"):
        read(tmp_path, "", columns="en,fr")


def test_a_header_in_quotes_with_a_mark_before_it(tmp_path):
    assert read(tmp_path, '\ufeff"en";"fr"\na;b\n', columns="en,fr") == [("a", "b")]
    text = "\ufeffen;fr\nété;x\n"
    assert read(tmp_path, text.encode("utf-16-le"), columns="en,fr") == [("été", "x")]


# Tab-separated values


def test_without_a_choice_tabs_are_read_line_by_line_as_ever(tmp_path):
    found = bitext(tmp_path, 'a "b\tx" y\tz\n', "pairs.tsv")
    assert found.reader is None
    assert list(found) == [('a "b', 'x" y')]
    with pytest.raises(InputError, match="line 2: no tab between the source and the target sentence"):
        read(tmp_path, "a\tb\nc\n", "pairs.tsv")


def test_quotes_mean_nothing_between_tabs(tmp_path):
    text = 'en\tfr\n"a\t"b"\n\n \t \nc\td\n'
    assert read(tmp_path, text, "pairs.tsv", columns="en,fr") == [('"a', '"b"'), ("", ""), ("", ""), ("c", "d")]
    with pytest.raises(InputError, match="line 2: 1 column, but the sentences should be in columns 1 and 2"):
        read(tmp_path, "en\tfr\na\n", "pairs.tsv", columns="en,fr")


def test_a_choice_without_a_name_that_tells_means_tabs(tmp_path):
    assert read(tmp_path, "x\ten\tfr\n1\ta\tb\n", "pairs.txt", columns="en,fr") == [("a", "b")]
