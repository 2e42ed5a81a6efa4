"""What was said of a text survives whatever ends the program, and files say exactly that."""

from __future__ import annotations

import json
import random
import threading

import pytest

from pralign.errors import InputError, OutputError
from pralign.labelling.answers import Answer
from pralign.labelling.journal import JournalInUseError
from pralign.labelling.session import ConflictError, LabellingSession
from pralign.links.formats import read_alignments

TEXT = [("a b c", "x y z"), ("a a", "x x"), ("", ""), ("d e", "u v"), ("f", "w")]


def said(state="labelled", links=(), version=0, refused=()):
    return {"state": state, "links": [list(link) for link in links], "version": version, "refused": list(refused)}


@pytest.fixture
def session(tmp_path):
    opened = LabellingSession(TEXT, tmp_path / "hand.gold")
    yield opened
    opened.close()


def reopened(session):
    session.close()
    return LabellingSession(session.pairs, session.gold)


def test_states_are_different_in_the_file_too(session):
    session.put(0, said(links=[(0, 0, "sure"), (1, 2, "possible")]))
    session.put(1, said("skipped"))
    session.put(3, said())
    session.put(4, said("started", [(0, 0, "sure")]))
    session.write()
    assert session.gold.read_text() == "0-0 1?2\nskipped\n\nnone\n\n"
    states = [gold.state for gold in read_alignments(session.gold, "gold")]
    assert states == ["labelled", "skipped", "unlabelled", "labelled", "unlabelled"]
    assert session.counts() == {"labelled": 2, "skipped": 1, "unlabelled": 2, "test": 0}


def test_everything_is_there_again(session):
    session.put(0, said(links=[(0, 0, "sure"), (1, 2, "possible")], refused=[[2, 2]]))
    session.put(4, said("started", [(0, 0, "sure")]))
    again = reopened(session)
    assert again.answer(0).as_dict() == {
        "state": "labelled",
        "version": 1,
        "links": [[0, 0, "sure"], [1, 2, "possible"]],
        "refused": [[2, 2]],
    }
    assert again.answer(4).state == "started"
    assert again.answer(1) == Answer()
    again.close()


def test_what_was_not_written_to_the_gold_is_in_the_journal(tmp_path):
    first = LabellingSession(TEXT, tmp_path / "hand.gold")
    first.put(0, said(links=[(0, 0, "sure")]))
    first.write()
    first.put(0, said(links=[(1, 1, "sure")], version=1))
    first.put(3, said("skipped"))
    first._journal.close()  # as if it were killed here
    second = LabellingSession(TEXT, tmp_path / "hand.gold")
    assert second.answer(0).links.links == ((1, 1),)
    assert second.answer(3).state == "skipped"
    second.close()
    assert (tmp_path / "hand.gold").read_text().splitlines()[0] == "1-1"


def test_a_gold_that_somebody_has_edited_is_believed(session):
    session.put(0, said(links=[(0, 0, "sure")]))
    session.put(3, said(links=[(0, 0, "sure")]))
    session.close()
    session.gold.write_text("2-2\n\n\n0-0\n\n")
    again = LabellingSession(TEXT, session.gold)
    assert again.answer(0).links.links == ((2, 2),)
    again.put(0, said(links=[(1, 1, "sure")], version=again.answer(0).version))
    again.close()
    assert session.gold.read_text().splitlines()[0] == "1-1"


def killed(session):
    """The same files, as if the program had been killed."""
    session._journal.close()
    return LabellingSession(session.pairs, session.gold)


def test_an_answer_that_comes_while_the_gold_is_written_is_in_the_next_one(session, monkeypatch):
    session.put(0, said(links=[(0, 0, "sure")]))
    records = session._records

    def meanwhile(answers, of_test):
        if session.answer(3).version == 0:
            session.put(3, said(links=[(1, 1, "sure")]))
        return records(answers, of_test)

    monkeypatch.setattr(session, "_records", meanwhile)
    session.write()
    assert session.gold.read_text() == "0-0\n\n\n\n\n"
    again = killed(session)
    assert again.answer(3).links.links == ((1, 1),)
    again.close()
    assert session.gold.read_text() == "0-0\n\n\n1-1\n\n"


