"""What tests of matching share."""

from __future__ import annotations

LABELLED = ["--labelled", "ls", "lt", "lg"]
FIT = ["match", "fit", "s", "t", *LABELLED, "--rounds", "10"]
PLAIN = [*FIT, "--features", "dice,distance"]
FILES = ["manifest.json", "parameters.safetensors", "source.json", "target.json"]


def aligned(work, *arguments, stdin=None):
    return work.ok("match", "align", *arguments, "--quiet", stdin=stdin).out
