"""Models on disk, file by file."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from pralign import Aligner, Bitext, __version__, sample
from pralign.errors import ModelError, OutputError
from pralign.settings import setting_fields
from pralign.storage import check_save_target, directory, load_model, read_manifest, save_model
from pralign.storage.model import model_tensors

PAIRS = [("the house", "la maison"), ("the cat", "le chat"), ("a house", "une maison"), ("", "rien")]
FILES = ["manifest.json", "parameters.safetensors", "source.json", "target.json"]


@pytest.fixture(scope="module", params=["ibm1", "ibm2", "hmm"])
def aligner(request):
    return Aligner(model=request.param, threads=1).fit(PAIRS)


def rewrite_manifest(folder, **changes):
    """Change what the manifest of a model says, with a checksum that suits it."""
    manifest = {**read_manifest(folder), **changes}
    checksum = hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps({**manifest, "checksum": checksum}), encoding="utf-8")


@pytest.fixture
def saved(aligner, tmp_path):
    aligner.save(tmp_path / "m")
    return tmp_path / "m"


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_model_is_a_directory_of_four_files(saved):
    assert sorted(contents(saved)) == FILES
    assert sorted(path.name for path in saved.parent.iterdir()) == ["m"]


def test_the_manifest_describes_the_model_and_its_files(aligner, saved):
    manifest = json.loads((saved / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["format"] == "pralign model"
    assert manifest["format_version"] == 5
    assert manifest["pralign_version"] == __version__
    assert manifest["model"] == aligner.model
    model = aligner.model_
    settings = json.loads(json.dumps(model.recipe.as_saved(model.schedule, model.thresholds)))
    assert manifest["settings"] == settings
    assert {field.name for field in setting_fields()} <= settings.keys()
    assert settings["given"] == ["model"]
    for name in FILES[1:]:
        data = (saved / name).read_bytes()
        assert manifest["files"][name] == {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    assert set(manifest["files"]) == set(FILES[1:])


def test_words_are_readable_one_a_line(saved):
    assert (saved / "source.json").read_text(encoding="utf-8") == '[\n"house",\n"the",\n"a",\n"cat"\n]'


def test_parameters_come_back_bit_by_bit(aligner, saved):
    theirs, mine = load_model(saved), aligner.model_
    assert theirs.source.words == aligner.vocabularies_["source"].words
    assert theirs.target.words == aligner.vocabularies_["target"].words
    assert theirs.settings["model"] == theirs.forward.name == theirs.reverse.name == aligner.model
    assert theirs.history == aligner.history_
    assert theirs.training_pairs is None
    for ours, loaded in (
        (mine.lexicon.table, theirs.lexicon.table),
        (mine.lexicon.words.normalizers, theirs.lexicon.words.normalizers),
        (mine.lexicon.translations, theirs.lexicon.translations),
        (tuple(mine.forward.tensors().values()), tuple(theirs.forward.tensors().values())),
        (tuple(mine.reverse.tensors().values()), tuple(theirs.reverse.tensors().values())),
    ):
        assert len(ours) == len(loaded)
        for left, right in zip(ours, loaded, strict=True):
            assert left.dtype == right.dtype
            assert left.tobytes() == right.tobytes()
    tensors = load_file(saved / "parameters.safetensors")
    assert {"lexicon.row_start", "lexicon.source", "lexicon.probability"} <= tensors.keys()
    assert tensors["lexicon.probability"].tobytes() == mine.lexicon.probability.tobytes()


def test_a_model_is_saved_alike_from_the_run_that_trained_it_and_from_memory(tmp_path):
    for estimator in ("em", "collapsed"):
        aligner = Aligner(model="hmm", estimator=estimator, threads=1).fit(PAIRS)
        aligner.save(tmp_path / f"{estimator} run")
        aligner.model_.save(tmp_path / f"{estimator} memory")
        assert contents(tmp_path / f"{estimator} run") == contents(tmp_path / f"{estimator} memory")


@pytest.mark.parametrize("from_memory", [False, True])
def test_a_compact_model_has_no_training_pairs(tmp_path, from_memory):
    pairs = list(Bitext.read(sample.SOURCE, sample.TARGET))[:100]
    aligner = Aligner(threads=1).fit(pairs)
    if from_memory:
        _ = aligner.model_
    aligner.save(tmp_path / "whole")
    aligner.save(tmp_path / "compact", compact=True)
    whole, compact = (load_file(tmp_path / name / "parameters.safetensors") for name in ("whole", "compact"))
    kept = {name: array.tobytes() for name, array in whole.items() if not name.startswith("training_pairs.")}
    assert {name: array.tobytes() for name, array in compact.items()} == kept
    assert kept.keys() < whole.keys()
    loaded = Aligner.load(tmp_path / "compact", threads=1)
    assert loaded.model_.training_pairs is None
    assert str(loaded.signature) == str(aligner.signature)
    others = [(target, source) for source, target in pairs[:20]]
    assert list(loaded.align(others)) == list(aligner.align(others))
    assert list(loaded.align(pairs)) != list(aligner.align(pairs))


def test_the_same_model_is_the_same_bytes(aligner, saved, tmp_path):
    aligner.save(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(saved)
    Aligner(model=aligner.model, threads=2).fit(PAIRS).save(tmp_path / "other")
    assert contents(tmp_path / "other") == contents(saved)


@pytest.mark.parametrize("name", FILES)
def test_every_byte_counts(saved, name):
    data = (saved / name).read_bytes()
    for position in np.linspace(0, len(data) - 1, 25).astype(int):
        changed = bytearray(data)
        changed[position] ^= 4
        (saved / name).write_bytes(changed)
        if name == "manifest.json" and same_json(changed, data):
            continue
        with pytest.raises(ModelError):
            load_model(saved)
    (saved / name).write_bytes(data + b"\x00")
    with pytest.raises(ModelError):
        load_model(saved)
    (saved / name).write_bytes(data)
    load_model(saved)


def same_json(left, right):
    try:
        return json.loads(left) == json.loads(right)
    except ValueError:
        return False


def test_a_model_that_does_not_fit_its_manifest_is_damaged(saved, tmp_path):
    # Whole files, but of another model.
    other = Aligner(model="ibm1", threads=1).fit([("x", "y")])
    other.save(tmp_path / "other")
    for name in FILES[1:]:
        original = (saved / name).read_bytes()
        (saved / name).write_bytes((tmp_path / "other" / name).read_bytes())
        with pytest.raises(ModelError, match=f"{name} is damaged"):
            load_model(saved)
        (saved / name).write_bytes(original)


def test_only_the_manifest_is_read_for_a_description(saved):
    (saved / "parameters.safetensors").unlink()
    assert read_manifest(saved)["settings"]["max_length"] == 200
    with pytest.raises(ModelError, match=r"incomplete: parameters\.safetensors is missing"):
        load_model(saved)


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_a_model_of_another_format_version_is_refused(saved, version):
    rewrite_manifest(saved, format_version=version, pralign_version="0.0.1")
    message = f"the model is in format version {version}, saved by pralign 0.0.1; this is pralign {__version__}, which"
    with pytest.raises(ModelError, match=message):
        load_model(saved)
    with pytest.raises(ModelError, match=r"reads version 5; train it again$"):
        Aligner.load(saved)


@pytest.mark.parametrize("constraint", ["bijective", "symmetric"])
def test_a_constrained_model_has_the_same_parts(tmp_path, constraint):
    settings = {"constraint": constraint, "tolerance": 1e-4, "slack": 0.002}
    constrained = Aligner(threads=1, project_at_decode=False, **settings).fit(PAIRS)
    constrained.save(tmp_path / "m")
    assert sorted(contents(tmp_path / "m")) == FILES
    saved = read_manifest(tmp_path / "m")["settings"]
    assert saved.items() >= {**settings, "project_at_decode": False}.items()
    plain = Aligner(threads=1, iterations="ibm1=5,hmm=3").fit(PAIRS)
    plain.save(tmp_path / "plain")
    files = (
        load_file(tmp_path / "m" / "parameters.safetensors"),
        load_file(tmp_path / "plain" / "parameters.safetensors"),
    )
    assert {name: part.shape for name, part in files[0].items()} == {
        name: part.shape for name, part in files[1].items()
    }
    assert contents(tmp_path / "m")["parameters.safetensors"] != contents(tmp_path / "plain")["parameters.safetensors"]


# Where a model can go


def test_places_to_save(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    check_save_target(tmp_path / "new")
    check_save_target(tmp_path / "empty")
    for name, message in (
        ("file", "there is a file of this name"),
        ("full", "holds something that is not a model"),
        ("none/m", "does not exist"),
    ):
        with pytest.raises(OutputError, match=message):
            check_save_target(tmp_path / name)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(OutputError, match="no permission to write in"):
        check_save_target(tmp_path / "new")


@pytest.mark.parametrize(
    "where", ["storage.directory.write_tensors", "storage.directory.described", "outputs.directories.put"]
)
@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=repr)
def test_a_failure_leaves_the_old_model(aligner, saved, monkeypatch, where, failure):
    before = contents(saved)

    def fail(*arguments, **options):
        raise failure

    monkeypatch.setattr(f"pralign.{where}", fail)
    expected = OutputError if isinstance(failure, OSError) else KeyboardInterrupt
    for target in (saved, saved.with_name("new")):
        with pytest.raises(expected):
            aligner.save(target)
    assert contents(saved) == before
    assert [path.name for path in saved.parent.iterdir()] == ["m"]


def test_the_message_of_a_failure_says_why(aligner, tmp_path, monkeypatch):
    def fail(*arguments, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pralign.storage.directory.write_tensors", fail)
    with pytest.raises(OutputError, match=r"/m: cannot save the model: No space left on device$"):
        aligner.save(tmp_path / "m")


def test_a_foreign_directory_with_a_manifest_is_not_replaced(aligner, tmp_path):
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "manifest.json").write_text('{"name": "My shop"}')
    (tmp_path / "shop" / "index.html").write_text("<h1>My shop</h1>")
    with pytest.raises(OutputError, match="not a model"):
        aligner.save(tmp_path / "shop")
    assert sorted(contents(tmp_path / "shop")) == ["index.html", "manifest.json"]


def test_half_a_character_survives_saving(tmp_path):
    Aligner(model="ibm1").fit([(["\ud800"], ["x"])]).save(tmp_path / "m")
    assert Aligner.load(tmp_path / "m").vocabularies_["source"].words == ["\ud800"]


def save_with(aligner, folder, **settings):
    """Save a model as it is, but for some settings."""
    model = aligner.model_
    tensors = model_tensors(model.lexicon.tensors(), model.lexicon.words, model.forward, model.reverse, {}, {})
    settings = model.recipe.as_saved(model.schedule, model.thresholds) | settings
    save_model(folder, tensors, (model.source, model.target), model.forward.name, settings)


def test_a_model_need_not_have_a_history(aligner, tmp_path):
    save_with(aligner, tmp_path / "m")
    assert load_model(tmp_path / "m").history == ()


# Saving while others read and save


def test_a_model_that_is_replaced_while_it_is_read_is_read_again(aligner, saved, tmp_path, monkeypatch):
    other = Aligner(model="ibm1").fit([("one two three", "un deux trois")])
    read_file, turns = directory.read_file, iter(range(4))

    def replace_first(path, *description):
        if next(turns, None) == 1:  # between the words of one side and those of the other
            other.save(saved)
        return read_file(path, *description)

    monkeypatch.setattr(directory, "read_file", replace_first)
    loaded = Aligner.load(saved)
    assert loaded.vocabularies_["source"].words == other.vocabularies_["source"].words
    assert loaded.vocabularies_["target"].words == other.vocabularies_["target"].words
    assert loaded.translations("one") == other.translations("one")


def test_each_file_of_a_model_is_opened_once(saved, monkeypatch):
    opened = []
    open_path = Path.open

    def note(self, *arguments, **options):
        opened.append(self.name)
        return open_path(self, *arguments, **options)

    monkeypatch.setattr(Path, "open", note)
    Aligner.load(saved)
    assert all(opened.count(name) == 1 for name in directory.FILES)


def test_a_manifest_without_files_is_no_model(saved):
    manifest = json.loads((saved / "manifest.json").read_text())
    del manifest["checksum"]
    for files in ({}, None, [], {"../secret": manifest["files"]["source.json"]}):
        changed = {**manifest, "files": files}
        text = json.dumps({**changed, "checksum": directory._checksum(changed)})
        (saved / "manifest.json").write_text(text)
        with pytest.raises(ModelError, match=r"manifest\.json: files.*changed or damaged; train it again"):
            Aligner.load(saved)
