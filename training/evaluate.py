"""The command ``solo-whist evaluate``: a measurement with its document, its sidecar and a bar while it runs."""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from solo_env.evaluation import evaluate, new_plan
from solo_env.evaluation.books import MEANINGS
from solo_env.evaluation.page_html import html_page
from solo_env.evaluation.page_markdown import markdown
from solo_env.evaluation.page_match import page_of
from solo_env.evaluation.plan import DEFAULT_PRESET, PRESETS, Plan
from solo_env.evaluation.report import AUDIT_FAILED
from solo_env.evaluation.result import Document, document_bytes
from solo_env.evaluation.seatings import SEATINGS
from solo_env.evaluation.sidecar import Clock, sidecar
from solo_env.files import check_writable, write_whole
from solo_env.player import player_names
from solo_env.rules import DEFAULT_RULESET, load_ruleset

EXIT_AUDIT_FAILED = 1
RESULT, SIDECAR = "result.json", "result.sidecar.json"
REPORT, PAGE = "report.md", "report.html"
BAR_WIDTH = 28
REMEMBERED = 20  # chunks by whose pace the time left is told
DESCRIPTION = """\
Play duplicate deals: the cards and the dealer of a deal stay, the players move round through the seats. Prints
mean units a deal with a 95 % interval over deals. One other player takes three seats against one (or two against
two); three others make a table of four. Every run audits itself; a failed audit ends with exit code 1.
DIR receives result.json, the same as report.md and as report.html, one page that needs no network, a sidecar with
time and machine, and what has been played: the same command with the same DIR goes on where it was killed, or at
more deals. --study adds calibration and regret of the calls, calls and cards swapped, and three deals."""


