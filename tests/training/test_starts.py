"""How deals begin: by shares, by number, and in each ruleset by its own rules."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from numpy.typing import NDArray

from baselines.call_tables import kinds_of_calls
from baselines.play_out import is_worth_playing
from solo_env.actions import COP, FIRST_CALL, N_CALLS, PASS, PLAY, PROP
from solo_env.cards import N_CARDS, N_SEATS, cards_of
from solo_env.engine.batch import deal_rows
from solo_env.engine.state import new_tables
from solo_env.record import from_table
from solo_env.rules import load_ruleset, pack_array, shipped_rulesets
from solo_env.rules.model import CONTRACT_BY_CALL, CONTRACT_NAMES
from solo_env.table import Table
from training.starts import BIDDER, FORCED, LAST_LATE, OWN, TAUGHT, Begun, Starts, begin_deals

SEED, GAME = 5, 3
ODD = (
    'pagat+trump.source="cycle"+trump.cycle=["NT","H"]+contract.abu_suit_time="with_call"',
    'pagat+trump.source="second_pack_cut"+auction.eldest_cop="none"+auction.raise_own_call=true',
    'pagat+trump.source="fixed"+auction.abt_call="any_time"+passout.mode="fewest"',
)


def begin(
    name: str, starts: Starts, deals: range, seed: int = SEED, game: int = GAME
) -> tuple[NDArray[np.void], Begun]:
    tables = new_tables(len(deals))
    return tables, begin_deals(tables, load_ruleset(name), starts, seed, deals, game)


def test_without_shares_deals_are_plain_and_learnt_from_the_start() -> None:
    tables, begun = begin("pagat", Starts(), range(20))
    plain = new_tables(20)
    deal_rows(plain, pack_array(load_ruleset("pagat")), SEED, 0, GAME, -1, 1, 0, 20)
    assert tables.tobytes() == plain.tobytes()
    assert not begun.auction.any()
    assert not begun.trick.any()


def test_deals_begin_in_the_shares_asked_for() -> None:
    n = 8000
    starts = Starts(forced=0.1, taught=0.3, bidder=0.2, late=0.25)
    tables, begun = begin("pagat", starts, range(n))
    shares = np.bincount(begun.auction, minlength=4) / n
    assert shares[[FORCED, TAUGHT, BIDDER, OWN]] == pytest.approx([0.1, 0.3, 0.2, 0.4], abs=0.02)
    assert ((tables["phase"] == PLAY) == (begun.auction == FORCED)).all()
    tricks = np.bincount(begun.trick) / n
    assert tricks == pytest.approx([0.75] + [0.25 / LAST_LATE] * LAST_LATE, abs=0.02)
    for whose in (FORCED, TAUGHT, BIDDER, OWN):  # one has nothing to do with the other
        assert (begun.trick[begun.auction == whose] > 0).mean() == pytest.approx(0.25, abs=0.05)


def test_a_whole_share_takes_all_deals() -> None:
    for starts, whose in ((Starts(taught=1.0), TAUGHT), (Starts(bidder=1.0), BIDDER), (Starts(forced=1.0), FORCED)):
        assert (begin("pagat", starts, range(50))[1].auction == whose).all()


def test_a_deal_is_the_same_whatever_is_dealt_beside_it() -> None:
    starts = Starts(forced=0.4, taught=0.2, bidder=0.2, late=0.5)
    tables, begun = begin("pagat", starts, range(40))
    for deal in range(0, 40, 3):
        alone, itself = begin("pagat", starts, range(deal, deal + 1))
        assert alone.tobytes() == tables[deal : deal + 1].tobytes()
        assert (itself.auction[0], itself.trick[0]) == (begun.auction[deal], begun.trick[deal])


@pytest.mark.parametrize("other", [{"seed": SEED + 1}, {"game": GAME + 1}])
def test_another_seed_or_game_has_other_deals_and_other_draws(other: dict[str, int]) -> None:
    starts = Starts(forced=0.5, late=0.5)
    (tables, begun), (tables_2, begun_2) = (
        begin("pagat", starts, range(200)),
        begin("pagat", starts, range(200), **other),
    )
    assert not (tables["hand_cards"] == tables_2["hand_cards"]).all(axis=1).any()
    assert (begun.auction != begun_2.auction).any()
    assert (begun.trick != begun_2.trick).any()


@pytest.mark.parametrize("name", [*shipped_rulesets(), *ODD])
def test_forced_contracts_are_those_on_offer_and_come_by_legal_auctions(name: str) -> None:
    ruleset, n = load_ruleset(name), 300
    tables, begun = begin(name, Starts(forced=1.0), range(n))
    assert (begun.auction == FORCED).all()
    assert (tables["phase"] == PLAY).all()
    offered = [CONTRACT_BY_CALL[call] for call in ruleset.ladder()]
    if ruleset.auction.abt_call == "over_abu_only":
        offered = [contract for contract in offered if CONTRACT_NAMES[contract] != "ABT"]
    played = np.bincount(tables["contract"], minlength=len(CONTRACT_NAMES))
    assert set(np.flatnonzero(played)) == set(offered)
    suited = played[offered][np.array(offered) != CONTRACT_BY_CALL["RDECL"]]  # a no-trump round has not all of them
    assert suited.min() > 0.5 * n / len(offered)
    for table in tables[::20]:  # every call of it is checked against the rules
        again = Table.from_record(from_table(table, ruleset))
        assert again.data["contract"] == table["contract"]
        assert again.data["trump"] == table["trump"]


@pytest.mark.parametrize("name", ["pagat", "grand_slam_solo", "anna_cubed"])
def test_who_is_made_to_call_has_a_hand_for_it(name: str) -> None:
    tables, _ = begin(name, Starts(forced=1.0), range(300))
    kinds, fits = kinds_of_calls(load_ruleset(name)), []
    for table in tables:
        declarer, hands = int(table["declarer"]), [cards_of(int(hand)) for hand in table["hand_cards"]]
        assert [len(hand) for hand in hands] == [13] * N_SEATS
        assert sorted(chain(*hands)) == list(range(N_CARDS))
        made = [int(call) - FIRST_CALL for call in table["calls"][: table["n_calls"]] if call not in (PASS, COP)]
        assert len(made) == 1
        kind = kinds[0 if table["suit"] >= 0 else 1, made[0]]
        trump = max(int(table["trump"]), -1)
        fits.append(is_worth_playing(np.int64(kind), int(table["hand_cards"][declarer]), np.int64(trump)))
        accepted = COP in table["calls"][: table["n_calls"]]
        assert accepted == (made[0] == PROP - FIRST_CALL) == (table["partner"] >= 0)
        assert made[0] < N_CALLS
    assert np.mean(fits) > 0.98  # the best of 400 hands where none is worth it


def test_the_caller_sits_anywhere() -> None:
    tables, _ = begin("straight", Starts(forced=1.0), range(2000))
    places = np.bincount((tables["declarer"] - tables["dealer"] - 1) % N_SEATS) / 2000
    assert places == pytest.approx([0.25] * N_SEATS, abs=0.03)
