"""From what is wrong with something saved to a message for people, and what all that is saved has in common."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from pralign.errors import ModelError
from pralign.schema import ArrayError, SchemaError
from pralign.schema.arrays import Array, Schema, check_arrays
from pralign.schema.values import Count, check_fields, read_record
from pralign.text.vocabulary import Vocabulary

# What code that a user wrote may raise at arrays that it did not expect.
_SURPRISES = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError)


@contextmanager
def reading(directory: str | Path, file: str, noun: str = "model") -> Iterator[None]:
    """Say of what is not as it was declared where it was found, and what to do.

    Raises:
        ModelError: Something saved is not as it was declared.
    """
    try:
        yield
    except SchemaError as error:
        raise ModelError(f"{directory}: {file}: {error}; the {noun} was changed or damaged; train it again") from error


@contextmanager
def arrays_under(prefix: str) -> Iterator[None]:
    """Name arrays in messages as they are called in the file."""
    try:
        yield
    except ArrayError as error:
        raise error.inside(prefix) from error


def check_group(tensors: Mapping[str, NDArray[Any]], prefix: str, schema: Schema | None, sizes: dict[str, int]) -> None:
    """Compare the arrays of a group with their schema; without one, they have to be finite numbers."""
    with arrays_under(prefix):
        check_arrays(tensors, dict.fromkeys(tensors, Array()) if schema is None else schema, sizes)


@contextmanager
def undeclared(what: str) -> Iterator[None]:
    """Say that code which did not declare its arrays could do nothing with those that were saved.

    Raises:
        SchemaError: It failed.
    """
    try:
        yield
    except SchemaError:
        raise
    except _SURPRISES as error:
        raise SchemaError(f"{what} cannot be made of its arrays ({type(error).__name__}: {error})") from error


@dataclass(frozen=True)
class SavedFile:
    """What a manifest says of a file."""

    bytes: Count
    sha256: str


def check_files(files: Any, names: tuple[str, ...]) -> dict[str, SavedFile]:
    """What a manifest says of the files of a directory: of all that there must be, and of no others.

    Raises:
        SchemaError: It does not.
    """
    described = check_fields(files, dict.fromkeys(names, Any), "files")
    return {name: read_record(content, SavedFile, f"files: {name}") for name, content in described.items()}


def read_words(content: bytes) -> Vocabulary:
    """The words of one side, as they were saved: a list, each of them once.

    Raises:
        SchemaError: They are something else.
    """
    try:
        words = json.loads(content.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"it is not a list of words ({error})") from error
    if not isinstance(words, list) or any(type(word) is not str for word in words):
        raise SchemaError("it is not a list of words")
    if len(set(words)) < len(words):
        raise SchemaError("a word is there twice")
    return Vocabulary(words)
