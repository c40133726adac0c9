"""What networks see of a view: the short list of its features, with the suits in an order of their own.

A feature is a yes or no. A column of the observation that counts is a feature for each of its values, so that a
position is fully told by which of some 2,900 features it has: about 85 of them, ascending, then ``PAD``. A
network's first layer is then a sum of the weights of those, and columns that are 0 cost nothing.

Renaming the suits of a deal changes nothing in it, but a plain network would have to learn every suit for itself:
"five trumps to the ace" would be four facts. So a network is shown each view with its suits renamed: its suit 0 is
the trump suit, before trumps are named the suit of the deal; the others follow by what the seat holds in them, the
longest first (:func:`suit_order`). A network's action is a number among these suits; all code outside ``training``
speaks of actions as the action table does.

A critic may be shown the cards of the other three hands too. Their features come behind those of the view and
are written by another kernel, from tables: nothing that decides calls it.

Axes: N decisions, A actions, O the 24 orders of four suits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baselines.hand_value import suit_pattern, wide
from solo_env.actions import FIRST_TRUMPS, N_ACTIONS, N_CALLS
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_SUITS, N_TRICKS, NO_CARD
from solo_env.engine._jit import kernel
from solo_env.engine.bits import lowest, popcount
from solo_env.engine.observe import write_mask, write_observation
from solo_env.engine.state import TRUMP_NOT_NAMED, new_views
from solo_env.layout import MASK, MAX_CALLS, N_FEATURES, OFFSETS, ROW, block, records
from training.counted import COUNTED, N_COUNTED, new_facts, write_counted

PAD = -1  # stands behind the features of a row
MAX_ACTIVE = 224  # features of a view at most; ``most_active`` of the blocks is checked against it
N_HIDDEN = (N_SEATS - 1) * N_TRICKS  # cards of the other three hands at most
HIDDEN_FEATURES = (N_SEATS - 1) * N_CARDS

# How many columns of a block may differ from 0 at once, where it is neither a choice of one nor all of them.
MOST_SET = {"hand": N_TRICKS, "played": N_CARDS, "trick": N_SEATS - 1, "exposed": N_TRICKS}
MOST_SET |= {"trick_winners": N_TRICKS, "calls": 2 * MAX_CALLS, "calls_by_seat": MAX_CALLS}
ALL_SET = ("played_trick", "failed", "tricks", "tricks_by_side", "deals", "prices", "targets", "ladder", "ruleset")

# int64 [O, 4]: the suits in each order; a network's suit 0 is the first. Then back: the place of each suit.
ORDERS = np.array(list(permutations(range(N_SUITS))))
PLACES = np.argsort(ORDERS, axis=1)
N_ORDERS = len(ORDERS)
# int64 [256]: the number of an order from its suits, two bits each, the first the highest.
ORDER_NUMBER = np.zeros(N_SUITS**N_SUITS, np.int64)
ORDER_NUMBER[ORDERS @ (N_SUITS ** np.arange(N_SUITS - 1, -1, -1))] = np.arange(N_ORDERS)


def _actions(suits: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64 [O, A]: every action with its suit replaced as ``suits`` (int64 [O, 4]) says."""
    moved = np.tile(np.arange(N_ACTIONS), (len(suits), 1))
    moved[:, :N_CARDS] = (N_RANKS * suits[:, :, None] + np.arange(N_RANKS)).reshape(-1, N_CARDS)
    moved[:, FIRST_TRUMPS:] = FIRST_TRUMPS + suits
    return moved


# int64 [O, A]: the action that each of a network's actions means, and back.
ACTION_OF, NETWORK_ACTION_OF = _actions(ORDERS), _actions(PLACES)

