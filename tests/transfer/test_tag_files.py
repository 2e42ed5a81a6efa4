"""Tags of XLIFF, TMX and HTML, from segments into translations, and all else as it was."""

from __future__ import annotations

import gzip
import re
from random import Random

import pytest
from lxml import etree

from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.text.bitext import Bitext
from pralign.text.files import lines_up_to
from pralign.text.tokenizers import Tokenization
from pralign.text.tokens import tokens
from pralign.transfer.tag_files import HtmlTags, TmxTags, XliffTags
from pralign.transfer.tags import PlacedEdge, TaggedText, TagKind

from .tagged import by_spaces, random_alignment

XLIFF_1 = """<?xml version='1.0' encoding="UTF-8" ?>
<!DOCTYPE xliff PUBLIC "-//XLIFF//DTD XLIFF//EN" "http://localhost/xliff.dtd">
<!-- made by hand -->
<?tool on?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:own='urn:own'>
 <file original="a.html" source-language="en" target-language="fr" datatype="html">
  <header><note>x &gt; y</note></header>
  <body>
   <trans-unit id="1" own:state='new'>
    <source>a <g id="1" ctype='bold'>red</g> car<x id="2"/></source>
    <target state="final">SLOT1</target>
    <alt-trans><target>autre</target></alt-trans>
   </trans-unit>
   <group><trans-unit id="2"><source><bpt id="1" rid="1">&lt;b></bpt>it<ept id="2" rid='1'>&lt;/b></ept> rains</source>
   <target
     >SLOT2</target></trans-unit></group>
   <trans-unit id="3"><source>no <g id="1">target</g></source></trans-unit>
   <trans-unit id="4"><source>no <g id="1">text</g></source><target/></trans-unit>
   <trans-unit id="5"><source>no tags</source><target>aucune balise</target></trans-unit>
   <trans-unit id="6"><source>its <g id="1">own</g></source><target>les <g id="9">siennes</g></target></trans-unit>
  </body>
 </file>
</xliff>
"""
XLIFF_1_PLAIN = {"SLOT1": "une voiture rouge", "SLOT2": "il pleut"}
XLIFF_1_TAGGED = {
    "SLOT1": 'une voiture<x id="2"/> <g id="1" ctype=\'bold\'>rouge</g>',
    "SLOT2": '<bpt id="1" rid="1">&lt;b></bpt>il<ept id="2" rid=\'1\'>&lt;/b></ept> pleut',
}
XLIFF_1_LINKS = ["0-0 1-2 2-1", "0-0 1-1", "", "", "0-0", "0-0 1-1"]

XLIFF_2 = """<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de">
<file id="f"><unit id="u1"><originalData><data id="d1">&lt;b&gt;</data></originalData>
<segment id="s1">
<source>I <pc id="1" dataRefStart="d1">have <mrk id="m1" type="term">seen</mrk></pc> <ph id="2"/>her</source>
<target>SLOT1</target></segment>
<ignorable><source> </source></ignorable>
<segment>
<source><sc id="3"/>come<ec startRef="3"/> <sm id="5" type="comment"/>back<em startRef="5"/><cp hex="001A"/></source>
<target>SLOT2</target></segment>
<segment><source><sc id="7" isolated="yes"/>so<ec id="8" isolated="yes"/> <ec startRef="99"/><sc id="10"/>far</source>
<target>SLOT3</target></segment></unit></file></xliff>
"""
XLIFF_2_PLAIN = {"SLOT1": "ich habe sie gesehen", "SLOT2": "komm zurück", "SLOT3": "bis hier"}
XLIFF_2_TAGGED = {
    "SLOT1": 'ich <pc id="1" dataRefStart="d1">habe<mrk id="m1" type="term"></mrk></pc> <ph id="2"/>sie gesehen',
    "SLOT2": '<sc id="3"/>komm<ec startRef="3"/> <sm id="5" type="comment"/>zurück<em startRef="5"/><cp hex="001A"/>',
    "SLOT3": '<ec startRef="99"/><sc id="10"/>bis <sc id="7" isolated="yes"/>hier<ec id="8" isolated="yes"/>',
}
XLIFF_2_LINKS = ["0-0 1-1 2-3 3-2", "0-0 1-1", "0-1 1-0"]

