"""Folders on different file systems."""

from __future__ import annotations

import pytest

from pralign.outputs.exchange import ExchangeUnsupportedError


@pytest.fixture(params=["exchange", "no exchange"])
def folder(request, tmp_path, monkeypatch):
    """A folder on a file system that can exchange names, and on one that cannot."""

    def refuse(one, other):
        raise ExchangeUnsupportedError(38, "Function not implemented")

    if request.param == "no exchange":
        monkeypatch.setattr("pralign.outputs.places.exchange", refuse)
        monkeypatch.setattr("pralign.outputs.exchange.exchange", refuse)
    return tmp_path