# An observation that can also be read eight columns at a time, the first in the lowest byte of a word.
EIGHT = 8
N_WORDS = -(-N_FEATURES // EIGHT)
WORDS = np.dtype({"names": ["row", "words"], "formats": [ROW, (np.int64, N_WORDS)], "offsets": [0, 0]})
# Bytes that are 0 or 1 are brought together in the highest byte of a word by this factor.
GATHER, HIGHEST_BYTE = 0x0102040810204080, 56


class Features(NamedTuple):
    """Which columns of an observation are features, and their numbers; made by :func:`feature_table`.

    Features of columns of 0 or 1 come first, in the order of the blocks, then those of columns that count.
    """

    words: NDArray[np.int64]  # those that have columns of 0 or 1 which are features; a multiple of eight
    kept: NDArray[np.int64]  # of each, these columns, all bits of them
    number: NDArray[np.int16]  # of each eight columns, their features
    counts: NDArray[np.int64]  # the columns that count
    first: NDArray[np.int64]  # of each, the feature of value 1; value v is v - 1 further
    counted: NDArray[np.int64]  # the first feature of each block of ``counted.COUNTED``, -1 of one that is left out
    n: int  # features of a view; those of hidden cards are n to n + HIDDEN_FEATURES - 1


class Scratch(NamedTuple):
    """What features are made in."""

    views: NDArray[np.void]  # VIEW [1]
    rows: NDArray[np.void]  # WORDS [1]
    facts: NDArray[np.void]  # FACTS [1]


def most_active(blocks: Sequence[str]) -> int:
    """How many features of these blocks a view can have at most."""
    most = {row.name: row.most for row in COUNTED} | MOST_SET
    return sum(most.get(name, block(name).size if name in ALL_SET else 1) for name in blocks)


@lru_cache(maxsize=16)
def feature_table(blocks: tuple[str, ...]) -> Features:
    """The features of a view as far as these blocks of the observation show it.

    Raises:
        ValueError: a block can be negative, or a view could have more than ``MAX_ACTIVE`` features.
    """
    if most_active(blocks) > MAX_ACTIVE:
        raise ValueError(
            f"a view could have {most_active(blocks)} features of these blocks, and there is room for "
            f"{MAX_ACTIVE}; leave some of the larger blocks out."
        )
    counted = [row for row in COUNTED if row.name in blocks]
    observed = [block(name) for name in blocks if name not in [row.name for row in COUNTED]]
    for row in observed:
        if row.low < 0:
            raise ValueError(f"the block {row.name!r} has negative numbers, which are no features.")
    number, n = np.full((N_WORDS, EIGHT), -1, np.int16), 0
    for row in observed:
        if row.high == 1:
            number.ravel()[OFFSETS[row.name] :][: row.size] = n + np.arange(row.size)
            n += row.size
    counts, first = [], []
    for row in observed:
        if row.high > 1:
            counts += [OFFSETS[row.name] + i for i in range(row.size)]
            first += [n + row.high * i for i in range(row.size)]
            n += row.high * row.size
    places = np.full(N_COUNTED, -1)
    for block_counted in counted:
        places[COUNTED.index(block_counted)] = n
        n += block_counted.size
    words = np.flatnonzero((number >= 0).any(axis=1))
    kept = np.where(number[words] >= 0, 255, 0).astype(np.uint8).view(np.int64).ravel()
    missing = (0, -len(words) % EIGHT)
    words, kept = np.pad(words, missing), np.pad(kept, missing)
    return Features(
        words, kept, number[words].ravel(), np.array(counts, np.int64), np.array(first, np.int64), places, n
    )


def new_scratch() -> Scratch:
    """Room to make features in."""
    return Scratch(new_views(1), np.zeros(1, WORDS), new_facts())


def write_inputs(
    views: NDArray[np.void], rules: NDArray[np.void], features: Features
) -> tuple[NDArray[np.int16], NDArray[np.int8], NDArray[np.int64]]:
    """What networks see of view records [N].

    Returns:
        The features, int16 [N, MAX_ACTIVE], ascending, then ``PAD``; the legal actions, int8 [N, A] by network's
        action; the order of the suits, int64 [N].
    """
    n = len(views)
    ids, mask = np.empty((n, MAX_ACTIVE), np.int16), np.empty((n, N_ACTIONS), np.int8)
    order = np.empty(n, np.int64)
    feature_rows(views, rules, features, new_scratch(), ids, records(mask, MASK), order)
    return ids, mask, order


@kernel
def feature_rows(
    views: NDArray[np.void],
    rules: NDArray[np.void],
    features: Features,
    scratch: Scratch,
    ids: NDArray[np.int16],
    masks: NDArray[np.void],
    order: NDArray[np.int64],
) -> None:
    """Fill ids [:N, MAX_ACTIVE], masks (``MASK`` [:N], by network's action) and order [:N] from views [N]."""
    row = scratch.rows[0]
    columns, seen = row["row"]["columns"], row["words"]
    for i in range(len(views)):
        order[i] = suit_order(views[i])
        scratch.views[0] = views[i]
        renamed = scratch.views[0]
        rename_suits(renamed, order[i])
        write_mask(int(renamed["legal_cards"]), int(renamed["legal_calls"]), masks[i])
        write_observation(renamed, rules[0], row["row"])
        n = 0
        for k in range(0, len(features.words), EIGHT):
            left = 0
            for j in range(EIGHT):
                word = int(seen[features.words[k + j]] & features.kept[k + j])
                left |= (word * GATHER >> HIGHEST_BYTE & 255) << (EIGHT * j)
            while left:
                ids[i, n] = features.number[EIGHT * k + lowest(left)]
                left &= left - 1
                n += 1
        for k in range(len(features.counts)):
            value = columns[features.counts[k]]
            ids[i, n] = features.first[k] + value - 1
            n += int(value > 0)
        n = write_counted(renamed, rules[0], scratch.facts[0], features.counted, ids, i, n)
        for j in range(n, MAX_ACTIVE):
            ids[i, j] = PAD


@kernel
def write_hidden(table: np.void, seat: int, order: int, first: int, ids: NDArray[np.int16], i: int) -> None:
    """Fill row ``i`` of ``ids`` (int16 [N, N_HIDDEN]) with the cards that ``seat`` cannot see.

    They are the hands of the other three seats, clockwise, as features from ``first`` on; then ``PAD``.
    """
    n = 0
    for rel in range(1, N_SEATS):
        cards = moved_set(int(table["hand_cards"][(seat + rel) % N_SEATS]), N_RANKS, order)
        while cards:
            ids[i, n] = first + N_CARDS * (rel - 1) + lowest(cards)
            cards &= cards - 1
            n += 1
    for j in range(n, N_HIDDEN):
        ids[i, j] = PAD


# --- Renaming the suits


@kernel
def rename_suits(view: np.void, order: int) -> None:
    """Rename the suits of a view: the first of the order becomes suit 0, and so on. It stays a view like any."""
    view["hand_cards"] = moved_set(int(view["hand_cards"]), N_RANKS, order)
    view["exposed_cards"] = moved_set(int(view["exposed_cards"]), N_RANKS, order)
    view["legal_cards"] = moved_set(int(view["legal_cards"]), N_RANKS, order)
    calls = int(view["legal_calls"])
    view["legal_calls"] = calls & (1 << N_CALLS) - 1 | moved_set(calls >> N_CALLS, 1, order) << N_CALLS
    for rel in range(N_SEATS):
        view["played_cards_rel"][rel] = moved_set(int(view["played_cards_rel"][rel]), N_RANKS, order)
        view["failed_rel"][rel] = moved_set(wide(view["failed_rel"][rel]), 1, order)
    view["suit"] = moved_suit(wide(view["suit"]), order)
    view["trump"] = moved_suit(wide(view["trump"]), order)
    view["named"] = moved_suit(wide(view["named"]), order)
    if view["turned_card"] != NO_CARD:
        view["turned_card"] = NETWORK_ACTION_OF[order, int(view["turned_card"])]
    for i in range(int(view["n_hidden"]), int(view["n_plays"])):
        view["plays"][i] = NETWORK_ACTION_OF[order, int(view["plays"][i])]


@kernel
def moved_suit(suit: int, order: int) -> int:
    """The new name of a suit; what is below 0 names none and stays."""
    return int(PLACES[order, suit]) if suit >= 0 else suit


@kernel
def moved_set(members: int, width: int, order: int) -> int:
    """A set of cards (``width`` 13) or of suits (1) with its suits renamed."""
    whole, moved = (1 << width) - 1, 0
    for place in range(N_SUITS):
        moved |= (members >> (width * ORDERS[order, place]) & whole) << (width * place)
    return moved


# --- The order of the suits


@kernel
def suit_order(view: np.void) -> int:
    """The order in which a network counts the suits of a view.

    Trumps come first, before trumps are named the suit of the deal, and where there is neither, no suit before the
    others. These follow by what the seat was dealt in them, longer and then higher suits before others. Suits that
    differ in nothing that the view tells of them (but the order of plays) stand by number.
    """
    first = wide(view["suit"]) if view["trump"] == TRUMP_NOT_NAMED else wide(view["trump"])
    left, digits = (1 << N_SUITS) - 1, 0
    for _ in range(N_SUITS):
        best = -1
        for suit in range(N_SUITS):
            if left >> suit & 1 and (best < 0 or (best != first and stands_before(view, suit, best, first))):
                best = suit
        left &= ~(1 << best)
        digits = N_SUITS * digits + best
    return int(ORDER_NUMBER[digits])


@kernel
def stands_before(view: np.void, suit: int, other: int, first: int) -> bool:
    """Whether ``suit`` comes before ``other``, which is not ``first``."""
    if suit == first:
        return True
    hand = int(view["hand_cards"])
    dealt = hand | int(view["played_cards_rel"][0])
    mine, its = suit_pattern(dealt, suit), suit_pattern(dealt, other)
    if mine != its:
        n, m = popcount(mine), popcount(its)
        return bool(n > m if n != m else mine > its)
    mine, its = suit_pattern(hand, suit), suit_pattern(hand, other)
    return bool(mine > its if mine != its else seen_of(view, suit) > seen_of(view, other))


@kernel
def seen_of(view: np.void, suit: int) -> int:
    """All that a view tells of a suit beyond the seat's own cards, but for the order of plays, as one number."""
    seen = 0
    for rel in range(1, N_SEATS):
        seen = seen << N_RANKS | suit_pattern(int(view["played_cards_rel"][rel]), suit)
    seen = seen << N_RANKS | suit_pattern(int(view["exposed_cards"]), suit)
    for rel in range(N_SEATS):
        seen = seen << 1 | int(view["failed_rel"][rel]) >> suit & 1
    n_plays, in_trick = int(view["n_plays"]), 0
    for i in range(n_plays - n_plays % N_SEATS, n_plays):
        if int(view["plays"][i]) // N_RANKS == suit:
            in_trick |= 1 << int(view["play_seats_rel"][i])
    seen = seen << N_SEATS | in_trick
    return seen << 2 | int(view["suit"] == suit) << 1 | int(view["named"] == suit)
