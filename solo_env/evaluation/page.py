"""A result as a report: what is told in which order, before it becomes Markdown or HTML.

A report is made from a document alone, so that whoever has a result file can make its page again. It is a list of
sections, and a section a list of blocks: text, facts, tables, plots of intervals, a matrix, calibration curves, deals.
Every number of the document stands in one of them.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from solo_env.evaluation.result import Document
from solo_env.evaluation.words import (
    POINTS,
    SCORE,
    SHARE,
    UNITS,
    counted,
    plain,
    share_text,
    shown,
    shown_ends,
    shown_with_ends,
    signed,
)

Ends = Sequence[float] | None
POSITIONS = ("eldest", "second", "third", "dealer")
TWO = 2  # players of most seatings


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
    units: str  # what a unit of the book is: "deal" or "session"


Block = Text | Facts | Table | Forest | Curve | Matrix | Deal


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Report:
    """A whole report."""

    title: str
    finding: str
    facts: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    sections: tuple[Section, ...] = field(default=())


# --- from a document


def report_of(document: Document) -> Report:
    """The report of a document."""
    first = document["lineups"][0]
    ruleset, book = document["ruleset"], document["book"]
    return Report(
        title=lineup_title(document, 0),
        finding=finding_of(document),
        facts=(
            ("ruleset", f"{ruleset['name']}@{ruleset['signature']}"),
            ("book", f"{book['id']}, hash {book['hash']}"),
            ("played", played_text(document)),
            *((f"player {player['spec']}", f"hash {player['hash']}") for player in first["players"]),
            ("command", document["command"]),
        ),
        warnings=tuple(document["warnings"]),
        sections=(
            *(result_section(document, number) for number in range(len(document["lineups"]))),
            *(origin_section(document, number) for number in range(len(document["lineups"]))),
            *study_sections(document),
            measured_section(document),
            meaning_section(document),
        ),
    )


def lineup_title(document: Document, number: int) -> str:
    """Who plays whom, in words."""
    challenger, *others = [player["spec"] for player in document["lineups"][number]["players"]]
    if document["seating"]["name"] == "one_against_three":
        return f"{challenger} against three of {others[0]}"
    if document["seating"]["name"] == "two_against_two":
        return f"two of {challenger} against two of {others[0]}"
    return f"{challenger} with {', '.join(others)}"


def unit_word(document: Document) -> str:
    """What the unit of the book is."""
    return "deal" if document["book"]["session"] == 1 else "session"


def played_text(document: Document) -> str:
    """How much was played."""
    n, tables = document["n"], len(document["seating"]["tables"])
    sessions = "" if n["units"] == n["deals"] else f" in {counted(n['units'], 'session')}"
    return (
        f"{counted(n['deals'], 'deal')}{sessions}, each at {counted(tables, 'table')} "
        f"({document['seating']['name']}): {n['tables']:,} tables"
    )


def finding_of(document: Document) -> str:
    """The result in one sentence."""
    name = document["lineups"][0]["players"][0]["spec"]
    found = document["lineups"][0]["units"][0]
    verb = "wins" if found["mean"] >= 0 else "loses"
    n = counted(found["n"], unit_word(document)).replace(" ", "\u00a0")
    text = f"{name} {verb} {shown(abs(found['mean']), UNITS).lstrip('+')} units a deal and seat "
    text += f"({sure_text(found['t95'])}; n\u00a0=\u00a0{n})."
    if document["rival_difference"]:
        rival, difference = document["lineups"][1]["players"][0]["spec"], document["rival_difference"]
        more = "more" if difference["mean"] >= 0 else "less"
        text += f" That is {shown(abs(difference['mean']), UNITS).lstrip('+')} units {more} than {rival} wins on the same "
        text += f"deals ({sure_text(difference['t95'])})."
    return text


def sure_text(ends: Ends) -> str:
    """How sure a mean is."""
    return "too few deals for an interval" if ends is None else f"95\u00a0% interval {shown_ends(ends, UNITS)}"


# --- the result


def mark_of(estimate: dict[str, Any], series: int = 0) -> Mark:
    """An estimate, or a measured number, as a mark."""
    ends = estimate["t95"] if "t95" in estimate else estimate["interval95"]
    return Mark(estimate["mean"], ends, estimate["n"], estimate.get("bootstrap95"), series)


def result_section(document: Document, number: int) -> Section:
    """Means, differences and positions of a lineup."""
    lineup = document["lineups"][number]
    names = [player["spec"] for player in lineup["players"]]
    rows: list[tuple[str, dict[str, Any] | None]] = [("a deal and seat", None)]
    rows += list(zip(names, lineup["units"], strict=True))
    if lineup["adjusted"]:
        rows.append((f"{names[0]}, the luck of the hands taken off", lineup["adjusted"]))
    sequential = document["sequential"]
    if number == 0 and sequential["interval95"] and not document["rival_difference"]:
        middle = sum(sequential["interval95"]) / 2
        found = {"n": lineup["units"][0]["n"], "mean": middle, "t95": sequential["interval95"]}
        rows.append((f"{names[0]}, looking allowed", found))
    if number == 0 and document["rival_difference"]:
        rival = document["lineups"][1]["players"][0]["spec"]
        rows.append((f"{names[0]} less {rival}", document["rival_difference"]))
        if document["rival_difference"]["adjusted"]:
            rows.append(("the same, the luck of the hands taken off", document["rival_difference"]["adjusted"]))
        if sequential["interval95"]:
            ends = sequential["interval95"]
            found = {"n": document["rival_difference"]["n"], "mean": sum(ends) / 2, "t95": ends}
            rows.append(("the same, looking allowed", found))
    rows.append(("one less another", None))
    rows += [(f"{names[one['player']]} less {names[one['minus']]}", one) for one in lineup["differences"]]
    rows.append((f"{names[0]} by position", None))
    rows += list(lineup["by_position"].items())
    forest = Forest(
        "Mean units a deal and seat with 95 % intervals over "
        f"{unit_word(document)}s: thick, Student's t; thin below, BCa bootstrap.",
        UNITS, "units a deal and seat",
        tuple(Row(name, () if found is None else (mark_of(found),)) for name, found in rows),
    )  # fmt: skip
    table = Table(
        "The same in numbers.",
        ("", "n", "mean", "sd", "95 % t", "95 % bootstrap"),
        tuple(
            (
                name,
                f"{found['n']:,}",
                shown(found["mean"], UNITS),
                plain(found["sd"]) if "sd" in found else "",
                shown_ends(found["t95"], UNITS),
                shown_ends(found["bootstrap95"], UNITS) if "bootstrap95" in found else "",
            )
            for name, found in rows
            if found is not None
        ),
        folded="All numbers of this figure",
    )
    blocks: list[Block] = [forest, table]
    if len(names) > TWO:
        blocks.append(difference_matrix(names, lineup["differences"]))
    if number == 0:
        blocks.append(Text(decided_text(document)))
    title = "Result" if number == 0 else f"Result of the rival, {lineup_title(document, number)}"
    return Section(title, tuple(blocks))


def difference_matrix(names: Sequence[str], differences: Sequence[dict[str, Any]]) -> Matrix:
    """What each player won more than each other."""
    cells: list[list[Mark | None]] = [[None] * len(names) for _ in names]
    for one in differences:
        a, b, mark = one["player"], one["minus"], mark_of(one)
        cells[a][b] = mark
        turned = None if mark.ends is None else (-mark.ends[1], -mark.ends[0])
        cells[b][a] = Mark(None if mark.mean is None else -mark.mean, turned, mark.n)
    return payoff_matrix(names, cells, "Payoff matrix: units a deal and seat of the row less the column.")


def payoff_matrix(names: Sequence[str], cells: Sequence[Sequence[Mark | None]], caption: str) -> Matrix:
    """A matrix of players against players."""
    return Matrix(caption, UNITS, "player", "less", tuple(names), tuple(names), tuple(map(tuple, cells)))


def decided_text(document: Document) -> str:
    """What looking while it ran has told."""
    told = document["sequential"]
    unit = unit_word(document)
    whose = "difference to the rival" if document["rival_difference"] else "mean"
    text = f"Looked at every {counted(told['look_every'], unit)}, the {whose} was "
    at = told["decided_at"]
    text += f"decided (its interval without 0) at {counted(at, unit)}" if at else "not decided"
    text += f". The sequence of intervals is tightest near {counted(told['tightest_at'], unit)}"
    if told["until"] is not None:
        text += f"; it was to end at ±{plain(told['until'])} units, "
        text += "and did" if told["stopped"] else "and did not get there"
    return text + "."


# --- where it comes from


def origin_section(document: Document, number: int) -> Section:
    """The challenger's mean as a sum over contracts and roles, and what was played."""
    lineup = document["lineups"][number]
    cells = lineup["by_contract_and_role"]
    name = lineup["players"][0]["spec"]
    rows: list[Row] = []
    for contract in dict.fromkeys(cell["contract"] for cell in cells):
        here = [cell for cell in cells if cell["contract"] == contract]
        rows.append(Row(contract_name(contract)))
        rows += [Row(cell["role"], (Mark(cell["part_of_mean"], cell["t95_of_part"], cell["n"]),)) for cell in here]
    forest = Forest(
        f"The mean of {name} as a sum: what each contract and role adds to its units a deal. "
        "n counts its seats there.",
        UNITS, "part of the mean, units a deal and seat", tuple(rows),
    )  # fmt: skip
    table = Table(
        f"What {name} wins in each contract and role.",
        ("contract", "role", "n", "made", "units a seat there", "95 %", "part of the mean", "95 %"),
        tuple(
            (
                contract_name(cell["contract"]),
                cell["role"],
                f"{cell['n']:,}",
                "" if cell["made"] is None else f"{cell['made']:,}",
                shown(cell["units_a_seat"], UNITS),
                shown_ends(cell["t95_a_seat"], UNITS),
                shown(cell["part_of_mean"], UNITS),
                shown_ends(cell["t95_of_part"], UNITS),
            )
            for cell in cells
        ),
        folded="All numbers of this figure",
    )
    title = "Where the units come from" + ("" if number == 0 else f": the rival {name}")
    return Section(title, (forest, table, counts_table(lineup)))


