"""The calls of ``expert``: each legal call with its chance and its expected units, and the best of them.

A call is worth what follows from it. With the chance ``kept`` it becomes the contract, and then the distribution of
tricks of hands as strong as this one gives the units; otherwise somebody calls higher, or nobody accepts, and what
that was worth on average is measured too. Passing is weighed in the same way. All tables are measured
(``calibrate``) and priced by the ruleset in force (``call_tables``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baselines.hand_score import ACCEPT, ACCEPT_NT, LONG, score_hand
from baselines.hand_value import (
    ACE,
    KING,
    LONG_TRUMPS,
    QUEEN,
    hand_losers,
    has,
    side_suits_tenths,
    suit_pattern,
    wide,
)
from solo_env.actions import COP, FIRST_CALL, FIRST_TRUMPS, N_CALLS, PROP
from solo_env.cards import N_SEATS, N_SUITS
from solo_env.engine._jit import kernel
from solo_env.engine.auction import CALL_OF_CONTRACT
from solo_env.engine.bits import popcount
from solo_env.engine.state import ASKED_ELDEST, ASKED_HOLDER, ASKED_PROPOSER, NOBODY
from solo_env.rules.model import ABU, MIS, NAMED, NO_CONTRACT, NO_TRUMPS, PC, PETIT, SOLO

# What a seat is asked in: what stands, or why it is asked.
(
    NOTHING, OPEN_PROPOSAL, ASKED_LATE, UNACCEPTED, ACCEPTED, OVER_SOLO, OVER_MISERE, OVER_ABUNDANCE, OVER_HIGHER,
    STRAIGHT,
) = range(10)  # fmt: skip
SITUATIONS = (
    "nobody has bid", "over an open proposal", "asked again as eldest", "nobody accepted",
    "over an accepted proposal",
    "over a solo", "over a misère", "over an abundance", "over a higher call", "nobody has bid, without proposals",
)  # fmt: skip
N_SITUATIONS = len(SITUATIONS)
N_PLACES = N_SEATS * N_SEATS  # position times the holder's seat from here

# Scores are sorted into bins of an eighth of a unit of log-odds ...
LOWEST_SCORE, BIN_WIDTH, N_BINS = -400, 12, 96
# ... and coarser for what follows when the call does not become the contract.
LOWEST_COARSE, COARSE_WIDTH, N_COARSE = -300, 75, 8

# Columns of what is written of each call, and of the tables ``own`` and ``other``.
MEAN, SQUARE, CHANCE = range(3)
KEPT = 2  # the third column of ``other``
VALUE, UNITS, MADE, SCORE, SUIT = range(5)  # of a weighed call
N_WEIGHED = 5

MOST_LOSERS = 6  # no abundance with more
MEASURED, FOSTER, PARLETT = range(3)  # styles of proposing
NEVER = -1e9


class CallTables(NamedTuple):
    """The measured tables, priced for one ruleset (``call_tables``)."""

    scores: NDArray[np.int16]  # by kind of hand, see ``score_hand``
    shift: NDArray[np.int64]  # by call, situation, place: how far what the auction told moves a score
    own: NDArray[np.float64]  # by round, call, position, bin: mean units, mean square, chance of the contract
    other: NDArray[np.float64]  # by call, situation, position, coarse bin: mean, square; chance of becoming it
    kinds: NDArray[np.int64]  # by round (with a suit, without) and call: the kind of hand


@kernel
def bin_of(score: int) -> int:
    """The bin of a score."""
    return min(max((score - LOWEST_SCORE) // BIN_WIDTH, 0), N_BINS - 1)


@kernel
def coarse_of(score: int) -> int:
    """The coarse bin of a score."""
    return min(max((score - LOWEST_COARSE) // COARSE_WIDTH, 0), N_COARSE - 1)


@kernel
def position_of(view: np.void) -> int:
    """The position of the observer: 0 eldest to 3 dealer."""
    return (N_SEATS - 1 - wide(view["dealer_rel"])) % N_SEATS


@kernel
def situation_of(view: np.void, rules: np.void) -> int:
    """What the seat on turn is asked in."""
    asked, standing = wide(view["asked"]), wide(view["standing"])
    if asked == ASKED_ELDEST:
        return ASKED_LATE
    if asked == ASKED_PROPOSER:
        return UNACCEPTED
    if standing == NO_CONTRACT:
        return NOTHING if rules["rank"][PC] >= 0 else STRAIGHT
    if standing == PC:
        return OPEN_PROPOSAL if view["acceptor_rel"] == NOBODY else ACCEPTED
    if standing <= MIS:
        return OVER_SOLO if standing == SOLO else OVER_MISERE
    return OVER_ABUNDANCE if standing <= PETIT else OVER_HIGHER


@kernel
def place_of(view: np.void) -> int:
    """Position, and where the holder of the standing call sits."""
    return N_SEATS * position_of(view) + max(wide(view["holder_rel"]), 0)


@kernel
def enough_trumps(hand: int, suit: int) -> bool:
    """Whether an abundance with these trumps may be thought of at all."""
    return popcount(suit_pattern(hand, suit)) >= LONG_TRUMPS and hand_losers(hand, suit) <= MOST_LOSERS


@kernel
def best_suit(scores: NDArray[np.int16], kind: int, hand: int, suits: int) -> int:
    """The suit of a set (bit a suit) that is best as trumps among those that are long enough; -1 if none is."""
    best, best_score = -1, 0
    for suit in range(N_SUITS):
        if suits >> suit & 1 and enough_trumps(hand, suit):
            score = score_hand(scores, kind, hand, suit)
            if best < 0 or score > best_score:
                best, best_score = suit, score
    return best


@kernel
def named_suit(scores: NDArray[np.int16], kind: int, hand: int, suits: int) -> int:
    """The suit to name, of a set that is not empty: the best, be it short."""
    best = best_suit(scores, kind, hand, suits)
    if best >= 0:
        return best
    best_score = 0
    for suit in range(N_SUITS):
        if suits >> suit & 1:
            score = score_hand(scores, kind, hand, suit)
            if best < 0 or score > best_score:
                best, best_score = suit, score
    return best


@kernel
def suits_of(rules: np.void, contract: int, turned: int) -> int:
    """The suits that the caller of a contract may name, or the one that it has; bit a suit."""
    if rules["trumps"][contract] == NAMED:
        suits = (1 << N_SUITS) - 1
        return suits & ~(1 << turned) if rules["not_turned"][contract] and turned >= 0 else suits
    return 1 << turned if turned >= 0 else 0


@kernel
def style_allows(hand: int, turned: int, style: int, call: int, position: int, proposer_position: int) -> bool:
    """Whether a style of proposing lets this hand propose or accept.

    Foster: eldest proposes on trump strength, nobody else on trumps alone. Parlett: eldest on all-round strength,
    the others on trumps; what the proposer need not have, the acceptor brings.
    """
    if style == MEASURED or turned < 0:
        return True
    trumps = suit_pattern(hand, turned)
    n_trumps, side = popcount(trumps), side_suits_tenths(hand, turned)
    honour = has(trumps, ACE) + has(trumps, KING) + has(trumps, QUEEN) > 0
    if call == PROP:
        if style == FOSTER:
            return n_trumps >= 4 and honour if position == 0 else side >= 10  # noqa: PLR2004
        return side >= 20 if position == 0 else n_trumps >= 4  # noqa: PLR2004
    on_trumps = (proposer_position == 0) == (style == FOSTER)
    if on_trumps:  # the proposal spoke of trumps: side strength is wanted
        return side >= 16 or n_trumps >= 4  # noqa: PLR2004
    return n_trumps >= 3 or has(trumps, ACE) + has(trumps, KING) > 0  # noqa: PLR2004


@kernel
def weigh_call(
    view: np.void, rules: np.void, tables: CallTables, call: int, situation: int, risk: float,
    weighed: NDArray[np.float64],
) -> None:  # fmt: skip
    """Fill row ``call`` (0 PASS .. 11) of ``weighed``: value, expected units, chance, score and suit.

    The value is the expected units less ``risk`` times their standard deviation. A call that asks for a suit
    which the hand has not gets the value NEVER.
    """
    hand, turned = int(view["hand_cards"]), wide(view["suit"])
    place, position = place_of(view), position_of(view)
    round_kind = 0 if turned >= 0 else 1
    row = weighed[call]
    if call == 0:
        score = score_hand(tables.scores, ACCEPT if turned >= 0 else ACCEPT_NT, hand, turned)
        coarse = coarse_of(score)
        mean = tables.other[0, situation, position, coarse, MEAN]
        square = tables.other[0, situation, position, coarse, SQUARE]
        row[MADE], row[SUIT] = 0.0, -1.0
    else:
        kind, contract = tables.kinds[round_kind, call], contract_of(call)
        suit = turned
        if contract >= ABU:
            suit = -1
            if rules["trumps"][contract] != NO_TRUMPS:
                suit = best_suit(tables.scores, kind, hand, suits_of(rules, contract, turned))
                if suit < 0:
                    row[VALUE], row[UNITS], row[MADE], row[SCORE], row[SUIT] = NEVER, NEVER, 0.0, -999.0, -1.0
                    return
        elif contract == MIS:
            suit = -1
        score = score_hand(tables.scores, kind, hand, suit)
        coarse = coarse_of(score)
        moved = score + tables.shift[call, situation, place]
        i = bin_of(moved)
        kept = tables.other[call, situation, position, coarse, KEPT]
        mean = kept * tables.own[round_kind, call, position, i, MEAN]
        mean += (1.0 - kept) * tables.other[call, situation, position, coarse, MEAN]
        square = kept * tables.own[round_kind, call, position, i, SQUARE]
        square += (1.0 - kept) * tables.other[call, situation, position, coarse, SQUARE]
        row[MADE], row[SUIT] = tables.own[round_kind, call, position, i, CHANCE], suit
    row[UNITS], row[SCORE] = mean, score
    row[VALUE] = mean - risk * np.sqrt(max(square - mean * mean, 0.0)) if risk != 0.0 else mean


@kernel
def contract_of(call: int) -> int:
    """The contract that a call (0 PASS .. 11) is about: a proposal and its acceptance mean the same one."""
    return PC if call <= COP - FIRST_CALL else call - 2


@kernel
def weigh_calls(
    view: np.void, rules: np.void, tables: CallTables, risk: float, style: int, weighed: NDArray[np.float64],
) -> int:  # fmt: skip
    """Fill ``weighed`` (float64 [12, 5]) for every legal call; returns the best as an action."""
    calls, situation = int(view["legal_calls"]), situation_of(view, rules)
    hand, turned, position = int(view["hand_cards"]), wide(view["suit"]), position_of(view)
    best = 0
    for call in range(N_CALLS):
        weighed[call, VALUE] = NEVER
        if calls >> call & 1 == 0:
            continue
        if call in (PROP - FIRST_CALL, COP - FIRST_CALL):
            proposer = (position + max(wide(view["holder_rel"]), 0)) % N_SEATS
            if not style_allows(hand, turned, style, FIRST_CALL + call, position, proposer):
                continue
        weigh_call(view, rules, tables, call, situation, risk, weighed)
        if call == 0 and view["asked"] == ASKED_HOLDER:
            # To pass is to play what stands.
            standing = CALL_OF_CONTRACT[wide(view["standing"])] - FIRST_CALL
            weigh_call(view, rules, tables, standing, NOTHING, risk, weighed)
            for column in range(N_WEIGHED):
                weighed[0, column] = weighed[standing, column]
            weighed[standing, VALUE] = NEVER
        if weighed[call, VALUE] > weighed[best, VALUE]:
            best = call
    return FIRST_CALL + best


@kernel
def naming_kind(view: np.void, kinds: NDArray[np.int64]) -> int:
    """The kind of hand by which the seat on turn names its trumps."""
    contract = wide(view["contract"])
    if contract == NO_CONTRACT:
        contract = wide(view["standing"])
    return kinds[0, contract + 2] if contract >= ABU else LONG


@kernel
def choose_action(
    view: np.void, rules: np.void, tables: CallTables, risk: float, style: int, weighed: NDArray[np.float64],
) -> int:  # fmt: skip
    """The call, or the suit to name, of a seat that is asked for one; ``weighed`` is scratch."""
    suits = int(view["legal_calls"]) >> (FIRST_TRUMPS - FIRST_CALL)
    if suits:
        return FIRST_TRUMPS + named_suit(
            tables.scores, naming_kind(view, tables.kinds), int(view["hand_cards"]), suits
        )
    return weigh_calls(view, rules, tables, risk, style, weighed)


@kernel
def call_rows(
    views: NDArray[np.void], rules: NDArray[np.void], tables: CallTables, risk: float, style: int,
    weighed: NDArray[np.float64], out: NDArray[np.int64],
) -> None:  # fmt: skip
    """Fill ``out`` (int64 [B]) with a call or a suit for each view that asks for one; the others stay."""
    for b in range(len(views)):
        if not views[b]["legal_cards"]:
            out[b] = choose_action(views[b], rules[0], tables, risk, style, weighed)


@kernel
def unit_rows(
    views: NDArray[np.void], rules: NDArray[np.void], tables: CallTables, risk: float, style: int,
    weighed: NDArray[np.float64], out: NDArray[np.float32],
) -> None:  # fmt: skip
    """Fill ``out`` (float32 [B, 12]) with the units expected of each call that is weighed; the others stay."""
    for b in range(len(views)):
        if asks_for_call(views[b]):
            weigh_calls(views[b], rules[0], tables, risk, style, weighed)
            write_units(weighed, out, b)


@kernel
def asks_for_call(view: np.void) -> bool:
    """Whether the seat of a view is asked for a call, and not for a card or for trumps."""
    return int(view["legal_calls"]) & ((1 << N_CALLS) - 1) != 0


@kernel
def write_units(weighed: NDArray[np.float64], out: NDArray[np.float32], b: int) -> None:
    """Fill row ``b`` of ``out`` (float32 [B, 12]) with the expected units of the calls that were weighed."""
    for call in range(N_CALLS):
        if weighed[call, VALUE] > NEVER:
            out[b, call] = weighed[call, UNITS]
