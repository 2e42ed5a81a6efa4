"""The results of constraints.py as tables for people; shares, precision, recall, area and AER are in percent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from constraint_runs import DECODINGS, FLOOR, GAPS_AT, UNION, UNION_OF_PATHS, VIEWS
from constraint_scores import RARE, RECALLS, SIDES
from pralign.evaluation.significance import CHANCE
from tables import table

MEASURES = {"precision": "P", "recall": "R", "f1": "F", "aer": "AER"}


def run_tables(runs: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What training found, and what it took."""
    yield "\nIterations of EM; log-likelihood and objective in thousands; an iteration that did no good is in brackets"
    header = ["", "iteration", "log-likelihood", "KL a pair", "objective", "forward-backward pairs", "not converged"]
    rows = []
    for run in runs:
        for row in run["iterations"]:
            number = row["iteration"]
            cells = [run["name"], f"{number}" if number <= run["kept"] else f"({number})"]
            cells += [f"{row['log_likelihood'] / 1000:.1f}", f"{row['divergence']:.2f}"]
            cells += [f"{row['objective'] / 1000:.1f}", f"{row['calls']:.2f}", _percent(row["unconverged"])]
            rows.append([*cells, _percent(row["dev_area"]), _seconds(row["seconds"]), _seconds(row["cpu_seconds"])])
    yield from table([*header, "dev area", "s", "CPU s"], rows)
    yield "\nTime of an E-step (the median over iterations), how many plain ones that is, and time of all training"
    plain = {run["model"]: run for run in reversed(runs) if run["plain"]}
    rows = []
    for run in runs:
        cells = [run["name"], run["schedule"]]
        for unit in ("e_step", "cpu_e_step"):
            time, base = run[unit], plain[run["model"]][unit]
            cells += [_seconds(time), f"{time / base:.1f}" if time and base else "-"]
        rows.append([*cells, _seconds(run["seconds"]), _seconds(run["cpu_seconds"])])
    yield from table(["", "iterations", "s", "times plain", "CPU s", "times plain", "s in all", "CPU s in all"], rows)


def regularisation_tables(result: dict[str, Any]) -> Iterator[str]:
    """Shares of links, curves, and what there is at the recall of the reference."""
    yield from _shares(result)
    for part in result["golds"]:
        yield from _curves(result, part)
        yield from _at_reference(result, part)
        yield from _words(result, part)


def tolerance_table(result: dict[str, Any]) -> Iterator[str]:
    """What a tolerance costs and brings."""
    yield f"\nTolerance, {result['pairs']:,} pairs, the default number of iterations; AER of the soft union, tuned"
    parts = list(result["golds"])
    header = ["", "tolerance", "forward-backward pairs", "not converged", "KL a pair", "s"]
    header += [f"{what}, {part}" for part in parts for what in ("area forward", "area reverse", "area union", "AER")]
    rows = []
    for row in result["tolerances"]:
        cells = [row["name"], f"{row['tolerance']:g}", f"{row['calls']:.1f}", _percent(row["unconverged"])]
        cells += [f"{row['divergence']:.2f}", _seconds(row["seconds"])]
        for part in parts:
            cells += [_percent(row["quality"][part][view]["area"]) for view in VIEWS]
            cells.append(_percent(row["quality"][part][UNION]["tuned"]["aer"]))
        rows.append(cells)
    yield from table(header, rows)


def _shares(result: dict[str, Any]) -> Iterator[str]:
    header = ["", "decoding", "1-to-1 forward", "1-to-1 reverse", "single source", "single target", "symmetric"]
    for part in (*result["golds"], "all text"):
        yield f"\n1-to-1 links, source words (forward) and target words (reverse) with a single link, symmetry: {part}"
        rows = []
        for kind, found in result["golds"].get(part, {}).items():
            cells = [_percent(found[share]) for share in ("one_to_one", "one_to_one", *SIDES)]
            rows.append([f"gold, {kind} links", "", *cells, "-"])
        for variant in result["variants"]:
            for decoding, found in variant["shares"].items():
                rows.append([variant["name"], decoding, *map(_percent, found[part].values())])
        yield from table(header, rows)


def _curves(result: dict[str, Any], part: str) -> Iterator[str]:
    yield f"\nCurves on {part}, thresholds from 1 down to {FLOOR}: area, and precision where the recall is as high;"
    yield f"AER at the threshold tuned on dev and at 0.5, and of Viterbi alignments (union: {UNION_OF_PATHS})"
    header = ["", "", "area", *(f"{100 * recall:g}" for recall in RECALLS), "highest recall", "threshold"]
    header += ["precision", "recall", "AER", "AER at 0.5", "AER Viterbi"]
    rows = []
    for variant in result["variants"]:
        for view in VIEWS:
            row = variant["quality"][part][view]
            cells = [*map(_percent, [row["area"], *row["precision_at"], row["max_recall"]])]
            cells.append(f"{row['tuned']['threshold']:.3f}")
            cells += [_percent(row["tuned"][name]) for name in ("precision", "recall", "aer")]
            cells += [_percent(row[decoding]["aer"]) for decoding in ("default", "viterbi")]
            rows.append([variant["name"], view, *cells])
    yield from table(header, rows)


