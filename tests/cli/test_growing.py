"""``pralign merge`` and ``pralign train --from``: models that grow, and input that cannot be used."""

from __future__ import annotations

import shutil

import pytest

from cli.support import SMALL_SOURCE, SMALL_TARGET, gold_lines, sample_lines

pytestmark = pytest.mark.slow

MORE_SOURCE = ["the dog", "a red dog", "the small house"]
MORE_TARGET = ["le chien", "un chien rouge", "la petite maison"]


@pytest.fixture
def two(model):
    """Six pairs ``s`` and ``t`` with their model ``m``, three more ``s2`` and ``t2``, and the model of those, ``n``."""
    model.write("s2", MORE_SOURCE)
    model.write("t2", MORE_TARGET)
    model.ok("train", "s2", "t2", "-q", "--save", "n")
    return model


def words(side):
    """The words of a side of both texts."""
    lines = ((*SMALL_SOURCE, *MORE_SOURCE), (*SMALL_TARGET, *MORE_TARGET))[side]
    return {word for line in lines for word in line.split()}


def files(work, folder):
    return {name: data for name, data in work.snapshot().items() if name.startswith(f"{folder}/")}


def damage(work, folder, name="parameters.safetensors"):
    path = work.folder / folder / name
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)


# Merging


def test_a_merged_model_knows_the_words_of_all(two):
    outcome = two.ok("merge", "m", "n", "--save", "both")
    assert outcome.out == ""
    told = outcome.err.splitlines()
    assert told[-2] == f"2 models: {len(words(0))} source words, {len(words(1))} target words"
    assert told[-1].startswith("preset:default|model:fhmm|")
    for word in ("cat", "dog"):
        assert word in two.ok("inspect", "both", word).out
    two.write("s3", ["the dog", "the cat"])
    two.write("t3", ["le chien", "le chat"])
    assert two.align("s3", "t3", "--load", "both") == ["0-0 1-1", "0-0 1-1"]
    assert two.align("s3", "t3", "--prior", "both") == ["0-0 1-1", "0-0 1-1"]


def test_merging_is_quiet_if_asked(two):
    assert two.ok("merge", "m", "n", "--save", "both", "-q") == (0, "", "")


def test_the_models_are_left_as_they_are_and_order_changes_nothing(two):
    before = {name: files(two, name) for name in ("m", "n")}
    two.ok("merge", "m", "n", "-q", "--save", "mn")
    two.ok("merge", "n/", "./m", "-q", "--save", "nm", "--threads", "2")
    assert {name: files(two, name) for name in ("m", "n")} == before
    one, other = files(two, "mn"), files(two, "nm")
    assert [*one.values()] == [*other.values()]
    assert len(one) == 4


def test_one_model_alone_aligns_as_before(two):
    two.ok("merge", "m", "-q", "--save", "same")
    expected = two.align("s", "t", "--load", "m", "--format", "scored")
    assert two.align("s", "t", "--load", "same", "--format", "scored") == expected


def test_a_compact_model_is_smaller(two):
    two.ok("merge", "m", "n", "-q", "--save", "full")
    two.ok("merge", "m", "n", "-q", "--save", "small", "--compact")
    sizes = [len(files(two, name)[f"{name}/parameters.safetensors"]) for name in ("full", "small")]
    assert sizes[1] < sizes[0]


def test_what_was_there_is_replaced_if_it_was_a_model(two):
    two.ok("train", "s", "t", "-q", "--model", "ibm1", "--save", "old")
    two.ok("merge", "m", "n", "-q", "--save", "old")
    two.ok("merge", "m", "n", "-q", "--save", "new")
    assert [*files(two, "old").values()] == [*files(two, "new").values()]


def test_no_directories(two):
    outcome = two.run("merge", "--save", "both")
    assert outcome.code == 2
    assert "Missing argument 'DIR" in outcome.err


def test_nowhere_to_save(two):
    outcome = two.run("merge", "m", "n")
    assert outcome.code == 2
    assert "Missing option '--save'" in outcome.err


