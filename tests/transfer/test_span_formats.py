"""Files of texts with spans: what is written is read again, and what is wrong is named."""

from __future__ import annotations

import gzip
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.links.units import placed
from pralign.text.tokens import Tokens
from pralign.transfer.span_files import SPAN_FORMATS, CarriedDocument, Document, span_format_of
from pralign.transfer.span_files.bio import parse_bio, spans_of_tags
from pralign.transfer.span_files.brat import annotation_files, parse_brat
from pralign.transfer.span_files.jsonl import parse_jsonl
from pralign.transfer.span_files.standoff import parse_annotations
from pralign.transfer.spans import AnnotatedSpan, CarriedSpan, SpanAnswer, SpanTransfer

# Words of many scripts: marks that combine, joiners, what turns direction, blanks that are no spaces.
WORDS = [
    "Ann",
    "O",
    "#",
    "_",
    "דָּנָה",
    "عُمَر",
    "เชียงใหม่",
    "👩‍🚀",
    "🇫🇷",
    "é́",
    "10\u00a0000",
    "a\u2028b",
    "\u00a0",
    '"',
    "\\",
]
LABELS = ["PER", "B-LOC", "机构", "שם"]

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(Tokens.joined)


@st.composite
def documents(draw, overlapping=True):
    """Words with spans that begin and end with words."""
    words = draw(texts)
    ends = draw(st.lists(st.integers(0, len(words) - 1), max_size=6))
    pairs = [sorted(pair) for pair in zip(ends[::2], ends[1::2], strict=False)]
    found, taken = [], set()
    for first, last in pairs:
        covered = set(range(first, last + 1))
        if overlapping or not covered & taken:
            found.append(AnnotatedSpan(words.spans[first][0], words.spans[last][1], draw(st.sampled_from(LABELS))))
            taken |= covered
    return Document(words, tuple(found) if overlapping else tuple(sorted(found)))


def carried(document, target=None, alignment=None, **settings):
    """A document that is carried to its own words, or to others."""
    words = placed(document.text)
    target = words if target is None else placed(target)
    links = Alignment.of([(k, k) for k in range(len(words))]) if alignment is None else alignment
    return CarriedDocument(document, target, SpanTransfer(**settings)(words, document.spans, target, links))


def written(name, each):
    stream = io.StringIO()
    SPAN_FORMATS[name].write(stream, each)
    return stream.getvalue()


def lines_of(text):
    assert text == "" or text.endswith("\n")
    return text.split("\n")[:-1]


def plain(spans):
    return [span[:3] for span in spans]


# Names


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.jsonl", "jsonl"),
        ("a.b.NDJSON.zst", "jsonl"),
        ("a.jsonl.gz", "jsonl"),
        ("a.bio", "bio"),
        ("a.conll.xz", "bio"),
        ("a.iob", "bio"),
        ("folder.bio/a.ann", "brat"),
        ("a.ann.bz2", "brat"),
    ],
)
def test_a_name_tells_the_format(name, expected):
    assert span_format_of(name).name == expected


@pytest.mark.parametrize("name", ["a.txt", "a", "a.gz", "-", "a.jsonl.txt", ".bio"])
def test_a_name_that_tells_nothing_is_refused_with_what_there_is(name):
    with pytest.raises(UsageError, match=r"choose one: .*jsonl \(.jsonl, .ndjson\)"):
        span_format_of(name)


def test_there_are_three_formats_each_with_a_line_for_people():
    assert set(SPAN_FORMATS) == {"jsonl", "bio", "brat"}
    assert all(fmt.name == name and fmt.description for name, fmt in SPAN_FORMATS.items())


# JSON lines


def spans_line(text, *spans, **others):
    keys = ("start", "end", "label")
    items = [dict(zip(keys, span, strict=True)) for span in spans]
    return json.dumps({"text": text, "spans": items, **others})


@given(st.lists(documents(), max_size=3))
def test_jsonl_that_is_written_is_read_again(found):
    text = written("jsonl", [carried(document) for document in found])
    again = list(parse_jsonl(lines_of(text), "file"))
    assert [(document.text, plain(document.spans)) for document in again] == [
        (document.text.text, plain(document.spans)) for document in found
    ]


