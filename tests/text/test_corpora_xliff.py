"""Translation files."""

from __future__ import annotations

import sys
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.naive_xml import xliff_pairs
from pralign.errors import InputError, UsageError
from pralign.text.bitext import Bitext

OLD, NEW = "urn:oasis:names:tc:xliff:document:1.2", "urn:oasis:names:tc:xliff:document:2.0"


def old(*units):
    return f'<xliff version="1.2" xmlns="{OLD}"><file><body>{"".join(units)}</body></file></xliff>'


def new(*units):
    return f'<xliff version="2.0" xmlns="{NEW}"><file id="f">{"".join(units)}</file></xliff>'


def read(folder, text, name="file.xlf"):
    (folder / name).write_text(text, encoding="utf-8")
    return list(Bitext.read(folder / name))


def rows(folder, text):
    (folder / "file.xlf").write_text(text, encoding="utf-8")
    return [(row.source, row.target, row.extras) for row in Bitext.read(folder / "file.xlf").rows()]


# Version 1.2


def test_a_unit_is_a_pair(tmp_path):
    text = old(
        '<trans-unit id="1"><source>the house</source><target>la maison</target><note>old</note></trans-unit>',
        '<group id="g"><group><trans-unit id="2"><source>not yet</source></trans-unit></group></group>',
        '<trans-unit id="3"><source/><target>x</target></trans-unit>',
        "<trans-unit/>",
    )
    assert rows(tmp_path, text) == [
        ("the house", "la maison", {"id": "1"}),
        ("not yet", "", {"id": "2"}),
        ("", "x", {"id": "3"}),
        ("", "", {}),
    ]


def test_earlier_translations_are_not_taken(tmp_path):
    other = "<alt-trans><source>no</source><target>no</target></alt-trans>"
    foreign = '<mq:insertedmatch xmlns:mq="MQXliff"><source>no</source><target>no</target></mq:insertedmatch>'
    for inside in (other, foreign):
        text = old(f"<trans-unit>{inside}<source>a</source><target>b</target>{inside}</trans-unit>")
        assert read(tmp_path, text) == [("a", "b")]
        assert read(tmp_path, old(f"<trans-unit><source>a</source>{inside}</trans-unit>")) == [("a", "")]


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ('<g id="1">all <g id="2">of</g></g> it', "all of it"),
        ('a<x id="1"/>b<bx id="2"/>c<ex id="2"/>', "abc"),
        ('a<bpt id="1">[b]</bpt>b<ept id="1">[/b]</ept>c', "abc"),
        ('a<ph id="1">{0}<sub>a footnote</sub></ph>b<it id="2" pos="open">x</it>', "ab"),
        ('<mrk mtype="protected">kept</mrk>', "kept"),
        ("<![CDATA[a < b]]> &amp; c", "a < b & c"),
        ("\n  two\n  lines\n", "two lines"),
    ],
)
@pytest.mark.parametrize("name", ["file.xlf", "file.xliff", "file.sdlxliff", "file.mqxliff", "file.mxliff"])
def test_text_is_what_people_read(tmp_path, inside, text, name):
    unit = f"<trans-unit><source>{inside}</source><target>{inside}</target></trans-unit>"
    assert read(tmp_path, old(unit), name) == [(text, text)]


def marked(name, *parts):
    marks = " ".join(f'<mrk mtype="seg" mid="{mid}">{text}</mrk>' for mid, text in parts)
    return f"<{name}><g>{marks}</g></{name}>"


def test_a_unit_is_cut_where_both_sides_say_so(tmp_path):
    unit = "".join(
        [
            '<trans-unit id="7"><source>One <ph>x</ph>house. Two.</source>',
            marked("seg-source", (1, "One <ph>x</ph><g>house</g>."), (2, "\n  Two.\n")),
            marked("target", (2, "Deux."), (3, "Trois."), (1, 'Une <mrk mtype="x">maison</mrk>.')),
            "</trans-unit>",
        ]
    )
    assert rows(tmp_path, old(unit)) == [
        ("One house.", "Une maison.", {"id": "7", "segment": "1"}),
        ("Two.", "Deux.", {"id": "7", "segment": "2"}),
        ("", "Trois.", {"id": "7", "segment": "3"}),
    ]


