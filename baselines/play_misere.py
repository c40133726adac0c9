"""Playing a misère, attacking one, and the general misère: the ways to do it, and what is to be said of each."""

from __future__ import annotations

import numpy as np

from baselines.counting import (
    BEST,
    CALLER,
    CERTAIN,
    EXPOSED,
    FOES_TO_COME,
    FRIEND_CARDS,
    FRIENDS_LED,
    HAND,
    LED,
    LEGAL,
    MAY_HOLD,
    NONE_OF,
    PLACE,
    UNSEEN,
    holders,
    lies_between,
)
from baselines.hand_value import suit_danger, suit_pattern
from baselines.play_lead import CARD, REASON, ROW, SAID, clear
from baselines.play_reasons import (
    ATTACK_LOW,
    ATTACK_MIDDLE,
    CLEAR_HIGH,
    DUCK,
    DUCK_LOW,
    GO_LOW,
    GO_OVER,
    KEEP_LOW,
    LEAD_HIGH,
    LEAD_SAFE,
    SHED,
    SHED_HIGH,
    THROW_HIGH,
    WIN_HIGH,
)
from solo_env.cards import N_RANKS, N_SEATS, N_SUITS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import highest, lowest, popcount

# What is to be said of a lead by somebody who wants no trick.
(
    SAFE_LOWER,
    SAFE_SOME_LOWER,
    SAFE_NO_LOWER,
    SAFE_HIGHER,
    SAFE_NO_HIGHER,
    SAFE_BEATEN,
    SAFE_LENGTH,
    SAFE_DANGER,
    SAFE_TOP,
    SAFE_RANK,
    SAFE_OUT,
    N_SAFE,
) = range(12)

# ... of a card that follows suit,
(
    UNDER,
    UNDER_RANK,
    UNDER_DANGER,
    OVER_RANK,
    OVER_BEATEN,
    OVER_HIGHEST,
    OVER_LAST,
    OVER_DANGER,
    N_DUCK,
) = range(9)

# ... and of a discard.
(
    SHED_DANGER,
    SHED_CUT,
    SHED_RANK,
    SHED_LENGTH,
    SHED_SINGLE,
    SHED_TOP,
    SHED_DEAD,
    SHED_OUT,
    SHED_LOWER,
    SHED_BOTTOM,
    N_SHED,
) = range(11)

# What is to be said of a lead against the caller of a misère.
(
    HIS_VOID,
    HIS_NO_HIGHER,
    HIS_LOWER,
    HIS_ONE_LOWER,
    HIS_HIGHER,
    HIS_FORCED,
    HIS_ESCAPE,
    HIS_WEAK,
    HIS_SAFE,
    FELLOWS_LOWER,
    FELLOWS_NONE,
    FELLOWS_OVER,
    ATTACK_LENGTH,
    ATTACK_SINGLE,
    ATTACK_RANK,
    ATTACK_TOP,
    ATTACK_LOWEST,
    ATTACK_OUT,
    ATTACK_AGAIN,
    N_ATTACK,
) = range(20)

# ... of a card that follows suit before or after him,
(
    STAY_OVER,
    STAY_RANK,
    STAY_ESCAPES,
    STAY_CHANCE,
    STAY_FORCED,
    STAY_CANNOT,
    STAY_VOID_RANK,
    STAY_LOWEST,
    DUCKED_RANK,
    DUCKED_WINS,
    DUCKED_LAST,
    N_STAY,
) = range(12)

# ... and of a discard.
(
    THROW_RANK,
    THROW_BELOW,
    THROW_ABOVE,
    THROW_NONE,
    THROW_CANNOT,
    THROW_ONLY_LOW,
    THROW_KEEPS,
    THROW_SAFE,
    THROW_LENGTH,
    THROW_SINGLE,
    THROW_OUT,
    THROW_FELLOWS,
    N_THROW,
) = range(13)

SOME, A_FEW = 2, 4


