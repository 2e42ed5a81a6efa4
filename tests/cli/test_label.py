"""``pralign label`` as people run it: a real server, answers over HTTP, and ends of all kinds."""

from __future__ import annotations

import http.client
import os
import random
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from labelling.running import serving
from pralign.sample import GOLD, SOURCE, TARGET

pytestmark = pytest.mark.slow

pytest.importorskip("starlette")

PAIRS = 40
KILLS = int(os.environ.get("PRALIGN_KILLS", "5"))  # 50 for the figure that the documents state


@pytest.fixture
def folder(tmp_path):
    for name, path in (("en", SOURCE), ("fr", TARGET)):
        lines = path.read_text(encoding="utf-8").splitlines()[:PAIRS]
        (tmp_path / f"text.{name}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    directory = tmp_path_factory.mktemp("model") / "model"
    command = ["train", str(SOURCE), str(TARGET), "--save", str(directory), "--preset", "fast", "-q"]
    subprocess.run([sys.executable, "-m", "pralign", *command], check=True)
    return directory


def gold_lines(folder, name="hand.gold"):
    return (folder / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_label_stop_and_go_on(folder, model, number):
    with serving(folder, model) as server:
        assert server.address.hostname == "127.0.0.1"
        assert server.put(1, [[0, 0, "sure"]]) == (200, {"version": 1})
        assert server.put(2, [], "skipped") == (200, {"version": 1})
        assert server.put(3, [[0, 0, "possible"]], "started") == (200, {"version": 1})
        code, err = server.end(number)
    assert code == 0
    assert "labels: hand.gold" in err
    assert gold_lines(folder)[:4] == ["0-0", "skipped", "", ""]
    with serving(folder, model) as server:
        assert server.ask("/api/pair/3")[1]["links"] == [[0, 0, "possible"]]
        assert server.ask("/api/state")[1]["counts"]["labelled"] == 1
        assert server.put(4, []) == (200, {"version": 1})
        server.end()
    assert gold_lines(folder)[:4] == ["0-0", "skipped", "", "none"]


def test_a_second_program_is_told(folder, model):
    with serving(folder, model, "--port", "0") as server:
        assert server.put(1, [[0, 0, "sure"]])[0] == 200
        with serving(folder, model) as other:
            code, err = other.end()
        assert code == 1
        assert "is being labelled by another pralign" in err
        assert server.put(1, [], version=1)[0] == 200
        server.end()


def test_killed_at_any_moment_nothing_confirmed_is_lost(folder, model):
    """Answers go in one after the other while the program is killed at a random moment; again and again."""
    chosen, confirmed, sent = random.Random(7), {}, {}
    untouched = [], "unlabelled", 0

    def compare(server):
        """What was confirmed is there; what was sent when the program was killed may be."""
        for pair in {*confirmed, *sent}:
            told = server.ask(f"/api/pair/{pair}")[1]
            found = told["links"], told["state"], told["version"]
            assert found in (confirmed.get(pair, untouched), sent.get(pair))
            confirmed[pair] = found
        sent.clear()

    for _ in range(KILLS):
        with serving(folder, model) as server:
            compare(server)
            seconds = chosen.random() * 0.3
            bomb = f"import time, os; time.sleep({seconds}); os.kill({server.process.pid}, 9)"
            bomb = subprocess.Popen([sys.executable, "-c", bomb])
            with suppress(OSError, http.client.HTTPException):
                while True:
                    pair = chosen.randrange(1, PAIRS)
                    version = confirmed.get(pair, untouched)[-1]
                    links = [[0, 0, chosen.choice(["sure", "possible"])]]
                    sent[pair] = links, chosen.choice(["started", "labelled"]), version + 1
                    assert server.put(pair, *sent[pair][:2], version) == (200, {"version": version + 1})
                    confirmed[pair] = sent.pop(pair)
            bomb.wait()
    assert len(confirmed) > min(20, KILLS)
    with serving(folder, model) as server:
        compare(server)
        server.end()
    written = {"sure": "0-0", "possible": "0?0"}
    expected = [""] * PAIRS
    for pair, ([[_, _, kind]], state, _) in confirmed.items():
        expected[pair - 1] = written[kind] if state == "labelled" else ""
    assert gold_lines(folder) == expected


def test_a_test_set_in_files_of_its_own(folder, model):
    with serving(folder, model, "--random", "3") as server:
        drawn = []
        for _ in range(3):
            told = server.ask("/api/next?order=best&after=0")[1]
            assert told["reason"] == "drawn at random for the test set"
            drawn.append(told["number"])
            server.put(told["number"], [[0, 0, "sure"]])
        after = server.ask("/api/next?order=best&after=0")[1]["number"]
        server.put(after, [[0, 0, "sure"]])
        server.end()
    labelled = [number for number, line in enumerate(gold_lines(folder, "hand.gold.test"), start=1) if line]
    assert labelled == sorted(drawn)
    assert [n for n, line in enumerate(gold_lines(folder, "hand.gold.train"), start=1) if line] == [after]


def test_a_test_set_stays_as_it_was_drawn(folder, model):
    with serving(folder, model, "--random", "3") as server:
        server.end()
    drawn = (folder / "hand.gold.journal").read_bytes()
    for more in (["--random", "4"], ["--random", "2", "--seed", "5"]):
        with serving(folder, model, *more) as server:
            code, err = server.end()
        assert code == 2
        assert "hand.gold has a random test set of 3 pairs already" in err
    with serving(folder, model, "--random", "3", "--seed", "9") as server:
        assert server.ask("/api/state")[1]["test"] == 3
        server.end()
    assert (folder / "hand.gold.journal").read_bytes().startswith(drawn)
    for path in folder.glob("hand.gold*"):
        path.unlink()
    with serving(folder, model, "--random", str(PAIRS)) as server:
        code, err = server.end()
    assert code == 2
    assert "some have to be left to learn from" in err
    assert not list(folder.glob("hand.gold*"))


def test_all_pairs_may_be_a_test_set(folder, model):
    with serving(folder, model, "--test") as server:
        told = server.ask("/api/next?order=best&after=0")[1]
        assert told == {"number": 1, "reason": "drawn at random for the test set"}
        assert server.ask("/api/pair/1")[1]["proposals"] == []
        assert server.ask("/api/state")[1]["test"] == PAIRS
        server.put(1, [[0, 0, "sure"]])
        server.end()
    assert gold_lines(folder, "hand.gold.test") == gold_lines(folder) == ["0-0", *[""] * (PAIRS - 1)]
    with serving(folder, model, "--test") as server:  # goes on
        assert server.ask("/api/next?order=best&after=0")[1]["number"] == 2
        server.end()
    (folder / "hand.gold.journal").unlink()
    with serving(folder, model, "--test") as server:
        code, err = server.end()
    assert code == 2
    assert "hand.gold was not begun with --test" in err


def test_the_text_is_looked_at(folder, model):
    lines = TARGET.read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "text.en").write_text(SOURCE.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "text.fr").write_text("".join([*lines[1:], lines[0]]), encoding="utf-8")
    with serving(folder, model) as server:
        code, err = server.end()
    assert code == 0
    assert "shifted" in err


def test_settling_files_of_one_name(folder, model):
    for name, line in (("ann", "0-0"), ("bo", "1-1")):
        (folder / name).mkdir()
        (folder / name / "hand.gold").write_text(f"{line}\n" * PAIRS, encoding="utf-8")
    with serving(folder, model, "--settle", "ann/hand.gold", "bo/hand.gold") as server:
        pair = server.ask("/api/pair/5")[1]
        assert pair["by_proposer"] == {"ann/hand.gold": [[0, 0, "sure"]], "bo/hand.gold": [[1, 1, "sure"]]}
        server.end()


def test_settling(folder, model, work):
    golds = GOLD.read_text(encoding="utf-8").splitlines()[:PAIRS]
    (folder / "a.gold").write_text("".join(f"{line}\n" for line in golds), encoding="utf-8")
    golds[4], golds[6] = "0-0", ""
    (folder / "b.gold").write_text("".join(f"{line}\n" for line in golds), encoding="utf-8")
    with serving(folder, model, "--settle", "a.gold", "b.gold") as server:
        assert server.ask("/api/next?order=best&after=0")[1]["number"] == 5
        pair = server.ask("/api/pair/5")[1]
        assert set(pair["by_proposer"]) == {"a.gold", "b.gold"}
        assert pair["by_proposer"]["b.gold"] == [[0, 0, "sure"]]
        server.put(5, [[0, 0, "sure"]])
        assert server.ask("/api/next?order=best&after=0")[1]["number"] is None
        server.end()
    golds[4] = "0-0"
    assert gold_lines(folder) == golds


def test_settling_refuses_links_of_words_that_are_not_there(folder, model):
    for name in ("a.gold", "b.gold"):
        (folder / name).write_text("0-0\n" * (PAIRS - 1) + "0-40\n", encoding="utf-8")
    with serving(folder, model, "--settle", "a.gold", "b.gold") as server:
        code, err = server.end()
    assert code == 1
    assert f"a.gold, line {PAIRS}" in err


@pytest.mark.parametrize(
    ("more", "code", "message"),
    [
        (["--order", "odd"], 2, "--order is best or file"),
        (["--random", "3", "--settle", "text.en", "text.fr"], 2, "one after the other"),
        (["--random", "3", "--test"], 2, "leave out --random and --settle"),
        (["--settle", "a.gold", "a.gold"], 2, "files of two annotators, not a.gold twice"),
        (["--gold", "text.en"], 2, "text.en"),
        (["--gold", "missing/hand.gold"], 1, "missing/hand.gold"),
        (["--model", "missing"], 1, "missing"),
        (["--settle", "missing.gold", "text.fr"], 1, "missing.gold"),
    ],
)
def test_wrong_calls(folder, model, more, code, message):
    command = ["label", "text.en", "text.fr", "--gold", "hand.gold", "--model", str(model), "--no-browser", *more]
    done = subprocess.run(
        [sys.executable, "-m", "pralign", *command], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