def counts_table(lineup: dict[str, Any]) -> Table:
    """How often each contract was played and made."""
    auction = lineup["auction"]
    rows = []
    for name, count in lineup["contracts"].items():
        if name == "thrown_in":
            rows.append(("thrown in", f"{count:,}", "", "", ""))
            continue
        rows.append(
            (
                contract_name(name),
                f"{count['played']:,}",
                "" if name == "GM" else f"{count['made']:,} ({share_text(count['made'], count['played'])})",
                f"{count['played_by_challenger']:,}",
                f"{count['made_by_challenger']:,} "
                f"({share_text(count['made_by_challenger'], count['played_by_challenger'])})",
            )
        )
    said = ", ".join(f"{name} at {number:,}" for name, number in auction.items())
    return Table(
        f"Contracts at all tables, and those in which {lineup['players'][0]['spec']} was declarer or partner. "
        f"Somebody {said} tables.",
        ("contract", "played", "made", "by the challenger", "made by it"),
        tuple(rows),
    )


CONTRACT_TITLES = {
    "PC": "proposal and acceptance (PC)", "SOLO": "solo", "MIS": "misère (MIS)", "ABU": "abundance (ABU)",
    "ABT": "abundance in trumps (ABT)", "PETIT": "petit slam", "OUV": "misère ouverte (OUV)",
    "DECL": "abundance declared (DECL)", "GRAND": "grand slam", "RDECL": "royal abundance declared (RDECL)",
    "GM": "general misère (GM)", "thrown_in": "thrown in",
}  # fmt: skip


