"""Tables of experiments: figures as their definition, read plainly, gives them, and what was published beside them."""

from __future__ import annotations

import gzip
import math
import random
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import pytest

from experiments.conftest import TREES
from oracles.naive_evaluation import naive_area, naive_scores
from pralign.errors import InputError
from pralign.experiments import TABLE_KINDS, ResultTable, SystemDescription, register_table
from pralign.experiments.answers import Answers, text_files
from pralign.experiments.description import CorpusDescription
from pralign.experiments.tables.edges import edge_points, name_scores, names_of
from pralign.experiments.tables.shape import single_shares
from pralign.experiments.texts import Part, PreparedText
from pralign.links.alignment import Alignment
from pralign.report.tables import Column
from pralign.text.conllu import read_conllu

CORPUS = CorpusDescription(title="Everyday", languages=("en", "fr"))
WORDS = ["a", "b", "c", "d", "e", "f"]


@dataclass
class Found:
    """Results that were made by hand."""

    texts: list
    found: dict = field(default_factory=dict)
    places: dict = field(default_factory=dict)

    def answers(self, text):
        return self.found[text.name]

    def systems(self, text):
        return [SystemDescription(name=name, title=name.upper()) for name in self.found[text.name]]


def random_links(rng, scored=False):
    links = [(i, j) for i in range(4) for j in range(4) if rng.random() < 0.35]
    scores = [rng.choice([0.2, 0.4, 0.5, 0.7, 0.9]) for _ in links] if scored else None
    return Alignment.of(links, scores)


def random_gold(rng):
    alignment = random_links(rng)
    return Alignment.of(alignment.links, possible=[link for link in alignment.links if rng.random() < 0.4])


def made_text(tmp_path, rng, size=10):
    pairs = [([rng.choice(WORDS) for _ in range(4)], [rng.choice(WORDS) for _ in range(4)]) for _ in range(25)]
    files = tmp_path / f"s{size}", tmp_path / f"t{size}"
    for side, path in enumerate(files):
        path.write_text("".join(" ".join(pair[side]) + "\n" for pair in pairs))
    parts = {
        "test": Part("test", 0, pairs[:15], [random_gold(rng) for _ in range(12)]),
        "dev": Part("dev", 15, pairs[15:], [random_gold(rng) for _ in range(10)]),
    }
    return PreparedText("c", CORPUS, size, *files, 25, parts, f"digest {size}")


def made_answers(rng):
    paths = {view: [random_links(rng) for _ in range(25)] for view in ("forward", "reverse", "soft-union")}
    scored = {view: [random_links(rng, True) for _ in range(25)] for view in paths}
    return Answers([random_links(rng) for _ in range(25)], scored, paths)


@pytest.fixture
def found(tmp_path):
    rng = random.Random(5)
    texts = [made_text(tmp_path, rng), made_text(tmp_path, rng, 20)]
    return Found(texts, {text.name: {"a": made_answers(rng), "b": made_answers(rng)} for text in texts})


def rows_of(found, kind, **options):
    """The rows of a table as dictionaries."""
    table = TABLE_KINDS[kind](**options).make(found, "key")
    return [dict(zip([column.key for column in table.columns], row, strict=True)) for row in table.rows]


def corpus_of(alignments, part, sure_only=False):
    """Links and golds as the oracle takes them: pairs of a gold's sure and possible links."""
    golds = [(set(gold.sure), set(gold.sure) if sure_only else set(gold.links)) for gold in part.golds]
    return [(set(found.links), gold) for found, gold in zip(part.cut(alignments), golds, strict=True)]


def test_scores_are_those_of_the_links(found):
    rows = rows_of(found, "scores")
    assert [(row["pairs"], row["part"], row["system"]) for row in rows] == [
        (size, part, system) for size in ("10", "20") for part in ("test", "dev") for system in ("A", "B")
    ]
    for row, (text, part, system) in zip(
        rows, [(t, p, s) for t in found.texts for p in t.parts.values() for s in ("a", "b")], strict=True
    ):
        naive = naive_scores(corpus_of(found.found[text.name][system].links, part))
        assert [row[key] for key in ("precision", "recall", "aer")] == pytest.approx(
            [float(naive[key]) for key in ("precision", "recall", "aer")]
        )


