"""Input that cannot be used: one clear line, the right exit code, and nothing touched."""

from __future__ import annotations

import gzip
import os

import pytest

from cli.support import full_disk
from pralign import sample
from pralign.outputs import open_output

TEXT_COMMANDS = [
    ["align", "s", "t", "-q", "-o", "out", "--forward", "f", "--reverse", "r", "--scores", "c", "--save", "m"],
    ["train", "s", "t", "-q", "--save", "m"],
]
either_command = pytest.mark.parametrize("command", TEXT_COMMANDS, ids=["align", "train"])


@pytest.fixture
def old(model):
    """Six pairs, and results of an earlier run in all places that are written to."""
    for name in ("out", "f", "r", "c"):
        model.write(name, f"the old {name}\n")
    return model


# Text


@either_command
def test_files_of_different_length(old, command):
    old.write("t", old.read("t") + "x\ny\n")
    assert old.fails(*command).startswith("s has 6 lines, t 8; line n of one has to translate line n of the other")
    old.write("t", "x\n")
    assert old.fails(*command).startswith("s has 6 lines, t 1; line n of one has to translate line n of the other")


@either_command
@pytest.mark.parametrize("name", ["s", "t"])
def test_a_missing_file(old, command, name):
    (old.folder / name).unlink()
    assert old.fails(*command) == f"{name}: cannot read: No such file or directory"


@either_command
@pytest.mark.parametrize("name", ["s", "t"])
def test_a_directory_instead_of_a_file(old, command, name):
    (old.folder / name).unlink()
    (old.folder / name).mkdir()
    assert old.fails(*command) == f"{name}: cannot read: it is a directory"


@either_command
def test_text_that_is_not_utf8(old, command):
    old.write("t", old.read("t").encode().replace(b"un chat", b"un \xe9chat"))
    message = old.fails(*command)
    assert message.startswith("t, line 4, byte 4: 0xe9 is not valid UTF-8; convert the file first")


@either_command
def test_an_empty_corpus(old, command):
    old.write("s", "")
    old.write("t", "")
    assert old.fails(*command) == "s and t: no sentence pairs to learn from: the text is empty"


@either_command
def test_every_pair_has_an_empty_side(old, command):
    old.write("s", "\na b\n \t\n")
    old.write("t", "x y\n\n\n")
    assert old.fails(*command) == "s and t: no sentence pairs to learn from: every pair has an empty side"


@either_command
def test_every_pair_is_too_long_to_train_on(old, command):
    message = old.fails(*command, "--max-length", "1")
    assert message == "s and t: no sentence pairs to learn from: no pair has at most 1 words a side"


@either_command
@pytest.mark.parametrize("name", ["s.gz", "anything"])
def test_truncated_compressed_text(old, command, name):
    data = gzip.compress(sample.SOURCE.read_bytes())
    old.write(name, data[:2_000])
    command = [name if argument == "s" else argument for argument in command]
    message = old.fails(*command)
    assert message.startswith(f"{name}: damaged compressed data after line ")
    assert "after line 0" not in message


def test_one_file_without_two_sides(old):
    old.write("both", "a ||| x\nb\n")
    assert old.fails("align", "both", "-q", "-o", "out").startswith("both, line 2: found 0 times ' ||| '")
    old.write("both.tsv", "a\tx\n\nb x\n")
    assert old.fails("align", "both.tsv", "-q", "-o", "out").startswith("both.tsv, line 3: no tab between")


def test_bad_text_for_a_saved_model_leaves_the_old_output(model):
    model.write("out", "old\n")
    model.write("t", "x\n")
    assert model.fails("align", "s", "t", "-q", "--load", "m", "-o", "out").startswith("s has 6 lines, t 1; ")
    model.write("t", b"x\n\xff\n")
    assert model.fails("align", "s", "t", "-q", "--load", "m", "-o", "out").startswith("t, line 2, byte 1: 0xff")


def test_bad_standard_input_is_named(small):
    assert small.fails("align", "-", "t", "-q", stdin=b"a\n\xe9\n").startswith("standard input, line 2, byte 1: 0xe9")
    assert small.fails("align", "-", "t", "-q", stdin="a\n").startswith("standard input has 1 line, t 6; ")


