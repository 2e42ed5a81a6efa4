"""What a constraint is."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

from pralign.constraints.features import DIRECTIONS, Direction, Feature, assemble
from pralign.constraints.orientation import by_source
from pralign.constraints.solver import ProjectionProblem
from pralign.errors import UsageError
from pralign.kernels.projection import SolverSettings
from pralign.models.bidirectional import BidirectionalModel, Lattices
from pralign.schema.arguments import check_argument

Words = Sequence[tuple[Sequence[str], Sequence[str]]]
Reader = Callable[[], Words]
Coupling = Literal["apart", "mixture", "product"]


@dataclass(frozen=True, kw_only=True)
class Constraint(ABC):
    r"""Bounds on the expectations of features, which posteriors are projected onto.

    Of all distributions over the alignments of a pair that satisfy the bounds, the one closest to the model's
    posterior takes its place:

    .. math:: \min_q KL(q \| p) \quad \text{with} \quad E_q[f] - b \le \xi, \; \|\xi\|_2 \le \varepsilon

    Write a subclass with a ``name`` and :meth:`features`, and give an instance to ``Aligner(constraint=...)``.
    A subclass that is a frozen dataclass may have settings of its own.

    Attributes:
        tolerance: A projection stops when the norm of the dual's gradient, divided by the number of features, is
            below this. A long pair with a feature a cell may so be left further from its bounds than a short one.
        slack: The radius ε within which the bounds hold together; with 0 they hold strictly.
        normalised: Whether the norm is divided by the number of features.
        steps: Instead of stopping when a projection is exact enough, take so many steps along the gradient of the
            dual; 0 for as many as it takes.
    """

    name: ClassVar[str]
    #: How the two directions go together: each by itself, as halves of a mixture, or side by side.
    coupling: ClassVar[Coupling] = "apart"
    #: Whether :meth:`problems` looks at the words of pairs; if not, nobody has to spell them.
    needs_words: ClassVar[bool] = True
    #: Whether posteriors are also projected when text is aligned, where settings and labelled pairs leave that open.
    at_decode: ClassVar[bool] = True

    tolerance: float = 0.001
    slack: float = 0.0
    normalised: bool = True
    steps: int = 0

    def __post_init__(self) -> None:
        for name in ("tolerance", "slack"):
            check_argument(getattr(self, name), float, name)
        if not 0 < self.tolerance < math.inf:
            raise UsageError(f"a tolerance is a number above 0, not {self.tolerance}")
        if not 0 <= self.slack < math.inf:
            raise UsageError(f"a slack is a number from 0, not {self.slack}")
        if not isinstance(getattr(self, "name", None), str) or not re.fullmatch(r"[\w-]+", self.name):
            raise UsageError(f"{type(self).__name__} needs a name of letters, digits, - and _, which alignments quote")

    def changed(self, **settings: float) -> Self:
        """The same constraint with another tolerance or slack."""
        other = copy(self)
        for name, value in settings.items():
            object.__setattr__(other, name, value)
        # Not dataclasses.replace, which needs a subclass to have no __init__ of its own.
        Constraint.__post_init__(other)
        return other

    @abstractmethod
    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        """The features of a pair, given its normalised words.

        Where the directions are projected apart, a feature has cells of one direction only.
        """

    @property
    def solver_settings(self) -> SolverSettings:
        """What the solver is asked for."""
        return SolverSettings(
            self.coupling == "mixture", float(self.slack), float(self.tolerance), self.normalised, self.steps
        )

    def problems(self, lattices: Lattices, words: Reader, model: BidirectionalModel) -> tuple[ProjectionProblem, ...]:
        """The projections of a block of pairs; ``model`` is what is projected.

        Override this where :meth:`features` would be too slow, or where it depends on what the model expects.
        """
        pairs = [self._listed(self.features(source, target)) for source, target in words()]
        if self.coupling != "apart":
            leading = [DIRECTIONS[source] for source in by_source(lattices, model).tolist()]
            return (
                ProjectionProblem(assemble(pairs, lattices, DIRECTIONS, leading), DIRECTIONS, self.solver_settings),
            )
        problems = []
        for side in DIRECTIONS:
            features = assemble([self._only(pair, side) for pair in pairs], lattices, (side,), [side] * len(pairs))
            problems.append(ProjectionProblem(features, (side,), self.solver_settings))
        return tuple(problems)

    def _listed(self, features: Iterable[Feature] | None) -> list[Feature]:
        listed = [None] if features is None else list(features)
        wrong = [feature for feature in listed if not isinstance(feature, Feature)]
        if wrong:
            raise UsageError(f"features of the constraint {self.name!r} has to give features, not {wrong[0]!r}")
        return listed  # type: ignore[return-value]

    def _only(self, features: list[Feature], side: Direction) -> list[Feature]:
        if any(feature.forward and feature.reverse for feature in features):
            raise UsageError(
                f"a feature of the constraint {self.name!r} has cells of both directions, which are projected apart; "
                "make two features of it, or set coupling to mixture or product"
            )
        return [feature for feature in features if feature.cells(side)]
