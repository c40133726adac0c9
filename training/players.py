"""Measures the players for ``docs/players.md``: their styles, what is called, whether chances come true."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from baselines.calibrate import CHUNK, calibration, contracts_called
from baselines.call_tables import shipped_call_data
from baselines.call_values import BIN_WIDTH, LOWEST_SCORE
from baselines.hand_score import ALONE, KINDS, PROPOSE
from solo_env.evaluation import play_match
from solo_env.files import write_whole
from solo_env.player import make_player
from solo_env.rules import shipped_rulesets
from solo_env.rules.model import CONTRACT_NAMES

PLAYERS = Path(__file__).resolve().parent.parent / "docs" / "players.json"
STYLES = (
    ("expert:style=foster", "expert"), ("expert:style=parlett", "expert"), ("club:style=parlett", "club"),
)  # fmt: skip
STYLE_RULES = "pagat"
CHANCE_RULES = ("pagat", "hoyle", "margin5")
CALIBRATION_SEED = 20_405  # no deal of it was used to measure the tables
LEAST_CASES = 500
POSITIONS = ("eldest", "second", "third", "dealer")
BOOK_POSITION = (0.03, -0.05, -0.02, 0.02)


def measure(deals: int, calls: int, chances: int, progress: Callable[[str], None]) -> dict[str, Any]:
    """What ``docs/players.json`` holds.

    Matches of ``deals`` each between styles of a player, what is called in ``calls`` deals of self-play under every
    ruleset, and whether the chances told come true in ``chances`` deals under some.
    """
    matches = []
    for challenger, against in STYLES:
        one, others = make_player(challenger, STYLE_RULES), make_player(against, STYLE_RULES)
        matches.append(play_match(one, others, STYLE_RULES, deals, seed=0).as_json())
        progress(f"{STYLE_RULES}: {challenger} against {against}: {matches[-1]['mean_units']:+.3f}")
    mixes, told = {}, {}
    for ruleset in shipped_rulesets():
        called: Any = sum(
            contracts_called(ruleset, CALIBRATION_SEED, first, CHUNK) for first in range(0, calls, CHUNK)
        )
        mixes[ruleset] = {
            name: int(n) / calls for name, n in zip((*CONTRACT_NAMES, "thrown_in"), called, strict=True)
        }
        if ruleset in CHANCE_RULES:
            found = calibration(ruleset, chances, CALIBRATION_SEED)
            told[ruleset] = {name: row._asdict() for name, row in found.items()}
        progress(f"{ruleset}: self-play")
    return {"matches": matches, "mixes": mixes, "calibration": told, "calls": calls}


def take(deals: int, calls: int, chances: int, progress: Callable[[str], None]) -> None:
    """Measure and write ``docs/players.json``."""
    content = measure(deals, calls, chances, progress)
    write_whole(PLAYERS, (json.dumps(content, indent=1) + "\n").encode())


def _content() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(PLAYERS.read_text(encoding="utf-8"))
    return content


def styles_table() -> str:
    """The matches between styles as Markdown."""
    rows = ["| challenger | three of | units a deal | 95 % interval |", "|---|---|---|---|"]
    deals = 0
    for match in _content()["matches"]:
        low, high = match["ci95"]
        deals = match["deals"]
        rows.append(
            f"| `{match['challenger']}` | `{match['against']}` | {match['mean_units']:+.3f} "
            f"| {low:+.3f} … {high:+.3f} |"
        )
    return "\n".join([*rows, "", f"Ruleset `{STYLE_RULES}`, {deals:,} deals × 4 seats, seed 0."])


def mixes_table() -> str:
    """What four experts play, as Markdown."""
    mixes: Mapping[str, Mapping[str, float]] = _content()["mixes"]
    names = list(next(iter(mixes.values())))
    rows = ["| % of deals | " + " | ".join(names).replace("_", " ") + " |", "|---" * (1 + len(names)) + "|"]
    rows += [
        f"| `{ruleset}` | " + " | ".join(_share(mix[name]) for name in names) + " |"
        for ruleset, mix in mixes.items()
    ]
    return "\n".join(rows)


def _share(share: float) -> str:
    least = 0.1
    return "" if share == 0 else f"{100 * share:.1f}" if 100 * share >= least else f"{100 * share:.4f}".rstrip("0")


def calibration_table() -> str:
    """Whether the expert's chances come true, as Markdown."""
    rows = ["| ruleset | contract | cases | told | made | error, points |", "|---|---|---|---|---|---|"]
    for ruleset, contracts in _content()["calibration"].items():
        for name, row in contracts.items():
            if row["cases"] >= LEAST_CASES:
                rows.append(
                    f"| `{ruleset}` | {name} | {row['cases']:,} | {100 * row['told']:.1f} "
                    f"| {100 * row['made']:.1f} | {100 * row['error']:.1f} |"
                )
    rows += ["", "In each tenth of the chance told, by tenth: told → made (cases), under `pagat`.", ""]
    rows += ["| contract | " + " | ".join(f"{10 * i}–{10 * i + 10}" for i in range(10)) + " |", "|---" * 11 + "|"]
    for name, row in _content()["calibration"]["pagat"].items():
        if row["cases"] >= LEAST_CASES:
            cells = [""] * 10
            for cases, told, made in row["bins"]:
                cells[min(9, int(10 * told))] = f"{100 * told:.0f} → {100 * made:.0f} ({cases:,})"
            rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def book_table() -> str:
    """Where the literature's numbers and the measured ones differ, as Markdown."""
    data = shipped_call_data()

    def count_for(kind: int, chance: float) -> float:
        constant, slope = data.lines[kind]
        return float((np.log(chance / (1 - chance)) - constant) / slope)

    rows = ["| question | literature or proposal | measured |", "|---|---|---|"]
    rows.append(
        f"| counted tricks for a solo that is made 6 times in 10 | 5.5 | {count_for(ALONE, 0.6) / 10:.1f} |"
    )
    rows.append(
        "| counted tricks of a proposer whose accepted proposal is made half the time | 4.0 | "
        f"{count_for(PROPOSE, 0.5) / 10:.1f} |"
    )
    mix = _content()["mixes"]["pagat"]
    rows += [
        "| misères | 0.05 % of hands have at most two cards too high | "
        f"{100 * mix['MIS']:.1f} % of deals are one |",
        f"| misères ouvertes | 0.001 % of hands cannot be beaten | {100 * mix['OUV']:.2f} % of deals are one |",
    ]
    shift = position_effect(ALONE)
    rows += [
        f"| what sitting as {name} adds to the chance of a solo | {book:+.2f} | {found:+.2f} |"
        for name, book, found in zip(POSITIONS, BOOK_POSITION, shift, strict=True)
    ]
    return "\n".join(rows)


def position_effect(kind: int) -> list[float]:
    """By how much each position's chance differs from the mean of the four, for even hands of a kind."""
    tails = shipped_call_data().tricks[kind][:, :, KINDS[kind].tricks :].sum(axis=2)
    even = slice((-50 - LOWEST_SCORE) // BIN_WIDTH, (50 - LOWEST_SCORE) // BIN_WIDTH)
    chances = tails[:, even].mean(axis=1)
    return [float(chance - chances.mean()) for chance in chances]