@pytest.mark.parametrize(
    ("segments", "target", "pair"),
    [
        (marked("seg-source", (1, "One."), (2, "Two.")), "<target>Un. Deux.</target>", ("One. Two.", "Un. Deux.")),
        (marked("seg-source", (1, "One."), (2, "Two.")), "", ("One. Two.", "")),
        ("", marked("target", (1, "Un."), (2, "Deux.")), ("One. Two.", "Un. Deux.")),
    ],
)
def test_a_unit_stays_whole_where_one_side_does_not(tmp_path, segments, target, pair):
    text = old(f"<trans-unit><source>One. Two.</source>{segments}{target}</trans-unit>")
    assert read(tmp_path, text) == [pair]


def test_a_part_that_is_named_twice_is_all_of_it(tmp_path):
    unit = "<trans-unit><source>a b</source>{}{}</trans-unit>".format(
        marked("seg-source", (1, "a"), (1, "b")), marked("target", (1, "x"))
    )
    assert read(tmp_path, old(unit)) == [("ab", "x")]


# Version 2


def test_segments_of_a_unit_are_pairs_and_what_is_between_them_is_not(tmp_path):
    text = new(
        '<unit id="u1"><notes><note>no</note></notes>'
        '<segment id="s1"><source>One.</source><target order="3">Un.</target></segment>'
        "<ignorable><source> </source><target> </target></ignorable>"
        "<segment><source>Two.</source></segment></unit>",
        '<group id="g"><unit id="u2"><segment id="s1"><source>Three.</source></segment></unit></group>',
    )
    assert rows(tmp_path, text) == [
        ("One.", "Un.", {"id": "u1", "segment": "s1"}),
        ("Two.", "", {"id": "u1"}),
        ("Three.", "", {"id": "u2", "segment": "s1"}),
    ]


def test_matches_beside_segments_are_not_taken(tmp_path):
    matches = (
        '<mtc:matches xmlns:mtc="urn:m"><mtc:match><source>no</source><target>no</target></mtc:match></mtc:matches>'
    )
    text = new(f'<unit id="1">{matches}<segment><source>a</source><target>b</target></segment></unit>')
    assert read(tmp_path, text) == [("a", "b")]


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ('<pc id="1">all</pc> <pc id="2"><pc id="3">of</pc> it</pc>', "all of it"),
        ('a<ph id="1"/>b<sc id="2"/>c<ec startRef="2"/>d<cp hex="0001"/>', "abcd"),
        ('<mrk id="m1" type="term">word</mrk><sm id="1"/>s<em startRef="1"/>', "words"),
    ],
)
def test_text_of_version_2_is_what_people_read(tmp_path, inside, text):
    unit = f'<unit id="1"><segment><source>{inside}</source><target>{inside}</target></segment></unit>'
    assert read(tmp_path, new(unit)) == [(text, text)]


# Both


TEXT = st.text(st.sampled_from("ab \n\t&<é家"), max_size=5).map(escape)
NAMES = ["g", "ph", "bpt", "sub", "mrk", "source", "target", "trans-unit", "alt-trans"]
INLINE = st.recursive(
    TEXT, lambda inner: st.builds("<{0}>{1}</{0}>{2}".format, st.sampled_from(NAMES), inner, TEXT), max_leaves=6
)
SIDE = st.builds("<{0}>{1}</{0}>".format, st.sampled_from(["source", "target", "note", "alt-trans"]), INLINE)
UNIT = st.builds("<{0}>{1}</{0}>".format, st.sampled_from(["trans-unit", "segment"]), st.lists(SIDE).map("".join))


@settings(deadline=None, max_examples=150)
@given(units=st.lists(UNIT, min_size=1, max_size=4))
def test_a_tree_says_the_same(tmp_path_factory, units):
    text = old(*units)
    found = read(tmp_path_factory.mktemp("file"), text)
    # Units within units are none, which only the tree has to be told.
    assert len(found) == len(units)
    expected = [xliff_pairs(old(unit))[0] for unit in units]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (old(), r"there are no segments \(<trans-unit> or <segment>\) in it"),
        ("<xliff>", "no well-formed XML"),
        ("source\ttarget\n", "no well-formed XML"),
        ("<!DOCTYPE x [<!ENTITY e 'x'>]>" + old(), "are not read"),
    ],
)
def test_what_is_no_translation_file_is_refused(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, text)


def test_there_are_no_columns_to_choose(tmp_path):
    for choice in ({"columns": "en,fr"}, {"header": True}):
        with pytest.raises(UsageError, match="xliff file"):
            Bitext.read(tmp_path / "file.xlf", **choice)


def test_lxml_is_named_if_it_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "lxml.etree", None)
    with pytest.raises(UsageError, match=r"pip install 'pralign\[xml\]'"):
        read(tmp_path, old())
