"""Completion for zsh."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pralign.cli.manual.description import NAME, Description
from pralign.cli.manual.parameters import Parameter
from pralign.cli.shells.offers import Kind, Offer, offer

_END = f"""\
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _{NAME} "$@"
else
    compdef _{NAME} {NAME}
fi
"""


def zsh_script(program: Description) -> str:
    """The script: a function for each command. It may be read by the start file, or lie where functions are found."""
    lines = [f"#compdef {NAME}", f"# Completion of {NAME} for zsh, made by: {NAME} completion zsh"]
    for each in program.descendants():
        lines += ["", f"{_function(each)}() {{", *_body(each, program), "}"]
    return "\n".join([*lines, "", _END])


def _function(command: Description) -> str:
    return "_".join(["", NAME, *command.path])


def _body(command: Description, program: Description) -> Iterator[str]:
    specifications = [spec for option in command.options for spec in _option(option, program)]
    if not command.is_group:
        specifications += [
            _argument(place, argument, program) for place, argument in enumerate(command.arguments, start=1)
        ]
        yield _arguments(specifications)
        return
    names = " ".join(_quoted(f"{child.path[-1]}:{_colons(child.summary)}") for child in command.children)
    yield from ("    local state line curcontext=$curcontext", f"    local -a commands=({names})")
    yield _arguments(["'1:command:->command'", "'*::argument:->argument'", *specifications], "-C ")
    yield from ("    case $state in", "        command) _describe command commands ;;")
    yield from ("        argument)", "            case $line[1] in")
    yield from (f"                {child.path[-1]}) {_function(child)} ;;" for child in command.children)
    yield from ("            esac", "            ;;", "    esac")


def _arguments(specifications: list[str], how: str = "") -> str:
    return f"    _arguments {how}-s -S \\\n        " + " \\\n        ".join(specifications)


def _option(option: Parameter, program: Description) -> Iterator[str]:
    """One entry for each name; those that say the same shut each other out, unless they may be repeated."""
    every = (*option.names, *option.negative)
    before = "*" if option.repeats else f"({' '.join(every)})" if len(every) > 1 else ""
    text = re.sub(r"([\[\]\\:])", r"\\\1", option.brief)
    for name in every:
        ending = "" if option.metavar is None else "=" if name.startswith("--") else "+"
        yield _quoted(f"{before}{name}{ending}[{text}]{_value(option, program)}")


def _value(option: Parameter, program: Description) -> str:
    if option.metavar is None:
        return ""
    action = _action(offer(option, program))
    titles = option.metavar.split(" ") if option.takes > 1 else [option.metavar]
    return "".join(f":{_colons(title)}:{action}" for title in titles)


def _argument(place: int, argument: Parameter, program: Description) -> str:
    before = "*" if argument.takes == -1 else f"{place}" if argument.required else f"{place}:"
    return _quoted(f"{before}:{_colons(argument.metavar or '')}:{_action(offer(argument, program))}")


def _action(offered: Offer) -> str:
    names = " ".join(offered.names)
    if offered.is_list:
        return f"_values -s , name {names}"
    if offered.names:
        return f"({names})"
    return {Kind.NOTHING: " ", Kind.FILES: "_files", Kind.DIRECTORIES: "_files -/"}[offered.kind]


def _colons(text: str) -> str:
    return text.replace(":", "\\:")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
