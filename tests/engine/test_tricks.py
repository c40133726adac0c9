"""Following suit, winning tricks, leading, stopping."""

from __future__ import annotations

import random

import numpy as np
import pytest

from solo_env.cards import cards_of, parse_cards, parse_suit
from solo_env.engine import tricks
from solo_env.table import IllegalActionError
from tests.playing import CONTRACTS, in_contract, play_on

NO_TRUMP = -1

# cards in the order played, trumps, place of the winner
TRICKS = [
    ("S4S9SKS2", None, 2, "the highest of the suit led wins"),
    ("S4HASKS2", None, 2, "an ace of another suit never wins at no trumps"),
    ("S4H2SKSA", "H", 1, "the lowest trump beats the ace led"),
    ("SAH2H9SK", "H", 2, "a second trump must be higher to win: over-ruff"),
    ("SAH9H2SK", "H", 1, "and does not when it is lower: under-ruff"),
    ("H4HQH9HA", "H", 3, "trumps led: the highest trump"),
    ("C2D3H4SA", None, 0, "three discards leave the trick to the leader"),
    ("C2D3H4SA", "D", 1, "one trump among discards wins"),
    ("D9C9H9S9", "S", 3, "equal ranks: only the trump counts"),
    ("D9DTC9C8", None, 1, "nine and ten: ten is higher"),
]


@pytest.mark.parametrize(("cards", "trump", "winner", "why"), TRICKS)
def test_the_winner_of_a_trick(cards, trump, winner, why):
    played = np.array(parse_cards(cards), np.int8)
    assert tricks.trick_winner(played, NO_TRUMP if trump is None else parse_suit(trump)) == winner, why


def test_winners_agree_with_sorting_the_trick():
    rng = random.Random(5)
    for _ in range(3000):
        cards, trump = rng.sample(range(52), 4), rng.randrange(-1, 4)
        worth = [(c // 13 == trump, c // 13 == cards[0] // 13, c % 13) for c in cards]
        assert tricks.trick_winner(np.array(cards, np.int8), trump) == worth.index(max(worth))


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_seat_follows_suit_when_it_can_and_else_may_play_anything(contract):
    rng = random.Random(contract)
    followed = discarded = 0
    for _ in range(30):
        table = in_contract(contract, rng, kind=True)
        while not table.over:
            hand = cards_of(int(table.data["hand_cards"][table.turn]))
            lying = int(table.data["n_plays"]) % 4
            legal = table.legal_actions()
            assert legal
            if lying == 0:
                assert legal == hand
            else:
                led = int(table.data["plays"][int(table.data["n_plays"]) - lying]) // 13
                same = [card for card in hand if card // 13 == led]
                assert legal == (same or hand)
                followed, discarded = followed + bool(same), discarded + (not same)
            table.apply(rng.choice(legal))
    assert followed > 20
    assert discarded > 20


def test_the_winner_leads_to_the_next_trick_and_the_last_trick_is_counted():
    rng = random.Random(8)
    table = in_contract("SOLO", rng)
    while not table.over:
        n_plays = int(table.data["n_plays"])
        if n_plays and n_plays % 4 == 0:
            assert table.turn == table.data["trick_winners"][n_plays // 4 - 1]
        table.apply(rng.choice(table.legal_actions()))
    assert table.data["n_plays"] == 52
    assert sum(table.data["tricks"]) == 13
    winners = table.data["trick_winners"].tolist()
    assert table.data["tricks"].tolist() == [winners.count(seat) for seat in range(4)]


@pytest.mark.parametrize("contract", ["PC", "SOLO", "ABU", "ABT"])
def test_contracts_with_a_margin_always_run_thirteen_tricks(contract):
    rng = random.Random(contract)
    for _ in range(20):
        assert play_on(in_contract(contract, rng), rng).data["n_plays"] == 52


@pytest.mark.parametrize(("contract", "stops_when_declarer"), [("MIS", "wins"), ("OUV", "wins"), ("DECL", "loses")])
def test_flat_contracts_stop_with_the_trick_that_loses_them(contract, stops_when_declarer):
    rng = random.Random(contract)
    early = played_out = 0
    for number in range(200):
        table = play_on(in_contract(contract, rng, kind=number % 2 == 0), rng)
        declarer, n_tricks = int(table.data["declarer"]), int(table.data["n_plays"]) // 4
        winners = table.data["trick_winners"][:n_tricks].tolist()
        fatal = [(w == declarer) == (stops_when_declarer == "wins") for w in winners]
        lost = table.payoffs[declarer] < 0
        assert lost == fatal[-1]
        assert not any(fatal[:-1])
        if not lost:
            assert n_tricks == 13
        early, played_out = early + (n_tricks < 13), played_out + (n_tricks == 13)
    assert early
    assert played_out


def test_the_ouverte_hand_is_exposed_when_trick_one_is_complete_and_not_before():
    rng = random.Random(2)
    for _ in range(40):
        table = in_contract("OUV", rng, kind=True)
        for _ in range(4):
            assert table.data["exposed_seat"] == -1
            table.apply(rng.choice(table.legal_actions()))
        assert table.data["exposed_seat"] == table.data["declarer"]


@pytest.mark.parametrize("contract", [name for name in CONTRACTS if name != "OUV"])
def test_no_other_contract_exposes_a_hand(contract):
    rng = random.Random(contract)
    table = play_on(in_contract(contract, rng, kind=True), rng)
    assert table.data["exposed_seat"] == -1


def test_the_dealer_may_play_the_turned_card_to_the_first_trick():
    rng = random.Random(4)
    for _ in range(200):
        table = in_contract("SOLO", rng)
        play_on(table, rng, lambda t: t.turn == t.data["dealer"])
        turned, lying = int(table.data["turned_card"]), int(table.data["n_plays"]) % 4
        led = int(table.data["plays"][0]) // 13
        if lying and led == turned // 13:
            assert turned in table.legal_actions()
            return
    raise AssertionError("no deal led the turned suit")


def test_a_card_not_held_and_a_revoke_are_refused_and_change_nothing():
    rng = random.Random(6)
    table = play_on(in_contract("SOLO", rng), rng, lambda t: t.data["n_plays"] == 5)
    before = table.data.tobytes()
    legal = table.legal_actions()
    hand = cards_of(int(table.data["hand_cards"][table.turn]))
    refused = [action for action in range(-3, 72) if action not in legal]
    assert set(hand) - set(legal), "the position must hold a card that would revoke"
    for action in refused:
        with pytest.raises(IllegalActionError):
            table.apply(action)
        assert table.data.tobytes() == before
