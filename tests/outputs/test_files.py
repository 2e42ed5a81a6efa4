"""Files appear whole, all together, with the modes and behind the links that were there."""

from __future__ import annotations

import gzip
import os
import stat

import pytest

from outputs.support import names
from pralign.errors import OutputError
from pralign.outputs import check_writable, open_output, open_outputs, together
from pralign.outputs import files as output_files


def test_several_files_appear_together(folder):
    (folder / "a").write_text("old")
    with open_outputs(folder / "a", folder / "b") as (one, other):
        one.write("1")
        other.write("2")
        assert (folder / "a").read_text() == "old"
        assert not (folder / "b").exists()
    assert (folder / "a").read_text() + (folder / "b").read_text() == "12"
    assert names(folder) == ["a", "b"]


def test_a_file_that_others_have_open_may_get_new_content(folder):
    (folder / "a").write_text("old and longer")
    with (folder / "a").open() as before:
        with pytest.raises(KeyError), open_outputs(folder / "a", in_place=True) as (stream,):
            stream.write("1")
            raise KeyError
        assert before.read() == "old and longer"
        with open_outputs(folder / "a", folder / "b", in_place=True) as (stream, other):
            stream.write("new")
            other.write("2")
        before.seek(0)
        assert before.read() == "new"
    assert (folder / "b").read_text() == "2"
    assert names(folder) == ["a", "b"]


def test_blocks_inside_another_wait_for_its_end(folder):
    with together():
        for name in "ab":
            with open_output(folder / name) as stream:
                stream.write(name)
        assert not (folder / "a").exists()
    assert names(folder) == ["a", "b"]


