"""Text that is not what it should be: one sentence that names cause and cure, the right exit code, nothing lost."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import os
import random
import tarfile
import zipfile
from typing import NamedTuple

import pytest

from cli.support import Workspace, sample_lines

SOURCE, TARGET = sample_lines(150)
# A few iterations of the simplest model will do, since it is not about what is learned.
QUICK = ["--iterations", "ibm1=1"]


def text(lines, end="\n"):
    return "".join(line + end for line in lines)


def archive(*names, mimetype=None):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name in names:
            made.writestr(name, "content")
        if mimetype is not None:
            made.writestr("mimetype", mimetype)
    return stream.getvalue()


def tar(name, content):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as made:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        made.addfile(member, io.BytesIO(content))
    return stream.getvalue()


def without(lines, *places):
    return [line for number, line in enumerate(lines) if number not in places]


class Wrong(NamedTuple):
    """Files, by name, of which ``s`` and ``t`` are good ones unless given; what is said of them, and how it ends."""

    files: dict
    words: list[str]
    code: int = 1
    arguments: tuple[str, ...] = ("s", "t")


SAVE = ["not text", "save it as plain text (UTF-8)"]
SHEET = ["not text", "save it as tab-separated text (UTF-8)"]
OPEN_DOCUMENT = "application/vnd.oasis.opendocument"
LATIN = text(TARGET).replace("é", "é ").encode("latin-1", "replace")

REFUSED = {
    "UTF-16LE without a mark": Wrong(
        {"t": text(TARGET).encode("utf-16-le")}, ["t: looks like UTF-16 (little", "LE -t"]
    ),
    "UTF-16BE without a mark": Wrong({"s": text(SOURCE).encode("utf-16-be")}, ["s: looks like UTF-16 (big", "BE -t"]),
    "UTF-16 of Han without a mark": Wrong(
        {"s": "我想要一个苹果\n谢谢\n".encode("utf-16-le")}, ["s, line 1", "UTF-16LE -t"]
    ),
    "UTF-16 in gzip": Wrong({"s": gzip.compress(text(SOURCE).encode("utf-16-be"))}, ["UTF-16 (big-endian)"]),
    "UTF-16 that ends too early": Wrong(
        {"s": codecs.BOM_UTF16_LE + text(SOURCE).encode("utf-16-le")[:-1]}, ["s, line 150: is no UTF-16", "as UTF-8"]
    ),
    "UTF-32": Wrong({"s": text(SOURCE).encode("utf-32")}, ["s: is UTF-32", "iconv -f UTF-32 -t UTF-8"]),
    "Latin-1": Wrong({"t": LATIN}, ["t, line ", "is not valid UTF-8; convert the file first", "perhaps ISO-8859-1"]),
    "Shift-JIS": Wrong({"s": "家に帰る\n".encode("shift-jis")}, ["s, line 1, byte 1", "SHIFT_JIS"]),
    "a character cut in two": Wrong({"t": "une maison é".encode()[:-1]}, ["t, line 1", "get it whole"]),
    "a Word document": Wrong({"s": archive("[Content_Types].xml", "word/document.xml")}, ["(.docx)", *SAVE]),
    "an Excel table": Wrong({"s": archive("[Content_Types].xml", "xl/workbook.xml")}, ["(.xlsx)", *SHEET]),
    "a PowerPoint presentation": Wrong({"s": archive("ppt/presentation.xml")}, ["(.pptx)", *SAVE]),
    "an OpenDocument text": Wrong({"t": archive(mimetype=f"{OPEN_DOCUMENT}.text")}, ["t: this is", "(.odt)", *SAVE]),
    "an OpenDocument table": Wrong({"t": archive(mimetype=f"{OPEN_DOCUMENT}.spreadsheet")}, ["(.ods)", *SHEET]),
    "an old Word document": Wrong({"s": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)}, ["an old document", *SAVE]),
    "a PDF": Wrong({"s": b"%PDF-1.7\n%\xe2\xe3\n"}, ["s: this is a PDF, not text", "copy the text out of it"]),
    "RTF": Wrong({"s": b"{\\rtf1\\ansi the house\\par}"}, ["RTF", *SAVE]),
    "a Parquet table": Wrong({"s": b"PAR1\x15\x04"}, ["a Parquet table", "as tab-separated text"]),
    "a picture": Wrong({"s": b"\x89PNG\r\n\x1a\n\0\0"}, ["a picture", "copy the text"]),
    "a zip archive of text": Wrong(
        {"s": archive("corpus/train.en")}, ["a zip archive of 'corpus/train.en'", "unpack it"]
    ),
    "a tar archive": Wrong(
        {"s": gzip.compress(tar("train.en", text(SOURCE).encode()))}, ["a tar archive", "unpack it"]
    ),
    "a 7z archive": Wrong({"s": b"7z\xbc\xaf\x27\x1c\0"}, ["a 7z archive", "unpack it first"]),
    "another compression": Wrong({"s": b"LZIP\x01"}, ["by lzip", "unpack it first; gzip"]),
    "line ends of old Macs": Wrong(
        {"s": text(SOURCE, "\r"), "t": text(TARGET, "\r")}, ["s: lines", "old Macs", "tr '\\r'"]
    ),
    "line ends of old Macs on one side": Wrong(
        {"t": text(TARGET, "\r")}, ["t: lines end with \\r alone", "tr '\\r' '\\n'"]
    ),
    "half of a compressed file": Wrong(
        {"s": gzip.compress(text(SOURCE).encode())[:900]}, ["s: damaged compressed data"]
    ),
    "a directory": Wrong({}, ["d: cannot read: it is a directory"], arguments=("s", "d")),
    "no such file": Wrong({}, ["none: cannot read: No such file"], arguments=("s", "none")),
    "a side alone": Wrong({}, ["TGT is missing: s holds one side", "name the file with the translations"], 2, ("s",)),
    "a side alone on standard input": Wrong({}, ["TGT is missing: standard input holds one side"], 2, ("-",)),
    "one column only": Wrong({"b.csv": "the house\n"}, ["b.csv, line 1: 1 column, but"], 1, ("b.csv",)),
    "quotes and semicolons": Wrong(
        {"b": '"the house";"la maison"\n'}, ["b: columns are sep", "--layout csv"], 1, ("b",)
    ),
    "a line without a tab": Wrong({"b": "the house\tla maison\na cat\n"}, ["b, line 2: no tab"], 1, ("b",)),
    "bars in the text": Wrong(
        {"b": "a ||| b ||| c\n"}, ["b, line 1: found 2 times", "use a tab or two files"], 1, ("b",)
    ),
    "bars without spaces": Wrong({"b": "a|||b\n"}, ["b, line 1: found 0 times ' ||| '"], 1, ("b",)),
    "a target line is missing": Wrong(
        {"t": text(without(TARGET, 70))}, ["t 149; they seem to part", "s has 1 line more"]
    ),
    "source lines are missing": Wrong({"s": text(without(SOURCE, 70, 71, 72))}, ["seem to part", "t has 3 lines more"]),
    "a line twice": Wrong(
        {"t": text([*TARGET[:50], *TARGET[49:]])}, ["s has 150 lines, t 151", "t has 1 line more; put"]
    ),
    "the target ends early": Wrong({"t": text(TARGET[:90])}, ["s has 150 lines, t 90", "as far as t goes, so its end"]),
    "blank lines at the end": Wrong({"t": text([*TARGET, "", ""])}, ["the last 2 lines are blank in t; remove them"]),
    "blank lines dropped": Wrong(
        {"s": text(["", *SOURCE[:60], "", *SOURCE[60:]])}, ["s has 152 lines, t 150", "s has 2 blank lines more; drop"]
    ),
    "cut at other separators": Wrong(
        {"s": text(["a house\u2028a cat", *SOURCE]), "t": text(["une maison", "un chat", *TARGET])},
        ["inside its lines, s has 1 separator such as U+2028", "turn them into line ends"],
    ),
    "an empty side": Wrong({"t": ""}, ["s has 150 lines, t 0; t is empty; is it the right file?"]),
    "both sides empty": Wrong({"s": "", "t": ""}, ["no sentence pairs to learn from: the text is empty"]),
    "nothing but blank lines": Wrong({"s": "\n\n", "t": " \n\t\n"}, ["to learn from: every pair has an empty side"]),
    "documents on lines": Wrong({"s": "word " * 900, "t": "mot " * 900}, ["no pair has at most 200 words a side"]),
    "a line without an end": Wrong(
        {"s": "x" * 300}, ["s, line 1: longer than 200", "--max-line"], 1, ("s", "t", "--max-line", "200")
    ),
}

HAN = "我想要一个红色的大苹果和两个小梨子"
KANA = "きのうはたくさんのあめがふっていました"
THAI = "ฉันอยากกินข้าวผัดกับเพื่อนของฉันทุกวัน"
TABLE = [f"{source}\t{target}" for source, target in zip(SOURCE, TARGET, strict=True)]
TMX = '<?xml version="1.0"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4">\n'


def glued(lines):
    return [line.replace(" .", ".").replace(" ,", ",").replace(" ?", "?").replace(" !", "!") for line in lines]


def shuffled(lines):
    return random.Random(3).sample(lines, len(lines))


def both(lines, change):
    return text(change(line) for line in lines)


LONGER = sample_lines(300)

ADVISED = {
    "NUL bytes": Wrong(
        {"t": text(TARGET).replace("Le café", "Le\0café")}, ["t, line 2: holds NUL bytes", "tr -d '\\0'"]
    ),
    "joined files": Wrong(
        {"t": text([*TARGET[:9], "\ufeff" + TARGET[9], *TARGET[10:]])}, ["t, line 10", "byte-order mark"]
    ),
    "TMX": Wrong({"s": TMX + text(SOURCE), "t": text(["", "", "", *TARGET])}, ["s: this looks like a transl", "TMX"]),
    "XLIFF": Wrong({"s": "<xliff>\n" + text(SOURCE), "t": "\n" + text(TARGET)}, ["XLIFF", "to a file of their own"]),
    "HTML": Wrong(
        {"s": "<html>\n" + text(SOURCE), "t": "\n" + text(TARGET)}, ["s: this", "HTML", "take the sentences out"]
    ),
    "XML": Wrong({"s": "<?xml?>\n" + text(SOURCE), "t": "\n" + text(TARGET)}, ["XML", "take the sentences out first"]),
    "JSON a line": Wrong({"s": both(SOURCE, lambda line: json.dumps({"text": line}))}, ["s: this looks like JSON"]),
    "JSON": Wrong(
        {"s": '[\n {"a":\n' + text(SOURCE), "t": "\n\n" + text(TARGET)}, ["s: this looks like JSON", "one a line"]
    ),
    "subtitles": Wrong(
        {"s": "1\n00:00:01,000 --> 00:00:02,000\n" + text(SOURCE), "t": "\n\n" + text(TARGET)}, ["SRT", "take the"]
    ),
    "web subtitles": Wrong({"s": "WEBVTT\n" + text(SOURCE), "t": "\n" + text(TARGET)}, ["WebVTT", "one a line"]),
    "messages": Wrong({"s": 'msgid "a"\n' + text(SOURCE), "t": "\n" + text(TARGET)}, ["(PO)", "of each side"]),
    "a treebank": Wrong(
        {"s": "# id\n1" + "\tx" * 9 + "\n" + text(SOURCE), "t": "\n\n" + text(TARGET)},
        ["CoNLL-U", "one sentence a line"],
    ),
    "alignments": Wrong({"t": "0-0 1-1\n" * 150}, ["t: this looks like alignments", "name the files with the text"]),
    "four columns": Wrong(
        {"b": both(TABLE, lambda line: f"{line}\t0.9\tx")}, ["b: has 4 columns", "cut -f 2,3"], arguments=("b",)
    ),
    "a header": Wrong(
        {"b": "en\tfr\n" + text(TABLE)}, ["b, line 1: is a header ('en' and 'fr')", "tail"], arguments=("b",)
    ),
    "headers of two files": Wrong(
        {"s": "Source\n" + text(SOURCE), "t": "Target\n" + text(TARGET)}, ["s and t, line 1: is a header", "from both"]
    ),
    "quotes": Wrong({"s": both(SOURCE, '"{}"'.format)}, ["s: 99 % of the sentences stand in quotes", "write it again"]),
    "Chinese without spaces": Wrong(
        {"t": both(TARGET, lambda line: HAN[: len(line)])}, ["t: has hardly any", "--tokenize spaces,icu"]
    ),
    "Japanese without spaces": Wrong(
        {"t": both(TARGET, lambda line: KANA[: len(line)])}, ["t: has hardly", "--tokenize spaces,icu"]
    ),
    "Thai without spaces": Wrong(
        {"s": both(SOURCE, lambda line: THAI[: len(line)])}, ["s: has hardly", "--tokenize icu,spaces"]
    ),
    "punctuation": Wrong(
        {"s": text(glued(SOURCE))}, ["s: punctuation is stuck to words in", "'rain.'", "--tokenize unicode"]
    ),
    "no-break spaces": Wrong(
        {"t": text(TARGET).replace(" ?", "\u00a0?").replace(" !", "\u202f!")}, ["t, line 3: has no-break spaces", "sed"]
    ),
    "soft hyphens": Wrong(
        {"t": text(TARGET).replace("ou", "o\u00adu")}, ["t, line 1: has invisible", "remove them first"]
    ),
    "mojibake": Wrong(
        {"t": text(TARGET).encode().decode("latin-1")}, ["t, line 1: letters were", "write the file again"]
    ),
    "lost letters": Wrong(
        {"t": text(TARGET).replace("é", "\ufffd")}, ["replacement characters (U+FFFD)", "from its source"]
    ),
    "entities": Wrong(
        {"t": text(TARGET).replace("é", "&eacute;")}, ["t, line 1: has characters written as in HTML", "turn"]
    ),
    "tags": Wrong({"s": both(SOURCE, "<b>{}</b>".format)}, ["s, line 1: has tags of HTML", "remove them first"]),
    "a file twice": Wrong({}, ["SRC and TGT are the same file, s; name the file with the"], arguments=("s", "s")),
    "a file twice by other names": Wrong({}, ["SRC and TGT are the same file, link"], arguments=("s", "link")),
    "a copy of a file": Wrong({"t": text(SOURCE)}, ["s and t hold the same text; name a file with translations"]),
    "not translated": Wrong(
        {"t": text([*SOURCE[:60], *TARGET[60:]])}, ["40 % of the pairs are the same", "leave them out"]
    ),
    "shifted by a line": Wrong(
        {"t": text(["", *TARGET[:-1]])}, ["shifted: t has 1 line more at the begi", "remove what"]
    ),
    "shifted the other way": Wrong(
        {"t": text([*TARGET[3:], "", "", ""])}, ["shifted: s has 3 lines more at the beginn"]
    ),
    "shifted from the middle": Wrong(
        {"t": text([*without(TARGET, 60), "une fin"])},
        ["s and t: the sides seem to part", "s has 1 line more; put that"],
    ),
    "another order": Wrong(
        {"s": text(LONGER[0]), "t": text(shuffled(LONGER[1]))}, ["do not seem to translate each other", "same order?"]
    ),
    "blank lines between": Wrong(
        {"s": text(SOURCE, "\n\n"), "t": text(TARGET, "\n\n")}, ["50 % of the lines are blank", "remove them in pairs"]
    ),
    "paragraphs": Wrong(
        {"s": both(SOURCE, lambda line: f"{line} " * (40 if len(line) < 50 else 1))},
        ["s: ", "over 200 words", "on a line"],
    ),
}


@pytest.fixture
def place(work):
    """A folder with a good text, and results of an earlier run."""
    work.write("s", SOURCE)
    work.write("t", TARGET)
    work.write("out", "the old result\n")
    os.link(work.folder / "s", work.folder / "link")
    (work.folder / "d").mkdir()
    return work


def put(place: Workspace, wrong: Wrong) -> None:
    for name, content in wrong.files.items():
        place.write(name, content)


def test_there_are_more_than_forty():
    assert len(REFUSED) + len(ADVISED) > 80


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_used_is_refused(place, name):
    wrong = REFUSED[name]
    put(place, wrong)
    stdin = "the house\n" if "-" in wrong.arguments else None
    message = place.fails("align", *wrong.arguments, "-q", *QUICK, "-o", "out", code=wrong.code, stdin=stdin)
    assert [words for words in wrong.words if words not in message] == [], message
    assert place.fails("check", *wrong.arguments, code=wrong.code, stdin=stdin) == message
    assert len(message) < 320


@pytest.mark.parametrize("name", ADVISED)
def test_what_is_probably_not_meant_is_said(place, name):
    wrong = ADVISED[name]
    put(place, wrong)
    outcome = place.ok("align", *wrong.arguments, "-q", *QUICK, "-o", "out")
    told = [line for line in outcome.err.splitlines() if line.startswith("pralign: ")]
    sides = 2 if name == "blank lines between" else 1
    assert len(told) == sides, outcome.err
    assert [words for words in wrong.words if words not in told[0]] == [], told
    assert outcome.err.count("\n") == sides
    assert place.read("out") != "the old result\n"
    said = [
        line.removeprefix("- ") for line in place.ok("check", *wrong.arguments).out.splitlines() if line[:2] == "- "
    ]
    assert said == [line.removeprefix("pralign: ") for line in told]


@pytest.mark.parametrize("name", ADVISED)
def test_with_strict_it_is_refused_and_nothing_is_lost(place, name):
    wrong = ADVISED[name]
    put(place, wrong)
    before = place.snapshot()
    outcome = place.run("align", *wrong.arguments, "-q", *QUICK, "--strict", "-o", "out", "--save", "m")
    assert (outcome.code, outcome.out) == (1, "")
    assert "refused by --strict" in outcome.err.splitlines()[-1]
    assert [words for words in wrong.words if words not in outcome.err] == []
    assert place.snapshot() == before
    assert place.run("check", *wrong.arguments, "--strict").code == 1
