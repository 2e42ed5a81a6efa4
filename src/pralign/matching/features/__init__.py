"""Features: numbers that speak for or against a link. One file a group; a group of your own needs no more than that.

Derive from :class:`~pralign.matching.features.base.WordFeature` (one number for two words) or from
:class:`~pralign.matching.features.base.Feature` (any numbers for any cell), and decorate the class with
:func:`~pralign.matching.features.base.register_feature`.
"""

from __future__ import annotations

from pralign.matching.features.base import FEATURES, Feature, Group, Kinds, WordFeature, get_feature, register_feature
from pralign.matching.features.common import Common
from pralign.matching.features.dice import Dice
from pralign.matching.features.distance import BIAS, Distance
from pralign.matching.features.frequency import Frequency
from pralign.matching.features.neighbours import Neighbours
from pralign.matching.features.posteriors import PosteriorsFeature
from pralign.matching.features.predictions import PredictionsFeature
from pralign.matching.features.shape import Shape
from pralign.matching.features.surroundings import Surroundings
from pralign.matching.features.words import Words

__all__ = [
    "BIAS",
    "FEATURES",
    "Common",
    "Dice",
    "Distance",
    "Feature",
    "Frequency",
    "Group",
    "Kinds",
    "Neighbours",
    "PosteriorsFeature",
    "PredictionsFeature",
    "Shape",
    "Surroundings",
    "WordFeature",
    "Words",
    "get_feature",
    "register_feature",
]
