"""The doors for Python code that holds one table: arrays of one row, filled in place.

Handing numba a record costs 21 µs a call (it studies the dtype anew each time), an array of one record 0.8 µs
(numba 0.68, one core); inside kernels a record is free. So Python passes arrays, and kernels pass records.
"""

from __future__ import annotations

import numpy as np

from solo_env.engine._jit import kernel
from solo_env.engine.deal import (
    IN_TURN,
    deal_pack,
    draw_seat,
    gather,
    next_cycle_place,
    next_deal,
    next_dealer,
    next_pack_kind,
    open_auction,
    stack_hands,
    start_session,
)
from solo_env.engine.observe import legal_sets, observe_table, write_mask, write_state, write_view
from solo_env.engine.rebuild import rebuild_table
from solo_env.engine.seats import play_on
from solo_env.engine.state import NOBODY
from solo_env.engine.step import NO_ACTION, apply_action, game_key, is_legal, n_decisions

ILLEGAL = -2


@kernel
def deal_one(tables, rules, seed, index, game, dealer, n_deals):
    """Start game ``game`` of (``seed``, ``index``), ``n_deals`` long; a dealer of -1 is drawn from the seed."""
    start_session(tables[0], rules[0], seed, index, game, dealer, n_deals)


@kernel
def seat_one(tables):
    """A seat drawn from the seed of the game, which is at its first deal."""
    return draw_seat(tables[0])


@kernel
def next_deal_one(tables, rules):
    """After a deal that is over, deal the next of the session."""
    next_deal(tables[0], rules[0])


@kernel
def next_deal_facts(tables, rules, facts):
    """Fill ``facts`` (int64[3]) with dealer, place in the cycle and kind of pack of the deal that would follow."""
    facts[0] = next_dealer(tables[0], rules[0])
    facts[1] = next_cycle_place(tables[0], rules[0])
    facts[2] = next_pack_kind(tables[0], rules[0])


@kernel
def gather_one(tables, rules, cut):
    """Stack what was played and held into the pack, ``cut`` cards from the top to the bottom."""
    gather(tables[0], rules[0], cut)


@kernel
def stack_one(tables, rules, cut):
    """Stack the four hands for a goulash, from eldest's down, ``cut`` cards from the top to the bottom."""
    stack_hands(tables[0], rules[0], IN_TURN, cut)


@kernel
def deal_pack_one(tables, rules, dealer):
    """Deal the pack that the table holds, leaving the rest of the table as it was."""
    deal_pack(tables[0], rules[0], dealer)


@kernel
def open_one(tables, rules, dealer, suit):
    """Open the auction of a table whose ``dealt`` is filled; ``suit`` is that of the deal, -1 for none."""
    open_auction(tables[0], rules[0], dealer, suit)


@kernel
def try_one(tables, rules, action):
    """Take ``action`` (any integer) if it is legal; returns the seat to act then, NOBODY if the deal is over.

    Otherwise nothing changes, and ILLEGAL is returned.
    """
    if not is_legal(tables[0], rules[0], action):
        return ILLEGAL
    apply_action(tables[0], rules[0], action)
    return int(tables[0]["turn"])


@kernel
def play_on_one(tables, rules, seat, action, views, keys, paid):
    """Take ``action``, if it is one, and go on until ``seat`` is on turn, or another has a choice, or all is over.

    Returns who is on turn, NOBODY when the session is over; ILLEGAL, with nothing changed, if ``action`` may not be
    taken. ``paid`` (int64[1]) grows by the units that ``seat`` gets. If it is another's turn, ``views[0]`` and
    ``keys[0]`` (int64) are what that seat decides from.
    """
    table = tables[0]
    if action != NO_ACTION:
        if not is_legal(table, rules[0], action):
            return ILLEGAL
        apply_action(table, rules[0], action)
    paid[0] += play_on(table, rules[0], seat)
    turn = np.int64(table["turn"])
    if turn != seat and turn != NOBODY:
        write_view(table, rules[0], turn, views[0])
        keys[0] = game_key(table, turn)
    return turn


@kernel
def decisions_one(tables):
    """The number that grows with every action of the deal."""
    return n_decisions(tables[0])


@kernel
def view_one(tables, rules, seat, views):
    """Fill ``views[0]`` with what ``seat`` may know."""
    write_view(tables[0], rules[0], seat, views[0])


@kernel
def rebuild_one(views, rules, seed, hands, tables):
    """Bring ``tables[0]`` to where ``views[0]`` stands, with ``hands`` (int64[1, 4]); returns whether it fits."""
    return rebuild_table(views[0], rules[0], seed, hands[0], tables[0])


@kernel
def observe_one(tables, rules, seat, rows, mask):
    """Fill ``rows`` (``ROW``, [1]) and ``mask`` (int8[1, A]) with what ``seat`` may know."""
    observe_table(tables[0], rules[0], seat, rows[0])
    cards, calls = legal_sets(tables[0], rules[0], seat)
    write_mask(cards, calls, mask, 0)


@kernel
def state_one(tables, seat, state):
    """Fill ``state`` (int8[1, 4 * 52]) with all four hands as ``seat`` counts the seats."""
    write_state(tables[0], seat, state, 0)
