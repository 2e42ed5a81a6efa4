"""The curves of a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pralign.evaluation import Curve, precision_recall_curve
from pralign.links.alignment import Alignment
from pralign.report.charts import Chart, Mark, Series
from pralign.report.inputs import ReportInput
from pralign.report.posteriors import LOWEST
from pralign.report.tables import percent

_ROOM = 0.02

CHARTS = ("precision_recall", "aer", "confidence", "likelihood", "dev_aer")
"""The keys of all charts that there may be."""


def charts(inputs: ReportInput) -> list[Chart]:
    """All curves that the input has the numbers for."""
    return [*_threshold_charts(inputs), *_history_charts(inputs)]


def _scored(inputs: ReportInput) -> Iterator[tuple[str, Sequence[Alignment], float | None]]:
    """Whatever has probabilities: its name, its links, and the threshold in use, where that can be seen on a curve.

    All links of a system are drawn, so its threshold is zero. Links that a model finds too improbable are not here, so
    a lower threshold cannot be seen.
    """
    for system in inputs.systems:
        if system.has_scores:
            yield system.name, system.alignments, 0.0
    posteriors = inputs.posteriors
    if posteriors is not None:
        thresholds = posteriors.thresholds or (None, None, None)
        views = ("forward", posteriors.forward), ("reverse", posteriors.reverse), ("mean of both", posteriors.mean)
        for (direction, alignments), threshold in zip(views, thresholds, strict=True):
            if any(alignments):
                seen = threshold is not None and threshold >= LOWEST
                yield f"{posteriors.name}: {direction}", alignments, threshold if seen else None


def _threshold_charts(inputs: ReportInput) -> Iterator[Chart]:
    scored = list(_scored(inputs))
    if not scored:
        return
    if inputs.golds is None:
        yield _confidence_chart(scored)
        return
    curves = [(name, precision_recall_curve(found, inputs.golds), used) for name, found, used in scored]
    yield Chart(
        "precision_recall",
        "Precision and recall",
        "Fewer and surer links to the left, more links to the right: how many are right, against how many of the sure "
        "links are found. The higher a curve runs, the better. The diamond is where the error rate is lowest.",
        "recall",
        "precision",
        [_precision_series(name, curve) for name, curve, _ in curves],
        percent=True,
        x_percent=True,
    )
    errors = [_error_series(name, curve, used) for name, curve, used in curves]
    yield Chart(
        "aer",
        "Error rate by threshold",
        "How probable a link must be to be drawn, and the alignment error rate that follows. A flat valley means that "
        "the choice hardly matters. A circle is the threshold in use, or all links that a system draws. A curve that "
        "leaves the picture at its top goes on there, to higher error rates.",
        "threshold",
        "alignment error rate",
        errors,
        percent=True,
        top=_top(errors),
    )


def _top(errors: Sequence[Series]) -> float:
    """Where the picture of error rates ends: far enough above what is marked for a valley to be seen as one.

    A curve ends at an error of nearly one, where hardly any link is probable enough; drawn so far, a valley is flat.
    """
    highest = max(mark.y for series in errors for mark in series.marks)
    return max(1.5 * highest, highest + _ROOM)


def _precision_series(name: str, curve: Curve) -> Series:
    points = [point.scores for point in curve.points if point.counts.links]
    best = curve.best("aer").scores
    mark = Mark(best.recall, best.precision, f"lowest error rate, {percent(best.aer)}", diamond=True)
    return Series(name, [(scores.recall, scores.precision) for scores in points], [mark])


def _error_series(name: str, curve: Curve, used: float | None) -> Series:
    best = curve.best("aer")
    lowest = f"lowest, {percent(best.scores.aer)} at {best.threshold:.2f}"
    marks = [Mark(best.threshold, best.scores.aer, lowest, diamond=True)]
    chosen = next((point for point in reversed(curve.points) if used is not None and point.threshold >= used), None)
    if used is not None and chosen is not None:
        error = percent(chosen.scores.aer)
        told = f"in use, {error} at {used:.2f}" if used else f"as drawn, {error}"
        marks.append(Mark(used or chosen.threshold, chosen.scores.aer, told))
    return Series(name, [(point.threshold, point.scores.aer) for point in curve.points], marks)


def _confidence_chart(scored: Sequence[tuple[str, Sequence[Alignment], float | None]]) -> Chart:
    series = []
    for name, alignments, _ in scored:
        values = sorted((s for alignment in alignments for s in alignment.scores or ()), reverse=True)
        total = len(values)
        series.append(Series(name, [(value, (k + 1) / total) for k, value in enumerate(values)]))
    return Chart(
        "confidence",
        "How sure the systems are of their links",
        "The share of links that are at least so probable. A curve that is high at the right is sure of nearly all.",
        "probability of at least",
        "share of links",
        series,
        percent=True,
    )


def _another_number(settings: Mapping[str, str]) -> str:
    """Why the curve of a model may fall after its first iteration, if it may."""
    reasons = []
    if settings.get("model") == "fhmm":
        reasons.append("it also holds how probable it is how many words each word explains")
    if settings.get("estimator") == "collapsed":
        reasons.append("each pair is judged without what it has itself taught")
    if not reasons:
        return ""
    return (
        f" After the first iteration of the last stage it is another number, so that a fall there says nothing about "
        f"the links: {', and '.join(reasons)}."
    )


def _history_charts(inputs: ReportInput) -> Iterator[Chart]:
    posteriors = inputs.posteriors
    if posteriors is None or not posteriors.history:
        return
    history = list(enumerate(posteriors.history, start=1))
    stages = [entry["model"] for entry in posteriors.history]
    order = ", ".join(f"{stages.count(name)} of {name}" for name in dict.fromkeys(stages))
    both = [
        Series(name, [(number, entry["log_likelihood"][direction]) for number, entry in history])
        for direction, name in enumerate(("forward", "reverse"))
    ]
    yield Chart(
        "likelihood",
        "Likelihood by iteration",
        "How probable the text is under the model that each iteration begins with (log-likelihood). Iterations: "
        f"{order}. A new stage may start lower than the last one ended.{_another_number(dict(posteriors.settings))}",
        "iteration",
        "log-likelihood",
        both,
        whole=True,
    )
    judged = [(number, entry["dev_aer"]) for number, entry in history if entry["dev_aer"] is not None]
    if judged:
        best = min(judged, key=lambda point: point[1])
        marks = [Mark(*best, f"lowest, {percent(best[1])}", diamond=True)]
        kept = [point for point in judged if posteriors.history[point[0] - 1]["kept"]]
        marks += [Mark(*kept[-1], f"kept, {percent(kept[-1][1])}")] if kept else []
        yield Chart(
            "dev_aer",
            "Error rate on the labelled pairs by iteration",
            "The alignment error rate of the development pairs, at the threshold that suits them best, after each "
            "iteration. Training stops when the area under their precision-recall curve stops rising.",
            "iteration",
            "alignment error rate",
            [Series("labelled pairs", judged, marks)],
            percent=True,
            whole=True,
        )