def test_scores_of_sure_links_alone(found):
    [row] = rows_of(found, "scores", sure_only=True, systems=["a"], pairs=[10], parts=["test"])
    text = found.texts[0]
    links = found.found[text.name]["a"].links
    sure = naive_scores(corpus_of(links, text.parts["test"], sure_only=True))
    everything = naive_scores(corpus_of(links, text.parts["test"]))
    assert row["precision"] == pytest.approx(float(sure["precision"]))
    assert row["aer"] == pytest.approx(float(everything["aer"]))


def test_a_threshold_that_suits_the_development_pairs(found):
    text = found.texts[0]
    answers, dev = found.found[text.name]["a"].scored["soft-union"], text.parts["dev"]

    def error(threshold):
        kept = [each.at_least(threshold) for each in answers]
        return naive_scores(corpus_of(kept, dev))["aer"]

    best = min(error(threshold) for threshold in (0.2, 0.4, 0.5, 0.7, 0.9))
    for options in ({"threshold": "tuned"}, {"like": "a"}):
        [row] = rows_of(found, "scores", systems=["a"], pairs=[10], parts=["dev"], **options)
        assert row["aer"] == pytest.approx(float(best))
    [shared] = rows_of(found, "scores", systems=["b"], pairs=[10], parts=["dev"], like="a")
    assert shared["threshold"] == pytest.approx(row["threshold"])


def test_links_by_a_number_and_by_best_paths(found):
    text = found.texts[0]
    part, answers = text.parts["test"], found.found[text.name]["a"]
    chosen = {"systems": ["a"], "pairs": [10], "parts": ["test"]}
    [row] = rows_of(found, "scores", threshold=0.5, view="forward", **chosen)
    kept = [each.at_least(0.5) for each in answers.scored["forward"]]
    assert row["aer"] == pytest.approx(float(naive_scores(corpus_of(kept, part))["aer"]))
    [row] = rows_of(found, "scores", threshold="viterbi", view="reverse", **chosen)
    assert row["aer"] == pytest.approx(float(naive_scores(corpus_of(answers.paths["reverse"], part))["aer"]))
    with pytest.raises(InputError, match="needs a threshold"):
        rows_of(found, "scores", view="forward", **chosen)


def test_a_comparison_names_the_difference(found):
    rows = rows_of(found, "scores", against="a", pairs=[10], parts=["test"], samples=200)
    one, other = rows
    assert (one["difference"], one["p"]) == (None, None)
    assert other["difference"] == pytest.approx(other["aer"] - one["aer"])
    assert other["p"] is None  # twelve pairs tell nothing of chance


def test_twenty_pairs_have_a_p_value(found):
    text = found.texts[0]
    test = replace(text.parts["test"], golds=[*text.parts["test"].golds, *text.parts["dev"].golds])
    whole = replace(text, parts={"test": replace(test, pairs=[*test.pairs, *text.parts["dev"].pairs])})
    [_, other] = rows_of(replace(found, texts=[whole]), "scores", against="a", samples=200)
    assert 0 < other["p"] <= 1


def test_a_published_difference_is_in_points(found):
    published = ({"system": "b", "part": "test", "difference": -2.3},)
    table = TABLE_KINDS["scores"](against="a", pairs=[10], parts=["test"], published=published).make(found, "key")
    [column] = [column for column in table.columns if column.key == "difference_published"]
    assert column.show(table.as_dict()["rows"][1]["difference_published"]) == "-2.30"


def test_a_threshold_like_that_of_a_system_without_scores(found):
    text = found.texts[0]
    found.found[text.name]["v"] = replace(made_answers(random.Random(3)), scored={})
    with pytest.raises(InputError, match="v does not say how sure it is of links"):
        rows_of(found, "scores", like="v", pairs=[10])
    plain = [row for row in rows_of(found, "scores", like="a", pairs=[10], parts=["test"]) if row["system"] == "V"]
    assert [row["threshold"] for row in plain] == [None]
    own = found.texts[0].parts["test"].cut(found.found[text.name]["v"].links)
    assert plain[0]["links"] == sum(map(len, own))


