"""Settings that go well together, chosen on development sets of three languages (see benchmarks/README.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pralign.constraints import NONE, Constraint
from pralign.errors import UsageError
from pralign.models.estimation import EstimatorName
from pralign.training.schedule import Schedule, parse_schedule

Threshold = float | Literal["auto", "balanced"]

# Who sets one of these designs the training, and starts from the plain models of the textbooks.
_DESIGNING = {"model", "iterations", "estimator", "constraint", "smoothing"}


@dataclass(frozen=True, slots=True)
class Design:
    """How a model is trained: what :class:`~pralign.aligner.Aligner` calls by the same names."""

    model: str = "hmm"
    iterations: str | Schedule | None = None
    estimator: EstimatorName = "em"
    constraint: str | Constraint = NONE
    constraint_from: int = 1
    project_at_decode: bool | None = None
    lookalikes: float = 0.0
    threshold: Threshold | None = None


_FAST = Design("fhmm", "ibm1=3,fhmm=4", "collapsed", lookalikes=1.0, threshold="balanced")
_DEFAULT = replace(_FAST, iterations="ibm1=5,fhmm=6")
_BEST = replace(_DEFAULT, constraint="symmetric", constraint_from=5, project_at_decode=False)

PRESETS = {"fast": _FAST, "default": _DEFAULT, "best": _BEST}


def complete(preset: str | None, given: Mapping[str, Any]) -> tuple[str | None, Design]:
    """The preset that is meant and, with its help, the design; settings that are not given are ``None``.

    The way to decode is among the settings because the threshold of a preset is for posterior decoding, and smoothing
    because it is for EM.

    Without a preset, ``default`` is meant, unless model, iterations, estimator, constraint or smoothing is given: then
    the rest is plain. Of a preset, the iterations and what goes with a constraint are for its own model and constraint
    only.

    Example:
        >>> complete(None, {"model": "ibm1", "estimator": None})[1].estimator
        'em'
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    if preset is None and not chosen.keys() & _DESIGNING:
        preset = "default"
    if preset is None:
        stages = chosen.get("iterations", "hmm=1")
        return None, replace(Design(_last_model(stages)), **_of_design(chosen))
    if preset not in PRESETS:
        raise UsageError(f"there is no preset called {preset!r}; there are {', '.join(PRESETS)}")
    design = PRESETS[preset]
    if chosen.get("decode", "posterior") != "posterior":
        design = replace(design, threshold=None)
    if "iterations" in chosen:
        design = replace(design, model=_last_model(chosen["iterations"]))
    elif chosen.get("model", design.model) != design.model:
        design = replace(design, iterations=None)
    if chosen.get("constraint", design.constraint) != design.constraint:
        design = replace(design, constraint_from=1, project_at_decode=None)
    return preset, replace(design, **_of_design(chosen))


def _last_model(stages: str | Schedule) -> str:
    """The model that stages of training end with."""
    if not isinstance(stages, str) and not stages:
        raise UsageError("there are no stages of training; write for example ibm1=5,hmm=5")
    return parse_schedule(stages)[-1][0] if isinstance(stages, str) else stages[-1][0]


def _of_design(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name in Design.__dataclass_fields__}
