"""The results of itg_analysis.py as tables for people; scores and shares are in percent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from itg_quality import MEASURES
from itg_runs import DECODINGS
from tables import table

LEVEL = 0.05
NAMES = ["P", "R", "F", "AER"]


def model_tables(model: dict[str, Any]) -> Iterator[str]:
    """Times, scores and gaps of one model with all its constraints."""
    yield f"\n## {model['model']}"
    yield "\nTraining, from reading the text to the last iteration"
    runs = [*model["runs"], model["first"]]
    rows = [[run["name"], run["iterations"], f"{run['seconds']:.1f}", f"{run['cpu_seconds']:.1f}"] for run in runs]
    yield from table(["", "iterations", "s", "CPU s"], rows)
    for part in model["parts"]:
        for decoding in DECODINGS:
            yield from _score_table(model, part, decoding)
    yield from _gap_table(model)


def length_tables(model: dict[str, Any], side: str) -> Iterator[str]:
    """The scores of one model by sentence length."""
    for part in model["parts"]:
        for decoding in DECODINGS:
            yield f"\nTable 5: {model['model']} on {part} by {side} length, {decoding}, at the shared threshold"
            by_run = [(run["name"], _found(run, decoding, part)["lengths"]) for run in model["runs"]]
            rows = []
            for number, first in enumerate(by_run[0][1]):
                for name, classes in by_run if first["pairs"] else []:
                    scores = [_percent(classes[number][measure]) for measure in MEASURES]
                    rows.append([first["length"], str(first["pairs"]), name, *scores])
            yield from table(["words", "pairs", "", *NAMES], rows)


def first_iteration_table(models: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What each model with the constraint in question is worth after one iteration, and after all."""
    yield "\nTable 6: F after the first iteration of each model, and after all, at the threshold shared in the end"
    rows = []
    for model in models:
        last = next(run for run in model["runs"] if run["name"] == model["rival"])
        for part in model["parts"]:
            for decoding in DECODINGS:
                scores = [_percent(_found(run, decoding, part)["shared"]["f1"]) for run in (model["first"], last)]
                rows.append([model["rival"], part, decoding, *scores])
    yield from table(["", "", "", "first", "all"], rows)


def _score_table(model: dict[str, Any], part: str, decoding: str) -> Iterator[str]:
    yield f"\nTable 2: {model['model']} on {part}, {decoding}; one threshold, tuned in steps of 0.1 for"
    yield f"{model['baseline']}, then each with its own, tuned freely; both on dev. P, R and F are over the sure links;"
    yield f"† does not differ significantly from {model['rival']} (paired bootstrap, p > {LEVEL})"
    rows = []
    for run in model["runs"]:
        found = _found(run, decoding, part)
        rows.append([run["name"]])
        for kind in ("shared", "own"):
            rows[-1] += [f"{found[kind]['threshold']:.3f}", *_marked(found[kind])]
    yield from table(["", "shared", *NAMES, "own", *NAMES], rows)


def _gap_table(model: dict[str, Any]) -> Iterator[str]:
    for decoding in DECODINGS:
        by_run = [(run, run["decodings"][decoding]["gaps"]) for run in model["runs"]]
        thresholds = [threshold for threshold in by_run[0][1] if all(threshold in gaps for _, gaps in by_run)]
        first = by_run[0][1][thresholds[0]]
        shared = _found(model["runs"][0], decoding, model["parts"][0])["shared"]["threshold"]
        yield f"\nTable 4: share of {first['sentences']:,} pairs of the text with a bridge over more than"
        yield f"{first['limit']} words, {decoding}, by threshold; the shared one is {shared:g}"
        rows = []
        for run, gaps in by_run:
            own = str(_found(run, decoding, model["parts"][0])["own"]["threshold"])
            rows.append([run["name"], *(_percent(gaps[threshold]["share"]) for threshold in [own, *thresholds])])
        yield from table(["", "own", *thresholds], rows)


def _found(run: dict[str, Any], decoding: str, part: str) -> dict[str, Any]:
    found: dict[str, Any] = run["decodings"][decoding]["parts"][part]
    return found


def _marked(found: dict[str, Any]) -> list[str]:
    compared = found.get("compared")
    return [
        _percent(found[measure]) + ("†" if compared and compared[measure]["p_value"] > LEVEL else "")
        for measure in MEASURES
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"
