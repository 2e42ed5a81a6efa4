"""Alignment as matching: scores of links, learned from labelled pairs with a large margin."""

from __future__ import annotations

from pralign.matching.aligner import MatchingAligner
from pralign.matching.features import Feature, Kinds, WordFeature, register_feature

__all__ = ["Feature", "Kinds", "MatchingAligner", "WordFeature", "register_feature"]
