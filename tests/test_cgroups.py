"""Limits of control groups, from trees of files as Linux shows them."""

from __future__ import annotations

import os

import pytest

from pralign.cgroups import memory_left, processor_limit
from pralign.engine import threads
from pralign.engine.threads import ThreadEngine
from pralign.runs.planning import machine
from pralign.runs.planning.machine import Machine

UNIFIED = "30 23 0:26 {top} /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
SPLIT = (
    "22 1 0:20 / /proc rw - proc proc rw\n"
    "32 31 0:29 {top} /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
    "35 31 0:32 {top} /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
)


@pytest.fixture
def system(tmp_path):
    """A file system: what processes are in, and files of groups."""

    def make(mounts, groups, files, top="/"):
        for name, content in {"mountinfo": mounts.format(top=top), "cgroup": groups}.items():
            path = tmp_path / "proc/self" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        for name, content in files.items():
            path = tmp_path / "sys/fs/cgroup" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{content}\n")
        return tmp_path

    return make


@pytest.mark.parametrize(("content", "processors"), [("150000 100000", 2), ("20000 100000", 1), ("max 100000", None)])
def test_processors_of_version_2(system, content, processors):
    assert processor_limit(system(UNIFIED, "0::/job\n", {"job/cpu.max": content})) == processors


@pytest.mark.parametrize(("quota", "processors"), [("350000", 4), ("-1", None)])
def test_processors_of_version_1(system, quota, processors):
    files = {"cpu,cpuacct/job/cpu.cfs_quota_us": quota, "cpu,cpuacct/job/cpu.cfs_period_us": "100000"}
    assert processor_limit(system(SPLIT, "4:cpu,cpuacct:/job\n", files)) == processors


def test_the_tightest_of_nested_groups_counts(system):
    files = {"a/b/cpu.max": "max 100000", "a/cpu.max": "300000 100000", "cpu.max": "400000 100000"}
    files |= {"a/b/memory.max": "5000", "a/memory.max": "3000", "a/memory.current": "1000", "memory.max": "max"}
    root = system(UNIFIED, "0::/a/b\n", files)
    assert (processor_limit(root), memory_left(root)) == (3, 2000)


def test_pages_that_can_be_given_back_are_free(system):
    files = {"job/memory.max": "10000", "job/memory.current": "8000", "job/memory.stat": "anon 500\ninactive_file 6000"}
    assert memory_left(system(UNIFIED, "0::/job\n", files)) == 8000


def test_memory_of_version_1(system):
    files = {
        "memory/job/memory.limit_in_bytes": "10000",
        "memory/job/memory.usage_in_bytes": "4000",
        "memory/job/memory.stat": "inactive_file 1\ntotal_inactive_file 1000",
        "memory/memory.limit_in_bytes": "9223372036854771712",
    }
    assert memory_left(system(SPLIT, "5:memory:/job\n4:cpu,cpuacct:/\n", files)) == 7000


def test_more_than_may_be_used_is_used(system):
    files = {"job/memory.max": "1000", "job/memory.current": "4000"}
    assert memory_left(system(UNIFIED, "0::/job\n", files)) == 0


def test_a_container_sees_its_own_group_as_the_top(system):
    files = {"memory/memory.limit_in_bytes": "7000"}
    assert memory_left(system(SPLIT, "5:memory:/docker/f00\n", files, top="/docker/f00")) == 7000


@pytest.mark.parametrize("path", ["/../../other", "/elsewhere"])
def test_a_group_that_cannot_be_seen_has_the_limits_of_the_top(system, path):
    assert memory_left(system(UNIFIED, f"0::{path}\n", {"memory.max": "900"}, top="/a")) == 900


@pytest.mark.parametrize("content", ["", "nonsense\n", "0::\n", "::::\n"])
def test_files_that_make_no_sense_set_no_limit(system, content):
    root = system("30 23 - cgroup2\n\n- \n" + content, content, {"cpu.max": "1 2 3", "memory.max": "-5"})
    assert (processor_limit(root), memory_left(root)) == (None, None)


def test_without_any_files_there_is_no_limit(tmp_path):
    assert (processor_limit(tmp_path), memory_left(tmp_path)) == (None, None)


def test_engine_and_plan_keep_to_the_limits(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(64)), raising=False)
    monkeypatch.setattr(threads, "processor_limit", lambda: 3)
    monkeypatch.setattr(machine, "memory_left", lambda: 12_345)
    here = Machine.here()
    assert (ThreadEngine().workers, here.processors, here.memory) == (3, 3, 12_345)
    monkeypatch.setattr(threads, "processor_limit", lambda: None)
    monkeypatch.setattr(machine, "memory_left", lambda: None)
    assert ThreadEngine().workers == 64
    assert Machine.here().memory != 12_345
