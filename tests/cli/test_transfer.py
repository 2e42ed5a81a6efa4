"""``pralign transfer``."""

from __future__ import annotations

import json

import pytest

from cli.support import full_disk
from pralign.text.conllu import parse_conllu

ENGLISH = """\
# sent_id = a1
# text = The cat sleeps.
1	The	the	DET	DT	_	2	det	_	_
2	cat	cat	NOUN	NN	Number=Sing	3	nsubj	_	_
3	sleeps	sleep	VERB	VBZ	_	0	root	_	SpaceAfter=No
4	.	.	PUNCT	.	_	3	punct	_	_

1	It	it	PRON	PRP	_	2	expl	_	_
2	rains	rain	VERB	VBZ	_	0	root	_	_

"""
FRENCH = ["Le chat dort .", "Il pleut"]
LINKS = ["0-0 1-1 2-2 3-3", "0-0 1-1"]
SPANS = [
    json.dumps({"text": "Ann met Bob.", "spans": [{"start": 0, "end": 3, "label": "PER"}], "page": 4}),
    "",
    json.dumps({"text": "It rains", "spans": [{"start": 0, "end": 2, "label": "X"}]}),
]


@pytest.fixture
def trees(work):
    work.write("s.conllu", ENGLISH)
    work.write("t", FRENCH)
    work.write("l", LINKS)
    return work


def carried(text):
    return list(parse_conllu(text.splitlines(), "out"))


def test_trees_are_carried_with_what_says_how_sure_they_are(trees):
    done = trees.ok("transfer", "s.conllu", "t", "l")
    first, second = carried(done.out)
    assert first.heads == (2, 3, 0, 3)
    assert first.comments == ("# sent_id = a1", "# text = Le chat dort .")
    assert second.comments == ("# sent_id = 2", "# text = Il pleut")
    assert first.rows[1] == (
        "2",
        "chat",
        "_",
        "NOUN",
        "_",
        "_",
        "3",
        "nsubj",
        "_",
        "EdgeConfidence=1.000|TagConfidence=1.000",
    )
    assert done.err == "6 edges (3.0 a sentence) were carried to 6 words of 2 sentences\n"


def test_what_is_not_linked_has_no_head_unless_trees_are_completed(trees):
    trees.write("l", ["1-1 2-2", ""])
    first, second = carried(trees.ok("transfer", "s.conllu", "t", "l").out)
    assert (first.heads, second.heads) == ((-1, 3, 0, -1), (-1, -1))
    done = trees.ok("transfer", "s.conllu", "t", "l", "--complete")
    first, second = carried(done.out)
    assert (first.heads, second.heads) == ((2, 3, 0, 3), (0, 1))
    assert done.err == "2 edges (1.0 a sentence) were carried to 6 words of 2 sentences\n"


def test_links_below_the_threshold_carry_nothing(trees):
    trees.write("l", ["0-0:0.3 1-1:0.95 2-2:0.9 3-3:0.2", "0-0:0.95 1-1:0.1"])
    first, second = carried(trees.ok("transfer", "s.conllu", "t", "l", "--threshold", "0.9").out)
    assert (first.heads, second.heads) == ((-1, 3, 0, -1), (-1, -1))
    assert "EdgeConfidence=0.900" in first.rows[1][9]


def test_words_of_a_treebank_are_kept(trees):
    trees.write("t.conllu", ENGLISH.replace("cat\tcat\tNOUN", "chat\tchat\tPROPN").replace("\tnsubj\t", "\tobj\t"))
    first, _ = carried(trees.ok("transfer", "s.conllu", "t.conllu", "l").out)
    assert first.rows[1][:8] == ("2", "chat", "chat", "PROPN", "NN", "Number=Sing", "3", "nsubj")
    assert first.comment("text") == "The cat sleeps."


def test_text_is_cut_into_words_and_says_where_there_are_no_spaces(trees):
    trees.write("t", ["Le chat dort.", "Il pleut"])
    first, _ = carried(trees.ok("transfer", "s.conllu", "t", "l", "--tokenize", "unicode").out)
    assert first.forms == ["Le", "chat", "dort", "."]
    assert first.comment("text") == first.text == "Le chat dort."


def test_tags_that_do_not_go_together_carry_nothing(trees):
    trees.write("l", ["0-0 1-1 2-3 3-2", "0-0 1-1"])
    trees.write("t.conllu", ENGLISH)
    arguments = ["transfer", "s.conllu", "t.conllu", "l", "-q"]
    assert carried(trees.ok(*arguments).out)[0].heads == (2, 4, 4, 0)
    assert carried(trees.ok(*arguments, "--compatible-tags").out)[0].heads == (2, -1, -1, -1)


def test_what_words_take_over_can_be_chosen(trees):
    rows = [
        carried(trees.ok("transfer", "s.conllu", "t", "l", "--carry", what).out)[0].rows[1]
        for what in ("none", "lemma,feats")
    ]
    assert [row[2:6] for row in rows] == [("_", "_", "_", "_"), ("cat", "_", "_", "Number=Sing")]