TMX = """<?xml version="1.0"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header creationtool="x" srclang="en" datatype="html" segtype="sentence" adminlang="en" o-tmf="x"/>
<body>
<tu tuid="a"><note>n</note><tuv xml:lang="en-US">
<seg>press <hi type="b">the <ph x="1">{0}</ph>key</hi> <bpt i="1">&lt;i></bpt>now<ept
 i="1"/></seg></tuv><tuv xml:lang='fr'><prop type="p">q</prop><seg>SLOT1</seg></tuv></tu>
<tu><tuv xml:lang="fr"><seg>SLOT2</seg></tuv><tuv xml:lang="EN">
<seg>it <it pos="begin">&lt;u><sub>note</sub></it>rains<ut>x</ut></seg></tuv></tu>
<tu><tuv xml:lang="de"><seg>nur <hi>deutsch</hi></seg></tuv></tu>
</body></tmx>
"""
TMX_PLAIN = {"SLOT1": "maintenant tapez la touche", "SLOT2": "il pleut"}
TMX_TAGGED = {
    "SLOT1": '<bpt i="1">&lt;i></bpt>maintenant<ept\n i="1"/> tapez <hi type="b">la <ph x="1">{0}</ph>touche</hi>',
    "SLOT2": 'il <it pos="begin">&lt;u><sub>note</sub></it>pleut<ut>x</ut>',
}
TMX_LINKS = ["0-1 1-2 2-3 3-0", "0-0 1-1", ""]


def tmx(path):
    return TmxTags(path, ("en", "fr"))


FILES = {
    "xliff 1": (XliffTags, ".xlf", XLIFF_1, XLIFF_1_PLAIN, XLIFF_1_TAGGED, XLIFF_1_LINKS),
    "xliff 2": (XliffTags, ".xliff", XLIFF_2, XLIFF_2_PLAIN, XLIFF_2_TAGGED, XLIFF_2_LINKS),
    "tmx": (tmx, ".tmx", TMX, TMX_PLAIN, TMX_TAGGED, TMX_LINKS),
}


def filled(template, slots):
    for name, text in slots.items():
        template = template.replace(name, text)
    return template


def read_as_corpus(path):
    """The pairs that corpus readers give."""
    return list(Bitext.read(path, columns="en,fr" if ".tmx" in path.suffixes else None))


def aligned(links):
    return [Alignment.of(text) for text in links]


