"""Completion for bash."""

from __future__ import annotations

from collections.abc import Iterator

from pralign.cli.manual.description import NAME, Description
from pralign.cli.shells.offers import Kind, Offer, offer

_START = """\
# Completion of {name} for bash, made by: {name} completion bash
_{name}() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}
    local command= commands= options= names= kind= list= i
    if [[ $cur == = ]]; then  # --option=value comes as three words
        cur=
    elif [[ $prev == = && COMP_CWORD -gt 1 ]]; then
        prev=${{COMP_WORDS[COMP_CWORD-2]}}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$command/${{COMP_WORDS[i]}}" in"""

# compopt is missing in bash 3 of macOS, where files are offered for everything that is no name.
_END = """\
    esac
    if [[ -z $kind$names && $cur == -* ]]; then
        names=$options
    elif [[ -z $kind$names ]]; then
        names=$commands
    fi
    COMPREPLY=()
    [[ -n $names ]] && kind=nothing
    case $kind in
        nothing) compopt +o bashdefault +o default 2>/dev/null ;;
        directories) compopt +o bashdefault +o default -o dirnames 2>/dev/null ;;
    esac
    if [[ -n $list && $cur == *,* ]]; then
        COMPREPLY=($(compgen -P "${{cur%,*}}," -W "$names" -- "${{cur##*,}}"))
    elif [[ -n $names ]]; then
        COMPREPLY=($(compgen -W "$names" -- "$cur"))
    fi
    return 0
}}
complete -o bashdefault -o default -F _{name} {name}
"""


def bash_script(program: Description) -> str:
    """The script. Files are offered wherever nothing else is known."""
    lines = [_START.format(name=NAME)]
    for each in program.descendants():
        if each.path:
            pattern = f"{' '.join(each.path[:-1])}/{each.path[-1]}"
            lines.append(f"            {_quoted(pattern)}) command={_quoted(each.words)} ;;")
    lines += ["        esac", "    done", "    case $command in"]
    for each in program.descendants():
        lines += _case(each, program)
    return "\n".join([*lines, _END.format(name=NAME)])


def _case(command: Description, program: Description) -> Iterator[str]:
    options = [name for option in command.options for name in (*option.names, *option.negative)]
    names = [child.path[-1] for child in command.children]
    for argument in command.arguments:
        names += offer(argument, program).names
    yield f"        {_quoted(command.words)})"
    yield f"            options={_quoted(' '.join(options))}"
    yield f"            commands={_quoted(' '.join(names))}"
    yield "            case $prev in"
    for option in command.options:
        offered = offer(option, program)
        if option.metavar is not None and offered.kind is not Kind.FILES:
            yield f"                {'|'.join(option.names)}) {_settings(offered)} ;;"
        elif option.metavar is not None:
            yield f"                {'|'.join(option.names)}) kind=files ;;"
    yield from ("            esac", "            ;;")


def _settings(offered: Offer) -> str:
    if not offered.names:
        return f"kind={offered.kind.value}"
    return f"names={_quoted(' '.join(offered.names))}" + (" list=yes" if offered.is_list else "")


def _quoted(text: str) -> str:
    return f"'{text}'"
