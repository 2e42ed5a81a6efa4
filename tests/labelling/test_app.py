"""Who may ask the labelling page, and what it answers to what makes no sense."""

from __future__ import annotations

import asyncio
import json

import pytest

pytest.importorskip("starlette")

from pralign import Aligner
from pralign.labelling.app import label_app
from pralign.labelling.candidates import CandidatePool
from pralign.labelling.desk import Desk
from pralign.labelling.finishing import Finish
from pralign.labelling.learning import Learning
from pralign.labelling.proposing import Proposer
from pralign.labelling.session import LabellingSession

TOKEN = "a-token"
MARKUP = "<img/src=x/onerror=alert(1)>"
TEXT = [("the house is old", f"la maison est {MARKUP}"), ("the old cat", "le vieux chat"), ("a cat", "un chat")]


@pytest.fixture(scope="module")
def model():
    return Aligner(preset="fast", threads=1).fit(TEXT)


@pytest.fixture
def ask(model, tmp_path):
    session = LabellingSession(TEXT, tmp_path / "hand.gold")
    learning = Learning(session, CandidatePool(session.words, len(TEXT), 1), Proposer.of(model, TEXT))
    learning.start()
    app = label_app(Desk(session, learning, Finish(session, learning), "text"), TOKEN)

    def asked(path, method="GET", body=b"", token=TOKEN, host="127.0.0.1:80", **headers):
        lines = {"host": host, "x-pralign-client": "me"} | {k.replace("_", "-"): v for k, v in headers.items()}
        if token is not None:
            lines["x-pralign-token"] = token
        return asyncio.run(answered(app, method, path, body, lines))  # a body of None is one that is broken off

    yield asked
    learning.stop()
    session.close()


async def answered(app, method, path, body, headers):
    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
    }
    sent = []

    async def receive():
        if body is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    await app(scope, receive, send)
    content = b"".join(message.get("body", b"") for message in sent[1:])
    return sent[0]["status"], dict(sent[0]["headers"]), content


def put(ask, number, **given):
    status, _, content = ask(f"/api/pair/{number}", "PUT", json.dumps(given).encode())
    return status, json.loads(content)


ADDRESSES = ["/api/state", "/api/next", "/api/pairs", "/api/pair/1"]


@pytest.mark.parametrize("path", ADDRESSES)
def test_without_the_token_nothing_is_told(ask, path):
    assert ask(path)[0] == 200
    for token in (None, "", "another", TOKEN + "x", TOKEN[:-1], "é"):
        status, _, content = ask(path, token=token)
        assert status == 403
        assert b"maison" not in content


def test_the_page_needs_the_token_in_its_address(ask):
    assert ask("/", token=None)[0] == 403
    assert ask("/?token=wrong", token=None)[0] == 403
    status, headers, content = ask(f"/?token={TOKEN}", token=None)
    assert status == 200
    assert b"<!doctype html>" in content[:50].lower()
    policy = headers[b"content-security-policy"].decode()
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers[b"referrer-policy"] == b"no-referrer"
    assert MARKUP.encode() not in content


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "127.0.0.1@evil", ""])
def test_other_hosts_are_refused(ask, host):
    for path in ("/api/state", f"/?token={TOKEN}"):
        assert ask(path, host=host)[0] == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "http://evil.example", "null", "http://127.0.0.1.evil"])
def test_other_origins_are_refused(ask, origin):
    assert ask("/api/state", origin=origin)[0] == 403
    assert ask("/api/pair/1", "PUT", b"{}", origin=origin)[0] == 403
    assert ask("/api/state", origin="http://127.0.0.1:80")[0] == 200


@pytest.mark.parametrize(
    "path", ["/../etc/passwd", "/api/../../hand.gold", "/hand.gold", "/api/pair/../state", "/%2e%2e/"]
)
def test_there_are_no_files_to_ask_for(ask, path):
    assert ask(path)[0] == 404


@pytest.mark.parametrize("number", ["0", "4", "-1", "1e3", "²", "x", "9" * 30])
def test_pairs_that_are_not_there(ask, number):
    assert ask(f"/api/pair/{number}")[0] in (400, 404)
    assert ask(f"/api/pair/{number}", "PUT", b"{}")[0] in (400, 404)


@pytest.mark.parametrize("body", [b"", b"[]", b"nonsense", b"\xff", b"[" * 100_000, b"1", b'{"version": 0}'])
def test_what_is_no_answer(ask, body):
    status, _, content = ask("/api/pair/1", "PUT", body)
    assert status == 400
    assert json.loads(content)["error"]


def test_a_body_that_is_too_large(ask):
    assert ask("/api/pair/1", "PUT", b"x" * 3_000_000)[0] == 413


def test_an_answer_and_one_that_comes_too_late(ask):
    assert put(ask, 1, version=0, state="started", links=[[0, 0, "sure"]]) == (200, {"version": 1})
    status, answer = put(ask, 1, version=0, state="labelled", links=[])
    assert status == 409
    assert answer["pair"]["links"] == [[0, 0, "sure"]]
    assert answer["pair"]["version"] == 1
    status, _, content = ask("/api/pairs?filter=unlabelled&from=1&count=9")
    assert [row["state"] for row in json.loads(content)["pairs"]] == ["started", "unlabelled", "unlabelled"]
    assert ask("/api/pairs?filter=other")[0] == 400
    assert ask("/api/pairs?count=x")[0] == 400


def test_pages_of_a_filtered_list_have_every_pair_once(ask):
    ask("/api/pair/1", "PUT", json.dumps({"version": 0, "state": "labelled", "links": []}).encode())
    found = []
    for first in (1, 2, 3):
        told = json.loads(ask(f"/api/pairs?filter=unlabelled&from={first}&count=1")[2])
        assert told["total"] == 2
        found += [row["number"] for row in told["pairs"]]
    assert found == [2, 3]


def test_a_window_that_was_closed_is_no_other_any_more(ask):
    ask("/api/pair/2", x_pralign_client="another")
    assert json.loads(ask("/api/state")[2])["others"] == 1
    assert ask("/api/leave", "POST", x_pralign_client="another")[0] == 200
    assert json.loads(ask("/api/state")[2])["others"] == 0


def test_an_answer_that_is_broken_off_changes_nothing(ask):
    status, _, content = ask("/api/pair/1", "PUT", None)
    assert status == 400
    assert "broken off" in json.loads(content)["error"]
    assert json.loads(ask("/api/pair/1")[2])["version"] == 0


def test_words_come_as_they_are(ask):
    pair = json.loads(ask("/api/pair/1")[2])
    assert pair["target"][-1] == MARKUP


def test_methods_that_do_not_fit(ask):
    assert ask("/api/state", "POST")[0] == 405
    assert ask("/api/finish")[0] == 405
