"""One seat a table: the loops of the single-seat face.

At table b a learner has seat ``seats[b]``, and players whom Python asks have the others. What they decide is taken
here, and so are the moves that leave no choice, which nobody is asked for. ``rows`` lists the tables that a kernel
works on. Rules come as an array of one record, which is cheaper to pass than the record (see ``one.py``).

Axes: B tables, N rows, F features, A actions.
"""

from __future__ import annotations

import numpy as np

from solo_env.actions import OVER
from solo_env.cards import N_SEATS
from solo_env.engine._jit import kernel
from solo_env.engine.deal import draw_seat, next_deal, start_session
from solo_env.engine.observe import legal_sets, observe_table, write_mask, write_view
from solo_env.engine.state import NOBODY
from solo_env.engine.step import NO_ACTION, apply_action, game_key, is_legal, only_action


@kernel
def first_games(tables, rules, rows, seed, n_deals, wanted, seats):
    """Start game 0 of (``seed``, b), ``n_deals`` long, at each table b of ``rows``; fills its entry of ``seats``.

    ``wanted`` (int64[B]) is where the learner sits, NOBODY where the seed draws it.
    """
    for b in rows:
        start_session(tables[b], rules[0], seed, b, 0, -1, n_deals)
        seats[b] = draw_seat(tables[b]) if wanted[b] == NOBODY else wanted[b]


@kernel
def next_games(tables, rules, rows, wanted, seats):
    """Start the game after the one that each table of ``rows`` has; see ``first_games``."""
    for b in rows:
        table = tables[b]
        game, n_deals = table["game"] + 1, np.int64(table["n_deals"])
        start_session(table, rules[0], table["seed"], table["index"], game, -1, n_deals)
        seats[b] = draw_seat(table) if wanted[b] == NOBODY else wanted[b]


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
def play_rows(tables, rules, rows, n, chosen, seats, who, penalty, reward, ended, views, keys, asked):
    """At the table of each of the first ``n`` rows take ``chosen[k]``, if it is an action, and play on.

    ``reward[b]`` grows by what the learner is paid, ``ended[b]`` is set where the session is over. An illegal
    action of the learner's changes no table: it costs ``penalty`` and ends the session too.

    Rows at which another must be asked are moved to the front of ``rows``; for each, ``views`` and ``keys`` tell
    what it decides from, and ``asked`` which player it is: an entry of ``who`` (int64[B, 3], by seats from the
    learner's left). Returns how many they are. Where another's ``chosen[k]`` is illegal, returns -1 - k at once,
    and what has been done stays done.
    """
    kept = 0
    for k in range(n):
        b = rows[k]
        table, seat = tables[b], seats[b]
        if chosen[k] != NO_ACTION:
            if is_legal(table, rules[0], chosen[k]):
                apply_action(table, rules[0], chosen[k])
            elif table["turn"] == seat:
                reward[b] -= penalty
                ended[b] = True
                continue
            else:
                return -1 - k
        reward[b] += play_on(table, rules[0], seat)
        turn = np.int64(table["turn"])
        if turn == NOBODY:
            ended[b] = True
        elif turn != seat:
            write_view(table, rules[0], turn, views[kept])
            keys[kept] = game_key(table, turn)
            asked[kept] = who[b, (turn - seat) % N_SEATS - 1]
            rows[kept] = b
            kept += 1
    return kept


@kernel
def observe_seats(tables, rules, rows, seats, over, observation, mask):
    """Write what the learner sees at each table of ``rows``: observation (``ROW``, [N]), mask [N, A].

    The mask is all zeros where ``over[b]``.
    """
    for k in range(len(rows)):
        b = rows[k]
        observe_table(tables[b], rules[0], seats[b], observation[k])
        cards, calls = legal_sets(tables[b], rules[0], seats[b])
        if over[b]:
            cards, calls = 0, 0
        write_mask(cards, calls, mask, k)


@kernel
def view_seats(tables, rules, seats, views):
    """Fill ``views`` (dtype VIEW, [B]) with what the learner may know at each table."""
    for b in range(len(tables)):
        write_view(tables[b], rules[0], seats[b], views[b])
