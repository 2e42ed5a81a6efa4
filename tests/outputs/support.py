"""Folders to write into."""

from __future__ import annotations

import json
from pathlib import Path

from pralign.outputs import open_directory
from pralign.outputs.directories import content_of

TESTS = Path(__file__).parent.parent


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def save(place, text):
    with open_directory(place, "index", ["data"]) as (folder, beside):
        (folder / "data").write_text(text)
        (folder / "index").write_text(json.dumps({"text": text} | ({"content": beside} if beside else {})))


def load(place):
    index = json.loads((place / "index").read_bytes())
    assert (content_of(place, index) / "data").read_text() == index["text"]
    return index["text"]
