"""Rows of results: printed, kept as JSON, and held against what the project claims."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from benchmarks.measure import ratios, summary


class Row(NamedTuple):
    """One figure: its values, one a round."""

    key: str  # "item.name"
    label: str
    unit: str
    values: tuple[float, ...]


@dataclass
class Outcome:
    """What an item found, and sentences about what it could not."""

    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, key: str, label: str, unit: str, values: Sequence[float]) -> None:
        """Add a row of figures."""
        self.rows.append(Row(key, label, unit, tuple(values)))

    def rates(self, key: str, label: str, values: Sequence[float], unit: str = "steps/s") -> None:
        """Add a row of rates."""
        self.add(key, label, unit, values)

    def ratios(self, key: str, label: str, ones: Sequence[float], others: Sequence[float]) -> list[float]:
        """Add a row of ratios, round by round, and return them."""
        values = ratios(ones, others)
        self.add(key, label, "×", values)
        return values


class Claim(NamedTuple):
    """What the median of a row must reach."""

    key: str
    bound: float
    at_least: bool
    text: str


# What the project asks of itself, on a quiet machine.
CLAIMS = (
    Claim("engine.play", 10e6, True, "random play without observation, steps/s"),
    Claim("peers.bots", 4, True, "times OpenSpiel's evaluate_bots on its fastest trick-taking game"),
    Claim("peers.loop", 14, True, "times OpenSpiel's Python loop on its fastest trick-taking game"),
    Claim("engine.step", 4e6, True, "batched step, observation and mask, steps/s"),
    Claim("peers.observe", 10, True, "times OpenSpiel's fastest Python way to an observation"),
    Claim("peers.sync", 150, True, "times OpenSpiel's SyncVectorEnv"),
    Claim("peers.pgx", 15, True, "times pgx's bridge bidding"),
    Claim("engine.step_to_cpp", 0.6, True, "times a plain C++ loop that writes the same bytes"),
    Claim("threads.gain_to_cpp", 0.9, True, "the gain of two threads to that of two C++ processes"),
    Claim("batch.largest", 0.75, True, "the largest batch (65,536 tables) to the best size, per step"),
    Claim("aec.raw", 100e3, True, "raw_env, turns/s"),
    Claim("aec.env_time", 1.25, False, "time of env() to the same wrappers round an empty environment"),
    Claim("seat.env", 40e3, True, "SeatEnv against three of novice, decisions/s"),
    Claim("seat.vector", 1e6, True, "SeatVectorEnv against three of novice, decisions/s"),
    Claim("players.novice", 100e3, True, "novice in all seats on two cores, deals/s"),
    Claim("players.expert", 40e3, True, "expert in all seats on two cores, deals/s"),
    Claim("players.expert_act", 60, False, "one decision of expert through Player.act, µs"),
    Claim("training.two", 30e3, True, "training with small networks on two cores, decisions/s"),
    Claim("training.share_two", 0.85, True, "training to what its networks' passes alone allow, two cores"),
    Claim("training.peer", 10, True, "times MaskablePPO on SeatEnv with the same networks"),
    Claim("memory.table", 1024, False, "bytes of a table and a view of it"),
    Claim("memory.growth", 1.01, False, "resident memory after all steps to that at the start"),
    Claim("startup.import_ratio", 1.5, False, "time of our import to that of what it needs"),
    Claim("startup.first_step", 1.5, False, "seconds to the first step, compiled before"),
    Claim("startup.cold", 40, False, "seconds to the first step, nothing compiled"),
)


def number(value: float) -> str:
    """A figure with about four digits."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def row_line(row: Row) -> str:
    """A row as a line of text."""
    middle, low, high = summary(row.values)
    spread = f"{number(low)} … {number(high)}" if len(row.values) > 1 else ""
    return f"{row.label:<62} {number(middle):>12} {row.unit:<8} {spread}"


def claims_met(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Each claim that has a row, with its figure and whether it holds."""
    found = {row.key: summary(row.values)[0] for row in rows}
    return [
        {
            "key": claim.key,
            "text": claim.text,
            "bound": claim.bound,
            "at_least": claim.at_least,
            "figure": found[claim.key],
            "met": found[claim.key] >= claim.bound if claim.at_least else found[claim.key] <= claim.bound,
        }
        for claim in CLAIMS
        if claim.key in found
    ]


def claim_line(claim: Mapping[str, Any]) -> str:
    """A claim and what became of it as a line of text."""
    word = "at least" if claim["at_least"] else "at most"
    verdict = "yes" if claim["met"] else "NO"
    return f"{verdict:<4}{claim['text']:<66} {number(claim['figure']):>12}  ({word} {number(claim['bound'])})"


def as_json(facts: Mapping[str, Any], rows: Sequence[Row], notes: Sequence[str]) -> str:
    """Everything, as JSON."""
    content = {
        **facts,
        "rows": [
            {
                "key": row.key,
                "label": row.label,
                "unit": row.unit,
                **dict(zip(("median", "low", "high"), map(rounded, summary(row.values)), strict=True)),
                "values": [rounded(value) for value in row.values],
            }
            for row in rows
        ],
        "claims": claims_met(rows),
        "notes": list(notes),
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def rounded(value: float) -> float:
    """Five digits are more than the clock is good for."""
    return float(f"{value:.5g}")