def test_blank_translations_have_no_sentence(trees):
    trees.write("t", ["", "Il pleut"])
    trees.write("l", ["", "0-0 1-1"])
    done = trees.ok("transfer", "s.conllu", "t", "l", "-o", "out.conllu")
    assert [sentence.forms for sentence in carried(trees.read("out.conllu"))] == [["Il", "pleut"]]
    assert "1 sentences of t have no words, and are not in the result" in done.err


def test_a_model_is_asked_or_trained_where_there_are_no_links(model):
    rows = [
        "\t".join(["1", "the", *"____", "2", "det", *"__"]),
        "\t".join(["2", "house", *"____", "0", "root", *"__"]),
        "",
    ]
    model.write("s.conllu", rows * 3)
    model.write("t", ["la maison"] * 3)
    for options in (["--model", "m"], ["--model", "m", "--no-adapt"]):
        found = carried(model.ok("transfer", "s.conllu", "t", *options, "-q").out)
        assert [sentence.heads for sentence in found] == [(2, 0)] * 3
    assert [sentence.forms for sentence in carried(model.ok("transfer", "s.conllu", "t").out)] == [["la", "maison"]] * 3


@pytest.fixture
def spans(work):
    work.write("s.jsonl", SPANS)
    work.write("t", ["Ann a vu Bob.", "", "il pleut"])
    work.write("l", ["0-0 1-2 2-3", "", "1-1"])
    return work


def test_spans_are_carried_a_line_for_a_line(spans):
    done = spans.ok("transfer", "--spans", "s.jsonl", "t", "l", "-o", "out.jsonl")
    first, blank, last = spans.lines("out.jsonl")
    span = {"start": 0, "end": 3, "label": "PER", "confidence": 1.0}
    assert json.loads(first) == {"text": "Ann a vu Bob.", "spans": [span], "page": 4}
    assert blank == ""
    assert json.loads(last) == {"text": "il pleut", "spans": [], "missing": [{"start": 0, "end": 2, "label": "X"}]}
    assert done.err == "1 spans were carried, 0 of them unsure; 1 have no linked words and are missing\n"


def test_other_formats_of_spans(work):
    work.write("s.bio", ["Ann\tB-PER", "left\tO", ""])
    work.write("t", ["Ann est partie"])
    work.write("l", ["0-0 1-2"])
    assert work.ok("transfer", "--spans", "s.bio", "t", "l").out == "Ann\tB-PER\t1.000\nest\tO\t_\npartie\tO\t_\n\n"
    work.write("s.txt", ["Ann left"])
    work.write("s.ann", ["T1\tPER 0 3\tAnn", "R1\tSelf Arg1:T1 Arg2:T1"])
    done = work.ok("transfer", "--spans", "s.ann", "t", "l")
    assert done.out.startswith("T1\tPER 0 3\tAnn\n")
    assert "1 annotations that are no spans" in done.err


XLIFF = """\
<xliff version="1.2"><file><body>
<trans-unit id="1"><source>The <g id="1">red car</g><x id="2"/></source><target>La voiture rouge</target></trans-unit>
<trans-unit id="2"><source>A cat</source><target>Un chat</target></trans-unit>
</body></file></xliff>
"""
TAG_LINKS = ["0-0 1-2 2-1", "0-0 1-1"]


def test_tags_of_a_file_with_both_sides(work):
    work.write("f.xliff", XLIFF)
    work.write("l", TAG_LINKS)
    done = work.ok("transfer", "--tags", "f.xliff", "l", "-o", "out.xliff")
    tagged = '<target>La <g id="1">voiture rouge</g><x id="2"/></target>'
    assert work.read("out.xliff") == XLIFF.replace("<target>La voiture rouge</target>", tagged)
    assert "2 tags were placed in 1 of 2 segments" in done.err
    work.write(
        "m.tmx",
        '<tmx version="1.4"><body><tu>' + tmx("en", "the <hi>cat</hi>") + tmx("fr", "le chat") + "</tu></body></tmx>",
    )
    work.write("l", ["0-0 1-1"])
    assert "<seg>le <hi>chat</hi></seg>" in work.ok("transfer", "--tags", "m.tmx", "l", "--columns", "en,fr", "-q").out


def tmx(language, text):
    return f'<tuv xml:lang="{language}"><seg>{text}</seg></tuv>'


def test_tags_of_lines(work):
    work.write("s.html", ["the <b>red</b> car", "plain"])
    work.write("t", ["la voiture rouge", "simple"])
    work.write("l", ["0-0 1-2 2-1", "0-0"])
    assert work.ok("transfer", "--tags", "s.html", "t", "l").out == "la voiture <b>rouge</b>\nsimple\n"


