"""Line charts as SVG, for the page and on their own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from pralign.pictures.words import columns, shortened, visible

_WIDTH, _HEIGHT = 560, 340
_RIGHT, _TOP, _BOTTOM = 30, 14, 46
_TITLE, _LETTER = 30, 7.6
_LEGEND_ROW = 20
_COLOURS = ("#0b5cad", "#b34700", "#1a7f37", "#8250df", "#9a6700", "#bf3989", "#0a7c7c", "#57606a")
_DASHES = ("", "7 4", "2 3", "9 3 2 3", "4 4", "12 4", "1 4", "6 2 1 2")
_GLYPHS = ("\N{WHITE CIRCLE}", "\N{BLACK DIAMOND}")
_MOST_POINTS = 200
_TICKS = 6
_LEAST_SPAN, _LEAST = 1e-9, 1e-290  # what is closer together is drawn as one
_LARGEST = 1e290
_MOST_DIGITS = 8
_LONGEST_LINE = 68  # columns
_SIDE = 16
_LINES = {"axis": "#57606a", "tick": "#d8dee4"}


@dataclass(frozen=True)
class Mark:
    """A point of a curve that is worth pointing out, drawn as a ring or as a diamond; the label says why."""

    x: float
    y: float
    label: str
    diamond: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The point and its label, ready for JSON."""
        return {"x": self.x, "y": self.y, "label": self.label}


@dataclass(frozen=True)
class Series:
    """One curve: its name, its points in the order they are joined, and the points to mark.

    Its ``number`` chooses colour and dashes, so that it looks alike in all pictures; by default its place does.
    """

    name: str
    points: Sequence[tuple[float, float]]
    marks: Sequence[Mark] = ()
    number: int | None = None


@dataclass(frozen=True)
class Chart:
    """Some curves over the same axes.

    Attributes:
        key: The name in JSON and of the file.
        title: What it shows.
        note: How to read it.
        x_title: What goes from left to right.
        y_title: What goes upwards.
        series: The curves.
        percent: Whether values of y are fractions that people read as percentages.
        x_percent: The same of x.
        whole: Whether x counts something, so that there is nothing between two numbers.
        x_powers: Whether x is the common logarithm of a number, which people read in its place.
        top: The picture ends at the first tick from here; curves that go higher leave it there, so that what matters
            has the room. JSON has all points all the same.
    """

    key: str
    title: str
    note: str
    x_title: str
    y_title: str
    series: Sequence[Series]
    percent: bool = False
    x_percent: bool = False
    whole: bool = False
    x_powers: bool = False
    top: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """Titles and all points, ready for JSON."""
        series = [
            {
                "name": s.name,
                "points": [[10**x if self.x_powers else x, y] for x, y in s.points],
                "marks": [m.as_dict() for m in s.marks],
            }
            for s in self.series
        ]
        return {"title": self.title, "x": self.x_title, "y": self.y_title, "series": series}

    def svg(self, alone: bool = False) -> str:
        """The chart as SVG: a file on its own, on white, or a part of a page, whose style sheet has the last word."""
        return tostring(_Drawing(self).draw(alone), encoding="unicode")


