"""What a report is made of: sections of text, facts, tables, plots of intervals, a matrix, curves, deals.

``page_match`` and ``page_study`` make them of a document; ``page_html`` and ``page_markdown`` write them.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from solo_env.evaluation.result import Document

Ends = Sequence[float] | None
POSITIONS = ("eldest", "second", "third", "dealer")


# --- blocks


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Facts:
    """Names with what they stand for, such as a hash; shown as code."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Table:
    """A table of text; ``folded`` is the line behind which a long one is kept."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    folded: str = ""


@dataclass(frozen=True)
class Mark:
    """A number in a plot of intervals; ``second`` is another interval for it."""

    mean: float | None
    ends: Ends
    n: int
    second: Ends = None
    series: int = 0


@dataclass(frozen=True)
class Row:
    """A line of a plot of intervals; without marks it is the heading of those that follow."""

    name: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Forest:
    """A plot of intervals, one line below the other."""

    caption: str
    kind: str  # how its numbers are shown: UNITS, SHARE, POINTS or SCORE
    axis: str
    rows: tuple[Row, ...]
    series: tuple[str, ...] = ()


@dataclass(frozen=True)
class Curve:
    """A calibration curve."""

    caption: str
    title: str
    bins: tuple[dict[str, Any], ...]
    series: int = 0


@dataclass(frozen=True)
class Matrix:
    """Numbers by row and column, in colour; None is an empty cell."""

    caption: str
    kind: str
    side: str
    top: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Mark | None, ...], ...]


@dataclass(frozen=True)
class Deal:
    """A deal with what was said to each decision; ``deal`` as in the document, with the players' specs."""

    title: str
    deal: dict[str, Any]
    players: tuple[str, ...]
    cluster: str  # what a cluster of the book is: "deal" or "session"


@dataclass(frozen=True)
class Drawing:
    """A figure that whoever made the page has drawn: ``html`` is written as it is, so its text is escaped there."""

    caption: str
    html: str


Block = Text | Facts | Table | Forest | Curve | Matrix | Deal | Drawing


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Page:
    """A whole report: what it found, by what, and its sections."""

    title: str
    finding: str
    facts: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    sections: tuple[Section, ...]


# --- what is said in several places


def lineup_title(document: Document, number: int) -> str:
    """Who plays whom, in words."""
    challenger, *others = [player["spec"] for player in document["lineups"][number]["players"]]
    if document["seating"]["name"] == "one_against_three":
        return f"{challenger} against three of {others[0]}"
    if document["seating"]["name"] == "two_against_two":
        return f"two of {challenger} against two of {others[0]}"
    return f"{challenger} with {', '.join(others)}"


def cluster_word(document: Document) -> str:
    """What a cluster of the book is."""
    return "deal" if document["book"]["session"] == 1 else "session"


CONTRACT_TITLES = {
    "PC": "proposal and acceptance (PC)", "SOLO": "solo", "MIS": "misère (MIS)", "ABU": "abundance (ABU)",
    "ABT": "abundance in trumps (ABT)", "PETIT": "petit slam", "OUV": "misère ouverte (OUV)",
    "DECL": "abundance declared (DECL)", "GRAND": "grand slam", "RDECL": "royal abundance declared (RDECL)",
    "GM": "general misère (GM)", "thrown_in": "thrown in",
}  # fmt: skip


def contract_name(name: str) -> str:
    """A contract in words."""
    return CONTRACT_TITLES.get(name, name)


def mark_of(estimate: dict[str, Any], series: int = 0) -> Mark:
    """An estimate, or a measured number, as a mark."""
    ends = estimate["t95"] if "t95" in estimate else estimate["interval95"]
    return Mark(estimate["mean"], ends, estimate["n"], estimate.get("bootstrap95"), series)


def replay_command(block: Deal) -> str:
    """The command that plays a deal again and lets the challenger explain it."""
    return shlex.join(["solo-whist", "replay", block.deal["record"], "--explain", block.players[0]])