def contract_name(name: str) -> str:
    """A contract in words."""
    return CONTRACT_TITLES.get(name, name)


# --- the study


def study_sections(document: Document) -> list[Section]:
    """The sections of the study, if there was one."""
    study = document["study"]
    if study is None:
        return []
    names = [player["spec"] for player in document["lineups"][0]["players"]]
    sections = [] if study["swap"] is None else [swap_section(document, study["swap"], names)]
    return [
        *sections,
        calls_section(document, study["calls"], names),
        regret_section(document, study["regret"], names),
        Section(
            "Three deals",
            (
                Text(
                    f"Chosen by a rule from the first {counted(study['calls']['units'], unit_word(document))}: the one "
                    f"with the largest gain of {names[0]} over all tables, the one with the largest loss, and the "
                    "median; of equal ones the first. Shown is the table at which it won the most, lost the most, or "
                    "came nearest to the mean. What a player says is what it answered from the view of its seat. "
                    "Below each call stand the units of that seat had it called otherwise there and the same players "
                    "gone on with the same cards: framed the call made, shaded the best in hindsight."
                ),
                *(
                    Deal(deal_title(deal, document), deal, tuple(names), unit_word(document))
                    for deal in study["deals"]
                ),
            ),
        ),
    ]


def deal_title(deal: dict[str, Any], document: Document) -> str:
    """Which deal it is."""
    which = f"{unit_word(document)} {deal['unit']:,} of {document['book']['id']}, table {deal['table'] + 1}"
    if document["book"]["session"] > 1:
        which += f", deal {deal['deal'] + 1}"
    return f"{deal['why'][0].upper()}{deal['why'][1:]}: {which}"


