"""Stores in memory and in directories do the same."""

from __future__ import annotations

import os
import stat

import numpy as np
import pytest

from pralign.errors import OutputError
from pralign.store import DirectoryStore, MemoryStore, SpillingStore


@pytest.fixture(params=["memory", "directory", "spilling"])
def store(request, tmp_path):
    if request.param == "spilling":
        spilling = SpillingStore(50, tmp_path)
        yield spilling
        spilling.close()
    else:
        yield MemoryStore() if request.param == "memory" else DirectoryStore(tmp_path)


def test_groups_are_kept_by_name(store):
    store.save("counts/0/1", {"a": np.arange(3), "b": np.empty((0, 2), np.float32)})
    store.save("counts/0/2", {})
    store.save("state/1", {"a": np.ones(1)})
    found = store.load("counts/0/1")
    assert list(found) == ["a", "b"]
    assert found["a"].tolist() == [0, 1, 2]
    assert (found["b"].shape, found["b"].dtype) == ((0, 2), np.float32)
    assert store.load("counts/0/2") == {}
    assert sorted(store.names()) == ["counts/0/1", "counts/0/2", "state/1"]
    assert sorted(store.names("counts/")) == ["counts/0/1", "counts/0/2"]
    assert store.names("coun+") == []


def test_rows_are_read_by_themselves(store):
    table = np.arange(12, dtype=np.uint32).reshape(4, 3)
    store.save("a", {"x": np.arange(5), "table": table, "none": np.empty((0, 2), np.float32)})
    found = store.load_rows("a", {"table": slice(1, 3), "x": slice(4, 5), "none": slice(0, 0)})
    assert list(found) == ["table", "x", "none"]
    assert found["table"].tolist() == table[1:3].tolist()
    assert (found["x"].tolist(), found["none"].shape) == ([4], (0, 2))
    assert store.load_rows("a", {"table": slice(3, 9)})["table"].tolist() == table[3:].tolist()
    with pytest.raises((KeyError, OutputError)):
        store.load_rows("a", {"y": slice(0, 1)})


def test_a_group_that_is_saved_again_is_replaced(store):
    store.save("a", {"x": np.zeros(2), "y": np.zeros(1)})
    store.save("a", {"x": np.ones(3)})
    assert {name: array.tolist() for name, array in store.load("a").items()} == {"x": [1, 1, 1]}
    assert store.names() == ["a"]


def test_what_is_not_there(store):
    assert not store.has("a/b")
    with pytest.raises((KeyError, OutputError)):
        store.load("a/b")
    store.delete("a/b")
    store.save("a/b", {"x": np.zeros(1)})
    assert store.has("a/b")
    store.delete("a/b")
    assert not store.has("a/b")
    assert store.names() == []


# In directories


def test_another_store_finds_what_was_saved(tmp_path):
    DirectoryStore(tmp_path).save("shard/0", {"x": np.arange(5, dtype=np.int32)})
    other = DirectoryStore(str(tmp_path))
    assert other.names() == ["shard/0"]
    assert other.load("shard/0")["x"].tolist() == [0, 1, 2, 3, 4]


def test_one_file_a_group_and_none_besides(tmp_path):
    store = DirectoryStore(tmp_path)
    for _ in range(2):
        store.save("shard/0", {"x": np.zeros(1)})
    assert len(list(tmp_path.iterdir())) == 1


def test_a_group_that_cannot_be_written_leaves_nothing_and_keeps_what_was_there(tmp_path):
    class Unreadable(np.ndarray):
        """Breaks while it is written."""

        @property
        def size(self):
            raise OSError(28, "No space left on device")

    store = DirectoryStore(tmp_path)
    store.save("a", {"x": np.ones(2)})
    with pytest.raises(OutputError, match="cannot write: No space left on device"):
        store.save("a", {"x": np.zeros(2).view(Unreadable)})
    assert store.load("a")["x"].tolist() == [1, 1]
    assert len(list(tmp_path.iterdir())) == 1


def test_a_directory_that_is_not_there_is_named(tmp_path):
    with pytest.raises(OutputError, match=r"nowhere.*cannot write: No such file or directory"):
        DirectoryStore(tmp_path / "nowhere").save("a", {"x": np.zeros(1)})
    assert DirectoryStore(tmp_path / "nowhere").names() == []
    assert not DirectoryStore(tmp_path / "nowhere").has("a")


def test_a_damaged_file_is_named(tmp_path):
    store = DirectoryStore(tmp_path)
    store.save("a", {"x": np.zeros(100)})
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(OutputError, match=f"{path.name}: .*; delete the directory and start again"):
        store.load("a")


def test_files_half_written_by_another_are_not_groups(tmp_path):
    store = DirectoryStore(tmp_path)
    store.save("a", {"x": np.zeros(1)})
    (tmp_path / ".b.tensors.0123abcd.partial").write_bytes(b"half")
    (tmp_path / "notes.txt").write_text("something else")
    assert store.names() == ["a"]


@pytest.mark.skipif(os.name != "posix", reason="there are no such permissions")
def test_files_have_the_permissions_that_new_files_have(tmp_path):
    before = os.umask(0o027)
    try:
        DirectoryStore(tmp_path).save("a", {"x": np.zeros(1)})
    finally:
        os.umask(before)
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