def test_there_are_no_rows_where_what_is_compared_with_is_not_installed(found):
    del found.found[found.texts[0].name]["b"]
    table = TABLE_KINDS["scores"](against="b").make(found, "key")
    assert table.note == "All rows: corpus Everyday, training pairs 20."
    assert len(table.rows) == 4


def test_sizes_that_were_asked_for_may_be_taken_smaller(found):
    found.texts[0] = replace(found.texts[0], stands_for=frozenset([100, None]))
    for size in (100, "all"):
        assert "training pairs 10" in TABLE_KINDS["curves"](pairs=[size]).make(found, "key").note
    assert rows_of(found, "curves", pairs=[1000]) == []


def test_the_area_under_curves(found):
    text = found.texts[0]
    for row in rows_of(found, "curves", systems=["a"], pairs=[10], recalls=[0.3]):
        part = text.parts[row["part"]]
        answers = found.found[text.name]["a"].scored[row["view"]]
        golds = [(set(gold.sure), set(gold.links)) for gold in part.golds]
        scored = [dict(zip(each.links, each.scores, strict=True)) for each in part.cut(answers)]
        assert row["area"] == pytest.approx(float(naive_area(list(zip(scored, golds, strict=True)))))


def test_curves_are_drawn_for_each_text_part_and_view(found):
    charts = list(TABLE_KINDS["curves"](parts=["test"]).charts(found, "key"))
    assert [chart.key for chart in charts] == [
        f"key-c-{size}-test-{view}" for size in (10, 20) for view in ("forward", "reverse", "soft-union")
    ]
    assert [series.name for series in charts[0].series] == ["A", "B"]


def test_precision_at_the_recall_of_a_reference(found):
    rows = rows_of(found, "at-recall", reference="b", views=["forward"], pairs=[10], parts=["test"])
    text = found.texts[0]
    naive = naive_scores(corpus_of(found.found[text.name]["b"].paths["forward"], text.parts["test"]))
    assert [row["recall"] for row in rows] == pytest.approx([float(naive["recall"])] * 2)
    assert rows[1]["precision"] == pytest.approx(float(naive["precision"]))


def test_rare_words_are_those_that_occur_seldom(found):
    text = found.texts[0]
    reference = found.found[text.name]["b"].paths["forward"]
    rows = rows_of(found, "rare-words", reference="b", systems=["b"], pairs=[10], parts=["test"], below=16)
    part = text.parts["test"]
    rare = right = sure = 0
    for (source, _), links, gold in zip(part.judged, part.cut(reference), part.golds, strict=True):
        is_rare = [text.frequencies[0][word] < 16 for word in source]
        rare += sum(is_rare[i] for i, _ in links)
        right += sum(is_rare[i] for i, j in links if (i, j) in gold.links)
        sure += sum(is_rare[i] for i, _ in gold.sure)
    [row] = [row for row in rows if row["view"] == "forward" and row["words"] == "rare source words"]
    assert 0 < rare < sum(map(len, part.cut(reference)))
    assert (row["links"], row["sure"], row["precision"]) == (rare, sure, pytest.approx(right / rare))


def test_lengths_are_classes_of_sentences(found):
    text = found.texts[0]
    part = text.parts["test"]
    for number, (source, _) in enumerate(part.pairs):
        del source[number % 3 + 1 :]  # of one, two or three words
    links = [Alignment.of([link for link in each if link[0] < n % 3 + 1]) for n, each in enumerate(part.golds)]
    found.found[text.name]["a"] = Answers(links + [Alignment()] * 13)
    part.golds[:] = links
    part.golds[1] = Alignment.of([(0, 0), (0, 1), (1, 1)])
    rows = rows_of(found, "lengths", edges=[1, 2], systems=["a"], pairs=[10], parts=["test"])
    assert [(row["words"], row["sentences"]) for row in rows] == [("1", 4), ("2", 4), ("3-", 4)]
    ours = corpus_of(found.found[text.name]["a"].links, part)
    for row, kind in zip(rows, range(3), strict=True):
        assert row["aer"] == pytest.approx(float(naive_scores(ours[kind::3])["aer"]))


