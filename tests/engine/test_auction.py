"""The auction: the worked auctions of the rules, and what closes it."""

from __future__ import annotations

import random

import pytest

from solo_env import actions
from solo_env.rules.model import CONTRACT_NAMES
from solo_env.table import IllegalActionError, Table
from tests.playing import position_of, random_hands, table_of

# "position:CALL ...", contract, declarer, partner (positions; -1 nobody)
WORKED = [
    ("0:P 1:PROP 2:P 3:P 0:COP", "PC", 1, 0),
    ("0:P 1:PROP 2:P 3:P 0:P 1:SOLO", "SOLO", 1, -1),
    ("0:P 1:PROP 2:P 3:P 0:P 1:P", None, -1, -1),
    ("0:PROP 1:P 2:MIS 3:ABU 0:ABT 2:OUV 3:DECL", "DECL", 3, -1),
    ("0:PROP 1:P 2:MIS 3:ABU 0:P 2:P", "ABU", 3, -1),
    ("0:P 1:PROP 2:COP 3:SOLO 1:P 2:DECL", "DECL", 2, -1),
    ("0:P 1:PROP 2:SOLO 3:P 1:P", "SOLO", 2, -1),
    ("0:P 1:P 2:P 3:PROP 0:COP", "PC", 3, 0),
    ("0:ABU 1:P 2:ABT 3:P 0:P", "ABT", 2, -1),
    ("0:P 1:P 2:P 3:P", None, -1, -1),
    ("0:P 1:PROP 2:COP 3:SOLO 1:P 2:MIS 3:ABU 2:ABT 3:OUV 2:P", "OUV", 3, -1),
    ("0:PROP 1:P 2:P 3:P 0:P", None, -1, -1),
    ("0:PROP 1:P 2:P 3:COP", "PC", 0, 3),
]

ILLEGAL = [
    "0:ABU 1:ABU",
    "0:P 1:ABT",
    "0:P 1:PROP 2:PROP",
    "0:P 1:SOLO 2:P 3:P 0:MIS",
    "0:SOLO 1:SOLO",
    "0:MIS 1:SOLO",
    "0:SOLO 1:COP",
    "0:COP",
    "0:PROP 1:COP 2:COP",
    "0:P 1:PROP 2:P 3:P 0:SOLO",
    "0:PROP 1:SOLO 2:COP",
    "0:P 1:PROP 2:P 3:P 0:P 1:ABT",
]


def follow(auction: str, dealer: int = 3) -> Table:
    table = table_of(random_hands(random.Random(auction)), dealer)
    for step in auction.split():
        position, call = step.split(":")
        assert position_of(table, table.turn) == int(position), f"{step} of {auction}"
        table.apply(actions.parse("PASS" if call == "P" else call))
    return table


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize(("auction", "contract", "declarer", "partner"), WORKED)
def test_worked_auctions_end_as_the_rules_say(auction, contract, declarer, partner, dealer):
    table = follow(auction, dealer)
    data = table.data
    assert data["phase"] != actions.AUCTION
    if contract is None:
        assert table.over
        assert table.payoffs == (0, 0, 0, 0)
        assert data["contract"] == -1
        return
    assert CONTRACT_NAMES[data["contract"]] == contract
    assert position_of(table, int(data["declarer"])) == declarer
    assert (-1 if data["partner"] < 0 else position_of(table, int(data["partner"]))) == partner


@pytest.mark.parametrize("auction", ILLEGAL)
def test_calls_out_of_order_are_refused_and_change_nothing(auction):
    *before, last = auction.split()
    table = follow(" ".join(before))
    if position_of(table, table.turn) != int(last[0]):
        # The seat that would call is not even asked: it has passed.
        assert table.data["passed"] >> ((int(last[0]) + table.data["dealer"] + 1) % 4) & 1
        return
    unchanged = table.data.tobytes()
    with pytest.raises(IllegalActionError):
        table.apply(actions.parse(last.split(":")[1]))
    assert table.data.tobytes() == unchanged


def test_the_abundance_caller_names_trumps_after_the_auction_and_eldest_leads():
    table = follow("0:PROP 1:P 2:MIS 3:ABU 0:P 2:P")
    assert table.data["phase"] == actions.NAMING
    assert position_of(table, table.turn) == 3
    assert [actions.text(a) for a in table.legal_actions()] == [
        "TRUMPS C",
        "TRUMPS D",
        "TRUMPS H",
        "TRUMPS S",
    ]
    table.apply(actions.parse("TRUMPS D"))
    assert table.data["trump"] == 1
    assert position_of(table, table.turn) == 0


def test_abundance_declared_has_no_trumps_and_its_caller_leads():
    table = follow("0:P 1:P 2:DECL")
    assert table.data["phase"] == actions.PLAY
    assert table.data["trump"] == -1
    assert position_of(table, table.turn) == 2


@pytest.mark.parametrize("call", ["MIS", "OUV"])
def test_a_misere_has_no_trumps_although_a_card_is_turned(call):
    table = follow(f"0:P 1:{call} 2:P 3:P")
    assert table.data["trump"] == -1
    assert position_of(table, table.turn) == 0


@pytest.mark.parametrize("auction", ["0:P 1:SOLO 2:P 3:P", "0:PROP 1:COP 2:P 3:P", "0:ABU 1:ABT 2:P 3:P 0:P"])
def test_solo_proposal_and_abundance_in_trumps_play_in_the_turned_suit(auction):
    table = follow(auction)
    assert table.data["trump"] == table.data["turned_card"] // 13