def test_tags_by_a_model(model):
    model.write("f.xliff", XLIFF.replace("red car", "house").replace("La voiture rouge", "la maison"))
    done = model.ok("transfer", "--tags", "f.xliff", "--model", "m", "--no-adapt", "-q")
    assert '<target>la <g id="1">maison</g><x id="2"/></target>' in done.out


WRONG = [
    (["s.conllu", "t"], {"s.conllu": "1\tIt\n\n"}, "s.conllu, line 1: 2 columns instead of 10"),
    (["s.conllu", "t", "l"], {"s.conllu": ENGLISH.replace("0\troot", "2\troot", 1)}, "a tree has no circles"),
    (
        ["s.conllu", "t", "l"],
        {"s.conllu": ENGLISH.replace("3\tnsubj", "9\tnsubj", 1)},
        "s.conllu, line 4: found '9' as the head",
    ),
    (["s.conllu", "t", "l"], {"t": FRENCH[:1]}, "s.conllu has 2 lines, t 1"),
    (["s.conllu", "t", "l"], {"l": LINKS[:1]}, "s.conllu and t has 2 lines, l 1"),
    (["s.conllu", "t", "l"], {"l": ["0-0 1-9", ""]}, "l, line 1: link 1-9"),
    (["s.conllu", "t", "l", "--threshold", "0.5"], {}, "these links have no probabilities to compare with --threshold"),
    (["--tags", "f.xliff", "l"], {"f.xliff": XLIFF, "l": TAG_LINKS[:1]}, "f.xliff"),
    (["--tags", "f.xliff", "l"], {"f.xliff": XLIFF, "l": ["0-9", ""]}, "0-9"),
    (["--tags", "f.xliff", "l"], {"f.xliff": "<xliff><file>", "l": TAG_LINKS}, "f.xliff"),
    (
        ["--tags", "f.xliff", "l"],
        {"f.xliff": '<!DOCTYPE x [<!ENTITY a "b">]>' + XLIFF, "l": TAG_LINKS},
        "declares entities of its own",
    ),
    (["--tags", "h", "t", "l"], {"h": ["<b>x", "y"]}, "h, line 1"),
    (["--spans", "s.jsonl", "t", "l"], {"s.jsonl": ["{}"], "t": ["x"], "l": [""]}, "s.jsonl, line 1"),
    (
        ["--spans", "s.jsonl", "t", "l"],
        {
            "s.jsonl": [json.dumps({"text": "Ann", "spans": [{"start": 0, "end": 9, "label": "X"}]})],
            "t": ["x"],
            "l": [""],
        },
        "s.jsonl, line 1, span 1",
    ),
]


@pytest.mark.parametrize(("arguments", "files", "message"), WRONG, ids=range(len(WRONG)))
def test_bad_input_is_named_and_nothing_is_written(trees, arguments, files, message):
    for name, content in files.items():
        trees.write(name, content)
    trees.write("old", "old\n")
    code = 2 if "--threshold" in arguments else 1
    assert message in trees.fails("transfer", *arguments, "-o", "old", code=code)
    assert trees.read("old") == "old\n"
    assert not [path for path in trees.folder.iterdir() if path.name.startswith(".")]


MISUSED = [
    (["s.conllu"], "TGT is missing"),
    (["s.conllu", "t", "l", "--model", "m"], "links come from ALIGN or from --model"),
    (["--spans", "--tags", "s.conllu", "t"], "--spans and --tags cannot go together"),
    (["--spans", "s.jsonl", "t", "l", "--complete"], "are about trees"),
    (["s.conllu", "t", "--adapt"], "--adapt is about a saved model"),
    (["s.conllu", "t", "--base", "1"], "--from and --base are about ALIGN"),
    (["s.conllu", "t", "l", "--threshold", "auto"], "the links of l take a number"),
    (["s.conllu", "t", "l", "--carry", "head"], "what words take over is"),
    (["--tags", "f.xliff", "t", "l"], "f.xliff has its translations inside; leave out TGT"),
    (["--tags", "h"], "TGT is missing: h is taken for lines of HTML"),
    (["--tags", "m.tmx", "l"], "which languages of m.tmx?"),
    (["--tags", "f.xliff", "l", "--columns", "en,fr"], "--columns names the two languages of a TMX file"),
    (["s.conllu", "t", "l", "--columns", "en,fr"], "--columns names the two languages of a TMX file"),
    (["--spans", "s.conllu", "t", "l"], "the name does not tell the format of its spans"),
]


@pytest.mark.parametrize(("arguments", "message"), MISUSED, ids=range(len(MISUSED)))
def test_misuse(trees, arguments, message):
    assert message in trees.fails("transfer", *arguments, code=2)


@full_disk
def test_a_full_disk(trees):
    message = trees.fails("transfer", "s.conllu", "t", "l", "-o", "/dev/full")
    assert message == "/dev/full: cannot write: No space left on device"
