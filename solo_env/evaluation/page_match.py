"""The report of a match: the result, where it comes from, how it was measured, what the numbers mean.

A report is made of a document alone, so that whoever has a result file can make its page again; every number of the
document stands in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solo_env.evaluation.page import (
    Block,
    Ends,
    Facts,
    Forest,
    Mark,
    Matrix,
    Page,
    Row,
    Section,
    Table,
    Text,
    cluster_word,
    contract_name,
    lineup_title,
    mark_of,
)
from solo_env.evaluation.page_study import study_sections
from solo_env.evaluation.result import Document
from solo_env.evaluation.words import UNITS, counted, plain, shown, shown_ends, signed

TWO = 2  # players of most seatings
DESIGN_ROWS = (
    "correlation of two tables", "sd over all tables", "sd of a single table", "needed", "needed at single tables",
    "variance left without the luck of the hands",
)  # fmt: skip


def page_of(document: Document) -> Page:
    """The report of a document."""
    first = document["lineups"][0]
    ruleset, book = document["ruleset"], document["book"]
    return Page(
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


def played_text(document: Document) -> str:
    """How much was played."""
    n, tables = document["n"], len(document["seating"]["tables"])
    sessions = "" if n["clusters"] == n["deals"] else f" in {counted(n['clusters'], 'session')}"
    return (
        f"{counted(n['deals'], 'deal')}{sessions}, each at {counted(tables, 'table')} "
        f"({document['seating']['name']}): {n['tables']:,} tables"
    )


def finding_of(document: Document) -> str:
    """The result in one sentence."""
    name = document["lineups"][0]["players"][0]["spec"]
    found = document["lineups"][0]["units"][0]
    verb = "wins" if found["mean"] >= 0 else "loses"
    n = counted(found["n"], cluster_word(document)).replace(" ", "\u00a0")
    text = f"{name} {verb} {shown(abs(found['mean']), UNITS).lstrip('+')} units a deal and seat "
    text += f"({sure_text(found['t95'])}; n\u00a0=\u00a0{n})."
    if document["rival_difference"]:
        rival, difference = document["lineups"][1]["players"][0]["spec"], document["rival_difference"]
        more = "more" if difference["mean"] >= 0 else "less"
        by = shown(abs(difference["mean"]), UNITS).lstrip("+")
        text += f" That is {by} units {more} than {rival} wins on the same deals ({sure_text(difference['t95'])})."
    return text


def sure_text(ends: Ends) -> str:
    """How sure a mean is."""
    return "too few deals for an interval" if ends is None else f"95\u00a0% interval {shown_ends(ends, UNITS)}"


# --- the result


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
        f"{cluster_word(document)}s: thick, Student's t; thin below, BCa bootstrap.",
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
    cluster = cluster_word(document)
    whose = "difference to the rival" if document["rival_difference"] else "mean"
    text = f"Looked at every {counted(told['look_every'], cluster)}, the {whose} was "
    at = told["decided_at"]
    text += f"decided (its interval without 0) at {counted(at, cluster)}" if at else "not decided"
    text += f". The sequence of intervals is tightest near {counted(told['tightest_at'], cluster)}"
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
                "" if name == "GM" else f"{count['made']:,}",  # nobody makes a general misère
                f"{count['played_by_challenger']:,}",
                f"{count['made_by_challenger']:,}",
            )
        )
    said = ", ".join(f"{name} at {number:,}" for name, number in auction.items())
    return Table(
        f"Contracts at all tables, and those in which {lineup['players'][0]['spec']} was declarer or partner. "
        f"Somebody {said} tables.",
        ("contract", "played", "made", "by the challenger", "made by it"),
        tuple(rows),
    )


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
                plain(design["sd_of_a_cluster"]),
                plain(design["sd_of_a_single_table"]),
                f"{design['clusters_needed']:,}",
                f"{design['clusters_needed_single_table']:,}",
                "–" if left is None else f"{100 * left:.1f} %",
            )
        )
    difference = document["rival_difference"]
    if difference and difference["adjusted"] and difference["adjusted"]["variance_left"] is not None:
        left = f"{100 * difference['adjusted']['variance_left']:.1f} %"
        rows.append(("less the rival", "", plain(difference["sd"]), "", "", "", left))
    design = lineups[0]["design"]
    cluster = cluster_word(document)
    a_cluster = f" A {cluster} is {counted(design['deals_a_cluster'], 'deal')}." if cluster != "deal" else ""
    blocks.append(
        Table(
            f"What the seating saves. {cluster.capitalize()}s needed are those that find an edge of "
            f"{design['edge']:g} units 4 times in 5 at 5 %.{a_cluster}",
            ("", *(row[0] for row in rows)),
            tuple(zip(DESIGN_ROWS, *(row[1:] for row in rows), strict=True)),
        )
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
    cluster = cluster_word(document)
    texts = [
        f"Every interval is over the {cluster}s of the book, whatever was played at their tables: the cards and "
        "the dealer stay, the players move round through the seats. Units are those of the ruleset, a deal and a "
        "seat.",
        f"Student's interval and the BCa bootstrap (10,000 resamples of whole {cluster}s) are given side by side; "
        "where they disagree, scores are skew and n is small. The interval that allows looking holds at every "
        "look together.",
        "The luck of the hands is what the four hands alone let expect of this seating; taking it off leaves the "
        "mean unbiased, since what is taken off has mean 0 over all deals.",
    ]
    if document["study"] is not None:
        texts.append(
            "A chance that a player tells is that its call is made if it becomes the contract. Only calls that "
            "did are compared, the declarer's and, under a proposal, the acceptor's. Play-outs sample nothing: "
            "they are played on the true deal, so a single one is luck and their mean over deals is what that "
            "call brings on the hands on which the decision was met, against these players."
        )
    return Section("What the numbers mean", tuple(Text(text) for text in texts))
