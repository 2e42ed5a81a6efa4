"""Line charts as SVG."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.report.charts import Chart, Mark, Series

SVG = "{http://www.w3.org/2000/svg}"
thousandths = st.integers(-(10**6), 10**6).map(lambda number: number / 1000)
point_lists = st.lists(st.tuples(thousandths, thousandths), max_size=12)


def chart(*series, **options):
    return Chart("key", "The title", "note", "across", "upwards", series, **options)


def parsed(drawn):
    return ElementTree.fromstring(drawn.svg(alone=True))


def places(element):
    """The points of a line."""
    return [tuple(map(float, place.split(","))) for place in element.get("points").split()]


def curves(root):
    """The points of each curve; the lines of the legend come after them."""
    found = [places(line) for line in root.iter(f"{SVG}polyline")]
    return found[::2]


def ticks(root):
    """The places and the numbers of the ticks, from left to right and from bottom to top."""
    group = root.find(f"{SVG}g[@class='ticks']")
    lines = [{key: float(line.get(key)) for key in ("x1", "x2", "y1", "y2")} for line in group.iter(f"{SVG}line")]
    numbers = [float(text.text.replace(",", "").removesuffix(" %")) for text in group.iter(f"{SVG}text")]
    across = [(line["x1"], number) for line, number in zip(lines, numbers, strict=True) if line["x1"] == line["x2"]]
    upwards = [(line["y1"], number) for line, number in zip(lines, numbers, strict=True) if line["y1"] == line["y2"]]
    return across, upwards


def texts(root):
    return [text.text for text in root.iter(f"{SVG}text")]


def is_inside(root, x, y):
    _, _, width, height = map(float, root.get("viewBox").split())
    return 0 <= x <= width and 0 <= y <= height


def on_line(place, scale):
    """The number at a place between two ticks."""
    (first, low), (last, high) = scale[0], scale[-1]
    return low + (place - first) * (high - low) / (last - first)


# The file


def test_a_chart_stands_alone():
    drawn = chart(Series("one", [(0, 0), (1, 1)], [Mark(1, 1, "a mark", diamond=True)]), Series("two", [(0, 1)]))
    root = parsed(drawn)
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == "The title"
    assert root.find(f"{SVG}desc").text == "upwards against across. one, a mark"
    assert root.find(f"{SVG}rect").get("fill") == "#ffffff"
    text = drawn.svg(alone=True)
    assert text.count("http") == 1
    assert not any(word in text for word in ("<script", "href", "style=", "<style", "url("))


def test_in_a_page_a_chart_has_no_paper_and_no_namespace():
    root = ElementTree.fromstring(chart(Series("one", [(0, 0), (1, 1)])).svg())
    assert root.tag == "svg"
    assert root.find("rect") is None
    assert {"width", "height"}.isdisjoint(root.keys())


def test_names_are_never_markup():
    name = "<script>alert('1')</script>&\"\x00\x1b\u2028\ufffe"
    root = parsed(chart(Series(name, [(0, 0), (1, 1)], [Mark(1, 1, "best")])))
    shown = "<script>alert('1')</script>&\"␀␛␤\N{REPLACEMENT CHARACTER}"
    assert f"{shown}; ○ best" in texts(root)
    assert root.find(f".//{SVG}circle/{SVG}title").text == f"{shown}, best"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
        *("svg", "title", "desc", "rect", "g", "line", "text", "polyline", "circle"),
    }


def test_as_json_all_points_are_there():
    points = [(k / 1000, 1.0) for k in range(1000)]
    drawn = chart(Series("one", points, [Mark(0.5, 1.0, "a mark", diamond=True)]))
    assert drawn.as_dict() == {
        "title": "The title",
        "x": "across",
        "y": "upwards",
        "series": [
            {
                "name": "one",
                "points": [list(point) for point in points],
                "marks": [{"x": 0.5, "y": 1.0, "label": "a mark"}],
            }
        ],
    }


# Curves


@settings(deadline=None, max_examples=50)
@given(st.lists(point_lists, max_size=3), st.booleans(), st.booleans())
def test_curves_lie_between_the_first_and_the_last_tick(curves_of_points, percent, x_percent):
    series = [Series(str(k), points) for k, points in enumerate(curves_of_points)]
    root = parsed(chart(*series, percent=percent, x_percent=x_percent))
    across, upwards = ticks(root)
    assert all(before < after for (before, _), (after, _) in pairwise(across))
    assert all(before > after for (before, _), (after, _) in pairwise(upwards))
    assert 2 <= len(across) <= 8
    assert 2 <= len(upwards) <= 8
    assert [len(curve) for curve in curves(root)] == [len(points) for points in curves_of_points]
    for x, y in (place for curve in curves(root) for place in curve):
        assert across[0][0] <= x <= across[-1][0]
        assert upwards[0][0] >= y >= upwards[-1][0]
    assert all(is_inside(root, *place) for line in root.iter(f"{SVG}polyline") for place in places(line))


@pytest.mark.parametrize(
    "points",
    [
        [(0.0, 0.0), (1.0, 0.4)],
        [(0.31, 0.72), (0.62, 0.55), (0.93, 0.5)],
        [(-250.0, -1234.5), (40.0, -1230.0)],
        [(1.0, 5_000_000.0), (17.0, 9_000_000.0)],
        [(1e-6, 2e-9), (3e-6, 3e-9)],
    ],
)
def test_points_are_where_the_ticks_say(points):
    root = parsed(chart(Series("one", points)))
    across, upwards = ticks(root)
    widths = [(scale[-1][1] - scale[0][1]) / abs(scale[-1][0] - scale[0][0]) for scale in (across, upwards)]
    for (x, y), place in zip(points, curves(root)[0], strict=True):
        # Places are rounded to a tenth of a pixel, and so are the ends of the scale.
        assert on_line(place[0], across) == pytest.approx(x, abs=0.2 * widths[0])
        assert on_line(place[1], upwards) == pytest.approx(y, abs=0.2 * widths[1])


@pytest.mark.parametrize(
    ("high", "percent"),
    [
        (0.9, False),
        (5.0, False),
        (70.0, False),
        (1.0, True),
        (0.11, True),
        (1.2, False),
        (0.12, False),
        (0.011, True),
    ],
)
def test_the_numbers_at_ticks_are_evenly_spaced(high, percent):
    across, upwards = ticks(parsed(chart(Series("one", [(0.0, 0.0), (high, high)]), percent=percent)))
    for scale in (upwards,) if percent else (across, upwards):
        steps = [after - before for (_, before), (_, after) in pairwise(scale)]
        assert steps == pytest.approx([steps[0]] * len(steps), rel=1e-6)


@pytest.mark.parametrize("value", [0.0, 1.0, -3.5, 1e-9, 123456.0, -1e12], ids=str)
def test_a_constant_curve_has_ticks_all_the_same(value):
    root = parsed(chart(Series("one", [(0.0, value), (1.0, value)])))
    _, upwards = ticks(root)
    assert len(upwards) >= 2
    (_, first), (_, second) = curves(root)[0]
    assert first == second
    assert is_inside(root, 10, first)


def test_charts_of_one_point_and_of_none_can_be_drawn():
    root = parsed(chart(Series("one", [(0.5, 0.5)], [Mark(0.5, 0.5, "here")])))
    assert len(curves(root)[0]) == 1
    circle = root.find(f".//{SVG}circle")
    assert is_inside(root, float(circle.get("cx")), float(circle.get("cy")))
    assert curves(parsed(chart(Series("none", [])))) == [[]]
    assert curves(parsed(chart())) == []


@pytest.mark.parametrize(
    ("low", "high"),
    [
        pytest.param(1 - 2**-53, 1.0, id="neighbouring numbers"),
        pytest.param(1e16, 1e16 + 2, id="neighbouring large numbers"),
        pytest.param(-1e308, 1e308, id="huge numbers"),
        pytest.param(0.0, 5e-324, id="tiny numbers"),
    ],
)
def test_any_numbers_can_be_drawn(low, high):
    for points in ([(low, 0.0), (high, 1.0)], [(0.0, low), (1.0, high)]):
        root = parsed(chart(Series("one", points)))
        assert all(is_inside(root, *place) for place in curves(root)[0])


@pytest.mark.parametrize(
    "size",
    [
        1e-30,
        1e12,
        1e-100,
        1e100,
    ],
    ids=str,
)
def test_small_and_large_numbers_leave_room_for_the_curve(size):
    root = parsed(chart(Series("one", [(0.0, size), (1.0, 3 * size)])))
    (left, _), (right, _) = curves(root)[0]
    assert 0 < left < right < float(root.get("width"))


@pytest.mark.parametrize("count", [200, 201, 5000])
def test_of_many_points_some_hundred_are_drawn_from_the_first_to_the_last(count):
    points = [(k / (count - 1), (k / (count - 1)) ** 2) for k in range(count)]
    root = parsed(chart(Series("one", points)))
    found = curves(root)[0]
    assert len(found) == 200
    across, upwards = ticks(root)
    assert found[0] == (across[0][0], upwards[0][0])
    assert found[-1] == (across[-1][0], upwards[-1][0])
    assert all(before[0] <= after[0] for before, after in pairwise(found))
    assert max(after[0] - before[0] for before, after in pairwise(found)) < 5


# Axes that count


@pytest.mark.parametrize(("first", "last"), [(1, 1), (1, 2), (1, 5), (1, 7), (1, 13), (1, 40), (3, 130), (1, 1000)])
def test_axes_that_count_have_whole_numbers_only(first, last):
    root = parsed(chart(Series("one", [(number, 0.5) for number in range(first, last + 1)]), whole=True))
    across, _ = ticks(root)
    numbers = [number for _, number in across]
    assert all(number == round(number) for number in numbers)
    assert all(before < after for before, after in pairwise(numbers))
    assert numbers[0] <= first
    assert numbers[-1] >= last
    assert len(numbers) <= 8
    group = root.find(f"{SVG}g[@class='ticks']")
    assert [text.text for text in group.iter(f"{SVG}text")][: len(numbers)] == [f"{number:,.0f}" for number in numbers]


# Marks and legend


def test_marks_are_rings_and_diamonds_on_their_curve():
    marks = [Mark(0.2, 0.4, "used"), Mark(0.6, 0.9, "best", diamond=True)]
    root = parsed(chart(Series("one", [(0.2, 0.4), (0.6, 0.9)], marks)))
    ring, diamond = root.find(f".//{SVG}circle"), root.find(f".//{SVG}polygon")
    (used, best) = curves(root)[0]
    assert (float(ring.get("cx")), float(ring.get("cy"))) == used
    corners = places(diamond)
    middle = [sum(corner[axis] for corner in corners) / 4 for axis in (0, 1)]
    assert middle == pytest.approx(best, abs=0.1)
    assert all(is_inside(root, *corner) for corner in corners)
    assert "one; ○ used; ◆ best" in texts(root)


def test_marks_beyond_the_curve_widen_the_axes():
    root = parsed(chart(Series("one", [(0.4, 0.5), (0.5, 0.5)], [Mark(0.0, 0.5, "used")])))
    ring = root.find(f".//{SVG}circle")
    across, _ = ticks(root)
    assert across[0][0] <= float(ring.get("cx")) < curves(root)[0][0][0]


def test_eight_curves_can_be_told_apart_by_colour_and_by_dashes():
    root = parsed(chart(*(Series(str(k), [(0, k), (1, k)]) for k in range(8))))
    lines = list(root.iter(f"{SVG}polyline"))
    looks = [(line.get("stroke"), line.get("stroke-dasharray")) for line in lines]
    assert len({colour for colour, _ in looks}) == len({dashes for _, dashes in looks}) == 8
    assert looks[::2] == looks[1::2]  # the line of the legend looks like the curve
    heights = [places(line)[0][1] for line in lines[1::2]]
    assert all(after - before >= 15 for before, after in pairwise(heights))


def test_percentages_are_shown_as_such():
    root = parsed(chart(Series("one", [(0.0, 0.2), (1.0, 0.7)]), percent=True))
    group = root.find(f"{SVG}g[@class='ticks']")
    shown = [text.text for text in group.iter(f"{SVG}text")]
    assert "20 %" in shown
    assert "1.0" in shown
    both = parsed(chart(Series("one", [(0.0, 0.2), (1.0, 0.7)]), percent=True, x_percent=True))
    assert "100 %" in texts(both)


# Where the picture ends


def test_curves_leave_the_picture_at_its_top():
    """The picture ends at a tick, and so do the curves that go on; where it ends, none is in mid-air."""
    points = [(0.0, 0.1), (0.5, 0.05), (0.75, 0.15), (1.0, 0.95), (1.5, 0.15), (2.0, 0.95)]
    root = parsed(chart(Series("one", points), top=0.52))
    lines = [places(line) for line in root.iter(f"{SVG}polyline")][:-1]  # the last one is in the legend
    across, upwards = ticks(root)
    found = [[(on_line(x, across), on_line(y, upwards)) for x, y in line] for line in lines]
    expected = [[(0, 0.1), (0.5, 0.05), (0.75, 0.15), (0.890625, 0.6)], [(1.21875, 0.6), (1.5, 0.15), (1.78125, 0.6)]]
    for run, wanted in zip(found, expected, strict=True):
        assert run == [pytest.approx(point, abs=0.002) for point in wanted]
    assert upwards[-1][1] == 0.6
    assert {line[-1][1] for line in lines} == {upwards[-1][0]}


def test_curves_that_end_below_the_last_tick_are_whole():
    points = [(0.0, 0.1), (1.0, 0.56)]
    root = parsed(chart(Series("one", points), top=0.52))
    across, upwards = ticks(root)
    (line,) = curves(root)
    assert (on_line(line[-1][0], across), on_line(line[-1][1], upwards)) == pytest.approx((1, 0.56), abs=0.002)


@given(point_lists, st.integers(-(10**6), 10**6))
def test_without_points_above_its_top_a_chart_is_as_without_a_top(points, room):
    top = max((y for _, y in points), default=0) + abs(room)
    assert chart(Series("one", points), top=top).svg() == chart(Series("one", points)).svg()


def test_a_curve_looks_alike_in_all_pictures():
    both = parsed(chart(Series("one", [(0, 0), (1, 1)], number=0), Series("two", [(0, 0), (1, 1)], number=1)))
    alone = parsed(chart(Series("two", [(0, 0), (1, 1)], number=1)))
    looks = [root.findall(f".//{SVG}polyline")[-1].attrib for root in (both, alone)]
    assert looks[0]["stroke"] == looks[1]["stroke"] != both.find(f".//{SVG}polyline").attrib["stroke"]


def test_numbers_stand_at_the_ticks_of_their_powers():
    drawn = Chart("key", "title", "", "pairs", "y", [Series("one", [(3, 0), (5, 1)])], x_powers=True)
    assert {"1,000", "10,000", "100,000"} <= set(texts(parsed(drawn)))
    assert drawn.as_dict()["series"][0]["points"] == [[1000, 0], [100_000, 1]]