def test_standard_input_cannot_be_both_sides(small):
    assert "standard input cannot be both sides" in small.fails("align", "-", "-", "-q", code=2, stdin="a\n")


def test_standard_input_cannot_be_the_text_and_the_labelled_pairs(text):
    # It comes only once.
    stdin = text.read("s")
    assert "standard input" in text.fails("align", "-", "t", "-q", "--dev", "-", "t", "g", code=2, stdin=stdin)


# Labelled pairs


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        (["0-0", "99-0"], "g, line 2: link 99-0 (counted from 0) lies outside a pair of 6 source and 6 target words"),
        (["0-0", "0?6"], "g, line 2: link 0-6 (counted from 0) lies outside a pair of 6 source and 6 target words"),
        (["0-0", "0-x"], "g, line 2: found '0-x'; expected links like 0-0 (sure) or 0?1 (possible)"),
        (["0-0"], "s has 40 lines, g 1"),
    ],
)
@pytest.mark.parametrize("command", ["align", "train"])
def test_bad_gold_alignments(text, command, gold, message):
    gold = gold + [""] * 38 if len(gold) > 1 else gold
    text.write("g", gold)
    options = ["-o", "out"] if command == "align" else ["--save", "m"]
    assert text.fails(command, "s", "t", "-q", "--dev", "s", "t", "g", *options).startswith(message)


def test_bad_texts_of_the_labelled_pairs(text):
    arguments = ["align", "s", "t", "-q", "--dev"]
    assert text.fails(*arguments, "none", "t", "g") == "none: cannot read: No such file or directory"
    text.write("t2", text.lines("t")[:3])
    assert text.fails(*arguments, "s", "t2", "g").startswith("s has 40 lines, t2 3; ")
    text.write("empty", "")
    assert text.fails(*arguments, "empty", "empty", "empty") == "empty: has no labelled pairs"
    text.write("blank", "\n\n")
    message = "there are no labelled pairs, or none with words on both sides"
    assert text.fails(*arguments, "blank", "blank", "blank") == message


def test_evaluate_checks_the_gold_against_the_text(text):
    text.write("g", ["0-0"] * 39 + ["70-0"])
    message = text.fails("evaluate", "g", "g", "--source", "s", "--target", "t")
    assert message.startswith("g, line 40: link 70-0 (counted from 0) lies outside a pair of ")


def test_evaluate_names_the_files_of_different_length(text):
    text.write("h", ["0-0"] * 39)
    assert text.fails("evaluate", "h", "g") == "h has 39 lines, g 40"
    assert text.fails("evaluate", "none", "g") == "none: cannot read: No such file or directory"


def test_symmetrize_names_the_files_of_different_length(work):
    work.write("f", "0-0\n1-1\n")
    work.write("r", "0-0\n")
    work.write("out", "old\n")
    command = ["symmetrize", "f", "r", "--heuristic", "union", "-o", "out"]
    assert work.fails(*command) == "f has 2 lines, r 1"
    work.write("r", "0-0\n1-\n")
    assert work.fails(*command).startswith("r, line 2: found '1-'; expected links")


# Outputs


OUTPUTS = ["-o", "--forward", "--reverse", "--scores"]


@pytest.mark.parametrize("option", OUTPUTS)
def test_an_output_in_a_missing_directory(small, option):
    message = small.fails("align", "s", "t", "-q", option, "none/out")
    assert message == "none/out: the directory none does not exist"


@pytest.mark.parametrize("option", OUTPUTS)
def test_an_output_that_is_a_directory(small, option):
    (small.folder / "d").mkdir()
    assert small.fails("align", "s", "t", "-q", option, "d") == "d: is a directory; name a file to write to"


def test_other_commands_check_their_output_too(work):
    work.write("f", "0-0\n")
    for command in (
        ["symmetrize", "f", "f", "--heuristic", "union", "-o", "none/out"],
        ["convert", "f", "none/out", "--from", "pharaoh", "--to", "gold"],
        ["lexicon", "f", "f", "f", "-o", "none/out"],
        ["shortlist", "f", "f", "f", "-o", "none/out"],
        ["phrases", "f", "f", "f", "-o", "none/out"],
        ["rules", "f", "f", "f", "-o", "none/out"],
        ["transfer", "f", "f", "f", "-o", "none/out"],
    ):
        assert work.fails(*command) == "none/out: the directory none does not exist"


