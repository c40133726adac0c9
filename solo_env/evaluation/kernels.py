"""The loops that measuring needs and playing does not: sessions going on, deals put down anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solo_env.cards import N_RANKS, N_SEATS, N_SUITS
from solo_env.engine._jit import kernel
from solo_env.engine.deal import next_deal, open_auction

N_FEATURES = 18
NINE_OR_TEN = 8  # ranks above count as honours: J 1, Q 2, K 3, A 4
MIDDLE = 5  # ranks below are low
LONG = 6  # cards of a long suit
LOW = 3  # low cards more than honours, in a hand that may be a misère


@kernel
def next_deals(tables: NDArray[np.void], rules: NDArray[np.void]) -> None:
    """Deal the next deal of its session at each table, all of which are over."""
    for b in range(len(tables)):
        next_deal(tables[b], rules[0])


@kernel
def reopen_deals(tables: NDArray[np.void], rules: NDArray[np.void]) -> None:
    """Open the auction anew at each table, in which ``dealt``, ``dealer`` and ``suit`` stand as they shall be."""
    for b in range(len(tables)):
        open_auction(tables[b], rules[0], np.int64(tables[b]["dealer"]), np.int64(tables[b]["suit"]))


@kernel
def add_features(
    tables: NDArray[np.void], features: NDArray[np.int64], sums: NDArray[np.int64], products: NDArray[np.int64]
) -> None:
    """What the hands of each deal are like, as they were dealt: fills ``features`` (int64 [B, N_FEATURES]).

    Adds them and their products to ``sums`` [N_FEATURES] and ``products`` [N_FEATURES, N_FEATURES]. No feature
    changes when the seats are turned or the suits renamed together with the suit of the deal.
    """
    for b in range(len(tables)):
        row = features[b]
        for i in range(N_FEATURES):
            row[i] = 0
        for position in range(N_SEATS):
            write_hand(tables[b], position, row)
        for i in range(N_FEATURES):
            sums[i] += row[i]
            for k in range(N_FEATURES):
                products[i, k] += row[i] * row[k]


@kernel
def write_hand(table: np.void, position: int, row: NDArray[np.int64]) -> None:
    """Put the hand of one position, of which those before it are in ``row`` already, into the features."""
    seat, trump = (int(table["dealer"]) + 1 + position) % N_SEATS, int(table["suit"])
    low, points, trumps, best, longest, shortest = 0, 0, 0, 0, 0, N_RANKS
    for suit in range(N_SUITS):
        length, honours = 0, 0
        for slot in range(N_RANKS):
            card = int(table["dealt"][seat, slot])
            if card // N_RANKS == suit:
                rank = card % N_RANKS
                length += 1
                honours += max(0, rank - NINE_OR_TEN)
                low += int(rank < MIDDLE) - int(rank > NINE_OR_TEN)
        points += honours
        best, longest, shortest = max(best, honours), max(longest, length), min(shortest, length)
        if suit == trump:
            trumps = 3 * length + 2 * honours
    with_trumps, alone = 2 * points + trumps, 3 * longest + 2 * best + points
    row[position] = with_trumps
    keep_best(row, 4, with_trumps)
    keep_best(row, 7, alone)
    keep_best(row, 10, low + N_RANKS)
    row[13] += int(longest >= LONG)
    row[14] += int(longest > LONG)
    row[15] += int(shortest == 0)
    row[16] += int(low >= LOW)
    row[17] += int(low >= LOW + 2)


@kernel
def keep_best(row: NDArray[np.int64], at: int, value: int) -> None:
    """Keep the best of four values, the second best and the sum of squares in three places of ``row``."""
    if value > row[at]:
        row[at + 1], row[at] = row[at], value
    elif value > row[at + 1]:
        row[at + 1] = value
    row[at + 2] += value * value
