"""Many tables at once: the loops around the kernels of one table.

Every kernel releases the GIL and works on rows of a batch: on those from ``start`` to ``stop``, or on the parts of
``parts`` (int64[N + 1], where each of N parts begins, and the end) whose numbers it draws from ``taken`` (int64[1],
0 at first). Threads that draw from the same ``taken`` share a batch, each at its own pace; a row's result never
depends on the others, nor on who works on it.

Axes: B tables, F features, A actions, P the four seats.
"""

from __future__ import annotations

import numpy as np

from solo_env.actions import OVER
from solo_env.cards import N_SEATS
from solo_env.engine._jit import kernel, next_ticket
from solo_env.engine.bits import decision_key
from solo_env.engine.deal import next_deal, next_session, start_session
from solo_env.engine.observe import (
    SEAT_BITS,
    legal_sets,
    observe_table,
    write_mask,
    write_observation,
    write_state,
    write_view,
)
from solo_env.engine.packing import write_form
from solo_env.engine.state import NOBODY
from solo_env.engine.step import (
    NO_ACTION,
    apply_action,
    is_among,
    is_legal,
    n_decisions,
    only_action,
    play_forced,
)


@kernel
def deal_rows(tables, rules, seed, first_index, game, dealer, n_deals, start, stop):
    """Start game ``game``, a session of ``n_deals``, at the tables ``first_index + row``."""
    for b in range(start, stop):
        start_session(tables[b], rules[0], seed, first_index + b, game, dealer, n_deals)


@kernel
def first_illegal(tables, rules, actions):
    """The first row whose action (int64[B]) is illegal, -1 if none; finished tables take any action."""
    for b in range(len(tables)):
        if tables[b]["phase"] != OVER and not is_legal(tables[b], rules[0], int(actions[b])):
            return b
    return -1


@kernel
def first_masked(legal, actions):
    """The first row whose action (int64[B]) is not among its legal ones (int64[B, 2], cards and calls), else -1."""
    all_legal = 1
    for b in range(len(legal)):
        all_legal &= is_among(legal[b, 0], legal[b, 1], actions[b])
    if all_legal:
        return -1
    for b in range(len(legal)):
        if not is_among(legal[b, 0], legal[b, 1], actions[b]):
            return b
    return -1


@kernel
def apply_rows(tables, rules, actions, start, stop):
    """Take the legal action of each row; finished tables stay as they are."""
    for b in range(start, stop):
        if tables[b]["phase"] != OVER:
            apply_action(tables[b], rules[0], int(actions[b]))


@kernel
def write_views(tables, rules, views, start, stop):
    """Fill ``views[b]`` (dtype VIEW, [B]) with the view of the seat on turn; finished tables are left out."""
    for b in range(start, stop):
        seat = np.int64(tables[b]["turn"])
        if seat != NOBODY:
            write_view(tables[b], rules[0], seat, views[b])


@kernel
def observe_views(views, rules, rows, masks):
    """Fill ``rows`` (``ROW``, [N]) and ``masks`` (``MASK``, [N]) with what seats see and may do by their views."""
    for i in range(len(views)):
        write_observation(views[i], rules[0], rows[i])
        write_mask(np.int64(views[i]["legal_cards"]), np.int64(views[i]["legal_calls"]), masks[i])


@kernel
def next_part(taken):
    """The number of a part of the batch that nobody has drawn from ``taken``; there may be no such part."""
    return next_ticket(taken)


@kernel
def write_keys(tables, seed, deals, keys):
    """Fill ``keys`` (int64[B]) with the decision key of each table's seat on turn; ``deals`` are int64[B]."""
    for b in range(len(tables)):
        seat = np.int64(tables[b]["turn"])
        if seat != NOBODY:
            keys[b] = decision_key(seed, int(deals[b]), seat, n_decisions(tables[b]))


