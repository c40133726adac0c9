"""docs/rules.md and ARCHITECTURE.md against the code: clause numbers, tables, worked examples, files."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

import numpy as np
import pytest

from solo_env import actions
from solo_env.actions import AUCTION, COP, NAMING, OVER, PASS, PLAY
from solo_env.cards import N_RANKS
from solo_env.engine import scoring
from solo_env.engine.state import ASKED_ELDEST, ASKED_NORMALLY, ASKED_PROPOSER, NOBODY, new_tables
from solo_env.rules import load_ruleset, pack
from solo_env.rules.model import (
    CONTRACT_BY_CALL,
    CONTRACT_NAMES,
    CONTRACTS,
    GENERAL,
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
CITATION = re.compile(rf"\b[Cc]lauses?\s+({NUMBER}(?:(?:,\s*|\s+and\s+|\s+to\s+){NUMBER})*)")
TOML_CITATION = re.compile(rf"#\s*({NUMBER})\b")
SOURCES = ("Hoyle", "Web", "Pagat", "Wikipedia", "Britannica", "Foster", "everything2", "Anna Cubed", "project")
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


def cited_in(text: str, ranges: bool) -> set[str]:
    """The clause numbers that a text cites: behind the word, alone, in a list or from one to another.

    Args:
        text: a source file.
        ranges: whether "from one to another" cites what lies between; otherwise it cites nothing, being a heading.
    """
    found: set[str] = set()
    for run in CITATION.findall(text):
        numbers = re.findall(NUMBER, run)
        if " to " not in run:
            found |= set(numbers)
        elif ranges:
            chapter, first = order(numbers[0])
            found |= {f"{chapter}.{n}" for n in range(first, order(numbers[-1])[1] + 1)}
    return found


def comments_of(source: str) -> str:
    """The comments and docstrings of a Python file."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return "\n".join(
        token.string
        for token in tokens
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and token.string.startswith('"""'))
    )


def citations(folder: str) -> dict[str, set[str]]:
    """Every clause number that the files of a folder cite, with the files that do.

    The rulebook's comments are clause by clause, so there a bare number is a citation too.
    """
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in (".py", ".toml"):
            continue
        text = path.read_text(encoding="utf-8")
        numbers = cited_in(text, ranges=folder == "solo_env")
        if path.suffix == ".toml":
            numbers |= set(TOML_CITATION.findall(text))
        if path.parent.name == "rulebook":
            numbers |= set(re.findall(rf"(?<![\w.]){NUMBER}(?![\w.]*\d)", comments_of(text)))
        for number in numbers:
            found.setdefault(number, set()).add(str(path.relative_to(ROOT)))
    if folder == "solo_env":
        for key, _, clause, _ in PAGAT.items():
            found.setdefault(clause, set()).add(f"rules/model.py: {key}")
    return found


# Keys whose choices their clause tells in words.
DESCRIBED = (
    "deal.reshuffle_after",
    "deal.gather",
    "deal.cut",
    "trump.cycle_advance",
    "passout.five_fallback",
    "info.last_trick",
    "pay.money",
)

# Clauses that need no line of code, or no test, and why. An entry that is not needed any more must go.
EXPLAINED = "no rule, but the words that the rules are written in"
NOT_SIMULATED = "says that something does not happen"
EXEMPT = {
    "1.1": EXPLAINED,
    "1.2": EXPLAINED,
    "1.4": EXPLAINED,
    "1.5": EXPLAINED,
    "2.4": NOT_SIMULATED,
}


def test_the_clauses_are_numbered_in_order_and_without_gaps() -> None:
    numbers = [order(number) for number in clauses()]
    assert numbers == sorted(set(numbers))
    assert all(n == 1 or (chapter, n - 1) in numbers for chapter, n in numbers)
    headings = [int(n) for n in re.findall(r"^## (\d+) ", RULES, re.MULTILINE)]
    assert headings == list(range(1, len(headings) + 1))
    assert {chapter for chapter, _ in numbers} <= set(headings)


@pytest.mark.parametrize("folder", ["solo_env", "tests"])
def test_every_clause_that_is_cited_exists(folder: str) -> None:
    cited = citations(folder)
    assert {"3.7", "5.3", "6.4", "7.1"} <= cited.keys(), "the search finds no citations"
    assert {number: files for number, files in cited.items() if number not in clauses()} == {}


