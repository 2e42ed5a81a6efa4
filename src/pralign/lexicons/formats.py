"""Lexicons as lines of text: the tables of Moses, tab-separated columns, and JSON.

What is yielded are blocks of some thousand lines, since there are millions of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.lexicons.tables import Direction, Lexicon, Rows

NULL = "NULL"
"""What tables of text call null, as Moses does."""

Writer = Callable[[Lexicon, Direction], Iterator[str]]

_COLUMN_ENDS = re.compile(r"[\t\n\r]")
_WORD_ENDS = re.compile(r"[ \t\n\r]")


def moses_blocks(lexicon: Lexicon, direction: Direction) -> Iterator[str]:
    r"""The lines of one of Moses' two tables: ``lex.f2e`` is forward, ``lex.e2f`` is reverse; f is the source.

    A line has a word, the word that is given, and the probability of the former given the latter.

    Raises:
        InputError: A word holds a space or a line end.

    Example:
        >>> from pralign.lexicons import lexicon
        >>> made = lexicon([("the house", "la maison")], ["0-0 1-1"])
        >>> print(*moses_blocks(made, "forward"), end="")
        maison house 1.0000000
        la the 1.0000000
    """
    sources, targets = _named(lexicon, _WORD_ENDS, "moses")
    for rows in lexicon.blocks(direction):
        if direction == "reverse":
            columns = zip(rows.source, rows.target, rows.reverse, strict=True)
            lines = [f"{sources[s]} {targets[t]} {p:.7f}\n" for s, t, p in columns if p == p]
        else:
            columns = zip(rows.source, rows.target, rows.forward, strict=True)
            lines = [f"{targets[t]} {sources[s]} {p:.7f}\n" for s, t, p in columns if p == p]
        yield "".join(lines)


def tsv_blocks(lexicon: Lexicon, direction: Direction) -> Iterator[str]:
    r"""Lines of columns with tabs between: source, target, p(target | source), p(source | target), count.

    For one direction, only its probability is there; the lexicon of a model has no count, and a probability that it
    lacks is an empty column.

    Raises:
        InputError: A word holds a tab or a line end.
    """
    sources, targets = _named(lexicon, _COLUMN_ENDS, "tsv")
    for rows in lexicon.blocks(direction):
        words = [f"{sources[s]}\t{targets[t]}" for s, t in zip(rows.source, rows.target, strict=True)]
        columns = _wanted(rows, direction).values()
        numbers = [[f"{value:.9g}" if value == value else "" for value in column] for column in columns]
        yield "".join(["\t".join(line) + "\n" for line in zip(words, *numbers, strict=True)])


def jsonl_blocks(lexicon: Lexicon, direction: Direction) -> Iterator[str]:
    """Lines of JSON, one object for each entry: source, target, forward, reverse, count; a null word is ``null``."""
    sides = (lexicon.source_words, lexicon.target_words)
    sources, targets = ([*(json.dumps(word, ensure_ascii=False) for word in side), "null"] for side in sides)
    for rows in lexicon.blocks(direction):
        wanted = _wanted(rows, direction)
        pairs = zip(rows.source, rows.target, strict=True)
        words = [f'{{"source": {sources[s]}, "target": {targets[t]}' for s, t in pairs]
        numbers = [[f'"{name}": {_json(value)}' for value in column] for name, column in wanted.items()]
        yield "".join([", ".join(line) + "}\n" for line in zip(words, *numbers, strict=True)])


LEXICON_FORMATS: dict[str, Writer] = {"moses": moses_blocks, "tsv": tsv_blocks, "jsonl": jsonl_blocks}
"""How a lexicon becomes text, by name."""


def check_words(words: Iterable[str], ends: re.Pattern[str], format: str) -> None:
    """Complain of words that would be taken for several by whoever reads them.

    Raises:
        InputError: There is one.
    """
    for word in words:
        if ends.search(word):
            raise InputError(
                f"the word {quoted(word)} holds white space, at which a {format} file would be cut; take it out of "
                "the text first"
            )


def _named(lexicon: Lexicon, ends: re.Pattern[str], format: str) -> tuple[list[str], list[str]]:
    check_words([*lexicon.source_words, *lexicon.target_words], ends, format)
    return [*lexicon.source_words, NULL], [*lexicon.target_words, NULL]


def _wanted(rows: Rows, direction: Direction) -> dict[str, Sequence[float]]:
    columns: dict[str, Sequence[float]] = {"forward": rows.forward, "reverse": rows.reverse}
    if direction != "both":
        columns = {str(direction): columns[direction]}
    if rows.counts is None:
        return columns
    return {**columns, "count": [int(count) if count.is_integer() else count for count in rows.counts]}


def _json(value: float) -> str:
    return "null" if value != value else repr(value)
