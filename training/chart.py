"""Curves as SVG for a page without scripts: places are per cents, so that text keeps its size on any screen.

A curve itself cannot be told in per cents; it lies in a picture that is stretched to its place, while its stroke
keeps its width.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from solo_env.evaluation.page_html import nice_ticks
from training.words import MILLION, THOUSAND, quantity

POINTS = 200  # of a curve; more are put together
TOP, FOOT = 18, 22  # pixels above and below the field
ACROSS = 1000  # units of the stretched picture
NARROWEST, LETTER, MARGIN = 280, 7, 8  # pixels: of a field on a telephone, of a letter, beside a word
ROOM = 0.06  # of an axis, above and below what is drawn


@dataclass(frozen=True)
class Point:
    """A place on a curve; ``ends`` is an interval around ``y``, and ``told`` is said when it is pointed at."""

    x: float
    y: float
    ends: tuple[float, float] | None = None
    told: str = ""


@dataclass(frozen=True)
class Line:
    """A curve; with ``dotted`` every point is marked, with its interval."""

    name: str
    points: Sequence[Point]
    dotted: bool = False


@dataclass(frozen=True)
class Span:
    """A stretch of the axis with its name, such as a stage."""

    name: str
    start: float
    end: float


@dataclass(frozen=True)
class Chart:
    """Curves over one axis.

    Args:
        title: what they tell.
        lines: at most four, each in a colour of its own.
        hours: whether x is hours; decisions otherwise.
        end: where the axis of x ends; it begins at 0.
        percent: whether y is a share, told in per cent.
        zero: whether 0 is on the axis of y.
        level: a value to hold the curves against, drawn as a broken line.
        spans: the stages.
        marks: places on the axis of x at which something happened.
        height: pixels.
    """

    title: str
    lines: tuple[Line, ...]
    hours: bool = False
    end: float = 0.0
    percent: bool = False
    zero: bool = False
    level: float | None = None
    spans: tuple[Span, ...] = ()
    marks: tuple[float, ...] = ()
    height: int = 170


def panels(charts: Sequence[Chart], least: str = "15rem") -> str:
    """Charts side by side, none narrower than ``least``, as HTML."""
    return f'<div class="panels" style="--least:{least}">\n{"".join(map(panel, charts))}</div>\n'


def panel(chart: Chart) -> str:
    """One chart."""
    low, high = limits(chart)
    end = chart.end or max((point.x for line in chart.lines for point in line.points), default=0.0) or 1.0
    bottom = chart.height - FOOT

    def x(value: float) -> str:
        return f"{100 * min(1.0, value / end):.2f}%"

    def y(value: float) -> str:
        return f"{TOP + (bottom - TOP) * (high - value) / (high - low):.1f}"

    scale, field = [], []
    for tick in nice_ticks(low, high):
        at = y(tick)
        scale.append(
            f'<text x="100%" y="{float(at) + 4:.1f}" text-anchor="end">{_number(tick, chart.percent)}</text>'
        )
        kind = "zero" if tick == 0 and low < 0 else "grid"
        field.append(f'<line class="{kind}" x1="0" x2="100%" y1="{at}" y2="{at}"/>')
    for span in chart.spans:
        field.append(f'<line class="stage" x1="{x(span.start)}" x2="{x(span.start)}" y1="2" y2="{bottom}"/>')
        if NARROWEST * (span.end - span.start) / end >= LETTER * len(span.name) + MARGIN:
            field.append(f'<text class="stage" x="{x(span.start)}" dx="4" y="12">{escape(span.name)}</text>')
    if chart.level is not None:
        at = y(chart.level)
        field.append(f'<line class="level" x1="0" x2="100%" y1="{at}" y2="{at}"/>')
    for number, line in enumerate(chart.lines):
        places = " ".join(f"{ACROSS * min(1.0, point.x / end):.1f},{y(point.y)}" for point in line.points)
        kind = "thin" if line.dotted else "line"
        field.append(
            f'<g class="s{number}"><svg width="100%" height="{chart.height}" '
            f'viewBox="0 0 {ACROSS} {chart.height}" preserveAspectRatio="none" overflow="visible">'
            f'<polyline class="{kind}" points="{places}"/></svg>{_dots(line, x, y)}</g>'
        )
    for mark in chart.marks:
        field.append(
            f'<svg x="{x(mark)}" y="{bottom - 7}" overflow="visible"><path class="mark" d="M0 0l-4 7h8z"/></svg>'
        )
    field.append(f'<line class="zero" x1="0" x2="100%" y1="{bottom}" y2="{bottom}"/>')
    field += [
        f'<text x="{x(tick)}" y="{chart.height - 6}" text-anchor="{_anchored(tick / end)}">'
        f"{_place(tick, chart)}</text>"
        for tick in _x_ticks(end)
    ]
    return (
        f'<div class="panel">\n{_legend(chart)}<div class="drawn">'
        f'<svg class="scale" height="{chart.height}" role="presentation">{"".join(scale)}</svg>'
        f'<svg class="field" height="{chart.height}" role="img" aria-label="{escape(chart.title)}">'
        f"{''.join(field)}</svg></div>\n</div>\n"
    )


def limits(chart: Chart) -> tuple[float, float]:
    """The ends of the axis of y: all that is drawn, with some room, and 0 where it is asked for."""
    values = [0.0] if chart.zero else []
    values += [] if chart.level is None else [chart.level]
    for line in chart.lines:
        for point in line.points:
            values += [point.y, *(point.ends or ())]
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = ROOM * (high - low) or ROOM * abs(high) or 1.0
    return (0.0 if low == 0 and chart.zero else low - room), high + room


def thinned(points: Sequence[Point]) -> list[Point]:
    """At most ``POINTS`` points: neighbours are put together, each run of them in their mean."""
    if len(points) <= POINTS:
        return list(points)
    size = -(-len(points) // POINTS)
    groups = [points[first : first + size] for first in range(0, len(points), size)]
    return [Point(sum(p.x for p in g) / len(g), sum(p.y for p in g) / len(g)) for g in groups]


def _dots(line: Line, x: Callable[[float], str], y: Callable[[float], str]) -> str:
    """The points of a dotted curve, each with its interval."""
    parts = []
    for point in line.points if line.dotted else ():
        at = x(point.x)
        told = f"<title>{escape(point.told)}</title>" if point.told else ""
        ends = ""
        if point.ends is not None:
            ends = f'<line class="ci" x1="{at}" x2="{at}" y1="{y(point.ends[0])}" y2="{y(point.ends[1])}"/>'
        parts.append(f'<g>{told}{ends}<circle class="full" cx="{at}" cy="{y(point.y)}" r="3"/></g>')
    return "".join(parts)


def _legend(chart: Chart) -> str:
    """The title, and which curve is which where there is a choice."""
    names = [line.name for line in chart.lines if line.name]
    keys = "".join(
        f'<span class="key s{number}"><svg width="14" height="10" role="presentation">'
        f'<line class="ci" x1="0" x2="14" y1="5" y2="5"/></svg>{escape(name)}</span>'
        for number, name in enumerate(names)
    )
    return f'<p class="legend"><b>{escape(chart.title)}</b> {keys}</p>\n'


def _number(value: float, percent: bool) -> str:
    """A number of the axis of y."""
    if percent:
        return f"{100 * value:.3g} %".replace("-", "−")
    if abs(value) >= THOUSAND:
        return f"{value / THOUSAND:.3g} k".replace("-", "−")
    return "0" if abs(value) < 1e-12 else f"{value:.3g}".replace("-", "−")  # noqa: PLR2004


def _x_ticks(end: float) -> list[float]:
    """The numbers of the axis of x: every other one, so that they stand apart on a telephone."""
    ticks = nice_ticks(0.0, end)
    return ticks[:: 2 if len(ticks) > 4 else 1]  # noqa: PLR2004


def _place(value: float, chart: Chart) -> str:
    if value == 0:
        return "0"
    if chart.hours:
        return f"{value:.3g} h"
    return f"{value / MILLION:.3g} M" if chart.end >= MILLION else quantity(value)


def _anchored(share: float) -> str:
    """How a number stands to its place on the axis of x: one at the very end stays inside."""
    return "start" if share < 0.03 else "end" if share > 0.9 else "middle"  # noqa: PLR2004