def test_a_missing_directory(two):
    assert two.fails("merge", "m", "x", "-q", "--save", "both") == "x: there is no model here: no such directory"
    assert two.fails("merge", "s", "-q", "--save", "both") == "s: there is no model here: not a directory"


@pytest.mark.parametrize("name", ["parameters.safetensors", "source.json", "manifest.json"])
def test_a_damaged_model(two, name):
    damage(two, "n", name)
    assert two.fails("merge", "m", "n", "-q", "--save", "both").startswith(f"n: {name} is damaged")


def test_a_model_given_twice(two):
    shutil.copytree(two.folder / "m", two.folder / "copy")
    for again in ("m", "./m", "copy"):
        message = two.fails("merge", "m", "n", again, "-q", "--save", "both", code=2)
        assert message.endswith(" is the same model as m; its text would count twice, so name it once")


def test_models_that_were_trained_otherwise(two):
    two.ok("train", "s2", "t2", "-q", "--save", "n", "--alpha", "0.5", "--suffix", "3")
    message = two.fails("merge", "m", "n", "-q", "--save", "both", code=2)
    assert "differ in alpha (" in message
    assert "suffix (" in message
    assert message.endswith("; only models that were trained alike can be merged")


@pytest.mark.parametrize("kind", ["ibm3", "ibm4"])
def test_models_that_cannot_be_added(two, kind):
    for name, text in (("m", ["s", "t"]), ("n", ["s2", "t2"])):
        two.ok("train", *text, "-q", "--save", name, "--model", kind)
    message = two.fails("merge", "m", "n", "-q", "--save", "both", code=2)
    assert message.startswith(f"a model of the kind {kind} does not keep what it has counted")


@pytest.mark.parametrize(("place", "relation"), [("m", "is also"), ("n/sub", "belongs to"), ("n/../m", "is also")])
def test_a_result_in_the_place_of_an_input(two, place, relation):
    message = two.fails("merge", "m", "n", "-q", "--save", place, code=2)
    assert message.startswith(f"{place}: cannot be written, because it {relation} the input ")


def test_a_result_around_an_input(two):
    (two.folder / "d").mkdir()
    shutil.move(two.folder / "m", two.folder / "d" / "m")
    message = two.fails("merge", "d/m", "n", "-q", "--save", "d", code=2)
    assert message == "d: cannot be written, because it holds the input d/m; choose another place"


def test_a_result_in_the_place_of_something_else(two):
    assert "a model is saved as a directory" in two.fails("merge", "m", "n", "-q", "--save", "s")


# Going on


def test_going_on_adds_to_what_was_known(two):
    before = files(two, "m")
    outcome = two.ok("train", "s2", "t2", "--from", "m", "--save", "grown")
    assert "fhmm 3/3: log-likelihood" in outcome.err
    assert "iterations:ibm1=3,fhmm=5,fhmm=3|" in outcome.err
    assert files(two, "m") == before
    two.write("s3", ["the small dog", "a cat"])
    two.write("t3", ["le petite chien", "un chat"])
    assert two.align("s3", "t3", "--load", "grown") == ["0-0 1-1 2-2", "0-0 1-1"]
    assert two.align("s", "t", "--load", "grown") == two.align("s", "t", "--load", "m")


def test_a_model_may_be_replaced_by_what_it_grows_into(two):
    two.ok("train", "s2", "t2", "-q", "--from", "m", "--save", "grown")
    two.ok("train", "s2", "t2", "-q", "--from", "m", "--save", "./m")
    assert [*files(two, "m").values()] == [*files(two, "grown").values()]


def test_going_on_takes_other_iterations_and_ways_to_decode(two):
    options = ["--iterations", "ibm1=1,fhmm=2", "--decode", "viterbi"]
    outcome = two.ok("train", "s2", "t2", "--from", "m", "--save", "grown", *options)
    assert "iterations:ibm1=3,fhmm=5,ibm1=1,fhmm=2|decode:viterbi|" in outcome.err


