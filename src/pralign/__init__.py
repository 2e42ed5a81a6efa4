"""pralign: which word translates which, learned from parallel sentences.

>>> import pralign
>>> aligner = pralign.Aligner().fit([("the house", "la maison"), ("the cat", "le chat"), ("a cat", "un chat")])
>>> aligner.align_pair("a house", "une maison").links
((0, 0), (1, 1))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.checking import check
    from pralign.links.alignment import Alignment
    from pralign.matching import MatchingAligner
    from pralign.text.bitext import Bitext

__version__ = "0.1.0"

__all__ = ["Aligner", "Alignment", "Bitext", "MatchingAligner", "__version__", "check"]

_HOMES = {
    "Aligner": "pralign.aligner",
    "Alignment": "pralign.links.alignment",
    "Bitext": "pralign.text.bitext",
    "MatchingAligner": "pralign.matching",
    "check": "pralign.checking",
}


def __getattr__(name: str) -> Any:
    """Import the public names when they are first used, so that quick commands start quickly."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'pralign' has no attribute {name!r}")