def test_jsonl_has_all_that_is_known_and_no_more():
    line = '{"id": 4, "text": "Ann Lee left", "spans": [{"start": 0, "end": 7, "label": "PER", "kb": ["Q1"]}, '
    line += '{"start": 8, "end": 12, "label": "VERB", "confidence": 0.9, "unsure": true}], "missing": [1]}'
    [document] = parse_jsonl([line], "file")
    assert document.extras == {"id": 4}
    assert document.where == "file, line 1"
    target, links = "Ann partit Li", Alignment.of("0-0 1-2", [1.0, 0.25])
    [out] = lines_of(written("jsonl", [carried(document, target, links)]))
    assert json.loads(out) == {
        "text": "Ann partit Li",
        "spans": [{"start": 0, "end": 13, "label": "PER", "confidence": 0.625, "kb": ["Q1"]}],
        "missing": [{"start": 8, "end": 12, "label": "VERB"}],
        "id": 4,
    }
    assert list(json.loads(out)) == ["text", "spans", "missing", "id"]
    [out] = lines_of(written("jsonl", [carried(document, target, links, threshold=0.7)]))
    assert json.loads(out)["spans"][0]["unsure"] is True


def test_a_blank_line_stays_a_blank_line():
    lines = [spans_line("Ann"), "", " ", spans_line("")]
    found = list(parse_jsonl(lines, "file"))
    assert [document.is_blank for document in found] == [False, True, True, False]
    out = lines_of(written("jsonl", [carried(document) for document in found]))
    assert out == ['{"text": "Ann", "spans": []}', "", "", '{"text": "", "spans": []}']


def test_scripts_are_written_as_they_are():
    [document] = parse_jsonl([spans_line("👩‍🚀 דָּנָה", (4, 10, "שם"))], "file")
    assert placed(document.text)[1] == document.text[4:10]
    assert '"👩‍🚀 דָּנָה"' in written("jsonl", [carried(document)])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "found '{'; expected an object like"),
        ("[1]", "found '[1]'; expected an object like"),
        ('"text"', "expected an object like"),
        ("null", "expected an object like"),
        ("[" * 100_000, "…'; expected an object like"),
        ('{"text": NaN}', "expected an object like"),
        ('{"text": "a", "spans": [], "x": 1e999}', "expected an object like"),
        ("{}", "found '{}'; expected a text as 'text'"),
        ('{"spans": []}', "expected a text as 'text'"),
        ('{"text": 3, "spans": []}', "found '3'; expected a text as 'text'"),
        ('{"text": ["a"], "spans": []}', "expected a text as 'text'"),
        ('{"text": "a"}', "expected a list as 'spans'"),
        ('{"text": "a", "spans": {}}', "found '{}'; expected a list as 'spans'"),
        ('{"text": "a", "spans": null}', "found 'null'; expected a list as 'spans'"),
        ('{"text": "a\\ud800", "spans": []}', "holds half of a character (a lone surrogate)"),
        ('{"text": "a", "spans": [], "\\udc00": 1}', "holds half of a character (a lone surrogate)"),
        ('{"text": "a", "spans": [3]}', "span 1: found '3'; expected an object like"),
        (spans_line("abc", (True, 2, "X")), "span 1: found 'true'; expected a whole number as 'start'"),
        (spans_line("abc", (0, 1, "X"), (0, 1.0, "X")), "span 2: found '1.0'; expected a whole number as 'end'"),
        (spans_line("abc", ("0", 2, "X")), "span 1: found '0'; expected a whole number as 'start'"),
        ('{"text": "a", "spans": [{"end": 1, "label": "X"}]}', "found 'null'; expected a whole number as 'start'"),
        (spans_line("abc", (0, 2, None)), "span 1: found 'null'; expected a text as 'label'"),
        (spans_line("abc", (0, 2, "")), "span 1: found ''; expected a text as 'label'"),
        (spans_line("abc", (0, 2, 7)), "span 1: found '7'; expected a text as 'label'"),
        (spans_line("abc", (0, 3, "X"), (1, 4, "X")), "span 2: found '[1, 4]'; expected places within the text, which"),
        (spans_line("👩‍🚀", (0, 4, "X")), "which has 3 characters"),
        (spans_line("abc", (-1, 2, "X")), "span 1: found '[-1, 2]'; expected places within the text"),
        (spans_line("abc", (10**40, 10**41, "X")), "expected places within the text"),
        (spans_line("abc", (2, 2, "X")), "span 1: found '[2, 2]'; expected a start before the end"),
        (spans_line("abc", (2, 1, "X")), "span 1: found '[2, 1]'; expected a start before the end"),
    ],
    ids=range(30),
)
def test_wrong_json_is_refused_with_its_place(line, message):
    with pytest.raises(InputError) as caught:
        list(parse_jsonl([spans_line("fine"), "", line], "names.jsonl"))
    assert str(caught.value).startswith("names.jsonl, line 3")
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400