@pytest.mark.parametrize("before", [True, False])
def test_a_kill_around_the_moment_in_which_the_gold_gets_its_name_loses_nothing(session, monkeypatch, before):
    session.put(0, said(links=[(0, 0, "sure")]))
    session.put(1, said("started", [(1, 1, "sure")], refused=[[0, 0]]))
    session.write()
    session.put(0, said(links=[(2, 2, "sure")], version=1))
    add = session._journal.add

    class KilledError(Exception):
        pass

    def die(event):
        if before:
            add(event)
        if not before and event["event"] == "writing":
            add(event)
        elif event["event"] in ("writing", "written"):
            raise KilledError

    monkeypatch.setattr(session._journal, "add", die)
    with pytest.raises(KilledError):
        session.write()
    again = killed(session)
    assert again.answer(0).links.links == ((2, 2),)
    assert again.answer(1).as_dict() == {
        "state": "started",
        "version": 1,
        "links": [[1, 1, "sure"]],
        "refused": [[0, 0]],
    }
    again.close()


def test_of_an_edited_gold_only_the_lines_that_were_edited_are_believed(session):
    session.put(0, said(links=[(0, 0, "sure")]))
    session.put(1, said("started", [(1, 1, "sure")]))
    session.put(3, said(links=[(0, 0, "sure")], refused=[[1, 1]]))
    session.close()
    session.gold.write_text("2-2\n\n\n0-0\n\n")
    again = LabellingSession(TEXT, session.gold)
    assert again.answer(0).links.links == ((2, 2),)
    assert again.answer(1).state == "started"
    assert again.answer(3).refused == ((1, 1),)
    again.put(0, said(links=[(1, 1, "sure")], version=again.answer(0).version))
    again = killed(again)  # what is said after an edit is not lost either
    assert again.answer(0).links.links == ((1, 1),)
    again.close()
    assert session.gold.read_text() == "1-1\n\n\n0-0\n\n"


def test_what_somebody_writes_into_the_gold_meanwhile_is_taken_over(session):
    session.put(0, said(links=[(0, 0, "sure")]))
    session.put(3, said("skipped"))
    session.write()
    session.gold.write_text("0-0\n1-1\n\n\n\n")
    session.put(4, said(links=[(0, 0, "sure")]))
    session.write()
    assert session.gold.read_text() == "0-0\n1-1\n\n\n0-0\n"
    assert session.answer(3).state == "unlabelled"
    assert [session.answer(pair).version for pair in range(5)] == [1, 1, 0, 2, 1]
    again = killed(session)
    assert again.answer(1).links.links == ((1, 1),)
    again.close()


def test_what_makes_no_sense_in_the_gold_is_not_written_over(session):
    session.put(0, said(links=[(0, 0, "sure")]))
    session.write()
    session.gold.write_text("0-0\n7-7\n\n\n\n")
    session.put(4, said(links=[(0, 0, "sure")]))
    with pytest.raises(InputError, match=r"hand.gold, line 2"):
        session.write()
    assert "7-7" in session.gold.read_text()
    session.gold.write_text("")  # of what is empty, nothing can be meant
    session.write()
    assert session.gold.read_text() == "0-0\n\n\n\n0-0\n"


def test_parts_of_a_gold_that_are_gone_come_back(session):
    session.draw_test([0])
    session.write()
    session.files[2].unlink()
    session.write()
    assert session.files[2].exists()


def test_a_compressed_gold_is_the_same(tmp_path):
    session = LabellingSession(TEXT, tmp_path / "hand.gold.gz")
    session.put(1, said("started", [(1, 1, "sure")]))
    session.put(0, said(links=[(0, 0, "sure")]))
    again = reopened(session)
    assert again.answer(1).state == "started"
    again.close()


def test_an_older_gold_never_comes_after_a_newer_one(session, monkeypatch):
    records, waits, begun = session._records, threading.Event(), threading.Event()

    def slow(answers, of_test):
        begun.set()
        assert waits.wait(30)
        return records(answers, of_test)

    session.put(0, said(links=[(0, 0, "sure")]))
    monkeypatch.setattr(session, "_records", slow)
    first = threading.Thread(target=session.write)
    first.start()
    assert begun.wait(30)
    session.put(3, said("skipped"))
    second = threading.Thread(target=session.write)
    second.start()
    waits.set()
    first.join()
    second.join()
    assert session.gold.read_text() == "0-0\n\n\nskipped\n\n"


def test_one_gold_under_two_names_is_one_gold(session, tmp_path):
    session.put(0, said())
    session.write()
    (tmp_path / "link.gold").symlink_to("hand.gold")
    with pytest.raises(JournalInUseError):
        LabellingSession(TEXT, tmp_path / "link.gold")
    (tmp_path / "other.gold.journal").symlink_to("hand.gold.journal")
    with pytest.raises(JournalInUseError):
        LabellingSession(TEXT, tmp_path / "other.gold")


def test_a_gold_from_elsewhere_is_gone_on_with(tmp_path):
    gold = tmp_path / "hand.gold"
    gold.write_text("0-0 1?1\nskipped\n\nnone\n\n")
    session = LabellingSession(TEXT, gold)
    assert [session.answer(pair).state for pair in range(5)] == [
        *("labelled", "skipped", "unlabelled", "labelled", "unlabelled")
    ]
    session.close()
    assert gold.read_text() == "0-0 1?1\nskipped\n\nnone\n\n"


