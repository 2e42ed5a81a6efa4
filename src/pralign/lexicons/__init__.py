"""Lexicons, dictionaries and shortlists: what the links of a text, or a trained model, say of words."""

from __future__ import annotations

from pralign.lexicons.dictionaries import Headword, Translation, dictionary
from pralign.lexicons.making import lexicon
from pralign.lexicons.shortlists import ShortlistEntry, shortlist
from pralign.lexicons.tables import Direction, Lexicon, LexiconEntry
from pralign.lexicons.vocabularies import read_vocabulary

__all__ = [
    "Direction",
    "Headword",
    "Lexicon",
    "LexiconEntry",
    "ShortlistEntry",
    "Translation",
    "dictionary",
    "lexicon",
    "read_vocabulary",
    "shortlist",
]