@pytest.fixture
def write(tmp_path):
    def written(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


@pytest.mark.parametrize("kind", FILES)
def test_tags_go_into_translations_and_nothing_else_changes(write, tmp_path, kind):
    make, suffix, template, plain, expected, links = FILES[kind]
    path = write(f"a{suffix}", filled(template, plain))
    counts = make(path).write(tmp_path / "out", aligned(links))
    assert (tmp_path / "out").read_bytes().decode() == filled(template, expected)
    assert (counts.segments, counts.tagged, counts.kept) == (len(links), len(plain), int(kind == "xliff 1"))
    assert (
        counts.tags
        == sum(text.count("<") - text.count("</") for text in expected.values())
        - (
            {"xliff 1": 1, "xliff 2": 2, "tmx": 2}[kind]  # two for a pair of marks, and one inside a code
        )
    )
    assert counts.unsure == {"xliff 1": 0, "xliff 2": 1, "tmx": 0}[kind]
    assert "segments" in str(counts)


@pytest.mark.parametrize("kind", FILES)
def test_pairs_are_those_of_corpus_readers(write, kind):
    make, suffix, template, plain, tagged, _ = FILES[kind]
    for slots in (plain, tagged, dict.fromkeys(plain, "\n  two\n\n lines <!-- c --> &#13; \t&amp;&#160;so<?p?>.\n")):
        path = write(f"a{suffix}", filled(template, slots))
        assert list(make(path).pairs()) == read_as_corpus(path)
    compressed = write(f"a{suffix}.gz", gzip.compress(path.read_bytes()))
    assert list(make(compressed).pairs()) == list(make(path).pairs()) == read_as_corpus(compressed)


@pytest.mark.parametrize("kind", FILES)
def test_translations_that_have_tags_are_kept_unless_these_are_to_be_replaced(write, tmp_path, kind):
    make, suffix, template, _, expected, links = FILES[kind]
    path = write(f"a{suffix}", filled(template, expected))
    counts = make(path).write(tmp_path / "out", aligned(links))
    assert (tmp_path / "out").read_bytes() == path.read_bytes()
    assert (counts.tagged, counts.tags) == (0, 0)
    counts = make(path).write(tmp_path / "out", aligned(links), replace=True)
    again = (tmp_path / "out").read_text(encoding="utf-8")
    assert again.replace('les <g id="1">siennes</g>', 'les <g id="9">siennes</g>') == filled(template, expected)
    assert counts.kept == 0


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("2 &lt;&#x20;3", "2 <g>&lt;</g>&#x20;3"),
        ("<!-- a -->x  <!-- b -->y<?c?> z", "<!-- a -->x  <!-- b --><g>y<?c?></g> z"),
        ("<![CDATA[ < > & ]]>", " &lt; <g>&gt;</g> &amp; "),
        ("a <![CDATA[<]]> c", "a <g><![CDATA[<]]></g> c"),
        ("\n  un\r\n  deux\r\n trois\n", "\n  un\r\n  <g>deux</g>\r\n trois\n"),
        ("un &so;&so;deux&so;", "un &so;&so;<g>deux&so;</g>"),
        ("a ] ]>", "a <g>]</g> ]>"),
    ],
)
def test_how_text_is_written_does_not_change(write, tmp_path, target, expected):
    template = (
        '<!DOCTYPE x SYSTEM "somewhere"><x><trans-unit><source>a <!-- d --><g>b</g></source><target>{}</target>'
        "</trans-unit></x>"
    )
    path = write("a.xlf", template.format(target))
    XliffTags(path).write(tmp_path / "out", aligned(["0-0 1-1"]))
    assert (tmp_path / "out").read_bytes().decode() == template.format(expected)
    assert list(XliffTags(path).pairs()) == list(XliffTags(tmp_path / "out").pairs())


ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "iso-8859-1", "windows-1252", "shift_jis", "gb18030"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_files_stay_in_their_encoding(write, tmp_path, encoding):
    said = "utf-8" if encoding == "utf-8-sig" else encoding.removesuffix("-le")
    text = "é" if encoding not in ("shift_jis",) else "語"
    template = (
        f"<?xml version='1.0' encoding='{said}'?>\r\n<xliff><trans-unit><source>a <g>b</g></source>"
        f"<target>c {text}SLOT</target></trans-unit>\r\n</xliff>"
    )
    path = write("a.xlf", template.replace("SLOT", "").encode(encoding))
    XliffTags(path).write(tmp_path / "out.xlf", aligned(["0-0 1-1"]))
    expected = template.replace(f"{text}SLOT", f"<g>{text}</g>").encode(encoding)
    assert (tmp_path / "out.xlf").read_bytes() == expected
    assert list(XliffTags(path).pairs()) == [("a b", f"c {text}")] == read_as_corpus(path)


def test_compressed_files_are_read_and_written(write, tmp_path):
    path = write("a.xlf.gz", gzip.compress(filled(XLIFF_1, XLIFF_1_PLAIN).encode()))
    XliffTags(path).write(tmp_path / "out.xlf.gz", aligned(XLIFF_1_LINKS))
    assert gzip.decompress((tmp_path / "out.xlf.gz").read_bytes()).decode() == filled(XLIFF_1, XLIFF_1_TAGGED)


