"""The texts of experiments: parts in front, then training pairs."""

from __future__ import annotations

import pytest

from pralign.errors import InputError
from pralign.experiments.description import CorpusDescription
from pralign.experiments.texts import check_files, prepare_text

TEST = ["test.en", "test.fr", "test.gold"]
DEV = ["dev.en", "dev.fr", "dev.gold"]
TRAIN = ["train.en", "train.fr"]


def lines(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def described(**fields):
    return CorpusDescription(languages=("en", "fr"), **fields)


def test_parts_come_first_and_training_pairs_after_them(data, tmp_path):
    text = prepare_text("everyday", described(test=TEST, dev=DEV, train=TRAIN), 50, data, tmp_path / "texts")
    expected = [line.lower() for name in ("test", "dev", "train") for line in lines(data / f"{name}.en")]
    assert lines(text.source) == expected[:100]
    assert (text.source.name, text.target.name, text.pairs) == ("everyday-50.en", "everyday-50.fr", 100)
    assert [(part.name, part.start, len(part.pairs), len(part.golds)) for part in text.parts.values()] == [
        ("test", 0, 30, 30),
        ("dev", 30, 20, 20),
    ]
    assert text.looked_at[30] == (expected[30].split(), lines(data / "dev.fr")[0].lower().split())
    assert text.parts["dev"].cut(list(range(50))) == list(range(30, 50))


def test_texts_of_the_same_name_are_in_each_others_way_only_if_they_are_the_same(data, tmp_path):
    texts = [
        prepare_text("everyday", described(train=TRAIN, skip=skip, title=title), 10, data, tmp_path)
        for skip, title in ((0, "a"), (10, "b"), (0, "c"))
    ]
    assert texts[0].source == texts[2].source != texts[1].source
    assert [lines(text.source)[0] for text in texts] == [lines(data / "train.en")[k].lower() for k in (0, 10, 0)]


def test_frequencies_are_those_of_all_of_the_text(data, tmp_path):
    text = prepare_text("everyday", described(test=TEST, train=TRAIN), 10, data, tmp_path)
    words = [word for line in lines(text.source) for word in line.split()]
    assert text.frequencies[0] == {word: words.count(word) for word in words}


def test_some_pairs_are_left_out(data, tmp_path):
    text = prepare_text("everyday", described(train=TRAIN, skip=5, max_words=5), 40, data, tmp_path)
    pairs = list(zip(lines(data / "train.en"), lines(data / "train.fr"), strict=True))[5:45]
    kept = [pair for pair in pairs if all(len(side.split()) <= 5 for side in pair)]
    assert 0 < len(kept) < 40
    assert list(zip(lines(text.source), lines(text.target), strict=True)) == [(a.lower(), b.lower()) for a, b in kept]


def test_case_may_stay(data, tmp_path):
    text = prepare_text("everyday", described(train=TRAIN, lowercase=False), 3, data, tmp_path)
    assert lines(text.source) == lines(data / "train.en")[:3]


def test_treebanks(data, tmp_path):
    corpus = described(trees=["trees.en.conllu", "trees.fr.conllu"], train=TRAIN)
    text = prepare_text("trees", corpus, 2, data, tmp_path)
    assert text.looked_at == [
        (["anna", "berg", "reads"], ["lit", "anna", "berg"]),
        (["she", "sings"], ["elle", "chante"]),
    ]
    assert [len(side) for side in text.parts["trees"].trees] == [2, 2]


def test_the_digest_depends_on_text_and_gold(data, tmp_path):
    def digest(size=20, **fields):
        return prepare_text("c", described(**fields), size, data, tmp_path, write=False).digest

    assert digest(train=TRAIN) == digest(train=TRAIN)
    others = [digest(train=TRAIN), digest(21, train=TRAIN), digest(test=TEST[:2]), digest(test=TEST)]
    assert len(set(others)) == 4
    assert list(tmp_path.iterdir()) == []


def test_missing_files_are_named_with_the_place_to_get_them(data):
    corpus = described(train=["nothing.en", "nothing.fr"], about="From the archive.")
    with pytest.raises(
        InputError, match=r"no file .*nothing.en and 1 more; --data DIR names .*\. The data: From the archive"
    ):
        check_files("c", corpus, data)


def test_a_gold_has_to_fit(data, tmp_path):
    (tmp_path / "long.gold").write_text("0-0\n" * 31)
    (tmp_path / "wide.gold").write_text("0-90\n")
    for name, message in (("long", "31 alignments, but there are only 30 pairs"), ("wide", "wide.gold, line 1")):
        corpus = described(test=[*TEST[:2], str(tmp_path / f"{name}.gold")])
        with pytest.raises(InputError, match=message):
            prepare_text("c", corpus, None, data, tmp_path)


def test_a_text_without_pairs(data, tmp_path):
    with pytest.raises(InputError, match=r"corpora\.c: has no pairs"):
        prepare_text("c", described(train=TRAIN, skip=1000), None, data, tmp_path)
