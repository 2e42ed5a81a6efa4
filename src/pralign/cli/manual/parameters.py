"""Options and arguments as plain data: their names, what stands for their values, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pralign.links.formats import FORMATS

# What stands for values of a type where the option does not say; the names are those of typer and of click.
_METAVARS = {
    **dict.fromkeys(("int", "integer", "integer range"), "N"),
    **dict.fromkeys(("float", "float range"), "X"),
    **dict.fromkeys(("path", "file", "filename", "directory"), "FILE"),
    **dict.fromkeys(("str", "text"), "TEXT"),
}
_FORMAT = "FORMAT"


class Parameter(NamedTuple):
    """An option or an argument.

    Attributes:
        names: What an option is called, short names first; nothing for an argument.
        metavar: What stands for its value or values; ``None`` if it takes none.
        text: What is said of it: what it does, its default, its bounds.
        negative: The names that mean the contrary.
        takes: How many values it takes; -1 for any number.
        required: Whether it must be given.
        repeats: Whether it may be given several times.
    """

    names: tuple[str, ...]
    metavar: str | None
    text: str
    negative: tuple[str, ...] = ()
    takes: int = 1
    required: bool = False
    repeats: bool = False

    @property
    def brief(self) -> str:
        """What is said of it first."""
        return self.text.partition(". ")[0].removesuffix(".")

    @property
    def long_name(self) -> str:
        """The first of its long names."""
        return next((name for name in self.names if name.startswith("--")), self.names[0])

    @property
    def usage(self) -> str:
        """An argument as it stands in a line that says how to call a command."""
        shown = f"{self.metavar}..." if self.takes == -1 else f"{self.metavar}"
        return shown if self.required else f"[{shown}]"

    @property
    def values(self) -> tuple[str, ...]:
        """The names that its value may be, as far as they are known."""
        if self.metavar == _FORMAT:
            return tuple(FORMATS)
        parts = (self.metavar or "").replace(",", "|").split("|")
        return tuple(part for part in parts if len(parts) > 1 and part.islower())

    @property
    def is_list(self) -> bool:
        """Whether its value is several of these names, with commas between."""
        return bool(self.values) and "," in (self.metavar or "")

    def head(self, width: int) -> str:
        """Its names and what stands for its value, in no more columns than there are, if that can be.

        Example:
            >>> Parameter(("-o", "--output"), "FILE", "").head(78)
            '-o, --output FILE'
            >>> Parameter(("--colour",), "red|green|blue", "").head(20)
            '--colour NAME'
        """
        names = " / ".join(", ".join(part) for part in (self.names, self.negative) if part)
        whole = f"{names} {self.metavar or ''}".strip() if self.names else self.usage.strip("[]")
        return whole if len(whole) <= width or not self.values else f"{names} {self._short}"

    def described(self, width: int) -> str:
        """What is said of it, with the names that its value may be if there was no room for them in the head."""
        if not self.values or not self.head(width).endswith(self._short):
            return self.text
        several = "Any of these, with commas between: " if self.is_list else "One of "
        return f"{self.text} {several}{', '.join(self.values)}."

    @property
    def _short(self) -> str:
        return "NAMES" if self.is_list else "NAME"


def read_parameter(found: Any) -> Parameter:
    """What typer keeps of an option or argument."""
    is_option = found.param_type_name == "option"
    names = tuple(sorted(found.opts, key=lambda name: name.startswith("--"))) if is_option else ()
    takes_nothing = is_option and (found.is_flag or found.count)
    takes_many = found.nargs == -1
    return Parameter(
        names,
        None if takes_nothing else _metavar(found),
        _text(found),
        tuple(found.secondary_opts),
        0 if takes_nothing else found.nargs,
        found.required,
        found.multiple if is_option else takes_many,
    )


def _metavar(found: Any) -> str:
    if found.metavar:
        metavar = str(found.metavar)
        return metavar[1:-1] if metavar.startswith("[") else metavar
    if found.name.endswith("format"):
        return _FORMAT
    descriptor = getattr(found, "type_descriptor", None)
    kind = found.type.name if descriptor is None else getattr(descriptor.annotation, "__name__", "")
    return _METAVARS.get(kind.lower(), "VALUE")


def _text(found: Any) -> str:
    sentences = [found.help or ""]
    if found.required and found.param_type_name == "option":
        sentences.append("Required.")
    if (default := _default(found)) is not None:
        sentences.append(f"Default: {default}.")
    if (bounds := _bounds(_bound(found, "min"), _bound(found, "max"))) is not None:
        sentences.append(bounds)
    if found.envvar:
        sentences.append(f"{found.envvar} in the environment does the same.")
    return " ".join(sentence for sentence in sentences if sentence)


def _default(found: Any) -> str | None:
    if isinstance(found.show_default, str):
        return found.show_default
    nothing = isinstance(found.default, bool) or found.default in (None, "", (), [], ...) or callable(found.default)
    return None if nothing or not found.show_default else f"{found.default}"


def _bound(found: Any, which: str) -> float | None:
    value: float | None = getattr(found, which, None)
    return value if value is not None else getattr(getattr(found, "type", None), which, None)


def _bounds(least: float | None, most: float | None) -> str | None:
    if least is None:
        return None if most is None else f"At most {most:g}."
    if most is None:
        return f"At least {least:g}."
    both: Sequence[object] = (least, most)
    return "0 or 1." if both == (0, 1) and isinstance(least, int) else f"From {least:g} to {most:g}."
