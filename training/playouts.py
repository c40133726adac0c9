"""What every legal action of a decision would have brought: each played out to the end on the cards as they lie.

The luck of the deal, which is most of a return, is the same for all actions of a decision and cancels between them.
Who learns from it sees his own hand alone, so what he learns is the mean over the hands that the others may hold.

Axes: N decisions, A actions, C copies of tables, one for each legal action.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import N_ACTIONS
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS
from solo_env.engine._jit import kernel
from solo_env.engine.batch import apply_choices, open_choices, write_choice_keys
from solo_env.engine.state import new_views
from solo_env.engine.step import is_legal
from solo_env.player import PlayerError
from training.features import ACTION_OF

# Who decides in a play-out: from the copies (TABLE [C]) and of those that ask for a decision the places among them,
# the seats, the views and the keys (each [n]) to actions, int64 [n].
Decide = Callable[
    [NDArray[np.void], NDArray[np.int64], NDArray[np.int64], NDArray[np.void], NDArray[np.int64]], NDArray[np.int64]
]


def play_out_actions(
    tables: NDArray[np.void], seats: NDArray[np.int64], mask: NDArray[np.int8], order: NDArray[np.int64],
    decide: Callable[[NDArray[np.int64]], Decide], rules: NDArray[np.void], seed: int,
) -> NDArray[np.float32]:  # fmt: skip
    """The units that each legal action brings its seat when ``decide`` makes all later decisions in all seats.

    Args:
        tables: TABLE [N], where the decisions are taken; they are not changed.
        seats: int64 [N], who takes them.
        mask: int8 [N, A], by network's action.
        order: int64 [N], of the suits.
        decide: from the decision of each copy, int64 [C], to who plays on.
        rules: the packed rules.
        seed: of the keys of later decisions.

    Returns:
        float32 [N, A], NaN where an action is not legal.

    Raises:
        PlayerError: who plays on failed, or chose what is not open to it.
    """
    decision, action, same = distinct_actions(tables, seats, mask, order)
    copies, played_by = tables.take(decision), decide(decision)
    n = len(copies)
    views = new_views(n)
    rows, keys, turns = np.arange(n), np.zeros(n, np.int64), np.zeros(n, np.int64)
    apply_choices(copies, rules, rows, ACTION_OF[order[decision], action])
    while still := open_choices(copies, rules, views, rows, turns):
        write_choice_keys(copies, rows[:still], turns, seed, keys)
        chosen = played_by(copies, rows[:still], turns[:still], views[:still], keys[:still])
        bad = first_refused(copies, rules, rows[:still], chosen)
        if bad >= 0:
            raise PlayerError(f"a player chose {chosen[bad]} while a deal was played out, which is not open to it.")
        apply_choices(copies, rules, rows[:still], chosen)
    units = np.full((len(tables), N_ACTIONS), np.nan, np.float32)
    units[decision, action] = copies["payoff"][np.arange(n), seats[decision]]
    spread_units(same, units)
    return units


def distinct_actions(
    tables: NDArray[np.void], seats: NDArray[np.int64], mask: NDArray[np.int8], order: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The legal actions that are played out: of cards between which nobody else holds one, only the lowest.

    Returns:
        Decision and network's action of each, int64 [C]; and for every action of every decision the one that stands
        for it, int64 [N, A], -1 for one that is not legal.
    """
    same = np.full(mask.shape, -1)
    write_same(tables, seats, mask, order, same)
    decision, action = np.nonzero(same == np.arange(N_ACTIONS))
    return decision, action, same


@kernel
def write_same(
    tables: NDArray[np.void], seats: NDArray[np.int64], mask: NDArray[np.int8], order: NDArray[np.int64],
    same: NDArray[np.int64],
) -> None:  # fmt: skip
    """Fill ``same`` as :func:`distinct_actions` gives it."""
    for i in range(len(seats)):
        table = tables[i]
        others = 0
        for seat in range(N_SEATS):
            if seat != seats[i]:
                others |= int(table["hand_cards"][seat])
        n_plays = int(table["n_plays"])
        for play in range(n_plays - n_plays % N_SEATS, n_plays):
            others |= 1 << int(table["plays"][play])
        before = -1
        for a in range(N_ACTIONS):
            if mask[i, a]:
                same[i, a] = a
                if 0 <= before < a < N_CARDS and before // N_RANKS == a // N_RANKS:
                    low, high = int(ACTION_OF[order[i], before]), int(ACTION_OF[order[i], a])
                    if others >> low & ((1 << (high - low)) - 1) == 0:
                        same[i, a] = same[i, before]
                before = a


@kernel
def spread_units(same: NDArray[np.int64], units: NDArray[np.float32]) -> None:
    """Give each action [N, A] the units of the one that stands for it."""
    for i in range(len(same)):
        for a in range(N_ACTIONS):
            if same[i, a] >= 0:
                units[i, a] = units[i, same[i, a]]


@kernel
def first_refused(
    tables: NDArray[np.void], rules: NDArray[np.void], rows: NDArray[np.int64], actions: NDArray[np.int64]
) -> int:
    """The first of ``rows`` [n] whose action [n] is not legal, -1 if none."""
    for i in range(len(rows)):
        if not is_legal(tables[rows[i]], rules[0], int(actions[i])):
            return i
    return -1
