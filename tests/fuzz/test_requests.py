"""Whatever bytes come as a request: an answer, or a refusal with a message, and never a failure of the service."""

from __future__ import annotations

import asyncio
import json

import pytest

pytest.importorskip("starlette")

from labelling.test_app import TOKEN, answered
from pralign import Aligner
from pralign.labelling.app import TOKEN_HEADER, label_app
from pralign.labelling.candidates import CandidatePool
from pralign.labelling.desk import Desk
from pralign.labelling.finishing import Finish
from pralign.labelling.learning import Learning
from pralign.labelling.proposing import Proposer
from pralign.labelling.session import LabellingSession
from pralign.serving.alignment_app import alignment_app
from pralign.serving.gathering import Gatherer
from pralign.serving.resident import Resident

from .mutation import corpus_of, mutations
from .readers import LIMITS

COUNT = 400
TEXT = [("the old house", "la vieille maison ."), ("a house", "une maison"), ("the old cat", "le vieux chat")]
HERE = {"host": "127.0.0.1:80"}


@pytest.fixture(scope="module")
def model():
    return Aligner(preset="fast", threads=1).fit(TEXT)


def checked(status, headers, content):
    """The status of an answer, which is JSON and, if it is a refusal, says why."""
    assert status == 200 or 400 <= status < 500, content
    assert headers[b"content-type"].startswith(b"application/json")
    told = json.loads(content.decode())
    if status != 200:
        assert told["error"].strip()
    return status


def test_any_request_to_align(model):
    gatherer = Gatherer(Resident("model", model).align)
    app = alignment_app(Resident("model", model), gatherer, LIMITS, max_body=100_000)
    try:
        found = {
            checked(*asyncio.run(answered(app, "POST", "/align", data, HERE)))
            for data in mutations(corpus_of("requests"), seed=2, count=COUNT)
        }
    finally:
        gatherer.close()
    assert found == {200, 400}


def test_any_answer_for_a_pair(model, tmp_path):
    session = LabellingSession(TEXT, tmp_path / "hand.gold")
    learning = Learning(session, CandidatePool(session.words, len(TEXT), 1), Proposer.of(model, TEXT))
    app = label_app(Desk(session, learning, Finish(session, learning), "text"), TOKEN)
    found = set()
    for data in mutations(corpus_of("answers"), seed=2, count=COUNT):
        # All would change the pair as it was at first; most should come to be looked at.
        body = data.replace(b'"version": 0', f'"version": {session.answer(0).version}'.encode())
        answer = asyncio.run(answered(app, "PUT", "/api/pair/1", body, HERE | {TOKEN_HEADER: TOKEN}))
        found.add(checked(*answer))
    assert found == {200, 400, 409}
    said = session.answer(0)
    session.close()
    again = LabellingSession(TEXT, tmp_path / "hand.gold")
    assert again.answer(0) == said
    again.close()
