"""Other text is aligned after a few iterations on it, from what the model knows of its words."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from cli.support import sample_lines
from pralign import Aligner
from pralign.engine import ThreadEngine
from pralign.errors import UsageError
from pralign.kernels.relatives import ClassCounts, renumbered_classes, rows_of
from pralign.links.alignment import Alignment
from pralign.runs.growing import growing_recipe
from pralign.runs.resources import Resources
from pralign.runs.run import TrainingRun
from pralign.text.cutting import ShardSizes

pytestmark = pytest.mark.slow

SOURCE, TARGET = sample_lines(460)
PAIRS = list(zip(SOURCE, TARGET, strict=True))
TRAINED, NEW = PAIRS[:400], PAIRS[400:]


@pytest.fixture(scope="module")
def aligner():
    return Aligner(threads=2).fit(TRAINED)


def answers(aligner, pairs, **options):
    return [(links(answer), answer.score) for answer in aligner.adapt_decode(pairs, **options)]


def links(answer):
    return " ".join(f"{source}-{target}" for source, target in answer.alignment.links)


class TestClasses:
    """Counts of classes in other numbers."""

    @pytest.mark.parametrize("seed", range(5))
    def test_they_are_those_of_the_same_classes(self, seed):
        rng = np.random.default_rng(seed)
        naive = Counter({(int(t), int(s)): int(n) for t, s, n in rng.integers(0, [7, 9, 100], (40, 3))})
        entries = sorted(naive)
        rows = np.searchsorted([t for t, _ in entries], np.arange(8))
        units = np.array([[naive[entry], 2 * naive[entry]] for entry in entries], np.float32)
        counts = ClassCounts(rows, np.array([s for _, s in entries], np.int32), units, 0)
        target, source = rng.permutation([*range(0, 7, 2), -1, -1]), rng.permutation([*range(1, 9, 2), -1])
        found = renumbered_classes(counts, source, target, 9)
        expected = {
            (t, s): naive[int(target[t]), int(source[s])]
            for t in range(target.size)
            for s in range(source.size)
            if (int(target[t]), int(source[s])) in naive
        }
        listed = [(row, int(found.source[e])) for row in range(target.size) for e in entries_of(found, row)]
        assert listed == sorted(expected)
        assert found.units[:, 0].tolist() == [expected[entry] for entry in listed]
        assert found.units[:, 1].tolist() == [2 * expected[entry] for entry in listed]

    def test_a_range_of_them_is_cut_out(self):
        counts = ClassCounts(np.array([0, 2, 2, 5]), np.arange(5, dtype=np.int32), np.arange(10).reshape(5, 2), 4)
        part = rows_of(counts, 5, 7)
        assert part.first == 5
        assert part.row_start.tolist() == [0, 0, 3]
        assert part.source.tolist() == [2, 3, 4]
        assert part.units.tolist() == [[4, 5], [6, 7], [8, 9]]


def entries_of(counts, row):
    return range(counts.row_start[row], counts.row_start[row + 1])


class TestWhatIsKnown:
    def test_it_is_what_going_on_from_the_model_would_know_of_the_same_words(self, aligner):
        """Looked up for the words of the text only, it makes the same parameters as all of the model would."""
        model, engine = aligner.model_, ThreadEngine(2)
        recipe = growing_recipe(model, {})
        known = TrainingRun(recipe, NEW, engine, Resources(), known=model)
        whole = TrainingRun(recipe, NEW, engine, Resources(), earlier=[model])
        for side in ("source", "target"):
            some, all_words = getattr(known.corpus, side), getattr(whole.corpus, side)
            numbers = [all_words.number(word) for word in some.words]
            found = getattr(known.state.words.normalizers, side)
            expected = getattr(whole.state.words.normalizers, side)[numbers]
            assert np.median(np.abs(found / expected - 1)) < 0.001
            assert np.abs(found / expected - 1).max() < 0.1  # few counts are dropped from classes that are saved
        ours, theirs = (list(map(links, run.decode())) for run in (known, whole))
        assert sum(a != b for a, b in zip(ours, theirs, strict=True)) <= len(NEW) // 10

    def test_shards_and_pieces_do_not_matter(self, aligner, monkeypatch):
        expected = answers(aligner, NEW)
        monkeypatch.setattr(Resources, "sizes", lambda *_: ShardSizes(shard=2000, piece=700))
        monkeypatch.setattr(Resources, "chunk", (500, 500))
        assert answers(aligner, NEW) == expected
        assert aligner._adapted.corpus.shards > 2 < aligner._adapted.corpus.pieces

    def test_the_model_itself_does_not_change(self, aligner):
        before = list(map(links, aligner.decode_pairs(NEW)))
        assert [found for found, _ in answers(aligner, NEW)] != before
        assert list(map(links, aligner.decode_pairs(NEW))) == before

    def test_new_words_are_learned(self):
        # Two words that the model does not know occur together again and again.
        known = [("a house", "une maison"), ("a cat", "un chat"), ("the house", "la maison"), ("the cat", "le chat")]
        new = [("the zorp house", "la maison vlim"), ("a zorp", "un vlim"), ("zorp cat", "chat vlim")] * 3
        aligner = Aligner(threads=1).fit(known * 5)
        assert (1, 2) in next(iter(aligner.adapt_decode(new))).alignment.links


class TestPairsThatWereTrainedOn:
    def test_they_are_aligned_as_they_were(self, aligner):
        expected = [(links(answer), answer.score) for answer in aligner.decode_pairs(TRAINED)]
        assert answers(aligner, TRAINED) == expected

    def test_they_may_stand_among_others(self, aligner):
        mixed = [pair for pairs in zip(NEW, TRAINED[:60], strict=True) for pair in pairs]
        found = answers(aligner, mixed)
        assert found[1::2] == answers(aligner, TRAINED[:60])
        assert found[::2] == answers(aligner, NEW)

    def test_without_them_kept_all_are_new(self, tmp_path, aligner):
        aligner.save(tmp_path / "m", compact=True)
        found = answers(Aligner.load(tmp_path / "m"), TRAINED[:50])
        assert len(found) == 50


class TestOddText:
    @pytest.mark.parametrize("pairs", [[], [("", "")], [("a", ""), ("", "b")]])
    def test_nothing_to_learn_from(self, aligner, pairs):
        assert [found for found, _ in answers(aligner, pairs)] == [""] * len(pairs)

    def test_long_and_empty_pairs_have_their_places(self, aligner):
        long = ("the house " * 150, "la maison " * 150)
        found = answers(aligner, [NEW[0], ("", "x"), long, NEW[1]])
        assert len(found) == 4
        assert found[1][0] == ""
        assert found[2][0] != ""

    def test_only_words_that_nobody_knows(self, aligner):
        assert len(answers(aligner, [("qq ww", "ää öö")])) == 1

    def test_models_that_search_cannot_tell_what_they_have_counted(self):
        searching = Aligner(iterations="ibm1=1,hmm=1,ibm3=1", threads=1).fit(PAIRS[:20])
        with pytest.raises(UsageError, match="does not keep what it has counted"):
            searching.adapt_decode(NEW)

    @pytest.mark.parametrize("settings", [{"model": "ibm1"}, {"model": "hmm"}, {"preset": "best"}, {"estimator": "vb"}])
    def test_other_models_adapt_too(self, settings):
        adapted = Aligner(threads=2, **settings).fit(TRAINED)
        assert len(answers(adapted, NEW)) == len(NEW)


class TestAlignersThatHaveAdapted:
    def test_the_signature_is_that_of_the_last_thing_done(self, aligner):
        plain = str(aligner.model_.signature)
        list(aligner.adapt_decode(NEW))
        assert "fhmm=5,fhmm=3" in str(aligner.signature)
        list(aligner.adapt_decode(TRAINED))
        assert str(aligner.signature) == plain

    def test_text_that_is_known_leaves_the_model_as_it_is(self, aligner):
        model = aligner.model_
        labelled = [(*pair, Alignment(((0, 0),))) for pair in TRAINED[:20]]
        list(aligner.adapt_decode(TRAINED, labelled=labelled))
        assert aligner.model_ is model

    def test_viterbi_has_no_threshold_to_set(self):
        viterbi = Aligner(decode="viterbi", threads=2).fit(TRAINED)
        labelled = [(*pair, Alignment(((0, 0),))) for pair in TRAINED[:20]]
        for pairs in (TRAINED, NEW):
            assert len(list(viterbi.adapt_decode(pairs, labelled=labelled))) == len(pairs)

    def test_a_checkpoint_serves_one_text_after_the_other(self, tmp_path):
        adapting = Aligner(threads=2, checkpoint=tmp_path / "c").fit(TRAINED)
        for pairs in (NEW, NEW[:30]):
            assert len(list(adapting.adapt_decode(pairs))) == len(pairs)
        adapting.close()
        assert not (tmp_path / "c").exists()

    def test_the_checkpoint_of_going_on_is_not_that_of_adapting(self, aligner, tmp_path):
        aligner.save(tmp_path / "m")
        going_on = Aligner.load(tmp_path / "m").set_params(checkpoint=tmp_path / "c")
        going_on.partial_fit(NEW)  # and not closed
        adapting = Aligner.load(tmp_path / "m").set_params(checkpoint=tmp_path / "c")
        with pytest.raises(UsageError, match=r"another run: .*earlier models was"):
            adapting.adapt_decode(NEW)

    def test_forms_may_be_given_as_a_string(self, tmp_path):
        (tmp_path / "f.tsv").write_text("cats\tcat\n")
        aligner = Aligner(forms=str(tmp_path / "f.tsv"), threads=2).fit(TRAINED)
        assert aligner.partial_fit(NEW).align_pair("cat", "chat")
