"""Runs of experiments: what is done, what is kept, and that the same comes out whenever a run is ended."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

from experiments.conftest import CORPUS
from pralign.aligner import Aligner
from pralign.errors import InputError
from pralign.experiments import ExperimentResults, ExperimentRun, Resources, outline, read_experiment
from pralign.experiments.training import Journal, training_settings
from pralign.links.formats import read_alignments
from pralign.links.symmetrization import symmetrize

pytestmark = pytest.mark.slow

MODELS = """
[systems.one]
title = "IBM 1"
model = "ibm1"
iterations = "ibm1=2"

[systems.one-high]
title = "IBM 1, high"
model = "ibm1"
iterations = "ibm1=2"
threshold = 0.9

[systems.paths]
title = "IBM 1, best paths"
model = "ibm1"
iterations = "ibm1=2"
decode = "viterbi"
symmetrize = "intersection"
"""
TABLES = """
[[tables]]
kind = "scores"
title = "Scores"
against = "one"
samples = 50

[[tables]]
kind = "curves"
parts = ["dev"]
"""
METHODS = ("posterior", "viterbi", "itg", "matching")
COPY = "import sys; open(sys.argv[3], 'w').write('0-0\\n' * len(open(sys.argv[1]).readlines()))"


def prepared(path, data, folder, **options):
    return ExperimentRun(read_experiment(path), data, folder, resources=Resources(threads=1), **options)


def done(path, data, folder, **options):
    """Run an experiment, and write its results beside what it has kept."""
    run, said = prepared(path, data, folder, **options), []
    run.check()
    run.run(said.append)
    ExperimentResults(run).write(folder / run.experiment.name)
    return run, said


def files_of(folder):
    """The files of results, without those that hold times."""
    found = [path for path in folder.rglob("*") if path.is_file() and path.name != "times.json"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_what_comes_out(write, data, tmp_path):
    run, said = done(write(MODELS + TABLES), data, tmp_path / "out")
    assert said == ["everyday-all: IBM 1, IBM 1, high, IBM 1, best paths"]  # trained once for all three
    files = files_of(tmp_path / "out" / "study")
    names = {"tables.md", "results.json", "report.html", "pairs-everyday-all.html"}
    names |= {f"alignments/everyday-all-{system}.txt" for system in ("one", "one-high", "paths")}
    views = ("forward", "reverse", "soft-union")
    assert set(files) == names | {f"figures/table-2-everyday-all-dev-{view}.svg" for view in views}
    [text] = run.texts
    aligner = Aligner(model="ibm1", iterations="ibm1=2", threads=1).fit(text.bitext)
    expected = [aligner.align_pair(*pair).links for pair in text.looked_at]
    kept = list(read_alignments(tmp_path / "out" / "study" / "alignments" / "everyday-all-one.txt"))
    assert [each.links for each in kept] == expected
    results = json.loads(files["results.json"])
    [row] = [row for row in results["tables"][0]["rows"] if row["system"] == "IBM 1, high" and row["part"] == "dev"]
    high = aligner.set_params(threshold=None).model_.with_settings(threshold=0.9)
    found = [high.align_pair(*pair) for pair in text.parts["dev"].pairs]
    assert row["links"] == sum(map(len, found))
    assert "model:ibm1" in results["signatures"]["everyday-all, one"]


def test_a_second_run_does_nothing_and_says_the_same(write, data, tmp_path):
    path = write(MODELS + TABLES)
    done(path, data, tmp_path / "out")
    before = files_of(tmp_path / "out" / "study")
    _, said = done(path, data, tmp_path / "out")
    assert said == []
    assert files_of(tmp_path / "out" / "study") == before


def test_what_changes_is_done_anew_and_nothing_else(write, data, tmp_path):
    done(write(MODELS), data, tmp_path / "out")
    changed = MODELS.replace("threshold = 0.9", "threshold = 0.8") + '[systems.new]\nmodel = "ibm1"\n'
    _, said = done(write(changed), data, tmp_path / "out")
    assert said == ["everyday-all: IBM 1, high", "everyday-all: new"]


def test_experiments_in_a_folder_share_what_they_have_in_common(write, data, tmp_path):
    done(write(MODELS), data, tmp_path / "out")
    _, said = done(write(MODELS, name="other.toml"), data, tmp_path / "out")
    assert said == []


def test_links_of_others(write, data, tmp_path):
    first, _ = done(write(MODELS), data, tmp_path / "out")
    paths = first.answers(first.texts[0])["paths"].paths
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    for name in ("forward", "reverse"):
        (theirs / f"{name}-all").write_text("".join(f"{each}\n" for each in paths[name]))
    both = f"{{forward = '{theirs}/forward-{{pairs}}', reverse = '{theirs}/reverse-{{pairs}}'}}"
    system = f'[systems.theirs]\nfiles = {both}\nsymmetrize = "union"\n'
    run, _ = done(write(system), data, tmp_path / "out")
    found = run.answers(run.texts[0])["theirs"]
    combined = [symmetrize(a, b, "union") for a, b in zip(paths["forward"], paths["reverse"], strict=True)]
    assert [each.links for each in found.links] == [each.links for each in combined]
    (theirs / "forward-all").write_text("0-0\n")
    with pytest.raises(InputError, match=r"forward-all: has 1 alignments, but the pairs that are looked at are 50"):
        done(write(system), data, tmp_path / "out")


def test_a_program(write, data, tmp_path):
    words = json.dumps(["{python}", "-c", COPY, "{source}", "{target}", "{links}"])
    path = write(f"[systems.p]\nprogram = {words}\n", f"alignments = 'all'\n{CORPUS}")
    run, _ = done(path, data, tmp_path)
    assert [each.links for each in run.answers(run.texts[0])["p"].links] == [((0, 0),)] * 50
    assert (tmp_path / "study" / "alignments" / "everyday-all-p.txt").read_text() == "0-0\n" * 170


def test_a_program_runs_once_for_systems_that_differ_in_how_directions_become_one(write, data, tmp_path):
    code = "import sys; [open(f, 'w').write(t * 170) for f, t in zip(sys.argv[1:3], ('0-0 0-1\\n', '0-0 1-0\\n'))]"
    words = json.dumps(
        [
            "{python}",
            "-c",
            code + "; open(sys.argv[3], 'a').write('x')",
            "{forward}",
            "{reverse}",
            str(tmp_path / "log"),
        ]
    )
    systems = "".join(f"[systems.{s}]\nprogram = {words}\nsymmetrize = '{s}'\n" for s in ("union", "intersection"))
    run, _ = done(write(systems), data, tmp_path)
    answers = run.answers(run.texts[0])
    assert answers["union"].links[0].links == ((0, 0), (0, 1), (1, 0))
    assert answers["intersection"].links[0].links == ((0, 0),)
    assert answers["union"].view("reverse")[3].links == ((0, 0), (1, 0))
    assert (tmp_path / "log").read_text() == "x"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["{python}", "-c", "exit('no luck')", "{links}"], "failed with exit code 1; it said 'no luck'"),
        (["{python}", "-c", "pass", "{links}"], "the program has written no links; say {links} where it should"),
        (["no-such-aligner", "{links}"], "there is no program no-such-aligner; install it, or say optional = true"),
    ],
)
def test_programs_that_fail(write, data, tmp_path, words, message):
    with pytest.raises(InputError, match=r"systems\.p: ") as caught:
        done(write(f"[systems.p]\nprogram = {json.dumps(words)}\n"), data, tmp_path)
    assert message in str(caught.value)


def test_a_program_that_is_not_there_may_be_left_out(write, data, tmp_path):
    optional = '[systems.p]\nprogram = ["no-such-aligner", "{links}"]\noptional = true\n'
    run, said = done(write(MODELS + optional), data, tmp_path)
    assert "p" not in run.answers(run.texts[0])
    assert len(said) == 1


def test_learning_from_labels(write, data, tmp_path):
    systems = MODELS + (
        '[systems.learned]\nlabels = {folds = 3, model = "one", predictions = ["paths"], '
        'features = ["dice", "posteriors", "predictions"], learner = "perceptron", validation = "dev"}\n'
    )
    run, said = done(write(systems), data, tmp_path)
    assert said[-1] == "everyday-all: learned"
    found = run.answers(run.texts[0])["learned"]
    assert len(found.links) == 50
    assert sum(map(len, found.links)) > 100
    # The pairs that are learned from are aligned by what the others teach: without the first, it is not a fold that
    # has seen it, so with its gold changed its own links stay.
    gold = (data / "test.gold").read_text().split("\n")
    changed = tmp_path / "changed"
    changed.mkdir()
    for path in data.iterdir():
        (changed / path.name).write_bytes(path.read_bytes())
    held = range(0, 30, 3)
    (changed / "test.gold").write_text("\n".join("0-0" if n in held else line for n, line in enumerate(gold)))
    other, _ = done(write(systems), changed, tmp_path / "changed-out")
    again = other.answers(other.texts[0])["learned"]
    assert [again.links[n] for n in held] == [found.links[n] for n in held]
    assert again.links != found.links


def test_a_table_of_a_program(write, data, tmp_path):
    script = tmp_path / "count.py"
    script.write_text(
        "import json, sys\n"
        "given = json.load(open(sys.argv[1]))\n"
        "open(sys.argv[3], 'a').write('ran\\n')\n"
        "rows = [{'system': s['name'], 'lines': len(__import__('gzip').open(s['links']).readlines())}\n"
        "        for s in given['systems']]\n"
        "json.dump(rows + [{'system': 'x', 'lines': given['parameters']['n'], 'more': 1}], open(sys.argv[2], 'w'))\n"
    )
    table = """
    [[tables]]
    kind = "program"
    program = ["{python}", "{here}/count.py", "{input}", "{output}", "{work}/log"]
    figures = [{key = "lines", title = "lines", kind = "count"}]
    parameters = {n = 7}
    """
    done(write(MODELS + table), data, tmp_path / "out")
    rows = json.loads((tmp_path / "out" / "study" / "results.json").read_text())["tables"][0]["rows"]
    assert [row["lines"] for row in rows] == [170, 170, 170, 7]
    done(write(MODELS + table), data, tmp_path / "out")
    [log] = (tmp_path / "out" / "programs").rglob("log")
    assert log.read_text() == "ran\n"
    done(write(MODELS + '[systems.new]\nmodel = "ibm1"\n' + table), data, tmp_path / "out")
    [log] = (tmp_path / "out" / "programs").rglob("log")  # what it keeps serves all systems of a text
    assert log.read_text() == "ran\nran\n"
    script.write_text("import sys; open(sys.argv[2], 'w').write('{}')")
    with pytest.raises(InputError, match="is no list of rows"):
        done(write(MODELS + table.replace("n = 7", "n = 8")), data, tmp_path / "out")


def test_less_text_to_try_it_out(write, data, tmp_path):
    run, _ = done(write(MODELS), data, tmp_path, most_pairs=10)
    assert [(text.size, text.pairs) for text in run.texts] == [(10, 60)]


def test_an_outline_writes_nothing(write, data, tmp_path):
    path = write(MODELS + TABLES)
    lines = list(outline(prepared(path, data, tmp_path / "out", dry=True)))
    assert lines[:3] == [
        "study: study",
        "  everyday-all: Everyday, 170 pairs (test 30, 30 with a gold; dev 20, 20 with a gold)",
        "    to do  IBM 1: trains ibm1=2, em",
    ]
    assert not (tmp_path / "out").exists()
    done(path, data, tmp_path / "out")
    again = list(outline(prepared(path, data, tmp_path / "out", dry=True)))
    assert again[2] == "    done   IBM 1: trains ibm1=2, em"
    assert again[-2:] == ["  table 1, Scores: everyday-all", "  table 2, Precision by recall: everyday-all"]


def test_systems_that_no_table_wants_are_left_out(write, data, tmp_path):
    _, said = done(write(MODELS + '[[tables]]\nkind = "scores"\nsystems = ["paths"]\n'), data, tmp_path)
    assert said == ["everyday-all: IBM 1, best paths"]


def test_stopping_by_development_pairs(write, data, tmp_path):
    text = '[systems.a]\nmodel = "hmm"\nconstraint = "bijective"\nstop = "dev"\nproject_at_decode = true\n'
    tables = '[[tables]]\nkind = "iterations"\n[[tables]]\nkind = "cost"\n'
    run, _ = done(write(text + tables), data, tmp_path)
    record = run.answers(run.texts[0])["a"].record
    rows = [each for each in record["iterations"] if each["model"] == "hmm"]
    assert not rows[-1]["kept"] or len(rows) == 10
    areas = [each["dev_area"] for each in rows]
    assert areas[:-1] == sorted(areas[:-1])
    assert all(each["calls"] > 1 for each in rows)
    system = run.experiment.systems["a"]
    assert training_settings(system)["project_at_decode"] is True
    objective = [row["objective"] for row in _rows(tmp_path, 0)]
    assert objective == sorted(objective)


def test_every_way_to_decode(write, data, tmp_path):
    """Its links are those that the model gives; its posteriors are the same for all."""
    systems = "".join(f"[systems.{way}]\nmodel = 'hmm'\ndecode = '{way}'\n" for way in METHODS)
    run, said = done(write(systems), data, tmp_path)
    assert len(said) == 1  # trained once
    [text] = run.texts
    answers = run.answers(text)
    for way in METHODS:
        aligner = Aligner(model="hmm", decode=way, threads=1).fit(text.bitext)
        expected = [aligner.align_pair(*pair).links for pair in text.looked_at]
        assert [each.links for each in answers[way].links] == expected
    assert answers["itg"].scored == answers["matching"].scored == answers["posterior"].scored
    assert answers["viterbi"].scored == {}


def test_a_dictionary_that_changes(write, data, tmp_path):
    """What is in it matters, and it is looked for in the folder of the data."""
    folder = tmp_path / "data"
    shutil.copytree(data, folder)
    path = write("[systems.a]\nmodel = 'ibm1'\nprior = ['words.tsv']\n")
    with pytest.raises(InputError, match=r"systems\.a: there is no file .*words\.tsv"):
        prepared(path, folder, tmp_path / "out").check()
    for line in ("the\tla\n", "the\tchat\n"):
        (folder / "words.tsv").write_text(line)
        _, said = done(path, folder, tmp_path / "out")
        assert said == ["everyday-all: a"]
    assert done(path, folder, tmp_path / "out")[1] == []


def test_files_that_are_missing_are_told_before_anything_is_done(write, data, tmp_path):
    path = write("[systems.a]\nfiles = {links = '{corpus}-{pairs}.links'}\n")
    with pytest.raises(InputError, match=r"systems\.a: there is no file .*everyday-all\.links"):
        prepared(path, data, tmp_path / "out").check()


def test_likelihoods_are_of_the_pairs_that_were_trained_on(write, data, tmp_path):
    """Pairs with a blank side make no difference."""
    folder = tmp_path / "data"
    shutil.copytree(data, folder)
    path = write("[systems.a]\nmodel = 'hmm'\nconstraint = 'bijective'\n[[tables]]\nkind = 'iterations'\n")
    done(path, folder, tmp_path / "whole")
    for side, more in (("en", "a b c"), ("fr", "")):
        with (folder / f"train.{side}").open("a") as stream:
            stream.write(f"{more}\n" * 100)
    done(path, folder, tmp_path / "blank")
    assert _rows(tmp_path / "whole", 0) == _rows(tmp_path / "blank", 0)


def test_a_run_that_is_ended_after_training_does_not_train_again(write, data, tmp_path, monkeypatch):
    monkeypatch.setattr("pralign.experiments.training._WORTH_KEEPING", 100)
    path = write(MODELS)
    expected, _ = done(path, data, tmp_path / "whole")
    with monkeypatch.context() as broken:
        broken.setattr("pralign.experiments.run.ask", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            done(path, data, tmp_path / "out")
    [journal] = (tmp_path / "out" / "training").rglob("iterations.jsonl")
    with journal.open("a") as stream:
        stream.write('{"torn')  # as a power cut leaves it
    monkeypatch.setattr(Aligner, "fit", None)
    run, _ = done(path, data, tmp_path / "out")
    assert files_of(tmp_path / "out" / "study") == files_of(tmp_path / "whole" / "study")
    for text in run.texts:
        for name, answers in run.answers(text).items():
            assert answers.record["iterations"] == expected.answers(text)[name].record["iterations"]
            assert answers.record["seconds"] > 0


def test_results_of_what_is_no_longer_wanted_are_removed(write, data, tmp_path):
    done(write(MODELS + TABLES), data, tmp_path)
    (tmp_path / "study" / "notes.txt").write_text("mine")
    done(write('[systems.one]\nmodel = "ibm1"\niterations = "ibm1=2"\n'), data, tmp_path)
    names = {"tables.md", "results.json", "report.html", "pairs-everyday-all.html", "notes.txt"}
    assert set(files_of(tmp_path / "study")) == names | {"alignments/everyday-all-one.txt"}


def test_fewer_pairs_for_tables_of_some_sizes(write, data, tmp_path):
    corpus = CORPUS + 'pairs = [50, 100, "all", "all"]\n'
    run, _ = done(write(MODELS + "[[tables]]\nkind = 'scores'\npairs = [100]\n", corpus), data, tmp_path, most_pairs=40)
    assert [text.size for text in run.texts] == [40]
    assert len(_rows(tmp_path, 0)) == 6


def test_words_of_pages_are_counted_in_whatever_case(write, data, tmp_path):
    run, _ = done(write(MODELS, CORPUS + "lowercase = false\n"), data, tmp_path)
    [text] = run.texts
    words = [word for pair in text.bitext for word in str(pair[0]).split()]
    page = (tmp_path / "study" / "pairs-everyday-all.html").read_text()
    assert f'<td class="number">{len(words):,}</td>' in page
    assert f'<td class="number">{len({word.casefold() for word in words}):,}</td>' in page


@pytest.mark.skipif(os.name == "nt", reason="there are no process groups")
def test_programs_of_a_program_end_with_the_run(write, data, tmp_path):
    """As those of a shell script do."""
    script = f"echo $$ > {tmp_path}/pid; sleep 60; echo"
    words = json.dumps(["sh", "-c", script, "{links}"])
    path = write(f"[systems.p]\nprogram = {words}\n")
    command = [sys.executable, "-m", "pralign", "experiment", path, "--data", data, "-o", tmp_path / "out", "-q"]
    program = subprocess.Popen([str(word) for word in command])
    pid = tmp_path / "pid"
    while not (pid.exists() and pid.read_text().strip()):
        assert program.poll() is None
        time.sleep(0.05)
    program.send_signal(signal.SIGTERM)
    program.wait()
    group = int(pid.read_text())
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("the group of the program lives on")


def _rows(folder, number):
    return json.loads((folder / "study" / "results.json").read_text())["tables"][number]["rows"]


def test_a_journal_says_what_is_not_known(tmp_path, write, data):
    run, _ = done(write(MODELS), data, tmp_path)
    model = Aligner(model="ibm1", iterations="ibm1=2", threads=1).fit(run.texts[0].bitext).model_
    journal = Journal(tmp_path / "journal", run.experiment.systems["one"])
    assert [each["calls"] for each in journal.iterations(model)] == [None, None]


def test_a_run_that_is_killed_goes_on_to_the_same_tables(write, data, tmp_path):
    systems = MODELS + '[systems.hmm]\nmodel = "hmm"\niterations = "ibm1=2,hmm=3"\n'
    path = write(systems + TABLES)
    done(path, data, tmp_path / "whole")
    command = [sys.executable, "-m", "pralign", "experiment", path, "--data", data, "-o", tmp_path / "killed"]
    rng, kills = random.Random(3), 0
    for _ in range(4):
        program = subprocess.Popen(
            [*map(str, command), "--threads", "1"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=os.environ
        )
        for line in program.stderr:  # kill it a moment after it has said that it has begun something
            if b"everyday-all" in line:
                time.sleep(rng.random() * 0.6)
                program.send_signal(signal.SIGKILL)
                kills += 1
                break
        program.stderr.close()
        if program.wait() == 0:
            break
    assert kills > 0
    subprocess.run([*map(str, command), "-q"], check=True)
    assert files_of(tmp_path / "killed" / "study") == files_of(tmp_path / "whole" / "study")
