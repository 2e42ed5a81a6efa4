"""Corpora as they come, tokenisers and units, on the command line."""

from __future__ import annotations

import json

import pytest

PAIRS = [
    ("The house.", "La maison."),
    ("The cat.", "Le chat."),
    ("A house.", "Une maison."),
    ("A cat.", "Un chat."),
    ("The red house.", "La maison rouge."),
]


@pytest.fixture
def corpora(work):
    """The same pairs as files of all kinds."""
    import pyarrow
    from pyarrow import parquet

    work.write("s", [source for source, _ in PAIRS])
    work.write("t", [target for _, target in PAIRS])
    work.write("p.jsonl", [json.dumps({"id": f"n{k}", "en": en, "fr": fr}) for k, (en, fr) in enumerate(PAIRS)])
    work.write("p.csv", ["number,fr,en", *(f'{k},"{fr}","{en}"' for k, (en, fr) in enumerate(PAIRS))])
    units = (f"<tu>{variant('en-GB', en)}{variant('fr', fr)}</tu>" for en, fr in PAIRS)
    work.write("p.tmx", f"<tmx><body>{''.join(units)}</body></tmx>")
    segments = (f"<segment><source>{en}</source><target>{fr}</target></segment>" for en, fr in PAIRS)
    work.write("p.xliff", f"<xliff version='2.0'><file><unit>{''.join(segments)}</unit></file></xliff>")
    table = pyarrow.table({"en": [en for en, _ in PAIRS], "fr": [fr for _, fr in PAIRS], "kept": range(len(PAIRS))})
    parquet.write_table(table, work.folder / "p.parquet")
    return work


def variant(language, text):
    return f'<tuv xml:lang="{language}"><seg>{text}</seg></tuv>'


@pytest.mark.parametrize(
    "arguments",
    [
        ["p.jsonl", "--columns", "en,fr"],
        ["p.csv", "--columns", "en,fr"],
        ["p.csv", "--columns", "3,2", "--header"],
        ["p.tmx", "--columns", "en,fr"],
        ["p.tmx"],
        ["p.xliff"],
        ["p.parquet", "--columns", "en,fr"],
        ["p.parquet"],
    ],
    ids=" ".join,
)
def test_all_kinds_of_files_hold_the_same_pairs(corpora, arguments):
    assert corpora.align(*arguments, "-q") == corpora.align("s", "t", "-q")


def test_standard_input_of_a_kind(corpora):
    found = corpora.align("-", "--layout", "jsonl", "--columns", "en,fr", "-q", stdin=corpora.read("p.jsonl"))
    assert found == corpora.align("s", "t", "-q")


def test_what_else_a_file_has_travels_along(corpora):
    first = json.loads(corpora.align("p.jsonl", "--columns", "en,fr", "--format", "jsonl", "-q")[0])
    assert first["extras"] == {"id": "n0"}
    assert (first["id"], first["source"]) == (0, ["The", "house."])
    from pyarrow import parquet

    corpora.ok("align", "p.parquet", "-q", "-o", "out.parquet")
    table = parquet.read_table(corpora.folder / "out.parquet")
    assert table.column_names == ["en", "fr", "kept", "alignment"]
    assert table["kept"].to_pylist() == list(range(len(PAIRS)))
    links = table["alignment"].to_pylist()[0]["links"]
    assert [(link["source"], link["target"]) for link in links] == [(0, 0), (1, 1)]
    assert all(0 < link["probability"] <= 1 for link in links)


def test_text_is_cut_into_words_and_links_are_over_any_units(corpora):
    tokens = corpora.align("s", "t", "--tokenize", "unicode", "-q")
    assert tokens[0] == "0-0 1-1 2-2"
    assert corpora.align("s", "t", "--tokenize", "unicode", "--units", "words", "-q")[0] == "0-0 1-1"
    characters = corpora.align("s", "t", "--tokenize", "unicode", "--units", "characters", "-q")[0].split()
    assert {"0-0", "2-1", "4-3", "8-8", "9-9"} <= set(characters)
    assert "3-2" not in characters
    directions = ["--forward", "f", "--units", "words", "--tokenize", "unicode"]
    corpora.ok("align", "s", "t", *directions, "-o", "out", "-q")
    assert all(max(map(int, link.split("-"))) < 3 for line in corpora.lines("f") for link in line.split())