def test_every_clause_is_cited_in_the_code_and_in_a_test() -> None:
    code, tests = citations("solo_env"), citations("tests")
    missing = {
        number: [folder for folder, cited in (("solo_env", code), ("tests", tests)) if number not in cited]
        for number in clauses()
    }
    missing = {number: folders for number, folders in missing.items() if folders}
    assert {number: folders for number, folders in missing.items() if number not in EXEMPT} == {}
    assert [number for number in EXEMPT if number not in missing] == [], "no longer exempt"


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
    listed = {row[1].strip("`"): row[0] for row in table_after("clause")[1:]}
    assert listed == {key: clause for key, _, clause, _ in PAGAT.items()}


def test_a_clause_says_which_of_its_keys_act_in_rulings() -> None:
    parts = CLAUSE.split(RULES)
    text = dict(zip(parts[1::2], parts[2::2], strict=True))
    for key, _, clause, meaning in PAGAT.items():
        if "(in rulings)" in meaning:
            assert "in rulings" in text[clause].split("\n## ")[0].lower(), key


def test_every_choice_of_a_key_is_named_by_its_clause() -> None:
    parts = CLAUSE.split(RULES)
    text = dict(zip(parts[1::2], parts[2::2], strict=True))
    for row in table_after("clause")[1:]:
        for choice in re.findall(r"(?:^|, )`(\w+)`", row[3]):  # the default is bold, and the clause itself
            if row[1].strip("`") in DESCRIBED or len(choice) == 1:
                continue
            assert f"`{choice}`" in text[row[0]].split("\n## ")[0], (
                f"clause {row[0]} does not name {row[1]} {choice}"
            )


# --- Tables of the rules ---------------------------------------------------------------------------------


def test_the_contract_table_is_the_ruleset() -> None:
    trumps = {TURNED: "turned suit", NO_TRUMPS: "none", NAMED: "named by the declarer"}
    rows = table_after("contract | call")[1:]
    offered = [contract.name for contract in PAGAT.contracts()]
    assert [row[0] for row in rows][: len(offered)] == offered
    by_name = {contract.name: contract for contract in CONTRACTS}
    assert {row[0] for row in rows} == by_name.keys()
    for row in rows:
        contract = by_name[row[0]]
        name, call, side, tricks, trump, leader, price, decides = row
        assert call.split(", ")[0] == contract.call
        assert side == ("two against two" if name == "PC" else "one against three")
        asked = re.match(r"\d+|none", tricks)
        assert asked is not None, name
        assert asked[0] == ("none" if contract.aim == NO_TRICK else str(PAGAT.contract.targets[name])), name
        assert trump == trumps[contract.trumps], name
        assert leader == {"eldest": "eldest", "caller": "the declarer"}[PAGAT.leader_of(name)], name
        assert price == str(PAGAT.pay.base.get(name, "–")), name
        assert (decides == "yes") == contract.flat == PAGAT.stops(contract), name


def test_the_ladder_and_the_packets_are_those_of_the_ruleset() -> None:
    ladder = re.search(r"From low to high: (.*?)\.", RULES)
    assert ladder is not None
    assert tuple(re.findall(r"`(\w+)`", ladder[1])) == PAGAT.auction.ladder
    assert "four rounds of three cards to each player, then one round of single cards" in " ".join(RULES.split())
    assert PAGAT.deal.packets == (3, 3, 3, 3, 1)
    assert not PAGAT.pay.over
    assert not PAGAT.pay.under


def test_the_calls_listed_are_all_there_are() -> None:
    listed = {row[0].strip("`") for row in table_after("call | said")[1:]}
    assert listed == {"PASS", "COP", *CONTRACT_BY_CALL}


def test_the_payments_are_those_of_the_engine() -> None:
    """Clauses 7.1, 7.2 and 7.3 as one table."""
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


