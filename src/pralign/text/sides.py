"""What reads the files of a bitext: lines of text, or sentences of a treebank, again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import tee
from pathlib import Path
from typing import Any

from pralign.text.files import STANDARD_STREAM, is_regular_file, line_limit, read_lines
from pralign.text.pairing import UnequalLinesError, paired

Sentence = str | Sequence[str]
Pair = tuple[Sentence, Sentence]
Opener = Callable[[], Iterator[Any]]
#: Gets the lines of each file while they are read, and hands them on.
Watch = Callable[[Sequence[Iterator[str]]], Sequence[Iterator[str]]]


def lines_of(path: str | Path) -> Opener:
    """What reads the lines of a file."""
    return repeatable(lambda limit: read_lines(path, limit), path)


def side_of(path: str | Path) -> Opener:
    """What reads one side: the lines of a text, or the words of a treebank."""
    if not is_treebank(path):
        return lines_of(path)
    from pralign.text.conllu import read_conllu

    return repeatable(lambda limit: (sentence.forms for sentence in read_conllu(path, limit)), path)


def is_treebank(path: str | Path) -> bool:
    """Whether the name of a file says that it is a treebank.

    Example:
        >>> is_treebank("en.conllu.gz"), is_treebank("conllu.txt")
        (True, False)
    """
    return ".conllu" in Path(str(path)).suffixes


def repeatable(read: Callable[[int], Iterator[Any]], path: str | Path) -> Opener:
    """What reads a file anew each time; what comes only once, by standard input or a pipe, is kept.

    Args:
        read: Reads the file once, whose lines may have so many bytes.
        path: The file.
    """
    limit = line_limit()  # now, not when somebody reads
    if is_regular_file(path) or (str(path) != STANDARD_STREAM and not Path(path).exists()):
        return lambda: read(limit)
    kept: list[Any] | None = None

    def items() -> Iterator[Any]:
        nonlocal kept
        if kept is None:
            kept = list(read(limit))
        return iter(kept)

    return items


def paired_sides(
    sides: tuple[Iterator[Any], Iterator[Any]], names: tuple[str, str], openers: tuple[Opener, Opener]
) -> Iterator[Pair]:
    """Sentences of two files in pairs; where one has more of them, they are looked at again to say why."""
    try:
        yield from paired(*sides, names)
    except UnequalLinesError as error:
        from pralign.text.unequal import why_unequal

        left, right = (names[0], error.left), (names[1], error.right)
        lines = tuple(_as_lines(opener) for opener in openers)
        raise UnequalLinesError(left, right, why_unequal(names, (lines[0], lines[1]))) from None


def watched_pairs(pairs: Iterable[Pair], watch: Watch) -> Iterator[Pair]:
    """Pairs whose sentences are watched as if they were lines of two files."""
    pairs, left, right = tee(pairs, 3)
    sources, targets = watch([(_line(source) for source, _ in left), (_line(target) for _, target in right)])
    for pair, _, _ in zip(pairs, sources, targets, strict=True):
        yield pair


def _as_lines(opener: Opener) -> Opener:
    return lambda: map(_line, opener())


def _line(sentence: Sentence) -> str:
    return sentence if isinstance(sentence, str) else " ".join(sentence)
