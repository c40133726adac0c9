"""A report as one HTML page that needs nothing else: no script, no font, no network.

The plots are SVG written here, without a library: their places are per cents of a width that is not known, so text
keeps its size from a desk to a telephone, which no plotting library does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from importlib import resources
from itertools import groupby
from typing import Any

from solo_env.cards import SUIT_SYMBOLS, SUITS
from solo_env.evaluation.page import (
    POSITIONS,
    Block,
    Curve,
    Deal,
    Drawing,
    Facts,
    Forest,
    Mark,
    Matrix,
    Page,
    Section,
    Table,
    Text,
    replay_command,
)
from solo_env.evaluation.words import SHARE, counted, shown, shown_ends, signed

STYLE_FILE = "page.css"
LINE = 22  # pixels of a mark in a plot of intervals
SECOND_LINE = 7  # more, for a second interval
TICKS = 5
STRONGEST = 0.55  # of a matrix's colours
# The square of a calibration curve, in its own pixels.
LEFT, TOP, SIDE = 54, 12, 300
WIDTH, HEIGHT, FOOT = LEFT + SIDE + 14, TOP + SIDE + 50, 48
NARROW = "\u00a0"  # keeps an interval on a line; a cell of a matrix may break it
HOLLOW_FROM = 2  # series that are drawn hollow


def html_page(page: Page, kind: str = "Solo Whist evaluation", style: str = "") -> str:
    """The page; ``kind`` says above its title what it reports on, ``style`` is CSS for the drawings on it."""
    writer = _Writer()
    style = (resources.files(__package__) / STYLE_FILE).read_text(encoding="utf-8") + style
    contents = "".join(
        f'<li><a href="#{_anchor(i)}">{escape(section.title)}</a></li>' for i, section in enumerate(page.sections)
    )
    warnings = "".join(f'<p class="warning"><b>Warning.</b> {escape(text)}</p>' for text in page.warnings)
    sections = "".join(writer.section(section, i) for i, section in enumerate(page.sections))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(page.title)}: {escape(kind)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<header>\n<p class="kind">{escape(kind)}</p>\n<h1>{escape(page.title)}</h1>\n'
        f'<p class="finding">{escape(page.finding)}</p>\n{warnings}{_facts(page.facts)}'
        f'<nav aria-label="contents"><ol>{contents}</ol></nav>\n</header>\n'
        f"<main>\n{sections}</main>\n</body>\n</html>\n"
    )


def _anchor(number: int) -> str:
    return f"section-{number + 1}"


class _Writer:
    """Writes blocks, numbering figures and tables as it goes."""

    def __init__(self) -> None:
        self.figures = self.tables = 0

    def section(self, section: Section, number: int) -> str:
        parts = [f'<section id="{_anchor(number)}">\n<h2>{number + 1}. {escape(section.title)}</h2>\n']
        for together, blocks in groupby(section.blocks, lambda block: isinstance(block, Curve)):
            told = "".join(map(self.block, blocks))
            parts.append(f'<div class="pair">\n{told}</div>\n' if together else told)
        return "".join([*parts, "</section>\n"])

    def block(self, block: Block) -> str:
        write: dict[type, Callable[[Any], str]] = {
            Text: lambda text: f"<p>{escape(text.text)}</p>\n",
            Facts: lambda facts: _facts(facts.rows),
            Table: self.table,
            Forest: lambda forest: self.figure(forest.caption, _forest(forest)),
            Curve: lambda curve: self.figure(curve.caption, _curve(curve)),
            Matrix: lambda matrix: self.figure(matrix.caption, _matrix(matrix)),
            Deal: _deal,
            Drawing: lambda drawing: self.figure(drawing.caption, drawing.html),
        }
        return write[type(block)](block)

    def figure(self, caption: str, inside: str) -> str:
        self.figures += 1
        told = f"<b>Figure {self.figures}.</b> {escape(caption)}"
        return f"<figure>\n{inside}<figcaption>{told}</figcaption>\n</figure>\n"

    def table(self, table: Table) -> str:
        if not table.rows:
            return ""
        self.tables += 1
        caption = f"<b>Table {self.tables}.</b> {escape(table.caption)}"
        inside = _table(table.columns, table.rows)
        if not table.folded:
            return f'<div class="table">\n<p class="caption">{caption}</p>\n{inside}</div>\n'
        return (
            f'<details class="table">\n<summary>Table {self.tables}. {escape(table.folded)}</summary>\n'
            f'<p class="caption">{escape(table.caption)}</p>\n{inside}</details>\n'
        )


def _facts(rows: Iterable[tuple[str, str]]) -> str:
    def words(value: str) -> str:
        """Words that break inside only where one is too long for a line: "--seed" stays whole."""
        return " ".join(f"<span>{escape(word)}</span>" for word in value.split(" "))

    inside = "".join(f"<dt>{escape(name)}</dt><dd><code>{words(value)}</code></dd>\n" for name, value in rows)
    return f'<dl class="facts">\n{inside}</dl>\n'


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    numeric = [all(_is_number(row[i]) for row in rows) for i in range(len(columns))]
    kinds = ['class="num"' if right else 'class="words"' for right in numeric]
    head = "".join(f'<th scope="col" {kind}>{escape(name)}</th>' for kind, name in zip(kinds, columns, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f"<td {kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=True))
        + "</tr>\n"
        for row in rows
    )
    return f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>\n'


def _is_number(cell: str) -> bool:
    return cell in ("", "–") or cell[0] in "+−[0123456789"


# --- plots of intervals


def _forest(forest: Forest) -> str:
    low, high = limits(forest)
    ticks = nice_ticks(low, high)

    def place(value: float) -> str:
        return f"{100 * (value - low) / (high - low):.2f}%"

    rows = []
    for row in forest.rows:
        if not row.marks:
            rows.append(
                f'<tr class="head"><th scope="rowgroup">{escape(row.name)}</th><td class="plot"></td>'
                '<td class="value"></td><td class="n"></td></tr>\n'
            )
            continue
        values, numbers = "", ""
        for mark in row.marks:
            ends = "" if mark.ends is None else f' <span class="ends">{shown_ends(mark.ends, forest.kind)}</span>'
            values += f'<span class="s{mark.series}">{shown(mark.mean, forest.kind)}{ends}</span>'
            numbers += f"<span>{mark.n:,}</span>"
        rows.append(
            f'<tr><th scope="row">{escape(row.name)}</th><td class="plot">{_strip(row.marks, place)}</td>'
            f'<td class="value">{values}</td><td class="n">{numbers}</td></tr>\n'
        )
    marks = "".join(
        f'<text x="{place(tick)}" y="16" text-anchor="{_anchored(tick, low, high)}">'
        f"{_tick(tick, forest.kind)}</text>"
        for tick in ticks
    )
    axis = (
        f'<tr class="axis"><th></th><td class="plot"><svg height="40" role="presentation">{marks}'
        f'<text x="50%" y="35" text-anchor="middle" class="title">{escape(forest.axis)}</text></svg></td>'
        '<td class="value"></td><td class="n"></td></tr>\n'
    )
    lines = ", ".join(
        f"linear-gradient(var(--{'zero' if tick == 0 else 'grid'}) 0 0) {place(tick)} 0/1px 100% no-repeat"
        for tick in ticks
    )
    head = '<thead><tr><th></th><th></th><th class="value">mean [95&nbsp;%]</th><th class="n">n</th></tr></thead>\n'
    kind = "forest several" if forest.series else "forest"
    return (
        f'{_legend(forest.series)}<table class="{kind}" style="--lines: {lines}">\n{head}<tbody>\n'
        f"{''.join(rows)}{axis}</tbody></table>\n"
    )


def limits(forest: Forest) -> tuple[float, float]:
    """The ends of the axis: all means and intervals, and 0."""
    values = [0.0]
    for row in forest.rows:
        for mark in row.marks:
            values += [] if mark.mean is None else [mark.mean]
            values += [*(mark.ends or ()), *(mark.second or ())]
    low, high = min(values), max(values)
    room = 0.04 * (high - low) or 1.0
    return (0.0 if forest.kind == SHARE else low - room), high + room


def nice_ticks(low: float, high: float) -> list[float]:
    """About five round numbers between two."""
    rough = (high - low) / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough)
    return [step * i for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _anchored(tick: float, low: float, high: float) -> str:
    """How the number of a tick stands to it: one at the very end stays inside."""
    at = (tick - low) / (high - low)
    return "start" if at < 0.03 else "end" if at > 0.97 else "middle"  # noqa: PLR2004


def _tick(value: float, kind: str) -> str:
    if kind == SHARE:
        return f"{100 * value:.3g} %"
    return "0" if abs(value) < 1e-12 else f"{value:+.3g}".replace("-", "−")  # noqa: PLR2004


def _strip(marks: Sequence[Mark], place: Callable[[float], str]) -> str:
    second = any(mark.second is not None for mark in marks)
    line = LINE + SECOND_LINE * second
    parts = []
    for i, mark in enumerate(marks):
        if mark.mean is None:
            continue
        y = line * i + LINE / 2
        parts.append(f'<g class="s{mark.series}">')
        if mark.ends is not None:
            parts.append(
                f'<line class="ci" x1="{place(mark.ends[0])}" x2="{place(mark.ends[1])}" y1="{y}" y2="{y}"/>'
            )
        if mark.second is not None:
            ends = [place(end) for end in mark.second]
            parts.append(f'<line class="ci2" x1="{ends[0]}" x2="{ends[1]}" y1="{y + 8}" y2="{y + 8}"/>')
        parts.append(_dot(place(mark.mean), y, mark.series))
        parts.append("</g>")
    told = "; ".join(f"n = {mark.n}" for mark in marks)
    return f'<svg height="{line * len(marks)}" role="img" aria-label="interval, {told}">{"".join(parts)}</svg>'


def _dot(x: str, y: str | float, series: int, size: float = 4.5) -> str:
    """The mark of a series: a disc, a square, a ring, an empty square."""
    kind = "hollow" if series >= HOLLOW_FROM else "full"
    if series % 2 == 0:
        return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{size}"/>'
    side = 2 * size - 1
    return (
        f'<rect class="{kind}" x="{x}" y="{y}" width="{side}" height="{side}" '
        f'transform="translate({-side / 2} {-side / 2})"/>'
    )


def _legend(series: Sequence[str]) -> str:
    if not series:
        return ""
    keys = "".join(
        f'<span class="key s{i}"><svg width="14" height="14" role="presentation">{_dot("7", "7", i)}</svg>'
        f"{escape(name)}</span>"
        for i, name in enumerate(series)
    )
    return f'<p class="legend">{keys}</p>\n'


# --- calibration


def _curve(curve: Curve) -> str:
    def x(value: float) -> str:
        return f"{LEFT + SIDE * value:.1f}"

    def y(value: float) -> str:
        return f"{TOP + SIDE * (1 - value):.1f}"

    parts = []
    for i in range(0, 11, 2):
        at = i / 10
        parts.append(f'<line class="grid" x1="{x(at)}" x2="{x(at)}" y1="{y(0)}" y2="{y(1)}"/>')
        parts.append(f'<line class="grid" x1="{x(0)}" x2="{x(1)}" y1="{y(at)}" y2="{y(at)}"/>')
        parts.append(f'<text x="{x(at)}" y="{TOP + SIDE + 18}" text-anchor="middle">{10 * i}</text>')
        parts.append(f'<text x="{LEFT - 8}" y="{float(y(at)) + 4.5}" text-anchor="end">{10 * i}</text>')
    most = max((one["made"]["n"] for one in curve.bins), default=1)
    for one in curve.bins:
        high = FOOT * one["made"]["n"] / most
        left, wide = float(x(one["from"])) + 1, SIDE * (one["to"] - one["from"]) - 2
        parts.append(
            f'<rect class="bar" x="{left:.1f}" y="{TOP + SIDE - high:.1f}" width="{wide:.1f}" height="{high:.1f}"/>'
        )
    parts.append(f'<line class="zero" x1="{x(0)}" y1="{y(0)}" x2="{x(1)}" y2="{y(1)}"/>')
    points = " ".join(f"{x(one['told'])},{y(one['made']['mean'])}" for one in curve.bins)
    parts.append(f'<g class="s{curve.series}"><polyline class="path" points="{points}"/>')
    for one in curve.bins:
        told, (low, high) = x(one["told"]), one["made"]["interval95"]
        parts.append(f'<line class="ci" x1="{told}" x2="{told}" y1="{y(low)}" y2="{y(high)}"/>')
        parts.append(_dot(told, y(one["made"]["mean"]), curve.series))
    middle = TOP + SIDE / 2
    parts.append(
        f'</g><text class="title" x="{LEFT + SIDE / 2}" y="{HEIGHT - 8}" text-anchor="middle">chance told, %</text>'
        f'<text class="title" x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">'
        "made, %</text>"
    )
    return (
        f'<p class="legend"><b>{escape(curve.title)}</b></p>\n<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" aria-label="calibration of {escape(curve.title)}">{"".join(parts)}</svg>\n'
    )


# --- matrices


def _matrix(matrix: Matrix) -> str:
    means = [abs(cell.mean) for row in matrix.cells for cell in row if cell is not None and cell.mean is not None]
    most = max(means, default=0.0) or 1.0
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in matrix.columns)
    rows = []
    for name, cells in zip(matrix.rows, matrix.cells, strict=True):
        told = ""
        for cell in cells:
            if cell is None or cell.mean is None:
                told += '<td class="none">–</td>'
                continue
            strength = STRONGEST * abs(cell.mean) / most
            ends = shown_ends(cell.ends, matrix.kind).replace(NARROW, " ")
            told += (
                f'<td class="{"above" if cell.mean >= 0 else "below"}" style="--a:{strength:.3f}">'
                f"<b>{shown(cell.mean, matrix.kind)}</b><span>{ends}</span>"
                f"<span>n = {cell.n:,}</span></td>"
            )
        rows.append(f'<tr><th scope="row">{escape(name)}</th>{told}</tr>\n')
    return (
        '<div class="scroll"><table class="matrix">\n'
        f'<thead><tr><th class="corner">{escape(matrix.side)} ↓ / {escape(matrix.top)} →</th>{head}</tr></thead>\n'
        f"<tbody>\n{''.join(rows)}</tbody></table></div>\n"
    )


# --- deals


def _deal(block: Deal) -> str:
    deal, players = block.deal, block.players
    dealer = deal["dealer"]
    order = [(dealer + 1 + i) % 4 for i in range(4)]

    def seat_name(seat: int) -> str:
        return POSITIONS[(seat - dealer - 1) % 4]

    seats = ""
    for seat in order:
        player = deal["seats"][seat]
        role = "declarer" if seat == deal["declarer"] else "partner" if seat == deal["partner"] else ""
        seats += (
            f'<tr><th scope="row">{seat_name(seat)}<span class="role">{role}</span></th>'
            f'<td class="s{player}"><span class="who">{escape(players[player])}</span></td>'
            f'<td class="hand">{_hand(deal["hands"][seat])}</td><td class="num">{deal["tricks_won"][seat]}</td>'
            f'<td class="num">{signed(deal["payoff"][seat], 0)}</td></tr>\n'
        )
    facts = (
        f"{deal['contract'][0].upper()}{deal['contract'][1:]}; {deal['turned']}. {players[0]} in these seats: "
        f"{signed(deal['challenger'], 0)} units; over all tables of this {block.cluster}: "
        f"{signed(deal['units_of_the_cluster'], 3)} a deal and seat."
    )
    calls = [one for one in deal["decisions"] if one["trick"] is None]
    cards = [one for one in deal["decisions"] if one["trick"] is not None]
    forced = len(deal["calls"]) - sum(not one["action"].startswith("TRUMPS") for one in calls)
    said = "".join(_call(one, players, seat_name) for one in calls)
    auction = ", ".join(f"{seat_name(seat)} {call}" for seat, call in deal["calls"])
    note = f" ({counted(forced, 'call')} forced)" if forced else ""
    return (
        f'<article class="deal">\n<h3>{escape(block.title)}</h3>\n<p>{_suits(facts)}</p>\n'
        '<div class="scroll"><table class="seats">\n<thead><tr><th></th><th class="words">player</th>'
        '<th class="words">hand</th><th class="num">tricks</th><th class="num">units</th></tr></thead>\n'
        f"<tbody>\n{seats}</tbody></table></div>\n"
        f'<p class="auction"><b>Auction{note}:</b> {escape(auction)}.</p>\n<ol class="calls">\n{said}</ol>\n'
        f"{_tricks(deal, order, seat_name)}{_card_reasons(cards, players, seat_name)}"
        "<details><summary>Its record, to be "
        f"replayed</summary>\n<pre>{escape(replay_command(block))}</pre></details>\n</article>\n"
    )


def _call(one: dict[str, Any], players: Sequence[str], seat_name: Callable[[int], str]) -> str:
    outs = one["play_outs"]
    best = max(outs.values())
    chips = "".join(
        f'<span class="out{" chosen" if name == one["action"] else ""}{" best" if units == best else ""}">'
        f"{escape(name)} {signed(units, 0)}</span>"
        for name, units in outs.items()
    )
    return (
        f'<li><span class="s{one["player"]}"><span class="who">{escape(players[one["player"]])}</span></span>, '
        f"{seat_name(one['seat'])}: <b>{escape(one['action'])}</b>"
        f'<p class="says">{_suits(one["says"])}</p><p class="outs">played out: {chips}</p></li>\n'
    )


def _tricks(deal: dict[str, Any], order: Sequence[int], seat_name: Callable[[int], str]) -> str:
    if not deal["tricks"]:
        return ""
    rows = ""
    for number, trick in enumerate(deal["tricks"], 1):
        by_seat = {(trick["leader"] + i) % 4: card for i, card in enumerate(trick["cards"])}
        cells = ""
        for seat in order:
            kind = " ".join(
                name for name, so in (("led", seat == trick["leader"]), ("won", seat == trick["winner"])) if so
            )
            cells += f'<td class="{kind}">{_card(by_seat[seat]) if seat in by_seat else ""}</td>'
        rows += f'<tr><th scope="row">{number}</th>{cells}</tr>\n'
    head = "".join(f'<th scope="col">{seat_name(seat)}</th>' for seat in order)
    return (
        '<table class="tricks">\n<caption>The play: ▸ led, shaded won.</caption>\n'
        f'<thead><tr><th scope="col">trick</th>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table>\n'
    )


def _card_reasons(cards: Sequence[dict[str, Any]], players: Sequence[str], seat_name: Callable[[int], str]) -> str:
    if not cards:
        return ""
    rows = "".join(
        f'<tr><td class="num">{one["trick"]}</td><td class="words">{seat_name(one["seat"])}</td>'
        f'<td class="s{one["player"]}"><span class="who">{escape(players[one["player"]])}</span></td>'
        f'<td>{_card(one["action"])}</td><td class="words">{_suits(one["says"])}</td></tr>\n'
        for one in cards
    )
    return (
        f"<details><summary>Why each card was played ({counted(len(cards), 'decision')})</summary>\n"
        '<div class="scroll"><table class="reasons">\n<thead><tr><th>trick</th><th>seat</th><th>player</th>'
        f"<th>card</th><th>what it says</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div></details>\n"
    )


def _hand(text: str) -> str:
    """A hand as ``render.hand_text`` writes it, a suit a piece that is not broken."""
    return " ".join(f'<span class="suit">{_suits(run)}</span>' for run in text.split("   "))


def _card(name: str) -> str:
    """A card by its name, "ST": its suit as a symbol."""
    symbol = SUIT_SYMBOLS[SUITS.index(name[0])]
    return _suits(symbol + ("10" if name[1] == "T" else name[1]))


def _suits(text: str) -> str:
    """Text with the symbols of red suits in red."""
    told = escape(text)
    for symbol in "♥♦":
        told = told.replace(symbol, f'<span class="red">{symbol}</span>')
    return told
