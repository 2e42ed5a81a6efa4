"""Looks at a text before it is worked on: what is probably not meant, each in one sentence with its cure.

A look is a function that gets a :class:`TextSample` and yields a :class:`Finding` for each thing that it finds;
``@look(name)`` makes it known. Looks keep silent unless they are sure: a warning that is wrong costs more than one that
is missing.
"""

from __future__ import annotations

from pralign.text.looks import characters, formats, models, sides, tables, words
from pralign.text.looks.base import LOOKS, Finding, Look, look, look_at
from pralign.text.looks.sample import KnownWords, TextSample
from pralign.text.looks.watching import watched

__all__ = ["LOOKS", "Finding", "KnownWords", "Look", "TextSample", "look", "look_at", "watched"]

del characters, formats, models, sides, tables, words  # which have registered their looks
