"""The doors for Python code that holds one table: arrays of one row, filled in place.

Handing numba a record costs 21 µs a call (it studies the dtype anew each time), an array of one record 0.3 µs over
the 0.2 of the call (numba 0.68, one core); inside kernels a record is free. So Python passes arrays, kernels pass
records, and what the doors of every step need lies in one array: a ``DESK``, or ``ASKED`` for what players get.
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
from solo_env.engine.state import NOBODY, TABLE, VIEW
from solo_env.engine.step import NO_ACTION, apply_action, game_key, is_legal, n_decisions
from solo_env.layout import SEEN
from solo_env.rules.pack import RULES

ILLEGAL = -2

# A table and the rules it is played by: nothing of it may get to a player.
DESK = np.dtype([("table", TABLE), ("rules", RULES)], align=True)

# A question to a player: what it decides from and where it writes its action. Apart from the desk: it is let out.
ASKED = np.dtype([("view", VIEW), ("key", "i8"), ("action", "i8"), ("number", "i8"), ("paid", "i8")], align=True)


def new_desk(rules: np.ndarray) -> np.ndarray:
    """An array [1] of dtype ``DESK`` with an empty table; ``rules`` is an array [1] of dtype ``RULES``."""
    # By bytes here and below: NumPy goes through a record field by field, which takes it 20 to 80 µs.
    desk, at = bytearray(DESK.itemsize), DESK.fields["rules"][1]  # type: ignore[index]
    desk[at : at + RULES.itemsize] = rules.tobytes()
    return np.ndarray(1, DESK, desk)


def copy_desk(desk: np.ndarray) -> np.ndarray:
    """A copy of an array [1] of dtype ``DESK``."""
    return np.ndarray(1, DESK, bytearray(desk.tobytes()))


def new_asked() -> np.ndarray:
    """An array [1] of dtype ``ASKED``, all zeros."""
    return np.ndarray(1, ASKED, bytearray(ASKED.itemsize))


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
def try_one(desk, action):
    """Take ``action`` (any integer) if it is legal; returns the seat to act then, NOBODY if the deal is over.

    Otherwise nothing changes, and ILLEGAL is returned.
    """
    table, rules = desk[0]["table"], desk[0]["rules"]
    if not is_legal(table, rules, action):
        return ILLEGAL
    apply_action(table, rules, action)
    return np.int64(table["turn"])


@kernel
def play_on_one(desk, asked, seat):
    """Take the action of ``asked`` and go on until ``seat`` is on turn, or another has a choice, or all is over.

    The first call for a question may come without one, with NO_ACTION. Returns who is on turn, NOBODY when the
    session is over; ILLEGAL, with nothing changed, if the action may not be taken. The field ``paid`` grows by the
    units that ``seat`` gets. If it is another's turn, ``asked`` is what that seat decides from, with NO_ACTION in
    the place for its answer.
    """
    table, rules, ask = desk[0]["table"], desk[0]["rules"], asked[0]
    action = np.int64(ask["action"])
    if action != NO_ACTION or ask["number"] > 0:
        if not is_legal(table, rules, action):
            return np.int64(ILLEGAL)
        apply_action(table, rules, action)
    ask["number"] += 1
    ask["paid"] += play_on(table, rules, seat)
    turn = np.int64(table["turn"])
    if turn != seat and turn != NOBODY:
        write_view(table, rules, turn, ask["view"])
        ask["key"] = game_key(table, turn)
        ask["action"] = NO_ACTION
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
def observe_one(desk, seat, columns):
    """Fill ``columns`` (int8[F + A]) with the observation of ``seat`` and its mask."""
    table, rules = desk[0]["table"], desk[0]["rules"]
    seen = columns.view(SEEN)  # here it is free, outside it takes 1 µs
    observe_table(table, rules, seat, seen[0]["row"])
    cards, calls = legal_sets(table, rules, seat)
    write_mask(cards, calls, seen[0]["mask"])


@kernel
def state_one(tables, seat, state):
    """Fill ``state`` (int8[1, 4 * 52]) with all four hands as ``seat`` counts the seats."""
    write_state(tables[0], seat, state, 0)
