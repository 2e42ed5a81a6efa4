"""What the programs have in common on the command line: kinds of values."""

from __future__ import annotations

import argparse


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
