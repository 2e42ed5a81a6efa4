from __future__ import annotations

import pytest

from cli.support import gold_lines, sample_lines

TREES = [
    (["Anna Berg reads", "she sings"], [("PROPN", 3), ("PROPN", 1), ("VERB", 0)], [("PRON", 2), ("VERB", 0)]),
    (["lit Anna Berg", "elle chante"], [("VERB", 0), ("PROPN", 1), ("PROPN", 2)], [("PRON", 2), ("VERB", 0)]),
]


def conllu(sentence, words):
    rows = [
        "\t".join([str(n), form, "_", tag, "_", "_", str(head), "dep", "_", "_"])
        for n, (form, (tag, head)) in enumerate(zip(sentence.split(), words, strict=True), start=1)
    ]
    return "\n".join(rows) + "\n\n"


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """A folder of data: pairs of the sample to test on, to develop on and to train on, and two small treebanks."""
    folder = tmp_path_factory.mktemp("data")
    gold = gold_lines(60)
    for name, start, count in (("test", 0, 30), ("dev", 30, 20), ("train", 60, 120)):
        for side, lines in zip(("en", "fr"), sample_lines(count, start), strict=True):
            (folder / f"{name}.{side}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        golds = gold[start : start + count] if name != "train" else []
        if golds:
            (folder / f"{name}.gold").write_text("".join(f"{line}\n" for line in golds), encoding="utf-8")
    for side, (sentences, *words) in zip(("en", "fr"), TREES, strict=True):
        text = "".join(conllu(sentence, each) for sentence, each in zip(sentences, words, strict=True))
        (folder / f"trees.{side}.conllu").write_text(text, encoding="utf-8")
    return folder


CORPUS = """
[corpora.everyday]
title = "Everyday"
languages = ["en", "fr"]
about = "It comes with the program."
test = ["test.en", "test.fr", "test.gold"]
dev = ["dev.en", "dev.fr", "dev.gold"]
train = ["train.en", "train.fr"]
"""


@pytest.fixture
def write(tmp_path):
    """Write a file of an experiment."""

    def written(content, corpus=CORPUS, name="study.toml"):
        path = tmp_path / name
        path.write_text(corpus + content, encoding="utf-8")
        return path

    return written
