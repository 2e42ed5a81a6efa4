"""Fuzz targets for all that reads text from outside: ``target(data)`` may raise nothing but a ``PralignError``.

What was read must also be what is read again after it was written, and must be in proportion to its input.

    python -m tests.fuzz.readers NAME [-max_total_time=60] [-seed=1]

runs a target under atheris (``pip install atheris``), which looks for inputs that reach new code, from the kept corpus;
what it finds of its own goes to a directory that is thrown away, unless one is named first. Without atheris, and in
the test suite, inputs are small changes of the corpus.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

try:
    import atheris
except ImportError:
    atheris = None

# What is compiled could not be if it were instrumented.
_KERNELS = Path(__file__).parents[2] / "src" / "pralign" / "kernels"
_COMPILED = [f"pralign.kernels.{path.stem}" for path in _KERNELS.glob("*.py")]
_instrumented = atheris is not None and __name__ == "__main__"

with (
    atheris.instrument_imports(include=["pralign"], exclude=_COMPILED, enable_loader_override=False)
    if _instrumented
    else nullcontext()
):
    from typer.testing import CliRunner

    from pralign.characters import escaped, is_harmful
    from pralign.checking import check_text
    from pralign.cli.app import app
    from pralign.cli.languages import parse_languages
    from pralign.cli.settings import checked_criterion, parse_threshold
    from pralign.dropins.tables import read_table
    from pralign.errors import PralignError
    from pralign.experiments import read_experiment
    from pralign.labelling.answers import Answer
    from pralign.links.alignment import Alignment
    from pralign.links.files import AlignmentFile
    from pralign.links.formats import ReadContext, Record, detect_format, get_format, read_records, write_alignments
    from pralign.links.labelled import read_labelled
    from pralign.links.nbest import read_alignment_lists, write_alignment_lists
    from pralign.links.symmetrization import SYMMETRIZERS, symmetrize
    from pralign.memory import parse_size
    from pralign.priors.entries import KnownText
    from pralign.priors.files import read_prior
    from pralign.runs.checkpoint import Checkpoint
    from pralign.runs.recipe import Recipe
    from pralign.serving.bodies import Limits, parse_request
    from pralign.settings import Settings
    from pralign.text.bitext import Bitext
    from pralign.text.conllu import check_tree, parse_conllu, read_conllu
    from pralign.text.corpora import READERS
    from pralign.text.files import line_limit, lines_up_to, read_lines
    from pralign.text.forms import read_forms
    from pralign.text.normalisation import Normalisation
    from pralign.text.tokenizers import Tokenization
    from pralign.text.tokens import tokens
    from pralign.text.vocabulary import Vocabulary
    from pralign.training.schedule import format_schedule, parse_schedule
    from pralign.transfer.tag_files import HtmlTags, TagFile, TmxTags, XliffTags

Target = Callable[[bytes], None]

LONGEST = 1 << 10
_MEMORY = Path("/dev/shm")  # where files are made and read fastest
_FOLDER = Path(tempfile.mkdtemp(prefix="pralign-fuzz-", dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None))
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)
_FILES = [_FOLDER / name for name in ("one", "two", "three")]
_BETWEEN = b"\0\n"  # between the files of an input that is several


@contextmanager
def refusing(most: int = 2000) -> Iterator[None]:
    """Refusals are as good as answers, if they can be shown, and are not as long as what they refuse."""
    try:
        yield
    except PralignError as error:
        message = str(error)
        assert message
        assert not any(map(is_harmful, escaped(message)))
        assert len(message) <= most, f"a message of {len(message)} characters"


def written(data: bytes, number: int = 0) -> Path:
    """A file that holds this."""
    _FILES[number].write_bytes(data)
    return _FILES[number]


def text(data: bytes) -> None:
    """Text files, plain or compressed."""
    with refusing(), lines_up_to(LONGEST):
        lines = list(read_lines(written(data)))
        assert all(len(line.encode()) <= LONGEST for line in lines)
        assert sum(map(len, lines)) <= 1000 * len(data) + 65 * LONGEST
        again = "\ufeff" + "".join(f"{line}\r\n" for line in lines)
        with lines_up_to(2 * LONGEST):
            assert list(read_lines(written(again.encode()))) == lines


def bitext(data: bytes) -> None:
    """Both sides in one file, with tabs or bars."""
    layout = (None, "tsv", "bars")[data[0] % 3] if data else None
    with refusing():
        pairs = [(tokens(source), tokens(target)) for source, target in Bitext.read(written(data[1:]), None, layout)]
        for kind, mark in (("tsv", "\t"), ("bars", " ||| ")):
            if any(mark in f" {side} " or "\r" in side for pair in pairs for side in map(" ".join, pair)):
                continue
            lines = (f"{' '.join(source)}{mark}{' '.join(target)}\n" for source, target in pairs)
            again = Bitext.read(written(f"\ufeff{''.join(lines)}".encode()), None, kind)
            assert [(tokens(source), tokens(target)) for source, target in again] == pairs


def looks(data: bytes) -> None:
    """Texts that are looked at, of one file or two; what is found can be shown, and is in proportion."""
    parts = data.split(_BETWEEN, 1)
    files = [written(part, number) for number, part in enumerate(parts)]
    with refusing():
        checked = check_text(Bitext.read(*files))
        assert checked.facts.pairs == sum(1 for _ in Bitext.read(*files))
        for finding in checked.findings:
            assert len(str(finding)) <= 2000
            assert not any(map(is_harmful, escaped(str(finding))))
            assert finding.line is None or 1 <= finding.line <= checked.facts.pairs


def labelled(data: bytes) -> None:
    """Two files of sentences and one of gold alignments."""
    parts = [*data.split(_BETWEEN, 2), b"", b""][:3]
    files = written(parts[0], 0), written(parts[1], 1), written(parts[2], 2)
    with refusing():
        for source, target, alignment in read_labelled(files):
            assert all(i < len(tokens(source)) and j < len(tokens(target)) for i, j in alignment.links)


def of_format(name: str) -> Target:
    """Alignments in a format, counted from 0 or 1."""
    fmt = get_format(name)

    def target(data: bytes) -> None:
        base = data[0] % 2 if data else 0
        with refusing():
            path = written(data[1:])
            records = list(read_records(path, name, base=base))
            assert len(records) <= 10_000 + 101 * (len(data) + 1)
            if any((not record.source or not record.target) for record in records) and fmt.needs_text:
                return  # of a lost pair there are no words
            with path.open("w", encoding="utf-8", newline="\n") as stream:
                write_alignments(stream, records, name, base=base)
            again = list(read_records(path, name, base=base, lines=len(records)))
            for before, after in zip(records, again, strict=True):
                assert set(after.alignment.links) == set(kept(before.alignment, fmt))
                if fmt.holds_possible:
                    assert after.alignment.possible == before.alignment.possible
                if name == "jsonl":
                    assert after == before

    return target


def kept(alignment: Alignment, fmt: object) -> frozenset[tuple[int, int]]:
    """The links that a format keeps."""
    return frozenset(alignment.links) if fmt.holds_possible else alignment.sure


def lists(data: bytes) -> None:
    """Many alignments of each pair, with their probabilities."""
    with refusing():
        path = written(data)
        found = list(read_alignment_lists(read_lines(path), "lists"))
        for each in found:
            weights = [weight for weight, _ in each.weighted()]
            assert not weights or abs(sum(weights) - 1) < 1e-9
            links = (link for entry in each.combined for link in entry.alignment)
            assert all(i < len(each.source) and j < len(each.target) for i, j in links)
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            write_alignment_lists(stream, found)
        assert list(read_alignment_lists(read_lines(path), "again")) == found


def detection(data: bytes) -> None:
    """Alignments whose format is found out; if it is one of links, its reader takes the lines that were looked at."""
    with refusing():
        path = written(data)
        lines, remaining = list(read_lines(path)), read_lines(path)
        name = detect_format(remaining)
        if name in ("pharaoh", "scored", "gold", "talp"):
            looked_at = lines[: len(lines) - sum(1 for _ in remaining)]
            read = get_format(name).read(looked_at, ReadContext("the beginning"))
            assert len(list(read)) == len(looked_at)
        assert AlignmentFile(path).format.name == name
        for _ in AlignmentFile(path).read():
            pass


def combined(data: bytes) -> None:
    """Alignments of two directions into one."""
    parts = [*data.split(_BETWEEN, 1), b""]
    with refusing():
        directions = [list(read_records(written(part, k), "pharaoh")) for k, part in enumerate(parts[:2])]
        for forward, reverse in zip(*directions, strict=False):
            union = symmetrize(forward.alignment, reverse.alignment, "union").links
            assert union == tuple(sorted({*forward.alignment.links, *reverse.alignment.links}))
            for heuristic in SYMMETRIZERS:
                assert set(symmetrize(forward.alignment, reverse.alignment, heuristic).links) <= set(union)


KNOWN = KnownText(Vocabulary(["the", "house", "a"]), Vocabulary(["la", "maison"]), Normalisation())


def prior(data: bytes) -> None:
    """Dictionaries and priors of eflomal."""
    with refusing():
        entries = read_prior(written(data), KNOWN)
        assert (entries.pairs.units >= 0).all()
        assert entries.pairs.source.max(initial=-1) < 3
        assert entries.pairs.target.max(initial=-1) < 2
        for side in (entries.forward, entries.reverse):
            assert (side.fertilities >= 0).all()


def probabilities(data: bytes) -> None:
    """Tables of fast_align."""
    with refusing():
        lines = list(read_table(written(data)).lines())
        if any("\r" in line for line in lines):
            return
        again = read_table(written(("\ufeff" + "".join(f"{line}\n" for line in lines)).encode()))
        assert list(again.lines()) == lines


def forms(data: bytes) -> None:
    """Words and their lemmas."""
    with refusing():
        found = read_forms(written(data), Normalisation())
        if any("\r" in word for item in found.items() for word in item):
            return
        lines = "\ufeff" + "".join(f"{word}\t{lemma}\n" for word, lemma in found.items())
        assert read_forms(written(lines.encode()), Normalisation(lowercase=False)) == found


def conllu(data: bytes) -> None:
    """Treebanks; what is read is what was there."""
    with refusing():
        path = written(data)
        lines = list(read_lines(path))
        sentences = list(read_conllu(path))
        again = [line for sentence in sentences for line in sentence.lines()]
        assert [line for line in again if line] == [line for line in lines if line]
        reread = parse_conllu(again, "again")
        assert [replace(sentence, line=1) for sentence in reread] == [
            replace(sentence, line=1) for sentence in sentences
        ]
        for sentence in sentences:
            assert all(-1 <= head <= len(sentence.words) for head in sentence.heads)
            assert len(sentence.text) <= sum(map(len, lines)) + len(lines)
        for sentence in sentences:
            check_tree(sentence, "a treebank")


def of_corpus(name: str) -> Target:
    """Files of a kind that holds both sides, with a choice of columns and without; their pairs can be written."""
    fmt = get_format("jsonl")

    def target(data: bytes) -> None:
        choices = [{}, {"columns": "en,fr"}, {"columns": "2,1"}, {"columns": "en,fr", "header": True}]
        choice = choices[data[0] % len(choices)] if data else {}
        if not READERS[name].has_columns:
            choice = {}
        elif not READERS[name].has_header:
            choice.pop("header", None)
        path = written(data[1:])
        with refusing(), lines_up_to(1 << 16):
            text = Bitext.read(path, None, name, **choice)
            pairs, rows = list(text), list(text.rows())
            assert [(row.source, row.target) for row in rows] == pairs
            assert len(pairs) <= 1000 * len(data) + 1
            for side in (side for pair in pairs for side in pair):
                assert not isinstance(side, str) or not set(side) & {"\n", "\r"}
            records = [Record(Alignment(), row.source, row.target, extras=row.extras) for row in rows]
            for line in fmt.write(records, 0):
                line.encode()

    return target


def checkpoint(data: bytes) -> None:
    """What a checkpoint says that it belongs to."""
    folder = _FOLDER / "checkpoint"
    folder.mkdir(exist_ok=True)
    (folder / "checkpoint.json").write_bytes(data)
    with refusing():
        assert Checkpoint(folder, {"model": "hmm", "prior": []}).text in (None, json.loads(data)["text"])


def values(data: bytes) -> None:
    """Values of options, as far as the library takes them apart."""
    value = data.decode("utf-8", "replace")
    most = 2000 + 4 * len(value)  # it may be repeated
    for parse in (parse_threshold, checked_criterion, parse_languages):
        with refusing(most):
            parse(value)
    with refusing(most):
        assert 0 <= parse_size(value) < 10**43
    with refusing(most), lines_up_to(value):
        assert line_limit() > 0
    with refusing(most):
        schedule = parse_schedule(value)
        assert parse_schedule(format_schedule(schedule)) == schedule
    for name in ("model", "iterations", "estimator", "decode", "symmetrize", "constraint", "threshold", "preset"):
        with refusing(most):
            Recipe.of(Settings.resolve(**{name: value}))


OPTIONS = {
    "align": "--format --model --iterations --threshold --memory --scratch --max-line --layout --prefix --suffix "
    "--max-length --smoothing --alpha --lookalikes --relatives --classes --constraint-from --tolerance --slack "
    "--tune --threads --prior --forms --preset --estimator --constraint --decode --symmetrize --nbest --sample --seed",
    "plan": "--memory --max-line --threads --pairs --iterations --layout",
    "show": "--line --format --base --width --max-line --gold",
    "evaluate": "--alpha --hyp-format --hyp-base --bootstrap --seed --compare --by --max-line",
    "convert": "--from --to --from-base --to-base --source --target",
    "lexicon": "--format --direction --top --min-probability --min-count --count --from --base --layout --model",
    "shortlist": "--best --first --vocab --count --from --base --layout",
    "report": "--system --languages --sample --seed --bootstrap --format --base --layout",
}
REQUIRED = {"convert": ["--from", "naacl", "--to", "pharaoh"], "report": ["--system", "a=b"]}


def options(data: bytes) -> None:
    """The command line: a command, an option and its value; its files are empty, so that nothing is worked on."""
    if len(data) < 2:
        return
    command = sorted(OPTIONS)[data[0] % len(OPTIONS)]
    names = OPTIONS[command].split()
    option = names[data[1] % len(names)]
    value = data[2:].decode("utf-8", "surrogateescape").replace("\0", "")
    empty = str(written(b""))
    files = [empty] * (3 if command in ("show", "lexicon", "shortlist") else 2)
    if command == "convert":
        files[1] = str(_FOLDER / "out")
    result = CliRunner().invoke(app, [command, *files, *REQUIRED.get(command, []), option, value])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in (0, 1, 2)
    said = result.stderr_bytes.decode("utf-8", "surrogateescape")
    assert not any(map(is_harmful, said.replace("\n", "")))


def tags_xml(data: bytes) -> None:
    """Tags in XLIFF and TMX; the text of a file that was written again is the same."""

    def opened(path: Path) -> TagFile:
        return XliffTags(path) if data[:1] == b"x" else TmxTags(path, ("en", "fr"))

    with refusing():
        file, again = opened(written(data[1:])), _FOLDER / "tags"
        pairs = list(file.pairs())
        counts = file.write(again, (_diagonal(pair) for pair in pairs))
        assert list(opened(again).pairs()) == pairs
        assert counts.segments == len(pairs)
        assert again.stat().st_size <= 10 * len(data) * (1 + counts.kept + counts.tagged)


def tags_html(data: bytes) -> None:
    """Tags in lines of HTML; what is written has the text of the translations."""
    source, _, target = data.partition(_BETWEEN)
    with refusing():
        file, again = HtmlTags(written(source), written(target, 1)), _FOLDER / "tags"
        pairs = list(file.pairs())
        file.write(again, (_diagonal(pair) for pair in pairs))
        texts = [text for text, _ in HtmlTags(again, again).pairs()]
        assert texts == [text for _, text in pairs] or b"\r" in target


def _diagonal(pair: tuple[str, str]) -> Alignment:
    return Alignment.of((k, k) for k in range(min(len(tokens(side)) for side in pair)))


LIMITS = Limits(pairs=20, words=30)


def requests(data: bytes) -> None:
    """What programs ask the alignment service for; words can be sent again, and come out the same."""
    with refusing():
        pairs = parse_request(data, Tokenization(), LIMITS)
        assert len(pairs) <= LIMITS.pairs
        assert all(len(side) <= LIMITS.words for pair in pairs for side in pair)
        again = {"pairs": [{"source": list(source), "target": list(target)} for source, target in pairs]}
        assert parse_request(json.dumps(again).encode(), Tokenization(), LIMITS) == pairs


LABELLED_WORDS = (["the", "old", "house"], ["la", "vieille", "maison", "."])


def answers(data: bytes) -> None:
    """What a page says of a pair; a journal has it again, and so does a gold file."""
    try:
        given = json.loads(data)
    except (ValueError, RecursionError):
        given = {}
    with refusing(10_000):  # which may name a word by a number of 4,300 digits
        answer = Answer.of(given if isinstance(given, dict) else {}, LABELLED_WORDS, 3, "pair 1")
        assert all(i < 3 and j < 4 for i, j in (*answer.links, *answer.refused))
        assert Answer.of(json.loads(json.dumps(answer.as_dict())), LABELLED_WORDS, 3, "again") == answer
        [line] = get_format("gold").write([Record(answer.gold())], 0)
        [read] = get_format("gold").read([line], ReadContext("again"))
        assert read == answer.gold()


def experiments(data: bytes) -> None:
    """Files of experiments: what is read names nothing that is not there."""
    with refusing():
        read = read_experiment(written(data))
        names = {*read.systems, *(name for table in read.tables for name in (*table.systems, *table.mentioned))}
        assert names == set(read.systems)
        assert all(corpus.files and corpus.sizes for corpus in read.corpora.values())
        assert all(not is_harmful(letter) for name in (*read.systems, *read.corpora) for letter in name)


TARGETS: dict[str, Target] = {
    "text": text,
    "bitext": bitext,
    "looks": looks,
    "labelled": labelled,
    **{name: of_format(name) for name in ("pharaoh", "scored", "gold", "talp", "naacl", "giza", "jsonl")},
    "lists": lists,
    "detection": detection,
    "combined": combined,
    "prior": prior,
    "probabilities": probabilities,
    "forms": forms,
    "conllu": conllu,
    "json_pairs": of_corpus("jsonl"),
    **{name: of_corpus(name) for name in ("csv", "tmx", "xliff", "parquet")},
    "checkpoint": checkpoint,
    "values": values,
    "options": options,
    "tags_xml": tags_xml,
    "tags_html": tags_html,
    "requests": requests,
    "answers": answers,
    "experiments": experiments,
}


def main() -> None:
    """Run the target that the command line names."""
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"usage: python -m tests.fuzz.readers NAME [options of libFuzzer]; names are {', '.join(TARGETS)}")
    if atheris is None:
        sys.exit("this needs atheris: pip install atheris; without it, run the tests in tests/fuzz")
    name = sys.argv.pop(1)
    folders = [argument for argument in sys.argv[1:] if not argument.startswith("-")] or [tempfile.mkdtemp()]
    given = [argument for argument in sys.argv[1:] if argument.startswith("-")]
    kept_inputs = Path(__file__).parent / "corpus" / name
    defaults = ["-rss_limit_mb=2048", "-timeout=20", "-max_len=20000"]
    atheris.Setup([sys.argv[0], *defaults, *given, *folders, str(kept_inputs)], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
