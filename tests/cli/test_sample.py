"""``pralign sample``: pairs to label, with links to correct, for other tools."""

from __future__ import annotations

from pralign.sample import SOURCE, TARGET


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


def chosen(work, *more):
    work.ok("sample", SOURCE, TARGET, "-n", "12", "-o", "todo", "--threads", "1", *more)
    return {ending: lines(work.folder / f"todo.{ending}") for ending in ("src", "tgt", "gold", "tsv")}


def test_pairs_links_and_reasons(work):
    found = chosen(work)
    assert [len(found[ending]) for ending in ("src", "tgt", "gold")] == [12, 12, 12]
    numbers = [int(row.split("\t")[0]) for row in found["tsv"][1:]]
    assert len(set(numbers)) == 12
    assert [lines(SOURCE)[number - 1] for number in numbers] == found["src"]
    assert [lines(TARGET)[number - 1] for number in numbers] == found["tgt"]
    gains = [float(row.split("\t")[1]) for row in found["tsv"][1:]]
    assert gains == sorted(gains, reverse=True)
    assert all("errors expected" in row for row in found["tsv"][1:])
    assert all(found["gold"])


def test_random_ones_have_no_links_and_depend_on_the_seed(work):
    found = chosen(work, "--random", "--seed", "3")
    assert found["gold"] == [""] * 12
    assert chosen(work, "--random", "--seed", "3") == found
    assert chosen(work, "--random", "--seed", "4") != found


def test_what_cannot_be_sampled(work):
    work.write("a.txt", ["a", "b"])
    work.write("b.txt", ["x", "y"])
    outcome = work.run("sample", "a.txt", "b.txt", "-o", "todo", "--threads", "1")
    assert outcome.code == 1
    assert "3 to 60 words" in outcome.err
    assert not (work.folder / "todo.src").exists()