def _at_reference(result: dict[str, Any], part: str) -> Iterator[str]:
    yield f"\nPrecision on {part} at the recall of {result['reference']['name']}"
    variants = result["variants"]
    rows = []
    for view in VIEWS:
        own = result["reference"]["scores"][part][view]
        found = [variant["quality"][part][view]["precision_at_reference_recall"] for variant in variants]
        rows.append([view, _percent(own["recall"]), _percent(own["precision"]), *map(_percent, found)])
    yield from table(["", "recall", "the reference", *(variant["name"] for variant in variants)], rows)


def _words(result: dict[str, Any], part: str) -> Iterator[str]:
    yield f"\nPrecision/recall on {part} of links at rare (under {RARE} times in all of the text) and at common words,"
    yield "at the threshold that comes closest to the recall of the reference (links found, sure links of the gold)"
    kinds = [(side, kind) for side in SIDES for kind in ("rare", "common")]
    rows = []
    for view in VIEWS:
        sources = {"the reference": result["reference"]["scores"][part][view]["words"]}
        shown = [variant for variant in result["variants"] if variant["plain"] or variant["projected"]]
        sources |= {variant["name"]: variant["quality"][part][view]["words"] for variant in shown}
        for name, words in sources.items():
            rows.append([name, view, *(_precision_recall(words[side][kind]) for side, kind in kinds)])
    yield from table(["", "", *(f"{kind} {side} words" for side, kind in kinds)], rows)


def contest_tables(model: dict[str, Any], pairs: int, limit: int) -> Iterator[str]:
    """Scores and gaps of one model with all its constraints."""
    rival = model["rival"]
    for way, part, found in _parts(model):
        yield f"\nTable 2: {model['model']} on {part}, {way}; one threshold, tuned in steps of 0.1 for"
        yield f"{model['baseline']}, then each with its own, tuned freely; both on dev. P, R and F are over the sure"
        yield f"links; † does not differ significantly from {rival} (paired bootstrap, p > {CHANCE})"
        rows = []
        for name in found["shared"]:
            rows.append([name])
            for scores in (found["shared"][name], found["own"][name]):
                rows[-1] += [f"{scores['threshold']:.3f}", *map(_marked, [scores] * len(MEASURES), MEASURES)]
        yield from table(["", "shared", *MEASURES.values(), "own", *MEASURES.values()], rows)
    for way, found in model["decodings"].items():
        thresholds = sorted({found["shared"], *GAPS_AT})
        yield f"\nTable 4: share of {pairs:,} pairs of the text with a bridge over more than"
        yield f"{limit} words, {way}, by threshold; the shared one is {found['shared']:g}"
        rows = []
        for name, gaps in found["gaps"].items():
            shown = [found["own"][name], *thresholds]
            rows.append([name, *(_percent(gaps[threshold], 2) for threshold in shown)])
        yield from table(["", "own", *map(str, thresholds)], rows)


def length_tables(model: dict[str, Any], side: str) -> Iterator[str]:
    """The scores of one model by sentence length."""
    for way, part, found in _parts(model):
        yield f"\nTable 5: {model['model']} on {part} by {side} length, {way}, at the shared threshold"
        rows = []
        for classes in zip(*found["lengths"].values(), strict=True):
            for name, row in zip(found["lengths"], classes, strict=True):
                if row["pairs"]:
                    scores = [_percent(row[measure], 2) for measure in MEASURES]
                    rows.append([row["length"], str(row["pairs"]), name, *scores])
        yield from table(["words", "pairs", "", *MEASURES.values()], rows)


def first_iteration_table(models: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What each model with the constraint in question is worth after one iteration, and after all."""
    yield "\nTable 6: F after the first iteration of each model, and after all, at the threshold shared in the end"
    rows = []
    for model in models:
        for way, part, found in _parts(model):
            scores = found["once"]["f1"], found["shared"][model["rival"]]["f1"]
            rows.append([model["rival"], part, way, *(_percent(score, 2) for score in scores)])
    yield from table(["", "", "", "first", "all"], rows)


def _parts(model: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each way to decode, each labelled set, and what was found there."""
    for part in model["decodings"][DECODINGS[0]]["parts"]:
        yield from ((way, part, model["decodings"][way]["parts"][part]) for way in DECODINGS)


def _marked(scores: dict[str, Any], measure: str) -> str:
    chance = "compared" in scores and scores["compared"][measure]["p_value"] > CHANCE
    return _percent(scores[measure], 2) + ("†" if chance else "")


def _precision_recall(scores: dict[str, float]) -> str:
    both = f"{_percent(scores['precision'])}/{_percent(scores['recall'])}"
    return f"{both} ({scores['links']}, {scores['sure']})"


def _percent(share: float | None, digits: int = 1) -> str:
    return "-" if share is None else f"{100 * share:.{digits}f}"


def _seconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.2f}"
