"""``pralign label`` in a process of its own, asked over HTTP."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from urllib.parse import parse_qs, urlsplit


class Server:
    """A running ``pralign label``."""

    def __init__(self, folder, model, *more):
        command = [sys.executable, "-m", "pralign", "label", "text.en", "text.fr", "--gold", "hand.gold"]
        self.process = subprocess.Popen(
            [*command, "--model", str(model), "--no-browser", "--threads", "1", *more],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.address = urlsplit(self.process.stdout.readline().strip())
        self.token = parse_qs(self.address.query).get("token", [""])[0]
        self.connection = http.client.HTTPConnection("127.0.0.1", self.address.port or 1, timeout=60)

    def ask(self, path, method="GET", body=None):
        headers = {"X-Pralign-Token": self.token, "X-Pralign-Client": "me"}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def put(self, number, links, state="labelled", version=0):
        given = {"version": version, "state": state, "links": links, "refused": []}
        return self.ask(f"/api/pair/{number}", "PUT", given)

    def end(self, number=signal.SIGINT):
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, number)
        _, err = self.process.communicate(timeout=60)
        self.connection.close()
        return self.process.returncode, err


@contextmanager
def serving(folder, model, *more):
    server = Server(folder, model, *more)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
        server.process.communicate()
        server.connection.close()