def test_what_json_cannot_hold_is_refused_with_its_place():
    document = Document("Ann", (), {"x": {1, 2}}, "names.jsonl, line 7")
    with pytest.raises(InputError, match=r"names.jsonl, line 7: JSON cannot hold this"):
        written("jsonl", [carried(document)])


# Columns


@given(st.lists(documents(overlapping=False), max_size=3))
def test_bio_that_is_written_is_read_again(found):
    text = written("bio", [carried(document) for document in found])
    again = list(parse_bio(lines_of(text), "file"))
    assert [(tuple(document.text), plain(document.spans)) for document in again] == [
        (tuple(document.text), plain(document.spans)) for document in found
    ]


@given(documents())
def test_the_tags_of_a_sentence_are_well_formed_whatever_overlaps(document):
    *lines, last = lines_of(written("bio", [carried(document)]))
    rows = [line.split("\t") for line in lines]
    assert last == ""
    assert [row[0] for row in rows] == list(document.text)
    before = "O"
    for _, tag, sure in rows:
        assert (sure == "_") == (tag == "O")
        assert tag[0] != "I" or before[2:] == tag[2:]
        before = tag
    assert bool(document.spans) == any(tag != "O" for _, tag, _ in rows)


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("O B-PER I-PER O", [(1, 2, "PER")]),
        ("B-PER B-PER", [(0, 0, "PER"), (1, 1, "PER")]),
        ("I-PER I-PER B-PER I-LOC", [(0, 1, "PER"), (2, 2, "PER"), (3, 3, "LOC")]),
        ("B-PER I-LOC I-LOC", [(0, 0, "PER"), (1, 2, "LOC")]),
        ("S-PER S-PER B-LOC I-LOC E-LOC", [(0, 0, "PER"), (1, 1, "PER"), (2, 4, "LOC")]),
        ("U-PER B-LOC L-LOC U-LOC", [(0, 0, "PER"), (1, 2, "LOC"), (3, 3, "LOC")]),
        ("E-PER I-PER E-PER", [(0, 0, "PER"), (1, 2, "PER")]),
        ("S-PER I-PER", [(0, 0, "PER"), (1, 1, "PER")]),
        ("B-A-B I-A-B", [(0, 1, "A-B")]),
        ("", []),
    ],
)
def test_all_kinds_of_tags_are_understood(tags, expected):
    assert spans_of_tags(tags.split()) == expected


def test_columns_may_have_tabs_or_spaces_between_and_more_columns_among_them():
    lines = [
        "-DOCSTART- -X- O O",
        "",
        "Ann NNP I-NP B-PER",
        "  Lee   NNP I-PER ",
        "left\tVBD\tO\t",
        "",
        " ",
        "10 000\tO",
    ]
    first, second = parse_bio(lines, "file")
    assert tuple(first.text) == ("Ann", "Lee", "left")
    assert first.text.text == "Ann Lee left"
    assert plain(first.spans) == [(0, 7, "PER")]
    assert first.where == "file, line 3"
    assert (tuple(second.text), second.spans, second.where) == (("10 000",), (), "file, line 8")


def test_comments_travel_along_but_for_the_text():
    lines = ["# about all", "", "# id = 4", "# text = Ann", "# O", "Ann B-PER", "", "# at the end"]
    [document] = parse_bio(lines, "file")
    assert tuple(document.text) == ("#", "Ann")
    assert lines_of(written("bio", [carried(document, "# Anna")])) == [
        "# about all",
        "# id = 4",
        "#\tO\t_",
        "Anna\tB-PER\t1.000",
        "",
    ]