@pytest.mark.parametrize("row", table_after("form | tricks go to")[1:], ids=lambda row: f"{row[0]} {row[1]}")
def test_a_worked_general_misere_pays_as_the_rules_say(row: list[str]) -> None:
    """Clauses 7.5, 7.6, 7.7 and 7.8, by the kernels and by the ruleset itself."""
    form, winners_text, units, _ = row
    mode, *fallback = re.findall(r"\w+", form)
    name = f'pagat+passout.mode="{mode}"' + "".join(f'+passout.five_fallback="{word}"' for word in fallback)
    winners = [POSITIONS.index(letter) for letter in winners_text]
    table = new_tables(1)[0]
    table["contract"], table["dealer"], table["n_plays"] = GENERAL, 3, 4 * len(winners)
    table["trick_winners"][: len(winners)] = winners
    table["tricks"][:] = [winners.count(seat) for seat in range(4)]
    scoring.write_payoff(table, pack(load_ruleset(name)))
    expected = [int(number.replace("−", "-")) for number in units.split()]
    assert table["payoff"].tolist() == expected
    assert list(load_ruleset(name).payoff("GM", (), table["tricks"].tolist(), winners)) == expected


# --- What is seen ----------------------------------------------------------------------------------------


def deals_by_suit(ruleset: str, names: str = "") -> Table:
    """A table whose eldest holds all clubs, second all diamonds and so on, after some actions."""
    table = Table(ruleset)
    table.deal_hands([[13 * suit + rank for rank in range(N_RANKS)] for suit in range(4)], 3)
    for name in names.split():
        table.apply(actions.parse(name))
    return table


@pytest.mark.parametrize(("key", "shown"), [("keep", 51), ("hide", -1)])
def test_the_turned_card_is_known_until_trick_1_is_complete_and_then_by_the_key(key: str, shown: int) -> None:
    """As clauses 2.3 and 8.4 say; the suit stays known."""
    ruleset = f'pagat+info.turnup_after_pickup="{key}"'
    during = deals_by_suit(ruleset, "SOLO PASS PASS PASS C2 D2 H2")
    after = deals_by_suit(ruleset, "SOLO PASS PASS PASS C2 D2 H2 S2")
    for seat in range(4):
        assert during.view(seat).turned_card == 51
        assert (after.view(seat).turned_card, after.view(seat).suit) == (shown, 3)


def test_all_know_the_same_public_facts_and_each_its_own_hand() -> None:
    """As clauses 8.1, 8.2 and 8.3 say."""
    table = deals_by_suit("pagat", "PASS PROP PASS PASS COP C2 D2")
    views = [table.view(seat) for seat in range(4)]
    for seat, view in enumerate(views):
        assert view.hand_cards == table.data["hand_cards"][seat]
        assert bool(view.legal_actions()) == (seat == table.turn)
        assert view.turned_card == 51
        assert [(view.seat_of(rel), name) for rel, name in view.auction()] == [
            (0, "PASS"), (1, "PROP"), (2, "PASS"), (3, "PASS"), (0, "COP"),
        ]  # fmt: skip
        assert {view.seat_of(view.declarer_rel), view.seat_of(view.partner_rel)} == {0, 1}
        assert [(view.seat_of(rel), card) for rel, card in view.trick()] == [(0, 0), (1, 13)]
        assert view.exposed_cards == 0


@pytest.mark.parametrize(
    ("keys", "suits"),
    [
        ('trump.source="second_pack_cut"', {0, 1, 2, 3}),
        ('trump.source="cycle"+trump.cycle=["H","D","NT"]', {2, 1, -1}),
        ('trump.source="fixed"+trump.fixed_suit="D"', {1}),
    ],
)
def test_the_suit_of_a_deal_comes_from_its_source(keys: str, suits: set[int]) -> None:
    """As clause 2.8 says: known to all, and no card is turned."""
    table, found = Table(f"pagat+{keys}"), set()
    for seed in range(60):
        table.deal(seed)
        found |= {table.view(seat).suit for seat in range(4)}
        assert {table.view(seat).turned_card for seat in range(4)} == {-1}
    assert found == suits


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


def play(text: str, ruleset: str = "pagat") -> Table:
    """The table after calls such as "E:PASS 2:PROP", each by the position that is on turn."""
    table = Table(ruleset)
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


@pytest.mark.parametrize("row", table_after("ruleset | calls")[1:], ids=lambda row: f"{row[0]} {row[1]}")
def test_a_worked_auction_of_another_ruleset_ends_as_the_rules_say(row: list[str]) -> None:
    ruleset, calls, end, _ = row
    table = play(calls, ruleset.strip("`"))
    assert table.data["phase"] != AUCTION
    assert ending(table) == end