class _Drawing:
    """Draws one chart."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        marks = [_within((mark.x, mark.y)) for series in chart.series for mark in series.marks]
        top = _LARGEST if chart.top is None else chart.top
        self._y_ticks = _ticks([y for _, y in [*marks, *_points_of(self._runs(top))]])
        self._curves = self._runs(max(top, self._y_ticks[-1]))
        self._x_ticks = _ticks([x for x, _ in [*marks, *_points_of(self._curves)]], chart.whole)
        labels = [_short(value, chart.percent, self._y_ticks) for value in self._y_ticks]
        self._left = _TITLE + _LETTER * max(map(len, labels))
        self._legends = [_legend_lines(series) for series in chart.series]

    def _runs(self, top: float) -> list[list[list[tuple[float, float]]]]:
        """For each curve, the parts of it that do not go over the top."""
        return [
            [_thinned(run) for run in _runs_below([_within(point) for point in series.points], top)]
            for series in self._chart.series
        ]

    def draw(self, alone: bool) -> Element:
        """The whole picture; on its own it has a size and white paper."""
        chart = self._chart
        height = _HEIGHT + _LEGEND_ROW * sum(map(len, self._legends))
        shape = {"viewBox": f"0 0 {_WIDTH} {height}", "role": "img", "class": "chart"}
        shape |= {"font-family": "system-ui, sans-serif", "font-size": "13"}
        if alone:
            shape |= {"xmlns": "http://www.w3.org/2000/svg", "width": str(_WIDTH), "height": str(height)}
        root = Element("svg", shape)
        _add(root, "title", {}, chart.title)
        _add(root, "desc", {}, self._description())
        if alone:
            _add(root, "rect", {"width": "100%", "height": "100%", "fill": "#ffffff"})
        self._axes(root)
        for place in range(len(chart.series)):
            self._curve(root, place)
            self._legend(root, place)
        return root

    def _description(self) -> str:
        chart = self._chart
        marked = [f"{visible(s.name)}, {m.label}" for s in chart.series for m in s.marks]
        return f"{chart.y_title} against {chart.x_title}. {'; '.join(marked)}"

    def _axes(self, root: Element) -> None:
        chart = self._chart
        right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
        ticks = _add(root, "g", {"class": "ticks"})
        for value in self._x_ticks:
            x = self._x(value)
            _line(ticks, (x, _TOP), (x, bottom))
            shown = f"{10**value:,.0f}" if chart.x_powers else _short(value, chart.x_percent, self._x_ticks)
            _label(ticks, (x, bottom + 17), shown, "middle")
        for value in self._y_ticks:
            y = self._y(value)
            _line(ticks, (self._left, y), (right, y))
            _label(ticks, (self._left - 7, y + 4), _short(value, self._chart.percent, self._y_ticks), "end")
        _line(root, (self._left, bottom), (right, bottom), "axis")
        _line(root, (self._left, _TOP), (self._left, bottom), "axis")
        _label(root, ((self._left + right) / 2, _HEIGHT - 10), self._chart.x_title, "middle")
        middle = (_TOP + bottom) / 2
        turned = _label(root, (14, middle), self._chart.y_title, "middle")
        turned.set("transform", f"rotate(-90 14 {middle:.1f})")

    def _number(self, place: int) -> int:
        number = self._chart.series[place].number
        return place if number is None else number

    def _curve(self, root: Element, place: int) -> None:
        number = self._number(place)
        group = _add(root, "g", {"class": f"series s{number % len(_COLOURS)}"})
        for run in self._curves[place]:
            places = " ".join(f"{self._x(x):.1f},{self._y(y):.1f}" for x, y in run)
            _add(group, "polyline", {"points": places, "class": "curve", **_stroke(number)})
        for mark in self._chart.series[place].marks:
            x, y = self._x(mark.x), self._y(mark.y)
            if mark.diamond:
                look = {"class": "mark", "fill": _colour(number)}
                corners = f"{x - 7:.1f},{y:.1f} {x:.1f},{y - 7:.1f} {x + 7:.1f},{y:.1f} {x:.1f},{y + 7:.1f}"
                sign = _add(group, "polygon", {"points": corners, **look})
            else:
                look = {"class": "ring", "fill": "none", "stroke": _colour(number), "stroke-width": "2"}
                sign = _add(group, "circle", {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": "8.5", **look})
            _add(sign, "title", {}, f"{visible(self._chart.series[place].name)}, {mark.label}")

    def _legend(self, root: Element, place: int) -> None:
        number, before = self._number(place), sum(len(lines) for lines in self._legends[:place])
        y = _HEIGHT + _LEGEND_ROW * (before + 0.5)
        group = _add(root, "g", {"class": f"series s{number % len(_COLOURS)}"})
        _add(group, "polyline", {"points": f"{_SIDE},{y} {_SIDE + 34},{y}", "class": "curve", **_stroke(number)})
        for row, line in enumerate(self._legends[place]):
            _label(group, (_SIDE + 42, y + 4 + row * _LEGEND_ROW), line, "start")

    def _x(self, value: float) -> float:
        return self._left + (_WIDTH - self._left - _RIGHT) * _share(value, self._x_ticks)

    def _y(self, value: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * _share(value, self._y_ticks)


def _legend_lines(series: Series) -> list[str]:
    """The name of a curve and what is marked on it, on one line or, where that is too long, on two."""
    name = shortened(visible(series.name), _LONGEST_LINE)
    marks = "; ".join(f"{_GLYPHS[mark.diamond]} {mark.label}" for mark in series.marks)
    whole = f"{name}; {marks}" if marks else name
    return [whole] if columns(whole) <= _LONGEST_LINE else [name, marks]


def _within(point: tuple[float, float]) -> tuple[float, float]:
    """A point that can be reckoned with."""
    x, y = (min(max(value, -_LARGEST), _LARGEST) for value in point)
    return x, y


def _points_of(curves: Sequence[Sequence[Sequence[tuple[float, float]]]]) -> list[tuple[float, float]]:
    return [point for curve in curves for run in curve for point in run]


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _stroke(number: int) -> dict[str, str]:
    dash = _DASHES[number % len(_DASHES)]
    return {"fill": "none", "stroke-width": "2", "stroke": _colour(number)} | (
        {"stroke-dasharray": dash} if dash else {}
    )


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """At most a few hundred points, spread evenly, the first and the last among them."""
    if len(points) <= _MOST_POINTS:
        return list(points)
    last = len(points) - 1
    return [points[round(k * last / (_MOST_POINTS - 1))] for k in range(_MOST_POINTS)]


def _runs_below(points: Sequence[tuple[float, float]], top: float) -> list[list[tuple[float, float]]]:
    """The parts of a curve that do not go over the top; where it is crossed, they end on it."""
    runs: list[list[tuple[float, float]]] = [[]]
    for number, (x, y) in enumerate(points):
        if number and (y > top) != (points[number - 1][1] > top):
            x0, y0 = points[number - 1]
            runs[-1].append((x0 + (x - x0) * (top - y0) / (y - y0), top))
        if y <= top:
            runs[-1].append((x, y))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run] or [[]]


def _ticks(values: Sequence[float], whole: bool = False) -> list[float]:
    """Round numbers, evenly spaced, from at most the lowest value to at least the highest."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    if high - low <= max(_LEAST_SPAN * max(abs(low), abs(high)), _LEAST):
        room = max(abs(low) * 0.05, _LEAST) if low else 0.05
        low, high = low - room, high + room
    raw = (high - low) / (_TICKS - 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= raw * 0.999)
    if whole:
        step = max(1.0, round(step))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [number * step for number in range(first, max(last, first + 1) + 1)]


