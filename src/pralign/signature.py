"""Signatures: a short text, printed with every number, that says what produced it."""

from __future__ import annotations

from dataclasses import dataclass

from pralign import __version__

_VERSION = "version"


@dataclass(frozen=True, slots=True)
class Signature:
    """An ordered set of ``key:value`` parts that together identify how a number came about.

    Two numbers may be compared if their signatures agree in everything except what is being compared. The
    parts keep the order in which they were given; the version of pralign is always there and always last.

    Attributes:
        parts: The keys and values in order, ``version`` last.

    Raises:
        ValueError: A part is empty, contains a separator or a line end, or a key occurs twice.

    Example:
        >>> str(Signature.of(model="hmm", iterations="ibm1=5,hmm=5", version="0.1.0"))
        'model:hmm|iterations:ibm1=5,hmm=5|version:0.1.0'
    """

    parts: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        keys = [key for key, _ in self.parts]
        if not keys or keys[-1] != _VERSION or len(set(keys)) < len(keys):
            raise ValueError(f"the keys of a signature must be distinct and end with {_VERSION!r}, not {keys}")
        for key, value in self.parts:
            if not key or not value or ":" in key or any(mark in key + value for mark in "|\r\n"):
                raise ValueError(f"{key!r}:{value!r} cannot be part of a signature")

    @classmethod
    def of(cls, **parts: object) -> Signature:
        """Build a signature from keyword arguments.

        ``None`` leaves a part out, a truth value reads ``yes`` or ``no``, everything else reads as ``str``
        gives it. The version is that of this pralign unless ``version`` says otherwise, as for a model
        saved by another one.
        """
        version = parts.pop(_VERSION, None) or __version__
        given = {key: _text(value) for key, value in parts.items() if value is not None}
        return cls((*given.items(), (_VERSION, str(version))))

    def extended(self, **parts: object) -> Signature:
        """The same signature with more parts before the version; a key already there gets the new value."""
        merged: dict[str, object] = dict(self.parts)
        return Signature.of(**(merged | parts))

    def as_dict(self) -> dict[str, str]:
        """The parts by key, in order."""
        return dict(self.parts)

    def __str__(self) -> str:
        return "|".join(f"{key}:{value}" for key, value in self.parts)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