def test_of_spans_that_share_words_the_surer_is_written_then_the_longer_then_the_first():
    words = Tokens.joined(["a", "b", "c"])

    def tags(*spans):
        made = [
            CarriedSpan(*place, label, sure, False, {}, AnnotatedSpan(0, 1, label)) for *place, label, sure in spans
        ]
        lines = lines_of(written("bio", [CarriedDocument(Document("x"), words, SpanAnswer(made, []))]))
        return " ".join(line.split("\t")[1] for line in lines[:-1])

    assert tags((0, 3, "X", 0.5), (2, 3, "Y", 0.6)) == "O B-Y O"
    assert tags((2, 3, "Y", 0.5), (0, 3, "X", 0.5)) == "B-X I-X O"
    assert tags((2, 5, "Y", 0.5), (0, 3, "X", 0.5)) == "O B-Y I-Y"
    assert tags((0, 3, "X", 0.5), (4, 5, "X", 0.4)) == "B-X I-X B-X"


def test_a_sentence_without_target_words_is_a_blank_line():
    [document] = parse_bio(["Ann B-PER"], "file")
    assert written("bio", [carried(document, "", Alignment())]) == "\n"


@pytest.mark.parametrize(
    "line",
    [
        "Ann",
        "Ann PER",
        "Ann B_PER",
        "Ann B-",
        "Ann X-PER",
        "Ann b-per",
        "Ann _",
        "\tB-PER",
        "Ann\t ",
        "Ann 0.5",
        "B-PER",
    ],
)
def test_a_line_without_word_or_tag_is_refused_with_its_place(line):
    with pytest.raises(InputError) as caught:
        list(parse_bio(["Ann B-PER", "", line], "names.bio"))
    assert str(caught.value).startswith(f"names.bio, line 3: found {line!r}; expected a word and its tag")


def test_a_comment_among_words_is_refused_with_its_place():
    with pytest.raises(InputError, match=r"names.bio, line 2: found '# so'; expected a word and its tag"):
        list(parse_bio(["Ann B-PER", "# so"], "names.bio"))


@pytest.mark.parametrize("word", ["", " a", "a\tb", "a\nb", "a\r"])
def test_a_word_that_fits_no_column_is_refused_with_its_place(word):
    document = Document("Ann", (), {}, "names.bio, line 7")
    with pytest.raises(InputError, match=r"names.bio, line 7: the target word .* cannot be written"):
        written("bio", [CarriedDocument(document, Tokens.joined([word]), SpanAnswer([], []))])


# brat


def brat(annotations, text, names=("names.ann", "names.txt")):
    return list(parse_brat(parse_annotations(annotations, names[0]), text, names[1]))


@given(st.lists(documents(), max_size=4))
def test_brat_that_is_written_is_read_again(found):
    text = written("brat", [carried(document) for document in found])
    again = brat(lines_of(text), [document.text.text for document in found])
    assert [(document.text, plain(document.spans)) for document in again] == [
        (document.text.text, plain(document.spans)) for document in found
    ]
    ids = [span.attributes["id"] for document in again for span in document.spans]
    assert ids == [f"T{number}" for number in range(1, len(ids) + 1)]
    assert lines_of(written("brat", [carried(document) for document in again])) == lines_of(text)


def test_brat_keeps_ids_and_counts_over_the_whole_text():
    text = ["👩‍🚀 Ann", "", "Ann saw Bo"]
    found = brat(["T9\tPER 17 19\tBo", "", "T2\tPER 4 7\tAnn", "T4\tPER 9 12\tAnn"], text)
    assert [document.where for document in found] == [f"names.txt, line {number}" for number in (1, 2, 3)]
    assert [plain(document.spans) for document in found] == [[(4, 7, "PER")], [], [(8, 10, "PER"), (0, 3, "PER")]]
    targets = ["Anna 👩‍🚀", "", "Bo sah Anna"]
    links = [Alignment.of("0-1 1-0"), Alignment(), Alignment.of("0-2 1-1 2-0", [0.5, 1, 0.25])]
    each = [carried(*parts) for parts in zip(found, targets, links, strict=True)]
    assert lines_of(written("brat", each)) == [
        "T2\tPER 0 4\tAnna",
        "#1\tAnnotatorNotes T2\tconfidence 1.000",
        "T9\tPER 10 12\tBo",
        "#2\tAnnotatorNotes T9\tconfidence 0.250, unsure",
        "T4\tPER 17 21\tAnna",
        "#3\tAnnotatorNotes T4\tconfidence 0.500",
    ]


