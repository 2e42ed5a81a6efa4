"""Memory and disk: formulas that grow with what there is to do, and that runs agree with."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign import sample
from pralign.engine import ThreadEngine
from pralign.runs.needs import Workload, process_memory, shards_of, traffic, worker_memory
from pralign.runs.recipe import Recipe
from pralign.runs.resources import Resources
from pralign.runs.run import TrainingRun
from pralign.settings import Settings
from pralign.text.bitext import Bitext
from pralign.text.cutting import ShardSizes

HALF = Workload(500_000, 20_000_000, 300_000_000, 100_000, 50_000_000, 20_000_000, leaves_out=True, relatives=True)
SIZES = ShardSizes(shard=10_000_000, piece=2_000_000)


@pytest.mark.parametrize("name", ["pairs", "tokens", "cells", "words", "listed", "distinct"])
def test_more_of_anything_never_takes_less(name):
    more = replace(HALF, **{name: 3 * getattr(HALF, name)})
    sizes = replace(SIZES, shard=10 * SIZES.shard)  # as many shards for both, so that only one thing changes
    if name != "cells":
        assert process_memory(more, sizes, 2) >= process_memory(HALF, sizes, 2)
        assert worker_memory(more, sizes) >= worker_memory(HALF, sizes)
    assert more.written >= HALF.written
    for here, there in zip(traffic(more, sizes), traffic(HALF, sizes), strict=True):
        assert here >= there


@pytest.mark.parametrize("name", ["leaves_out", "relatives", "projects"])
def test_what_a_recipe_asks_for_takes_memory(name):
    without, with_it = replace(HALF, **{name: False}), replace(HALF, **{name: True})
    assert process_memory(with_it, SIZES, 2) > process_memory(without, SIZES, 2)


def test_classes_of_words_in_characters_take_memory_if_words_lean_on_relatives():
    japanese = replace(HALF, characters=0.8)
    assert process_memory(japanese, SIZES, 1) > process_memory(HALF, SIZES, 1)
    assert japanese.written > HALF.written
    assert traffic(japanese, SIZES).read > traffic(HALF, SIZES).read
    plain = replace(HALF, relatives=False)
    assert process_memory(replace(plain, characters=0.8), SIZES, 1) == process_memory(plain, SIZES, 1)


@given(st.integers(1, 60))
def test_smaller_parts_and_fewer_workers_take_less_memory(workers):
    small = ShardSizes(shard=2_000_000, piece=500_000)
    assert process_memory(HALF, small, workers) < process_memory(HALF, SIZES, workers)
    assert process_memory(HALF, SIZES, workers) <= process_memory(HALF, SIZES, workers + 1)


@given(st.integers(300, 100_000), st.integers(1, 16))
def test_a_bound_on_memory_is_kept_where_words_leave_room_for_it(megabytes, workers):
    resources = Resources(megabytes * 10**6)
    needs = resources.needs(replace(HALF, words=10_000), workers)
    assert needs.memory <= 1.25 * resources.memory or resources.sizes(HALF.cells, 10_000, workers).shard < 10**6


def test_files_are_kept_in_memory_as_far_as_they_may():
    free, bound = Resources().needs(HALF, 2), Resources(checkpoint="somewhere").needs(HALF, 2)
    assert free.disk < bound.disk == HALF.written
    assert free.memory - bound.memory == bound.disk - free.disk


def test_shards():
    assert shards_of(HALF, SIZES) == 30
    assert shards_of(replace(HALF, cells=0), SIZES) == 1


@pytest.mark.parametrize("preset, characters", [("default", 0.0), (None, 0.0)])
def test_the_files_of_a_run_take_as_much_as_foreseen(tmp_path, preset, characters):
    """Those of a checkpoint, when an iteration has ended: less than at most, by the old parameters and counts."""
    settings = Settings.resolve(preset=preset, model=None if preset else "hmm")
    recipe = Recipe.of(settings)
    pairs = Bitext.read(sample.SOURCE, sample.TARGET)
    run = TrainingRun(recipe, pairs, ThreadEngine(2), Resources(checkpoint=tmp_path / "c"))
    work = Workload.of(run.corpus, recipe)
    assert work.characters == characters
    assert work.tokens == sum(len(source.split()) + len(target.split()) for source, target in pairs)
    assert work.distinct == run.corpus.target_partners.sum()
    files = [
        path for path in (tmp_path / "c").iterdir() if path.name.split("+")[0] in ("shard", "slots", "piece", "own")
    ]
    parameters = [path for path in (tmp_path / "c").iterdir() if path.name.startswith("parameters+")]
    found = sum(path.stat().st_size for path in files) + 2 * sum(path.stat().st_size for path in parameters)
    assert found == pytest.approx(work.written, rel=0.35)
    run.close()
