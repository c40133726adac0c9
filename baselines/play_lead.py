"""The leads of a contract for tricks: the top and the low card of each suit, and what is to be said of each."""

from __future__ import annotations

import numpy as np

from baselines.counting import (
    AGAINST_LONG,
    AGAINST_ONE,
    AGAINST_PARTNERS,
    CERTAIN,
    FOE_CARDS,
    FOES,
    FOES_LED,
    FOES_NEED,
    FRIENDS,
    FRIENDS_LED,
    HAND,
    NEED,
    ROLE,
    TRUMP,
    UNSEEN,
    lies_between,
    ruff_chance,
)
from baselines.hand_value import ACE, JACK, KING, suit_pattern
from baselines.play_reasons import (
    CASH,
    DRAW_TRUMPS,
    LEAD_HONOUR,
    LEAD_LOW,
    LEAD_SEQUENCE,
    LEAD_SINGLETON,
    LEAD_TO_RUFF,
    LEAD_TOP,
    LEAD_TRUMP,
)
from solo_env.cards import N_RANKS, N_SUITS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import highest, lowest, nth_card, popcount
from solo_env.engine.state import NO_TRUMP

# What is to be said of a lead, as numbers; ``play_points`` says them in words and gives them points.
(
    TRUMP_LEAD,
    TRUMP_LENGTH,
    TRUMPS_OUT,
    NO_FOE_TRUMPS,
    TRUMP_MASTER,
    TRUMP_LOW,
    TRUMP_FOE_LAST,
    TRUMP_FOE_NEXT,
    MASTER,
    MASTER_RISK,
    MASTERS_MORE,
    MASTER_DRAWN,
    OTHER_RISK,
    SIDE_RUFF,
    LENGTH,
    SINGLETON,
    DOUBLETON,
    SEQUENCE,
    BARE_HONOUR,
    UNDER_ACE,
    UNDER_KING,
    HIGHER_OUT,
    OUT,
    RETURN,
    FOES_SUIT,
    FOE_LAST,
    FOE_NEXT,
    DECIDES,
    SAVES,
    LOW,
    LOW_LENGTH,
    LONG_LAST,
    N_LEAD,
) = range(33)

N_FEATURES = N_LEAD  # the most that a table has
MAX_CANDIDATES = 12  # three of each suit, in an attack on a misère

# A candidate is a record: its card, its reason, and what is said of it, features that each table names for itself.
CARD, REASON, SAID = "card", "reason", "said"
CANDIDATE = np.dtype([(CARD, np.int64), (REASON, np.int64), (SAID, np.int64, N_FEATURES)])
# So are all of them together: in kernels, the references to an array would be counted.
ROW = "row"
CANDIDATES = np.dtype([(ROW, CANDIDATE, MAX_CANDIDATES)])

FOURTH_BEST = 4  # from four cards and more the fourth from the top is led for the lowest
TEN = 8
PAIR = 2


@kernel
def clear(row: np.void) -> None:
    """Nothing is said yet of a candidate."""
    for i in range(N_FEATURES):
        row[SAID][i] = 0


@kernel
def write_leads(facts: np.void, rows: np.void) -> int:
    """Fill ``rows`` with the leads worth a thought; returns how many."""
    n = 0
    for suit in range(N_SUITS):
        mine = suit_pattern(facts[HAND], suit)
        if mine:
            out = suit_pattern(facts[UNSEEN], suit)
            top, low = highest(mine), lowest(mine)
            risk = ruff_chance(facts, suit, facts[FOES])
            write_lead(facts, rows[ROW][n], suit, mine, out, top, risk)
            n += 1
            if lies_between(out, low, top):
                write_lead(facts, rows[ROW][n], suit, mine, out, low, risk)
                n += 1
    return n