def test_pieces_of_words(corpora):
    import sentencepiece

    texts = [side for pair in PAIRS for side in pair]
    options = {"vocab_size": 40, "hard_vocab_limit": False, "minloglevel": 2}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts), model_prefix=str(corpora.folder / "m"), **options
    )
    model = sentencepiece.SentencePieceProcessor(model_file=str(corpora.folder / "m.model"))
    units = ["--tokenize", "unicode", "--units", "pieces", "--pieces", "m.model", "m.model"]
    for (source, target), line in zip(PAIRS, corpora.align("s", "t", *units, "-q"), strict=True):
        lengths = len(model.encode(source)), len(model.encode(target))
        links = [tuple(map(int, link.split("-"))) for link in line.split()]
        assert links
        assert all(i < lengths[0] and j < lengths[1] for i, j in links)


def test_a_model_remembers_how_text_is_cut(corpora):
    corpora.ok("train", "s", "t", "--tokenize", "unicode", "--save", "m", "-q")
    again = corpora.align("s", "t", "--load", "m", "--no-adapt", "-q")
    assert again == corpora.align("s", "t", "--tokenize", "unicode", "-q")
    assert "m was trained with --tokenize unicode, not spaces" in corpora.fails(
        "align", "s", "t", "--load", "m", "--tokenize", "spaces", code=2
    )


def test_labelled_pairs_are_cut_likewise(corpora):
    corpora.write("g", ["0-0 1-1 2-2"] * 4 + ["0-0 1-2 2-1 3-3"])
    corpora.ok("align", "s", "t", "--tokenize", "unicode", "--dev", "s", "t", "g", "-o", "out", "-q")
    corpora.ok("match", "fit", "s", "t", "--tokenize", "unicode", "--labelled", "s", "t", "g", "--save", "m", "-q")
    found = corpora.ok("match", "align", "s", "t", "--load", "m", "-q").out.splitlines()
    assert all(line.endswith(("2-2", "3-3")) for line in found)
    assert "lies outside" in corpora.fails("align", "s", "t", "--dev", "s", "t", "g", "-q")


def test_commands_with_links_cut_text_too(corpora):
    corpora.ok("align", "s", "t", "--tokenize", "unicode", "-o", "l", "-q")
    assert "house\tmaison\t" in corpora.ok("lexicon", "s", "t", "l", "--tokenize", "unicode", "-q").out
    assert "house ||| maison ||| " in corpora.ok("phrases", "s", "t", "l", "--tokenize", "unicode", "-q").out
    assert "maison" in corpora.ok("show", "p.jsonl", "l", "--columns", "en,fr", "--tokenize", "unicode").out
    assert "lies outside" in corpora.fails("lexicon", "s", "t", "l")


WRONG = [
    (["p.jsonl", "--columns", "en,de"], 1, "p.jsonl, line 1: there is no field 'de'"),
    (["p.csv", "--columns", "en,de"], 2, "p.csv has no column 'de'"),
    (["p.parquet", "--columns", "en,de"], 2, "p.parquet: there is no column 'de'"),
    (["p.tmx", "--columns", "en,de"], 2, "p.tmx has no text in 'de'"),
    (["p.xliff", "--columns", "en,fr"], 2, "columns cannot be chosen in a xliff file"),
    (["s", "t", "--columns", "en,fr"], 2, "there are two files"),
    (["p.jsonl", "--columns", "en"], 2, "columns are two names"),
    (["s", "t", "--tokenize", "words"], 2, "words"),
    (["s", "t", "--units", "letters"], 2, "units are tokens, words, characters, pieces"),
    (["s", "t", "--units", "pieces"], 2, "--pieces MODEL MODEL"),
    (["s", "t", "--pieces", "s", "t"], 2, "--pieces is for --units pieces"),
    (["s", "t", "--units", "pieces", "--pieces", "s", "t"], 1, "s: "),
    (["s", "t", "--units", "words", "--nbest", "2"], 2, "leave out --units"),
    (["s", "t", "--units", "words", "--format", "giza"], 2, "the giza format holds words"),
    (["s", "t", "--format", "parquet"], 2, "say -o OUT.parquet"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), WRONG, ids=range(len(WRONG)))
def test_what_cannot_be(corpora, arguments, code, message):
    assert message in corpora.fails("align", *arguments, "-q", code=code)
