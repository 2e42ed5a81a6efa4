"""The reference of the Python API: a page for each public module, made from its docstrings."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

from api_names import PARTS, Part, homes, names_of, public_classes
from generated import write_pages
from sphinx.application import Sphinx

import pralign

FOLDER = Path("reference", "api")
_NOT_INHERITED = "object, tuple, dict, Exception, ValueError"
"""Classes of Python, whose members pages need not explain."""


def _heading(title: str, mark: str = "=") -> list[str]:
    return [title, mark * len(title), ""]


def _overview() -> str:
    lines = _heading("Python")
    lines += ["All that is public, by what it is for. ``import pralign`` gives the names that are needed most:", ""]
    for name, home in homes().items():
        if not inspect.ismodule(getattr(pralign, name)):
            lines.append(f"- :py:obj:`pralign.{name} <{home}>`: {_summary(getattr(pralign, name))}")
    lines += ["", "Other names are imported from the modules on whose pages they are.", ""]
    lines += [".. toctree::", "   :maxdepth: 1", ""]
    lines += [f"   {part.module}" for part in PARTS]
    return "\n".join(lines) + "\n"


def _summary(value: object) -> str:
    """The first sentence of a docstring."""
    return (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", " ")


def _page(part: Part) -> str:
    module = import_module(part.module)
    lines = [*_heading(part.title), f".. py:module:: {part.module}", ""]
    lines += [f"``{part.module}``", "", inspect.getdoc(module) or "", ""]
    for name in names_of(part):
        lines += _entry(part.module, name, getattr(module, name))
    return "\n".join(lines) + "\n"


def _entry(module: str, name: str, value: object) -> list[str]:
    """The directive that explains a thing."""
    if inspect.isclass(value):
        return [f".. autoclass:: {module}.{name}", "   :members:", f"   {_about_bases(value)}", ""]
    if inspect.isroutine(value):
        return [f".. autofunction:: {module}.{name}", ""]
    return [f".. autodata:: {module}.{name}", "   :no-value:", ""]


def _about_bases(kind: type) -> str:
    """How what a class inherits is shown: by the names of bases that have an entry, else with its own members."""
    ours = [base for base in kind.__bases__ if base.__module__.startswith("pralign.")]
    if any(base in public_classes().values() for base in ours):
        return ":show-inheritance:"
    return f":inherited-members: {_NOT_INHERITED}" if ours else ""


def _write(app: Sphinx) -> None:
    pages = {"index.rst": _overview()} | {f"{part.module}.rst": _page(part) for part in PARTS}
    write_pages(Path(app.srcdir) / FOLDER, pages)


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before the others are read."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True}