def test_other_encodings_are_not_mixed_with_compression(write, tmp_path):
    path = write("a.xlf", "<xliff><trans-unit/></xliff>".encode("utf-16"))
    for output in (tmp_path / "out.gz", None, "-"):
        with pytest.raises(UsageError, match="text in utf-16-le is written to a file that is not compressed"):
            XliffTags(path).write(output, [Alignment()])


SEGMENTED = """<xliff version="1.2"><trans-unit id="1"><source>One <g id="1">big</g> dog. It <x id="2"/>barks.</source>
<seg-source><g id="0"><mrk mtype="seg" mid="0">One <g id="1">big</g> dog.</mrk>
<mrk mid="1" mtype="seg">It <x id="2"/>barks.</mrk></g></seg-source>
<target><g id="0"><mrk mtype="seg" mid="1">FIRST</mrk> <mrk mtype="seg" mid="0">SECOND</mrk></g></target></trans-unit>
</xliff>
"""


def test_segments_inside_units_are_pairs_of_their_own(write, tmp_path):
    path = write("a.sdlxliff", filled(SEGMENTED, {"FIRST": "Il aboie.", "SECOND": "Un chien grand."}))
    file = XliffTags(path)
    assert list(file.pairs()) == [("One big dog.", "Un chien grand."), ("It barks.", "Il aboie.")]
    counts = file.write(tmp_path / "out", aligned(["0-0 1-2 2-1", "0-0 1-1"]))
    expected = {"FIRST": 'Il <x id="2"/>aboie.', "SECOND": 'Un chien <g id="1">grand.</g>'}
    assert (tmp_path / "out").read_text(encoding="utf-8") == filled(SEGMENTED, expected)
    assert (counts.segments, counts.tagged, counts.tags) == (2, 2, 2)


def test_segments_in_pieces_are_left_alone_and_those_without_translation_are_none(write, tmp_path):
    document = (
        '<x><trans-unit><source>a</source><seg-source><mrk mtype="seg" mid="1"><g>a</g> </mrk>'
        '<mrk mtype="seg" mid="1">b</mrk></seg-source>'
        "<target>{}</target></trans-unit></x>"
    )
    pieces = '<mrk mtype="seg" mid="1">c </mrk><mrk mtype="seg" mid="1">d</mrk>'
    path = write("a.xlf", document.format(pieces))
    assert list(XliffTags(path).pairs()) == [("a b", "c d")]
    XliffTags(path).write(tmp_path / "out", aligned(["0-0 1-1"]))
    assert (tmp_path / "out").read_bytes() == path.read_bytes()
    path = write("a.xlf", document.format('<mrk mtype="seg" mid="1"></mrk>'))
    assert list(XliffTags(path).pairs()) == [("a", "")]


def test_prefixes_mean_the_same_where_tags_go(write, tmp_path):
    template = (
        "<xliff xmlns='urn:x'><trans-unit>"
        "<source xmlns:a='urn:a' xmlns='urn:s'><a:g>x</a:g> <b xmlns:a='urn:c'>y</b></source>"
        "<target xmlns='urn:t'>{}</target></trans-unit></xliff>"
    )
    path = write("a.xlf", template.format("x y"))
    XliffTags(path).write(tmp_path / "out", aligned(["0-0 1-1"]))
    assert (tmp_path / "out").read_text(encoding="utf-8") == template.format(
        '<a:g xmlns="urn:s" xmlns:a="urn:a">x</a:g> <b xmlns="urn:s" xmlns:a=\'urn:c\'>y</b>'
    )


