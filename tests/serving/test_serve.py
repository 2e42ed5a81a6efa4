"""``pralign serve``: the answers, what is refused, and how it ends."""

from __future__ import annotations

import http.client
import json
import math
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pralign import Aligner, MatchingAligner, __version__, read_alignments, sample
from pralign.text.bitext import Bitext
from serving.running import TIMEOUT, started

pytestmark = pytest.mark.slow

pytest.importorskip("uvicorn")

PAIRS = list(Bitext.read(sample.SOURCE, sample.TARGET))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served") / "a model"
    Aligner(model="hmm", threads=1).fit(PAIRS).save(folder)
    return folder


@pytest.fixture(scope="module")
def service(model):
    with started("-m", "pralign", "serve", model, "--threads", 2, "--max-body", "100K", stream="stdout") as service:
        yield service


def as_request(pairs):
    return json.dumps({"pairs": [{"source": source, "target": target} for source, target in pairs]}).encode()


def aligned(service, pairs):
    status, headers, body = service.ask("POST", "/align", as_request(pairs))
    assert (status, headers["content-type"]) == (200, "application/json"), body
    content = json.loads(body)
    assert list(content) == ["alignments"]
    return content["alignments"]


def expected(model, pairs):
    return [
        {
            "links": [list(link) for link in answer.alignment.links],
            "probabilities": list(answer.alignment.scores or ()),
            "score": round(answer.score, 6) if math.isfinite(answer.score) else None,
        }
        for answer in Aligner.load(model, threads=1).decode_pairs(pairs)
    ]


def test_answers_are_those_of_the_model_in_order(service, model):
    pairs = [*PAIRS[:150], ("", "la maison"), ("the house", ""), ("nie gesehen", ["jamais", "vu"])]
    answers = aligned(service, pairs)
    assert answers == expected(model, pairs)
    assert [answer["score"] for answer in answers[150:152]] == [None, None]
    assert sum(len(answer["links"]) for answer in answers) > 300


def test_requests_that_come_together_are_answered_as_if_alone(service, model):
    wanted = expected(model, PAIRS)
    failed = []

    def ask(first):
        numbers = range(first, len(PAIRS), 8)
        failed.extend(number for number in numbers if aligned(service, [PAIRS[number]]) != [wanted[number]])

    threads = [threading.Thread(target=ask, args=(first,)) for first in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT)
    assert failed == []
    assert json.loads(service.ask("GET", "/health")[2])["waiting"] == 0


def test_it_tells_how_it_is(service):
    status, _, body = service.ask("GET", "/health")
    content = json.loads(body)
    assert status == 200
    assert (content["status"], content["version"], content["model"]) == ("ok", __version__, "a model")
    assert content["signature"].startswith("model:hmm|")


def test_its_page_asks_nobody_for_anything(service):
    status, headers, body = service.ask("GET", "/docs")
    page = body.decode()
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "http" not in page.replace("http-equiv", "")
    for path in json.loads(service.ask("GET", "/openapi.json")[2])["paths"]:
        assert f"<code>{path}</code>" in page


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not UTF-8"),
        (b'{"pairs": [{"source": "a", "target": 1}]}', "pair 1: the target is a number"),
        (b'{"pairs": [{"source": "\\ud800", "target": ""}]}', "half a surrogate pair"),
        (b'{"pairs": [{"source": "a", "target": "b", "\\ud800": 1}]}', "means nothing here"),
        (b"[" * 90_000, "nested too deeply"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_is_malformed_is_named(service, body, said):
    status, message = service.error("POST", "/align", body)
    assert status == 400
    assert said in message


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/align", 405), ("POST", "/health", 405), ("GET", "/", 404)]
)
def test_what_is_not_there_is_said(service, method, path, status):
    assert service.error(method, path)[0] == status


def test_too_much_at_once_is_refused(service):
    assert service.error("POST", "/align", b" " * 100_001)[0] == 413
    status, message = service.error("POST", "/align", json.dumps({"pairs": [0] * 1001}).encode())
    assert (status, "1001 pairs" in message) == (400, True)


