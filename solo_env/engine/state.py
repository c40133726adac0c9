"""The records: a table (one running deal) and a view (what one seat may know of it).

    table   everything, hidden cards included; only kernels and ``solo_env.table`` hold one
    view    one seat's knowledge; the only door out of a table, written by ``observe.write_view``

Seats of a table are absolute (``player_i`` sits in seat i); seats of a view are relative to the observer
(0 the observer, 1 the seat on its left). -1 means nobody, no card or no contract.
"""

from __future__ import annotations

import numpy as np

from solo_env.cards import N_CARDS, N_SEATS, N_TRICKS
from solo_env.layout import MAX_CALLS

NOBODY = -1
TRUMP_NOT_NAMED = -2
NO_TRUMP = -1

# Where the pack of a deal came from (clauses 2.5, 2.6).
SHUFFLED, GATHERED, GOULASH = range(3)

# How a deal is settled: by its tricks and revokes, or as a ruling says (clauses 9.5 to 9.7, 9.13).
BY_TRICKS, RULED_MADE, RULED_LOST, RULED_VOID = range(4)

# Why a seat is on turn in the auction.
ASKED_NORMALLY, ASKED_ELDEST, ASKED_PROPOSER, ASKED_HOLDER = range(4)

TABLE = np.dtype(
    [
        # cards; what every step reads stands first, so that it lies close together
        ("hand_cards", "i8", N_SEATS),  # sets, what each seat still holds
        ("played_cards", "i8", N_SEATS),  # sets, what each seat has played
        ("payoff", "i4", N_SEATS),  # units by seat, zeros until the deal is over
        # the session: games of one deal are sessions too
        ("account", "i4", N_SEATS),  # units by seat, over all deals settled
        ("n_deals", "i4"),
        ("deal", "i4"),  # its number in the session, from 0
        ("cycle_place", "i1"),  # of this deal, where the suits go in a cycle
        ("pack_kind", "i1"),  # SHUFFLED, GATHERED or GOULASH
        ("turned_card", "i1"),  # -1 where no card is turned up
        ("suit", "i1"),  # the suit of the deal, NO_TRUMP in a no-trump round
        ("dealer", "i1"),
        ("phase", "i1"),
        ("turn", "i1"),  # the seat to act, NOBODY when over
        # auction
        ("calls", "i1", MAX_CALLS),  # action ids
        ("call_seats", "i1", MAX_CALLS),
        ("n_calls", "i1"),
        ("standing", "i1"),  # contract of the standing call
        ("holder", "i1"),
        ("acceptor", "i1"),
        ("passed", "i1"),  # bit a seat: no right to speak any more
        ("spoken", "i1"),  # bit a seat: has made a call
        ("asked", "i1"),
        # contract
        ("contract", "i1"),
        ("declarer", "i1"),
        ("partner", "i1"),
        ("trump", "i1"),
        ("named", "i1"),  # the suit named with a call during the auction, even if it was overcalled
        # play
        ("leader", "i1"),  # of the current trick
        ("n_plays", "i1"),
        ("plays", "i1", N_CARDS),
        ("play_seats", "i1", N_CARDS),
        ("played_trick", "i1", N_CARDS),  # by card: the trick (1 to 13) it was played in, 0 not yet
        ("trick_winners", "i1", N_TRICKS),
        ("tricks", "i1", N_SEATS),
        ("failed", "i1", N_SEATS),  # bit a suit: who failed to follow what
        ("exposed_seat", "i1"),
        # irregularities
        ("revokes", "i1", N_SEATS),  # how often each seat failed to follow a suit that it held
        ("first_offender", "i1"),  # who revoked first, or whose fault a ruling is
        ("verdict", "i1"),
        # which game this is: a deal is a function of these three
        ("seed", "i8"),
        ("index", "i8"),
        ("game", "i8"),
        ("rng", "i8", 4),
        ("dealt", "i1", (N_SEATS, N_TRICKS)),  # each seat's cards in the order dealt
        ("pack", "i1", N_CARDS),
    ],
    align=True,
)

VIEW = np.dtype(
    [
        ("hand_cards", "i8"),
        ("played_cards_rel", "i8", N_SEATS),
        ("exposed_cards", "i8"),  # the exposed hand, 0 if none
        ("legal_cards", "i8"),  # sets of what the observer may do now; 0 when it is not on turn
        ("legal_calls", "i8"),  # bit (action - 52) for calls and for naming trumps
        ("payoff_rel", "i4", N_SEATS),
        ("account_rel", "i4", N_SEATS),
        ("n_deals", "i4"),
        ("deal", "i4"),
        ("seat", "i1"),  # the observer's absolute seat, for names only
        ("dealer_rel", "i1"),
        ("phase", "i1"),
        ("turn_rel", "i1"),
        ("pack_kind", "i1"),
        ("turned_card", "i1"),
        ("suit", "i1"),
        ("calls", "i1", MAX_CALLS),
        ("call_seats_rel", "i1", MAX_CALLS),
        ("n_calls", "i1"),
        ("standing", "i1"),
        ("holder_rel", "i1"),
        ("acceptor_rel", "i1"),
        ("asked", "i1"),
        ("contract", "i1"),
        ("declarer_rel", "i1"),
        ("partner_rel", "i1"),
        ("trump", "i1"),
        ("named", "i1"),
        ("leader_rel", "i1"),
        ("n_plays", "i1"),
        ("n_hidden", "i1"),  # plays from the first on that are no longer shown (clause 8.4)
        ("plays", "i1", N_CARDS),
        ("play_seats_rel", "i1", N_CARDS),
        ("trick_winners_rel", "i1", N_TRICKS),
        ("tricks_rel", "i1", N_SEATS),
        ("failed_rel", "i1", N_SEATS),
        ("exposed_rel", "i1"),
        # Always zero: without it the record would end in bytes of no field, and copies of them hold old memory.
        ("unused", "i1", 2),
    ],
    align=True,
)


def new_tables(n: int) -> np.ndarray:
    """``n`` empty tables, an array of dtype ``TABLE``; a ``deal`` kernel must fill each before play."""
    return np.zeros(n, TABLE)


def new_views(n: int) -> np.ndarray:
    """``n`` empty views, an array of dtype ``VIEW``."""
    return np.zeros(n, VIEW)
