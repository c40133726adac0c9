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

from baselines.hand_score import ACCEPT, ACCEPT_NT, LONG, N_KINDS, N_PATTERNS, N_ROWS, score_hand
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


# The measured tables, priced for one ruleset (``call_tables``). They are a record: the references to five arrays
# would be counted at every call.
CALL_TABLES = np.dtype(
    [
        ("scores", "i2", (N_PATTERNS, N_ROWS, N_KINDS)),  # see ``score_hand``
        # by call, situation, place: how far what the auction told moves a score
        ("shift", "i8", (N_CALLS, N_SITUATIONS, N_PLACES)),
        # by round, call, position, bin: mean units, mean square, chance of the contract
        ("own", "f8", (2, N_CALLS, N_SEATS, N_BINS, 3)),
        # by call, situation, position, coarse bin: mean, square; chance of becoming it
        ("other", "f8", (N_CALLS, N_SITUATIONS, N_SEATS, N_COARSE, 3)),
        ("kinds", "i8", (2, N_CALLS)),  # by round (with a suit, without) and call: the kind of hand
    ],
    align=True,
)


class Asked(NamedTuple):
    """A seat that is asked for a call, as far as all its calls are judged by it."""

    hand: int
    turned: int  # the suit of the round, -1 without one
    long: int  # bit a suit: long enough as trumps of an abundance
    place: int  # see ``place_of``


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
def long_suits(hand: int) -> int:
    """The suits of a hand, bit a suit, that are long enough as trumps of an abundance."""
    suits = 0
    for suit in range(N_SUITS):
        if enough_trumps(hand, suit):
            suits |= 1 << suit
    return suits


@kernel
def best_suit(tables: np.void, kind: int, hand: int, suits: int) -> int:
    """The suit of a set (bit a suit) with which as trumps a hand is best; -1 if the set is empty."""
    best, best_score = -1, 0
    for suit in range(N_SUITS):
        if suits >> suit & 1:
            score = score_hand(tables, kind, hand, suit)
            if best < 0 or score > best_score:
                best, best_score = suit, score
    return best


@kernel
def named_suit(tables: np.void, kind: int, hand: int, suits: int) -> int:
    """The suit to name, of a set that is not empty: the best of those that are long enough, or of all."""
    long = suits & long_suits(hand)
    return best_suit(tables, kind, hand, long if long else suits)


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
    rules: np.void, tables: np.void, seat: Asked, call: int, situation: int, risk: float
) -> tuple[float, float, float, float, float]:  # fmt: skip
    """What a call (0 PASS .. 11) is worth: value, expected units, chance, score and suit.

    The value is the expected units less ``risk`` times their standard deviation. A call that asks for a suit
    which the hand has not gets the value NEVER.
    """
    hand, turned, long, place = seat
    position, round_kind = place // N_SEATS, 0 if turned >= 0 else 1
    made, suit = 0.0, -1
    if call == 0:
        score = score_hand(tables, ACCEPT if turned >= 0 else ACCEPT_NT, hand, turned)
        coarse = coarse_of(score)
        mean = tables["other"][0, situation, position, coarse, MEAN]
        square = tables["other"][0, situation, position, coarse, SQUARE]
    else:
        kind, contract = tables["kinds"][round_kind, call], contract_of(call)
        if contract >= ABU:
            if rules["trumps"][contract] != NO_TRUMPS:
                suit = best_suit(tables, kind, hand, suits_of(rules, contract, turned) & long) if long else -1
                if suit < 0:
                    return NEVER, NEVER, 0.0, -999.0, -1.0
        elif contract != MIS:
            suit = turned
        score = score_hand(tables, kind, hand, suit)
        coarse = coarse_of(score)
        i = bin_of(score + tables["shift"][call, situation, place])
        kept = tables["other"][call, situation, position, coarse, KEPT]
        mean = kept * tables["own"][round_kind, call, position, i, MEAN]
        mean += (1.0 - kept) * tables["other"][call, situation, position, coarse, MEAN]
        square = kept * tables["own"][round_kind, call, position, i, SQUARE]
        square += (1.0 - kept) * tables["other"][call, situation, position, coarse, SQUARE]
        made = tables["own"][round_kind, call, position, i, CHANCE]
    value = mean - risk * np.sqrt(max(square - mean * mean, 0.0)) if risk != 0.0 else mean
    return value, mean, made, float(score), float(suit)


