"""How many deals, and tables, it takes to find a difference of 0.1 unit a deal, by way of measuring.

``python -m training.power`` prints it for four pairs of players, from matches on the book ``dev``. A single seat
means the challenger in one seat of each deal, against three; the rest is one table in each of four seats. With
``--write`` it goes into ``docs/evaluation.md``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from solo_env.evaluation import evaluate, new_plan
from solo_env.evaluation.report import clusters_needed
from solo_env.evaluation.result import Document
from solo_env.files import write_whole
from solo_env.rules import DEFAULT_RULESET

POWER = Path(__file__).resolve().parent.parent / "docs" / "power.json"
PAIRS = (("expert", "club"), ("expert", "novice"), ("club", "novice"), ("ev-bidder", "expert"))
DEALS = 4_000
TABLES = 4  # of a deal, with the challenger in each seat in turn


def needed(document: Document) -> dict[str, Any]:
    """Of a match, deals by a single seat, by rotation, and by rotation with the luck of the hands taken off."""
    lineup = document["lineups"][0]
    design, adjusted = lineup["design"], lineup["adjusted"]
    rotated = design["clusters_needed"]
    return {
        "command": document["command"],
        "pair": [player["spec"] for player in lineup["players"]],
        "single": design["clusters_needed_single_table"],
        "rotated": rotated,
        "adjusted": clusters_needed(adjusted["sd"]) if adjusted else rotated,
    }


def measure(ruleset: str, deals: int) -> list[dict[str, Any]]:
    """What the four pairs need."""
    return [
        needed(evaluate(new_plan(one, [other], ruleset=ruleset, deals=deals, book="dev"))) for one, other in PAIRS
    ]


def power_table(rows: Sequence[dict[str, Any]] | None = None) -> str:
    """The deals and tables needed in each way, as Markdown; by default as they were written down last."""
    lines = [
        "| | one seat: deals, tables | four seats: deals (tables) | and luck of hands off "
        "| deals saved | tables saved |",
        "|---" * 6 + "|",
    ]
    for row in json.loads(POWER.read_text(encoding="utf-8")) if rows is None else rows:
        (one, other), single, last = row["pair"], row["single"], row["adjusted"]
        lines.append(
            f"| `{one}` against `{other}` | {single:,} | {row['rotated']:,} ({TABLES * row['rotated']:,}) "
            f"| {last:,} ({TABLES * last:,}) | {1 - last / single:.0%} | {1 - TABLES * last / single:.0%} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default=DEFAULT_RULESET, metavar="NAME", help=f"({DEFAULT_RULESET})")
    parser.add_argument("--deals", type=int, default=DEALS, metavar="N", help=f"of each match ({DEALS})")
    parser.add_argument("--write", action="store_true", help="keep the figures for the documentation")
    given = parser.parse_args()
    rows = measure(given.ruleset, given.deals)
    print(power_table(rows))
    if given.write:
        write_whole(POWER, (json.dumps(rows, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
