"""Running an application: where it listens, who may ask, how large requests may be, and how it stops."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from pralign.errors import UsageError
from pralign.serving.runner import run_app
from serving.running import TIMEOUT, started

pytestmark = pytest.mark.slow

pytest.importorskip("uvicorn")

ECHO = """
import asyncio, sys
from pralign.cli.interrupts import ignore_interrupts, leave, listen_for_interrupts
from pralign.serving.guard import Guard
from pralign.serving.runner import run_app

async def echo(scope, receive, send):
    if scope["type"] != "http":
        raise AssertionError
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    await asyncio.sleep(float(scope["query_string"] or b"0"))
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})

def ready(address):
    print(address, file=sys.stderr, flush=True)

listen_for_interrupts()
try:
    run_app(Guard(echo, 1000), None, ready)
except KeyboardInterrupt:
    leave()
finally:
    ignore_interrupts()
"""


@pytest.fixture
def echo():
    with started("-c", ECHO) as service:
        yield service


def test_it_answers(echo):
    assert echo.ask("POST", "/", b"x" * 1000)[::2] == (200, b"x" * 1000)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:80", "LOCALHOST", "[::1]:8000"])
def test_names_of_this_machine_are_answered(echo, host):
    assert echo.ask("GET", "/", headers={"Host": host})[0] == 200


@pytest.mark.parametrize(
    "host", ["example.org", "127.0.0.1.example.org", "localhost.example.org:80", "", "127.0.0.1:80:80", "[::2]"]
)
def test_other_names_are_refused(echo, host):
    status, message = echo.error("GET", "/", headers={"Host": host})
    assert status == 403
    assert "127.0.0.1" in message


@pytest.mark.parametrize("origin", ["http://localhost:3000", "http://127.0.0.1", "http://[::1]:1"])
def test_pages_of_this_machine_are_answered(echo, origin):
    assert echo.ask("GET", "/", headers={"Origin": origin})[0] == 200


@pytest.mark.parametrize(
    "origin", ["http://example.org", "https://localhost", "null", "file://", "http://localhost.example.org"]
)
def test_other_pages_are_refused(echo, origin):
    status, message = echo.error("POST", "/", b"x", headers={"Origin": origin})
    assert status == 403
    assert "pages" in message


@pytest.mark.parametrize("size", [1001, 3_000_000])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_large_is_refused_however_it_comes(echo, size, chunked):
    body = (b"x" * 500 for _ in range(size // 500 + 1)) if chunked else b"x" * size
    status, message = echo.error("POST", "/", body)
    assert status == 413
    assert "1000 bytes" in message
    assert echo.ask("GET", "/")[0] == 200


def test_requests_under_way_are_finished_before_it_stops(echo):
    answers = []
    asking = threading.Thread(target=lambda: answers.append(echo.ask("POST", "/?1.5", b"late")[::2]))
    asking.start()
    time.sleep(0.5)
    code, said = echo.end(signal.SIGTERM)
    asking.join(TIMEOUT)
    assert answers == [(200, b"late")]
    assert (code, said) == (0, "")


def test_it_does_not_wait_for_ever(echo):
    connection = http.client.HTTPConnection("127.0.0.1", echo.port, timeout=TIMEOUT)
    connection.request("POST", "/?1000", b"never")
    time.sleep(0.5)
    begun = time.monotonic()
    code, _ = echo.end(signal.SIGTERM)
    connection.close()
    assert code == 0
    assert time.monotonic() - begun < 15


def test_a_client_that_says_nothing_more_holds_nobody_up(echo):
    with socket.create_connection(("127.0.0.1", echo.port)) as silent:
        silent.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc")
        assert echo.ask("GET", "/")[0] == 200


def test_ctrl_c_is_an_interruption(echo):
    assert echo.end(signal.SIGINT) == (130, "pralign: interrupted\n")


def test_it_listens_on_this_machine_only(echo):
    with socket.socket() as other:  # the same port is free at other addresses
        other.bind(("127.0.0.2", echo.port))
    with pytest.raises(OSError), socket.create_connection(("127.0.0.2", echo.port), timeout=5):
        pass


def test_a_port_in_use_is_named_with_what_to_do(echo):
    with pytest.raises(UsageError, match=f"port {echo.port} of 127.0.0.1 is in use; choose another one with --port"):
        run_app(None, echo.port, print)


@pytest.mark.parametrize("port", [-1, 65536])
def test_what_is_no_port_is_refused(port):
    with pytest.raises(UsageError, match="a port is a number from 1 to 65535"):
        run_app(None, port, print)


def test_what_is_not_installed_is_named():
    code = (
        "import sys; sys.modules['uvicorn'] = None\n"
        "from pralign.serving.runner import run_app\n"
        "try: run_app(None, None, print)\n"
        "except ValueError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "this needs uvicorn, which is not installed: pip install 'pralign[serve]'\n"


SLOW = """
import sys, time
from pralign.serving.alignment_app import alignment_app
from pralign.serving.bodies import Limits
from pralign.serving.gathering import Gatherer
from pralign.serving.resident import Answer, Resident
from pralign.serving.runner import run_app
from pralign.text.tokenizers import Tokenization

class Slow:
    name, tokenization = "slow", Tokenization.of("spaces")
    class aligner:
        signature = "slow"

    def align(self, pairs):
        time.sleep(0.5)
        return [Answer((), (), None)] * len(pairs)

gatherer = Gatherer(Slow().align, 2)
app = alignment_app(Slow(), gatherer, Limits(), 1_000_000)
run_app(app, None, lambda address: print(address, file=sys.stderr, flush=True))
gatherer.close()
"""


def test_what_cannot_be_finished_in_time_is_told_to_come_again():
    body = '{"pairs": [' + ", ".join(['{"source": "a", "target": "b"}'] * 1000) + "]}"
    answers = []
    with started("-c", SLOW) as service:

        def ask():
            status, _, said = service.ask("POST", "/align", body)
            answers.append((status, said if status != 200 else b""))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        time.sleep(1)
        begun = time.monotonic()
        code, said = service.end(signal.SIGTERM)
        assert time.monotonic() - begun < 8
        for thread in threads:
            thread.join(TIMEOUT)
    assert code == 0
    assert "Traceback" not in said
    assert {status for status, _ in answers} == {503}
    assert all(b"stopping" in said for _, said in answers)
