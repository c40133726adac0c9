"""Engine and rulebook agree on whole random deals: turn, legal actions at every decision, and payoff."""

from __future__ import annotations

import random

import pytest

from solo_env.rules.model import CONTRACT_NAMES
from solo_env.table import Table
from tests import rulebook
from tests.playing import CONTRACTS, call_on, in_contract, play_on, position_of, random_hands, table_of, texts

DEALS_OF_EACH = 1000
FREE_DEALS = 3000  # auctions as they come: with those above, 10,000 deals

Trace = list[tuple[int, frozenset[str]]]


def play_and_trace(table: Table, rng: random.Random) -> Trace:
    """Uniform play from a fresh copy of the table's deal along its own actions, then on to the end."""
    done = [int(c) for c in table.data["calls"][: table.data["n_calls"]]]
    if table.data["contract"] >= 0 and CONTRACT_NAMES[table.data["contract"]] == "ABU":
        done.append(64 + int(table.data["trump"]))
    replayed = Table(table.ruleset)
    replayed.deal_hands(table.data["dealt"].tolist(), int(table.data["dealer"]))
    trace: Trace = []
    while not replayed.over:
        legal = replayed.legal_actions()
        trace.append((position_of(replayed, replayed.turn), texts(legal)))
        replayed.apply(done.pop(0) if done else rng.choice(legal))
    table.data = replayed.data
    return trace


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_contract_plays_and_pays_as_the_rulebook_says(contract):
    rng = random.Random(f"deals of {contract}")
    made = lost = 0
    for number in range(DEALS_OF_EACH):
        table = in_contract(contract, rng, kind=number % 2 == 0, dealer=number % 4)
        trace = play_and_trace(table, rng)
        assert rulebook.trace(table.record()) == trace
        won = table.payoffs[int(table.data["declarer"])] > 0
        made, lost = made + won, lost + (not won)
    assert min(made, lost) > 20, "the deals must show the contract both made and lost"


def test_deals_with_free_auctions_play_and_pay_as_the_rulebook_says():
    rng = random.Random("free deals")
    thrown_in = 0
    for number in range(FREE_DEALS):
        table = call_on(table_of(random_hands(rng), dealer=number % 4), rng)
        trace = play_and_trace(table, rng)
        assert rulebook.trace(table.record()) == trace
        thrown_in += int(table.data["contract"]) < 0
    assert thrown_in > 50


def test_unfinished_deals_stand_where_the_rulebook_says():
    rng = random.Random("unfinished")
    for number in range(200):
        table = in_contract(CONTRACTS[number % len(CONTRACTS)], rng, kind=True)
        stop = rng.randrange(52)
        play_on(table, rng, lambda t, stop=stop: int(t.data["n_plays"]) >= stop)
        game = rulebook.replay(table.record())
        assert game.over == table.over
        for seat in range(4):
            assert len(game.hand(position_of(table, seat))) == int(table.data["hand_cards"][seat]).bit_count()
            assert game.tricks[position_of(table, seat)] == table.data["tricks"][seat]
