"""Wrong calls from Python: each is answered with one sentence of ours that says what to do."""

from __future__ import annotations

import re

import numpy as np
import pytest

import pralign
from pralign import Aligner, Alignment, Bitext, MatchingAligner, evaluate, read_alignments
from pralign.constraints import Bijective
from pralign.engine import ThreadEngine
from pralign.errors import InputError, ModelError, OutputError, PralignError, UsageError
from pralign.models.hmm import HMM

PAIRS = [("the house", "la maison"), ("the cat", "le chat"), ("a house", "une maison")]
SOURCES, TARGETS = [source for source, _ in PAIRS], [target for _, target in PAIRS]
FORMS = "give pairs such as ('the house', 'la maison'), or two lists, of source and of target sentences"
SIDES = "give a list of source sentence, target sentence and alignment, such as ('the house', 'la maison', '0-0 1-1')"


@pytest.fixture(scope="module")
def trained():
    return Aligner(model="ibm1", threads=1).fit(PAIRS)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x\n")
    (tmp_path / "links").write_text("0-0 1-1\n")
    return tmp_path


def table(**columns):
    return pytest.importorskip("pandas").DataFrame(columns)


class Lazy:
    """A table that is computed when somebody asks for it, as polars and Spark have them."""

    columns = ("en", "fr")

    def collect(self):
        return {"en": SOURCES, "fr": TARGETS}


# Pairs: every method that takes them says the same.

PAIRS_AT_ONCE = {
    "a path": (("text.txt",), f"the pairs cannot be the text 'text.txt'; {FORMS}, or files by Bitext.read"),
    "two paths": (("a.txt", "b.txt"), f"the source side cannot be the text 'a.txt'; {FORMS}, or files by Bitext.read"),
    "a number": ((5,), f"the pairs cannot be 5 (int); {FORMS}"),
    "nothing": ((None,), f"the pairs cannot be None; {FORMS}"),
    "bytes": ((b"text",), f"the pairs cannot be bytes; {FORMS}"),
    "a set": (({("a", "b")},), f"the pairs cannot be a set; {FORMS}"),
    "a class": (
        (Bitext,),
        f"the pairs cannot be the class Bitext; {FORMS}, and all else by name, such as listener=...",
    ),
    "a listener": (
        (PAIRS, print),
        f"the target side cannot be the function print; {FORMS}, and all else by name, such as listener=...",
    ),
    "a bitext and more": (
        (Bitext(PAIRS), TARGETS),
        "a bitext has both sides already; whatever else there is must be named, such as listener=...",
    ),
    "a lazy table": (
        (Lazy(),),
        "the pairs cannot be a Lazy, which is not computed yet; call its method collect first",
    ),
    "sentences by sentences": (
        ({"the house": "la maison"},),
        "a dictionary holds columns, such as {'en': [...], 'fr': [...]}, not sentences",
    ),
    "three columns": (
        ({"a": ["x"], "b": ["y"], "c": ["z"]},),
        "two columns of text are needed, and there are 3 among a (str), b (str), c (str); choose two, such as "
        "fit(table['en'], table['fr']), or Bitext(table, columns=('en', 'fr'))",
    ),
    "columns of numbers": (
        ({"a": [1], "b": ["y"]},),
        "two columns of text are needed, and there are 1 among a (int), b (str); choose two, such as "
        "fit(table['en'], table['fr']), or Bitext(table, columns=('en', 'fr'))",
    ),
    "no columns": (
        ({},),
        "two columns of text are needed, and there are 0 among none at all; choose two, such as "
        "fit(table['en'], table['fr']), or Bitext(table, columns=('en', 'fr'))",
    ),
    "two tables": (
        ({"en": SOURCES}, {"fr": TARGETS}),
        "each side is one column, such as table['en'], not a whole table",
    ),
}
PAIRS_WHILE_READING = {
    "strings": ((SOURCES,), f"pair 1 is the text 'the house'; {FORMS}"),
    "three parts": (
        ([PAIRS[0], ("a", "b", "c")],),
        "pair 2 has 3 parts, but a pair is a source and a target sentence; words of a sentence go into a string or "
        "into a list of their own",
    ),
    "bytes": (([(b"a", "b")],), "pair 1: the source sentence is bytes; decode it first, such as by .decode('utf-8')"),
    "None": (
        ([PAIRS[0], ("a", None)],),
        "pair 2: the target sentence is missing (None); leave out such pairs, or fill in ''",
    ),
    "NaN": (
        (SOURCES, ["a", float("nan"), "c"]),
        "pair 2: the target sentence is missing (nan); leave out such pairs, or fill in ''",
    ),
    "numbers": (([(1, 2)],), "pair 1: the source sentence is 1 (int), not a string of words or a list of words"),
    "numbers as words": (([(["a"], ["b", 2])],), "pair 1: the target sentence holds 2 (int) where a word should be"),
    "lists in lists": (([([["a"]], ["b"])],), "pair 1: the source sentence holds a list where a word should be"),
    "a dictionary as a sentence": (
        ([({"a": 1}, "b")],),
        "pair 1: the source sentence is a dict, not a string of words or a list of words",
    ),
    "rows that lack something": (
        ([{"en": "a", "fr": "b"}, {"en": "a"}],),
        "pair 2: it has en in place of en, fr",
    ),
    "lists of different lengths": (
        (SOURCES, TARGETS[:2]),
        "there are 3 source and 2 target sentences, and each of one side goes with one of the other",
    ),
    "an array of numbers": (
        (np.zeros((2, 2), np.int64),),
        "pair 1: the source sentence is an int64, not a string of words or a list of words",
    ),
}
METHODS = {
    "fit": Aligner.fit,
    "fit_align": Aligner.fit_align,
    "fit_decode": Aligner.fit_decode,
    "partial_fit": Aligner.partial_fit,
    "align": Aligner.align,
    "decode_pairs": Aligner.decode_pairs,
    "adapt_threshold": lambda aligner, *given: aligner.model_ and Aligner.adapt_threshold(aligner, *given),
    "match_viterbi": Aligner.match_viterbi,
    "observer": Aligner.observer,
    "Bitext": lambda _, *given: Bitext(*given),
    "matching": lambda _, *given: MatchingAligner(threads=1).fit(*given, labelled=[(*PAIRS[0], "0-0")]),
}


