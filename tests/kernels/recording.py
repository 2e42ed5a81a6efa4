"""Writes the list of kernels that Python calls: ``python -m tests.kernels.recording``.

Small runs of every kind are made, each in a process of its own, which then looks what it has loaded or compiled. A
kernel is listed under the fewest facts that tell all runs that need it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import combinations, islice
from pathlib import Path
from typing import Any

from pralign.kernels.signatures import LIST, format_type

MODELS = ("ibm1", "ibm2", "hmm", "fhmm", "ibm3", "ibm4")
ESTIMATORS = ("em", "vb", "collapsed")
CONSTRAINTS = ("bijective", "symmetric", "agreement", "itg")
DECODING = ("viterbi", "itg", "matching")
MOST_FACTS = 3
PAIRS = 80


def runs() -> Iterator[tuple[str, dict[str, Any]]]:
    """What is run: a task and settings."""
    for task in ("train", "load"):
        for preset in ("fast", "default", "best"):
            yield task, {"preset": preset}
        for model in MODELS:
            yield task, {"model": model}
        for decode in DECODING:
            yield task, {"decode": decode}
            yield task, {"model": "hmm", "decode": decode}
        for constraint in CONSTRAINTS:
            yield task, {"model": "hmm", "constraint": constraint, "project_at_decode": True}
    for model in MODELS:
        for estimator in ESTIMATORS[1:]:
            yield "train", {"model": model, "estimator": estimator}
        for constraint in CONSTRAINTS:
            for estimator in ("em", "collapsed"):
                yield "train", {"model": model, "constraint": constraint, "estimator": estimator}
    yield "train", {"model": "hmm", "relatives": 5.0}
    yield "train", {"model": "hmm", "lookalikes": 3.0}
    for task in ("nbest", "samples"):
        for model in MODELS:
            yield task, {"model": model}
            yield task, {"model": model, "constraint": "symmetric"}
    yield "phrases", {"reordering": True}
    yield "phrases", {"count": "posteriors"}
    for model in MODELS:
        yield "phrases", {"count": "posteriors", "model": model}
    yield from ((task, {}) for task in TASKS if task not in ("train", "load"))


def text() -> list[tuple[str, str]]:
    from pralign import sample
    from pralign.text.bitext import Bitext

    return list(islice(Bitext.read(sample.SOURCE, sample.TARGET), PAIRS))


def golds() -> list[Any]:
    from pralign import sample
    from pralign.links.formats import read_alignments

    return list(islice(read_alignments(sample.GOLD, "gold"), PAIRS // 2))


def train(settings: dict[str, Any]) -> frozenset[str]:
    from pralign.aligner import Aligner

    aligner = Aligner(**settings, threads=1)
    list(aligner.fit_align(text()))
    return aligner._recipe().facts | {"train"}


def load(settings: dict[str, Any]) -> frozenset[str]:
    from pralign.aligner import Aligner

    with tempfile.TemporaryDirectory() as place:
        code = "from pralign.aligner import Aligner; from tests.kernels.recording import text; import sys, json\n"
        code += "Aligner(**json.loads(sys.argv[1]), threads=1).fit(text()).save(sys.argv[2])"
        subprocess.run([sys.executable, "-c", code, json.dumps(settings), place], check=True)
        aligner = Aligner.load(place, threads=1)
        new = [(f"{source} zz", f"{target} zz") for source, target in text()[:9]]
        list(aligner.align(text()[:9] + new))
        aligner.posteriors(*text()[0])
        return aligner.model_.recipe.facts | {"load"}


def nbest(settings: dict[str, Any]) -> frozenset[str]:
    return listed(settings, "nbest")


def samples(settings: dict[str, Any]) -> frozenset[str]:
    return listed(settings, "samples")


def listed(settings: dict[str, Any], kind: Any) -> frozenset[str]:
    from pralign.aligner import Aligner
    from pralign.decoding.lists import ListRequest

    aligner = Aligner(**settings, threads=1)
    list(aligner.fit_decode(text(), lists=ListRequest(kind, 3)))
    return aligner._recipe().facts | {"train", kind}


def adapt(settings: dict[str, Any]) -> frozenset[str]:
    from pralign.aligner import Aligner

    with tempfile.TemporaryDirectory() as place:
        Aligner(threads=1).fit(text()[:40]).save(place)
        aligner = Aligner.load(place, threads=1)
        list(aligner.adapt_decode(text()[30:]))
        return aligner.model_.recipe.facts | {"train", "adapt"}


def match(settings: dict[str, Any]) -> frozenset[str]:
    from pralign.matching import MatchingAligner

    labelled = [(*pair, gold) for pair, gold in zip(text(), golds(), strict=False)]
    for features in ([], ["dice", "distance", "posteriors"]):
        aligner = MatchingAligner(features=features or None, threads=1).fit(text(), labelled=labelled)
        list(aligner.align(text()[:9]))
    return frozenset({"match"})


def phrases(settings: dict[str, Any]) -> frozenset[str]:
    from pralign.aligner import Aligner
    from pralign.links.aligned import alignments_of
    from pralign.links.files import AlignmentFile
    from pralign.phrases import PhraseFiles, PhraseSettings, PhraseTable

    model = settings.get("count") == "posteriors" and settings.get("model")
    trained = Aligner(model=model, threads=1).fit(text()).model_ if model else None
    chosen = PhraseSettings(**{name: value for name, value in settings.items() if name != "model"}, threads=1)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "links").write_text("0-0:0.5\n" * PAIRS if chosen.count == "posteriors" else "0-0\n" * PAIRS)
        files = PhraseFiles(folder / "t", folder / "e", folder / "r" if chosen.reordering else None)
        with PhraseTable(text(), alignments_of(AlignmentFile(folder / "links")), chosen, trained) as table:
            files.write(table)
    return chosen.facts | (trained.recipe.facts if trained else frozenset())


def rules(settings: dict[str, Any]) -> frozenset[str]:
    from pralign.links.aligned import alignments_of
    from pralign.links.files import AlignmentFile
    from pralign.phrases import RuleFiles, RuleSettings, RuleTable

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "links").write_text("0-0 1-1 2-2\n")
        files = RuleFiles(folder / "g", folder / "e")
        with RuleTable([("a b c", "x y z")], alignments_of(AlignmentFile(folder / "links")), RuleSettings()) as table:
            files.write(table, "moses")
            files.write(table, "cdec")
    return frozenset({"rules"})


def commands(settings: dict[str, Any]) -> frozenset[str]:
    from pralign.lexicons import lexicon
    from pralign.links.alignment import Alignment
    from pralign.links.files import AlignmentFile
    from pralign.links.symmetrization import SYMMETRIZERS, symmetrize
    from pralign.runs.merging import merge_models

    for name in SYMMETRIZERS:
        symmetrize(Alignment.of([(0, 0), (1, 2)]), Alignment.of([(0, 0), (2, 1)]), name)
    with tempfile.TemporaryDirectory() as place:
        for format, line in (("pharaoh", "0-0\n"), ("scored", "0-0:0.5\n")):
            path = Path(place) / format
            path.write_text(line)
            lexicon([("a", "x")], AlignmentFile(path, format))
    assert merge_models
    return frozenset({"commands"})


TASKS: dict[str, Callable[[dict[str, Any]], frozenset[str]]] = {
    each.__name__: each for each in (train, load, nbest, samples, adapt, match, phrases, rules, commands)
}


def record(task: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Make a run in this process: the facts that hold of it, and the kernels that it has used."""
    from pralign.kernels.compile import Kernel

    took: dict[str, int] = {}
    compile_kernel = Kernel.compile

    def timed(self: Kernel, sig: Any) -> Any:
        began = time.perf_counter()
        try:
            return compile_kernel(self, sig)
        finally:
            took.setdefault(named(self, sig), round(1000 * (time.perf_counter() - began)))

    Kernel.compile = timed  # type: ignore[method-assign]
    facts = TASKS[task](settings)
    return {"facts": sorted(facts), "used": took}


