"""Scripts that let shells complete what is typed.

A script holds all names itself, since starting Python for every press of a key would take longer than people wait. It
is made from the same descriptions as the help.
"""

from __future__ import annotations

from collections.abc import Callable

from pralign.cli.manual.description import Description
from pralign.cli.shells.bash import bash_script
from pralign.cli.shells.fish import fish_script
from pralign.cli.shells.zsh import zsh_script

SCRIPTS: dict[str, Callable[[Description], str]] = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}