def test_pieces_are_carried_each_and_joined_again():
    [document] = brat(["T1\tX 0 4;8 10\tpick up"], ["pick it up"])
    assert plain(document.spans) == [(0, 4, "X"), (8, 10, "X")]
    lines = lines_of(written("brat", [carried(document, "auf hebe es", Alignment.of("0-1 1-2 2-0", [0.5, 1, 1]))]))
    assert lines == ["T1\tX 0 8\tauf hebe", "#1\tAnnotatorNotes T1\tconfidence 0.500"]
    lines = lines_of(written("brat", [carried(document, "hebe es auf", Alignment.of("0-0 1-1 2-2"))]))
    assert lines[0] == "T1\tX 0 4;8 11\thebe auf"
    lines = lines_of(written("brat", [carried(document, "hebe", Alignment.of("0-0"))]))
    assert lines[0] == "T1\tX 0 4\thebe"


def test_a_span_that_becomes_pieces_is_one_annotation():
    [document] = parse_bio(["pick B-X", "up I-X", "now O"], "file")
    each = carried(document, "hebe jetzt auf", Alignment.of("0-0 1-2 2-1"), contiguous=False)
    assert lines_of(written("brat", [each]))[0] == "T1\tX 0 4;11 14\thebe auf"


def test_ids_that_are_taken_or_none_are_given_anew():
    spans = [AnnotatedSpan(0, 3, "X", {"id": name}) for name in ("T2", "T 3", 7, "T2")]
    each = [carried(Document("Ann", (span,))) for span in [*spans, AnnotatedSpan(0, 3, "X", {"id": "T1"})]]
    lines = lines_of(written("brat", each))
    assert [line.split("\t")[0] for line in lines[::2]] == ["T2", "T1", "T3", "T4", "T5"]


def test_other_annotations_are_counted():
    lines = ["T1\tX 0 3\tAnn", "R1\tOf Arg1:T1 Arg2:T1", "A1\tOld T1", "E1\tX:T1", "*\tEquiv T1 T1", "#1\tNote T1\tso"]
    assert parse_annotations([*lines, "N1\tReference T1 Q:1\tAnn", "M1\tNegation E1", ""], "file").others == 7


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hello", "found 'hello'; expected an annotation of brat"),
        (" T1\tX 0 3\tAnn", "expected an annotation of brat"),
        ("R1", "found 'R1'; expected an annotation of brat"),
        ("T1", "expected a line like T1<TAB>PER 0 3<TAB>Ann"),
        ("T1\tX 0 3", "expected a line like"),
        ("T\tX 0 3\tAnn", "expected a line like"),
        ("T 1\tX 0 3\tAnn", "expected a line like"),
        (f"T{'1' * 5000}\tX 0 3\tAnn", "expected a line like"),
        ("T1\t 0 3\tAnn", "expected a label without blanks"),
        ("T1\tX\u00a0Y 0 3\tAnn", "expected a label without blanks"),
        ("T1\tX\tAnn", "expected two numbers for each piece"),
        ("T1\tX 0\tAnn", "expected two numbers for each piece"),
        ("T1\tX 0 3 4\tAnn", "expected two numbers for each piece"),
        ("T1\tX 0 3;\tAnn", "expected two numbers for each piece"),
        ("T1\tX -1 3\tAnn", "expected two numbers for each piece"),
        ("T1\tX 0 ٣\tAnn", "expected two numbers for each piece"),
        (f"T1\tX 0 {'9' * 5000}\tAnn", "expected two numbers for each piece"),
        ("T1\tX 3 3\t", "expected a piece to begin before its end"),
        ("T1\tX 3 0\tAnn", "expected a piece to begin before its end"),
        ("T0\tX 0 3\tAnn", "there is a T0 already, in line 1"),
        ("T1\tX 0 3\tBob", "T1 quotes 'Bob', but in names.txt it is 'Ann' from 0 to 3; do the files belong together"),
        ("T1\tX 0 1;2 3\tAn", "T1 quotes 'An', but in names.txt it is 'A n' from 0 to 1 and from 2 to 3"),
        ("T1\tX 0 12\tAnn left Bo", "T1 has a piece from 0 to 12, but names.txt, line 1 ends at 8; a span has to be"),
        ("T1\tX 8 9\t ", "but names.txt, line 1 ends at 8"),
        ("T1\tX 0 3;9 11\tAnn Bo", "T1 has a piece from 9 to 11, but names.txt, line 1 ends at 8"),
        ("T1\tX 9 40\tBo left", "but names.txt, line 2 ends at 16"),
        ("T1\tX 17 18\tx", "T1 lies outside names.txt, which has 16 characters"),
    ],
    ids=range(27),
)
def test_wrong_annotations_are_refused_with_their_place(line, message):
    with pytest.raises(InputError) as caught:
        brat(["T0\tX 0 3\tAnn", "", line], ["Ann left", "Bo left"])
    assert str(caught.value).startswith("names.ann, line 3: ")
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400


