"""``--max-line``: how long a line of text may be, for every command that reads some."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from pralign.cli.options import MaxLineOption
from pralign.text.files import lines_up_to

_NAME = "max_line"


def with_line_limit(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option ``--max-line``, and let it read lines of that size."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        size = options.pop(_NAME, None)
        if size is None:
            command(*arguments, **options)
            return
        with lines_up_to(size):
            command(*arguments, **options)

    signature = inspect.signature(command, eval_str=True)
    option = inspect.Parameter(_NAME, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=MaxLineOption)
    run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), option])  # type: ignore[attr-defined]
    return run
