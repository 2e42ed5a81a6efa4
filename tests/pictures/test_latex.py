"""Pictures of alignments as LaTeX."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

from pralign import __version__
from pralign.links.alignment import Alignment
from pralign.pictures.latex import escaped, matrix_latex
from pralign.pictures.matrix import AlignedPair

GOLD = Alignment.of([(0, 0), (1, 1)], possible=[(2, 1)])
LINKS = Alignment.of([(0, 0), (1, 0), (2, 1)], scores=[1.0, 0.64, 0.25])
PAIR = AlignedPair(7, ["the", "old", "house"], ["la", "maison"], LINKS, GOLD)
SPECIAL = [
    "#$%&_{}~^\\",
    "<>|\"'`",
    "``quoted''",
    "?`!`",
    "--",
    "---",
    ",,",
    "<<>>",
    "[x]",
    "a;b",
    "\\end{tikzpicture}",
]
SPECIAL += ["^^M", "%", "$x^2$", "été", "naïve", "œuf", "ß", "“so”", "10\u00a0000", "…", "€", "Łódź", "\x1b[0m", "{"]
JAPANESE = ["日本語", "です", "カタカナ", "。"]
OTHERS = [
    "Привет",
    "\u05e9\u05dc\u05d5\u05dd",
    "عربي",
    "हिन्दी",
    "e\u0301te\u0301",
    "q\u0301",
    "→",
    "\u200f",
    "a\u200db",
]
OTHERS += ["\U0001f468\u200d\U0001f469\u200d\U0001f467", "½", "ơ", "ħ", "\ue000"]
PATIENCE = 120  # seconds

ENGINES = [
    pytest.param(
        engine, marks=pytest.mark.skipif(shutil.which(engine) is None, reason=f"{engine} is not installed here")
    )
    for engine in ("pdflatex", "xelatex")
]


def compiled(folder, engine, document):
    """The log of a document that compiles."""
    (folder / "document.tex").write_text(document, encoding="utf-8")
    done = subprocess.run(
        [engine, "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "document.tex"],
        cwd=folder,
        env={**os.environ, "TEXMFVAR": str(folder / "var"), "max_print_line": "1000"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=PATIENCE,
        check=False,
    )
    log = done.stdout.decode(errors="replace")
    assert done.returncode == 0, log[-3000:]
    assert (folder / "document.pdf").stat().st_size > 1000
    return log


def pair_of(words):
    return AlignedPair(1, words, words[::-1], Alignment.of([(k, k) for k in range(len(words))]))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("words", [SPECIAL, JAPANESE, OTHERS], ids=["special", "japanese", "others"])
def test_documents_compile_whatever_the_words(tmp_path, engine, words):
    compiled(tmp_path, engine, matrix_latex([PAIR, pair_of(words)]))


@pytest.mark.parametrize("engine", ENGINES)
def test_the_text_in_the_picture_is_the_text_of_the_words(tmp_path, engine):
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed here")
    words = [word for word in SPECIAL if word.isascii() and "\x1b" not in word and "fi" not in word]
    compiled(tmp_path, engine, matrix_latex([AlignedPair(1, words, ["x"], Alignment())]))
    done = subprocess.run(
        ["pdftotext", "-layout", "document.pdf", "-"], cwd=tmp_path, stdout=subprocess.PIPE, check=True
    )
    found = done.stdout.decode().split()
    assert [word for word in words if word not in found] == []


@pytest.mark.parametrize("engine", ENGINES)
def test_without_the_class_for_pictures_an_article_will_do(tmp_path, engine):
    document = matrix_latex([PAIR]).replace("{standalone.cls}", "{there-is-no-such.cls}")
    assert "Document Class: article" in compiled(tmp_path, engine, document)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed here")
def test_a_picture_can_be_pasted_with_two_lines_of_preamble(tmp_path):
    document = matrix_latex([pair_of(["été", '"quoted"', "日本"])])
    [picture] = re.findall(r"\\begin\{tikzpicture\}.*?\\end\{tikzpicture\}", document, flags=re.DOTALL)
    picture = picture.replace("日本", "x")  # what a paper cannot show on its own
    lines = [line.lstrip("% ").split(" % ")[0].strip() for line in document.split("\n") if line.startswith("%   \\use")]
    assert len(lines) == 2
    paper = "\n".join([r"\documentclass{article}", *lines, r"\begin{document}", picture, r"\end{document}"])
    compiled(tmp_path, "pdflatex", paper)


def test_every_pair_is_a_picture_with_its_marks():
    document = matrix_latex([PAIR, PAIR._replace(number=8, gold=None)])
    first, second = re.findall(r"\\begin\{tikzpicture\}(.*?)\\end\{tikzpicture\}", document, flags=re.DOTALL)
    matrix, key = first.split(r"\begin{scope}")
    assert matrix.count(r"\path[sure]") == 2
    assert matrix.count(r"\path[possible]") == 1
    assert matrix.count(r"\path[wrong]") == 1
    assert [float(radius) for radius in re.findall(r"\\path\[link\] \S+ circle \[radius=(\S+)\]", matrix)] == [
        0.36,
        0.18,
    ]
    assert key.count(r"\path[sure]") == 1
    assert second.count(r"\path[link]") == 3 + 1 + 3
    assert r"\path[sure]" not in second
    assert "{Pair 8};" in second
    assert "{Pair" not in matrix_latex([PAIR])


def test_the_comments_say_what_it_is_and_what_is_needed():
    plain, foreign = matrix_latex([PAIR]), matrix_latex([pair_of(JAPANESE)])
    assert plain.split("\n")[0] == f"% Word alignment, drawn by pralign {__version__}."
    comments = "\n".join(line for line in foreign.split("\n") if line.startswith("%"))
    assert "hiragana" in comments
    assert "xelatex" in comments
    assert "font" in comments
    assert r"\pralignword" not in plain
    assert r"\pralignfallback" not in plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("house", "house"),
        ("50%", r"50\%"),
        ("a_b", r"a\_b"),
        ("\\", r"\textbackslash{}"),
        ("x--y", r"x\mbox{-}\mbox{-}y"),
        ("x-y", "x-y"),
        ("it's", r"it\textquotesingle{}s"),
        ("10\u00a0000", "10~000"),
        ("e\u0301", "é"),
    ],
)
def test_special_characters_are_escaped(text, expected):
    assert escaped(text) == expected


def test_only_characters_beyond_latin_look_for_fonts():
    document = matrix_latex([AlignedPair(1, ["été…", "日本x", "œuf"], ["a"], Alignment())])
    nodes = re.findall(r"\\node\[source\] at \S+ \{(.*)\};", document)
    assert nodes == ["été…", r"\pralignword{65E5}{日本}x", "œuf"]
    assert re.findall(r"\\pralignfallback\{(.)\}", document) == ["日", "本"]


def test_a_word_from_right_to_left_stays_whole():
    document = matrix_latex([AlignedPair(1, ["\u05e9\u05dc."], ["a"], Alignment())])
    assert "\\pralignword{05E9}{\u05e9\u05dc.}" in document


def test_nothing_to_draw():
    assert matrix_latex([AlignedPair(1, [], [], Alignment())]).count(r"\begin{tikzpicture}") == 1