def markup_of(tagged, escape):
    """A tagged text with marks and elements of XLIFF 1.2."""
    written, last = "", 0
    for at, number, closes in tagged.places():
        kind = tagged.tags[number].kind.value
        written += escape(tagged.text[last:at])
        last = at
        if kind == "element":
            written += "</g>" if closes else f'<g id="{number}">'
        elif kind == "marks":
            written += f'<{"ex" if closes else "bx"} id="{number}{closes}" rid="{number}"/>'
        else:
            written += f'<x id="{number}"/>'
    return written + escape(tagged.text[last:])


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def hugging(random, words):
    """A text with tags at edges of words: beginnings before one, ends after one."""
    text = " ".join(words)
    tags, edges, elements, marks = [], [], [], []
    for start, end in by_spaces(text).spans:
        if random.random() < 0.6:
            kind = random.choice([TagKind.POINT, TagKind.ELEMENT, TagKind.MARKS])
            edges.append(PlacedEdge(start, len(tags)))
            {TagKind.ELEMENT: elements, TagKind.MARKS: marks}.get(kind, []).append(len(tags))
            tags.append((kind, None))
        while (elements or marks) and (end == len(text) or random.random() < 0.4):
            pile = random.choice([pile for pile in (elements, marks) if pile])
            edges.append(PlacedEdge(end, pile.pop(random.randrange(len(pile)) if pile is marks else -1), True))
    return TaggedText.of(text, tags, edges)


def test_tags_come_back_to_where_they_were(write, tmp_path):
    random = Random(3)
    sources = [
        hugging(random, random.choices(["a", "b&c", "<", "dé", "中文"], k=random.randint(1, 7))) for _ in range(300)
    ]
    units = [
        f"<trans-unit><source>{markup_of(source, escaped)}</source><target>{escaped(source.text)}</target></trans-unit>"
        for source in sources
    ]
    path = write("a.xlf", f"<xliff>{''.join(units)}</xliff>")
    identity = [Alignment.of((k, k) for k in range(len(tokens(source.text)))) for source in sources]
    counts = XliffTags(path).write(tmp_path / "out", identity)
    written = (tmp_path / "out").read_text(encoding="utf-8")
    for source, target in re.findall("<source>(.*?)</source><target>(.*?)</target>", written):
        assert source == target
    assert (counts.tagged, counts.unsure) == (sum(bool(source.tags) for source in sources), 0)
    assert any(tag.floats for source in sources for tag in source.tags)


# Whatever a file contains

NAMES = ["g", "mrk", "x", "bx", "ex", "ph", "it", "bpt", "ept", "pc", "sc", "ec", "own:z", "hi"]
LEAVES = [
    "word ",
    " a",
    "b",
    "&amp;",
    "&#233;",
    "<!-- c -->",
    "<?p?>",
    "<![CDATA[ < ]]>",
    " \r\n  ",
    "中",
    " ",
    "e\u0301",
]


def random_content(random, depth=0):
    pieces = []
    for _ in range(random.randint(0, 5)):
        if random.random() < 0.5 and depth < 4:
            name = random.choice(NAMES)
            opening = f"{name} id='{random.randint(1, 3)}'" + random.choice(["", " rid='1'", " startRef='2'"])
            inside = random_content(random, depth + 1) if random.random() < 0.5 else ""
            pieces.append(f"<{opening}>{inside}</{name}>" if inside else f"<{opening}/>")
        else:
            pieces.append(random.choice(LEAVES))
    return "".join(pieces)


def inline_tags(element):
    """The tags in an element, by name and attributes, and with all that is in those that hold codes."""
    for child in element:
        if isinstance(child.tag, str):
            is_code = child.tag in CODES
            yield (
                child.tag,
                tuple(sorted(child.attrib.items())),
                etree.tostring(child, with_tail=False) if is_code else "",
            )
            if not is_code:
                yield from inline_tags(child)


CODES = ("bpt", "ept", "it", "ph")


