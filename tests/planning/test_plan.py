"""Plans: what they say of a text, and which way to run they take."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pralign import sample
from pralign.engine import ThreadEngine
from pralign.errors import InputError, UsageError
from pralign.runs.needs import Workload
from pralign.runs.planning import Machine, plan, preset_settings
from pralign.runs.planning.choices import Chooser
from pralign.runs.planning.outlook import Outlook
from pralign.runs.planning.pace import Pace, StagePace
from pralign.runs.planning.sampling import NumberedSample, draw
from pralign.runs.recipe import Recipe
from pralign.runs.resources import Resources
from pralign.settings import Settings
from pralign.store import MemoryStore
from pralign.text.bitext import Bitext
from pralign.text.cutting import shard_corpus
from pralign.text.normalisation import Normalisation

TEXT = Bitext.read(sample.SOURCE, sample.TARGET)
IBM1 = Settings.resolve(model="ibm1", iterations="ibm1=2")
GIGABYTE = 10**9


@pytest.fixture(scope="module")
def made():
    return plan(TEXT, workers=2)


class TestText:
    def test_a_text_that_is_all_looked_at_is_counted_exactly(self, made):
        pairs = [(source.lower().split(), target.lower().split()) for source, target in TEXT]
        text = made.text
        assert (text.pairs, text.sampled) == (460, 460)
        assert text.source_tokens == sum(len(source) for source, _ in pairs)
        assert text.target_tokens == sum(len(target) for _, target in pairs)
        assert text.cells == sum(len(source) * len(target) for source, target in pairs)
        assert text.source_words == len({word for source, _ in pairs for word in source})
        assert text.word_pairs == len({(s, t) for source, target in pairs for s in source for t in target})

    def test_what_shards_list_is_what_a_run_finds(self, made):
        corpus = shard_corpus(
            TEXT, Normalisation(), 200, MemoryStore(), ThreadEngine(2), Resources().sizes, (250_000, 250_000)
        )
        assert made.chosen.shards == corpus.shards
        assert made.chosen.pieces == corpus.pieces
        assert made.chosen.listed == corpus.listed

    def test_settings_decide_what_a_word_is(self):
        whole, cut = (plan(TEXT, replace(IBM1, prefix=prefix), workers=1).text for prefix in (None, 2))
        assert cut.source_words < whole.source_words
        assert cut.cells == whole.cells

    def test_more_pairs_than_numbers_can_tell_are_refused(self):
        with pytest.raises(UsageError, match="at most 1,000,000,000,000,000 pairs can be planned for, not 1000"):
            plan(TEXT, IBM1, pairs=10**30)

    def test_more_pairs_of_the_same_kind(self, made):
        many = plan(TEXT, IBM1, pairs=460_000).text
        assert (many.pairs, many.sampled) == (460_000, 460)
        assert many.cells == 1000 * made.text.cells
        assert made.text.word_pairs < many.word_pairs < 1000 * made.text.word_pairs
        assert 2 * made.text.source_words < many.source_words < 500 * made.text.source_words


class TestChoices:
    def test_presets_engines_and_workers_are_compared(self, made):
        ways = [(choice.name, choice.engine, choice.workers) for choice in made.choices]
        assert ways[:3] == [("fast", "threads", 2), ("default", "threads", 2), ("best", "threads", 2)]
        assert ("default", "threads", 1) in ways
        assert [way[2] for way in ways if way[1] == "ray"] == [2, 1, 8, 32]
        assert made.chosen == made.choices[1]

    def test_better_presets_take_longer(self, made):
        fast, default, best = made.choices[:3]
        assert fast.seconds < default.seconds < best.seconds
        assert fast.memory <= default.memory < best.memory

    @pytest.mark.parametrize("engine", ["threads", "ray"])
    def test_only_the_engine_that_is_asked_for(self, engine):
        found = plan(TEXT, IBM1, workers=3, engine=engine)
        assert {choice.engine for choice in found.choices} == {engine}
        assert (found.chosen.engine, found.chosen.workers, found.chosen.name) == (engine, 3, "as given")

    def test_a_bound_holds_for_all_choices(self):
        found = plan(TEXT, IBM1, Resources(500_000_000))
        assert {choice.bound for choice in found.choices} == {500_000_000}


def chooser(pairs: int, memory: int | None, bound: int | None = None, processors: int = 4) -> Chooser:
    """One whose machine and pace are made up, for so many pairs."""
    numbered = NumberedSample.of(draw(TEXT), Normalisation(), 200)
    recipes = {name: Recipe.of(settings) for name, settings in preset_settings().items()}
    pace = Pace(processors, 1.0, 1e-5, 1e-8, (StagePace(0, 0, 1e-8, 1e-6, 1e-8),) * 2, 1e-8, 1e-6)
    machine = Machine(processors, memory, None)
    outlook = Outlook.of(draw(TEXT), numbered, pairs)
    return Chooser(outlook, recipes, dict.fromkeys(recipes, pace), machine, Resources(bound), processors)


class TestChoosing:
    def test_memory_is_bounded_where_there_is_too_little(self):
        large = chooser(50_000_000, 8 * GIGABYTE)
        free = large.threads("default", 4, Resources())
        assert free.memory > 8 * GIGABYTE
        found = large.chosen(None)
        assert found.bound == 5_600_000_000
        assert found.memory < free.memory
        assert found.shards > free.shards

    def test_memory_is_not_bounded_where_there_is_enough_or_nobody_knows(self):
        for memory in (10**15, None):
            assert chooser(50_000_000, memory).chosen(None).bound is None

    def test_a_bound_of_the_user_stays(self):
        assert chooser(50_000_000, 8 * GIGABYTE, 2 * GIGABYTE).chosen(None).bound == 2 * GIGABYTE

    def test_a_bound_that_makes_a_difference_is_shown(self):
        free, *_, bounded = list(chooser(50_000_000, None).choices("threads"))
        assert free.bound is None
        assert 0.3 * free.memory < bounded.bound < 0.7 * free.memory
        assert bounded.memory < free.memory
        assert not any(choice.bound for choice in chooser(1000, None).choices("threads"))

    def test_threads_cannot_outrun_processors_but_processes_elsewhere_can(self):
        some = chooser(1_000_000, None)
        assert some.threads("default", 64, Resources()).seconds >= 0.9 * some.threads("default", 4, Resources()).seconds
        assert some.processes("default", 64, Resources()).seconds < some.processes("default", 4, Resources()).seconds

    def test_processes_share_nothing(self):
        some = chooser(10_000_000, None)
        one, many = (some.processes("default", workers, Resources(400_000_000)) for workers in (1, 32))
        assert one.worker_memory == many.worker_memory
        assert one.memory == many.memory
        assert one.disk == many.disk

    def test_there_are_shards_for_all_processes(self):
        some = chooser(2_000_000, None)
        few, many = (some.processes("default", workers, Resources(2 * GIGABYTE)) for workers in (1, 4))
        assert few.shards < many.shards >= 4


class TestBadInput:
    def test_an_empty_text(self):
        with pytest.raises(InputError, match="the pairs given: nothing to plan for: the text is empty"):
            plan(Bitext([]))

    @pytest.mark.parametrize("pairs", [[("", "")] * 5, [("a", ""), ("", "b")], [("a " * 300, "b")]])
    def test_a_text_without_anything_to_learn_from(self, pairs):
        with pytest.raises(
            InputError, match=f"of {len(pairs)} pairs that were looked at, none has two sides of 1 to 200"
        ):
            plan(Bitext(pairs))

    def test_empty_and_long_pairs_among_others_do_no_harm(self):
        pairs = [("", ""), ("the house", "la maison"), ("a " * 300, "b"), ("", "x"), ("the cat", "le chat")]
        text = plan(Bitext(pairs), IBM1, workers=1).text
        assert text.pairs == 5
        assert text.word_pairs == 8

    @pytest.mark.parametrize("count", [1, 2, 5])
    def test_a_text_smaller_than_any_sample(self, count):
        found = plan(Bitext([("a b", "c")] * count), IBM1, workers=2)
        assert found.text.word_pairs == 2
        assert found.chosen.seconds > 0

    @pytest.mark.parametrize("arguments", [{"engine": "spark"}, {"workers": 0}, {"pairs": 0}])
    def test_arguments_that_cannot_be(self, arguments):
        with pytest.raises(UsageError, match=r"an engine is threads or ray, not spark|at least one (worker|pair)"):
            plan(TEXT, IBM1, **arguments)


def test_a_plan_for_a_text_agrees_with_what_a_run_says(made):
    """The run's own message and the plan come from the same formulas."""
    corpus = shard_corpus(
        TEXT, Normalisation(), 200, MemoryStore(), ThreadEngine(2), Resources().sizes, (250_000, 250_000)
    )
    work = Workload.of(corpus, Recipe.of(Settings.resolve()))
    assert Resources().needs(work, 2) == (made.chosen.memory, made.chosen.disk)
