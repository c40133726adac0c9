"""One decision at one table: what is legal, and doing it."""

from __future__ import annotations

import numpy as np

from solo_env.actions import AUCTION, FIRST_CALL, FIRST_TRUMPS, N_ACTIONS, NAMING, PLAY
from solo_env.cards import N_CARDS
from solo_env.engine._jit import inlined, kernel
from solo_env.engine.auction import apply_call, legal_calls, legal_trumps, name_trumps
from solo_env.engine.bits import decision_key, lowest
from solo_env.engine.state import TRUMP_NOT_NAMED
from solo_env.engine.tricks import apply_card, legal_cards

MOST_DECISIONS = 128  # more than a deal has
NO_ACTION = -1
ANY_BIT = 63  # makes any integer a place in a set


@kernel
def legal_card_set(table, rules):
    """The cards that the seat on turn may play now, 0 outside play; the table is not changed."""
    return legal_cards(table, rules) if table["phase"] == PLAY else 0


@kernel
def legal_call_set(table, rules):
    """The calls or trumps open to the seat on turn, bit (action - 52), 0 in play; the table is not changed."""
    if table["phase"] == AUCTION:
        return legal_calls(table, rules)
    if table["phase"] == NAMING:
        return legal_trumps(table, rules) << (FIRST_TRUMPS - FIRST_CALL)
    return 0


@kernel
def is_legal(table, rules, action):
    """Whether ``action`` (any integer) may be taken now; the table is not changed."""
    return is_among(legal_card_set(table, rules), legal_call_set(table, rules), action) == 1


@inlined
def is_among(cards, calls, action):
    """1 if ``action`` (any integer) is in one of two sets, of cards and of calls (bit action - 52), else 0.

    Without a branch, since no processor foresees what a learner does.
    """
    call = int(action >= FIRST_CALL)
    chosen = calls if call else cards
    known = int(action >= 0) & int(action < N_ACTIONS)
    return chosen >> (action - FIRST_CALL * call & ANY_BIT) & known


@kernel
def apply_action(table, rules, action):
    """Take a legal action: changes the table and puts the next seat on turn (or ends the deal)."""
    # Step 1: a card is played to the trick; tricks.py completes trick and deal.
    if action < N_CARDS:
        apply_card(table, rules, action)
    # Step 2: a call joins the auction; auction.py finds the next speaker or closes it.
    elif action < FIRST_TRUMPS:
        apply_call(table, rules, action)
    # Step 3: trumps are named; play opens.
    else:
        name_trumps(table, rules, action - FIRST_TRUMPS)


@kernel
def only_action(table, rules):
    """The only legal action of the seat on turn, NO_ACTION where it has a choice or the deal is over."""
    if table["phase"] == PLAY:
        cards = legal_cards(table, rules)
        return lowest(cards) if cards & (cards - 1) == 0 else NO_ACTION
    calls = legal_call_set(table, rules)
    return FIRST_CALL + lowest(calls) if calls and calls & (calls - 1) == 0 else NO_ACTION


@kernel
def play_forced(table, rules, actor):
    """Take forced actions until a seat has a choice or the deal is over; returns who acted last, else ``actor``."""
    action = only_action(table, rules)
    while action != NO_ACTION:
        actor = np.int64(table["turn"])
        apply_action(table, rules, action)
        action = only_action(table, rules)
    return actor


@kernel
def n_decisions(table):
    """A number that grows with every action of a session; the table is not changed.

    Naming a suit in the auction and the opening of play count for one each, so that a seat's naming differs from
    what it does next.
    """
    extra = int(table["named"] != TRUMP_NOT_NAMED) + int(table["phase"] == PLAY)
    return MOST_DECISIONS * int(table["deal"]) + int(table["n_calls"]) + int(table["n_plays"]) + extra


@kernel
def game_key(table, seat):
    """The decision key of ``seat`` at a table of an environment, 0 .. 2**62 - 1; the table is not changed.

    It is a function of the game (seed, index and number), of the seat and of what has been decided so far.
    """
    return decision_key(int(table["seed"]), game_of_seed(table), seat, n_decisions(table))


@kernel
def game_of_seed(table):
    """Which of the games of its seed a table plays, index and number in one; the table is not changed."""
    return int(table["index"]) ^ (int(table["game"]) << 32)