def test_whatever_segments_contain_all_tags_are_carried_and_files_stay_well_formed(write, tmp_path):
    random = Random(11)
    targets = ["".join(random.choices(LEAVES, k=random.randint(0, 8))) for _ in range(600)]
    units = [
        f"<trans-unit><source>{random_content(random)}</source><target>{target}</target></trans-unit>"
        for target in targets
    ]
    path = write("a.xlf", f"<xliff xmlns:own='urn:own'>{''.join(units)}</xliff>")
    file = XliffTags(path)
    pairs = list(file.pairs())
    assert pairs == read_as_corpus(path)
    alignments = [random_alignment(random, tuple(len(tokens(side)) for side in pair)) for pair in pairs]
    counts = file.write(tmp_path / "out.xlf", alignments)
    assert list(XliffTags(tmp_path / "out.xlf").pairs()) == pairs
    before, after = (etree.parse(str(name)).getroot() for name in (path, tmp_path / "out.xlf"))
    carried = 0
    for unit, written, pair in zip(before, after, pairs, strict=True):
        assert etree.tostring(unit[0]) == etree.tostring(written[0])
        if tokens(pair[1]):
            assert sorted(inline_tags(written[1])) == sorted(inline_tags(unit[0]))
            carried += len(written[1].findall(".//*")) > 0
    assert counts.tagged == carried > 300


# HTML


def html(write, source, target):
    return HtmlTags(write("source.html", source), write("target.txt", target))


def test_lines_of_html(write, tmp_path):
    file = html(
        write,
        'a <b class="x" id=y>red</b> car<br>\n<i>it &amp; me</i> <!-- c --><x-y/>go &eacute;\n3 < 4 &lt; 5\n\n',
        "une voiture rouge\nlui & moi allons\n3 < 4 < 5\n\n",
    )
    assert list(file.pairs()) == [
        ("a red car", "une voiture rouge"),
        ("it & me go é", "lui & moi allons"),
        ("3 < 4 < 5", "3 < 4 < 5"),
        ("", ""),
    ]
    counts = file.write(tmp_path / "out", aligned(["0-0 1-2 2-1", "0-0 1-1 2-2 3-3", "0-0", ""]))
    assert (tmp_path / "out").read_text(encoding="utf-8").splitlines() == [
        'une voiture<br> <b class="x" id=y>rouge</b>',
        "<i>lui &amp; moi</i> <!-- c --><x-y/>allons",
        "3 &lt; 4 &lt; 5",
        "",
    ]
    assert (counts.segments, counts.tagged, counts.tags) == (4, 2, 5)


def test_scripts_styles_and_odd_writing_are_kept_as_they_are(write, tmp_path):
    line = "<SCRIPT a='>'>x < '</b>'</SCRIPT ><B>a</B\t> <style>b{}</style><!DOCTYPE x><?php y ?><Br/>b"
    file = html(write, f"{line}\n", "a b\n")
    assert list(file.pairs()) == [("a b", "a b")]
    file.write(tmp_path / "out", aligned(["0-0 1-1"]))
    assert (tmp_path / "out").read_text(encoding="utf-8") == f"{line}\n"


def test_line_ends_written_as_references_do_not_end_lines(write, tmp_path):
    file = html(write, "a&#10;<b>b</b>\n", "c d\n")
    assert list(file.pairs()) == [("a b", "c d")]
    file.write(tmp_path / "out", aligned(["0-0 1-1"]))
    assert (tmp_path / "out").read_text(encoding="utf-8") == "c <b>d</b>\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("<b>a", "line 2: <b> is not closed"),
        ("a</b>", "line 2: </b> closes an element, but nothing is open"),
        ("<b><i>a</b></i>", "line 2: </b> closes an element, but <i> is open"),
        ("a <b", "line 2: '<b' does not end"),
        ("a <!-- b", "line 2: '<!-- b' does not end"),
        ("<script>a", "line 2: <script> is not closed"),
        ("<b>" * 300, "more than 10,000 tags, or 256 inside each other"),
        ("<br>" * 10_001, "more than 10,000 tags"),
    ],
)
def test_lines_that_are_no_html_are_refused(write, line, message):
    with pytest.raises(InputError, match=re.escape(message)):
        list(html(write, f"<b>a</b>\n{line}\n", "b\nb\n").pairs())


