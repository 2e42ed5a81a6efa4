"""Saved models, bit by bit."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from pralign import Aligner, Bitext, sample
from pralign.errors import ModelError
from pralign.runs.resources import Resources
from pralign.storage.directory import _checksum
from pralign.text.cutting import ShardSizes

pytestmark = pytest.mark.slow

SENTENCES = list(Bitext.read(sample.SOURCE, sample.TARGET))
LONG = ("a " * 250, "b " * 250)
PAIRS = [*SENTENCES[:50], ("", "rien"), LONG, *SENTENCES[10:20], ("x", ""), ("Anna", "Anna")]
UNSEEN = [*SENTENCES[60:90], ("Zorro the unseen", "Zorro l' inconnu"), ("", "")]
ITERATIONS = {"ibm1": "ibm1=3", "ibm2": "ibm1=2,ibm2=2", "hmm": "ibm1=2,hmm=2", "fhmm": "ibm1=2,fhmm=2"}
FILES = ["manifest.json", "parameters.safetensors", "source.json", "target.json"]


def made(model: str = "fhmm", estimator: str = "collapsed", **more) -> Aligner:
    return Aligner(model=model, iterations=ITERATIONS[model], estimator=estimator, threads=2, **more)


def answers(decoded) -> list:
    return [(answer.alignment, repr(answer.score), answer.forward, answer.reverse) for answer in decoded]


def content(directory: Path) -> dict[str, bytes]:
    assert sorted(path.name for path in directory.iterdir()) == FILES
    return {path.name: path.read_bytes() for path in directory.iterdir()}


@pytest.mark.parametrize("estimator", ["em", "vb", "collapsed"])
@pytest.mark.parametrize("model", ["ibm2", "hmm", "fhmm"])
class TestEveryModel:
    def test_a_saved_model_answers_as_the_run_that_trained_it(self, model, estimator, tmp_path):
        aligner = made(model, estimator)
        expected = answers(aligner.fit_decode(PAIRS, directions=True))
        in_memory = answers(aligner.decode_pairs(PAIRS, directions=True))
        aligner.save(tmp_path / "m")
        loaded = Aligner.load(tmp_path / "m", threads=1)
        assert answers(loaded.decode_pairs(PAIRS, directions=True)) == expected == in_memory
        assert loaded.signature == aligner.signature
        assert loaded.history_ == aligner.history_
        assert answers(loaded.decode_pairs(UNSEEN)) == answers(aligner.decode_pairs(UNSEEN))

    def test_a_run_saves_the_same_bytes_as_its_model_and_as_that_loaded_again(self, model, estimator, tmp_path):
        aligner = made(model, estimator).fit(PAIRS)
        aligner.save(tmp_path / "run")
        assert aligner._model is None
        aligner.model_.save(tmp_path / "model")
        Aligner.load(tmp_path / "run").save(tmp_path / "again")
        assert content(tmp_path / "run") == content(tmp_path / "model") == content(tmp_path / "again")

    def test_a_compact_model_aligns_new_text_alike(self, model, estimator, tmp_path):
        aligner = made(model, estimator).fit(PAIRS)
        aligner.save(tmp_path / "compact", compact=True)
        aligner.save(tmp_path / "whole")
        aligner.model_.save(tmp_path / "model", compact=True)
        assert content(tmp_path / "compact") == content(tmp_path / "model")
        compact, whole = Aligner.load(tmp_path / "compact"), Aligner.load(tmp_path / "whole")
        assert compact.model_.training_pairs is None
        assert (whole.model_.training_pairs is not None) == (estimator == "collapsed")
        assert answers(compact.decode_pairs(UNSEEN, directions=True)) == answers(
            whole.decode_pairs(UNSEEN, directions=True)
        )
        sizes = [(tmp_path / name / "parameters.safetensors").stat().st_size for name in ("compact", "whole")]
        assert sizes[0] < sizes[1] if estimator == "collapsed" else sizes[0] == sizes[1]


@pytest.mark.parametrize("model", ["ibm1", "ibm2", "hmm", "fhmm"])
def test_other_text_is_aligned_alike_in_whatever_company(model):
    aligner = made(model).fit(PAIRS)
    alone = answers(aligner.decode_pairs(UNSEEN, directions=True))
    beside = answers(aligner.decode_pairs([*UNSEEN, *PAIRS[:3]], directions=True))
    one_by_one = [answer for pair in UNSEEN for answer in answers(aligner.decode_pairs([pair], directions=True))]
    assert beside[: len(alone)] == alone == one_by_one
    assert beside[len(alone) :] == answers(aligner.decode_pairs(PAIRS[:3], directions=True))


class TestOneModel:
    @pytest.mark.parametrize("compact", [False, True])
    def test_how_the_text_was_cut_leaves_no_trace(self, tmp_path, monkeypatch, compact):
        made().fit(PAIRS).save(tmp_path / "whole", compact)
        monkeypatch.setattr(Resources, "sizes", lambda *_: ShardSizes(shard=500, piece=700))
        monkeypatch.setattr(Resources, "chunk", (200, 200))
        monkeypatch.setattr(Resources, "kept", 0)
        aligner = made(scratch=tmp_path).fit(PAIRS)
        aligner.save(tmp_path / "cut", compact)
        aligner.close()
        assert content(tmp_path / "cut") == content(tmp_path / "whole")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["cut", "whole"]

    def test_labelled_pairs_and_tuning_are_saved(self, tmp_path):
        labelled = [
            (*pair, alignment) for pair, alignment in zip(PAIRS, made("hmm").fit_align(PAIRS[:20]), strict=False)
        ]
        aligner = made("hmm", constraint="bijective")
        expected = answers(aligner.fit_decode(PAIRS, labelled=labelled))
        aligner.save(tmp_path / "run")
        aligner.model_.save(tmp_path / "model")
        assert content(tmp_path / "run") == content(tmp_path / "model")
        assert answers(Aligner.load(tmp_path / "run").decode_pairs(PAIRS)) == expected

    def test_saving_twice_replaces_what_was_there(self, tmp_path):
        aligner = made("ibm2").fit(PAIRS)
        aligner.save(tmp_path / "m")
        before = content(tmp_path / "m")
        made("hmm").fit(UNSEEN).save(tmp_path / "m")
        assert content(tmp_path / "m") != before
        aligner.save(tmp_path / "m")
        assert content(tmp_path / "m") == before
        assert [path.name for path in tmp_path.iterdir()] == ["m"]

    @pytest.mark.skipif(os.name != "posix", reason="there are no modes of files")
    @pytest.mark.parametrize(
        "mask, file, directory", [(0o022, 0o644, 0o755), (0o077, 0o600, 0o700), (0o002, 0o664, 0o775)]
    )
    @pytest.mark.parametrize("from_run", [True, False])
    def test_modes_follow_the_umask(self, tmp_path, mask, file, directory, from_run):
        aligner = made("ibm2").fit(PAIRS)
        before = os.umask(mask)
        try:
            (aligner if from_run else aligner.model_).save(tmp_path / "m")
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / "m").stat().st_mode) == directory
        assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "m").iterdir()} == {file}


@pytest.fixture
def saved(tmp_path):
    made("ibm2").fit(PAIRS).save(tmp_path / "m")
    return tmp_path / "m"


def change_manifest(directory: Path, **changes) -> None:
    manifest = json.loads((directory / "manifest.json").read_text())
    manifest |= changes
    manifest.pop("checksum")
    manifest["checksum"] = _checksum(manifest)
    (directory / "manifest.json").write_text(json.dumps(manifest))


class TestUnusableModels:
    @pytest.mark.parametrize("version", [1, 3, 99, None, "5"])
    def test_another_format_version_is_refused(self, saved, version):
        change_manifest(saved, format_version=version, pralign_version="0.0.7")
        expected = f"m: the model is in format version {version}, saved by pralign 0.0.7; this is pralign "
        with pytest.raises(ModelError, match=expected) as caught:
            Aligner.load(saved)
        assert str(caught.value).endswith("which reads version 5; train it again")

    @pytest.mark.parametrize("name", FILES)
    def test_a_file_that_cannot_be_read_is_told(self, saved, name, monkeypatch):
        opened = Path.open

        def refuse(path, *arguments, **options):
            if path.name == name:
                raise PermissionError(13, "Permission denied", str(path))
            return opened(path, *arguments, **options)

        monkeypatch.setattr(Path, "open", refuse)
        with pytest.raises(ModelError, match=f"{name}:? cannot be read: Permission denied"):
            Aligner.load(saved)

    @pytest.mark.parametrize("harm", ["empty", "short", "garbage", "changed"])
    def test_parameters_that_were_damaged_are_told(self, saved, harm):
        path = saved / "parameters.safetensors"
        whole = path.read_bytes()
        changed = whole[:-1] + bytes([whole[-1] ^ 1])
        path.write_bytes({"empty": b"", "short": whole[:-1], "garbage": b"\x07" * len(whole), "changed": changed}[harm])
        with pytest.raises(ModelError, match=r"parameters\.safetensors is damaged: it is not the file that was saved"):
            Aligner.load(saved)

    @pytest.mark.parametrize("harm", ["empty", "short", "garbage"])
    def test_parameters_that_were_saved_damaged_cannot_be_read(self, saved, harm):
        import hashlib

        path = saved / "parameters.safetensors"
        whole = path.read_bytes()
        path.write_bytes({"empty": b"", "short": whole[:-1], "garbage": b"\x07" * len(whole)}[harm])
        files = json.loads((saved / "manifest.json").read_text())["files"]
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        change_manifest(saved, files={**files, path.name: {"bytes": path.stat().st_size, "sha256": digest}})
        with pytest.raises(ModelError, match=r"m: parameters\.safetensors cannot be read: "):
            Aligner.load(saved)

    @pytest.mark.parametrize("name", FILES)
    def test_a_file_that_is_missing_is_told(self, saved, name):
        (saved / name).unlink()
        with pytest.raises(ModelError, match=f"{name} is missing"):
            Aligner.load(saved)