def replay_command(block: Deal) -> str:
    """The command that plays a deal again and lets the challenger explain it."""
    return shlex.join(["solo-whist", "replay", block.deal["record"], "--explain", block.players[0]])


def swap_section(document: Document, swap: dict[str, Any], names: Sequence[str]) -> Section:
    """Calls of one with the cards of the other."""
    cells: list[list[Mark | None]] = [[None, None], [None, None]]
    for cell in swap["cells"]:
        cells[cell["calls"]][cell["cards"]] = mark_of(cell)
    effects = [(effect["name"], effect) for effect in swap["effects"]]
    cell_rows = [(f"calls {names[c['calls']]}, cards {names[c['cards']]}", c) for c in swap["cells"]]
    return Section(
        "Who gains where: calls or cards",
        (
            Text(
                f"Four players sit in the seats of {names[0]} on the same {counted(swap['units'], unit_word(document))}, "
                f"against the same {names[1]}: each way to take the calls of one and the cards of the other."
            ),
            Matrix(
                "Units a deal and seat, by whose calls and whose cards.", UNITS, "calls of", "cards of",
                tuple(names[:2]), tuple(names[:2]), tuple(map(tuple, cells)),
            ),
            Forest(
                f"What the calls and the cards of {names[0]} add to those of {names[1]}. The two means add up to the "
                "result.",
                UNITS, "units a deal and seat",
                tuple(Row(name, (mark_of(effect),)) for name, effect in effects),
            ),
            Table(
                "The same in numbers.",
                ("", "n", "mean", "sd", "95 % t", "95 % bootstrap"),
                tuple(
                    (
                        name, f"{found['n']:,}", shown(found["mean"], UNITS), plain(found["sd"]),
                        shown_ends(found["t95"], UNITS), shown_ends(found["bootstrap95"], UNITS),
                    )
                    for name, found in [*cell_rows, *effects]
                ),
                folded="All numbers of these figures",
            ),
        ),
    )  # fmt: skip


