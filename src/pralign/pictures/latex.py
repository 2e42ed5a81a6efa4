r"""Alignment matrices as a LaTeX document, to go into a paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from unicodedata import category, name, normalize

from pralign import __version__
from pralign.pictures.matrix import SIDE, TURN, AlignedPair, Drawing, Key, Label, draw, draw_key
from pralign.pictures.words import runs_leftwards

_BEFORE_KEY = 0.3  # cells
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "\N{NO-BREAK SPACE}": "~",
} | {character: f"\\{character}" for character in "#$%&_{}"}
_LIGATURES = "-,"  # which fonts join if they are doubled; all others are special characters
# Beyond Latin letters, what every text font has: dashes, quotation marks, bullet, dots, per mille, euro, trade mark.
_COMMON = frozenset("\u2010\u2011\u2012\u2013\u2014\u2018\u2019\u201a\u201c\u201d\u201e\u2020\u2021\u2022\u2026\u2030")
_COMMON |= frozenset("\u2039\u203a\u20ac\u2122")
_LAST_LATIN = "\u017f"
_RARE_LATIN = frozenset("ĦħĸĿŀŉŦŧſ")  # not in the fonts of pdflatex
# In the order they are tried. For a name of one word, xelatex would also look for fonts of other kinds, with much ado.
_FONTS = (
    "Noto Sans,DejaVu Sans,Noto Sans CJK JP,Noto Sans CJK SC,Noto Sans JP,Noto Sans SC,Noto Sans KR,Noto Sans Arabic,"
    "Noto Sans Hebrew,Noto Sans Devanagari,Noto Sans Thai,Source Han Sans,Hiragino Sans,Yu Gothic,Microsoft YaHei,"
    "Malgun Gothic,Segoe UI,Arial Unicode MS,Noto Sans Symbols2,Noto Emoji,Segoe UI Symbol"
)

_STYLES = rf"""  x=5mm, y=-5mm, font=\sffamily\footnotesize,
  every node/.style={{inner sep=0pt, text height=1.5ex, text depth=.3ex}},
  lines/.style={{black!20, line width=.3pt}},
  sure/.style={{draw=black!80, fill=black!14, line width=.6pt}},
  possible/.style={{fill=black!14}},
  link/.style={{fill={{rgb,255:red,31;green,59;blue,99}}}},
  wrong/.style={{fill={{rgb,255:red,213;green,94;blue,0}}}},
  source/.style={{anchor=east}}, target/.style={{anchor=west, rotate={TURN}}},
  heading/.style={{anchor=west, font=\sffamily\bfseries\small}}, key/.style={{anchor=west, black!75}}]"""

_PREAMBLE = r"""\IfFileExists{standalone.cls}{\documentclass[tikz,border=2mm]{standalone}}
  {\documentclass{article}\pagestyle{empty}}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[utf8]{inputenc}
  \usepackage[T1]{fontenc}
  \usepackage{textcomp}
  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\else
  \usepackage{fontspec}
