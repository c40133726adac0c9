"""Following suit, ruffing and discarding in a contract for tricks: the ways to do it, and what speaks for each."""

from __future__ import annotations

import numpy as np

from baselines.counting import (
    BEST,
    CALLER,
    CERTAIN,
    FOE_CARDS,
    FOES_NEED,
    FOES_TO_COME,
    FRIEND_CARDS,
    FRIENDS_TO_COME,
    HAND,
    LED,
    LEGAL,
    NEED,
    OURS,
    TRUMP,
    UNSEEN,
    beat_chance,
    can_be_beaten,
)
from baselines.hand_value import JACK, suit_pattern
from baselines.novice_play import least_equal
from baselines.play_lead import CARD, REASON, ROW, SAID, clear
from baselines.play_reasons import DISCARD, PLAY_HIGH, PLAY_LOW, PLAY_MIDDLE, RUFF, SIDE_WINS, WIN_SURELY
from solo_env.cards import N_RANKS, N_SUITS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import highest, lowest, popcount, suit_cards
from solo_env.engine.state import NO_TRUMP

# What is to be said of a card that follows suit.
(
    WINS,
    SURE,
    RISK,
    RISK_HIGH,
    OVERTAKES,
    WASTES,
    OVER_RISK,
    MASTER_SPENT,
    SECOND_MASTER,
    MASTER_KEPT,
    LOWER_OUT,
    TAKES_HONOUR,
    SHORT,
    LONG_SUIT,
    SUIT_OUT,
    CALLER_TO_COME,
    FRIEND_TO_COME,
    FRIEND_BEST,
    TRUMPS_LED,
    WIN_DECIDES,
    WIN_SAVES,
    LOSES_RANK,
    GUARD_LEFT,
    BACKED,
    N_FOLLOW,
) = range(25)

# What is to be said of a ruff or a discard.
(
    RUFFS,
    RUFF_SURE,
    RUFF_RISK,
    RUFF_OVERTAKES,
    RUFF_WASTES,
    RUFF_OVER_RISK,
    RUFF_LENGTH,
    RUFF_SHORT,
    RUFF_MASTER,
    RUFF_LOWER_OUT,
    RUFF_HONOUR,
    RUFF_FOES_OUT,
    RUFF_FRIEND,
    RUFF_DECIDES,
    RUFF_SAVES,
    TRUMP_THROWN,
    THROWN_RANK,
    THROWN_LENGTH,
    THROWN_SINGLE,
    THROWN_VOIDS,
    THROWN_MASTER,
    MASTER_LEFT,
    GUARD_ONE,
    GUARD_TWO,
    DEAD_SUIT,
    THROWN_OUT,
    THROWN_HIGHER,
    RUFF_OVER,
    N_VOID,
) = range(29)

SHORT_SUIT, LONG_ENOUGH = 2, 5
QUEEN_GUARDS = 2


@kernel
def current_risk(facts: np.void) -> int:
    """The chance (sixteenths) that a foe to come beats the card that wins so far."""
    return beat_chance(facts, facts[BEST], facts[FOES_TO_COME]) if facts[FOES_TO_COME] else 0


# --- Following suit ----------------------------------------------------------------------------------------


@kernel
def write_follows(facts: np.void, rows: np.void) -> int:
    """Fill ``rows`` with the lowest card and with the cheapest, the dearest and the second dearest winner."""
    legal, best, unseen = facts[LEGAL], facts[BEST], facts[UNSEEN]
    winners = legal & ~((1 << (best + 1)) - 1) if best // N_RANKS == facts[LED] else 0
    now = current_risk(facts)
    n, low = 0, lowest(legal)
    if not winners >> low & 1:
        write_low(facts, rows[ROW][0], low)
        n = 1
    if winners:
        cheap = lowest(winners)
        write_winner(facts, rows[ROW][n], cheap, now)
        n += 1
        dear = least_equal(highest(winners), winners, unseen)
        if dear > cheap:
            write_winner(facts, rows[ROW][n], dear, now)
            n += 1
            second = least_equal(highest(winners & ((1 << dear) - 1)), winners, unseen)
            if second > cheap:
                write_winner(facts, rows[ROW][n], second, now)
                rows[ROW][n][REASON] = PLAY_MIDDLE
                n += 1
    return n


