"""The command ``solo-whist ladder``, and a ladder as Markdown, for the terminal and the README."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any

from solo_env.evaluation.books import FOR_SELECTION, MEANINGS
from solo_env.evaluation.ladder import BOOK, DEALS, RULESETS, SEED, Wish, extend_ladder
from solo_env.evaluation.result import Document
from solo_env.files import check_writable
from training.evaluate import Bar, signed

DESCRIPTION = """\
Measure every player against every other: each alone among three of the other, on the same deals. FILE holds
all that came of it; what it lacks is played, the rest is not, and a killed run goes on where it was. A new file
is begun with --add; without options a file is read, its players looked at, and printed.
The ratings need: pip install "solo-whist[evaluate]"."""
PERCENT = 100


def add_ladder(commands: Any) -> None:
    """Add the command to the parser's commands."""
    command = commands.add_parser(
        "ladder", help="a leaderboard in a file", description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    command.add_argument("file", metavar="FILE", help="the ladder, a JSON file")
    command.add_argument("--add", nargs="+", default=[], metavar="PLAYER", help="players that it shall have")
    command.add_argument("--ruleset", default="", metavar="NAME[,NAME]",
        help=f"rulesets that it shall have ({','.join(RULESETS)} where it has none)")  # fmt: skip
    books = "; ".join(f"{name}, {meaning}" for name, meaning in MEANINGS.items())
    command.add_argument("--book", metavar="BOOK", help=f"of a new file, which deals: {books} ({BOOK})")
    command.add_argument("--seed", type=int, metavar="S", help=f"of a new file, names the deals ({SEED})")
    command.add_argument("--deals", type=int, metavar="N",
        help=f"of a new file, deals of every pair, four tables each way ({DEALS})")  # fmt: skip
    command.add_argument("--replay", action="store_true",
        help="play anew the pairs of players that play otherwise than when they were played")  # fmt: skip
    command.add_argument("--workers", type=int, default=1, metavar="N", help="processes that play (1)")
    command.set_defaults(run=run_ladder)


def run_ladder(given: argparse.Namespace) -> None:
    """Run the command."""
    # A comma within brackets is of an override, as in pagat+trump.cycle=["C", "D"].
    rulesets = tuple(filter(None, re.split(r",(?![^\[]*\])", given.ruleset)))
    wish = Wish(tuple(given.add), rulesets, given.book, given.seed, given.deals, given.replay)
    bars: dict[str, Bar] = {}

    def show(ruleset: str, done: int, planned: int) -> None:
        bars.setdefault(ruleset, Bar(ruleset)).show(done, planned)

    try:
        file = check_writable(given.file).absolute()  # a player may go to another folder while it plays
        document, notes = extend_ladder(file, wish, given.workers, show if sys.stderr.isatty() else None)
    finally:
        for bar in bars.values():
            bar.clear()
    print(ladder_report(document))
    if document["book"] in FOR_SELECTION:
        notes.append(f"book {document['book']} is {MEANINGS[document['book']]}; report on test.")
    for note in notes:
        print(f"solo-whist: warning: {note}", file=sys.stderr)


def ladder_report(document: Document) -> str:
    """A ladder as Markdown: of each ruleset the payoff matrix, the ratings, and whether there is a cycle."""
    parts = []
    for section in document["rulesets"]:
        parts += [section_head(document, section), "", *aligned(matrix_rows(section)), ""]
        if section["standing"]:
            parts += [*aligned(rating_rows(section)), "", cycle_sentence(section), ""]
    return "\n".join(parts).rstrip()


def section_head(document: Document, section: Document) -> str:
    """What was played, in a sentence."""
    rules, book = section["ruleset"], section["book"]
    return (
        f"Ruleset `{rules['name']}@{rules['signature']}`, book `{book['id']}` (`{book['hash']}`), "
        f"{document['deals']:,} deals of every pair, four tables each way:"
    )


def ordered(section: Document) -> list[str]:
    """The players, those that gain most on the others first."""
    if section["standing"]:
        return list(section["standing"]["order"])
    return [player["spec"] for player in section["players"]]


def matrix_rows(section: Document) -> list[list[str]]:
    """The payoff matrix: units a deal of the player of the row, alone among three of that of the column."""
    cells: dict[tuple[str, str], str] = {}
    for pair in section["pairs"]:
        one, other = pair["players"]
        cells[one, other], cells[other, one] = (mean_and_half(part) for part in pair["alone"])
    specs = ordered(section)
    rows = [["alone among three of", *(f"`{spec}`" for spec in specs)]]
    return rows + [[f"`{one}`", *(cells.get((one, other), "") for other in specs)] for one in specs]


def rating_rows(section: Document) -> list[list[str]]:
    """Ratings, if they are there, and the share of alpha-rank."""
    mass = {row["spec"]: f"{PERCENT * row['mass']:.1f} %" for row in section["standing"]["alpha_rank"]}
    if not section["ratings"]:
        return [["player", "alpha-rank"], *([f"`{spec}`", mass[spec]] for spec in ordered(section))]
    rated = {row["spec"]: row for row in section["ratings"]["players"]}
    anchors = section["ratings"]["anchors"]
    rows = [["player", "Bradley–Terry points", "OpenSkill μ", "alpha-rank"]]
    for spec in ordered(section):
        points, skill = rated[spec]["bradley_terry"], rated[spec]["openskill"]
        low, high = points["bootstrap95"]
        rows.append(
            [
                f"`{spec}`" + (", anchor" if spec in anchors else ""),
                "0" if [spec] == anchors[:1] else f"{points['points']:+.0f} ({low:+.0f} … {high:+.0f})",
                f"{skill['mu']:.1f} ± {skill['sd_of_repeats']:.1f}",
                mass[spec],
            ]
        )
    return rows


def cycle_sentence(section: Document) -> str:
    """Which players are ahead of one another in a circle."""
    found = section["standing"]["cycles"]
    if not found:
        return "No cycle: no player is ahead of one that is ahead of it through others."
    told = "; ".join(" > ".join(f"`{spec}`" for spec in (*cycle, cycle[0])) for cycle in found)
    return f"Cycle, each ahead of the next: {told}."


def mean_and_half(estimate: dict[str, Any]) -> str:
    """A mean with half of its interval."""
    if estimate["t95"] is None:
        return signed(estimate["mean"], 3)
    low, high = estimate["t95"]
    return f"{signed(estimate['mean'], 3)} ± {(high - low) / 2:.3f}"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows, the first of which is the head, as a Markdown table that is one to the eye too."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["| " + " | ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)) + " |" for row in rows]
    return [lines[0], "|" + "|".join("-" * (w + 2) for w in widths) + "|", *lines[1:]]
