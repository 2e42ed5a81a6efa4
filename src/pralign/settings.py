"""Settings: what a user may choose, what presets choose, and where each value came from.

Everything that names a setting is made from this file: the arguments of the aligner, the options of the command line
and their help, the signature, and what is saved with a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_type_hints

from pralign.errors import UsageError
from pralign.schema.arguments import check_argument, check_names
from pralign.schema.limits import LONGEST, MOST_PRIOR, MOST_RELATIVES
from pralign.schema.values import Bounds, Share

if TYPE_CHECKING:
    from pralign.constraints.base import Constraint
    from pralign.training.schedule import Schedule

Threshold = float | Literal["auto", "balanced"]
Origin = Literal["given", "preset", "default"]


@dataclass(frozen=True)
class Option:
    """How a setting appears on the command line.

    Attributes:
        help: What it does.
        kind: The type of its value there.
        metavar: What stands for its value in the help.
        default: What the help says of the default.
        least: The least value.
        decoding: Whether it may be changed when a trained model is loaded.
    """

    help: str
    kind: Any = str
    metavar: str | None = None
    default: str | bool = False
    least: float | None = None
    decoding: bool = False


def _setting(value: Any, help: str, **how: Any) -> Any:
    return field(default=value, metadata={"option": Option(help, **how)})


@dataclass(frozen=True)
class Settings:
    """All settings of an aligner, resolved: what is not given has the value of a preset or a default.

    The fields are documented by the help of their options.
    """

    preset: str | None = _setting(
        None,
        "Settings that go well together.",
        metavar="fast|default|best",
        default="the preset default, unless --model, --iterations, --estimator, --constraint or --smoothing is given",
    )
    model: str = _setting(
        "hmm", "The model to train.", metavar="ibm1|ibm2|hmm|fhmm|ibm3|ibm4", default="by the preset; hmm"
    )
    iterations: str | Schedule | None = _setting(
        None,
        "Stages of training, such as ibm1=5,hmm=5.",
        metavar="STAGES",
        default="by the preset; 5 of ibm1 (and of hmm, before ibm3 and ibm4), then 5 of the model, 3 with a "
        "constraint, with --dev at most 10",
    )
    estimator: str = _setting(
        "em",
        "How probabilities follow from counts: relative frequencies, variational Bayes, or the counts of all other "
        "pairs.",
        metavar="em|vb|collapsed",
        default="by the preset; em",
    )
    alpha: float = _setting(0.001, "Prior count of each word pair, for vb and collapsed.", kind=float, default="0.001")
    prior: Sequence[str | Path] | str | Path = _setting(
        (),
        "What is known before: a saved model, a dictionary, or eflomal's priors. May be repeated.",
        kind=list[Path],
        metavar="PATH",
    )
    lookalikes: float = _setting(
        0.0,
        "How often equal words count as seen together before training.",
        kind=float,
        least=0.0,
        default="by the preset; 0",
    )
    relatives: float = _setting(
        0.0,
        "How much words lean on their relatives, which begin alike: counts that these are worth.",
        kind=float,
        least=0.0,
        default="by the preset; 0, with --forms 5",
    )
    forms: Sequence[str | Path] | str | Path = _setting(
        (),
        "Words and their lemmas or stems, a word and its lemma a line: relatives besides those that begin alike. Once "
        "for both sides, or twice, for source and target.",
        kind=list[Path],
        metavar="FILE",
    )
    decode: str = _setting(
        "posterior",
        "How links are chosen.",
        metavar="posterior|viterbi|itg|matching",
        default="posterior",
        decoding=True,
    )
    threshold: Threshold | None = _setting(
        None,
        "Posterior a link needs; auto: as many links as Viterbi would give; balanced: less than 0.5 where the model is "
        "unsure.",
        metavar="X|auto|balanced",
        default="balanced with a preset; 0.5; none with --decode itg",
        decoding=True,
    )
    symmetrize: str | None = _setting(
        None,
        "How two directions become one.",
        metavar="soft-union|intersection|union|grow-diag|grow-diag-final|grow-diag-final-and|forward|reverse",
        default="soft-union; grow-diag-final-and with viterbi",
        decoding=True,
    )
    tokenize: str = _setting(
        "spaces",
        "How text is cut into words, both sides or each, such as unicode,icu: by spaces, by the rules of Unicode, by "
        "characters, or with dictionaries for Chinese, Japanese, Thai, Khmer, Lao and Burmese.",
        metavar="spaces|unicode|characters|icu",
        default="spaces",
    )
    lowercase: bool = _setting(True, "Whether case is ignored.", kind=bool, default="lowercase")
    prefix: int | None = _setting(None, "Compare only so many first letters of each word.", kind=int, least=1)
    suffix: int | None = _setting(None, "Compare only so many last letters of each word.", kind=int, least=1)
    max_length: int = _setting(200, "Do not train on pairs with a longer side.", kind=int, least=1, default="200")
    smoothing: float = _setting(0.0, "Add this to every expected count, with em.", kind=float, least=0.0, default="0")
    constraint: str | Constraint = _setting(
        "none",
        "What alignments must be like in expectation: one to one, alike in both directions, like a tree.",
        metavar="none|bijective|symmetric|agreement|itg",
        default="by the preset; none",
    )
    constraint_from: int = _setting(
        1,
        "The model's iteration with which the constraint begins.",
        kind=int,
        least=1,
        default="by the preset; 1",
    )
    tolerance: float | None = _setting(
        None, "How exact the constraint is: gradient norm a feature.", kind=float, default="the constraint's own"
    )
    slack: float | None = _setting(
        None, "How far off the constraint may be in all.", kind=float, default="the constraint's own"
    )
    project_at_decode: bool | None = _setting(
        None,
        "Whether the constraint also holds when text is aligned.",
        kind=bool,
        default="with a constraint other than itg; --dev decides",
        decoding=True,
    )
    classes: int = _setting(50, "Word classes of each side, for ibm4.", kind=int, least=1, default="50")
    pegging: bool = False
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False)

    @classmethod
    def resolve(cls, **given: Any) -> Settings:
        """The settings that are meant by what is given; ``None`` is the same as not given.

        Without a preset, ``default`` is meant, unless model, iterations, estimator, constraint or smoothing is given:
        then the rest is plain, an HMM estimated by EM without a constraint. Of a preset, the iterations and what goes
        with a constraint are for its own model and constraint only, and the threshold for its own way to decode.

        Example:
            >>> settings = Settings.resolve(model="ibm1")
            >>> settings.estimator, settings.preset, settings.origin("model"), settings.origin("alpha")
            ('em', None, 'given', 'default')
            >>> Settings.resolve().estimator, Settings.resolve().origin("estimator")
            ('collapsed', 'preset')
        """
        named = {name: value for name, value in given.items() if value is not None}
        check_names(named, [setting.name for setting in setting_fields()], "there is no setting called {names}")
        chosen = {name: checked_setting(name, value) for name, value in named.items()}
        preset = chosen.pop("preset", None)
        if preset is None and not any(chosen.get(name) for name in _DESIGNING):
            preset = "default"
        if preset is not None and preset not in PRESETS:
            raise UsageError(f"there is no preset called {preset!r}; there are {', '.join(PRESETS)}")
        from_preset = _of_preset(preset, chosen)
        values = {**from_preset, **chosen}
        if chosen.get("forms"):
            values.setdefault("relatives", _RELATIVES)
        if "iterations" in chosen and "model" not in chosen:
            values["model"] = _last_model(chosen["iterations"])
        origins: dict[str, Origin] = {setting.name: "default" for setting in setting_fields()}
        origins |= dict.fromkeys(from_preset, "preset")
        origins |= dict.fromkeys(chosen, "given")
        if "preset" in given and given["preset"] is not None:
            origins["preset"] = "given"
        settings = cls(**values, preset=preset, origins=origins)
        settings.check()
        return settings

    def origin(self, name: str) -> Origin:
        """Whether a value was given, or came from a preset or a default."""
        return self.origins[name]

    @property
    def given(self) -> dict[str, Any]:
        """The values that were given."""
        return {name: getattr(self, name) for name, origin in self.origins.items() if origin == "given"}

    @property
    def priors(self) -> list[str]:
        """The paths of the priors."""
        return _paths(self.prior)

    @property
    def form_files(self) -> list[str]:
        """The paths of the files of forms."""
        return _paths(self.forms)

    def changed(self, **values: Any) -> Settings:
        """The same settings with some values changed, as if they were given."""
        origins: dict[str, Origin] = {**self.origins, **dict.fromkeys(values, "given")}
        return replace(self, **{name: checked_setting(name, value) for name, value in values.items()}, origins=origins)

    def check(self) -> None:
        """Complain of values that cannot be.

        Raises:
            UsageError: One cannot be.
        """
        if self.preset is not None and self.preset not in PRESETS:
            raise UsageError(f"there is no preset called {self.preset!r}; there are {', '.join(PRESETS)}")
        automatic = get_args(get_args(Threshold)[1])
        numeric = isinstance(self.threshold, int | float) and 0 < self.threshold <= 1
        if self.threshold not in (*automatic, None) and not numeric:
            raise UsageError(f"a threshold is a probability above 0, or auto, or balanced, not {self.threshold}")
        if not 0 <= self.lookalikes <= MOST_PRIOR:
            raise UsageError(
                f"lookalikes is added to counts, at most {MOST_PRIOR:,.0f}, and cannot be {self.lookalikes}"
            )
        if not 0 <= self.relatives <= MOST_RELATIVES:
            raise UsageError(
                f"relatives is added to counts, at most {MOST_RELATIVES:g}, and cannot be {self.relatives}"
            )
        if self.form_files and not self.relatives:
            raise UsageError(
                f"forms are of no use if words do not lean on their relatives; set relatives to {_RELATIVES:g}"
            )
        if len(self.form_files) > 2:
            raise UsageError("give one file of forms for both sides, or two, for source and target")
        if self.constraint_from < 1:
            raise UsageError(f"a constraint acts from iteration 1 on or later, not {self.constraint_from}")
        if self.classes < 1:
            raise UsageError(f"words are put into at least one class, not {self.classes}")
        if not 1 <= self.max_length <= LONGEST:
            raise UsageError(f"max length is a number of words from 1 to {LONGEST:,}, not {self.max_length}")


# Who sets one of these designs the training, and starts from the plain models of the textbooks.
_DESIGNING = ("model", "iterations", "estimator", "constraint", "smoothing")

# What relatives are worth where words lean on them, unless the user says so.
_RELATIVES = 5.0

_FAST = {
    "model": "fhmm",
    "iterations": "ibm1=2,fhmm=4",
    "estimator": "collapsed",
    "lookalikes": 3.0,
    "relatives": _RELATIVES,
    "threshold": "balanced",
}
_DEFAULT = {**_FAST, "iterations": "ibm1=3,fhmm=5"}
_BEST = {
    **_DEFAULT,
    "iterations": "ibm1=5,fhmm=6",
    "constraint": "symmetric",
    "constraint_from": 6,
    "project_at_decode": False,
}

#: Settings that go well together, chosen on development sets of seven languages (see benchmarks/README.md).
PRESETS: dict[str, dict[str, Any]] = {"fast": _FAST, "default": _DEFAULT, "best": _BEST}


def setting_fields() -> list[Field[Any]]:
    """The fields that are settings."""
    return [each for each in fields(Settings) if each.name != "origins"]


def option_of(name: str) -> Option | None:
    """How a setting appears on the command line, if it does."""
    return Settings.__dataclass_fields__[name].metadata.get("option")


def saved_kinds() -> dict[str, Any]:
    """What is saved of settings, by name: the kinds of the settings themselves, and of what is saved beside them.

    A constraint and a schedule are saved as text. ``thresholds`` are what a model has come to, ``given`` are the names
    of settings that the user gave, and ``own_constraint`` is there only with a constraint.
    """
    kinds: dict[str, Any] = get_type_hints(Settings, localns={"Constraint": str, "Schedule": str})
    del kinds["origins"]
    for name in kinds:
        option = option_of(name)
        if option is not None and option.least is not None:
            kinds[name] = Annotated[kinds[name], Bounds(option.least)]
    given: Any = Literal[tuple(kinds)]
    kinds["given"] = list[given]
    return kinds | {"thresholds": tuple[Share, Share, Share] | None, "own_constraint": bool}


def decoding_settings() -> set[str]:
    """The settings that may be changed when a trained model is loaded."""
    return {each.name for each in setting_fields() if (option := option_of(each.name)) and option.decoding}


def checked_setting(name: str, value: Any) -> Any:
    """The value of a setting as it is declared; stages of training may be given as a dictionary or a list too.

    Raises:
        UsageError: It cannot be one.

    Example:
        >>> checked_setting("iterations", {"ibm1": 5, "hmm": 3})
        (('ibm1', 5), ('hmm', 3))
    """
    if name == "iterations":
        return check_argument(_as_stages(value), _kinds()[name], name, _STAGES)
    option, kind = option_of(name), _kinds()[name]
    choices = option.metavar if option is not None and kind is str else None
    return check_argument(value, kind, name, None if choices is None else f"text ({choices})")


def _as_stages(value: Any) -> Any:
    if isinstance(value, Mapping):
        return tuple(value.items())
    if isinstance(value, list):
        return tuple(tuple(stage) if isinstance(stage, list) else stage for stage in value)
    return value


_STAGES = "stages of training, such as 'ibm1=5,hmm=5' or {'ibm1': 5, 'hmm': 5}"


@cache
def _kinds() -> dict[str, Any]:
    from pralign.constraints.base import Constraint
    from pralign.training.schedule import Schedule

    return get_type_hints(Settings, localns={"Constraint": Constraint, "Schedule": Schedule})


def _paths(given: Sequence[str | Path] | str | Path) -> list[str]:
    return [str(path) for path in ([given] if isinstance(given, str | Path) else given)]


def _of_preset(preset: str | None, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What a preset sets, as far as it goes with what is chosen."""
    values = dict(PRESETS[preset]) if preset is not None else {}
    if chosen.get("decode", Settings.decode) != Settings.decode:
        values.pop("threshold", None)
    model = chosen.get("model", values.get("model"))
    if "iterations" in chosen or model != values.get("model"):
        values.pop("iterations", None)
    if "constraint" in chosen and chosen["constraint"] != values.get("constraint", Settings.constraint):
        values.pop("constraint_from", None)
        values.pop("project_at_decode", None)
    return {name: value for name, value in values.items() if name not in chosen}


def _last_model(stages: str | Schedule) -> str:
    """The model that stages of training end with."""
    if not isinstance(stages, str):
        if not stages:
            raise UsageError("there are no stages of training; write for example ibm1=5,hmm=5")
        return stages[-1][0]
    return stages.rpartition(",")[2].partition("=")[0].strip()
