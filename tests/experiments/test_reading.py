"""Experiments are read from files, and what is wrong with one is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.conftest import CORPUS
from pralign.errors import InputError
from pralign.experiments import read_experiment

FILES = sorted((Path(__file__).parents[2] / "benchmarks" / "experiments").glob("*.toml"))
SYSTEM = '[systems.hmm]\nmodel = "hmm"\n'


def test_all_that_a_file_says(write):
    text = """
    [systems.s-hmm]
    title = "S-HMM"
    model = "hmm"
    constraint = "symmetric"
    stop = "dev"
    [systems.theirs]
    files = {forward = "f-{pairs}", reverse = "r"}
    symmetrize = "intersection"
    [systems.learned]
    labels = {learn = "dev", model = "s-hmm", features = ["dice", "posteriors"]}
    [[tables]]
    kind = "scores"
    against = "theirs"
    """
    read = read_experiment(write(text))
    assert (read.name, list(read.corpora), list(read.systems)) == (
        "study",
        ["everyday"],
        ["s-hmm", "theirs", "learned"],
    )
    ours, theirs, learned = read.systems.values()
    assert (ours.shown, ours.settings, ours.stop) == ("S-HMM", {"model": "hmm", "constraint": "symmetric"}, "dev")
    assert (theirs.files, theirs.symmetrize) == ({"forward": "f-{pairs}", "reverse": "r"}, "intersection")
    assert (learned.labels.learn, learned.labels.model, learned.labels.folds) == ("dev", "s-hmm", 5)
    assert read.tables[0].mentioned == ["theirs"]


def test_symmetrize_is_a_setting_of_models(write):
    [system] = read_experiment(write('[systems.a]\nmodel = "ibm1"\nsymmetrize = "union"\n')).systems.values()
    assert system.settings == {"model": "ibm1", "symmetrize": "union"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[systems.hmm]\nmodle = 'hmm'\n", "systems.hmm: there is no 'modle'; did you mean model?"),
        (SYSTEM + "[[tables]]\ntitle = 'x'\n", "tables, number 1: says nothing of its kind; kinds are scores"),
        (SYSTEM + "[[tables]]\nkind = 'score'\n", "there is no kind of table 'score'; there are "),
        (SYSTEM + "[[tables]]\nkind = 'scores'\nsystems = ['hm']\n", "no system 'hm'; did you mean hmm?"),
        (SYSTEM + "[[tables]]\nkind = 'scores'\nagainst = 'b'\n", "tables, number 1: there is no system 'b'"),
        (SYSTEM + "[[tables]]\nkind = 'scores'\ncorpora = ['x']\n", "no corpus 'x'; there are everyday"),
        (
            SYSTEM + "[[tables]]\nkind = 'scores'\nsamples = 0\n",
            "samples is 0, which is not a whole number of at least",
        ),
        (SYSTEM + "[[tables]]\nkind = 'at-recall'\n", "says nothing of reference, which is needed"),
        (SYSTEM + "[[tables]]\nkind = 'scores'\n[[tables.published]]\naerr = 3\n", "no 'aerr'; did you mean aer?"),
        (
            SYSTEM + "[[tables]]\nkind = 'program'\nprogram = ['x', '{output}']\nfigures = [{key = 'pairs'}]\n",
            "a figure has a key of its own; pairs says which row it is",
        ),
        ("[systems.a]\nfiles = {link = 'x'}\n", "names links, or forward and reverse, not link"),
        ("[systems.a]\nfiles = {links = 'x'}\nmodel = 'hmm'\n", "is one of settings, files, program and labels"),
        ("[systems.a]\nlabels = {model = 'b'}\n", "systems.a.labels: there is no system 'b'"),
        ("[systems.a]\nlabels = {folds = 1}\n", "folds is 1, which is not a whole number of at least 2"),
        ("[systems.'a/b']\nmodel = 'hmm'\n", "names of corpora and systems are made of letters"),
        ("[systems.a]\nmodel = 'hmm'\nstop = 'never'\n", "stop is 'never', which is not 'dev' or 'iterations'"),
        ("[systems.a]\nlabels = {learn = 'dev', validation = 'dev', model = 'b'}\n", "cannot say when to stop"),
        ("[systems.a]\nlabels = {learn = 'dev'}\n", "the feature posteriors needs a model"),
        (SYSTEM + "[systems.a]\nlabels = {model = 'f'}\n[systems.f]\nfiles = {links = 'x'}\n", "f has no model that"),
        (
            "[systems.a]\nlabels = {predictions = ['b'], features = ['dice'], learner = 'perceptron'}\n"
            "[systems.b]\nmodel = 'hmm'\ncorpora = ['other']\n[corpora.other]\ntrain = ['a', 'b']\n",
            "b does not align everyday",
        ),
        ("[systems.a]\nmodel = 'hmm'\ntokenize = 'unicode'\n", "tokenize is no setting of a system here"),
        ("[systems.a]\nfiles = {links = 'x'}\nformat = 'nonsense'\n", "nonsense"),
        ("[systems.a]\nfiles = {forward = 'x', reverse = 'y'}\nsymmetrize = 'nonsense'\n", "nonsense"),
        (f"[systems.{'a' * 101}]\nmodel = 'hmm'\n", "at most 100 of them"),
        (SYSTEM + "[[tables]]\nkind = 'scores'\nthreshold = 7\n", "threshold is 7"),
        (SYSTEM + "[[tables]]\nkind = 'scores'\nlike = 'hmm'\nthreshold = 0.5\n", "like or threshold; leave one"),
        (SYSTEM + "[[tables]]\nkind = 'scores'\nchart = 'nonsense'\n", "chart: there is no column 'nonsense'"),
        (SYSTEM + "[[tables]]\nkind = 'scores'\nparts = ['tset']\n", "no part 'tset'; did you mean test?"),
        (SYSTEM + "[[tables]]\nkind = 'scores'\npairs = [7]\n", "no number of training pairs '7'; there are all"),
        (SYSTEM + "[[tables]]\nkind = 'scores'\n[[tables.published]]\naer = '7.8'\n", "aer is '7.8', which is not a"),
        (SYSTEM + "[[tables]]\nkind = 'curves'\nrecalls = [2.0]\n", "recalls"),
        (SYSTEM + "[[tables]]\nkind = 'lengths'\nedges = [30, 10]\n", "each larger than the one before"),
        (SYSTEM + "[[tables]]\nkind = 'across'\nagainst = 'hmm'\n", "a table across corpora has no against"),
        (
            SYSTEM + "[systems.a]\nlabels = {model = 'hmm'}\n[[tables]]\nkind = 'gaps'\n",
            "needs links of all pairs, but a learns from labels",
        ),
        (
            SYSTEM + "[systems.a]\nmodel = 'ibm1'\ncorpora = ['other']\n[corpora.other]\ntrain = ['a', 'b']\n"
            "[[tables]]\nkind = 'scores'\nagainst = 'a'\n",
            "compares with a, which does not align everyday",
        ),
        (
            SYSTEM + "[corpora.other]\ntest = ['a', 'b', 'c']\n[[tables]]\nkind = 'scores'\nthreshold = 'tuned'\n",
            "needs labelled pairs, but a corpus has no gold of dev",
        ),
        (
            SYSTEM + "[[tables]]\nkind = 'program'\nprogram = ['x', '{output}']\nfigures = [{key = ['x']}]\n",
            "figures is a list of tables",
        ),
        ("x = [\n", "is no TOML"),
    ],
)
def test_what_is_wrong_is_said(write, content, message):
    path = write(content)
    with pytest.raises(InputError, match=r"study\.toml: ") as caught:
        read_experiment(path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        ("[corpora.c]\ntitle = 'x'\n", "corpora.c: has no files"),
        ("[corpora.c]\ntest = ['x']\n", "corpora.c.test: names source and target, and perhaps gold"),
        ("[corpora.c]\ntrain = ['a', 'b', 'c']\n", "corpora.c.train: names source and target"),
        ("[corpora.c]\ntrain = ['a', 'b']\npairs = 0\n", "corpora.c.pairs is 0"),
        ("[corpora.c]\ntrain = ['a', 'b']\npairs = []\n", "corpora.c.pairs: is an empty list"),
        ("[corpora.c]\ntrain = ['a', 'b']\nlanguages = ['en/us', 'fr']\n", "'en/us' is no code of a language"),
        ("[corpora.c]\ntrian = ['a', 'b']\n", "corpora.c: there is no 'trian'; did you mean train?"),
        ("", "an experiment has at least one corpus"),
    ],
)
def test_what_is_wrong_with_a_corpus(write, corpus, message):
    with pytest.raises(InputError, match=r"study\.toml: ") as caught:
        read_experiment(write(SYSTEM, corpus))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ("systems = 3", "systems is 3; write tables, such as [systems.NAME]"),
        ("tables = 3", "tables is 3; write a list of tables, [[tables]]"),
        ("alignments = 'some'", "alignments is 'some'; it is one of labelled, all, none"),
        ("titel = 'x'", "an experiment: there is no 'titel'; did you mean title?"),
        ("title = 3", "title is 3, which is not text"),
    ],
)
def test_what_is_wrong_at_the_top(write, first, message):
    rest = "" if first.startswith("systems") else SYSTEM
    with pytest.raises(InputError) as caught:
        read_experiment(write(CORPUS + rest, f"{first}\n"))
    assert message in str(caught.value)


def test_labels_have_to_be_there(write):
    corpus = "[corpora.c]\ntitle = 'C'\ntest = ['a', 'b']\ntrain = ['a', 'b']\n"
    with pytest.raises(InputError, match=r"systems\.a: needs labelled pairs, but C has no gold of test"):
        read_experiment(
            write("[systems.a]\nlabels = {learn = 'test', features = ['dice'], learner = 'perceptron'}\n", corpus)
        )
    with pytest.raises(InputError, match=r"systems\.a: needs labelled pairs, but C has no gold of dev"):
        read_experiment(write("[systems.a]\nmodel = 'hmm'\nstop = 'dev'\n", corpus))


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match=r"none\.toml"):
        read_experiment(tmp_path / "none.toml")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_experiments_of_the_papers_can_be_read(path):
    read = read_experiment(path)
    assert read.title
    assert read.about.strip()
    assert read.tables
    assert all(corpus.about for corpus in read.corpora.values()), "each says where its data is to be had"
    assert all(system.title for system in read.systems.values())


def test_every_paper_has_its_experiments():
    assert {path.stem[:3] for path in FILES} >= {"000", "001", "002"}
    published = [row for path in FILES for table in read_experiment(path).tables for row in table.published]
    assert len(published) > 50