def test_shares_of_links():
    rng = random.Random(7)
    alignments = [random_links(rng).links for _ in range(20)]
    links = [(n, i, j) for n, found in enumerate(alignments) for i, j in found]
    alone = [
        link
        for link in links
        if sum(other[:2] == link[:2] for other in links) == 1
        and sum((other[0], other[2]) == (link[0], link[2]) for other in links) == 1
    ]
    sources = {link[:2] for link in links}
    single = [word for word in sources if sum(link[:2] == word for link in links) == 1]
    shares = single_shares(alignments)
    assert shares["one_to_one"] == pytest.approx(float(Fraction(len(alone), len(links))))
    assert shares["source"] == pytest.approx(len(single) / len(sources))


def test_symmetry_is_what_both_directions_share(found):
    rows = rows_of(found, "shares", systems=["a"], pairs=[10], parts=["test"], threshold="viterbi", gold=False)
    part, paths = found.texts[0].parts["test"], found.found[found.texts[0].name]["a"].paths
    both = either = 0
    for forward, reverse in zip(part.cut(paths["forward"]), part.cut(paths["reverse"]), strict=True):
        both += len(set(forward) & set(reverse))
        either += len(set(forward) | set(reverse))
    assert rows[0]["symmetric"] == pytest.approx(both / either)


def test_gaps_are_looked_for_in_training_pairs(found, tmp_path):
    text = found.texts[0]
    chosen, scored = text_files(tmp_path)
    narrow, wide = "0-0 0-1", "0-0 0-12"
    chosen.write_bytes(gzip.compress("\n".join([*[wide] * 25, narrow, wide, wide, narrow]).encode() + b"\n"))
    scored.write_bytes(gzip.compress("\n".join([*[""] * 25, "0-0:0.9 0-12:0.3", "0-0:0.9 0-12:0.8"]).encode() + b"\n"))
    found.found[text.name] = {"a": replace(made_answers(random.Random(1)), folder=tmp_path)}
    shown = {"pairs": [10], "limit": 7}
    assert [(row["gappy"], row["of"]) for row in rows_of(found, "gaps", **shown)] == [(0.5, 4)]
    assert [(row["gappy"], row["of"]) for row in rows_of(found, "gaps", **shown, first=3)] == [(2 / 3, 3)]
    assert [row["gappy"] for row in rows_of(found, "gaps", **shown, threshold=0.5)] == [0.5]
    with pytest.raises(InputError, match=r"kept from 0\.1 on"):
        rows_of(found, "gaps", **shown, threshold=0.01)


def test_edges_and_names(data):
    trees = tuple(list(read_conllu(data / f"trees.{side}.conllu")) for side in ("en", "fr"))
    perfect = [Alignment.of("0-1 1-2 2-0"), Alignment.of("0-0 1-1")]
    # Anna → reads, Berg → Anna in English; in French the verb comes first. Of three edges all are right.
    assert edge_points(trees, perfect, scored=False) == [(1.5, 1.0)]
    wrong = [Alignment.of("0-0 1-2 2-1"), Alignment.of("0-0 1-1")]
    assert edge_points(trees, wrong, scored=False)[0].right < 1
    scored = [Alignment.of(each.links, [0.9 if n else 0.3] * len(each)) for n, each in enumerate(perfect)]
    # By thresholds of at most 0.3 both sentences are carried, above that the second, and above 0.9 none.
    assert edge_points(trees, scored) == [(0.5, 1.0)] * 6 + [(1.5, 1.0)] * 5
    assert [names_of(sentence) for sentence in trees[0]] == [[(0, 9)], []]
    assert name_scores(trees, perfect) == {"names_precision": 1.0, "names_recall": 1.0, "names_f": 1.0}
    assert TREES[0][0] == ["Anna Berg reads", "she sings"]


