"""Directories at addresses do the same as those of this machine, and show no file before it is whole."""

from __future__ import annotations

import pickle
import secrets
import sys

import numpy as np
import pytest

from pralign.errors import OutputError, UsageError
from pralign.store import DirectoryStore
from pralign.store.folder import LocalFolder, RemoteFolder, folder_at

fsspec = pytest.importorskip("fsspec")


@pytest.fixture
def remote():
    """A directory that only fsspec reaches."""
    folder = folder_at(f"memory://{secrets.token_hex(4)}/run")
    assert isinstance(folder, RemoteFolder)
    folder.make()
    return folder


@pytest.fixture(params=["local", "remote"])
def folder(request, tmp_path, remote):
    return folder_at(f"file://{tmp_path}") if request.param == "local" else remote


def test_addresses_of_this_machine_are_paths(tmp_path):
    for protocol in ("file", "local"):
        folder = folder_at(f"{protocol}://{tmp_path}")
        assert isinstance(folder, LocalFolder)
        assert folder.directory == tmp_path


def test_files_are_written_read_listed_and_deleted(folder):
    folder.write("b", lambda stream: stream.write(b"two"))
    folder.write("a", lambda stream: stream.write(b"one"))
    assert folder.names() == ["a", "b"]
    with folder.open("a") as stream:
        assert stream.read() == b"one"
    assert folder.has("a")
    folder.delete("a")
    folder.delete("a")
    assert not folder.has("a")
    assert folder.names() == ["b"]
    with pytest.raises(FileNotFoundError):
        folder.open("a")


def test_a_file_is_replaced_as_a_whole(folder):
    folder.write("a", lambda stream: stream.write(b"before"))
    folder.write("a", lambda stream: stream.write(b"now"))
    with folder.open("a") as stream:
        assert stream.read() == b"now"


def test_no_file_is_seen_before_it_is_whole(folder):
    def write(stream):
        stream.write(b"half")
        stream.flush()
        assert not folder.has("a")
        assert folder.names() == []

    folder.write("a", write)
    assert folder.names() == ["a"]


def test_nothing_is_left_of_a_file_that_could_not_be_written(folder):
    def fail(stream):
        stream.write(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        folder.write("a", fail)
    assert folder.names() == []
    assert not folder.has("a")


def test_what_was_left_unfinished_is_deleted(folder):
    folder.write(".a.0123.partial", lambda stream: stream.write(b"half"))
    assert folder.names() == []
    folder.delete_partial()
    assert not folder.has(".a.0123.partial")


def test_strange_failures_become_failures_of_files(remote, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("Unable to locate credentials")

    monkeypatch.setattr(remote._files, "open", fail)
    with pytest.raises(OSError, match="RuntimeError: Unable to locate credentials"):
        remote.open("a")


def test_a_store_at_an_address(remote):
    store = DirectoryStore(str(remote))
    store.save("counts/0", {"x": np.arange(1000), "y": np.ones((2, 3), np.float32)})
    assert store.load("counts/0", ["y"])["y"].tolist() == [[1, 1, 1], [1, 1, 1]]
    assert store.names("counts/") == ["counts/0"]
    again = pickle.loads(pickle.dumps(store))
    assert again.load("counts/0")["x"].sum() == 999 * 500
    with pytest.raises(OutputError, match=r"memory://\S+/counts\+1.tensors: is missing"):
        store.load("counts/1")


def test_addresses_that_nothing_opens():
    with pytest.raises(UsageError, match="nowhere://x/y: this is no address that can be opened"):
        folder_at("nowhere://x/y")


def test_without_fsspec_one_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(UsageError, match=r"pip install 'pralign\[remote\]'"):
        folder_at("s3://bucket/run")