@kernel
def contract_of(call: int) -> int:
    """The contract that a call (0 PASS .. 11) is about: a proposal and its acceptance mean the same one."""
    return PC if call <= COP - FIRST_CALL else call - 2


@kernel
def weigh_calls(
    view: np.void, rules: np.void, tables: np.void, risk: float, style: int, weighed: NDArray[np.float64],
) -> int:  # fmt: skip
    """Fill ``weighed`` (float64 [12, 5]) for every legal call; returns the best as an action."""
    calls, situation = int(view["legal_calls"]), situation_of(view, rules)
    hand, turned, place, best = int(view["hand_cards"]), wide(view["suit"]), place_of(view), 0
    seat = Asked(hand, turned, long_suits(hand), place)
    for call in range(N_CALLS):
        weighed[call, VALUE] = NEVER
        if calls >> call & 1 == 0:
            continue
        if call in (PROP - FIRST_CALL, COP - FIRST_CALL) and style != MEASURED:
            position = place // N_SEATS
            proposer = (position + place % N_SEATS) % N_SEATS
            if not style_allows(hand, turned, style, FIRST_CALL + call, position, proposer):
                continue
        judged, heard = call, situation
        if call == 0 and view["asked"] == ASKED_HOLDER:  # to pass is to play what stands
            judged, heard = CALL_OF_CONTRACT[wide(view["standing"])] - FIRST_CALL, NOTHING
        value, units, made, score, suit = weigh_call(rules, tables, seat, judged, heard, risk)
        weighed[call, VALUE], weighed[call, UNITS], weighed[call, MADE] = value, units, made
        weighed[call, SCORE], weighed[call, SUIT] = score, suit
        if weighed[call, VALUE] > weighed[best, VALUE]:
            best = call
    return FIRST_CALL + best


@kernel
def naming_kind(view: np.void, tables: np.void) -> int:
    """The kind of hand by which the seat on turn names its trumps."""
    contract = wide(view["contract"])
    if contract == NO_CONTRACT:
        contract = wide(view["standing"])
    return tables["kinds"][0, contract + 2] if contract >= ABU else LONG


@kernel
def choose_action(
    view: np.void, rules: np.void, tables: NDArray[np.void], risk: float, style: int,
    weighed: NDArray[np.float64],
) -> int:  # fmt: skip
    """The call, or the suit to name, of a seat that is asked for one; ``weighed`` is scratch.

    ``tables`` is an array [1] of ``CALL_TABLES``: numba studies the dtype of a record at every call from Python.
    """
    suits = int(view["legal_calls"]) >> (FIRST_TRUMPS - FIRST_CALL)
    if suits:
        kind = naming_kind(view, tables[0])
        return FIRST_TRUMPS + named_suit(tables[0], kind, int(view["hand_cards"]), suits)
    return weigh_calls(view, rules, tables[0], risk, style, weighed)


@kernel
def call_rows(
    views: NDArray[np.void], rules: NDArray[np.void], tables: NDArray[np.void], risk: float, style: int,
    weighed: NDArray[np.float64], out: NDArray[np.int64],
) -> None:  # fmt: skip
    """Fill ``out`` (int64 [B]) with a call or a suit for each view that asks for one; the others stay."""
    for b in range(len(views)):
        if not views[b]["legal_cards"]:
            out[b] = choose_action(views[b], rules[0], tables, risk, style, weighed)


@kernel
def unit_rows(
    views: NDArray[np.void], rules: NDArray[np.void], tables: NDArray[np.void], risk: float, style: int,
    weighed: NDArray[np.float64], out: NDArray[np.float32],
) -> None:  # fmt: skip
    """Fill ``out`` (float32 [B, 12]) with the units expected of each call that is weighed; the others stay."""
    for b in range(len(views)):
        if asks_for_call(views[b]):
            weigh_calls(views[b], rules[0], tables[0], risk, style, weighed)
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