@kernel
def write_low(facts: np.void, row: np.void, card: int) -> None:
    """Fill one row with the lowest card of the suit led, which leaves the trick as it is."""
    clear(row)
    row[CARD], row[REASON] = card, SIDE_WINS if facts[OURS] else PLAY_LOW
    f = row[SAID]
    led = facts[LED]
    rank = card - N_RANKS * led
    rest = suit_pattern(facts[HAND], led) & ~(1 << rank)
    f[LOSES_RANK] = popcount(suit_pattern(facts[UNSEEN], led) & ((1 << rank) - 1))
    if rest:
        above = popcount(suit_pattern(facts[FOE_CARDS], led) >> highest(rest))
        f[GUARD_LEFT] = above > 0 and popcount(rest) == above


@kernel
def write_winner(facts: np.void, row: np.void, card: int, now: int) -> None:
    """Fill one row with a card that follows suit and wins so far; ``now`` is the risk of the trick as it lies."""
    clear(row)
    row[CARD] = card
    f = row[SAID]
    led = facts[LED]
    rank = card - N_RANKS * led
    mine, out = suit_pattern(facts[HAND], led), suit_pattern(facts[UNSEEN], led)
    foes = suit_pattern(facts[FOE_CARDS], led)
    n, rest = popcount(mine), mine & ~(1 << rank)
    risk = beat_chance(facts, card, facts[FOES_TO_COME]) if facts[FOES_TO_COME] else 0
    f[WINS], f[RISK], f[RISK_HIGH] = 1, risk, risk if rank >= JACK else 0
    f[SURE] = not can_be_beaten(facts, card, facts[FOES_TO_COME])
    gained = CERTAIN - risk
    if facts[OURS]:
        f[OVERTAKES], f[WASTES], f[OVER_RISK] = 1, now == 0, now
        gained = max(0, now - risk)
    else:
        f[TAKES_HONOUR] = facts[BEST] % N_RANKS >= JACK
        if facts[FRIENDS_TO_COME]:
            f[FRIEND_TO_COME] = 1
            f[FRIEND_BEST] = suit_pattern(facts[FRIEND_CARDS], led) >> (facts[BEST] - N_RANKS * led) != 0
    f[WIN_DECIDES] = gained if facts[NEED] == 1 else 0
    f[WIN_SAVES] = gained if facts[FOES_NEED] == 1 else 0
    higher = popcount(foes >> rank)
    if higher == 0:
        f[MASTER_SPENT] = 1
        f[MASTER_KEPT] = rest != 0 and foes >> highest(rest) == 0
    f[SECOND_MASTER] = higher == 1
    f[BACKED] = mine >> rank > 1 and least_equal(highest(mine), mine, out) == rank
    f[LOWER_OUT] = popcount(out & ((1 << rank) - 1))
    f[SHORT], f[LONG_SUIT], f[SUIT_OUT] = n <= SHORT_SUIT, n >= LONG_ENOUGH, popcount(out)
    f[CALLER_TO_COME] = facts[FOES_TO_COME] >> facts[CALLER] & 1
    f[TRUMPS_LED] = facts[TRUMP] == led
    row[REASON] = WIN_SURELY if f[SURE] else PLAY_HIGH


# --- Ruffing and discarding --------------------------------------------------------------------------------


