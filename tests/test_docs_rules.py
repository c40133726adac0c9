"""docs/rules.md and ARCHITECTURE.md against the code: clause numbers, tables, worked examples, files."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from solo_env import actions
from solo_env.actions import AUCTION, COP, OVER, PASS
from solo_env.cards import N_RANKS
from solo_env.engine import scoring
from solo_env.engine.state import ASKED_ELDEST, ASKED_NORMALLY, ASKED_PROPOSER, NOBODY, new_tables
from solo_env.rules import load_ruleset, pack, shipped_rulesets
from solo_env.rules.model import (
    CONTRACT_BY_CALL,
    CONTRACT_NAMES,
    CONTRACTS,
    NAMED,
    NO_TRICK,
    NO_TRUMPS,
    PC,
    TURNED,
)
from solo_env.signature import auction_counts
from solo_env.table import IllegalActionError, Table

ROOT = Path(__file__).resolve().parent.parent
RULES = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PAGAT = load_ruleset("pagat")

NUMBER = r"\d+\.\d+"
CLAUSE = re.compile(rf"^\*\*({NUMBER}) [^*]+\.\*\*", re.MULTILINE)
CITATION = re.compile(rf"\bclauses?\s+({NUMBER}(?:(?:,\s*|\s+and\s+|\s+to\s+){NUMBER})*)")
TOML_CITATION = re.compile(rf"#\s*({NUMBER})\b")
SOURCES = ("Hoyle", "Web", "Pagat", "Wikipedia", "Britannica", "project")
POSITIONS = "E23D"  # as the worked auctions name them


def clauses() -> list[str]:
    return CLAUSE.findall(RULES)


def order(number: str) -> tuple[int, ...]:
    return tuple(map(int, number.split(".")))


def table_after(heading: str, text: str = RULES) -> list[list[str]]:
    """The first Markdown table whose heading begins with ``heading``: its rows, heading first."""
    lines = text[text.index(f"\n| {heading} |") + 1 :].splitlines()
    end = next(i for i, line in enumerate([*lines, ""]) if not line.startswith("|"))
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[:end]]
    return [rows[0], *rows[2:]]


# --- Clause numbers --------------------------------------------------------------------------------------


def citations() -> list[tuple[str, str]]:
    """Every clause number that ``solo_env`` cites, with where it does."""
    found = []
    for path in sorted((ROOT / "solo_env").rglob("*")):
        if path.suffix not in (".py", ".toml"):
            continue
        text = path.read_text(encoding="utf-8")
        where = str(path.relative_to(ROOT))
        numbers = [number for run in CITATION.findall(text) for number in re.findall(NUMBER, run)]
        if path.suffix == ".toml":
            numbers += TOML_CITATION.findall(text)
        found += [(where, number) for number in numbers]
    for name in shipped_rulesets():
        found += [(f"{name}: {key}", clause) for key, _, clause, _ in load_ruleset(name).items()]
    return found


def test_the_clauses_are_numbered_in_order_and_without_gaps() -> None:
    numbers = [order(number) for number in clauses()]
    assert numbers == sorted(set(numbers))
    assert all(n == 1 or (chapter, n - 1) in numbers for chapter, n in numbers)
    headings = [int(n) for n in re.findall(r"^## (\d+) ", RULES, re.MULTILINE)]
    assert headings == list(range(1, len(headings) + 1))
    assert {chapter for chapter, _ in numbers} <= set(headings)


def test_every_clause_that_the_code_cites_exists() -> None:
    known = set(clauses())
    cited = citations()
    assert {"3.7", "5.3", "6.4", "7.1"} <= {number for _, number in cited}, "the search finds no citations"
    assert [(where, number) for where, number in cited if number not in known] == []


def test_every_clause_that_the_rules_refer_to_exists() -> None:
    numbers = set(re.findall(rf"(?<![\w.])({NUMBER})(?![\w.]*\d)", RULES))
    assert numbers - set(clauses()) == set()


def test_every_clause_names_its_sources() -> None:
    parts = CLAUSE.split(RULES)
    for number, text in zip(parts[1::2], parts[2::2], strict=True):
        sources = re.findall(r"\[([^\]]+)\](?!\()", text.split("\n## ")[0])
        assert sources, f"clause {number} names no source"
        assert any(source in sources[0] for source in SOURCES), f"clause {number}: {sources[0]}"


def test_every_key_is_named_by_its_clause() -> None:
    parts = CLAUSE.split(RULES)
    text = dict(zip(parts[1::2], parts[2::2], strict=True))
    for key, _, clause, _ in PAGAT.items():
        assert f"`{key}`" in text[clause].split("\n## ")[0], f"clause {clause} does not name {key}"
    listed = {key for row in table_after("clause")[1:] for key in re.findall(r"`(\w+\.\w+)`", row[3])}
    assert listed == {key for key, *_ in PAGAT.items()}


# --- Tables of the rules ---------------------------------------------------------------------------------


def test_the_contract_table_is_the_ruleset() -> None:
    trumps = {TURNED: "turned suit", NO_TRUMPS: "none", NAMED: "named by the declarer"}
    rows = table_after("contract | call")[1:]
    assert [row[0] for row in rows] == [contract.name for contract in PAGAT.contracts()]
    for row, contract in zip(rows, PAGAT.contracts(), strict=True):
        name, call, side, tricks, trump, leader, price, decides = row
        assert call.split(", ")[0] == contract.call
        assert side == ("two against two" if name == "PC" else "one against three")
        asked = re.match(r"\d+|none", tricks)
        assert asked is not None, name
        assert asked[0] == ("none" if contract.aim == NO_TRICK else str(PAGAT.contract.targets[name])), name
        assert trump == trumps[contract.trumps], name
        assert leader == {"eldest": "eldest", "caller": "the declarer"}[PAGAT.leader_of(name)], name
        assert int(price) == PAGAT.pay.base[name], name
        assert (decides == "yes") == contract.flat == PAGAT.stops(contract), name


def test_the_ladder_and_the_packets_are_those_of_the_ruleset() -> None:
    ladder = re.search(r"From low to high: (.*?)\.", RULES)
    assert ladder is not None
    assert tuple(re.findall(r"`(\w+)`", ladder[1])) == PAGAT.auction.ladder
    here = {row[0]: row[1] for row in table_after("clause")[1:] if row[3] == "`deal.packets`"}
    assert here["2.1"] == ", ".join(map(str, PAGAT.deal.packets))
    assert not PAGAT.pay.over
    assert not PAGAT.pay.under


def test_the_calls_listed_are_those_of_the_ruleset() -> None:
    listed = {row[0].strip("`") for row in table_after("call | said")[1:]}
    assert listed == {"PASS", "COP", *PAGAT.auction.ladder}


def test_the_payments_are_those_of_the_engine() -> None:
    rows = table_after("contract | made")[1:]
    names = []
    for name_text, made, paid, lost, charged in rows:
        for name in re.findall(r"\b[A-Z]+\b", name_text):
            names.append(name)
            for span, units in ((made, paid), (lost, charged)):
                bounds = [int(n) for n in re.findall(r"\d+", span)]
                expected = [int(n.replace("−", "-")) for n in units.split()]
                for taken in range(bounds[0], bounds[-1] + 1):
                    assert payoff(name, taken) == expected, (name, taken)
    assert names == [contract.name for contract in PAGAT.contracts()]


def payoff(name: str, taken: int) -> list[int]:
    table = new_tables(1)[0]
    table["contract"] = CONTRACT_NAMES.index(name)
    table["declarer"], table["partner"] = 0, 2 if name == "PC" else NOBODY
    table["tricks"][0] = taken
    scoring.write_payoff(table, pack(PAGAT))
    return [int(n) for n in table["payoff"]]


# --- Auctions --------------------------------------------------------------------------------------------


def test_the_counts_of_auctions_are_those_of_the_engine() -> None:
    _, values = table_after("auctions")
    assert [int(value) for value in values] == list(auction_counts(PAGAT).values())


def situations() -> dict[tuple[int, bool, int], set[frozenset[str]]]:
    """What is open, over all auctions, by (standing contract, accepted, why asked)."""
    found: dict[tuple[int, bool, int], set[frozenset[str]]] = {}
    start = Table(PAGAT)
    start.deal(0, dealer=3)
    todo = [start]
    while todo:
        table = todo.pop()
        data, legal = table.data, table.legal_actions()
        accepted = bool(data["standing"] == PC and data["acceptor"] != NOBODY)
        place = int(data["standing"]), accepted, int(data["asked"])
        found.setdefault(place, set()).add(frozenset(map(actions.text, legal)))
        for call in legal:
            after = table.clone()
            after.apply(call)
            if after.data["phase"] == AUCTION:
                todo.append(after)
    return found


def test_the_decision_table_is_what_the_engine_opens() -> None:
    asked_by_text = {
        "live": ASKED_NORMALLY,
        "eldest, after his pass": ASKED_ELDEST,
        "the proposer": ASKED_PROPOSER,
    }
    heading, *rows = table_after("row")
    described = {}
    for _, standing, asked, *dots in rows:
        calls = frozenset(call for call, dot in zip(heading[3:], dots, strict=True) if dot == "•")
        bid = standing.strip("`")
        contract = -1 if bid == "none" else PC if bid.startswith("proposal") else CONTRACT_BY_CALL[bid]
        described[contract, bid == "proposal, accepted", asked_by_text[asked]] = {calls}
    assert described == situations()


def play(text: str) -> Table:
    """The table after calls such as "E:PASS 2:PROP", each by the position that is on turn."""
    table = Table(PAGAT)
    table.deal(0, dealer=3)
    for word in text.strip("`").split():
        position, call = word.split(":")
        assert table.turn == POSITIONS.index(position), f"{word} in {text}"
        table.apply(actions.parse(call))
    return table


def ending(table: Table) -> str:
    data = table.data
    if data["phase"] == OVER:
        return "thrown in"
    text = f"{CONTRACTS[int(data['contract'])].name} by {POSITIONS[int(data['declarer'])]}"
    return text + (f" with {POSITIONS[int(data['partner'])]}" if data["partner"] != NOBODY else "")


@pytest.mark.parametrize("row", table_after("calls")[1:], ids=lambda row: row[0])
def test_a_worked_auction_ends_as_the_rules_say(row: list[str]) -> None:
    table = play(row[0])
    assert table.data["phase"] != AUCTION
    assert ending(table) == row[1]


@pytest.mark.parametrize("row", table_after("calls so far")[1:], ids=lambda row: f"{row[0]} {row[1]}")
def test_a_call_that_the_rules_refuse_is_refused(row: list[str]) -> None:
    table = play(row[0])
    position, call = row[1].strip("`").split(":")
    assert table.turn == POSITIONS.index(position)
    with pytest.raises(IllegalActionError):
        table.apply(actions.parse(call))


def test_a_longest_worked_auction_has_as_many_calls_as_the_rules_count() -> None:
    longest = max(len(row[0].split()) for row in table_after("calls")[1:])
    assert longest == int(table_after("auctions")[1][1])


def test_the_accepted_proposals_are_shared_out_as_the_rules_say() -> None:
    counts = np.zeros(4, int)
    start = Table(PAGAT)
    start.deal(0, dealer=3)
    todo = [start]
    while todo:
        table = todo.pop()
        for call in table.legal_actions():
            if call not in (PASS, COP) and actions.text(call) != "PROP":
                continue  # a higher call ends the hope of an accepted proposal
            after = table.clone()
            after.apply(call)
            if after.data["phase"] == AUCTION:
                todo.append(after)
            elif after.data["contract"] == PC:
                counts[int(after.data["declarer"])] += 1
    assert counts.tolist() == [3, 3, 2, 1]
    assert "eldest makes\nthree, second three, third two and the dealer one" in RULES


def test_the_turned_card_gives_the_trumps_that_the_rules_say() -> None:
    for text, contract in (("E:SOLO 2:PASS 3:PASS D:PASS", "turned"), ("E:DECL", "none")):
        table = play(text)
        expected = int(table.data["turned_card"]) // N_RANKS if contract == "turned" else -1
        assert table.data["trump"] == expected


# --- ARCHITECTURE.md -------------------------------------------------------------------------------------


def listed_files() -> list[str]:
    section = ARCHITECTURE.split("\n## Layers and files\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \| \S", section, re.MULTILINE)


def test_every_file_of_the_layer_list_exists_and_is_listed_once() -> None:
    files = listed_files()
    assert len(files) > 30, "the layer list is not found"
    assert [name for name in files if not (ROOT / name).is_file()] == []
    assert sorted(set(files)) == sorted(files)


@pytest.mark.parametrize("package", ["solo_env", "baselines", "training"])
def test_every_module_is_in_the_layer_list(package: str) -> None:
    modules = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / package).rglob("*.py")
        if path.name not in ("__init__.py", "__main__.py")
    }
    assert sorted(modules - set(listed_files())) == []


def test_the_layers_are_in_the_order_of_the_import_contract() -> None:
    contract = (ROOT / "pyproject.toml").read_text(encoding="utf-8").split('containers = ["solo_env"]')[1]
    layers = re.findall(r'"([^"]+)"', contract.split("layers = [")[1].split("]")[0])
    described = ARCHITECTURE.split("from the top down, siblings apart:")[1].split(". Further")[0]
    assert re.findall(r"`([^`]+)`", described) == layers