@full_disk
@pytest.mark.parametrize("option", OUTPUTS)
def test_no_space_left(old, option):
    # All results are kept or all are replaced, whichever of them cannot be written.
    others = [argument for other in OUTPUTS if other != option for argument in (other, f"old{other}")]
    for other in OUTPUTS:
        old.write(f"old{other}", "old\n")
    message = old.fails("align", "s", "t", "-q", option, "/dev/full", *others)
    assert message == "/dev/full: cannot write: No space left on device"


@full_disk
@pytest.mark.parametrize("option", OUTPUTS)
def test_the_file_that_cannot_be_written_is_named_when_there_is_more_than_a_buffer_of_it(model, option):
    model.write("s", "a house\n" * 3_000)
    model.write("t", "une maison\n" * 3_000)
    others = [argument for other in OUTPUTS if other != option for argument in (other, f"new{other}")]
    message = model.fails("align", "s", "t", "-q", "--load", "m", option, "/dev/full", *others)
    assert message == "/dev/full: cannot write: No space left on device"


def test_two_results_cannot_go_to_one_file(small):
    small.write("out", "old\n")
    assert "out" in small.fails("align", "s", "t", "-q", "-o", "out", "--scores", "out", code=2)
    assert "out" in small.fails("align", "s", "t", "-q", "--forward", "out", "--reverse", "./out", code=2)
    assert "out" in small.fails("align", "s", "t", "-q", "-o", "out", "--scores", small.folder / "out", code=2)


@pytest.mark.parametrize("target", ["none/m", "file", "file/m", "full", "/proc/m"])
@pytest.mark.parametrize("command", ["align", "train"])
def test_a_model_that_cannot_be_saved(small, command, target):
    small.write("file", "something\n")
    (small.folder / "full").mkdir()
    small.write("full/thesis.tex", "years of work\n")
    options = ["-o", "out"] if command == "align" else []
    message = small.fails(command, "s", "t", "-q", "--save", target, *options)
    assert message.startswith(f"{target}: ")
    reasons = {
        "none/m": "does not exist",
        "file": "there is a file of this name",
        "file/m": "does not exist",
        "full": "holds something that is not a model",
        "/proc/m": "cannot write",
    }
    assert reasons[target] in message


def test_a_directory_of_somebody_else_is_never_replaced(small):
    # Many programs keep a manifest.json.
    (small.folder / "website").mkdir()
    small.write("website/manifest.json", '{"name": "My shop", "icons": []}\n')
    small.write("website/index.html", "<h1>My shop</h1>\n")
    assert small.fails("train", "s", "t", "-q", "--save", "website").startswith("website: ")


def test_files_of_the_user_beside_a_model_survive_saving_again(model):
    model.write("m/notes.txt", "dear diary\n")
    outcome = model.run("train", "s", "t", "-q", "--save", "m")
    assert outcome.code in {0, 1}
    assert model.read("m/notes.txt") == "dear diary\n"


def test_without_permission_nothing_is_trained(small, monkeypatch):
    # Whoever runs the tests may be allowed to write everywhere.
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK)
    assert small.fails("align", "s", "t", "-q", "-o", "out").startswith("out: no permission to write in ")
    assert small.fails("train", "s", "t", "-q", "--save", "m").startswith("m: no permission to write in ")


def test_an_output_that_fails_half_way_is_not_left_over(small, monkeypatch):
    small.write("out", "old\n")

    def stop(*arguments):
        raise MemoryError

    monkeypatch.setattr("pralign.decoding.stream.BlockDecoder.decode", stop)
    message = small.fails("align", "s", "t", "-q", "-o", "out", "--scores", "c")
    assert message == "not enough memory; train on fewer or shorter pairs"