def calls_section(document: Document, calls: dict[str, Any], names: Sequence[str]) -> Section:
    """The contract mix, the rates of the auction, and calibration."""
    marks = [
        Row(contract_name(row["contract"]), tuple(mark_of(one, i) for i, one in enumerate(row["players"])))
        for row in calls["mix"]
        if row["players"]
    ]
    blocks: list[Block] = [
        Text(
            f"From the first {counted(calls['units'], unit_word(document))}, {counted(calls['tables'], 'table')}. "
            "Shares have Wilson's interval, widened by as much as calls of one deal hang together."
        ),
        Forest(
            "Contract mix: the share of its seats in which a player declares each contract.",
            SHARE, "share of seats", tuple(marks), tuple(names),
        ),
        Forest(
            "The auction: how often each player does what it is asked for.", SHARE, "share of the times asked",
            tuple(
                Row(row["name"], tuple(mark_of(one, i) for i, one in enumerate(row["players"])))
                for row in calls["rates"]
            ),
            tuple(names),
        ),
        Table(
            "Contract mix by table.",
            ("contract", "tables", "share [95 %]"),
            tuple(
                (contract_name(row["contract"]), f"{row['tables']['n']:,}", shown_with_ends(row["tables"], SHARE))
                for row in calls["mix"]
            ),
        ),
    ]  # fmt: skip
    blocks += calibration_blocks(calls, names)
    return Section("Calls", tuple(blocks))


def calibration_blocks(calls: dict[str, Any], names: Sequence[str]) -> list[Block]:
    """How often what became a contract was made, and whether the chances told are borne out."""
    blocks: list[Block] = []
    silent = [name for name, found in zip(names, calls["calibration"], strict=True) if found is None]
    for i, found in enumerate(calls["calibration"]):
        if found is None:
            continue
        n = found["brier"]["n"]
        blocks.append(
            Curve(
                f"Calibration of {names[i]}: of its {counted(n, 'call')} that became contracts, how often those of "
                "about the same told chance were made. On the diagonal a chance is borne out; the bars at the foot "
                "are the numbers of calls.",
                names[i],
                tuple(found["bins"]),
                i,
            )  # fmt: skip
        )
    told = [(names[i], found) for i, found in enumerate(calls["calibration"]) if found is not None]
    if told:
        blocks += [
            Table(
                "Brier score (0 is certainty, lower is better), the score of always telling the mean, and what is told "
                "too much (+) or too little on average.",
                ("player", "n", "Brier score [95 %]", "of the mean [95 %]", "told less made [95 %]"),
                tuple(
                    (
                        name, f"{found['brier']['n']:,}", shown_with_ends(found["brier"], SCORE),
                        shown_with_ends(found["brier_of_the_mean"], SCORE), shown_with_ends(found["gap"], POINTS),
                    )
                    for name, found in told
                ),
            ),
            Table(
                "The calibration curve in numbers.",
                ("player", "told", "mean told", "n", "made [95 %]"),
                tuple(
                    (
                        name, f"{100 * one['from']:.0f}–{100 * one['to']:.0f} %", shown(one["told"], SHARE),
                        f"{one['made']['n']:,}", shown_with_ends(one["made"], SHARE),
                    )
                    for name, found in told
                    for one in found["bins"]
                ),
                folded="The calibration curve in numbers",
            ),
        ]  # fmt: skip
    made = calls["made"]
    blocks.append(
        Table(
            "How often decisive calls were made, by contract and side"
            + (f"; {' and '.join(silent)} tell no chances." if silent else "."),
            ("player", "contract", "side", "n", "made [95 %]", "told [95 %]", "told less made [95 %]"),
            tuple(
                (
                    names[row["player"]],
                    contract_name(row["contract"]),
                    row["side"],
                    f"{row['made']['n']:,}",
                    shown_with_ends(row["made"], SHARE),
                    shown_with_ends(row["told"], SHARE),
                    shown_with_ends(row["gap"], POINTS),
                )
                for row in made
            ),
            folded="How often calls were made, by contract and side",
        )  # fmt: skip
    )
    return blocks


REGRET_CUTS = {
    "by_phase": "by phase of the auction", "by_call": "by the call made", "by_role": "by role in the deal",
    "by_contract": "by contract of the deal",
}  # fmt: skip