def test_what_has_failed_does_not_appear_though_others_do(folder):
    (folder / "a").write_text("old")
    with together():
        with pytest.raises(KeyError), open_output(folder / "a") as stream:
            stream.write("half of it")
            raise KeyError
        with open_output(folder / "b") as stream:
            stream.write("new")
    assert names(folder) == ["a", "b"]
    assert (folder / "a").read_text() == "old"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_that_nobody_reads_is_named(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(OutputError, match="/pipe: cannot write: Broken pipe"), open_output(tmp_path / "pipe") as stream:
        os.close(reader)
        stream.write("x")


@pytest.mark.parametrize("failure", [OSError(5, "Input/output error"), KeyboardInterrupt()], ids=repr)
def test_if_one_cannot_get_its_name_none_does(tmp_path, monkeypatch, failure):
    for name in "ac":
        (tmp_path / name).write_text("old")
    put = output_files.put

    def fail_for_the_last(new, target):
        if target.name == "c":
            raise failure
        put(new, target)

    monkeypatch.setattr(output_files, "put", fail_for_the_last)
    with (
        pytest.raises(OutputError if isinstance(failure, OSError) else KeyboardInterrupt),
        open_outputs(*(tmp_path / name for name in "abc")) as outputs,
    ):
        for output in outputs:
            output.write("new")
    assert names(tmp_path) == ["a", "c"]
    assert (tmp_path / "a").read_text() == (tmp_path / "c").read_text() == "old"


def test_a_failure_in_the_block_leaves_the_old_files(folder):
    (folder / "a").write_text("old")
    with pytest.raises(KeyError), open_outputs(folder / "a", folder / "b") as (one, _):
        one.write("new")
        raise KeyError
    assert names(folder) == ["a"]
    assert (folder / "a").read_text() == "old"


def test_a_new_file_has_the_mode_of_the_umask_and_an_old_one_keeps_its_own(folder):
    (folder / "old").write_text("x")
    (folder / "old").chmod(0o640)
    before = os.umask(0o027)
    try:
        with open_outputs(folder / "old", folder / "new"):
            pass
    finally:
        os.umask(before)
    modes = {name: stat.S_IMODE((folder / name).stat().st_mode) for name in ("old", "new")}
    assert modes == {"old": 0o640, "new": 0o640}
    (folder / "old").chmod(0o600)
    with open_output(folder / "old"):
        pass
    assert stat.S_IMODE((folder / "old").stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only the superuser gives files away")
def test_an_old_file_keeps_its_owner(folder):
    (folder / "a").write_text("x")
    os.chown(folder / "a", 1234, 1234)
    with open_output(folder / "a"):
        pass
    assert (folder / "a").stat().st_uid == 1234


def test_links_are_followed(folder):
    (folder / "there").mkdir()
    (folder / "there" / "file").write_text("old")
    (folder / "link").symlink_to("there/file")
    (folder / "dangling").symlink_to("there/none")
    with open_outputs(folder / "link", folder / "dangling") as outputs:
        for output in outputs:
            output.write("new")
    assert (folder / "link").is_symlink()
    assert (folder / "dangling").is_symlink()
    assert (folder / "there" / "file").read_text() == (folder / "there" / "none").read_text() == "new"
    assert names(folder) == ["dangling", "link", "there"]
    assert names(folder / "there") == ["file", "none"]


def test_links_in_a_circle_are_named(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OutputError, match="/a: cannot write: Too many levels of symbolic links"):
        check_writable(tmp_path / "a")


def test_a_directory_is_never_replaced_by_a_file(folder):
    with pytest.raises(OutputError, match="it is a directory"), open_output(folder / "a"):
        (folder / "a").mkdir()
    assert (folder / "a").is_dir()
    with pytest.raises(OutputError, match="it is a directory"), open_output(folder / "a"):
        pass
    assert names(folder) == ["a"]


def test_a_name_may_be_as_long_as_the_system_allows(folder):
    with open_output(folder / ("x" * 255)) as stream:
        stream.write("x")
    assert names(folder) == ["x" * 255]


def test_a_name_that_is_too_long_is_found_before_work_begins(tmp_path):
    with pytest.raises(OutputError, match="File name too long"):
        check_writable(tmp_path / ("x" * 256))


def test_names_of_unfinished_files_are_drawn_anew_each_time(tmp_path):
    seen = set()
    for _ in range(3):
        with open_output(tmp_path / "a"):
            seen |= {path.name for path in tmp_path.iterdir()} - {"a"}
    assert len(seen) == 3


def test_what_a_link_of_another_leads_to_is_never_written(tmp_path, monkeypatch):
    (tmp_path / "victim").write_text("precious")
    monkeypatch.setattr("pralign.outputs.partials.token", lambda: "0" * 16)
    (tmp_path / f".pralign-{'0' * 16}.partial").symlink_to("victim")
    with pytest.raises(OutputError, match="exists"), open_output(tmp_path / "a") as stream:
        stream.write("x")
    assert (tmp_path / "victim").read_text() == "precious"


def test_compressed_files_say_nothing_of_where_and_when_they_were_written(tmp_path):
    contents = set()
    for name in ("a.gz", "b.gz"):
        with open_output(tmp_path / name) as stream:
            stream.write("x\n")
        contents.add((tmp_path / name).read_bytes())
    assert len(contents) == 1
    assert gzip.decompress(contents.pop()) == b"x\n"


@pytest.mark.parametrize("directory", [False, True])
def test_all_is_on_the_disk_before_the_name_promises_it(tmp_path, monkeypatch, directory):
    happened = []
    fsync, rename = os.fsync, type(tmp_path).rename

    def note_sync(descriptor):
        happened.append("directory" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    def note_rename(self, target):
        happened.append("name")
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(type(tmp_path), "rename", note_rename)
    if directory:
        from pralign.outputs import open_directory

        with open_directory(tmp_path / "m", "index", ["x"]) as (place, _):
            (place / "index").write_text("{}")
    else:
        with open_output(tmp_path / "a") as stream:
            stream.write("x")
    assert happened == ["file", *["directory"] * directory, "name", "directory"]


@pytest.mark.parametrize("ending", [".gz", ".xz", ".bz2", ".zst"])
def test_the_same_text_becomes_the_same_compressed_bytes_whenever_and_wherever(tmp_path, monkeypatch, ending):
    made = []
    for number, now in enumerate([1_000_000_000.0, 1_700_000_000.0]):
        monkeypatch.setattr("time.time", lambda now=now: now)
        path = tmp_path / f"{number}{ending}"
        with open_output(path) as stream:
            stream.write("0-0 1-1\n" * 1000)
        made.append(path.read_bytes())
    assert made[0] == made[1]
