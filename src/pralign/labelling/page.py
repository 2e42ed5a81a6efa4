"""The page on which people align pairs by hand, as one text that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from pralign import __version__

_SCRIPTS = (
    "dom.js",
    "pair.js",
    "client.js",
    "notices.js",
    "saving.js",
    "words.js",
    "lines.js",
    "grid.js",
    "lighting.js",
    "choosing.js",
    "changing.js",
    "proposals.js",
    "progress.js",
    "listing.js",
    "dialogs.js",
    "turning.js",
    "keys.js",
    "main.js",
)


def label_page() -> tuple[str, str]:
    """The page, and the content-security policy that a server sends with it.

    Style and scripts are inside, and the policy lets the page use these alone and ask nobody but its own server. The
    page holds no word of the text: it asks for pairs, and puts words onto the page as text, never as markup.

    What programs that drive the page can rely on: words are ``[data-side="source"][data-word="0"]`` and so for
    ``target``, cells of the grid ``[data-cell="0-0"]`` and lines ``[data-line="0-0"]``, both with a ``data-kind`` of
    ``sure``, ``possible``, ``proposal``, ``refused`` or ``none``; ``#saved`` has a ``data-status`` of ``saved``,
    ``saving`` or ``unsaved``.

    Examples:
        >>> page, policy = label_page()
        >>> page.startswith("<!doctype html>")
        True
        >>> "connect-src 'self'" in policy
        True
    """
    style, script = _asset("style.css"), "".join(map(_asset, _SCRIPTS))
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src '{_hash(style)}'",
            f"script-src '{_hash(script)}'",
            "connect-src 'self'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    page = environment.from_string(_asset("page.html")).render(
        style=Markup(style), script=Markup(script), policy=Markup(policy), version=__version__
    )
    # Who may show the page inside another one can only be said by a header.
    return page, f"{policy}; frame-ancestors 'none'"


def _asset(name: str) -> str:
    return resources.files("pralign.labelling").joinpath("assets", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """How a content-security policy names a script or style that may be used."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
