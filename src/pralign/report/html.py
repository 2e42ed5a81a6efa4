"""A report as one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from pralign import __version__
from pralign.evaluation import LinkCounts, Scores
from pralign.pictures.words import shortened, visible
from pralign.report.contest import PREFIX
from pralign.report.differences import COMPARING
from pralign.report.inputs import ReportInput
from pralign.report.records import embeddable
from pralign.report.report import Report
from pralign.report.scripts import script_of, slants
from pralign.report.summary import MOST_SYSTEMS

_LONGEST_WORD = 60
_SCRIPTS = ("state.js", "drawing.js", "browser.js", "words.js")


def render(report: Report, title: str, languages: tuple[str, str] | None = None) -> str:
    """The page: style, scripts and data are all inside, and a policy in its head forbids it to fetch anything.

    ``languages`` are the codes of the two languages, such as ``en`` and ``fr``, which programs that read pages out want
    to know.

    Text of the corpus gets into the page in two ways only: through the template, which escapes it, and as JSON, which
    scripts put onto the page as text, never as markup.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["visible"] = visible
    environment.filters["label"] = lambda word: shortened(visible(word), _LONGEST_WORD)
    template = environment.from_string(_asset("page.html"))
    style, script = _asset("style.css"), "".join(map(_asset, _SCRIPTS))
    return template.render(
        title=title,
        report=report,
        inputs=report.inputs,
        charts=[(chart, Markup(chart.svg())) for chart in report.charts],
        style=Markup(style),
        script=Markup(script),
        style_hash=policy_hash(style),
        script_hash=policy_hash(script),
        data=Markup(embeddable(_data(report, languages))),
        comparing=[table for table in report.behaviour if table.key in COMPARING],
        prefix=report.prefix or PREFIX,
        slanting=_slanting(report.inputs),
        shown=len(report.records),
        numbers={record["n"] for record in report.records},
        version=__version__,
    )


def _asset(name: str) -> str:
    return resources.files("pralign.report").joinpath("assets", name).read_text(encoding="utf-8")


def policy_hash(text: str) -> str:
    """How a content-security policy names a script or style that may be used."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _data(report: Report, languages: tuple[str, str] | None) -> dict[str, Any]:
    inputs = report.inputs
    return {
        "languages": languages,
        "best": _best(inputs),
        "scripts": [script_of(counts) for counts in inputs.text.frequencies],
        "slants": _slanting(inputs),
        "most": MOST_SYSTEMS,
        "systems": [visible(system.name) for system in inputs.systems],
        "model": None if inputs.posteriors is None else visible(inputs.posteriors.name),
        "gold": inputs.golds is not None,
        "pairs": report.records,
        "dictionary": report.dictionary.data(),
    }


def _slanting(inputs: ReportInput) -> list[bool]:
    """Whether each side has italics."""
    return [slants(counts) for counts in inputs.text.frequencies]


def _best(inputs: ReportInput) -> int:
    """The number of the system with the lowest error rate; of the first one without a gold."""
    counted = inputs.judged.counts
    if not counted:
        return 0
    rates = [Scores(sum(counts, LinkCounts())).aer for counts in counted.values()]
    return rates.index(min(rates))
