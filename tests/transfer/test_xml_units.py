"""Documents in pieces, which are the documents again when put together."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.errors import InputError
from pralign.transfer.xml_encoding import encoding_of
from pralign.transfer.xml_units import Element, Text, xml_units

DOCUMENT = (
    "\ufeff<?xml version='1.0'  standalone=\"yes\" ?>\r\n<!DOCTYPE r [<!ELEMENT r ANY>]>\n<!-- <u>no</u> -->\n"
    "<?go <u/>?><r  xmlns='urn:a' xmlns:p=\"urn:p\">\r\n  <o>x</o><u/><u></u >\n"
    "<p:u p:a='1 > 0' b=\"&lt;\n\">a&#x20AC;&amp;b\r\n<![CDATA[<u>]]]]><![CDATA[]]><!-- c --><?pi?>"
    "<g id = '1'\n>é<x/>中</g >]>&gt;\U0001f600</p:u><r>t</r></r>\n<!-- end -->\n"
)


def pieces_of(text, *cuts):
    places = sorted({0, *(cut % (len(text) + 1) for cut in cuts), len(text)})
    return list(xml_units((text[a:b] for a, b in pairwise(places)), ["u"], "FILE"))


def written(pieces):
    return "".join(piece if isinstance(piece, str) else piece.markup() for piece in pieces)


def texts(element):
    return "".join(texts(item) if isinstance(item, Element) else getattr(item, "text", "") for item in element.items)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 1000), max_size=40))
def test_pieces_are_the_document_again_however_it_comes(cuts):
    pieces = pieces_of(DOCUMENT, *cuts)
    assert written(pieces) == DOCUMENT
    units = [piece for piece in pieces if isinstance(piece, Element)]
    assert [texts(unit) for unit in units] == ["", "", "a€&b\n<u>]]é中]>>\U0001f600"]
    assert units[2].attributes == {"{urn:p}a": "1 > 0", "b": "<\n".replace("\n", " ")}
    assert units[2].namespaces == {"": "urn:a", "p": "urn:p"}


@st.composite
def documents(draw):
    """Documents of all that there is in XML, in any order and nested."""
    leaves = st.sampled_from(
        [
            "text",
            "a&amp;b",
            "&#233;",
            "\r\n",
            "\n",
            "<!-- > -->",
            "<?p i?>",
            "<![CDATA[ & ]]>",
            "<x/>",
            "<u/>",
            "é中",
            "]]",
        ]
    )
    names = st.sampled_from(["u", "o", "p:u", "g a='&quot;' b=\">\""])
    inside = st.recursive(
        leaves | st.lists(leaves, max_size=4).map("".join),
        lambda children: st.tuples(names, st.lists(children, max_size=4)).map(
            lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0].split()[0]}>"
        ),
        max_leaves=20,
    )
    return f"<r xmlns:p='urn:p'>{''.join(draw(st.lists(inside, max_size=6)))}</r>"


@settings(max_examples=200, deadline=None)
@given(documents(), st.lists(st.integers(0, 500), max_size=5))
def test_pieces_of_any_document_are_the_document_again(document, cuts):
    assert written(pieces_of(document, *cuts)) == document


def test_units_come_while_the_document_is_read():
    read = 0

    def blocks():
        nonlocal read
        yield "<r>"
        for number in range(100):
            read = number
            yield f"<u>{number}</u>\n"
        yield "</r>"

    for number, unit in enumerate(piece for piece in xml_units(blocks(), ["u"], "FILE") if isinstance(piece, Element)):
        assert unit.items == [Text(str(number), str(number))]
        assert read <= number + 20  # parsers may wait a little


def test_text_is_cut_as_it_is_written():
    assert Text("a<b", "<![CDATA[a<b]]>").cut(0, 3) == "<![CDATA[a<b]]>"
    assert Text("a<b", "<![CDATA[a<b]]>").cut(1, 3) == "&lt;b"
    assert Text("a > b", "a > b").cut(1, 3) == " >"


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("", "line 1: no well-formed XML: no element found"),
        ("plain text", "line 1: no well-formed XML: syntax error"),
        ("<r>\n<u></r>", "line 2: no well-formed XML: mismatched tag"),
        ("<r><u>", "no element found"),
        ("<r><p:u/></r>", "unbound prefix"),
        ("<r><u>&nbsp;</u></r>", "undefined entity"),
        ('<!DOCTYPE r [<!ENTITY a "b">]><r><u>&a;</u></r>', "FILE: declares entities of its own"),
        ('<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><r><u>&a;</u></r>', "declares entities"),
        ('<!DOCTYPE r [<!ENTITY % a SYSTEM "http://localhost/x">%a;]><r/>', "declares entities"),
        ("<r>" + "<g>" * 300 + "</g>" * 300 + "</r>", "line 1: more than 256 elements inside each other"),
        ("<r><u>" + "x" * 3000 + "</u></r>", "unit 1, or what follows it, is longer than 2,000 bytes"),
        ("<r><u/><!--" + "x" * 3000 + "--></r>", "unit 1, or what follows it, is longer than 2,000 bytes"),
    ],
)
def test_documents_that_are_none_are_refused(document, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        blocks = [document[k : k + 100] for k in range(0, len(document), 100)]
        list(xml_units(blocks, ["u"], "FILE", 2000))


def test_what_is_not_declared_here_stays_as_it_is_where_it_could_be_elsewhere():
    document = '<!DOCTYPE r SYSTEM "missing.dtd"><r><u>a&nbsp;b</u></r>'
    [unit] = [piece for piece in pieces_of(document) if isinstance(piece, Element)]
    assert unit.items == [Text("a", "a"), "&nbsp;", Text("b", "b")]


@pytest.mark.parametrize("name", ["utf-7", "unicode_escape", "hex", "rot13", "nonsense", "utf-16", "idna", "cp037"])
def test_encodings_that_documents_are_not_in_are_refused(name):
    with pytest.raises(InputError, match="FILE: says that its encoding is"):
        encoding_of(f"<?xml version='1.0' encoding='{name}'?>".encode(), "FILE")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-16"])
def test_what_is_not_declared_is_told_by_the_first_bytes(encoding):
    assert encoding_of("<?xml version='1.0'?><r/>".encode(encoding), "FILE") == {
        "utf-8-sig": "utf-8",
        "utf-16": "utf-16-le",
    }.get(encoding, encoding)
