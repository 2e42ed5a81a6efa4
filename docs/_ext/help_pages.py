"""What ``pralign help TOPIC`` says, as pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generated import write_pages
from markdown import fence, page, prose
from sphinx.application import Sphinx

from pralign.cli.manual.topics import TOPICS, topic_blocks, topic_title

FOLDER = Path("reference", "help")


def _blocks(topic: str) -> Iterator[str]:
    for block in topic_blocks(topic):
        if block.rows:
            yield "\n\n".join(f"`{name}`\n: {prose(text)}" for name, text in block.rows)
        else:
            yield fence(block.text) if block.is_verbatim else prose(block.text)


def _overview() -> str:
    rows = "\n".join(f"- [{topic}]({topic}.md): {prose(topic_title(topic))}." for topic in TOPICS)
    names = "\n".join(TOPICS)
    return page(
        "# Topics",
        "The program explains these too: `pralign help TOPIC`.",
        rows,
        f"```{{toctree}}\n:hidden:\n\n{names}\n```",
    )


def _write(app: Sphinx) -> None:
    pages = {f"{topic}.md": page(f"# {prose(topic_title(topic))}", *_blocks(topic)) for topic in TOPICS}
    write_pages(Path(app.srcdir) / FOLDER, {"index.md": _overview(), **pages})


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before the others are read."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True}
