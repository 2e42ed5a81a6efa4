"""How a side is cut into words and sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pralign.characters import quoted
from pralign.text.looks.base import ENOUGH, Finding, look
from pralign.text.looks.sample import Side, TextSample
from pralign.text.tokenizers import SPACES, Tokenizer
from pralign.text.tokens import tokens

# Scripts that are written without spaces: Thai, Lao, Myanmar, Khmer, kana, Han.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_UNICODE = "unicode"  # the tokeniser that leaves such scripts in single characters
_LETTERS = re.compile(r"[^\W\d_]")
# Words have fewer of their letters on average; sentences and phrases have more.
_LONGEST_WORD = 8.0
_STUCK = re.compile(
    r"[^\W\d_][^\W\d_][,;:!?\u2026\u060c\u061b\u061f\u0964\u3002\uff0c\uff1f\uff01](?= |$)|[^\W\d_][^\W\d_][.]$"
)
_ENTITY = re.compile(r"&\w+;")  # whose end is no punctuation
_SHARE_STUCK = 0.3
_SHARE_BLANK = 0.4
# Training leaves out pairs with a longer side.
_LONG = 200
_SHARE_LONG, _LEAST_LONG = 0.2, 5


@look("no-spaces", hides=["punctuation", "long-lines"])
def no_spaces(sample: TextSample) -> Iterator[Finding]:
    """Sides in a script without spaces that were not cut into words."""
    for side in sample.sides:
        if _is_uncut(side):
            found = "has hardly any spaces, so whole sentences count as words"
            if side.tokenize == _UNICODE:
                found = "is written without spaces, so most characters count as words"
            yield Finding("no-spaces", f"{found}; let it be cut into words: {_cure(sample)}", side.name)


@look("punctuation")
def punctuation(sample: TextSample) -> Iterator[Finding]:
    """Sides that were not tokenised."""
    for side in sample.sides:
        found = _stuck(side)
        if found:
            first = found[0].string[: found[0].end()]
            word = first[first.rfind(" ") + 1 :]
            advice = (
                f"punctuation is stuck to words in {100 * len(found) / len(side.some):.0f} % of its lines, as in "
                f"{quoted(word, 20)}, so that one word counts as several; let it be separated: {_cure(sample)}"
            )
            yield Finding("punctuation", advice, side.name)


def _is_uncut(side: Side) -> bool:
    """Whether nothing will cut a side into words that are not separated by spaces."""
    if side.tokenize not in (SPACES, _UNICODE) or len(side.filled) < ENOUGH or side.text.isascii():
        return False
    lines = [line for line in side.some if 2 * len(_UNSPACED.findall(line)) > len(_LETTERS.findall(line))]
    letters = sum(len(_UNSPACED.findall(line)) for line in lines)
    return 2 * len(lines) >= len(side.some) and letters > _LONGEST_WORD * sum(len(tokens(line)) for line in lines)


def _stuck(side: Side) -> list[re.Match[str]]:
    """Words that punctuation is stuck to, one for each line that has any, if these are many lines."""
    if side.tokenize != SPACES or len(side.filled) < ENOUGH:
        return []
    found = [match for line in side.some if (match := _STUCK.search(_ENTITY.sub(" ", line)))]
    return found if len(found) >= _SHARE_STUCK * len(side.some) else []


def _cure(sample: TextSample) -> str:
    """The option that cuts both sides as they have to be."""
    ways = ["icu" if _is_uncut(side) else _UNICODE if _stuck(side) else side.tokenize for side in sample.sides]
    return f"--tokenize {','.join(dict.fromkeys(ways))}"


@look("blank-lines")
def blank_lines(sample: TextSample) -> Iterator[Finding]:
    """Sides that are blank for the most part."""
    for side in sample.sides:
        blank = len(side.sentences) - len(side.filled)
        if len(side.sentences) >= ENOUGH and blank >= _SHARE_BLANK * len(side.sentences):
            share = f"{100 * blank / len(side.sentences):.0f} %"
            advice = (
                f"{share} of the lines are blank, which align to nothing; if that is not meant, remove them in pairs"
            )
            yield Finding("blank-lines", advice, side.name)


@look("long-lines")
def long_lines(sample: TextSample) -> Iterator[Finding]:
    """Sides whose lines are paragraphs or documents."""
    for side in sample.sides:
        is_long = _is_long_by_spaces if side.tokenize == SPACES else _is_long_by(Tokenizer(side.tokenize))
        long = sum(map(is_long, side.filled))
        if long >= _LEAST_LONG and _SHARE_LONG * len(side.filled) <= long < len(side.filled):
            advice = (
                f"{_percent(long, side)} of the lines have over {_LONG} words and are not trained on; "
                "put one sentence on a line"
            )
            yield Finding("long-lines", advice, side.name)


def _is_long_by_spaces(line: str) -> bool:
    return line.count(" ") >= _LONG and len(tokens(line)) > _LONG


def _is_long_by(tokenizer: Tokenizer) -> Callable[[str], bool]:
    return lambda line: len(line) > _LONG and len(tokenizer(line)) > _LONG


def _percent(count: int, side: Side) -> str:
    return f"{100 * count / max(len(side.filled), 1):.0f} %"