def test_across_texts_with_a_mean(found):
    table = TABLE_KINDS["across"](parts=["test"]).make(found, "key")
    rows = rows_of(found, "scores", parts=["test"])
    errors = {(row["pairs"], row["system"]): row["aer"] for row in rows}
    assert [column.title for column in table.columns] == ["system", "Everyday, 10, test", "Everyday, 20, test", "mean"]
    for system, small, large, mean in table.rows:
        assert (small, large) == (errors["10", system], errors["20", system])
        assert mean == pytest.approx((small + large) / 2)


class TestPublished:
    def test_figures_stand_beside_the_rows_they_are_of(self, found):
        published = ({"system": "a", "part": "test", "aer": 12.5}, {"system": "giza", "aer": 9.0, "precision": 91})
        rows = rows_of(found, "scores", published=published, pairs=[10])
        beside = [(row["system"], row["part"], row["aer_published"]) for row in rows]
        ours = [("A", "test", 0.125), ("B", "test", None), ("A", "dev", None), ("B", "dev", None)]
        assert beside == [*ours, ("giza", None, 0.09)]
        assert rows[-1]["precision_published"] == 0.91
        assert rows[-1]["aer"] is None

    def test_without_any_there_is_no_column(self, found):
        table = TABLE_KINDS["scores"]().make(found, "key")
        assert not [column for column in table.columns if "published" in column.key]

    def test_percentages_have_two_digits(self, found):
        table = TABLE_KINDS["scores"](published=({"system": "a", "aer": 12.3},)).make(found, "key")
        [column] = [column for column in table.columns if column.key == "aer_published"]
        assert (column.title, column.show(0.123)) == ("AER, published", "12.30")


def test_a_chart_by_the_number_of_pairs(found):
    charts = list(TABLE_KINDS["scores"](chart="aer", parts=["test"]).charts(found, "key"))
    assert [chart.key for chart in charts] == ["key-c-test"]
    assert [series.name for series in charts[0].series] == ["A", "B"]
    errors = [row["aer"] for row in rows_of(found, "scores", systems=["a"], parts=["test"])]
    assert charts[0].series[0].points == [(pytest.approx(math.log10(25)), error) for error in sorted(errors)]


def test_what_is_the_same_in_all_rows_is_said_once(found):
    table = TABLE_KINDS["scores"](pairs=[10], parts=["test"], note="A note.").make(found, "key")
    assert [column.key for column in table.columns][:2] == ["system", "links"]
    assert table.note == "A note. All rows: corpus Everyday, training pairs 10, part test."


def test_a_published_row_without_a_corpus_does_not_bring_columns_back(found):
    published = ({"system": "giza", "part": "test", "aer": 9.0},)
    table = TABLE_KINDS["scores"](pairs=[10], published=published).make(found, "key")
    assert [column.key for column in table.columns][:3] == ["part", "system", "links"]
    assert table.rows[-1][:2] == ["test", "giza"]


def test_a_kind_of_ones_own(found):
    with TABLE_KINDS.restored():

        @register_table("longest")
        @dataclass(frozen=True, kw_only=True)
        class Longest(ResultTable):
            """How many links the fullest pair has."""

            @property
            def columns(self):
                return (Column("most", "most links", "count"),)

            def rows(self, found):
                for system in found.systems:
                    links = found.judged.cut(found.of(system.name).links)
                    yield {"system": system.name, "most": max(map(len, links))}

        rows = rows_of(found, "longest", pairs=[10], parts=["dev"], systems=["b"])
        part = found.texts[0].parts["dev"]
        assert rows == [{"system": "B", "most": max(map(len, part.cut(found.found["c-10"]["b"].links)))}]


def test_every_kind_says_what_it_is():
    for kind in TABLE_KINDS.values():
        assert kind.__doc__
        assert kind.__doc__.partition(".")[0]


def test_answers_have_views():
    answers = Answers([Alignment.of("0-0")], record={"title": "X"})
    assert answers.view("soft-union") == answers.links
    with pytest.raises(InputError, match="X has no forward direction"):
        answers.view("forward")
    assert answers.text_links is None
    assert Path(answers.folder) == Path()
