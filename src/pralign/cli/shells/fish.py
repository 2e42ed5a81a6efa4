"""Completion for fish."""

from __future__ import annotations

from collections.abc import Iterator

from pralign.cli.manual.description import NAME, Description
from pralign.cli.manual.parameters import Parameter
from pralign.cli.shells.offers import Kind, Offer, offer

_START = f"""\
# Completion of {NAME} for fish, made by: {NAME} completion fish
function __{NAME}_at --description 'Whether a command of {NAME} is being typed'
    set -l command ''
    for word in (commandline -opc)[2..-1]
        switch "$command/$word\""""

_MIDDLE = f"""\
        end
    end
    test "$command" = "$argv"
end
complete -c {NAME} -f"""


def fish_script(program: Description) -> str:
    """The script: a line for each command, option and argument."""
    lines = [_START]
    for each in program.descendants():
        if each.path:
            lines.append(f"            case {_quoted('/'.join((' '.join(each.path[:-1]), each.path[-1])))}")
            lines.append(f"                set command {_quoted(each.words)}")
    lines.append(_MIDDLE)
    for each in program.descendants():
        lines += _lines(each, program)
    return "\n".join(lines) + "\n"


def _lines(command: Description, program: Description) -> Iterator[str]:
    start = f"complete -c {NAME} -n {_quoted(f'__{NAME}_at {command.words}'.rstrip())}"
    for child in command.children:
        yield f"{start} -a {child.path[-1]} -d {_quoted(child.summary)}"
    for argument in command.arguments:
        offered = offer(argument, program)
        if offered.names or offered.kind is not Kind.NOTHING:
            yield f"{start} {_value(offered)}"
    for option in command.options:
        yield f"{start} {_names(option)}{_taking(option, program)} -d {_quoted(option.brief)}"
        if option.negative:
            yield f"{start} -l {option.negative[-1][2:]} -d {_quoted(option.brief)}"


def _names(option: Parameter) -> str:
    return " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)


def _taking(option: Parameter, program: Description) -> str:
    return "" if option.metavar is None else f" -r {_value(offer(option, program))}"


def _value(offered: Offer) -> str:
    names = " ".join(offered.names)
    if offered.is_list:
        return f"-f -a {_quoted(f'(__fish_append , {names})')}"
    if offered.names:
        return f"-f -a {_quoted(names)}"
    directories = f"-f -a {_quoted('(__fish_complete_directories)')}"
    return {Kind.NOTHING: "-f", Kind.FILES: "-F", Kind.DIRECTORIES: directories}[offered.kind]


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
