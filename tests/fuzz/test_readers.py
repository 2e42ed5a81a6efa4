"""The fuzz targets of readers on small changes of the kept corpus; ``readers.py`` says how to look further."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from pralign.errors import PralignError
from pralign.memory import memory_of_process

from . import readers
from .mutation import corpus_of, mutations
from .readers import TARGETS

COUNTS = {"options": 60, "values": 200, "looks": 300}
MORE = 1000
ROOM = 500_000_000


@pytest.mark.parametrize("name", TARGETS)
def test_a_reader_answers_or_refuses(name):
    target, before = TARGETS[name], memory_of_process()
    for number, data in enumerate(mutations(corpus_of(name), seed=1, count=COUNTS.get(name, MORE))):
        try:
            target(data)
        except Exception as error:
            raise AssertionError(f"input {number}: {data[:500]!r}") from error
    assert memory_of_process() - before < ROOM


@pytest.mark.parametrize("name", sorted(TARGETS.keys() - {"options", "values"}))  # which try several things at once
def test_the_corpus_has_inputs_that_are_read_and_others(name, monkeypatch):
    monkeypatch.setattr(readers, "refusing", nullcontext)
    refused = 0
    for data in corpus_of(name):
        try:
            TARGETS[name](data)
        except PralignError:
            refused += 1
    assert 0 < refused < len(corpus_of(name))