def regret_section(document: Document, regret: dict[str, Any], names: Sequence[str]) -> Section:
    """What calls cost."""
    players = list(enumerate(regret["players"]))
    rows = [
        Row("best call in hindsight, a decision", tuple(mark_of(found["hindsight"], i) for i, found in players)),
        Row("the same, a deal", tuple(mark_of(found["hindsight_a_deal"], i) for i, found in players)),
        Row("best change of habit, a decision", tuple(mark_of(found["deviation"], i) for i, found in players)),
        Row("the same, a deal", tuple(mark_of(found["deviation_a_deal"], i) for i, found in players)),
    ]
    cuts: dict[str, list[Row]] = {}
    for cut, title in REGRET_CUTS.items():
        cuts[cut] = [Row(title)]
        for name in dict.fromkeys(row["name"] for _, found in players for row in found[cut]):
            cuts[cut].append(
                Row(
                    contract_name(name) if cut == "by_contract" else name,
                    tuple(mark_of(row, i) for i, found in players for row in found[cut] if row["name"] == name),
                )
            )
    open_, rest = insteads_of(players, names)
    return Section(
        "Regret of calls",
        (
            Text(
                f"Each call decision of the first {counted(regret['units'], unit_word(document))} was played out with "
                "every legal call, on the cards as they lay and by the same players. Hindsight compares the call made "
                "with the best of these play-outs: no player could have known it, so it bounds the regret from above "
                "and is never negative. The best change of habit is found on one half of the deals (another call in "
                "the same phase after the same choice, if it gains more than two standard errors) and measured on the "
                "other half: it bounds the regret from below."
            ),
            Forest(
                "Regret of calls. n counts decisions, or seats where it is a deal.", UNITS, "units",
                tuple(rows), tuple(names),
            ),
            Forest(
                "Hindsight a decision, by what the seat was asked in and by its role in the deal that came of it.", UNITS,
                "units a decision", (*cuts["by_phase"], *cuts["by_role"]), tuple(names),
            ),
            Forest(
                "Hindsight a decision, by the call made and by the contract of the deal that came of it.", UNITS,
                "units a decision", (*cuts["by_call"], *cuts["by_contract"]), tuple(names),
            ),
            *open_,
            Table(
                "Another call instead of the one made, where it surely loses.",
                ("player", "asked in", "called", "instead", "n", "gain in units [95 %]"), tuple(rest),
                folded=f"{counted(len(rest), 'other change')} of a call that surely lose",
            ),
            Table(
                "If a call were made wherever it is legal: how often it becomes the contract, and how often that is "
                "made. Beside the shares of the calls really made it tells how well hands are chosen.",
                ("player", "call", "n", "becomes the contract [95 %]", "n", "made [95 %]"),
                tuple(
                    (
                        names[i], row["call"], f"{row['kept']['n']:,}", shown_with_ends(row["kept"], SHARE),
                        f"{row['made']['n']:,}", shown_with_ends(row["made"], SHARE),
                    )
                    for i, found in players
                    for row in found["if_always"]
                ),
                folded="If a call were made wherever it is legal",
            ),
        ),
    )  # fmt: skip


def insteads_of(
    players: Sequence[tuple[int, dict[str, Any]]], names: Sequence[str]
) -> tuple[list[Forest], list[tuple[str, ...]]]:
    """Other calls instead of those made: a plot of those that might gain, the lines of a table of the rest."""
    marks: dict[str, dict[str, list[Mark]]] = {}
    rest = []
    for i, found in players:
        for row in found["instead"]:
            if row["interval95"] is None or row["interval95"][1] > 0:
                change = f"{row['instead']} for {row['call']}"
                marks.setdefault(row["phase"], {}).setdefault(change, []).append(mark_of(row, i))
            else:
                rest.append(
                    (
                        names[i],
                        row["phase"],
                        row["call"],
                        row["instead"],
                        f"{row['n']:,}",
                        shown_with_ends(row, UNITS),
                    )
                )
    rows: list[Row] = []
    for phase, changes in marks.items():
        rows.append(Row(phase))
        rows += [Row(change, tuple(found)) for change, found in changes.items()]
    plotted = sum(len(row.marks) for row in rows)
    if not rows:
        return [], rest
    return [
        Forest(
            "Another call instead of the one made, where it might gain: the mean over all decisions of that kind. An "
            f"interval above 0 is a fault found; of {plotted + len(rest)} comparisons made, one in forty is by chance.",
            UNITS, "gain in units a decision", tuple(rows), tuple(names),
        )
    ], rest  # fmt: skip