def add_evaluate(commands: Any) -> None:
    """Add the command to the parser's commands."""
    command = commands.add_parser(
        "evaluate", help="measure a player against others", description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    command.add_argument("player", help=f"the challenger, a spec ({', '.join(player_names())})")
    command.add_argument("--against", required=True, nargs="+", metavar="PLAYER", help="the others: one or three")
    command.add_argument("--rival", metavar="PLAYER",
        help="a second challenger, on the same deals against the same others; tells the difference")  # fmt: skip
    command.add_argument("--ruleset", default=DEFAULT_RULESET, metavar="NAME", help=f"({DEFAULT_RULESET})")
    books = "; ".join(f"{name}, {meaning}" for name, meaning in MEANINGS.items())
    command.add_argument("--book", default="test", metavar="BOOK", help=f"which deals: {books} (test)")
    command.add_argument("--seed", type=int, default=0, metavar="S",
        help="names the deals of the book and the players' randomness (0)")  # fmt: skip
    command.add_argument("--chosen-on", metavar="BOOK-SEED",
        help="the book that the challenger was chosen by, such as dev-0; to report on it is refused")  # fmt: skip
    command.add_argument("--seating", metavar="NAME", help=f"{', '.join(SEATINGS)} (by the number of players)")
    amount = command.add_mutually_exclusive_group()
    told = ", ".join(f"{name} {deals:,}" for name, deals in PRESETS.items())
    amount.add_argument("--preset", choices=PRESETS, help=f"deals: {told} ({DEFAULT_PRESET})")
    amount.add_argument("--deals", type=int, metavar="N", help="deals, each at all tables of its seating")
    command.add_argument("--session", type=int, metavar="N",
        help="deals of a session, measured as one (1; 10 where the pack carries over)")  # fmt: skip
    command.add_argument("--until", metavar="ci=W",
        help="end when the interval that allows looking reaches W units to each side")  # fmt: skip
    command.add_argument("--study", action="store_true",
        help="also study the calls, swap calls and cards, show three deals; longer than the match")  # fmt: skip
    command.add_argument("--workers", type=int, default=1, metavar="N", help="processes that play (1)")
    command.add_argument("--out", metavar="DIR", help="the folder for the result and for going on after a stop")
    command.add_argument("--json", metavar="FILE", help="write the result to FILE")
    command.set_defaults(run=run_evaluate)


def run_evaluate(given: argparse.Namespace) -> int:
    """Run the command; returns the exit code."""
    load_ruleset(given.ruleset)  # what is misspelt is told before what cannot be written
    # A player may go to another folder while it plays: what is written has its place before.
    path = None if given.json is None else check_writable(given.json).absolute()
    out = None if given.out is None else check_folder(given.out)
    plan = new_plan(
        given.player, given.against, ruleset=given.ruleset, book=given.book, seed=given.seed,
        deals=PRESETS[given.preset or DEFAULT_PRESET] if given.deals is None else given.deals,
        seating=given.seating, session=given.session, until=read_until(given.until), rival=given.rival,
        chosen_on=given.chosen_on, study=given.study,
    )  # fmt: skip
    clock, bar = Clock(), Bar()
    try:
        document = evaluate(plan, given.workers, out, bar.show if sys.stderr.isatty() else None, clock)
    finally:
        bar.clear()
    if path:
        write_whole(path, document_bytes(document))
    if out:
        write_whole(out / RESULT, document_bytes(document))
        write_report(document, out)
        clock.lap("page")
        beside = (json.dumps(sidecar(clock, given.workers, sys.argv[1:]), indent=1) + "\n").encode()
        write_whole(out / SIDECAR, beside)
    print(evaluation_report(plan, document))
    if out:
        print(f"{'report':<22}{out / PAGE}")
    for warning in document["warnings"]:
        if not warning.startswith(AUDIT_FAILED):  # which the report tells
            print(f"solo-whist: warning: {warning}", file=sys.stderr)
    return EXIT_AUDIT_FAILED if any(check["passed"] is False for check in document["audit"]) else 0


def write_report(document: Document, folder: Path) -> None:
    """Write the report of a document into a folder, as Markdown and as a page."""
    page = page_of(document)
    write_whole(folder / REPORT, markdown(page).encode())
    write_whole(folder / PAGE, html_page(page).encode())


def check_folder(name: str) -> Path:
    """The path of a folder that is there, or can be made."""
    path = Path(name)
    if not name.strip():
        raise ValueError("the name of the folder for the result is empty; give the path of a folder.")
    if path.exists() and not path.is_dir():
        raise ValueError(f"{name} cannot be the folder of the result: it is there and no folder.")
    path.mkdir(parents=True, exist_ok=True)
    check_writable(str(path / RESULT))
    return path.absolute()


def read_until(text: str | None) -> float | None:
    """The width to stop at, of a text such as ``ci=0.05``."""
    if text is None:
        return None
    found = re.fullmatch(r"ci=([0-9]*\.?[0-9]+(?:e[+-]?[0-9]+)?)", text.strip())
    if not found:
        raise ValueError(f"--until is {text!r}; it must be ci= and a number of units, as in ci=0.05.")
    return float(found[1])


class Bar:
    """A line on standard error: how much is done, and how long the rest will take."""

    def __init__(self, what: str = "") -> None:
        self.what = f"{what} " if what else ""
        self.times: deque[tuple[float, int]] = deque(maxlen=REMEMBERED)
        self.shown = False

    def show(self, done: int, planned: int) -> None:
        """Draw the line anew."""
        self.times.append((time.monotonic(), done))
        full = BAR_WIDTH * done // planned
        bar = f"{'#' * full}{'.' * (BAR_WIDTH - full)}"
        line = f"\r{self.what}[{bar}] {done:,} of {planned:,}  {self.left(planned):<24}"
        print(line, end="", file=sys.stderr, flush=True)
        self.shown = True

    def left(self, planned: int) -> str:
        """How long the rest will take, by the pace of the last chunks; nothing before there is a pace."""
        (first, before), (last, done) = self.times[0], self.times[-1]
        if done == before:
            return ""
        seconds = round((last - first) / (done - before) * (planned - done))
        return f"{seconds // 60}:{seconds % 60:02d} left"

    def clear(self) -> None:
        """Take the line away."""
        if self.shown:
            print(f"\r{'':<{len(self.what) + BAR_WIDTH + 60}}\r", end="", file=sys.stderr, flush=True)


# --- the report on the terminal


def evaluation_report(plan: Plan, document: Document) -> str:
    """A document as text: who won what, how sure that is, by position, contracts, the audit."""
    lineup, n, book = document["lineups"][0], document["n"], document["book"]
    deals = f"{n['deals']} {'deal' if n['deals'] == 1 else 'deals'}"
    lines = [
        f"{lineup_name(plan, 0)}, {document['ruleset']['name']}@{document['ruleset']['signature']}",
        f"{deals} ({n['tables']} tables), book {book['id']} ({book['hash']})",
        "",
    ]
    lines += [_row("mean units a deal", lineup["units"][0])]
    if len(lineup["units"]) > 2:  # noqa: PLR2004 - with one other, the rest is the same number
        for player, units in zip(lineup["players"][1:], lineup["units"][1:], strict=True):
            lines.append(_row(f"  of {player['spec']}", units))
    bootstrap = lineup["units"][0]["bootstrap95"]
    lines.append(f"{'by bootstrap':<22}{'':>9}   95 % interval {interval(bootstrap)}")
    if lineup["adjusted"]:
        left = lineup["adjusted"]["variance_left"]
        less = "" if left is None else f", {100 * left:.0f} % of the variance left"
        lines.append(_row("luck of hands off", lineup["adjusted"]) + less)
    if document["rival_difference"]:
        lines.append(_row(f"{plan.lineups[1][0]} instead", document["lineups"][1]["units"][0]))
        lines.append(_row("difference", document["rival_difference"]))
    lines.append(sequential_line(document))
    positions = lineup["by_position"].items()
    lines.append("by position           " + ", ".join(f"{name} {signed(e['mean'], 3)}" for name, e in positions))
    correlation, design = lineup["design"]["rotation_correlation"], lineup["design"]
    told = "none" if correlation is None else f"{correlation:+.2f}"
    lines.append(
        f"between tables        correlation {told}; an edge of {design['edge']} needs {design['clusters_needed']} "
        f"{_deals_or_sessions(document)}, at single tables {design['clusters_needed_single_table']}"
    )
    lines += ["", *contract_lines(lineup["contracts"]), "", *audit_lines(document["audit"])]
    return "\n".join(lines)


def sequential_line(document: Document) -> str:
    """The interval that allows looking, of what it is, when it was decided, and whether it came to ``--until``."""
    sequential, unit = document["sequential"], _deals_or_sessions(document)
    decided, until = sequential["decided_at"], sequential["until"]
    parts = [f"{'looking is allowed':<22}{'':>9}   95 % interval {interval(sequential['interval95'])}"]
    if document["rival_difference"]:
        parts.append("of the difference")
    parts.append(f"decided at {decided} {unit}" if decided else "not decided")
    if until is not None:
        parts.append(f"ci={until} {'reached' if sequential['stopped'] else 'not reached'}")
    return ", ".join(parts)


def lineup_name(plan: Plan, number: int) -> str:
    """Who plays whom, in words."""
    challenger, *others = plan.lineups[number]
    if plan.seating.name == "one_against_three":
        return f"{challenger} against three of {others[0]}"
    if plan.seating.name == "two_against_two":
        return f"two of {challenger} against two of {others[0]}"
    return f"{challenger} with {', '.join(others)}"


def contract_lines(contracts: dict[str, Any]) -> list[str]:
    """How often each contract was played and made, as a table."""
    lines = [f"{'contract':<10} {'played':>7} {'made':>7} {'by challenger':>14} {'made':>7}"]
    for name, count in contracts.items():
        if name == "thrown_in":
            lines.append(f"{'thrown in':<10} {count:>7}")
            continue
        declared = 0 if name == "GM" else count["played"]  # nobody declares a general misère
        lines.append(
            f"{name:<10} {count['played']:>7} {_share(count['made'], declared):>7} "
            f"{count['played_by_challenger']:>14} "
            f"{_share(count['made_by_challenger'], count['played_by_challenger']):>7}"
        )
    return lines


def audit_lines(checks: Sequence[dict[str, Any]]) -> list[str]:
    """How the audit went: a line, and one for each check that did not pass."""
    passed = sum(check["passed"] is True for check in checks)
    lines = [f"audit                 {passed} of {len(checks)} checks passed"]
    for check in checks:
        if check["passed"] is not True:
            word = "FAILED" if check["passed"] is False else "not checked"
            lines.append(f"  {word}: {check['check']}. {check['said']}")
    return lines


def interval(ends: Sequence[float] | None) -> str:
    """An interval as text."""
    if ends is None:
        return "too few deals for an interval"
    return f"[{signed(ends[0], 3)}, {signed(ends[1], 3)}]"


def signed(value: float, places: int) -> str:
    """A number with its sign; what rounds to 0 has none."""
    text = f"{value:+.{places}f}"
    return text if text.strip("+-0.") else text[1:]


def _row(name: str, estimate: dict[str, Any]) -> str:
    return f"{name:<22}{signed(estimate['mean'], 4):>9}   95 % interval {interval(estimate['t95'])}"


def _deals_or_sessions(document: Document) -> str:
    return "deals" if document["book"]["session"] == 1 else "sessions"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"
