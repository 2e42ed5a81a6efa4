"""Labels teach: proposals, the next pairs, and estimates follow what was said."""

from __future__ import annotations

import time

import numpy as np
import pytest

from pralign import Aligner
from pralign.labelling.candidates import CandidatePool
from pralign.labelling.desk import Desk
from pralign.labelling.finishing import Finish
from pralign.labelling.learning import EVERY, FIRST, Learning, Point, expected_gain
from pralign.labelling.proposing import Proposer
from pralign.labelling.session import LabellingSession
from pralign.links.formats import read_alignments
from pralign.matching import MatchingAligner
from pralign.sample import GOLD, SOURCE, TARGET
from pralign.text.bitext import Bitext


@pytest.fixture(scope="module")
def model():
    pairs = list(Bitext.read(SOURCE, TARGET))
    golds = list(read_alignments(GOLD, "gold"))
    return Aligner(preset="fast", threads=1).fit(pairs), pairs, golds


@pytest.fixture
def desk(model, tmp_path):
    aligner, pairs, golds = model
    session = LabellingSession(pairs[: len(golds)], tmp_path / "hand.gold")
    pool = CandidatePool(session.words, len(session.pairs), 1)
    learning = Learning(session, pool, Proposer.of(aligner, session.pairs))
    learning.start()
    yield Desk(session, learning, Finish(session, learning), "sample"), golds
    learning.stop()
    session.close()


def answer(desk, golds, count):
    for _ in range(count):
        number = desk.next("best", 0, "me")["number"]
        gold = golds[number - 1]
        links = [[i, j, "possible" if (i, j) in gold.possible else "sure"] for i, j in gold]
        desk.put(number - 1, {"version": 0, "state": "labelled", "links": links}, "me")


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_what_was_put_right_is_learned_too(desk):
    desk, golds = desk
    answer(desk, golds, FIRST)
    desk.finish()
    saved = desk.learning.proposer.taught
    desk.finish()
    assert desk.learning.proposer.taught is saved  # nothing has changed
    for number, _ in desk.session.labelled():
        desk.put(number, {"version": 1, "state": "labelled", "links": [[0, 0, "sure"]]}, "me")
    desk.finish()
    assert desk.learning.proposer.taught is not saved
    assert [point.pairs for point in desk.learning.history] == [FIRST]
    assert all(len(gold) == 1 for *_, gold in desk.learning._learned.values())


def test_it_learns_in_the_background(desk):
    desk, golds = desk
    before = desk.pair(0, "me")["proposals"]
    assert desk.state("me")["learning"]["wanted"] == FIRST
    answer(desk, golds, FIRST)
    wait_for(lambda: desk.learning.version == 1)
    told = desk.state("me")["learning"]
    assert told["wanted"] == 0
    assert [point["pairs"] for point in told["history"]] == [FIRST]
    assert 0 < told["aer"] < 1
    answer(desk, golds, EVERY)
    wait_for(lambda: desk.learning.version == 2)
    assert desk.learning.proposer.learned.pairs == FIRST + EVERY
    if desk.learning.proposer.trusted is not None:
        assert desk.pair(0, "me")["proposals"] != before


def test_the_end_is_a_gold_and_a_model_that_aligns(desk):
    desk, golds = desk
    answer(desk, golds, FIRST + 1)
    finished = desk.finish()
    assert finished["model"].endswith("hand.gold.match")
    aligner = MatchingAligner.load(finished["model"], threads=1)
    assert aligner.learned_.pairs == FIRST + 1
    assert finished["command"].startswith("pralign match align NEW.src NEW.tgt --load ")


def test_labels_without_a_sure_link_are_no_end(desk):
    desk, _ = desk
    for number in range(FIRST):
        desk.put(number, {"version": 0, "state": "labelled", "links": []}, "me")
    finished = desk.finish()
    assert finished["model"] is None
    assert desk.state("me")["learning"]["history"] == []


def test_the_test_set_has_no_proposals_and_teaches_nothing(desk):
    desk, golds = desk
    desk.session.draw_test([3, 8])
    assert desk.next("best", 0, "me") == {"number": 4, "reason": "drawn at random for the test set"}
    assert desk.pair(3, "me")["proposals"] == []
    assert desk.pair(3, "me")["test"]
    for number in (3, 8):
        links = [[i, j, "sure"] for i, j in golds[number].sure]
        desk.put(number, {"version": 0, "state": "labelled", "links": links}, "me")
    answer(desk, golds, FIRST)
    wait_for(lambda: desk.learning.version == 1)
    assert desk.learning.proposer.learned.pairs == FIRST
    assert set(desk.state("me")["learning"]["test"]) == {"aer", "model"}


def test_two_windows_get_different_pairs_and_know_of_each_other(desk):
    desk, _ = desk
    first = desk.next("best", 0, "me")["number"]
    desk.pair(first - 1, "me")
    second = desk.next("best", 0, "you")["number"]
    assert second != first
    desk.pair(second - 1, "you")
    assert desk.state("me")["others"] == 1
    assert desk.next("file", 0, "me")["number"] not in (second, None)


def test_in_order(desk):
    desk, _ = desk
    assert desk.next("file", -1, "me")["number"] == 1
    desk.put(1, {"version": 0, "state": "skipped"}, "me")
    assert desk.next("file", 0, "me")["number"] == 3
    last = len(desk.session.pairs) - 1
    assert desk.next("file", last, "me")["number"] == 1


def test_proposals_are_what_the_model_says(desk, model):
    desk, _ = desk
    aligner, *_ = model
    words = desk.session.words(0)
    mean = aligner.posteriors(*words).mean
    shown = desk.pair(0, "me")["proposals"]
    assert {(i, j) for i, j, _ in shown} == {tuple(place) for place in np.argwhere(mean >= 0.05).tolist()}
    for i, j, probability in shown:
        assert probability == pytest.approx(mean[i, j], abs=1e-4)


def test_what_is_to_be_gained_follows_the_curve():
    falling = [Point(pairs, 0.1 + 0.5 / pairs, 0.2) for pairs in (10, 15, 20, 30)]
    assert expected_gain(falling, 20) == pytest.approx(0.5 / 30 - 0.5 / 50, abs=1e-9)
    rising = [Point(pairs, 0.1 + 0.001 * pairs, 0.2) for pairs in (10, 15, 20)]
    assert expected_gain(rising, 20) == 0.0