def named(kernel: Any, types: Any) -> str:
    function = kernel.py_func
    name = f"{function.__module__.removeprefix('pralign.')}.{function.__name__}"
    return f"{name}({', '.join(map(format_type, types))})"


def recorded() -> list[dict[str, Any]]:
    """All runs, each in a process of its own, one after the other."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PRALIGN_CACHE": cache}
        found = []
        for task, settings in runs():
            command = [sys.executable, "-m", "tests.kernels.recording", task, json.dumps(settings)]
            done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")
            if done.returncode:
                print(task, settings, done.stderr[-300:], file=sys.stderr)
                continue
            print(task, settings, file=sys.stderr)
            found.append(json.loads(done.stdout.splitlines()[-1]))
        return found


def sections(found: list[dict[str, Any]]) -> dict[tuple[str, ...], dict[str, int]]:
    """Which kernels are needed under which facts."""
    facts = [frozenset(run["facts"]) for run in found]
    milliseconds: dict[str, int] = {}
    for run in found:
        for kernel, took in run["used"].items():
            milliseconds[kernel] = max(took, milliseconds.get(kernel, 0))
    conditions = {frozenset(some) for each in facts for n in range(MOST_FACTS + 1) for some in combinations(each, n)}
    holding = {each: {k for k, known in enumerate(facts) if each <= known} for each in conditions}
    result: dict[tuple[str, ...], dict[str, int]] = {}
    for kernel, took in milliseconds.items():
        users = {k for k, run in enumerate(found) if kernel in run["used"]}
        for condition in covering(users, holding):
            result.setdefault(tuple(sorted(condition)), {})[kernel] = took
    return result


def covering(users: set[int], holding: dict[frozenset[str], set[int]]) -> Iterator[frozenset[str]]:
    """Few conditions that hold of these runs and of no others."""
    fitting = {each: runs for each, runs in holding.items() if runs <= users}
    left = set(users)
    while left and fitting:
        best = min(fitting, key=lambda each: (-len(fitting[each] & left), len(each), sorted(each)))
        if not fitting[best] & left:
            return
        left -= fitting[best]
        yield best


def written(sections: dict[tuple[str, ...], dict[str, int]]) -> str:
    lines = []
    for facts in sorted(sections, key=lambda each: (len(each), each)):
        kernels = sorted(sections[facts].items(), key=lambda item: (-item[1], item[0]))
        lines += [f"[{' '.join(facts)}]", *(f"{took} {kernel}" for kernel, took in kernels), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(record(sys.argv[1], json.loads(sys.argv[2]))))
    else:
        LIST.write_text(written(sections(recorded())), "utf-8")
