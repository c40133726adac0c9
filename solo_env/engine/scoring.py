"""Settlement (clauses 7.1 to 7.8): whole units that sum to zero."""

from __future__ import annotations

import numpy as np

from solo_env.cards import N_SEATS, N_TRICKS
from solo_env.engine._jit import kernel
from solo_env.engine.state import NOBODY
from solo_env.rules.model import FIVE, GENERAL, NO_TRICK
from solo_env.rules.pack import ALL_WITH_FOUR, FEWEST, FIRST_TO_FOUR, LAST_TRICK, MOST_TRICKS


@kernel
def pair_amount(rules, contract, taken):
    """Units between each paying pair before ``unit``: positive when the declaring side has made it."""
    base = int(rules["base"][contract])
    if rules["aim"][contract] == NO_TRICK:
        return base if taken == 0 else -(base + taken * int(rules["under"][contract]))
    margin = taken - int(rules["target"][contract])
    if margin < 0:
        return -(base - margin * int(rules["under"][contract]))
    if taken == N_TRICKS and rules["slam_double"][contract]:
        margin *= 2
    return base + margin * int(rules["over"][contract])


@kernel
def write_payoff(table, rules):
    """Fill ``payoff`` of a finished deal from its contract, sides and tricks."""
    if table["contract"] == GENERAL:
        write_general_payoff(table, rules)
        return
    declarer, partner = int(table["declarer"]), int(table["partner"])
    taken = int(table["tricks"][declarer])
    if partner != NOBODY:
        taken += int(table["tricks"][partner])
    amount = pair_amount(rules, np.int64(table["contract"]), taken) * int(rules["unit"])
    for seat in range(N_SEATS):
        table["payoff"][seat] = amount if seat == partner else -amount
    # Partners settle with one opponent each; a single declarer settles with all three (clause 7.1).
    table["payoff"][declarer] = amount if partner != NOBODY else 3 * amount


@kernel
def write_general_payoff(table, rules):
    """Fill ``payoff`` of a finished general misère: k seats pay (or, for fewest, are paid by) all others."""
    price = int(rules["base"][GENERAL]) * int(rules["unit"])
    chosen = seats_with_fewest(table) if rules["general"] == FEWEST else paying_seats(table, rules)
    if rules["general"] == FEWEST:
        price = -price
    k = 0
    for seat in range(N_SEATS):
        k += chosen >> seat & 1
    for seat in range(N_SEATS):
        table["payoff"][seat] = price * (k - N_SEATS if chosen >> seat & 1 else k)


@kernel
def seats_with_fewest(table):
    """The seats with the fewest tricks, bit a seat (clause 7.6)."""
    fewest, seats = N_TRICKS, 0
    for seat in range(N_SEATS):
        tricks = int(table["tricks"][seat])
        if tricks < fewest:
            fewest, seats = tricks, 0
        if tricks == fewest:
            seats |= 1 << seat
    return seats


@kernel
def paying_seats(table, rules):
    """Who pays in the forms of the general misère that have losers, bit a seat (clauses 7.5, 7.7, 7.8)."""
    form = rules["general"]
    if form == LAST_TRICK:
        return 1 << int(table["trick_winners"][N_TRICKS - 1])
    most = 0
    for seat in range(N_SEATS):
        most = max(most, int(table["tricks"][seat]))
    if form == MOST_TRICKS:
        return first_or_last_to(table, most, True)
    if most >= FIVE:
        return first_or_last_to(table, FIVE, True)
    if rules["five_fallback"] == ALL_WITH_FOUR:
        seats = 0
        for seat in range(N_SEATS):
            if table["tricks"][seat] == FIVE - 1:
                seats |= 1 << seat
        return seats
    return first_or_last_to(table, FIVE - 1, rules["five_fallback"] == FIRST_TO_FOUR)


@kernel
def first_or_last_to(table, number, first):
    """The seat that was first (or last) to win ``number`` tricks, as a bit."""
    found = 0
    for trick in range(int(table["n_plays"]) // N_SEATS):
        winner = int(table["trick_winners"][trick])
        count = 0
        for earlier in range(trick + 1):
            if table["trick_winners"][earlier] == winner:
                count += 1
        if count == number:
            found = 1 << winner
            if first:
                break
    return found
