"""Many tables at once: the loops around the kernels of one table.

Every kernel works on the rows ``start`` to ``stop`` of a batch and releases the GIL, so threads may share one
batch by taking different rows; a row's result never depends on the others.

Axes: B tables, F features, A actions, P the four seats.
"""

from __future__ import annotations

import numpy as np

from solo_env.actions import OVER
from solo_env.cards import N_SEATS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import decision_key
from solo_env.engine.deal import next_deal, start_session
from solo_env.engine.observe import write_mask, write_observation, write_state, write_view
from solo_env.engine.state import NOBODY
from solo_env.engine.step import apply_action, is_legal, n_decisions


@kernel
def deal_rows(tables, rules, seed, first_index, game, dealer, n_deals, start, stop):
    """Start game ``game``, a session of ``n_deals``, at the tables ``first_index + row``."""
    for b in range(start, stop):
        start_session(tables[b], rules, seed, first_index + b, game, dealer, n_deals)


@kernel
def first_illegal(tables, rules, actions):
    """The first row whose action (int64[B]) is illegal, -1 if none; finished tables take any action."""
    for b in range(len(tables)):
        if tables[b]["phase"] != OVER and not is_legal(tables[b], rules, int(actions[b])):
            return b
    return -1


@kernel
def apply_rows(tables, rules, actions, start, stop):
    """Take the legal action of each row; finished tables stay as they are."""
    for b in range(start, stop):
        if tables[b]["phase"] != OVER:
            apply_action(tables[b], rules, int(actions[b]))


@kernel
def write_views(tables, rules, views, start, stop):
    """Fill ``views[b]`` (dtype VIEW, [B]) with the view of the seat on turn; finished tables are left out."""
    for b in range(start, stop):
        seat = np.int64(tables[b]["turn"])
        if seat != NOBODY:
            write_view(tables[b], rules, seat, views[b])


@kernel
def write_keys(tables, seed, deals, keys):
    """Fill ``keys`` (int64[B]) with the decision key of each table's seat on turn; ``deals`` are int64[B]."""
    for b in range(len(tables)):
        seat = np.int64(tables[b]["turn"])
        if seat != NOBODY:
            keys[b] = decision_key(seed, int(deals[b]), seat, n_decisions(tables[b]))


@kernel
def observe_rows(tables, rules, views, observation, mask, seat, start, stop):
    """Write what the seat on turn sees: views [B], observation [B, F], mask [B, A], seat [B]."""
    for b in range(start, stop):
        turn = int(tables[b]["turn"])
        seat[b] = turn
        write_view(tables[b], rules, max(turn, 0), views[b])
        write_observation(views[b], rules, observation[b])
        write_mask(views[b], mask[b])


@kernel
def step_rows(
    tables, rules, actions, views, observation, mask, seat, payoff, settled, done, final_observation, start, stop
):
    """Step each row, deal anew in the same step where a deal has ended, and observe the seat on turn.

    ``payoff`` [B, 4] and ``settled`` [B] tell of the deal that ended in this step, ``done`` [B] whether it was the
    last of its session; ``final_observation`` [B, F] then holds what the seat that ended the deal saw last.
    """
    for b in range(start, stop):
        table = tables[b]
        actor = np.int64(table["turn"])
        apply_action(table, rules, int(actions[b]))
        over = table["phase"] == OVER
        settled[b] = over
        done[b] = over and table["deal"] + 1 == table["n_deals"]
        for p in range(N_SEATS):
            payoff[b, p] = table["payoff"][p]
        if over:
            write_view(table, rules, actor, views[b])
            write_observation(views[b], rules, final_observation[b])
            if done[b]:
                game = table["game"] + 1
                start_session(table, rules, table["seed"], table["index"], game, -1, np.int64(table["n_deals"]))
            else:
                next_deal(table, rules)
    observe_rows(tables, rules, views, observation, mask, seat, start, stop)


@kernel
def state_rows(tables, seat, state, start, stop):
    """Write all four hands [B, 4 * 52] as the seat on turn (``seat`` [B]) counts the seats."""
    for b in range(start, stop):
        write_state(tables[b], max(int(seat[b]), 0), state[b])