def test_going_on_with_labelled_pairs(work):
    source, target = sample_lines(80)
    for name, lines in {"s": source[:40], "t": target[:40], "s2": source[40:], "t2": target[40:]}.items():
        work.write(name, lines)
    for name, lines in {"ds": source[:20], "dt": target[:20], "dg": gold_lines(20)}.items():
        work.write(name, lines)
    work.ok("train", "s", "t", "-q", "--save", "m")
    outcome = work.ok("train", "s2", "t2", "--from", "m", "--save", "n", "--dev", "ds", "dt", "dg")
    assert "fhmm 1/10: " in outcome.err
    assert "dev AER" in outcome.err
    work.ok("train", "s2", "t2", "-q", "--from", "m", "--save", "o")
    assert work.align("s2", "t2", "--load", "n") != work.align("s2", "t2", "--load", "o")
    both = ["--from", "m", "--save", "o", "--dev", "ds", "dt", "dg", "--threshold", "0.3"]
    assert work.fails("train", "s2", "t2", "-q", *both, code=2).startswith("--dev sets the threshold")


def test_a_run_that_goes_on_has_a_checkpoint_too(two):
    two.ok("train", "s2", "t2", "-q", "--from", "m", "--save", "a", "--checkpoint", "c", "--memory", "1G")
    two.ok("train", "s2", "t2", "-q", "--from", "m", "--save", "b")
    assert [*files(two, "a").values()] == [*files(two, "b").values()]
    assert not (two.folder / "c").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--alpha", "0.5"], "the model was trained with alpha 0.001, not 0.5; "),
        (["--model", "hmm"], "the model was trained with model fhmm, not hmm; "),
        (["--no-lowercase"], "the model was trained with lowercase True, not False; "),
        (["--prefix", "3", "--estimator", "em"], "trained with estimator collapsed, not em, prefix none, not 3; "),
        (["--iterations", "hmm=2"], "the iterations end with hmm but the model is fhmm"),
    ],
)
def test_options_that_contradict_the_model(two, options, message):
    assert message in two.fails("train", "s2", "t2", "-q", "--from", "m", "--save", "grown", *options, code=2)


def test_options_that_repeat_those_of_the_model(two):
    two.ok("train", "s2", "t2", "-q", "--from", "m", "--save", "a")
    two.ok("train", "s2", "t2", "-q", "--from", "m", "--save", "b", "--model", "fhmm", "--alpha", "0.001")
    assert [*files(two, "a").values()] == [*files(two, "b").values()]


def test_a_model_is_not_its_own_prior(two):
    message = two.fails("train", "s2", "t2", "-q", "--from", "m", "--save", "grown", "--prior", "./m", code=2)
    assert message == "m is gone on from, so it cannot be a prior too; its text would count twice"
    two.ok("train", "s2", "t2", "-q", "--from", "m", "--save", "grown", "--prior", "n")


def test_nothing_to_go_on_from(two):
    command = ["train", "s2", "t2", "-q", "--save", "grown", "--from"]
    assert two.fails(*command, "x") == "x: there is no model here: no such directory"
    assert two.fails(*command, "s") == "s: there is no model here: not a directory"
    damage(two, "m")
    assert two.fails(*command, "m").startswith("m: parameters.safetensors is damaged")
    two.ok("train", "s", "t", "-q", "--save", "m", "--model", "ibm3")
    assert "a model of the kind ibm3 does not keep" in two.fails(*command, "m", code=2)


def test_nothing_to_go_on_with(two):
    two.write("s2", [])
    two.write("t2", [])
    message = two.fails("train", "s2", "t2", "-q", "--from", "m", "--save", "m")
    assert message.endswith("no sentence pairs to learn from: the text is empty")


def test_a_result_inside_the_model_that_is_gone_on_from(two):
    message = two.fails("train", "s2", "t2", "-q", "--from", "m", "--save", "m/sub", code=2)
    assert message == "m/sub: cannot be written, because it belongs to the input m; choose another place"
