"""Services in processes of their own, asked over loopback."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from contextlib import contextmanager

import pytest

TIMEOUT = 60


class Service:
    """A process that serves, and what its standard error said first."""

    def __init__(self, process, port):
        self.process, self.port = process, port

    def ask(self, method, path, body=None, headers=None):
        """The status, the headers and the body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def error(self, *arguments, **named):
        """The status and the message of an answer that is an error."""
        status, _, body = self.ask(*arguments, **named)
        said = json.loads(body)
        assert list(said) == ["error"]
        return status, said["error"]

    def end(self, number):
        """Send a signal; returns the exit code and what was said on standard error since the start."""
        self.process.send_signal(number)
        said = self.process.communicate(timeout=TIMEOUT)[1]
        return self.process.returncode, said


@contextmanager
def started(*command, stream="stderr"):
    """A service started by a command that says its address on standard error, or on standard output."""
    process = subprocess.Popen(
        [sys.executable, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        said = []
        for line in getattr(process, stream):
            said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:([0-9]+)", line):
                yield Service(process, int(found[1]))
                return
        pytest.fail(f"it has not started: {''.join(said)}")
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
