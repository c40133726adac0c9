"""A report as Markdown: the same sections and numbers, plots as tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from solo_env.evaluation.page import (
    POSITIONS,
    Block,
    Curve,
    Deal,
    Drawing,
    Facts,
    Forest,
    Matrix,
    Page,
    Table,
    Text,
    replay_command,
)
from solo_env.evaluation.words import SHARE, shown, shown_ends, signed


def markdown(page: Page) -> str:
    """The report as Markdown."""
    parts = [f"# {_safe(page.title)}", _safe(page.finding)]
    parts += [f"> **Warning.** {_safe(text)}" for text in page.warnings]
    parts.append(_facts(page.facts))
    for section in page.sections:
        parts.append(f"## {_safe(section.title)}")
        parts += [told for block in section.blocks if (told := _block(block))]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> str:
    write: dict[type, Callable[[Any], str]] = {
        Text: lambda text: _safe(text.text), Facts: lambda facts: _facts(facts.rows), Table: _table,
        Forest: _forest, Curve: _curve, Matrix: _matrix, Deal: _deal,
        Drawing: lambda drawing: _safe(drawing.caption),
    }  # fmt: skip
    return write[type(block)](block)


def _safe(text: str) -> str:
    """Text in which nothing is taken for a mark of Markdown."""
    for mark in "\\|*_`<[":
        text = text.replace(mark, f"\\{mark}")
    return text


def _facts(rows: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"- {_safe(name)}: {_code(value)}" for name, value in rows)


def _code(text: str) -> str:
    """Text as code, whatever is in it."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _rows(columns: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    lines = [f"| {' | '.join(map(_safe, columns))} |", f"|{'---|' * len(columns)}"]
    lines += [f"| {' | '.join(map(_safe, row))} |" for row in rows]
    return f"{_safe(caption)}\n\n" + "\n".join(lines)


def _table(table: Table) -> str:
    return _rows(table.columns, table.rows, table.caption) if table.rows else ""


def _forest(forest: Forest) -> str:
    rows = []
    for row in forest.rows:
        if not row.marks:
            rows.append([row.name, *[""] * (3 + bool(forest.series))])
        for mark in row.marks:
            who = [forest.series[mark.series]] if forest.series else []
            rows.append(
                [row.name, *who, f"{mark.n:,}", shown(mark.mean, forest.kind), shown_ends(mark.ends, forest.kind)]
            )
    columns = ["", *(["player"] if forest.series else []), "n", f"mean, {forest.axis}", "95 %"]
    return _rows(columns, rows, forest.caption)


def _curve(curve: Curve) -> str:
    rows = [
        (
            shown(one["told"], SHARE),
            f"{one['made']['n']:,}",
            shown(one["made"]["mean"], SHARE),
            shown_ends(one["made"]["interval95"], SHARE),
        )
        for one in curve.bins
    ]
    return _rows(("told", "n", "made", "95 %"), rows, curve.caption)


def _matrix(matrix: Matrix) -> str:
    rows = [
        [name]
        + [
            ""
            if cell is None
            else f"{shown(cell.mean, matrix.kind)} {shown_ends(cell.ends, matrix.kind)}, n = {cell.n:,}"
            for cell in cells
        ]
        for name, cells in zip(matrix.rows, matrix.cells, strict=True)
    ]
    return _rows((f"{matrix.side} ↓ / {matrix.top} →", *matrix.columns), rows, matrix.caption)


def _deal(block: Deal) -> str:
    deal, players = block.deal, block.players
    names = [POSITIONS[(seat - deal["dealer"] - 1) % 4] for seat in range(4)]
    order = [(deal["dealer"] + 1 + i) % 4 for i in range(4)]
    seats = [
        (
            names[seat], players[deal["seats"][seat]], deal["hands"][seat], str(deal["tricks_won"][seat]),
            signed(deal["payoff"][seat], 0),
        )
        for seat in order
    ]  # fmt: skip
    caption = (
        f"{deal['contract']}; {deal['turned']}. {players[0]}: {signed(deal['challenger'], 0)} units here, "
        f"{signed(deal['units_of_the_cluster'], 3)} a deal and seat over all tables of this {block.cluster}."
    )
    said = []
    for one in deal["decisions"]:
        where = "" if one["trick"] is None else f"trick {one['trick']}, "
        outs = "" if one["play_outs"] is None else " Played out: " + ", ".join(
            f"{name} {signed(units, 0)}" for name, units in one["play_outs"].items()
        ) + "."  # fmt: skip
        said.append(
            f"- {where}{names[one['seat']]}, {_safe(players[one['player']])}: **{one['action']}**. "
            f"{_safe(one['says'])}{outs}"
        )
    auction = ", ".join(f"{names[seat]} {call}" for seat, call in deal["calls"])
    return "\n\n".join(
        [
            f"### {_safe(block.title)}",
            _rows(("", "player", "hand", "tricks", "units"), seats, caption),
            f"Auction: {auction}.",
            "\n".join(said),
            f"```\n{replay_command(block)}\n```",
        ]
    )
