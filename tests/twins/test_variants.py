"""Engine and rulebook agree on every shipped ruleset and on every key flipped, deal by deal and call by call."""

from __future__ import annotations

import random

import pytest

from solo_env import actions
from solo_env.cards import SUITS
from solo_env.rules import Ruleset, load_ruleset, shipped_rulesets
from solo_env.rules.model import KIND_NAMES
from solo_env.signature import auction_counts
from solo_env.table import Table
from tests import rulebook
from tests.playing import contracts_of
from tests.twins.flips import FLIPS as KEYS
from tests.twins.flips import witness
from tests.twins.variants import finished

# Deals of each shipped set, and of each contract that the set has: quickly, and in the long proof.
QUICK, LONG = (300, 20), (2000, 100)

# One flip of every key that acts within a deal, in a set where it is live.
FLIPS = [
    "pagat+deal.packets=[4,3,3,3]",
    "grand_slam_solo+deal.packets=[4,3,3,3]",
    'anna_cubed+deal.packets="rotating_4_by_deal"',
    'pagat+trump.source="second_pack_cut"',
    'pagat+trump.source="cycle"',
    'pagat+trump.source="fixed"',
    'pagat+trump.source="fixed"+trump.fixed_suit="H"',
    'anna_cubed+trump.cycle=["NT"]',
    'pagat+auction.ladder=["PROP","SOLO","ABU","MIS","ABT","DECL","OUV"]',
    'pagat+auction.ladder=["PROP","SOLO","MIS","ABU","ABT","PETIT","OUV","DECL","GRAND","RDECL"]'
    "+pay.base.PETIT=4+pay.base.GRAND=8+pay.base.RDECL=9",
    "pagat+auction.proposals=false",
    'pagat+auction.rounds="one"+auction.acceptor_may_raise=false',
    'pagat+auction.eldest_cop="none"',
    'pagat+auction.unaccepted_prop="throw_in"',
    'pagat+auction.unaccepted_prop_raise_to="solo_only"',
    'pagat+auction.unaccepted_prop_raise_seats="eldest_only"',
    "pagat+auction.acceptor_may_raise=false",
    "pagat+auction.raise_own_call=true",
    'pagat+auction.abt_call="any_time"',
    "pagat+contract.targets.PC=7",
    'pagat+contract.decl_trumps="bidder_choice"',
    'pagat+contract.decl_trumps="turned_suit"',
    "pagat+contract.abu_may_choose_turned=false",
    'pagat+contract.abu_suit_time="with_call"',
    'grand_slam_solo+contract.abu_suit_time="with_call"',
    'pagat+contract.leader.MIS="caller"',
    'pagat+contract.leader.DECL="eldest"',
    'pagat+contract.ouv_expose="before_lead"',
    'pagat+play.stop="never"',
    'pagat+passout.mode="last_trick"',
    'pagat+passout.mode="fewest"',
    'pagat+passout.mode="first_to_five"',
    'pagat+passout.mode="first_to_five"+passout.five_fallback="last_to_four"',
    'pagat+passout.mode="first_to_five"+passout.five_fallback="all_with_four"',
    'pagat+passout.mode="most_tricks"',
    'pagat+passout.mode="most_tricks"+passout.include_unaccepted_prop=true',
    "pagat+pay.base.MIS=3",
    "pagat+pay.over.SOLO=1",
    "pagat+pay.under.ABU=2",
    'hoyle+pay.slam_double=["PC","SOLO"]',
    "pagat+pay.unit=3",
]


def assert_agreement(ruleset: Ruleset, contract: str, rng: random.Random, deals: int) -> None:
    """The rulebook says the same of ``deals`` deals: turns, legal actions, results, exposure."""
    for number in range(deals):
        kind = number % 2 == 0 and contract not in ("", "GM")
        table, trace = finished(ruleset, contract, rng, kind=kind)
        line = table.record()
        assert rulebook.trace(line) == trace, line
        assert Table.from_record(line).record() == line
        sides = [seat for seat in (int(table.data["declarer"]), int(table.data["partner"])) if seat >= 0]
        if table.data["contract"] >= 0:
            name = KIND_NAMES[table.data["contract"]]
            n_tricks = int(table.data["n_plays"]) // 4
            winners = table.data["trick_winners"][:n_tricks].tolist()
            tricks = table.data["tricks"].tolist()
            assert ruleset.payoff(name, sides, tricks, winners) == table.payoffs, line


@pytest.mark.parametrize(("deals", "least"), [QUICK, pytest.param(*LONG, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_shipped_set_plays_as_the_rulebook_says(name, deals, least):
    ruleset = load_ruleset(name)
    rng = random.Random(name)
    contracts = contracts_of(ruleset)
    for contract in contracts:
        assert_agreement(ruleset, contract, rng, least)
    assert_agreement(ruleset, "", rng, deals - least * len(contracts))


@pytest.mark.parametrize("name", FLIPS)
def test_every_flipped_key_plays_as_the_rulebook_says(name):
    ruleset = load_ruleset(name)
    rng = random.Random(name)
    for contract in contracts_of(ruleset):
        assert_agreement(ruleset, contract, rng, 12)
    assert_agreement(ruleset, "", rng, 60)


@pytest.mark.parametrize("name", [*shipped_rulesets(), *FLIPS])
def test_engine_and_rulebook_count_the_same_auctions(name):
    ruleset = load_ruleset(name)
    theirs = rulebook.auction_counts(rulebook.ruleset(ruleset.name), "N" if '["NT"]' in name else None)
    ours = auction_counts(ruleset)
    for contract in ruleset.contracts():
        assert ours[contract.name] == theirs.get("PROP" if contract.name == "PC" else contract.name, 0)
    assert ours["auctions"] == theirs["total"]
    assert ours["longest"] == theirs["longest"]
    assert ours["passed_out"] == theirs["passed out"]
    assert ours["thrown_in"] == theirs["thrown in"]


def test_an_ouverte_hand_may_be_exposed_before_the_lead():
    ruleset = load_ruleset('pagat+contract.ouv_expose="before_lead"')
    table = Table(ruleset)
    table.deal(3, dealer=0)
    for name in ("OUV", "PASS", "PASS", "PASS"):
        table.apply(actions.parse(name))
    assert table.data["exposed_seat"] == table.data["declarer"]
    assert rulebook.replay(table.record()).exposed() is not None
    assert table.view(3).exposed_cards == table.data["hand_cards"][1]


def test_deals_have_the_suits_that_their_source_gives():
    for name, possible in (
        ('pagat+trump.source="second_pack_cut"', {0, 1, 2, 3}),
        ("anna_cubed", {-1, 0, 1, 2, 3}),
        ('pagat+trump.source="fixed"+trump.fixed_suit="H"', {SUITS.index("H")}),
        ('pagat+trump.source="cycle"+trump.cycle=["C","S"]', {0, 3}),
    ):
        table = Table(name)
        seen = set()
        for index in range(80):
            table.deal(1, index)
            seen.add(int(table.data["suit"]))
            assert table.data["turned_card"] == -1
        assert seen == possible


@pytest.mark.parametrize(("base", "flip"), KEYS)
def test_a_flipped_key_is_noticed(base, flip):
    assert witness(base, flip) is not None


def test_every_key_is_flipped():
    """A key with one choice has nothing to flip."""
    flipped = {flip.partition("=")[0] for _, flip in KEYS}
    keys = {name for name, _, _, _ in load_ruleset().items()}
    unflippable = {"trump.nt_round", "passout.tie", "info.turnup_visible"}
    assert keys - unflippable == {".".join(name.split(".")[:2]) for name in flipped}
