"""A server in memory that answers the page as the real one would, and fails when it is told to."""

from __future__ import annotations

import copy
import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from pralign.labelling.page import label_page

NASTY = "<img/src=x/onerror=document.title='broken'>"
LONG = [f"word{k}" if k % 7 else "the" for k in range(60)]
LONG_TARGET = [f"mot{k}" if k % 5 else "le" for k in range(62)]


def pair(source, target, proposals=(), links=(), **more):
    return {
        "source": source.split() if isinstance(source, str) else source,
        "target": target.split() if isinstance(target, str) else target,
        "state": "unlabelled",
        "version": 1,
        "links": [list(link) for link in links],
        "refused": [],
        "proposals": [list(each) for each in proposals],
        "reason": "many likely errors: 5 links in doubt, words not seen before",
        "test": False,
        **more,
    }


def all_pairs():
    diagonal = [(k, k, 0.55 + 0.4 * (k % 10) / 9) for k in range(60)]
    return [
        pair("the house is small .", "la maison est petite .", [(0, 0, 0.98), (1, 1, 0.55), (2, 2, 0.9), (3, 3, 0.3)]),
        pair("we do not know the man and the dog", "nous ne connaissons pas le homme et le chien", [(0, 0, 0.9)]),
        pair(LONG, LONG_TARGET, [*diagonal, (3, 50, 0.6), (40, 5, 0.7)]),
        pair("the king came to the city", "המלך בא אל העיר", [(1, 0, 0.93), (2, 1, 0.8), (5, 3, 0.85)], test=True),
        pair("I read a book yesterday", "私 は 昨日 本 を 読み まし た", [(0, 0, 0.8), (4, 2, 0.95), (3, 3, 0.97)]),
        pair(f"word {NASTY} end", f"mot {NASTY} fin", [(1, 1, 0.7)]),
        pair(["Hello", ",", "x" * 150, "!"], ["مرحبا", "،", "y" * 120, "!"]),
    ]


def settling_pair():
    first = [[0, 0, "sure"], [1, 1, "sure"], [2, 2, "possible"]]
    second = [[0, 0, "sure"], [2, 2, "sure"], [3, 3, "sure"]]
    return pair("the house is small", "la maison est petite", by_proposer={"A.gold": first, "B.gold": second})


class World:
    """What the server knows, and how it is to behave; tests change it as they like."""

    def __init__(self, pairs=None, others=0, labelled=1):
        self.pairs = copy.deepcopy(all_pairs() if pairs is None else pairs)
        self.others, self.before = others, labelled
        self.error = None  # a text with which nothing is saved any more
        self.wait = 0.0
        self.changes, self.asked = [], []
        self.learning = {
            "status": "waiting",
            "wanted": 8,
            "history": [],
            "aer": None,
            "model": None,
            "to_gain": None,
            "version": 0,
        }
        self.settling = False
        self.finish = {
            "gold": "/home/me/hand.gold",
            "model": "/home/me/hand.gold.match",
            "command": "pralign match align hand.gold.match new.en new.fr links",
        }

    def has_learned(self):
        history = [
            {"pairs": 10 * k, "aer": rate, "model": 0.15} for k, rate in enumerate([0.145, 0.13, 0.118, 0.11], start=1)
        ]
        gain = "Most of what can be learned is learned: 50 more pairs would bring about 1 error less in 100 links."
        self.learning |= {"status": "idle", "wanted": 0, "history": history, "aer": 0.11, "model": 0.15}
        self.learning |= {"to_gain": gain, "version": self.learning["version"] + 1}

    def state(self):
        states = [each["state"] for each in self.pairs]
        labelled, skipped = states.count("labelled") + self.before, states.count("skipped")
        unlabelled = len(states) - states.count("labelled") - skipped
        return {
            "title": "text.en, text.fr",
            "languages": [None, None],
            "pairs": len(self.pairs),
            "counts": {"labelled": labelled, "skipped": skipped, "unlabelled": unlabelled, "test": 0},
            "order": "file",
            "test": 0,
            "others": self.others,
            "learning": self.learning,
            "finish": self.finish,
            "settling": self.settling,
        }

    def next(self, after):
        numbers = [*range(after + 1, len(self.pairs) + 1), *range(1, after)]
        free = [n for n in numbers if self.pairs[n - 1]["state"] in ("unlabelled", "started")]
        return {"number": free[0], "reason": self.pairs[free[0] - 1]["reason"]} if free else {"number": None}

    def list(self, first, count, wanted):
        found = [(n, each) for n, each in enumerate(self.pairs, 1) if wanted in ("all", each["state"])]
        shown = [
            {
                "number": n,
                "source": " ".join(each["source"])[:80],
                "target": " ".join(each["target"])[:80],
                "state": each["state"],
                "reason": "about 1.3 errors expected, one link in doubt" if n % 2 else "",
            }
            for n, each in found[first - 1 : first - 1 + count]
        ]
        return {"pairs": shown, "total": len(found)}

    def get(self, number):
        return {"number": number, **self.pairs[number - 1]}

    def put(self, number, body):
        time.sleep(self.wait)
        if self.error is not None:
            return 507, {"error": self.error}
        held = self.pairs[number - 1]
        if body["version"] != held["version"]:
            return 409, {"error": "changed meanwhile", "pair": self.get(number)}
        held |= {name: body[name] for name in ("links", "refused", "state")}
        held["version"] += 1
        self.changes.append((number, body))
        return 200, {"version": held["version"]}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, content, kind="application/json", **headers):
        body = content.encode() if isinstance(content, str) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"Content-Type": f"{kind}; charset=utf-8", "Content-Length": len(body), **headers}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        parts = urlsplit(self.path)
        if parts.path == "/":
            page, policy = label_page()
            self.answer(200, page, "text/html", **{"Content-Security-Policy": policy})
        else:
            self.api("GET", parts.path, {name: value[0] for name, value in parse_qs(parts.query).items()})

    def do_PUT(self):
        self.api("PUT", self.path, {})

    def do_POST(self):
        self.api("POST", self.path, {})

    def api(self, method, path, query):
        world = self.server.world
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        world.asked.append((method, path, self.headers.get("X-Pralign-Client")))
        if self.headers.get("X-Pralign-Token") != "secret":
            self.answer(403, {"error": "this page may not ask."})
        elif path == "/api/state":
            self.answer(200, world.state())
        elif path == "/api/next":
            self.answer(200, world.next(int(query["after"])))
        elif path == "/api/pairs":
            self.answer(200, world.list(int(query["from"]), int(query["count"]), query["filter"]))
        elif path == "/api/leave":
            self.answer(200, {})
        elif path == "/api/finish":
            self.answer(200, world.finish)
        elif method == "PUT":
            self.answer(*world.put(int(path.rsplit("/", 1)[1]), body))
        else:
            self.answer(200, world.get(int(path.rsplit("/", 1)[1])))


@contextmanager
def serving(world):
    """The address at which the page of a world is."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.world = world
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/?token=secret"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