def test_as_many_lines_as_translations(write):
    with pytest.raises(InputError, match=r"source.html has 2 lines, .*target.txt 1"):
        list(html(write, "a\nb\n", "c\n").pairs())


# Words


def test_words_are_cut_as_they_were_to_be_aligned(write, tmp_path):
    path = write("a.xlf", "<x><trans-unit><source>I <g>read</g></source><target>読む。</target></trans-unit></x>")
    ways = Tokenization("spaces", "characters")
    XliffTags(path).write(tmp_path / "out", aligned(["0-2 1-0 1-1"]), tokenization=ways)
    assert "<target><g>読む</g>。</target>" in (tmp_path / "out").read_text(encoding="utf-8")


# What is wrong


@pytest.mark.parametrize("make", [XliffTags, tmx])
@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("", "no element found"),
        ("a\tb\n", "no well-formed XML: syntax error"),
        ("<r></r>", "there are no"),
        ("<r><trans-unit><source>a<g></source></trans-unit></r>", "mismatched tag"),
        ('<!DOCTYPE r [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">]><r>&c;</r>', "declares entities"),
        ('<!DOCTYPE r [<!ENTITY a SYSTEM "/etc/passwd">]><r>&a;</r>', "declares entities"),
        (b"<r>\xff</r>", "is not in the encoding that it says, utf-8"),
        (b"%PDF-1.4", "PDF"),
        (b"PK\x03\x04", "archive"),
    ],
)
def test_files_that_are_none_are_refused(write, tmp_path, make, document, message):
    file = make(write("a", document))
    for run in (lambda: list(file.pairs()), lambda: file.write(tmp_path / "out", [])):
        with pytest.raises(InputError, match=message) as refusal:
            run()
        assert str(tmp_path / "a") in str(refusal.value)
    assert not (tmp_path / "out").exists()


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"missing\.xlf: cannot read: No such file"):
        list(XliffTags(tmp_path / "missing.xlf").pairs())


def test_what_can_be_read_only_once_is_refused():
    with pytest.raises(UsageError, match="standard input is read twice"):
        XliffTags("-")


@pytest.mark.parametrize(
    ("links", "message"),
    [
        (XLIFF_1_LINKS[:4], r"a.xlf, unit 5 \('5'\): there is no alignment for it; .* there are only 4"),
        ([*XLIFF_1_LINKS, "", ""], "a.xlf has 6 segments, but there are 8 alignments"),
        (["0-0", "0-0 7-1", *XLIFF_1_LINKS[2:]], r"a.xlf, unit 2 \('2'\): link 7-1 .* 2 source and 2 target words"),
        ([*XLIFF_1_LINKS[:4], "3-0", "0-0"], r"unit 5 \('5'\): link 3-0"),
    ],
)
def test_alignments_that_do_not_fit_are_refused(write, tmp_path, links, message):
    path = write("a.xlf", filled(XLIFF_1, XLIFF_1_PLAIN))
    with pytest.raises(InputError, match=message):
        XliffTags(path).write(tmp_path / "out", aligned(links))
    assert not (tmp_path / "out").exists()


def test_a_language_that_is_not_there_is_named(write):
    path = write("a.tmx", filled(TMX, TMX_PLAIN))
    with pytest.raises(UsageError, match=r"a.tmx has no text in 'it'; there are 'EN', 'de', 'en-US', 'fr'"):
        list(TmxTags(path, ("en", "it")).pairs())


def test_too_many_tags_and_too_long_units_are_refused(write, tmp_path):
    many = f"<x><trans-unit id='q'><source>{'<x/>' * 10_001}</source><target>a</target></trans-unit></x>"
    path = write("a.xlf", many)
    with pytest.raises(InputError, match=r"a.xlf, unit 1 \('q'\): has more than 10,000 tags"):
        XliffTags(path).write(tmp_path / "out", [Alignment()])
    with lines_up_to(1000):
        file = XliffTags(path)
    with pytest.raises(InputError, match="unit 1, or what follows it, is longer than 1,000 bytes"):
        list(file.pairs())
