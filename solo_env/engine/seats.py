"""One seat a table: the loops of the single-seat face.

At table b a learner has seat ``seats[b]``, and players whom Python asks have the others. What they decide is taken
here, and so are the moves that leave no choice, which nobody is asked for. ``rows`` lists the tables that a kernel
works on. Rules come as an array of one record, which is cheaper to pass than the record (see ``one.py``).

Axes: B tables, N rows, F features, A actions.
"""

from __future__ import annotations

import numpy as np

from solo_env.actions import N_ACTIONS, OVER
from solo_env.cards import N_SEATS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import key_from, key_start
from solo_env.engine.deal import draw_seat, next_deal, next_session, start_session
from solo_env.engine.observe import legal_sets, observe_table, write_mask, write_view
from solo_env.engine.state import NOBODY
from solo_env.engine.step import (
    NO_ACTION,
    apply_action,
    game_of_seed,
    is_among,
    is_legal,
    n_decisions,
    only_action,
)


@kernel
def first_games(tables, rules, rows, seed, n_deals, wanted, seats, starts):
    """Start game 0 of (``seed``, b), ``n_deals`` long, at each table b of ``rows``.

    ``wanted`` (int64[B]) is where the learner sits, NOBODY where the seed draws it. Fills the table's entry of
    ``seats`` (int64[B]) with that, and of ``starts`` (int64[B, 2]) with what the decision keys of its game share.
    """
    for b in rows:
        start_session(tables[b], rules[0], seed, b, 0, -1, n_deals)
        seat_learner(tables[b], b, wanted, seats, starts)


@kernel
def next_games(tables, rules, rows, wanted, seats, starts):
    """Start the game after the one that each table of ``rows`` has; see ``first_games``."""
    for b in rows:
        next_game(tables[b], rules[0], b, wanted, seats, starts)


@kernel
def next_game(table, rules, b, wanted, seats, starts):
    """Start the game after the one that table ``b`` has; see ``first_games``."""
    next_session(table, rules)
    seat_learner(table, b, wanted, seats, starts)


@kernel
def seat_learner(table, b, wanted, seats, starts):
    """Fill the entries of table ``b``, whose game has just started, in ``seats`` and ``starts``."""
    seats[b] = draw_seat(table) if wanted[b] == NOBODY else wanted[b]
    # The part of ``game_key`` that a game's decisions share.
    starts[b, 0], starts[b, 1] = key_start(int(table["seed"]), game_of_seed(table))


@kernel
def play_on(table, rules, seat):
    """Go on until ``seat`` is on turn, or another that has a choice, or the session is over.

    Moves that leave no choice are made, and the next deal of the session is dealt. Returns the units that ``seat``
    was paid on the way.
    """
    units = 0
    while True:
        if table["phase"] == OVER:
            units += table["payoff"][seat]
            if table["deal"] + 1 == table["n_deals"]:
                return units
            next_deal(table, rules)
        if table["turn"] == seat:
            return units
        action = only_action(table, rules)
        if action == NO_ACTION:
            return units
        apply_action(table, rules, action)


@kernel
def open_actions(actions, over, chosen):
    """Fill ``chosen`` (int64[B]) from a learner's ``actions`` (int64[B]) for ``play_rows``.

    NO_ACTION where the episode is ``over``, and an id that no action has for whatever is none. Returns how many
    episodes are over.
    """
    n_over = 0
    for b in range(len(actions)):
        action = actions[b] if 0 <= actions[b] < N_ACTIONS else N_ACTIONS
        chosen[b] = NO_ACTION if over[b] else action
        n_over += over[b]
    return n_over


@kernel
def play_rows(
    tables, rules, rows, n, chosen, first, seats, who, penalty, reward, ended, views, keys, asked, allowed, wanted,
    starts, last, last_seen,
):  # fmt: skip
    """At the table of each of the first ``n`` rows take ``chosen[k]`` and play on.

    In the ``first`` round (1, else 0) these are the learner's, or NO_ACTION where a game has just started; later
    they are what others chose. ``reward[b]`` grows by what the learner is paid, ``ended[b]`` is set where the
    session is over. An illegal action of the learner's changes no table: it costs ``penalty`` and ends the
    session too.

    Rows at which another must be asked are moved to the front of ``rows``; for each, ``views`` and ``keys`` tell
    what it decides from, and ``asked`` which player it is: an entry of ``who`` (int64[B, 3], by seats from the
    learner's left). Returns how many they are. Where another's ``chosen[k]`` is illegal, returns -1 - k at once,
    and what has been done stays done. ``allowed`` (int64[B, 2]) remembers the cards and calls that are legal.

    Where a session ends, the next game starts at once and is played on in the same way, if ``last`` has room for
    it (int64[1 + B], else [1]). Then ``last[0]``, the number of such ends, grows by one, entry ``last[0]`` of it
    is the table, and row ``last[0] - 1`` of ``last_seen`` (``ROW``, [B]) what the learner saw. ``wanted`` and
    ``starts`` are as for ``first_games``.
    """
    kept = 0
    for k in range(n):
        b = rows[k]
        table, seat, broken_off = tables[b], seats[b], False
        action = chosen[k]
        if not first:
            if not is_among(allowed[k, 0], allowed[k, 1], action):
                return -1 - k
            apply_action(table, rules[0], action)
        elif is_legal(table, rules[0], action):
            apply_action(table, rules[0], action)
        elif action != NO_ACTION:
            reward[b] -= penalty
            broken_off = True
        if not broken_off:
            reward[b] += play_on(table, rules[0], seat)
        if broken_off or table["turn"] == NOBODY:
            ended[b] = True
            if len(last) == 1:
                continue
            see_last(table, rules[0], b, seat, last, last_seen)
            next_game(table, rules[0], b, wanted, seats, starts)
            seat = seats[b]
            play_on(table, rules[0], seat)  # pays nothing: every seat decides in every deal
        turn = np.int64(table["turn"])
        if turn != seat:
            write_view(table, rules[0], turn, views[kept])
            keys[kept] = key_from(starts[b, 0], starts[b, 1], turn, n_decisions(table))
            allowed[kept, 0], allowed[kept, 1] = views[kept]["legal_cards"], views[kept]["legal_calls"]
            asked[kept] = who[b, (turn - seat) % N_SEATS - 1]
            rows[kept] = b
            kept += 1
    return kept


@kernel
def see_last(table, rules, b, seat, last, last_seen):
    """Put table ``b``, whose session has ended, on the list ``last``, what ``seat`` sees into ``last_seen``."""
    n = last[0]
    observe_table(table, rules, seat, last_seen[n])
    last[0] = n + 1
    last[n + 1] = b


@kernel
def observe_seats(tables, rules, seats, over, rows, masks):
    """Write what the learner sees at each table: ``rows`` (``ROW``, [B]), ``masks`` (``MASK``, [B]).

    The mask is all zeros where ``over[b]``.
    """
    for b in range(len(tables)):
        observe_table(tables[b], rules[0], seats[b], rows[b])
        cards, calls = legal_sets(tables[b], rules[0], seats[b])
        if over[b]:
            cards, calls = 0, 0
        write_mask(cards, calls, masks[b])


@kernel
def view_seats(tables, rules, seats, views):
    """Fill ``views`` (dtype VIEW, [B]) with what the learner may know at each table."""
    for b in range(len(tables)):
        write_view(tables[b], rules[0], seats[b], views[b])
