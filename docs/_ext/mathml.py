"""Formulas as MathML, which browsers draw by themselves: nothing is fetched, and no script runs."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

_ALIASES = {r"\dots": r"\ldots"}
"""Commands of LaTeX that the converter knows by another name only."""

logger = logging.getLogger(__name__)


def _markup(node: nodes.Element, as_block: bool) -> str:
    formula = re.sub(r"\\[a-zA-Z]+", lambda found: _ALIASES.get(found[0], found[0]), node.astext())
    try:
        drawn = tex2mathml(formula, as_block=as_block)
        # Braces grow with what is between them only where the formula says so.
        return drawn if r"\left" in formula else re.sub(r"<mo>([{}])</mo>", r'<mo stretchy="false">\1</mo>', drawn)
    except MathError as error:
        logger.warning("formula %r: %s", formula, error, location=node)
        return f"<code>{nodes.unescape(formula)}</code>"


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(f'<span class="math-inline">{_markup(node, as_block=False)}</span>')
    raise nodes.SkipNode


def _block(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="math-block">{_markup(node, as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Draw formulas so."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