def _share(value: float, ticks: Sequence[float]) -> float:
    return (value - ticks[0]) / (ticks[-1] - ticks[0])


def _short(value: float, as_percent: bool, ticks: Sequence[float]) -> str:
    """A number at a tick, with as many digits as the steps need."""
    factor = 100 if as_percent else 1
    step, largest = factor * (ticks[1] - ticks[0]), factor * max(abs(ticks[0]), abs(ticks[-1]))
    if largest >= 10**_MOST_DIGITS or step < 10**-_MOST_DIGITS:
        text = f"{factor * value:.4g}"
    else:
        digits = next(d for d in range(_MOST_DIGITS + 2) if abs(round(step, d) - step) < 1e-6 * step)
        text = f"{factor * value + 0.0:,.{digits}f}"
    return text + (" %" if as_percent else "")


def _add(parent: Element, tag: str, attributes: dict[str, str], text: str | None = None) -> Element:
    child = SubElement(parent, tag, attributes)
    child.text = text
    return child


def _line(parent: Element, begin: tuple[float, float], end: tuple[float, float], kind: str = "tick") -> None:
    (x1, y1), (x2, y2) = begin, end
    places = {"x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
    _add(parent, "line", places | {"class": kind, "stroke": _LINES[kind]})


def _label(parent: Element, place: tuple[float, float], text: str, anchor: str) -> Element:
    x, y = place
    return _add(parent, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor}, text)