def test_an_older_version_is_refused(session):
    session.put(0, said(links=[(0, 0, "sure")]))
    with pytest.raises(ConflictError):
        session.put(0, said(links=[(1, 1, "sure")]))
    assert session.answer(0).links.links == ((0, 0),)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (said("done"), "state is one of"),
        ({"version": 0, "state": "labelled", "links": "0-0"}, "links are a list"),
        (said(links=[(0, 0)]), "links are a list"),
        (said(links=[(0, 0, "maybe")]), "sure or possible"),
        (said(links=[(0, -1, "sure")]), "whole numbers"),
        (said(links=[(0, True, "sure")]), "whole numbers"),
        (said(links=[(0, 1.0, "sure")]), "whole numbers"),
        (said(links=[(0, 3, "sure")]), "3"),
        (said(refused=[[7, 0]]), "7"),
    ],
)
def test_wrong_answers_change_nothing(session, given, message):
    with pytest.raises(InputError, match=message):
        session.put(0, given)
    assert session.answer(0) == Answer()
    again = reopened(session)
    assert again.answer(0) == Answer()
    again.close()


def test_a_test_set_is_kept_apart(session):
    session.draw_test([0, 3])
    for pair in (0, 1):
        session.put(pair, said(links=[(0, 0, "sure")]))
    assert [number for number, _ in session.labelled()] == [1]
    assert [number for number, _ in session.labelled(test=True)] == [0]
    again = reopened(session)
    assert again.test == {0, 3}
    assert again.counts()["test"] == 1
    again.write()
    lines = {path.name: path.read_text().splitlines() for path in again.files}
    assert lines == {
        "hand.gold": ["0-0", "0-0", "", "", ""],
        "hand.gold.train": ["", "0-0", "", "", ""],
        "hand.gold.test": ["0-0", "", "", "", ""],
    }
    again.close()


def test_another_text_is_refused(session):
    session.put(0, said(links=[(0, 0, "sure")]))
    session.close()
    changed = [("a b changed", "x y z"), *TEXT[1:]]
    with pytest.raises(InputError, match="other words now"):
        LabellingSession(changed, session.gold)
    with pytest.raises(InputError, match=r"alignments|lines|pairs"):
        LabellingSession(TEXT[:3], session.gold)
    session.gold.unlink()
    with pytest.raises(InputError, match=r"does not have|other words"):
        LabellingSession([("q", "r")], session.gold)


def test_a_second_program_is_told_who_has_it(session):
    with pytest.raises(JournalInUseError, match=r"hand.gold: is being labelled by another pralign.*process \d+"):
        LabellingSession(TEXT, session.gold)


def test_a_full_disk_is_told_and_changes_nothing(session, monkeypatch):
    def full(event):
        raise OutputError("no space")

    monkeypatch.setattr(session._journal, "add", full)
    with pytest.raises(OutputError):
        session.put(0, said(links=[(0, 0, "sure")]))
    assert session.answer(0) == Answer()
    monkeypatch.undo()


@pytest.mark.parametrize("seed", range(20))
def test_a_journal_cut_anywhere_holds_all_whole_answers(tmp_path, seed):
    chosen = random.Random(seed)
    session = LabellingSession(TEXT, tmp_path / "hand.gold")
    for _ in range(12):
        pair = chosen.choice([0, 1, 3, 4])
        rows, columns = (len(side) for side in session.words(pair))
        links = {(chosen.randrange(rows), chosen.randrange(columns)) for _ in range(2)}
        kind = chosen.choice(["sure", "possible"])
        state = chosen.choice(["started", "labelled", "skipped", "unlabelled"])
        given = said(state, [(*link, kind) for link in links], session.answer(pair).version)
        session.put(pair, given)
        if chosen.random() < 0.2:
            session.write()
    session.close()
    path = tmp_path / "hand.gold.journal"
    content = path.read_bytes()
    path.write_bytes(content[: chosen.randrange(content.index(b"\n") + 1, len(content))])
    (tmp_path / "hand.gold").unlink()
    expected: dict[int, dict] = {}
    for line in path.read_bytes().split(b"\n")[:-1]:
        event = json.loads(line)
        if event["event"] == "answer":
            expected[event["pair"] - 1] = {name: event[name] for name in ("state", "version", "links", "refused")}
    again = LabellingSession(TEXT, tmp_path / "hand.gold")
    for pair in range(len(TEXT)):
        assert again.answer(pair).as_dict() == expected.get(pair, Answer().as_dict())
    again.close()
