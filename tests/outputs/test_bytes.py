"""Files of bytes appear as those of text do."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from outputs.support import names
from pralign.errors import OutputError
from pralign.outputs import open_binary_output, open_output, together

BYTES = bytes(range(256)) * 1000


def test_a_file_appears_when_it_is_whole(folder):
    (folder / "a").write_bytes(b"old")
    with open_binary_output(folder / "a") as stream:
        assert stream.writable()
        assert stream.write(BYTES) == len(BYTES)
        assert (folder / "a").read_bytes() == b"old"
    assert (folder / "a").read_bytes() == BYTES
    assert names(folder) == ["a"]


@pytest.mark.parametrize("name", ["a.gz", "a.parquet", "a.xz"])
def test_bytes_are_never_compressed(tmp_path, name):
    with open_binary_output(tmp_path / name) as stream:
        stream.write(BYTES)
    assert (tmp_path / name).read_bytes() == BYTES


def test_whoever_writes_may_close_it(tmp_path):
    with open_binary_output(tmp_path / "a") as stream:
        stream.write(BYTES)
        stream.flush()
        stream.close()
    assert (tmp_path / "a").read_bytes() == BYTES


def test_what_has_failed_does_not_appear(folder):
    (folder / "a").write_bytes(b"old")
    with pytest.raises(KeyError), open_binary_output(folder / "a") as stream:
        stream.write(BYTES)
        raise KeyError
    assert (folder / "a").read_bytes() == b"old"
    assert names(folder) == ["a"]


def test_it_appears_together_with_others(folder):
    with together():
        with open_binary_output(folder / "a") as stream:
            stream.write(BYTES)
        with open_output(folder / "b") as text:
            text.write("x")
        assert names(folder) != ["a", "b"]
    assert names(folder) == ["a", "b"]


def test_only_failures_to_write_name_the_file(tmp_path):
    with (
        pytest.raises(OutputError, match="/dev/full: cannot write: No space left"),
        open_binary_output("/dev/full") as out,
    ):
        out.write(BYTES)
        out.write(BYTES)
    with pytest.raises(OSError, match="elsewhere") as caught, open_binary_output(tmp_path / "a"):
        raise OSError("elsewhere")
    assert not isinstance(caught.value, OutputError)
    for path in (tmp_path, tmp_path / "no" / "a"):
        with pytest.raises(OutputError, match="cannot write"), open_binary_output(path):
            pass


def test_a_pipe_is_written_into(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    found = []
    reader = threading.Thread(target=lambda: found.append((tmp_path / "pipe").read_bytes()), daemon=True)
    reader.start()
    with open_binary_output(tmp_path / "pipe") as stream:
        stream.write(BYTES)
    reader.join(5)
    assert found == [BYTES]


def test_standard_output_takes_bytes():
    code = (
        "from pralign.outputs import open_binary_output\n"
        "with open_binary_output('-') as stream:\n"
        "    stream.write(bytes(range(256)))\n"
        "    stream.close()\n"
        "print('after')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == bytes(range(256)) + b"after\n"
