"""The journal: whole events, one writer, and nothing that a full disk or a kill could break."""

from __future__ import annotations

import errno
import os

import pytest

from pralign.errors import InputError, OutputError
from pralign.labelling.journal import Journal, JournalInUseError, last_event


def opened(path):
    return Journal(path)


def test_events_come_back_in_order(tmp_path):
    journal = opened(tmp_path / "j")
    events = [{"event": "answer", "pair": number, "text": "é\n\u2028"} for number in range(5)]
    for event in events:
        journal.add(event)
    journal.close()
    again = opened(tmp_path / "j")
    assert again.events == events
    again.close()


@pytest.mark.parametrize("cut", range(1, 40, 3))
def test_a_last_line_that_was_cut_off_is_forgotten(tmp_path, cut):
    path = tmp_path / "j"
    journal = opened(path)
    journal.add({"event": "answer", "pair": 1})
    journal.add({"event": "answer", "pair": 2, "more": "x" * 40})
    journal.close()
    content = path.read_bytes()
    path.write_bytes(content[:-cut])
    again = opened(path)
    assert [event["pair"] for event in again.events] == [1]
    again.add({"event": "answer", "pair": 3})
    again.close()
    last = opened(path)
    assert [event["pair"] for event in last.events] == [1, 3]
    last.close()


def test_only_one_writes(tmp_path):
    journal = opened(tmp_path / "j")
    with pytest.raises(JournalInUseError):
        opened(tmp_path / "j")
    journal.close()
    opened(tmp_path / "j").close()


@pytest.mark.parametrize("line", [b"[]", b"{}", b'{"event": 1}', b"\xff", b"[" * 100_000, b""])
def test_what_is_no_event_is_named(tmp_path, line):
    path = tmp_path / "j"
    path.write_bytes(b'{"event":"opened"}\n' + line + b"\n")
    with pytest.raises(InputError, match="line 2: is no event"):
        opened(path)
    path.write_bytes(b'{"event":"opened"}\n')
    opened(path).close()  # nobody holds it any more


@pytest.mark.parametrize("written", [0, 7])
def test_a_full_disk_leaves_whole_events(tmp_path, monkeypatch, written):
    journal = opened(tmp_path / "j")
    journal.add({"event": "answer", "pair": 1})
    write = os.write

    def full(descriptor, data):
        if not written:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data[:written])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OutputError, match="cannot be written"):
        journal.add({"event": "answer", "pair": 2})
    monkeypatch.undo()
    journal.add({"event": "answer", "pair": 3})
    journal.close()
    again = opened(tmp_path / "j")
    assert [event["pair"] for event in again.events] == [1, 3]
    again.close()


def test_the_last_event_of_a_kind_is_found_while_somebody_writes(tmp_path):
    journal = opened(tmp_path / "j")
    journal.add({"event": "opened", "port": 1})
    journal.add({"event": "opened", "port": 2})
    journal.add({"event": "answer"})
    assert last_event(tmp_path / "j", "opened") == {"event": "opened", "port": 2}
    assert last_event(tmp_path / "j", "written") is None
    assert last_event(tmp_path / "missing", "opened") is None
    journal.close()


def test_a_directory_that_is_not_there_is_named(tmp_path):
    with pytest.raises(OutputError, match="cannot be written"):
        opened(tmp_path / "no" / "j")


def test_nothing_is_added_to_half_an_event(tmp_path, monkeypatch):
    journal = opened(tmp_path / "j")
    journal.add({"event": "answer", "pair": 1})
    write = os.write

    def broken(*_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:5]))
    monkeypatch.setattr(os, "ftruncate", broken)
    with pytest.raises(OutputError, match="cannot be written"):
        journal.add({"event": "answer", "pair": 2})
    monkeypatch.undo()
    with pytest.raises(OutputError, match="start pralign again"):
        journal.add({"event": "answer", "pair": 3})
    again = opened(tmp_path / "j")
    assert [event["pair"] for event in again.events] == [1]
    again.close()