@kernel
def write_lead(facts: np.void, row: np.void, suit: int, mine: int, out: int, rank: int, risk: int) -> None:
    """Fill one row with a lead of one's highest or lowest card of a suit; ``risk`` is that a foe ruffs it."""
    clear(row)
    f = row[SAID]
    foes = suit_pattern(facts[FOE_CARDS], suit)
    n, top = popcount(mine), highest(mine)
    master = foes >> rank == 0
    row[CARD] = N_RANKS * suit + (shown_card(mine, top, suit == facts[TRUMP]) if rank == top else rank)
    f[HIGHER_OUT] = popcount(out >> rank)
    f[SAVES] = master and facts[FOES_NEED] == 1
    if rank != top:
        above = popcount(foes >> top)
        f[UNDER_ACE], f[UNDER_KING] = above == 0, above == 1
    elif not master and rank >= JACK:
        touching = mine >> (rank - 1) & 1
        f[SEQUENCE], f[BARE_HONOUR] = touching, 1 - touching
    if suit == facts[TRUMP]:
        write_trump_lead(facts, row, n, foes, master, rank != top)
    else:
        write_side_lead(facts, row, suit, mine, out, foes, rank, risk)


@kernel
def write_trump_lead(facts: np.void, row: np.void, n: int, foes: int, master: bool, low: bool) -> None:
    """What is to be said of a trump lead only."""
    f = row[SAID]
    f[TRUMP_LEAD], f[TRUMP_LENGTH], f[TRUMP_MASTER], f[TRUMP_LOW] = 1, n, master, low
    f[TRUMPS_OUT], f[NO_FOE_TRUMPS] = popcount(foes), foes == 0
    f[TRUMP_FOE_LAST], f[TRUMP_FOE_NEXT] = facts[FOES] >> 3 & 1, facts[FOES] >> 1 & 1
    f[DECIDES] = master and facts[NEED] == 1
    role = facts[ROLE]
    defends = role in (AGAINST_ONE, AGAINST_PARTNERS, AGAINST_LONG)
    row[REASON] = LEAD_TRUMP if defends or foes == 0 else DRAW_TRUMPS


@kernel
def write_side_lead(
    facts: np.void, row: np.void, suit: int, mine: int, out: int, foes: int, rank: int, risk: int
) -> None:
    """What is to be said of a lead from another suit than trumps."""
    f = row[SAID]
    trump, n, top = facts[TRUMP], popcount(mine), highest(mine)
    foe_trumps = suit_pattern(facts[FOE_CARDS], trump) if trump != NO_TRUMP else 0
    my_trumps = suit_pattern(facts[HAND], trump) if trump != NO_TRUMP else 0
    f[LENGTH], f[OUT], f[LONG_LAST] = n, popcount(out), n > popcount(out)
    f[RETURN], f[FOES_SUIT] = facts[FRIENDS_LED] >> suit & 1, facts[FOES_LED] >> suit & 1
    if my_trumps:
        f[SINGLETON], f[DOUBLETON] = n == 1, n == PAIR
    if foes >> rank == 0:
        f[MASTER], f[MASTER_RISK], f[MASTER_DRAWN] = 1, risk, foe_trumps == 0
        f[MASTERS_MORE] = popcount(mine >> (highest(foes) if foes else 0)) - 1
        f[DECIDES] = facts[NEED] == 1 and risk < CERTAIN
        row[REASON] = CASH
        return
    f[OTHER_RISK] = risk
    f[SIDE_RUFF] = ruff_chance(facts, suit, facts[FRIENDS]) == CERTAIN
    f[FOE_LAST], f[FOE_NEXT] = facts[FOES] >> 3 & 1, facts[FOES] >> 1 & 1
    if f[SIDE_RUFF]:
        row[REASON] = LEAD_TO_RUFF
    elif f[SINGLETON]:
        row[REASON] = LEAD_SINGLETON
    elif rank != top:
        f[LOW], f[LOW_LENGTH] = 1, n
        row[REASON] = LEAD_LOW
        if n >= FOURTH_BEST:
            spot = nth_card(mine, n - FOURTH_BEST)
            row[CARD] = N_RANKS * suit + (spot if spot < TEN else rank)
    elif f[SEQUENCE]:
        row[REASON] = LEAD_SEQUENCE
    elif f[BARE_HONOUR]:
        row[REASON] = LEAD_HONOUR
    else:
        row[REASON] = LEAD_TOP


@kernel
def shown_card(mine: int, top: int, is_trump: bool) -> int:
    """Which of the touching cards from the top down is led by custom: the king from ace and king with more.

    Of trumps it is the lowest of those touching the ace.
    """
    if top == ACE and mine >> KING & 1:
        if is_trump:
            while mine >> (top - 1) & 1:
                top -= 1
        elif popcount(mine) > PAIR:
            top = KING
    return top
