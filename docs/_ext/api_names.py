"""What is public of the package, for the pages about it and for the test that each class of it has an example."""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from typing import NamedTuple

import pralign


class Part(NamedTuple):
    """A module with a page of its own.

    Attributes:
        title: What the page is called.
        module: The module.
        names: What it offers; nothing if the module says so itself, or offers all that it defines.
    """

    title: str
    module: str
    names: tuple[str, ...] = ()


PARTS = (
    Part("Aligner", "pralign.aligner"),
    Part("Settings", "pralign.settings", ("Settings",)),
    Part("Text", "pralign.text.bitext", ("Bitext",)),
    Part("Tokenisers", "pralign.text.tokenizers", ("Tokenizer", "Tokenization")),
    Part("Corpora", "pralign.text.corpora", ("CorpusReader", "Row")),
    Part("Checks of a text", "pralign.checking", ("check", "CheckedText")),
    Part("Alignments", "pralign.links.alignment"),
    Part("Files of alignments", "pralign.links.files", ("AlignmentFile",)),
    Part("Formats of alignments", "pralign.links.formats"),
    Part("Many alignments of a pair", "pralign.links.nbest"),
    Part("Symmetrisation", "pralign.links.symmetrization", ("symmetrize", "register_symmetrizer")),
    Part("Evaluation", "pralign.evaluation"),
    Part("Lexicons", "pralign.lexicons"),
    Part("Phrases and rules", "pralign.phrases"),
    Part("Transfer of annotation", "pralign.transfer"),
    Part("Priors from links", "pralign.priors.counting"),
    Part("Learning from labelled pairs", "pralign.matching"),
    Part("Constraints", "pralign.constraints"),
    Part(
        "Models",
        "pralign.models",
        ("DirectionalModel", "IBM1", "IBM2", "HMM", "FertileHMM", "IBM3", "IBM4", "get_model", "register_model"),
    ),
    Part("Jumps of the HMM", "pralign.models.jumps", ("Jumps",)),
    Part("Experiments", "pralign.experiments"),
    Part("Engines", "pralign.engine"),
    Part("Errors", "pralign.errors"),
    Part("The sample", "pralign.sample", ("SOURCE", "TARGET", "GOLD")),
)
"""Modules in the order of the reference."""


def names_of(part: Part) -> tuple[str, ...]:
    """The names that a module offers, in its own order."""
    module = import_module(part.module)
    offered = part.names or tuple(getattr(module, "__all__", ()))
    return offered or tuple(
        name for name, found in vars(module).items() if not name.startswith("_") and _is_defined_in(found, part.module)
    )


@cache
def public_classes() -> dict[str, type]:
    """All public classes by the names that people import them by."""
    found = {}
    for part in PARTS:
        module = import_module(part.module)
        for name in names_of(part):
            if inspect.isclass(value := getattr(module, name)):
                found[f"{part.module}.{name}"] = value
    return found


@cache
def homes() -> dict[str, str]:
    """Where the names that ``import pralign`` gives are explained: the full name, by the name after ``pralign.``."""
    explained = {name: f"{part.module}.{name}" for part in reversed(PARTS) for name in names_of(part)}
    return {name: explained[name] for name in pralign.__all__ if name in explained}


def _is_defined_in(value: object, module: str) -> bool:
    return getattr(value, "__module__", None) == module
