"""Docstrings as they are written here, made fit for reStructuredText: ``|A|`` is a size, and no substitution."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from types import GenericAlias
from typing import Any

from sphinx.application import Sphinx

_LITERAL = re.compile(r"(``.+?``|:math:`.+?`)")


def without_substitutions(lines: Iterable[str]) -> Iterator[str]:
    r"""The lines with bars that mean themselves; examples stay as they are.

    Example:
        >>> list(without_substitutions(["|A| is ``|A|``", ">>> '|A|'", "'|A|'", "", "|B|"]))
        ['\\|A\\| is ``|A|``', ">>> '|A|'", "'|A|'", '', '\\|B\\|']
    """
    in_example = False
    for line in lines:
        in_example = bool(line.strip()) and (in_example or line.lstrip().startswith(">>>"))
        yield (
            line
            if in_example
            else "".join(
                part if _LITERAL.fullmatch(part) else part.replace("|", "\\|") for part in _LITERAL.split(line)
            )
        )


def _escape(app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    if isinstance(value, GenericAlias):  # another name of a type of Python, which has its own docstring
        lines.clear()
    lines[:] = without_substitutions(lines)


def _skip(app: Sphinx, what: str, name: str, value: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what Python says of the fields of a named tuple, which the docstring of its class explains."""
    said = getattr(value, "__doc__", None) or ""
    return True if said.startswith("Alias for field number") else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Do so before anybody else reads them."""
    app.connect("autodoc-process-docstring", _escape, priority=100)
    app.connect("autodoc-skip-member", _skip)
    return {"parallel_read_safe": True}
