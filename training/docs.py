"""The generated parts of the documentation: ``python -m training.docs`` writes them anew.

A generated part stands between two marks and is made from the table it describes, so it cannot drift:

    <!-- generated: actions -->
    ...
    <!-- end of generated -->
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from solo_env import actions, layout
from solo_env.files import write_whole

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results.json"
PAGES = ("README.md", "docs/training.md")
PICTURE = ROOT / "docs" / "table.png"
PICTURED_DEAL, PICTURED_PLAYS = 7, 22  # the seed of the deal in the picture, and how far it has come

_PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end of generated -->)", re.DOTALL)


def parts() -> dict[str, Callable[[], str]]:
    """What each generated part is made by."""
    from training import config, log

    return {
        "actions": actions.markdown_table,
        "observation": layout.markdown_table,
        "results": results_table,
        "options": config.markdown_table,
        "metrics": log.markdown_table,
    }


def generated(page: str) -> str:
    """The text of a page with its generated parts made anew.

    Raises:
        ValueError: the page has a mark whose part is unknown.
    """
    makers = parts()

    def replace(match: re.Match[str]) -> str:
        if match[2] not in makers:
            raise ValueError(f"{page} asks for {match[2]!r}; the parts are {', '.join(makers)}.")
        return f"{match[1]}{makers[match[2]]()}\n{match[3]}"

    return _PART.sub(replace, (ROOT / page).read_text(encoding="utf-8"))


def results_table() -> str:
    """The matches of ``docs/results.json`` as Markdown."""
    results: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    rows = ["| against three of | deals × 4 seats | units a deal | 95 % interval |", "|---|---|---|---|"]
    for match in results["matches"]:
        low, high = match["ci95"]
        rows.append(
            f"| `{match['against']}` | {match['deals']:,} | {match['mean_units']:+.3f} | {low:+.3f} … {high:+.3f} |"
        )
    mixes = results["self_play"]
    rows += ["", "| self-play, % of deals | " + " | ".join(mixes["trained"]).replace("_", " ") + " |"]
    rows.append("|---" * (1 + len(mixes["trained"])) + "|")
    for player, mix in mixes.items():
        rows.append(f"| {player} | " + " | ".join(f"{100 * share:.1f}" for share in mix.values()) + " |")
    match = results["matches"][0]
    rows += [
        "",
        f"Ruleset `{match['ruleset']}`, deal book `{match['book']}`, seed {match['seed']}; "
        f"{results['decisions']:,} decisions of training in {60 * results['hours']:.1f} minutes on "
        f"{results['machine']}, commit `{results['commit'][:8]}`.",
    ]
    return "\n".join(rows)


def take_results(run_dir: Path) -> None:
    """Make ``docs/results.json`` from a finished run: its matches and the facts of its sidecar."""
    from training.checkpoint import read_facts

    facts = read_facts(run_dir / "checkpoint.pt")
    content = {name: facts[name] for name in ("decisions", "hours", "commit", "machine", "versions")}
    content |= json.loads((run_dir / "matches.json").read_text(encoding="utf-8"))
    write_whole(RESULTS, (json.dumps(content, indent=2) + "\n").encode())


def draw_picture() -> None:
    """Draw the README's picture: a deal between four novices, in the middle of its play."""
    from PIL import Image

    from solo_env import render
    from solo_env.player import make_player
    from solo_env.table import Table

    table, player = Table(), make_player("novice")
    table.deal(PICTURED_DEAL)
    while not table.over and table.data["n_plays"] < PICTURED_PLAYS:
        table.apply(player.act(table.view(table.turn)))
    picture = render.picture(table.view(table.turn), table.ruleset)
    Image.fromarray(picture).save(PICTURE, optimize=True)


def main() -> int:
    """Write all generated parts; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write the generated parts of the documentation anew.")
    parser.add_argument("--results", type=Path, metavar="RUN", help="take the results from this run's folder")
    parser.add_argument("--picture", action="store_true", help="draw the README's picture anew")
    given = parser.parse_args()
    if given.results:
        take_results(given.results)
    if given.picture:
        draw_picture()
    for page in PAGES:
        write_whole(ROOT / page, generated(page).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
