"""What a feature is, and how one is added."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from pralign.matching.cells import Cells, Column, Context
from pralign.registry import Registry
from pralign.schema import SchemaError

AnyGroup = TypeVar("AnyGroup", bound="Group")


class Group(ABC):
    """A group of features that speak for or against linking two words.

    Attributes:
        name: What users call the group.
        needs_posteriors: Whether a generative model has to be asked.
        needs_predictions: Whether links of other aligners have to be given.
        nonlinear: Whether it says something only together with others, so that a weight of its own is of little use.
    """

    name: ClassVar[str]
    needs_posteriors: ClassVar[bool] = False
    needs_predictions: ClassVar[bool] = False
    nonlinear: ClassVar[bool] = False

    @abstractmethod
    def columns(self, context: Context) -> list[str]:
        """What each feature of the group is called."""

    def settle(self, context: Context, blocks: Iterable[Cells]) -> None:  # noqa: B027
        """Look at the labelled pairs before learning begins, for groups that depend on them."""

    def state(self) -> Any:
        """What :meth:`settle` has found, as JSON can hold it."""
        return None

    def restore(self, state: Any, context: Context) -> None:
        """Take back what :meth:`state` gave, if it goes with the words of ``context``.

        Raises:
            SchemaError: It does not, or is no state of this group at all.
        """
        if state is not None:
            raise SchemaError(f"features: {self.name} has a state, but needs none")


class Feature(Group):
    """A group of numbers."""

    @abstractmethod
    def values(self, cells: Cells) -> Iterator[Column]:
        """Yield the numbers, an array with an entry a cell for each of the columns."""


class Kinds(Group):
    """A group of kinds, of which a cell is of one or none. Each kind has a weight of its own.

    Attributes:
        scale: How fast these weights are learned, compared with those of standardised numbers.

    Example:
        >>> class Shape(Kinds):
        ...     name = "shape"
        ...     def columns(self, context):
        ...         return ["both are short"]
        ...     def kinds(self, cells):
        ...         short = cells.of_words(lambda source, target: len(source) < 4 and len(target) < 4)
        ...         return np.where(short, 0, -1).astype(np.int32)
    """

    scale: ClassVar[float] = 1.0

    @abstractmethod
    def kinds(self, cells: Cells) -> NDArray[np.int32]:
        """The kind of each cell, a place among the columns, or -1 for none."""


class WordFeature(Feature):
    """A number that depends on the two words alone. Derive from it, give it a name, and say the number.

    Example:
        >>> class SameLength(WordFeature):
        ...     name = "same-length"
        ...     def value(self, source, target):
        ...         return float(len(source) == len(target))
    """

    @abstractmethod
    def value(self, source: str, target: str) -> float:
        """The number of two words, as they are after normalisation."""

    def columns(self, context: Context) -> list[str]:
        """The group has one number, called like the group."""
        return [self.name]

    def values(self, cells: Cells) -> Iterator[Column]:
        """Yield the number of each cell's words."""
        yield cells.of_words(self.value)


FEATURES = Registry[type[Group]]("feature")
get_feature = FEATURES.get


def register_feature(feature: type[AnyGroup]) -> type[AnyGroup]:
    """Make a group of features known by its name, also to saved models; works as a decorator."""
    FEATURES.register(feature.name, feature)
    return feature