@kernel
def forced_above(out: int, rank: int, n_holders: int) -> int:
    """The chance (sixteenths) that one of the holders of a suit has cards above ``rank`` and none below."""
    higher = popcount(out >> rank)
    if higher == 0 or n_holders == 0:
        return 0
    no_lower = NONE_OF[n_holders - 1, popcount(out & ((1 << rank) - 1))]
    some_higher = CERTAIN - NONE_OF[n_holders - 1, higher]
    return min(CERTAIN, n_holders * no_lower * some_higher // CERTAIN)


# --- Wanting no trick --------------------------------------------------------------------------------------


@kernel
def write_safe_leads(facts: np.void, rows: np.void) -> int:
    """Fill ``rows`` with the lowest and the highest card of each suit."""
    n = 0
    for suit in range(N_SUITS):
        mine = suit_pattern(facts[HAND], suit)
        if mine:
            out = suit_pattern(facts[UNSEEN], suit)
            low, top = lowest(mine), highest(mine)
            write_safe_lead(facts, rows[ROW][n], suit, mine, out, low)
            n += 1
            if lies_between(out, low, top):
                write_safe_lead(facts, rows[ROW][n], suit, mine, out, top)
                rows[ROW][n][REASON], rows[ROW][n][SAID][SAFE_TOP] = LEAD_HIGH, 1
                n += 1
    return n


@kernel
def write_safe_lead(facts: np.void, row: np.void, suit: int, mine: int, out: int, rank: int) -> None:
    """Fill one row with a lead by somebody who wants no trick."""
    clear(row)
    row[CARD], row[REASON] = N_RANKS * suit + rank, LEAD_SAFE
    f = row[SAID]
    lower, higher = popcount(out & ((1 << rank) - 1)), popcount(out >> rank)
    f[SAFE_LOWER], f[SAFE_SOME_LOWER], f[SAFE_NO_LOWER] = lower, min(lower, SOME), lower == 0
    f[SAFE_HIGHER], f[SAFE_NO_HIGHER] = min(higher, A_FEW), higher == 0
    f[SAFE_BEATEN] = forced_above(out, rank, popcount(holders(facts, suit)))
    f[SAFE_LENGTH], f[SAFE_DANGER] = popcount(mine), suit_danger(mine & ~(1 << rank), out)
    f[SAFE_RANK], f[SAFE_OUT] = rank, popcount(out)


@kernel
def write_ducks(facts: np.void, rows: np.void) -> int:
    """Fill ``rows`` with the highest and lowest card under the best so far, and the highest and lowest over it."""
    base = N_RANKS * facts[LED]
    mine, out = suit_pattern(facts[HAND], facts[LED]), suit_pattern(facts[UNSEEN], facts[LED])
    rank = facts[BEST] - base
    under = mine & ((1 << rank) - 1)
    over = mine & ~under
    n = 0
    if under:
        write_under(facts, rows[ROW][0], mine, out, highest(under))
        n = 1
        if out & ((1 << highest(under)) - 1) & ~((1 << lowest(under)) - 1):
            write_under(facts, rows[ROW][n], mine, out, lowest(under))
            rows[ROW][n][REASON] = DUCK_LOW
            n += 1
    if over:
        write_over(facts, rows[ROW][n], mine, out, highest(over))
        rows[ROW][n][REASON], rows[ROW][n][SAID][OVER_HIGHEST] = WIN_HIGH, 1
        n += 1
        if over & (over - 1):
            write_over(facts, rows[ROW][n], mine, out, lowest(over))
            n += 1
    return n


@kernel
def write_under(facts: np.void, row: np.void, mine: int, out: int, rank: int) -> None:
    """Fill one row with a card that follows suit and loses."""
    clear(row)
    row[CARD], row[REASON] = N_RANKS * facts[LED] + rank, DUCK
    f = row[SAID]
    f[UNDER], f[UNDER_RANK], f[UNDER_DANGER] = 1, rank, suit_danger(mine & ~(1 << rank), out)


@kernel
def write_over(facts: np.void, row: np.void, mine: int, out: int, rank: int) -> None:
    """Fill one row with a card that follows suit and wins so far."""
    clear(row)
    row[CARD], row[REASON] = N_RANKS * facts[LED] + rank, GO_LOW
    f = row[SAID]
    f[OVER_RANK], f[OVER_LAST] = rank, facts[PLACE] == N_SEATS - 1
    f[OVER_BEATEN] = forced_above(out, rank, popcount(holders(facts, facts[LED]) & facts[FOES_TO_COME]))
    f[OVER_DANGER] = suit_danger(mine & ~(1 << rank), out)


@kernel
def write_sheds(facts: np.void, rows: np.void) -> int:
    """Fill ``rows`` with the discard of the highest card of each suit."""
    n = 0
    for suit in range(N_SUITS):
        mine = suit_pattern(facts[LEGAL], suit)
        if mine:
            row, out, top = rows[ROW][n], suit_pattern(facts[UNSEEN], suit), highest(mine)
            clear(row)
            row[CARD], row[REASON] = N_RANKS * suit + top, SHED
            f = row[SAID]
            danger = suit_danger(mine, out)
            f[SHED_DANGER], f[SHED_CUT] = danger, danger - suit_danger(mine & ~(1 << top), out)
            f[SHED_RANK], f[SHED_LENGTH], f[SHED_SINGLE] = top, popcount(mine), mine & (mine - 1) == 0
            f[SHED_TOP], f[SHED_DEAD], f[SHED_OUT] = out >> top == 0, out == 0, popcount(out)
            f[SHED_LOWER] = popcount(out & ((1 << top) - 1))
            f[SHED_BOTTOM] = popcount(out & ((1 << lowest(mine)) - 1))
            n += 1
    return n


# --- Against the caller of a misère ------------------------------------------------------------------------


@kernel
def his_cards(facts: np.void, suit: int) -> int:
    """What the caller may hold of a suit."""
    return suit_pattern(facts[MAY_HOLD][facts[CALLER]], suit)


@kernel
def write_attacks(facts: np.void, rows: np.void) -> int:
    """Fill ``rows`` with the lowest, the second lowest and the highest card of each suit."""
    n = 0
    for suit in range(N_SUITS):
        mine = suit_pattern(facts[HAND], suit)
        if mine:
            out = suit_pattern(facts[UNSEEN], suit)
            low, top = lowest(mine), highest(mine)
            write_attack(facts, rows[ROW][n], suit, mine, out, low)
            rows[ROW][n][REASON], rows[ROW][n][SAID][ATTACK_LOWEST] = ATTACK_LOW, 1
            n += 1
            if lies_between(out, low, top):
                write_attack(facts, rows[ROW][n], suit, mine, out, top)
                rows[ROW][n][REASON], rows[ROW][n][SAID][ATTACK_TOP] = CLEAR_HIGH, 1
                n += 1
                middle = mine & ~(1 << top) & ~(1 << low)
                if middle:
                    write_attack(facts, rows[ROW][n], suit, mine, out, lowest(middle))
                    rows[ROW][n][REASON] = ATTACK_MIDDLE
                    n += 1
    return n


@kernel
def write_attack(facts: np.void, row: np.void, suit: int, mine: int, out: int, rank: int) -> None:
    """Fill one row with a lead against a misère."""
    clear(row)
    row[CARD] = N_RANKS * suit + rank
    f = row[SAID]
    his, fellows = his_cards(facts, suit), suit_pattern(facts[FRIEND_CARDS], suit)
    f[ATTACK_RANK], f[ATTACK_LENGTH], f[ATTACK_SINGLE] = rank, popcount(mine), mine & (mine - 1) == 0
    f[ATTACK_OUT], f[ATTACK_AGAIN] = popcount(out), facts[FRIENDS_LED] >> suit & 1
    if his == 0:
        f[HIS_VOID] = 1
        return
    if his >> rank == 0:
        f[HIS_NO_HIGHER] = 1
        return
    lower = popcount(his & ((1 << rank) - 1))
    f[HIS_LOWER], f[HIS_ONE_LOWER], f[HIS_FORCED] = lower, lower == 1, lower == 0
    f[HIS_HIGHER] = min(popcount(his >> rank), A_FEW)
    f[HIS_ESCAPE] = CERTAIN - NONE_OF[max(popcount(holders(facts, suit)), 1) - 1, lower]
    f[FELLOWS_LOWER] = min(popcount(fellows & ((1 << highest(his)) - 1)), A_FEW)
    f[FELLOWS_NONE] = fellows == 0
    if lower == 0:
        f[FELLOWS_OVER] = forced_above(fellows, lowest(his), SOME)
    if facts[EXPOSED]:
        danger = suit_danger(his, mine | fellows)
        f[HIS_WEAK], f[HIS_SAFE] = min(danger, A_FEW), danger == 0


@kernel
def write_stays(facts: np.void, rows: np.void) -> int:
    """Fill ``rows`` with the lowest card, the highest under the best so far, and the highest of all."""
    legal, best = facts[LEGAL], facts[BEST]
    low, top = lowest(legal), highest(legal)
    under = legal & ((1 << best) - 1)
    write_stay(facts, rows[ROW][0], low)
    rows[ROW][0][SAID][STAY_LOWEST] = 1
    n = 1
    if under and highest(under) != low:
        write_stay(facts, rows[ROW][n], highest(under))
        n += 1
    if top > best and top != low:
        write_stay(facts, rows[ROW][n], top)
        n += 1
    return n


@kernel
def write_stay(facts: np.void, row: np.void, card: int) -> None:
    """Fill one row with a card that follows suit while a fellow of the observer's is winning."""
    clear(row)
    row[CARD] = card
    f = row[SAID]
    led, over = facts[LED], card > facts[BEST]
    base = N_RANKS * led
    if not facts[FOES_TO_COME]:  # the caller has ducked
        row[REASON] = SHED_HIGH
        f[DUCKED_RANK], f[DUCKED_WINS], f[DUCKED_LAST] = card - base, over, over and facts[PLACE] == N_SEATS - 1
        return
    row[REASON] = GO_OVER if over else KEEP_LOW
    best = max(card, facts[BEST]) - base
    his = his_cards(facts, led)
    f[STAY_OVER], f[STAY_RANK] = over, card - base
    if his == 0:
        f[STAY_VOID_RANK] = card - base
        return
    escapes = popcount(his & ((1 << best) - 1))
    f[STAY_ESCAPES], f[STAY_CANNOT], f[STAY_FORCED] = escapes, his >> best == 0, escapes == 0
    f[STAY_CHANCE] = CERTAIN - NONE_OF[max(popcount(holders(facts, led)), 1) - 1, escapes]


@kernel
def write_throws(facts: np.void, rows: np.void) -> int:
    """Fill ``rows`` with the discard of the highest card of each suit."""
    n = 0
    for suit in range(N_SUITS):
        mine = suit_pattern(facts[LEGAL], suit)
        if mine:
            row, top, his = rows[ROW][n], highest(mine), his_cards(facts, suit)
            fellows = suit_pattern(facts[FRIEND_CARDS], suit)
            clear(row)
            row[CARD], row[REASON] = N_RANKS * suit + top, THROW_HIGH
            f = row[SAID]
            f[THROW_RANK], f[THROW_LENGTH], f[THROW_SINGLE] = top, popcount(mine), mine & (mine - 1) == 0
            f[THROW_BELOW], f[THROW_ABOVE] = popcount(his & ((1 << top) - 1)), popcount(his >> top)
            f[THROW_OUT] = popcount(suit_pattern(facts[UNSEEN], suit))
            f[THROW_FELLOWS] = popcount(fellows & ((1 << top) - 1))
            f[THROW_NONE] = his == 0
            if his:
                rest = mine & ~(1 << top)
                f[THROW_CANNOT], f[THROW_ONLY_LOW] = his >> top == 0, top < lowest(his)
                f[THROW_KEEPS] = rest != 0 and lowest(rest) < highest(his)
                f[THROW_SAFE] = facts[EXPOSED] and suit_danger(his, mine | fellows) == 0
            n += 1
    return n
