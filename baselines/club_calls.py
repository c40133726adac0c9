"""The calls of ``club``: tricks, losers or dangers are counted, and a line says what chance the count gives.

The counts are those of ``hand_value``; the line of each kind of contract (log-odds over the count) is measured by
``solo-whist calibrate``. Then the literature takes over: a correction for the position, a minimum for each call,
complementary hands for an acceptance, and of two calls the one with the larger price times chance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from baselines.call_values import (
    NEVER,
    contract_of,
    enough_trumps,
    position_of,
    style_allows,
    suits_of,
)
from baselines.hand_score import LONG, LOW, OPEN, PETIT_SLAM, SLAM, TOPS
from baselines.hand_value import (
    best_trumps,
    hand_danger,
    hand_losers,
    hand_tenths,
    running_hand,
    wide,
)
from solo_env.actions import COP, FIRST_CALL, FIRST_TRUMPS, N_CALLS, PROP
from solo_env.cards import N_SEATS
from solo_env.engine._jit import kernel
from solo_env.engine.state import ASKED_HOLDER
from solo_env.rules.model import ABU, NAMED, NO_TRUMPS, PC

N_COUNTS = 256
COUNT_OF_NOTHING = 64  # counts may be below 0: a count of 0 stands here
LOSER_TENTHS = 5  # what a loser too many takes from a long suit's count
# Eldest and dealer are well placed, second hand is not (in chance).
OF_POSITION = (0.03, -0.05, -0.02, 0.02)
LEAST_CHANCE = 0.5
COUNT, CHANCE, UNITS = range(3)  # of a call that was thought of
N_THOUGHT = 3


@kernel
def count_hand(kind: int, hand: int, suit: int) -> int:
    """What the club player counts for a kind of contract with these trumps (-1 none)."""
    if kind in (LOW, OPEN):
        return -hand_danger(hand)
    if kind == TOPS:
        return running_hand(hand)
    if kind in (LONG, PETIT_SLAM, SLAM):
        return hand_tenths(hand, suit) - LOSER_TENTHS * hand_losers(hand, suit)
    return hand_tenths(hand, suit)


def chance_table(lines: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64 [kinds, 256]: the chance of every count, from lines [kinds, 2] of log-odds over counts."""
    counts = np.arange(N_COUNTS) - COUNT_OF_NOTHING
    return 1 / (1 + np.exp(-(lines[:, :1] + lines[:, 1:] * counts)))


@kernel
def think_of(
    view: np.void, rules: np.void, chances: NDArray[np.float64], kinds: NDArray[np.int64], call: int,
    thought: NDArray[np.float64],
) -> None:  # fmt: skip
    """Fill row ``call`` (1 PROP .. 11) of ``thought``: count, chance, and units as price times chance."""
    hand, turned, position = int(view["hand_cards"]), wide(view["suit"]), position_of(view)
    contract, kind = contract_of(call), kinds[0 if turned >= 0 else 1, call]
    suit, row = turned, thought[call]
    row[UNITS] = NEVER
    if contract >= ABU and rules["trumps"][contract] != NO_TRUMPS:
        suits = suits_of(rules, contract, turned)
        if suits == 0:
            return
        suit = best_trumps(hand, suits) if rules["trumps"][contract] == NAMED else turned
        if not enough_trumps(hand, suit):
            return
    elif kind in (LOW, OPEN, TOPS):
        suit = -1
    row[COUNT] = count_hand(kind, hand, suit)
    at = min(max(int(row[COUNT]) + COUNT_OF_NOTHING, 0), N_COUNTS - 1)
    row[CHANCE] = min(max(chances[kind, at] + OF_POSITION[position], 0.0), 1.0)
    pairs = 1 if contract == PC else N_SEATS - 1
    row[UNITS] = pairs * int(rules["base"][contract]) * int(rules["unit"]) * (2.0 * row[CHANCE] - 1.0)


@kernel
def club_call(
    view: np.void, rules: np.void, chances: NDArray[np.float64], kinds: NDArray[np.int64], style: int,
    thought: NDArray[np.float64],
) -> int:  # fmt: skip
    """The call of a seat in the auction, or the suit that it names; ``thought`` (float64 [12, 3]) is scratch."""
    calls, hand, turned = int(view["legal_calls"]), int(view["hand_cards"]), wide(view["suit"])
    suits = calls >> (FIRST_TRUMPS - FIRST_CALL)
    if suits:
        return FIRST_TRUMPS + best_trumps(hand, suits)
    position = position_of(view)
    best, best_units = 0, 0.0
    for call in range(N_CALLS):
        thought[call, UNITS] = NEVER
        if call == 0 or calls >> call & 1 == 0:
            continue
        if view["asked"] == ASKED_HOLDER:
            continue  # what stands is what was worth the most
        if call in (PROP - FIRST_CALL, COP - FIRST_CALL):
            proposer = (position + max(wide(view["holder_rel"]), 0)) % N_SEATS
            if not style_allows(hand, turned, style, FIRST_CALL + call, position, proposer):
                continue
        think_of(view, rules, chances, kinds, call, thought)
        if thought[call, UNITS] > best_units and thought[call, CHANCE] >= LEAST_CHANCE:
            best, best_units = call, thought[call, UNITS]
    return FIRST_CALL + best


@kernel
def club_rows(
    views: NDArray[np.void], rules: NDArray[np.void], chances: NDArray[np.float64], kinds: NDArray[np.int64],
    style: int, thought: NDArray[np.float64], out: NDArray[np.int64],
) -> None:  # fmt: skip
    """Fill ``out`` (int64 [B]) with a call or a suit for each view that asks for one; the others stay."""
    for b in range(len(views)):
        if not views[b]["legal_cards"]:
            out[b] = club_call(views[b], rules[0], chances, kinds, style, thought)
