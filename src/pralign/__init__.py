"""pralign: which word translates which, learned from parallel sentences.

>>> import pralign
>>> aligner = pralign.Aligner().fit([("the house", "la maison"), ("the cat", "le chat"), ("a cat", "un chat")])
>>> print(aligner.align_pair("a house", "une maison"))
0-0 1-1
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pralign import (
        constraints,
        engine,
        errors,
        evaluation,
        lexicons,
        links,
        matching,
        models,
        phrases,
        sample,
        settings,
        text,
        transfer,
    )
    from pralign.aligner import Aligner
    from pralign.checking import check
    from pralign.errors import PralignError
    from pralign.evaluation import evaluate
    from pralign.lexicons import Lexicon
    from pralign.links.alignment import Alignment
    from pralign.links.formats import read_alignments
    from pralign.matching import MatchingAligner
    from pralign.text.bitext import Bitext

__version__ = "0.1.0"

__all__ = [
    "Aligner",
    "Alignment",
    "Bitext",
    "Lexicon",
    "MatchingAligner",
    "PralignError",
    "__version__",
    "check",
    "constraints",
    "engine",
    "errors",
    "evaluate",
    "evaluation",
    "lexicons",
    "links",
    "matching",
    "models",
    "phrases",
    "read_alignments",
    "sample",
    "settings",
    "text",
    "transfer",
]

_HOMES = {
    "Aligner": "pralign.aligner",
    "Alignment": "pralign.links.alignment",
    "Bitext": "pralign.text.bitext",
    "Lexicon": "pralign.lexicons",
    "MatchingAligner": "pralign.matching",
    "check": "pralign.checking",
    "PralignError": "pralign.errors",
    "evaluate": "pralign.evaluation",
    "read_alignments": "pralign.links.formats",
}


def __getattr__(name: str) -> Any:
    """Import the public names when they are first used, so that quick commands start quickly."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in __all__:
        return import_module(f"pralign.{name}")
    raise AttributeError(f"module 'pralign' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, those too that were not used yet."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