def test_an_annotation_of_no_text_is_refused():
    with pytest.raises(InputError, match=r"names.ann, line 1: T0 lies outside names.txt, which has 0 characters"):
        brat(["T0\tX 1 3\tAnn"], [])


def test_a_target_sentence_of_two_lines_is_refused():
    with pytest.raises(InputError, match=r"names.ann, line 7: the target sentence has a line end"):
        written("brat", [carried(Document("Ann", (), {}, "names.ann, line 7"), "a\nb", Alignment())])


@pytest.mark.parametrize("name", ["bio", "brat"])
@pytest.mark.parametrize("label", ["", "two words", "a\tb", "a\u2028b"])
def test_a_label_with_blanks_fits_no_column(name, label):
    document = Document("Ann", (AnnotatedSpan(0, 3, label),), {}, "names.jsonl, line 7")
    with pytest.raises(InputError, match=f"names.jsonl, line 7: the label .* cannot be written as {name}"):
        written(name, [carried(document)])


# Files


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_files_are_read_as_their_names_tell(tmp_path, suffix):
    contents = {
        "a.jsonl": spans_line("Ann left", (0, 3, "PER")) + "\n",
        "a.bio": "\ufeffAnn B-PER\r\nleft O\r\n\r\n",
        "a.ann": "T1\tPER 0 3\tAnn\nR1\tOf Arg1:T1 Arg2:T1\n",
        "a.txt": "Ann left\n",
    }
    for name, content in contents.items():
        data = content.encode()
        (tmp_path / f"{name}{suffix}").write_bytes(gzip.compress(data) if suffix else data)
    for name in ("a.jsonl", "a.bio", "a.ann"):
        path = tmp_path / f"{name}{suffix}"
        found = span_format_of(path).read(path)
        [document] = found
        assert plain(document.spans) == [(0, 3, "PER")]
        assert placed(document.text) == ("Ann", "left")
        assert str(tmp_path) in document.where
        assert found.not_carried == (name == "a.ann")
    assert annotation_files(tmp_path) == [tmp_path / f"a.ann{suffix}"]


def test_reading_goes_no_further_than_asked(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(f"{spans_line('Ann')}\nno object\n")
    found = SPAN_FORMATS["jsonl"].read(path)
    assert next(found).text == "Ann"
    with pytest.raises(InputError, match=r"a.jsonl, line 2: found 'no object'"):
        next(found)


def test_files_that_are_not_there_are_named(tmp_path):
    (tmp_path / "a.ann").write_text("")
    for name, missing in (("b.jsonl", "b.jsonl"), ("b.bio", "b.bio"), ("b.ann", "b.ann"), ("a.ann", "a.txt")):
        with pytest.raises(InputError, match=f"{missing}: cannot read"):
            list(span_format_of(name).read(tmp_path / name))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="there are no annotations"):
        annotation_files(tmp_path / "empty")
    with pytest.raises(InputError, match="nowhere: cannot read"):
        annotation_files(tmp_path / "nowhere")


def test_brat_does_not_come_from_standard_input():
    with pytest.raises(UsageError, match="two files"):
        SPAN_FORMATS["brat"].read("-")
