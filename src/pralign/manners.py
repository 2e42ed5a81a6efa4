"""The manners of scikit-learn that aligners have: arguments can be asked for, set, cloned and printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from functools import wraps
from importlib import import_module
from typing import Any, ClassVar, Self, TypeVar, get_type_hints

from pralign.schema.arguments import check_argument, check_names

Class = TypeVar("Class", bound=type)


class Mannered:
    """What aligners share. A subclass is a dataclass whose fields are its arguments, which it never changes.

    Its ``__post_init__`` calls :meth:`_check_arguments`, which compares them with the types that the fields declare.
    """

    _checked_elsewhere: ClassVar[frozenset[str]] = frozenset()

    @property
    def is_trained(self) -> bool:
        """Whether anything was learned or loaded."""
        raise NotImplementedError

    def _check(self) -> None:
        """Complain of arguments that cannot be or do not go together."""
        raise NotImplementedError

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments that this aligner was made with."""
        return {each.name: getattr(self, each.name) for each in _arguments(type(self))}

    def set_params(self, **params: Any) -> Self:
        """Change arguments, for the next :meth:`fit`.

        Raises:
            UsageError: There is no such argument, or it cannot have such a value.
        """
        before = self.get_params()
        check_names(params, before, f"{_called(type(self))} has no argument {{names}}")
        try:
            for name, value in params.items():
                setattr(self, name, value)
            self._check_arguments()
        except BaseException:
            for name, value in before.items():
                setattr(self, name, value)
            raise
        return self

    def _check_arguments(self) -> None:
        kinds = get_type_hints(type(self))
        for name, value in self.get_params().items():
            if name not in self._checked_elsewhere:
                check_argument(value, kinds[name], name)
        self._check()

    def __repr__(self) -> str:
        """The class with the arguments that were given."""
        given = [(each, getattr(self, each.name)) for each in _arguments(type(self))]
        shown = ", ".join(f"{each.name}={value!r}" for each, value in given if value is not each.default)
        return f"{type(self).__name__}({shown})"

    # What scikit-learn asks for, by these names

    def __sklearn_clone__(self) -> Self:
        """The same arguments, and nothing learned; a trained aligner among the arguments stays trained."""
        return type(self)(**self.get_params())

    def __sklearn_is_fitted__(self) -> bool:
        return self.is_trained

    def __sklearn_tags__(self) -> Any:
        sklearn = import_module("sklearn.utils")  # which is there, since it asks
        tags = sklearn.InputTags(two_d_array=False, one_d_array=True, string=True)
        return sklearn.Tags(estimator_type=None, target_tags=sklearn.TargetTags(required=False), input_tags=tags)


def mannered(kind: Class) -> Class:
    """A decorator for the dataclasses of aligners: unknown arguments are complained of, with the name that is near."""
    initialise: Callable[..., None] = vars(kind)["__init__"]

    @wraps(initialise)
    def checked(self: Any, *positional: Any, **named: Any) -> None:
        check_names(named, [each.name for each in _arguments(type(self))], f"{_called(kind)} has no argument {{names}}")
        initialise(self, *positional, **named)

    setattr(kind, "__init__", checked)  # noqa: B010 - since this is how it is meant
    return kind


def _arguments(kind: type) -> list[Field[Any]]:
    return [each for each in fields(kind) if each.init and each.default is not MISSING]


def _called(kind: type) -> str:
    return {"Aligner": "an aligner", "MatchingAligner": "a matching aligner"}.get(kind.__name__, kind.__name__)
