"""Posterior regularisation: constraints that make alignments sensible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from pralign.constraints.base import Constraint
from pralign.constraints.bijective import Bijective
from pralign.constraints.features import Feature, at_least, at_most, exactly
from pralign.constraints.itg import ITG
from pralign.constraints.symmetric import Agreement, Symmetric
from pralign.constraints.unavailable import Unavailable
from pralign.errors import UsageError
from pralign.registry import Registry

__all__ = [
    "CONSTRAINTS",
    "ITG",
    "Agreement",
    "Bijective",
    "Constraint",
    "Feature",
    "Symmetric",
    "at_least",
    "at_most",
    "describe_constraint",
    "exactly",
    "get_constraint",
    "make_constraint",
    "register_constraint",
    "restore_constraint",
]

NONE = "none"

CONSTRAINTS = Registry[type[Constraint]](
    "constraint", f"there is no {{noun}} called {{name!r}}; there are {NONE}, {{names}}"
)
get_constraint = CONSTRAINTS.get


def register_constraint(kind: type[Constraint]) -> type[Constraint]:
    """Make a constraint known by its name, to the command line and to saved models; works as a decorator."""
    return CONSTRAINTS.register(kind.name, kind)


def make_constraint(
    constraint: str | Constraint, tolerance: float | None = None, slack: float | None = None
) -> Constraint | None:
    """The constraint that settings describe, by name or as itself; nothing for ``"none"``."""
    given: dict[str, Any] = {
        name: value for name, value in (("tolerance", tolerance), ("slack", slack)) if value is not None
    }
    if isinstance(constraint, Constraint):
        return constraint.changed(**given)
    if not isinstance(constraint, str):
        raise UsageError(f"a constraint is a name or a Constraint object, not {constraint!r}")
    if constraint != NONE:
        return get_constraint(constraint)(**given)
    if given:
        raise UsageError(f"without a constraint there is no {' and no '.join(given)} to set")
    return None


def describe_constraint(constraint: Constraint) -> dict[str, Any]:
    """What is saved of a constraint; ``own_constraint`` says that this is not enough to make it again."""
    others = [field for field in fields(constraint) if field.name not in ("tolerance", "slack")]
    usual = all(getattr(constraint, field.name) == field.default for field in others)
    known = usual and (constraint.name, type(constraint)) in CONSTRAINTS.items()
    return {
        "constraint": constraint.name,
        "tolerance": constraint.tolerance,
        "slack": constraint.slack,
        "own_constraint": not known,
    }


def restore_constraint(settings: Mapping[str, Any], given: str | Constraint | None) -> dict[str, Any]:
    """The settings of a saved aligner, with its constraint as it is ``given`` again, or can be made again.

    Of one that can be neither, an :class:`Unavailable` keeps the place.

    Raises:
        UsageError: Another constraint is given.
    """
    settings = dict(settings)
    name = settings.get("constraint", NONE)
    own = settings.pop("own_constraint", False) or name not in (NONE, *CONSTRAINTS)
    if given is not None and getattr(given, "name", given) != name:
        raise UsageError(f"the aligner was trained with the constraint {name}, which cannot be changed")
    if not isinstance(given, Constraint):
        given = Unavailable(name=name) if own else name
    return {**settings, "constraint": given}


for _kind in (Bijective, Symmetric, Agreement, ITG):
    register_constraint(_kind)
