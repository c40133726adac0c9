"""What a careful player counts, as features: lengths, cards that are out, cards that cannot be beaten.

An observation says what lies on the table. A small network spends most of its units on adding that up: whether a
king is the highest heart left takes the place of every heart. So what any good player keeps in mind is reckoned for
it, from the same view, and by the same kernels as for the rule-based players (``baselines.counting``).

Suits are those of the view that is given, so who renames them first gets features of the new names.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baselines.counting import (
    BEST,
    FACTS,
    FOE_CARDS,
    FOES_LED,
    FOES_TO_COME,
    FRIENDS_LED,
    LEGAL,
    MAY_HOLD,
    OURS,
    PLACE,
    TRUMP,
    UNSEEN,
    count,
)
from baselines.hand_value import suit_pattern, wide
from solo_env.actions import PLAY
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_SUITS, N_TRICKS, PACK
from solo_env.engine._jit import kernel
from solo_env.engine.bits import highest, lowest, popcount, suit_cards
from solo_env.engine.tricks import beats


class Counted(NamedTuple):
    """A block of features that are counted."""

    name: str
    size: int
    most: int  # how many of them a view can have at once
    meaning: str


ENDS = 4  # cards at an end of a suit
N_ENDS = N_RANKS << ENDS  # which of them are held, with how many of the suit, 1 to 13

COUNTED = (
    Counted("lengths", N_SUITS * N_TRICKS, N_SUITS, "how many cards of each suit the hand holds"),
    Counted("out", N_SUITS * N_RANKS, N_SUITS, "how many of each suit are in hands that are not seen"),
    Counted("highest_out", N_SUITS * N_RANKS, N_SUITS, "the highest of them"),
    Counted(
        "tops",
        N_SUITS * N_ENDS,
        N_SUITS,
        "which of the four highest cards left of each suit the hand holds, and how many cards of it",
    ),
    Counted("bottoms", N_SUITS * N_ENDS, N_SUITS, "the same of the four lowest"),
    Counted("high", N_CARDS, N_TRICKS, "cards of the hand that no opponent's card of their suit can beat"),
    Counted("low", N_CARDS, N_TRICKS, "cards of the hand that win over no card of their suit that is out"),
    Counted("winning", N_CARDS, N_TRICKS, "cards that may be played and would win the trick as it stands"),
    Counted("best", N_CARDS, 1, "the card that wins the trick as it stands"),
    Counted("ours", 1, 1, "whether it is of one's own side"),
    Counted("place", N_SEATS, 1, "how many have played to the trick"),
    Counted("foes_to_come", N_SEATS - 1, N_SEATS - 1, "opponents who have still to play to it, by seat"),
    Counted("may_follow", (N_SEATS - 1) * N_SUITS, (N_SEATS - 1) * N_SUITS, "suits that each other seat may hold"),
    Counted("led", 2 * N_SUITS, 2 * N_SUITS, "suits that partners, and that opponents, have led; told on lead"),
)
N_COUNTED = len(COUNTED)
(
    LENGTHS, OUT, HIGHEST_OUT, TOPS, BOTTOMS, HIGH, LOW, WINNING, BEST_CARD, OF_US, AT, TO_COME, MAY_FOLLOW,
    HAVE_LED,
) = range(N_COUNTED)  # fmt: skip


def markdown_table() -> str:
    """What is counted, as Markdown."""
    rows = ["| block | features | meaning |", "|---|---|---|"]
    return "\n".join([*rows, *(f"| `{row.name}` | {row.size} | {row.meaning} |" for row in COUNTED)])


def new_facts() -> NDArray[np.void]:
    """Room for what is counted, ``FACTS`` [1]."""
    return np.zeros(1, FACTS)


@kernel
def write_set(cards: int, first: int, ids: NDArray[np.int16], i: int, n: int) -> int:
    """Append a set, as features from ``first`` on, to the ``n`` of row ``i``; returns how many there are then."""
    while cards and first >= 0:
        ids[i, n] = first + lowest(cards)
        cards &= cards - 1
        n += 1
    return n


@kernel
def write_counts(cards: int, first: int, ids: NDArray[np.int16], i: int, n: int) -> int:
    """Append how many cards of each suit there are: 13 features a suit, for 1 to 13."""
    for suit in range(N_SUITS):
        number = popcount(suit_pattern(cards, suit))
        if number and first >= 0:
            ids[i, n] = first + N_RANKS * suit + number - 1
            n += 1
    return n


@kernel
def highest_of(cards: int) -> int:
    """The highest card of each suit of a set."""
    found = 0
    for suit in range(N_SUITS):
        if suit_cards(cards, suit):
            found |= 1 << highest(suit_cards(cards, suit))
    return found


@kernel
def beyond(cards: int, others: int) -> tuple[int, int]:
    """Those of ``cards`` above all of ``others`` of their suit, and those below all of them; both where none is."""
    above, below = 0, 0
    for suit in range(N_SUITS):
        mine, its = suit_cards(cards, suit), suit_cards(others, suit)
        above |= mine if its == 0 else mine & ~((2 << highest(its)) - 1)
        below |= mine if its == 0 else mine & ((1 << lowest(its)) - 1)
    return above, below


@kernel
def held_at_end(hand: int, left: int, highest_first: bool) -> int:
    """Which of the cards at an end of ``left``, all of one suit, a hand holds: bit 0 the last of them."""
    held = 0
    for k in range(ENDS):
        if left:
            card = 1 << (highest(left) if highest_first else lowest(left))
            held |= int(hand & card != 0) << k
            left &= ~card
    return held


@kernel
def write_ends(
    hand: int, left: int, highest_first: bool, first: int, ids: NDArray[np.int16], i: int, n: int
) -> int:
    """Append, of each suit that a hand holds, its cards at an end of those ``left`` and its length."""
    for suit in range(N_SUITS):
        mine = suit_cards(hand, suit)
        if mine and first >= 0:
            held = held_at_end(mine, suit_cards(left, suit), highest_first)
            ids[i, n] = first + N_ENDS * suit + N_RANKS * held + popcount(mine) - 1
            n += 1
    return n


@kernel
def winners_of(facts: np.void) -> int:
    """The legal cards that would win the trick as it stands."""
    left, found = wide(facts[LEGAL]), 0
    while left:
        card = lowest(left)
        left &= left - 1
        if beats(card, wide(facts[BEST]), wide(facts[TRUMP])):
            found |= 1 << card
    return found


@kernel
def write_counted(
    view: np.void, rules: np.void, facts: np.void, first: NDArray[np.int64], ids: NDArray[np.int16], i: int, n: int
) -> int:
    """Append what is counted of a view to the ``n`` features of row ``i``; returns how many there are then.

    ``first`` (int64 [blocks]) is the first feature of each block of ``COUNTED``, -1 of one that is left out.
    ``facts`` is scratch.
    """
    hand = int(view["hand_cards"])
    n = write_counts(hand, first[LENGTHS], ids, i, n)
    if view["phase"] != PLAY:
        n = write_ends(hand, PACK, True, first[TOPS], ids, i, n)
        return write_ends(hand, PACK, False, first[BOTTOMS], ids, i, n)
    count(view, rules, facts)
    out = wide(facts[UNSEEN])
    n = write_counts(out, first[OUT], ids, i, n)
    n = write_set(highest_of(out), first[HIGHEST_OUT], ids, i, n)
    n = write_ends(hand, hand | out, True, first[TOPS], ids, i, n)
    n = write_ends(hand, hand | out, False, first[BOTTOMS], ids, i, n)
    n = write_set(beyond(hand, wide(facts[FOE_CARDS]))[0], first[HIGH], ids, i, n)
    n = write_set(beyond(hand, out)[1], first[LOW], ids, i, n)
    if wide(facts[PLACE]):
        n = write_set(winners_of(facts), first[WINNING], ids, i, n)
        n = write_set(1 << wide(facts[BEST]), first[BEST_CARD], ids, i, n)
        n = write_set(wide(facts[OURS]), first[OF_US], ids, i, n)
    n = write_set(1 << wide(facts[PLACE]), first[AT], ids, i, n)
    n = write_set(wide(facts[FOES_TO_COME]) >> 1, first[TO_COME], ids, i, n)
    follow = 0
    for rel in range(1, N_SEATS):
        for suit in range(N_SUITS):
            if suit_pattern(wide(facts[MAY_HOLD][rel]), suit):
                follow |= 1 << (N_SUITS * (rel - 1) + suit)
    n = write_set(follow, first[MAY_FOLLOW], ids, i, n)
    if wide(facts[PLACE]) == 0:
        n = write_set(wide(facts[FRIENDS_LED]) | wide(facts[FOES_LED]) << N_SUITS, first[HAVE_LED], ids, i, n)
    return n
