"""What training may use: sizes, stores that spill, and results that do not depend on either."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign import Aligner, Bitext, sample
from pralign.errors import OutputError, UsageError
from pralign.memory import parse_size
from pralign.runs.resources import Resources
from pralign.store import SpillingStore
from pralign.text.cutting import ShardSizes

PAIRS = list(Bitext.read(sample.SOURCE, sample.TARGET))
LONG = ("a " * 300, "b " * 20)


class TestSizes:
    @pytest.mark.parametrize(
        "text, size",
        [
            ("2G", 2 * 10**9),
            ("600M", 600 * 10**6),
            ("600m", 600 * 10**6),
            ("1.5 GB", 15 * 10**8),
            (" 3T ", 3 * 10**12),
            ("7K", 7000),
            ("7", 7),
            (7, 7),
            ("0.5kb", 500),
            ("12B", 12),
        ],
    )
    def test_sizes_are_read(self, text, size):
        assert parse_size(text) == size

    @pytest.mark.parametrize(
        "text",
        ["", "G", "-1G", "2GiB", "1,5G", "much", "1e9", "2 G G", "inf", "nan", ".5G", "9" * 400, "1" * 500 + "G"],
    )
    def test_what_is_no_size_is_refused(self, text):
        with pytest.raises(UsageError, match="a size is such as 2G or 600M, not "):
            parse_size(text)

    @given(st.integers(0, 10**15))
    def test_numbers_mean_themselves(self, size):
        assert parse_size(size) == parse_size(str(size)) == parse_size(f"{size}B") == size

    @pytest.mark.parametrize("memory", ["0", "1M", "299M", 299_999_999])
    def test_too_little_memory_is_refused(self, memory):
        with pytest.raises(UsageError, match=f"training takes at least 300M of memory, not {memory}"):
            Resources.of(memory)
        with pytest.raises(UsageError, match="300M"):
            Aligner(memory=memory)

    def test_a_scratch_directory_has_to_be_there(self, tmp_path):
        (tmp_path / "file").touch()
        for name in ("nowhere", "file"):
            with pytest.raises(
                UsageError, match=f"{name}: there is no such directory for scratch files; make it first"
            ):
                Aligner(scratch=tmp_path / name)

    @given(
        st.integers(0, 10**12),
        st.integers(0, 10**8),
        st.integers(1, 128),
        st.lists(st.integers(300 * 10**6, 10**12), min_size=2, max_size=2),
    )
    def test_more_memory_never_makes_smaller_parts(self, cells, words, workers, memory):
        less, more = (Resources(size) for size in sorted(memory))
        parts = [resources.sizes(cells, words, workers) for resources in (less, more, Resources())]
        assert 1 <= parts[0].shard <= parts[1].shard <= parts[2].shard
        assert 1 <= parts[0].piece <= parts[1].piece <= parts[2].piece
        assert 0 < less.kept <= more.kept

    @given(st.integers(0, 10**12), st.integers(0, 10**8), st.integers(1, 128), st.integers(300 * 10**6, 10**11))
    def test_more_words_or_workers_never_make_larger_parts_of_bounded_memory(self, cells, words, workers, memory):
        sizes = Resources(memory).sizes(cells, words, workers)
        for other in (
            Resources(memory).sizes(cells, words + 1000, workers),
            Resources(memory).sizes(cells, words, workers + 1),
        ):
            assert other.shard <= sizes.shard
            assert other.piece <= sizes.piece


def array(size: int, value: int = 1) -> dict[str, np.ndarray]:
    return {"a": np.full(size, value, np.uint8)}


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


class TestSpilling:
    def test_what_fits_stays_in_memory(self, tmp_path):
        store = SpillingStore(100, tmp_path)
        store.save("x/1", array(60))
        store.save("x/2", array(40))
        assert list(tmp_path.iterdir()) == []
        assert store.names("x/") == ["x/1", "x/2"]
        store.close()

    def test_what_does_not_fit_goes_to_files_and_is_found_again(self, tmp_path):
        store = SpillingStore(100, tmp_path)
        store.save("x/1", array(60, 1))
        store.save("x/2", {"a": np.arange(41), "b": np.zeros((0, 2), np.float32), "c": np.array(7.5)})
        assert files(tmp_path) == ["x+2.tensors"]
        found = store.load("x/2")
        np.testing.assert_array_equal(found["a"], np.arange(41))
        assert found["b"].shape == (0, 2)
        assert found["b"].dtype == np.float32
        assert found["c"] == 7.5
        assert list(store.load("x/2", ["b"])) == ["b"]
        assert sorted(store.names("x/")) == ["x/1", "x/2"]
        assert store.has("x/1")
        assert store.has("x/2")
        assert not store.has("x/3")
        assert store.names("y") == []
        store.close()

    def test_freed_room_is_used_again(self, tmp_path):
        store = SpillingStore(100, tmp_path)
        store.save("1", array(60))
        store.save("2", array(60))
        store.delete("1")
        store.save("3", array(100))
        assert files(tmp_path) == ["2.tensors"]
        store.delete("2")
        store.delete("never there")
        assert files(tmp_path) == []
        assert store.names() == ["3"]
        store.close()

    @pytest.mark.parametrize("first, second", [(60, 30), (30, 200), (200, 30), (200, 300)])
    def test_what_is_saved_again_is_there_once(self, tmp_path, first, second):
        store = SpillingStore(100, tmp_path)
        store.save("1", array(first, 1))
        store.save("1", array(second, 2))
        assert store.names() == ["1"]
        np.testing.assert_array_equal(store.load("1")["a"], array(second, 2)["a"])
        store.delete("1")
        store.save("2", array(100))
        assert files(tmp_path) == []
        store.close()

    def test_closing_removes_the_directory(self, tmp_path):
        store = SpillingStore(0, tmp_path)
        store.save("1", array(10))
        assert len(list(tmp_path.iterdir())) == 1
        store.close()
        assert list(tmp_path.iterdir()) == []
        assert store.names() == []
        store.close()

    def test_a_closed_store_has_all_its_room_again(self, tmp_path):
        store = SpillingStore(100, tmp_path)
        store.save("1", array(100))
        store.close()
        store.save("2", array(100))
        assert list(tmp_path.iterdir()) == []

    def test_a_store_that_is_forgotten_removes_its_directory_without_a_word(self, tmp_path):
        store = SpillingStore(0, tmp_path)
        store.save("1", array(10))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            del store
            gc.collect()
        assert list(tmp_path.iterdir()) == []

    def test_a_program_that_ends_without_closing_removes_the_directory_without_a_word(self, tmp_path):
        text = (
            "import numpy as np; from pralign.store import SpillingStore\n"
            f"store = SpillingStore(0, {str(tmp_path)!r}); store.save('1', {{'a': np.zeros(9)}})\n"
        )
        done = subprocess.run([sys.executable, "-X", "dev", "-c", text], capture_output=True, check=True)
        assert done.stderr == b""
        assert list(tmp_path.iterdir()) == []

    def test_threads_may_use_it_at_once(self, tmp_path):
        store = SpillingStore(5_000, tmp_path)
        start = threading.Barrier(8)

        def work(number: int) -> None:
            start.wait()
            for step in range(40):
                name = f"{number}/{step}"
                store.save(name, array(100 + number, step))
                assert (store.load(name)["a"] == step).all()
                if step % 3:
                    store.delete(name)

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
        kept = [f"{number}/{step}" for number in range(8) for step in range(0, 40, 3)]
        assert sorted(store.names()) == sorted(kept)
        for name in kept:
            assert (store.load(name)["a"] == int(name.partition("/")[2])).all()
            store.delete(name)
        store.save("all", array(5_000))
        assert files(tmp_path) == []
        store.close()

    def test_a_scratch_directory_that_went_away_is_told(self, tmp_path):
        store = SpillingStore(0, tmp_path / "gone")
        with pytest.raises(
            OutputError, match=r"gone: cannot write: No such file or directory; name a directory with room"
        ):
            store.save("1", array(10))

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
    def test_a_full_disk_is_told(self, tmp_path, monkeypatch):
        store = SpillingStore(0, tmp_path)
        monkeypatch.setattr("pralign.store.directory.write_stream", _write_to_full_disk)
        with pytest.raises(
            OutputError, match=r"x\+1.tensors: cannot write: No space left on device; name another place"
        ):
            store.save("x/1", array(10))
        assert files(tmp_path) == []
        assert not store.has("x/1")
        store.close()

    @pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="everybody may write everywhere")
    def test_a_directory_that_cannot_be_written_to_is_told(self, tmp_path):
        tmp_path.chmod(0o500)
        with pytest.raises(OutputError, match="cannot write: Permission denied; name a directory with room"):
            SpillingStore(0, tmp_path).save("1", array(10))


def _write_to_full_disk(begun: BinaryIO, arrays: object) -> None:
    begun.write(b"begun")
    with Path("/dev/full").open("wb", buffering=0) as stream:
        stream.write(b"x" * 100)


def result(folder: Path, **arguments) -> tuple[list, dict[str, bytes]]:
    """The answers and the saved model of a run."""
    aligner = Aligner(**{"model": "fhmm", "iterations": "ibm1=2,fhmm=3", "estimator": "collapsed"} | arguments)
    answers = [
        (answer.alignment, repr(answer.score), answer.forward, answer.reverse)
        for answer in aligner.fit_decode([*PAIRS[:200], LONG, ("", "x"), *PAIRS[:30]], directions=True)
    ]
    aligner.save(folder / "m")
    aligner.close()
    model = {path.name: path.read_bytes() for path in (folder / "m").iterdir()}
    shutil.rmtree(folder / "m")
    return answers, model


class TestResultsDoNotDependOnResources:
    @pytest.fixture(scope="class")
    @staticmethod
    def expected(tmp_path_factory):
        return result(tmp_path_factory.mktemp("expected"))

    @pytest.mark.parametrize("memory", ["300M", "400M", "100G"])
    def test_any_memory_gives_the_same_bits(self, tmp_path, expected, memory):
        assert result(tmp_path, memory=memory) == expected

    @pytest.mark.parametrize("shard, piece, threads", [(1, 4_000, 2), (20_000, 1_000, 1), (8_000, 2_000, 5)])
    def test_tiny_parts_that_all_go_to_disk_give_the_same_bits(
        self, tmp_path, monkeypatch, expected, shard, piece, threads
    ):
        monkeypatch.setattr(Resources, "sizes", lambda *_: ShardSizes(shard=shard, piece=piece))
        monkeypatch.setattr(Resources, "kept", 0)
        monkeypatch.setattr(Resources, "chunk", (4_000, 4_000))
        (tmp_path / "scratch").mkdir()
        assert result(tmp_path, scratch=tmp_path / "scratch", threads=threads) == expected
        assert list((tmp_path / "scratch").iterdir()) == []

    @pytest.mark.parametrize("kept", [0, 100_000, 1_000_000])
    def test_what_is_kept_in_memory_does_not_matter(self, tmp_path, monkeypatch, expected, kept):
        monkeypatch.setattr(Resources, "kept", kept)
        (tmp_path / "scratch").mkdir()
        assert result(tmp_path, scratch=tmp_path / "scratch") == expected
        assert list((tmp_path / "scratch").iterdir()) == []

    def test_a_full_scratch_directory_is_told(self, tmp_path, monkeypatch):
        monkeypatch.setattr(Resources, "kept", 0)
        monkeypatch.setattr("pralign.store.directory.write_stream", _write_to_full_disk)
        with pytest.raises(OutputError, match="No space left on device; name another place by --scratch"):
            Aligner(scratch=tmp_path).fit(PAIRS)
        gc.collect()
        assert list(tmp_path.iterdir()) == []
