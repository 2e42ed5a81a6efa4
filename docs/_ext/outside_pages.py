"""Files of the repository outside this folder as pages, and links to them.

Pages link to each other, to examples and to benchmarks by the paths that a code host follows. Here such a link leads to
the page that was made of the file.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from docutils import nodes
from generated import write_pages
from markdown import fence, page
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

HERE = "docs"
PAGES = {
    "project/benchmarks": "benchmarks/README.md",
    "project/contributing": "CONTRIBUTING.md",
    "project/changelog": "CHANGELOG.md",
    "project/security": "SECURITY.md",
}
"""Pages that are files of Markdown elsewhere."""

EXAMPLES = "examples"
_START = "index"


def root_of(app: Sphinx) -> Path:
    """The folder of the whole project."""
    return Path(app.srcdir).parent


def example_page(path: Path) -> str:
    """An example in Python: what its docstring says, then all of it."""
    source = path.read_text(encoding="utf-8")
    said = ast.get_docstring(ast.parse(source)) or ""
    return page(f"# {_title(path)}", said, f"`{EXAMPLES}/{path.name}`:", fence(source.rstrip("\n"), "python"))


def _title(path: Path) -> str:
    return path.stem.replace("_", " ").capitalize()


def _examples(folder: Path) -> dict[str, str]:
    """The pages of examples, and the list of them."""
    files = sorted(folder.glob("*.py"))
    names = "\n".join(path.stem for path in files)
    listed = page(
        "# Examples",
        "Each of these programs adds something of its own to pralign, or shows one thing, in one short file.",
        f"```{{toctree}}\n:maxdepth: 1\n\n{names}\n```",
    )
    return {"index.md": listed, **{f"{path.stem}.md": example_page(path) for path in files}}


def _write(app: Sphinx) -> None:
    root = root_of(app)
    write_pages(Path(app.srcdir, EXAMPLES), _examples(root / EXAMPLES))
    copies = {f"{name}.md": (root / origin).read_text(encoding="utf-8") for name, origin in PAGES.items()}
    write_pages(Path(app.srcdir, "project"), {posixpath.basename(name): text for name, text in copies.items()})


def origin_of(docname: str) -> str:
    """The file of the repository that a page was made of."""
    if docname in PAGES:
        return PAGES[docname]
    folder, _, name = docname.partition("/")
    if folder == EXAMPLES and name != "index":
        return f"{EXAMPLES}/{name}.py"
    return f"{HERE}/{docname}.md"


def page_of(path: str) -> str | None:
    """The page that a file or folder of the repository has become, if any.

    Example:
        >>> page_of("examples/own_jumps.py"), page_of("docs/words.md"), page_of("benchmarks/README.md")
        ('examples/own_jumps', 'words', 'project/benchmarks')
    """
    path = path.rstrip("/")
    pages = {origin: name for name, origin in PAGES.items()} | {"README.md": _START, EXAMPLES: f"{EXAMPLES}/index"}
    if path in pages:
        return pages[path]
    name, suffix = posixpath.splitext(path)
    if name.startswith(f"{EXAMPLES}/") and suffix == ".py":
        return name
    return name.removeprefix(f"{HERE}/") if name.startswith(f"{HERE}/") and suffix in {".md", ".ipynb"} else None


class OutsideLinks(SphinxTransform):
    """Makes links to files outside lead to their pages."""

    default_priority = 5

    def apply(self, **_: Any) -> None:
        """Change the links of a page."""
        for node in list(self._links()):
            path, _, anchor = node["reftarget"].partition("#")
            place = self._place(node, path)
            found = page_of(place)
            if found is not None and found != self.env.docname:
                node.replace_self(_link(node, found, node.get("reftargetid") or anchor or None))
            elif found is None and not place.startswith(f"{HERE}/"):
                self._follow_outside(node, place)

    def _follow_outside(self, node: nodes.Element, place: str) -> None:
        """A file without a page can be downloaded; of a folder there is nothing to show."""
        path = Path(self.env.srcdir).parent / place
        if path.is_file():
            kept = {name: node[name] for name in ("refdoc", "reftype", "refexplicit")}
            made = addnodes.download_reference(refdomain=None, reftarget=f"/../{place}", **kept)
            made += [child.deepcopy() for child in node.children]
            node.replace_self(made)
        elif path.is_dir():
            _unlink(node)

    def _place(self, node: nodes.Element, path: str) -> str:
        """Where in the repository a link leads, as the file that was linked from is there and not here."""
        if node.get("refdomain") == "doc":
            found = Path(self.env.srcdir, f"{path}.md").resolve()  # a path of its own if it is outside
            return found.relative_to(Path(self.env.srcdir).resolve().parent).as_posix()
        folder = posixpath.dirname(origin_of(self.env.docname))
        return posixpath.normpath(posixpath.join(folder, path))

    def _links(self) -> Iterator[nodes.Element]:
        for node in self.document.findall(nodes.Element):
            is_link = isinstance(node, addnodes.pending_xref | addnodes.download_reference)
            if is_link and node.get("reftype") == "myst" and not node["reftarget"].startswith("#"):
                yield cast(nodes.Element, node)


def _unlink(node: nodes.Element) -> None:
    """Leave the text of a link alone."""
    node.replace_self([child.deepcopy() for child in node.children])


def _link(node: nodes.Element, docname: str, anchor: str | None) -> addnodes.pending_xref:
    """The same link to a page."""
    kept = {name: node[name] for name in ("refdoc", "reftype", "refexplicit")}
    made = addnodes.pending_xref(refdomain="doc", reftarget=docname, reftargetid=anchor, **kept)
    made["classes"] = ["xref", "myst"]
    made += [child.deepcopy() for child in node.children]
    for child in made.findall(nodes.inline):
        child["classes"] = [name for name in child["classes"] if name != "download"]
    return made


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before the others are read, and change links when they are."""
    app.connect("builder-inited", _write)
    app.add_transform(OutsideLinks)
    return {"parallel_read_safe": True}