@pytest.mark.parametrize("headers", [{"Host": "example.org"}, {"Origin": "http://example.org"}])
def test_other_sites_are_refused(service, headers):
    assert service.error("POST", "/align", as_request(PAIRS[:1]), headers=headers)[0] == 403


def test_clients_that_hang_hold_nobody_up(service):
    hanging = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(20)]
    for number, each in enumerate(hanging):
        each.sendall(b"POST /align HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"[: 20 + 10 * number])
    begun = time.monotonic()
    assert len(aligned(service, PAIRS[:1])) == 1
    assert time.monotonic() - begun < 5
    for each in hanging:
        each.close()


def test_too_much_for_the_queue_is_told_to_come_again_and_the_rest_is_answered(model):
    options = ("--threads", 1, "--queue", 60, "-q")
    with started("-m", "pralign", "serve", model, *options, stream="stdout") as service:
        found = []

        def ask():
            for _ in range(10):
                status, headers, body = service.ask("POST", "/align", as_request(PAIRS[:40]))
                found.append((status, headers["retry-after"], len(json.loads(body).get("alignments", ()))))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(TIMEOUT)
        assert len(found) == 80
        assert set(found) == {(200, None, 40), (503, "1", 0)}
        assert len(aligned(service, PAIRS[:60])) == 60
        assert service.error("POST", "/align", as_request(PAIRS[:61]))[0] == 400
        assert json.loads(service.ask("GET", "/health")[2])["waiting"] == 0


def test_sigterm_ends_it_when_what_is_under_way_is_done(model):
    with started("-m", "pralign", "serve", model, "--threads", 1, "-q", stream="stdout") as service:
        connections = []
        for _ in range(6):
            connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=TIMEOUT)
            connection.request("POST", "/align", as_request(PAIRS[:400]))
            connections.append(connection)
        time.sleep(0.05)
        service.process.send_signal(signal.SIGTERM)
        for connection in connections:
            answer = connection.getresponse()
            assert answer.status == 200
            assert len(json.loads(answer.read())["alignments"]) == 400
            connection.close()
        said = service.process.communicate(timeout=TIMEOUT)[1]
        assert (service.process.returncode, said) == (0, "")


def test_matching_models_are_served_too(tmp_path):
    labelled = [(*pair, gold) for pair, gold in zip(PAIRS[:60], read_alignments(sample.GOLD), strict=True)]
    matching = MatchingAligner(features="dice,distance,shape", learner="extragradient", rounds=20, threads=1)
    matching.fit(PAIRS, labelled=labelled).save(tmp_path / "m")
    with started("-m", "pralign", "serve", tmp_path / "m", "-q", stream="stdout") as service:
        answers = aligned(service, PAIRS[:20])
    wanted = MatchingAligner.load(tmp_path / "m").align(PAIRS[:20])
    assert [answer["links"] for answer in answers] == [[list(link) for link in each.links] for each in wanted]
    assert {(answer["probabilities"], answer["score"]) for answer in answers} == {(None, None)}


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("nothing",), 1, "nothing: there is no model here: no such directory"),
        (("nothing", "--max-body", "0"), 2, "--max-body must leave room"),
        (("nothing", "--max-body", "much"), 2, "a size is such as 2G"),
    ],
)
def test_what_cannot_be_served_is_named(tmp_path, options, code, said):
    command = [sys.executable, "-m", "pralign", "serve", *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_its_document_is_exact(model, tmp_path):
    pytest.importorskip("schemathesis")
    program = Path(sys.executable).with_name("schemathesis")
    with started("-m", "pralign", "serve", model, "-q", stream="stdout") as service:
        address = f"http://127.0.0.1:{service.port}/openapi.json"
        command = [program, "run", address, "--max-examples", "60", "--seed", "1"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
        assert service.ask("GET", "/health")[0] == 200
