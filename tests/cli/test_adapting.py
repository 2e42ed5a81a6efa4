"""``align --load`` adapts to the text, unless it is to answer at once."""

from __future__ import annotations

import pytest

from cli.support import sample_lines
from pralign import Aligner

SOURCE, TARGET = sample_lines(460)
PAIRS = list(zip(SOURCE, TARGET, strict=True))
TRAINED, NEW = PAIRS[:400], PAIRS[400:]


@pytest.fixture(scope="module")
def aligner():
    return Aligner(threads=2).fit(TRAINED)


def pharaoh(alignment):
    return " ".join(f"{source}-{target}" for source, target in alignment.links)


class TestTheCommand:
    @pytest.fixture
    def saved(self, work):
        work.write("s", SOURCE[:400])
        work.write("t", TARGET[:400])
        work.write("ns", SOURCE[400:])
        work.write("nt", TARGET[400:])
        work.ok("train", "s", "t", "-q", "--save", "m")
        return work

    def test_files_are_adapted_to_unless_one_says_no(self, saved, aligner):
        adapted = saved.align("ns", "nt", "--load", "m")
        assert adapted == [pharaoh(answer.alignment) for answer in aligner.adapt_decode(NEW)]
        plain = saved.align("ns", "nt", "--load", "m", "--no-adapt")
        assert plain == list(map(pharaoh, aligner.align(NEW)))
        assert adapted != plain

    def test_standard_input_is_answered_at_once_unless_one_says_so(self, saved):
        lines = "".join(f"{source}\t{target}\n" for source, target in NEW)
        plain = saved.align("ns", "nt", "--load", "m", "--no-adapt")
        assert saved.ok("align", "-", "-q", "--load", "m", stdin=lines).out.splitlines() == plain
        adapted = saved.ok("align", "-", "-q", "--load", "m", "--adapt", stdin=lines).out.splitlines()
        assert adapted == saved.align("ns", "nt", "--load", "m")

    def test_training_options_are_allowed(self, saved):
        expected = saved.align("ns", "nt", "--load", "m")
        found = saved.align("ns", "nt", "--load", "m", "--memory", "1G", "--scratch", ".", "--checkpoint", "c")
        assert found == expected
        assert not (saved.folder / "c").exists()

    def test_labelled_pairs_set_the_threshold(self, saved):
        saved.write("g", ["0-0"] * 60)
        assert len(saved.align("ns", "nt", "--load", "m", "--dev", "ns", "nt", "g")) == 60

    def test_models_that_cannot_adapt_say_so_and_align(self, saved):
        saved.ok("train", "ns", "nt", "-q", "--iterations", "ibm1=1,hmm=1,ibm3=1", "--save", "searching")
        found = saved.ok("align", "ns", "nt", "--load", "searching")
        assert found.err.startswith("not adapting: a model of the kind ibm3 does not keep what it has counted")
        assert len(found.out.splitlines()) == 60
        assert "does not keep" in saved.fails("align", "ns", "nt", "--load", "searching", "--adapt", code=2)

    def test_without_a_model_there_is_nothing_to_adapt(self, saved):
        for option in ("--adapt", "--no-adapt"):
            message = saved.fails("align", "s", "t", option, code=2)
            assert message == "--adapt is about a model that is loaded; say --load DIR"