@kernel
def write_voids(facts: np.void, rows: np.void) -> int:
    """Fill ``rows`` with the lowest and the highest ruff that wins, and the lowest card of each suit."""
    legal, best, trump = facts[LEGAL], facts[BEST], facts[TRUMP]
    n = 0
    trumps = suit_cards(legal, trump) if trump != NO_TRUMP else 0
    over = best if trumps and best // N_RANKS == trump else -1  # a trump to be beaten
    if trumps:
        winners = trumps & ~((1 << (over + 1)) - 1)
        if winners:
            now, low = current_risk(facts), lowest(winners)
            write_ruff(facts, rows[ROW][0], low, now)
            n = 1
            if rows[ROW][0][SAID][RUFF_RISK]:
                high = least_equal(highest(winners), winners, facts[UNSEEN])
                if high > low:
                    write_ruff(facts, rows[ROW][n], high, now)
                    n += 1
    for suit in range(N_SUITS):
        mine = suit_cards(legal, suit)
        # A trump is thrown away only under a higher one.
        if mine and (suit != trump or lowest(mine) < over):
            write_discard(facts, rows[ROW][n], suit, lowest(mine) - N_RANKS * suit)
            n += 1
    return n


@kernel
def write_ruff(facts: np.void, row: np.void, card: int, now: int) -> None:
    """Fill one row with a ruff that wins so far; ``now`` is the risk of the trick as it lies."""
    clear(row)
    row[CARD], row[REASON] = card, RUFF
    f = row[SAID]
    trump = facts[TRUMP]
    rank, mine = card - N_RANKS * trump, suit_pattern(facts[HAND], trump)
    foes = suit_pattern(facts[FOE_CARDS], trump)
    risk = beat_chance(facts, card, facts[FOES_TO_COME]) if facts[FOES_TO_COME] else 0
    f[RUFFS], f[RUFF_RISK] = 1, risk
    f[RUFF_SURE] = not can_be_beaten(facts, card, facts[FOES_TO_COME])
    gained = CERTAIN - risk
    if facts[OURS]:
        f[RUFF_OVERTAKES], f[RUFF_WASTES], f[RUFF_OVER_RISK] = 1, now == 0, now
        gained = max(0, now - risk)
    else:
        f[RUFF_HONOUR] = facts[BEST] % N_RANKS >= JACK
        f[RUFF_FRIEND] = facts[FRIENDS_TO_COME] != 0
        f[RUFF_OVER] = facts[BEST] // N_RANKS == trump
    f[RUFF_DECIDES] = gained if facts[NEED] == 1 else 0
    f[RUFF_SAVES] = gained if facts[FOES_NEED] == 1 else 0
    f[RUFF_LENGTH], f[RUFF_SHORT] = popcount(mine), popcount(mine) <= SHORT_SUIT
    f[RUFF_MASTER], f[RUFF_FOES_OUT] = foes >> rank == 0, foes == 0
    f[RUFF_LOWER_OUT] = popcount(suit_pattern(facts[UNSEEN], trump) & ((1 << rank) - 1))


@kernel
def write_discard(facts: np.void, row: np.void, suit: int, rank: int) -> None:
    """Fill one row with the discard of the lowest card of a suit."""
    clear(row)
    row[CARD], row[REASON] = N_RANKS * suit + rank, SIDE_WINS if facts[OURS] else DISCARD
    f = row[SAID]
    trump = facts[TRUMP]
    if suit == trump:
        f[TRUMP_THROWN] = 1
        return
    mine, foes = suit_pattern(facts[HAND], suit), suit_pattern(facts[FOE_CARDS], suit)
    n = popcount(mine)
    above = popcount(foes >> highest(mine))
    f[THROWN_RANK], f[THROWN_LENGTH], f[THROWN_SINGLE] = rank, n, n == 1
    f[THROWN_VOIDS] = n == 1 and trump != NO_TRUMP and suit_cards(facts[HAND], trump) != 0
    f[THROWN_MASTER], f[MASTER_LEFT] = above == 0 and n == 1, above == 0 and n > 1
    f[GUARD_ONE], f[GUARD_TWO] = above == 1 and n == above + 1, above == QUEEN_GUARDS and n == above + 1
    f[DEAD_SUIT], f[THROWN_OUT] = foes == 0, popcount(suit_pattern(facts[UNSEEN], suit))
    f[THROWN_HIGHER] = popcount(foes >> rank)