@kernel
def observe_rows(
    tables, rules, parts, taken, rows, spans, n_bits, words, gathered, observation, masks, legal, seat, state
):  # fmt: skip
    """Write what the seat on turn sees: observation [B, W], masks (``MASK`` [B]), legal [B, 2], seat [B].

    ``state`` [B, 4 * 52], if it has any rows, becomes all four hands as the seat on turn counts the seats.

    ``rows`` (``ROW``) are the observations themselves. Where they have another form, it is one row of scratch,
    and ``spans`` and the rest say what is kept of it: see ``packing.write_form``.
    """
    part = next_part(taken)
    while part + 1 < len(parts):
        for b in range(parts[part], parts[part + 1]):
            table = tables[b]
            turn = np.int64(table["turn"])
            cards, calls = legal_sets(table, rules[0], turn)
            seat[b], legal[b, 0], legal[b, 1] = turn, cards, calls
            write_mask(cards, calls, masks[b])
            observe_table(table, rules[0], turn & SEAT_BITS, rows[0 if len(spans) else b])
            if len(spans):
                write_form(rows, spans, n_bits, words, gathered, observation, b)
            if len(state):
                write_state(table, turn & SEAT_BITS, state, b)
        part = next_part(taken)


@kernel
def step_rows(
    tables, rules, actions, forced, parts, taken, final_rows, payoff, settled, done, final,
    rows, spans, n_bits, words, gathered, observation, masks, legal, seat, state,
):  # fmt: skip
    """Step each row, deal anew in the same step where a deal has ended, and observe as ``observe_rows`` does.

    ``payoff`` [B, 4] and ``settled`` [B] tell of the deal that ended in this step, ``done`` [B] whether it was the
    last of its session; ``final`` [B, W] then holds what the seat that ended the deal saw last. Where ``forced`` is
    1, moves that are forced are played at once, but for the first of a deal.
    """
    part = next_part(taken)
    while part + 1 < len(parts):
        for b in range(parts[part], parts[part + 1]):
            table = tables[b]
            actor = np.int64(table["turn"])
            apply_action(table, rules[0], int(actions[b]))
            if forced:
                actor = play_forced(table, rules[0], actor)
            over = table["phase"] == OVER
            settled[b] = over
            done[b] = over and table["deal"] + 1 == table["n_deals"]
            for p in range(N_SEATS):
                payoff[b, p] = table["payoff"][p]
            if over:
                observe_table(table, rules[0], actor & SEAT_BITS, final_rows[0 if len(spans) else b])
                if len(spans):
                    write_form(final_rows, spans, n_bits, words, gathered, final, b)
                if done[b]:
                    next_session(table, rules[0])
                else:
                    next_deal(table, rules[0])
            # From here on as in observe_rows, while the table lies in the nearest cache.
            turn = np.int64(table["turn"])
            cards, calls = legal_sets(table, rules[0], turn)
            seat[b], legal[b, 0], legal[b, 1] = turn, cards, calls
            write_mask(cards, calls, masks[b])
            observe_table(table, rules[0], turn & SEAT_BITS, rows[0 if len(spans) else b])
            if len(spans):
                write_form(rows, spans, n_bits, words, gathered, observation, b)
            if len(state):
                write_state(table, turn & SEAT_BITS, state, b)
        part = next_part(taken)


# --- whole deals, for players: forced moves are made at once, and tables that are over are left out


@kernel
def open_choices(tables, rules, views, rows, seats):
    """Make forced moves until each table is over or has a choice; returns N, the number that have one.

    Fills for these, in the order of the tables: ``views`` (VIEW), ``rows`` and ``seats`` (int64), each [:N].
    """
    n = 0
    for b in range(len(tables)):
        table = tables[b]
        while table["phase"] != OVER:
            action = only_action(table, rules[0])
            if action == NO_ACTION:
                rows[n], seats[n] = b, table["turn"]
                write_view(table, rules[0], np.int64(table["turn"]), views[n])
                n += 1
                break
            apply_action(table, rules[0], action)
    return n


@kernel
def write_choice_keys(tables, rows, seats, seed, keys):
    """Fill ``keys`` [:N] with the key of the decision that ``seats`` [:N] at ``rows`` [N] are to take."""
    for i in range(len(rows)):
        table = tables[rows[i]]
        keys[i] = decision_key(seed, table["index"], seats[i], n_decisions(table))


@kernel
def apply_choices(tables, rules, rows, action):
    """Take the legal action [N] of each of ``rows`` [N]."""
    for i in range(len(rows)):
        apply_action(tables[rows[i]], rules[0], int(action[i]))
