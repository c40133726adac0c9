"""The report of a study: calls and cards swapped, calls and their calibration, their regret, three deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solo_env.evaluation.page import (
    Block,
    Curve,
    Deal,
    Forest,
    Mark,
    Matrix,
    Row,
    Section,
    Table,
    Text,
    cluster_word,
    contract_name,
    mark_of,
)
from solo_env.evaluation.result import Document
from solo_env.evaluation.words import (
    POINTS,
    SCORE,
    SHARE,
    UNITS,
    counted,
    plain,
    shown,
    shown_ends,
    shown_with_ends,
)


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
                    "Chosen by a rule from the first "
                    f"{counted(study['calls']['clusters'], cluster_word(document))}: the one with the largest "
                    f"gain of {names[0]} over all tables, the one with the largest loss, and the median; of equal "
                    "ones the first. Shown is the table at which it won the most, lost the most, or came nearest "
                    "to the mean. What a player says is what it answered from the view of its seat. Below each "
                    "call stand the units of that seat had it called otherwise there and the same players gone on "
                    "with the same cards: framed the call made, shaded the best in hindsight."
                ),
                *(
                    Deal(deal_title(deal, document), deal, tuple(names), cluster_word(document))
                    for deal in study["deals"]
                ),
            ),
        ),
    ]


def deal_title(deal: dict[str, Any], document: Document) -> str:
    """Which deal it is."""
    which = f"{cluster_word(document)} {deal['cluster']:,} of {document['book']['id']}, table {deal['table'] + 1}"
    if document["book"]["session"] > 1:
        which += f", deal {deal['deal'] + 1}"
    return f"{deal['why'][0].upper()}{deal['why'][1:]}: {which}"


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
                f"Four players sit in the seats of {names[0]} on the same "
                f"{counted(swap['clusters'], cluster_word(document))}, against the same {names[1]}: each way to "
                "take the calls of one and the cards of the other."
            ),
            Matrix(
                "Units a deal and seat, by whose calls and whose cards.", UNITS, "calls of", "cards of",
                tuple(names[:2]), tuple(names[:2]), tuple(map(tuple, cells)),
            ),
            Forest(
                f"What the calls and the cards of {names[0]} add to those of {names[1]}. The two means add up to "
                "the result.",
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
            f"From the first {counted(calls['clusters'], cluster_word(document))}, "
            f"{counted(calls['tables'], 'table')}. Shares have Wilson's interval, widened by as much as calls of "
            "one deal hang together."
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
            ("contract", "tables", "share [95\u00a0%]"),
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
                f"Calibration of {names[i]}: of its {counted(n, 'call')} that became contracts, how often those "
                "of about the same told chance were made. On the diagonal a chance is borne out; the bars at the "
                "foot are the numbers of calls.",
                names[i],
                tuple(found["bins"]),
                i,
            )
        )
    told = [(names[i], found) for i, found in enumerate(calls["calibration"]) if found is not None]
    if told:
        blocks += [
            Table(
                "Brier score (0 is certainty, lower is better), the score of always telling the mean, and what is "
                "told too much (+) or too little on average.",
                ("[95\u00a0%]", *(name for name, _ in told)),
                (
                    ("n", *(f"{found['brier']['n']:,}" for _, found in told)),
                    ("Brier score", *(shown_with_ends(found["brier"], SCORE) for _, found in told)),
                    ("of the mean", *(shown_with_ends(found["brier_of_the_mean"], SCORE) for _, found in told)),
                    ("told less made", *(shown_with_ends(found["gap"], POINTS) for _, found in told)),
                ),
            ),
            Table(
                "The calibration curve in numbers.",
                ("player", "told", "mean told", "n", "made [95\u00a0%]"),
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
            + (f"; no chances are told by {' and '.join(silent)}." if silent else "."),
            (
                "player",
                "contract",
                "side",
                "n",
                "made [95\u00a0%]",
                "told [95\u00a0%]",
                "told less made [95\u00a0%]",
            ),
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
        )
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
                f"Each call decision of the first {counted(regret['clusters'], cluster_word(document))} was "
                "played out with every legal call, on the cards as they lay and by the same players. Hindsight "
                "compares the call made with the best of these play-outs: no player could have known it, so it "
                "bounds the regret from above and is never negative. The best change of habit is found on one "
                "half of the deals (another call in the same phase after the same choice, if it gains more than "
                "two standard errors) and measured on the other half: it bounds the regret from below."
            ),
            Forest(
                "Regret of calls. n counts decisions, or seats where it is a deal.", UNITS, "units",
                tuple(rows), tuple(names),
            ),
            Forest(
                "Hindsight a decision, by what the seat was asked in and by its role in the deal that came of it.",
                UNITS, "units a decision", (*cuts["by_phase"], *cuts["by_role"]), tuple(names),
            ),
            Forest(
                "Hindsight a decision, by the call made and by the contract of the deal that came of it.", UNITS,
                "units a decision", (*cuts["by_call"], *cuts["by_contract"]), tuple(names),
            ),
            *open_,
            Table(
                "Another call instead of the one made, where it surely loses.",
                ("player", "asked in", "called", "instead", "n", "gain in units [95\u00a0%]"), tuple(rest),
                folded=f"{counted(len(rest), 'other change')} of a call that surely lose",
            ),
            Table(
                "If a call were made wherever it is legal: how often it becomes the contract, and how often that "
                "is made. Beside the shares of the calls really made it tells how well hands are chosen.",
                ("player", "call", "n", "becomes the contract [95\u00a0%]", "n", "made [95\u00a0%]"),
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
    rest: list[tuple[str, ...]] = []
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
            "Another call instead of the one made, where it might gain: the mean over all decisions of that kind. "
            "An interval above 0 is a fault found; were there none, one in forty of the "
            f"{plotted + len(rest)} comparisons made would still be.",
            UNITS, "gain in units a decision", tuple(rows), tuple(names),
        )
    ], rest  # fmt: skip
