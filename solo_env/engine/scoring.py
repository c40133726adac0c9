"""Settlement (clauses 7.1 to 7.8, and 9.1 where somebody revoked): whole units that sum to zero."""

from __future__ import annotations

import numpy as np

from solo_env.cards import N_SEATS, N_TRICKS
from solo_env.engine._jit import kernel
from solo_env.engine.state import BY_TRICKS, NOBODY, RULED_LOST, RULED_MADE, RULED_VOID
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
def settle(table, rules):
    """Settle a deal that is over: fills ``payoff`` and adds it to the account of the session."""
    write_payoff(table, rules)
    for seat in range(N_SEATS):
        table["account"][seat] += table["payoff"][seat]


@kernel
def write_payoff(table, rules):
    """Fill ``payoff`` of a finished deal from its contract, sides, tricks, revokes and verdict."""
    if table["contract"] == GENERAL and table["verdict"] == BY_TRICKS:
        write_general_payoff(table, rules)
        return
    declarer, partner = int(table["declarer"]), int(table["partner"])
    amount = 0 if declarer == NOBODY else side_amount(table, rules) * int(rules["unit"])
    for seat in range(N_SEATS):
        table["payoff"][seat] = amount if seat == partner else -amount
    if declarer == NOBODY:
        return
    # Partners settle with one opponent each; a single declarer settles with all three (clause 7.1).
    table["payoff"][declarer] = amount if partner != NOBODY else 3 * amount
    # An offender among the defenders pays for those who did nothing (clause 9.1).
    first = int(table["first_offender"])
    if first == NOBODY or first == declarer or first == partner:
        return
    for seat in range(N_SEATS):
        if seat != declarer and seat != partner and seat != first and table["revokes"][seat] == 0:
            table["payoff"][first] += table["payoff"][seat]
            table["payoff"][seat] = 0


@kernel
def charge_shuffle(table, rules, seat):
    """Add to ``payoff`` what ``seat`` pays to each of the others for a wrongful shuffle (clause 9.3)."""
    price = int(rules["shuffle_penalty"]) * int(rules["unit"])
    for other in range(N_SEATS):
        table["payoff"][other] += price if other != seat else (1 - N_SEATS) * price


@kernel
def side_amount(table, rules):
    """Units between each paying pair before ``unit``: positive when the declaring side has made it, 0 if void."""
    contract, verdict = np.int64(table["contract"]), int(table["verdict"])
    own, others = count_revokes(table, True), count_revokes(table, False)
    if verdict == RULED_VOID or (own > 0 and others > 0):
        return 0
    base = int(rules["base"][contract])
    if verdict == RULED_MADE:
        return base
    if verdict == RULED_LOST:
        return -base
    return revoked_amount(rules, contract, taken_by_declarers(table), own, others)


@kernel
def revoked_amount(rules, contract, taken, own, others):
    """:func:`pair_amount` after ``own`` revokes of the declaring side or ``others`` of the other (clause 9.1)."""
    base, misere = int(rules["base"][contract]), rules["aim"][contract] == NO_TRICK
    penalty = int(rules["penalty_tricks"])
    if own > 0:  # a side that revoked cannot win: with tricks enough it loses the price alone
        if not misere:
            return min(-base, pair_amount(rules, contract, max(0, taken - penalty * own)))
        return -(base + taken * int(rules["under"][contract]))
    if others > 0:
        if misere:
            return base
        amount = max(base, pair_amount(rules, contract, taken))
        if rules["transfer"]:
            credited = min(N_TRICKS, taken + penalty * others)
            margin = max(0, credited - int(rules["target"][contract]))
            amount = max(amount, base + margin * int(rules["over"][contract]))
        return amount
    return pair_amount(rules, contract, taken)


@kernel
def taken_by_declarers(table):
    """The tricks of the declaring side; the table is not changed."""
    partner = int(table["partner"])
    taken = int(table["tricks"][int(table["declarer"])])
    return taken if partner == NOBODY else taken + int(table["tricks"][partner])


@kernel
def count_revokes(table, declaring):
    """The revokes of the declaring side or of the others; the table is not changed."""
    declarer, partner, n = int(table["declarer"]), int(table["partner"]), 0
    for seat in range(N_SEATS):
        if (seat == declarer or seat == partner) == declaring:
            n += int(table["revokes"][seat])
    return n


@kernel
def is_made(table, rules):
    """Whether the declaring side of a finished deal did what its contract asks, revokes considered."""
    contract = np.int64(table["contract"])
    if contract < 0 or contract == GENERAL or count_revokes(table, True) > 0:
        return False
    if count_revokes(table, False) > 0:
        return True
    taken = taken_by_declarers(table)
    return taken == 0 if rules["aim"][contract] == NO_TRICK else taken >= int(rules["target"][contract])


@kernel
def write_general_payoff(table, rules):
    """Fill ``payoff`` of a finished general misère: k seats pay (or, for fewest, are paid by) all others.

    Who revoked pays in place of the usual loser (clause 9.1).
    """
    price = int(rules["base"][GENERAL]) * int(rules["unit"])
    chosen = 0
    for seat in range(N_SEATS):
        chosen |= int(table["revokes"][seat] > 0) << seat
    if chosen == 0:
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
