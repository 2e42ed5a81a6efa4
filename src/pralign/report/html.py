"""A report as one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib import resources
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from pralign import __version__
from pralign.report.study import Study
from pralign.report.words import visible

_SCRIPTS = ("state.js", "drawing.js", "browser.js")


def render(study: Study, title: str) -> str:
    """The page: style, scripts and data are all inside, and a policy in its head forbids it to fetch anything.

    Text of the corpus gets into the page in two ways only: through the template, which escapes it, and as JSON, which
    scripts put onto the page as text, never as markup.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["visible"] = visible
    template = environment.from_string(_asset("page.html"))
    style, script = _asset("style.css"), "".join(map(_asset, _SCRIPTS))
    return template.render(
        title=title,
        study=study,
        material=study.material,
        charts=[(chart, Markup(chart.svg())) for chart in study.charts],
        style=Markup(style),
        script=Markup(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
        data=Markup(_embeddable(_data(study))),
        shown=len(study.records),
        numbers={record["n"] for record in study.records},
        version=__version__,
    )


def _asset(name: str) -> str:
    return resources.files("pralign.report").joinpath("assets", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """How a content-security policy names a script or style that may be used."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _data(study: Study) -> dict[str, Any]:
    material = study.material
    return {
        "systems": [visible(system.name) for system in material.systems],
        "model": None if material.opinions is None else visible(material.opinions.name),
        "gold": material.golds is not None,
        "pairs": study.records,
    }


def _embeddable(content: Any) -> str:
    """JSON that cannot end the element it stands in, whatever words it holds."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
