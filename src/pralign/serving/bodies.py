"""What requests ask for: pairs in JSON, checked to the last word."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from pralign.characters import quoted
from pralign.errors import InputError, PralignError
from pralign.text.tokenizers import Tokenization
from pralign.text.tokens import words_of

Words = Sequence[str]

_KEYS = ("source", "target")
_EXAMPLE = '{"pairs": [{"source": "the house", "target": "la maison"}]}'
_BREAKS = str.maketrans("\r\n", "  ")
_SPACES = frozenset(" \t\r\n")


@dataclass(frozen=True)
class Limits:
    """How much one request may ask for.

    Attributes:
        pairs: How many pairs.
        words: How many words a sentence may have; time and memory go by the product of both sides.
    """

    pairs: int = 1000
    words: int = 500


def parse_request(body: bytes, tokenization: Tokenization, limits: Limits) -> list[tuple[Words, Words]]:
    """The pairs that a request asks for, as words.

    Raises:
        InputError: It is not as it must be; the message names the pair, and says what to do.

    Example:
        >>> parse_request(b'{"pairs": [{"source": "the house", "target": ["la", "maison"]}]}', Tokenization(), Limits())
        [(['the', 'house'], ['la', 'maison'])]
    """
    content = _parsed(body)
    _check_keys(content, ("pairs",), "the request", _EXAMPLE)
    pairs = content["pairs"]
    if type(pairs) is not list:
        raise InputError(f"pairs is {_kind(pairs)}, not a list; send such as {_EXAMPLE}")
    if len(pairs) > limits.pairs:
        raise InputError(f"there are {len(pairs)} pairs; a request may have {limits.pairs}, so send several")
    return [_pair(pair, number, tokenization, limits) for number, pair in enumerate(pairs, start=1)]


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body.decode(), parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except UnicodeDecodeError as error:
        raise InputError(f"the request is not UTF-8 at byte {error.start}; encode it so") from None
    except RecursionError:
        raise InputError(f"the request is nested too deeply; send such as {_EXAMPLE}") from None
    except ValueError as error:
        raise InputError(f"the request is not JSON: {error}; send such as {_EXAMPLE}") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number that JSON has")


def _unique(items: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(items)
    if len(content) < len(items):
        raise ValueError("an object has the same key twice")
    return content


def _check_keys(content: Any, keys: tuple[str, ...], where: str, example: str) -> None:
    if type(content) is not dict:
        raise InputError(f"{where} is {_kind(content)}, not an object; send such as {example}")
    for key in keys:
        if key not in content:
            raise InputError(f"{where} has no {key}; send such as {example}")
    for key in content:
        if key not in keys:
            raise InputError(f"{where} has {quoted(key)}, which means nothing here; leave it out")


def _pair(pair: Any, number: int, tokenization: Tokenization, limits: Limits) -> tuple[Words, Words]:
    where = f"pair {number}"
    _check_keys(pair, _KEYS, where, '{"source": "the house", "target": "la maison"}')
    for key in _KEYS:
        _check_sentence(pair[key], f"{where}: the {key}")
    sides = [each if type(each) is list else each.translate(_BREAKS) for each in (pair["source"], pair["target"])]
    try:
        source, target = map(words_of, tokenization.pair(*sides))
    except PralignError as error:
        raise InputError(f"{where}: it cannot be cut into words: {error}") from error
    for key, words in (("source", source), ("target", target)):
        if len(words) > limits.words:
            raise InputError(
                f"{where}: the {key} has {len(words)} words; at most {limits.words} are aligned, so split it into "
                "sentences"
            )
    return source, target


def _check_sentence(sentence: Any, where: str) -> None:
    if type(sentence) is str:
        _check_text(sentence, where)
        return
    if type(sentence) is not list:
        raise InputError(f"{where} is {_kind(sentence)}; send a text or a list of words")
    for word in sentence:
        if type(word) is not str:
            raise InputError(f"{where} has {_kind(word)} where a word should be; send a text or a list of words")
        _check_text(word, where)
        if not word:
            raise InputError(f"{where} has an empty word; leave it out")
        if not _SPACES.isdisjoint(word):
            raise InputError(f"{where} has the word {quoted(word)} with a space in it; send two words, or a text")


def _check_text(text: str, where: str) -> None:
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{where} has half a surrogate pair, which is no character; leave it out") from None


def _kind(value: Any) -> str:
    """What JSON calls a value."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int | float):
        return "a number"
    return "a text" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"