\fi
\usepackage{tikz}"""

# A character that pdflatex does not know is drawn as a box with its code point, one that has no width as nothing.
_BOXES = r"""\ifPDFTeX
  \newcommand\pralignbox[2]{{\setlength\fboxsep{.4pt}\setlength\fboxrule{.2pt}%
    \raisebox{-.5pt}{\fbox{\fontsize{3}{3.2}\selectfont\ttfamily\shortstack{#1\\#2}}}}}
  \makeatletter
  \newcommand\pralignfallback[3]{\@ifundefined{u8:\detokenize{#1}}{\DeclareUnicodeCharacter{#2}{#3}}{}}
  \makeatother
"""

# The first font that has the character #1 shows the text #2; that of the picture is asked first.
_PICKING = r"""\else
  \makeatletter
  \newcommand\pralignword[2]{{\let\pralign@found=n\iffontchar\font"#1 \let\pralign@found=y\fi
    \@for\pralign@name:=\pralignfonts\do{\if\pralign@found n\IfFontExistsTF{\pralign@name}{%
      \fontspec{\pralign@name}\iffontchar\font"#1 \let\pralign@found=y\fi}{}\fi}%
    \if\pralign@found n\typeout{pralign: no font has the character U+#1}\normalfont\tiny U+#1\else #2\fi}}
  \makeatother
\fi"""


def matrix_latex(pairs: Sequence[AlignedPair]) -> str:
    """Draw the alignment matrices of pairs in TikZ, one picture a pair with a key below.

    The document compiles as it is, and a single picture can be pasted into another document that loads TikZ. All
    characters of the words show as themselves. Those that pdflatex knows no font for become boxes with their code
    points; xelatex and lualatex look for a font that has them.

    Args:
        pairs: The pairs to draw.

    Returns:
        A LaTeX document.
    """
    drawings = [draw(pair, f"Pair {pair.number}" if len(pairs) > 1 else None) for pair in pairs]
    foreign = sorted({character for drawing in drawings for character in _foreign(drawing)})
    lines = [*_comments(foreign), *_preamble(foreign), "", r"\begin{document}"]
    for pair, drawing in zip(pairs, drawings, strict=True):
        lines += ["", f"% Pair {pair.number}", r"\noindent%", *_picture(drawing, Key.of([pair]), bool(foreign))]
        lines += [r"\par\bigskip"]
    return "\n".join([*lines, "", r"\end{document}", ""])


def escaped(text: str) -> str:
    r"""The text with all that LaTeX would take for something else written so that it shows as itself.

    Example:
        >>> print(escaped("50%_of--it"))
        50\%\_of\mbox{-}\mbox{-}it
    """
    text = normalize("NFC", text)
    around = zip(" " + text, text, text[1:] + " ", strict=False)
    return "".join(
        rf"\mbox{{{character}}}"
        if character in _LIGATURES and character in (before, after)
        else _SPECIAL.get(character, character)
        for before, character, after in around
    )


def _comments(foreign: list[str]) -> Iterator[str]:
    yield f"% Word alignment, drawn by pralign {__version__}."
    yield "% To put a picture into a paper, paste its tikzpicture, and into the preamble these two lines:"
    yield r"%   \usepackage[T1]{fontenc}  % not for xelatex and lualatex"
    yield r"%   \usepackage{tikz}"
    if foreign:
        scripts = sorted({name(character, "unnamed").split(" ")[0].split("-")[0].lower() for character in foreign})
        yield "% Compile it with xelatex, lualatex or tectonic; for words from right to left, with xelatex. Some of the"
        yield f"% characters ({', '.join(scripts)}) need a font that has them: the first such"
        yield r"% one in \pralignfonts is taken, so put your own first. pdflatex draws boxes with their codes instead."
    else:
        yield "% Compile it with pdflatex, xelatex, lualatex or tectonic."


def _preamble(foreign: list[str]) -> Iterator[str]:
    yield _PREAMBLE
    if not foreign:
        return
    yield rf"\newcommand\pralignfonts{{{_FONTS}}}"
    yield _BOXES.rstrip("\n")
    for character in foreign:
        code = f"{ord(character):04X}"
        half = (len(code) + 1) // 2
        box = "" if category(character) == "Cf" else rf"\pralignbox{{{code[:half]}}}{{{code[half:]}}}"
        yield rf"  \pralignfallback{{{character}}}{{{code}}}{{{box}}}"
    yield _PICKING


def _picture(drawing: Drawing, key: Key, foreign: bool) -> Iterator[str]:
    yield rf"\begin{{tikzpicture}}[{_STYLES.lstrip()}"
    if foreign:
        yield r"  \providecommand\pralignword[2]{#2}"
    yield from _marks(drawing)
    yield rf"  \begin{{scope}}[shift={{(0,{_number(drawing.height + _BEFORE_KEY)})}}]"
    yield from (f"  {line}" for line in _marks(draw_key(key, drawing.width)))
    yield r"  \end{scope}"
    yield r"\end{tikzpicture}"


def _marks(drawing: Drawing) -> Iterator[str]:
    for start, end in drawing.lines:
        yield rf"  \draw[lines] {_point(*start)} -- {_point(*end)};"
    for square in drawing.squares:
        kind, half = "sure" if square.sure else "possible", SIDE / 2
        corners = _point(square.x - half, square.y - half), _point(square.x + half, square.y + half)
        yield rf"  \path[{kind}] {corners[0]} rectangle {corners[1]};"
    for disc in drawing.discs:
        if disc.wrong:
            reach = disc.half_diagonal
            corners_of = [(0.0, -reach), (reach, 0.0), (0.0, reach), (-reach, 0.0)]
            diamond = " -- ".join(_point(disc.x + x, disc.y + y) for x, y in corners_of)
            yield rf"  \path[wrong] {diamond} -- cycle;"
        else:
            yield rf"  \path[link] {_point(disc.x, disc.y)} circle [radius={_number(disc.radius)}];"
    yield from map(_node, drawing.labels)


def _node(label: Label) -> str:
    text = normalize("NFC", label.text)
    # A word from right to left is put in order as a whole. Of others, what needs no special font does without.
    parts = [text] if runs_leftwards(text) else ["".join(part) for _, part in groupby(text, _is_foreign)]
    return rf"  \node[{label.role}] at {_point(label.x, label.y)} {{{''.join(map(_shown, parts))}}};"


def _shown(text: str) -> str:
    foreign = list(filter(_is_foreign, text))
    if not foreign:
        return escaped(text)
    letter = next((character for character in foreign if category(character)[0] not in "CM"), foreign[0])
    return rf"\pralignword{{{ord(letter):04X}}}{{{escaped(text)}}}"


def _foreign(drawing: Drawing) -> Iterator[str]:
    """The characters that not every font has."""
    for label in drawing.labels:
        yield from filter(_is_foreign, normalize("NFC", label.text))


def _is_foreign(character: str) -> bool:
    return (character > _LAST_LATIN and character not in _COMMON) or character in _RARE_LATIN


def _point(x: float, y: float) -> str:
    return f"({_number(x)},{_number(y)})"


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
