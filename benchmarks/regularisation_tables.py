"""The results of regularisation.py as tables for people; shares, precision, recall, area and AER are in percent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from regularisation_quality import RARE, RECALLS, SIDES
from regularisation_runs import FLOOR, UNION_OF_PATHS, VIEWS
from tables import table


def size_tables(result: dict[str, Any]) -> Iterator[str]:
    """All about one size of training text."""
    yield f"\n## {result['corpus']}, {result['pairs']:,} pairs, {result['cells']:,} cells"
    yield from _iterations(result["runs"])
    yield from _times(result["runs"])
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
            cells.append(_percent(row["quality"][part][VIEWS[-1]]["tuned"]["aer"]))
        rows.append(cells)
    yield from table(header, rows)


def _iterations(runs: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield "\nIterations of EM; log-likelihood and objective in thousands; an iteration that did no good is in brackets"
    header = ["", "iteration", "log-likelihood", "KL a pair", "objective", "forward-backward pairs", "not converged"]
    rows = []
    for run in runs:
        for row in run["iterations"]:
            number = row["iteration"]
            rows.append(
                [
                    run["name"],
                    f"{number}" if number <= run["kept"] else f"({number})",
                    f"{row['log_likelihood'] / 1000:.1f}",
                    f"{row['divergence']:.2f}",
                    f"{row['objective'] / 1000:.1f}",
                    f"{row['calls']:.2f}",
                    _percent(row["unconverged"]),
                    _percent(row["dev_area"]),
                    _seconds(row["seconds"]),
                    _seconds(row["cpu_seconds"]),
                ]
            )
    yield from table([*header, "dev area", "s", "CPU s"], rows)


def _times(runs: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield "\nTime of an E-step (the median over iterations), and how many plain ones that is"
    plain = {run["model"]: run for run in runs if run["plain"]}
    rows = []
    for run in runs:
        cells = [run["name"]]
        for unit in ("seconds", "cpu_seconds"):
            time, base = run[unit], plain[run["model"]][unit]
            cells += [_seconds(time), f"{time / base:.1f}" if time and base else "-"]
        rows.append(cells)
    yield from table(["", "s", "times plain", "CPU s", "times plain"], rows)


def _shares(result: dict[str, Any]) -> Iterator[str]:
    header = ["", "decoding", "1-to-1 forward", "1-to-1 reverse", "single source", "single target", "symmetric"]
    for part in (*result["golds"], "all text"):
        yield f"\n1-to-1 links, source words (forward) and target words (reverse) with a single link, symmetry: {part}"
        rows = []
        for kind, shares in result["golds"].get(part, {}).items():
            rows.append([f"gold, {kind} links", "", *[_percent(shares["one_to_one"])] * 2])
            rows[-1] += [_percent(shares[f"single_{side}_words"]) for side in SIDES] + ["-"]
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
    header = ["", "", *(f"{kind} {side} words" for side in SIDES for kind in ("rare", "common"))]
    rows = []
    for view in VIEWS:
        sources = {"the reference": result["reference"]["scores"][part][view]["words"]}
        shown = [variant for variant in result["variants"] if variant["plain"] or variant["projected"]]
        sources |= {variant["name"]: variant["quality"][part][view]["words"] for variant in shown}
        for name, words in sources.items():
            cells = [_precision_recall(words[side][kind]) for side in SIDES for kind in ("rare", "common")]
            rows.append([name, view, *cells])
    yield from table(header, rows)


def _precision_recall(scores: dict[str, float]) -> str:
    both = f"{_percent(scores['precision'])}/{_percent(scores['recall'])}"
    return f"{both} ({scores['links']}, {scores['sure']})"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"


def _seconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.2f}"
