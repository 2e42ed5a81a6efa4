"""Commands and names of Python that are mentioned in text lead to the pages about them.

On a code host `pralign align` and `pralign.Aligner` are code and nothing else, since the pages about them are made with
the site. So pages need no links that would lead nowhere there.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from api_names import homes
from command_pages import described, file_of
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode

_NAME = re.compile(r"pralign\.([A-Za-z_.]+)(?:\(.*\))?")


@cache
def command_pages() -> dict[str, str]:
    """The page of each command, by the words that call it."""
    return {
        f"pralign {each.words}": f"reference/commands/{file_of(each).removesuffix('.md')}"
        for each in described().descendants()
        if each.path
    }


class LinkedCode(SphinxPostTransform):
    """Makes links of them."""

    default_priority = 20

    def run(self, **_: Any) -> None:
        """Change a page."""
        if self.app.builder.format != "html":
            return
        commands = command_pages()
        for node in list(self.document.findall(nodes.literal)):
            if not _is_text(node):
                continue
            place = self._of_command(commands, node.astext()) or self._of_name(node.astext())
            if place is not None and place[0] != self.env.docname:
                self._link(node, *place)

    def _of_command(self, commands: dict[str, str], text: str) -> tuple[str, str] | None:
        """The page of the longest command that a text begins with."""
        words = text.split()
        for length in (3, 2):
            if (page := commands.get(" ".join(words[:length]))) is not None:
                return page, ""
        return None

    def _of_name(self, text: str) -> tuple[str, str] | None:
        """The page of a name, and the place on it."""
        if (match := _NAME.fullmatch(text)) is None:
            return None
        first, _, rest = match[1].partition(".")
        found = homes().get(first, f"pralign.{first}") + (f".{rest}" if rest else "")
        entry = self.env.domains.python_domain.objects.get(found)
        return None if entry is None else (entry.docname, entry.node_id)

    def _link(self, node: nodes.literal, docname: str, anchor: str) -> None:
        made = make_refnode(self.app.builder, self.env.docname, docname, anchor, node.deepcopy())
        node.replace_self(made)


def _is_text(node: nodes.literal) -> bool:
    """Whether code stands in text: not in a heading, and not in a link."""
    parent = node.parent
    while parent is not None:
        if isinstance(parent, nodes.title | nodes.reference):
            return False
        parent = parent.parent
    return True


def setup(app: Sphinx) -> dict[str, Any]:
    """Do so after all links are known."""
    app.add_post_transform(LinkedCode)
    return {"parallel_read_safe": True}