def test_an_interrupt_while_writing_leaves_the_old_files(small, monkeypatch):
    small.write("out", "old\n")

    def stop(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("pralign.decoding.stream.BlockDecoder.decode", stop)
    assert small.fails("align", "s", "t", "-q", "-o", "out", "--scores", "c", code=130).startswith("interrupted")


def test_output_files_are_written_beside_their_target(small):
    with open_output("out") as stream:
        stream.write("x")
        assert [path.name for path in small.folder.glob(".pralign-*.partial")] != []
    assert list(small.folder.glob(".*")) == []


# Saved models

MODEL_FILES = ["manifest.json", "parameters.safetensors", "source.json", "target.json"]
LOADING = [["align", "s", "t", "-q", "--load", "m", "-o", "out"], ["inspect", "m", "house"]]
loading = pytest.mark.parametrize("command", LOADING, ids=["align", "inspect"])


def test_a_model_consists_of_these_files(model):
    assert sorted(path.name for path in (model.folder / "m").iterdir()) == MODEL_FILES


@loading
@pytest.mark.parametrize("name", MODEL_FILES)
def test_a_model_without_one_of_its_files(model, command, name):
    (model.folder / "m" / name).unlink()
    message = model.fails(*command)
    assert message.startswith("m: ")
    assert message.endswith(f"{name} is missing")


@loading
@pytest.mark.parametrize("name", MODEL_FILES)
@pytest.mark.parametrize("keep", [0, 0.5, -1])
def test_a_model_with_a_truncated_file(model, command, name, keep):
    data = (model.folder / "m" / name).read_bytes()
    model.write(f"m/{name}", data[: int(keep * len(data)) if keep >= 0 else keep - (name == MODEL_FILES[0])])
    message = model.fails(*command)
    assert message.startswith(f"m: {name} is damaged: ")


@loading
@pytest.mark.parametrize("name", MODEL_FILES[1:])
def test_a_model_with_a_changed_byte(model, command, name):
    data = bytearray((model.folder / "m" / name).read_bytes())
    data[len(data) // 2] ^= 1
    model.write(f"m/{name}", bytes(data))
    assert model.fails(*command) == f"m: {name} is damaged: it is not the file that was saved"


@loading
@pytest.mark.parametrize(
    ("old", "new"),
    [('"lowercase": true', '"lowercase": false'), ('"fhmm"', '"ibm1"'), ('"bytes": ', '"bytes": 1'), ("0.0", "0.25")],
)
def test_an_edited_manifest(model, command, old, new):
    manifest = model.read("m/manifest.json")
    assert old in manifest
    model.write("m/manifest.json", manifest.replace(old, new, 1))
    assert model.fails(*command) == "m: manifest.json is damaged: it is not the file that was saved"


@loading
def test_a_model_of_another_format_version(model, command):
    manifest = model.read("m/manifest.json")
    model.write("m/manifest.json", manifest.replace('"format_version": 5', '"format_version": 99'))
    message = model.fails(*command)
    assert message.startswith("m: the model is in format version 99, saved by pralign ")
    assert message.endswith("which reads version 5; train it again")


@loading
@pytest.mark.parametrize("manifest", ["[]", "{}", '"pralign model"', '{"format": "other"}', "null"])
def test_a_manifest_of_something_else(model, command, manifest):
    model.write("m/manifest.json", manifest)
    assert model.fails(*command) == "m: manifest.json does not describe a pralign model"


@loading
@pytest.mark.parametrize("manifest", [b"", b"{", b"\xff\xfe"])
def test_a_manifest_that_is_no_json(model, command, manifest):
    model.write("m/manifest.json", manifest)
    assert model.fails(*command).startswith("m: manifest.json is damaged: ")


def test_a_manifest_nested_too_deeply(model):
    model.write("m/manifest.json", b"[" * 100_000)
    assert model.fails("inspect", "m").startswith("m: manifest.json is damaged: ")


@pytest.mark.parametrize(
    ("name", "reason"),
    [("none", "no such directory"), ("s", "not a directory"), ("d", "manifest.json is missing")],
)
@loading
def test_what_is_not_a_model(model, command, name, reason):
    (model.folder / "d").mkdir()
    command = [name if argument == "m" else argument for argument in command]
    assert model.fails(*command) == f"{name}: there is no model here: {reason}"


def test_a_word_the_model_does_not_know(model):
    assert model.fails("inspect", "m", "zebra") == "the model knows no word 'zebra'"