@pytest.mark.parametrize(("given", "message"), PAIRS_AT_ONCE.values(), ids=PAIRS_AT_ONCE)
@pytest.mark.parametrize("method", METHODS)
def test_what_can_be_no_pairs(trained, method, given, message):
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        METHODS[method](trained, *given)


@pytest.mark.parametrize(("given", "message"), PAIRS_WHILE_READING.values(), ids=PAIRS_WHILE_READING)
@pytest.mark.parametrize("method", [Bitext, lambda *given: Aligner(model="ibm1", threads=1).fit(*given)])
def test_pairs_that_are_none(method, given, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        method(*given)


def test_streams_of_different_lengths():
    with pytest.raises(
        InputError, match=r"^there are 3 source and 4 target sentences, and each of one side goes with "
    ):
        Bitext(iter(SOURCES), iter([*TARGETS, "x"]))


def test_cells_that_are_missing_in_a_table():
    message = re.escape(
        "pair 2: the source sentence (column 'en') is missing (nan); leave out such pairs, or fill in ''"
    )
    with pytest.raises(InputError, match=f"^{message}$"):
        Bitext(table(en=["a", float("nan")], fr=["b", "c"]))
    with pytest.raises(UsageError, match=r"^two columns of text are needed, and there are 0 among none at all"):
        Aligner().fit(table())
    with pytest.raises(InputError, match="the text is empty"):
        Aligner().fit(table(en=[], fr=[]))


# Everything else: what is called, and what is said.

WRONG = [
    (lambda a: Aligner(iterations=5), UsageError, "iterations has to be stages of training, such as 'ibm1=5,hmm=5' or"),
    (lambda a: Aligner(iterations={"ibm1": "5"}), UsageError, "iterations has to be stages of training"),
    (lambda a: Aligner(iterations={}), UsageError, "there are no stages of training"),
    (lambda a: Aligner(lowercase="no"), UsageError, "lowercase has to be True or False, not 'no'"),
    (lambda a: Aligner(lowercase=1), UsageError, "lowercase has to be True or False, not 1"),
    (lambda a: Aligner(threads="4"), UsageError, "threads has to be a whole number, not '4'"),
    (lambda a: Aligner(threads=0), UsageError, "at least one thread is needed, not 0"),
    (lambda a: Aligner(threshold="0.5"), UsageError, "threshold has to be a number or 'auto' or 'balanced', not '0.5'"),
    (lambda a: Aligner(threshold=True), UsageError, "threshold has to be a number or 'auto' or 'balanced', not True"),
    (lambda a: Aligner(prefix=2.5), UsageError, "prefix has to be a whole number, not 2.5"),
    (lambda a: Aligner(alpha="1"), UsageError, "alpha has to be a number, not '1'"),
    (lambda a: Aligner(model=HMM), UsageError, "model has to be text (ibm1|ibm2|hmm|fhmm|ibm3|ibm4), not <class"),
    (lambda a: Aligner(modle="hmm"), UsageError, "an aligner has no argument modle; did you mean model?"),
    (lambda a: Aligner(nonsense=1), UsageError, "an aligner has no argument nonsense; there are preset, model, "),
    (lambda a: Aligner("hmm"), UsageError, "there is no preset called 'hmm'; there are fast, default, best"),
    (lambda a: Aligner(constraint=Bijective), UsageError, "constraint has to be text or an object like Constraint"),
    (lambda a: Aligner(engine="ray"), UsageError, "engine has to be an object like Engine, not 'ray'"),
    (lambda a: Aligner(engine=ThreadEngine), UsageError, "engine has to be an object like Engine, not <class"),
    (lambda a: Aligner(prior=[5]), UsageError, "prior has to be a list or text or a path, not [5]"),
    (lambda a: Aligner(memory=2.5), UsageError, "memory has to be text or a whole number, not 2.5"),
    (lambda a: Aligner(verbose="yes"), UsageError, "verbose has to be True or False, not 'yes'"),
    (lambda a: a.set_params(thread=2), UsageError, "an aligner has no argument thread; did you mean threads?"),
    (lambda a: a.set_params(threads="2"), UsageError, "threads has to be a whole number, not '2'"),
    (lambda a: a.partial_fit(PAIRS, iteration=3), UsageError, "there is no setting called iteration; did you mean"),
    (lambda a: Bijective(slack="x"), UsageError, "slack has to be a number, not 'x'"),
    (lambda a: a.align_pair("a b"), UsageError, "a source and a target sentence are needed, such as 'the house', "),
    (lambda a: a.posteriors("a b"), UsageError, "a source and a target sentence are needed"),
    (lambda a: a.align_pair(b"a", b"b"), InputError, "the source sentence is bytes; decode it first"),
    (lambda a: a.align_pair("a", 5), InputError, "the target sentence is 5 (int), not a string of words or a list"),
    (lambda a: Aligner().posteriors("a", "b"), UsageError, "this aligner has learned nothing yet; call fit or load"),
    (lambda a: Aligner().align([]), UsageError, "this aligner has learned nothing yet; call fit or load first"),
    (lambda a: a.translations(5), UsageError, "word has to be text, not 5"),
    (lambda a: a.translations("the", "left"), UsageError, "there is no side 'left'; there are source, target"),
    (lambda a: a.translations("the", most="3"), UsageError, "most has to be a whole number, not '3'"),
    (lambda a: a.tune("dev.gold"), UsageError, f"labelled pairs cannot be the text 'dev.gold'; {SIDES}"),
    (lambda a: a.tune([("a", "b")]), InputError, "labelled pair 1 has 2 parts; it should have a source sentence, "),
    (lambda a: a.tune([("a", "b", "x")]), InputError, "labelled pair 1: found 'x'; expected links like 0-0"),
    (lambda a: a.tune([("a", 3, "0-0")]), InputError, "labelled pair 1: the target sentence is 3 (int)"),
    (lambda a: a.fit(PAIRS, labelled=[1]), InputError, "labelled pair 1 is 1 (int); it should have"),
    (
        lambda a: MatchingAligner().fit(PAIRS),
        UsageError,
        "a matching aligner learns from labelled pairs; give them by ",
    ),
    (lambda a: MatchingAligner(feature="dice"), UsageError, "a matching aligner has no argument feature; did you mean"),
    (lambda a: MatchingAligner(rounds="3"), UsageError, "rounds has to be a whole number, not '3'"),
    (lambda a: MatchingAligner(model=5), UsageError, "model has to be an object like Aligner or text or a path, not 5"),
    (lambda a: MatchingAligner(learner="svm"), UsageError, "there is no learner 'svm'; there are boosting, "),
    (lambda a: MatchingAligner().align(PAIRS), UsageError, "this aligner has learned nothing yet"),
    (lambda a: Alignment.of("0-0 x"), InputError, "found 'x'; expected links like 0-0, 0?1 or 0-0:0.5"),
    (lambda a: Alignment.of([(0,)]), UsageError, "a link is two positions counted from zero, such as (0, 2), not (0,)"),
    (lambda a: Alignment.of([(-1, 0)]), UsageError, "a link is two positions counted from zero, such as (0, 2), not ("),
    (lambda a: Alignment.of([(0.5, 0)]), UsageError, "a link is two positions counted from zero"),
    (lambda a: Alignment.of([[True, False]]), UsageError, "a link is two positions counted from zero"),
    (lambda a: Alignment.of(["01", "12"]), UsageError, "a link is two positions counted from zero"),
    (lambda a: Alignment.of(5), UsageError, "an alignment is made of links, such as [(0, 0), (1, 2)], not of 5"),
    (lambda a: Alignment.of([(0, 0)], [1, 2]), UsageError, "there is one score a link, but there are 1 links and 2 sc"),
    (lambda a: Alignment.of([(0, 0)], ["x"]), UsageError, "scores are numbers, one a link, not ['x']"),
    (
        lambda a: Alignment.of([(0, 0)], [1], [(1, 1)]),
        UsageError,
        "with scores, the possible links are among the links",
    ),
    (lambda a: Alignment([(0, 0)]), UsageError, "links are a sorted tuple; Alignment.of takes them in any order"),
    (lambda a: Alignment.of("0-0").at_least(0.5), UsageError, "this alignment has no scores to compare with a thr"),
    (lambda a: Alignment.of("0-5").with_words("a", "b"), InputError, "the alignment: link 0-5 (counted from 0) lies "),
    (
        lambda a: evaluate(Alignment(), Alignment()),
        UsageError,
        "the hypothesis: give a list of alignments, one a pair,",
    ),
    (lambda a: evaluate([5], ["0-0"]), InputError, "the hypothesis, line 1: an alignment is made of links"),
    (lambda a: evaluate(["0-0"], ["0-0", ""]), InputError, "the hypothesis has 1 line, the gold 2"),
    (lambda a: evaluate("missing", "links"), InputError, "missing: cannot read: No such file or directory"),
    (lambda a: evaluate("links", "links", alpha="x"), UsageError, "alpha has to be a number, not 'x'"),
    (lambda a: read_alignments("file"), InputError, "file, line 1: the format of alignments was not recognised"),
    (lambda a: read_alignments(5), UsageError, "the file of alignments has to be text or a path, not 5"),
    (lambda a: read_alignments("links", "farao"), UsageError, "unknown alignment format 'farao'; known are pharaoh, "),
    (lambda a: Aligner.load("file"), ModelError, "file: there is no model here: not a directory"),
    (lambda a: Aligner.load(5), UsageError, "the directory of a model has to be text or a path, not 5"),
    (
        lambda a: Aligner.load("m", thresold=0.5),
        UsageError,
        "a trained aligner cannot change its thresold; did you mean",
    ),
    (lambda a: MatchingAligner.load(b"m"), UsageError, "the directory of a model has to be text or a path, not b'm'"),
    (lambda a: Aligner.merged("m"), UsageError, "give a list of directories of saved models, not 'm'"),
    (lambda a: a.save(""), UsageError, "the directory to save to has to be text or a path, not ''"),
    (lambda a: a.save("file"), OutputError, "file: there is a file of this name; a model is saved as a directory"),
    (lambda a: Aligner().fit(Bitext.read("missing")), InputError, "missing: cannot read: No such file or directory"),
    (lambda a: Bitext.read(5), UsageError, "the source file has to be text or a path, not 5"),
    (
        lambda a: Bitext.read("file", layout="x"),
        UsageError,
        "a layout is bars, csv, tsv, jsonl, parquet, tmx, xliff, not x",
    ),
    (
        lambda a: Bitext(PAIRS, columns="en"),
        UsageError,
        "columns are two names of one table, such as ('en', 'fr'), not",
    ),
    (
        lambda a: Bitext(PAIRS, columns=("a", "b")),
        InputError,
        "pair 1 is a tuple, which has no a, b; leave out columns",
    ),
    (lambda a: Bitext({"en": [], "fr": []}, columns=("en", "de")), UsageError, "there is no column 'de'; there are en"),
]


@pytest.mark.parametrize(("call", "kind", "message"), WRONG, ids=[message for *_, message in WRONG])
def test_other_wrong_calls(trained, here, call, kind, message):
    before = set(here.iterdir())
    with pytest.raises(kind, match="^" + re.escape(message)) as found:
        call(trained)
    assert "\n" not in str(found.value)
    assert set(here.iterdir()) == before


def test_our_errors_can_be_told_from_others():
    assert issubclass(UsageError, ValueError)
    assert pralign.PralignError is PralignError
    with pytest.raises(pralign.PralignError):
        Aligner(lowercase="no")


def test_there_are_more_than_twenty():
    assert len(WRONG) + len(PAIRS_AT_ONCE) + len(PAIRS_WHILE_READING) > 100
