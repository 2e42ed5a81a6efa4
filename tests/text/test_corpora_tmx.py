"""Translation memories."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.naive_xml import tmx_pairs
from pralign.errors import InputError, UsageError
from pralign.text.bitext import Bitext
from pralign.text.corpora.tmx import matches
from pralign.text.files import lines_up_to

from .test_limits import large_dictionary, large_window


def unit(*variants, attributes="", before=""):
    inside = "".join(f'<tuv xml:lang="{language}"><seg>{text}</seg></tuv>' for language, text in variants)
    return f"<tu{attributes}>{before}{inside}</tu>"


def memory(*units, head="", srclang="en"):
    return f'{head}<tmx version="1.4"><header srclang="{srclang}"/><body>{"".join(units)}</body></tmx>'


HOUSE = unit(("en", "the house"), ("fr", "la maison"))


def read(folder, text, columns="en,fr", name="memory.tmx"):
    data = text if isinstance(text, bytes) else text.encode()
    (folder / name).write_bytes(data)
    return list(Bitext.read(folder / name, columns=columns))


def refused(folder, text, columns="en,fr", kind=InputError):
    with pytest.raises(kind) as caught:
        read(folder, text, columns)
    assert type(caught.value) is kind
    assert "memory.tmx" in str(caught.value)
    return str(caught.value)


# Texts


@pytest.mark.parametrize(
    ("segment", "text"),
    [
        ("plain", "plain"),
        ("", ""),
        ("<hi>all</hi> <hi>of <hi>it</hi></hi>", "all of it"),
        ('a <bpt i="1">&lt;b&gt;</bpt>fine<ept i="1">&lt;/b&gt;</ept> day', "a fine day"),
        ("<ph>{0}</ph>x<it pos='begin'>y</it><ut>z</ut>", "x"),
        ("a<ph>code<sub>a footnote</sub>code</ph>b", "ab"),
        ("a<sub>a footnote</sub>b", "ab"),
        ("a<ph><ph>inner</ph>outer</ph>b", "ab"),
        ("a<ph/>b<ph></ph>c", "abc"),
        ("a &amp; b &lt;c&gt; &quot;d&quot; &apos;e&apos;", "a & b <c> \"d\" 'e'"),
        ("&#233;t&#xe9; &#x1F4A9;", "été 💩"),
        ("<![CDATA[<b> & ]]>text<![CDATA[]]>", "<b> & text"),
        ("a<!-- <ph> no -->b<?php no ?>c", "abc"),
        ("\n      The house\n      is  old.\n   ", "The house is  old."),
        ("one\r\ntwo\rthree&#13;four&#10;five", "one two three four five"),
        (" kept  as it is\t", " kept  as it is\t"),
        ("10&#160;000\u2028x", "10\xa0000\u2028x"),
    ],
)
def test_text_is_what_people_read(tmp_path, segment, text):
    assert read(tmp_path, memory(unit(("en", segment), ("fr", "x")), HOUSE))[0] == (text, "x")


LANGUAGES = ["en", "EN-us", "en_GB", "fr", "fr-CA", "de", "eng", ""]
TEXT = st.text(st.sampled_from("ab \n\t&<é家"), max_size=5).map(escape)
INLINE = st.recursive(
    TEXT,
    lambda inner: st.builds(
        "<{0}>{1}</{0}>{2}".format, st.sampled_from(["hi", "bpt", "ph", "sub", "x:mrk"]), inner, TEXT
    ),
    max_leaves=6,
)
VARIANT = st.tuples(st.sampled_from(LANGUAGES), st.lists(INLINE, max_size=3).map("".join))


@settings(deadline=None, max_examples=150)
@given(units=st.lists(st.lists(VARIANT, max_size=4), min_size=1, max_size=4), prefix=st.booleans())
def test_a_tree_says_the_same(tmp_path_factory, units, prefix):
    variants = [("en", "x"), ("fr", "y")]
    text = memory(*(unit(*each) for each in [*units, variants]))
    text = text.replace("<tmx ", '<tmx xmlns:x="urn:x" ' + ('xmlns="urn:tmx" ' if prefix else ""))
    assert read(tmp_path_factory.mktemp("memory"), text) == tmx_pairs(text, ("en", "fr"))


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode("utf-16-le"),
        lambda text: text.encode("utf-16-be"),
        lambda text: text.encode(),
        lambda text: text.replace("\ufeff", "<?xml version='1.0' encoding='ISO-8859-1'?>").encode("latin-1"),
        lambda text: text.replace("\ufeff", "\ufeff<?xml version='1.0' encoding='UTF-16'?>").encode("utf-16-le"),
        lambda text: gzip.compress(text.encode("utf-16-le")),
        lambda text: bz2.compress(text.encode()),
        lambda text: lzma.compress(text.encode()),
    ],
)
def test_encodings_and_compression(tmp_path, encode):
    text = "\ufeff" + memory(unit(("en", "summer"), ("fr", "été")))
    assert read(tmp_path, encode(text), name="memory.tmx.gz") == [("summer", "été")]


def test_a_text_is_read_alike_wherever_blocks_end(tmp_path):
    text = "été & <ph>x</ph> 家 " * 30_000
    segment = escape(text).replace("&lt;ph&gt;x&lt;/ph&gt;", "<ph>x</ph>")
    expected = text.replace("<ph>x</ph>", "")
    assert read(tmp_path, memory(unit(("en", segment), ("fr", "a")), HOUSE)) == [
        (expected, "a"),
        ("the house", "la maison"),
    ]


# Languages


def test_the_very_language_is_preferred_to_its_regions(tmp_path):
    variants = [("EN-us", "color"), ("en", "colour"), ("en-GB", "colour!"), ("fr-FR", "couleur")]
    text = memory(unit(*variants))
    assert read(tmp_path, text) == [("colour", "couleur")]
    assert read(tmp_path, text, "FR,en_us") == [("couleur", "color")]
    assert read(tmp_path, text, "en-gb,fr-fr") == [("colour!", "couleur")]


def test_the_first_text_of_a_language_that_is_not_empty_counts(tmp_path):
    variants = [("en", ""), ("fr", "un"), ("en", "one"), ("en", "uno"), ("fr", "deux")]
    assert read(tmp_path, memory(unit(*variants))) == [("one", "un")]


def test_units_that_lack_a_language_are_pairs_with_an_empty_side(tmp_path):
    text = memory(unit(("en", "a")), unit(("de", "b"), ("fr", "c")), unit(), "<tu/>", HOUSE)
    assert read(tmp_path, text) == [("a", ""), ("", "c"), ("", ""), ("", ""), ("the house", "la maison")]


def test_the_attribute_may_be_that_of_old_versions(tmp_path):
    text = memory('<tu><tuv lang="EN"><seg>a</seg></tuv><tuv lang="de" xml:lang="fr"><seg>b</seg></tuv></tu>')
    assert read(tmp_path, text) == [("a", "b")]


@pytest.mark.parametrize("srclang", ["fr", "FR"])
def test_without_a_choice_the_first_unit_has_the_languages_and_the_header_the_order(tmp_path, srclang):
    text = memory(HOUSE, unit(("fr", "x"), ("en", "y"), ("de", "z")))
    assert read(tmp_path, text, None) == [("the house", "la maison"), ("y", "x")]
    swapped = text.replace('srclang="en"', f'srclang="{srclang}"')
    assert read(tmp_path, swapped, None) == [("la maison", "the house"), ("x", "y")]
    assert read(tmp_path, text.replace('srclang="en"', 'srclang="*all*"'), None)[0] == ("the house", "la maison")


@pytest.mark.parametrize(
    ("variants", "message"),
    [
        ([("en", "a")], "unit 1 has 1 language (en); choose two, such as --columns en,fr"),
        ([], "unit 1 has 0 languages (none); choose two"),
        ([("en", "a"), ("fr", "b"), ("de", "c")], "unit 1 has 3 languages (en, fr, de); choose two"),
    ],
)
def test_without_a_choice_there_must_be_two_languages(tmp_path, variants, message):
    assert message in refused(tmp_path, memory(unit(*variants)), None, UsageError)


def test_a_language_that_is_nowhere_is_named(tmp_path):
    message = refused(tmp_path, memory(HOUSE, unit(("en-US", "a"))), "en,es", UsageError)
    assert "has no text in 'es'; there are en, fr, en-US" in message
    many = memory(*(unit((f"x{number}", "a"), ("en", "b"), ("fr", "c")) for number in range(5000)))
    assert read(tmp_path, many)[-1] == ("b", "c")
    assert "has no text in 'es'; there are x0, en, fr, x1" in refused(tmp_path, many, "en,es", UsageError)


@pytest.mark.parametrize(
    ("language", "wanted", "does"),
    [("en", "en", True), ("en-us", "en", True), ("eng", "en", False), ("e", "en", False), ("", "en", False)],
)
def test_languages_match(language, wanted, does):
    assert matches(language, wanted) is does


# Units


def test_what_looks_like_a_unit_elsewhere_is_none(tmp_path):
    odd = '<prop><seg>no</seg></prop><tuv xml:lang="en"><prop>no<seg>no</seg></prop></tuv><seg>no</seg>'
    text = memory("<seg>no</seg>", unit(("en", "a"), ("fr", "b"), before=odd), "<x><tuv><seg>no</seg></tuv></x>")
    assert read(tmp_path, text) == [("a", "b")]


def test_names_may_have_a_namespace_and_a_prefix(tmp_path):
    plain = memory(HOUSE)
    prefixed = plain.replace("</", "</t:").replace("<", "<t:").replace("<t:/t:", "</t:")
    prefixed = prefixed.replace("<t:tmx", '<t:tmx xmlns:t="urn:tmx"')
    assert read(tmp_path, prefixed) == [("the house", "la maison")]
    assert read(tmp_path, plain.replace("<tmx", '<tmx xmlns="urn:tmx"')) == [("the house", "la maison")]


def test_rows_have_the_names_of_units(tmp_path):
    text = memory(unit(("en", "a"), ("fr", "b"), attributes=' tuid="7" creationid="me"'), HOUSE)
    (tmp_path / "memory.tmx").write_text(text)
    rows = list(Bitext.read(tmp_path / "memory.tmx", columns="en,fr").rows())
    assert [row.extras for row in rows] == [{"tuid": "7"}, {}]


# What is refused


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE tmx SYSTEM "tmx14.dtd">',
        '<!DOCTYPE tmx PUBLIC "-//LISA OSCAR:1998//DTD for Translation Memory eXchange//EN" "http://x.example/tmx14.dtd">',
        "<!DOCTYPE tmx [<!ELEMENT tmx ANY><!-- a comment --><!ATTLIST tmx version CDATA '1'>]>",
    ],
)
def test_a_document_type_without_entities_is_read(tmp_path, doctype):
    head = f"<?xml version='1.0'?>\n<!-- a comment -->\n{doctype}\n"
    assert read(tmp_path, memory(HOUSE, head=head)) == [("the house", "la maison")]


@pytest.mark.parametrize(
    "declared",
    [
        "<!ENTITY e 'text'>",
        "<!ENTITY e SYSTEM 'file:///etc/hostname'>",
        "<!ENTITY e PUBLIC 'x' 'http://127.0.0.1/'>",
        "<!ENTITY % e SYSTEM 'file:///etc/hostname'> %e;",
        "<!ENTITY % e '<!ENTITY f \"text\">'> %e;",
        "<!NOTATION n SYSTEM 'x'><!ENTITY e SYSTEM 'file:///etc/hostname' NDATA n>",
    ],
)
@pytest.mark.parametrize("external", ["", " SYSTEM 'tmx14.dtd'"])
@pytest.mark.parametrize("used", ["", "&e;"])
def test_entities_of_its_own_are_refused_used_or_not(tmp_path, declared, external, used):
    text = memory(unit(("en", used), ("fr", "x")), head=f"<!DOCTYPE tmx{external} [{declared}]>")
    assert "(<!ENTITY ...>) are not read" in refused(tmp_path, text)


@pytest.mark.parametrize("external", ["", "<!DOCTYPE tmx SYSTEM 'tmx14.dtd'>\n"])
@pytest.mark.parametrize("where", ["{0}", '<hi x="{0}">a</hi>'])
def test_an_entity_that_nobody_declares_is_refused_and_not_left_out(tmp_path, external, where):
    text = memory(unit(("en", where.format("a&nbsp;b")), ("fr", "x")), head=external)
    message = refused(tmp_path, text)
    assert "Entity 'nbsp' not defined" in message
    assert f"memory.tmx, line {1 + external.count(chr(10))}: " in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "memory.tmx: no well-formed XML: 'no element found'"),
        ("the house\tla maison\n", "memory.tmx, line 1: no well-formed XML"),
        ("<tmx>\n<tu>\n", "memory.tmx, line 3: no well-formed XML: 'Premature end"),
        ("<tmx>\n<tu></tmx>", "memory.tmx, line 2: no well-formed XML: 'Opening and ending tag mismatch"),
        (memory(HOUSE) + "<tmx/>", "Extra content"),
        (memory(HOUSE).replace("<seg>", "<a:seg>").replace("</seg>", "</a:seg>"), "Namespace prefix a on seg"),
        (memory(HOUSE).replace("the house", "the \x01 house"), "invalid"),
        (memory(HOUSE).replace("the house", "the &#0; house"), "invalid"),
        (memory(HOUSE).replace("the house", "the &#xD800; house"), "invalid"),
        (memory(HOUSE).encode().replace(b"the house", b"the \xff house"), "Invalid bytes"),
        ("<?xml version='1.0' encoding='klingon'?><tmx/>", "Unsupported encoding"),
        (memory(), "there are no translation units (<tu>) in it"),
        ("PK\x03\x04" + "\0" * 50, "this is a zip archive, not text"),
        (gzip.compress(memory(HOUSE).encode())[:-12], "damaged compressed data"),
    ],
)
def test_what_is_no_translation_memory_is_refused(tmp_path, text, message):
    assert message in refused(tmp_path, text)
    if text != memory():
        refused(tmp_path, text, None)


@pytest.mark.parametrize("compress", [large_dictionary, lambda data: large_window(data, 31)], ids=["xz", "zst"])
def test_what_takes_too_much_memory_to_unpack_is_refused(tmp_path, compress):
    assert "takes more than 134,217,728 bytes of memory to unpack" in refused(
        tmp_path, compress(memory(HOUSE).encode())
    )


def test_a_missing_file_is_named(tmp_path):
    for path, message in ((tmp_path / "none.tmx", "none.tmx: cannot read: No such file"), (tmp_path, "is a directory")):
        with pytest.raises(InputError, match=message):
            list(Bitext.read(path, layout="tmx"))


def test_an_error_comes_after_the_pairs_before_it(tmp_path):
    path = tmp_path / "memory.tmx"
    path.write_text(memory(*[HOUSE] * 2000)[:-30] + "</wrong>")
    pairs = iter(Bitext.read(path))
    assert next(pairs) == ("the house", "la maison")
    with pytest.raises(InputError, match="mismatch"):
        list(pairs)


def test_a_unit_has_a_largest_size_that_can_be_raised(tmp_path):
    text = memory(unit(("en", "word " * 40_000), ("fr", "x")))
    with lines_up_to("100k"), pytest.raises(InputError, match=r"unit 1 has .* bytes or more; .* --max-line"):
        read(tmp_path, text)
    with lines_up_to("300k"):
        bitext = Bitext.read(tmp_path / "memory.tmx", columns="en,fr")
    assert len(list(bitext)) == 1  # which counts when it is read, as for lines


def test_lxml_is_named_if_it_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "lxml.etree", None)
    with pytest.raises(UsageError, match=r"this needs lxml, .* pip install 'pralign\[xml\]'"):
        read(tmp_path, memory(HOUSE))
