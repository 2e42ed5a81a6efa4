"""How quickly ``pralign serve`` answers, and what it does when it is asked for too much.

    python benchmarks/serving.py MODEL SRC TGT [--seconds S] [--threads N]

A server is started on this machine, and eight clients, each a process of its own, ask it as fast as they get answers:
for batches of 32 pairs, then for single pairs. Then many more clients ask for more than a small queue holds: how many
are told to come again, and how much memory the server takes before and after.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

CLIENTS = 8
OVERLOADING = 32
_TIMEOUT = 60


def read_pairs(source, target):
    lines = [Path(name).read_text(encoding="utf-8").splitlines() for name in (source, target)]
    return [{"source": left, "target": right} for left, right in zip(*lines, strict=True) if left and right]


class Server:
    """A server in a process of its own."""

    def __init__(self, model, *options):
        command = [sys.executable, "-m", "pralign", "serve", str(model), *map(str, options), "--quiet"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().rpartition(":")[2])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(_TIMEOUT)
        assert code == 0, f"it ended with {code}"

    def memory(self):
        """What it takes now, in megabytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1000


def ask(port, bodies, seconds, number):
    """Ask for one body after the other; the time of each answer, and how often each status came."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT)
    times, statuses, end = [], Counter(), time.monotonic() + seconds
    while (begun := time.monotonic()) < end:
        body = bodies[(number + OVERLOADING * len(times)) % len(bodies)]
        connection.request("POST", "/align", body)
        answer = connection.getresponse()
        answer.read()
        times.append(time.monotonic() - begun)
        statuses[answer.status] += 1
    connection.close()
    return times, statuses


def measure(port, pairs, size, clients, seconds):
    """Have several clients ask for batches of a size, and print what came of it."""
    bodies = [json.dumps({"pairs": pairs[k : k + size]}).encode() for k in range(0, len(pairs) - size + 1, size)]
    with multiprocessing.get_context("fork").Pool(clients) as pool:
        results = pool.starmap(ask, [(port, bodies, seconds, number) for number in range(clients)])
    times = sorted(each for result, _ in results for each in result)
    statuses = sum((counts for _, counts in results), Counter())
    middle, late = (1000 * times[int(share * (len(times) - 1))] for share in (0.5, 0.99))
    rate = statuses[200] * size / seconds
    print(
        f"{clients} clients, {size} pairs a request: {rate:,.0f} pairs/s, median {middle:.1f} ms, p99 {late:.1f} ms, "
        f"answers {dict(sorted(statuses.items()))}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model")
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    pairs = read_pairs(options.source, options.target)
    with Server(options.model, "--threads", options.threads) as server:
        print(f"memory {server.memory():.0f} MB")
        for size in (32, 1):
            measure(server.port, pairs, size, CLIENTS, options.seconds)
        print(f"memory {server.memory():.0f} MB")
    with Server(options.model, "--threads", options.threads, "--queue", 1000) as server:
        print(f"a queue of 1,000 pairs: memory {server.memory():.0f} MB")
        for _ in range(3):
            measure(server.port, pairs, 100, OVERLOADING, options.seconds / 2)
            print(f"memory {server.memory():.0f} MB")
        measure(server.port, pairs, 1, 1, 1)


if __name__ == "__main__":
    main()