# --- how it was measured


def measured_section(document: Document) -> Section:
    """Design, audit, hashes."""
    blocks: list[Block] = []
    lineups = document["lineups"]
    rows = []
    for lineup in lineups:
        design, adjusted = lineup["design"], lineup["adjusted"]
        correlation = design["rotation_correlation"]
        left = None if adjusted is None else adjusted["variance_left"]
        rows.append(
            (
                lineup["players"][0]["spec"],
                "–" if correlation is None else signed(correlation, 2),
                plain(design["sd_of_a_unit"]),
                plain(design["sd_of_a_single_table"]),
                f"{design['units_needed']:,}",
                f"{design['units_needed_single_table']:,}",
                "–" if left is None else f"{100 * left:.1f} %",
            )
        )
    difference = document["rival_difference"]
    if difference and difference["adjusted"] and difference["adjusted"]["variance_left"] is not None:
        left = f"{100 * difference['adjusted']['variance_left']:.1f} %"
        rows.append(("difference to the rival", "", plain(difference["sd"]), "", "", "", left))
    design = lineups[0]["design"]
    unit = unit_word(document)
    a_unit = f" A {unit} is {counted(design['deals_a_unit'], 'deal')}." if unit != "deal" else ""
    blocks.append(
        Table(
            f"What the seating saves: {unit}s needed to find an edge of {design['edge']:g} units 4 times in 5 at 5 %."
            + a_unit,
            (
                "player",
                "correlation of tables",
                f"sd of a {unit}",
                "sd of a single table",
                f"{unit}s needed",
                "at single tables",
                "variance left without the luck of hands",
            ),
            tuple(rows),
        )  # fmt: skip
    )
    if document["audit"]:
        word = {True: "passed", False: "FAILED", None: "not checked"}
        blocks.append(
            Table(
                "The audit of this run.",
                ("check", "", "what was found"),
                tuple((one["check"], word[one["passed"]], one["said"]) for one in document["audit"]),
            )
        )
    seating = "; ".join(" ".join(map(str, row)) for row in document["seating"]["tables"])
    book = document["book"]
    facts = [
        ("command", document["command"]),
        ("ruleset", f"{document['ruleset']['name']}, signature {document['ruleset']['signature']}"),
        ("book", f"{book['id']} ({book['name']}, seed {book['seed']}, game {book['game']}), hash {book['hash']}"),
        ("seating", f"{document['seating']['name']}: {seating}"),
        ("hash of actions and observation", document["table_hash"]),
        *((f"hash of {player['spec']}", player["hash"]) for lineup in lineups for player in lineup["players"]),
        ("schema version", str(document["schema_version"])),
        ("digest of this result", document["digest"]),
    ]
    blocks.append(Facts(tuple(dict.fromkeys(facts))))
    return Section("How it was measured", tuple(blocks))


def meaning_section(document: Document) -> Section:
    """What the numbers mean, in a paragraph each."""
    unit = unit_word(document)
    texts = [
        f"The unit of every interval is a {unit} of the book, whatever was played at its tables: the cards and the "
        "dealer stay, the players move round through the seats. Units are those of the ruleset, a deal and a seat.",
        "Student's interval and the BCa bootstrap (10,000 resamples of whole units) are given side by side; where they "
        "disagree, scores are skew and n is small. The interval that allows looking holds at every look together.",
        "The luck of the hands is what the four hands alone let expect of this seating; taking it off leaves the mean "
        "unbiased, since what is taken off has mean 0 over all deals.",
    ]
    if document["study"] is not None:
        texts.append(
            "A chance that a player tells is that its call is made if it becomes the contract. Only calls that did are "
            "compared, the declarer's and, under a proposal, the acceptor's. Play-outs sample nothing: they are played "
            "on the true deal, so a single one is luck and their mean over deals is what that call brings on the hands "
            "on which the decision was met, against these players."
        )
    return Section("What the numbers mean", tuple(Text(text) for text in texts))
