"""What the programs have in common on the command line: kinds of values, and checks that come before an hour's work."""

from __future__ import annotations

import argparse
from pathlib import Path

from corpora import LANGUAGES
from pralign.constraints import get_constraint
from pralign.errors import PralignError
from pralign.models import get_model


def names(text: str) -> list[str]:
    """Names with commas between them, each once."""
    return list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def positive(text: str) -> int:
    """A whole number above zero."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above zero")
    return int(text)


def size(text: str) -> int | None:
    """A number of lines, or all of them, which is ``None``."""
    return None if text == "all" else positive(text)


def sizes(text: str) -> list[int | None]:
    """Numbers of lines, the least first."""
    found = {size(name) for name in names(text)}
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not like 10000,100000,all")
    return sorted(found, key=lambda lines: float("inf") if lines is None else lines)


def check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Complain of a corpus, models, constraints or output that cannot be."""
    options.corpus = options.corpus.resolve()
    if options.languages:
        LANGUAGES[options.corpus.name] = tuple(options.languages)
    if not options.corpus.is_dir():
        parser.error(f"there is no directory {options.corpus}")
    for path in _needed(parser, options.corpus):
        if not path.is_file() and not (path.stem == "train" and path.with_name(f"{path.name}.xz").is_file()):
            parser.error(f"there is no file {path}; corpora.py says how a corpus is laid out")
    if options.json and not options.json.resolve().parent.is_dir():
        parser.error(f"there is no directory {options.json.resolve().parent} to write {options.json.name} into")
    if not options.models or not options.constraints:
        parser.error("there is nothing to train without models and constraints")
    try:
        for model in options.models:
            get_model(model)
        for constraint in set(options.constraints) - {"none"}:
            get_constraint(constraint)
    except PralignError as error:
        parser.error(str(error))


def _needed(parser: argparse.ArgumentParser, corpus: Path) -> list[Path]:
    languages = LANGUAGES.get(corpus.name, ())
    if len(languages) != 2:
        parser.error(f"which two languages does {corpus} have? Say --languages en,fr or the like")
    texts = [corpus / f"{part}.{language}" for part in ("test", "dev", "train") for language in languages]
    return [*texts, corpus / "dev.gold"]
