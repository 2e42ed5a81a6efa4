"""What tests of tables share."""

from __future__ import annotations

from functools import partial

import pytest


@pytest.fixture
def many_ranges(monkeypatch):
    """From when it is called, tables are made of many ranges, runs and chunks."""

    def begin():
        from pralign.links import aligned
        from pralign.phrases import chunks
        from pralign.phrases.counted import StringCounter

        monkeypatch.setattr(StringCounter, "ranges_for", lambda self, size: 7)
        monkeypatch.setattr(chunks, "read_aligned", partial(aligned.read_aligned, words=300))

    return begin
