"""What can be given as sentence pairs: pairs, two lists, or anything with two columns of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from collections.abc import Set as AbstractSet
from pathlib import PurePath
from typing import Any, TypeAlias

from pralign.characters import listed, quoted
from pralign.errors import InputError, UsageError
from pralign.schema.values import shown
from pralign.text.bitext import Bitext, Pair, Sentence
from pralign.text.columns import Columns, chosen_columns, is_sequence, wrapping
from pralign.text.pairing import UnequalLinesError, paired
from pralign.text.tokens import tokens

#: A bitext, pairs, rows that are dictionaries, a table of any kind, or, beside target sentences, the source sentences.
Pairs: TypeAlias = Bitext | Iterable[Any]

_FORMS = "give pairs such as ('the house', 'la maison'), or two lists, of source and of target sentences"
_WORDS = frozenset({str})
_MISSING = ("NAType", "NaTType")  # of pandas, which is not imported to ask


def as_pairs(pairs: Pairs, target: Iterable[Any] | None = None, columns: Columns | None = None) -> Iterable[Pair]:
    """The sentence pairs that are meant by what a user gives; they are checked while they are read.

    Args:
        pairs: A :class:`~pralign.text.bitext.Bitext`; pairs of sentences; rows that are dictionaries; a table of
            pandas, polars, Arrow, ``datasets`` or any other that has columns; a dictionary of columns. Of a table, the
            two columns of text are meant, or the two languages of its column of translations. With ``target``, the
            source sentences alone: a list, a column, an array.
        target: The target sentences, as many as there are source sentences.
        columns: Which columns hold the source and the target sentences, if that is not clear.

    Raises:
        UsageError: At once: these can be no pairs.
        InputError: While iterating: a pair is not two sentences, or there are not as many of them on both sides.

    Example:
        >>> list(as_pairs(["the house", "a cat"], ["la maison", "un chat"]))
        [('the house', 'la maison'), ('a cat', 'un chat')]
        >>> list(as_pairs({"id": [7], "en": ["the house"], "fr": ["la maison"]}))
        [('the house', 'la maison')]
    """
    _check_kind(pairs, "the pairs" if target is None else "the source side")
    if columns is not None and (isinstance(columns, str) or len({*columns}) != 2 or target is not None):
        raise UsageError(f"columns are two names of one table, such as ('en', 'fr'), not {shown(columns)}")
    if target is not None:
        return _two_sides(pairs, target)
    if isinstance(pairs, Bitext):
        return pairs
    names = _column_names(pairs)
    return _rows(pairs, columns) if names is None else _from_columns(pairs, names, columns)


def as_pair(source: Sentence, target: Sentence | None) -> Pair:
    """One sentence pair, checked.

    Raises:
        UsageError: There is only one sentence.
        InputError: One of them is no sentence.
    """
    if target is None:
        raise UsageError("a source and a target sentence are needed, such as 'the house', 'la maison'")
    return _sentence(source, "the source sentence"), _sentence(target, "the target sentence")


def checked_words(sentence: Sentence) -> list[str]:
    """The words of a sentence, given as text or as words.

    Raises:
        InputError: It is no sentence.
    """
    checked = _sentence(sentence, "the sentence")
    return tokens(checked) if isinstance(checked, str) else list(checked)


def _check_kind(given: Any, name: str) -> None:
    """Complain of what can be no pairs at all."""
    if isinstance(given, str | PurePath):
        raise UsageError(f"{name} cannot be the text {quoted(str(given))}; {_FORMS}, or files by Bitext.read")
    if callable(getattr(given, "collect", None)) and not isinstance(given, type):
        raise UsageError(
            f"{name} cannot be {described(given)}, which is not computed yet; call its method collect first"
        )
    if callable(given):
        raise UsageError(f"{name} cannot be {described(given)}; {_FORMS}, and all else by name, such as listener=...")
    if isinstance(given, bytes | AbstractSet) or not (hasattr(given, "__iter__") or hasattr(given, "column_names")):
        raise UsageError(f"{name} cannot be {described(given)}; {_FORMS}")


# Two lists


def _two_sides(source: Any, target: Any) -> Iterator[Pair]:
    if isinstance(source, Bitext):
        raise UsageError("a bitext has both sides already; whatever else there is must be named, such as listener=...")
    _check_kind(target, "the target side")
    for side in (source, target):
        if (names := _column_names(side)) is not None:
            raise UsageError(f"each side is one column, such as table[{[*names, 'en'][0]!r}], not a whole table")
    if isinstance(source, Sized) and isinstance(target, Sized) and len(source) != len(target):
        raise _unequal(len(source), len(target))
    return _sides(source, target, ("source", "target"))


def _sides(source: Iterable[Any], target: Iterable[Any], names: tuple[str, str]) -> Iterator[Pair]:
    try:
        for number, (left, right) in enumerate(paired(source, target, names), start=1):
            if type(left) is str is type(right):
                yield left, right
            else:
                yield _checked(left, right, number, names)
    except UnequalLinesError as error:
        raise _unequal(error.left, error.right) from None


def _unequal(source: int, target: int) -> InputError:
    return InputError(
        f"there are {source} source and {target} target sentences, and each of one side goes with one of the other"
    )


# Tables


def _column_names(table: Any) -> list[Any] | None:
    """The names of the columns of anything that has some; nothing for what has none."""
    for attribute in ("column_names", "columns"):
        names = getattr(table, attribute, None)
        if isinstance(names, Mapping):
            raise UsageError(f"there are several tables in it: {listed(names)}; choose one of them")
        if isinstance(names, Iterable) and not isinstance(names, str):
            return list(names)
    return list(table) if isinstance(table, Mapping) else None


def _from_columns(table: Any, names: list[Any], columns: Columns | None) -> Iterator[Pair]:
    """The pairs of a table; its columns are taken one by one, as all kinds of tables can."""
    if isinstance(table, Mapping) and any(isinstance(column, str) for column in table.values()):
        raise UsageError("a dictionary holds columns, such as {'en': [...], 'fr': [...]}, not sentences")
    if any(isinstance(table[name], Iterator) and table[name] is table[name] for name in names):
        raise UsageError("the columns of a table are lists or the like, which can be read again, not iterators")
    firsts = {name: _first(table[name]) for name in names}
    if columns is None and (inside := wrapping(firsts, None)) is not None:
        return _rows(({inside: _plain(row)} for row in table[inside]), None)
    source, target = chosen_columns(firsts, columns)
    return _sides(table[source], table[target], (f"column {source!r}", f"column {target!r}"))


def _first(column: Iterable[Any]) -> Any:
    """The first value of a column that is not missing."""
    return next((value for value in map(_plain, column) if not _is_missing(value)), None)


# Pairs one by one


def _rows(rows: Iterable[Any], columns: Columns | None) -> Iterator[Pair]:
    """Pairs that are tuples, lists or dictionaries."""
    chosen: tuple[Any, Any] | None = None
    for number, row in enumerate(rows, start=1):
        if type(row) is tuple and len(row) == 2 and type(row[0]) is str is type(row[1]) and columns is None:
            yield row
        elif isinstance(row := _plain(row), Mapping):
            inside = wrapping(row, columns if chosen is None else chosen)
            row = row if inside is None else row[inside]
            chosen = chosen_columns(row, columns) if chosen is None else chosen
            if any(name not in row for name in chosen):
                raise InputError(f"pair {number}: it has {listed(row)} in place of {listed(chosen)}")
            left, right = (row[name] for name in chosen)
            yield _checked(left, right, number, (f"field {chosen[0]!r}", f"field {chosen[1]!r}"))
        elif columns is not None:
            raise InputError(f"pair {number} is {described(row)}, which has no {listed(columns)}; leave out columns")
        else:
            yield _checked(*_halves(row, number), number, ("source", "target"))


def _halves(row: Any, number: int) -> tuple[Any, Any]:
    if not is_sequence(row):
        raise InputError(f"pair {number} is {described(row)}; {_FORMS}")
    if len(row) != 2:
        raise InputError(
            f"pair {number} has {len(row)} parts, but a pair is a source and a target sentence; words of a sentence go "
            "into a string or into a list of their own"
        )
    return row[0], row[1]


def _checked(source: Any, target: Any, number: int, names: tuple[str, str]) -> Pair:
    return (
        _sentence(source, f"pair {number}: the source sentence" + _named(names[0])),
        _sentence(target, f"pair {number}: the target sentence" + _named(names[1])),
    )


def _named(name: str) -> str:
    return f" ({name})" if " " in name else ""


def _sentence(value: Any, where: str) -> Sentence:
    if type(value) is list and _WORDS.issuperset(map(type, value)):  # quickly, since most are like that
        return value
    value = _plain(value)
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        raise InputError(f"{where} is bytes; decode it first, such as by .decode('utf-8')")
    if _is_missing(value):
        raise InputError(f"{where} is missing ({value}); leave out such pairs, or fill in ''")
    if not is_sequence(value):
        raise InputError(f"{where} is {described(value)}, not a string of words or a list of words")
    for word in value:
        if not isinstance(word, str):
            raise InputError(f"{where} holds {described(word)} where a word should be")
    return value if isinstance(value, list | tuple) else list(value)


def _plain(value: Any) -> Any:
    """The value itself, which Arrow puts into boxes."""
    return value.as_py() if hasattr(value, "as_py") else value


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ in _MISSING or (isinstance(value, float) and value != value)


def described(value: Any) -> str:
    """What a value is, for messages.

    Example:
        >>> described(5), described("the house"), described(None), described([1])
        ('5 (int)', "the text 'the house'", 'None', 'a list')
    """
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, bytes):
        return "bytes"
    if isinstance(value, int | float):
        return f"{shown(value)} ({type(value).__name__})"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if callable(value):
        return f"the function {getattr(value, '__name__', type(value).__name__)}"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
