"""The page of an experiment: its tables and curves, and the way to the pages of sentence pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from pralign import __version__
from pralign.experiments.description import Experiment
from pralign.pictures.words import visible
from pralign.report.charts import Chart
from pralign.report.html import policy_hash
from pralign.report.tables import Table


def index_page(
    experiment: Experiment,
    tables: Sequence[Table],
    charts: Sequence[Sequence[Chart]],
    pages: Mapping[str, tuple[str, str]],
) -> str:
    """The page: all tables and curves in one file, which needs no network and runs no scripts.

    Args:
        experiment: The experiment.
        tables: Its tables.
        charts: The curves that go with each table.
        pages: The names of pages with sentence pairs, and their titles.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["visible"] = visible
    style = _asset("style.css")
    return environment.from_string(_asset("page.html")).render(
        experiment=experiment,
        blocks=[
            (table, [(chart, Markup(chart.svg())) for chart in drawn])
            for table, drawn in zip(tables, charts, strict=True)
        ],
        pages={name: title for name, (title, _) in pages.items()},
        paragraphs=list(paragraphs(experiment.about)),
        style=Markup(style),
        style_hash=policy_hash(style),
        version=__version__,
    )


def paragraphs(about: str) -> Iterator[Markup]:
    """The paragraphs of a text in Markdown, with its ``*emphasis*`` and its code; nothing else in it is markup.

    Example:
        >>> list(paragraphs("Of *all* pairs <b>."))
        [Markup('Of <em>all</em> pairs &lt;b&gt;.')]
    """
    for part in about.split("\n\n"):
        words = " ".join(part.split())
        if words:
            marked = re.sub(r"\*([^\s*](?:[^*]*[^\s*])?)\*", r"<em>\1</em>", str(escape(visible(words))))
            yield Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", marked))


def _asset(name: str) -> str:
    return resources.files("pralign.experiments").joinpath("assets", name).read_text(encoding="utf-8")