def test_a_no_trump_round_lacks_the_rungs_that_need_a_suit() -> None:
    """As clauses 2.9 and 3.9 say, with the highest rung that is left closing the auction."""
    ladder = '+auction.ladder=["PROP","SOLO","ABU","ABT","DECL","RDECL"]+pay.base.RDECL=7'
    table = Table(f'pagat+trump.source="cycle"+trump.cycle=["NT"]{ladder}')
    table.deal(0, dealer=3)
    offered = set(map(actions.text, table.legal_actions()))
    assert offered == {"PASS", "PROP", "SOLO", "ABU", "DECL"}
    table.apply(actions.parse("ABU"))
    assert set(map(actions.text, table.legal_actions())) == {"PASS", "DECL"}
    table.apply(actions.parse("DECL"))
    assert (table.data["phase"], table.data["trump"], table.turn) == (PLAY, -1, 1)


def test_a_proposal_is_the_first_bid_wherever_the_ladder_puts_it() -> None:
    """As clause 3.4 says."""
    table = Table('pagat+auction.ladder=["SOLO","PROP","MIS"]')
    table.deal(0, dealer=3)
    assert actions.PROP in table.legal_actions()
    table.apply(actions.parse("SOLO"))
    assert set(map(actions.text, table.legal_actions())) == {"PASS", "MIS"}


def test_an_ouverte_lost_in_trick_1_ends_with_twelve_cards_open() -> None:
    """As clauses 5.3, 6.4 and 8.3 say."""
    table = deals_by_suit("pagat", "OUV PASS PASS PASS C2 D2 H2 S2")
    assert table.over
    assert tuple(table.payoffs) == (-12, 4, 4, 4)
    for seat in range(4):
        assert int(table.view(seat).exposed_cards).bit_count() == 12


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
    assert "eldest makes three, second three, third two and the dealer one" in " ".join(RULES.split())


@pytest.mark.parametrize(
    ("ruleset", "calls", "trump"),
    [
        ("pagat", "E:SOLO 2:PASS 3:PASS D:PASS", "turned"),
        ("pagat", "E:PROP 2:COP 3:PASS D:PASS", "turned"),
        ("pagat", "E:ABU 2:ABT 3:PASS D:PASS E:PASS", "turned"),
        ("pagat", "E:MIS 2:PASS 3:PASS D:PASS", "none"),
        ("pagat", "E:OUV 2:PASS 3:PASS D:PASS", "none"),
        ("pagat", "E:ABU 2:PASS 3:PASS D:PASS", "named"),
        ("grand_slam_solo", "E:PETIT 2:PASS 3:PASS D:PASS", "named"),
        ("grand_slam_solo", "E:GRAND", "named"),
        ("pagat", "E:DECL", "none"),
        ("hoyle", "E:DECL", "named"),
        ('pagat+contract.decl_trumps="turned_suit"', "E:DECL", "turned"),
        ('pagat+auction.ladder=["RDECL"]+pay.base.RDECL=7', "E:RDECL", "turned"),
    ],
)
def test_the_trumps_in_force_are_those_that_the_rules_say(ruleset: str, calls: str, trump: str) -> None:
    """As clauses 4.2, 4.4 and 5.2 say."""
    table = play(calls, ruleset)
    assert (table.data["phase"] == NAMING) == (trump == "named")
    if trump == "named":
        assert table.turn == table.data["declarer"]
        table.apply(actions.parse("TRUMPS H"))
    assert table.data["trump"] == {"turned": int(table.data["suit"]), "none": -1, "named": 2}[trump]


def test_partners_take_their_tricks_together_wherever_they_sit() -> None:
    """As clauses 4.3 and 6.3 say; the winner of a trick leads to the next."""
    table = deals_by_suit("pagat", "PROP COP PASS PASS C2 D2 H2 S2")
    assert {int(table.data["declarer"]), int(table.data["partner"])} == {0, 1}
    assert (table.turn, table.data["leader"]) == (3, 3)  # spades are turned up, and the dealer has them all
    while not table.over:
        table.apply(table.legal_actions()[0])
    assert tuple(table.payoffs) == (-1, -1, 1, 1)


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
